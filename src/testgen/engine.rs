//! Solving paths by one engine or by both: Z3 in process, CBMC on the path program.

use std::time::{Duration, Instant};

use super::path_program::Writer;
use super::{Generator, Outcome, cbmc};
use crate::error::Result;
use crate::paths::Path;

/// Who solves paths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Engine {
    /// Z3, in process.
    Z3,
    /// CBMC, on path programs.
    Cbmc,
}

impl Engine {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Z3 => "z3",
            Engine::Cbmc => "cbmc",
        }
    }
}

/// What an engine says of a path.
#[derive(Clone, Debug)]
pub struct Solved {
    /// Which engine.
    pub engine: Engine,
    /// What it found.
    pub outcome: Outcome,
    /// How long it took.
    pub time: Duration,
}

/// The engines that are asked, in their order.
pub struct Engines<'a> {
    /// The engines.
    pub chosen: Vec<Engine>,
    /// Who writes path programs, and how CBMC is asked about them, if it is.
    pub cbmc: Option<(Writer<'a>, cbmc::Options)>,
}

impl Engines<'_> {
    /// Asks each engine about a path. What is asked when everything is over, or becomes so meanwhile, is unknown.
    pub fn solve(&self, generator: &mut Generator<'_>, path: &Path, is_over: &dyn Fn() -> bool) -> Result<Vec<Solved>> {
        let mut answers = Vec::new();
        for &engine in &self.chosen {
            let start = Instant::now();
            let outcome = match (engine, &self.cbmc) {
                (Engine::Cbmc, Some((writer, options))) => match writer.write(&path.states) {
                    Ok(program) => cbmc::solve_path(generator.cfg, &program, &path.states, options, is_over)?,
                    Err(reason) => Outcome::Unrealizable(reason.to_string()),
                },
                _ => generator.solve(&path.states),
            };
            answers.push(Solved { engine, outcome, time: start.elapsed() });
        }
        Ok(answers)
    }
}

/// Whether two engines contradict each other about whether a path has inputs.
pub fn disagree(answers: &[Solved]) -> bool {
    let has = |test: fn(&Outcome) -> bool| answers.iter().any(|answer| test(&answer.outcome));
    let is_test = |outcome: &Outcome| matches!(outcome, Outcome::Test(test) if test.is_exact);
    has(is_test) && has(|outcome| *outcome == Outcome::Infeasible)
}
