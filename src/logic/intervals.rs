//! Ranges of the variables that hold in every run, by interval analysis.
//!
//! The least box for each block that contains the box of the entry (everything) and what the exits of other blocks carry
//! into it; a bound that keeps growing is dropped (widening). Every concrete state that a run has at the start of a
//! block lies in its box, whatever the predicates are.

use std::collections::{BTreeMap, HashMap};

use super::term::{Node, Sort, Symbol, Term, Terms, full_range, range_of};
use super::transfer::{Target, Transfer};
use super::translate::Translator;
use crate::memory::CellId;

/// After this many changes a bound that still grows is dropped.
const PATIENCE: usize = 3;

/// Bounds of the symbols; a symbol that is not listed can have any value of its type.
type Bounds = BTreeMap<Symbol, (i128, i128)>;

/// For each block, given by its transfer (the entry first, then the points), formulas that hold whenever a run is at its
/// start. A block that no run comes to gets none.
pub fn invariants(translator: &mut Translator, transfers: &[&Transfer]) -> Vec<Vec<Term>> {
    let boxes = boxes(translator, transfers);
    let terms = &mut translator.terms;
    boxes
        .into_iter()
        .map(|bounds| {
            let mut formulas = Vec::new();
            for (symbol, (low, high)) in bounds.unwrap_or_default() {
                let value = terms.read(symbol);
                let Sort::Bits(width) = terms.sort(value) else {
                    continue;
                };
                let (least, greatest) = full_range(width);
                if low > least {
                    let bound = terms.number(Sort::Bits(width), low);
                    let below = terms.slt(value, bound);
                    formulas.push(terms.not(below));
                }
                if high < greatest {
                    let bound = terms.number(Sort::Bits(width), high);
                    let above = terms.slt(bound, value);
                    formulas.push(terms.not(above));
                }
            }
            formulas
        })
        .collect()
}

fn boxes(translator: &Translator, transfers: &[&Transfer]) -> Vec<Option<Bounds>> {
    let mut boxes: Vec<Option<Bounds>> = vec![None; transfers.len()];
    let mut changes = vec![0; transfers.len()];
    boxes[0] = Some(Bounds::new());
    let mut work = vec![0];
    while let Some(block) = work.pop() {
        for exit in &transfers[block].exits {
            let Target::Point(point) = exit.target else {
                continue;
            };
            let before = boxes[block].clone().expect("only reached blocks are worked on");
            let Some(before) = refined(&translator.terms, before, exit.guard) else {
                continue;
            };
            let mut after = before.clone();
            for (cell, value) in &exit.values {
                assign(translator, &before, &mut after, *cell, *value);
            }
            let target = point.index() + 1;
            let joined = match &boxes[target] {
                None => after,
                Some(known) => join(known, &after, changes[target] >= PATIENCE),
            };
            if boxes[target].as_ref() != Some(&joined) {
                boxes[target] = Some(joined);
                changes[target] += 1;
                work.push(target);
            }
        }
    }
    boxes
}

fn assign(translator: &Translator, before: &Bounds, after: &mut Bounds, cell: CellId, value: Term) {
    let symbol = translator.symbol(cell);
    after.remove(&symbol);
    let Sort::Bits(width) = translator.terms.sort(value) else {
        return;
    };
    let range = evaluate(&translator.terms, value, before, &mut HashMap::new());
    if range != full_range(width) {
        after.insert(symbol, range);
    }
}

/// Bounds that both sides have; with widening, a bound that grew is dropped.
fn join(known: &Bounds, new: &Bounds, widen: bool) -> Bounds {
    let mut joined = Bounds::new();
    for (symbol, old) in known {
        let Some(range) = new.get(symbol) else {
            continue;
        };
        let low = match range.0 < old.0 {
            true if widen => i128::MIN,
            _ => old.0.min(range.0),
        };
        let high = match range.1 > old.1 {
            true if widen => i128::MAX,
            _ => old.1.max(range.1),
        };
        joined.insert(*symbol, (low, high));
    }
    joined
}

/// The range of a bit vector term in a box.
fn evaluate(terms: &Terms, term: Term, bounds: &Bounds, done: &mut HashMap<Term, (i128, i128)>) -> (i128, i128) {
    if let Some(known) = done.get(&term) {
        return *known;
    }
    let Sort::Bits(width) = terms.sort(term) else {
        return (0, 0);
    };
    let (least, greatest) = full_range(width);
    let range = match terms.node(term) {
        Node::Symbol(symbol) => match bounds.get(symbol) {
            Some((low, high)) => ((*low).max(least), (*high).min(greatest)),
            None => (least, greatest),
        },
        node => {
            for part in node.children() {
                evaluate(terms, part, bounds, done);
            }
            range_of(terms, node, width, &|part| done.get(&part).copied().unwrap_or((0, 0)))
        }
    };
    done.insert(term, range);
    range
}

/// The box cut down by comparisons in the guard; `None` if nothing is left.
fn refined(terms: &Terms, mut bounds: Bounds, guard: Term) -> Option<Bounds> {
    for part in terms.conjuncts(guard) {
        let (atom, holds) = match terms.node(part) {
            Node::Not(inner) => (*inner, false),
            _ => (part, true),
        };
        let range = |bounds: &Bounds, term| evaluate(terms, term, bounds, &mut HashMap::new());
        match (terms.node(atom), holds) {
            (Node::Slt(a, b), true) => {
                let (ra, rb) = (range(&bounds, *a), range(&bounds, *b));
                restrict(terms, &mut bounds, *a, (i128::MIN, rb.1 - 1))?;
                restrict(terms, &mut bounds, *b, (ra.0 + 1, i128::MAX))?;
            }
            (Node::Slt(a, b), false) => {
                let (ra, rb) = (range(&bounds, *a), range(&bounds, *b));
                restrict(terms, &mut bounds, *a, (rb.0, i128::MAX))?;
                restrict(terms, &mut bounds, *b, (i128::MIN, ra.1))?;
            }
            (Node::Ult(a, b), true) => {
                let rb = range(&bounds, *b);
                if rb.0 >= 0 {
                    restrict(terms, &mut bounds, *a, (0, rb.1 - 1))?;
                }
            }
            (Node::Eq(a, b), true) if matches!(terms.sort(*a), Sort::Bits(_)) => {
                let (ra, rb) = (range(&bounds, *a), range(&bounds, *b));
                restrict(terms, &mut bounds, *a, rb)?;
                restrict(terms, &mut bounds, *b, ra)?;
            }
            _ => {}
        }
    }
    Some(bounds)
}

/// Cuts the range of a symbol; anything else is left alone. `None` if nothing is left.
fn restrict(terms: &Terms, bounds: &mut Bounds, term: Term, (low, high): (i128, i128)) -> Option<()> {
    let now = evaluate(terms, term, bounds, &mut HashMap::new());
    let cut = (now.0.max(low), now.1.min(high));
    if cut.0 > cut.1 {
        return None;
    }
    if let Node::Symbol(symbol) = terms.node(term) {
        bounds.insert(*symbol, cut);
    }
    Some(())
}
