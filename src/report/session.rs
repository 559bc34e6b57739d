//! Refinement by hand as people read it, and the file of its predicates.

use std::fmt::Write;

use super::explain::{self, Subject, suggestions};
use super::text::{self, Style, counted, listed};
use crate::config::Config;
use crate::refinement::session::{Added, ORDERS, Outcome, Session};
use crate::refinement::suggestions::Sizes;

/// What is told at the start.
pub fn start(config: &Config, session: &Session) -> String {
    let stage = session.stage();
    let observed = stage.predicates.observed_count();
    let tracked = stage.predicates.predicates.len() - observed;
    format!(
        "{} in {}: {} observed, {tracked} tracked; {}\n",
        session.cfg.function,
        config.file_name(),
        counted(observed, "predicate"),
        sizes(Sizes::of(&stage.bounds)),
    )
}

/// The answer to an order.
pub fn outcome(config: &Config, session: &Session, outcome: &Outcome, style: Style) -> String {
    let stage = session.stage();
    let mut text = String::new();
    match outcome {
        Outcome::Open(states) => {
            let name = |(point, valuation): &(crate::cfg::PointId, crate::abstraction::Valuation)| {
                format!("{}:{valuation}", session.cfg.points[point.index()].label)
            };
            let names: Vec<String> = states.iter().map(name).collect();
            let _ = match names.is_empty() {
                true => writeln!(text, "no state is open"),
                false => writeln!(text, "open ({}): {}", names.len(), listed(names)),
            };
        }
        Outcome::Predicates => {
            text.push_str(&text::predicates(&stage.predicates));
            for predicate in stage.predicates.predicates.iter().filter(|predicate| !predicate.observed) {
                let _ = writeln!(text, "@track {}: {}", predicate.name, predicate.text);
            }
        }
        Outcome::Ratio(now) => {
            let _ = writeln!(text, "{}", sizes(*now));
        }
        Outcome::Explained(explanation) => {
            let subject =
                Subject { config, cfg: &session.cfg, predicates: &stage.predicates, abstraction: &stage.abstraction };
            text.push_str(&explain::text(subject, explanation, style));
        }
        Outcome::Suggested { before, suggestions: found } => match found.is_empty() {
            true => text.push_str("no predicate was found that brings a gain\n"),
            false => suggestions(*before, found, &mut text),
        },
        Outcome::Tested { tests, shown, sizes: now, defects } => {
            let _ =
                writeln!(text, "{} shown by {}; {}", counted(*shown, "state"), counted(*tests, "test"), sizes(*now));
            for defect in defects {
                let _ = writeln!(text, "defect in pct: {defect}");
            }
        }
        Outcome::Added(added) => {
            let word = if added.observed { "observed" } else { "tracked" };
            let _ = writeln!(text, "{word}  {}  ({})", added.text, gain(added));
            if added.observed {
                text.push_str("the states are new ones: what was known of the old ones does not carry over\n");
            }
        }
        Outcome::Undone { text: predicate, sizes: now } => {
            let _ = writeln!(text, "undone  {predicate}; {}", sizes(*now));
        }
        Outcome::Write(file) => {
            let _ = writeln!(text, "written to {}; read it with --predicates={}", file.display(), file.display());
        }
        Outcome::Help => {
            let width = ORDERS.iter().map(|(order, _)| order.len()).max().unwrap_or(0);
            for (order, what) in ORDERS {
                let _ = writeln!(text, "  {order:width$}  {what}");
            }
        }
        Outcome::Quit => {}
    }
    text
}

/// The predicates as a file for `--predicates=FILE`, with why each came in.
pub fn file(config: &Config, session: &Session) -> String {
    let function = &session.cfg.function;
    let mut text = format!("# The predicates of {function} in {}, from pct refine.\n", config.file_name());
    text.push_str("# Read them with --predicates=FILE; --track-file FILE takes only those with @track.\n");
    let added: Vec<&Added> = session.added().collect();
    for predicate in &session.stage().predicates.predicates {
        let given = added.iter().find(|added| added.observed == predicate.observed && has_text(added, &predicate.text));
        // A letter that pct gave would clash with another one that it gives.
        let is_given = predicate.name.len() == 1 && predicate.name.starts_with(|c: char| c.is_ascii_uppercase())
            || predicate.name.strip_prefix('P').is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
        let mark = if predicate.observed { "" } else { "@track " };
        let name = if is_given { String::new() } else { format!("{}: ", predicate.name) };
        let why = given.map(|added| format!(" # {}", gain(added))).unwrap_or_default();
        let _ = writeln!(text, "{mark}{name}{}{why}", predicate.text);
    }
    text
}

/// Whether what was given, with or without a name, is this expression.
fn has_text(added: &Added, text: &str) -> bool {
    added.text == text || added.text.split_once(':').is_some_and(|(_, rest)| rest.trim() == text)
}

fn gain(Added { before, after, .. }: &Added) -> String {
    format!(
        "open states {} -> {}, |U| {} -> {}, |L| {} -> {}",
        before.open, after.open, before.upper, after.upper, before.lower, after.lower
    )
}

fn sizes(Sizes { upper, lower, open }: Sizes) -> String {
    let ratio = if upper == 0 { 1.0 } else { lower as f64 / upper as f64 };
    format!("|U| = {upper}, |L| = {lower}, |L|/|U| = {ratio:.3}, {open} open")
}
