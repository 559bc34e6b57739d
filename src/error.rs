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

    /// A predicate is wrong: exit code 2.
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
