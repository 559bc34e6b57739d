//! The must- transitions: every concrete state of the target is reached from the source.
//!
//! `b → b'` is must- iff `P(b') ⇒ SP(P(b))` is valid. With the block turned around ([`Inverse`]), the strongest
//! postcondition is `∃ lost. C₁ ∧ … ∧ Cₙ`, where each Cᵢ is a literal of b, a part of the guard, or an equation, said of
//! the state after. Those that the bits of b' decide need no solver. Those without lost values must each follow from
//! P(b'): one question, and nearly always the last one. Those with lost values fall into groups without common lost
//! values, each with one quantified question.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::may::{known_values, related};
use super::{Abstraction, Context, Node};
use crate::logic::Answer;
use crate::logic::inverse::Inverse;
use crate::logic::solver::Question;
use crate::logic::term::{Symbol, Term};
use crate::logic::transfer::Target;

/// So many transitions are worked on at a time.
const SLICE: usize = 1 << 13;

/// Marks the must- transitions among those that are proven to be possible, until a limit is reached.
pub(super) fn mark(context: &mut Context<'_>, abstraction: &mut Abstraction) {
    let mut inverses: BTreeMap<(usize, Target), Inverse> = BTreeMap::new();
    let mut begin = 0;
    while begin < abstraction.transitions.len() && context.limit().is_none() {
        let end = abstraction.transitions.len().min(begin + SLICE);
        mark_slice(context, abstraction, begin..end, &mut inverses);
        (context.progress)(abstraction.states.len(), context.solver.statistics.queries);
        begin = end;
    }
}

fn mark_slice(
    context: &mut Context<'_>,
    abstraction: &mut Abstraction,
    slice: Range<usize>,
    inverses: &mut BTreeMap<(usize, Target), Inverse>,
) {
    let mut open: Vec<Goal> = Vec::new();
    for index in slice {
        let transition = &abstraction.transitions[index];
        if let (Node::State(to), true) = (transition.to, transition.proven) {
            if context.limit().is_some() {
                return;
            }
            let block = context.block(transition.from, &abstraction.states);
            let target = Target::Point(abstraction.states[to.index()].point);
            if !is_exact(context, block, target) {
                continue;
            }
            let inverse = inverses.entry((block, target)).or_insert_with(|| invert(context, block, target));
            open.extend(goal(context, abstraction, index, inverse));
        }
    }
    // First what needs no quantifier: it refutes nearly everything that is not so.
    let simple: Vec<Question> = open.iter().filter_map(|goal| goal.implied.clone()).collect();
    context.solver.ask_all(&context.translator.terms, simple);
    open.retain(|goal| {
        goal.implied
            .as_ref()
            .is_none_or(|question| context.solver.answer(&context.translator.terms, question) == Answer::No)
    });
    let quantified: Vec<Question> =
        open.iter().flat_map(|goal| goal.exists.iter().map(|(question, _)| question.clone())).collect();
    context.solver.ask_all(&context.translator.terms, quantified);
    for goal in open {
        // Unknown is not a proof.
        let holds = goal
            .exists
            .iter()
            .all(|(question, expected)| context.solver.answer(&context.translator.terms, question) == *expected);
        abstraction.transitions[goal.transition].must_minus = holds;
    }
}

/// Whether everything that matters at the target is known: what is not known cannot be chosen.
fn is_exact(context: &Context<'_>, block: usize, target: Target) -> bool {
    let Target::Point(point) = target else {
        return false;
    };
    let exit = context.blocks[block].transfer.exits.iter().find(|exit| exit.target == target);
    let exit = exit.expect("the transition takes an exit");
    let kept = &context.blocks[point.index() + 1].relevant;
    let translator = &context.translator;
    let is_entry = block == 0;
    let is_vague = |term| translator.is_approximate(term) || is_entry && translator.is_unsettled(term);
    let values = exit.values.iter().filter(|(cell, _)| kept.contains(cell)).map(|(_, value)| *value);
    let unchanged = kept.iter().filter(|cell| !exit.values.contains_key(cell));
    let is_unsettled = is_entry && unchanged.into_iter().any(|cell| translator.memory.is_unsettled(*cell));
    !is_unsettled && !values.chain([exit.guard]).any(is_vague)
}

fn invert(context: &mut Context<'_>, block: usize, target: Target) -> Inverse {
    let Target::Point(point) = target else {
        unreachable!("only transitions between points are turned around");
    };
    let kept = context.blocks[point.index() + 1].relevant.clone();
    let transfer = &context.blocks[block].transfer;
    let exit = transfer.exits.iter().find(|exit| exit.target == target).expect("the transition takes an exit");
    let formulas: Vec<Term> = context.blocks[block].formulas.iter().map(|(_, formula)| *formula).collect();
    Inverse::new(&mut context.translator, exit, &kept, &transfer.inputs, &formulas)
}

/// What remains to be shown for one transition.
struct Goal {
    transition: usize,
    /// Must be unsatisfiable: the target without a condition that has no lost values.
    implied: Option<Question>,
    /// Questions about lost values, each with the answer that it must have.
    exists: Vec<(Question, Answer)>,
}

/// What remains to be shown for a transition; `None` if it is plainly not must-.
fn goal(context: &mut Context<'_>, abstraction: &Abstraction, index: usize, inverse: &Inverse) -> Option<Goal> {
    let transition = &abstraction.transitions[index];
    let source = match transition.from {
        Node::State(id) => Some(&abstraction.states[id.index()].valuation),
        _ => None,
    };
    let Node::State(to) = transition.to else {
        unreachable!("ends are not observed");
    };
    let block = context.block(transition.from, &abstraction.states);
    let target_block = context.block(transition.to, &abstraction.states);
    let before = context.literals(block, |position| source.and_then(|values| values.get(position)));
    let after = context.literals(target_block, |position| abstraction.states[to.index()].valuation.get(position));
    let facts: Vec<Term> = after.iter().chain(&context.domain).copied().collect();
    let terms = &mut context.translator.terms;
    let known = known_values(terms, &after);
    let mut implied = Vec::new();
    let mut lossy: Vec<(Term, bool)> = Vec::new();
    let pulled: Vec<Term> = before.iter().map(|literal| inverse.pull(terms, *literal)).collect();
    let literals = pulled.into_iter().map(|term| (term, true));
    let conditions = inverse.conditions.iter().map(|term| (*term, false));
    let parts: Vec<(Term, bool)> = literals.chain(conditions).collect();
    let assigned = terms.assign_all(parts.iter().map(|(term, _)| *term), &known);
    for ((_, is_literal), term) in parts.into_iter().zip(assigned) {
        for part in terms.conjuncts(term) {
            match terms.as_bool(part) {
                Some(true) => {}
                Some(false) => return None,
                None if inverse.lost_in(terms, part).is_empty() => implied.push(part),
                None => lossy.push((part, is_literal)),
            }
        }
    }
    let implied = (!implied.is_empty()).then(|| {
        let all = terms.and(implied);
        let violated = terms.not(all);
        let mut question = related(terms, &facts, &[violated]);
        question.push(violated);
        Question::Satisfiable(question)
    });
    let exists = lossy_groups(context, &facts, inverse, lossy);
    Some(Goal { transition: index, implied, exists })
}

/// The questions about conditions with lost values.
fn lossy_groups(
    context: &mut Context<'_>,
    after: &[Term],
    inverse: &Inverse,
    mut lossy: Vec<(Term, bool)>,
) -> Vec<(Question, Answer)> {
    let terms = &mut context.translator.terms;
    let mut questions = Vec::new();
    while let Some(first) = lossy.pop() {
        let mut members = vec![first];
        let mut lost: BTreeSet<Symbol> = inverse.lost_in(terms, first.0).into_iter().collect();
        loop {
            let (connected, other): (Vec<_>, Vec<_>) = lossy
                .into_iter()
                .partition(|(term, _)| inverse.lost_in(terms, *term).iter().any(|symbol| lost.contains(symbol)));
            lossy = other;
            if connected.is_empty() {
                break;
            }
            for (term, _) in &connected {
                lost.extend(inverse.lost_in(terms, *term));
            }
            members.extend(connected);
        }
        let only_lost = members.iter().all(|(term, _)| terms.symbols(*term).iter().all(|symbol| lost.contains(symbol)));
        let only_literals = members.iter().all(|(_, is_literal)| *is_literal);
        let formulas: Vec<Term> = members.into_iter().map(|(term, _)| term).collect();
        if only_lost {
            // Part of the source state, which is not empty: there is nothing to ask.
            if !only_literals {
                questions.push((Question::Satisfiable(formulas), Answer::Yes));
            }
            continue;
        }
        let all = terms.and(formulas);
        let none = terms.not(all);
        let assumed = related(terms, after, &[none]);
        let symbols = lost.into_iter().collect();
        questions.push((Question::SatisfiableForAll(assumed, symbols, none), Answer::No));
    }
    questions
}
