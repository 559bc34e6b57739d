//! Typed C as text that a compiler takes: expressions with every conversion that matters, types as declarators, and the
//! definitions of the structs that they need.
//!
//! The printer of [`crate::program`] is for people who read predicates, and leaves out conversions between pointers. Here
//! the text must mean exactly what the expression means. What has no text is an [`Unwritable`].

use std::collections::BTreeSet;

use crate::program::{
    Base, Expr, ExprKind, Function, IntKind, Length, Place, Projection, Record, RecordId, Type, UnaryOp, VarId,
    binary_level, binary_sign, compare_level, compare_sign, natural_type, without_promotion, without_usual_conversions,
};

/// Why there is no text, in words.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unwritable(pub String);

/// What can be written, or why not.
pub(super) type Written<T = String> = Result<T, Unwritable>;

/// The names of one C text.
pub(super) struct Printer {
    /// The names of the variables, all different.
    pub(super) variables: Vec<String>,
    /// The types of the variables.
    pub(super) types: Vec<Type>,
    /// Structs and unions; every member has a name.
    records: Vec<Record>,
    /// The functions.
    functions: Vec<Function>,
    /// Pointers that are used as arrays: `*p` is `p[0]`.
    pub(super) arrays: BTreeSet<VarId>,
    /// Every name that is taken.
    taken: BTreeSet<String>,
}

const POSTFIX: u32 = 20;
const UNARY: u32 = 13;
const ADDITIVE: u32 = 11;

/// What C or the macros of a path program use up.
const RESERVED: &str = "auto break case char const continue default do double else enum extern float for goto if inline int \
    long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while \
    asm typeof main assume assert inside same_object fits_add fits_sub fits_mul fits_neg memcpy memset exit NDEBUG linux unix";

impl Printer {
    /// Names for these variables, records and functions.
    pub(super) fn new(variables: &[(String, Type)], records: &[Record], functions: &[Function]) -> Printer {
        let mut taken: BTreeSet<String> = RESERVED.split_whitespace().map(String::from).collect();
        let functions = functions
            .iter()
            .map(|function| Function { name: unique(&mut taken, &function.name), ..function.clone() })
            .collect();
        let mut tags = BTreeSet::new();
        let records = records
            .iter()
            .map(|record| {
                let keyword = if record.is_union { "union" } else { "struct" };
                let tag = record.name.strip_prefix(keyword).map_or("", str::trim);
                let tag = if is_name(tag) { tag } else { "unnamed" };
                let name = format!("{keyword} {}", unique(&mut tags, tag));
                let fields = record.fields.as_ref().map(|fields| {
                    let mut names = BTreeSet::new();
                    fields
                        .iter()
                        .map(|field| {
                            let name = if field.name.is_empty() { "unnamed" } else { &field.name };
                            crate::program::Field { name: unique(&mut names, name), ..field.clone() }
                        })
                        .collect()
                });
                Record { name, fields, ..record.clone() }
            })
            .collect();
        let names = variables.iter().map(|(name, _)| unique(&mut taken, name)).collect();
        let types = variables.iter().map(|(_, ty)| ty.clone()).collect();
        Printer { variables: names, types, records, functions, arrays: BTreeSet::new(), taken }
    }

    /// A name that is not taken, like the given one.
    pub(super) fn name(&mut self, like: &str) -> String {
        unique(&mut self.taken, like)
    }

    /// The records, with names for all members.
    pub(super) fn records(&self) -> &[Record] {
        &self.records
    }

    fn variable(&self, variable: VarId) -> &str {
        &self.variables[variable.index()]
    }

    /// An expression.
    pub(super) fn expr(&self, expr: &Expr) -> Written {
        self.at_level(expr, 0)
    }

    /// The value of an assignment: C converts numbers to the type of what is assigned.
    pub(super) fn value(&self, expr: &Expr) -> Written {
        match &expr.kind {
            ExprKind::Cast(inner) if expr.ty.is_arithmetic() && inner.ty.is_arithmetic() => self.assigned(expr, inner),
            ExprKind::Constant(value) if expr.ty.int_kind().is_some_and(|kind| kind.rank() < IntKind::Int.rank()) => {
                Ok(value.to_string())
            }
            _ => self.expr(expr),
        }
    }

    /// A converted value that is assigned: the text without the conversion, if C converts it in the same way. Of two
    /// conversions only the last one is left to C.
    fn assigned(&self, converted: &Expr, inner: &Expr) -> Written {
        match &inner.kind {
            ExprKind::Constant(_) => self.expr(converted),
            _ => self.expr(inner),
        }
    }

    /// An operand with exactly its type.
    pub(super) fn typed(&self, expr: &Expr) -> Written {
        self.at_level(expr, UNARY)
    }

    /// An expression as an operand of `&&`.
    pub(super) fn operand(&self, expr: &Expr) -> Written {
        match expr.kind {
            ExprKind::Not(_) => self.at_level(expr, UNARY),
            _ => Ok(format!("({})", self.expr(expr)?)),
        }
    }

    fn at_level(&self, expr: &Expr, context: u32) -> Written {
        let (level, text) = self.printed(expr)?;
        Ok(if level < context { format!("({text})") } else { text })
    }

    fn printed(&self, expr: &Expr) -> Written<(u32, String)> {
        Ok(match &expr.kind {
            ExprKind::Constant(0) if expr.ty.pointee().is_some() => {
                (UNARY, format!("({})0", self.declaration(&expr.ty, "")?))
            }
            ExprKind::Constant(_) if expr.ty.pointee().is_some() => {
                return Err(Unwritable("a number is used as an address".to_string()));
            }
            ExprKind::Constant(value) => constant(*value, expr.int_kind()),
            ExprKind::Float(bits) => {
                let value = f64::from_bits(*bits);
                let is_float = expr.ty == Type::Float(crate::program::FloatKind::Float);
                let suffix = if is_float { "f" } else { "" };
                if !value.is_finite() {
                    return Err(Unwritable("a floating-point constant is not finite".to_string()));
                }
                (if value.is_sign_negative() { UNARY } else { POSTFIX }, format!("{value:?}{suffix}"))
            }
            ExprKind::Load(place) => self.load(place, &expr.ty)?,
            ExprKind::Address(place) => self.address(place)?,
            ExprKind::Function(id) => (POSTFIX, self.functions[id.0 as usize].name.clone()),
            ExprKind::Cast(inner) => self.cast(&expr.ty, inner)?,
            ExprKind::Unary(op, inner) => {
                let sign = if *op == UnaryOp::Negate { "-" } else { "~" };
                let operand = self.at_level(without_promotion(inner), UNARY)?;
                let gap = if operand.starts_with('-') && sign == "-" { " " } else { "" };
                (UNARY, format!("{sign}{gap}{operand}"))
            }
            ExprKind::Not(inner) => (UNARY, format!("!({})", self.expr(inner)?)),
            ExprKind::Binary(op, a, b) => {
                let (level, sign) = (binary_level(*op), binary_sign(*op));
                self.infix(a, b, level, sign)?
            }
            ExprKind::Move(pointer, count, stride) => {
                let sign = if stride.factor < 0 { "-" } else { "+" };
                let (pointer, count) = (self.at_level(pointer, ADDITIVE)?, self.at_level(count, ADDITIVE + 1)?);
                (ADDITIVE, format!("{pointer} {sign} {count}"))
            }
            ExprKind::Distance(a, b, _) => {
                (ADDITIVE, format!("{} - {}", self.at_level(a, ADDITIVE)?, self.at_level(b, ADDITIVE + 1)?))
            }
            ExprKind::Compare(op, a, b) => {
                let (level, sign) = (compare_level(*op), compare_sign(*op));
                match (a.is_zero() && a.ty.pointee().is_some(), b.is_zero() && b.ty.pointee().is_some()) {
                    (false, true) => (level, format!("{} {sign} 0", self.at_level(a, level)?)),
                    (true, false) => (level, format!("0 {sign} {}", self.at_level(b, level + 1)?)),
                    _ if a.ty.pointee().is_some() && !a.ty.is_like(&b.ty) => {
                        let (a, b) = (self.at_level(a, UNARY)?, self.at_level(b, UNARY)?);
                        (level, format!("(void *){a} {sign} (void *){b}"))
                    }
                    _ => self.infix(a, b, level, sign)?,
                }
            }
            ExprKind::And(a, b) => (4, format!("{} && {}", self.operand(a)?, self.operand(b)?)),
            ExprKind::Or(a, b) => (3, format!("{} || {}", self.operand(a)?, self.operand(b)?)),
            ExprKind::Conditional(c, a, b) => {
                (2, format!("{} ? {} : {}", self.at_level(c, 3)?, self.at_level(a, 3)?, self.at_level(b, 3)?))
            }
            ExprKind::Holds(property, _) => {
                return Err(Unwritable(format!("C has no words for `{}`", property.name())));
            }
        })
    }

    /// The value of a place. A bit-field is promoted to `int` by C, whatever its type.
    fn load(&self, place: &Place, ty: &Type) -> Written<(u32, String)> {
        let printed = self.place_at_level(place)?;
        let is_wide = ty.int_kind().is_some_and(|kind| kind.rank() >= IntKind::Int.rank() && kind != IntKind::Int);
        if self.is_bit_field(place) && is_wide {
            let (level, text) = printed;
            let text = if level < UNARY { format!("({text})") } else { text };
            return Ok((UNARY, format!("({}){text}", self.declaration(ty, "")?)));
        }
        Ok(printed)
    }

    /// Whether a place is a bit-field.
    pub(super) fn is_bit_field(&self, place: &Place) -> bool {
        let Some((Projection::Field(number), path)) = place.path.split_last() else {
            return false;
        };
        let whole = Place { base: place.base.clone(), path: path.to_vec(), ty: Type::Void };
        self.field(&self.type_of(&whole), *number).is_some_and(|field| field.bits.is_some())
    }

    fn field(&self, ty: &Type, number: u32) -> Option<&crate::program::Field> {
        let Type::Record(id) = ty.plain() else {
            return None;
        };
        self.records[id.index()].fields.as_ref()?.get(number as usize)
    }

    /// The type that the way to a place leads to.
    pub(super) fn type_of(&self, place: &Place) -> Type {
        let mut ty = match &place.base {
            Base::Variable(variable) => self.types[variable.index()].clone(),
            Base::Pointee(pointer) => pointer.ty.pointee().cloned().unwrap_or(Type::Void),
        };
        for projection in &place.path {
            ty = match (projection, ty.plain()) {
                (Projection::Field(number), _) => self.field(&ty, *number).map_or(Type::Void, |field| field.ty.clone()),
                (Projection::Index(..), Type::Array(element, _)) => (**element).clone(),
                (Projection::Index(..), other) => other.clone(),
            };
        }
        ty
    }

    /// A place.
    pub(super) fn place(&self, place: &Place) -> Written {
        Ok(self.place_at_level(place)?.1)
    }

    fn place_at_level(&self, place: &Place) -> Written<(u32, String)> {
        let mut path = place.path.as_slice();
        let (mut level, mut text, mut ty) = match &place.base {
            Base::Variable(variable) => {
                (POSTFIX, self.variable(*variable).to_string(), self.types[variable.index()].clone())
            }
            Base::Pointee(pointer) => {
                let ty = pointer.ty.pointee().cloned().unwrap_or(Type::Void);
                match (&pointer.kind, path.first()) {
                    (ExprKind::Move(base, index, stride), _) if stride.factor > 0 => {
                        let (base, index) = (self.at_level(base, POSTFIX)?, self.at_level(index, 0)?);
                        (POSTFIX, format!("{base}[{index}]"), ty)
                    }
                    (_, Some(Projection::Field(number))) => {
                        let field = self.member(&ty, *number)?;
                        path = &path[1..];
                        (POSTFIX, format!("{}->{}", self.at_level(pointer, POSTFIX)?, field.0), field.1)
                    }
                    (ExprKind::Load(from), _)
                        if from.as_variable().is_some_and(|variable| self.arrays.contains(&variable)) =>
                    {
                        (POSTFIX, format!("{}[0]", self.at_level(pointer, POSTFIX)?), ty)
                    }
                    _ => (UNARY, format!("*{}", self.at_level(pointer, UNARY)?), ty),
                }
            }
        };
        for projection in path {
            if level < POSTFIX {
                text = format!("({text})");
                level = POSTFIX;
            }
            match projection {
                Projection::Field(number) => {
                    let (name, inner) = self.member(&ty, *number)?;
                    text = format!("{text}.{name}");
                    ty = inner;
                }
                Projection::Index(index, _) => {
                    let Type::Array(element, _) = ty.plain() else {
                        return Err(Unwritable("an index into something that is no array".to_string()));
                    };
                    let element = (**element).clone();
                    text = format!("{text}[{}]", self.expr(index)?);
                    ty = element;
                }
            }
        }
        if !ty.is_like(&place.ty) {
            // Seen through another type.
            return Ok((UNARY, format!("*({})&{text}", self.declaration(&place.ty.clone().pointer(), "")?)));
        }
        Ok((level, text))
    }

    fn member(&self, ty: &Type, number: u32) -> Written<(String, Type)> {
        match self.field(ty, number) {
            Some(field) => Ok((field.name.clone(), field.ty.clone())),
            None => Err(Unwritable("a member of something that is no struct".to_string())),
        }
    }

    /// `&x`; an array stands for the address of its first element.
    fn address(&self, target: &Place) -> Written<(u32, String)> {
        if let Some((Projection::Index(index, _), path)) = target.path.split_last()
            && index.is_zero()
        {
            let whole = Place { base: target.base.clone(), path: path.to_vec(), ty: Type::Void };
            let whole = Place { ty: self.type_of(&whole), ..whole };
            return self.place_at_level(&whole);
        }
        if let (Base::Pointee(pointer), true) = (&target.base, target.path.is_empty()) {
            return self.printed(pointer);
        }
        let (level, text) = self.place_at_level(target)?;
        Ok((UNARY, if level < UNARY { format!("&({text})") } else { format!("&{text}") }))
    }

    fn cast(&self, ty: &Type, inner: &Expr) -> Written<(u32, String)> {
        match (ty.pointee().is_some(), inner.ty.pointee().is_some()) {
            (true, true) if ty.is_like(&inner.ty) => return self.printed(inner),
            (true, false) => return Err(Unwritable("a number is used as an address".to_string())),
            (false, true) if *ty != Type::Int(IntKind::Bool) => {
                return Err(Unwritable("an address is used as a number".to_string()));
            }
            _ => {}
        }
        Ok((UNARY, format!("({}){}", self.declaration(ty, "")?, self.at_level(inner, UNARY)?)))
    }

    fn infix(&self, a: &Expr, b: &Expr, level: u32, sign: &str) -> Written<(u32, String)> {
        // Compilers warn where the operands of bit operators have no parentheses.
        let is_bitwise = matches!(sign, "<<" | ">>" | "&" | "^" | "|");
        let (left, right) = if is_bitwise { (UNARY, UNARY) } else { (level, level + 1) };
        let (a, b) = match sign {
            "<<" | ">>" => (without_promotion(a), without_promotion(b)),
            _ => match without_usual_conversions(a, b) {
                Some((a, b)) => {
                    let text = format!("{} {sign} {}", self.bare(a, left)?, self.bare(b, right)?);
                    return Ok((level, text));
                }
                None => (a, b),
            },
        };
        Ok((level, format!("{} {sign} {}", self.at_level(a, left)?, self.at_level(b, right)?)))
    }

    /// An operand whose type the other operand settles: a constant needs no suffix.
    fn bare(&self, expr: &Expr, context: u32) -> Written {
        match &expr.kind {
            ExprKind::Constant(value) => {
                let kind = natural_type(expr).int_kind().unwrap_or(IntKind::Int);
                let (level, text) = constant(*value, kind);
                // A decimal number that does not fit `int` is a `long` by itself.
                let text = if kind == IntKind::Long { text.trim_end_matches('l').to_string() } else { text };
                Ok(if level < context { format!("({text})") } else { text })
            }
            _ => self.at_level(expr, context),
        }
    }

    /// A declaration of `name`; without a name, the type as in a cast.
    pub(super) fn declaration(&self, ty: &Type, name: &str) -> Written {
        let (base, declarator) = self.declarator(ty, name.to_string())?;
        Ok(if declarator.is_empty() { base } else { format!("{base} {declarator}") })
    }

    /// The type in front, and what stands around the name.
    fn declarator(&self, ty: &Type, name: String) -> Written<(String, String)> {
        Ok(match ty.plain() {
            Type::Void => ("void".to_string(), name),
            Type::Int(kind) => (kind.c_name().to_string(), name),
            Type::Float(kind) => (kind.c_name().to_string(), name),
            Type::Record(id) => (self.records[id.index()].name.clone(), name),
            Type::Pointer(target) => {
                let inner = match target.plain() {
                    Type::Array(..) | Type::Function(_) => format!("(*{name})"),
                    _ => format!("*{name}"),
                };
                self.declarator(target, inner)?
            }
            Type::Array(element, length) => match length {
                Length::Fixed(length) => self.declarator(element, format!("{name}[{length}]"))?,
                Length::Unknown => self.declarator(element, format!("{name}[]"))?,
                Length::Variable(_) => return Err(Unwritable("an array of variable length".to_string())),
            },
            Type::Function(signature) => {
                let parameters = match &signature.parameters {
                    None => String::new(),
                    Some(parameters) if parameters.is_empty() => "void".to_string(),
                    Some(parameters) => {
                        let mut texts = Vec::new();
                        for parameter in parameters {
                            texts.push(self.declaration(parameter, "")?);
                        }
                        if signature.is_variadic {
                            texts.push("...".to_string());
                        }
                        texts.join(", ")
                    }
                };
                self.declarator(&signature.result, format!("{name}({parameters})"))?
            }
            Type::Unsupported(what) => return Err(Unwritable(format!("the type {what}"))),
            Type::Qualified(..) => unreachable!("it is plain"),
        })
    }

    /// The declaration of a function.
    pub(super) fn function(&self, id: crate::program::FunctionId) -> Written {
        let function = &self.functions[id.0 as usize];
        let ty = Type::Function(std::sync::Arc::new(function.signature.clone()));
        Ok(format!("{};", self.declaration(&ty, &function.name)?))
    }

    /// The definitions of the structs and unions that the types need, each after those that it needs.
    pub(super) fn definitions(&self, types: &[Type]) -> Written<Vec<String>> {
        let mut order = Vec::new();
        let mut begun = BTreeSet::new();
        for ty in types {
            self.require(ty, &mut begun, &mut order);
        }
        let mut texts = Vec::new();
        for id in order {
            let record = &self.records[id.index()];
            let Some(fields) = &record.fields else {
                texts.push(format!("{};", record.name));
                continue;
            };
            let mut text = format!("{} {{\n", record.name);
            for field in fields {
                let declaration = self.declaration(&field.ty, &field.name)?;
                match field.bits {
                    Some((_, width)) => text.push_str(&format!("    {declaration} : {width};\n")),
                    None => text.push_str(&format!("    {declaration};\n")),
                }
            }
            text.push_str("};");
            texts.push(text);
        }
        Ok(texts)
    }

    fn require(&self, ty: &Type, begun: &mut BTreeSet<RecordId>, order: &mut Vec<RecordId>) {
        match ty.plain() {
            Type::Record(id) => {
                if !begun.insert(*id) {
                    return;
                }
                for field in self.records[id.index()].fields.iter().flatten() {
                    self.require(&field.ty, begun, order);
                }
                order.push(*id);
            }
            Type::Pointer(inner) | Type::Array(inner, _) => self.require(inner, begun, order),
            Type::Function(signature) => {
                self.require(&signature.result, begun, order);
                for parameter in signature.parameters.iter().flatten() {
                    self.require(parameter, begun, order);
                }
            }
            _ => {}
        }
    }
}

fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.chars().all(is_part) && text.chars().next().is_some_and(|first| !first.is_ascii_digit())
}

/// A valid C name like the given one that nothing has yet.
fn unique(taken: &mut BTreeSet<String>, like: &str) -> String {
    let mut name: String = like.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    name = name.trim_matches('_').to_string();
    if !is_name(&name) {
        name = format!("t{name}");
    }
    let names = std::iter::once(name.clone()).chain((2..).map(|number| format!("{name}_{number}")));
    let free = names.into_iter().find(|name| !taken.contains(name)).expect("there are enough numbers");
    taken.insert(free.clone());
    free
}

/// An integer constant with its type.
fn constant(value: i128, kind: IntKind) -> (u32, String) {
    let suffix = match kind {
        IntKind::UInt => "u",
        IntKind::Long => "l",
        IntKind::LongLong => "ll",
        IntKind::ULong => "ul",
        IntKind::ULongLong => "ull",
        _ => "",
    };
    if kind.rank() < IntKind::Int.rank() {
        return (UNARY, format!("({}){value}", kind.c_name()));
    }
    if kind.is_signed() && value == kind.least() {
        // C has no negative literals, and this one's magnitude does not fit.
        return (ADDITIVE, format!("-{}{suffix} - 1", value.unsigned_abs() - 1));
    }
    (if value < 0 { UNARY } else { POSTFIX }, format!("{value}{suffix}"))
}
