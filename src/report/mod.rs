//! Rendering: results → what people and tools read. One file for each format.

mod assumptions;
pub mod boolean;
pub mod dot;
pub mod json;
pub mod text;

use crate::abstraction::Node;
use crate::bounds::{BoundedState, Bounds};
use crate::cfg::Cfg;

/// How a state is written: `L0:TTFF`.
pub fn state_id(cfg: &Cfg, state: &BoundedState) -> String {
    format!("{}:{}", cfg.points[state.point.index()].label, state.valuation)
}

/// How many states the prelude leads to.
fn initial_count(bounds: &Bounds) -> usize {
    bounds.transitions.iter().filter(|t| t.from == Node::Entry && matches!(t.to, Node::State(_))).count()
}
