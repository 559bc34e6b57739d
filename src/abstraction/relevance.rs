//! Which variables matter at each point: those that can still influence what is observed.
//!
//! The least sets such that a variable matters at a point if a predicate observed there reads it, if it decides where
//! the block goes (or whether it is defined), or if it flows into a variable that matters at the next point. States
//! that agree on these variables have the same observable future, so the concrete system can be taken modulo the rest:
//! that is what makes `y = 0` a must- transition when nothing ever reads `y`.

use std::collections::BTreeSet;

use super::Block;
use crate::logic::term::Term;
use crate::logic::transfer::Target;
use crate::logic::translate::Translator;
use crate::memory::CellId;

/// Fills in the relevant variables of every block.
pub(super) fn mark(translator: &Translator, blocks: &mut [Block]) {
    for block in blocks.iter_mut() {
        let guards = block.transfer.exits.iter().map(|exit| exit.guard);
        let decisive: Vec<Term> = block
            .formulas
            .iter()
            .map(|(_, formula)| *formula)
            .chain(guards)
            .chain([block.transfer.assumed_away])
            .collect();
        block.relevant = decisive.iter().flat_map(|term| cells(translator, *term)).collect();
    }
    loop {
        let mut changed = false;
        for index in (0..blocks.len()).rev() {
            let mut more: BTreeSet<CellId> = BTreeSet::new();
            for exit in &blocks[index].transfer.exits {
                let Target::Point(point) = exit.target else {
                    continue;
                };
                for cell in &blocks[point.index() + 1].relevant {
                    match exit.values.get(cell) {
                        Some(value) => more.extend(cells(translator, *value)),
                        None => {
                            more.insert(*cell);
                        }
                    }
                }
            }
            let before = blocks[index].relevant.len();
            blocks[index].relevant.extend(more);
            changed |= blocks[index].relevant.len() > before;
        }
        if !changed {
            return;
        }
    }
}

/// The cells that a term over a state reads; inputs are no cells.
fn cells(translator: &Translator, term: Term) -> Vec<CellId> {
    translator.terms.symbols(term).iter().filter_map(|symbol| translator.cell(*symbol)).collect()
}
