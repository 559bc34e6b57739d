//! Suggestions: predicates that would decide open states, each with the gain that it really brings.
//!
//! What [`super::prove`] finds for the wanted states comes first, as a whole and each predicate by itself. Then the
//! candidates of the function are tried one by one. A gain is measured, not estimated: the analysis is run with the
//! predicate tracked, as by `pct analyze --track`, and what was known before stays known ([`Bounds::refined`]).

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::candidates::{Candidate, candidates};
use super::{Found, Observable, Subject};
use crate::abstraction;
use crate::bounds::{self, Bounds, Verdict};
use crate::config::{Config, TimeLimit};
use crate::error::Result;
use crate::predicates;

/// So many candidates are tried at most.
const MAX_TRIED: usize = 32;

/// So many suggestions are made at most, beside what was proved to help.
const MAX_SUGGESTED: usize = 6;

/// The size of the bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// |U|.
    pub upper: usize,
    /// |L|.
    pub lower: usize,
    /// How many states are open.
    pub open: usize,
}

impl Sizes {
    /// Those of the bounds.
    pub fn of(bounds: &Bounds) -> Sizes {
        Sizes { upper: bounds.upper(), lower: bounds.count(|state| state.lower), open: bounds.open().len() }
    }
}

/// Predicates to track, with what they bring.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suggestion {
    /// The predicates; several, if only together they are known to help.
    pub candidates: Vec<Candidate>,
    /// The bounds with them tracked.
    pub after: Sizes,
    /// How many of the wanted states they decide.
    pub decided: usize,
}

/// Suggestions for the wanted states, the best first; none that has no gain. What proves that states are unreachable comes
/// first.
pub fn suggestions(
    subject: Subject<'_>,
    before: &Bounds,
    wanted: &BTreeSet<Observable>,
    found: Option<&Found>,
    is_over: &dyn Fn() -> bool,
) -> Result<Vec<Suggestion>> {
    let chosen: Vec<Candidate> =
        found.iter().flat_map(|found| &found.chosen).map(|(candidate, _)| candidate.clone()).collect();
    let mut tried: Vec<Vec<Candidate>> = Vec::new();
    if chosen.len() > 1 {
        tried.push(chosen.clone());
    }
    tried.extend(chosen.iter().cloned().map(|candidate| vec![candidate]));
    let proved = tried.len();
    let others = candidates(subject.cfg, subject.predicates);
    let others = others.into_iter().filter(|candidate| !chosen.contains(candidate)).take(MAX_TRIED);
    tried.extend(others.map(|candidate| vec![candidate]));
    let (before_it, were_undecided) = (Sizes::of(before), undecided(before));
    let mut suggested: Vec<Suggestion> = Vec::new();
    let mut rest: Vec<Suggestion> = Vec::new();
    for (number, candidates) in tried.into_iter().enumerate() {
        if is_over() {
            break;
        }
        let texts = candidates.iter().map(|candidate| candidate.text.clone());
        let Some(bounds) = tracked(subject, texts)? else {
            continue;
        };
        let bounds = before.clone().refined(&bounds);
        let after = Sizes::of(&bounds);
        let left = undecided(&bounds);
        let is_decided = |state: &&Observable| were_undecided.contains(*state) && !left.contains(*state);
        let suggestion = Suggestion { candidates, after, decided: wanted.iter().filter(is_decided).count() };
        if number < proved {
            suggested.push(suggestion);
        } else if after.open < before_it.open || suggestion.decided > 0 {
            rest.push(suggestion);
        }
    }
    rest.sort_by_key(|Suggestion { after, decided, .. }| {
        (usize::MAX - decided, after.open, after.upper, usize::MAX - after.lower)
    });
    rest.truncate(MAX_SUGGESTED);
    suggested.extend(rest);
    Ok(suggested)
}

/// The bounds with more predicates tracked; `None` if they add nothing, or if there was no time to find out.
fn tracked(subject: Subject<'_>, texts: impl IntoIterator<Item = String>) -> Result<Option<Bounds>> {
    let Subject { program, cfg, config, predicates, .. } = subject;
    let more = predicates::track(program, cfg, config, predicates, texts);
    if more.predicates.len() == predicates.predicates.len() {
        return Ok(None);
    }
    let abstraction = abstraction::compute(program, cfg, &more, config, &|_, _| {})?;
    let bounds = bounds::bound(&abstraction, more.observed_count(), cfg.checks.len());
    Ok((!bounds.partial).then_some(bounds))
}

/// The settings with so much time from now on, or less if the settings have less.
pub fn within(config: &Config, time: Duration) -> Config {
    let end = Instant::now() + time;
    let limit = match config.limit {
        Some(limit) if limit.end < end => limit,
        _ => TimeLimit { length: time, end },
    };
    Config { limit: Some(limit), ..config.clone() }
}

/// The states of the bounds that nothing is known of, or that only a test has shown: those that predicates can decide.
pub fn undecided(bounds: &Bounds) -> BTreeSet<Observable> {
    let states = bounds.states.iter().filter(|state| matches!(state.verdict, Verdict::Open | Verdict::Witnessed));
    states.map(|state| (state.point, state.valuation.clone())).collect()
}
