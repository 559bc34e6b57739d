//! A way out of a block, turned around: the state before in terms of the state after.
//!
//! The strongest postcondition of P through an exit is `∃ before. P ∧ guard ∧ after = values(before)`. Most of `before`
//! is determined by `after`: what is not assigned is the same, and what is assigned invertibly (`x + c`, `-x`, a swap) is
//! solved for. An array that was stored to is the array after with the overwritten cells replaced by unknown ones. What
//! remains quantified is what the block really lost: at most the overwritten scalars and cells.

use std::collections::{BTreeMap, BTreeSet};

use super::term::{BitsOp, Node, Sort, Symbol, Term, Terms};
use super::transfer::Exit;
use super::translate::Translator;
use crate::memory::CellId;

/// The state before an exit, in terms of the state after and of what was lost.
#[derive(Clone, Debug)]
pub struct Inverse {
    /// The value before of each symbol, as far as it is determined.
    before: BTreeMap<Symbol, Term>,
    /// The guard, and the equations that were not used up by solving: they must hold of the state after.
    pub conditions: Vec<Term>,
    /// Symbols that stand for values before.
    old: BTreeSet<Symbol>,
}

impl Inverse {
    /// Turns `exit` around. Only the cells in `kept` are part of the state after; `inputs` are arbitrary; `formulas` are
    /// about the state before.
    pub fn new(
        translator: &mut Translator,
        exit: &Exit,
        kept: &BTreeSet<CellId>,
        inputs: &[Symbol],
        formulas: &[Term],
    ) -> Inverse {
        // Each cell before that something speaks of gets a symbol of its own; the state after keeps the plain symbols.
        let mut before: BTreeSet<CellId> = BTreeSet::new();
        for &cell in kept {
            let value = translator.read(cell, &exit.values);
            before.extend(translator.terms.symbols(value).iter().filter_map(|symbol| translator.cell(*symbol)));
        }
        for term in formulas.iter().chain([&exit.guard]) {
            before.extend(translator.terms.symbols(*term).iter().filter_map(|symbol| translator.cell(*symbol)));
        }
        let mut old = BTreeSet::new();
        let mut renaming = BTreeMap::new();
        for cell in before {
            let symbol = translator.fresh(cell, "old ");
            let term = translator.terms.read(symbol);
            renaming.insert(translator.symbol(cell), term);
            old.insert(symbol);
        }
        old.extend(inputs.iter().copied());
        let mut equations = Vec::new();
        for &cell in kept {
            let after = translator.terms.read(translator.symbol(cell));
            let value = translator.read(cell, &exit.values);
            let value = translator.terms.substitute(value, &renaming);
            equations.push((after, value));
        }
        let guard = translator.terms.substitute(exit.guard, &renaming);
        let mut solver =
            Equations { terms: &mut translator.terms, old, solved: BTreeMap::new(), conditions: Vec::new() };
        solver.solve(equations);
        let Equations { terms, old, solved, mut conditions } = solver;
        conditions.extend(terms.conjuncts(guard));
        let conditions = conditions.into_iter().map(|condition| terms.substitute(condition, &solved)).collect();
        let before = renaming.into_iter().map(|(symbol, term)| (symbol, terms.substitute(term, &solved))).collect();
        Inverse { before, conditions, old }
    }

    /// A formula about the state before, in terms of the state after and of what was lost.
    pub fn pull(&self, terms: &mut Terms, formula: Term) -> Term {
        terms.substitute(formula, &self.before)
    }

    /// The lost values that a formula speaks of.
    pub fn lost_in(&self, terms: &Terms, formula: Term) -> Vec<Symbol> {
        terms.symbols(formula).iter().copied().filter(|symbol| self.old.contains(symbol)).collect()
    }
}

struct Equations<'a> {
    terms: &'a mut Terms,
    /// The unknowns.
    old: BTreeSet<Symbol>,
    /// What is known of them; values do not mention solved unknowns.
    solved: BTreeMap<Symbol, Term>,
    conditions: Vec<Term>,
}

impl Equations<'_> {
    /// Solves `after = value` equations one after another until none helps; the rest become conditions.
    fn solve(&mut self, mut equations: Vec<(Term, Term)>) {
        loop {
            let mut progress = false;
            let mut rest = Vec::new();
            for (after, value) in equations {
                let value = self.terms.substitute(value, &self.solved);
                let after = self.terms.substitute(after, &self.solved);
                match self.isolate(after, value) {
                    Isolated::Solved(more) => {
                        progress = true;
                        rest.extend(more);
                    }
                    Isolated::Not => rest.push((after, value)),
                }
            }
            equations = rest;
            if !progress {
                break;
            }
        }
        for (after, value) in equations {
            let equal = self.terms.eq(after, value);
            self.conditions.push(equal);
        }
    }

    /// Solves `after = value` for one unknown, if it occurs in an invertible place.
    fn isolate(&mut self, after: Term, value: Term) -> Isolated {
        if let Node::Store(..) = self.terms.node(value) {
            return match self.isolate_array(after, value) {
                Some(more) => Isolated::Solved(more),
                None => Isolated::Not,
            };
        }
        match self.solution(after, value) {
            Some(Solution::Unknown(symbol, value)) => {
                self.record(symbol, value);
                Isolated::Solved(Vec::new())
            }
            Some(Solution::Trivial) => Isolated::Solved(Vec::new()),
            None => Isolated::Not,
        }
    }

    /// What makes `left = right` true: a value of one unknown in terms of what is known.
    fn solution(&mut self, left: Term, right: Term) -> Option<Solution> {
        if left == right {
            return Some(Solution::Trivial);
        }
        // A choice by something known is solved case by case.
        for side in [left, right] {
            if let Node::Ite(condition, ..) = *self.terms.node(side)
                && self.unknowns(condition).is_empty()
            {
                let (left_yes, left_no) = self.cases(condition, left);
                let (right_yes, right_no) = self.cases(condition, right);
                let yes = self.solution(left_yes, right_yes)?;
                let no = self.solution(left_no, right_no)?;
                return match (yes, no) {
                    (Solution::Trivial, other) | (other, Solution::Trivial) => Some(other),
                    (Solution::Unknown(a, x), Solution::Unknown(b, y)) if a == b => {
                        Some(Solution::Unknown(a, self.terms.ite(condition, x, y)))
                    }
                    _ => None,
                };
            }
        }
        let (known, value) = match (self.unknowns(left).len(), self.unknowns(right).len()) {
            (0, 1..) => (left, right),
            (1.., 0) => (right, left),
            _ => return None,
        };
        match self.terms.node(value).clone() {
            Node::Symbol(symbol) => Some(Solution::Unknown(symbol, known)),
            // k₁·t₁ + rest = known, with t₁ the only part with an unknown and k₁ invertible.
            Node::Sum(parts, constant) => {
                let sort = self.terms.sort(value);
                let mut rest = self.terms.number(sort, constant);
                let mut unknown = None;
                for &(factor, part) in parts.iter() {
                    if self.unknowns(part).is_empty() {
                        let part = self.terms.scale(factor, part);
                        rest = self.terms.add(rest, part);
                    } else if unknown.replace((factor, part)).is_some() {
                        return None;
                    }
                }
                let (factor, part) = unknown?;
                let inverse = inverse_factor(factor, sort)?;
                let moved = self.terms.sub(known, rest);
                let moved = self.terms.scale(inverse, moved);
                self.solution(moved, part)
            }
            Node::Bitwise(BitsOp::Xor, a, b) => {
                let (unknown, other) = if self.unknowns(a).is_empty() { (b, a) } else { (a, b) };
                if !self.unknowns(other).is_empty() {
                    return None;
                }
                let moved = self.terms.bitwise(BitsOp::Xor, known, other);
                self.solution(moved, unknown)
            }
            _ => None,
        }
    }

    /// A term where the condition holds, and where it does not.
    fn cases(&mut self, condition: Term, term: Term) -> (Term, Term) {
        match *self.terms.node(term) {
            Node::Ite(c, yes, no) if c == condition => (yes, no),
            _ => (term, term),
        }
    }

    /// Solves `known = array`, where `known` may speak of lost cells. If the array is `store(inner, index, stored)`,
    /// then `inner` is `known` with a lost cell at `index`, and `known` has `stored` there.
    fn isolate_array(&mut self, known: Term, array: Term) -> Option<Vec<(Term, Term)>> {
        match self.terms.node(array).clone() {
            Node::Symbol(symbol) if self.old.contains(&symbol) => {
                self.record(symbol, known);
                Some(Vec::new())
            }
            Node::Store(inner, index, stored) if self.unknowns(index).is_empty() => {
                let element = match self.terms.sort(array) {
                    Sort::BitsArray(width) => Sort::Bits(width),
                    _ => Sort::Int,
                };
                let cell = self.terms.symbol("lost cell", element);
                self.old.insert(cell);
                let cell = self.terms.read(cell);
                let earlier = self.terms.store(known, index, cell);
                let mut more = self.isolate_array(earlier, inner)?;
                let now = self.terms.select(known, index);
                more.push((now, stored));
                Some(more)
            }
            _ => None,
        }
    }

    /// Notes the value of an unknown, and puts it into what is known already.
    fn record(&mut self, symbol: Symbol, value: Term) {
        let single = BTreeMap::from([(symbol, value)]);
        for term in self.solved.values_mut() {
            *term = self.terms.substitute(*term, &single);
        }
        self.solved.insert(symbol, value);
    }

    fn unknowns(&self, term: Term) -> Vec<Symbol> {
        self.terms.symbols(term).iter().copied().filter(|symbol| self.old.contains(symbol)).collect()
    }
}

/// What makes an equation true.
enum Solution {
    /// It is true anyway.
    Trivial,
    /// This unknown has this value.
    Unknown(Symbol, Term),
}

/// What became of an equation.
enum Isolated {
    /// An unknown is known now; further equations may be left.
    Solved(Vec<(Term, Term)>),
    /// No progress.
    Not,
}

/// The factor that undoes multiplication by `factor`: odd numbers modulo 2ʷ, ±1 for mathematical integers.
fn inverse_factor(factor: i128, sort: Sort) -> Option<i128> {
    match sort {
        Sort::Bits(_) if factor % 2 != 0 => {
            // Newton's iteration doubles the number of right bits: 3, 6, 12, 24, 48, 96.
            let mut inverse = factor;
            for _ in 0..6 {
                inverse = inverse.wrapping_mul(2i128.wrapping_sub(factor.wrapping_mul(inverse)));
            }
            Some(inverse)
        }
        Sort::Int if factor == 1 || factor == -1 => Some(factor),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_factors_have_inverses_modulo_powers_of_two() {
        for factor in [1i128, -1, 3, 5, -7, 12345] {
            let inverse = inverse_factor(factor, Sort::Bits(64)).unwrap();
            assert_eq!(factor.wrapping_mul(inverse) as u64, 1);
        }
        assert_eq!(inverse_factor(6, Sort::Bits(32)), None);
        assert_eq!(inverse_factor(3, Sort::Int), None);
    }
}
