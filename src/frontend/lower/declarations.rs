//! Declarations: at file scope, of parameters, of locals.

use lang_c::ast;
use lang_c::span::{Node, Span as RawSpan};
use std::collections::HashMap;

use super::types::{Specified, as_parameter, says_noreturn};
use super::{Definition, LengthSteps, Lowering, Name};
use crate::error::Result;
use crate::program::{
    Environment, Function, Global, Length, Place, Role, Signature, Source, Statement, StatementKind, Step, Type, VarId,
};

impl<'a> Lowering<'a> {
    /// Reads everything at file scope.
    pub(super) fn file_scope(&mut self, tree: &'a ast::TranslationUnit) -> Result<()> {
        for external in &tree.0 {
            match &external.node {
                ast::ExternalDeclaration::Declaration(declaration) => {
                    self.file_declaration(declaration)?;
                }
                ast::ExternalDeclaration::FunctionDefinition(definition) => {
                    let Some(name) = declared_name(&definition.node.declarator.node) else {
                        continue;
                    };
                    let name = name.to_string();
                    // A signature that pct cannot read matters only if the function is used.
                    let specified = self.specifiers(&definition.node.specifiers, definition.span);
                    let is_static = specified.as_ref().is_ok_and(|specified| specified.is_static);
                    if let Ok(signature) = self.in_scope(|this| this.parameters(&definition.node)) {
                        self.bind(&name, Name::Function(signature.0));
                    }
                    self.definitions.insert((self.unit, name), Definition { node: definition, is_static });
                }
                ast::ExternalDeclaration::StaticAssert(_) => {}
            }
        }
        Ok(())
    }

    /// Declares the parameters of a function in the current scope: its signature, the parameters, and the statements that
    /// compute the lengths of array parameters.
    pub(super) fn parameters(
        &mut self,
        definition: &ast::FunctionDefinition,
    ) -> Result<(Signature, Vec<VarId>, Vec<Statement>)> {
        let span = definition.declarator.span;
        let specified = self.specifiers(&definition.specifiers, span)?;
        let Some(declarator) = function_declarator(&definition.declarator.node) else {
            return Err(self.unsupported(span, "this kind of definition", "write `type name(parameters)`"));
        };
        let result = self.result_type(specified.ty, &definition.declarator.node)?;
        let mut parameters = Vec::new();
        let mut types = Vec::new();
        let mut statements = Vec::new();
        let mut declare = |this: &mut Self, name: &str, ty: Type, span: RawSpan, lengths: LengthSteps| {
            let place = this.span(span);
            for (variable, steps) in lengths {
                statements.push(Statement { kind: StatementKind::Declare { variable, steps }, span: place });
            }
            let variable = this.new_variable(name, ty.clone(), Role::Parameter, place);
            this.bind(name, Name::Variable(variable, ty.clone()));
            parameters.push(variable);
            types.push(ty);
        };
        let mut is_variadic = false;
        match declarator {
            ast::DerivedDeclarator::Function(function) => {
                is_variadic = matches!(function.node.ellipsis, ast::Ellipsis::Some);
                for parameter in &function.node.parameters {
                    let specified = self.specifiers(&parameter.node.specifiers, parameter.span)?;
                    let Some(declarator) = &parameter.node.declarator else {
                        if specified.ty == Type::Void {
                            continue;
                        }
                        // A parameter without a name is never read.
                        let ty = as_parameter(specified.ty);
                        declare(self, "", ty, parameter.span, Vec::new());
                        continue;
                    };
                    let (ty, lengths) = self.with_lengths(|this| {
                        let ty = this.declared_type(specified.ty, &declarator.node)?;
                        Ok(as_parameter(ty))
                    })?;
                    let name = declared_name(&declarator.node).unwrap_or_default();
                    declare(self, name, ty, declarator.span, lengths);
                }
            }
            ast::DerivedDeclarator::KRFunction(names) => {
                // The old style: the types stand between the head and the body; what is not there is an int.
                let mut declared: HashMap<String, (Type, RawSpan)> = HashMap::new();
                for declaration in &definition.declarations {
                    let specified = self.specifiers(&declaration.node.specifiers, declaration.span)?;
                    for declarator in &declaration.node.declarators {
                        let inner = &declarator.node.declarator;
                        let ty = self.declared_type(specified.ty.clone(), &inner.node)?;
                        if let Some(name) = declared_name(&inner.node) {
                            declared.insert(name.to_string(), (as_parameter(ty), inner.span));
                        }
                    }
                }
                for name in names {
                    let (ty, span) = declared.remove(&name.node.name).unwrap_or((Type::INT, name.span));
                    declare(self, &name.node.name, ty, span, Vec::new());
                }
            }
            _ => unreachable!("only function declarators are looked for"),
        }
        for (&parameter, ty) in parameters.iter().zip(&types) {
            if let Type::Unsupported(what) = ty.plain() {
                let name = &self.variables[parameter.index()].name;
                // `va_list` and the like may be there, as long as nobody uses them.
                self.note(format!("the parameter `{name}` is {what}, which pct does not look into"));
            }
        }
        Ok((Signature { result, parameters: Some(types), is_variadic }, parameters, statements))
    }

    /// The type of the result: that of the declarator without its function part.
    fn result_type(&mut self, base: Type, declarator: &ast::Declarator) -> Result<Type> {
        match self.declared_type(base, declarator)?.plain() {
            Type::Function(signature) => Ok(signature.result.clone()),
            _ => Ok(Type::INT),
        }
    }

    /// Runs `work` and gives back the lengths of VLAs that it met.
    pub(super) fn with_lengths<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<(T, LengthSteps)> {
        let outer = self.lengths.replace(Vec::new());
        let result = work(self);
        let lengths = std::mem::replace(&mut self.lengths, outer).unwrap_or_default();
        result.map(|value| (value, lengths))
    }

    /// A function without a body: it gives anything, and may write what it gets a pointer to.
    pub(super) fn undefined_function(&mut self, name: &str) -> Result<Function> {
        let signature = match self.lookup(name) {
            Some(Name::Function(signature)) => signature.clone(),
            _ => Signature { result: Type::INT, parameters: None, is_variadic: true },
        };
        let mut steps = Vec::new();
        let mut parameters = Vec::new();
        for ty in signature.parameters.clone().unwrap_or_default() {
            let parameter = self.new_variable("", ty.clone(), Role::Parameter, crate::program::Span::default());
            self.havoc_argument(crate::program::Expr::variable(parameter, &ty), &mut steps);
            parameters.push(parameter);
        }
        let result = match &signature.result {
            Type::Void => None,
            ty => {
                let place = self.temporary_place(ty);
                let variable = place.as_variable();
                steps.push(Step::Havoc(place, Source::Call(name.to_string())));
                variable
            }
        };
        self.note_undefined(name);
        self.environment.insert(name.to_string(), Environment::Answers(signature.result.clone()));
        let span = crate::program::Span::default();
        let body = vec![Statement { kind: StatementKind::Evaluate(steps), span }];
        Ok(Function { name: name.to_string(), signature, parameters, result, body, span, is_library: false })
    }

    fn file_declaration(&mut self, declaration: &Node<ast::Declaration>) -> Result<()> {
        let specified = self.specifiers(&declaration.node.specifiers, declaration.span)?;
        for declarator in &declaration.node.declarators {
            let ty = self.declared_type(specified.ty.clone(), &declarator.node.declarator.node)?;
            let Some(name) = declared_name(&declarator.node.declarator.node) else {
                continue;
            };
            if specified.is_typedef {
                self.bind(name, Name::Typedef(ty));
                continue;
            }
            if let Type::Function(signature) = ty.plain() {
                let declarator = &declarator.node.declarator.node;
                if specified.is_noreturn || says_noreturn(&declarator.extensions) {
                    self.noreturn.insert(name.to_string());
                }
                let known = matches!(self.lookup(name), Some(Name::Function(known)) if known.parameters.is_some());
                if !known {
                    self.bind(name, Name::Function((**signature).clone()));
                }
                continue;
            }
            self.global(name, ty, &specified, &declarator.node, declarator.span)?;
        }
        Ok(())
    }

    /// A variable that lives as long as the program.
    fn global(
        &mut self,
        name: &str,
        ty: Type,
        specified: &Specified,
        declarator: &ast::InitDeclarator,
        span: RawSpan,
    ) -> Result<()> {
        let in_file = self.scopes.len() == 1;
        let is_shared = in_file && !specified.is_static || specified.is_extern;
        let (ty, initializer) = self.completed(ty, declarator.initializer.as_ref())?;
        let known = match self.scopes.last().and_then(|scope| scope.get(name)) {
            Some(Name::Variable(variable, known)) => Some((*variable, known.clone())),
            _ if is_shared => self.linked.get(name).cloned(),
            _ => None,
        };
        let (variable, ty) = match known {
            Some((variable, known)) => {
                // A later declaration may complete an array.
                let complete = if let Type::Array(_, Length::Unknown) = known.plain() { ty } else { known };
                self.variables[variable.index()].ty = complete.clone();
                (variable, complete)
            }
            None => (self.new_variable(name, ty.clone(), Role::Global, self.span(span)), ty),
        };
        self.bind(name, Name::Variable(variable, ty.clone()));
        if is_shared {
            self.linked.insert(name.to_string(), (variable, ty.clone()));
        }
        let position = self.globals.iter().position(|global| global.variable == variable);
        let position = position.unwrap_or_else(|| {
            let is_const = ty.qualifiers().is_const;
            self.globals.push(Global {
                variable,
                initializer: None,
                is_const,
                is_static: !is_shared,
                is_local: !is_shared && !in_file,
            });
            self.globals.len() - 1
        });
        // A definition without initialiser starts at zero; an `extern` one is defined elsewhere.
        let defines = initializer.is_some() || !specified.is_extern;
        if defines && (initializer.is_some() || self.globals[position].initializer.is_none()) {
            let mut steps = Vec::new();
            let place = Place::variable(variable, ty.clone());
            // What cannot be read is an arbitrary first value; where the variable is used the reason is said.
            let readable = match initializer {
                Some(initializer) => self.initialize(&place, initializer, &mut steps).is_ok(),
                None => {
                    self.zero(&place, &mut steps);
                    true
                }
            };
            self.globals[position].initializer = readable.then_some(steps);
        }
        Ok(())
    }

    /// A declaration inside a function: one statement for each variable.
    pub(super) fn local_declaration(
        &mut self,
        declaration: &Node<ast::Declaration>,
        statements: &mut Vec<Statement>,
    ) -> Result<()> {
        let place_in_text = self.span(declaration.span);
        let (specified, lengths) =
            self.with_lengths(|this| this.specifiers(&declaration.node.specifiers, declaration.span))?;
        let mut declare = |variable, steps| {
            statements.push(Statement { kind: StatementKind::Declare { variable, steps }, span: place_in_text });
        };
        for (variable, steps) in lengths {
            declare(variable, steps);
        }
        for declarator in &declaration.node.declarators {
            let span = declarator.span;
            let Some(name) = declared_name(&declarator.node.declarator.node) else {
                continue;
            };
            let (ty, lengths) =
                self.with_lengths(|this| this.declared_type(specified.ty.clone(), &declarator.node.declarator.node))?;
            for (variable, steps) in lengths {
                declare(variable, steps);
            }
            if specified.is_typedef {
                self.bind(name, Name::Typedef(ty));
                continue;
            }
            if let Type::Function(signature) = ty.plain() {
                self.bind(name, Name::Function((**signature).clone()));
                continue;
            }
            if specified.is_static || specified.is_extern {
                self.global(name, ty, &specified, &declarator.node, span)?;
                continue;
            }
            let (ty, initializer) = self.completed(ty, declarator.node.initializer.as_ref())?;
            self.require_handled(&ty, span)?;
            let variable = self.new_variable(name, ty.clone(), Role::Local, self.span(span));
            self.bind(name, Name::Variable(variable, ty.clone()));
            let mut steps = Vec::new();
            if let Some(initializer) = initializer {
                self.initialize(&Place::variable(variable, ty), initializer, &mut steps)?;
            }
            declare(variable, steps);
        }
        Ok(())
    }
}

/// The part of a declarator that makes it a function.
fn function_declarator(declarator: &ast::Declarator) -> Option<&ast::DerivedDeclarator> {
    // `int (*f(int x))(void)`: the innermost declarator has the parameters.
    if let ast::DeclaratorKind::Declarator(inner) = &declarator.kind.node
        && let Some(found) = function_declarator(&inner.node)
    {
        return Some(found);
    }
    let is_function = |derived: &&Node<ast::DerivedDeclarator>| {
        matches!(derived.node, ast::DerivedDeclarator::Function(_) | ast::DerivedDeclarator::KRFunction(_))
    };
    declarator.derived.iter().find(is_function).map(|derived| &derived.node)
}

/// The name that a declarator declares.
pub(in crate::frontend) fn declared_name(declarator: &ast::Declarator) -> Option<&str> {
    match &declarator.kind.node {
        ast::DeclaratorKind::Identifier(name) => Some(&name.node.name),
        ast::DeclaratorKind::Declarator(inner) => declared_name(&inner.node),
        ast::DeclaratorKind::Abstract => None,
    }
}
