//! Calls, inlined: each has variables of its own.
//!
//! A call through a pointer is a decision between the functions that it can mean: those of a fitting type whose address
//! is taken. Recursion is followed to a depth; beyond it anything may happen to the memory, and pct says so.

use super::Action;
use super::build::{Builder, Frame};
use crate::error::{Error, Result};
use crate::program::{
    Argument, Callee, CompareOp, Expr, ExprKind, FunctionId, Place, Role, Signature, Source, Span, Type, VarId,
};

/// Where inlining has grown to this many locations, recursion is cut off at once.
const MAX_RECURSION: usize = 3_000;

/// Inlining that grows beyond this many locations is refused.
const MAX_LOCATIONS: usize = 300_000;

impl Builder<'_> {
    /// Inlines a call.
    pub(super) fn call(
        &mut self,
        callee: &Callee,
        arguments: &[Argument],
        result: Option<VarId>,
        span: Span,
    ) -> Result<()> {
        let arguments: Vec<Argument> = arguments.iter().map(|argument| self.argument(argument)).collect();
        let result = result.map(|variable| self.instance(variable));
        match callee {
            Callee::Function(function) => self.inlined(*function, &arguments, result, span),
            Callee::Pointer(pointer) => self.dispatched(pointer, &arguments, result, span),
        }
    }

    /// One of the functions that a pointer can point to.
    fn dispatched(&mut self, pointer: &Expr, arguments: &[Argument], result: Option<VarId>, span: Span) -> Result<()> {
        let pointer = self.expr(pointer);
        let program = self.program;
        let end = self.location();
        for &candidate in &program.address_taken {
            let function = program.function(candidate);
            if !fits(&function.signature, &pointer.ty, arguments, result.is_some()) {
                continue;
            }
            let address = Expr { kind: ExprKind::Function(candidate), ty: pointer.ty.clone() };
            let (yes, no) = (self.location(), self.location());
            self.test(Expr::compare(CompareOp::Equal, pointer.clone(), address), yes, no);
            self.current = yes;
            self.inlined(candidate, arguments, result, span)?;
            self.jump(end);
            self.current = no;
        }
        // A function that pct does not know.
        self.unknown_call(arguments, result);
        self.jump(end);
        self.current = end;
        Ok(())
    }

    /// The effect of a function from outside: its result and what it gets a pointer to may be anything.
    fn unknown_call(&mut self, arguments: &[Argument], result: Option<VarId>) {
        for argument in arguments {
            if let Argument::Value(value) = argument
                && let Some(target) = value.ty.pointee()
                && !target.qualifiers().is_const
                && !matches!(target.plain(), Type::Function(_))
            {
                self.emit(Action::HavocObject(value.clone()));
            }
        }
        if let Some(result) = result {
            let place = self.whole(result);
            self.emit(Action::Havoc(place, Source::Outside));
        }
    }

    fn inlined(&mut self, callee: FunctionId, arguments: &[Argument], result: Option<VarId>, span: Span) -> Result<()> {
        let function = self.program.function(callee);
        let activations = self.frames.iter().filter(|frame| frame.function == callee).count();
        // Where functions call each other in many ways, the graph grows with a power of the depth.
        let is_large = activations > 0 && self.successors.len() > MAX_RECURSION;
        if activations > self.depth || is_large {
            let note = match is_large {
                true => format!("the recursion of `{}` is cut off: the function grows too large", function.name),
                false => format!("the recursion of `{}` is cut off at depth {}", function.name, self.depth),
            };
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
            self.emit(Action::ForgetMemory);
            if let Some(result) = result {
                let place = self.whole(result);
                self.emit(Action::Forget(place));
            }
            return Ok(());
        }
        if self.successors.len() > MAX_LOCATIONS {
            return Err(Error::source(
                &self.program.sources,
                span,
                "inlining the calls makes the function too large",
                "this call",
                "analyse the called functions on their own, and take them as undefined here with --havoc",
            ));
        }
        let return_to = self.location();
        let mut frame = Frame::new(callee, return_to);
        for (position, &parameter) in function.parameters.iter().enumerate() {
            let variable = self.new_instance(parameter);
            frame.instances.insert(parameter, variable);
            let place = self.whole(variable);
            match arguments.get(position) {
                Some(Argument::Value(value)) if place.ty.is_scalar() && value.ty.is_scalar() => {
                    let value = value.clone().convert(&place.ty);
                    self.emit(Action::Assign(place, value));
                }
                Some(Argument::Record(from)) if from.ty.is_like(&place.ty) => {
                    self.emit(Action::Copy(place, from.clone()));
                }
                // An argument that is missing or of another type (old C does not check): it may be anything.
                _ => self.emit(Action::Forget(place)),
            }
        }
        if let (Some(inner), Some(outer)) = (function.result, result) {
            // A function that ends without `return` has no defined result.
            self.emit(Action::Unset(outer));
            frame.instances.insert(inner, outer);
        }
        let outer = self.span;
        self.frames.push(frame);
        self.block(&function.body)?;
        self.end_of_function()?;
        self.frames.pop();
        self.current = return_to;
        self.span = outer;
        Ok(())
    }

    pub(super) fn whole(&self, variable: VarId) -> Place {
        Place::variable(variable, self.variables[variable.index()].ty.clone())
    }

    fn argument(&mut self, argument: &Argument) -> Argument {
        match argument {
            Argument::Value(value) => Argument::Value(self.expr(value)),
            Argument::Record(place) => Argument::Record(self.place(place)),
        }
    }

    /// A variable of its own.
    fn new_instance(&mut self, variable: VarId) -> VarId {
        let id = VarId(self.variables.len() as u32);
        let mut instance = self.program.variable(variable).clone();
        if !matches!(instance.role, Role::Heap { .. }) {
            instance.role = Role::Temporary;
        }
        self.variables.push(instance);
        id
    }

    /// The variable in the current activation; a local of a callee gets its instance at its first mention.
    pub(super) fn instance(&mut self, variable: VarId) -> VarId {
        let role = self.program.variable(variable).role;
        let shared = matches!(role, Role::Global | Role::Literal);
        if let Role::Heap { zeroed: true } = role
            && !self.frame().instances.contains_key(&variable)
        {
            // Memory that is zero at first: the entry makes it so.
            let instance = if self.in_callee() { self.new_instance(variable) } else { variable };
            self.frame().instances.insert(variable, instance);
            self.zeroed.push(instance);
            return instance;
        }
        if shared || !self.in_callee() {
            return variable;
        }
        if let Some(&known) = self.frame().instances.get(&variable) {
            return known;
        }
        let instance = self.new_instance(variable);
        self.frame().instances.insert(variable, instance);
        instance
    }

    /// An expression of the current activation.
    pub(super) fn expr(&mut self, expr: &Expr) -> Expr {
        expr.renamed(&mut |variable| self.instance(variable))
    }

    /// A place of the current activation.
    pub(super) fn place(&mut self, place: &Place) -> Place {
        place.renamed(&mut |variable| self.instance(variable))
    }
}

/// Whether a function can be what a pointer of this type points to.
fn fits(signature: &Signature, pointer: &Type, arguments: &[Argument], has_result: bool) -> bool {
    let Some(Type::Function(wanted)) = pointer.pointee().map(Type::plain) else {
        return false;
    };
    let same_result = signature.result.is_like(&wanted.result) || !has_result;
    let parameters = signature.parameters.as_deref().unwrap_or_default();
    let fitting = match &wanted.parameters {
        Some(types) => types.len() == parameters.len() && types.iter().zip(parameters).all(|(a, b)| compatible(a, b)),
        None => parameters.len() == arguments.len(),
    };
    same_result && fitting
}

/// Whether values of the types are passed in the same way.
fn compatible(a: &Type, b: &Type) -> bool {
    a.is_like(b) || a.pointee().is_some() && b.pointee().is_some()
}
