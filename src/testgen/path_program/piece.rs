//! The pieces that the code between two points is made of, and the temporaries of the front end put back to where they
//! are used, as the user wrote it.
//!
//! A temporary is put to its only use if that lies before the next point and nothing in between changes what its value
//! reads; so the program computes the same.

use std::collections::BTreeSet;

use super::Writer;
use crate::abstraction::StateId;
use crate::cfg::Action;
use crate::program::{Expr, ExprKind, Place, Role, Type, Use, VarId};

/// The code from one state to the next.
pub(super) struct Leg {
    pub(super) comment: String,
    pub(super) pieces: Vec<Piece>,
    pub(super) state: StateId,
}

/// A piece of structured code.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// A statement.
    Do(Action),
    /// Only runs with this outcome count.
    Assume(Expr, bool),
    /// Both outcomes lead on.
    If(Expr, Vec<Piece>, Vec<Piece>),
}

impl Piece {
    /// Whether it is one evaluation.
    fn is_simple(&self) -> bool {
        match self {
            Piece::Do(action) => matches!(action, Action::Assign(..)),
            Piece::Assume(..) => true,
            Piece::If(..) => false,
        }
    }

    pub(super) fn for_each_variable(&self, visit: &mut dyn FnMut(VarId)) {
        match self {
            Piece::Do(action) => action.for_each_variable(&mut |variable| visit(variable)),
            Piece::Assume(condition, _) => condition.for_each_variable(&mut |variable| visit(variable)),
            Piece::If(condition, yes, no) => {
                condition.for_each_variable(&mut |variable| visit(variable));
                yes.iter().chain(no).for_each(|piece| piece.for_each_variable(visit));
            }
        }
    }

    /// How often a variable is read.
    fn uses(&self, variable: VarId) -> usize {
        let mut count = 0;
        self.for_each_variable(&mut |mentioned| count += usize::from(mentioned == variable));
        if let Piece::Do(Action::Assign(place, _) | Action::Havoc(place, _) | Action::Zero(place)) = self
            && place.as_variable() == Some(variable)
        {
            count -= 1;
        }
        if let Piece::Do(Action::Unset(unset)) = self
            && *unset == variable
        {
            count -= 1;
        }
        count
    }

    /// Whether it gives the variable a new value as a whole.
    fn assigns(&self, variable: VarId) -> bool {
        match self {
            Piece::Do(Action::Assign(place, _) | Action::Havoc(place, _) | Action::Zero(place)) => {
                place.as_variable() == Some(variable)
            }
            Piece::Do(Action::Unset(unset)) => *unset == variable,
            _ => false,
        }
    }

    fn substitute(&mut self, variable: VarId, value: &Expr) {
        let mut replace = |place: &Place| (place.as_variable() == Some(variable)).then(|| value.clone());
        match self {
            Piece::Do(Action::Assign(place, assigned)) => {
                let address = Expr { kind: ExprKind::Address(place.clone()), ty: Type::Void.pointer() };
                if let ExprKind::Address(replaced) = address.replaced(&mut replace).kind {
                    *place = replaced;
                }
                *assigned = assigned.replaced(&mut replace);
            }
            Piece::Assume(condition, _) => *condition = condition.replaced(&mut replace),
            _ => unreachable!("only simple pieces are changed"),
        }
    }
}

impl Writer<'_> {
    /// Puts the value of a temporary of the front end to where it is used, if that is one place before the next point
    /// and nothing in between changes the value.
    pub(super) fn fold_temporaries(&self, pieces: &mut Vec<Piece>, later: &[Leg]) {
        let mut index = 0;
        while index < pieces.len() {
            if self.fold_temporary(pieces, index, later) {
                pieces.remove(index);
            } else {
                index += 1;
            }
        }
    }

    fn fold_temporary(&self, pieces: &mut [Piece], index: usize, later: &[Leg]) -> bool {
        let Piece::Do(Action::Assign(place, value)) = &pieces[index] else {
            return false;
        };
        let Some(temporary) = self.is_private(place) else {
            return false;
        };
        if self.cfg.variables[temporary.index()].role != Role::Temporary {
            return false;
        }
        let value = value.clone();
        let mut used_at = None;
        let here = pieces.len();
        let all = pieces.iter().chain(later.iter().flat_map(|leg| &leg.pieces));
        for (at, piece) in all.enumerate().skip(index + 1) {
            let uses = piece.uses(temporary);
            match (uses, used_at) {
                (0, _) => {}
                (1, None) if piece.is_simple() && at < here => used_at = Some(at),
                _ => return false,
            }
            if piece.assigns(temporary) {
                break;
            }
        }
        let Some(used_at) = used_at else {
            return false;
        };
        let mut variables = BTreeSet::new();
        value.for_each_variable(&mut |variable| {
            variables.insert(variable);
        });
        let mut reads_memory = false;
        value
            .for_each_place(&mut |place, usage| reads_memory |= usage == Use::Read && self.is_private(place).is_none());
        let is_safe = pieces[index + 1..used_at].iter().all(|piece| match piece {
            Piece::Assume(..) => true,
            Piece::Do(Action::Assign(place, _) | Action::Havoc(place, _)) => match self.is_private(place) {
                Some(variable) => !variables.contains(&variable),
                None => !reads_memory,
            },
            _ => false,
        });
        if is_safe {
            pieces[used_at].substitute(temporary, &value);
        }
        is_safe
    }
}
