//! Lvalues and addresses.
//!
//! A pointer is an object and a position in it. In this version the object is known statically: a pointer is a
//! parameter that is never assigned, an array, or the address of something; so no points-to analysis is needed.

use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as RawSpan};

use super::types::CType;
use super::{Lowering, Name};
use crate::error::Result;
use crate::program::{Argument, Expr, ExprKind, Index, IntKind, Place, Step, VarId};

/// An address: an object, and a position in it counted in scalars.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    pub(super) object: VarId,
    /// Whether the object is an array; else it is one scalar, and the only position is 0.
    pub(super) is_array: bool,
    pub(super) index: Vec<Index>,
    /// The type of what it points to.
    pub(super) target: CType,
}

/// What an expression designates.
#[derive(Clone, Debug)]
pub(super) enum Designated {
    /// A scalar.
    Scalar(Place, IntKind),
    /// An array (or part of one); as a value it is the pointer to its first element.
    Array(Pointer, CType),
}

impl Pointer {
    /// The pointer moved by `count` elements.
    pub(super) fn moved(mut self, count: Expr, sign: i64) -> Option<Pointer> {
        let scale = self.target.scalars()? * sign;
        // The only position of a scalar is 0; in an array also the zeros are kept, one index for each dimension.
        if self.is_array || count.kind != ExprKind::Constant(0) {
            self.index.push(Index { value: count, scale });
        }
        Some(self)
    }

    /// The address as an argument of a call.
    pub(super) fn into_argument(self) -> Argument {
        if self.is_array { Argument::Element(self.object, self.index) } else { Argument::Variable(self.object) }
    }
}

impl Lowering<'_> {
    /// What an lvalue designates.
    pub(super) fn designated(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<Designated> {
        match &node.node {
            Expression::Identifier(identifier) => self.designated_name(&identifier.node.name, node.span),
            Expression::BinaryOperator(operation) if operation.node.operator.node == ast::BinaryOperator::Index => {
                let pointer = self.indexed(&operation.node, steps, node.span)?;
                self.pointee(pointer, node.span)
            }
            Expression::UnaryOperator(operation) if operation.node.operator.node == ast::UnaryOperator::Indirection => {
                let pointer = self.pointer(&operation.node.operand, steps)?;
                self.pointee(pointer, node.span)
            }
            Expression::Member(_) => Err(self.unsupported(
                node.span,
                "members of structs and unions",
                "only integers and arrays of integers are handled",
            )),
            Expression::CompoundLiteral(_) => {
                Err(self.unsupported(node.span, "compound literals", "declare a variable instead"))
            }
            _ => Err(self.invalid(node.span, "this is not something that can be assigned", "")),
        }
    }

    /// The scalar that an lvalue designates.
    pub(super) fn place(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<(Place, IntKind)> {
        match self.designated(node, steps)? {
            Designated::Scalar(place, kind) => Ok((place, kind)),
            Designated::Array(..) => Err(self.unsupported(
                node.span,
                "assignment to an array or a pointer",
                "pointer parameters can be indexed and dereferenced, but not changed",
            )),
        }
    }

    fn designated_name(&mut self, name: &str, span: RawSpan) -> Result<Designated> {
        match self.lookup(name) {
            Some(Name::Variable(variable, ty)) => {
                let (variable, ty) = (*variable, ty.clone());
                match &ty {
                    CType::Int(kind) => Ok(Designated::Scalar(Place::Variable(variable), *kind)),
                    CType::Array(target, _) | CType::Pointer(target) => {
                        let pointer =
                            Pointer { object: variable, is_array: true, index: Vec::new(), target: (**target).clone() };
                        Ok(Designated::Array(pointer, ty))
                    }
                    other => Err(self.unsupported(
                        span,
                        format!("`{name}`, which is {other}"),
                        "only integers and arrays of integers are handled",
                    )),
                }
            }
            Some(Name::Unsupported(ty)) => {
                let message = format!("`{name}`, which is {ty}");
                Err(self.unsupported(span, message, "only integers and arrays of integers are handled"))
            }
            Some(Name::Enumerator(..)) => Err(self.invalid(span, format!("`{name}` is a constant"), "")),
            Some(Name::Typedef(_)) => Err(self.invalid(span, format!("`{name}` is a type"), "")),
            Some(Name::Function(..)) => Err(self.unsupported(
                span,
                format!("the function `{name}` as a value"),
                "call functions by their names",
            )),
            None => Err(self.invalid(
                span,
                format!("`{name}` is not declared"),
                "declare it, or include the header that does",
            )),
        }
    }

    /// `a[i]` (or `i[a]`) as an address.
    fn indexed(
        &mut self,
        operation: &ast::BinaryOperatorExpression,
        steps: &mut Vec<Step>,
        span: RawSpan,
    ) -> Result<Pointer> {
        let (pointer, index) = if self.is_pointer(&operation.lhs) {
            (&operation.lhs, &operation.rhs)
        } else {
            (&operation.rhs, &operation.lhs)
        };
        let pointer = self.pointer(pointer, steps)?;
        let index = self.integer(index, steps)?;
        self.move_pointer(pointer, index, 1, span)
    }

    fn move_pointer(&mut self, pointer: Pointer, count: Expr, sign: i64, span: RawSpan) -> Result<Pointer> {
        let is_array = pointer.is_array;
        let moved = pointer.moved(count, sign);
        let moved = moved.ok_or_else(|| self.unsupported(span, "arithmetic on a pointer to this type", ""))?;
        if !is_array && !moved.index.is_empty() {
            return Err(self.unsupported(span, "arithmetic on the address of a scalar", "use an array"));
        }
        Ok(moved)
    }

    /// The address that an expression yields.
    pub(super) fn pointer(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<Pointer> {
        match &node.node {
            Expression::UnaryOperator(operation) if operation.node.operator.node == ast::UnaryOperator::Address => {
                let designated = self.designated(&operation.node.operand, steps)?;
                Ok(match designated {
                    Designated::Scalar(Place::Variable(variable), kind) => {
                        Pointer { object: variable, is_array: false, index: Vec::new(), target: CType::Int(kind) }
                    }
                    Designated::Scalar(Place::Element(array, index), kind) => {
                        Pointer { object: array, is_array: true, index, target: CType::Int(kind) }
                    }
                    Designated::Array(pointer, ty) => Pointer { target: ty, ..pointer },
                })
            }
            Expression::BinaryOperator(operation)
                if matches!(operation.node.operator.node, ast::BinaryOperator::Plus | ast::BinaryOperator::Minus) =>
            {
                let operation = &operation.node;
                let minus = operation.operator.node == ast::BinaryOperator::Minus;
                let (pointer, count) = if minus || self.is_pointer(&operation.lhs) {
                    (&operation.lhs, &operation.rhs)
                } else {
                    (&operation.rhs, &operation.lhs)
                };
                let pointer = self.pointer(pointer, steps)?;
                let count = self.integer(count, steps)?;
                self.move_pointer(pointer, count, if minus { -1 } else { 1 }, node.span)
            }
            Expression::Cast(cast) if self.is_pointer(&cast.node.expression) => {
                let pointer = self.pointer(&cast.node.expression, steps)?;
                match self.type_name(&cast.node.type_name)? {
                    CType::Pointer(target) if *target == pointer.target => Ok(pointer),
                    other => Err(self.unsupported(node.span, format!("a cast of a pointer to {other}"), "")),
                }
            }
            Expression::StringLiteral(_) => {
                Err(self.unsupported(node.span, "a string here", "initialise an array of char with it"))
            }
            _ => match self.designated(node, steps)? {
                Designated::Array(pointer, _) => Ok(pointer),
                Designated::Scalar(..) => {
                    Err(self.invalid(node.span, "this is an integer where a pointer or an array is needed", ""))
                }
            },
        }
    }

    /// What a pointer points to.
    fn pointee(&mut self, pointer: Pointer, span: RawSpan) -> Result<Designated> {
        match pointer.target.clone() {
            CType::Int(kind) => {
                let place = if pointer.is_array {
                    Place::Element(pointer.object, pointer.index)
                } else {
                    Place::Variable(pointer.object)
                };
                Ok(Designated::Scalar(place, kind))
            }
            CType::Array(element, length) => {
                let ty = CType::Array(element.clone(), length);
                Ok(Designated::Array(Pointer { target: *element, ..pointer }, ty))
            }
            other => Err(self.unsupported(
                span,
                format!("what has the type {other}"),
                "only integers and arrays of integers are handled",
            )),
        }
    }

    /// Whether an expression is a pointer or an array, judged by its form.
    pub(super) fn is_pointer(&self, node: &Node<Expression>) -> bool {
        matches!(self.form(node), Some(CType::Array(..) | CType::Pointer(_)))
    }

    /// The type of an expression, where its form tells and it is not a plain integer.
    pub(super) fn form(&self, node: &Node<Expression>) -> Option<CType> {
        match &node.node {
            Expression::Identifier(identifier) => match self.lookup(&identifier.node.name)? {
                Name::Variable(_, ty) | Name::Unsupported(ty) => Some(ty.clone()),
                Name::Function(result, parameters) => {
                    Some(CType::Function(Box::new(result.clone()), parameters.clone()))
                }
                _ => None,
            },
            Expression::StringLiteral(_) => Some(CType::Pointer(Box::new(CType::Int(IntKind::Char)))),
            Expression::BinaryOperator(operation) => {
                let (lhs, rhs) = (&operation.node.lhs, &operation.node.rhs);
                match operation.node.operator.node {
                    ast::BinaryOperator::Index => match self.form(lhs).or_else(|| self.form(rhs))? {
                        CType::Array(element, _) | CType::Pointer(element) => Some(*element),
                        _ => None,
                    },
                    ast::BinaryOperator::Plus | ast::BinaryOperator::Minus => {
                        [lhs, rhs].into_iter().filter_map(|side| self.form(side)).find_map(|ty| match ty {
                            CType::Array(element, _) | CType::Pointer(element) => Some(CType::Pointer(element)),
                            _ => None,
                        })
                    }
                    ast::BinaryOperator::Assign => self.form(lhs),
                    _ => None,
                }
            }
            Expression::UnaryOperator(operation) => {
                let operand = &operation.node.operand;
                match operation.node.operator.node {
                    ast::UnaryOperator::Indirection => match self.form(operand)? {
                        CType::Array(element, _) | CType::Pointer(element) => Some(*element),
                        _ => None,
                    },
                    ast::UnaryOperator::Address => {
                        let target = self.form(operand).unwrap_or(CType::Int(IntKind::Int));
                        Some(CType::Pointer(Box::new(target)))
                    }
                    ast::UnaryOperator::PostIncrement
                    | ast::UnaryOperator::PostDecrement
                    | ast::UnaryOperator::PreIncrement
                    | ast::UnaryOperator::PreDecrement => self.form(operand),
                    _ => None,
                }
            }
            Expression::Cast(cast) => {
                let is_pointer = cast.node.type_name.node.declarator.is_some();
                is_pointer.then(|| CType::Pointer(Box::new(CType::Void)))
            }
            Expression::Call(call) => match &call.node.callee.node {
                Expression::Identifier(name) => match self.lookup(&name.node.name)? {
                    Name::Function(result, _) => Some(result.clone()),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }
}
