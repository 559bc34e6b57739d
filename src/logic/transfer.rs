//! What happens between two points, composed.
//!
//! The block that starts at a point is loop-free. Executing it symbolically, with paths joined where they meet, gives
//! for each target one guarded parallel assignment: if the guard holds in the state before, the target is reached, with
//! these values. The guards of all targets and of `assumed_away` are disjoint, and together they are all states. The
//! weakest precondition of a formula is then the guard and the formula with the values put in; it is the disjunction
//! over all paths, without the number of paths.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;

use super::access::Effects;
use super::term::{Sort, Symbol, Term};
use super::translate::{Defined, Inexpressible, Translator, Values};
use crate::cfg::{Action, Cfg, CheckId, LocationId, PointId};
use crate::config::Overflow;
use crate::program::{Expr, Source, VarId};

/// Where a block leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// The next point.
    Point(PointId),
    /// The location at which the execution was told to stop.
    Stop,
    /// The function has returned.
    Halt,
    /// The program has gone wrong, in this way.
    Error(CheckId),
}

/// One way out of a block.
#[derive(Clone, Debug)]
pub struct Exit {
    /// Where to.
    pub target: Target,
    /// For which states before.
    pub guard: Term,
    /// The values then, in terms of the state before.
    pub values: Values,
}

/// Everything that happens from one location to the next points.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The ways out, at most one for each target.
    pub exits: Vec<Exit>,
    /// For which states before the execution is not considered any further.
    pub assumed_away: Term,
    /// Symbols for arbitrary values that come up on the way.
    pub inputs: Vec<Symbol>,
    /// Where the environment is asked, in the order of every run.
    pub asked: Vec<Asked>,
}

/// A question to the environment.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Who asks.
    pub source: Source,
    /// For which states before.
    pub guard: Term,
    /// The variable that takes the answer.
    pub variable: VarId,
    /// What its cells hold then.
    pub values: Values,
}

/// A construct that cannot be expressed, and where it is.
pub type Problem = (Inexpressible, LocationId);

/// The state of the symbolic execution at a location.
#[derive(Clone)]
struct Reached {
    guard: Term,
    values: Values,
}

/// Executes the block that starts at `start`, to the next points.
pub fn transfer(cfg: &Cfg, translator: &mut Translator, start: LocationId) -> Result<Transfer, Problem> {
    execute(cfg, translator, start, None)
}

/// Executes from `start` to `stop`, through the points in between.
///
/// A cycle on the way (a loop of a callee) is not executed: afterwards what it writes has any value, and it is left by
/// any of its edges that can be passed with these values. That is more than can happen, never less.
pub fn transfer_to(
    cfg: &Cfg,
    translator: &mut Translator,
    start: LocationId,
    stop: LocationId,
) -> Result<Transfer, Problem> {
    execute(cfg, translator, start, Some(stop))
}

fn execute(
    cfg: &Cfg,
    translator: &mut Translator,
    start: LocationId,
    stop: Option<LocationId>,
) -> Result<Transfer, Problem> {
    let mut execution = Execution {
        cfg,
        reached: BTreeMap::new(),
        undefined: translator.terms.bool(false),
        inputs: Vec::new(),
        asked: Vec::new(),
        translator,
    };
    let order = topological(cfg, start, stop);
    let cycles = if stop.is_some() { cycles(cfg, &order) } else { BTreeMap::new() };
    let certain = execution.translator.terms.bool(true);
    let mut here = Some(Reached { guard: certain, values: Values::new() });
    for location in order {
        if let Some(cycle) = cycles.get(&location) {
            if cycle.first() == Some(&location) {
                let state = here.take().or_else(|| execution.join(cycle));
                if let Some(state) = state {
                    execution.leave_cycle(cycle, state)?;
                }
            }
            continue;
        }
        let state = here.take().or_else(|| execution.reached.remove(&location));
        if let Some(state) = state {
            execution.leave(location, state).map_err(|problem| (problem, location))?;
        }
    }
    let mut exits = Vec::new();
    let mut assumed_away = execution.undefined;
    for (location, state) in execution.reached {
        let target = match location {
            LocationId::HALT => Target::Halt,
            LocationId::STUCK => {
                assumed_away = execution.translator.terms.or(assumed_away, state.guard);
                continue;
            }
            location if Some(location) == stop => Target::Stop,
            location if cfg.failed_check(location).is_some() => {
                Target::Error(cfg.failed_check(location).expect("it was looked for"))
            }
            point => Target::Point(cfg.point_at[point.index()].expect("blocks end at points")),
        };
        exits.push(Exit { target, guard: state.guard, values: state.values });
    }
    exits.sort_by_key(|exit| exit.target);
    Ok(Transfer { exits, assumed_away, inputs: execution.inputs, asked: execution.asked })
}

struct Execution<'a> {
    cfg: &'a Cfg,
    translator: &'a mut Translator,
    reached: BTreeMap<LocationId, Reached>,
    undefined: Term,
    inputs: Vec<Symbol>,
    asked: Vec<Asked>,
}

impl Execution<'_> {
    /// Follows the edges of a location.
    fn leave(&mut self, location: LocationId, state: Reached) -> Result<(), Inexpressible> {
        let edges = &self.cfg.successors[location.index()];
        if let [yes, no] = edges.as_slice()
            && let Action::Test(condition, true) = &yes.action
        {
            let (holds, guard) = self.test(condition, &state)?;
            let fails = self.translator.terms.not(holds);
            for (edge, outcome) in [(yes, holds), (no, fails)] {
                let guard = self.translator.terms.and([guard, outcome]);
                self.arrive(edge.target, guard, state.values.clone());
            }
            return Ok(());
        }
        for edge in edges {
            let mut values = state.values.clone();
            let mut effects = Effects::default();
            self.translator.perform(&edge.action, &mut values, &mut effects)?;
            let guard = self.require(state.guard, effects.defined);
            // What holds of new values is no restriction: other values are not there.
            effects.facts.push(guard);
            let guard = self.translator.terms.and(effects.facts);
            self.inputs.extend(effects.inputs);
            if let Some((source, variable)) = effects.asked {
                let mut answer = Values::new();
                let memory = Arc::clone(&self.translator.memory);
                memory.for_each_cell(memory.root(variable), &mut |cell| {
                    answer.insert(cell, self.translator.read(cell, &values));
                });
                self.asked.push(Asked { source, guard, variable, values: answer });
            }
            self.arrive(edge.target, guard, values);
        }
        Ok(())
    }

    /// What has reached any location of a cycle, joined.
    fn join(&mut self, cycle: &[LocationId]) -> Option<Reached> {
        let head = cycle[0];
        for location in &cycle[1..] {
            if let Some(state) = self.reached.remove(location) {
                self.arrive(head, state.guard, state.values);
            }
        }
        self.reached.remove(&head)
    }

    /// Whatever happens inside a cycle, and then out of it. Which location it is left from is an input.
    fn leave_cycle(&mut self, cycle: &[LocationId], state: Reached) -> Result<(), Problem> {
        let mut values = state.values;
        let mut written = BTreeSet::new();
        for &location in cycle {
            for edge in &self.cfg.successors[location.index()] {
                written.extend(self.translator.written(&edge.action));
            }
        }
        for cell in written {
            self.translator.forget_cell(cell, &mut values);
        }
        let sort = Sort::Bits(32);
        let choice = self.translator.terms.symbol("last location of a loop", sort);
        self.inputs.push(choice);
        let choice = self.translator.terms.read(choice);
        for (number, &location) in cycle.iter().enumerate() {
            let terms = &mut self.translator.terms;
            let number = terms.number(sort, number as i128);
            let is_last = terms.eq(choice, number);
            let guard = terms.and([state.guard, is_last]);
            let state = Reached { guard, values: values.clone() };
            self.leave(location, state).map_err(|problem| (problem, location))?;
        }
        // What stays inside is covered already.
        for location in cycle {
            self.reached.remove(location);
        }
        Ok(())
    }

    fn test(&mut self, condition: &Expr, state: &Reached) -> Result<(Term, Term), Inexpressible> {
        let mut defined = Defined::default();
        let holds = self.translator.condition(condition, &state.values, &mut defined)?;
        Ok((holds, self.require(state.guard, defined)))
    }

    /// The guard strengthened by what makes an evaluation defined; the rest is assumed away, or goes wrong.
    fn require(&mut self, guard: Term, defined: Defined) -> Term {
        let overflow_is_error = self.translator.overflow() == Overflow::Error;
        let terms = &mut self.translator.terms;
        let no_overflow = terms.and(defined.no_overflow);
        let otherwise = terms.and(defined.otherwise);
        let both = terms.and([no_overflow, otherwise]);
        if terms.as_bool(both) == Some(true) {
            return guard;
        }
        let mut undefined = terms.not(both);
        if overflow_is_error {
            undefined = terms.not(otherwise);
            let overflow = terms.not(no_overflow);
            let wrong = terms.and([guard, otherwise, overflow]);
            self.arrive(LocationId::ERROR, wrong, Values::new());
        }
        let terms = &mut self.translator.terms;
        let away = terms.and([guard, undefined]);
        self.undefined = terms.or(self.undefined, away);
        terms.and([guard, both])
    }

    /// Joins a state with what has reached a location already.
    fn arrive(&mut self, location: LocationId, guard: Term, values: Values) {
        let terms = &mut self.translator.terms;
        if terms.as_bool(guard) == Some(false) {
            return;
        }
        let ends = self.cfg.is_terminal(location);
        // Nothing is observed at an end, so the values there do not matter.
        let values = if ends { Values::new() } else { values };
        let Some(known) = self.reached.remove(&location) else {
            self.reached.insert(location, Reached { guard, values });
            return;
        };
        // Within the joined guard, what only the first has tells the two apart.
        let second = terms.conjuncts(guard);
        let first: Vec<Term> = terms.conjuncts(known.guard).into_iter().filter(|part| !second.contains(part)).collect();
        let is_first = terms.and(first);
        let joined = terms.or(known.guard, guard);
        let variables: BTreeSet<_> = known.values.keys().chain(values.keys()).copied().collect();
        let mut merged = Values::new();
        for variable in variables {
            let a = self.translator.read(variable, &known.values);
            let b = self.translator.read(variable, &values);
            merged.insert(variable, self.translator.terms.ite(is_first, a, b));
        }
        self.reached.insert(location, Reached { guard: joined, values: merged });
    }
}

/// The locations of the block, from the start on, each after all that lead to it (but for cycles). A block ends before
/// `stop`, or if that is not given, before the points.
fn topological(cfg: &Cfg, start: LocationId, stop: Option<LocationId>) -> Vec<LocationId> {
    if Some(start) == stop {
        return Vec::new();
    }
    let mut order = Vec::new();
    let mut visited = BTreeSet::from([start]);
    // An explicit stack: blocks can be long.
    let mut stack = vec![(start, 0)];
    while let Some((location, next)) = stack.pop() {
        let edges = &cfg.successors[location.index()];
        if next == edges.len() {
            order.push(location);
            continue;
        }
        stack.push((location, next + 1));
        let target = edges[next].target;
        let is_end = match stop {
            Some(stop) => target == stop,
            None => cfg.point_at[target.index()].is_some(),
        };
        let inside = !is_end && !cfg.is_terminal(target);
        if inside && visited.insert(target) {
            stack.push((target, 0));
        }
    }
    order.reverse();
    order
}

/// For each location on a cycle all locations of its strongly connected component, that which comes first in `order`
/// first.
fn cycles(cfg: &Cfg, order: &[LocationId]) -> BTreeMap<LocationId, Vec<LocationId>> {
    let mut graph: DiGraphMap<LocationId, ()> = DiGraphMap::new();
    let inside: BTreeSet<LocationId> = order.iter().copied().collect();
    for &location in order {
        for edge in cfg.successors[location.index()].iter().filter(|edge| inside.contains(&edge.target)) {
            graph.add_edge(location, edge.target, ());
        }
    }
    let place: BTreeMap<LocationId, usize> =
        order.iter().enumerate().map(|(index, location)| (*location, index)).collect();
    let mut cycles = BTreeMap::new();
    for mut component in kosaraju_scc(&graph) {
        if component.len() > 1 || graph.contains_edge(component[0], component[0]) {
            component.sort_by_key(|location| place[location]);
            cycles.extend(component.iter().map(|location| (*location, component.clone())));
        }
    }
    cycles
}
