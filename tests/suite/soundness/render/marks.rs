//! Text with marks -> the text without them, or with a probe for each.
//!
//! A mark is the number of a probe between two control characters, which no C text contains.

use std::fmt::Write as _;

/// A probe, referred to by its mark.
pub(super) struct Probe {
    pub(super) name: String,
    /// Which predicates, and then which tracked ones, are visible.
    pub(super) visible: Vec<bool>,
}

/// How a probe stands in the text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    BeforeStatement,
    BeforeExpression,
}

const STATEMENT: char = '\u{1}';
const EXPRESSION: char = '\u{2}';
const END: char = '\u{3}';

pub(super) fn mark(position: Position, probe: usize) -> String {
    match position {
        Position::BeforeStatement => format!("{STATEMENT}{probe}{END}"),
        Position::BeforeExpression => format!("{EXPRESSION}{probe}{END}"),
    }
}

pub(super) fn without_marks(marked: &str) -> String {
    replace(marked, &|_, _| String::new())
}

pub(super) fn with_probes(marked: &str, probes: &[Probe], predicates: &[String]) -> String {
    replace(marked, &|position, probe| {
        let end = match position {
            Position::BeforeStatement => "; ",
            Position::BeforeExpression => ", ",
        };
        probe_text(&probes[probe], predicates) + end
    })
}

fn replace(marked: &str, replacement: &dyn Fn(Position, usize) -> String) -> String {
    let mut text = String::new();
    let mut rest = marked;
    while let Some(start) = rest.find([STATEMENT, EXPRESSION]) {
        let end = rest.find(END).expect("every mark ends");
        let position =
            if rest[start..].starts_with(STATEMENT) { Position::BeforeStatement } else { Position::BeforeExpression };
        let probe = rest[start + 1..end].parse().expect("a mark has a number");
        text.push_str(&rest[..start]);
        text.push_str(&replacement(position, probe));
        rest = &rest[end + 1..];
    }
    text + rest
}

fn probe_text(probe: &Probe, predicates: &[String]) -> String {
    let mut visible = String::new();
    let mut bits = String::new();
    for (index, is_visible) in probe.visible[..predicates.len()].iter().enumerate() {
        visible.push(if *is_visible { 'x' } else { '_' });
        if *is_visible {
            let _ = write!(bits, "(({}) ? {}u : 0u) | ", predicates[index], 1 << index);
        }
    }
    format!("PCT_AT(\"{}\", \"{visible}\", {bits}0u)", probe.name)
}
