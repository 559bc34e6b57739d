//! What the graph takes for granted about memory: each array, and what each pointer parameter points to, is an object of
//! its own without end.

use std::collections::BTreeSet;

use super::Cfg;
use crate::program::{Role, Type, VarId};

/// The assumptions that matter for the function with these parameters, as clauses.
pub(super) fn of_memory(cfg: &Cfg, parameters: &[VarId]) -> Vec<String> {
    let mut used = BTreeSet::new();
    for edge in cfg.successors.iter().flatten() {
        edge.action.for_each_variable(&mut |variable| {
            used.insert(variable);
        });
    }
    let ty = |id: &VarId| cfg.variables[id.index()].ty.plain();
    let is_pointer =
        |id: &VarId| matches!(ty(id), Type::Pointer(target) if !matches!(target.plain(), Type::Function(_)));
    let pointers: Vec<String> = parameters
        .iter()
        .filter(|id| is_pointer(id))
        .map(|id| format!("`{}`", cfg.variables[id.index()].name))
        .collect();
    let globals: Vec<String> = used
        .iter()
        .filter(|id| cfg.variables[id.index()].role == Role::Global)
        .map(|id| format!("`{}`", cfg.variables[id.index()].name))
        .collect();
    let mut assumptions = Vec::new();
    if pointers.len() > 1 {
        assumptions.push(format!("{} point to different objects", pointers.join(", ")));
    }
    if !pointers.is_empty() && !globals.is_empty() {
        assumptions.push(format!("no pointer parameter points to {}", globals.join(", ")));
    }
    if used.iter().any(|id| is_pointer(id) || matches!(ty(id), Type::Array(..))) {
        assumptions.push("an access outside an array touches no other object".to_string());
    }
    assumptions
}
