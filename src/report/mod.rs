//! Rendering: results → what people and tools read. One file for each format.

mod assumptions;
pub mod boolean;
pub mod certificate;
pub mod doctor;
pub mod dot;
pub mod explain;
pub mod given;
pub mod inputs;
pub mod json;
pub mod measure;
pub mod paths;
pub mod refinement;
pub mod session;
pub mod suite;
pub mod tests;
pub mod text;

use std::collections::BTreeMap;

use crate::abstraction::{Abstraction, Node, StateId};
use crate::bounds::{BoundedState, Bounds, CheckVerdict};
use crate::cfg::{Cfg, Check, CheckId, CheckKind};
use crate::config::Config;
use crate::execution::campaign::Campaign;
use crate::execution::measure::Measurement;
use crate::predicates::PredicateSet;
use crate::program::{Source, SourceMap};
use crate::refinement::Step;
use crate::testgen::inputs::Inputs;

/// What there is to tell of a function.
#[derive(Clone, Copy)]
pub struct Results<'a> {
    /// The settings.
    pub config: &'a Config,
    /// Whether the points are the labels of the function.
    pub labels: bool,
    /// The files.
    pub sources: &'a SourceMap,
    /// The graph of the function.
    pub cfg: &'a Cfg,
    /// What is observed.
    pub predicates: &'a PredicateSet,
    /// The Boolean abstraction.
    pub abstraction: &'a Abstraction,
    /// The bounds.
    pub bounds: &'a Bounds,
    /// Inputs that make checks fail.
    pub failures: &'a Failures,
    /// The tests, if there are any.
    pub campaign: Option<&'a Campaign>,
    /// The predicates that a refinement added, if there was one.
    pub refinement: Option<&'a [Step]>,
    /// What tests of the user's have shown, if that was measured.
    pub measurement: Option<&'a Measurement>,
}

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
fn checks<'a>(cfg: &'a Cfg, bounds: &'a Bounds, failures: &'a Failures) -> impl Iterator<Item = CheckResult<'a>> {
    let all = cfg.checks.iter().zip(&bounds.checks).enumerate().map(|(index, (check, verdict))| CheckResult {
        check,
        verdict: *verdict,
        inputs: failures.get(&CheckId(index as u32)),
    });
    all.filter(|result| result.check.kind != CheckKind::Other || result.verdict != CheckVerdict::Safe)
}

/// Inputs that make checks fail.
pub type Failures = BTreeMap<CheckId, Inputs>;

/// A check with what is known of it.
struct CheckResult<'a> {
    check: &'a Check,
    verdict: CheckVerdict,
    /// Inputs for which it fails, if some were found.
    inputs: Option<&'a Inputs>,
}

/// How many states the prelude leads to.
fn initial_count(bounds: &Bounds) -> usize {
    bounds.transitions.iter().filter(|t| t.from == Node::Entry && matches!(t.to, Node::State(_))).count()
}
