//! Generating: paths → tests.
//!
//! A path of the abstraction becomes a condition on the inputs ([`symbolic`]), a solution of it becomes memory
//! ([`layout`]). [`search`] looks for ways to the states that no path promises.

mod c_text;
pub mod cbmc;
pub mod engine;
pub mod inputs;
mod layout;
pub mod path_program;
pub mod search;
mod solution;
pub mod symbolic;
pub mod value;

use std::collections::{BTreeMap, BTreeSet};

use crate::abstraction::{Abstraction, Context, Node, StateId};
use crate::cfg::{Cfg, CheckId};
use crate::config::Config;
use crate::error::Result;
use crate::logic::solver::{Model, Statistics};
use crate::predicates::PredicateSet;
use crate::program::Program;
use inputs::Inputs;
use symbolic::{Next, Trail};

/// Inputs that lead along a way through the abstraction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Test {
    /// The states that the run passes first, if nothing goes wrong before.
    pub states: Vec<StateId>,
    /// The check that fails after them, if the test is there for that.
    pub failure: Option<CheckId>,
    /// What the function is given.
    pub inputs: Inputs,
    /// Whether the formulas know everything that decides; else the run may go another way.
    pub is_exact: bool,
}

/// What became of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A test.
    Test(Box<Test>),
    /// No input takes it.
    Infeasible,
    /// The solver gave up.
    Unknown,
    /// Inputs exist, but no memory can be made for them; in words.
    Unrealizable(String),
}

/// Makes tests.
pub struct Generator<'a> {
    context: Context<'a>,
    cfg: &'a Cfg,
    abstraction: &'a Abstraction,
}

impl<'a> Generator<'a> {
    /// Puts the function into formulas again, for solving; `None` if a limit is reached before.
    pub fn new(
        program: &Program,
        cfg: &'a Cfg,
        predicates: &'a PredicateSet,
        abstraction: &'a Abstraction,
        config: &'a Config,
    ) -> Result<Option<Generator<'a>>> {
        let context = Context::within_limits(program, cfg, predicates, config)?;
        Ok(context.map(|context| Generator { context, cfg, abstraction }))
    }

    /// What was asked of the solver so far.
    pub fn statistics(&self) -> Statistics {
        self.context.solver.statistics
    }

    /// Inputs for a path.
    pub fn solve(&mut self, states: &[StateId]) -> Outcome {
        let mut trail = Trail::start(&self.context);
        for state in states {
            match self.extended(&trail, *state) {
                Some(longer) => trail = longer,
                None => return Outcome::Infeasible,
            }
        }
        self.realized(&trail, states.to_vec(), None)
    }

    /// Inputs for which checks fail, as far as a search within the bounds finds any; nothing is run.
    pub fn failures(
        &mut self,
        checks: impl IntoIterator<Item = CheckId>,
        bounds: search::Bounds,
        is_over: &dyn Fn() -> bool,
    ) -> BTreeMap<CheckId, Inputs> {
        let wanted: BTreeSet<Node> = checks.into_iter().map(Node::Error).collect();
        let mut search = search::Search::new(self, wanted, bounds);
        let mut found = BTreeMap::new();
        while let Some(Test { states, failure, inputs, is_exact }) = search.next(self, is_over) {
            let Some(check) = failure else {
                continue;
            };
            if is_exact {
                search.learn(&states, [Node::Error(check)]);
                found.insert(check, inputs);
            } else {
                search.miss(Some(Node::Error(check)));
            }
        }
        found
    }

    /// Inputs that lead to one of the nodes, as far as a search within the bounds finds any; nothing is run. If possible, ones
    /// of which the formulas know everything that decides.
    pub fn toward(
        &mut self,
        wanted: BTreeSet<Node>,
        bounds: search::Bounds,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Test> {
        let mut search = search::Search::new(self, wanted, bounds);
        let mut first = None;
        while let Some(test) = search.next(self, is_over) {
            if test.is_exact {
                return Some(test);
            }
            search.miss(test.states.last().map(|state| Node::State(*state)));
            first = first.or(Some(test));
        }
        first
    }

    fn extended(&mut self, trail: &Trail, state: StateId) -> Option<Trail> {
        let state = &self.abstraction.states[state.index()];
        trail.extended(&mut self.context, Next::State(state.point.index(), &state.valuation))
    }

    /// A test for a trail through the states.
    fn realized(&mut self, trail: &Trail, states: Vec<StateId>, failure: Option<CheckId>) -> Outcome {
        let solution = match trail.solve(&mut self.context) {
            Ok(solution) => solution,
            Err(Model::Impossible) => return Outcome::Infeasible,
            Err(_) => return Outcome::Unknown,
        };
        match layout::lay_out(self.cfg, &self.context.translator.memory, &solution) {
            Ok(laid_out) => {
                let is_exact = trail.is_exact && laid_out.is_complete;
                Outcome::Test(Box::new(Test { states, failure, inputs: laid_out.inputs, is_exact }))
            }
            Err(layout::Unrealizable(why)) => Outcome::Unrealizable(why),
        }
    }
}
