//! What the graph takes for granted about memory: each array, and what each pointer parameter points to, is an object of
//! its own without end.

use std::collections::BTreeSet;

use super::{Action, Cfg};
use crate::program::{Role, VarId, VariableType};

/// The assumptions that matter for the function with these parameters, as clauses.
pub(super) fn of_memory(cfg: &Cfg, parameters: &[VarId]) -> Vec<String> {
    let mut used = BTreeSet::new();
    let mut note = |variable| {
        used.insert(variable);
    };
    for edge in cfg.successors.iter().flatten() {
        match &edge.action {
            Action::Assign(place, value) => {
                place.for_each_variable(&mut note);
                value.for_each_variable(&mut note);
            }
            Action::Test(condition, _) => condition.for_each_variable(&mut note),
            Action::Havoc(variable) => note(*variable),
            Action::Skip | Action::Unset(_) => {}
        }
    }
    let is_array = |id: &VarId| matches!(cfg.variables[id.index()].ty, VariableType::Array { .. });
    let pointers: Vec<String> =
        parameters.iter().filter(|id| is_array(id)).map(|id| format!("`{}`", cfg.variables[id.index()].name)).collect();
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
    if used.iter().any(is_array) {
        assumptions.push("an access outside an array touches no other object".to_string());
    }
    assumptions
}
