//! Expressions: each becomes steps (its side effects, in order) and a value without side effects.

use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as RawSpan};

use super::Lowering;
use super::operators::{arithmetic, comparison, compound, increment, is_assignment, negate, negated};
use crate::error::Result;
use crate::program::{
    BinaryOp, Condition, Expr, ExprKind, IntKind, Length, Place, Projection, Property, Role, Source, Statement,
    StatementKind, Step, Type, UnaryOp, VarId, Variable, common_type, fold, size_of,
};

/// What an expression is.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    /// An object.
    Place(Place),
    /// A scalar.
    Value(Expr),
    /// Nothing.
    Void,
}

impl Lowering<'_> {
    /// What an expression is; its side effects are appended to `steps`.
    pub(super) fn operand(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<Operand> {
        match &node.node {
            Expression::Constant(constant) => self.literal(&constant.node, constant.span).map(Operand::Value),
            Expression::Identifier(identifier) => self.named(&identifier.node.name, node.span),
            Expression::StringLiteral(parts) => {
                let bytes = self.string_bytes(&parts.node, node.span)?;
                Ok(Operand::Place(self.string_object(bytes)))
            }
            Expression::Member(member) => self.member_access(node, &member.node, steps).map(Operand::Place),
            Expression::UnaryOperator(operation) => self.unary(node, &operation.node, steps),
            Expression::BinaryOperator(operation) => self.binary(node, &operation.node, steps),
            Expression::Cast(cast) => self.cast(node, &cast.node, steps),
            Expression::Conditional(conditional) => self.conditional(node, &conditional.node, steps),
            Expression::Comma(parts) => {
                let (last, first) = parts.split_last().expect("a comma has operands");
                for part in first {
                    self.effect(part, steps)?;
                }
                self.operand(last, steps)
            }
            Expression::Call(call) => self.call(node, &call.node, steps),
            Expression::CompoundLiteral(literal) => self.compound_literal(&literal.node, steps).map(Operand::Place),
            Expression::SizeOfTy(size) => {
                // The length of a VLA is computed for its size.
                let (ty, lengths) = self.with_lengths(|this| this.type_name(&size.node.0))?;
                steps.extend(lengths.into_iter().flat_map(|(_, computed)| computed));
                self.size_value(&ty, node.span).map(Operand::Value)
            }
            Expression::SizeOfVal(size) => {
                let ty = self.type_of(&size.node.0)?;
                self.size_value(&ty, node.span).map(Operand::Value)
            }
            Expression::AlignOf(align) => {
                let ty = self.type_name(&align.node.0)?;
                match size_of(&self.records, &ty) {
                    Some((_, align)) => Ok(Operand::Value(Expr::constant(i128::from(align), IntKind::ULong))),
                    None => Err(self.unsupported(node.span, format!("the alignment of {}", self.words(&ty)), "")),
                }
            }
            Expression::OffsetOf(offset) => self.offset_of(&offset.node, node.span, steps).map(Operand::Value),
            Expression::GenericSelection(selection) => {
                let chosen = self.selected(&selection.node, node.span)?;
                self.operand(chosen, steps)
            }
            Expression::Statement(statement) => self.statement_expression(statement, steps),
            Expression::VaArg(argument) => {
                let ty = self.type_name(&argument.node.type_name)?;
                self.require_handled(&ty, node.span)?;
                self.assume("the arguments of a variable list may be anything");
                let place = self.temporary_place(&ty);
                steps.push(Step::Havoc(place.clone(), Source::VariableArgument));
                Ok(Operand::Place(place))
            }
        }
    }

    /// The value of a scalar expression; arrays and functions become pointers.
    pub(super) fn value(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<Expr> {
        let operand = self.operand(node, steps)?;
        self.operand_value(operand, node.span, steps)
    }

    pub(super) fn operand_value(&mut self, operand: Operand, span: RawSpan, steps: &mut Vec<Step>) -> Result<Expr> {
        match operand {
            Operand::Value(value) => Ok(value),
            Operand::Void => Err(self.invalid(span, "this has no value", "")),
            Operand::Place(place) => self.loaded(place, span, steps),
        }
    }

    /// The value in a place: an array is a pointer to its first element; each read of what is volatile gives any value.
    pub(super) fn loaded(&mut self, place: Place, span: RawSpan, steps: &mut Vec<Step>) -> Result<Expr> {
        match place.ty.plain() {
            Type::Array(..) => return Ok(self.decayed(place)),
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {}
            Type::Record(_) => {
                let words = self.words(&place.ty);
                return Err(self.invalid(span, format!("{words} is used as a number"), ""));
            }
            Type::Void => return Err(self.invalid(span, "this has no value", "")),
            _ => return Err(self.unsupported(span, self.words(&place.ty), "")),
        }
        if place.ty.qualifiers().is_volatile {
            let temporary = self.temporary_place(&place.ty);
            steps.push(Step::Havoc(temporary.clone(), Source::Volatile));
            return Ok(Expr::load(temporary));
        }
        let bits = self.bit_field(&place);
        let value = Expr::load(place);
        match (bits, value.ty.int_kind()) {
            // A bit-field narrower than an int is promoted to int.
            (Some((_, width)), Some(kind)) if width < 32 || kind.is_signed() && width == 32 => {
                Ok(value.cast(IntKind::Int))
            }
            _ => Ok(value),
        }
    }

    /// The value of an integer expression.
    pub(super) fn integer(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<Expr> {
        let value = self.value(node, steps)?;
        match value.ty {
            Type::Int(_) => Ok(value),
            _ => Err(self.invalid(node.span, "an integer is needed here", "")),
        }
    }

    /// The value of an expression that is assigned to something of type `ty`.
    pub(super) fn assigned(&mut self, node: &Node<Expression>, ty: &Type, steps: &mut Vec<Step>) -> Result<Expr> {
        let outer = self.allocated.take();
        self.allocated = ty.pointee().cloned();
        let value = self.value(node, steps);
        self.allocated = outer;
        self.converted(value?, ty, node.span, steps)
    }

    /// Conversion to a scalar type, as by assignment or a cast.
    pub(super) fn converted(&mut self, value: Expr, ty: &Type, span: RawSpan, steps: &mut Vec<Step>) -> Result<Expr> {
        match (value.ty.plain(), ty.plain()) {
            (Type::Int(_) | Type::Float(_), Type::Int(_) | Type::Float(_)) => Ok(value.convert(ty)),
            (Type::Pointer(_), Type::Int(IntKind::Bool)) => Ok(value.as_condition().convert(ty)),
            (Type::Pointer(_), Type::Int(_)) => {
                if value.is_zero() {
                    return Ok(Expr::constant(0, ty.int_kind().expect("it is one")));
                }
                self.assume("addresses, seen as numbers, may be anything");
                let temporary = self.temporary_place(ty);
                steps.push(Step::Forget(temporary.clone()));
                self.addresses.insert(temporary.as_variable().expect("it is one"), value);
                Ok(Expr::load(temporary))
            }
            (Type::Int(_), Type::Pointer(_)) => {
                if let Some(number) = fold(&value) {
                    return Ok(Expr { kind: ExprKind::Constant(number), ty: ty.plain().clone() });
                }
                if let ExprKind::Load(place) = &without_casts(&value).kind
                    && let Some(variable) = place.as_variable()
                    && let Some(address) = self.addresses.get(&variable)
                {
                    return Ok(address.clone().convert(ty));
                }
                self.assume("a pointer made from a number points to no named object");
                Ok(value.convert(ty))
            }
            (Type::Pointer(_), Type::Pointer(_)) => Ok(value.convert(ty)),
            (from, to) => {
                let message = format!("{} cannot be converted to {}", self.words(from), self.words(to));
                Err(self.invalid(span, message, ""))
            }
        }
    }

    /// The expression for its side effects only.
    pub(super) fn effect(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<()> {
        match &node.node {
            Expression::UnaryOperator(operation) if increment(&operation.node.operator.node).is_some() => {
                let place = self.place(&operation.node.operand, steps)?;
                self.advance(place, &operation.node.operator.node, node.span, steps)
            }
            Expression::Conditional(conditional) => {
                let conditional = &conditional.node;
                let condition = self.condition(&conditional.condition)?;
                let (mut then, mut otherwise) = (Vec::new(), Vec::new());
                self.effect(&conditional.then_expression, &mut then)?;
                self.effect(&conditional.else_expression, &mut otherwise)?;
                steps.push(Step::Branch(condition, then, otherwise));
                Ok(())
            }
            Expression::BinaryOperator(operation)
                if matches!(
                    operation.node.operator.node,
                    ast::BinaryOperator::LogicalAnd | ast::BinaryOperator::LogicalOr
                ) =>
            {
                // `c && f();` is an if.
                let condition = self.condition(&operation.node.lhs)?;
                let mut second = Vec::new();
                self.effect(&operation.node.rhs, &mut second)?;
                let (then, otherwise) = match operation.node.operator.node {
                    ast::BinaryOperator::LogicalAnd => (second, Vec::new()),
                    _ => (Vec::new(), second),
                };
                steps.push(Step::Branch(condition, then, otherwise));
                Ok(())
            }
            Expression::Cast(cast) if self.type_name(&cast.node.type_name)? == Type::Void => {
                self.effect(&cast.node.expression, steps)
            }
            _ => {
                let is_assignment = matches!(&node.node, Expression::BinaryOperator(operation)
                    if is_assignment(&operation.node.operator.node));
                if let Operand::Value(value) = self.operand(node, steps)?
                    && !is_assignment
                    && !value.is_constant()
                    && !matches!(value.kind, ExprKind::Load(_) | ExprKind::Address(_))
                {
                    // The evaluation itself may be undefined (`1 / x;`), so it stays.
                    let place = self.temporary_place(&value.ty);
                    steps.push(Step::Assign(place, value));
                }
                Ok(())
            }
        }
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

    /// Like [`Self::value`], but `&&`, `||`, `!` and `?:` stay expressions where their operands have no side
    /// effects: for constants and for predicates.
    pub(super) fn pure(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<Expr> {
        let logical = |kind: ExprKind| Expr { kind, ty: Type::INT };
        match &node.node {
            Expression::BinaryOperator(operation) => {
                let operation = &operation.node;
                match &operation.operator.node {
                    ast::BinaryOperator::LogicalAnd | ast::BinaryOperator::LogicalOr => {
                        let a = Box::new(self.pure(&operation.lhs, steps)?.as_condition());
                        let b = Box::new(self.pure(&operation.rhs, steps)?.as_condition());
                        let is_and = operation.operator.node == ast::BinaryOperator::LogicalAnd;
                        Ok(logical(if is_and { ExprKind::And(a, b) } else { ExprKind::Or(a, b) }))
                    }
                    operator if arithmetic(operator).is_some() || comparison(operator).is_some() => {
                        let a = self.pure(&operation.lhs, steps)?;
                        let b = self.pure(&operation.rhs, steps)?;
                        self.combined(operator, a, b, node.span, steps)
                    }
                    _ => self.value(node, steps),
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
                    _ => self.value(node, steps),
                }
            }
            Expression::Conditional(conditional) => {
                let conditional = &conditional.node;
                let c = self.pure(&conditional.condition, steps)?.as_condition();
                let b = self.pure(&conditional.else_expression, steps)?;
                let a = match is_same_marker(&conditional.then_expression) {
                    true => self.pure(&conditional.condition, steps)?,
                    false => self.pure(&conditional.then_expression, steps)?,
                };
                let ty = self.joined_type(&a, &b);
                let a = self.converted(a, &ty, node.span, steps)?;
                let b = self.converted(b, &ty, node.span, steps)?;
                Ok(Expr { kind: ExprKind::Conditional(Box::new(c), Box::new(a), Box::new(b)), ty })
            }
            // The properties that pct knows beside the operators of C.
            Expression::Call(call) if self.property(&call.node).is_some() => {
                let property = self.property(&call.node).expect("it was looked for");
                let operands = call.node.arguments.iter().map(|argument| self.pure(argument, steps));
                let operands = operands.collect::<Result<Vec<Expr>>>()?;
                Ok(logical(ExprKind::Holds(property, operands)))
            }
            Expression::Cast(cast) => {
                let ty = self.type_name(&cast.node.type_name)?;
                if !ty.is_scalar() {
                    return self.value(node, steps);
                }
                let value = self.pure(&cast.node.expression, steps)?;
                self.converted(value, &ty, node.span, steps)
            }
            _ => self.value(node, steps),
        }
    }

    /// The property that a call means: `fits(a + b)`, `inside(p)`, `same_object(p, q)`, if no function has that name.
    fn property(&self, call: &ast::CallExpression) -> Option<Property> {
        let Expression::Identifier(name) = &call.callee.node else {
            return None;
        };
        let name = name.node.name.as_str();
        let known = [(Property::Fits, 1), (Property::Inside, 1), (Property::SameObject, 2)];
        let (property, _) = known
            .into_iter()
            .find(|(property, operands)| property.name() == name && call.arguments.len() == *operands)?;
        self.lookup(name).is_none().then_some(property)
    }

    fn unary(
        &mut self,
        node: &Node<Expression>,
        operation: &ast::UnaryOperatorExpression,
        steps: &mut Vec<Step>,
    ) -> Result<Operand> {
        use ast::UnaryOperator as Op;
        let operand = &operation.operand;
        let value = match &operation.operator.node {
            Op::Plus => self.arithmetic_value(operand, steps)?.promoted(),
            Op::Minus => negate(self.arithmetic_value(operand, steps)?),
            Op::Complement => Expr::unary(UnaryOp::Complement, self.integer(operand, steps)?),
            Op::Negate => self.truth_value(node, steps)?,
            Op::Indirection => {
                let pointer = self.value(operand, steps)?;
                if let Some(Type::Function(_)) = pointer.ty.pointee().map(Type::plain) {
                    // A function is the pointer to it.
                    return Ok(Operand::Value(pointer));
                }
                return self.dereferenced(pointer, node.span).map(Operand::Place);
            }
            Op::Address => match self.operand(operand, steps)? {
                Operand::Place(place) => self.address(place, node.span)?,
                Operand::Value(function) if matches!(function.kind, ExprKind::Function(_)) => function,
                _ => return Err(self.invalid(node.span, "this has no address", "")),
            },
            Op::PreIncrement | Op::PreDecrement => {
                let place = self.place(operand, steps)?;
                self.advance(place.clone(), &operation.operator.node, node.span, steps)?;
                return Ok(Operand::Place(place));
            }
            Op::PostIncrement | Op::PostDecrement => {
                let place = self.place(operand, steps)?;
                let before = self.loaded(place.clone(), node.span, steps)?;
                let before = self.capture(before, steps);
                self.advance(place, &operation.operator.node, node.span, steps)?;
                before
            }
        };
        Ok(Operand::Value(value))
    }

    /// `place = place ± 1`
    fn advance(
        &mut self,
        place: Place,
        operator: &ast::UnaryOperator,
        span: RawSpan,
        steps: &mut Vec<Step>,
    ) -> Result<()> {
        let op = increment(operator).expect("the caller looked");
        let before = self.loaded(place.clone(), span, steps)?;
        let one = Expr::constant(1, IntKind::Int);
        let next = if before.ty.pointee().is_some() {
            self.moved(before, one, if op == BinaryOp::Add { 1 } else { -1 }, span)?
        } else {
            Expr::binary(op, before, one).convert(&place.ty)
        };
        steps.push(Step::Assign(place, next));
        Ok(())
    }

    fn arithmetic_value(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<Expr> {
        let value = self.value(node, steps)?;
        match value.ty.is_arithmetic() {
            true => Ok(value),
            false => Err(self.invalid(node.span, "a number is needed here", "")),
        }
    }

    fn binary(
        &mut self,
        node: &Node<Expression>,
        operation: &ast::BinaryOperatorExpression,
        steps: &mut Vec<Step>,
    ) -> Result<Operand> {
        let operator = &operation.operator.node;
        if is_assignment(operator) {
            return self.assign(operation, node.span, steps).map(Operand::Place);
        }
        match operator {
            ast::BinaryOperator::Index => return self.indexed(operation, steps, node.span).map(Operand::Place),
            ast::BinaryOperator::LogicalAnd | ast::BinaryOperator::LogicalOr => {
                return self.truth_value(node, steps).map(Operand::Value);
            }
            _ => {}
        }
        let mut a = self.value(&operation.lhs, steps)?;
        let mut later = Vec::new();
        let b = self.value(&operation.rhs, &mut later)?;
        if disturbs(&later, &a, &self.variables) {
            a = self.capture(a, steps);
        }
        steps.append(&mut later);
        self.combined(operator, a, b, node.span, steps).map(Operand::Value)
    }

    fn cast(&mut self, node: &Node<Expression>, cast: &ast::CastExpression, steps: &mut Vec<Step>) -> Result<Operand> {
        let ty = self.type_name(&cast.type_name)?;
        match ty.plain() {
            Type::Void => {
                self.effect(&cast.expression, steps)?;
                Ok(Operand::Void)
            }
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {
                self.assigned(&cast.expression, &ty, steps).map(Operand::Value)
            }
            // GNU C: a struct to its own type; and to a union, of one of its members.
            Type::Record(_) => self.aggregate(&cast.expression, steps).map(Operand::Place),
            other => Err(self.unsupported(node.span, format!("a cast to {}", self.words(other)), "")),
        }
    }

    /// `c ? a : b` as a branch that stores its value in a temporary.
    fn conditional(
        &mut self,
        node: &Node<Expression>,
        conditional: &ast::ConditionalExpression,
        steps: &mut Vec<Step>,
    ) -> Result<Operand> {
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        let (condition, a) = if is_same_marker(&conditional.then_expression) {
            // `a ?: b`: `a` is evaluated once.
            let value = self.value(&conditional.condition, steps)?;
            let value = self.capture(value, steps);
            (self.value_condition(value.clone(), node.span), Operand::Value(value))
        } else {
            let condition = self.condition(&conditional.condition)?;
            (condition, self.operand(&conditional.then_expression, &mut then)?)
        };
        let b = self.operand(&conditional.else_expression, &mut otherwise)?;
        let result = match (a, b) {
            (Operand::Void, _) | (_, Operand::Void) => Operand::Void,
            (Operand::Place(a), Operand::Place(b)) if matches!(a.ty.plain(), Type::Record(_)) => {
                let place = self.temporary_place(&a.ty);
                then.push(Step::Copy(place.clone(), a));
                otherwise.push(Step::Copy(place.clone(), b));
                Operand::Place(place)
            }
            (a, b) => {
                let a = self.operand_value(a, conditional.then_expression.span, &mut then)?;
                let b = self.operand_value(b, conditional.else_expression.span, &mut otherwise)?;
                let ty = self.joined_type(&a, &b);
                let place = self.temporary_place(&ty);
                let a = self.converted(a, &ty, node.span, &mut then)?;
                let b = self.converted(b, &ty, node.span, &mut otherwise)?;
                then.push(Step::Assign(place.clone(), a));
                otherwise.push(Step::Assign(place.clone(), b));
                Operand::Value(Expr::load(place))
            }
        };
        steps.push(Step::Branch(condition, then, otherwise));
        Ok(result)
    }

    /// The type of `c ? a : b`.
    fn joined_type(&self, a: &Expr, b: &Expr) -> Type {
        match (&a.ty, &b.ty) {
            (Type::Pointer(target), Type::Pointer(_)) => {
                // The null pointer and `void *` give way to the other type.
                if a.is_zero() || *target.plain() == Type::Void { b.ty.clone() } else { a.ty.clone() }
            }
            (Type::Pointer(_), _) => a.ty.clone(),
            (_, Type::Pointer(_)) => b.ty.clone(),
            (x, y) => common_type(x, y),
        }
    }

    /// `a && b`, `a || b`, `!a` as a value: 1 or 0, by control flow.
    fn truth_value(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<Expr> {
        let condition = self.condition(node)?;
        // `!x` and `!!x` without side effects need no branch.
        if let Some(value) = straight_truth(&condition) {
            return Ok(value);
        }
        let place = self.temporary_place(&Type::INT);
        let set = |value| vec![Step::Assign(place.clone(), Expr::constant(value, IntKind::Int))];
        steps.push(Step::Branch(condition, set(1), set(0)));
        Ok(Expr::load(place))
    }

    /// `place = value` and `place op= value`; gives back the place.
    fn assign(
        &mut self,
        operation: &ast::BinaryOperatorExpression,
        span: RawSpan,
        steps: &mut Vec<Step>,
    ) -> Result<Place> {
        let place = self.place(&operation.lhs, steps)?;
        let mut later = Vec::new();
        if let Type::Record(_) = place.ty.plain() {
            let from = self.aggregate(&operation.rhs, &mut later)?;
            let place = self.settled(place, &later, steps);
            steps.append(&mut later);
            steps.push(Step::Copy(place.clone(), from));
            return Ok(place);
        }
        if !place.ty.is_scalar() {
            let words = self.words(&place.ty);
            return Err(self.invalid(span, format!("{words} cannot be assigned"), ""));
        }
        let operator = compound(&operation.operator.node);
        let value = match operator {
            None => self.assigned(&operation.rhs, &place.ty, &mut later)?,
            Some(_) => self.value(&operation.rhs, &mut later)?,
        };
        let place = self.settled(place, &later, steps);
        let value = match operator {
            None => value,
            Some(operator) => {
                let mut before = self.loaded(place.clone(), span, steps)?;
                if disturbs(&later, &before, &self.variables) {
                    before = self.capture(before, steps);
                }
                let value = self.combined(&operator, before, value, span, &mut later)?;
                self.converted(value, &place.ty, span, &mut later)?
            }
        };
        steps.append(&mut later);
        steps.push(Step::Assign(place.clone(), value));
        Ok(place)
    }

    fn compound_literal(&mut self, literal: &ast::CompoundLiteral, steps: &mut Vec<Step>) -> Result<Place> {
        let ty = self.type_name(&literal.type_name)?;
        let list = Node::new(ast::Initializer::List(literal.initializer_list.clone()), literal.type_name.span);
        let (ty, _) = self.completed(ty, Some(&list))?;
        self.require_handled(&ty, literal.type_name.span)?;
        let variable = self.temporary(ty);
        let place = self.whole(variable);
        self.initialize(&place, &list, steps)?;
        Ok(place)
    }

    /// `({ … })`: the statements, and the value of the last one if it is an expression.
    fn statement_expression(&mut self, statement: &Node<ast::Statement>, steps: &mut Vec<Step>) -> Result<Operand> {
        let ast::Statement::Compound(items) = &statement.node else {
            return Err(self.unsupported(statement.span, "this statement expression", ""));
        };
        if let Some(condition) = asserted(items) {
            steps.push(Step::Assert(self.condition(condition)?));
            return Ok(Operand::Void);
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
                return Ok((Operand::Void, body));
            };
            let mut last = Vec::new();
            let value = match this.operand(expression, &mut last)? {
                Operand::Void => Operand::Void,
                Operand::Place(place) if matches!(place.ty.plain(), Type::Record(_)) => {
                    let copy = this.temporary_place(&place.ty);
                    last.push(Step::Copy(copy.clone(), place));
                    Operand::Place(copy)
                }
                scalar => {
                    let value = this.operand_value(scalar, expression.span, &mut last)?;
                    Operand::Value(this.capture(value, &mut last))
                }
            };
            body.push(Statement { kind: StatementKind::Evaluate(last), span: this.span(expression.span) });
            Ok((value, body))
        })?;
        steps.push(Step::Nested(body));
        Ok(value)
    }

    /// The type of an expression, for `sizeof` and `typeof`: it is not evaluated.
    pub(super) fn type_of(&mut self, node: &Node<Expression>) -> Result<Type> {
        // lang-c takes the inner one of `typeof(typeof(x))` for a call.
        if let Expression::Call(call) = &node.node
            && let Expression::Identifier(name) = &call.node.callee.node
            && matches!(name.node.name.as_str(), "typeof" | "__typeof" | "__typeof__")
            && let [inner] = call.node.arguments.as_slice()
        {
            return self.type_of(inner);
        }
        let mut unevaluated = Vec::new();
        Ok(match self.operand(node, &mut unevaluated)? {
            Operand::Place(place) => place.ty,
            Operand::Value(value) => value.ty,
            Operand::Void => Type::Void,
        })
    }

    /// `sizeof`, for a VLA by the value of its length.
    pub(super) fn size_value(&mut self, ty: &Type, span: RawSpan) -> Result<Expr> {
        if let Some((size, _)) = size_of(&self.records, ty) {
            return Ok(Expr::constant(i128::from(size), IntKind::ULong));
        }
        if let Type::Array(element, Length::Variable(length)) = ty.plain() {
            let size = self.size_value(element, span)?;
            let length = Expr::variable(*length, &Type::LONG).cast(IntKind::ULong);
            return Ok(Expr::binary(BinaryOp::Multiply, length, size));
        }
        Err(self.unsupported(span, format!("the size of {}", self.words(ty)), ""))
    }

    /// `offsetof(type, member.member[index])`
    fn offset_of(&mut self, offset: &ast::OffsetOfExpression, span: RawSpan, steps: &mut Vec<Step>) -> Result<Expr> {
        let mut ty = self.type_name(&offset.type_name)?;
        let mut bytes = Expr::constant(0, IntKind::ULong);
        let mut add = |more: Expr| {
            let sum = Expr::binary(BinaryOp::Add, bytes.clone(), more);
            bytes = fold(&sum).map_or(sum, |constant| Expr::constant(constant, IntKind::ULong));
        };
        let designator = &offset.designator.node;
        let first = ast::OffsetMember::Member(designator.base.clone());
        let members = std::iter::once(&first).chain(designator.members.iter().map(|member| &member.node));
        for member in members {
            match member {
                ast::OffsetMember::Member(name) | ast::OffsetMember::IndirectMember(name) => {
                    let Some((step, inner)) = self.offset_of_member(&ty, &name.node.name) else {
                        let message = format!("{} has no member `{}`", self.words(&ty), name.node.name);
                        return Err(self.invalid(span, message, ""));
                    };
                    add(Expr::constant(i128::from(step), IntKind::ULong));
                    ty = inner;
                }
                ast::OffsetMember::Index(index) => {
                    let index = self.integer(index, steps)?.cast(IntKind::ULong);
                    let Type::Array(element, _) = ty.plain().clone() else {
                        return Err(self.invalid(span, "only arrays have indices", ""));
                    };
                    ty = (*element).clone();
                    let size = self.size_value(&ty, span)?;
                    add(Expr::binary(BinaryOp::Multiply, index, size));
                }
            }
        }
        Ok(bytes)
    }

    fn offset_of_member(&self, ty: &Type, name: &str) -> Option<(u64, Type)> {
        let Type::Record(id) = ty.plain() else {
            return None;
        };
        let (path, field) = self.member(*id, name)?;
        let (mut record, mut bytes) = (*id, 0);
        for step in path {
            let Projection::Field(index) = step else { continue };
            let inner = &self.records[record.index()].fields.as_ref()?[index as usize];
            bytes += inner.offset;
            if let Type::Record(next) = inner.ty.plain() {
                record = *next;
            }
        }
        Some((bytes, field.ty))
    }

    /// The expression that `_Generic` selects.
    fn selected<'n>(&mut self, selection: &'n ast::GenericSelection, span: RawSpan) -> Result<&'n Node<Expression>> {
        let ty = self.type_of(&selection.expression)?;
        let ty = match ty.plain() {
            Type::Array(element, _) => (**element).clone().pointer(),
            plain => plain.clone(),
        };
        let mut default = None;
        for association in &selection.associations {
            match &association.node {
                ast::GenericAssociation::Type(association) => {
                    let candidate = self.type_name(&association.node.type_name)?;
                    if *candidate.plain() == ty {
                        return Ok(&association.node.expression);
                    }
                }
                ast::GenericAssociation::Default(expression) => default = Some(&**expression),
            }
        }
        default.ok_or_else(|| self.invalid(span, "no association of this _Generic fits", ""))
    }
}

/// What the pre-pass writes between `?` and `:` where nothing stands.
pub(super) fn is_same_marker(node: &Node<Expression>) -> bool {
    matches!(&node.node, Expression::Identifier(name) if name.node.name == "__pct_same")
}

fn without_casts(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner) => without_casts(inner),
        _ => expr,
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

/// Whether running `steps` may change the value of `expr`, or is too complicated to tell.
pub(super) fn disturbs(steps: &[Step], expr: &Expr, variables: &[Variable]) -> bool {
    let mut read = Reads::default();
    expr.for_each_place(&mut |place, _| match place.root() {
        Some(variable) => read.variables.push(variable),
        None => read.memory = true,
    });
    let changes_anything = !read.variables.is_empty() || read.memory;
    changes_anything && steps.iter().any(|step| step_disturbs(step, &read, variables))
}

/// What an expression reads.
#[derive(Default)]
struct Reads {
    variables: Vec<VarId>,
    /// Something through a pointer.
    memory: bool,
}

fn step_disturbs(step: &Step, read: &Reads, variables: &[Variable]) -> bool {
    let is_temporary = |variable: &VarId| variables[variable.index()].role == Role::Temporary;
    let writes = |place: &Place| match place.root() {
        Some(variable) => read.variables.contains(&variable) || read.memory && !is_temporary(&variable),
        None => read.memory || read.variables.iter().any(|variable| !is_temporary(variable)),
    };
    match step {
        Step::Assign(place, _)
        | Step::Copy(place, _)
        | Step::Zero(place)
        | Step::Havoc(place, _)
        | Step::Forget(place) => writes(place),
        Step::Branch(_, a, b) | Step::Choose(_, a, b) => {
            a.iter().chain(b).any(|step| step_disturbs(step, read, variables))
        }
        Step::Assume(_)
        | Step::Assert(_)
        | Step::Call { .. }
        | Step::Nested(_)
        | Step::HavocObject(_)
        | Step::ForgetObject(_) => true,
        Step::Fail | Step::Exit => false,
    }
}

/// The truth of a condition as a value, if it is one atom without side effects, negated any number of times.
fn straight_truth(condition: &Condition) -> Option<Expr> {
    match condition {
        Condition::Atom(atom) => atom.steps.is_empty().then(|| atom.value.clone()),
        Condition::Not(inner) => straight_truth(inner).map(negated),
        _ => None,
    }
}
