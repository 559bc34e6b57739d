//! Comparing: what kept tests show now with what they showed when they were made.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::Subject;
use super::kept::{KeptRun, Suite, kept_run};
use crate::execution::Run;
use crate::report::text::{counted, listed};

/// What became of a suite.
pub struct Comparison {
    /// The lines for the user.
    pub text: String,
    /// Whether something is not as it was.
    pub has_changes: bool,
}

/// Compares the runs of a suite with what it keeps. An error says why a test could not be run.
pub fn compare(suite: &Suite, subject: Subject<'_>, runs: &[std::result::Result<Run, String>]) -> Comparison {
    let (mut same, mut changed, mut new) = (0, 0, 0);
    let mut text = String::new();
    // Points that are named by their lines have other names when lines are added above them.
    let points: Vec<&str> = subject.cfg.points.iter().map(|point| point.label.as_str()).collect();
    let is_renamed =
        points.len() == suite.points.len() && points.iter().zip(&suite.points).any(|(now, then)| now != then);
    let as_then = |id: &str| -> String {
        let renamed = id.split_once(':').filter(|_| is_renamed).and_then(|(label, values)| {
            let position = points.iter().position(|point| *point == label)?;
            Some(format!("{}:{values}", suite.points[position]))
        });
        renamed.unwrap_or_else(|| id.to_string())
    };
    for (test, run) in suite.tests.iter().zip(runs) {
        let differences = match (&test.run, run) {
            // Then as now: no inputs can be made.
            (Some(then), Err(_)) if then.end.starts_with("could not be run") => Vec::new(),
            (_, Err(why)) => vec![format!("cannot be run any more: {why}")],
            (None, Ok(run)) => {
                new += 1;
                let _ = writeln!(text, "  {}  was not run before: {}", test.name, crate::report::tests::end(run));
                continue;
            }
            (Some(then), Ok(run)) => {
                let mut now = kept_run(subject, run);
                now.trace.iter_mut().chain(&mut now.seen).for_each(|id| *id = as_then(id));
                differences(then, &now)
            }
        };
        if differences.is_empty() {
            same += 1;
            let _ = writeln!(text, "  {}  same", test.name);
        } else {
            changed += 1;
            let _ = writeln!(text, "  {}  changed: {}", test.name, differences.join("; "));
        }
    }
    let _ = write!(text, "\n  {}: {same} same, {changed} changed", counted(suite.tests.len(), "test"));
    if new > 0 {
        let _ = write!(text, ", {new} not run before");
    }
    text.push('\n');
    Comparison { text, has_changes: changed > 0 }
}

fn differences(then: &KeptRun, now: &KeptRun) -> Vec<String> {
    let mut differences = Vec::new();
    let (before, after): (BTreeSet<&String>, BTreeSet<&String>) =
        (then.seen.iter().collect(), now.seen.iter().collect());
    let names = |states: BTreeSet<&String>| listed(states.into_iter().cloned().collect());
    let (gone, new) = (&before - &after, &after - &before);
    if !gone.is_empty() {
        differences.push(format!("no longer observed: {}", names(gone)));
    }
    if !new.is_empty() {
        differences.push(format!("newly observed: {}", names(new)));
    }
    if differences.is_empty() && then.trace != now.trace {
        differences.push("the same states in another order".to_string());
    }
    // Lines may have moved; what happened is what counts.
    let words = |end: &str| end.split(" in line ").next().unwrap_or(end).to_string();
    if words(&then.end) != words(&now.end) {
        differences.push(format!("ended otherwise: {}; before: {}", now.end, then.end));
    }
    differences
}
