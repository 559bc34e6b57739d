//! Predicate files: one C expression a line, `name: expression` to name it, `#` for comments. A line that begins with
//! `@track` is a predicate to track; so one file can hold all predicates of an analysis.

use std::path::Path;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::frontend::Origin;

/// A predicate as it stands in its file.
#[derive(Clone, Debug)]
pub(super) struct PredicateLine {
    /// The name before the colon.
    pub(super) name: Option<String>,
    /// Where the expression begins in its line.
    pub(super) column: usize,
    /// The expression.
    pub(super) text: String,
    /// Whether it is marked as one to track.
    pub(super) is_tracked: bool,
    /// The file and the line.
    pub(super) origin: Origin,
}

/// The predicates in the file at `path`.
pub(super) fn read(path: &Path) -> Result<Vec<PredicateLine>> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        Error::usage_with_help(
            format!("cannot read the predicate file {}: {error}", path.display()),
            "a predicate file has one C expression a line",
        )
    })?;
    let text: Arc<str> = text.into();
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let origin = Origin { name: path.display().to_string(), text: Arc::clone(&text), line: index as u32 + 1 };
        lines.push(split(&origin, line)?);
    }
    Ok(lines)
}

/// A predicate that stands in no file.
pub(super) fn line_of(origin: &str, text: &str) -> PredicateLine {
    let origin = Origin { name: origin.to_string(), text: Arc::from(text), line: 1 };
    PredicateLine { name: None, column: 0, text: text.to_string(), is_tracked: false, origin }
}

/// The mark of a predicate to track.
pub(super) const TRACK: &str = "@track";

/// The predicates to track in the file at `path`: those that are marked, or all, if none is.
pub(super) fn read_tracked(path: &Path) -> Result<Vec<PredicateLine>> {
    let mut lines = read(path)?;
    if lines.iter().any(|line| line.is_tracked) {
        lines.retain(|line| line.is_tracked);
    }
    Ok(lines)
}

/// Splits `@track name: expression # comment`.
pub(super) fn split(origin: &Origin, line: &str) -> Result<PredicateLine> {
    let content = line.split_once(" #").map_or(line, |(content, _)| content);
    let trimmed = content.trim_start();
    let marked = trimmed.strip_prefix(TRACK).filter(|rest| rest.starts_with(char::is_whitespace));
    let start = marked.map_or(0, |rest| content.len() - rest.len());
    let (name, column) = match content[start..].split_once(':') {
        Some((name, _)) if is_identifier(name.trim()) => (Some(name.trim().to_string()), start + name.len() + 1),
        _ => (None, start),
    };
    let text = &content[column..];
    if text.trim().is_empty() {
        return Err(Error::usage_with_help(
            format!("{}, line {}: there is no expression", origin.name, origin.line),
            "write a C expression, for example `lo < hi`",
        ));
    }
    let indent = text.len() - text.trim_start().len();
    let (text, is_tracked) = (text.trim().to_string(), marked.is_some());
    Ok(PredicateLine { name, column: column + indent, text, is_tracked, origin: origin.clone() })
}

fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, name: Option<&str>, text: &str) {
        let origin = Origin { name: "test".into(), text: Arc::from(line), line: 1 };
        let split = split(&origin, line).unwrap();
        assert_eq!((split.name.as_deref(), split.text.as_str()), (name, text));
        assert_eq!(&line[split.column..split.column + text.len()], text);
    }

    #[test]
    fn a_name_comes_before_the_first_colon() {
        check("lt: lo < hi", Some("lt"), "lo < hi");
        check("  a[lo] <= pivot  # why", None, "a[lo] <= pivot");
        check("c ? x : y", None, "c ? x : y");
        check("n :x", Some("n"), "x");
    }

    #[test]
    fn a_mark_makes_a_predicate_tracked() {
        check("@track a[lo - 1] <= pivot  # why", None, "a[lo - 1] <= pivot");
        check(" @track  low: lo < 3", Some("low"), "lo < 3");
        let is_tracked = |line: &str| {
            let origin = Origin { name: "test".into(), text: Arc::from(line), line: 1 };
            split(&origin, line).unwrap().is_tracked
        };
        assert!(is_tracked("@track lo < 3"));
        assert!(!is_tracked("lo < 3"));
        assert!(!is_tracked("track < 3"));
    }
}
