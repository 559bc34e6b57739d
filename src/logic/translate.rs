//! C expressions as terms, with the conditions under which C defines their value.
//!
//! Machine arithmetic: bit vectors of C's widths; conversions as gcc and clang define them (two's complement,
//! arithmetic right shift, left shift of negative values as multiplication). Ideal arithmetic: mathematical integers,
//! conversions keep the value. A pointer is two terms, a node of the [`Memory`] and an offset.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::floats::{FloatOp, FloatTest};
use super::term::{BitsOp, Sort, Symbol, Term, Terms};
use crate::config::{Arithmetic, Overflow};
use crate::memory::{CellId, Content, Memory, NodeId, NodeKind};
use crate::program::{BinaryOp, CompareOp, Expr, ExprKind, FloatKind, IntKind, Property, Stride, Type, UnaryOp, VarId};

/// So much floating-point arithmetic is done exactly: one division of doubles, or two products.
const MOST_FLOAT_EFFORT: u32 = 8;

/// The values of the cells at some moment; a cell that is not listed has its symbol as value.
pub type Values = BTreeMap<CellId, Term>;

/// The conditions under which an evaluation is defined.
#[derive(Clone, Debug, Default)]
pub struct Defined {
    /// No signed overflow.
    pub no_overflow: Vec<Term>,
    /// No division by zero, no shift by too much, no null pointer that is followed.
    pub otherwise: Vec<Term>,
}

/// What cannot be expressed, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inexpressible(pub &'static str);

/// A pointer value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// The node, as a number.
    pub object: Term,
    /// The position in it, in values of the type that is pointed to.
    pub offset: Term,
}

/// Translates expressions over the variables of one graph.
#[derive(Clone, Debug)]
pub struct Translator {
    /// The table of terms.
    pub terms: Terms,
    /// The layout of the state.
    pub memory: Arc<Memory>,
    pub(super) arithmetic: Arithmetic,
    overflow: Overflow,
    /// The symbol of each cell.
    symbols: Vec<Symbol>,
    /// Symbols for values that are not known: they are neither part of the state nor inputs.
    approximate: BTreeSet<Symbol>,
    /// Whether floating-point arithmetic is exact however much of it there is: in predicates.
    exact_floats: bool,
}

impl Translator {
    /// A translator with one symbol for each cell.
    pub fn new(memory: Arc<Memory>, arithmetic: Arithmetic, overflow: Overflow) -> Translator {
        let mut terms = Terms::new();
        let symbols = memory.cells.iter().map(|cell| terms.symbol(&cell.name, cell_sort(cell, arithmetic))).collect();
        Translator { terms, memory, arithmetic, overflow, symbols, approximate: BTreeSet::new(), exact_floats: false }
    }

    /// The symbol of a cell.
    pub fn symbol(&self, cell: CellId) -> Symbol {
        self.symbols[cell.index()]
    }

    /// The cell of a symbol; `None` for inputs and the like.
    pub fn cell(&self, symbol: Symbol) -> Option<CellId> {
        // The symbols of the cells come first, in their order.
        ((symbol.0 as usize) < self.symbols.len()).then_some(CellId(symbol.0))
    }

    /// What signed overflow means.
    pub fn overflow(&self) -> Overflow {
        self.overflow
    }

    /// A fresh symbol with the sort of a cell.
    pub fn fresh(&mut self, cell: CellId, prefix: &str) -> Symbol {
        let (name, sort) = self.terms.symbol_info(self.symbols[cell.index()]);
        let name = format!("{prefix}{name}");
        self.terms.symbol(&name, sort)
    }

    /// A fresh symbol that stands for a value of the same kind as another one.
    pub fn renewed(&mut self, symbol: Symbol) -> Symbol {
        let (name, sort) = self.terms.symbol_info(symbol);
        let name = name.to_string();
        let renewed = self.terms.symbol(&name, sort);
        if self.approximate.contains(&symbol) {
            self.approximate.insert(renewed);
        }
        renewed
    }

    /// A fresh symbol for a value that is not known.
    pub(super) fn unknown(&mut self, sort: Sort) -> Term {
        let symbol = self.terms.symbol("unknown", sort);
        self.approximate.insert(symbol);
        self.terms.read(symbol)
    }

    /// A fresh symbol with the sort of a cell, for a value that is not known.
    pub(super) fn fresh_unknown(&mut self, cell: CellId) -> Symbol {
        let symbol = self.fresh(cell, "unknown ");
        self.approximate.insert(symbol);
        symbol
    }

    /// Whether a term speaks of values that are not known.
    pub fn is_approximate(&self, term: Term) -> bool {
        !self.approximate.is_empty() && self.terms.symbols(term).iter().any(|symbol| self.approximate.contains(symbol))
    }

    /// What holds of the cells in every state: pointers point to what they can point to.
    pub fn domain(&mut self) -> Vec<Term> {
        let memory = Arc::clone(&self.memory);
        let mut facts = Vec::new();
        for (index, cell) in memory.cells.iter().enumerate() {
            if cell.content == Content::Object && !cell.is_map && cell.constant.is_none() {
                let value = self.terms.read(self.symbols[index]);
                facts.push(self.one_of(value, &cell.targets));
            }
        }
        facts
    }

    /// What holds of the cells when the function is entered: pointers point to what they are given.
    pub fn entry_domain(&mut self) -> Vec<Term> {
        let memory = Arc::clone(&self.memory);
        let mut facts = Vec::new();
        for (index, cell) in memory.cells.iter().enumerate() {
            let is_open = cell.content == Content::Object && !cell.is_map && cell.constant.is_none();
            if is_open && !cell.given.is_empty() {
                let value = self.terms.read(self.symbols[index]);
                facts.push(self.one_of(value, &cell.given));
            }
        }
        facts
    }

    /// Whether a term speaks of maps whose content at the start is not known exactly.
    pub fn is_unsettled(&self, term: Term) -> bool {
        let cells = self.terms.symbols(term).iter().filter_map(|symbol| self.cell(*symbol));
        cells.into_iter().any(|cell| self.memory.is_unsettled(cell))
    }

    /// The object is one of the targets. A pointer without any target is not initialised, and can be anything.
    pub fn one_of(&mut self, object: Term, targets: &BTreeSet<NodeId>) -> Term {
        let mut any = self.terms.bool(targets.is_empty());
        for target in targets {
            let number = self.object_number(*target);
            let equal = self.terms.eq(object, number);
            any = self.terms.or(any, equal);
        }
        any
    }

    /// A node as a number.
    pub(super) fn object_number(&mut self, node: NodeId) -> Term {
        let sort = self.object_sort();
        self.terms.number(sort, i128::from(node.0))
    }

    fn object_sort(&self) -> Sort {
        content_sort(Content::Object, self.arithmetic)
    }

    /// The sort of offsets and indices.
    pub(super) fn offset_sort(&self) -> Sort {
        content_sort(Content::Offset, self.arithmetic)
    }

    /// The sort of a cell's values (of its elements, if it is a map).
    pub(super) fn element_sort(&self, cell: CellId) -> Sort {
        content_sort(self.memory.cell(cell).content, self.arithmetic)
    }

    /// The value of a cell.
    pub fn read(&mut self, cell: CellId, values: &Values) -> Term {
        if let Some(value) = values.get(&cell) {
            return *value;
        }
        let constant = self.memory.cell(cell).constant.filter(|_| !self.memory.cell(cell).is_map);
        match constant {
            Some(value) => {
                let sort = self.element_sort(cell);
                self.terms.number(sort, value)
            }
            None => self.terms.read(self.symbols[cell.index()]),
        }
    }

    /// The term of a predicate. Signed overflow wraps; where C does not define it otherwise, it is false.
    pub fn predicate(&mut self, expr: &Expr) -> Result<Term, Inexpressible> {
        let overflow = std::mem::replace(&mut self.overflow, Overflow::Wrap);
        let mut defined = Defined::default();
        self.exact_floats = true;
        let holds = self.condition(expr, &Values::new(), &mut defined);
        self.exact_floats = false;
        self.overflow = overflow;
        let holds = holds?;
        Ok(self.terms.and(defined.otherwise.into_iter().chain([holds])))
    }

    /// An operand is evaluated only if `condition` holds, so only then it has to be defined.
    fn only_if(&mut self, condition: Term, operand: Defined, defined: &mut Defined) {
        let otherwise = self.terms.not(condition);
        for (all, parts) in
            [(&mut defined.no_overflow, operand.no_overflow), (&mut defined.otherwise, operand.otherwise)]
        {
            all.extend(parts.into_iter().map(|part| self.terms.or(otherwise, part)));
        }
    }

    /// The term of an expression used as a condition.
    pub fn condition(&mut self, expr: &Expr, values: &Values, defined: &mut Defined) -> Result<Term, Inexpressible> {
        match &expr.kind {
            ExprKind::Compare(op, a, b) => self.comparison(*op, a, b, values, defined),
            ExprKind::Not(inner) => {
                let inner = self.condition(inner, values, defined)?;
                Ok(self.terms.not(inner))
            }
            ExprKind::Holds(property, operands) => self.property(*property, operands, values, defined),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let first = self.condition(a, values, defined)?;
                let mut inner = Defined::default();
                let second = self.condition(b, values, &mut inner)?;
                let is_and = matches!(expr.kind, ExprKind::And(..));
                // The second operand is evaluated only if the first does not decide.
                let reached = if is_and { first } else { self.terms.not(first) };
                self.only_if(reached, inner, defined);
                Ok(if is_and { self.terms.and([first, second]) } else { self.terms.or(first, second) })
            }
            _ => {
                let value = self.value(expr, values, defined)?;
                Ok(self.is_not_zero(value))
            }
        }
    }

    fn is_not_zero(&mut self, value: Term) -> Term {
        let sort = self.terms.sort(value);
        let zero = self.terms.number(sort, 0);
        let equal = self.terms.eq(value, zero);
        self.terms.not(equal)
    }

    fn property(
        &mut self,
        property: Property,
        operands: &[Expr],
        values: &Values,
        defined: &mut Defined,
    ) -> Result<Term, Inexpressible> {
        match (property, operands) {
            (Property::Fits, [operand]) => {
                let overflow = std::mem::replace(&mut self.overflow, Overflow::Assume);
                let mut inner = Defined::default();
                let result = self.value(operand, values, &mut inner);
                self.overflow = overflow;
                result?;
                defined.otherwise.extend(inner.otherwise);
                Ok(self.terms.and(inner.no_overflow))
            }
            (Property::SameObject, [a, b]) => {
                let (p, q) = (self.pointer(a, values, defined)?, self.pointer(b, values, defined)?);
                Ok(self.terms.eq(p.object, q.object))
            }
            (Property::Inside, [pointer]) => self.is_inside(pointer, values, defined),
            _ => unreachable!("a property has its number of operands"),
        }
    }

    fn comparison(
        &mut self,
        op: CompareOp,
        a: &Expr,
        b: &Expr,
        values: &Values,
        defined: &mut Defined,
    ) -> Result<Term, Inexpressible> {
        if a.ty.pointee().is_some() {
            return self.compare_pointers(op, a, b, values, defined);
        }
        let (x, y) = (self.value(a, values, defined)?, self.value(b, values, defined)?);
        if is_unknown(&a.ty) {
            let holds = self.unknown(Sort::Bits(1));
            return Ok(self.is_not_zero(holds));
        }
        Ok(match a.ty.int_kind() {
            Some(kind) => self.compare(op, kind, x, y),
            None => self.compare_floats(op, x, y),
        })
    }

    fn compare_pointers(
        &mut self,
        op: CompareOp,
        a: &Expr,
        b: &Expr,
        values: &Values,
        defined: &mut Defined,
    ) -> Result<Term, Inexpressible> {
        let (x, y) = (self.pointer(a, values, defined)?, self.pointer(b, values, defined)?);
        let is_null = |expr: &Expr| expr.is_zero();
        let mut equal = self.terms.eq(x.object, y.object);
        if matches!(op, CompareOp::Equal | CompareOp::NotEqual) {
            if !is_null(a) && !is_null(b) {
                let (p, q) = (self.bytes(x.offset, a, b), self.bytes(y.offset, b, a));
                let same = self.terms.eq(p, q);
                // All null pointers are equal.
                let null = self.object_number(NodeId::NULL);
                let null = self.terms.eq(x.object, null);
                let same = self.terms.or(null, same);
                equal = match self.known_places((x, a), (y, b)) {
                    Some((p, q)) => self.terms.bool(p == q),
                    None => {
                        let together = self.terms.and([equal, same]);
                        let begins = self.begins_together((x, a), (y, b));
                        self.terms.or(together, begins)
                    }
                };
            }
            return Ok(if op == CompareOp::Equal { equal } else { self.terms.not(equal) });
        }
        let (p, q) = (self.bytes(x.offset, a, b), self.bytes(y.offset, b, a));
        let ordered = self.compare(op, IntKind::Long, p, q);
        if let Some(((root, p), (other, q))) = self.known_places((x, a), (y, b))
            && root == other
        {
            return Ok(self.terms.bool(op.holds(p, q)));
        }
        if self.memory.may_share_object(a, b) {
            let unknown = self.unknown_truth();
            return Ok(self.terms.ite(equal, ordered, unknown));
        }
        // The order of pointers into different objects is not defined.
        defined.otherwise.push(equal);
        Ok(ordered)
    }

    /// Where both pointers point to, if that is known.
    fn known_places(&self, a: (Pointer, &Expr), b: (Pointer, &Expr)) -> Option<((NodeId, i128), (NodeId, i128))> {
        let place = |(pointer, expr): (Pointer, &Expr)| {
            let node = NodeId(u32::try_from(self.terms.as_number(pointer.object)?).ok()?);
            let offset = self.terms.as_number(pointer.offset)?;
            let is_object = node.0 > NodeId::OUTSIDE.0 && !matches!(self.memory.node(node).kind, NodeKind::Function(_));
            is_object.then_some(self.memory.pointed_place(node, offset, expr.ty.pointee()?))
        };
        Some((place(a)?, place(b)?))
    }

    /// One pointer points to a part of what the other one points to, and both to the same place.
    fn begins_together(&mut self, (x, a): (Pointer, &Expr), (y, b): (Pointer, &Expr)) -> Term {
        let memory = Arc::clone(&self.memory);
        let mut any = self.terms.bool(false);
        if !memory.may_share_object(a, b) {
            return any;
        }
        let is_own = |expr: &Expr, node: NodeId| {
            expr.ty.pointee().is_some_and(|target| memory.size(target) == memory.size(&memory.node(node).ty))
        };
        let others = memory.targets(b);
        for first in memory.targets(a) {
            for &second in others.iter().filter(|second| **second != first) {
                let Some(begin) = memory.begin_in(first, second).or_else(|| memory.begin_in(second, first)) else {
                    continue;
                };
                let same_place = match begin {
                    Some(0) if is_own(a, first) && is_own(b, second) => self.terms.eq(x.offset, y.offset),
                    Some(begin) if begin > 0 && is_own(a, first) && is_own(b, second) => continue,
                    _ => self.unknown_truth(),
                };
                let (one, other) = (self.object_number(first), self.object_number(second));
                let (one, other) = (self.terms.eq(x.object, one), self.terms.eq(y.object, other));
                let here = self.terms.and([one, other, same_place]);
                any = self.terms.or(any, here);
            }
        }
        any
    }

    /// A truth value that is not known.
    fn unknown_truth(&mut self) -> Term {
        let sort = self.offset_sort();
        let unknown = self.unknown(sort);
        self.is_not_zero(unknown)
    }

    /// The offset of a pointer in the unit that both pointers of a comparison have.
    fn bytes(&mut self, offset: Term, own: &Expr, other: &Expr) -> Term {
        let size = |this: &Self, expr: &Expr| expr.ty.pointee().map_or(1, |target| this.memory.size(target));
        let (own, other) = (size(self, own), size(self, other));
        if own == other { offset } else { self.terms.scale(i128::from(own), offset) }
    }

    fn compare(&mut self, op: CompareOp, kind: IntKind, a: Term, b: Term) -> Term {
        let less = |this: &mut Self, a, b| match this.arithmetic {
            Arithmetic::Ideal => this.terms.lt(a, b),
            Arithmetic::Machine if kind.is_signed() => this.terms.slt(a, b),
            Arithmetic::Machine => this.terms.ult(a, b),
        };
        match op {
            CompareOp::Equal => self.terms.eq(a, b),
            CompareOp::NotEqual => {
                let equal = self.terms.eq(a, b);
                self.terms.not(equal)
            }
            CompareOp::Less => less(self, a, b),
            CompareOp::Greater => less(self, b, a),
            CompareOp::LessEqual => {
                let greater = less(self, b, a);
                self.terms.not(greater)
            }
            CompareOp::GreaterEqual => {
                let less = less(self, a, b);
                self.terms.not(less)
            }
        }
    }

    fn compare_floats(&mut self, op: CompareOp, a: Term, b: Term) -> Term {
        match op {
            CompareOp::Equal => self.terms.float_test(FloatTest::Equal, a, b),
            CompareOp::NotEqual => {
                let equal = self.terms.float_test(FloatTest::Equal, a, b);
                self.terms.not(equal)
            }
            CompareOp::Less => self.terms.float_test(FloatTest::Less, a, b),
            CompareOp::LessEqual => self.terms.float_test(FloatTest::LessEqual, a, b),
            CompareOp::Greater => self.terms.float_test(FloatTest::Less, b, a),
            CompareOp::GreaterEqual => self.terms.float_test(FloatTest::LessEqual, b, a),
        }
    }

    /// The term of a number; what its evaluation needs to be defined is added to `defined`.
    pub fn value(&mut self, expr: &Expr, values: &Values, defined: &mut Defined) -> Result<Term, Inexpressible> {
        if expr.ty.float_kind().is_some() && self.arithmetic == Arithmetic::Ideal {
            return Err(Inexpressible("a floating-point number"));
        }
        let sort = self.scalar_sort(&expr.ty);
        if is_unknown(&expr.ty) {
            self.unknown_operands(expr, values, defined)?;
            return Ok(self.unknown(sort));
        }
        match &expr.kind {
            ExprKind::Constant(value) => Ok(self.terms.number(sort, *value)),
            ExprKind::Float(bits) => Ok(match expr.ty.float_kind() {
                Some(FloatKind::Float) => {
                    let narrow = f64::from_bits(*bits) as f32;
                    self.terms.number(sort, i128::from(narrow.to_bits()))
                }
                _ => self.terms.number(sort, i128::from(*bits)),
            }),
            ExprKind::Load(place) => self.load_number(place, values, defined),
            ExprKind::Cast(inner) => {
                if inner.ty.pointee().is_some() {
                    // An address as a number.
                    return Ok(self.unknown(sort));
                }
                let value = self.value(inner, values, defined)?;
                if is_unknown(&inner.ty) {
                    return Ok(self.unknown(sort));
                }
                self.convert_type(value, &inner.ty, &expr.ty, defined)
            }
            ExprKind::Unary(op, inner) => {
                let value = self.value(inner, values, defined)?;
                match expr.ty.int_kind() {
                    Some(kind) => self.unary(*op, kind, value, defined),
                    None => Ok(self.terms.float_negate(value)),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.value(a, values, defined)?, self.value(b, values, defined)?);
                match (expr.ty.int_kind(), b.ty.int_kind()) {
                    (Some(kind), Some(right_kind)) => self.binary(*op, kind, right_kind, x, y, defined),
                    _ => Ok(self.float_binary(*op, x, y)),
                }
            }
            ExprKind::Distance(a, b, stride) => {
                let (p, q) = (self.pointer(a, values, defined)?, self.pointer(b, values, defined)?);
                let same_part = self.terms.eq(p.object, q.object);
                let distance = self.terms.sub(p.offset, q.offset);
                let distance = self.divided(distance, stride, values)?;
                if !self.memory.may_share_object(a, b) {
                    defined.otherwise.push(same_part);
                    return Ok(distance);
                }
                let unknown = self.unknown(sort);
                Ok(self.terms.ite(same_part, distance, unknown))
            }
            ExprKind::Conditional(c, a, b) => {
                let c = self.condition(c, values, defined)?;
                let (mut then, mut otherwise) = (Defined::default(), Defined::default());
                let x = self.value(a, values, &mut then)?;
                let y = self.value(b, values, &mut otherwise)?;
                self.only_if(c, then, defined);
                let not_c = self.terms.not(c);
                self.only_if(not_c, otherwise, defined);
                Ok(self.terms.ite(c, x, y))
            }
            ExprKind::Compare(..) | ExprKind::Holds(..) | ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => {
                let holds = self.condition(expr, values, defined)?;
                let (one, zero) = (self.terms.number(sort, 1), self.terms.number(sort, 0));
                Ok(self.terms.ite(holds, one, zero))
            }
            ExprKind::Address(_) | ExprKind::Function(_) | ExprKind::Move(..) => {
                unreachable!("a pointer is no number: {expr:?}")
            }
        }
    }

    /// Evaluates the operands of an expression whose own value is not known, for what they need to be defined.
    fn unknown_operands(&mut self, expr: &Expr, values: &Values, defined: &mut Defined) -> Result<(), Inexpressible> {
        match &expr.kind {
            ExprKind::Load(place) => self.load_number(place, values, defined).map(|_| ()),
            ExprKind::Cast(inner) | ExprKind::Unary(_, inner) => self.value(inner, values, defined).map(|_| ()),
            ExprKind::Binary(_, a, b) => {
                self.value(a, values, defined)?;
                self.value(b, values, defined).map(|_| ())
            }
            // Which of the operands is evaluated is left open.
            _ => Ok(()),
        }
    }

    /// The terms of a pointer.
    pub fn pointer(&mut self, expr: &Expr, values: &Values, defined: &mut Defined) -> Result<Pointer, Inexpressible> {
        let offset_sort = self.offset_sort();
        let zero = self.terms.number(offset_sort, 0);
        match &expr.kind {
            ExprKind::Constant(0) => Ok(Pointer { object: self.object_number(NodeId::NULL), offset: zero }),
            ExprKind::Constant(address) => {
                let target = expr.ty.pointee().cloned().unwrap_or(Type::Void);
                let size = i128::from(self.memory.size(&target));
                let object = self.memory.absolute(&target).unwrap_or(NodeId::NULL);
                let offset = self.terms.number(offset_sort, address.div_euclid(size));
                Ok(Pointer { object: self.object_number(object), offset })
            }
            ExprKind::Load(place) => self.load_pointer(place, values, defined),
            ExprKind::Address(place) => self.address(place, values, defined),
            ExprKind::Function(id) => {
                let node = self.memory.function(*id);
                Ok(Pointer { object: self.object_number(node), offset: zero })
            }
            ExprKind::Cast(inner) if inner.ty.pointee().is_some() => {
                let pointer = self.pointer(inner, values, defined)?;
                let size = |this: &Self, ty: &Type| ty.pointee().map_or(1, |target| this.memory.size(target));
                let (from, to) = (size(self, &inner.ty), size(self, &expr.ty));
                let offset = self.rescaled(pointer.offset, from, to);
                Ok(Pointer { offset, ..pointer })
            }
            ExprKind::Cast(inner) => {
                let address = self.value(inner, values, defined)?;
                let kind = inner.int_kind();
                let address = self.convert(address, kind, IntKind::Long);
                let target = expr.ty.pointee().cloned().unwrap_or(Type::Void);
                let size = self.memory.size(&target);
                let absolute = self.memory.absolute(&target).unwrap_or(NodeId::NULL);
                let is_zero = self.terms.eq(address, zero);
                let (null, absolute) = (self.object_number(NodeId::NULL), self.object_number(absolute));
                let object = self.terms.ite(is_zero, null, absolute);
                Ok(Pointer { object, offset: self.rescaled(address, 1, size) })
            }
            ExprKind::Move(pointer, count, stride) => {
                let pointer = self.pointer(pointer, values, defined)?;
                let steps = self.index(count, stride, values, defined)?;
                Ok(Pointer { offset: self.terms.add(pointer.offset, steps), ..pointer })
            }
            ExprKind::Conditional(c, a, b) => {
                let c = self.condition(c, values, defined)?;
                let (x, y) = (self.pointer(a, values, defined)?, self.pointer(b, values, defined)?);
                Ok(Pointer {
                    object: self.terms.ite(c, x.object, y.object),
                    offset: self.terms.ite(c, x.offset, y.offset),
                })
            }
            _ => unreachable!("this is no pointer: {expr:?}"),
        }
    }

    /// `index * stride`: address arithmetic, which has 64 bits and does not overflow.
    pub(super) fn index(
        &mut self,
        index: &Expr,
        stride: &Stride,
        values: &Values,
        defined: &mut Defined,
    ) -> Result<Term, Inexpressible> {
        let kind = index.int_kind();
        let value = self.value(index, values, defined)?;
        let mut value = self.convert(value, kind, IntKind::Long);
        for length in &stride.lengths {
            let length = self.length(*length, values);
            value = self.terms.mul(value, length);
        }
        Ok(self.terms.scale(i128::from(stride.factor), value))
    }

    /// The value of the variable that holds the length of a VLA.
    fn length(&mut self, variable: VarId, values: &Values) -> Term {
        let node = self.memory.root(variable);
        let crate::memory::NodeKind::Scalar(cell, _) = self.memory.node(node).kind else {
            unreachable!("a length is a number");
        };
        self.read(cell, values)
    }

    /// A distance counted in strides.
    fn divided(&mut self, distance: Term, stride: &Stride, values: &Values) -> Result<Term, Inexpressible> {
        if stride.lengths.is_empty() {
            let factor = u64::try_from(stride.factor.abs()).unwrap_or(1).max(1);
            return Ok(self.rescaled(distance, 1, factor));
        }
        let sort = self.offset_sort();
        let mut divisor = self.terms.number(sort, i128::from(stride.factor));
        for length in &stride.lengths {
            let length = self.length(*length, values);
            divisor = self.terms.mul(divisor, length);
        }
        Ok(match self.arithmetic {
            Arithmetic::Machine => self.terms.bitwise(BitsOp::Sdiv, distance, divisor),
            Arithmetic::Ideal => self.terms.int_div(distance, divisor),
        })
    }

    /// An offset in units of `from` bytes, in units of `to` bytes.
    pub(super) fn rescaled(&mut self, offset: Term, from: u64, to: u64) -> Term {
        if from == to {
            return offset;
        }
        if from.is_multiple_of(to) {
            return self.terms.scale(i128::from(from / to), offset);
        }
        let scaled = self.terms.scale(i128::from(from), offset);
        self.terms.exact_quotient(scaled, i128::from(to))
    }

    /// Conversion between number types.
    fn convert_type(
        &mut self,
        value: Term,
        from: &Type,
        to: &Type,
        defined: &mut Defined,
    ) -> Result<Term, Inexpressible> {
        match (from.plain(), to.plain()) {
            (Type::Int(from), Type::Int(to)) => Ok(self.convert(value, *from, *to)),
            (Type::Int(from), Type::Float(to)) => Ok(self.terms.int_to_float(from.is_signed(), to.width(), value)),
            (Type::Float(from), Type::Float(to)) if from == to => Ok(value),
            (Type::Float(_), Type::Float(to)) => Ok(self.terms.float_to_float(to.width(), value)),
            (Type::Float(from), Type::Int(IntKind::Bool)) => {
                let zero = self.terms.number(Sort::Bits(from.width()), 0);
                let is_zero = self.terms.float_test(FloatTest::Equal, value, zero);
                let (one, zero) = (self.terms.number(Sort::Bits(1), 1), self.terms.number(Sort::Bits(1), 0));
                Ok(self.terms.ite(is_zero, zero, one))
            }
            (Type::Float(from), Type::Int(to)) => {
                let (least, greatest) = float_range(*to, *from);
                let sort = Sort::Bits(from.width());
                let (low, high) = (self.terms.number(sort, least.1), self.terms.number(sort, greatest));
                let test = if least.0 { FloatTest::LessEqual } else { FloatTest::Less };
                // What does not fit the integer type is undefined.
                defined.otherwise.push(self.terms.float_test(test, low, value));
                defined.otherwise.push(self.terms.float_test(FloatTest::Less, value, high));
                Ok(self.terms.float_to_int(to.is_signed(), to.width(), value))
            }
            (from, to) => unreachable!("no conversion between numbers: {from:?} {to:?}"),
        }
    }

    fn float_binary(&mut self, op: BinaryOp, a: Term, b: Term) -> Term {
        let op = match op {
            BinaryOp::Add => FloatOp::Add,
            BinaryOp::Subtract => FloatOp::Subtract,
            BinaryOp::Multiply => FloatOp::Multiply,
            BinaryOp::Divide => FloatOp::Divide,
            other => unreachable!("{other:?} takes integers"),
        };
        let result = self.terms.float_binary(op, a, b);
        // Z3 does not answer questions about long computations in any time that is worth waiting for.
        if !self.exact_floats && self.terms.float_effort(result, MOST_FLOAT_EFFORT) > MOST_FLOAT_EFFORT {
            let sort = self.terms.sort(result);
            return self.unknown(sort);
        }
        result
    }

    /// Conversion between integer types.
    pub(super) fn convert(&mut self, value: Term, from: IntKind, to: IntKind) -> Term {
        if from == to {
            return value;
        }
        if to == IntKind::Bool {
            let sort = self.scalar_sort(&Type::Int(to));
            let holds = self.is_not_zero(value);
            let (one, zero) = (self.terms.number(sort, 1), self.terms.number(sort, 0));
            return self.terms.ite(holds, one, zero);
        }
        if self.arithmetic == Arithmetic::Ideal {
            return value;
        }
        let width = to.width();
        if width <= from.width() {
            self.terms.low(width, value)
        } else if from.is_signed() {
            self.terms.sext(width, value)
        } else {
            self.terms.zext(width, value)
        }
    }

    pub(super) fn scalar_sort(&self, ty: &Type) -> Sort {
        match ty.plain() {
            Type::Float(kind) => Sort::Bits(kind.width()),
            Type::Int(kind) => content_sort(Content::Int(*kind), self.arithmetic),
            _ => self.offset_sort(),
        }
    }

    fn checks_overflow(&self, kind: IntKind) -> bool {
        kind.is_signed() && self.arithmetic == Arithmetic::Machine && self.overflow != Overflow::Wrap
    }

    fn unary(&mut self, op: UnaryOp, kind: IntKind, value: Term, defined: &mut Defined) -> Result<Term, Inexpressible> {
        match op {
            UnaryOp::Negate => {
                if self.checks_overflow(kind) {
                    let least = self.terms.number(Sort::Bits(kind.width()), kind.least());
                    let overflows = self.terms.eq(value, least);
                    defined.no_overflow.push(self.terms.not(overflows));
                }
                Ok(self.terms.neg(value))
            }
            UnaryOp::Complement => Ok(self.terms.complement(value)),
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        kind: IntKind,
        right_kind: IntKind,
        a: Term,
        b: Term,
        defined: &mut Defined,
    ) -> Result<Term, Inexpressible> {
        match self.arithmetic {
            Arithmetic::Machine => Ok(self.machine(op, kind, right_kind, a, b, defined)),
            Arithmetic::Ideal => self.ideal(op, a, b, defined),
        }
    }

    fn machine(
        &mut self,
        op: BinaryOp,
        kind: IntKind,
        right_kind: IntKind,
        a: Term,
        b: Term,
        defined: &mut Defined,
    ) -> Term {
        let signed = kind.is_signed();
        let checks_overflow = self.checks_overflow(kind);
        let terms = &mut self.terms;
        let sort = Sort::Bits(kind.width());
        match op {
            BinaryOp::Add => {
                if checks_overflow {
                    defined.no_overflow.push(terms.add_fits(a, b));
                }
                terms.add(a, b)
            }
            BinaryOp::Subtract => {
                if checks_overflow {
                    defined.no_overflow.push(terms.sub_fits(a, b));
                }
                terms.sub(a, b)
            }
            BinaryOp::Multiply => {
                if checks_overflow {
                    defined.no_overflow.push(terms.mul_fits(a, b));
                }
                terms.mul(a, b)
            }
            BinaryOp::Divide | BinaryOp::Remainder => {
                let zero = terms.number(sort, 0);
                let by_zero = terms.eq(b, zero);
                defined.otherwise.push(terms.not(by_zero));
                if signed {
                    // The machine traps for INT_MIN / -1, also where overflow wraps.
                    let least = terms.number(sort, kind.least());
                    let minus_one = terms.number(sort, -1);
                    let extreme = terms.eq(a, least);
                    let negates = terms.eq(b, minus_one);
                    let both = terms.and([extreme, negates]);
                    let fits = terms.not(both);
                    if checks_overflow {
                        defined.no_overflow.push(fits);
                    } else {
                        defined.otherwise.push(fits);
                    }
                }
                let operator = match (op, signed) {
                    (BinaryOp::Divide, true) => BitsOp::Sdiv,
                    (BinaryOp::Divide, false) => BitsOp::Udiv,
                    (_, true) => BitsOp::Srem,
                    (_, false) => BitsOp::Urem,
                };
                terms.bitwise(operator, a, b)
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let count_sort = Sort::Bits(right_kind.width());
                let limit = terms.number(count_sort, i128::from(kind.width()));
                // As unsigned: a negative count is too large as well.
                let in_range = terms.ult(b, limit);
                defined.otherwise.push(in_range);
                // The count fits the width of the left operand once it is in range.
                let count = if right_kind.width() > kind.width() {
                    terms.low(kind.width(), b)
                } else {
                    terms.zext(kind.width(), b)
                };
                let operator = match (op, signed) {
                    (BinaryOp::ShiftLeft, _) => BitsOp::Shl,
                    (_, true) => BitsOp::Ashr,
                    (_, false) => BitsOp::Lshr,
                };
                terms.bitwise(operator, a, count)
            }
            BinaryOp::And => terms.bitwise(BitsOp::And, a, b),
            BinaryOp::Or => terms.bitwise(BitsOp::Or, a, b),
            BinaryOp::Xor => terms.bitwise(BitsOp::Xor, a, b),
        }
    }

    fn ideal(&mut self, op: BinaryOp, a: Term, b: Term, defined: &mut Defined) -> Result<Term, Inexpressible> {
        let terms = &mut self.terms;
        match op {
            BinaryOp::Add => Ok(terms.add(a, b)),
            BinaryOp::Subtract => Ok(terms.sub(a, b)),
            BinaryOp::Multiply => Ok(terms.mul(a, b)),
            BinaryOp::Divide | BinaryOp::Remainder => {
                let zero = terms.number(Sort::Int, 0);
                let by_zero = terms.eq(b, zero);
                defined.otherwise.push(terms.not(by_zero));
                // C truncates towards zero: the Euclidean quotient is right for a >= 0; else negate before and after.
                let minus_a = terms.neg(a);
                let direct = terms.int_div(a, b);
                let turned = terms.int_div(minus_a, b);
                let turned = terms.neg(turned);
                let negative = terms.lt(a, zero);
                let quotient = terms.ite(negative, turned, direct);
                if op == BinaryOp::Divide {
                    return Ok(quotient);
                }
                let product = terms.mul(quotient, b);
                Ok(terms.sub(a, product))
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let Some(count) = terms.as_number(b).filter(|count| (0..64).contains(count)) else {
                    return Err(Inexpressible("a shift by a variable count"));
                };
                let factor = 1i128 << count;
                if op == BinaryOp::ShiftLeft {
                    return Ok(terms.scale(factor, a));
                }
                let factor = terms.number(Sort::Int, factor);
                Ok(terms.int_div(a, factor))
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => Err(Inexpressible("a bitwise operation")),
        }
    }
}

/// Whether values of the type are never known.
fn is_unknown(ty: &Type) -> bool {
    ty.float_kind() == Some(FloatKind::LongDouble)
}

/// The sort of one value.
fn content_sort(content: Content, arithmetic: Arithmetic) -> Sort {
    match (content, arithmetic) {
        (Content::Float(kind), _) => Sort::Bits(kind.width()),
        (_, Arithmetic::Ideal) => Sort::Int,
        (Content::Int(kind), Arithmetic::Machine) => Sort::Bits(kind.width()),
        (Content::Bits(width), Arithmetic::Machine) => Sort::Bits(width),
        (Content::Object, Arithmetic::Machine) => Sort::Bits(32),
        (Content::Offset, Arithmetic::Machine) => Sort::Bits(64),
    }
}

fn cell_sort(cell: &crate::memory::Cell, arithmetic: Arithmetic) -> Sort {
    match (content_sort(cell.content, arithmetic), cell.is_map) {
        (sort, false) => sort,
        (Sort::Bits(width), true) => Sort::BitsArray(width),
        (_, true) => Sort::IntArray,
    }
}

/// The floating-point numbers between which conversion to an integer type is defined: the lower bound (and whether it
/// counts itself) and the upper bound, which does not; as bits.
fn float_range(to: IntKind, from: FloatKind) -> ((bool, i128), i128) {
    let bits = |value: f64| match from {
        FloatKind::Float => i128::from((value as f32).to_bits()),
        FloatKind::Double | FloatKind::LongDouble => i128::from(value.to_bits()),
    };
    // Powers of two are exact in both types.
    let below = to.least() - 1;
    let exact = match from {
        FloatKind::Float => (below as f32) as i128 == below,
        FloatKind::Double | FloatKind::LongDouble => (below as f64) as i128 == below,
    };
    let least = if exact { (false, bits(below as f64)) } else { (true, bits(to.least() as f64)) };
    (least, bits((to.greatest() + 1) as f64))
}
