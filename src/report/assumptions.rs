//! What the bounds rest on, as clauses behind "it is assumed that"; the same in every format.

use crate::abstraction::Abstraction;
use crate::bounds::Bounds;
use crate::cfg::{Cfg, PointId};
use crate::config::{Arithmetic, Config, Overflow};

/// What U rests on.
pub(super) fn upper(config: &Config, cfg: &Cfg, abstraction: &Abstraction) -> Vec<String> {
    let mut assumptions: Vec<String> = cfg.assumptions.iter().chain(&abstraction.assumptions).cloned().collect();
    if config.arithmetic == Arithmetic::Ideal {
        assumptions.push("no integer leaves the range of its type".to_string());
    }
    assumptions.push(format!("a run is over where it does something undefined: {}", undefined(config, cfg)));
    assumptions
}

/// What L rests on besides.
pub(super) fn lower(config: &Config, cfg: &Cfg, bounds: &Bounds) -> Vec<String> {
    let mut assumptions = Vec::new();
    if !bounds.initial_assumption_holds {
        let exact = bounds.count(|state| state.lower_exact);
        assumptions
            .push(format!("every state of an initial valuation is a start; here that is not so. Without it: {exact}"));
    }
    if !bounds.loops.is_empty() {
        let label = |point: &PointId| cfg.points[point.index()].label.as_str();
        let labels: Vec<&str> = bounds.loops.iter().map(label).collect();
        assumptions.push(format!("runs end: the loop through {} may diverge as far as is known", labels.join(", ")));
    }
    assumptions.push(format!("runs do nothing undefined: no {}", undefined(config, cfg).replace(", ", ", no ")));
    assumptions
}

/// What C does not define and pct does not follow.
fn undefined(config: &Config, cfg: &Cfg) -> String {
    let mut undefined = match (config.arithmetic, config.overflow) {
        (Arithmetic::Ideal, _) => "division by zero",
        (_, Overflow::Assume) => "signed overflow, division by zero, shift by too much",
        (_, Overflow::Error | Overflow::Wrap) => "division by zero, shift by too much",
    }
    .to_string();
    if cfg.follows_pointers() {
        undefined.push_str(", null pointers that are followed");
    }
    undefined
}
