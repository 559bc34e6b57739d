//! Checking a [`Proof`]: the start lies in its set, no step leads out of it (but to states that a run within the set never
//! gets to, which is shown by unrolling), and what it excludes is outside.
//!
//! Each of these is a question of its own, one for each part of the set and each way on from it, asked of a fresh solver in
//! the most general way: nothing of how the proof was found is used, not its transitions and no remembered answer. A set
//! with these properties contains every state that a run can reach, by induction over the steps of the run.

use std::time::Duration;

use super::unrolling::{self, Place};
use super::{Observable, Proof};
use crate::abstraction::{Context, Stop};
use crate::cfg::Cfg;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::logic::Answer;
use crate::logic::independent::{Opinion, satisfiable};
use crate::logic::term::Term;
use crate::logic::transfer::Target;
use crate::program::Program;

/// No way backwards has more steps.
const MAX_STEPS: usize = 32;

/// So many ways backwards are tried for one state.
const MAX_WAYS: usize = 4000;

/// One question; the certificate holds if the answer is no.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What would be wrong if the answer were yes, in words.
    pub what: String,
    /// The answer, and the question as text.
    pub opinion: Opinion,
}

impl Obligation {
    /// Whether it was proved.
    pub fn is_met(&self) -> bool {
        self.opinion.answer == Answer::No
    }
}

/// What came of a check.
#[derive(Clone, Debug)]
pub struct Checked {
    /// All questions with their answers.
    pub obligations: Vec<Obligation>,
    /// States that are said to be unreachable, but lie in the set.
    pub contradicted: Vec<Observable>,
}

impl Checked {
    /// Whether everything that has to hold was proved.
    pub fn holds(&self) -> bool {
        self.contradicted.is_empty() && self.obligations.iter().all(Obligation::is_met)
    }
}

/// Checks that the proof excludes the claimed states.
pub fn check(
    program: &Program,
    cfg: &Cfg,
    config: &Config,
    proof: &Proof,
    claims: &[Observable],
    timeout: Duration,
) -> Result<Checked> {
    let mut context = match Context::new(program, cfg, &proof.predicates, config, &|_, _| {}) {
        Ok(context) => context,
        Err(Stop::Error(error)) => return Err(error),
        Err(Stop::Limit(limit)) => {
            return Err(Error::usage(format!("the limit of {} is reached before anything is checked", limit.name())));
        }
    };
    let mut obligations = Vec::new();
    let name = |part: Option<&Observable>| match part {
        Some((point, values)) => format!("{}:{values}", cfg.points[point.index()].label),
        None => "the start".to_string(),
    };
    for part in std::iter::once(None).chain(proof.cubes.iter().map(Some)) {
        let index = part.map_or(0, |(point, _)| point.index() + 1);
        let domain = if part.is_some() { &context.domain } else { &context.entry_domain };
        let mut before: Vec<Term> = domain.clone();
        before.extend(context.literals(index, |position| part.and_then(|(_, values)| values.get_at(position))));
        for exit in 0..context.blocks[index].transfer.exits.len() {
            let Target::Point(target) = context.blocks[index].transfer.exits[exit].target else {
                continue;
            };
            let mut conditions = before.clone();
            conditions.push(context.blocks[index].transfer.exits[exit].guard);
            for (_, inside) in proof.cubes.iter().chain(&proof.unrolled).filter(|(point, _)| *point == target) {
                let inside = context.literals_after(index, exit, |position| inside.get_at(position));
                let terms = &mut context.translator.terms;
                let inside = terms.and(inside);
                conditions.push(terms.not(inside));
            }
            let what =
                format!("a run gets from {} to {} outside the set", name(part), cfg.points[target.index()].label);
            let opinion = satisfiable(&context.translator.terms, &conditions, timeout);
            obligations.push(Obligation { what, opinion });
        }
    }
    for state in &proof.unrolled {
        unroll(&mut context, proof, state, timeout, &name, &mut obligations);
    }
    let contradicted = claims.iter().filter(|claim| !proof.excludes(claim));
    Ok(Checked { obligations, contradicted: contradicted.cloned().collect() })
}

/// Shows that no run in the set ends in the state: each way backwards is impossible after a few steps.
fn unroll(
    context: &mut Context<'_>,
    proof: &Proof,
    state: &Observable,
    timeout: Duration,
    name: &dyn Fn(Option<&Observable>) -> String,
    obligations: &mut Vec<Obligation>,
) {
    let mut ways: Vec<Vec<Option<&Observable>>> = vec![vec![Some(state)]];
    let mut asked = 0;
    while let Some(way) = ways.pop() {
        let Some((point, _)) = way[0] else {
            continue;
        };
        for before in std::iter::once(None).chain(proof.cubes.iter().map(Some)) {
            let index = before.map_or(0, |(point, _)| point.index() + 1);
            let exits = &context.blocks[index].transfer.exits;
            if !exits.iter().any(|exit| exit.target == Target::Point(*point)) {
                continue;
            }
            let longer: Vec<Option<&Observable>> = std::iter::once(before).chain(way.iter().copied()).collect();
            let places: Vec<Option<Place<'_>>> =
                longer.iter().map(|place| place.map(|(point, values)| (*point, values))).collect();
            let Some(trail) = unrolling::trail(context, &places) else {
                continue;
            };
            asked += 1;
            let opinion = satisfiable(&context.translator.terms, trail.conditions(), timeout);
            let is_last = before.is_none() || longer.len() > MAX_STEPS || asked > MAX_WAYS;
            if opinion.answer == Answer::No || is_last {
                let steps: Vec<String> = longer.iter().map(|place| name(*place)).collect();
                obligations.push(Obligation { what: format!("a run goes {}", steps.join(", ")), opinion });
                if is_last {
                    continue;
                }
            } else {
                ways.push(longer);
            }
        }
    }
}
