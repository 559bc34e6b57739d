//! Ways through the function as formulas over its inputs.
//!
//! A [`Trail`] is a sequence of states with the condition on the inputs under which a run passes through them, and the
//! values of all cells at its end in terms of the inputs. It is composed block by block from the transfers of the
//! abstraction; what the environment is asked in a block gets new names each time the block is passed. A solution of the
//! condition is a test that follows the trail, as far as the formulas know the values on the way ([`Trail::is_exact`]).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::solution::Solution;
use crate::abstraction::{Context, Valuation};
use crate::cfg::CheckId;
use crate::logic::solver::{Model, Question};
use crate::logic::term::{Node, Sort, Symbol, Term};
use crate::logic::transfer::{Asked, Target};
use crate::logic::translate::{Translator, Values};
use crate::memory::{Content, Extent, NodeId};
use crate::program::VarId;

/// A way through the function.
#[derive(Clone, Debug)]
pub struct Trail {
    /// The block that it ends at: 0 is the entry, then the points.
    block: usize,
    /// What must hold of the inputs.
    conditions: Vec<Term>,
    /// The values at its end.
    values: Values,
    /// What the environment was asked on the way.
    asked: Vec<Asked>,
    /// Whether the formulas know all values that decide.
    pub is_exact: bool,
}

/// Where the next block leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next<'a> {
    /// To the point of that number, with these values of the predicates.
    State(usize, &'a Valuation),
    /// To a failing check.
    Error(CheckId),
}

/// The bounds for values that are tried one after the other: small inputs are readable.
pub const SIZES: [i128; 10] = [0, 1, 2, 3, 4, 6, 8, 16, 64, 1000];

impl Trail {
    /// Before the first statement.
    pub fn start(context: &Context<'_>) -> Trail {
        let conditions = context.entry_domain.iter().chain(&context.domain).copied().collect();
        Trail { block: 0, conditions, values: Values::new(), asked: Vec::new(), is_exact: true }
    }

    /// At a point, in any state with these values of the predicates.
    pub fn from_anywhere(context: &mut Context<'_>, point: usize, valuation: &Valuation) -> Trail {
        let mut conditions = context.domain.clone();
        conditions.extend(context.literals(point + 1, |position| valuation.get_at(position)));
        Trail { block: point + 1, conditions, values: Values::new(), asked: Vec::new(), is_exact: true }
    }

    /// The trail with one more block; `None` if there is no such way.
    pub fn extended(&self, context: &mut Context<'_>, next: Next<'_>) -> Option<Trail> {
        let block = &context.blocks[self.block];
        let target = match next {
            Next::State(point, _) => Target::Point(crate::cfg::PointId(point as u32)),
            Next::Error(check) => Target::Error(check),
        };
        let exit = block.transfer.exits.iter().find(|exit| exit.target == target)?.clone();
        let questions = block.transfer.asked.clone();
        let mut renaming = Renaming { before: &self.values, new: BTreeMap::new() };
        let mut trail = Trail { block: 0, values: self.values.clone(), ..self.clone() };
        let translator = &mut context.translator;
        let guard = renaming.renamed(translator, exit.guard);
        trail.conditions.extend(translator.terms.conjuncts(guard));
        for question in questions {
            let guard = renaming.renamed(translator, question.guard);
            let values =
                question.values.iter().map(|(cell, term)| (*cell, renaming.renamed(translator, *term))).collect();
            trail.asked.push(Asked { guard, values, ..question });
        }
        for (cell, term) in &exit.values {
            trail.values.insert(*cell, renaming.renamed(translator, *term));
        }
        if let Next::State(point, valuation) = next {
            trail.block = point + 1;
            let formulas = context.blocks[point + 1].formulas.clone();
            let mut arrived = Renaming { before: &trail.values.clone(), new: BTreeMap::new() };
            for (position, formula) in formulas {
                let Some(value) = valuation.get_at(position) else {
                    continue;
                };
                let formula = arrived.renamed(&mut context.translator, formula);
                let terms = &mut context.translator.terms;
                trail.conditions.push(if value { formula } else { terms.not(formula) });
            }
        }
        trail.is_exact &= !self.leaves_control(context, &trail);
        let terms = &context.translator.terms;
        let is_impossible = trail.conditions.iter().any(|condition| terms.as_bool(*condition) == Some(false));
        trail.conditions.retain(|condition| terms.as_bool(*condition) != Some(true));
        (!is_impossible).then_some(trail)
    }

    /// Whether a new condition speaks of what is neither the memory at the start nor an answer of the environment (a
    /// variable without a value, memory that an unknown function writes, what pct does not know): a test does not have
    /// that in its hands.
    fn leaves_control(&self, context: &Context<'_>, longer: &Trail) -> bool {
        let (terms, memory) = (&context.translator.terms, &context.translator.memory);
        let answers: HashSet<Symbol> = longer
            .asked
            .iter()
            .flat_map(|asked| asked.values.values())
            .flat_map(|term| terms.symbols(*term).iter().copied())
            .collect();
        longer.conditions[self.conditions.len().min(longer.conditions.len())..]
            .iter()
            .flat_map(|condition| terms.symbols(*condition))
            .any(|symbol| match context.translator.cell(*symbol) {
                Some(cell) => memory.cell(cell).variable.is_some_and(|variable| !context.given.contains(&variable)),
                None => !answers.contains(symbol),
            })
    }

    /// Inputs that lead along the trail, small ones if there are some.
    pub fn solve(&self, context: &mut Context<'_>) -> Result<Solution, Model> {
        let wanted = self.wanted(context);
        let mut conditions = self.conditions.clone();
        conditions.extend(given_pointers(context, &wanted));
        let question = Question::Model(conditions, wanted.terms(), self.wishes(context, &wanted));
        match context.solver.model(&context.translator.terms, &question) {
            Model::Values(values) => Ok(wanted.solution(context, self, &values)),
            none => Err(none),
        }
    }

    /// What must hold at its start.
    pub fn conditions(&self) -> &[Term] {
        &self.conditions
    }

    /// Whether there are inputs that lead along the trail; `None` if the solver cannot tell.
    pub fn is_possible(&self, context: &mut Context<'_>) -> Option<bool> {
        let question = Question::Satisfiable(self.conditions.clone());
        match context.solver.answer(&context.translator.terms, &question) {
            crate::logic::Answer::Yes => Some(true),
            crate::logic::Answer::No => Some(false),
            crate::logic::Answer::Unknown => None,
        }
    }

    /// The terms whose values make a test.
    fn wanted(&self, context: &mut Context<'_>) -> Wanted {
        let mut wanted = Wanted::default();
        let mut roots = self.conditions.clone();
        roots.extend(self.asked.iter().flat_map(|asked| asked.values.values().copied().chain([asked.guard])));
        roots.extend(self.values.values().copied());
        let decisive = self.conditions.len();
        let lengths = lengths(context);
        roots.extend(lengths.iter().map(|(_, term)| *term));
        let mut seen = HashSet::new();
        let mut symbols = BTreeSet::new();
        for (index, root) in roots.into_iter().enumerate() {
            if index < decisive {
                symbols.extend(context.translator.terms.symbols(root).iter().copied());
            }
            wanted.collect(&mut context.translator, root, &mut seen);
        }
        for symbol in symbols {
            if !matches!(context.translator.terms.symbol_info(symbol).1, Sort::BitsArray(_) | Sort::IntArray) {
                let term = context.translator.terms.read(symbol);
                wanted.scalars.push((symbol, term));
            }
        }
        wanted.lengths = lengths;
        wanted.answers = self
            .asked
            .iter()
            .map(|asked| {
                let is_single =
                    |term: &Term| !matches!(context.translator.terms.sort(*term), Sort::BitsArray(_) | Sort::IntArray);
                let values = asked.values.iter().filter(|(_, term)| is_single(term)).map(|(c, t)| (*c, *t)).collect();
                (asked.guard, values)
            })
            .collect();
        wanted
    }

    /// What is wished of the inputs: short arrays, memory close together, small numbers.
    fn wishes(&self, context: &mut Context<'_>, wanted: &Wanted) -> Vec<Vec<Term>> {
        let mut wishes = Vec::new();
        let lengths: Vec<Term> = wanted.lengths.iter().map(|(_, term)| *term).collect();
        let mut numbers = Vec::new();
        let mut places: Vec<Term> = wanted.reads.iter().map(|(_, index, _)| *index).collect();
        places.extend(wanted.writes.iter().map(|(_, index)| *index));
        let mut floats = Vec::new();
        let memory = std::sync::Arc::clone(&context.translator.memory);
        let reads = wanted.reads.iter().map(|(symbol, _, term)| (*symbol, *term));
        for (symbol, term) in wanted.scalars.iter().copied().chain(reads) {
            match context.translator.cell(symbol).map(|cell| memory.cell(cell).content) {
                Some(Content::Object) => {}
                Some(Content::Offset) => places.push(term),
                Some(Content::Float(kind)) => floats.push((term, kind)),
                Some(Content::Int(_) | Content::Bits(_)) | None => numbers.push(term),
            }
        }
        let answers = wanted.answers.iter().flat_map(|(_, values)| values.iter());
        for (cell, term) in answers {
            match memory.cell(*cell).content {
                Content::Object => {}
                Content::Offset => places.push(*term),
                Content::Float(kind) => floats.push((*term, kind)),
                Content::Int(_) | Content::Bits(_) => numbers.push(*term),
            }
        }
        let seeded = drawn(context, &numbers);
        for (group, before) in [(lengths, Vec::new()), (places, Vec::new()), (numbers, seeded)] {
            wishes.extend(before);
            let group: Vec<Term> =
                group.into_iter().filter(|term| context.translator.terms.as_number(*term).is_none()).collect();
            if !group.is_empty() {
                wishes.push(SIZES.iter().map(|size| within(&mut context.translator, &group, *size)).collect());
            }
        }
        for (term, kind) in floats.into_iter().take(4) {
            let width = kind.width();
            let choices = [0.0_f64, 1.0, -1.0, 2.0, 10.0, 0.5, 100.0, -100.0, 1000.0];
            let bits = choices.map(|value| match kind {
                crate::program::FloatKind::Float => i128::from((value as f32).to_bits()),
                crate::program::FloatKind::Double | crate::program::FloatKind::LongDouble => {
                    i128::from(value.to_bits())
                }
            });
            let terms = &mut context.translator.terms;
            if terms.as_number(term).is_none() && terms.sort(term) == Sort::Bits(width) {
                wishes.push(
                    bits.iter()
                        .map(|bits| {
                            let number = terms.number(Sort::Bits(width), *bits);
                            terms.eq(term, number)
                        })
                        .collect(),
                );
            }
        }
        wishes
    }
}

/// Pointers that lie in maps at the start point to what they are given, as far as something reads them.
fn given_pointers(context: &mut Context<'_>, wanted: &Wanted) -> Vec<Term> {
    let memory = std::sync::Arc::clone(&context.translator.memory);
    let mut facts = Vec::new();
    for (symbol, _, element) in &wanted.reads {
        let Some(cell) = context.translator.cell(*symbol).map(|cell| memory.cell(cell)) else {
            continue;
        };
        if cell.content == Content::Object && !cell.given.is_empty() {
            facts.push(context.translator.one_of(*element, &cell.given));
        }
    }
    facts
}

/// So many numbers of a test are drawn; each costs a question.
const MOST_DRAWN: usize = 8;

/// Wishes for the values of numbers, drawn by the seed of the settings; none for seed 0. They come before the wish for
/// small numbers, so a drawn value is taken wherever the path leaves a choice. The same seed draws the same values.
fn drawn(context: &mut Context<'_>, numbers: &[Term]) -> Vec<Vec<Term>> {
    let mut state = u64::from(context.config.seed);
    if state == 0 {
        return Vec::new();
    }
    let terms = &mut context.translator.terms;
    let mut wishes = Vec::new();
    for &term in numbers {
        let sort = terms.sort(term);
        if sort == Sort::Bool || terms.as_number(term).is_some() {
            continue;
        }
        let mut choices = Vec::new();
        for _ in 0..2 {
            // Knuth's multiplier; the high bits are the good ones.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let value = i128::from(state >> 33) % 17 - 8;
            let value = match sort {
                Sort::Bits(width) => {
                    let (least, most) = crate::logic::term::full_range(width);
                    value.clamp(least, most)
                }
                _ => value,
            };
            let number = terms.number(sort, value);
            choices.push(terms.eq(term, number));
        }
        wishes.push(choices);
        if wishes.len() == MOST_DRAWN {
            break;
        }
    }
    wishes
}

/// All of the terms are at most `size` from zero.
pub fn within(translator: &mut Translator, group: &[Term], size: i128) -> Term {
    let terms = &mut translator.terms;
    let mut all = Vec::new();
    for &term in group {
        let sort = terms.sort(term);
        let (least, most) = match sort {
            Sort::Bool => continue,
            Sort::Bits(width) => {
                let (least, most) = crate::logic::term::full_range(width);
                (least.max(-size), most.min(size))
            }
            _ => (-size, size),
        };
        let (least, most) = (terms.number(sort, least), terms.number(sort, most));
        let (below, above) = match sort {
            Sort::Bits(_) => (terms.slt(term, least), terms.slt(most, term)),
            _ => (terms.lt(term, least), terms.lt(most, term)),
        };
        all.extend([terms.not(below), terms.not(above)]);
    }
    terms.and(all)
}

/// The lengths of what parameters point to, by object.
fn lengths(context: &mut Context<'_>) -> Vec<(NodeId, Term)> {
    let memory = std::sync::Arc::clone(&context.translator.memory);
    let objects: Vec<(VarId, NodeId)> = memory.given.iter().map(|(variable, node)| (*variable, *node)).collect();
    let mut lengths = Vec::new();
    for (_, node) in objects {
        let Some(Extent::Value(expr)) = memory.length(node) else {
            continue;
        };
        let mut defined = crate::logic::translate::Defined::default();
        if let Ok(term) = context.translator.value(&expr, &Values::new(), &mut defined) {
            lengths.push((node, term));
        }
    }
    lengths
}

/// The names of one passage through a block.
struct Renaming<'a> {
    before: &'a Values,
    new: BTreeMap<Symbol, Term>,
}

impl Renaming<'_> {
    /// The term over the inputs of the trail: cells have their values, everything else is new.
    fn renamed(&mut self, translator: &mut Translator, term: Term) -> Term {
        let symbols: Vec<Symbol> = translator.terms.symbols(term).to_vec();
        for symbol in &symbols {
            if self.new.contains_key(symbol) {
                continue;
            }
            let value = match translator.cell(*symbol) {
                Some(cell) => translator.read(cell, self.before),
                None => {
                    let renamed = translator.renewed(*symbol);
                    translator.terms.read(renamed)
                }
            };
            self.new.insert(*symbol, value);
        }
        let used: BTreeMap<Symbol, Term> = symbols.iter().map(|symbol| (*symbol, self.new[symbol])).collect();
        translator.terms.substitute(term, &used)
    }
}

/// The terms whose values make a test.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    /// Single values.
    pub(super) scalars: Vec<(Symbol, Term)>,
    /// Elements of maps: the map, the index, the element.
    pub(super) reads: Vec<(Symbol, Term, Term)>,
    /// Elements that are written: the map, the index.
    pub(super) writes: Vec<(Symbol, Term)>,
    /// The lengths of objects.
    pub(super) lengths: Vec<(NodeId, Term)>,
    /// For each question to the environment: whether it is asked, and what it is answered.
    pub(super) answers: Vec<(Term, Vec<(crate::memory::CellId, Term)>)>,
}

impl Wanted {
    /// All terms, in the order in which [`Wanted::solution`] reads their values.
    fn terms(&self) -> Vec<Term> {
        let mut terms: Vec<Term> = self.scalars.iter().map(|(_, term)| *term).collect();
        terms.extend(self.reads.iter().flat_map(|(_, index, element)| [*index, *element]));
        terms.extend(self.writes.iter().map(|(_, index)| *index));
        terms.extend(self.lengths.iter().map(|(_, length)| *length));
        for (guard, values) in &self.answers {
            terms.push(*guard);
            terms.extend(values.iter().map(|(_, value)| *value));
        }
        terms
    }

    /// Adds the elements of maps that a term reads and writes.
    fn collect(&mut self, translator: &mut Translator, root: Term, seen: &mut HashSet<Term>) {
        let mut work = vec![root];
        while let Some(term) = work.pop() {
            if !seen.insert(term) {
                continue;
            }
            match translator.terms.node(term).clone() {
                Node::Select(map, index) => {
                    for symbol in maps_under(translator, map) {
                        let base = translator.terms.read(symbol);
                        let element = translator.terms.select(base, index);
                        if !self.reads.iter().any(|(known, at, _)| (*known, *at) == (symbol, index)) {
                            self.reads.push((symbol, index, element));
                        }
                    }
                }
                Node::Store(map, index, _) => {
                    for symbol in maps_under(translator, map) {
                        if !self.writes.contains(&(symbol, index)) {
                            self.writes.push((symbol, index));
                        }
                    }
                }
                _ => {}
            }
            work.extend(translator.terms.node(term).children());
        }
    }

    fn solution(&self, context: &Context<'_>, trail: &Trail, values: &[i128]) -> Solution {
        let mut values = values.iter().copied();
        let mut next = || values.next().expect("every term has a value");
        let mut solution = Solution::default();
        for (symbol, _) in &self.scalars {
            let value = next();
            if let Some(cell) = context.translator.cell(*symbol) {
                solution.values.insert(cell, value);
            }
        }
        for (symbol, ..) in &self.reads {
            let (index, element) = (next(), next());
            if let Some(cell) = context.translator.cell(*symbol) {
                solution.elements.entry(cell).or_default().insert(index, element);
            }
        }
        for (symbol, _) in &self.writes {
            let index = next();
            if let Some(cell) = context.translator.cell(*symbol) {
                solution.touched.entry(cell).or_default().insert(index);
            }
        }
        for (node, _) in &self.lengths {
            solution.lengths.insert(*node, next());
        }
        for (asked, (_, terms)) in trail.asked.iter().zip(&self.answers) {
            let is_asked = next() != 0;
            let values = terms.iter().map(|(cell, _)| (*cell, next())).collect();
            if is_asked {
                solution.answers.push((asked.source.clone(), asked.variable, values));
            }
        }
        solution
    }
}

/// The symbols of the maps that a map is made of.
fn maps_under(translator: &Translator, map: Term) -> Vec<Symbol> {
    let mut found = Vec::new();
    let mut work = vec![map];
    let mut seen = HashSet::new();
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        match translator.terms.node(term) {
            Node::Symbol(symbol) => found.push(*symbol),
            Node::Store(inner, ..) => work.push(*inner),
            Node::Ite(_, a, b) => work.extend([*a, *b]),
            _ => {}
        }
    }
    found
}
