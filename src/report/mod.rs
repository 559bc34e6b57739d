//! Rendering: results → what people and tools read. One file for each format.

mod assumptions;
pub mod boolean;
pub mod doctor;
pub mod dot;
pub mod json;
pub mod text;

use crate::abstraction::Node;
use crate::bounds::{BoundedState, Bounds, CheckVerdict};
use crate::cfg::{Cfg, Check, CheckKind};

/// How a state is written: `L0:TTFF`.
pub fn state_id(cfg: &Cfg, state: &BoundedState) -> String {
    format!("{}:{}", cfg.points[state.point.index()].label, state.valuation)
}

/// The checks with what is known of them; what is not told apart is named only if something goes wrong there.
fn checks<'a>(cfg: &'a Cfg, bounds: &'a Bounds) -> impl Iterator<Item = (&'a Check, CheckVerdict)> {
    let all = cfg.checks.iter().zip(bounds.checks.iter().copied());
    all.filter(|(check, verdict)| check.kind != CheckKind::Other || *verdict != CheckVerdict::Safe)
}

/// How many states the prelude leads to.
fn initial_count(bounds: &Bounds) -> usize {
    bounds.transitions.iter().filter(|t| t.from == Node::Entry && matches!(t.to, Node::State(_))).count()
}
