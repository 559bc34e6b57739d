//! What a refinement found out, as people read it, and the file of the predicates that it found.

use std::fmt::Write;

use super::text::{self, Style, counted, listed};
use super::{Results, state_id};
use crate::bounds::Verdict;
use crate::refinement::Step;

/// The whole report: the matrix with the final verdicts, the predicates, and what is left.
pub fn text(results: Results<'_>, style: Style) -> String {
    let mut text = text::matrix(results, style);
    let Results { cfg, bounds, refinement, campaign, .. } = results;
    for step in refinement.unwrap_or_default() {
        let Step { candidate, open_before, open_after } = step;
        let (predicate, kind) = (&candidate.text, candidate.kind.name());
        let _ = writeln!(text, "  tracked  {predicate}  ({kind}; open states {open_before} -> {open_after})");
    }
    let _ = writeln!(
        text,
        "  |U| = {}, |L| = {}, |L|/|U| = {:.3}; {} shown by {}, {} proved unreachable, {} open",
        bounds.upper(),
        bounds.count(|state| state.lower),
        bounds.ratio(),
        counted(bounds.count(|state| state.witnessed), "state"),
        counted(campaign.map_or(0, |campaign| campaign.tests.len()), "test"),
        bounds.count(|state| state.verdict == Verdict::Unreachable),
        bounds.open().len(),
    );
    for (verdict, words) in [(Verdict::Unreachable, "unreachable"), (Verdict::Open, "open")] {
        let states: Vec<String> =
            bounds.states.iter().filter(|state| state.verdict == verdict).map(|state| state_id(cfg, state)).collect();
        if !states.is_empty() {
            let _ = writeln!(text, "  {words} ({}): {}", states.len(), listed(states));
        }
    }
    for defect in campaign.iter().flat_map(|campaign| &campaign.defects) {
        let _ = writeln!(text, "  defect in pct: {}", defect.what);
    }
    text
}

/// The predicates, one a line, each with why it is there.
pub fn predicate_file(steps: &[Step]) -> String {
    let line = |Step { candidate, open_before, open_after }: &Step| {
        format!("{} # {}: open states {open_before} -> {open_after}\n", candidate.text, candidate.kind.name())
    };
    steps.iter().map(line).collect()
}
