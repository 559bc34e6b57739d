//! Reading and writing memory: places as cells and positions.
//!
//! A place means one of several nodes, each under a condition on the pointers that lead to it; the conditions exclude
//! each other. A read chooses between the values there, a write changes each under its condition. What the layout does not
//! tell (a value seen through a type of another shape) is read as an unknown value, and a write to it makes everything
//! there unknown.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::term::{BitsOp, Sort, Symbol, Term};
use super::translate::{Defined, Inexpressible, Pointer, Translator, Values};
use crate::cfg::Action;
use crate::config::Arithmetic;
use crate::memory::{CellId, Content, Extent, Fit, Memory, NodeId, NodeKind, is_truth_value};
use crate::program::{Base, Expr, IntKind, Length, Place, Projection, Source, Type, VarId};

/// Copies and zeroes of more elements than this are not done one by one.
const MAX_ELEMENTS: u64 = 64;

/// A node that a place means under a condition.
#[derive(Clone, Copy, Debug)]
struct Located {
    guard: Term,
    node: NodeId,
    offset: Term,
    /// The type of the place does not fit the node: the offset counts bytes.
    misfit: bool,
    /// Where in the object it is, is not known.
    lost: bool,
}

/// What an action does beside changing values.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// When it is defined.
    pub defined: Defined,
    /// Symbols for values that the environment chooses.
    pub inputs: Vec<Symbol>,
    /// What holds of them.
    pub facts: Vec<Term>,
    /// Who asked the environment, and the variable that holds the answer now.
    pub asked: Option<(Source, VarId)>,
}

/// Where a value that is not computed comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// The environment chooses it.
    Input,
    /// It is not known.
    Unknown,
}

/// One scalar value, as its cells have it.
#[derive(Clone, Copy)]
enum Scalar {
    Number(Term),
    Pointer(Pointer),
}

impl Translator {
    /// Changes the values as an action does; tests change nothing.
    pub fn perform(
        &mut self,
        action: &Action,
        values: &mut Values,
        effects: &mut Effects,
    ) -> Result<(), Inexpressible> {
        match action {
            Action::Skip | Action::Test(..) => Ok(()),
            Action::Assign(place, value) => {
                let before = values.clone();
                let value = if value.ty.pointee().is_some() {
                    Scalar::Pointer(self.pointer(value, &before, &mut effects.defined)?)
                } else {
                    Scalar::Number(self.value(value, &before, &mut effects.defined)?)
                };
                for located in self.locate(place, &before, &mut effects.defined, Checked::Yes)? {
                    self.store(located, &place.ty, value, values)?;
                }
                Ok(())
            }
            Action::Copy(to, from) => {
                let before = values.clone();
                let targets = self.locate(to, &before, &mut effects.defined, Checked::Yes)?;
                let sources = self.locate(from, &before, &mut effects.defined, Checked::Yes)?;
                for target in targets {
                    for source in &sources {
                        let guard = self.terms.and([target.guard, source.guard]);
                        let (target, source) = (Located { guard, ..target }, *source);
                        let count = elements(&to.ty);
                        self.copy(target, source, count, &before, values)?;
                    }
                }
                Ok(())
            }
            Action::Zero(place) => {
                let is_whole = place.root().is_some() && !place.path.iter().any(is_index);
                let before = values.clone();
                for located in self.locate(place, &before, &mut effects.defined, Checked::Yes)? {
                    self.zero(located, elements(&place.ty), is_whole, values)?;
                }
                Ok(())
            }
            Action::Havoc(place, source) => {
                self.replace(place, Origin::Input, values, effects)?;
                if let Some(variable) = place.as_variable() {
                    effects.asked = Some((source.clone(), variable));
                }
                Ok(())
            }
            Action::Forget(place) => self.replace(place, Origin::Unknown, values, effects),
            Action::HavocObject(pointer) | Action::ForgetObject(pointer) => {
                let origin = match action {
                    Action::HavocObject(_) => Origin::Input,
                    _ => Origin::Unknown,
                };
                let target = self.pointer(pointer, values, &mut effects.defined)?;
                let memory = Arc::clone(&self.memory);
                for node in memory.targets(pointer) {
                    let number = self.object_number(node);
                    let guard = self.terms.eq(target.object, number);
                    memory.for_each_cell(node, &mut |cell| {
                        self.replace_cell(cell, guard, origin, values, effects);
                    });
                }
                Ok(())
            }
            Action::ForgetMemory => {
                let certain = self.terms.bool(true);
                let memory = Arc::clone(&self.memory);
                for cell in memory.reachable_cells() {
                    self.replace_cell(cell, certain, Origin::Unknown, values, effects);
                }
                Ok(())
            }
            Action::Unset(variable) => {
                let certain = self.terms.bool(true);
                let memory = Arc::clone(&self.memory);
                memory.for_each_cell(memory.root(*variable), &mut |cell| {
                    self.replace_cell(cell, certain, Origin::Input, values, effects);
                });
                Ok(())
            }
        }
    }

    /// Whether a pointer points to an element of its object, as far as the length of the object is known.
    pub(super) fn is_inside(
        &mut self,
        pointer: &Expr,
        values: &Values,
        defined: &mut Defined,
    ) -> Result<Term, Inexpressible> {
        let memory = Arc::clone(&self.memory);
        let mut all = self.terms.bool(true);
        for located in self.pointees(&memory, pointer, values, defined, Checked::No)? {
            let length = match memory.length(located.node) {
                Some(Extent::Elements(count)) => {
                    let sort = self.offset_sort();
                    self.terms.number(sort, i128::from(count))
                }
                Some(Extent::Value(expr)) => {
                    let kind = expr.int_kind();
                    let value = self.value(&expr, values, defined)?;
                    self.convert(value, kind, IntKind::Long)
                }
                None => continue,
            };
            let sort = self.offset_sort();
            let zero = self.terms.number(sort, 0);
            let (below, inside) = match self.arithmetic {
                Arithmetic::Machine => (self.terms.slt(located.offset, zero), self.terms.slt(located.offset, length)),
                Arithmetic::Ideal => (self.terms.lt(located.offset, zero), self.terms.lt(located.offset, length)),
            };
            let not_below = self.terms.not(below);
            let fine = self.terms.and([not_below, inside]);
            let elsewhere = self.terms.not(located.guard);
            let fine = self.terms.or(elsewhere, fine);
            all = self.terms.and([all, fine]);
        }
        Ok(all)
    }

    /// The cells that an action can change.
    pub fn written(&self, action: &Action) -> BTreeSet<CellId> {
        let memory = &self.memory;
        let nodes = match action {
            Action::Skip | Action::Test(..) => BTreeSet::new(),
            Action::Assign(place, _)
            | Action::Copy(place, _)
            | Action::Zero(place)
            | Action::Havoc(place, _)
            | Action::Forget(place) => memory.places(place),
            Action::HavocObject(pointer) | Action::ForgetObject(pointer) => memory.targets(pointer),
            Action::Unset(variable) => BTreeSet::from([memory.root(*variable)]),
            Action::ForgetMemory => return memory.reachable_cells().into_iter().collect(),
        };
        let misfits = match action {
            Action::Assign(place, _)
            | Action::Copy(place, _)
            | Action::Zero(place)
            | Action::Havoc(place, _)
            | Action::Forget(place) => memory.misfits(place),
            _ => BTreeSet::new(),
        };
        let mut cells = BTreeSet::new();
        for node in nodes.into_iter().chain(misfits) {
            memory.for_each_cell(node, &mut |cell| {
                cells.insert(cell);
            });
        }
        cells
    }

    /// A cell takes a value that is not known.
    pub fn forget_cell(&mut self, cell: CellId, values: &mut Values) {
        let certain = self.terms.bool(true);
        self.replace_cell(cell, certain, Origin::Unknown, values, &mut Effects::default());
    }

    /// The number in a place.
    pub(super) fn load_number(
        &mut self,
        place: &Place,
        values: &Values,
        defined: &mut Defined,
    ) -> Result<Term, Inexpressible> {
        let sort = self.scalar_sort(&place.ty);
        let mut result: Option<Term> = None;
        for located in self.locate(place, values, defined, Checked::Yes)? {
            let value = match self.load(located, &place.ty, values)? {
                Some(Scalar::Number(value)) => value,
                _ => self.unknown(sort),
            };
            result = Some(match result {
                None => value,
                Some(other) => self.terms.ite(located.guard, value, other),
            });
        }
        // A pointer that points nowhere: never reached, for the evaluation is not defined.
        Ok(result.unwrap_or_else(|| self.unknown(sort)))
    }

    /// The pointer in a place.
    pub(super) fn load_pointer(
        &mut self,
        place: &Place,
        values: &Values,
        defined: &mut Defined,
    ) -> Result<Pointer, Inexpressible> {
        let mut result: Option<Pointer> = None;
        for located in self.locate(place, values, defined, Checked::Yes)? {
            let value = match self.load(located, &place.ty, values)? {
                Some(Scalar::Pointer(pointer)) => pointer,
                _ => self.unknown_pointer(),
            };
            result = Some(self.chosen(located.guard, value, result));
        }
        Ok(result.unwrap_or_else(|| self.unknown_pointer()))
    }

    /// The address of a place.
    pub(super) fn address(
        &mut self,
        place: &Place,
        values: &Values,
        defined: &mut Defined,
    ) -> Result<Pointer, Inexpressible> {
        let mut result: Option<Pointer> = None;
        for located in self.locate(place, values, defined, Checked::No)? {
            let offset = if located.misfit { self.counted(located, &place.ty) } else { located.offset };
            let pointer = Pointer { object: self.object_number(located.node), offset };
            result = Some(self.chosen(located.guard, pointer, result));
        }
        Ok(result.unwrap_or_else(|| self.unknown_pointer()))
    }

    /// The offset of a place that counts bytes, in values of the type; not known if there is no whole number of them.
    fn counted(&mut self, located: Located, ty: &Type) -> Term {
        let size = i128::from(self.memory.size(ty));
        let is_whole = self.terms.as_number(located.offset).is_none_or(|bytes| bytes % size == 0);
        if located.lost || !is_whole {
            let sort = self.offset_sort();
            return self.unknown(sort);
        }
        self.terms.exact_quotient(located.offset, size)
    }

    fn chosen(&mut self, guard: Term, pointer: Pointer, other: Option<Pointer>) -> Pointer {
        match other {
            None => pointer,
            Some(other) => Pointer {
                object: self.terms.ite(guard, pointer.object, other.object),
                offset: self.terms.ite(guard, pointer.offset, other.offset),
            },
        }
    }

    fn unknown_pointer(&mut self) -> Pointer {
        let object_sort = {
            let null = self.object_number(NodeId::NULL);
            self.terms.sort(null)
        };
        let offset_sort = self.offset_sort();
        Pointer { object: self.unknown(object_sort), offset: self.unknown(offset_sort) }
    }

    /// The nodes that a place means; their guards exclude each other, and the first holds wherever no other does.
    fn locate(
        &mut self,
        place: &Place,
        values: &Values,
        defined: &mut Defined,
        checked: Checked,
    ) -> Result<Vec<Located>, Inexpressible> {
        let memory = Arc::clone(&self.memory);
        let certain = self.terms.bool(true);
        let offset_sort = self.offset_sort();
        let mut all = match &place.base {
            Base::Variable(variable) => {
                let offset = self.terms.number(offset_sort, 0);
                vec![Located { guard: certain, node: memory.root(*variable), offset, misfit: false, lost: false }]
            }
            Base::Pointee(pointer) => self.pointees(&memory, pointer, values, defined, checked)?,
        };
        // The type of the place so far, for those that count bytes.
        let mut ty = match &place.base {
            Base::Variable(variable) => memory.node(memory.root(*variable)).ty.clone(),
            Base::Pointee(pointer) => pointer.ty.pointee().cloned().unwrap_or(Type::Void),
        };
        for projection in &place.path {
            match projection {
                Projection::Index(index, stride) => {
                    let steps = self.index(index, stride, values, defined)?;
                    let size = i128::from(memory.size(&ty));
                    for located in &mut all {
                        let steps = if located.misfit { self.terms.scale(size, steps) } else { steps };
                        located.offset = self.terms.add(located.offset, steps);
                    }
                    if let Type::Array(element, _) = ty.plain() {
                        ty = (**element).clone();
                    }
                }
                Projection::Field(number) => {
                    let field = memory.field(&ty, *number);
                    for located in &mut all {
                        if located.misfit {
                            let offset = field.as_ref().map_or(0, |field| field.offset);
                            let step = self.terms.number(offset_sort, i128::from(offset));
                            located.offset = self.terms.add(located.offset, step);
                            // Bits inside a byte are too fine.
                            located.lost |= field.as_ref().is_none_or(|field| field.bits.is_some());
                            continue;
                        }
                        match memory.member(located.node, *number) {
                            Some(member) => {
                                let count = i128::from(memory.node(member).count);
                                located.node = member;
                                located.offset = self.terms.scale(count, located.offset);
                            }
                            None => {
                                located.misfit = true;
                                located.lost = true;
                            }
                        }
                    }
                    ty = field.map_or(Type::Void, |field| field.ty);
                }
            }
        }
        Ok(all)
    }

    /// What a pointer can point to, under which condition.
    fn pointees(
        &mut self,
        memory: &Memory,
        pointer: &Expr,
        values: &Values,
        defined: &mut Defined,
        checked: Checked,
    ) -> Result<Vec<Located>, Inexpressible> {
        let target = pointer.ty.pointee().cloned().unwrap_or(Type::Void);
        let address = self.pointer(pointer, values, defined)?;
        let mut all: Vec<Located> = Vec::new();
        let mut rest = self.terms.bool(true);
        for node in memory.targets(pointer) {
            let number = self.object_number(node);
            let here = self.terms.eq(address.object, number);
            if self.terms.as_bool(here) == Some(false) {
                continue;
            }
            let is_object =
                !matches!(memory.node(node).kind, NodeKind::Null | NodeKind::Function(_)) && node != NodeId::OUTSIDE;
            if !is_object {
                if checked == Checked::Yes {
                    defined.otherwise.push(self.terms.not(here));
                }
                let elsewhere = self.terms.not(here);
                rest = self.terms.and([rest, elsewhere]);
                continue;
            }
            let is_start = self.terms.as_number(address.offset) == Some(0);
            let located = match memory.adapted(node, &target) {
                Some((node, fit)) if fit == Fit::Everywhere || is_start => {
                    Located { guard: here, node, offset: address.offset, misfit: false, lost: false }
                }
                // Then the offset counts bytes.
                _ => {
                    let offset = self.terms.scale(i128::from(memory.size(&target)), address.offset);
                    Located { guard: here, node, offset, misfit: true, lost: false }
                }
            };
            all.push(located);
        }
        if all.is_empty() && checked == Checked::Yes {
            // It points nowhere that is known.
            defined.otherwise.push(self.terms.bool(false));
        }
        if let [only] = all.as_mut_slice() {
            // Where it can point to nothing else, it points there.
            only.guard = self.terms.bool(true);
        }
        Ok(all)
    }

    /// The value of a cell at a position.
    fn cell_at(&mut self, cell: CellId, offset: Term, values: &Values) -> Term {
        let info = self.memory.cell(cell);
        let (is_map, constant) = (info.is_map, info.constant);
        if let (Some(value), false) = (constant, values.contains_key(&cell)) {
            let sort = self.element_sort(cell);
            return self.terms.number(sort, value);
        }
        let value = self.read(cell, values);
        if !is_map {
            return value;
        }
        let element = self.terms.select(value, offset);
        if self.memory.cell(cell).content == Content::Object {
            return self.one_target(cell, element);
        }
        element
    }

    /// The object in an element of a map: one of those that it can be. Elements that hold none of them are not there,
    /// so any choice is right for them.
    fn one_target(&mut self, cell: CellId, element: Term) -> Term {
        if self.terms.as_number(element).is_some() {
            return element;
        }
        let targets = self.memory.cell(cell).targets.clone();
        let mut targets = targets.into_iter().rev();
        let Some(last) = targets.next() else {
            return element;
        };
        let mut object = self.object_number(last);
        for target in targets {
            let number = self.object_number(target);
            let same = self.terms.eq(element, number);
            object = self.terms.ite(same, number, object);
        }
        object
    }

    /// Changes a cell at a position where `guard` holds.
    fn set_cell(&mut self, cell: CellId, offset: Term, value: Term, guard: Term, values: &mut Values) {
        if self.memory.cell(cell).constant.is_some() {
            return;
        }
        let before = self.read(cell, values);
        let changed = if self.memory.cell(cell).is_map { self.terms.store(before, offset, value) } else { value };
        let value = self.terms.ite(guard, changed, before);
        values.insert(cell, value);
    }

    /// The scalar at a node, seen as `ty`; `None` if the layout does not tell.
    fn load(&mut self, located: Located, ty: &Type, values: &Values) -> Result<Option<Scalar>, Inexpressible> {
        if located.misfit {
            return self.load_bytes(located, ty, values);
        }
        let memory = Arc::clone(&self.memory);
        let node = memory.node(located.node);
        match &node.kind {
            NodeKind::Scalar(cell, bits) => {
                let value = self.cell_at(*cell, located.offset, values);
                let Some(_) = bits else {
                    return Ok(Some(Scalar::Number(value)));
                };
                Ok(Some(Scalar::Number(self.extended(value, &node.ty))))
            }
            NodeKind::Pointer(object, offset) => {
                let pointer = Pointer {
                    object: self.cell_at(*object, located.offset, values),
                    offset: self.cell_at(*offset, located.offset, values),
                };
                let size = |ty: &Type| ty.pointee().map_or(1, |target| memory.size(target));
                let offset = self.rescaled(pointer.offset, size(&node.ty), size(ty));
                Ok(Some(Scalar::Pointer(Pointer { offset, ..pointer })))
            }
            NodeKind::View { whole, bit, width: Some(width), .. } => {
                let Some(bits) = self.view(*whole, *bit, *width, located, values)? else {
                    return Ok(None);
                };
                Ok(Some(Scalar::Number(self.extended(bits, &node.ty))))
            }
            _ => Ok(None),
        }
    }

    /// Bits as a value of the type.
    fn extended(&mut self, bits: Term, ty: &Type) -> Term {
        let Sort::Bits(width) = self.terms.sort(bits) else {
            return bits;
        };
        match ty.int_kind() {
            Some(kind) if kind.width() < width => self.terms.low(kind.width(), bits),
            Some(kind) if kind.is_signed() => self.terms.sext(kind.width(), bits),
            Some(kind) => self.terms.zext(kind.width(), bits),
            None => bits,
        }
    }

    /// The position of the union that a part of it belongs to, and the position of the element inside the part.
    fn split(&mut self, memory: &Memory, located: Located, whole: NodeId) -> (Term, Term) {
        let mut count: u64 = 1;
        let mut node = located.node;
        while node != whole {
            count = count.saturating_mul(memory.node(node).count);
            node = match memory.node(node).parent {
                Some(parent) => parent,
                None => break,
            };
        }
        let sort = self.offset_sort();
        let zero = self.terms.number(sort, 0);
        if count <= 1 {
            return (located.offset, zero);
        }
        let NodeKind::Union(cell, _) = memory.node(whole).kind else {
            return (located.offset, zero);
        };
        let in_array =
            memory.cell(cell).is_map && memory.size(&memory.node(whole).ty) <= 8 || memory.node(whole).count > 1;
        if !in_array {
            return (zero, located.offset);
        }
        let outer = self.terms.exact_quotient(located.offset, i128::from(count));
        let full = self.terms.scale(i128::from(count), outer);
        (outer, self.terms.sub(located.offset, full))
    }

    /// The bits of a part of a union.
    fn view(
        &mut self,
        whole: NodeId,
        bit: u64,
        width: u32,
        located: Located,
        values: &Values,
    ) -> Result<Option<Term>, Inexpressible> {
        let memory = Arc::clone(&self.memory);
        let NodeKind::Union(cell, _) = memory.node(whole).kind else {
            return Ok(None);
        };
        self.require_machine("a union")?;
        let (outer, inner) = self.split(&memory, located, whole);
        let size = memory.size(&memory.node(whole).ty);
        let element = memory.size(&memory.node(located.node).ty);
        if size <= 8 {
            let all = self.cell_at(cell, outer, values);
            let shift = self.bit_position(size, bit, element, inner);
            let shifted = self.terms.bitwise(BitsOp::Lshr, all, shift);
            return Ok(Some(self.terms.low(width, shifted)));
        }
        if !bit.is_multiple_of(8) || !width.is_multiple_of(8) {
            return Ok(None);
        }
        let start = self.byte_position(size, bit, element, outer, inner);
        Ok(Some(self.joined_bytes(cell, start, width / 8, values)))
    }

    /// `bit + 8 * element * inner` as a count for shifting the bits of a union of `size` bytes.
    fn bit_position(&mut self, size: u64, bit: u64, element: u64, inner: Term) -> Term {
        let scaled = self.terms.scale(i128::from(8 * element), inner);
        let sort = Sort::Bits((size * 8) as u32);
        let first = self.terms.number(sort, i128::from(bit));
        let steps = self.terms.low((size * 8) as u32, scaled);
        self.terms.add(first, steps)
    }

    fn byte_position(&mut self, size: u64, bit: u64, element: u64, outer: Term, inner: Term) -> Term {
        let sort = self.offset_sort();
        let first = self.terms.number(sort, i128::from(bit / 8));
        let rows = self.terms.scale(i128::from(size), outer);
        let steps = self.terms.scale(i128::from(element), inner);
        let sum = self.terms.add(first, rows);
        self.terms.add(sum, steps)
    }

    /// `count` bytes of a map, the first one lowest.
    fn joined_bytes(&mut self, cell: CellId, start: Term, count: u32, values: &Values) -> Term {
        let width = count * 8;
        let sort = self.offset_sort();
        let mut all = self.terms.number(Sort::Bits(width), 0);
        for position in 0..count {
            let step = self.terms.number(sort, i128::from(position));
            let at = self.terms.add(start, step);
            let byte = self.cell_at(cell, at, values);
            let wide = if width > 8 { self.terms.zext(width, byte) } else { byte };
            let count = self.terms.number(Sort::Bits(width), i128::from(8 * position));
            let moved = self.terms.bitwise(BitsOp::Shl, wide, count);
            all = self.terms.bitwise(BitsOp::Or, all, moved);
        }
        all
    }

    /// A value seen through a type of another size: integers inside wider ones, or made of narrower ones.
    fn load_bytes(&mut self, located: Located, ty: &Type, values: &Values) -> Result<Option<Scalar>, Inexpressible> {
        let memory = Arc::clone(&self.memory);
        if let Some((part, within)) = self.number_in_struct(located, ty)
            && let Some(Scalar::Number(all)) = self.load(part, &memory.node(part.node).ty, values)?
        {
            let sort = self.offset_sort();
            let within = self.terms.number(sort, i128::from(within));
            let own = memory.size(&memory.node(part.node).ty);
            return Ok(Some(Scalar::Number(self.part(all, within, own, memory.size(ty)))));
        }
        let node = memory.node(located.node);
        let (NodeKind::Scalar(cell, None), true, Arithmetic::Machine, false) =
            (&node.kind, ty.is_arithmetic(), self.arithmetic, located.lost || has_truth_values(ty, &node.ty))
        else {
            return Ok(None);
        };
        let (own, wanted) = (memory.size(&node.ty), memory.size(ty));
        let bytes = located.offset;
        if own == 1 && wanted <= 8 && memory.cell(*cell).is_map {
            return Ok(Some(Scalar::Number(self.joined_bytes(*cell, bytes, wanted as u32, values))));
        }
        if wanted < own && memory.cell(*cell).is_map {
            let quotient = self.terms.exact_quotient(bytes, i128::from(own));
            let full = self.terms.scale(i128::from(own), quotient);
            let rest = self.terms.sub(bytes, full);
            let all = self.cell_at(*cell, quotient, values);
            return Ok(Some(Scalar::Number(self.part(all, rest, own, wanted))));
        }
        if wanted < own {
            let all = self.cell_at(*cell, bytes, values);
            return Ok(Some(Scalar::Number(self.part(all, bytes, own, wanted))));
        }
        Ok(None)
    }

    /// The number in a struct that holds what is seen through another type there, and the first byte in it.
    fn number_in_struct(&mut self, located: Located, ty: &Type) -> Option<(Located, u64)> {
        let is_plain = ty.is_arithmetic() && self.arithmetic == Arithmetic::Machine;
        let is_plain = is_plain && !located.lost && !is_truth_value(ty);
        if !is_plain || !matches!(self.memory.node(located.node).kind, NodeKind::Struct(_)) {
            return None;
        }
        let byte = u64::try_from(self.terms.as_number(located.offset)?).ok()?;
        let (node, index, within) = self.memory.bytes_in(located.node, byte, self.memory.size(ty))?;
        let sort = self.offset_sort();
        let offset = self.terms.number(sort, i128::from(index));
        Some((Located { node, offset, misfit: false, ..located }, within))
    }

    /// `wanted` bytes of an integer of `own` bytes, from byte `at` on.
    fn part(&mut self, all: Term, at: Term, own: u64, wanted: u64) -> Term {
        let bits = self.terms.scale(8, at);
        let shift = if own < 8 { self.terms.low((own * 8) as u32, bits) } else { bits };
        let shifted = self.terms.bitwise(BitsOp::Lshr, all, shift);
        self.terms.low((wanted * 8) as u32, shifted)
    }

    /// Writes a scalar to a node.
    fn store(&mut self, located: Located, ty: &Type, value: Scalar, values: &mut Values) -> Result<(), Inexpressible> {
        let memory = Arc::clone(&self.memory);
        let node = memory.node(located.node);
        let guard = located.guard;
        if located.misfit {
            return self.store_bytes(located, ty, value, values);
        }
        match (&node.kind, value) {
            (NodeKind::Scalar(cell, bits), Scalar::Number(value)) => {
                let value = match bits {
                    Some(width) if self.arithmetic == Arithmetic::Machine => self.terms.low(*width, value),
                    _ => value,
                };
                self.set_cell(*cell, located.offset, value, guard, values);
            }
            (NodeKind::Pointer(object, offset), Scalar::Pointer(pointer)) => {
                let size = |ty: &Type| ty.pointee().map_or(1, |target| memory.size(target));
                let position = self.rescaled(pointer.offset, size(ty), size(&node.ty));
                self.set_cell(*object, located.offset, pointer.object, guard, values);
                self.set_cell(*offset, located.offset, position, guard, values);
            }
            (NodeKind::View { whole, bit, width: Some(width), .. }, Scalar::Number(value)) => {
                self.require_machine("a union")?;
                let (outer, inner) = self.split(&memory, located, *whole);
                let size = memory.size(&memory.node(*whole).ty);
                let element = memory.size(&node.ty);
                let NodeKind::Union(cell, _) = memory.node(*whole).kind else {
                    return Ok(());
                };
                if size <= 8 {
                    let shift = self.bit_position(size, *bit, element, inner);
                    let all = self.cell_at(cell, outer, values);
                    let changed = self.inserted(all, value, shift, (size * 8) as u32, *width);
                    self.set_cell(cell, outer, changed, guard, values);
                } else if bit.is_multiple_of(8) && width.is_multiple_of(8) {
                    let start = self.byte_position(size, *bit, element, outer, inner);
                    self.split_bytes(cell, start, width / 8, value, guard, values);
                } else {
                    self.forget(located.node, guard, values);
                }
            }
            _ => self.forget(located.node, guard, values),
        }
        Ok(())
    }

    /// `all` with `value` of `width` bits put in at `shift`.
    fn inserted(&mut self, all: Term, value: Term, shift: Term, total: u32, width: u32) -> Term {
        let value = if self.terms.width(value) > width { self.terms.low(width, value) } else { value };
        let ones = if width >= 127 { -1 } else { (1i128 << width) - 1 };
        let ones = self.terms.number(Sort::Bits(total), ones);
        let mask = self.terms.bitwise(BitsOp::Shl, ones, shift);
        let kept = self.terms.complement(mask);
        let kept = self.terms.bitwise(BitsOp::And, all, kept);
        let wide = if self.terms.width(value) < total { self.terms.zext(total, value) } else { value };
        let moved = self.terms.bitwise(BitsOp::Shl, wide, shift);
        self.terms.bitwise(BitsOp::Or, kept, moved)
    }

    fn split_bytes(&mut self, cell: CellId, start: Term, count: u32, value: Term, guard: Term, values: &mut Values) {
        let sort = self.offset_sort();
        let width = self.terms.width(value);
        for position in 0..count {
            let step = self.terms.number(sort, i128::from(position));
            let at = self.terms.add(start, step);
            let shift = self.terms.number(Sort::Bits(width), i128::from(8 * position));
            let moved = self.terms.bitwise(BitsOp::Lshr, value, shift);
            let byte = if width > 8 { self.terms.low(8, moved) } else { moved };
            self.set_cell(cell, at, byte, guard, values);
        }
    }

    fn store_bytes(
        &mut self,
        located: Located,
        ty: &Type,
        value: Scalar,
        values: &mut Values,
    ) -> Result<(), Inexpressible> {
        let memory = Arc::clone(&self.memory);
        if let Scalar::Number(value) = value
            && let Some((part, within)) = self.number_in_struct(located, ty)
            && let Some(Scalar::Number(all)) = self.load(part, &memory.node(part.node).ty, values)?
        {
            let width = (memory.size(&memory.node(part.node).ty) * 8) as u32;
            let shift = self.terms.number(Sort::Bits(width), i128::from(8 * within));
            let changed = self.inserted(all, value, shift, width, (memory.size(ty) * 8) as u32);
            return self.store(part, &memory.node(part.node).ty, Scalar::Number(changed), values);
        }
        let node = memory.node(located.node);
        if let (NodeKind::Scalar(cell, None), Scalar::Number(value), Arithmetic::Machine, false) =
            (&node.kind, value, self.arithmetic, located.lost || has_truth_values(ty, &node.ty))
        {
            let (own, wanted) = (memory.size(&node.ty), memory.size(ty));
            let bytes = located.offset;
            if own == 1 && wanted <= 8 && memory.cell(*cell).is_map {
                self.split_bytes(*cell, bytes, wanted as u32, value, located.guard, values);
                return Ok(());
            }
            if wanted < own {
                let sort = self.offset_sort();
                let zero = self.terms.number(sort, 0);
                let quotient = match memory.cell(*cell).is_map {
                    true => self.terms.exact_quotient(bytes, i128::from(own)),
                    false => zero,
                };
                let full = self.terms.scale(i128::from(own), quotient);
                let rest = self.terms.sub(bytes, full);
                let bits = self.terms.scale(8, rest);
                let shift = if own < 8 { self.terms.low((own * 8) as u32, bits) } else { bits };
                let all = self.cell_at(*cell, quotient, values);
                let changed = self.inserted(all, value, shift, (own * 8) as u32, (wanted * 8) as u32);
                self.set_cell(*cell, quotient, changed, located.guard, values);
                return Ok(());
            }
        }
        self.forget(memory.root_of(located.node), located.guard, values);
        Ok(())
    }

    /// Everything in a node becomes unknown where `guard` holds.
    fn forget(&mut self, node: NodeId, guard: Term, values: &mut Values) {
        let memory = Arc::clone(&self.memory);
        let mut effects = Effects::default();
        memory.for_each_cell(node, &mut |cell| {
            self.replace_cell(cell, guard, Origin::Unknown, values, &mut effects);
        });
    }

    /// A cell takes a value that is not computed.
    fn replace_cell(&mut self, cell: CellId, guard: Term, origin: Origin, values: &mut Values, effects: &mut Effects) {
        let info = self.memory.cell(cell).clone();
        if info.constant.is_some() {
            return;
        }
        let fresh = self.new_value(cell, origin, effects);
        let fresh = self.terms.read(fresh);
        if info.content == Content::Object && !info.is_map {
            let fact = self.one_of(fresh, &info.targets);
            effects.facts.push(fact);
        }
        let before = self.read(cell, values);
        let value = self.terms.ite(guard, fresh, before);
        values.insert(cell, value);
    }

    fn new_value(&mut self, cell: CellId, origin: Origin, effects: &mut Effects) -> Symbol {
        match origin {
            Origin::Input => {
                let symbol = self.fresh(cell, "input ");
                effects.inputs.push(symbol);
                symbol
            }
            Origin::Unknown => self.fresh_unknown(cell),
        }
    }

    /// A place takes a value that is not computed: an element of a map one of its own, anything else as a whole.
    fn replace(
        &mut self,
        place: &Place,
        origin: Origin,
        values: &mut Values,
        effects: &mut Effects,
    ) -> Result<(), Inexpressible> {
        let before = values.clone();
        let memory = Arc::clone(&self.memory);
        let is_element = place.path.iter().any(is_index) || place.root().is_none();
        for located in self.locate(place, &before, &mut effects.defined, Checked::Yes)? {
            if located.misfit {
                self.forget(memory.root_of(located.node), located.guard, values);
                continue;
            }
            memory.for_each_cell(located.node, &mut |cell| {
                let info = memory.cell(cell);
                let is_scalar = matches!(memory.node(located.node).kind, NodeKind::Scalar(..) | NodeKind::Pointer(..));
                if !(info.is_map && is_element && is_scalar) {
                    self.replace_cell(cell, located.guard, origin, values, effects);
                    return;
                }
                if info.constant.is_some() {
                    return;
                }
                let sort = self.element_sort(cell);
                let value = match origin {
                    Origin::Input => {
                        let symbol = self.terms.symbol(&format!("input {}", info.name), sort);
                        effects.inputs.push(symbol);
                        self.terms.read(symbol)
                    }
                    Origin::Unknown => self.unknown(sort),
                };
                if info.content == Content::Object {
                    let fact = self.one_of(value, &info.targets);
                    effects.facts.push(fact);
                }
                self.set_cell(cell, located.offset, value, located.guard, values);
            });
        }
        Ok(())
    }

    /// Copies `count` elements of one node to another of the same type.
    fn copy(
        &mut self,
        to: Located,
        from: Located,
        count: u64,
        before: &Values,
        values: &mut Values,
    ) -> Result<(), Inexpressible> {
        let memory = Arc::clone(&self.memory);
        let (target, source) = (memory.node(to.node), memory.node(from.node));
        if to.misfit || from.misfit || target.ty != source.ty {
            let changed = if to.misfit { memory.root_of(to.node) } else { to.node };
            self.forget(changed, to.guard, values);
            return Ok(());
        }
        let pairs: Vec<(CellId, CellId)> = match (&target.kind, &source.kind) {
            (NodeKind::Scalar(a, _), NodeKind::Scalar(b, _)) => vec![(*a, *b)],
            (NodeKind::Pointer(a, x), NodeKind::Pointer(b, y)) => vec![(*a, *b), (*x, *y)],
            (NodeKind::Struct(a), NodeKind::Struct(b)) => {
                for (&member, &other) in a.iter().zip(b) {
                    let inner = memory.node(member).count;
                    let to = self.inside(to, member, inner);
                    let from = self.inside(from, other, inner);
                    self.copy(to, from, count.saturating_mul(inner), before, values)?;
                }
                return Ok(());
            }
            (NodeKind::Union(a, members), NodeKind::Union(b, others)) => {
                for (&member, &other) in members.iter().zip(others) {
                    if let NodeKind::Pointer(..) = memory.node(member).kind {
                        let inner = memory.node(member).count;
                        let to = self.inside(to, member, inner);
                        let from = self.inside(from, other, inner);
                        self.copy(to, from, count.saturating_mul(inner), before, values)?;
                    }
                }
                let size = memory.size(&target.ty);
                if size > 8 {
                    let bytes = i128::from(size);
                    let to = Located { offset: self.terms.scale(bytes, to.offset), ..to };
                    let from = Located { offset: self.terms.scale(bytes, from.offset), ..from };
                    self.copy_cells(&[(*a, *b)], to, from, count.saturating_mul(size), before, values);
                    return Ok(());
                }
                vec![(*a, *b)]
            }
            _ => {
                self.forget(to.node, to.guard, values);
                return Ok(());
            }
        };
        self.copy_cells(&pairs, to, from, count, before, values);
        Ok(())
    }

    fn inside(&mut self, located: Located, member: NodeId, count: u64) -> Located {
        Located { node: member, offset: self.terms.scale(i128::from(count), located.offset), ..located }
    }

    fn copy_cells(
        &mut self,
        pairs: &[(CellId, CellId)],
        to: Located,
        from: Located,
        count: u64,
        before: &Values,
        values: &mut Values,
    ) {
        let sort = self.offset_sort();
        for &(target, source) in pairs {
            let both_start = self.terms.as_number(to.offset) == Some(0) && self.terms.as_number(from.offset) == Some(0);
            let both_maps = self.memory.cell(target).is_map && self.memory.cell(source).is_map;
            if count > MAX_ELEMENTS && both_start && both_maps && self.memory.cell(target).constant.is_none() {
                // Whole arrays: what lies behind their ends does not matter.
                let value = self.read(source, before);
                let old = self.read(target, values);
                let value = self.terms.ite(to.guard, value, old);
                values.insert(target, value);
                continue;
            }
            if count > MAX_ELEMENTS {
                let mut effects = Effects::default();
                self.replace_cell(target, to.guard, Origin::Unknown, values, &mut effects);
                continue;
            }
            for position in 0..count {
                let step = self.terms.number(sort, i128::from(position));
                let (at, there) = (self.terms.add(to.offset, step), self.terms.add(from.offset, step));
                let value = self.cell_at(source, there, before);
                self.set_cell(target, at, value, to.guard, values);
            }
        }
    }

    /// `count` elements of a node become zero.
    fn zero(&mut self, at: Located, count: u64, is_whole: bool, values: &mut Values) -> Result<(), Inexpressible> {
        let memory = Arc::clone(&self.memory);
        if at.misfit {
            self.forget(memory.root_of(at.node), at.guard, values);
            return Ok(());
        }
        let cells: Vec<CellId> = match &memory.node(at.node).kind {
            NodeKind::Scalar(cell, _) => vec![*cell],
            NodeKind::Pointer(object, offset) => vec![*object, *offset],
            NodeKind::Struct(members) => {
                for &member in members {
                    let inner = memory.node(member).count;
                    let part = self.inside(at, member, inner);
                    self.zero(part, count.saturating_mul(inner), is_whole, values)?;
                }
                return Ok(());
            }
            NodeKind::Union(cell, members) => {
                for &member in members {
                    if let NodeKind::Pointer(..) = memory.node(member).kind {
                        let inner = memory.node(member).count;
                        let part = self.inside(at, member, inner);
                        self.zero(part, count.saturating_mul(inner), is_whole, values)?;
                    }
                }
                let size = memory.size(&memory.node(at.node).ty);
                let (scale, count) = if size > 8 { (size, count.saturating_mul(size)) } else { (1, count) };
                let part = Located { offset: self.terms.scale(i128::from(scale), at.offset), ..at };
                self.zero_cells(&[*cell], part, count, is_whole, values);
                return Ok(());
            }
            // A part of a union, or something that pct does not look into.
            _ => {
                self.forget(at.node, at.guard, values);
                return Ok(());
            }
        };
        self.zero_cells(&cells, at, count, is_whole, values);
        Ok(())
    }

    fn zero_cells(&mut self, cells: &[CellId], at: Located, count: u64, is_whole: bool, values: &mut Values) {
        let offset_sort = self.offset_sort();
        for &cell in cells {
            let sort = self.element_sort(cell);
            let zero = self.terms.number(sort, 0);
            let is_map = self.memory.cell(cell).is_map;
            if self.memory.cell(cell).constant.is_some() {
                continue;
            }
            if is_map && is_whole {
                let old = self.read(cell, values);
                let filled = self.terms.fill(self.terms.sort(old), zero);
                let value = self.terms.ite(at.guard, filled, old);
                values.insert(cell, value);
            } else if count > MAX_ELEMENTS {
                self.replace_cell(cell, at.guard, Origin::Unknown, values, &mut Effects::default());
            } else {
                for position in 0..count {
                    let step = self.terms.number(offset_sort, i128::from(position));
                    let index = self.terms.add(at.offset, step);
                    self.set_cell(cell, index, zero, at.guard, values);
                }
            }
        }
    }

    fn require_machine(&self, what: &'static str) -> Result<(), Inexpressible> {
        match self.arithmetic {
            Arithmetic::Machine => Ok(()),
            Arithmetic::Ideal => Err(Inexpressible(what)),
        }
    }
}

/// Whether following a null pointer is undefined, or only an address is computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Checked {
    Yes,
    No,
}

/// Whether one of two types has a bit where the other has a byte.
fn has_truth_values(a: &Type, b: &Type) -> bool {
    is_truth_value(a) || is_truth_value(b)
}

fn is_index(projection: &Projection) -> bool {
    matches!(projection, Projection::Index(..))
}

/// How many innermost elements a value of the type has; a great many where C does not say.
fn elements(ty: &Type) -> u64 {
    match ty.plain() {
        Type::Array(element, Length::Fixed(length)) => elements(element).saturating_mul(*length),
        Type::Array(..) => u64::MAX,
        _ => 1,
    }
}
