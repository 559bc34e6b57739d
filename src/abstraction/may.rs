//! The may transitions, by exploring from the entry, and the must+ ones among them.
//!
//! `b → b'` is a may transition iff `P(b) ∧ WP(P(b'))` is satisfiable. The predicates that a block does not touch, and
//! the tests of predicates, are decided by the bits of `b` alone: the preconditions are simplified under them. What is
//! left is split into groups that share no variable; the possible values of each group are enumerated by one
//! incremental solver, and the successors are their product. Since the groups are questions over terms, equal questions
//! from other states are answered from memory.
//!
//! A block is deterministic, so a state with exactly one successor goes there as a whole, unless part of it is assumed
//! away: that is must+. What no run can have (outside the ranges of [`crate::logic::intervals`]) does not count: must+ only
//! carries on from states that are really reached.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Context, Limit, Node, State, StateId, Transition, Valuation};
use crate::cfg::PointId;
use crate::logic::Answer;
use crate::logic::solver::Question;
use crate::logic::term::{Node as Shape, Symbol, Term, Terms};
use crate::logic::transfer::Target;

/// So many states are planned and asked about at a time, to keep the plans small.
const SLICE: usize = 1 << 12;

/// The states and transitions may take about so many bytes; what is made of them later takes several times as much.
const MAX_BYTES: usize = 400 << 20;

/// What `may` reaches, in the order in which it was found.
pub(super) struct Reached {
    pub(super) states: Vec<State>,
    pub(super) transitions: Vec<Transition>,
    /// Where the exploration stopped.
    pub(super) limit: Option<Limit>,
}

/// Explores from the entry, a generation of states at a time.
pub(super) fn reach(context: &mut Context<'_>) -> Reached {
    let mut exploration = Exploration::default();
    let mut generation = vec![Node::Entry];
    while !generation.is_empty() && exploration.limit.is_none() {
        let first_new = exploration.states.len();
        for slice in generation.chunks(SLICE) {
            exploration.explore(context, slice);
            (context.progress)(exploration.states.len(), context.solver.statistics.queries);
            if exploration.limit.is_some() {
                break;
            }
        }
        generation = (first_new..exploration.states.len()).map(|index| Node::State(StateId(index as u32))).collect();
    }
    Reached { states: exploration.states, transitions: exploration.transitions, limit: exploration.limit }
}

/// What has to be asked to know the successors of a node.
struct Plan {
    node: Node,
    exits: Vec<ExitPlan>,
    /// Satisfiable iff a part of the node is assumed away; `None` if plainly none is.
    assumed_away: Option<Question>,
}

/// What has to be asked about one exit.
struct ExitPlan {
    target: Target,
    /// The values that are decided without the solver.
    decided: Vec<Option<bool>>,
    /// Groups of the undecided: the question, and the positions of the values that it decides.
    groups: Vec<(Question, Vec<usize>)>,
    /// Nothing unknown decides where it leads.
    is_exact: bool,
}

impl Plan {
    fn questions(&self) -> impl Iterator<Item = &Question> {
        self.exits.iter().flat_map(|exit| exit.groups.iter().map(|(question, _)| question))
    }
}

fn plan(context: &mut Context<'_>, node: Node, states: &[State]) -> Plan {
    let index = context.block(node, states);
    let valuation = match node {
        Node::State(id) => Some(&states[id.index()].valuation),
        _ => None,
    };
    let literals = context.literals(index, |position| valuation.and_then(|values| values.get(position)));
    let limit = context.config.max_states;
    let count = context.predicates.predicates.len();
    let known = known_values(&context.translator.terms, &literals);
    let domain = if node == Node::Entry { &context.entry_domain } else { &context.domain };
    let facts: Vec<Term> = literals.iter().chain(domain).copied().collect();
    let block = &context.blocks[index];
    let mut exits = Vec::new();
    for (exit, preconditions) in block.transfer.exits.iter().zip(&block.preconditions) {
        let terms = &mut context.translator.terms;
        let guard = terms.assign(exit.guard, &known);
        if terms.as_bool(guard) == Some(false) {
            continue;
        }
        let mut decided = vec![None; count];
        let mut asked = Vec::new();
        let formulas = terms.assign_all(preconditions.iter().map(|(_, formula)| *formula), &known);
        for (&(position, _), formula) in preconditions.iter().zip(formulas) {
            match terms.as_bool(formula) {
                Some(value) => decided[position] = Some(value),
                None => asked.push((position, formula)),
            }
        }
        let conjuncts = terms.conjuncts(guard);
        let groups = groups(terms, &facts, &conjuncts, &asked, limit);
        let spoken = asked.iter().map(|(_, formula)| *formula).chain([guard]);
        let is_vague = |term| {
            let translator = &context.translator;
            translator.is_approximate(term) || node == Node::Entry && translator.is_unsettled(term)
        };
        let is_exact = !spoken.into_iter().any(is_vague);
        exits.push(ExitPlan { target: exit.target, decided, groups, is_exact });
    }
    let terms = &mut context.translator.terms;
    let away = terms.assign(block.transfer.assumed_away, &known);
    let assumed_away = (terms.as_bool(away) != Some(false)).then(|| {
        // Real runs also respect the ranges that always hold: often they exclude an overflow.
        let facts: Vec<Term> = facts.iter().chain(&block.invariant).copied().collect();
        let mut all = related(terms, &facts, &[away]);
        all.push(away);
        Question::Satisfiable(all)
    });
    Plan { node, exits, assumed_away }
}

/// The truth values that a set of literals gives to the formulas they are made of.
pub(super) fn known_values(terms: &Terms, literals: &[Term]) -> HashMap<Term, bool> {
    literals
        .iter()
        .map(|&literal| match terms.node(literal) {
            Shape::Not(inner) => (*inner, false),
            _ => (literal, true),
        })
        .collect()
}

/// The literals that share a symbol, directly or through others, with the given formulas.
pub(super) fn related(terms: &Terms, literals: &[Term], formulas: &[Term]) -> Vec<Term> {
    let mut symbols: BTreeSet<Symbol> = formulas.iter().flat_map(|term| terms.symbols(*term).iter().copied()).collect();
    let mut rest: Vec<Term> = literals.to_vec();
    let mut chosen = Vec::new();
    loop {
        let (connected, other): (Vec<Term>, Vec<Term>) =
            rest.into_iter().partition(|term| terms.symbols(*term).iter().any(|symbol| symbols.contains(symbol)));
        if connected.is_empty() {
            chosen.sort_unstable();
            return chosen;
        }
        for &term in &connected {
            symbols.extend(terms.symbols(term).iter().copied());
        }
        chosen.extend(connected);
        rest = other;
    }
}

/// Splits what is undecided into groups without common symbols, each with the literals that belong to it. A group is
/// satisfiable together with the literals outside it, because these have no symbol in common with it and the state
/// itself is not empty.
pub(super) fn groups(
    terms: &Terms,
    literals: &[Term],
    guard: &[Term],
    asked: &[(usize, Term)],
    limit: usize,
) -> Vec<(Question, Vec<usize>)> {
    let mut open: Vec<Term> = guard.to_vec();
    open.extend(asked.iter().map(|(_, formula)| *formula));
    let mut groups = Vec::new();
    while let Some(&seed) = open.first() {
        // Everything that is connected with the seed through any formula.
        let everything: Vec<Term> = literals.iter().chain(&open).copied().collect();
        let mut members: BTreeSet<Term> = related(terms, &everything, &[seed]).into_iter().collect();
        members.insert(seed);
        let mut assumed: Vec<Term> =
            literals.iter().chain(guard).copied().filter(|term| members.contains(term)).collect();
        assumed.sort_unstable();
        assumed.dedup();
        let inside: Vec<&(usize, Term)> = asked.iter().filter(|(_, formula)| members.contains(formula)).collect();
        let positions = inside.iter().map(|(position, _)| *position).collect();
        let formulas = inside.iter().map(|(_, formula)| *formula).collect();
        groups.push((Question::Combinations(assumed, formulas, limit), positions));
        open.retain(|term| !members.contains(term));
    }
    groups
}

/// Values of the predicates at a target, and whether some state really has them.
type Arrival = (Vec<Option<bool>>, bool);

#[derive(Default)]
struct Exploration {
    states: Vec<State>,
    ids: HashMap<State, StateId>,
    transitions: Vec<Transition>,
    limit: Option<Limit>,
}

impl Exploration {
    /// Adds the successors of some nodes; stops where a limit is reached.
    fn explore(&mut self, context: &mut Context<'_>, nodes: &[Node]) {
        let mut plans = Vec::with_capacity(nodes.len());
        for node in nodes {
            self.limit = self.limit.or(context.limit());
            if self.limit.is_some() {
                return;
            }
            plans.push(plan(context, *node, &self.states));
        }
        let questions: Vec<Question> = plans.iter().flat_map(|plan| plan.questions().cloned()).collect();
        context.solver.ask_all(&context.translator.terms, questions);
        let mut certain = Vec::new();
        for plan in &plans {
            if let Some(transition) = self.follow(context, plan) {
                certain.push((transition, plan));
            }
            if self.limit.is_some() {
                break;
            }
        }
        self.mark_must_plus(context, &certain);
    }

    /// Adds the successors of a node. If there is exactly one and it is certain, gives back its transition.
    fn follow(&mut self, context: &mut Context<'_>, plan: &Plan) -> Option<usize> {
        // Whether each successor is proven.
        let mut successors: BTreeMap<Node, bool> = BTreeMap::new();
        let mut all_listed = true;
        for exit in &plan.exits {
            let (combinations, complete) = self.combinations(context, exit);
            all_listed &= complete;
            for (values, proven) in combinations {
                let node = match exit.target {
                    Target::Halt => Node::Halt,
                    Target::Error(check) => Node::Error(check),
                    Target::Point(point) => Node::State(self.id(point, values)),
                    Target::Stop => unreachable!("blocks end at points"),
                };
                *successors.entry(node).or_default() |= proven;
            }
        }
        let first = self.transitions.len();
        for (to, proven) in &successors {
            self.transitions.push(Transition {
                from: plan.node,
                to: *to,
                proven: *proven,
                must_plus: false,
                must_minus: false,
            });
        }
        if self.states.len() > context.config.max_states {
            self.limit = self.limit.or(Some(Limit::States));
        }
        if self.bytes(context.predicates.predicates.len()) > MAX_BYTES {
            self.limit = self.limit.or(Some(Limit::Memory));
        }
        // Whatever is missing, nothing is certain any more.
        let only = all_listed && successors.len() == 1 && successors.values().all(|proven| *proven);
        only.then_some(first)
    }

    /// The combinations of values at the target of an exit, each with whether it is proven, and whether these are all.
    fn combinations(&mut self, context: &mut Context<'_>, exit: &ExitPlan) -> (Vec<Arrival>, bool) {
        let parts: Vec<_> = exit
            .groups
            .iter()
            .map(|(question, positions)| (context.solver.combinations(&context.translator.terms, question), positions))
            .collect();
        if parts.iter().any(|(found, _)| found.is_impossible()) {
            return (Vec::new(), true);
        }
        // One more than is allowed shows that there are too many.
        let allowed = context.config.max_states.saturating_sub(self.states.len());
        let fitting = MAX_BYTES / state_bytes(context.predicates.predicates.len());
        let (room, full) = if allowed <= fitting { (allowed + 1, Limit::States) } else { (fitting + 1, Limit::Memory) };
        let mut all = vec![(exit.decided.clone(), exit.is_exact)];
        let mut complete = true;
        for (found, positions) in parts {
            if found.truncated {
                complete = false;
                let why = if found.found.len() >= room { full } else { Limit::Unknown };
                self.limit = self.limit.or(context.limit()).or(Some(why));
            }
            let choices: Vec<(&Vec<bool>, bool)> = found
                .found
                .iter()
                .map(|values| (values, true))
                .chain(found.possible.iter().map(|values| (values, false)))
                .collect();
            let mut product = Vec::new();
            for (values, proven) in &all {
                // The other groups still have to give their values to what is kept.
                let over = context.limit();
                if product.len() >= room || (over.is_some() && !product.is_empty()) {
                    complete = false;
                    self.limit = self.limit.or(over).or(Some(full));
                    break;
                }
                for (choice, choice_proven) in &choices {
                    let mut longer = values.clone();
                    for (position, value) in positions.iter().zip(*choice) {
                        longer[*position] = Some(*value);
                    }
                    product.push((longer, *proven && *choice_proven));
                }
            }
            all = product;
        }
        (all, complete)
    }

    /// About how much memory the states and transitions take.
    fn bytes(&self, predicates: usize) -> usize {
        self.states.len() * state_bytes(predicates) + self.transitions.len() * size_of::<Transition>()
    }

    fn id(&mut self, point: PointId, values: Vec<Option<bool>>) -> StateId {
        let state = State { point, valuation: Valuation::new(values) };
        if let Some(&known) = self.ids.get(&state) {
            return known;
        }
        let id = StateId(self.states.len() as u32);
        self.ids.insert(state.clone(), id);
        self.states.push(state);
        id
    }

    /// The only successor of a state is must+ unless a part of the state is assumed away.
    fn mark_must_plus(&mut self, context: &mut Context<'_>, certain: &[(usize, &Plan)]) {
        let questions: Vec<Question> = certain.iter().filter_map(|(_, plan)| plan.assumed_away.clone()).collect();
        context.solver.ask_all(&context.translator.terms, questions);
        for (transition, plan) in certain {
            let whole = match &plan.assumed_away {
                None => true,
                // Unknown: something may be assumed away, so it is not certain.
                Some(question) => context.solver.answer(&context.translator.terms, question) == Answer::No,
            };
            self.transitions[*transition].must_plus = whole;
        }
    }
}

/// About how much memory a state takes.
fn state_bytes(predicates: usize) -> usize {
    // Two sets of bits, each a block of its own; each state is there twice.
    let bits = predicates.div_ceil(8).next_multiple_of(8) + 16;
    2 * (size_of::<State>() + 2 * bits) + size_of::<StateId>()
}
