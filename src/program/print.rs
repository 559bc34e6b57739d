//! Expressions as C text, with only the parentheses that C needs and without the conversions that C performs itself.

use super::{BinaryOp, CompareOp, Expr, ExprKind, IntKind, Place, UnaryOp};

impl Expr {
    /// The expression as C; `name` gives the name of a variable.
    pub fn to_c(&self, name: &dyn Fn(super::VarId) -> String) -> String {
        print(self, 0, name)
    }
}

impl Place {
    /// The place as C.
    pub fn to_c(&self, name: &dyn Fn(super::VarId) -> String) -> String {
        match self {
            Place::Variable(variable) => name(*variable),
            Place::Element(array, indices) => {
                // Strides that shrink are the dimensions of an array; others are address arithmetic.
                let dimensions = indices.windows(2).all(|pair| pair[0].scale > pair[1].scale)
                    && indices.last().is_some_and(|last| last.scale == 1);
                if dimensions {
                    let brackets = indices.iter().map(|index| format!("[{}]", print(&index.value, 0, name)));
                    return format!("{}{}", name(*array), brackets.collect::<String>());
                }
                let parts: Vec<String> = indices
                    .iter()
                    .map(|index| match index.scale {
                        1 => print(&index.value, ADDITIVE, name),
                        scale => format!("{} * {scale}", print(&index.value, MULTIPLICATIVE, name)),
                    })
                    .collect();
                let index = if parts.is_empty() { "0".to_string() } else { parts.join(" + ") };
                format!("{}[{index}]", name(*array))
            }
        }
    }
}

const UNARY: u32 = 13;
const MULTIPLICATIVE: u32 = 12;
const ADDITIVE: u32 = 11;

fn print(expr: &Expr, context: u32, name: &dyn Fn(super::VarId) -> String) -> String {
    let (level, text) = match &expr.kind {
        ExprKind::Constant(value) => {
            // Alone, a constant keeps its type by its suffix.
            let suffix = match expr.ty {
                IntKind::UInt => "u",
                IntKind::Long | IntKind::LongLong => "L",
                IntKind::ULong | IntKind::ULongLong => "uL",
                _ => "",
            };
            (if *value < 0 { UNARY } else { 20 }, format!("{value}{suffix}"))
        }
        ExprKind::Load(place) => (20, place.to_c(name)),
        ExprKind::Cast(inner) => (UNARY, format!("({}){}", expr.ty.c_name(), print(inner, UNARY, name))),
        ExprKind::Unary(op, inner) => {
            let sign = match op {
                UnaryOp::Negate => "-",
                UnaryOp::Complement => "~",
            };
            let operand = print(without_promotion(inner), UNARY, name);
            // `- -x` must not become `--x`.
            let gap = if operand.starts_with('-') && sign == "-" { " " } else { "" };
            (UNARY, format!("{sign}{gap}{operand}"))
        }
        ExprKind::Not(inner) => (UNARY, format!("!{}", print(inner, UNARY, name))),
        ExprKind::Binary(op, a, b) => infix(a, b, binary_level(*op), binary_sign(*op), name),
        ExprKind::Compare(op, a, b) => infix(a, b, compare_level(*op), compare_sign(*op), name),
        ExprKind::And(a, b) => infix(a, b, 4, "&&", name),
        ExprKind::Or(a, b) => infix(a, b, 3, "||", name),
        ExprKind::Conditional(c, a, b) => {
            (2, format!("{} ? {} : {}", print(c, 3, name), print(a, 2, name), print(b, 2, name)))
        }
    };
    if level < context { format!("({text})") } else { text }
}

fn infix(a: &Expr, b: &Expr, level: u32, sign: &str, name: &dyn Fn(super::VarId) -> String) -> (u32, String) {
    let (a, b) = match sign {
        "<<" | ">>" => (without_promotion(a), without_promotion(b)),
        "&&" | "||" => (a, b),
        _ => match without_usual_conversions(a, b) {
            Some((a, b)) => {
                let text = format!("{} {sign} {}", bare(a, level, name), bare(b, level + 1, name));
                return (level, text);
            }
            None => (a, b),
        },
    };
    let text = format!("{} {sign} {}", print(a, level, name), print(b, level + 1, name));
    (level, text)
}

/// The operand without the conversion that the integer promotion inserts again when the text is read.
fn without_promotion(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner) if inner.ty.promoted() == expr.ty => inner,
        _ => expr,
    }
}

/// The operands without the conversions that the usual arithmetic conversions insert again.
fn without_usual_conversions<'a>(a: &'a Expr, b: &'a Expr) -> Option<(&'a Expr, &'a Expr)> {
    let (bare_a, bare_b) = (without_cast(a), without_cast(b));
    for (x, y) in [(bare_a, bare_b), (bare_a, b), (a, bare_b), (a, b)] {
        if natural_type(x).common(natural_type(y)) == a.ty {
            return Some((x, y));
        }
    }
    None
}

/// An operand whose type the other operand settles: a constant needs no suffix.
fn bare(expr: &Expr, context: u32, name: &dyn Fn(super::VarId) -> String) -> String {
    match &expr.kind {
        ExprKind::Constant(value) => {
            let int = Expr { kind: ExprKind::Constant(*value), ty: IntKind::Int };
            print(&int, context, name)
        }
        _ => print(expr, context, name),
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
fn natural_type(expr: &Expr) -> IntKind {
    match expr.kind {
        ExprKind::Constant(value) if (IntKind::Int.least()..=IntKind::Int.greatest()).contains(&value) => IntKind::Int,
        ExprKind::Constant(value) if value <= IntKind::Long.greatest() => IntKind::Long,
        ExprKind::Constant(_) => IntKind::ULong,
        _ => expr.ty,
    }
}

fn binary_level(op: BinaryOp) -> u32 {
    match op {
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => MULTIPLICATIVE,
        BinaryOp::Add | BinaryOp::Subtract => ADDITIVE,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 10,
        BinaryOp::And => 7,
        BinaryOp::Xor => 6,
        BinaryOp::Or => 5,
    }
}

fn binary_sign(op: BinaryOp) -> &'static str {
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

fn compare_level(op: CompareOp) -> u32 {
    match op {
        CompareOp::Equal | CompareOp::NotEqual => 8,
        _ => 9,
    }
}

fn compare_sign(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Equal => "==",
        CompareOp::NotEqual => "!=",
        CompareOp::Less => "<",
        CompareOp::LessEqual => "<=",
        CompareOp::Greater => ">",
        CompareOp::GreaterEqual => ">=",
    }
}
