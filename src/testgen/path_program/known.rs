//! What is known at a place of the text: ranges of variables, conditions, needs that are met.
//!
//! It only spares lines: what is not known is assumed once more. An assignment forgets all that speaks of what it may
//! change; where two ways meet, only what both know is kept.

use std::collections::BTreeMap;

use super::text::{Text, as_variable, is_defined_somehow};
use crate::program::{BinaryOp, CompareOp, Expr, ExprKind, IntKind, Place, Use, VarId, fold};

/// What is known at a place of the text.
#[derive(Clone, Default)]
pub(super) struct Known {
    /// Ranges of private variables.
    pub(super) ranges: BTreeMap<VarId, (i128, i128)>,
    /// Conditions with their value.
    pub(super) conditions: Vec<(Expr, bool)>,
    /// Needs that are met, with what they speak of.
    pub(super) needs: Vec<(String, Expr)>,
}

impl Text<'_, '_> {
    /// Something is written.
    pub(super) fn change(&mut self, place: &Place) {
        match self.writer.is_private(place) {
            Some(variable) => self.forget_variable(variable),
            None => {
                let writer = self.writer;
                let is_private = |expr: &Expr| {
                    let mut private = true;
                    expr.for_each_place(&mut |place, usage| {
                        private &= usage == Use::Address || writer.is_private(place).is_some();
                    });
                    private
                };
                let root = place.root();
                let untouched = |expr: &Expr| {
                    let mut mentions = false;
                    expr.for_each_variable(&mut |variable| mentions |= Some(variable) == root);
                    !mentions && is_private(expr)
                };
                self.known.conditions.retain(|(condition, _)| untouched(condition));
                self.known.needs.retain(|(_, expr)| untouched(expr));
            }
        }
    }

    pub(super) fn forget_variable(&mut self, variable: VarId) {
        let mentions = |expr: &Expr| {
            let mut mentions = false;
            expr.for_each_variable(&mut |mentioned| mentions |= mentioned == variable);
            mentions
        };
        self.known.conditions.retain(|(condition, _)| !mentions(condition));
        self.known.needs.retain(|(_, expr)| !mentions(expr));
        self.known.ranges.remove(&variable);
    }

    pub(super) fn learn(&mut self, condition: &Expr, outcome: bool) {
        match (&condition.kind, outcome) {
            (ExprKind::And(a, b), true) | (ExprKind::Or(a, b), false) => {
                self.learn(a, outcome);
                self.learn(b, outcome);
            }
            (ExprKind::Not(inner), _) => self.learn(inner, !outcome),
            _ => {
                // A predicate that is not defined is false, so nothing is known of it from a test.
                if is_defined_somehow(condition) {
                    self.known.conditions.push((condition.clone(), outcome));
                }
                self.learn_range(condition, outcome, false);
            }
        }
    }

    /// What a comparison of a variable with a constant says of its range.
    pub(super) fn learn_range(&mut self, condition: &Expr, outcome: bool, only_fixed: bool) {
        let ExprKind::Compare(op, a, b) = &condition.kind else {
            return;
        };
        let op = if outcome { *op } else { op.negated() };
        let mirrored = match op {
            CompareOp::Less => CompareOp::Greater,
            CompareOp::LessEqual => CompareOp::GreaterEqual,
            CompareOp::Greater => CompareOp::Less,
            CompareOp::GreaterEqual => CompareOp::LessEqual,
            same => same,
        };
        for (side, op, other) in [(a, op, b), (b, mirrored, a)] {
            let (variable, Some(value)) = (as_variable(side), fold(other)) else {
                continue;
            };
            let Some(variable) = variable.filter(|variable| !self.writer.exposed.contains(variable)) else {
                continue;
            };
            if only_fixed && !self.fixed.contains(&variable) {
                continue;
            }
            let (least, most) = self.variable_range(variable);
            let range = match op {
                CompareOp::Equal => (least.max(value), most.min(value)),
                CompareOp::Less => (least, most.min(value - 1)),
                CompareOp::LessEqual => (least, most.min(value)),
                CompareOp::Greater => (least.max(value + 1), most),
                CompareOp::GreaterEqual => (least.max(value), most),
                CompareOp::NotEqual => continue,
            };
            if range.0 <= range.1 {
                self.known.ranges.insert(variable, range);
            }
        }
    }

    fn variable_range(&self, variable: VarId) -> (i128, i128) {
        let kind = self.writer.cfg.variables[variable.index()].ty.int_kind().unwrap_or(IntKind::Long);
        let whole = (kind.least(), kind.greatest());
        self.known.ranges.get(&variable).copied().unwrap_or(whole)
    }

    /// The values that an integer expression can have.
    pub(super) fn range(&self, expr: &Expr) -> (i128, i128) {
        let kind = expr.int_kind();
        let whole = (kind.least(), kind.greatest());
        let within =
            |(least, most): (i128, i128)| if least >= whole.0 && most <= whole.1 { (least, most) } else { whole };
        match &expr.kind {
            ExprKind::Constant(value) => (*value, *value),
            ExprKind::Load(place) => match self.writer.is_private(place) {
                Some(variable) => within(self.variable_range(variable)),
                None => whole,
            },
            ExprKind::Cast(inner) if inner.ty.int_kind().is_some() => within(self.range(inner)),
            ExprKind::Binary(op, a, b) if b.ty.int_kind().is_some() => {
                let ((a, b), (c, d)) = (self.range(a), self.range(b));
                match op {
                    BinaryOp::Add => within((a + c, b + d)),
                    BinaryOp::Subtract => within((a - d, b - c)),
                    BinaryOp::Multiply => {
                        let products = [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)];
                        match products.into_iter().collect::<Option<Vec<i128>>>() {
                            Some(p) => within((*p.iter().min().expect("four"), *p.iter().max().expect("four"))),
                            None => whole,
                        }
                    }
                    BinaryOp::Divide if c > 0 => (a.min(0), b.max(0)),
                    BinaryOp::Remainder if c > 0 => {
                        within((if a < 0 { -(d - 1) } else { 0 }, if b > 0 { d - 1 } else { 0 }))
                    }
                    BinaryOp::And if a >= 0 => within((0, b)),
                    BinaryOp::And if c >= 0 => within((0, d)),
                    BinaryOp::ShiftRight if a >= 0 && (0..64).contains(&c) => within((0, b >> c)),
                    _ => whole,
                }
            }
            ExprKind::Compare(..) | ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => (0, 1),
            _ => whole,
        }
    }
}

impl Known {
    /// Keeps what is known on both ways.
    pub(super) fn join(&mut self, other: &Known) {
        self.conditions.retain(|known| other.conditions.contains(known));
        self.needs.retain(|known| other.needs.contains(known));
        let joined = self.ranges.iter().filter_map(|(variable, (least, most))| {
            let (x, y) = other.ranges.get(variable)?;
            Some((*variable, (*least.min(x), *most.max(y))))
        });
        self.ranges = joined.collect();
    }
}
