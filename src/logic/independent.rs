//! Questions for a second opinion: asked of a fresh Z3 in one general way, with nothing remembered, and as text that any
//! other solver reads.

use std::time::Duration;

use z3::{Params, SatResult, Solver};

use super::Answer;
use super::encode::Encoder;
use super::term::{Term, Terms};

/// A question with its answer.
#[derive(Clone, Debug)]
pub struct Opinion {
    /// Whether there is a state in which all hold.
    pub answer: Answer,
    /// The question in SMT-LIB 2.
    pub smt_lib: String,
}

/// Asks whether all of the formulas can hold together.
pub fn satisfiable(terms: &Terms, all: &[Term], timeout: Duration) -> Opinion {
    z3::with_z3_config(&z3::Config::new(), || {
        let solver = Solver::new();
        let mut parameters = Params::new();
        parameters.set_u32("timeout", u32::try_from(timeout.as_millis()).unwrap_or(u32::MAX));
        solver.set_params(&parameters);
        let mut encoder = Encoder::default();
        encoder.start();
        for term in all {
            solver.assert(encoder.formula(terms, *term));
        }
        encoder.define(&solver);
        let smt_lib = solver.to_smt2();
        let answer = match solver.check() {
            SatResult::Sat => Answer::Yes,
            SatResult::Unsat => Answer::No,
            SatResult::Unknown => Answer::Unknown,
        };
        Opinion { answer, smt_lib }
    })
}
