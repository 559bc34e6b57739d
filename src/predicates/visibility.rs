//! Which variables definitely have a value at each location (C's rule for reading a local: it must have been set).
//!
//! A forward data-flow analysis: the greatest sets such that a part of a variable is set at a location if it is set on
//! every edge that leads there. The parts of a struct are its members; a union is set by any of its members; an array
//! counts as set once its declaration ran, and everything whose address is taken from then on, for who has the address
//! can set it. Only locals are looked at: parameters and globals have a value from the start.

use bitvec::vec::BitVec;
use std::collections::{BTreeMap, VecDeque};

use crate::cfg::{Action, Cfg, LocationId};
use crate::program::{Expr, Place, Projection, Role, Type, Use, VarId};

/// What is set where.
#[derive(Clone, Debug)]
pub(super) struct Visibility {
    parts: BTreeMap<VarId, Part>,
    /// For each location, the parts that are set.
    set: Vec<BitVec>,
}

/// A variable or a member, with its number.
#[derive(Clone, Debug)]
struct Part {
    number: usize,
    members: Vec<Part>,
    is_array: bool,
}

impl Visibility {
    /// Finds out what is set at each location.
    pub(super) fn new(cfg: &Cfg) -> Visibility {
        let mut parts = BTreeMap::new();
        let mut count = 0;
        for (index, variable) in cfg.variables.iter().enumerate() {
            if variable.role == Role::Local {
                parts.insert(VarId(index as u32), part(cfg, &variable.ty, &mut count));
            }
        }
        let mut visibility = Visibility { parts, set: Vec::new() };
        // `None` is the top: no path found yet.
        let mut at: Vec<Option<BitVec>> = vec![None; cfg.successors.len()];
        at[cfg.entry.index()] = Some(BitVec::repeat(false, count));
        let mut work = VecDeque::from([cfg.entry]);
        while let Some(location) = work.pop_front() {
            let here = at[location.index()].clone().expect("it is reached");
            for edge in &cfg.successors[location.index()] {
                let mut after = here.clone();
                visibility.pass(&edge.action, &mut after);
                let known = &mut at[edge.target.index()];
                let merged = match known {
                    None => after,
                    Some(known) => after & known.as_bitslice(),
                };
                if known.as_ref() != Some(&merged) {
                    *known = Some(merged);
                    work.push_back(edge.target);
                }
            }
        }
        visibility.set = at.into_iter().map(|set| set.unwrap_or_else(|| BitVec::repeat(false, count))).collect();
        visibility
    }

    /// Whether everything that an expression reads has a value at a location.
    pub(super) fn is_set(&self, expr: &Expr, location: LocationId) -> bool {
        let set = &self.set[location.index()];
        let mut all_set = true;
        expr.for_each_place(&mut |place, usage| {
            if usage == Use::Read
                && let Some(part) = self.part_of(place)
            {
                all_set &= set[part.number];
            }
        });
        // The lengths of VLAs are variables too.
        expr.for_each_variable(&mut |variable| {
            if let Some(part) = self.parts.get(&variable)
                && part.members.is_empty()
                && !part.is_array
            {
                all_set &= set[part.number] || self.is_only_exposed(expr, variable);
            }
        });
        all_set
    }

    /// Whether an expression takes the address of a variable without reading it.
    fn is_only_exposed(&self, expr: &Expr, variable: VarId) -> bool {
        let mut exposed = false;
        expr.for_each_place(&mut |place, usage| {
            exposed |= usage == Use::Address && place.root() == Some(variable);
        });
        exposed
    }

    fn pass(&self, action: &Action, set: &mut BitVec) {
        action.for_each_exposed(&mut |variable| {
            if let Some(part) = self.parts.get(&variable) {
                part.mark(set, true);
            }
        });
        match action {
            Action::Assign(place, _)
            | Action::Copy(place, _)
            | Action::Zero(place)
            | Action::Havoc(place, _)
            | Action::Forget(place) => {
                if let Some(part) = self.part_of(place) {
                    part.mark(set, true);
                }
            }
            Action::Unset(variable) => {
                if let Some(part) = self.parts.get(variable) {
                    part.declare(set);
                }
            }
            Action::Skip
            | Action::Test(..)
            | Action::HavocObject(_)
            | Action::ForgetObject(_)
            | Action::ForgetMemory => {}
        }
    }

    /// The smallest part that a place lies in.
    fn part_of(&self, place: &Place) -> Option<&Part> {
        let mut part = self.parts.get(&place.root()?)?;
        for projection in &place.path {
            match projection {
                Projection::Field(field) => match part.members.get(*field as usize) {
                    Some(member) => part = member,
                    None => break,
                },
                Projection::Index(..) => break,
            }
        }
        Some(part)
    }
}

impl Part {
    /// The part and its members are set, or not.
    fn mark(&self, set: &mut BitVec, value: bool) {
        set.set(self.number, value);
        for member in &self.members {
            member.mark(set, value);
        }
    }

    /// A declaration ran.
    fn declare(&self, set: &mut BitVec) {
        set.set(self.number, self.is_array);
        for member in &self.members {
            member.declare(set);
        }
    }
}

fn part(cfg: &Cfg, ty: &Type, count: &mut usize) -> Part {
    let number = *count;
    *count += 1;
    let mut members = Vec::new();
    if let Type::Record(id) = ty.plain() {
        let record = &cfg.records[id.index()];
        if !record.is_union {
            for field in record.fields.iter().flatten() {
                members.push(part(cfg, &field.ty, count));
            }
        }
    }
    Part { number, members, is_array: matches!(ty.plain(), Type::Array(..)) }
}
