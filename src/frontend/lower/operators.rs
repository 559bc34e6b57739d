//! Operators: which one an operator of the syntax tree is, and what it computes of two operands.

use lang_c::ast;
use lang_c::span::Span as RawSpan;

use super::Lowering;
use crate::error::Result;
use crate::program::{BinaryOp, CompareOp, Expr, ExprKind, IntKind, Step, Type, UnaryOp, fold};

impl Lowering<'_> {
    /// Whether the value is that of a bit-field that is wider than int, and narrower than its type.
    fn is_wide_bit_field(&self, value: &Expr) -> bool {
        let ExprKind::Load(place) = &value.kind else {
            return false;
        };
        let width = value.ty.int_kind().map_or(0, |kind| kind.width());
        self.bit_field(place).is_some_and(|(_, bits)| bits > 32 && bits < width)
    }

    /// `a op b` for arithmetic and comparison, of numbers and of pointers.
    pub(super) fn combined(
        &mut self,
        operator: &ast::BinaryOperator,
        a: Expr,
        b: Expr,
        span: RawSpan,
        steps: &mut Vec<Step>,
    ) -> Result<Expr> {
        let (is_pointer, other_is_pointer) = (a.ty.pointee().is_some(), b.ty.pointee().is_some());
        if let Some(op) = comparison(operator) {
            return match (is_pointer, other_is_pointer) {
                (false, false) => Ok(Expr::compare(op, a, b)),
                (true, true) => Ok(Expr::compare(op, a, b)),
                (true, false) => {
                    let b = self.converted(b, &a.ty.clone(), span, steps)?;
                    Ok(Expr::compare(op, a, b))
                }
                (false, true) => {
                    let a = self.converted(a, &b.ty.clone(), span, steps)?;
                    Ok(Expr::compare(op, a, b))
                }
            };
        }
        let op = arithmetic(operator).expect("the operator is arithmetic or a comparison");
        match (op, is_pointer, other_is_pointer) {
            (BinaryOp::Add, true, false) => self.moved(a, b, 1, span),
            (BinaryOp::Add, false, true) => self.moved(b, a, 1, span),
            (BinaryOp::Subtract, true, false) => self.moved(a, b, -1, span),
            (BinaryOp::Subtract, true, true) => {
                let stride = self.stride(a.ty.pointee().expect("it is a pointer"));
                Ok(Expr { kind: ExprKind::Distance(Box::new(a), Box::new(b), stride), ty: Type::LONG })
            }
            (_, false, false) => {
                let needs_integers =
                    !matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide);
                if needs_integers && (a.ty.float_kind().is_some() || b.ty.float_kind().is_some()) {
                    return Err(self.invalid(span, "this operator takes integers", ""));
                }
                // gcc computes with a bit-field that is wider than int in the width of the field, clang in that of its type.
                let depends_on_width =
                    matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::ShiftLeft);
                let is_wide = self.is_wide_bit_field(&a) || op != BinaryOp::ShiftLeft && self.is_wide_bit_field(&b);
                let result = Expr::binary(op, a, b);
                if !(depends_on_width && is_wide) {
                    return Ok(result);
                }
                let place = self.temporary_place(&result.ty);
                steps.push(Step::Forget(place.clone()));
                Ok(Expr::load(place))
            }
            _ => Err(self.invalid(span, "this operator does not take pointers", "")),
        }
    }
}

/// `-e`, folded where it is a constant, so that `-1` is a constant.
pub(super) fn negate(operand: Expr) -> Expr {
    if let ExprKind::Float(bits) = operand.kind {
        return Expr { kind: ExprKind::Float((-f64::from_bits(bits)).to_bits()), ty: operand.ty };
    }
    let negated = Expr::unary(UnaryOp::Negate, operand);
    match (fold(&negated), negated.ty.int_kind()) {
        (Some(value), Some(kind)) => Expr::constant(value, kind),
        _ => negated,
    }
}

/// `!c`, by turning a comparison around where it is one of integers.
pub(super) fn negated(condition: Expr) -> Expr {
    let kind = match condition.kind {
        ExprKind::Compare(op, a, b) if a.ty.float_kind().is_none() => ExprKind::Compare(op.negated(), a, b),
        ExprKind::Not(inner) => return *inner,
        kind => ExprKind::Not(Box::new(Expr { kind, ty: condition.ty })),
    };
    Expr { kind, ty: Type::Int(IntKind::Int) }
}

pub(super) fn increment(operator: &ast::UnaryOperator) -> Option<BinaryOp> {
    match operator {
        ast::UnaryOperator::PreIncrement | ast::UnaryOperator::PostIncrement => Some(BinaryOp::Add),
        ast::UnaryOperator::PreDecrement | ast::UnaryOperator::PostDecrement => Some(BinaryOp::Subtract),
        _ => None,
    }
}

pub(super) fn is_assignment(operator: &ast::BinaryOperator) -> bool {
    *operator == ast::BinaryOperator::Assign || compound(operator).is_some()
}

pub(super) fn arithmetic(operator: &ast::BinaryOperator) -> Option<BinaryOp> {
    use ast::BinaryOperator as Op;
    Some(match operator {
        Op::Multiply => BinaryOp::Multiply,
        Op::Divide => BinaryOp::Divide,
        Op::Modulo => BinaryOp::Remainder,
        Op::Plus => BinaryOp::Add,
        Op::Minus => BinaryOp::Subtract,
        Op::ShiftLeft => BinaryOp::ShiftLeft,
        Op::ShiftRight => BinaryOp::ShiftRight,
        Op::BitwiseAnd => BinaryOp::And,
        Op::BitwiseXor => BinaryOp::Xor,
        Op::BitwiseOr => BinaryOp::Or,
        _ => return None,
    })
}

pub(super) fn comparison(operator: &ast::BinaryOperator) -> Option<CompareOp> {
    use ast::BinaryOperator as Op;
    Some(match operator {
        Op::Less => CompareOp::Less,
        Op::Greater => CompareOp::Greater,
        Op::LessOrEqual => CompareOp::LessEqual,
        Op::GreaterOrEqual => CompareOp::GreaterEqual,
        Op::Equals => CompareOp::Equal,
        Op::NotEquals => CompareOp::NotEqual,
        _ => return None,
    })
}

/// The operator of a compound assignment.
pub(super) fn compound(operator: &ast::BinaryOperator) -> Option<ast::BinaryOperator> {
    use ast::BinaryOperator as Op;
    Some(match operator {
        Op::AssignMultiply => Op::Multiply,
        Op::AssignDivide => Op::Divide,
        Op::AssignModulo => Op::Modulo,
        Op::AssignPlus => Op::Plus,
        Op::AssignMinus => Op::Minus,
        Op::AssignShiftLeft => Op::ShiftLeft,
        Op::AssignShiftRight => Op::ShiftRight,
        Op::AssignBitwiseAnd => Op::BitwiseAnd,
        Op::AssignBitwiseXor => Op::BitwiseXor,
        Op::AssignBitwiseOr => Op::BitwiseOr,
        _ => return None,
    })
}
