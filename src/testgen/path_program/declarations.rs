//! The declarations of a path program: its inputs without an initialiser, so that CBMC chooses them, and all other
//! variables of the text.

use super::text::Text;
use super::{BEFORE, BEHIND, Input};
use crate::memory::{NodeId, NodeKind};
use crate::program::{Length, Role, Type, VarId, size_of};
use crate::testgen::c_text::{Unwritable, Written};

/// What stands before the declarations of every path program.
pub(super) const PROLOGUE: &str = r#"// CBMC finds inputs for which the assertion fails: cbmc --no-standard-checks --trace FILE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#ifdef __CPROVER__
#define fits_add(a, b) (!__CPROVER_overflow_plus(a, b))
#define fits_sub(a, b) (!__CPROVER_overflow_minus(a, b))
#define fits_mul(a, b) (!__CPROVER_overflow_mult(a, b))
#define fits_neg(a) (!__CPROVER_overflow_unary_minus(a))
#define same_object(a, b) __CPROVER_same_object(a, b)
#ifdef PCT_ANYWHERE
#define inside(place) 1
#define near(index) 1
#else
#define inside(place) __CPROVER_r_ok(&(place), sizeof(place))
#define near(index) (-1000 <= (index) && (index) <= 1000)
#endif
#else
#define fits_add(a, b) (!__builtin_add_overflow(a, b, &(__typeof__((a) + (b))){0}))
#define fits_sub(a, b) (!__builtin_sub_overflow(a, b, &(__typeof__((a) - (b))){0}))
#define fits_mul(a, b) (!__builtin_mul_overflow(a, b, &(__typeof__((a) * (b))){0}))
#define fits_neg(a) (!__builtin_sub_overflow(0, a, &(__typeof__(-(a))){0}))
#define same_object(a, b) 1
#define inside(place) 1
#define near(index) 1
#define __CPROVER_assume(condition) do { if (!(condition)) exit(0); } while (0)
#define __CPROVER_havoc_object(object) ((void)(object))
#endif
#define assume(condition) __CPROVER_assume(condition)

"#;

/// The declarations: those before `main`, and those inside.
#[derive(Default)]
pub(super) struct Declarations {
    pub(super) outside: Vec<String>,
    pub(super) inside: Vec<(usize, String, String)>,
}

impl Text<'_, '_> {
    /// The declarations of everything that the text mentions.
    pub(super) fn declarations(&mut self) -> Written<(Declarations, Vec<Input>)> {
        let writer = self.writer;
        let cfg = writer.cfg;
        let mut declarations = Declarations::default();
        let mut inputs = Vec::new();
        let mut types = Vec::new();
        let mut line = |text: String, comment: &str| declarations.inside.push((1, text, comment.to_string()));
        let mentioned: Vec<VarId> = self.mentioned.iter().copied().collect();
        let is_parameter = |variable: &VarId| cfg.parameters.contains(variable);
        let (parameters, others): (Vec<VarId>, Vec<VarId>) = mentioned.into_iter().partition(is_parameter);
        for variable in parameters {
            let declared = &cfg.variables[variable.index()];
            let name = self.printer.variables[variable.index()].clone();
            types.push(declared.ty.clone());
            if declared.ty.pointee().is_none() {
                line(format!("{};", self.printer.declaration(&declared.ty, &name)?), "input");
                inputs.push(Input::Variable(variable, name));
                continue;
            }
            let Some(object) = writer.memory.given.get(&variable) else {
                return Err(Unwritable(format!("`{name}` may point to what other pointers point to")));
            };
            let element = writer.memory.node(*object).ty.clone();
            if size_of(&cfg.records, &element).is_none() || has_flexible(self.printer.records(), &element) {
                return Err(Unwritable(format!("what `{name}` points to has no size")));
            }
            types.push(element.clone());
            let pointee = declared.ty.pointee().cloned().unwrap_or(Type::Void);
            let scale = elements(&pointee);
            let array = self.arrays[&variable].clone();
            let count = (BEFORE + BEHIND) * scale;
            let ty = Type::Array(std::sync::Arc::new(element.clone()), Length::Fixed(count as u64));
            line(format!("{};", self.printer.declaration(&ty, &array)?), "input");
            let is_null = match writer.memory.node(writer.memory.root(variable)).kind {
                NodeKind::Pointer(cell, _) => writer.memory.cell(cell).given.contains(&NodeId::NULL),
                _ => false,
            };
            let start = format!("{array} + {}", BEFORE * scale);
            let start = match pointee.is_like(&element) {
                true => start,
                false => format!("({})({start})", self.printer.declaration(&declared.ty, "")?),
            };
            let null = is_null.then(|| self.printer.name(&format!("{name}_is_null")));
            let declaration = self.printer.declaration(&declared.ty, &name)?;
            match &null {
                None => line(format!("{declaration} = {start};"), ""),
                Some(null) => {
                    line(format!("_Bool {null};"), "input");
                    line(format!("{declaration} = {null} ? 0 : {start};"), "");
                }
            }
            inputs.push(Input::Object { parameter: variable, array, null, element, scale });
        }
        for variable in others {
            let declared = &cfg.variables[variable.index()];
            let name = &self.printer.variables[variable.index()];
            types.push(declared.ty.clone());
            let is_input = declared.role == Role::Global && !self.initialized.contains(&variable);
            if let Role::Heap { .. } = declared.role {
                return Err(Unwritable("memory that is allocated on the way".to_string()));
            }
            if matches!(declared.ty.plain(), Type::Array(_, Length::Unknown)) {
                return Err(Unwritable(format!("how long `{name}` is, is not known")));
            }
            line(format!("{};", self.printer.declaration(&declared.ty, name)?), if is_input { "input" } else { "" });
            if is_input {
                inputs.push(Input::Variable(variable, name.clone()));
            }
        }
        for (source, ty, name) in &self.answers {
            types.push(ty.clone());
            line(format!("{};", self.printer.declaration(ty, name)?), "input, the answer to a question");
            inputs.push(Input::Answer(source.clone(), ty.clone(), name.clone()));
        }
        declarations.outside = self.printer.definitions(&types)?;
        for function in &self.functions {
            declarations.outside.push(self.printer.function(*function)?);
        }
        if !declarations.inside.is_empty() {
            declarations.inside.push((0, String::new(), String::new()));
        }
        Ok((declarations, inputs))
    }
}

/// How many innermost elements one value has.
fn elements(ty: &Type) -> i64 {
    match ty.plain() {
        Type::Array(element, Length::Fixed(length)) => {
            elements(element).saturating_mul((*length).clamp(1, 1 << 20) as i64)
        }
        _ => 1,
    }
}

fn has_flexible(records: &[crate::program::Record], ty: &Type) -> bool {
    match ty.plain() {
        Type::Array(element, length) => *length == Length::Unknown || has_flexible(records, element),
        Type::Record(id) => records[id.index()].fields.iter().flatten().any(|field| has_flexible(records, &field.ty)),
        _ => false,
    }
}
