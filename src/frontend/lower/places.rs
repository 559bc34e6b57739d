//! Lvalues: what can be read, assigned, and pointed to.

use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as RawSpan};

use super::values::{Operand, disturbs};
use super::{Lowering, Name};
use crate::error::Result;
use crate::program::{Base, Expr, ExprKind, IntKind, Length, Place, Projection, Role, Span, Step, Stride, Type, VarId};

impl Lowering<'_> {
    /// The place that an lvalue designates.
    pub(super) fn place(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<Place> {
        match self.operand(node, steps)? {
            Operand::Place(place) => Ok(place),
            Operand::Value(_) | Operand::Void => {
                Err(self.invalid(node.span, "this is not something that can be assigned", ""))
            }
        }
    }

    /// A struct or union: the place that holds it.
    pub(super) fn aggregate(&mut self, node: &Node<Expression>, steps: &mut Vec<Step>) -> Result<Place> {
        let operand = self.operand(node, steps)?;
        match operand {
            Operand::Place(place) if matches!(place.ty.plain(), Type::Record(_)) => Ok(place),
            _ => Err(self.invalid(node.span, "a struct or union is needed here", "")),
        }
    }

    pub(super) fn named(&mut self, name: &str, span: RawSpan) -> Result<Operand> {
        match self.lookup(name) {
            Some(Name::Variable(variable, ty)) => {
                let (variable, ty) = (*variable, ty.clone());
                self.require_handled(&ty, span)?;
                Ok(Operand::Place(Place::variable(variable, ty)))
            }
            Some(Name::Enumerator(value, kind)) => Ok(Operand::Value(Expr::constant(*value, *kind))),
            Some(Name::Typedef(_)) => Err(self.invalid(span, format!("`{name}` is a type"), "")),
            Some(Name::Function(signature)) => {
                let ty = Type::Function(std::sync::Arc::new(signature.clone())).pointer();
                let unit = self.defining_unit(name).unwrap_or(self.unit);
                let id = self.function_id(unit, name);
                self.address_taken.insert(id);
                Ok(Operand::Value(Expr { kind: ExprKind::Function(id), ty }))
            }
            None if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") => {
                let text = self.function_name.clone().into_bytes();
                Ok(Operand::Place(self.string_object(text)))
            }
            None => Err(self.invalid(
                span,
                format!("`{name}` is not declared"),
                "declare it, or include the header that does",
            )),
        }
    }

    /// The object that a string literal is; equal literals are one.
    pub(super) fn string_object(&mut self, mut bytes: Vec<u8>) -> Place {
        bytes.push(0);
        let element = std::sync::Arc::new(Type::Int(IntKind::Char));
        let ty = Type::Array(element, Length::Fixed(bytes.len() as u64));
        if let Some(&known) = self.strings.get(&bytes) {
            return Place::variable(known, ty);
        }
        let name = format!("${}", self.variables.len());
        let variable = self.new_variable(&name, ty.clone(), Role::Literal, Span::default());
        let place = Place::variable(variable, ty);
        let mut steps = vec![Step::Zero(place.clone())];
        for (position, byte) in bytes.iter().enumerate().filter(|(_, byte)| **byte != 0) {
            let index = Expr::constant(position as i128, IntKind::Long);
            let target = Place {
                path: vec![Projection::Index(index, Stride::of(1))],
                ty: Type::Int(IntKind::Char),
                ..place.clone()
            };
            steps.push(Step::Assign(target, Expr::constant(i128::from(*byte), IntKind::Char)));
        }
        self.strings.insert(bytes, variable);
        self.globals.push(crate::program::Global {
            variable,
            initializer: Some(steps),
            is_const: true,
            is_static: true,
            is_local: false,
        });
        place
    }

    /// `a.m` and `p->m`.
    pub(super) fn member_access(
        &mut self,
        node: &Node<Expression>,
        member: &ast::MemberExpression,
        steps: &mut Vec<Step>,
    ) -> Result<Place> {
        let mut place = match member.operator.node {
            ast::MemberOperator::Direct => match self.operand(&member.expression, steps)? {
                Operand::Place(place) => place,
                _ => return Err(self.invalid(node.span, "only structs and unions have members", "")),
            },
            ast::MemberOperator::Indirect => {
                let pointer = self.value(&member.expression, steps)?;
                self.dereferenced(pointer, node.span)?
            }
        };
        let name = &member.identifier.node.name;
        let Type::Record(id) = *place.ty.plain() else {
            let words = self.words(&place.ty);
            return Err(self.invalid(node.span, format!("{words} has no members"), ""));
        };
        let Some((path, field)) = self.member(id, name) else {
            let words = self.words(&place.ty);
            let complete = self.records[id.index()].fields.is_some();
            let message = match complete {
                true => format!("{words} has no member `{name}`"),
                false => format!("{words} is declared, but not defined"),
            };
            return Err(self.invalid(node.span, message, ""));
        };
        let qualifiers = place.ty.qualifiers();
        place.path.extend(path);
        place.ty = field.ty.qualified(qualifiers);
        self.require_handled(&place.ty, node.span)?;
        Ok(place)
    }

    /// `*p`
    pub(super) fn dereferenced(&mut self, pointer: Expr, span: RawSpan) -> Result<Place> {
        match pointer.ty.pointee() {
            Some(Type::Void) => Err(self.invalid(span, "a pointer to void points to nothing that can be read", "")),
            Some(_) => Ok(Place::pointee(pointer)),
            None => Err(self.invalid(span, "this is not a pointer", "")),
        }
    }

    /// `a[i]` (or `i[a]`).
    pub(super) fn indexed(
        &mut self,
        operation: &ast::BinaryOperatorExpression,
        steps: &mut Vec<Step>,
        span: RawSpan,
    ) -> Result<Place> {
        let first = self.operand(&operation.lhs, steps)?;
        let mut later = Vec::new();
        let second = self.operand(&operation.rhs, &mut later)?;
        let second = match second {
            Operand::Place(place) if place.ty.is_scalar() => Operand::Value(self.loaded(place, span, &mut later)?),
            other => other,
        };
        // An array as a place keeps its path; anything else is a pointer that is moved.
        if let Operand::Place(array) = &first
            && let Type::Array(element, _) = array.ty.plain()
            && let Operand::Value(index) = second
        {
            if index.ty.int_kind().is_none() {
                return Err(self.invalid(span, "an index is an integer", ""));
            }
            let array = self.settled(array.clone(), &later, steps);
            steps.append(&mut later);
            let mut place = array;
            let qualifiers = place.ty.qualifiers();
            place.path.push(Projection::Index(index, self.stride(element)));
            place.ty = (**element).clone().qualified(qualifiers);
            return Ok(place);
        }
        let mut first = self.operand_value(first, operation.lhs.span, steps)?;
        if disturbs(&later, &first, &self.variables) {
            first = self.capture(first, steps);
        }
        steps.append(&mut later);
        let second = self.operand_value(second, operation.rhs.span, steps)?;
        let (pointer, index) = if first.ty.pointee().is_some() { (first, second) } else { (second, first) };
        if pointer.ty.pointee().is_none() || index.ty.int_kind().is_none() {
            return Err(self.invalid(span, "only arrays and pointers have elements", ""));
        }
        let moved = self.moved(pointer, index, 1, span)?;
        self.dereferenced(moved, span)
    }

    /// A pointer moved by `count` elements of what it points to.
    pub(super) fn moved(&mut self, pointer: Expr, count: Expr, sign: i64, span: RawSpan) -> Result<Expr> {
        let Some(target) = pointer.ty.pointee().cloned() else {
            return Err(self.invalid(span, "this is not a pointer", ""));
        };
        if let Type::Record(id) = target.plain()
            && self.records[id.index()].fields.is_none()
        {
            let words = self.words(&target);
            return Err(self.invalid(span, format!("{words} is declared, but not defined"), ""));
        }
        let mut stride = self.stride(&target);
        stride.factor *= sign;
        if count.is_zero() {
            return Ok(pointer);
        }
        // `&a[i] + j` is `&a[i + j]`: the array stays visible.
        if let ExprKind::Address(place) = &pointer.kind
            && let Some((Projection::Index(index, inner), path)) = place.path.split_last()
            && index.is_zero()
            && *inner == self.stride(&target)
            && sign == 1
        {
            let mut path = path.to_vec();
            path.push(Projection::Index(count, inner.clone()));
            let place = Place { base: place.base.clone(), path, ty: place.ty.clone() };
            return Ok(Expr { kind: ExprKind::Address(place), ty: pointer.ty });
        }
        let ty = pointer.ty.clone();
        Ok(Expr { kind: ExprKind::Move(Box::new(pointer), Box::new(count), stride), ty })
    }

    /// The address of a place.
    pub(super) fn address(&mut self, place: Place, span: RawSpan) -> Result<Expr> {
        if self.bit_field(&place).is_some() {
            return Err(self.invalid(span, "a bit-field has no address", ""));
        }
        // `&*p` is `p`.
        if let Base::Pointee(pointer) = &place.base
            && place.path.is_empty()
        {
            return Ok((**pointer).clone());
        }
        let ty = place.ty.clone().pointer();
        Ok(Expr { kind: ExprKind::Address(place), ty })
    }

    /// The pointer to the first element of an array.
    pub(super) fn decayed(&mut self, array: Place) -> Expr {
        let Type::Array(element, _) = array.ty.plain().clone() else {
            unreachable!("only arrays decay");
        };
        let qualifiers = array.ty.qualifiers();
        let ty = (*element).clone().qualified(qualifiers);
        // The array that a pointer to an array points to: the same address.
        if let Base::Pointee(pointer) = &array.base
            && array.path.is_empty()
        {
            return Expr { kind: ExprKind::Cast(pointer.clone()), ty: ty.pointer() };
        }
        let mut place = array;
        place.path.push(Projection::Index(Expr::constant(0, IntKind::Long), self.stride(&element)));
        place.ty = ty.clone();
        Expr { kind: ExprKind::Address(place), ty: ty.pointer() }
    }

    /// First bit and width, if the place is a bit-field.
    pub(super) fn bit_field(&self, place: &Place) -> Option<(u32, u32)> {
        let (Projection::Field(field), path) = place.path.split_last()? else {
            return None;
        };
        let outer = Place { base: place.base.clone(), path: path.to_vec(), ty: Type::Void };
        match self.place_type(&outer)?.plain() {
            Type::Record(id) => self.records[id.index()].fields.as_ref()?.get(*field as usize)?.bits,
            _ => None,
        }
    }

    /// The type of what a path leads to.
    pub(super) fn place_type(&self, place: &Place) -> Option<Type> {
        let mut ty = match &place.base {
            Base::Variable(variable) => self.variables[variable.index()].ty.clone(),
            Base::Pointee(pointer) => pointer.ty.pointee()?.clone(),
        };
        for projection in &place.path {
            ty = match (projection, ty.plain()) {
                (Projection::Index(..), Type::Array(element, _)) => (**element).clone(),
                (Projection::Field(field), Type::Record(id)) => {
                    self.records[id.index()].fields.as_ref()?.get(*field as usize)?.ty.clone()
                }
                _ => return None,
            };
        }
        Some(ty)
    }

    /// The place with what `later` may change captured first.
    pub(super) fn settled(&mut self, mut place: Place, later: &[Step], steps: &mut Vec<Step>) -> Place {
        if let Base::Pointee(pointer) = &place.base
            && disturbs(later, pointer, &self.variables)
        {
            let pointer = self.capture((**pointer).clone(), steps);
            place.base = Base::Pointee(Box::new(pointer));
        }
        for projection in &mut place.path {
            if let Projection::Index(index, _) = projection
                && disturbs(later, index, &self.variables)
            {
                *index = self.capture(index.clone(), steps);
            }
        }
        place
    }

    /// The whole variable as a place.
    pub(super) fn whole(&self, variable: VarId) -> Place {
        Place::variable(variable, self.variables[variable.index()].ty.clone())
    }
}
