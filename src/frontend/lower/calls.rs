//! Calls: of functions with a body (inlined later), of those with a known meaning, of undefined ones, through pointers.

use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as RawSpan};

use super::conditions::is_expectation;
use super::values::Operand;
use super::{Lowering, Name};
use crate::error::Result;
use crate::program::{
    Argument, Callee, Condition, Environment, Expr, ExprKind, FloatKind, IntKind, Signature, Source, Step, Type,
};

impl Lowering<'_> {
    /// The effects of a call, and its value if it has one.
    pub(super) fn call(
        &mut self,
        node: &Node<Expression>,
        call: &ast::CallExpression,
        steps: &mut Vec<Step>,
    ) -> Result<Operand> {
        if let Expression::Identifier(callee) = &call.callee.node {
            let name = callee.node.name.as_str();
            if !matches!(self.lookup(name), Some(Name::Variable(..))) {
                return self.named_call(node, name, call, steps);
            }
        }
        let pointer = self.value(&call.callee, steps)?;
        let Some(Type::Function(signature)) = pointer.ty.pointee().map(Type::plain) else {
            return Err(self.invalid(call.callee.span, "this is not a function", ""));
        };
        let signature = (**signature).clone();
        let callee = match pointer.kind {
            ExprKind::Function(id) => Callee::Function(id),
            _ => Callee::Pointer(self.capture(pointer, steps)),
        };
        self.prepared_call(node.span, "the function", callee, &signature, call, steps)
    }

    fn named_call(
        &mut self,
        node: &Node<Expression>,
        name: &str,
        call: &ast::CallExpression,
        steps: &mut Vec<Step>,
    ) -> Result<Operand> {
        match name {
            "assume" | "__CPROVER_assume" | "__VERIFIER_assume" | "__builtin_assume" => {
                let condition = self.condition_argument(node, call)?;
                steps.push(Step::Assume(condition));
                return Ok(Operand::Void);
            }
            "assert" | "__CPROVER_assert" | "__VERIFIER_assert" => {
                let condition = self.condition_argument(node, call)?;
                steps.push(Step::Assert(condition));
                return Ok(Operand::Void);
            }
            "abort" | "reach_error" | "__VERIFIER_error" | "__assert_fail" | "__assert_rtn" | "__assert"
            | "__builtin_trap" | "__builtin_abort" => {
                steps.push(Step::Fail);
                return Ok(Operand::Void);
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" | "__builtin_exit" | "__builtin__exit" => {
                self.discarded_arguments(call, steps)?;
                steps.push(Step::Exit);
                return Ok(Operand::Void);
            }
            "__builtin_unreachable" => {
                steps.push(Step::Assume(Self::constant_condition(false)));
                return Ok(Operand::Void);
            }
            "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "longjmp" | "siglongjmp" | "pthread_create"
            | "thrd_create" | "fork" | "vfork" => {
                return Err(self.unsupported(
                    node.span,
                    format!("a call of `{name}`"),
                    "analyse a function that does not call it, or take the function that calls it as undefined with --havoc",
                ));
            }
            _ => {}
        }
        if is_expectation(call) {
            return self.value(&call.arguments[0], steps).map(Operand::Value);
        }
        if let Some(result) = self.compiler_builtin(node, name, call, steps)? {
            return Ok(result);
        }
        if let Some((plain, call)) = unchecked(name, call) {
            return self.named_call(node, plain, &call, steps);
        }
        // `__builtin_strlen` is `strlen`, and so on; but what the library has a builtin for has no other name.
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let is_own = self.defining_unit(name).is_some_and(|unit| self.units[unit].is_library);
        let is_modelled = self.defining_unit(plain).is_some_and(|unit| self.units[unit].is_library);
        let name = if !is_own && (is_modelled || is_determined(plain) || prints(plain)) { plain } else { name };
        self.library_function(node, name, call, steps)
    }

    /// A call of a function by its name, which no compiler knows better.
    pub(super) fn library_function(
        &mut self,
        node: &Node<Expression>,
        name: &str,
        call: &ast::CallExpression,
        steps: &mut Vec<Step>,
    ) -> Result<Operand> {
        let definition = self.defining_unit(name);
        if definition.is_none()
            && let Some(result) = self.library_call(node, name, call, steps)?
        {
            return Ok(result);
        }
        if definition.is_none() && name.starts_with("__builtin_") {
            return Err(self.unsupported(node.span, format!("`{name}`"), "write it in standard C"));
        }
        let Some(unit) = definition else {
            return self.undefined_call(node.span, name, call, steps);
        };
        let signature = match self.lookup(name) {
            Some(Name::Function(signature)) => Some(signature.clone()),
            _ => None,
        };
        // A definition in another file knows its parameters better than a declaration here.
        let signature = match signature {
            Some(signature) if signature.parameters.is_some() => signature,
            other => match self.file_scopes[unit].names.get(name) {
                Some(Name::Function(signature)) => signature.clone(),
                _ => other.unwrap_or(Signature { result: Type::INT, parameters: None, is_variadic: false }),
            },
        };
        let callee = Callee::Function(self.function_id(unit, name));
        self.prepared_call(node.span, &format!("`{name}`"), callee, &signature, call, steps)
    }

    fn condition_argument(&mut self, node: &Node<Expression>, call: &ast::CallExpression) -> Result<Condition> {
        match call.arguments.first() {
            Some(argument) => self.condition(argument),
            None => Err(self.invalid(node.span, "this call needs a condition", "")),
        }
    }

    pub(super) fn discarded_arguments(&mut self, call: &ast::CallExpression, steps: &mut Vec<Step>) -> Result<()> {
        for argument in &call.arguments {
            if !matches!(argument.node, Expression::StringLiteral(_)) {
                self.effect(argument, steps)?;
            }
        }
        Ok(())
    }

    /// A call with its arguments converted to the types of the parameters.
    fn prepared_call(
        &mut self,
        span: RawSpan,
        words: &str,
        callee: Callee,
        signature: &Signature,
        call: &ast::CallExpression,
        steps: &mut Vec<Step>,
    ) -> Result<Operand> {
        if let Some(parameters) = &signature.parameters {
            let too_few = call.arguments.len() < parameters.len();
            if too_few || call.arguments.len() > parameters.len() && !signature.is_variadic {
                let message =
                    format!("{words} takes {} arguments, this call has {}", parameters.len(), call.arguments.len());
                return Err(self.invalid(span, message, ""));
            }
        }
        let mut arguments = Vec::new();
        for (position, argument) in call.arguments.iter().enumerate() {
            let parameter = signature.parameters.as_ref().and_then(|parameters| parameters.get(position)).cloned();
            arguments.push(self.argument(argument, parameter.as_ref(), steps)?);
        }
        if let Some(parameters) = &signature.parameters {
            arguments.truncate(parameters.len());
        }
        let result = match signature.result.plain() {
            Type::Void => None,
            ty => {
                self.require_handled(ty, span)?;
                Some(self.temporary(ty.clone()))
            }
        };
        steps.push(Step::Call { callee, arguments, result, span: self.span(span) });
        Ok(match result {
            None => Operand::Void,
            Some(variable) => Operand::Place(self.whole(variable)),
        })
    }

    /// An argument; each value is taken when it is its turn, since later arguments may have side effects.
    fn argument(
        &mut self,
        node: &Node<Expression>,
        parameter: Option<&Type>,
        steps: &mut Vec<Step>,
    ) -> Result<Argument> {
        let operand = self.operand(node, steps)?;
        if let Operand::Place(place) = &operand
            && let Type::Record(_) = place.ty.plain()
        {
            let copy = self.temporary_place(&place.ty);
            steps.push(Step::Copy(copy.clone(), place.clone()));
            return Ok(Argument::Record(copy));
        }
        let value = self.operand_value(operand, node.span, steps)?;
        let value = match parameter {
            Some(ty) if ty.is_scalar() => self.converted(value, ty, node.span, steps)?,
            Some(ty) if matches!(ty.plain(), Type::Record(_)) => {
                return Err(self.invalid(node.span, "a struct or union is needed here", ""));
            }
            // The default argument promotions.
            _ if value.ty.float_kind() == Some(FloatKind::Float) => value.convert(&Type::Float(FloatKind::Double)),
            _ => value.promoted(),
        };
        let is_address = matches!(&value.kind, ExprKind::Address(place) if place.path.is_empty());
        Ok(Argument::Value(if is_address { value } else { self.capture(value, steps) }))
    }

    /// A call of a function without a body: it returns anything, and may write what it gets a pointer to.
    fn undefined_call(
        &mut self,
        span: RawSpan,
        name: &str,
        call: &ast::CallExpression,
        steps: &mut Vec<Step>,
    ) -> Result<Operand> {
        let signature = match self.lookup(name) {
            Some(Name::Function(signature)) => signature.clone(),
            _ => Signature { result: nondet_type(name), parameters: None, is_variadic: true },
        };
        for (position, argument) in call.arguments.iter().enumerate() {
            let parameter = signature.parameters.as_ref().and_then(|parameters| parameters.get(position)).cloned();
            if let Argument::Value(value) = self.argument(argument, parameter.as_ref(), steps)?
                && !prints(name)
            {
                let at = steps.len();
                self.havoc_argument(value, steps);
                if is_determined(name) {
                    for step in &mut steps[at..] {
                        if let Step::HavocObject(pointer) = step {
                            *step = Step::ForgetObject(pointer.clone());
                        }
                    }
                }
            }
        }
        if self.noreturn.contains(name) {
            self.note(format!("`{name}` does not return: it is taken as the end of the program"));
            self.environment.insert(name.to_string(), Environment::Ends);
            steps.push(Step::Exit);
            return Ok(Operand::Void);
        }
        if !is_determined(name) && !prints(name) {
            self.environment.insert(name.to_string(), Environment::Answers(signature.result.clone()));
        }
        if is_determined(name) {
            self.note(format!("what `{name}` computes is not known: any result is possible, none is guaranteed"));
        } else if !is_input(name) && !prints(name) {
            self.note_undefined(name);
        }
        match signature.result.plain() {
            Type::Void => Ok(Operand::Void),
            ty => {
                let ty = ty.clone();
                self.require_handled(&ty, span)?;
                let place = self.temporary_place(&ty);
                steps.push(match is_determined(name) {
                    true => Step::Forget(place.clone()),
                    false => Step::Havoc(place.clone(), Source::Call(name.to_string())),
                });
                Ok(Operand::Place(place))
            }
        }
    }

    pub(super) fn note_undefined(&mut self, name: &str) {
        self.note(format!("`{name}` has no body: its result, and what it gets a pointer to, may be anything"));
        if !self.undefined.iter().any(|known| known == name) {
            self.undefined.push(name.to_string());
        }
    }

    /// An undefined function may write what it gets a pointer to, unless that is const.
    pub(super) fn havoc_argument(&mut self, value: Expr, steps: &mut Vec<Step>) {
        let Some(target) = value.ty.pointee() else {
            return;
        };
        let writable = !target.qualifiers().is_const && !matches!(target.plain(), Type::Function(_));
        if writable && !value.is_zero() {
            steps.push(Step::HavocObject(value));
        }
    }
}

/// The call without the size that `_FORTIFY_SOURCE` adds to calls of the C library: it changes only what goes wrong.
fn unchecked<'n>(name: &'n str, call: &ast::CallExpression) -> Option<(&'n str, ast::CallExpression)> {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name).strip_prefix("__")?.strip_suffix("_chk")?;
    let is_checked = matches!(
        plain,
        "memcpy" | "memmove" | "memset" | "strcpy" | "strncpy" | "strcat" | "strncat" | "stpcpy" | "stpncpy"
    );
    let mut call = call.clone();
    call.arguments.pop().filter(|_| is_checked)?;
    Some((plain, call))
}

/// Functions whose purpose is to give any value.
fn is_input(name: &str) -> bool {
    name.starts_with("__VERIFIER_nondet_") || name.starts_with("nondet_")
}

/// Functions of the C library whose result their arguments determine: it is no input of a test.
fn is_determined(name: &str) -> bool {
    let plain = name.strip_suffix(['f', 'l']).unwrap_or(name);
    let of_math = |name: &str| {
        matches!(
            name,
            "sqrt"
                | "cbrt"
                | "pow"
                | "exp"
                | "exp2"
                | "expm1"
                | "log"
                | "log2"
                | "log10"
                | "log1p"
                | "sin"
                | "cos"
                | "tan"
                | "asin"
                | "acos"
                | "atan"
                | "atan2"
                | "sinh"
                | "cosh"
                | "tanh"
                | "floor"
                | "ceil"
                | "round"
                | "trunc"
                | "rint"
                | "nearbyint"
                | "lround"
                | "lrint"
                | "llround"
                | "fmod"
                | "remainder"
                | "hypot"
                | "ldexp"
                | "frexp"
                | "modf"
                | "copysign"
                | "fdim"
                | "fma"
                | "erf"
                | "tgamma"
                | "lgamma"
        )
    };
    let of_strings = matches!(
        name,
        "strtol"
            | "strtoul"
            | "strtoll"
            | "strtoull"
            | "strtod"
            | "strtof"
            | "atol"
            | "atoll"
            | "atof"
            | "strstr"
            | "strtok"
            | "strtok_r"
            | "strspn"
            | "strcspn"
            | "strpbrk"
            | "strcasecmp"
            | "strncasecmp"
            | "strcoll"
            | "strdup"
            | "strndup"
            | "sprintf"
            | "snprintf"
            | "vsprintf"
            | "vsnprintf"
            | "sscanf"
            | "qsort"
            | "bsearch"
            | "div"
            | "ldiv"
            | "mktime"
            | "gmtime"
            | "localtime"
            | "asctime"
            | "ctime"
            | "strftime"
            | "difftime"
            | "sign_of_nan"
            | "__sprintf_chk"
            | "__snprintf_chk"
            | "stpcpy"
            | "memccpy"
            | "strsep"
    );
    of_math(name) || of_math(plain) || of_strings
}

/// Functions that only write to the outside.
fn prints(name: &str) -> bool {
    matches!(
        name,
        "printf"
            | "fprintf"
            | "vprintf"
            | "vfprintf"
            | "puts"
            | "fputs"
            | "putchar"
            | "putc"
            | "fputc"
            | "perror"
            | "fflush"
            | "syslog"
            | "printk"
            | "__printf_chk"
            | "__fprintf_chk"
            | "free"
            | "fclose"
    )
}

/// The type that the name of an undeclared `…nondet_T` function says; `int` for any other.
fn nondet_type(name: &str) -> Type {
    let kind = match name.rsplit_once("nondet_").map(|(_, ty)| ty) {
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
        Some("float") => return Type::Float(FloatKind::Float),
        Some("double") => return Type::Float(FloatKind::Double),
        Some("pointer") => return Type::Void.pointer(),
        _ => IntKind::Int,
    };
    Type::Int(kind)
}
