//! Which variables definitely have a value at each location (C's rule for reading a local: it must have been set).
//!
//! A forward data-flow analysis: the greatest sets such that a variable is set at a location if it is set on every
//! edge that leads there. Parameters and globals are set at the entry; an array or a struct
//! counts as set once its declaration ran, and a variable whose address is taken from then on.

use std::collections::{BTreeSet, VecDeque};

use crate::cfg::{Action, Cfg};
use crate::program::{Role, VarId};

/// For each location, the variables that are set there on every path.
pub(super) fn definitely_set(cfg: &Cfg) -> Vec<BTreeSet<VarId>> {
    // `None` is the top: no path found yet.
    let mut at: Vec<Option<BTreeSet<VarId>>> = vec![None; cfg.successors.len()];
    let entry = (0..cfg.variables.len() as u32)
        .map(VarId)
        .filter(|id| {
            let variable = &cfg.variables[id.index()];
            matches!(variable.role, Role::Parameter | Role::Global | Role::Literal | Role::Heap { .. })
        })
        .collect();
    at[cfg.entry.index()] = Some(entry);
    let mut work = VecDeque::from([cfg.entry]);
    while let Some(location) = work.pop_front() {
        let here = at[location.index()].clone().expect("it is reached");
        for edge in &cfg.successors[location.index()] {
            let mut after = here.clone();
            edge.action.for_each_exposed(&mut |variable| {
                // Who has the address can set it.
                after.insert(variable);
            });
            match &edge.action {
                Action::Assign(place, _)
                | Action::Copy(place, _)
                | Action::Zero(place)
                | Action::Havoc(place)
                | Action::Forget(place) => after.extend(place.root()),
                Action::Unset(variable) if cfg.variables[variable.index()].ty.is_scalar() => {
                    after.remove(variable);
                }
                Action::Unset(variable) => {
                    after.insert(*variable);
                }
                Action::Skip | Action::Test(..) | Action::HavocObject(_) | Action::ForgetMemory => {}
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
