//! Pointers that always have the same offset: parameters that are never moved, above all.
//!
//! The greatest solution of: an offset is constant if every assignment to its pointer gives that offset, which may itself
//! rest on offsets that are constant. Only pointers that are variables of their own, and whose address nobody takes, are
//! looked at, so every assignment is plain to see. Globals are not among them: other code sets them.

use std::collections::{BTreeMap, BTreeSet};

use super::points_to::for_each_expr;
use super::{Memory, NodeKind};
use crate::cfg::{Action, Cfg};
use crate::program::{Base, Expr, ExprKind, Place, Projection, Role, VarId, fold};

/// What is known of the offset of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// No assignment has been looked at.
    Nothing,
    /// All so far give this.
    Constant(i128),
}

/// Marks the offset cells that are constant.
pub(super) fn find(memory: &mut Memory, cfg: &Cfg) {
    let mut candidates: BTreeMap<VarId, Known> = BTreeMap::new();
    for (index, variable) in cfg.variables.iter().enumerate() {
        let id = VarId(index as u32);
        let is_local = matches!(variable.role, Role::Local | Role::Temporary);
        // A parameter of the function itself begins where the object begins that it is given.
        let start = if memory.given.contains_key(&id) { Known::Constant(0) } else { Known::Nothing };
        if variable.ty.pointee().is_some() && (is_local || memory.given.contains_key(&id)) {
            candidates.insert(id, start);
        }
    }
    let mut exposed = BTreeSet::new();
    for_each_expr(cfg, &mut |expr| {
        if let ExprKind::Address(place) = &expr.kind
            && let Some(variable) = place.root()
        {
            exposed.insert(variable);
        }
    });
    candidates.retain(|variable, _| !exposed.contains(variable));
    for (index, variable) in cfg.variables.iter().enumerate() {
        if matches!(variable.role, Role::Global | Role::Heap { .. }) && !variable.ty.qualifiers().is_const {
            exposed.insert(VarId(index as u32));
        }
    }
    memory.exposed = exposed;
    loop {
        let mut changed = false;
        for edge in cfg.successors.iter().flatten() {
            let (variable, offset) = match &edge.action {
                Action::Assign(place, value) => match place.as_variable() {
                    Some(variable) => (variable, offset_of(memory, value, &candidates)),
                    None => continue,
                },
                Action::Copy(place, _) | Action::Zero(place) | Action::Havoc(place, _) | Action::Forget(place) => {
                    match place.as_variable() {
                        Some(variable) => (variable, Offset::Other),
                        None => continue,
                    }
                }
                _ => continue,
            };
            let Some(known) = candidates.get(&variable).copied() else {
                continue;
            };
            let next = match (known, offset) {
                (_, Offset::Unknown) => continue,
                (Known::Nothing, Offset::Constant(value)) => Some(Known::Constant(value)),
                (Known::Constant(old), Offset::Constant(value)) if old == value => continue,
                _ => None,
            };
            changed = true;
            match next {
                Some(next) => candidates.insert(variable, next),
                None => candidates.remove(&variable),
            };
        }
        if !changed {
            break;
        }
    }
    for (variable, known) in candidates {
        if let (Known::Constant(value), NodeKind::Pointer(_, offset)) =
            (known, memory.node(memory.root(variable)).kind.clone())
        {
            memory.cells[offset.index()].constant = Some(value);
        }
    }
}

/// The offset of a pointer.
enum Offset {
    Constant(i128),
    /// Not known yet: it rests on a variable that nothing was assigned to.
    Unknown,
    /// Not constant.
    Other,
}

fn offset_of(memory: &Memory, expr: &Expr, candidates: &BTreeMap<VarId, Known>) -> Offset {
    match &expr.kind {
        ExprKind::Constant(0) | ExprKind::Function(_) => Offset::Constant(0),
        ExprKind::Load(place) => match place.as_variable().and_then(|variable| candidates.get(&variable)) {
            Some(Known::Constant(value)) => Offset::Constant(*value),
            Some(Known::Nothing) => Offset::Unknown,
            None => Offset::Other,
        },
        ExprKind::Address(place) => match &place.base {
            Base::Variable(_) => constant_path(memory, place).map_or(Offset::Other, Offset::Constant),
            Base::Pointee(pointer) => {
                // A member of an element: only from the first element is the offset plain.
                let at_start = constant_path(memory, place) == Some(0);
                match offset_of(memory, pointer, candidates) {
                    Offset::Constant(0) if at_start => Offset::Constant(0),
                    Offset::Unknown => Offset::Unknown,
                    _ => Offset::Other,
                }
            }
        },
        ExprKind::Cast(inner) if inner.ty.pointee().is_some() => match offset_of(memory, inner, candidates) {
            Offset::Constant(0) => Offset::Constant(0),
            Offset::Constant(value) if size(memory, inner) == size(memory, expr) => Offset::Constant(value),
            Offset::Unknown => Offset::Unknown,
            _ => Offset::Other,
        },
        _ => Offset::Other,
    }
}

fn size(memory: &Memory, pointer: &Expr) -> u64 {
    pointer.ty.pointee().map_or(1, |target| memory.size(target))
}

/// The offset that a path of constant indices leads to.
fn constant_path(memory: &Memory, place: &Place) -> Option<i128> {
    let mut offset = 0;
    let mut nodes = memory.places(&Place { path: Vec::new(), ..place.clone() });
    for projection in &place.path {
        match projection {
            Projection::Index(index, stride) => {
                if !stride.lengths.is_empty() {
                    return None;
                }
                offset += fold(index)? * i128::from(stride.factor);
            }
            Projection::Field(field) => {
                nodes = nodes.into_iter().filter_map(|node| memory.member(node, *field)).collect();
                let counts: BTreeSet<u64> = nodes.iter().map(|node| memory.node(*node).count).collect();
                let count = counts.first().copied().filter(|_| counts.len() == 1)?;
                offset *= i128::from(count);
            }
        }
    }
    Some(offset)
}
