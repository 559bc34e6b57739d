//! Checking a [`Proof`]: the start lies in its set, no step leads out of it, and what it excludes is outside.
//!
//! Each of these is a question of its own, one for each part of the set and each way on from it, asked of a fresh solver in
//! the most general way: nothing of how the proof was found is used, not its transitions and no remembered answer. A set
//! with these properties contains every state that a run can reach, by induction over the steps of the run.

use std::time::Duration;

use super::facts::{Literals, cube};
use super::{Observable, Proof};
use crate::abstraction::{Context, Stop, Valuation};
use crate::cfg::{Cfg, PointId};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::logic::Answer;
use crate::logic::independent::{Opinion, satisfiable};
use crate::logic::term::Term;
use crate::logic::transfer::Target;
use crate::program::Program;

/// One question; the certificate holds if the answer is no.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What would be wrong if the answer were yes, in words.
    pub what: String,
    /// The answer, and the question as text.
    pub opinion: Opinion,
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
        self.contradicted.is_empty() && self.obligations.iter().all(|one| one.opinion.answer == Answer::No)
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
    let parts = std::iter::once(None).chain(proof.cubes.iter().map(Some));
    let mut obligations = Vec::new();
    for part in parts {
        let (index, valuation) = match part {
            Some((point, valuation)) => (point.index() + 1, Some(valuation)),
            None => (0, None),
        };
        let domain = if part.is_some() { &context.domain } else { &context.entry_domain };
        let mut before: Vec<Term> = domain.clone();
        before.extend(cube(&mut context, index, valuation, &Literals::new()));
        for exit in 0..context.blocks[index].transfer.exits.len() {
            let Target::Point(target) = context.blocks[index].transfer.exits[exit].target else {
                continue;
            };
            let mut conditions = before.clone();
            conditions.push(context.blocks[index].transfer.exits[exit].guard);
            for (_, inside) in proof.cubes.iter().filter(|(point, _)| *point == target) {
                let inside = after(&mut context, index, exit, inside);
                let terms = &mut context.translator.terms;
                let inside = terms.and(inside);
                conditions.push(terms.not(inside));
            }
            let from = match part {
                Some((point, valuation)) => format!("from {}:{valuation}", cfg.points[point.index()].label),
                None => "at the start".to_string(),
            };
            let what = format!("a run gets {from} to {} outside the set", cfg.points[target.index()].label);
            let opinion = satisfiable(&context.translator.terms, &conditions, timeout);
            obligations.push(Obligation { what, opinion });
        }
    }
    let contradicted = claims.iter().filter(|claim| proof.cubes.iter().any(|part| meets(part, claim)));
    Ok(Checked { obligations, contradicted: contradicted.cloned().collect() })
}

/// The values of the predicates after a step, as formulas over the state before it.
fn after(context: &mut Context<'_>, block: usize, exit: usize, values: &Valuation) -> Vec<Term> {
    let mut literals = Vec::new();
    for (position, formula) in context.blocks[block].preconditions[exit].clone() {
        match values.get_at(position) {
            Some(true) => literals.push(formula),
            Some(false) => literals.push(context.translator.terms.not(formula)),
            None => {}
        }
    }
    literals
}

/// Whether a part of the set has a state that is observed so, as far as the values tell.
fn meets((point, values): &(PointId, Valuation), (claimed, observed): &Observable) -> bool {
    let differs =
        |(value, observed): (Option<bool>, Option<bool>)| value.is_some() && observed.is_some() && value != observed;
    point == claimed && !values.iter().zip(observed.iter()).any(differs)
}
