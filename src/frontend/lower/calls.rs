//! Calls: of functions with a body (inlined later), of those with a known meaning, and of undefined ones.

use lang_c::ast::{self, Expression};
use lang_c::span::Node;

use super::conditions::is_expectation;
use super::types::CType;
use super::{Lowering, Name};
use crate::error::Result;
use crate::program::{Argument, Expr, IntKind, Place, Step};

impl Lowering<'_> {
    /// The effects of a call, and its value if it has one.
    pub(super) fn call(
        &mut self,
        node: &Node<Expression>,
        call: &ast::CallExpression,
        steps: &mut Vec<Step>,
    ) -> Result<Option<Expr>> {
        let Expression::Identifier(callee) = &call.callee.node else {
            return Err(self.unsupported(node.span, "a call through a pointer", "call functions by their names"));
        };
        let name = callee.node.name.as_str();
        if matches!(self.lookup(name), Some(Name::Variable(..) | Name::Unsupported(_))) {
            return Err(self.unsupported(node.span, "a call through a pointer", "call functions by their names"));
        }
        match name {
            "assume" | "__CPROVER_assume" | "__VERIFIER_assume" | "__builtin_assume" => {
                let condition = self.condition_argument(node, call)?;
                steps.push(Step::Assume(condition));
                return Ok(None);
            }
            "assert" | "__CPROVER_assert" | "__VERIFIER_assert" => {
                let condition = self.condition_argument(node, call)?;
                steps.push(Step::Assert(condition));
                return Ok(None);
            }
            "abort" | "reach_error" | "__VERIFIER_error" | "__assert_fail" | "__assert_rtn" | "__assert"
            | "__builtin_trap" | "__builtin_abort" => {
                steps.push(Step::Fail);
                return Ok(None);
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                self.discarded_arguments(call, steps)?;
                steps.push(Step::Exit);
                return Ok(None);
            }
            "__builtin_unreachable" => {
                steps.push(Step::Assume(Self::constant_condition(false)));
                return Ok(None);
            }
            _ => {}
        }
        if is_expectation(call) {
            return self.integer(&call.arguments[0], steps).map(Some);
        }
        if self.definitions.contains_key(name) {
            self.defined_call(node, name, call, steps)
        } else {
            self.undefined_call(name, call, steps)
        }
    }

    fn condition_argument(
        &mut self,
        node: &Node<Expression>,
        call: &ast::CallExpression,
    ) -> Result<crate::program::Condition> {
        match call.arguments.first() {
            Some(argument) => self.condition(argument),
            None => Err(self.invalid(node.span, "this call needs a condition", "")),
        }
    }

    fn discarded_arguments(&mut self, call: &ast::CallExpression, steps: &mut Vec<Step>) -> Result<()> {
        for argument in &call.arguments {
            if !matches!(argument.node, Expression::StringLiteral(_)) {
                self.effect(argument, steps)?;
            }
        }
        Ok(())
    }

    /// A call of a function with a body.
    fn defined_call(
        &mut self,
        node: &Node<Expression>,
        name: &str,
        call: &ast::CallExpression,
        steps: &mut Vec<Step>,
    ) -> Result<Option<Expr>> {
        let Some(Name::Function(result, Some(parameters))) = self.scopes[0].get(name).cloned() else {
            return Err(self.unsupported(node.span, format!("the definition of `{name}`"), ""));
        };
        if parameters.len() != call.arguments.len() {
            return Err(self.invalid(
                node.span,
                format!("`{name}` takes {} arguments, this call has {}", parameters.len(), call.arguments.len()),
                "",
            ));
        }
        let mut arguments = Vec::new();
        for (argument, parameter) in call.arguments.iter().zip(&parameters) {
            arguments.push(match parameter {
                CType::Int(kind) => {
                    let value = self.integer(argument, steps)?.cast(*kind);
                    // Later arguments may have side effects: each value is taken when it is its turn.
                    Argument::Value(if call.arguments.len() > 1 && !value.is_constant() {
                        self.capture(value, steps)
                    } else {
                        value
                    })
                }
                CType::Pointer(target) => {
                    let pointer = self.pointer(argument, steps)?;
                    if pointer.target != **target {
                        return Err(self.unsupported(
                            argument.span,
                            format!("{} passed as a pointer to {target}", pointer.target),
                            "",
                        ));
                    }
                    let mut pointer = pointer;
                    for index in &mut pointer.index {
                        index.value = self.capture(index.value.clone(), steps);
                    }
                    pointer.into_argument()
                }
                other => {
                    return Err(self.unsupported(
                        argument.span,
                        format!("a parameter that is {other}"),
                        "only integers, arrays and pointers to integers are handled",
                    ));
                }
            });
        }
        let callee = self.function_id(name);
        let result = match result {
            CType::Int(kind) => Some(self.temporary(kind)),
            _ => None,
        };
        let span = self.span(node.span);
        steps.push(Step::Call { callee, arguments, result, span });
        Ok(result.map(|variable| {
            let kind = self.variables[variable.index()].ty.element();
            Expr::load(Place::Variable(variable), kind)
        }))
    }

    /// A call of a function without a body: it returns anything, and may write what it gets a pointer to.
    fn undefined_call(
        &mut self,
        name: &str,
        call: &ast::CallExpression,
        steps: &mut Vec<Step>,
    ) -> Result<Option<Expr>> {
        let result = match self.lookup(name) {
            Some(Name::Function(result, _)) => result.clone(),
            _ => CType::Int(nondet_kind(name)),
        };
        let reads_only = self.reads_only.get(name).cloned().unwrap_or_default();
        for (position, argument) in call.arguments.iter().enumerate() {
            if matches!(argument.node, Expression::StringLiteral(_)) {
                continue;
            }
            if self.is_pointer(argument) {
                let pointer = self.pointer(argument, steps)?;
                if reads_only.get(position) != Some(&true) {
                    steps.push(Step::Havoc(pointer.object));
                }
            } else {
                self.effect(argument, steps)?;
            }
        }
        if self.noreturn.contains(name) {
            self.note(format!("`{name}` does not return: it is taken as the end of the program"));
            steps.push(Step::Exit);
            return Ok(None);
        }
        if !is_input(name) {
            if !self.undefined.iter().any(|known| known == name) {
                self.undefined.push(name.to_string());
            }
            self.note(format!("`{name}` has no body: its result, and what it gets a pointer to, may be anything"));
        }
        match result {
            CType::Void => Ok(None),
            CType::Int(kind) => {
                let temporary = self.temporary(kind);
                steps.push(Step::Havoc(temporary));
                Ok(Some(Expr::load(Place::Variable(temporary), kind)))
            }
            other => Err(self.unsupported(
                call.callee.span,
                format!("a function that returns {other}"),
                "only integer results are handled",
            )),
        }
    }
}

/// Functions whose purpose is to give any value.
fn is_input(name: &str) -> bool {
    name.starts_with("__VERIFIER_nondet_") || name.starts_with("nondet_")
}

/// The type that the name of an undeclared `…nondet_T` function says; `int` for any other.
fn nondet_kind(name: &str) -> IntKind {
    match name.rsplit_once("nondet_").map(|(_, ty)| ty) {
        Some("bool" | "_Bool") => IntKind::Bool,
        Some("char") => IntKind::Char,
        Some("schar") => IntKind::SChar,
        Some("uchar" | "u8") => IntKind::UChar,
        Some("short") => IntKind::Short,
        Some("ushort" | "u16") => IntKind::UShort,
        Some("uint" | "unsigned" | "u32") => IntKind::UInt,
        Some("long") => IntKind::Long,
        Some("ulong" | "size_t" | "u64") => IntKind::ULong,
        Some("longlong") => IntKind::LongLong,
        Some("ulonglong") => IntKind::ULongLong,
        _ => IntKind::Int,
    }
}
