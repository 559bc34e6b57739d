//! How tight the bounds are: not a test, since a bound may be as wide as it likes, but worth a look in the log.

use std::fmt;

use super::analysis::Analysis;
use super::native::Reached;

/// How tight the bounds are, summed over programs.
#[derive(Clone, Copy, Default)]
pub(crate) struct Statistics {
    reached: usize,
    upper: usize,
    lower: usize,
    lower_exact: usize,
    proved: usize,
    exact: usize,
    all_ended: usize,
    solver_unknown: u64,
    seconds: f64,
    slowest: f64,
    too_slow: usize,
}

impl Statistics {
    pub(crate) fn of(analysis: &Analysis, reached: &Reached) -> Self {
        Statistics {
            reached: reached.states.len(),
            upper: analysis.upper.len(),
            lower: analysis.lower.len(),
            lower_exact: analysis.lower_exact.len(),
            proved: analysis.proved.len(),
            exact: usize::from(analysis.upper == reached.states),
            all_ended: usize::from(reached.runs.all_ended()),
            solver_unknown: analysis.solver_unknown,
            seconds: analysis.seconds,
            slowest: analysis.seconds,
            too_slow: 0,
        }
    }

    /// A program that got no answer in time.
    pub(crate) fn too_slow() -> Self {
        Statistics { too_slow: 1, ..Statistics::default() }
    }

    /// How many programs got no answer in time.
    pub(crate) fn number_too_slow(&self) -> usize {
        self.too_slow
    }

    pub(crate) fn add(&mut self, other: &Statistics) {
        self.reached += other.reached;
        self.upper += other.upper;
        self.lower += other.lower;
        self.lower_exact += other.lower_exact;
        self.proved += other.proved;
        self.exact += other.exact;
        self.all_ended += other.all_ended;
        self.solver_unknown += other.solver_unknown;
        self.seconds += other.seconds;
        self.slowest = self.slowest.max(other.slowest);
        self.too_slow += other.too_slow;
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "reached {}, upper {}, lower {}, lower_exact {}, proved {}; upper = reached in {}, all runs end in {}; \
             {} unknown answers, {:.0} s in pct, at most {:.0} s; {} too slow",
            self.reached,
            self.upper,
            self.lower,
            self.lower_exact,
            self.proved,
            self.exact,
            self.all_ended,
            self.solver_unknown,
            self.seconds,
            self.slowest,
            self.too_slow,
        )
    }
}
