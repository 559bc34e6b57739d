//! Executing: a function and its inputs → what was observed.
//!
//! [`compile`] makes a program of the user's function once: the preprocessed files with a call of a probe before every
//! point (`frontend::instrument`), the predicates as C that never goes wrong ([`evaluate`]), and a runtime that lays out
//! inputs, calls the function and watches it (`runtime.c`). [`Probed::run`] starts that program for one test. The
//! inputs are a small file, and so are the observations: the program maps it into memory, where they outlive whatever
//! the function does.

mod build;
pub mod campaign;
mod evaluate;
mod failure;
pub mod measure;
mod run;

pub use build::{Probed, compile};
pub use run::{Limits, Run};

use crate::cfg::PointId;

/// What a probe saw.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Observation {
    /// Where.
    pub point: PointId,
    /// The value of each predicate. A predicate that C does not define there (it divides by zero, or follows a null
    /// pointer) is false, as everywhere in pct; absent is one that is not observed there, or that would read what does
    /// not exist.
    pub values: Vec<Option<bool>>,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The function returned.
    Returned,
    /// It ended the program.
    Exited(i32),
    /// An assumption does not hold: the run does not count.
    AssumedAway,
    /// It went wrong.
    Wrong(Failure),
    /// A signal ended it, and nothing says why.
    Crashed {
        /// Its number.
        signal: i32,
    },
    /// It took too long.
    TimedOut,
    /// It used too much memory.
    TooMuchMemory,
    /// It wrote too much.
    TooMuchOutput,
    /// It started too many processes.
    TooManyProcesses,
    /// The test could not be carried out.
    Unrunnable(String),
}

impl End {
    /// Whether the run was cut off by something that should not happen.
    pub fn went_wrong(&self) -> bool {
        !matches!(self, End::Returned | End::Exited(_) | End::AssumedAway)
    }
}

/// Something that went wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What.
    pub kind: FailureKind,
    /// Where: the file as the user named it, and the line.
    pub line: Option<(String, u32)>,
    /// What the sanitizer says.
    pub message: String,
}

/// What went wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FailureKind {
    /// An assertion.
    Assertion,
    /// A call that means failure.
    Abort,
    /// An access outside its object.
    Bounds,
    /// A null pointer was followed.
    Null,
    /// A division by zero.
    Division,
    /// A signed overflow.
    Overflow,
    /// A shift by too much.
    Shift,
    /// Memory was used after its end.
    UseAfterFree,
    /// The stack is full.
    StackOverflow,
    /// Anything else that C does not define.
    OtherUndefined,
}

impl FailureKind {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Assertion => "assertion",
            FailureKind::Abort => "failure",
            FailureKind::Bounds => "bounds",
            FailureKind::Null => "null",
            FailureKind::Division => "div",
            FailureKind::Overflow => "overflow",
            FailureKind::Shift => "shift",
            FailureKind::UseAfterFree => "use after free",
            FailureKind::StackOverflow => "stack overflow",
            FailureKind::OtherUndefined => "undefined",
        }
    }
}
