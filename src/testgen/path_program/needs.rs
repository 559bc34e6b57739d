//! What must hold for an evaluation to be defined, and to stay inside the room of the objects.
//!
//! What C leaves undefined does not happen in a run that counts: each operation that could be undefined gets an
//! assumption, unless ranges show that it is not, or the same assumption was made before and nothing has changed since.

use super::text::{Text, as_variable};
use super::{BEFORE, BEHIND};
use crate::config::Overflow;
use crate::memory::NodeId;
use crate::program::{
    Base, BinaryOp, CompareOp, Expr, ExprKind, FloatKind, IntKind, Length, Place, Projection, Property, Role, Type,
    UnaryOp, Use,
};
use crate::testgen::c_text::{Unwritable, Written};

/// What must hold for an evaluation.
#[derive(Clone, Debug)]
pub(super) struct Need {
    pub(super) text: String,
    pub(super) kind: NeedKind,
    /// What it speaks of, if that is less than the whole evaluation.
    pub(super) about: Option<Expr>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NeedKind {
    Overflow,
    Defined,
    Room,
}

impl Need {
    pub(super) fn new(kind: NeedKind, text: String) -> Need {
        Need { text, kind, about: None }
    }
}

impl NeedKind {
    fn comment(self) -> &'static str {
        match self {
            NeedKind::Overflow => "no overflow",
            NeedKind::Defined => "defined",
            NeedKind::Room => "room",
        }
    }
}

impl Text<'_, '_> {
    /// Writes down what the evaluation of an expression of the program needs.
    pub(super) fn needs_of(&mut self, expr: &Expr, depth: usize) -> Written<()> {
        self.check_pointers(expr)?;
        let mut needs = Vec::new();
        self.needs(expr, self.writer.config.followed_overflow(), &mut needs)?;
        self.assume_needs(needs, expr, depth)
    }

    pub(super) fn needs_of_place(&mut self, place: &Place, depth: usize) -> Written<()> {
        let mut result = Ok(());
        place.for_each_expr(&mut |expr| {
            if result.is_ok() && matches!(expr.kind, ExprKind::Load(_)) {
                result = self.check_pointers(expr);
            }
        });
        result?;
        let mut needs = Vec::new();
        self.place_needs(place, self.writer.config.followed_overflow(), &mut needs)?;
        let expr = Expr { kind: ExprKind::Address(place.clone()), ty: Type::Void.pointer() };
        self.assume_needs(needs, &expr, depth)
    }

    pub(super) fn assume_needs(&mut self, needs: Vec<Need>, expr: &Expr, depth: usize) -> Written<()> {
        for need in needs {
            if self.known.needs.iter().any(|(known, _)| *known == need.text) {
                continue;
            }
            self.has_bounds |= need.kind == NeedKind::Room;
            self.line(depth, format!("assume({});", need.text), need.kind.comment())?;
            self.known.needs.push((need.text, need.about.unwrap_or_else(|| expr.clone())));
        }
        Ok(())
    }

    /// What an evaluation needs, in the order of the evaluation.
    pub(super) fn needs(&self, expr: &Expr, overflow: Overflow, needs: &mut Vec<Need>) -> Written<()> {
        let mut add = |kind: NeedKind, text: String| needs.push(Need::new(kind, text));
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Float(_) | ExprKind::Function(_) => {}
            ExprKind::Load(place) => self.place_needs(place, overflow, needs)?,
            ExprKind::Address(place) => {
                if let Base::Pointee(pointer) = &place.base {
                    self.needs(pointer, overflow, needs)?;
                }
                for projection in &place.path {
                    if let Projection::Index(index, _) = projection {
                        self.needs(index, overflow, needs)?;
                    }
                }
            }
            ExprKind::Cast(inner) => {
                self.needs(inner, overflow, needs)?;
                if let (Some(from), Some(to)) = (inner.ty.float_kind(), expr.ty.int_kind())
                    && to != IntKind::Bool
                {
                    let (low, high) = float_range(to, from);
                    let value = self.printer.typed(inner)?;
                    let text = format!("{value} {low} && {value} < {high}");
                    needs.push(Need::new(NeedKind::Defined, text));
                }
            }
            ExprKind::Unary(op, inner) => {
                self.needs(inner, overflow, needs)?;
                if let (UnaryOp::Negate, Some(kind)) = (op, expr.ty.int_kind())
                    && overflow != Overflow::Wrap
                    && kind.is_signed()
                    && self.range(inner).0 == kind.least()
                {
                    let text = format!("fits_neg({})", self.printer.typed(inner)?);
                    needs.push(Need::new(NeedKind::Overflow, text));
                }
            }
            ExprKind::Binary(op, a, b) => {
                self.needs(a, overflow, needs)?;
                self.needs(b, overflow, needs)?;
                self.operation_needs(*op, expr, (a, b), overflow, needs)?;
            }
            ExprKind::Move(a, b, stride) => {
                if !stride.lengths.is_empty() {
                    return Err(Unwritable("an array of variable length".to_string()));
                }
                self.needs(a, overflow, needs)?;
                self.needs(b, overflow, needs)?;
            }
            ExprKind::Distance(a, b, _) => {
                self.needs(a, overflow, needs)?;
                self.needs(b, overflow, needs)?;
                let text = format!("same_object({}, {})", self.printer.expr(a)?, self.printer.expr(b)?);
                needs.push(Need::new(NeedKind::Defined, text));
            }
            ExprKind::Compare(op, a, b) => {
                let is_ordered = a.ty.pointee().is_some() && !matches!(op, CompareOp::Equal | CompareOp::NotEqual);
                if is_ordered {
                    add(
                        NeedKind::Defined,
                        format!("same_object({}, {})", self.printer.expr(a)?, self.printer.expr(b)?),
                    );
                }
                self.needs(a, overflow, needs)?;
                self.needs(b, overflow, needs)?;
            }
            ExprKind::Holds(property, operands) => match property {
                Property::Fits => {
                    for operand in operands {
                        let mut inner = Vec::new();
                        self.needs(operand, Overflow::Wrap, &mut inner)?;
                        needs.extend(inner);
                    }
                }
                other => return Err(Unwritable(format!("C has no words for `{}`", other.name()))),
            },
            ExprKind::Not(inner) => self.needs(inner, overflow, needs)?,
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.needs(a, overflow, needs)?;
                let decided = match expr.kind {
                    ExprKind::And(..) => format!("!({})", self.printer.expr(a)?),
                    _ => format!("({})", self.printer.expr(a)?),
                };
                self.needs_unless(&decided, b, overflow, needs)?;
            }
            ExprKind::Conditional(c, a, b) => {
                self.needs(c, overflow, needs)?;
                let text = self.printer.expr(c)?;
                self.needs_unless(&format!("!({text})"), a, overflow, needs)?;
                self.needs_unless(&format!("({text})"), b, overflow, needs)?;
            }
        }
        Ok(())
    }

    /// What an operand needs that is not evaluated if `decided` holds.
    fn needs_unless(&self, decided: &str, expr: &Expr, overflow: Overflow, needs: &mut Vec<Need>) -> Written<()> {
        let mut inner = Vec::new();
        self.needs(expr, overflow, &mut inner)?;
        needs.extend(inner.into_iter().map(|need| Need::new(need.kind, format!("{decided} || ({})", need.text))));
        Ok(())
    }

    fn operation_needs(
        &self,
        op: BinaryOp,
        expr: &Expr,
        (a, b): (&Expr, &Expr),
        overflow: Overflow,
        needs: &mut Vec<Need>,
    ) -> Written<()> {
        let (Some(kind), Some(right_kind)) = (expr.ty.int_kind(), b.ty.int_kind()) else {
            return Ok(());
        };
        let counts = overflow != Overflow::Wrap && kind.is_signed();
        let ((a_least, a_most), (b_least, b_most)) = (self.range(a), self.range(b));
        let fits = |least: Option<i128>, most: Option<i128>| {
            least.is_some_and(|least| least >= kind.least()) && most.is_some_and(|most| most <= kind.greatest())
        };
        let call = |name: &str| Ok(format!("{name}({}, {})", self.printer.typed(a)?, self.printer.typed(b)?));
        match op {
            BinaryOp::Add if counts && !fits(a_least.checked_add(b_least), a_most.checked_add(b_most)) => {
                needs.push(Need::new(NeedKind::Overflow, call("fits_add")?));
            }
            BinaryOp::Subtract if counts && !fits(a_least.checked_sub(b_most), a_most.checked_sub(b_least)) => {
                needs.push(Need::new(NeedKind::Overflow, call("fits_sub")?));
            }
            BinaryOp::Multiply if counts => {
                let products = [(a_least, b_least), (a_least, b_most), (a_most, b_least), (a_most, b_most)];
                let safe = products.iter().all(|(x, y)| fits(x.checked_mul(*y), x.checked_mul(*y)));
                if !safe {
                    needs.push(Need::new(NeedKind::Overflow, call("fits_mul")?));
                }
            }
            BinaryOp::Divide | BinaryOp::Remainder => {
                if b_least <= 0 && b_most >= 0 {
                    let text = format!("{} != 0", self.printer.typed(b)?);
                    needs.push(Need::new(NeedKind::Defined, text));
                }
                if kind.is_signed() && a_least == kind.least() && b_least <= -1 && b_most >= -1 {
                    let least = Expr::constant(kind.least(), kind);
                    let (x, y) = (self.printer.typed(a)?, self.printer.typed(b)?);
                    let text = format!("!({x} == {} && {y} == -1)", self.printer.typed(&least)?);
                    let kind = if counts { NeedKind::Overflow } else { NeedKind::Defined };
                    needs.push(Need::new(kind, text));
                }
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let width = i128::from(kind.width());
                let count = self.printer.typed(b)?;
                let low = (right_kind.is_signed() && b_least < 0).then(|| format!("{count} >= 0"));
                let high = (b_most >= width).then(|| format!("{count} < {width}"));
                let parts: Vec<String> = low.into_iter().chain(high).collect();
                if !parts.is_empty() {
                    needs.push(Need::new(NeedKind::Defined, parts.join(" && ")));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn place_needs(&self, place: &Place, overflow: Overflow, needs: &mut Vec<Need>) -> Written<()> {
        let mut is_inside = true;
        let mut wide = Vec::new();
        if let Base::Pointee(pointer) = &place.base {
            self.needs(pointer, overflow, needs)?;
            let start = start_of(pointer);
            if self.writer.memory.targets(pointer).contains(&NodeId::NULL)
                && !matches!(start.kind, ExprKind::Address(_))
            {
                let text = format!("{} != 0", self.printer.typed(start)?);
                needs.push(Need::new(NeedKind::Defined, text));
            }
            is_inside = self.is_in_room(pointer);
            collect_wide(pointer, &mut wide);
        }
        let mut ty = match &place.base {
            Base::Variable(variable) => self.printer.types[variable.index()].clone(),
            Base::Pointee(pointer) => pointer.ty.pointee().cloned().unwrap_or(Type::Void),
        };
        let mut path = Vec::new();
        for projection in &place.path {
            if let Projection::Index(index, stride) = projection {
                if !stride.lengths.is_empty() {
                    return Err(Unwritable("an array of variable length".to_string()));
                }
                self.needs(index, overflow, needs)?;
                let (least, most) = self.range(index);
                is_inside &= match ty.plain() {
                    Type::Array(_, Length::Fixed(length)) => least >= 0 && most < i128::from(*length),
                    _ => false,
                };
                if index.int_kind().width() == 64 {
                    wide.push(index);
                }
            }
            path.push(projection.clone());
            ty = self.printer.type_of(&Place { base: place.base.clone(), path: path.clone(), ty: Type::Void });
        }
        if is_inside {
            return Ok(());
        }
        let shown = if self.printer.is_bit_field(place) {
            path.pop();
            let whole = Place { base: place.base.clone(), path, ty: Type::Void };
            Place { ty: self.printer.type_of(&whole), ..whole }
        } else {
            place.clone()
        };
        let mut parts = Vec::new();
        for index in wide {
            let (least, most) = self.range(index);
            if least < i128::from(i32::MIN) || most > i128::from(i32::MAX) {
                // Addresses in CBMC have fewer bits than this index.
                let index = self.printer.typed(index)?;
                parts.push(format!("near({index})"));
            }
        }
        parts.push(format!("inside({})", self.printer.place(&shown)?));
        let about = Some(Expr { kind: ExprKind::Address(place.clone()), ty: Type::Void.pointer() });
        needs.push(Need { text: parts.join(" && "), kind: NeedKind::Room, about });
        Ok(())
    }

    /// Whether a pointer surely points into the room of a parameter.
    fn is_in_room(&self, pointer: &Expr) -> bool {
        let (start, (least, most)) = match &pointer.kind {
            ExprKind::Move(start, index, stride) if stride.factor == 1 => (&**start, self.range(index)),
            _ => (pointer, (0, 0)),
        };
        let Some(variable) = as_variable(start).filter(|variable| self.fixed.contains(variable)) else {
            return false;
        };
        let is_given = self.writer.memory.given.contains_key(&variable);
        is_given && least >= i128::from(-BEFORE) && most < i128::from(BEHIND)
    }

    /// Pointers that lie in memory at the start have no text: where they point to would be a guess.
    pub(super) fn check_pointers(&self, expr: &Expr) -> Written<()> {
        let mut found = Ok(());
        expr.for_each_place(&mut |place, usage| {
            if usage == Use::Read && found.is_ok() && place.ty.pointee().is_some() {
                found = self.check_copied(place);
            }
        });
        found
    }

    /// Whether what is read at a place can be written down, although it may have pointers in it.
    pub(super) fn check_copied(&self, place: &Place) -> Written<()> {
        if !has_pointer(self.printer.records(), &place.ty) {
            return Ok(());
        }
        let memory = &self.writer.memory;
        let refused = |name: &str| Err(Unwritable(format!("where `{name}` points to at the start is not known")));
        for node in memory.places(place) {
            let root = memory.root_of(node);
            let Some(variable) = self.writer.variable_of.get(&root) else {
                return refused(&memory.node(node).name);
            };
            let declared = &self.writer.cfg.variables[variable.index()];
            let is_given = match declared.role {
                Role::Global => !self.initialized.contains(variable),
                Role::Parameter => {
                    self.writer.cfg.parameters.contains(variable) && !memory.given.contains_key(variable)
                }
                Role::Heap { .. } => return Err(Unwritable("memory that is allocated on the way".to_string())),
                Role::Local | Role::Temporary | Role::Literal => false,
            };
            if is_given {
                return refused(&memory.node(node).name);
            }
        }
        Ok(())
    }
}

/// The pointer that a moved pointer started from.
fn start_of(pointer: &Expr) -> &Expr {
    match &pointer.kind {
        ExprKind::Move(start, ..) => start_of(start),
        ExprKind::Cast(inner) if inner.ty.pointee().is_some() => start_of(inner),
        _ => pointer,
    }
}

/// The 64-bit indices that a pointer is moved by.
fn collect_wide<'e>(pointer: &'e Expr, wide: &mut Vec<&'e Expr>) {
    match &pointer.kind {
        ExprKind::Move(start, index, _) => {
            if index.int_kind().width() == 64 {
                wide.push(index);
            }
            collect_wide(start, wide);
        }
        ExprKind::Cast(inner) if inner.ty.pointee().is_some() => collect_wide(inner, wide),
        _ => {}
    }
}

pub(super) fn has_pointer(records: &[crate::program::Record], ty: &Type) -> bool {
    match ty.innermost().plain() {
        Type::Pointer(_) => true,
        Type::Record(id) => records[id.index()].fields.iter().flatten().any(|field| has_pointer(records, &field.ty)),
        _ => false,
    }
}

/// The bounds between which conversion to an integer type is defined, as C: an operator with the lower one, the upper one.
fn float_range(to: IntKind, from: FloatKind) -> (String, String) {
    let suffix = if from == FloatKind::Float { "f" } else { "" };
    let below = to.least() - 1;
    let is_exact = match from {
        FloatKind::Float => (below as f32) as i128 == below,
        FloatKind::Double | FloatKind::LongDouble => (below as f64) as i128 == below,
    };
    let low = match is_exact {
        true => format!("> {below}.0{suffix}"),
        false => format!(">= {}.0{suffix}", to.least()),
    };
    (low, format!("{}.0{suffix}", to.greatest() + 1))
}
