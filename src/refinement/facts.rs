//! Facts: which of many predicates hold, or do not, whenever a state of the abstraction is reached.
//!
//! The strongest conjunction for each state, by a fixed point from the entry: the first way to a state gives it all
//! literals that are true there; every further way takes away what is not true after it. It is right because each
//! step of each state was asked about with the facts that the state ended up with: the states with their facts are an
//! inductive set. A state that no step leads to is not reached by any run. What the solver cannot answer takes all facts
//! away, so that nothing rests on it. The price of a predicate is linear here, where the abstraction pays a factor of two:
//! this is how the few are found that matter.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::abstraction::{Abstraction, Context, Node};
use crate::cfg::CheckId;
use crate::logic::solver::{Model, Question};
use crate::logic::term::Term;
use crate::logic::transfer::Target;

/// Truth values by the positions of predicates.
pub type Literals = BTreeMap<usize, bool>;

/// What holds where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// For each state of the abstraction what holds there; `None` if no run reaches it.
    pub at: Vec<Option<Literals>>,
    /// The checks that some run may fail.
    pub failing: BTreeSet<CheckId>,
}

/// The facts that the predicates at the positions `used` give; `None` if there was no time. The abstraction is one of the
/// first predicates of the context.
pub fn facts(
    context: &mut Context<'_>,
    abstraction: &Abstraction,
    used: &BTreeSet<usize>,
    is_over: &dyn Fn() -> bool,
) -> Option<Facts> {
    let mut successors: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    for transition in &abstraction.transitions {
        successors.entry(transition.from).or_default().push(transition.to);
    }
    let mut facts = Facts { at: vec![None; abstraction.states.len()], failing: BTreeSet::new() };
    let mut queue = VecDeque::from([Node::Entry]);
    while let Some(from) = queue.pop_front() {
        let here = match from {
            Node::State(id) => facts.at[id.index()].clone().unwrap_or_default(),
            _ => Literals::new(),
        };
        for &to in successors.get(&from).into_iter().flatten() {
            if is_over() {
                return None;
            }
            match to {
                Node::State(id) => {
                    let Some(step) = Step::new(context, abstraction, from, &here, to, used) else {
                        continue;
                    };
                    if step.weaken(context, &mut facts.at[id.index()]) && !queue.contains(&to) {
                        queue.push_back(to);
                    }
                }
                Node::Error(check) if !facts.failing.contains(&check) => {
                    let step = Step::new(context, abstraction, from, &here, to, used);
                    if step.is_some_and(|step| step.weaken(context, &mut None)) {
                        facts.failing.insert(check);
                    }
                }
                _ => {}
            }
        }
    }
    Some(facts)
}

/// One step of the abstraction as formulas over the state before it.
struct Step {
    /// The state before, its facts, and that the step leads to the state after.
    conditions: Vec<Term>,
    /// What the predicates will be after it.
    after: Vec<(usize, Term)>,
}

impl Step {
    /// `None` if the formulas have no such step.
    fn new(
        context: &mut Context<'_>,
        abstraction: &Abstraction,
        from: Node,
        here: &Literals,
        to: Node,
        used: &BTreeSet<usize>,
    ) -> Option<Step> {
        let states = &abstraction.states;
        let (index, valuation, domain) = match from {
            Node::State(id) => {
                let state = &states[id.index()];
                (state.point.index() + 1, Some(&state.valuation), &context.domain)
            }
            _ => (0, None, &context.entry_domain),
        };
        let mut conditions: Vec<Term> = domain.clone();
        let value =
            |position: usize| valuation.and_then(|values| values.get_at(position)).or(here.get(&position).copied());
        conditions.extend(context.literals(index, value));
        let (target, values) = match to {
            Node::State(id) => (Target::Point(states[id.index()].point), Some(&states[id.index()].valuation)),
            Node::Error(check) => (Target::Error(check), None),
            Node::Halt | Node::Entry => (Target::Halt, None),
        };
        let block = &context.blocks[index];
        let exit = block.transfer.exits.iter().position(|exit| exit.target == target)?;
        conditions.push(block.transfer.exits[exit].guard);
        let mut after = Vec::new();
        for (position, formula) in block.preconditions[exit].clone() {
            match values.and_then(|values| values.get_at(position)) {
                Some(true) => conditions.push(formula),
                Some(false) => conditions.push(context.translator.terms.not(formula)),
                None if used.contains(&position) => after.push((position, formula)),
                None => {}
            }
        }
        Some(Step { conditions, after })
    }

    /// Takes away what does not hold after the step; whether anything changed.
    fn weaken(&self, context: &mut Context<'_>, facts: &mut Option<Literals>) -> bool {
        let mut changed = false;
        loop {
            let mut conditions = self.conditions.clone();
            if let Some(facts) = facts {
                let terms = &mut context.translator.terms;
                let kept: Vec<Term> = self
                    .after
                    .iter()
                    .filter_map(|(position, formula)| Some((*facts.get(position)?, *formula)))
                    .map(|(value, formula)| if value { formula } else { terms.not(formula) })
                    .collect();
                if kept.is_empty() {
                    return changed;
                }
                let kept = terms.and(kept);
                conditions.push(terms.not(kept));
            }
            if conditions.iter().any(|condition| context.translator.terms.as_bool(*condition) == Some(false)) {
                return changed;
            }
            let wanted: Vec<Term> = self.after.iter().map(|(_, formula)| *formula).collect();
            match context.solver.model(&context.translator.terms, &Question::Model(conditions, wanted, Vec::new())) {
                Model::Impossible => return changed,
                Model::Unknown => {
                    *facts = Some(Literals::new());
                    return true;
                }
                Model::Values(values) => {
                    let after = self.after.iter().zip(values).map(|((position, _), value)| (*position, value != 0));
                    let after: Literals = after.collect();
                    match facts {
                        Some(facts) => facts.retain(|position, value| after.get(position) == Some(value)),
                        None => *facts = Some(after),
                    }
                    changed = true;
                }
            }
        }
    }
}
