//! Expressions as C text, with only the parentheses that C needs and without the conversions that C performs itself.

use super::{
    Base, BinaryOp, CompareOp, Expr, ExprKind, Function, IntKind, Place, Projection, Record, Type, UnaryOp, Variable,
    common_type,
};

/// The tables that names are looked up in.
#[derive(Clone, Copy)]
pub struct Naming<'a> {
    /// The variables that expressions speak of.
    pub variables: &'a [Variable],
    /// Structs and unions.
    pub records: &'a [Record],
    /// Functions.
    pub functions: &'a [Function],
}

impl Expr {
    /// The expression as C.
    pub fn to_c(&self, naming: Naming<'_>) -> String {
        print(self, 0, naming)
    }
}

impl Place {
    /// The place as C.
    pub fn to_c(&self, naming: Naming<'_>) -> String {
        let (_, text) = place(self, naming);
        text
    }
}

const POSTFIX: u32 = 20;
const UNARY: u32 = 13;
const MULTIPLICATIVE: u32 = 12;
const ADDITIVE: u32 = 11;

/// A place with its level: `*p` binds less than `p[1]`.
fn place(place: &Place, naming: Naming<'_>) -> (u32, String) {
    let mut path = place.path.as_slice();
    let (mut level, mut text, mut ty) = match &place.base {
        Base::Variable(variable) => {
            let variable = &naming.variables[variable.index()];
            (POSTFIX, variable.name.clone(), variable.ty.clone())
        }
        Base::Pointee(pointer) => {
            let ty = pointer.ty.pointee().cloned().unwrap_or(Type::Void);
            match (&pointer.kind, path.first()) {
                // `p->f` and `p[i]` are what people write.
                (ExprKind::Move(base, index, stride), _) if stride.factor > 0 => {
                    (POSTFIX, format!("{}[{}]", print(base, POSTFIX, naming), print(index, 0, naming)), ty)
                }
                (_, Some(Projection::Field(field))) => {
                    let (name, inner) = member(&ty, *field, naming);
                    path = &path[1..];
                    (POSTFIX, format!("{}->{name}", print(pointer, POSTFIX, naming)), inner)
                }
                _ => (UNARY, format!("*{}", print(pointer, UNARY, naming)), ty),
            }
        }
    };
    for projection in path {
        if level < POSTFIX {
            text = format!("({text})");
            level = POSTFIX;
        }
        match projection {
            Projection::Field(field) => {
                let (name, inner) = member(&ty, *field, naming);
                if !name.is_empty() {
                    text = format!("{text}.{name}");
                }
                ty = inner;
            }
            Projection::Index(index, _) => {
                text = format!("{text}[{}]", print(index, 0, naming));
                ty = match ty.plain() {
                    Type::Array(element, _) => (**element).clone(),
                    other => other.clone(),
                };
            }
        }
    }
    (level, text)
}

fn member(ty: &Type, field: u32, naming: Naming<'_>) -> (String, Type) {
    let Type::Record(id) = ty.plain() else {
        return (format!("member{field}"), Type::Void);
    };
    match naming.records[id.index()].fields.as_ref().and_then(|fields| fields.get(field as usize)) {
        Some(field) => (field.name.clone(), field.ty.clone()),
        None => (format!("member{field}"), Type::Void),
    }
}

fn print(expr: &Expr, context: u32, naming: Naming<'_>) -> String {
    let (level, text) = match &expr.kind {
        ExprKind::Constant(0) if expr.ty.pointee().is_some() => (POSTFIX, "0".to_string()),
        ExprKind::Constant(value) => {
            // Alone, a constant keeps its type by its suffix.
            let suffix = match expr.ty.int_kind() {
                Some(IntKind::UInt) => "u",
                Some(IntKind::Long | IntKind::LongLong) => "L",
                Some(IntKind::ULong | IntKind::ULongLong) => "uL",
                _ => "",
            };
            (if *value < 0 { UNARY } else { POSTFIX }, format!("{value}{suffix}"))
        }
        ExprKind::Float(bits) => {
            let value = f64::from_bits(*bits);
            let suffix = match expr.ty.float_kind() {
                Some(super::FloatKind::Float) => "f",
                Some(super::FloatKind::LongDouble) => "L",
                _ => "",
            };
            (if value.is_sign_negative() { UNARY } else { POSTFIX }, format!("{value:?}{suffix}"))
        }
        ExprKind::Load(load) => place(load, naming),
        ExprKind::Address(target) => address(target, naming),
        ExprKind::Function(id) => (POSTFIX, naming.functions[id.0 as usize].name.clone()),
        // Conversions between pointers are implicit, or do not matter for what is observed.
        ExprKind::Cast(inner) if expr.ty.pointee().is_some() => return print(inner, context, naming),
        ExprKind::Cast(inner) => (UNARY, format!("({}){}", type_name(&expr.ty), print(inner, UNARY, naming))),
        ExprKind::Unary(op, inner) => {
            let sign = match op {
                UnaryOp::Negate => "-",
                UnaryOp::Complement => "~",
            };
            let operand = print(without_promotion(inner), UNARY, naming);
            // `- -x` must not become `--x`.
            let gap = if operand.starts_with('-') && sign == "-" { " " } else { "" };
            (UNARY, format!("{sign}{gap}{operand}"))
        }
        ExprKind::Holds(property, operands) => {
            let operands: Vec<String> = operands.iter().map(|operand| print(operand, 0, naming)).collect();
            (POSTFIX, format!("{}({})", property.name(), operands.join(", ")))
        }
        ExprKind::Not(inner) => (UNARY, format!("!{}", print(inner, UNARY, naming))),
        ExprKind::Binary(op, a, b) => infix(a, b, binary_level(*op), binary_sign(*op), naming),
        ExprKind::Move(p, n, stride) => {
            let sign = if stride.factor < 0 { "-" } else { "+" };
            (ADDITIVE, format!("{} {sign} {}", print(p, ADDITIVE, naming), print(n, ADDITIVE + 1, naming)))
        }
        ExprKind::Distance(p, q, _) => {
            (ADDITIVE, format!("{} - {}", print(p, ADDITIVE, naming), print(q, ADDITIVE + 1, naming)))
        }
        ExprKind::Compare(op, a, b) => infix(a, b, compare_level(*op), compare_sign(*op), naming),
        ExprKind::And(a, b) => infix(a, b, 4, "&&", naming),
        ExprKind::Or(a, b) => infix(a, b, 3, "||", naming),
        ExprKind::Conditional(c, a, b) => {
            (2, format!("{} ? {} : {}", print(c, 3, naming), print(a, 2, naming), print(b, 2, naming)))
        }
    };
    if level < context { format!("({text})") } else { text }
}

/// `&x`; an array stands for the address of its first element.
fn address(target: &Place, naming: Naming<'_>) -> (u32, String) {
    if let Some((Projection::Index(index, _), path)) = target.path.split_last() {
        let whole = Place { base: target.base.clone(), path: path.to_vec(), ty: Type::Void };
        if index.is_zero() {
            return place(&whole, naming);
        }
    }
    let (_, text) = place(target, naming);
    (UNARY, format!("&{text}"))
}

/// The name of a scalar type in a cast.
fn type_name(ty: &Type) -> String {
    match ty {
        Type::Int(kind) => kind.c_name().to_string(),
        Type::Float(kind) => kind.c_name().to_string(),
        _ => "void *".to_string(),
    }
}

fn infix(a: &Expr, b: &Expr, level: u32, sign: &str, naming: Naming<'_>) -> (u32, String) {
    let (a, b) = match sign {
        "<<" | ">>" => (without_promotion(a), without_promotion(b)),
        "&&" | "||" => (a, b),
        _ => match without_usual_conversions(a, b) {
            Some((a, b)) => {
                let text = format!("{} {sign} {}", bare(a, level, naming), bare(b, level + 1, naming));
                return (level, text);
            }
            None => (a, b),
        },
    };
    let text = format!("{} {sign} {}", print(a, level, naming), print(b, level + 1, naming));
    (level, text)
}

/// The operand without the conversion that the integer promotion inserts again when the text is read.
pub(crate) fn without_promotion(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner)
            if inner.ty.int_kind().is_some_and(|kind| Some(kind.promoted()) == expr.ty.int_kind()) =>
        {
            inner
        }
        _ => expr,
    }
}

/// The operands without the conversions that the usual arithmetic conversions insert again.
pub(crate) fn without_usual_conversions<'a>(a: &'a Expr, b: &'a Expr) -> Option<(&'a Expr, &'a Expr)> {
    if !a.ty.is_arithmetic() {
        return None;
    }
    let (bare_a, bare_b) = (without_cast(a), without_cast(b));
    for (x, y) in [(bare_a, bare_b), (bare_a, b), (a, bare_b), (a, b)] {
        let (left, right) = (natural_type(x), natural_type(y));
        if left.is_arithmetic() && right.is_arithmetic() && common_type(&left, &right) == a.ty {
            return Some((x, y));
        }
    }
    None
}

/// An operand whose type the other operand settles: a constant needs no suffix.
fn bare(expr: &Expr, context: u32, naming: Naming<'_>) -> String {
    match &expr.kind {
        ExprKind::Constant(value) => {
            let int = Expr { kind: ExprKind::Constant(*value), ty: Type::INT };
            print(&int, context, naming)
        }
        _ => print(expr, context, naming),
    }
}

fn without_cast(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner) => inner,
        _ => expr,
    }
}

/// The type that the bare text has when it is read again: that of the expression, but for constants, which have no suffix
/// there.
pub(crate) fn natural_type(expr: &Expr) -> Type {
    match expr.kind {
        // C has no negative literals: the least value of a type is written as another one's.
        ExprKind::Constant(value) if expr.ty.int_kind().is_some() => {
            Type::Int(if (IntKind::Int.least() + 1..=IntKind::Int.greatest()).contains(&value) {
                IntKind::Int
            } else if (IntKind::Long.least() + 1..=IntKind::Long.greatest()).contains(&value) {
                IntKind::Long
            } else {
                expr.int_kind()
            })
        }
        _ => expr.ty.clone(),
    }
}

pub(crate) fn binary_level(op: BinaryOp) -> u32 {
    match op {
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => MULTIPLICATIVE,
        BinaryOp::Add | BinaryOp::Subtract => ADDITIVE,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 10,
        BinaryOp::And => 7,
        BinaryOp::Xor => 6,
        BinaryOp::Or => 5,
    }
}

pub(crate) fn binary_sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
    }
}

pub(crate) fn compare_level(op: CompareOp) -> u32 {
    match op {
        CompareOp::Equal | CompareOp::NotEqual => 8,
        _ => 9,
    }
}

pub(crate) fn compare_sign(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Equal => "==",
        CompareOp::NotEqual => "!=",
        CompareOp::Less => "<",
        CompareOp::LessEqual => "<=",
        CompareOp::Greater => ">",
        CompareOp::GreaterEqual => ">=",
    }
}
