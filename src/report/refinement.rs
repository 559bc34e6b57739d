//! What a refinement found out, as people read it, and the file of the predicates that it found.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::certificate::{self, Options};
use super::text::{self, Style, counted, listed};
use super::{Results, state_id};
use crate::bounds::Verdict;
use crate::error::{Error, Result};
use crate::refinement::candidates::{Candidate, Kind};
use crate::refinement::{Observable, Proved, Step};

/// For at most so many open states it is told what was tried.
const MAX_ATTEMPTS: usize = 8;

/// The whole report: the matrix with the final verdicts, the predicates, and what is left.
pub fn text(results: Results<'_>, attempts: &BTreeMap<Observable, String>, style: Style) -> String {
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
    for ((point, values), attempt) in attempts.iter().take(MAX_ATTEMPTS) {
        let _ = writeln!(text, "    {}:{values}: {attempt}", cfg.points[point.index()].label);
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

/// The word by which the file of a refinement is known.
const SCHEMA: &str = "pct-refinement/1";

/// What is kept of a refinement, to go on with it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    schema: String,
    /// What it is about: the function, how it is read, the texts of the files.
    subject: Subject,
    steps: Vec<KeptStep>,
    unreachable: Vec<String>,
}

#[derive(Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
struct Subject {
    function: String,
    options: Options,
    predicates: Vec<String>,
    points: Vec<String>,
    /// A hash of the texts of the files.
    sources: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptStep {
    predicate: String,
    kind: String,
    open_before: usize,
    open_after: usize,
}

impl Subject {
    fn of(Results { config, labels, sources, cfg, predicates, .. }: Results<'_>) -> Subject {
        let texts: Vec<u8> = sources.files.iter().flat_map(|(_, text)| text.bytes()).collect();
        Subject {
            function: cfg.function.clone(),
            options: Options::of(config, labels),
            predicates: predicates.predicates.iter().map(|predicate| predicate.text.clone()).collect(),
            points: cfg.points.iter().map(|point| point.label.clone()).collect(),
            sources: super::suite::hash(&texts),
        }
    }
}

/// What was proved, as a file to go on from.
pub fn state(results: Results<'_>, proved: &Proved) -> String {
    let cfg = results.cfg;
    let steps = proved.steps.iter().map(|Step { candidate, open_before, open_after }| KeptStep {
        predicate: candidate.text.clone(),
        kind: candidate.kind.name().to_string(),
        open_before: *open_before,
        open_after: *open_after,
    });
    let name = |(point, values): &Observable| format!("{}:{values}", cfg.points[point.index()].label);
    let state = State {
        schema: SCHEMA.to_string(),
        subject: Subject::of(results),
        steps: steps.collect(),
        unreachable: proved.unreachable.iter().map(name).collect(),
    };
    serde_json::to_string_pretty(&state).expect("it is plain data") + "\n"
}

/// What the text of such a file says, if it is about the same function in the same files.
pub fn read_state(results: Results<'_>, text: &str, file: &str) -> Result<Proved> {
    let wrong = |what: &str| {
        Error::usage_with_help(
            format!("cannot go on from {file}: {what}"),
            "name another file with --state, or remove this one to begin anew",
        )
    };
    let state: State = serde_json::from_str(text).map_err(|error| wrong(&error.to_string()))?;
    if state.schema != SCHEMA {
        return Err(wrong(&format!("its schema is not {SCHEMA}")));
    }
    if state.subject != Subject::of(results) {
        return Err(wrong("it was made for other sources, predicates or options"));
    }
    let observed = results.predicates.observed_count();
    let states = state.unreachable.iter().map(|name| certificate::state(results.cfg, name, observed));
    let unreachable = states.collect::<Option<_>>().ok_or_else(|| wrong("it names a state that there is not"))?;
    let steps = state.steps.into_iter().map(|KeptStep { predicate, kind, open_before, open_after }| {
        let kind = Kind::named(&kind)?;
        Some(Step { candidate: Candidate { text: predicate, kind }, open_before, open_after })
    });
    let steps = steps.collect::<Option<_>>().ok_or_else(|| wrong("it names a kind of predicate that there is not"))?;
    Ok(Proved { steps, unreachable })
}
