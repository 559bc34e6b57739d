//! Declarations: at file scope, of parameters, of locals with their initialisers.

use lang_c::ast;
use lang_c::span::{Node, Span as RawSpan};
use std::collections::BTreeMap;

use super::literals::characters;
use super::types::{CType, Specified, says_noreturn};
use super::{Lowering, Name};
use crate::error::Result;
use crate::program::{Expr, Global, Index, IntKind, Place, Role, Statement, StatementKind, Step, VarId};

type Definitions<'a> = BTreeMap<String, &'a Node<ast::FunctionDefinition>>;

impl<'a> Lowering<'a> {
    /// Reads everything at file scope; gives back the functions with a body.
    pub(super) fn file_scope(&mut self, unit: &'a ast::TranslationUnit) -> Result<Definitions<'a>> {
        let mut definitions = BTreeMap::new();
        for external in &unit.0 {
            match &external.node {
                ast::ExternalDeclaration::Declaration(declaration) => {
                    self.file_declaration(declaration)?;
                }
                ast::ExternalDeclaration::FunctionDefinition(definition) => {
                    // A signature that pct cannot read matters only if the function is used.
                    if let Ok((name, _, CType::Function(result, parameters))) = self.function_type(&definition.node) {
                        self.bind(&name, Name::Function(*result, parameters));
                        definitions.insert(name, definition);
                    } else if let Some(name) = declared_name(&definition.node.declarator.node) {
                        definitions.insert(name.to_string(), definition);
                    }
                }
                ast::ExternalDeclaration::StaticAssert(_) => {}
            }
        }
        Ok(definitions)
    }

    /// Name, place of the name and type of a function definition.
    pub(super) fn function_type(&mut self, definition: &ast::FunctionDefinition) -> Result<(String, RawSpan, CType)> {
        let span = definition.declarator.span;
        if !definition.declarations.is_empty() || is_old_style(&definition.declarator.node) {
            return Err(self.unsupported(
                span,
                "a definition in the old (K&R) style",
                "write the parameters with their types in the parentheses",
            ));
        }
        let specified = self.specifiers(&definition.specifiers, span)?;
        let ty = self.declared_type(specified.ty, &definition.declarator.node)?;
        let name = declared_name(&definition.declarator.node).unwrap_or_default();
        Ok((name.to_string(), span, ty))
    }

    /// Declares the parameters of a function in the current scope.
    pub(super) fn parameters(&mut self, definition: &ast::FunctionDefinition) -> Result<Vec<VarId>> {
        let mut parameters = Vec::new();
        let declared = definition.declarator.node.derived.iter().find_map(|d| match &d.node {
            ast::DerivedDeclarator::Function(function) => Some(&function.node),
            _ => None,
        });
        let Some(function) = declared else {
            return Err(self.unsupported(
                definition.declarator.span,
                "this kind of definition",
                "write `type name(parameters)`",
            ));
        };
        if matches!(function.ellipsis, ast::Ellipsis::Some) {
            return Err(self.unsupported(
                definition.declarator.span,
                "a function with a variable number of arguments",
                "",
            ));
        }
        for parameter in &function.parameters {
            let specified = self.specifiers(&parameter.node.specifiers, parameter.span)?;
            let Some(declarator) = &parameter.node.declarator else {
                if specified.ty == CType::Void {
                    continue;
                }
                return Err(self.invalid(parameter.span, "this parameter has no name", ""));
            };
            let ty = self.declared_type(specified.ty, &declarator.node)?.into_parameter();
            let name = declared_name(&declarator.node).unwrap_or_default().to_string();
            let Some(variable_type) = ty.variable_type() else {
                return Err(self.unsupported(
                    parameter.span,
                    format!("the parameter `{name}`, which is {ty}"),
                    "only integers, arrays and pointers to integers are handled",
                ));
            };
            self.refuse_volatile(specified.is_volatile, parameter.span)?;
            let span = self.span(declarator.span);
            let variable = self.new_variable(&name, variable_type, Role::Parameter, span);
            self.bind(&name, Name::Variable(variable, ty));
            parameters.push(variable);
        }
        Ok(parameters)
    }

    fn refuse_volatile(&self, is_volatile: bool, span: RawSpan) -> Result<()> {
        if is_volatile {
            return Err(self.unsupported(span, "volatile", "remove the qualifier for the analysis"));
        }
        Ok(())
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
            if let CType::Function(result, parameters) = ty {
                let declarator = &declarator.node.declarator.node;
                if specified.is_noreturn || says_noreturn(&declarator.extensions) {
                    self.noreturn.insert(name.to_string());
                }
                self.reads_only.insert(name.to_string(), reads_only(declarator));
                let known = matches!(self.lookup(name), Some(Name::Function(_, Some(_))));
                if !known {
                    self.bind(name, Name::Function(*result, parameters));
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
        ty: CType,
        specified: &Specified,
        declarator: &ast::InitDeclarator,
        span: RawSpan,
    ) -> Result<()> {
        if matches!(self.scopes.last().and_then(|scope| scope.get(name)), Some(Name::Variable(..)))
            && declarator.initializer.is_none()
        {
            return Ok(());
        }
        let supported = !specified.is_volatile && !matches!(ty, CType::Pointer(_));
        let (ty, initializer) = self.completed(ty, declarator.initializer.as_ref())?;
        let Some(variable_type) = ty.variable_type().filter(|_| supported) else {
            let ty = if specified.is_volatile { CType::Unsupported("volatile".to_string()) } else { ty };
            self.bind(name, Name::Unsupported(ty));
            return Ok(());
        };
        let place = self.span(span);
        let variable = self.new_variable(name, variable_type, Role::Global, place);
        self.bind(name, Name::Variable(variable, ty.clone()));
        let mut steps = Vec::new();
        // A definition without initialiser starts at zero; an `extern` one is defined elsewhere.
        if initializer.is_some() || !specified.is_extern {
            self.initialize(variable, &ty, initializer, span, &mut steps)?;
        }
        self.globals.push(Global { variable, initializer: steps, is_const: specified.is_const });
        Ok(())
    }

    /// A declaration inside a function: one statement for each variable.
    pub(super) fn local_declaration(
        &mut self,
        declaration: &Node<ast::Declaration>,
        statements: &mut Vec<Statement>,
    ) -> Result<()> {
        let specified = self.specifiers(&declaration.node.specifiers, declaration.span)?;
        for declarator in &declaration.node.declarators {
            let span = declarator.span;
            let Some(name) = declared_name(&declarator.node.declarator.node) else {
                continue;
            };
            let ty = self.declared_type(specified.ty.clone(), &declarator.node.declarator.node)?;
            if specified.is_typedef {
                self.bind(name, Name::Typedef(ty));
                continue;
            }
            if let CType::Function(result, parameters) = ty {
                self.reads_only.insert(name.to_string(), reads_only(&declarator.node.declarator.node));
                self.bind(name, Name::Function(*result, parameters));
                continue;
            }
            self.refuse_volatile(specified.is_volatile, span)?;
            if specified.is_static || specified.is_extern {
                self.global(name, ty, &specified, &declarator.node, span)?;
                continue;
            }
            let (ty, initializer) = self.completed(ty, declarator.node.initializer.as_ref())?;
            let pointer = matches!(ty, CType::Pointer(_));
            let Some(variable_type) = ty.variable_type().filter(|_| !pointer) else {
                return Err(self.unsupported(
                    span,
                    format!("the variable `{name}`, which is {ty}"),
                    "only integers and arrays of integers are handled",
                ));
            };
            let place = self.span(span);
            let variable = self.new_variable(name, variable_type, Role::Local, place);
            self.bind(name, Name::Variable(variable, ty.clone()));
            let mut steps = Vec::new();
            if initializer.is_some() {
                self.initialize(variable, &ty, initializer, span, &mut steps)?;
            }
            statements.push(Statement {
                kind: StatementKind::Declare { variable, steps },
                span: self.span(declaration.span),
            });
        }
        Ok(())
    }

    /// An array whose length its initialiser gives: `int a[] = {1, 2}`.
    fn completed<'i>(
        &mut self,
        ty: CType,
        initializer: Option<&'i Node<ast::Initializer>>,
    ) -> Result<(CType, Option<&'i Node<ast::Initializer>>)> {
        let CType::Array(element, None) = &ty else {
            return Ok((ty, initializer));
        };
        let length = match initializer.map(|i| (&i.node, i.span)) {
            Some((ast::Initializer::List(items), _)) => {
                let mut position: u64 = 0;
                let mut length: u64 = 0;
                for item in items {
                    if let Some(designator) = item.node.designation.first()
                        && let ast::Designator::Index(index) = &designator.node
                    {
                        position = u64::try_from(self.constant(index)?).unwrap_or(0);
                    }
                    position += 1;
                    length = length.max(position);
                }
                Some(length)
            }
            Some((ast::Initializer::Expression(expression), span)) => match &expression.node {
                ast::Expression::StringLiteral(parts) => Some(self.string_bytes(&parts.node, span)?.len() as u64 + 1),
                _ => None,
            },
            None => None,
        };
        Ok((CType::Array(element.clone(), length), initializer))
    }

    /// The steps that give a variable its first value; without initialiser, zero.
    fn initialize(
        &mut self,
        variable: VarId,
        ty: &CType,
        initializer: Option<&Node<ast::Initializer>>,
        span: RawSpan,
        steps: &mut Vec<Step>,
    ) -> Result<()> {
        if let CType::Int(kind) = ty {
            let value = match initializer {
                Some(initializer) => self.scalar_initializer(initializer, *kind, steps)?,
                None => Expr::constant(0, *kind),
            };
            steps.push(Step::Assign(Place::Variable(variable), value));
            return Ok(());
        }
        let Some(scalars) = ty.scalars() else {
            return match initializer {
                None => Ok(()),
                Some(_) => Err(self.unsupported(span, "an initialiser of this type", "")),
            };
        };
        let mut values: BTreeMap<i64, Expr> = BTreeMap::new();
        if let Some(initializer) = initializer {
            self.array_initializer(ty, initializer, 0, &mut values, steps)?;
        }
        let kind = ty.variable_type().expect("it has scalars").element();
        for position in 0..scalars {
            let value = values.remove(&position).unwrap_or(Expr::constant(0, kind));
            steps.push(Step::Assign(element(variable, position), value.cast(kind)));
        }
        Ok(())
    }

    fn scalar_initializer(
        &mut self,
        initializer: &Node<ast::Initializer>,
        kind: IntKind,
        steps: &mut Vec<Step>,
    ) -> Result<Expr> {
        match &initializer.node {
            ast::Initializer::Expression(expression) => Ok(self.integer(expression, steps)?.cast(kind)),
            ast::Initializer::List(items) => match items.as_slice() {
                [] => Ok(Expr::constant(0, kind)),
                [item] if item.node.designation.is_empty() => {
                    self.scalar_initializer(&item.node.initializer, kind, steps)
                }
                _ => Err(self.invalid(initializer.span, "a scalar takes one value", "")),
            },
        }
    }

    /// Collects the values of an array initialiser by position, counted in scalars from `base`.
    fn array_initializer(
        &mut self,
        ty: &CType,
        initializer: &Node<ast::Initializer>,
        base: i64,
        values: &mut BTreeMap<i64, Expr>,
        steps: &mut Vec<Step>,
    ) -> Result<()> {
        let CType::Array(element, length) = ty else {
            let CType::Int(kind) = ty else {
                return Err(self.unsupported(initializer.span, "an initialiser of this type", ""));
            };
            let value = self.scalar_initializer(initializer, *kind, steps)?;
            let value = if super::values::disturbs(steps, &value) { self.capture(value, steps) } else { value };
            values.insert(base, value);
            return Ok(());
        };
        if let Some(bytes) = self.string_initializer(element, initializer)? {
            for (position, byte) in bytes.into_iter().enumerate() {
                let position = position as i64;
                if length.is_none_or(|length| (position as u64) < length) {
                    values.insert(base + position, Expr::constant(i128::from(byte), IntKind::Int));
                }
            }
            return Ok(());
        }
        let ast::Initializer::List(items) = &initializer.node else {
            return Err(self.invalid(initializer.span, "an array needs a list of values", ""));
        };
        let stride = element.scalars().unwrap_or(1);
        let mut position = 0;
        for item in items {
            match item.node.designation.as_slice() {
                [] => {}
                [designator] => match &designator.node {
                    ast::Designator::Index(index) => position = self.constant(index)? as i64,
                    _ => return Err(self.unsupported(item.span, "this designator", "")),
                },
                _ => return Err(self.unsupported(item.span, "nested designators", "")),
            }
            if length.is_some_and(|length| position < 0 || position as u64 >= length) {
                return Err(self.invalid(item.span, "more values than the array has", ""));
            }
            let nested = matches!(**element, CType::Array(..));
            let braced = matches!(item.node.initializer.node, ast::Initializer::List(_));
            let text = self.string_initializer(element, &item.node.initializer)?.is_some();
            if nested && !braced && !text {
                return Err(self.unsupported(
                    item.span,
                    "an initialiser of a nested array without its braces",
                    "write the inner braces",
                ));
            }
            let at = base + position * stride;
            self.array_initializer(element, &item.node.initializer, at, values, steps)?;
            position += 1;
        }
        Ok(())
    }

    /// The bytes, with the final zero, if a string initialises an array of characters.
    fn string_initializer(&mut self, element: &CType, initializer: &Node<ast::Initializer>) -> Result<Option<Vec<u8>>> {
        let CType::Int(IntKind::Char | IntKind::SChar | IntKind::UChar) = element else {
            return Ok(None);
        };
        let ast::Initializer::Expression(expression) = &initializer.node else {
            return Ok(None);
        };
        let ast::Expression::StringLiteral(parts) = &expression.node else {
            return Ok(None);
        };
        let mut bytes = self.string_bytes(&parts.node, expression.span)?;
        bytes.push(0);
        Ok(Some(bytes))
    }

    /// The bytes of a string literal, its parts joined, without the final zero.
    pub(super) fn string_bytes(&self, parts: &[String], span: RawSpan) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for part in parts {
            let part = characters(part).ok_or_else(|| self.unsupported(span, "this kind of string", ""))?;
            bytes.extend(part);
        }
        Ok(bytes)
    }
}

fn element(array: VarId, position: i64) -> Place {
    Place::Element(array, vec![Index { value: Expr::constant(i128::from(position), IntKind::Long), scale: 1 }])
}

fn is_old_style(declarator: &ast::Declarator) -> bool {
    declarator
        .derived
        .iter()
        .any(|derived| matches!(&derived.node, ast::DerivedDeclarator::KRFunction(names) if !names.is_empty()))
}

/// The name that a declarator declares.
pub(super) fn declared_name(declarator: &ast::Declarator) -> Option<&str> {
    match &declarator.kind.node {
        ast::DeclaratorKind::Identifier(name) => Some(&name.node.name),
        ast::DeclaratorKind::Declarator(inner) => declared_name(&inner.node),
        ast::DeclaratorKind::Abstract => None,
    }
}

/// Which parameters of a declared function are pointers to const.
fn reads_only(declarator: &ast::Declarator) -> Vec<bool> {
    let function = declarator.derived.iter().find_map(|derived| match &derived.node {
        ast::DerivedDeclarator::Function(function) => Some(&function.node),
        _ => None,
    });
    let parameters = function.map(|function| function.parameters.as_slice()).unwrap_or_default();
    parameters
        .iter()
        .map(|parameter| {
            let is_const = parameter.node.specifiers.iter().any(|specifier| {
                matches!(&specifier.node, ast::DeclarationSpecifier::TypeQualifier(qualifier)
                    if qualifier.node == ast::TypeQualifier::Const)
            });
            // The qualifier belongs to what is pointed to only if there is one level of it.
            let derived = parameter.node.declarator.as_ref().map(|d| d.node.derived.as_slice()).unwrap_or_default();
            let is_direct = match derived {
                [one] => matches!(one.node, ast::DerivedDeclarator::Pointer(_) | ast::DerivedDeclarator::Array(_)),
                many => !many.is_empty() && many.iter().all(|d| matches!(d.node, ast::DerivedDeclarator::Array(_))),
            };
            is_const && is_direct
        })
        .collect()
}
