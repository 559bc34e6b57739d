//! The value of constant expressions (enumerators, case labels, array sizes), by C's rules.

use super::{BinaryOp, CompareOp, Expr, ExprKind, IntKind, UnaryOp};

/// The value of `expr` if it is a constant expression without undefined behaviour.
pub fn fold(expr: &Expr) -> Option<i128> {
    let value = match &expr.kind {
        ExprKind::Constant(value) => *value,
        ExprKind::Cast(e) if e.ty.int_kind().is_some() && expr.ty.int_kind().is_some() => fold(e)?,
        ExprKind::Unary(UnaryOp::Negate, e) => fold(e)?.checked_neg()?,
        ExprKind::Unary(UnaryOp::Complement, e) => !fold(e)?,
        ExprKind::Binary(op, a, b) => binary(*op, expr.ty.int_kind()?, fold(a)?, fold(b)?)?,
        ExprKind::Compare(op, a, b) => i128::from(compare(*op, a, b)?),
        ExprKind::Not(e) => i128::from(fold(e)? == 0),
        ExprKind::And(a, b) => i128::from(fold(a)? != 0 && fold(b)? != 0),
        ExprKind::Or(a, b) => i128::from(fold(a)? != 0 || fold(b)? != 0),
        ExprKind::Conditional(c, a, b) => {
            if fold(c)? != 0 {
                fold(a)?
            } else {
                fold(b)?
            }
        }
        _ => return None,
    };
    Some(expr.ty.int_kind()?.wrap(value))
}

fn compare(op: CompareOp, a: &Expr, b: &Expr) -> Option<bool> {
    Some(op.holds(fold(a)?, fold(b)?))
}

fn binary(op: BinaryOp, kind: IntKind, a: i128, b: i128) -> Option<i128> {
    let width = i128::from(kind.width());
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::Multiply => a.checked_mul(b),
        BinaryOp::Divide => a.checked_div(b),
        BinaryOp::Remainder => a.checked_rem(b),
        BinaryOp::ShiftLeft if (0..width).contains(&b) => a.checked_mul(1i128 << b),
        BinaryOp::ShiftRight if (0..width).contains(&b) => Some(a >> b),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => None,
        BinaryOp::And => Some(a & b),
        BinaryOp::Or => Some(a | b),
        BinaryOp::Xor => Some(a ^ b),
    }
}
