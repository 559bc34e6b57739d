//! What the variables of a callee are in the caller.
//!
//! Each inlined call has variables of its own. A pointer parameter is the object that the caller passed, at the
//! position that it passed; since it is never assigned, reading and writing through it are reads and writes of that
//! object.

use std::collections::HashMap;

use crate::program::{Expr, ExprKind, Index, Place, VarId, Variable};

/// What a variable of a function is, in one activation of the function.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// Another variable.
    Renamed(VarId),
    /// What a pointer parameter points to: a scalar.
    Scalar(VarId),
    /// What a pointer parameter points to: a position inside an array.
    Element(VarId, Vec<Index>),
}

/// The bindings of one activation; a variable without binding is itself (globals, and the analysed function).
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings(HashMap<VarId, Binding>);

impl Bindings {
    pub(super) fn bind(&mut self, variable: VarId, binding: Binding) {
        self.0.insert(variable, binding);
    }

    pub(super) fn contains(&self, variable: VarId) -> bool {
        self.0.contains_key(&variable)
    }

    /// The variable itself, renamed.
    pub(super) fn variable(&self, variable: VarId) -> VarId {
        match self.0.get(&variable) {
            None => variable,
            Some(Binding::Renamed(other) | Binding::Scalar(other) | Binding::Element(other, _)) => *other,
        }
    }

    /// The place in the caller; `None` if it is outside the scalar that a pointer points to.
    pub(super) fn place(&self, place: &Place, variables: &[Variable]) -> Option<Place> {
        let mut inside = true;
        let place = place.rewrite(&mut |inner| self.load(inner, variables, &mut inside));
        self.shallow(&place).filter(|_| inside)
    }

    /// The expression in the caller.
    pub(super) fn expr(&self, expr: &Expr, variables: &[Variable]) -> Option<Expr> {
        let mut inside = true;
        let mapped = expr.rewrite(&mut |place| self.load(place, variables, &mut inside));
        inside.then_some(mapped)
    }

    fn load(&self, place: &Place, variables: &[Variable], inside: &mut bool) -> Option<Expr> {
        let mapped = self.shallow(place);
        *inside &= mapped.is_some();
        mapped.map(|place| {
            let kind = variables[place.base().index()].ty.element();
            Expr::load(place, kind)
        })
    }

    /// The place in the caller, for a place whose indices are mapped already.
    fn shallow(&self, place: &Place) -> Option<Place> {
        match (place, self.0.get(&place.base())) {
            (_, None) => Some(place.clone()),
            (Place::Variable(_), Some(_)) => Some(Place::Variable(self.variable(place.base()))),
            (Place::Element(_, indices), Some(Binding::Renamed(other))) => {
                Some(Place::Element(*other, indices.clone()))
            }
            (Place::Element(_, indices), Some(Binding::Element(object, start))) => {
                Some(Place::Element(*object, start.iter().chain(indices).cloned().collect()))
            }
            (Place::Element(_, indices), Some(Binding::Scalar(object))) => indices
                .iter()
                .all(|index| index.value.kind == ExprKind::Constant(0))
                .then_some(Place::Variable(*object)),
        }
    }
}
