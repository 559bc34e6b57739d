//! Decisions, taken apart: `&&`, `||`, `!`, `?:` and the comma become structure, what is left is atomic.

use lang_c::ast::{self, Expression};
use lang_c::span::Node;

use super::Lowering;
use crate::error::Result;
use crate::program::{Atom, Condition, Expr, fold};

impl Lowering<'_> {
    /// The condition that an expression in boolean position is.
    pub(super) fn condition(&mut self, node: &Node<Expression>) -> Result<Condition> {
        match &node.node {
            Expression::BinaryOperator(operation)
                if operation.node.operator.node == ast::BinaryOperator::LogicalAnd =>
            {
                let a = self.condition(&operation.node.lhs)?;
                let b = self.condition(&operation.node.rhs)?;
                Ok(Condition::And(Box::new(a), Box::new(b)))
            }
            Expression::BinaryOperator(operation) if operation.node.operator.node == ast::BinaryOperator::LogicalOr => {
                let a = self.condition(&operation.node.lhs)?;
                let b = self.condition(&operation.node.rhs)?;
                Ok(Condition::Or(Box::new(a), Box::new(b)))
            }
            Expression::UnaryOperator(operation) if operation.node.operator.node == ast::UnaryOperator::Negate => {
                let inner = self.condition(&operation.node.operand)?;
                Ok(Condition::Not(Box::new(inner)))
            }
            Expression::Conditional(conditional)
                if !super::values::is_same_marker(&conditional.node.then_expression) =>
            {
                let conditional = &conditional.node;
                let c = self.condition(&conditional.condition)?;
                let a = self.condition(&conditional.then_expression)?;
                let b = self.condition(&conditional.else_expression)?;
                Ok(Condition::Choose(Box::new(c), Box::new(a), Box::new(b)))
            }
            Expression::Comma(parts) => {
                let (last, first) = parts.split_last().expect("a comma has operands");
                let mut steps = Vec::new();
                for part in first {
                    self.effect(part, &mut steps)?;
                }
                let condition = self.condition(last)?;
                Ok(Condition::After(steps, Box::new(condition)))
            }
            Expression::Call(call) if is_expectation(&call.node) => self.condition(&call.node.arguments[0]),
            _ => {
                let mut steps = Vec::new();
                let value = self.value(node, &mut steps)?.as_condition();
                let observed = self.predicate_of(&value);
                Ok(Condition::Atom(Box::new(Atom { steps, value, observed, span: self.span(node.span) })))
            }
        }
    }

    /// The condition that a value without side effects is.
    pub(super) fn value_condition(&mut self, value: Expr, span: lang_c::span::Span) -> Condition {
        let value = value.as_condition();
        let observed = self.predicate_of(&value);
        Condition::Atom(Box::new(Atom { steps: Vec::new(), value, observed, span: self.span(span) }))
    }

    /// A condition that is always `value`.
    pub(super) fn constant_condition(value: bool) -> Condition {
        let number = Expr::constant(i128::from(value), crate::program::IntKind::Int);
        Condition::Atom(Box::new(Atom {
            steps: Vec::new(),
            value: number.as_condition(),
            observed: None,
            span: crate::program::Span::default(),
        }))
    }

    /// The condition as a predicate: over named variables, and not constant.
    pub(super) fn predicate_of(&self, value: &Expr) -> Option<Expr> {
        let predicate = self.without_temporaries(value)?;
        fold(&predicate).is_none().then_some(predicate)
    }
}

/// `__builtin_expect(c, v)` is `c`.
pub(super) fn is_expectation(call: &ast::CallExpression) -> bool {
    matches!(&call.callee.node, Expression::Identifier(name)
        if name.node.name == "__builtin_expect" && !call.arguments.is_empty())
}
