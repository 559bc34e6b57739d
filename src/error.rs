//! What can go wrong, and the exit code that says so.
//!
//! Everything a person can do wrong ends here, with the line of C underlined and a hint; panics are for broken
//! invariants of pct itself.

use miette::{Diagnostic, NamedSource, SourceSpan};
use std::sync::Arc;
use thiserror::Error;

use crate::program::{SourceMap, Span};

/// The result of everything that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// An error that is told to the user.
#[derive(Debug, Error, Diagnostic)]
pub enum Error {
    /// The request itself is wrong: exit code 2.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        #[help]
        help: Option<String>,
    },

    /// A predicate, or a file with inputs, is wrong: exit code 2.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Predicate(Box<Located>),

    /// The file cannot be read: exit code 3.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        reason: String,
        /// What to do.
        #[help]
        help: Option<String>,
    },

    /// It is not C, or C that pct does not handle: exit code 3.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Source(Box<Located>),

    /// An outside tool is missing or failed: exit code 4.
    #[error("{message}")]
    Tool {
        /// What happened.
        message: String,
        /// What to do.
        #[help]
        help: Option<String>,
    },
}

/// Something wrong at a place of a text.
#[derive(Debug, Error, Diagnostic)]
#[error("{message}")]
pub struct Located {
    /// What is wrong.
    pub message: String,
    /// The text.
    #[source_code]
    pub source_code: NamedSource<Arc<str>>,
    /// The part that is wrong.
    #[label("{label}")]
    pub span: SourceSpan,
    /// The words under the underlined part.
    pub label: String,
    /// What to do.
    #[help]
    pub help: Option<String>,
}

/// Lines longer than this are cut in messages: nobody reads them, and miette cannot place marks far to the right.
const LONGEST_LINE: usize = 1_000;

/// The text with its long lines cut, and where the marked part is then. Line numbers stay.
fn shortened(text: Arc<str>, offset: usize, length: usize) -> (Arc<str>, usize, usize) {
    if text.lines().all(|line| line.len() <= LONGEST_LINE) {
        return (text, offset, length);
    }
    let boundary = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let (mut result, mut place, mut size) = (String::new(), 0, 0);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let marked = (start..end).contains(&offset) || (offset == text.len() && end == offset);
        // The marked part, with something before it.
        let from = if marked { boundary(offset.saturating_sub(LONGEST_LINE / 2)).max(start) } else { start };
        let to = boundary(from + LONGEST_LINE).min(end);
        if marked {
            place = result.len() + (offset - from);
            size = length.min(to.saturating_sub(offset));
        }
        result.push_str(text[from..to].trim_end_matches('\n'));
        result.push('\n');
        start = end;
    }
    (result.into(), place, size)
}

/// The exit codes of all commands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitCode {
    /// Done.
    Success = 0,
    /// Done, and there is something the user asked to be told of.
    Finding = 1,
    /// Wrong usage.
    Usage = 2,
    /// C that cannot be read or is not supported.
    Source = 3,
    /// An outside tool is missing or failed.
    Tool = 4,
}

impl Error {
    /// A wrong request.
    pub fn usage(message: impl Into<String>) -> Error {
        Error::Usage { message: message.into(), help: None }
    }

    /// A wrong request with a hint.
    pub fn usage_with_help(message: impl Into<String>, help: impl Into<String>) -> Error {
        Error::Usage { message: message.into(), help: Some(help.into()) }
    }

    /// C that cannot be read or is not supported, with its place and a hint.
    pub fn source(
        sources: &SourceMap,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) -> Error {
        let (name, text) = sources.file(span);
        let help = help.into();
        let offset = (span.offset as usize).min(text.len());
        let length = (span.length as usize).min(text.len() - offset);
        let (text, offset, length) = shortened(text, offset, length);
        Error::Source(Box::new(Located {
            message: message.into(),
            source_code: NamedSource::new(name, text).with_language("C"),
            span: SourceSpan::from((offset, length)),
            label: label.into(),
            help: (!help.is_empty()).then_some(help),
        }))
    }

    /// The exit code for it.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Error::Usage { .. } | Error::Predicate(_) => ExitCode::Usage,
            Error::Unreadable { .. } | Error::Source(_) => ExitCode::Source,
            Error::Tool { .. } => ExitCode::Tool,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_around_the_marked_part() {
        let line = format!("{}why{}", "x + ".repeat(30_000), " + \u{e4}".repeat(3_000));
        let text: Arc<str> = format!("short\n{line}\nlast").into();
        let offset = text.find("why").unwrap();
        let (shown, place, length) = shortened(Arc::clone(&text), offset, 3);
        assert_eq!(&shown[place..place + length], "why");
        assert!(shown.lines().all(|line| line.len() <= LONGEST_LINE));
        assert_eq!(shown.lines().count(), 3);
        let (same, place, _) = shortened(Arc::from("a\nb"), 2, 1);
        assert_eq!((&*same, place), ("a\nb", 2));
    }
}
