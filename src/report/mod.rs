//! Rendering: results → what people and tools read. One file for each format.

mod assumptions;
pub mod boolean;
pub mod doctor;
pub mod dot;
pub mod given;
pub mod inputs;
pub mod json;
pub mod measure;
pub mod paths;
pub mod suite;
pub mod tests;
pub mod text;

use crate::abstraction::{Abstraction, Node, StateId};
use crate::bounds::{BoundedState, Bounds, CheckVerdict};
use crate::cfg::{Cfg, Check, CheckKind};
use crate::program::Source;

/// How a state is written: `L0:TTFF`.
pub fn state_id(cfg: &Cfg, state: &BoundedState) -> String {
    format!("{}:{}", cfg.points[state.point.index()].label, state.valuation)
}

/// How a state of the abstraction is written: by the predicates that are observed.
pub fn abstract_id(cfg: &Cfg, abstraction: &Abstraction, observed: usize, id: StateId) -> String {
    let state = &abstraction.states[id.index()];
    format!("{}:{}", cfg.points[state.point.index()].label, state.valuation.prefix(observed))
}

/// The words for who asks the environment.
fn source_name(source: &Source) -> String {
    match source {
        Source::Call(name) => format!("{name}()"),
        Source::Outside => "a function from outside".to_string(),
        Source::Volatile => "a volatile read".to_string(),
        Source::VariableArgument => "a variable argument".to_string(),
        Source::Allocation => "no memory left".to_string(),
    }
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
