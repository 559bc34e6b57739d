//! The tests of a function: a table like Figure 7 (end points, inputs, what happened), and what they show together.

use std::fmt::Write;

use super::text::{Style, counted};
use super::{abstract_id, inputs};
use crate::abstraction::{Abstraction, StateId};
use crate::bounds::{Bounds, Verdict};
use crate::cfg::Cfg;
use crate::execution::campaign::{Campaign, Ran};
use crate::execution::{End, Run};
use crate::program::SourceMap;
use crate::testgen::Outcome;

/// What the tables look names up in.
#[derive(Clone, Copy)]
pub struct Tables<'a> {
    /// The graph of the function.
    pub cfg: &'a Cfg,
    /// The abstraction that the tests are made from.
    pub abstraction: &'a Abstraction,
    /// How many of its predicates are observed.
    pub observed: usize,
    /// The files.
    pub sources: &'a SourceMap,
}

impl Tables<'_> {
    /// How a state is written.
    pub fn id(&self, state: StateId) -> String {
        abstract_id(self.cfg, self.abstraction, self.observed, state)
    }

    /// The first and the last state of a test.
    pub(super) fn ends(&self, states: &[StateId]) -> String {
        match (states.first(), states.last()) {
            (Some(first), Some(last)) => format!("({}, {})", self.id(*first), self.id(*last)),
            _ => "(entry)".to_string(),
        }
    }
}

/// The name of a test by its number.
pub fn test_name(number: usize) -> String {
    format!("t{:02}", number + 1)
}

/// The table of the tests, and the paths without one.
pub fn table(tables: Tables<'_>, campaign: &Campaign, style: Style) -> String {
    let mut rows = vec![["test", "path", "inputs", "what happened"].map(String::from)];
    for (number, ran) in campaign.tests.iter().enumerate() {
        let mut path = tables.ends(&ran.test.states);
        if let Some(check) = ran.test.failure {
            let check = &tables.cfg.checks[check.0 as usize];
            let _ = write!(path, " → {} in line {}", check.kind.name(), check.span.line);
        }
        let inputs = inputs::line(tables.cfg, &ran.test.inputs);
        rows.push([test_name(number), path, shortened(&inputs, style.width / 2), happened(tables, ran)]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let mut text = String::new();
    for row in &rows {
        let [name, path, inputs, end] = row;
        let line = format!("  {name:a$}  {path:b$}  {inputs:c$}  {end}", a = widths[0], b = widths[1], c = widths[2]);
        let _ = writeln!(text, "{}", line.trim_end());
    }
    for (path, outcome) in &campaign.failures {
        let (ends, why) = (tables.ends(&path.states), reason(outcome));
        let _ = writeln!(text, "  {:a$}  {ends:b$}  {why}", "-", a = widths[0], b = widths[1]);
    }
    text.push('\n');
    text
}

/// Why a path has no test, in words.
pub fn reason(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Test(_) => String::new(),
        Outcome::Infeasible => "no input takes it".to_string(),
        Outcome::Unknown => "the solver gave up".to_string(),
        Outcome::Unrealizable(why) => format!("no memory can be made for it: {why}"),
    }
}

/// What a run came to, in a few words.
fn happened(tables: Tables<'_>, ran: &Ran) -> String {
    let Some(run) = &ran.run else {
        return "not run".to_string();
    };
    let mut words = end(run);
    if run.end.went_wrong()
        && let Some(last) = ran.last
    {
        let _ = write!(words, ", after {}", tables.id(last));
    }
    if ran.strayed.is_some() {
        words.push_str(", left the path");
    }
    words
}

/// How a run ended, in words.
pub fn end(run: &Run) -> String {
    match &run.end {
        End::Returned => "returned".to_string(),
        End::Exited(code) => format!("exited with {code}"),
        End::AssumedAway => "an assumption did not hold".to_string(),
        End::Wrong(failure) => {
            let place = failure.line.as_ref().map_or(String::new(), |(_, line)| format!(" in line {line}"));
            format!("{} error{place}", failure.kind.name())
        }
        End::Crashed { signal } => format!("crashed (signal {signal})"),
        End::TimedOut => "did not end in time".to_string(),
        End::TooMuchMemory => "used too much memory".to_string(),
        End::TooMuchOutput => "wrote too much".to_string(),
        End::TooManyProcesses => "started too many processes".to_string(),
        End::Unrunnable(why) => format!("could not be run: {why}"),
    }
}

/// What the tests have shown, in a few lines.
pub fn summary(tables: Tables<'_>, campaign: &Campaign, bounds: &Bounds) -> String {
    let mut text = String::new();
    let (upper, lower) = (bounds.states.len(), bounds.count(|state| state.lower));
    let witnessed = bounds.count(|state| state.witnessed);
    let of_lower = bounds.count(|state| state.witnessed && state.lower);
    let _ = writeln!(
        text,
        "  {}, {witnessed} of {upper} states shown: {of_lower} of the {lower} in L, {} more, {} open",
        counted(campaign.tests.len(), "test"),
        witnessed - of_lower,
        bounds.count(|state| state.verdict == Verdict::Open),
    );
    let missed: Vec<String> = bounds
        .states
        .iter()
        .filter(|state| state.lower && !state.witnessed)
        .map(|state| super::state_id(tables.cfg, state))
        .collect();
    if !missed.is_empty() && campaign.tests.iter().any(|ran| ran.run.is_some()) {
        let _ = writeln!(text, "  guaranteed, but not shown ({}): {}", missed.len(), super::text::listed(missed));
    }
    let open: Vec<String> = bounds
        .states
        .iter()
        .filter(|state| state.verdict == Verdict::Open)
        .map(|state| super::state_id(tables.cfg, state))
        .collect();
    if !open.is_empty() {
        let _ = writeln!(text, "  open ({}): {}", open.len(), super::text::listed(open));
    }
    if campaign.interrupted {
        text.push_str("  stopped before the end: these are the tests found so far\n");
    }
    for defect in &campaign.defects {
        let _ = writeln!(
            text,
            "  defect in pct: {}: {}\n    inputs: {}",
            test_name(defect.test),
            defect.what,
            inputs::line(tables.cfg, &campaign.tests[defect.test].test.inputs)
        );
    }
    text
}

fn shortened(text: &str, width: usize) -> String {
    let width = width.max(20);
    if text.chars().count() <= width {
        return text.to_string();
    }
    let mut short: String = text.chars().take(width - 1).collect();
    short.push('…');
    short
}
