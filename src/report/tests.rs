//! The tests of a function: a table like Figure 7 (end points, inputs, what happened), and what they show together.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use super::text::{Style, counted};
use super::{abstract_id, inputs};
use crate::abstraction::{Abstraction, StateId};
use crate::bounds::{Bounds, Verdict};
use crate::cfg::Cfg;
use crate::execution::campaign::{Campaign, Ran};
use crate::execution::{End, Run};
use crate::paths::Path;
use crate::program::SourceMap;
use crate::testgen::Outcome;
use crate::testgen::engine::{Engine, Solved};

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
    let several = campaign.solved.iter().any(|(_, answers)| answers.len() > 1);
    let mut rows = vec![["test", "path", "inputs", "what happened"].map(String::from)];
    for (number, ran) in campaign.tests.iter().enumerate() {
        let mut path = tables.ends(&ran.test.states);
        if let Some(check) = ran.test.failure {
            let check = &tables.cfg.checks[check.0 as usize];
            let _ = write!(path, " → {} in line {}", check.kind.name(), check.span.line);
        }
        if several {
            let _ = write!(path, " {}", ran.engine.name());
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
    for (path, answer) in without_test(campaign) {
        let (mut ends, why) = (tables.ends(&path.states), reason(&answer.outcome));
        if several {
            let _ = write!(ends, " {}", answer.engine.name());
        }
        let _ = writeln!(text, "  {:a$}  {ends:b$}  {why}", "-", a = widths[0], b = widths[1]);
    }
    text.push('\n');
    if several {
        text.push_str(&times(tables, campaign));
    }
    text
}

/// The paths for which an engine found no test.
pub fn without_test(campaign: &Campaign) -> impl Iterator<Item = (&Path, &Solved)> {
    let answers = campaign.solved.iter().flat_map(|(path, answers)| answers.iter().map(move |answer| (path, answer)));
    answers.filter(|(_, answer)| !matches!(answer.outcome, Outcome::Test(_)))
}

/// How long each engine took for each path.
fn times(tables: Tables<'_>, campaign: &Campaign) -> String {
    let mut text = String::from("  time to solve\n");
    let milliseconds = |time: Duration| format!("{:10.1} ms", time.as_secs_f64() * 1000.0);
    let mut sums: BTreeMap<Engine, Duration> = BTreeMap::new();
    for (path, answers) in &campaign.solved {
        let _ = write!(text, "  {:24}", tables.ends(&path.states));
        for answer in answers {
            *sums.entry(answer.engine).or_default() += answer.time;
            let _ = write!(text, "  {} {}", answer.engine.name(), milliseconds(answer.time));
        }
        text.push('\n');
    }
    let _ = write!(text, "  {:24}", "all");
    for (engine, time) in sums {
        let _ = write!(text, "  {} {}", engine.name(), milliseconds(time));
    }
    text.push_str("\n\n");
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
    let (upper, lower) = (bounds.upper(), bounds.count(|state| state.lower));
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
    for note in &campaign.notes {
        let _ = writeln!(text, "  note: {note}");
    }
    if campaign.interrupted {
        text.push_str("  stopped before the end: these are the tests found so far\n");
    }
    for defect in &campaign.defects {
        let _ = writeln!(text, "  defect in pct: {}", defect.what);
        if let Some(number) = defect.test {
            let inputs = inputs::line(tables.cfg, &campaign.tests[number].test.inputs);
            let _ = writeln!(text, "    {} with {inputs}", test_name(number));
        }
    }
    text
}

pub(super) fn shortened(text: &str, width: usize) -> String {
    let width = width.max(20);
    if text.chars().count() <= width {
        return text.to_string();
    }
    let mut short: String = text.chars().take(width - 1).collect();
    short.push('…');
    short
}
