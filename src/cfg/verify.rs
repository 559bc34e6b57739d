//! What every graph satisfies, checked after it is built.
//!
//! 1. Terminal locations have no successors.
//! 2. The edges of a location are one skip, assignment or havoc, or the two outcomes of one test.
//! 3. Every cycle passes through a point.
//! 4. Point and location tables agree, and names of points are unique.

use petgraph::algo::is_cyclic_directed;
use petgraph::graphmap::DiGraphMap;
use std::collections::BTreeSet;

use super::{Action, Cfg, LocationId};

/// The first invariant that is broken.
pub(super) fn verify(cfg: &Cfg) -> Result<(), String> {
    let ends = cfg.checks.iter().map(|check| check.location).chain([LocationId::HALT, LocationId::STUCK]);
    for terminal in ends {
        if !cfg.successors[terminal.index()].is_empty() {
            return Err(format!("the terminal location {terminal:?} has successors"));
        }
    }
    let mut graph: DiGraphMap<u32, ()> = DiGraphMap::new();
    for (from, edges) in cfg.successors.iter().enumerate() {
        let well_formed = match edges.as_slice() {
            [] => true,
            [one] => !matches!(one.action, Action::Test(..)),
            [yes, no] => match (&yes.action, &no.action) {
                (Action::Test(a, true), Action::Test(b, false)) => a == b,
                _ => false,
            },
            _ => false,
        };
        if !well_formed {
            return Err(format!("location {from} has ill-formed edges: {edges:?}"));
        }
        for edge in edges {
            // A point is entered at one node and left from another, so that cycles through it are open.
            let leaves_point = cfg.point_at[from].is_some();
            let node = if leaves_point { from as u32 + cfg.successors.len() as u32 } else { from as u32 };
            graph.add_edge(node, edge.target.0, ());
        }
    }
    if is_cyclic_directed(&graph) {
        return Err("a cycle has no point".to_string());
    }
    let names: BTreeSet<&String> = cfg.points.iter().map(|point| &point.label).collect();
    if names.len() != cfg.points.len() {
        return Err("two points have the same name".to_string());
    }
    for (index, point) in cfg.points.iter().enumerate() {
        let at = cfg.point_at[point.location.index()];
        if at.map(|id| id.index()) != Some(index) {
            return Err(format!("point {} is not at its location", point.label));
        }
    }
    Ok(())
}
