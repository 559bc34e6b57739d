//! Predicates as C that never goes wrong: typed expressions → the text of functions for the probes.
//!
//! The text is made from pct's own expressions, not from what the user wrote: builtin types only, every offset from
//! pct's layout, every load through a function that says whether the memory can be read. It means what
//! `logic::translate` makes of a predicate: signed overflow wraps, what C does not define otherwise makes the predicate
//! false, and the operands of `&&`, `||` and `?:` are evaluated only if C does so. Each subexpression is stored in a
//! variable of its own; where something is not defined, the function returns.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::cfg::Cfg;
use crate::config::Arithmetic;
use crate::program::{
    Base, BinaryOp, Expr, ExprKind, FloatKind, IntKind, Place, Projection, Property, Record, Role, Stride, Type,
    UnaryOp, VarId, size_of,
};

/// What cannot be evaluated in a probe, in words.
pub(super) type Refused = String;

/// The variables that a predicate needs the address of from the probe, in the order of the arguments.
pub(super) type Arguments = BTreeMap<VarId, usize>;

/// Writes the body of one predicate: it returns 0 or 1, or one of the codes of the runtime.
pub(super) struct Evaluation<'a> {
    cfg: &'a Cfg,
    arithmetic: Arithmetic,
    /// The variables that the probe passes; the others are in the table of globals.
    arguments: &'a Arguments,
    text: String,
    next: usize,
    /// The variable that becomes 0 when something overflows.
    fits: Option<String>,
}

/// The body of the function for a predicate.
pub(super) fn predicate(
    cfg: &Cfg,
    arithmetic: Arithmetic,
    arguments: &Arguments,
    expr: &Expr,
) -> Result<String, Refused> {
    let mut evaluation = Evaluation { cfg, arithmetic, arguments, text: String::new(), next: 0, fits: None };
    let value = evaluation.condition(expr)?;
    let _ = writeln!(evaluation.text, "  return {value};");
    Ok(evaluation.text)
}

/// The variables of an expression that only the function itself can name.
pub(super) fn named_variables(cfg: &Cfg, expr: &Expr) -> Vec<VarId> {
    let mut found = Vec::new();
    expr.for_each_variable(&mut |variable| {
        let role = cfg.variables[variable.index()].role;
        if matches!(role, Role::Local | Role::Parameter | Role::Global) && !found.contains(&variable) {
            found.push(variable);
        }
    });
    found
}

impl Evaluation<'_> {
    fn records(&self) -> &[Record] {
        &self.cfg.records
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.text, "  {line}");
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("t{}", self.next)
    }

    /// A new variable with this value.
    fn store(&mut self, ty: &str, value: std::fmt::Arguments<'_>) -> String {
        let name = self.fresh();
        let _ = writeln!(self.text, "  {ty} {name} = {value};");
        name
    }

    fn int_type(&self, kind: IntKind) -> &'static str {
        match (self.arithmetic, kind) {
            (_, IntKind::Bool) => "_Bool",
            (Arithmetic::Ideal, _) => "__int128",
            (Arithmetic::Machine, kind) => kind.c_name(),
        }
    }

    fn scalar_type(&self, ty: &Type) -> Result<&'static str, Refused> {
        match ty.plain() {
            Type::Int(kind) => Ok(self.int_type(*kind)),
            Type::Float(kind) => Ok(kind.c_name()),
            Type::Pointer(_) => Ok("char *"),
            other => Err(format!("a value of type {}", other.display(self.records()))),
        }
    }

    /// The size of the innermost elements of a type, as addresses count them.
    fn unit(&self, ty: &Type) -> u64 {
        size_of(self.records(), ty.innermost()).map_or(1, |(size, _)| size.max(1))
    }

    fn condition(&mut self, expr: &Expr) -> Result<String, Refused> {
        match &expr.kind {
            ExprKind::Compare(op, a, b) => {
                let (x, y) = (self.value(a)?, self.value(b)?);
                let is_order = !matches!(op, crate::program::CompareOp::Equal | crate::program::CompareOp::NotEqual);
                if a.ty.pointee().is_some() && is_order {
                    self.line(format_args!("if (!__pct_same_object({x}, {y})) return PCT_UNDEFINED;"));
                }
                let op = match op {
                    crate::program::CompareOp::Equal => "==",
                    crate::program::CompareOp::NotEqual => "!=",
                    crate::program::CompareOp::Less => "<",
                    crate::program::CompareOp::LessEqual => "<=",
                    crate::program::CompareOp::Greater => ">",
                    crate::program::CompareOp::GreaterEqual => ">=",
                };
                Ok(self.store("int", format_args!("{x} {op} {y}")))
            }
            ExprKind::Not(inner) => {
                let inner = self.condition(inner)?;
                Ok(self.store("int", format_args!("!{inner}")))
            }
            ExprKind::Holds(property, operands) => self.property(*property, operands),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let is_and = matches!(expr.kind, ExprKind::And(..));
                let first = self.condition(a)?;
                let result = self.store("int", format_args!("{first}"));
                let not = if is_and { "" } else { "!" };
                self.line(format_args!("if ({not}{first}) {{"));
                let second = self.condition(b)?;
                self.line(format_args!("{result} = {second}; }}"));
                Ok(result)
            }
            _ => {
                let value = self.value(expr)?;
                Ok(self.store("int", format_args!("{value} != 0")))
            }
        }
    }

    fn property(&mut self, property: Property, operands: &[Expr]) -> Result<String, Refused> {
        match (property, operands) {
            (Property::Fits, [operand]) => {
                let fits = self.store("int", format_args!("1"));
                let outer = self.fits.replace(fits.clone());
                self.value(operand)?;
                self.fits = outer;
                Ok(fits)
            }
            (Property::SameObject, [a, b]) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                Ok(self.store("int", format_args!("__pct_same_object({a}, {b})")))
            }
            (Property::Inside, [pointer]) => {
                let size = pointer.ty.pointee().map_or(1, |target| self.unit(target));
                let pointer = self.value(pointer)?;
                let inside = self.store("int", format_args!("__pct_inside({pointer}, {size})"));
                self.line(format_args!("if ({inside} == PCT_UNKNOWN) return PCT_UNKNOWN;"));
                Ok(inside)
            }
            _ => Err("an unknown property".to_string()),
        }
    }

    /// The name of a variable that holds the value.
    fn value(&mut self, expr: &Expr) -> Result<String, Refused> {
        let ty = self.scalar_type(&expr.ty)?;
        match &expr.kind {
            ExprKind::Constant(value) => Ok(match expr.ty.int_kind() {
                Some(kind) => self.store(ty, format_args!("({ty}){}", constant(*value, kind))),
                None => self.store(ty, format_args!("(char *){}ul", *value as u64)),
            }),
            ExprKind::Float(bits) => {
                let value = self.store("double", format_args!("__pct_double({bits}ul)"));
                Ok(self.store(ty, format_args!("({ty}){value}")))
            }
            ExprKind::Load(place) => self.load(place),
            ExprKind::Address(place) => {
                let (address, bits) = self.address(place)?;
                if bits.is_some() {
                    return Err("the address of a bit-field".to_string());
                }
                Ok(address)
            }
            ExprKind::Function(id) => Ok(self.store("char *", format_args!("(char *)__pct_functions[{}]", id.0))),
            ExprKind::Cast(inner) => self.cast(inner, expr),
            ExprKind::Unary(op, inner) => {
                let value = self.value(inner)?;
                match (op, expr.ty.int_kind()) {
                    (UnaryOp::Negate, Some(kind)) => {
                        let zero = self.store(ty, format_args!("0"));
                        Ok(self.wrapping("-", "sub", kind, &zero, &value))
                    }
                    (UnaryOp::Negate, None) => Ok(self.store(ty, format_args!("-{value}"))),
                    (UnaryOp::Complement, _) => Ok(self.store(ty, format_args!("~{value}"))),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.value(a)?, self.value(b)?);
                match (expr.ty.int_kind(), b.ty.int_kind()) {
                    (Some(kind), Some(right)) => Ok(self.binary(*op, kind, right, &x, &y)),
                    _ => {
                        let op = match op {
                            BinaryOp::Add => "+",
                            BinaryOp::Subtract => "-",
                            BinaryOp::Multiply => "*",
                            BinaryOp::Divide => "/",
                            _ => return Err("an operation that floating-point numbers do not have".to_string()),
                        };
                        Ok(self.store(ty, format_args!("{x} {op} {y}")))
                    }
                }
            }
            ExprKind::Move(pointer, count, stride) => {
                let unit = pointer.ty.pointee().map_or(1, |target| self.unit(target));
                let pointer = self.value(pointer)?;
                let bytes = self.steps(count, stride, unit)?;
                Ok(self.store("char *", format_args!("{}", moved(&pointer, &bytes))))
            }
            ExprKind::Distance(a, b, stride) => {
                let unit = a.ty.pointee().map_or(1, |target| self.unit(target));
                let (x, y) = (self.value(a)?, self.value(b)?);
                self.line(format_args!("if (!__pct_same_object({x}, {y})) return PCT_UNDEFINED;"));
                let stride = self.stride(stride, unit)?;
                self.line(format_args!("if (!{stride}) return PCT_UNDEFINED;"));
                Ok(self.store(ty, format_args!("(long)((unsigned long){x} - (unsigned long){y}) / {stride}")))
            }
            ExprKind::Conditional(c, a, b) => {
                let c = self.condition(c)?;
                let result = self.fresh();
                self.line(format_args!("{ty} {result};"));
                self.line(format_args!("if ({c}) {{"));
                let a = self.value(a)?;
                self.line(format_args!("{result} = {a}; }} else {{"));
                let b = self.value(b)?;
                self.line(format_args!("{result} = {b}; }}"));
                Ok(result)
            }
            ExprKind::Compare(..) | ExprKind::Holds(..) | ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => {
                let holds = self.condition(expr)?;
                Ok(self.store(ty, format_args!("{holds}")))
            }
        }
    }

    fn cast(&mut self, inner: &Expr, expr: &Expr) -> Result<String, Refused> {
        let value = self.value(inner)?;
        let ty = self.scalar_type(&expr.ty)?;
        match (inner.ty.plain(), expr.ty.plain()) {
            (_, Type::Int(IntKind::Bool)) => Ok(self.store(ty, format_args!("{value} != 0"))),
            (Type::Float(_), Type::Int(kind)) => {
                // The nearest powers of two are exact in both floating-point types.
                let above = kind.greatest() + 1;
                let low = if kind.is_signed() { format!("-{above}.0 - 1") } else { "-1.0".to_string() };
                let wide = matches!(kind.width(), 64) || inner.ty.float_kind() == Some(FloatKind::Float);
                let test = if wide && kind.is_signed() && kind.width() >= 32 {
                    format!("{value} >= -{above}.0 && {value} < {above}.0")
                } else {
                    format!("{value} > {low} && {value} < {above}.0")
                };
                self.line(format_args!("if (!({test})) return PCT_UNDEFINED;"));
                Ok(self.store(ty, format_args!("({ty}){value}")))
            }
            (Type::Pointer(_), Type::Int(_)) => Ok(self.store(ty, format_args!("({ty})(unsigned long){value}"))),
            (Type::Int(_), Type::Pointer(_)) => Ok(self.store(ty, format_args!("(char *)(unsigned long){value}"))),
            _ => Ok(self.store(ty, format_args!("({ty}){value}"))),
        }
    }

    /// An operation that wraps.
    fn wrapping(&mut self, op: &str, name: &str, kind: IntKind, a: &str, b: &str) -> String {
        let ty = self.int_type(kind);
        if self.arithmetic == Arithmetic::Ideal {
            return self.store(ty, format_args!("{a} {op} {b}"));
        }
        if let Some(fits) = self.fits.clone()
            && kind.is_signed()
        {
            let result = self.fresh();
            self.line(format_args!("{ty} {result};"));
            self.line(format_args!("if (__builtin_{name}_overflow({a}, {b}, &{result})) {fits} = 0;"));
            return result;
        }
        self.store(ty, format_args!("({ty})((unsigned long){a} {op} (unsigned long){b})"))
    }

    fn binary(&mut self, op: BinaryOp, kind: IntKind, right: IntKind, a: &str, b: &str) -> String {
        let ty = self.int_type(kind);
        match op {
            BinaryOp::Add => self.wrapping("+", "add", kind, a, b),
            BinaryOp::Subtract => self.wrapping("-", "sub", kind, a, b),
            BinaryOp::Multiply => self.wrapping("*", "mul", kind, a, b),
            BinaryOp::Divide | BinaryOp::Remainder => {
                self.line(format_args!("if ({b} == 0) return PCT_UNDEFINED;"));
                let op = if op == BinaryOp::Divide { "/" } else { "%" };
                if kind.is_signed() && self.arithmetic == Arithmetic::Machine {
                    let least = constant(kind.least(), kind);
                    let extreme = format!("{a} == ({ty}){least} && {b} == -1");
                    match self.fits.clone() {
                        Some(fits) => {
                            let result = self.store(ty, format_args!("0"));
                            self.line(format_args!("if ({extreme}) {fits} = 0; else {result} = {a} {op} {b};"));
                            return result;
                        }
                        None => self.line(format_args!("if ({extreme}) return PCT_UNDEFINED;")),
                    }
                }
                self.store(ty, format_args!("{a} {op} {b}"))
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let count = match self.arithmetic {
                    Arithmetic::Machine => right.to_unsigned().c_name(),
                    Arithmetic::Ideal => "unsigned long",
                };
                let width = if self.arithmetic == Arithmetic::Ideal { 64 } else { kind.width() };
                self.line(format_args!("if (({count}){b} >= {width}) return PCT_UNDEFINED;"));
                match (op, self.arithmetic) {
                    (BinaryOp::ShiftLeft, Arithmetic::Machine) => {
                        self.store(ty, format_args!("({ty})((unsigned long){a} << {b})"))
                    }
                    (BinaryOp::ShiftLeft, Arithmetic::Ideal) => {
                        self.store(ty, format_args!("{a} * ((__int128)1 << {b})"))
                    }
                    _ => self.store(ty, format_args!("{a} >> {b}")),
                }
            }
            BinaryOp::And => self.store(ty, format_args!("{a} & {b}")),
            BinaryOp::Or => self.store(ty, format_args!("{a} | {b}")),
            BinaryOp::Xor => self.store(ty, format_args!("{a} ^ {b}")),
        }
    }

    /// How many bytes a stride is.
    fn stride(&mut self, stride: &Stride, unit: u64) -> Result<String, Refused> {
        let mut bytes = self.store("long", format_args!("{}l", stride.factor.wrapping_mul(unit as i64)));
        for length in &stride.lengths {
            let place = Place::variable(*length, Type::LONG);
            let length = self.load(&place)?;
            bytes = self.store("long", format_args!("(long)((unsigned long){bytes} * (unsigned long){length})"));
        }
        Ok(bytes)
    }

    /// How many bytes `count` steps are.
    fn steps(&mut self, count: &Expr, stride: &Stride, unit: u64) -> Result<String, Refused> {
        let count = self.value(count)?;
        let bytes = self.stride(stride, unit)?;
        Ok(self.store("long", format_args!("(long)((unsigned long)(long){count} * (unsigned long){bytes})")))
    }

    /// The address of a place; for a bit-field also its bits.
    fn address(&mut self, place: &Place) -> Result<(String, Option<(u32, u32)>), Refused> {
        let (mut at, mut ty) = match &place.base {
            Base::Variable(variable) => {
                let info = &self.cfg.variables[variable.index()];
                let address = match (self.arguments.get(variable), info.role) {
                    (Some(position), _) => format!("(char *)v{position}"),
                    (None, Role::Global) => format!("(char *)__pct_globals[{}]", variable.0),
                    _ => return Err(format!("`{}`, which C cannot name", info.name)),
                };
                let ty = info.ty.clone();
                let at = self.store("char *", format_args!("{address}"));
                self.line(format_args!("if (!{at}) return PCT_UNKNOWN;"));
                (at, ty)
            }
            Base::Pointee(pointer) => {
                let ty = pointer.ty.pointee().cloned().unwrap_or(Type::Void);
                (self.value(pointer)?, ty)
            }
        };
        let mut bits = None;
        for projection in &place.path {
            match projection {
                Projection::Field(number) => {
                    let Type::Record(id) = ty.plain() else { return Err("a member of what has none".to_string()) };
                    let record = &self.cfg.records[id.index()];
                    let field = record.fields.as_ref().and_then(|fields| fields.get(*number as usize));
                    let Some(field) = field.cloned() else { return Err("a member that is not known".to_string()) };
                    at = self.store("char *", format_args!("{}", moved(&at, &format!("{}l", field.offset))));
                    bits = field.bits;
                    ty = field.ty;
                }
                Projection::Index(index, stride) => {
                    let bytes = self.steps(index, stride, self.unit(&ty))?;
                    at = self.store("char *", format_args!("{}", moved(&at, &bytes)));
                    if let Type::Array(element, _) = ty.plain() {
                        ty = (**element).clone();
                    }
                }
            }
        }
        Ok((at, bits))
    }

    fn load(&mut self, place: &Place) -> Result<String, Refused> {
        let ty = self.scalar_type(&place.ty)?;
        if place.ty.qualifiers().is_volatile {
            return Err("what is volatile".to_string());
        }
        let (address, bits) = self.address(place)?;
        if let Some((first, width)) = bits {
            let size = (first + width).div_ceil(8);
            let raw = self.read("unsigned __int128", "0", &address, size);
            let signed = place.ty.int_kind().is_some_and(IntKind::is_signed);
            let kind = if signed { "__int128" } else { "unsigned __int128" };
            let (up, down) = (128 - first - width, 128 - width);
            return Ok(self.store(ty, format_args!("({ty})(({kind})({raw} << {up}) >> {down})")));
        }
        match place.ty.plain() {
            Type::Int(IntKind::Bool) => {
                let byte = self.read("unsigned char", "0", &address, 1);
                Ok(self.store("_Bool", format_args!("{byte} & 1")))
            }
            Type::Int(kind) => {
                let value = self.read(kind.c_name(), "0", &address, kind.size() as u32);
                Ok(self.store(ty, format_args!("{value}")))
            }
            Type::Float(kind) => Ok(self.read(kind.c_name(), "0", &address, kind.width() / 8)),
            _ => Ok(self.read("char *", "0", &address, 8)),
        }
    }

    fn read(&mut self, ty: &str, zero: &str, address: &str, size: u32) -> String {
        let value = self.store(ty, format_args!("{zero}"));
        let code = self.store("int", format_args!("__pct_load({address}, &{value}, {size})"));
        self.line(format_args!("if ({code}) return {code};"));
        value
    }
}

fn moved(pointer: &str, bytes: &str) -> String {
    format!("(char *)((unsigned long){pointer} + (unsigned long){bytes})")
}

/// A number as C; the least ones cannot be written down directly.
fn constant(value: i128, kind: IntKind) -> String {
    if kind.is_signed() { format!("(long){}ul", value as i64 as u64) } else { format!("{}ul", value as u64) }
}
