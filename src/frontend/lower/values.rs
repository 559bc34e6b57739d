//! Expressions: each becomes steps (its side effects, in order) and a value without side effects.

use lang_c::ast::{self, Expression};
use lang_c::span::Node;

use super::places::Designated;
use super::types::CType;
use super::{Lowering, Name};
use crate::error::Result;
use crate::program::{
    BinaryOp, CompareOp, Condition, Expr, IntKind, Place, Statement, StatementKind, Step, UnaryOp, VarId, fold,
};

impl Lowering<'_> {
    /// The value of an integer expression; its side effects are appended to `steps`.
    pub(super) fn integer(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<Expr> {
        match &node.node {
            Expression::Constant(constant) => self.literal(&constant.node, constant.span),
            Expression::Identifier(identifier) => {
                if let Some(Name::Enumerator(value, kind)) = self.lookup(&identifier.node.name) {
                    return Ok(Expr::constant(*value, *kind));
                }
                self.loaded(node, steps)
            }
            Expression::UnaryOperator(operation) => self.unary(node, &operation.node, steps),
            Expression::BinaryOperator(operation) => self.binary(node, &operation.node, steps),
            Expression::Cast(cast) => self.cast(node, &cast.node, steps),
            Expression::Conditional(_) => {
                let Some(value) = self.conditional(node, steps)? else {
                    return Err(self.invalid(node.span, "this has no value", ""));
                };
                Ok(value)
            }
            Expression::Comma(parts) => {
                let (last, first) = parts.split_last().expect("a comma has operands");
                for part in first {
                    self.effect(part, steps)?;
                }
                self.integer(last, steps)
            }
            Expression::Call(call) => match self.call(node, &call.node, steps)? {
                Some(value) => Ok(value),
                None => Err(self.invalid(node.span, "this call has no value", "the function returns void")),
            },
            Expression::SizeOfTy(size) => {
                let ty = self.type_name(&size.node.0)?;
                self.size_constant(&ty, node)
            }
            Expression::SizeOfVal(size) => {
                let ty = self.type_of(&size.node.0)?;
                self.size_constant(&ty, node)
            }
            Expression::AlignOf(align) => {
                let ty = self.type_name(&align.node.0)?;
                self.size_constant(&ty, node)
            }
            Expression::Statement(statement) => match self.statement_expression(statement, steps)? {
                Some(value) => Ok(value),
                None => Err(self.invalid(node.span, "this has no value", "")),
            },
            Expression::Member(_) | Expression::CompoundLiteral(_) => self.loaded(node, steps),
            Expression::StringLiteral(_) => Err(self.unsupported(node.span, "a string here", "use an array of char")),
            Expression::GenericSelection(_) => {
                Err(self.unsupported(node.span, "_Generic", "write the chosen expression"))
            }
            Expression::OffsetOf(_) => Err(self.unsupported(node.span, "offsetof", "")),
            Expression::VaArg(_) => Err(self.unsupported(node.span, "va_arg", "")),
        }
    }

    /// The expression for its side effects only.
    pub(super) fn effect(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<()> {
        match &node.node {
            Expression::UnaryOperator(operation) => {
                if let Some(op) = increment(&operation.node.operator.node) {
                    let (place, kind) = self.place(&operation.node.operand, steps)?;
                    steps.push(advance(place, kind, op));
                    return Ok(());
                }
                self.discard(node, steps)
            }
            Expression::BinaryOperator(operation) if is_assignment(&operation.node.operator.node) => {
                self.assign(&operation.node, steps).map(|_| ())
            }
            Expression::Comma(parts) => {
                for part in parts.iter() {
                    self.effect(part, steps)?;
                }
                Ok(())
            }
            Expression::Call(call) => self.call(node, &call.node, steps).map(|_| ()),
            Expression::Conditional(conditional) => {
                let conditional = &conditional.node;
                let condition = self.condition(&conditional.condition)?;
                let (mut then, mut otherwise) = (Vec::new(), Vec::new());
                self.effect(&conditional.then_expression, &mut then)?;
                self.effect(&conditional.else_expression, &mut otherwise)?;
                steps.push(Step::Branch(condition, then, otherwise));
                Ok(())
            }
            Expression::Statement(statement) => self.statement_expression(statement, steps).map(|_| ()),
            Expression::Cast(cast) if self.type_name(&cast.node.type_name)? == CType::Void => {
                self.effect(&cast.node.expression, steps)
            }
            _ => self.discard(node, steps),
        }
    }

    /// Evaluates an expression whose value nobody wants: pointers have no side effects, integers may.
    fn discard(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<()> {
        if self.is_pointer(node) {
            return self.pointer(node, steps).map(|_| ());
        }
        let value = self.integer(node, steps)?;
        // The evaluation itself may be undefined (`1 / x;`), so it stays.
        if !value.is_constant() && !matches!(value.kind, crate::program::ExprKind::Load(_)) {
            let temporary = self.temporary(value.ty);
            steps.push(Step::Assign(Place::Variable(temporary), value));
        }
        Ok(())
    }

    /// The value of a constant expression.
    pub(super) fn constant(&mut self, node: &Node<Expression>) -> Result<i128> {
        let mut steps = Vec::new();
        let value = self.pure(node, &mut steps)?;
        match fold(&value) {
            Some(value) if steps.is_empty() => Ok(value),
            _ => Err(self.invalid(node.span, "this is not a constant expression", "")),
        }
    }

    /// Like [`Self::integer`], but `&&`, `||`, `!` and `?:` stay expressions where their operands have no side
    /// effects: for constants and for predicates.
    pub(super) fn pure(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<Expr> {
        use crate::program::ExprKind;
        let logical = |kind: ExprKind| Expr { kind, ty: IntKind::Int };
        match &node.node {
            Expression::BinaryOperator(operation) => {
                let operation = &operation.node;
                let (lhs, rhs) = (&operation.lhs, &operation.rhs);
                match &operation.operator.node {
                    ast::BinaryOperator::LogicalAnd | ast::BinaryOperator::LogicalOr => {
                        let a = Box::new(self.pure(lhs, steps)?.as_condition());
                        let b = Box::new(self.pure(rhs, steps)?.as_condition());
                        let is_and = operation.operator.node == ast::BinaryOperator::LogicalAnd;
                        Ok(logical(if is_and { ExprKind::And(a, b) } else { ExprKind::Or(a, b) }))
                    }
                    operator => {
                        let plain = arithmetic(operator).is_some() || comparison(operator).is_some();
                        if !plain || self.is_pointer(lhs) || self.is_pointer(rhs) {
                            return self.integer(node, steps);
                        }
                        let a = self.pure(lhs, steps)?;
                        let b = self.pure(rhs, steps)?;
                        Ok(combine(operator, a, b).expect("the operator is plain"))
                    }
                }
            }
            Expression::UnaryOperator(operation) => {
                let operand = &operation.node.operand;
                match operation.node.operator.node {
                    ast::UnaryOperator::Negate => {
                        let value = self.pure(operand, steps)?.as_condition();
                        Ok(negated(value))
                    }
                    ast::UnaryOperator::Plus => Ok(self.pure(operand, steps)?.promoted()),
                    ast::UnaryOperator::Minus => Ok(negate(self.pure(operand, steps)?)),
                    ast::UnaryOperator::Complement => Ok(Expr::unary(UnaryOp::Complement, self.pure(operand, steps)?)),
                    _ => self.integer(node, steps),
                }
            }
            Expression::Conditional(conditional) => {
                let conditional = &conditional.node;
                let c = self.pure(&conditional.condition, steps)?.as_condition();
                let a = self.pure(&conditional.then_expression, steps)?;
                let b = self.pure(&conditional.else_expression, steps)?;
                let ty = a.ty.common(b.ty);
                Ok(Expr { kind: ExprKind::Conditional(Box::new(c), Box::new(a.cast(ty)), Box::new(b.cast(ty))), ty })
            }
            Expression::Cast(cast) => match self.type_name(&cast.node.type_name)? {
                CType::Int(kind) => Ok(self.pure(&cast.node.expression, steps)?.cast(kind)),
                _ => self.integer(node, steps),
            },
            _ => self.integer(node, steps),
        }
    }

    /// The value stored in what an lvalue designates.
    fn loaded(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<Expr> {
        match self.designated(node, steps)? {
            Designated::Scalar(place, kind) => Ok(Expr::load(place, kind)),
            Designated::Array(..) => Err(self.unsupported(
                node.span,
                "a pointer or an array as a number",
                "compare or compute with what it points to",
            )),
        }
    }

    fn unary(
        &mut self,
        node: &Node<Expression>,
        operation: &ast::UnaryOperatorExpression,
        steps: &mut Vec<Step>,
    ) -> Result<Expr> {
        use ast::UnaryOperator as Op;
        let operand = &operation.operand;
        match &operation.operator.node {
            Op::Plus => Ok(self.integer(operand, steps)?.promoted()),
            Op::Minus => Ok(negate(self.integer(operand, steps)?)),
            Op::Complement => Ok(Expr::unary(UnaryOp::Complement, self.integer(operand, steps)?)),
            Op::Negate => self.truth_value(node, steps),
            Op::Indirection => self.loaded(node, steps),
            Op::Address => Err(self.unsupported(node.span, "an address as a number", "")),
            Op::PreIncrement | Op::PreDecrement => {
                let op = increment(&operation.operator.node).expect("it is one");
                let (place, kind) = self.place(operand, steps)?;
                steps.push(advance(place.clone(), kind, op));
                Ok(Expr::load(place, kind))
            }
            Op::PostIncrement | Op::PostDecrement => {
                let op = increment(&operation.operator.node).expect("it is one");
                let (place, kind) = self.place(operand, steps)?;
                let before = self.capture(Expr::load(place.clone(), kind), steps);
                steps.push(advance(place, kind, op));
                Ok(before)
            }
        }
    }

    fn binary(
        &mut self,
        node: &Node<Expression>,
        operation: &ast::BinaryOperatorExpression,
        steps: &mut Vec<Step>,
    ) -> Result<Expr> {
        let operator = &operation.operator.node;
        if is_assignment(operator) {
            let (place, kind) = self.assign(operation, steps)?;
            return Ok(Expr::load(place, kind));
        }
        match operator {
            ast::BinaryOperator::Index => return self.loaded(node, steps),
            ast::BinaryOperator::LogicalAnd | ast::BinaryOperator::LogicalOr => {
                return self.truth_value(node, steps);
            }
            _ => {}
        }
        if self.is_pointer(&operation.lhs) || self.is_pointer(&operation.rhs) {
            return Err(self.unsupported(
                node.span,
                "comparison or subtraction of pointers",
                "compare indices instead",
            ));
        }
        let mut a = self.integer(&operation.lhs, steps)?;
        let mut later = Vec::new();
        let b = self.integer(&operation.rhs, &mut later)?;
        if disturbs(&later, &a) {
            a = self.capture(a, steps);
        }
        steps.append(&mut later);
        Ok(combine(operator, a, b).expect("assignments and logical operators are handled above"))
    }

    fn cast(&mut self, node: &Node<Expression>, cast: &ast::CastExpression, steps: &mut Vec<Step>) -> Result<Expr> {
        match self.type_name(&cast.type_name)? {
            CType::Int(_) if self.is_pointer(&cast.expression) => {
                Err(self.unsupported(node.span, "a pointer as a number", ""))
            }
            CType::Int(kind) => Ok(self.integer(&cast.expression, steps)?.cast(kind)),
            other => Err(self.unsupported(node.span, format!("a cast to {other}"), "")),
        }
    }

    /// `c ? a : b` as a branch that stores its value in a temporary; `None` if it is void.
    fn conditional(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<Option<Expr>> {
        let Expression::Conditional(conditional) = &node.node else {
            return self.integer(node, steps).map(Some);
        };
        let conditional = &conditional.node;
        let condition = self.condition(&conditional.condition)?;
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        let a = self.integer(&conditional.then_expression, &mut then)?;
        let b = self.integer(&conditional.else_expression, &mut otherwise)?;
        let kind = a.ty.common(b.ty);
        let temporary = self.temporary(kind);
        then.push(Step::Assign(Place::Variable(temporary), a.cast(kind)));
        otherwise.push(Step::Assign(Place::Variable(temporary), b.cast(kind)));
        steps.push(Step::Branch(condition, then, otherwise));
        Ok(Some(Expr::load(Place::Variable(temporary), kind)))
    }

    /// `a && b`, `a || b`, `!a` as a value: 1 or 0, by control flow.
    fn truth_value(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<Expr> {
        let condition = self.condition(node)?;
        // `!x` without side effects needs no branch.
        if let Condition::Not(inner) = &condition
            && let Condition::Atom(atom) = &**inner
            && atom.steps.is_empty()
        {
            return Ok(negated(atom.value.clone()));
        }
        let temporary = self.temporary(IntKind::Int);
        let set = |value| {
            let value = Expr::constant(value, IntKind::Int);
            vec![Step::Assign(Place::Variable(temporary), value)]
        };
        steps.push(Step::Branch(condition, set(1), set(0)));
        Ok(Expr::load(Place::Variable(temporary), IntKind::Int))
    }

    /// `place = value` and `place op= value`; gives back the place.
    fn assign(&mut self, operation: &ast::BinaryOperatorExpression, steps: &mut Vec<Step>) -> Result<(Place, IntKind)> {
        let (mut place, kind) = self.place(&operation.lhs, steps)?;
        let mut later = Vec::new();
        let value = self.integer(&operation.rhs, &mut later)?;
        if let Place::Element(array, indices) = place {
            let mut kept = Vec::new();
            for mut index in indices {
                if disturbs(&later, &index.value) {
                    index.value = self.capture(index.value, steps);
                }
                kept.push(index);
            }
            place = Place::Element(array, kept);
        }
        let value = match compound(&operation.operator.node) {
            None => value,
            Some(op) => {
                let mut before = Expr::load(place.clone(), kind);
                if disturbs(&later, &before) {
                    before = self.capture(before, steps);
                }
                Expr::binary(op, before, value)
            }
        };
        steps.append(&mut later);
        steps.push(Step::Assign(place.clone(), value.cast(kind)));
        Ok((place, kind))
    }

    /// `({ … })`: the statements, and the value of the last one if it is an expression.
    fn statement_expression(
        &mut self,
        statement: &Node<ast::Statement>,
        steps: &mut Vec<Step>,
    ) -> Result<Option<Expr>> {
        let ast::Statement::Compound(items) = &statement.node else {
            return Err(self.unsupported(statement.span, "this statement expression", ""));
        };
        if let Some(condition) = asserted(items) {
            steps.push(Step::Assert(self.condition(condition)?));
            return Ok(None);
        }
        let (value, body) = self.in_scope(|this| {
            let mut last_expression = None;
            let mut items: &[Node<ast::BlockItem>] = items;
            if let Some((last, first)) = items.split_last()
                && let ast::BlockItem::Statement(inner) = &last.node
                && let ast::Statement::Expression(Some(expression)) = &inner.node
            {
                last_expression = Some(expression);
                items = first;
            }
            let mut body = this.block_items(items)?;
            let Some(expression) = last_expression else {
                return Ok((None, body));
            };
            let mut last = Vec::new();
            let is_void = matches!(this.form(expression), Some(CType::Void));
            let value = if is_void {
                this.effect(expression, &mut last)?;
                None
            } else {
                let value = this.integer(expression, &mut last)?;
                Some(this.capture(value, &mut last))
            };
            body.push(Statement { kind: StatementKind::Evaluate(last), span: this.span(expression.span) });
            Ok((value, body))
        })?;
        steps.push(Step::Nested(body));
        Ok(value)
    }

    /// The type of an expression, for `sizeof`: it is not evaluated.
    fn type_of(&mut self, node: &Node<Expression>) -> Result<CType> {
        if let Expression::StringLiteral(parts) = &node.node {
            let bytes = self.string_bytes(&parts.node, node.span)?;
            let length = bytes.len() as u64 + 1;
            return Ok(CType::Array(Box::new(CType::Int(IntKind::Char)), Some(length)));
        }
        if self.is_pointer(node) {
            return Ok(self.form(node).expect("a pointer has a form"));
        }
        let mut unevaluated = Vec::new();
        Ok(CType::Int(self.pure(node, &mut unevaluated)?.ty))
    }

    fn size_constant(&mut self, ty: &CType, node: &Node<Expression>) -> Result<Expr> {
        match ty.size() {
            Some(size) => Ok(Expr::constant(i128::from(size), IntKind::ULong)),
            None => Err(self.unsupported(node.span, format!("the size of {ty}"), "")),
        }
    }
}

/// The condition, if the block is what `assert` of the C library expands to:
/// `{ if (condition) ; else __assert_fail(…); }`.
fn asserted(items: &[Node<ast::BlockItem>]) -> Option<&Node<Expression>> {
    let [item] = items else { return None };
    let ast::BlockItem::Statement(statement) = &item.node else {
        return None;
    };
    let ast::Statement::If(decision) = &statement.node else {
        return None;
    };
    let ast::Statement::Expression(None) = decision.node.then_statement.node else {
        return None;
    };
    let ast::Statement::Expression(Some(failure)) = &decision.node.else_statement.as_ref()?.node else {
        return None;
    };
    let Expression::Call(call) = &failure.node else {
        return None;
    };
    match &call.node.callee.node {
        Expression::Identifier(name) if name.node.name == "__assert_fail" => Some(&decision.node.condition),
        _ => None,
    }
}

/// `-e`, folded where it is a constant, so that `-1` is a constant.
fn negate(operand: Expr) -> Expr {
    let negated = Expr::unary(UnaryOp::Negate, operand);
    match fold(&negated) {
        Some(value) => Expr::constant(value, negated.ty),
        None => negated,
    }
}

/// `!c`, by turning a comparison around where it is one.
pub(super) fn negated(condition: Expr) -> Expr {
    use crate::program::ExprKind;
    let kind = match condition.kind {
        ExprKind::Compare(op, a, b) => ExprKind::Compare(op.negated(), a, b),
        ExprKind::Not(inner) => return *inner,
        kind => ExprKind::Not(Box::new(Expr { kind, ty: condition.ty })),
    };
    Expr { kind, ty: IntKind::Int }
}

/// `place = place ± 1`
fn advance(place: Place, kind: IntKind, op: BinaryOp) -> Step {
    let one = Expr::constant(1, IntKind::Int);
    let next = Expr::binary(op, Expr::load(place.clone(), kind), one).cast(kind);
    Step::Assign(place, next)
}

/// Whether running `steps` may change the value of `expr`, or is too complicated to tell.
pub(super) fn disturbs(steps: &[Step], expr: &Expr) -> bool {
    let mut read: Vec<VarId> = Vec::new();
    expr.for_each_variable(&mut |variable| read.push(variable));
    !read.is_empty() && steps.iter().any(|step| step_disturbs(step, &read))
}

fn step_disturbs(step: &Step, read: &[VarId]) -> bool {
    match step {
        Step::Assign(place, _) => read.contains(&place.base()),
        Step::Havoc(variable) => read.contains(variable),
        Step::Branch(_, a, b) => a.iter().chain(b).any(|step| step_disturbs(step, read)),
        Step::Assume(_) | Step::Assert(_) | Step::Call { .. } | Step::Nested(_) => true,
        Step::Fail | Step::Exit => false,
    }
}

fn increment(operator: &ast::UnaryOperator) -> Option<BinaryOp> {
    match operator {
        ast::UnaryOperator::PreIncrement | ast::UnaryOperator::PostIncrement => Some(BinaryOp::Add),
        ast::UnaryOperator::PreDecrement | ast::UnaryOperator::PostDecrement => Some(BinaryOp::Subtract),
        _ => None,
    }
}

fn is_assignment(operator: &ast::BinaryOperator) -> bool {
    *operator == ast::BinaryOperator::Assign || compound(operator).is_some()
}

/// `a op b` for arithmetic and comparison.
fn combine(operator: &ast::BinaryOperator, a: Expr, b: Expr) -> Option<Expr> {
    if let Some(op) = comparison(operator) {
        return Some(Expr::compare(op, a, b));
    }
    arithmetic(operator).map(|op| Expr::binary(op, a, b))
}

fn arithmetic(operator: &ast::BinaryOperator) -> Option<BinaryOp> {
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

fn comparison(operator: &ast::BinaryOperator) -> Option<CompareOp> {
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
fn compound(operator: &ast::BinaryOperator) -> Option<BinaryOp> {
    use ast::BinaryOperator as Op;
    Some(match operator {
        Op::AssignMultiply => BinaryOp::Multiply,
        Op::AssignDivide => BinaryOp::Divide,
        Op::AssignModulo => BinaryOp::Remainder,
        Op::AssignPlus => BinaryOp::Add,
        Op::AssignMinus => BinaryOp::Subtract,
        Op::AssignShiftLeft => BinaryOp::ShiftLeft,
        Op::AssignShiftRight => BinaryOp::ShiftRight,
        Op::AssignBitwiseAnd => BinaryOp::And,
        Op::AssignBitwiseXor => BinaryOp::Xor,
        Op::AssignBitwiseOr => BinaryOp::Or,
        _ => return None,
    })
}
