//! The settings of an analysis, checked: what the command line asks for, free of how it was asked.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Everything that decides the result of an analysis.
#[derive(Clone, Debug)]
pub struct Config {
    /// The C files; the first one is the one that the report names.
    pub files: Vec<PathBuf>,
    /// The function; if absent, the only one, or `main`.
    pub function: Option<String>,
    /// Where the predicates come from.
    pub predicates: PredicateSource,
    /// Of the atomic conditions, only those that one of these expressions or patterns selects; all, if there is none.
    pub observe: Vec<String>,
    /// Predicates added to the observed ones.
    pub extra_predicates: Vec<String>,
    /// Predicates that sharpen the abstraction but are not observed.
    pub tracked: Vec<String>,
    /// Files with more of them.
    pub track_files: Vec<PathBuf>,
    /// What the points are.
    pub points: PointMode,
    /// How numbers behave.
    pub arithmetic: Arithmetic,
    /// What signed overflow means.
    pub overflow: Overflow,
    /// The limit for one question to the solver.
    pub timeout: Duration,
    /// How many threads ask the solver.
    pub jobs: usize,
    /// The analysis stops at this many states and says that it is partial.
    pub max_states: usize,
    /// The limit for the whole analysis.
    pub limit: Option<TimeLimit>,
    /// The word that everything is to end now.
    pub stop: Stop,
    /// The compiler whose preprocessor is used.
    pub compiler: String,
    /// How often a function may be inlined into itself.
    pub depth: usize,
    /// What globals hold at the start.
    pub globals: Globals,
    /// Functions that are taken as undefined.
    pub havocked: Vec<String>,
    /// Whether pointer parameters may point to the same object.
    pub may_alias: bool,
    /// Which run-time checks are made.
    pub checks: Vec<CheckKind>,
    /// The lengths of what parameters point to: parameter and expression.
    pub lengths: Vec<(String, String)>,
    /// The standard for the compiler's option `-std`; if absent, that of the compilation database, or `gnu11`.
    pub standard: Option<String>,
    /// Options for the preprocessor: `-I`, `-D` and their like.
    pub preprocessor_options: Vec<OsString>,
    /// The folder of a `compile_commands.json` that says how the files are compiled.
    pub compile_commands: Option<PathBuf>,
    /// Which of many possible inputs a test gets: 0 is the simplest choice. It decides nothing but that.
    pub seed: u32,
}

impl Config {
    /// What signed overflow means where nothing checks it: if everything is checked, it does not happen.
    pub fn followed_overflow(&self) -> Overflow {
        if self.checks.contains(&CheckKind::Overflow) { Overflow::Wrap } else { self.overflow }
    }

    /// Whether everything is to end now: the time is over, or the user says so.
    pub fn is_over(&self) -> bool {
        self.stop.is_said() || self.limit.is_some_and(|limit| Instant::now() >= limit.end)
    }

    /// The name of the first file, for reports.
    pub fn file_name(&self) -> String {
        self.files.first().map(|file| file.display().to_string()).unwrap_or_default()
    }

    /// The default settings for a file.
    pub fn new(file: impl Into<PathBuf>) -> Config {
        Config {
            files: vec![file.into()],
            function: None,
            predicates: PredicateSource::Conditions,
            observe: Vec::new(),
            extra_predicates: Vec::new(),
            tracked: Vec::new(),
            track_files: Vec::new(),
            points: PointMode::Auto,
            arithmetic: Arithmetic::Machine,
            overflow: Overflow::Assume,
            timeout: Duration::from_secs(2),
            jobs: 0,
            max_states: 200_000,
            limit: None,
            stop: Stop::default(),
            compiler: "cc".to_string(),
            depth: 2,
            globals: Globals::Arbitrary,
            havocked: Vec::new(),
            may_alias: false,
            checks: Vec::new(),
            lengths: Vec::new(),
            standard: None,
            preprocessor_options: Vec::new(),
            compile_commands: None,
            seed: 0,
        }
    }
}

/// A limit for the time of a whole analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeLimit {
    /// How long it may take.
    pub length: Duration,
    /// When it is over.
    pub end: Instant,
}

impl TimeLimit {
    /// A limit that begins now.
    pub fn from_now(length: Duration) -> TimeLimit {
        TimeLimit { length, end: Instant::now() + length }
    }
}

/// The word that everything is to end now, which a signal may say at any time. Clones hear the same word.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// What to set to say it.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Whether it was said.
    pub fn is_said(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Where the observed predicates come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PredicateSource {
    /// The atomic conditions of the function.
    Conditions,
    /// Exactly those in a file.
    File(PathBuf),
}

/// What the points are (design: labels, statements, or labels where the function is labelled for observation).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointMode {
    /// Labels if the function has a label that no goto uses, else statements.
    Auto,
    /// The labels of the function.
    Labels,
    /// Every statement and every atomic condition.
    Statements,
}

/// What globals hold when the function is entered; in `main` always their initial values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Globals {
    /// Anything.
    Arbitrary,
    /// Their initial values.
    Initial,
}

/// What is checked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CheckKind {
    /// Anything that is not told apart.
    Other,
    /// An assertion.
    Assertion,
    /// A call that means failure: `abort`, `reach_error`.
    Failure,
    /// An access is inside its array.
    Bounds,
    /// No division by zero.
    Division,
    /// No signed overflow.
    Overflow,
    /// No shift by too much.
    Shift,
    /// No null pointer is followed.
    Null,
}

impl CheckKind {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            CheckKind::Other => "other",
            CheckKind::Assertion => "assertion",
            CheckKind::Failure => "failure",
            CheckKind::Bounds => "bounds",
            CheckKind::Division => "div",
            CheckKind::Overflow => "overflow",
            CheckKind::Shift => "shift",
            CheckKind::Null => "null",
        }
    }
}

/// How numbers behave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// Bit vectors with C's widths and conversions.
    Machine,
    /// Mathematical integers.
    Ideal,
}

/// What an overflow of signed arithmetic means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overflow {
    /// Executions that overflow are not considered.
    Assume,
    /// The execution goes wrong.
    Error,
    /// Two's complement.
    Wrap,
}

impl PointMode {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            PointMode::Auto => "auto",
            PointMode::Labels => "labels",
            PointMode::Statements => "statements",
        }
    }
}

impl Arithmetic {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Arithmetic::Machine => "machine",
            Arithmetic::Ideal => "ideal",
        }
    }
}

impl Overflow {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Overflow::Assume => "assume",
            Overflow::Error => "error",
            Overflow::Wrap => "wrap",
        }
    }
}
