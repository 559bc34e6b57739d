//! What tests of the user's cover: covered, guaranteed but missed, open, and impossible states.
//!
//! The percentage is that of the states of U: what is impossible is not asked of anybody.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde::Serialize;

use super::inputs;
use super::tests::{self, Tables};
use super::text::{Style, counted, listed};
use crate::bounds::{BoundedState, Bounds};
use crate::config::Config;
use crate::execution::measure::{Ended, Measured, Measurement};

/// The part of the JSON object that is about the user's tests.
#[derive(Serialize)]
pub struct Report {
    /// The states that the tests have shown.
    covered: Vec<String>,
    /// Those of L that they have not.
    missed: Vec<String>,
    /// Those that are neither in L nor shown.
    open: Vec<String>,
    /// What was observed and is not in U.
    outside: Vec<String>,
    /// 100 · |covered| / |base|.
    percent: f64,
    /// The states that the percentage is of.
    base: &'static str,
    /// Observations that could be one of several states.
    unclear: usize,
    /// How often the function was called; absent if pct called it.
    calls: Option<u64>,
    runs: Vec<RunReport>,
}

#[derive(Serialize)]
struct RunReport {
    name: String,
    /// How it ended, in words.
    end: String,
    went_wrong: bool,
    observed: Vec<String>,
}

/// How many percent of the states of U are shown; all, if there are none.
pub fn percent(bounds: &Bounds) -> f64 {
    match bounds.states.len() {
        0 => 100.0,
        all => 100.0 * bounds.count(|state| state.witnessed) as f64 / all as f64,
    }
}

/// The report for tools.
pub fn report(tables: Tables<'_>, measurement: &Measurement, bounds: &Bounds) -> Report {
    let ids = |wanted: fn(&BoundedState) -> bool| ids(tables, bounds, wanted);
    let run = |run: &Measured| RunReport {
        name: run.name.clone(),
        end: ended(&run.end),
        went_wrong: run.end.went_wrong(),
        observed: run.shown.iter().map(|state| tables.id(*state)).collect::<BTreeSet<_>>().into_iter().collect(),
    };
    Report {
        covered: ids(|state| state.witnessed),
        missed: ids(|state| state.lower && !state.witnessed),
        open: ids(|state| !state.lower && !state.witnessed),
        outside: measurement.outside.iter().cloned().collect(),
        percent: (percent(bounds) * 100.0).round() / 100.0,
        base: "U",
        unclear: measurement.unclear,
        calls: measurement.calls,
        runs: measurement.runs.iter().map(run).collect(),
    }
}

fn ids(tables: Tables<'_>, bounds: &Bounds, wanted: fn(&BoundedState) -> bool) -> Vec<String> {
    bounds.states.iter().filter(|state| wanted(state)).map(|state| super::state_id(tables.cfg, state)).collect()
}

/// The runs, a line each.
pub fn table(tables: Tables<'_>, measurement: &Measurement, style: Style) -> String {
    let mut shown = BTreeSet::new();
    let mut rows = vec![["test", "inputs", "states", "new", "what happened"].map(String::from)];
    for run in &measurement.runs {
        let states: BTreeSet<String> = run.shown.iter().map(|state| tables.id(*state)).collect();
        let new = states.difference(&shown).count();
        let given = run.inputs.as_ref().map(|given| inputs::line(tables.cfg, given)).unwrap_or_default();
        let given = tests::shortened(&given, style.width / 2);
        let name = tests::shortened(&run.name, style.width / 2);
        rows.push([name, given, states.len().to_string(), new.to_string(), ended(&run.end)]);
        shown.extend(states);
    }
    if rows.iter().skip(1).all(|row| row[1].is_empty()) {
        rows.iter_mut().for_each(|row| row[1].clear());
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3)];
    let mut text = String::new();
    for [name, given, states, new, end] in &rows {
        let [a, b, c, d] = widths;
        let gap = if b == 0 { "" } else { "  " };
        let _ = writeln!(text, "  {name:a$}{gap}{given:b$}  {states:>c$}  {new:>d$}  {end}");
    }
    text.push('\n');
    text
}

/// How a run ended, in words.
fn ended(end: &Ended) -> String {
    match end {
        Ended::Ran(run) | Ended::Program(run) => tests::end(run),
        Ended::NotRun(why) => why.clone(),
        Ended::Command(Ok(code)) => format!("exited with {code}"),
        Ended::Command(Err(why)) => why.clone(),
    }
}

/// What the tests cover, in a few lines.
pub fn summary(config: &Config, tables: Tables<'_>, measurement: &Measurement, bounds: &Bounds) -> String {
    let mut text = String::new();
    let (upper, lower) = (bounds.states.len(), bounds.count(|state| state.lower));
    let covered = bounds.count(|state| state.witnessed);
    let of_lower = bounds.count(|state| state.witnessed && state.lower);
    let _ = writeln!(
        text,
        "  covered {covered} of {upper} states of U ({:.1} %): {of_lower} of the {lower} in L, {} more",
        percent(bounds),
        covered - of_lower,
    );
    for (words, wanted) in [
        ("guaranteed, but missed", (|state| state.lower && !state.witnessed) as fn(&BoundedState) -> bool),
        ("open", |state| !state.lower && !state.witnessed),
    ] {
        let states = ids(tables, bounds, wanted);
        if !states.is_empty() {
            let _ = writeln!(text, "  {words} ({}): {}", states.len(), listed(states));
        }
    }
    if bounds.partial {
        text.push_str("  partial: the analysis stopped at a limit, so states may be missing from U\n");
    }
    let is_blind = |state: &&BoundedState| measurement.blind.contains(&state.point);
    let blind: Vec<String> =
        bounds.states.iter().filter(is_blind).map(|state| super::state_id(tables.cfg, state)).collect();
    if !blind.is_empty() {
        let _ = writeln!(text, "  of these nothing can be observed, in any test ({}): {}", blind.len(), listed(blind));
    }
    if measurement.unclear > 0 {
        let _ = writeln!(
            text,
            "  {} not counted: a predicate speaks of memory that could not be read",
            counted(measurement.unclear, "observation"),
        );
    }
    if measurement.is_partial {
        text.push_str("  there were more different observations than can be kept: some states may be missing\n");
    }
    if measurement.calls == Some(0) {
        let _ = writeln!(
            text,
            "  the instrumented copy of `{}` was never called: does the build take it ($PCT_CC or $PCT_SOURCE), and is it \
             built anew?",
            tables.cfg.function
        );
    }
    for state in &measurement.outside {
        let _ = writeln!(text, "  defect in pct: {state} was observed, which is not in U");
    }
    if !measurement.outside.is_empty() && measurement.calls.is_some() {
        text.push_str("    unless the tests break what U assumes:\n");
        for assumption in super::assumptions::upper(config, tables.cfg, tables.abstraction) {
            let _ = writeln!(text, "    - that {assumption}");
        }
    }
    text
}
