//! Run-time checks: conditions that must hold where an expression is evaluated, each with a way to go wrong.
//!
//! C leaves undefined what happens when one fails; pct does not consider such runs, unless the check is asked for
//! (`--checks`): then the condition is a decision of its own, observed like any other, and a run in which it fails goes
//! wrong there. Operands are checked before the operation, indices from left to right.

use super::build::Builder;
use super::{Check, CheckKind, LocationId};
use crate::program::{
    Base, BinaryOp, CompareOp, Expr, ExprKind, IntKind, Length, Place, Projection, Property, Span, Type, UnaryOp, fold,
};

impl Builder<'_> {
    /// The location where a run goes that fails a check.
    pub(super) fn failure(&mut self, kind: CheckKind, text: &str, span: Span) -> LocationId {
        let known = self.checks.iter().find(|check| {
            (check.kind, check.span.file, check.span.line, check.span.order) == (kind, span.file, span.line, span.order)
                && check.text == text
        });
        if let Some(known) = known {
            return known.location;
        }
        let location = self.location();
        self.checks.push(Check { kind, text: text.to_string(), span, location });
        location
    }

    /// Checks a condition: from here on it holds.
    fn check(&mut self, kind: CheckKind, condition: Expr) {
        if fold(&condition).is_some_and(|value| value != 0) {
            return;
        }
        let span = self.span;
        let text = condition.to_c(self.naming());
        let fails = self.failure(kind, &text, span);
        let holds = self.location();
        self.observe(&condition);
        self.test(condition, holds, fails);
        self.current = holds;
    }

    /// The checks that the evaluation of an expression needs.
    pub(super) fn check_expr(&mut self, expr: &Expr) {
        if self.wanted.is_empty() {
            return;
        }
        match &expr.kind {
            ExprKind::Load(place) => self.check_place(place),
            ExprKind::Address(place) => self.check_way(place),
            ExprKind::Cast(e) | ExprKind::Not(e) => self.check_expr(e),
            ExprKind::Unary(op, e) => {
                self.check_expr(e);
                if *op == UnaryOp::Negate && is_signed(expr) {
                    self.check_overflow(expr);
                }
            }
            ExprKind::Binary(op, a, b) => {
                self.check_expr(a);
                self.check_expr(b);
                self.check_operation(*op, expr, b);
            }
            ExprKind::Move(a, b, _) | ExprKind::Distance(a, b, _) | ExprKind::Compare(_, a, b) => {
                self.check_expr(a);
                self.check_expr(b);
            }
            // Only in predicates, which are not evaluated by the program.
            ExprKind::Holds(..) | ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Conditional(..) => {}
            ExprKind::Constant(_) | ExprKind::Float(_) | ExprKind::Function(_) => {}
        }
    }

    fn check_operation(&mut self, op: BinaryOp, expr: &Expr, right: &Expr) {
        let Some(right_kind) = right.ty.int_kind() else {
            return;
        };
        match op {
            BinaryOp::Divide | BinaryOp::Remainder => {
                if self.wanted.contains(&CheckKind::Division) {
                    let zero = Expr::constant(0, right_kind);
                    self.check(CheckKind::Division, Expr::compare(CompareOp::NotEqual, right.clone(), zero));
                }
                // The least number divided by -1.
                if is_signed(expr) && fold(right).is_none_or(|divisor| divisor == -1) {
                    self.check_overflow(expr);
                }
            }
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply if is_signed(expr) => self.check_overflow(expr),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight if self.wanted.contains(&CheckKind::Shift) => {
                let width = i128::from(expr.int_kind().width());
                let count = right.clone();
                if right_kind.is_signed() {
                    let zero = Expr::constant(0, right_kind);
                    self.check(CheckKind::Shift, Expr::compare(CompareOp::GreaterEqual, count.clone(), zero));
                }
                let limit = Expr::constant(width, right_kind);
                self.check(CheckKind::Shift, Expr::compare(CompareOp::Less, count, limit));
            }
            _ => {}
        }
    }

    fn check_overflow(&mut self, expr: &Expr) {
        if self.wanted.contains(&CheckKind::Overflow) && fold(expr).is_none() {
            let condition = Expr { kind: ExprKind::Holds(Property::Fits, vec![expr.clone()]), ty: Type::INT };
            self.check(CheckKind::Overflow, condition);
        }
    }

    /// The checks that an access to a place needs.
    pub(super) fn check_place(&mut self, place: &Place) {
        if self.wanted.is_empty() {
            return;
        }
        self.check_way(place);
        if let Base::Pointee(pointer) = &place.base {
            if self.wanted.contains(&CheckKind::Null) {
                let start = start_of(pointer).clone();
                if !matches!(start.kind, ExprKind::Address(_)) {
                    let null = Expr::null(start.ty.clone());
                    self.check(CheckKind::Null, Expr::compare(CompareOp::NotEqual, start, null));
                }
            }
            if self.wanted.contains(&CheckKind::Bounds) {
                self.check_pointer(pointer);
            }
        }
        if self.wanted.contains(&CheckKind::Bounds) {
            self.check_indices(place);
        }
    }

    /// The checks that computing an address needs: those of the expressions on the way.
    fn check_way(&mut self, place: &Place) {
        if let Base::Pointee(pointer) = &place.base {
            self.check_expr(pointer);
        }
        for projection in &place.path {
            if let Projection::Index(index, _) = projection {
                self.check_expr(index);
            }
        }
    }

    /// A pointer is inside its object; for a parameter whose length is known, its index is.
    fn check_pointer(&mut self, pointer: &Expr) {
        let (start, index) = match &pointer.kind {
            ExprKind::Move(start, index, stride) if stride.factor == 1 && stride.lengths.is_empty() => {
                (&**start, (**index).clone())
            }
            _ => (pointer, Expr::constant(0, IntKind::Int)),
        };
        if let ExprKind::Load(place) = &start.kind
            && let Some(variable) = place.as_variable()
            && !self.assigned.contains(&variable)
            && self.frames[0].is_parameter(self.program, variable)
        {
            if let Some(length) = self.lengths.get(&variable).cloned() {
                self.check_index(index, length);
            }
            return;
        }
        let condition = Expr { kind: ExprKind::Holds(Property::Inside, vec![pointer.clone()]), ty: Type::INT };
        self.check(CheckKind::Bounds, condition);
    }

    fn check_indices(&mut self, place: &Place) {
        let mut ty = match &place.base {
            Base::Variable(variable) => self.variables[variable.index()].ty.clone(),
            Base::Pointee(pointer) => pointer.ty.pointee().cloned().unwrap_or(Type::Void),
        };
        for projection in &place.path {
            ty = match (projection, ty.plain()) {
                (Projection::Index(index, _), Type::Array(element, length)) => {
                    match length {
                        Length::Fixed(length) => {
                            let length = Expr::constant(i128::from(*length), IntKind::Long);
                            self.check_index(index.clone(), length);
                        }
                        Length::Variable(length) => {
                            let length = self.instance(*length);
                            self.check_index(index.clone(), Expr::variable(length, &Type::LONG));
                        }
                        Length::Unknown => {}
                    }
                    (**element).clone()
                }
                (Projection::Field(field), Type::Record(id)) => match self.program.fields(*id).get(*field as usize) {
                    Some(field) => field.ty.clone(),
                    None => return,
                },
                _ => return,
            };
        }
    }

    /// `0 <= index && index < length`
    fn check_index(&mut self, index: Expr, length: Expr) {
        let kind = index.int_kind();
        if kind.is_signed() {
            let zero = Expr::constant(0, kind);
            self.check(CheckKind::Bounds, Expr::compare(CompareOp::GreaterEqual, index.clone(), zero));
        }
        // A constant length takes the type of the index, if it fits: that reads better.
        let length = match fold(&length) {
            Some(value) if value <= kind.greatest() => Expr::constant(value, kind),
            _ => length,
        };
        self.check(CheckKind::Bounds, Expr::compare(CompareOp::Less, index, length));
    }
}

/// The pointer that a moved pointer started from.
fn start_of(pointer: &Expr) -> &Expr {
    match &pointer.kind {
        ExprKind::Move(start, ..) => start_of(start),
        ExprKind::Cast(inner) if inner.ty.pointee().is_some() => start_of(inner),
        _ => pointer,
    }
}

fn is_signed(expr: &Expr) -> bool {
    expr.ty.int_kind().is_some_and(IntKind::is_signed)
}
