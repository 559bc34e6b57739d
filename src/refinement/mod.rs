//! Refining: open states → predicates that decide them, and proofs that no run reaches them.
//!
//! [`candidates`] are made from the function, [`facts`] finds out what all of them together exclude, and [`prove`] keeps
//! the fewest that exclude the same. What they exclude is a proof in the form of an inductive set ([`Proof`]): the start
//! lies in it, no step leads out of it, and the excluded states are outside. [`certificate`] checks it by questions of
//! its own. [`explain`] says of one state what is known of it and why, and [`suggestions`] measures what predicates would
//! bring. [`session`] is refinement by hand.

pub mod candidates;
pub mod certificate;
pub mod chains;
pub mod explain;
pub mod facts;
pub mod meaning;
pub mod session;
pub mod suggestions;
pub mod unrolling;

use std::collections::{BTreeMap, BTreeSet};

use crate::abstraction::{Abstraction, Context, Node, State, StateId, Valuation};
use crate::cfg::{Cfg, PointId};
use crate::config::Config;
use crate::error::Result;
use crate::predicates::{self, PredicateSet};
use crate::program::Program;
use candidates::{Candidate, Kind};
use facts::{Facts, Literals};
use unrolling::{Limits, Unrolled};

/// A point and the values of predicates there; of the observed ones, unless something else is said.
pub type Observable = (PointId, Valuation);

/// A set of states that no run leaves: points with the values of some predicates; the others may have any value.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The predicates.
    pub predicates: PredicateSet,
    /// The parts of the set, sorted.
    pub cubes: Vec<Observable>,
    /// What a step may lead to from the set, but no run of the last few steps does.
    pub unrolled: Vec<Observable>,
}

impl Proof {
    /// Whether no part of the set is observed so, as far as the values tell.
    pub fn excludes(&self, (point, observed): &Observable) -> bool {
        let differ = |(a, b): (Option<bool>, Option<bool>)| a.is_some() && b.is_some() && a != b;
        let meets = |values: &Valuation| !values.iter().zip(observed.iter()).any(differ);
        !self.cubes.iter().any(|(at, values)| at == point && meets(values))
    }
}

/// What is refined.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The C.
    pub program: &'a Program,
    /// The graph of the function.
    pub cfg: &'a Cfg,
    /// The settings.
    pub config: &'a Config,
    /// The predicates so far.
    pub predicates: &'a PredicateSet,
    /// Their abstraction.
    pub abstraction: &'a Abstraction,
}

/// Predicates that exclude states.
#[derive(Clone, Debug)]
pub struct Found {
    /// The predicates that are new, each with the states that it excludes together with those before it.
    pub chosen: Vec<(Candidate, BTreeSet<Observable>)>,
    /// Everything that is excluded.
    pub excluded: BTreeSet<Observable>,
    /// Why.
    pub proof: Proof,
}

/// A predicate that was added, with how many states were open before and after it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The predicate.
    pub candidate: Candidate,
    /// Open states before it was there.
    pub open_before: usize,
    /// Open states with it.
    pub open_after: usize,
}

/// What can be kept of a refinement.
#[derive(Clone, Debug, Default)]
pub struct Proved {
    /// The predicates that were added.
    pub steps: Vec<Step>,
    /// The states that no run reaches.
    pub unreachable: BTreeSet<Observable>,
}

impl Subject<'_> {
    /// How a state of the abstraction is observed.
    fn observable(&self, index: usize) -> Observable {
        let state = &self.abstraction.states[index];
        (state.point, state.valuation.prefix(self.predicates.observed_count()))
    }

    /// Which states of the abstraction unrolling excludes, of those that are observed as one of the wanted.
    fn unrolled(&self, wanted: &BTreeSet<Observable>, limits: Limits, is_over: &dyn Fn() -> bool) -> Result<Unrolled> {
        let Subject { program, cfg, config, predicates, abstraction } = self;
        if abstraction.limit.is_some() {
            return Ok(Unrolled::default());
        }
        let Some(mut context) = Context::within_limits(program, cfg, predicates, config)? else {
            return Ok(Unrolled::default());
        };
        let states = (0..abstraction.states.len()).map(|index| StateId(index as u32));
        let open = states.filter(|id| wanted.contains(&self.observable(id.index()))).collect();
        Ok(unrolling::unroll(&mut context, abstraction, open, limits, is_over))
    }

    /// Those of the wanted states that no state of the abstraction is observed as which is reached.
    fn excluded(&self, wanted: &BTreeSet<Observable>, is_reached: impl Fn(StateId) -> bool) -> BTreeSet<Observable> {
        let states = (0..self.abstraction.states.len()).filter(|index| is_reached(StateId(*index as u32)));
        let reached: BTreeSet<Observable> = states.map(|index| self.observable(index)).collect();
        wanted.difference(&reached).cloned().collect()
    }
}

/// Ways through the abstraction to states.
pub type Ways = BTreeMap<Observable, Vec<Node>>;

/// Those of the wanted states that no run reaches because no way of a few steps leads there, and for the others a way that
/// may be possible.
pub fn unroll(
    subject: Subject<'_>,
    wanted: &BTreeSet<Observable>,
    limits: Limits,
    is_over: &dyn Fn() -> bool,
) -> Result<(BTreeSet<Observable>, Ways)> {
    let Unrolled { excluded, ways } = subject.unrolled(wanted, limits, is_over)?;
    let ways = ways.into_iter().map(|(id, way)| (subject.observable(id.index()), way)).collect();
    Ok((subject.excluded(wanted, |id| !excluded.contains(&id)), ways))
}

/// The fewest of the candidates that exclude as many of the wanted states as all of them do, or as many as `most`
/// predicates can; `None` if they exclude nothing, or if there is no time to find out.
pub fn prove(
    subject: Subject<'_>,
    candidates: &[Candidate],
    wanted: &BTreeSet<Observable>,
    most: usize,
    is_over: &dyn Fn() -> bool,
) -> Result<Option<Found>> {
    let Subject { program, cfg, config, predicates, abstraction } = subject;
    // What is not complete proves nothing: states and steps may be missing.
    if abstraction.limit.is_some() {
        return Ok(None);
    }
    let texts = candidates.iter().map(|candidate| candidate.text.clone());
    let all = predicates::track(program, cfg, config, predicates, texts);
    let first = predicates.predicates.len();
    let Some(mut context) = Context::within_limits(program, cfg, &all, config)? else {
        return Ok(None);
    };
    let mut decide = |used: &BTreeSet<usize>| -> Option<(Facts, BTreeSet<Observable>)> {
        let facts = facts::facts(&mut context, abstraction, used, is_over)?;
        let excluded = subject.excluded(wanted, |id| facts.at[id.index()].is_some());
        Some((facts, excluded))
    };
    let kind = |text: &str| candidates.iter().find(|candidate| candidate.text == text).map_or(Kind::User, |c| c.kind);
    // The most telling kinds alone often are enough, and cost less.
    let kinds: BTreeSet<Kind> = candidates.iter().map(|candidate| candidate.kind).collect();
    let (mut pool, mut goal) = (BTreeSet::new(), BTreeSet::new());
    for last in kinds {
        let larger: BTreeSet<usize> =
            (first..all.predicates.len()).filter(|position| kind(&all.predicates[*position].text) <= last).collect();
        match decide(&larger) {
            Some((_, excluded)) if excluded.len() > goal.len() => (pool, goal) = (larger, excluded),
            Some(_) => {}
            None => break,
        }
        if goal.len() == wanted.len() {
            break;
        }
    }
    if goal.is_empty() {
        return Ok(None);
    }
    let mut chosen = smallest(&pool, |used| decide(used).is_some_and(|(_, excluded)| excluded.is_superset(&goal)));
    if chosen.len() > most {
        chosen = affordable(&chosen, &goal, most, &mut |used| decide(used).map(|(_, excluded)| excluded));
    }
    let mut used = BTreeSet::new();
    let (mut facts, mut excluded) = match decide(&used) {
        Some(start) => start,
        None => return Ok(None),
    };
    let mut found = Vec::new();
    for position in chosen {
        used.insert(position);
        let Some((stronger, more)) = decide(&used) else {
            return Ok(None);
        };
        let text = all.predicates[position].text.clone();
        found.push((Candidate { kind: kind(&text), text }, more.difference(&excluded).cloned().collect()));
        (facts, excluded) = (stronger, more);
    }
    if excluded.is_empty() {
        return Ok(None);
    }
    let texts = found.iter().map(|(candidate, _)| candidate.text.clone());
    let kept = predicates::track(program, cfg, config, predicates, texts);
    let cubes = cubes(abstraction, &facts, &used, kept.predicates.len());
    let proof = Proof { cubes, predicates: kept, unrolled: Vec::new() };
    Ok(Some(Found { chosen: found, excluded, proof }))
}

/// The states with their facts, over the predicates of the abstraction and those at the positions `used` behind them.
fn cubes(abstraction: &Abstraction, facts: &Facts, used: &BTreeSet<usize>, count: usize) -> Vec<(PointId, Valuation)> {
    let reached = abstraction.states.iter().zip(&facts.at).filter_map(|(state, facts)| Some((state, facts.as_ref()?)));
    let cube = |known: &Valuation, facts: &Literals| {
        let added = used.iter().map(|position| facts.get(position).copied());
        let values: Vec<Option<bool>> = known.iter().chain(added).collect();
        debug_assert_eq!(values.len(), count);
        Valuation::new(values)
    };
    let mut cubes: Vec<_> = reached.map(|(state, facts)| (state.point, cube(&state.valuation, facts))).collect();
    cubes.sort();
    cubes
}

/// A subset of which no part can be left out, if the whole passes: larger and larger parts of what is least telling are
/// tried first.
fn smallest(pool: &BTreeSet<usize>, mut passes: impl FnMut(&BTreeSet<usize>) -> bool) -> BTreeSet<usize> {
    let mut kept: Vec<usize> = pool.iter().copied().collect();
    let mut size = kept.len().div_ceil(2);
    loop {
        let mut end = kept.len();
        while end > 0 {
            let start = end.saturating_sub(size);
            let rest: BTreeSet<usize> = kept[..start].iter().chain(&kept[end..]).copied().collect();
            if passes(&rest) {
                kept.drain(start..end);
            }
            end = start;
        }
        if size <= 1 {
            return kept.into_iter().collect();
        }
        size = size.div_ceil(2);
    }
}

/// At most so many predicates, those first that exclude a state with the fewest.
fn affordable(
    pool: &BTreeSet<usize>,
    goal: &BTreeSet<Observable>,
    most: usize,
    excluded: &mut impl FnMut(&BTreeSet<usize>) -> Option<BTreeSet<Observable>>,
) -> BTreeSet<usize> {
    let mut needs: Vec<BTreeSet<usize>> = goal
        .iter()
        .map(|state| smallest(pool, |used| excluded(used).is_some_and(|excluded| excluded.contains(state))))
        .collect();
    needs.sort_by_key(BTreeSet::len);
    let mut chosen = BTreeSet::new();
    for need in needs {
        let union: BTreeSet<usize> = chosen.union(&need).copied().collect();
        if union.len() <= most {
            chosen = union;
        }
    }
    chosen
}

/// What the abstraction does not list is not reached, and neither is what unrolling excludes of the claims. Not of a
/// partial abstraction.
pub fn proof_of(
    subject: Subject<'_>,
    claims: &BTreeSet<Observable>,
    is_over: &dyn Fn() -> bool,
) -> Result<Option<Proof>> {
    let Subject { predicates, abstraction, .. } = subject;
    if abstraction.limit.is_some() {
        return Ok(None);
    }
    let Unrolled { excluded, .. } = subject.unrolled(claims, Limits::THOROUGH, is_over)?;
    let state = |index: &usize| {
        let State { point, valuation } = &abstraction.states[*index];
        (*point, valuation.clone())
    };
    let (unrolled, kept): (Vec<usize>, Vec<usize>) =
        (0..abstraction.states.len()).partition(|index| excluded.contains(&StateId(*index as u32)));
    Ok(Some(Proof {
        predicates: predicates.clone(),
        cubes: kept.iter().map(state).collect(),
        unrolled: unrolled.iter().map(state).collect(),
    }))
}
