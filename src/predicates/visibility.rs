//! Which variables definitely have a value at each location (C's rule for reading a local: it must have been set).
//!
//! A forward data-flow analysis: the greatest sets such that a variable is set at a location if it is set on every
//! edge that leads there. Parameters and globals are set at the entry; an array counts as set once its declaration ran.

use std::collections::{BTreeSet, VecDeque};

use crate::cfg::{Action, Cfg};
use crate::program::{Role, VarId, VariableType};

/// For each location, the variables that are set there on every path.
pub(super) fn definitely_set(cfg: &Cfg) -> Vec<BTreeSet<VarId>> {
    // `None` is the top: no path found yet.
    let mut at: Vec<Option<BTreeSet<VarId>>> = vec![None; cfg.successors.len()];
    let entry = (0..cfg.variables.len() as u32)
        .map(VarId)
        .filter(|id| {
            let variable = &cfg.variables[id.index()];
            matches!(variable.role, Role::Parameter | Role::Global)
        })
        .collect();
    at[cfg.entry.index()] = Some(entry);
    let mut work = VecDeque::from([cfg.entry]);
    while let Some(location) = work.pop_front() {
        let here = at[location.index()].clone().expect("it is reached");
        for edge in &cfg.successors[location.index()] {
            let mut after = here.clone();
            match &edge.action {
                Action::Assign(place, _) => {
                    after.insert(place.base());
                }
                Action::Havoc(variable) => {
                    after.insert(*variable);
                }
                Action::Unset(variable) => match cfg.variables[variable.index()].ty {
                    VariableType::Scalar(_) => {
                        after.remove(variable);
                    }
                    VariableType::Array { .. } => {
                        after.insert(*variable);
                    }
                },
                Action::Skip | Action::Test(..) => {}
            }
            let known = &mut at[edge.target.index()];
            let merged = match known {
                None => after,
                Some(known) => known.intersection(&after).copied().collect(),
            };
            if known.as_ref() != Some(&merged) {
                *known = Some(merged);
                work.push_back(edge.target);
            }
        }
    }
    at.into_iter().map(Option::unwrap_or_default).collect()
}
