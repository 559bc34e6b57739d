//! Functions of the C library and of the compiler that have a meaning here although they have no body.

use lang_c::ast::{self, Expression};
use lang_c::span::Node;

use super::Lowering;
use super::values::Operand;
use crate::error::Result;
use crate::program::{
    Atom, BinaryOp, CompareOp, Condition, Expr, ExprKind, IntKind, Length, Place, Projection, Property, Role, Source,
    Span, Step, Stride, Type, size_of,
};

/// How far apart the objects of one allocation site are, in elements: no access goes from one to the next.
const ROOM: i128 = 1 << 32;

impl Lowering<'_> {
    /// The meaning of a library function, if it has one.
    pub(super) fn library_call(
        &mut self,
        node: &Node<Expression>,
        name: &str,
        call: &ast::CallExpression,
        steps: &mut Vec<Step>,
    ) -> Result<Option<Operand>> {
        let arguments = call.arguments.as_slice();
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        Ok(Some(match (name, arguments) {
            ("malloc" | "xmalloc", [_]) => self.allocation(arguments, Zeroed::No, steps)?,
            ("calloc", [_, _]) => self.allocation(arguments, Zeroed::Yes, steps)?,
            ("realloc", [pointer, size]) => {
                // The same object, or none.
                let value = self.value(pointer, steps)?;
                self.effect(size, steps)?;
                if value.is_zero() {
                    return self.allocation(std::slice::from_ref(size), Zeroed::No, steps).map(Some);
                }
                self.maybe_null(value, steps)
            }
            ("memset", [target, value, size]) => {
                let Some(operand) = self.memory_set(target, value, size, steps)? else { return Ok(None) };
                operand
            }
            ("memcpy" | "memmove", [target, source, size]) => {
                let Some(operand) = self.memory_copy(target, source, size, steps)? else { return Ok(None) };
                operand
            }
            ("abs" | "labs" | "llabs", [number]) => {
                let kind = if name == "abs" { IntKind::Int } else { IntKind::Long };
                let value = self.assigned(number, &Type::Int(kind), steps)?;
                let value = self.capture(value, steps);
                let zero = Expr::constant(0, kind);
                let negative = Expr::compare(CompareOp::Less, value.clone(), zero);
                let condition = self.value_condition(negative, node.span);
                let place = self.temporary_place(&value.ty);
                let minus = super::operators::negate(value.clone());
                steps.push(Step::Branch(
                    condition,
                    vec![Step::Assign(place.clone(), minus)],
                    vec![Step::Assign(place.clone(), value)],
                ));
                Operand::Value(Expr::load(place))
            }
            ("same_object", [a, b]) if self.is_library() => {
                let (a, b) = (self.value(a, steps)?, self.value(b, steps)?);
                Operand::Value(Expr { kind: ExprKind::Holds(Property::SameObject, vec![a, b]), ty: Type::INT })
            }
            ("constant_p", [_]) => Operand::Value(Expr::constant(0, IntKind::Int)),
            ("va_start" | "va_end" | "va_copy" | "prefetch", _) => Operand::Void,
            ("object_size", _) => Operand::Value(Expr::constant(-1, IntKind::ULong)),
            ("expect_with_probability", [value, ..]) => Operand::Value(self.value(value, steps)?),
            ("types_compatible_p", _) => {
                return Err(self.unsupported(node.span, "__builtin_types_compatible_p", "write the chosen branch"));
            }
            _ => return Ok(None),
        }))
    }

    /// `malloc` and `calloc`: an object of its own for each call, or none.
    fn allocation(&mut self, arguments: &[Node<Expression>], zeroed: Zeroed, steps: &mut Vec<Step>) -> Result<Operand> {
        let target = self.allocated.take();
        let named = arguments.iter().find_map(|argument| self.sized_type(argument));
        for argument in arguments {
            self.effect(argument, steps)?;
        }
        let element = match target.filter(|ty| *ty.plain() != Type::Void).or(named) {
            Some(ty) => ty.innermost().clone(),
            None => Type::Int(IntKind::Char),
        };
        let element = match size_of(&self.records, &element) {
            Some(_) => element,
            None => Type::Int(IntKind::Char),
        };
        let array = Type::Array(std::sync::Arc::new(element.clone()), Length::Unknown);
        let role = Role::Heap { zeroed: zeroed == Zeroed::Yes };
        let object = self.new_variable(&format!("${}", self.variables.len()), array, role, Span::default());
        // Each execution of the call makes the next object.
        let count = self.new_variable(
            &format!("${}", self.variables.len()),
            Type::LONG,
            Role::Heap { zeroed: true },
            Span::default(),
        );
        let number = Expr::variable(count, &Type::LONG);
        let start = Expr::binary(BinaryOp::Multiply, number.clone(), Expr::constant(ROOM, IntKind::Long));
        let mut place = self.whole(object);
        place.path.push(Projection::Index(start, Stride::of(1)));
        place.ty = element.clone();
        let address = Expr { kind: ExprKind::Address(place), ty: element.pointer() };
        let address = self.capture(address, steps);
        let next = Expr::binary(BinaryOp::Add, number, Expr::constant(1, IntKind::Long));
        steps.push(Step::Assign(self.whole(count), next));
        Ok(self.maybe_null(address, steps))
    }

    /// The pointer, or NULL: the environment chooses.
    fn maybe_null(&mut self, pointer: Expr, steps: &mut Vec<Step>) -> Operand {
        let fails = self.temporary_place(&Type::Int(IntKind::Bool));
        steps.push(Step::Havoc(fails.clone(), Source::Allocation));
        let condition = Condition::Atom(Box::new(Atom {
            steps: Vec::new(),
            value: Expr::load(fails).as_condition(),
            observed: None,
            span: Span::default(),
        }));
        let place = self.temporary_place(&pointer.ty);
        let null = Expr::null(pointer.ty.clone());
        steps.push(Step::Choose(
            condition,
            vec![Step::Assign(place.clone(), null)],
            vec![Step::Assign(place.clone(), pointer)],
        ));
        Operand::Value(Expr::load(place))
    }

    /// The type in a `sizeof` of the expression, which tells what is allocated.
    fn sized_type(&mut self, node: &Node<Expression>) -> Option<Type> {
        match &node.node {
            Expression::SizeOfTy(size) => self.type_name(&size.node.0).ok(),
            Expression::SizeOfVal(size) => self.type_of(&size.node.0).ok(),
            Expression::BinaryOperator(operation) => {
                let left = self.sized_type(&operation.node.lhs);
                left.or_else(|| self.sized_type(&operation.node.rhs))
            }
            Expression::Cast(cast) => self.sized_type(&cast.node.expression),
            _ => None,
        }
    }

    /// The object that a pointer expression is the whole of, if its size is `size`.
    fn whole_object(&mut self, pointer: &Expr, size: &Node<Expression>) -> Option<Place> {
        let bytes = self.constant(size).ok()?;
        let mut pointer = pointer;
        while let ExprKind::Cast(inner) = &pointer.kind {
            inner.ty.pointee()?;
            pointer = inner;
        }
        let place = match &pointer.kind {
            ExprKind::Address(place) => match place.path.split_last() {
                // An array that became a pointer to its first element.
                Some((Projection::Index(index, _), path)) if index.is_zero() => {
                    let whole = Place { base: place.base.clone(), path: path.to_vec(), ty: Type::Void };
                    let ty = self.place_type(&whole)?;
                    if size_of(&self.records, &place.ty).is_some_and(|(size, _)| i128::from(size) == bytes) {
                        place.clone()
                    } else {
                        Place { ty, ..whole }
                    }
                }
                _ => place.clone(),
            },
            _ => Place::pointee(pointer.clone()),
        };
        let (own, _) = size_of(&self.records, &place.ty)?;
        (i128::from(own) == bytes).then_some(place)
    }

    /// `memset` of a whole object to zero.
    fn memory_set(
        &mut self,
        target: &Node<Expression>,
        value: &Node<Expression>,
        size: &Node<Expression>,
        steps: &mut Vec<Step>,
    ) -> Result<Option<Operand>> {
        let mut own = Vec::new();
        let pointer = self.value(target, &mut own)?;
        let is_zero = self.constant(value).is_ok_and(|value| value == 0);
        let Some(place) = self.whole_object(&pointer, size).filter(|_| is_zero) else {
            return Ok(None);
        };
        steps.append(&mut own);
        steps.push(Step::Zero(place));
        Ok(Some(Operand::Value(pointer)))
    }

    /// `memcpy` of a whole object to another one of the same type.
    fn memory_copy(
        &mut self,
        target: &Node<Expression>,
        source: &Node<Expression>,
        size: &Node<Expression>,
        steps: &mut Vec<Step>,
    ) -> Result<Option<Operand>> {
        let mut own = Vec::new();
        let pointer = self.value(target, &mut own)?;
        let from = self.value(source, &mut own)?;
        let (Some(to), Some(from)) = (self.whole_object(&pointer, size), self.whole_object(&from, size)) else {
            return Ok(None);
        };
        if !to.ty.is_like(&from.ty) {
            return Ok(None);
        }
        steps.append(&mut own);
        steps.push(match to.ty.is_scalar() {
            true => Step::Assign(to, Expr::load(from)),
            false => Step::Copy(to, from),
        });
        Ok(Some(Operand::Value(pointer)))
    }
}

/// Whether allocated memory is zero at first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zeroed {
    Yes,
    No,
}
