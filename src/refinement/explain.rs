//! Explaining: one observable state → [`Explanation`].
//!
//! What the state means, what is known of it and why: for a state of L the chain of must transitions that leads there, or
//! the state that it postdominates; for an open one a shortest may path, with the two steps at which the chain breaks; for
//! one that is not in U, where it would have to come from. For what is open, a proof that no run comes there is tried
//! first ([`super::prove`]), then inputs are searched for. Nothing here changes the bounds: what is said of the state is
//! read off the abstraction, or asked of the solver, and what the solver cannot answer is left out.

use std::collections::BTreeSet;
use std::time::Instant;

use super::candidates::candidates;
use super::chains::{self, Way};
use super::meaning::{self, Meaning, Memory, literals, satisfiable};
use super::suggestions::{self, Sizes, Suggestion, suggestions};
use super::{Found, Observable, Subject};
use crate::abstraction::{Abstraction, Context, Node, State, StateId, Stop, Transition, Valuation};
use crate::bounds::{BoundedState, Bounds, CheckVerdict, Verdict};
use crate::cfg::{Cfg, PointId};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::execution::campaign::{Campaign, Defect, Judge, Ran, campaign};
use crate::execution::{self, Probed};
use crate::logic::solver::Question;
use crate::logic::transfer::Target;
use crate::paths::Path;
use crate::predicates::PredicateSet;
use crate::testgen::engine::{Engine, Engines};
use crate::testgen::search;
use crate::testgen::{Generator, Test};

/// How far an explanation goes.
pub struct Explaining<'a> {
    /// The limits of one run; nothing runs without them.
    pub limits: Option<execution::Limits>,
    /// How far the search for inputs goes.
    pub search: search::Bounds,
    /// So many predicates are suggested together at most.
    pub max_predicates: usize,
    /// Asked from time to time: whether to stop.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
}

/// What there is to say of a state.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The state.
    pub state: Observable,
    /// What it means.
    pub meaning: Meaning,
    /// What is known of it; `None` if it is not in U.
    pub known: Option<BoundedState>,
    /// Why that is so.
    pub reason: Reason,
    /// Memory in which it holds.
    pub model: Option<Memory>,
    /// Inputs that lead there.
    pub witness: Option<Witness>,
    /// Whether inputs were searched for.
    pub searched: bool,
    /// Predicates that prove that no run comes there.
    pub excluded: Option<Excluded>,
    /// The bounds as they are.
    pub before: Sizes,
    /// Predicates that would help.
    pub suggestions: Vec<Suggestion>,
    /// Where pct contradicts itself.
    pub defects: Vec<Defect>,
}

/// Why a state is where it is.
#[derive(Clone, Debug)]
pub enum Reason {
    /// It is not in U: where it would have to come from.
    Outside(Vec<Origin>),
    /// It is not in what is known of U, which is not everything.
    Unexplored,
    /// A chain of must transitions, with at most one may step.
    Chain(Way),
    /// Every run that ends and comes to the end of the chain goes on to the state.
    Passed {
        /// The chain.
        chain: Way,
        /// A way from its end to the state.
        way: Way,
    },
    /// It is in L, but no such chain shows it.
    Lower(Way),
    /// It is not in L: a shortest may path, and where the chain breaks on it.
    Broken {
        /// The path.
        way: Way,
        /// The first step that is not must-, and the first one after it that is not must+.
        breaks: Vec<Break>,
    },
}

/// Where a state that is not in U would have to come from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The point before; `None` is the start of the function.
    pub point: Option<PointId>,
    /// The states there from which the step leads to the state; each is not in U, unless what else is known of all runs
    /// excludes the step.
    pub states: Vec<(Valuation, bool)>,
    /// There are more of them.
    pub truncated: bool,
}

/// A step that is not must.
#[derive(Clone, Debug)]
pub struct Break {
    /// The step.
    pub step: Transition,
    /// What it would have to be.
    pub needed: &'static str,
    /// The predicates whose values after the step the state before does not decide, by position.
    pub lost: Vec<usize>,
    /// A state of memory that takes the step.
    pub takes: Option<Memory>,
    /// One that does not.
    pub leaves: Option<Memory>,
    /// Every state of memory takes it; what is missing is that every state after it comes from there.
    pub is_total: bool,
}

/// Inputs that lead to the state.
#[derive(Clone, Debug)]
pub enum Witness {
    /// The test ran, and the state was observed.
    Ran(Box<Ran>),
    /// Only the inputs were found; `is_exact` says whether the formulas know everything that decides.
    Inputs(Box<Test>),
}

/// A proof that no run comes to the state.
#[derive(Clone, Debug)]
pub struct Excluded {
    /// What was found.
    pub found: Found,
    /// States on the may path, each with what of the new predicates holds there, as C, whenever a run comes there.
    pub facts: Vec<(Node, Vec<String>)>,
    /// The step of the may path that no run takes.
    pub step: Option<Transition>,
}

/// So many states from which a step leads to the state are listed.
const MAX_ORIGINS: usize = 6;

/// The state that a name such as `L7:FFFT` means; an error lists what there is.
pub fn named(cfg: &Cfg, predicates: &PredicateSet, name: &str) -> Result<Observable> {
    let points = || {
        let labels: Vec<&str> = cfg.points.iter().map(|point| point.label.as_str()).collect();
        format!("the points are {}", labels.join(" "))
    };
    let listed = || {
        let lines = predicates.predicates.iter().filter(|predicate| predicate.observed);
        let lines: Vec<String> = lines.map(|predicate| format!("{}: {}", predicate.name, predicate.text)).collect();
        format!("one letter (T or F, - where it is not observed) for each of\n  {}", lines.join("\n  "))
    };
    let Some((label, letters)) = name.trim().rsplit_once(':') else {
        return Err(Error::usage_with_help(
            format!("`{name}` is no state: a state is a point, a colon and truth values, such as L7:FFFT"),
            format!("{}; {}", points(), listed()),
        ));
    };
    let Some(index) = cfg.points.iter().position(|point| point.label == label) else {
        return Err(Error::usage_with_help(format!("there is no point `{label}`"), points()));
    };
    let count = predicates.observed_count();
    if let Some(letter) = letters.chars().find(|letter| !matches!(letter, 'T' | 'F' | '-')) {
        return Err(Error::usage_with_help(format!("`{letter}` in `{name}` is no truth value"), listed()));
    }
    if letters.chars().count() != count {
        return Err(Error::usage_with_help(
            format!(
                "`{name}` needs {count} truth values, one for each observed predicate, but has {}",
                letters.chars().count()
            ),
            listed(),
        ));
    }
    let valuation = Valuation::new(letters.chars().map(|letter| match letter {
        'T' => Some(true),
        'F' => Some(false),
        _ => None,
    }));
    for (position, predicate) in predicates.predicates.iter().enumerate().take(count) {
        let is_observed = predicate.at[index].is_some();
        if !is_observed && valuation.get(position).is_some() {
            return Err(Error::usage_with_help(
                format!("`{}` ({}) is not observed at {label}", predicate.name, predicate.text),
                "one of its variables is not in scope there or has no value yet: write - in its place",
            ));
        }
    }
    Ok((PointId(index as u32), valuation))
}

/// Explains a state.
pub fn explain(
    subject: Subject<'_>,
    bounds: &Bounds,
    state: &Observable,
    explaining: &Explaining<'_>,
) -> Result<Explanation> {
    let Subject { program, cfg, config, predicates, abstraction } = subject;
    let mut context = match Context::new(program, cfg, predicates, config, &|_, _| {}) {
        Ok(context) => context,
        Err(Stop::Error(error)) => return Err(error),
        Err(Stop::Limit(limit)) => {
            return Err(Error::usage(format!("the limit of {} is reached before anything is explained", limit.name())));
        }
    };
    unclear(&context, predicates, cfg, state)?;
    let known = bounds.states.iter().find(|known| (known.point, &known.valuation) == (state.0, &state.1)).cloned();
    let targets: BTreeSet<Node> = (0..abstraction.states.len())
        .filter(|index| subject.observable(*index) == *state)
        .map(|index| Node::State(StateId(index as u32)))
        .collect();
    let meaning = meaning::meaning(&mut context, cfg, predicates, state);
    let here = literals(&mut context, state.0.index() + 1, &state.1);
    let model = meaning::values(&mut context, cfg, predicates, state.0, None, here);
    let mut explanation = Explanation {
        state: state.clone(),
        meaning,
        known,
        reason: Reason::Unexplored,
        model,
        witness: None,
        searched: false,
        excluded: None,
        before: Sizes::of(bounds),
        suggestions: Vec::new(),
        defects: Vec::new(),
    };
    let way = chains::may_way(abstraction, Node::Entry, &targets);
    let (Some(known), Some(way)) = (&explanation.known, way) else {
        if !bounds.partial && explanation.meaning.feasible != Some(false) {
            explanation.reason = Reason::Outside(origins(&mut context, subject, state));
        } else if !bounds.partial {
            explanation.reason = Reason::Outside(Vec::new());
        }
        return Ok(explanation);
    };
    if known.lower {
        explanation.reason = lower(abstraction, &targets, way);
    } else {
        let breaks = broken(&way).into_iter().map(|(step, needed)| explained(&mut context, subject, step, needed));
        let breaks = breaks.collect();
        explanation.reason = Reason::Broken { way, breaks };
    }
    let wanted = BTreeSet::from([state.clone()]);
    let is_over = || (explaining.is_over)();
    let is_possible = known.verdict != Verdict::Unreachable;
    let mut trying = Trying::new(subject, bounds, explaining)?;
    // A short search first: what has inputs needs no proof. Then a proof, for at most half of the time that is left. Then
    // the search as far as it goes.
    if is_possible {
        let short = search::Bounds { questions: SHORT_SEARCH.min(explaining.search.questions), ..explaining.search };
        explanation.witness = trying.witness(&targets, &wanted, short)?;
        explanation.searched = true;
    }
    let mut found = None;
    if known.verdict == Verdict::Open && explanation.witness.is_none() {
        let pool = candidates(cfg, predicates);
        let limited = half(config);
        let is_late = || is_over() || limited.limit.is_some_and(|limit| Instant::now() >= limit.end);
        let subject = Subject { config: &limited, ..subject };
        found = super::prove(subject, &pool, &wanted, explaining.max_predicates, &is_late)?;
    }
    if let (Some(found), Reason::Broken { way, .. }) = (&found, &explanation.reason) {
        explanation.excluded = Some(excluded(subject, found.clone(), way));
        explanation.searched = false;
    } else if is_possible && explanation.witness.is_none() && explaining.search.questions > SHORT_SEARCH {
        explanation.witness = trying.witness(&targets, &wanted, explaining.search)?;
    }
    explanation.defects = trying.defects;
    if !known.lower && is_possible {
        explanation.suggestions = suggestions(subject, bounds, &wanted, found.as_ref(), &is_over)?;
    }
    if let (Some(Witness::Ran(_)), Some(known)) = (&explanation.witness, &mut explanation.known) {
        known.witnessed = true;
        if known.verdict == Verdict::Open {
            known.verdict = Verdict::Witnessed;
        }
    }
    Ok(explanation)
}

/// An error if the state leaves out a predicate that is observed at its point.
fn unclear(context: &Context<'_>, predicates: &PredicateSet, cfg: &Cfg, (point, valuation): &Observable) -> Result<()> {
    let label = &cfg.points[point.index()].label;
    for (position, predicate) in predicates.predicates.iter().enumerate().take(predicates.observed_count()) {
        let is_observed = context.blocks[point.index() + 1].formulas.iter().any(|(other, _)| *other == position);
        let (name, text) = (&predicate.name, &predicate.text);
        match valuation.get(position) {
            None if is_observed => {
                return Err(Error::usage_with_help(
                    format!("`{name}` ({text}) is observed at {label}"),
                    "write T or F in its place",
                ));
            }
            Some(_) if !is_observed => {
                return Err(Error::usage_with_help(
                    format!("what `{name}` ({text}) says at {label} is not known to pct"),
                    "write - in its place",
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Why a state is in L.
fn lower(abstraction: &Abstraction, targets: &BTreeSet<Node>, way: Way) -> Reason {
    if let Some(chain) = chains::chain(abstraction, targets) {
        return Reason::Chain(chain);
    }
    let passed = targets.iter().filter_map(|target| chains::passed(abstraction, *target));
    match passed.min_by_key(|(chain, way)| (chain.len() + way.len(), chain.len())) {
        Some((chain, way)) => Reason::Passed { chain, way },
        None => Reason::Lower(way),
    }
}

/// The first step that is not must-, and the first one after it that is not must+. The first step leads to a start.
fn broken(way: &[Transition]) -> Vec<(&Transition, &'static str)> {
    let steps = way.iter().enumerate().skip(1);
    let Some((first, step)) = steps.clone().find(|(_, step)| !step.must_minus) else {
        return Vec::new();
    };
    let mut breaks = vec![(step, "must-")];
    breaks.extend(steps.skip(first).find(|(_, step)| !step.must_plus).map(|(_, step)| (step, "must+")));
    breaks
}

/// Why a step is not must.
fn explained(context: &mut Context<'_>, subject: Subject<'_>, step: &Transition, needed: &'static str) -> Break {
    let Subject { cfg, predicates, abstraction, .. } = subject;
    let mut result =
        Break { step: step.clone(), needed, lost: Vec::new(), takes: None, leaves: None, is_total: step.must_plus };
    let (Node::State(from), Node::State(to)) = (step.from, step.to) else {
        return result;
    };
    let (State { point, valuation }, after) = (&abstraction.states[from.index()], &abstraction.states[to.index()]);
    let block = point.index() + 1;
    let before = literals(context, block, valuation);
    let Some(exit) =
        context.blocks[block].transfer.exits.iter().position(|exit| exit.target == Target::Point(after.point))
    else {
        return result;
    };
    let guard = context.blocks[block].transfer.exits[exit].guard;
    let values = context.blocks[block].transfer.exits[exit].values.clone();
    let mut taken = vec![guard];
    for (position, formula) in context.blocks[block].preconditions[exit].clone() {
        let opposite = context.translator.terms.not(formula);
        let mut possible = |literal| {
            let conditions = before.iter().copied().chain([guard, literal]).collect();
            satisfiable(context, conditions) == Some(true)
        };
        if possible(formula) && possible(opposite) {
            result.lost.push(position);
        }
        match after.valuation.get_at(position) {
            Some(true) => taken.push(formula),
            Some(false) => taken.push(opposite),
            None => {}
        }
    }
    let with = |more: Vec<_>| before.iter().copied().chain(more).collect::<Vec<_>>();
    let there = Some((after.point, &values));
    result.takes = meaning::values(context, cfg, predicates, *point, there, with(taken.clone()));
    if step.must_plus {
        return result;
    }
    let all = context.translator.terms.and(taken);
    let not_all = context.translator.terms.not(all);
    // The same point with another value tells more than another point.
    result.leaves = meaning::values(context, cfg, predicates, *point, there, with(vec![guard, not_all]))
        .or_else(|| meaning::values(context, cfg, predicates, *point, None, with(vec![not_all])));
    result
}

/// Where a state that is not in U would have to come from.
fn origins(context: &mut Context<'_>, subject: Subject<'_>, (point, valuation): &Observable) -> Vec<Origin> {
    let count = subject.predicates.observed_count();
    let reached: BTreeSet<Observable> =
        (0..subject.abstraction.states.len()).map(|index| subject.observable(index)).collect();
    let mut origins = Vec::new();
    for block in 0..context.blocks.len() {
        let exits = &context.blocks[block].transfer.exits;
        let Some(exit) = exits.iter().position(|exit| exit.target == Target::Point(*point)) else {
            continue;
        };
        let mut conditions = if block == 0 { context.entry_domain.clone() } else { Vec::new() };
        conditions.extend(context.domain.clone());
        conditions.push(context.blocks[block].transfer.exits[exit].guard);
        for (position, formula) in context.blocks[block].preconditions[exit].clone() {
            if position < count {
                match valuation.get_at(position) {
                    Some(true) => conditions.push(formula),
                    Some(false) => conditions.push(context.translator.terms.not(formula)),
                    None => {}
                }
            }
        }
        let formulas: Vec<_> =
            context.blocks[block].formulas.iter().filter(|(position, _)| *position < count).copied().collect();
        let asked = formulas.iter().map(|(_, formula)| *formula).collect();
        let question = Question::Combinations(conditions, asked, MAX_ORIGINS + 1);
        let combinations = context.solver.combinations(&context.translator.terms, &question);
        let mut found: Vec<Vec<bool>> = combinations.found.into_iter().chain(combinations.possible).collect();
        let truncated = combinations.truncated || found.len() > MAX_ORIGINS;
        found.truncate(MAX_ORIGINS);
        let before = block.checked_sub(1).map(|index| PointId(index as u32));
        let states = found.into_iter().map(|values| {
            let mut all = vec![None; count];
            for ((position, _), value) in formulas.iter().zip(values) {
                all[*position] = Some(value);
            }
            let valuation = Valuation::new(all);
            let is_in_upper = before.is_some_and(|before| reached.contains(&(before, valuation.clone())));
            (valuation, is_in_upper)
        });
        origins.push(Origin { point: before, states: states.collect(), truncated });
    }
    origins
}

/// What the new predicates say on the way, and the step that they exclude.
fn excluded(subject: Subject<'_>, found: Found, way: &[Transition]) -> Excluded {
    let Subject { abstraction, predicates, .. } = subject;
    let old = predicates.predicates.len();
    let fact = |valuation: &Valuation| -> Vec<String> {
        let new = found.proof.predicates.predicates.iter().enumerate().skip(old);
        new.filter_map(|(position, predicate)| {
            Some(if valuation.get_at(position)? { predicate.text.clone() } else { meaning::negated(&predicate.text) })
        })
        .collect()
    };
    let cube = |id: StateId| {
        let State { point, valuation } = &abstraction.states[id.index()];
        found.proof.cubes.iter().find(|(at, cube)| at == point && cube.prefix(old) == *valuation)
    };
    let (mut facts, mut step) = (Vec::new(), None);
    for taken in way {
        let Node::State(id) = taken.to else { continue };
        match cube(id) {
            Some((_, cube)) => facts.push((taken.to, fact(cube))),
            None => {
                step = Some(taken.clone());
                break;
            }
        }
    }
    facts.retain(|(_, facts)| !facts.is_empty());
    Excluded { found, facts, step }
}

/// So many questions a search asks before a proof is tried.
const SHORT_SEARCH: usize = 100;

/// The settings with half of the time that is left.
fn half(config: &Config) -> Config {
    match config.limit {
        Some(limit) => suggestions::within(config, limit.end.saturating_duration_since(Instant::now()) / 2),
        None => config.clone(),
    }
}

/// What is needed to find and to run tests for states; the function is compiled once, when a test is to run.
pub struct Trying<'a> {
    subject: Subject<'a>,
    bounds: Bounds,
    explaining: &'a Explaining<'a>,
    probed: Option<Probed>,
    /// Where pct contradicts itself.
    pub defects: Vec<Defect>,
}

impl<'a> Trying<'a> {
    /// Compiles the function, if tests are to run.
    pub fn new(subject: Subject<'a>, bounds: &Bounds, explaining: &'a Explaining<'a>) -> Result<Trying<'a>> {
        let Subject { program, cfg, config, predicates, .. } = subject;
        let probed = match explaining.limits {
            Some(_) => Some(execution::compile(program, cfg, predicates, config)?),
            None => None,
        };
        // Ways to go wrong are not what is searched for.
        let mut bounds = bounds.clone();
        bounds.checks.fill(CheckVerdict::Safe);
        Ok(Trying { subject, bounds, explaining, probed, defects: Vec::new() })
    }

    /// Inputs that lead to one of the targets, as far as the search finds some; they run, if there are limits for it.
    fn witness(
        &mut self,
        targets: &BTreeSet<Node>,
        wanted: &BTreeSet<Observable>,
        search: search::Bounds,
    ) -> Result<Option<Witness>> {
        let is_over = || (self.explaining.is_over)();
        if is_over() {
            return Ok(None);
        }
        if self.probed.is_none() {
            // That there was no time to begin is no error: then there is no test.
            let Some(mut generator) = self.generator()? else {
                return Ok(None);
            };
            let test = generator.toward(targets.clone(), search, &is_over);
            return Ok(test.map(|test| Witness::Inputs(Box::new(test))));
        }
        let campaign = match self.campaign(&[], Some(wanted), search) {
            Err(_) if (self.explaining.is_over)() => return Ok(None),
            other => other?,
        };
        let shows = |ran: &Ran| ran.shown.iter().any(|state| targets.contains(&Node::State(*state)));
        Ok(campaign.tests.into_iter().find(shows).map(|ran| Witness::Ran(Box::new(ran))))
    }

    /// Tests for the paths, and for the wanted states.
    pub fn campaign(
        &mut self,
        paths: &[Path],
        wanted: Option<&BTreeSet<Observable>>,
        search: search::Bounds,
    ) -> Result<Campaign> {
        let judge = Judge {
            cfg: self.subject.cfg,
            abstraction: self.subject.abstraction,
            bounds: &self.bounds,
            probed: self.probed.as_ref(),
            limits: self.explaining.limits.unwrap_or_default(),
            is_over: self.explaining.is_over,
            progress: &|_, _| {},
            wanted,
        };
        let engines = Engines { chosen: vec![Engine::Z3], cbmc: None };
        let Some(mut generator) = self.generator()? else {
            return Ok(Campaign { interrupted: true, ..Campaign::default() });
        };
        let campaign = campaign(&judge, &mut generator, &engines, paths, search)?;
        self.defects.extend(campaign.defects.iter().cloned());
        Ok(campaign)
    }

    /// `None` if there is no time.
    fn generator(&self) -> Result<Option<Generator<'a>>> {
        let Subject { program, cfg, config, predicates, abstraction } = self.subject;
        Generator::new(program, cfg, predicates, abstraction, config)
    }
}
