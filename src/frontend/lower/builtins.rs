//! Functions of the C library and of the compiler that have a meaning here although they have no body.

use lang_c::ast::{self, Expression};
use lang_c::span::Node;

use super::Lowering;
use super::values::Operand;
use crate::error::Result;
use crate::program::{
    Atom, BinaryOp, CompareOp, Condition, Expr, ExprKind, FloatKind, IntKind, Length, Place, Projection, Property,
    Role, Source, Span, Step, Stride, Type, fold, size_of,
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
            ("alloca" | "alloca_with_align", [size, ..]) => {
                let address = self.allocated_object(std::slice::from_ref(size), Zeroed::No, steps)?;
                Operand::Value(address)
            }
            ("va_start" | "va_end" | "va_copy", _) => Operand::Void,
            _ => return Ok(None),
        }))
    }

    /// The meaning of a builtin of the compiler that no function can have: it depends on types, or it is a constant.
    pub(super) fn compiler_builtin(
        &mut self,
        node: &Node<Expression>,
        name: &str,
        call: &ast::CallExpression,
        steps: &mut Vec<Step>,
    ) -> Result<Option<Operand>> {
        let Some(name) = name.strip_prefix("__builtin_") else {
            return Ok(None);
        };
        let arguments = call.arguments.as_slice();
        if let Some((op, is_predicate)) = overflow_test(name) {
            let [a, b, result] = arguments else { return Ok(None) };
            return self.overflow_builtin(op, a, b, result, is_predicate, steps).map(Some);
        }
        Ok(Some(match (name, arguments) {
            ("constant_p", [value]) => {
                let is_constant = matches!(value.node, Expression::StringLiteral(_)) || self.constant(value).is_ok();
                Operand::Value(Expr::constant(i128::from(is_constant), IntKind::Int))
            }
            ("choose_expr", [condition, a, b]) => {
                let chosen = if self.constant(condition)? != 0 { a } else { b };
                self.operand(chosen, steps)?
            }
            ("prefetch", _) => {
                self.discarded_arguments(call, steps)?;
                Operand::Void
            }
            ("assume_aligned" | "expect_with_probability", [value, rest @ ..]) => {
                let value = self.value(value, steps)?;
                for argument in rest {
                    self.effect(argument, steps)?;
                }
                Operand::Value(if name == "assume_aligned" { value.convert(&Type::Void.pointer()) } else { value })
            }
            // What the compiler finds out depends on how hard it tries.
            ("object_size" | "dynamic_object_size", _) => self.not_known(&Type::Int(IntKind::ULong), steps),
            ("return_address" | "frame_address" | "extract_return_addr", _) => {
                self.not_known(&Type::Void.pointer(), steps)
            }
            ("huge_val" | "inf", []) => Operand::Value(float_constant(f64::INFINITY, FloatKind::Double)),
            ("huge_valf" | "inff", []) => Operand::Value(float_constant(f64::INFINITY, FloatKind::Float)),
            ("huge_vall" | "infl", []) => Operand::Value(float_constant(f64::INFINITY, FloatKind::LongDouble)),
            ("nan" | "nans", [_]) => Operand::Value(float_constant(f64::NAN, FloatKind::Double)),
            ("nanf" | "nansf", [_]) => Operand::Value(float_constant(f64::NAN, FloatKind::Float)),
            ("nanl" | "nansl", [_]) => Operand::Value(float_constant(f64::NAN, FloatKind::LongDouble)),
            ("isgreater" | "isgreaterequal" | "isless" | "islessequal", [a, b]) => {
                let op = match name {
                    "isgreater" => CompareOp::Greater,
                    "isgreaterequal" => CompareOp::GreaterEqual,
                    "isless" => CompareOp::Less,
                    _ => CompareOp::LessEqual,
                };
                let a = self.value(a, steps)?;
                let a = self.capture(a, steps);
                let b = self.value(b, steps)?;
                Operand::Value(Expr::compare(op, a, b))
            }
            // A float is normal in another range than a double.
            ("isnormal" | "fpclassify", [.., number])
                if self.type_of(number)?.float_kind() == Some(FloatKind::Float) =>
            {
                let named = format!("__builtin_{name}f");
                return self.library_function(node, &named, call, steps).map(Some);
            }
            _ => return Ok(None),
        }))
    }

    /// A value that the program determines, but pct does not know.
    fn not_known(&mut self, ty: &Type, steps: &mut Vec<Step>) -> Operand {
        let place = self.temporary_place(ty);
        steps.push(Step::Forget(place.clone()));
        Operand::Value(Expr::load(place))
    }

    /// `__builtin_add_overflow(a, b, &result)`: the result is what wraps around in the type of `result`, the value
    /// whether it is not the exact one. With `_p`, the last argument only tells the type.
    fn overflow_builtin(
        &mut self,
        op: BinaryOp,
        a: &Node<Expression>,
        b: &Node<Expression>,
        result: &Node<Expression>,
        is_predicate: bool,
        steps: &mut Vec<Step>,
    ) -> Result<Operand> {
        let a = self.integer(a, steps)?;
        let a = self.capture(a, steps);
        let b = self.integer(b, steps)?;
        let b = self.capture(b, steps);
        let place = match is_predicate {
            true => {
                let ty = self.type_of(result)?;
                self.temporary_place(&ty)
            }
            false => {
                let pointer = self.value(result, steps)?;
                let pointer = self.capture(pointer, steps);
                self.dereferenced(pointer, result.span)?
            }
        };
        let Some(kind) = place.ty.int_kind() else {
            return Err(self.invalid(result.span, "an integer is needed here", ""));
        };
        let bool_type = Type::Int(IntKind::Bool);
        let (value, overflows) = match exact_overflow(op, &a, &b, kind) {
            Some((value, overflows)) => (value, overflows.convert(&bool_type)),
            None => {
                let what =
                    "the overflow of integers of mixed types is not known: any result is possible, none is guaranteed";
                self.note(what.to_string());
                let (value, flag) = (self.temporary_place(&place.ty), self.temporary_place(&bool_type));
                steps.push(Step::Forget(value.clone()));
                steps.push(Step::Forget(flag.clone()));
                (Expr::load(value), Expr::load(flag))
            }
        };
        let flag = self.temporary_place(&bool_type);
        steps.push(Step::Assign(flag.clone(), overflows));
        steps.push(Step::Assign(place, value));
        Ok(Operand::Value(Expr::load(flag)))
    }

    /// `malloc` and `calloc`: an object of its own for each call, or none.
    fn allocation(&mut self, arguments: &[Node<Expression>], zeroed: Zeroed, steps: &mut Vec<Step>) -> Result<Operand> {
        let address = self.allocated_object(arguments, zeroed, steps)?;
        Ok(self.maybe_null(address, steps))
    }

    /// The address of a new object.
    fn allocated_object(
        &mut self,
        arguments: &[Node<Expression>],
        zeroed: Zeroed,
        steps: &mut Vec<Step>,
    ) -> Result<Expr> {
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
        Ok(address)
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

/// The operation of `add_overflow`, `uaddll_overflow` and so on, and whether it only tests.
fn overflow_test(name: &str) -> Option<(BinaryOp, bool)> {
    let (name, is_predicate) = match name.strip_suffix("_overflow_p") {
        Some(name) => (name, true),
        None => (name.strip_suffix("_overflow")?, false),
    };
    let name = name.trim_end_matches('l');
    let op = match name {
        "add" | "sadd" | "uadd" => BinaryOp::Add,
        "sub" | "ssub" | "usub" => BinaryOp::Subtract,
        "mu" | "smu" | "umu" => BinaryOp::Multiply,
        _ => return None,
    };
    Some((op, is_predicate))
}

/// What `a op b` is in `kind`, wrapped around, and whether that is not the exact result; `None` if the operands can have
/// values that neither `kind` nor `long` can hold.
fn exact_overflow(op: BinaryOp, a: &Expr, b: &Expr, kind: IntKind) -> Option<(Expr, Expr)> {
    let holds = |outer: IntKind, value: &Expr| {
        let (least, greatest) = match fold(value) {
            Some(number) => (number, number),
            None => (value.int_kind().least(), value.int_kind().greatest()),
        };
        outer.least() <= least && greatest <= outer.greatest()
    };
    let in_kind = |value: &Expr| value.clone().cast(kind);
    let wide_enough = kind.promoted() == kind;
    if !(wide_enough && holds(kind, a) && holds(kind, b)) {
        // The exact result of 32 bits fits a long, but for a product of unsigned numbers.
        let is_narrow = |value: &Expr| holds(IntKind::Int, value) || holds(IntKind::UInt, value);
        let both_unsigned = !holds(IntKind::Int, a) && !holds(IntKind::Int, b);
        if !is_narrow(a) || !is_narrow(b) || op == BinaryOp::Multiply && both_unsigned {
            return None;
        }
        let exact = Expr::binary(op, a.clone().cast(IntKind::Long), b.clone().cast(IntKind::Long));
        let value = exact.clone().cast(kind);
        // An unsigned long holds what is not negative.
        let fits_long = value.clone().cast(IntKind::Long);
        let negative = Expr::compare(CompareOp::Less, exact.clone(), Expr::constant(0, IntKind::Long));
        let overflows = match kind.width() == 64 && !kind.is_signed() {
            true => negative,
            false => Expr::compare(CompareOp::NotEqual, exact, fits_long),
        };
        return Some((value, overflows));
    }
    let (a, b) = (in_kind(a), in_kind(b));
    let exact = Expr { kind: ExprKind::Binary(op, Box::new(a.clone()), Box::new(b.clone())), ty: Type::Int(kind) };
    if kind.is_signed() {
        let fits = Expr { kind: ExprKind::Holds(Property::Fits, vec![exact]), ty: Type::INT };
        let wrapping = kind.to_unsigned();
        let value = Expr::binary(op, a.cast(wrapping), b.cast(wrapping)).cast(kind);
        return Some((value, super::operators::negated(fits)));
    }
    let zero = Expr::constant(0, kind);
    let overflows = match op {
        BinaryOp::Add => Expr::compare(CompareOp::Less, exact.clone(), a),
        BinaryOp::Subtract => Expr::compare(CompareOp::Less, a, b),
        _ => {
            // `a != 0 && product / a != b`, without a branch.
            let is_zero = Expr::compare(CompareOp::Equal, a.clone(), zero.clone());
            let divisor = Expr::binary(BinaryOp::Add, a.clone(), is_zero);
            let quotient = Expr::binary(BinaryOp::Divide, exact.clone(), divisor);
            let differs = Expr::compare(CompareOp::NotEqual, quotient, b);
            Expr::binary(BinaryOp::Multiply, differs, Expr::compare(CompareOp::NotEqual, a, zero))
        }
    };
    Some((exact, overflows))
}

/// A floating-point constant.
fn float_constant(value: f64, kind: FloatKind) -> Expr {
    Expr { kind: ExprKind::Float(value.to_bits()), ty: Type::Float(kind) }
}

/// Whether allocated memory is zero at first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zeroed {
    Yes,
    No,
}
