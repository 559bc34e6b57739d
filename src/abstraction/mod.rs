//! Computing: [`Cfg`] + [`PredicateSet`] → [`Abstraction`].
//!
//! The Boolean abstraction of Ball's paper, section 4: abstract states are points with valuations of the predicates;
//! `may`, `must+` and `must-` transitions are decided through weakest preconditions and strongest postconditions of the
//! blocks between points. Only the part that `may` reaches from the initial states is computed.
//!
//! Why it is right whatever the solver could not do: an unknown answer makes a transition possible (`may`), never
//! certain (`must`), and such a transition is marked as not proven, so that lower bounds do not build on it.
//!
//! Which concrete states count: at each point the variables that can still influence an observation ([`relevance`]).
//! Two states that differ elsewhere behave alike, so `must-` does not ask for them.

pub mod boolean;
mod may;
mod multiplying;
mod must_minus;
mod relevance;
mod valuation;

pub use valuation::Valuation;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::cfg::{Cfg, CheckId, LocationId, PointId};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::logic::intervals::invariants;
use crate::logic::solver::{Solver, Statistics};
use crate::logic::term::Term;
use crate::logic::transfer::{Target, Transfer, transfer};
use crate::logic::translate::{Inexpressible, Translator};
use crate::memory::{self, CellId};
use crate::predicates::PredicateSet;
use crate::program::{Program, Role, VarId};

/// How many feasible valuations are listed at most.
pub const MAX_FEASIBLE: usize = 64;

/// The formulas of all blocks may take so many bytes, beside the terms that they are made of.
const MAX_BYTES: usize = 512 << 20;

/// Index into [`Abstraction::states`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(pub u32);

impl StateId {
    /// The position in [`Abstraction::states`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An observable state: a point and the truth values of the predicates there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    /// Where.
    pub point: PointId,
    /// The truth values.
    pub valuation: Valuation,
}

/// A node of the may graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    /// Before the prelude.
    Entry,
    /// An observable state.
    State(StateId),
    /// The function has returned.
    Halt,
    /// The program has gone wrong, in this way.
    Error(CheckId),
}

/// A transition of the abstraction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// Where it starts.
    pub from: Node,
    /// Where it leads.
    pub to: Node,
    /// Some concrete state takes it; else the solver could not tell.
    pub proven: bool,
    /// Every concrete state of `from` takes it.
    pub must_plus: bool,
    /// Every concrete state of `to` is reached by it.
    pub must_minus: bool,
}

/// Why an analysis stopped before it was complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Its time was over.
    Time,
    /// It had found too many states.
    States,
    /// It needed too much memory.
    Memory,
    /// The solver gave up on a question, and could not exclude too many combinations of values.
    Unknown,
}

impl Limit {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Time => "time",
            Limit::States => "states",
            Limit::Memory => "memory",
            Limit::Unknown => "unknown",
        }
    }
}

/// The reachable part of the abstraction.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// The states that `may` reaches, sorted by point and valuation.
    pub states: Vec<State>,
    /// All transitions between them, sorted by source and target; those of [`Node::Entry`] lead to the initial states.
    pub transitions: Vec<Transition>,
    /// The valuations with a concrete state, if not too many; with every predicate observed.
    pub feasible: Option<Vec<Valuation>>,
    /// The limit at which the analysis stopped: states and proofs may be missing.
    pub limit: Option<Limit>,
    /// If it stopped: the positions of the predicates that multiply the states, the worst first.
    pub multiplying: Vec<usize>,
    /// What was asked.
    pub statistics: Statistics,
    /// What is assumed of memory, as clauses behind "it is assumed that".
    pub assumptions: Vec<String>,
}

/// Told from time to time: states and questions so far.
pub type Progress<'a> = &'a dyn Fn(usize, usize);

/// The function as formulas, and the solver for questions about it.
pub struct Context<'a> {
    predicates: &'a PredicateSet,
    /// The settings.
    pub config: &'a Config,
    /// The table of terms.
    pub translator: Translator,
    /// Who is asked.
    pub solver: Solver,
    /// What holds of pointers in every state.
    pub domain: Vec<Term>,
    /// What holds of them at the start.
    pub entry_domain: Vec<Term>,
    /// The block of the entry, then those of the points.
    pub blocks: Vec<Block>,
    /// The variables that have a value at the start: parameters and globals.
    pub given: BTreeSet<VarId>,
    progress: Progress<'a>,
}

/// Why there is nothing to explore.
pub enum Stop {
    /// The C cannot be expressed.
    Error(Error),
    /// A limit is reached.
    Limit(Limit),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Error(error)
    }
}

/// A point (or the entry) with what starts there.
pub struct Block {
    /// The predicates observed there as formulas, with their positions in a valuation.
    pub formulas: Vec<(usize, Term)>,
    /// What happens from there to the next points.
    pub transfer: Transfer,
    /// For each exit that leads to a point: the formulas of the target in terms of the state here.
    pub preconditions: Vec<Vec<(usize, Term)>>,
    relevant: BTreeSet<CellId>,
    /// Ranges of variables that hold in every run.
    invariant: Vec<Term>,
}

/// Computes the abstraction.
pub fn compute(
    program: &Program,
    cfg: &Cfg,
    predicates: &PredicateSet,
    config: &Config,
    progress: Progress<'_>,
) -> Result<Abstraction> {
    let mut context = match Context::new(program, cfg, predicates, config, progress) {
        Ok(context) => context,
        Err(Stop::Error(error)) => return Err(error),
        Err(Stop::Limit(limit)) => return Ok(Abstraction::nothing(limit)),
    };
    let feasible = context.feasible();
    let reached = may::reach(&mut context);
    let mut abstraction = sorted(reached, feasible);
    must_minus::mark(&mut context, &mut abstraction);
    // Also if the time was over during a question that came last: its answer may be missing.
    abstraction.limit = abstraction.limit.or(context.limit());
    if abstraction.limit.is_some() {
        abstraction.multiplying = multiplying::rank(&abstraction.states, predicates.predicates.len());
    }
    abstraction.statistics = context.solver.statistics;
    abstraction.assumptions = context.translator.memory.assumptions.clone();
    debug_assert_eq!(abstraction.verify(), Ok(()));
    Ok(abstraction)
}

impl<'a> Context<'a> {
    /// Puts the function into formulas.
    pub fn new(
        program: &Program,
        cfg: &'a Cfg,
        predicates: &'a PredicateSet,
        config: &'a Config,
        progress: Progress<'a>,
    ) -> std::result::Result<Context<'a>, Stop> {
        let memory = Arc::new(memory::lay_out(cfg, config, &predicates.meanings()));
        let mut translator = Translator::new(memory, config.arithmetic, config.followed_overflow());
        let domain = translator.domain();
        let entry_domain = translator.entry_domain();
        let within =
            |translator: &Translator| limit(config, translator).map_or(Ok(()), |limit| Err(Stop::Limit(limit)));
        // What is held beside the terms.
        let mut held = 0;
        let mut hold = |formulas: &[(usize, Term)]| {
            held += size_of_val(formulas);
            if held > MAX_BYTES { Err(Stop::Limit(Limit::Memory)) } else { Ok(()) }
        };
        let mut formulas = vec![Vec::new()];
        for index in 0..cfg.points.len() {
            within(&translator)?;
            let here = formulas_at(program, cfg, predicates, index, &mut translator)?;
            // Each is there twice.
            hold(&here)?;
            hold(&here)?;
            formulas.push(here);
        }
        let starts = std::iter::once(cfg.entry).chain(cfg.points.iter().map(|point| point.location));
        let mut blocks = Vec::new();
        for (start, here) in starts.zip(formulas.clone()) {
            within(&translator)?;
            let transfer = transfer(cfg, &mut translator, start)
                .map_err(|(problem, location)| inexpressible(program, cfg, problem, location))?;
            let mut preconditions = Vec::new();
            for exit in &transfer.exits {
                let target = match exit.target {
                    Target::Point(point) => formulas[point.index() + 1].as_slice(),
                    Target::Halt | Target::Error(_) | Target::Stop => &[],
                };
                let values: BTreeMap<_, _> =
                    exit.values.iter().map(|(cell, value)| (translator.symbol(*cell), *value)).collect();
                let before = translator.terms.substitute_all(target.iter().map(|(_, formula)| *formula), &values);
                let before: Vec<_> = target.iter().map(|(position, _)| *position).zip(before).collect();
                within(&translator)?;
                hold(&before)?;
                preconditions.push(before);
            }
            blocks.push(Block {
                formulas: here,
                transfer,
                preconditions,
                relevant: BTreeSet::new(),
                invariant: Vec::new(),
            });
        }
        within(&translator)?;
        let transfers: Vec<&Transfer> = blocks.iter().map(|block| &block.transfer).collect();
        let invariants = invariants(&mut translator, &transfers);
        for (block, invariant) in blocks.iter_mut().zip(invariants) {
            block.invariant = invariant;
        }
        within(&translator)?;
        relevance::mark(&translator, &mut blocks);
        Ok(Context {
            predicates,
            config,
            translator,
            solver: Solver::new(config.jobs, config.timeout)?.until(config.limit.map(|limit| limit.end), &config.stop),
            domain,
            entry_domain,
            blocks,
            given: given(cfg),
            progress,
        })
    }

    /// The same for what is done behind an analysis, and says nothing about limits; `None` if one is reached.
    pub fn within_limits(
        program: &Program,
        cfg: &'a Cfg,
        predicates: &'a PredicateSet,
        config: &'a Config,
    ) -> Result<Option<Context<'a>>> {
        match Context::new(program, cfg, predicates, config, &|_, _| {}) {
            Ok(context) => Ok(Some(context)),
            Err(Stop::Error(error)) => Err(error),
            Err(Stop::Limit(_)) => Ok(None),
        }
    }

    /// The limit that is reached, if one is.
    fn limit(&self) -> Option<Limit> {
        limit(self.config, &self.translator).or(self.solver.is_full().then_some(Limit::Memory))
    }

    fn block(&self, node: Node, states: &[State]) -> usize {
        match node {
            Node::Entry => 0,
            Node::State(id) => states[id.index()].point.index() + 1,
            Node::Halt | Node::Error(_) => unreachable!("nothing starts at an end"),
        }
    }

    /// The literals that say that the predicates at a block have these values, by position.
    pub fn literals(&mut self, block: usize, value: impl Fn(usize) -> Option<bool>) -> Vec<Term> {
        literals(&mut self.translator, &self.blocks[block].formulas, value)
    }

    /// The same after a step through an exit of the block, as formulas over the state before it.
    pub fn literals_after(&mut self, block: usize, exit: usize, value: impl Fn(usize) -> Option<bool>) -> Vec<Term> {
        literals(&mut self.translator, &self.blocks[block].preconditions[exit], value)
    }

    /// All feasible valuations of the observed predicates, if there is a point that observes all and they are few.
    fn feasible(&mut self) -> Option<Vec<Valuation>> {
        let count = self.predicates.observed_count();
        let formulas = self
            .blocks
            .iter()
            .skip(1)
            .map(|block| &block.formulas)
            .find(|formulas| formulas.iter().filter(|(position, _)| *position < count).count() == count)?;
        let asked: Vec<(usize, Term)> = formulas.iter().take(count).copied().collect();
        // Groups without common symbols: their values combine freely.
        let mut feasible = vec![vec![None; count]];
        for (question, positions) in may::groups(&self.translator.terms, &self.domain, &[], &asked, MAX_FEASIBLE + 1) {
            let combinations = self.solver.combinations(&self.translator.terms, &question);
            let number = feasible.len() * combinations.found.len();
            if combinations.truncated || !combinations.possible.is_empty() || number > MAX_FEASIBLE {
                return None;
            }
            let mut product = Vec::with_capacity(number);
            for values in &feasible {
                for choice in &combinations.found {
                    let mut longer = values.clone();
                    for (position, value) in positions.iter().zip(choice) {
                        longer[*position] = Some(*value);
                    }
                    product.push(longer);
                }
            }
            feasible = product;
        }
        let mut feasible: Vec<Valuation> = feasible.into_iter().map(Valuation::new).collect();
        feasible.sort();
        Some(feasible)
    }
}

/// The formulas, each as it is or negated, as far as there is a value for its position.
fn literals(
    translator: &mut Translator,
    formulas: &[(usize, Term)],
    value: impl Fn(usize) -> Option<bool>,
) -> Vec<Term> {
    let known = formulas.iter().filter_map(|(position, formula)| Some((value(*position)?, *formula)));
    known.map(|(value, formula)| if value { formula } else { translator.terms.not(formula) }).collect()
}

/// The variables that have a value at the start.
fn given(cfg: &Cfg) -> BTreeSet<VarId> {
    let variables = cfg.variables.iter().enumerate().map(|(index, variable)| (VarId(index as u32), variable.role));
    variables.filter(|(id, role)| *role == Role::Global || cfg.parameters.contains(id)).map(|(id, _)| id).collect()
}

/// The limit of time or memory that is reached, if one is.
fn limit(config: &Config, translator: &Translator) -> Option<Limit> {
    if config.limit.is_some_and(|limit| std::time::Instant::now() >= limit.end) {
        return Some(Limit::Time);
    }
    translator.terms.is_full().then_some(Limit::Memory)
}

/// The observed predicates of a point as formulas.
fn formulas_at(
    program: &Program,
    cfg: &Cfg,
    predicates: &PredicateSet,
    index: usize,
    translator: &mut Translator,
) -> Result<Vec<(usize, Term)>> {
    let mut formulas = Vec::new();
    for (position, predicate) in predicates.predicates.iter().enumerate() {
        let Some(expr) = &predicate.at[index] else {
            continue;
        };
        let formula = translator
            .predicate(expr)
            .map_err(|problem| inexpressible(program, cfg, problem, cfg.points[index].location))?;
        // What pct does not know is not observed.
        if !translator.is_approximate(formula) {
            formulas.push((position, formula));
        }
    }
    Ok(formulas)
}

/// The error for what mathematical integers cannot express.
fn inexpressible(program: &Program, cfg: &Cfg, problem: Inexpressible, location: LocationId) -> Error {
    let (Inexpressible(what), span) = (problem, cfg.spans[location.index()]);
    Error::source(
        &program.sources,
        span,
        format!("{what} cannot be expressed with mathematical integers"),
        "here",
        "use --arith machine",
    )
}

/// The states in the order of the source text and of the valuations, and the transitions in their order.
fn sorted(reached: may::Reached, feasible: Option<Vec<Valuation>>) -> Abstraction {
    let mut order: Vec<usize> = (0..reached.states.len()).collect();
    order.sort_by(|a, b| reached.states[*a].cmp(&reached.states[*b]));
    let mut new_id = vec![StateId(0); order.len()];
    for (new, old) in order.iter().enumerate() {
        new_id[*old] = StateId(new as u32);
    }
    let renumber = |node: Node| match node {
        Node::State(id) => Node::State(new_id[id.index()]),
        other => other,
    };
    let mut transitions: Vec<Transition> = reached
        .transitions
        .into_iter()
        .map(|transition| Transition { from: renumber(transition.from), to: renumber(transition.to), ..transition })
        .collect();
    transitions.sort_by_key(|transition| (transition.from, transition.to));
    Abstraction {
        states: order.iter().map(|old| reached.states[*old].clone()).collect(),
        transitions,
        feasible,
        limit: reached.limit,
        multiplying: Vec::new(),
        statistics: Statistics::default(),
        assumptions: Vec::new(),
    }
}

impl Abstraction {
    /// What is known of a function that was not explored at all.
    fn nothing(limit: Limit) -> Abstraction {
        Abstraction {
            states: Vec::new(),
            transitions: Vec::new(),
            feasible: None,
            limit: Some(limit),
            multiplying: Vec::new(),
            statistics: Statistics::default(),
            assumptions: Vec::new(),
        }
    }

    /// The first broken invariant: transitions are unique and between listed states, must only where may is proven, and
    /// a state with a must+ has no other successor.
    pub fn verify(&self) -> std::result::Result<(), String> {
        let mut seen = BTreeSet::new();
        let mut successors: BTreeMap<Node, usize> = BTreeMap::new();
        for transition in &self.transitions {
            if !seen.insert((transition.from, transition.to)) {
                return Err(format!("{transition:?} is listed twice"));
            }
            *successors.entry(transition.from).or_default() += 1;
            for node in [transition.from, transition.to] {
                if let Node::State(id) = node
                    && id.index() >= self.states.len()
                {
                    return Err(format!("{transition:?} speaks of an unknown state"));
                }
            }
            if (transition.must_plus || transition.must_minus) && !transition.proven {
                return Err(format!("{transition:?} must happen, but may not be possible"));
            }
        }
        for transition in &self.transitions {
            if transition.must_plus && successors[&transition.from] != 1 {
                return Err(format!("{transition:?} is must+, but there are others"));
            }
        }
        Ok(())
    }
}
