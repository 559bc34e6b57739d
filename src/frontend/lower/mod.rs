//! Lowering: syntax tree → [`Program`].
//!
//! Two passes over the file. The first reads what stands at file scope: types, enumerators, globals, signatures. The
//! second lowers the bodies of the chosen function and of every function it calls, so that an unsupported construct
//! in a function that nobody asked about is not an error.
//!
//! Order of evaluation: operands from left to right. Where C leaves the order open this is one of the allowed ones;
//! where C makes it undefined, pct assumes what compilers do at `-O0`.

mod calls;
mod conditions;
mod declarations;
mod literals;
mod places;
mod statements;
mod types;
mod values;

use lang_c::ast;
use lang_c::span::{Node, Span as RawSpan};
use std::collections::{BTreeMap, HashMap, HashSet};

use super::position::Positions;
use crate::error::{Error, Result};
use crate::program::{
    Expr, Function, FunctionId, Global, IntKind, Place, Program, Role, Scope, Span, Step, VarId, Variable, VariableType,
};
use types::CType;

/// Lowers the function called `wanted` (or the only one, or `main`) and everything it calls.
pub(super) fn lower(
    unit: &ast::TranslationUnit,
    positions: Positions,
    wanted: Option<&str>,
) -> Result<(Program, FunctionId)> {
    let mut lowering = Lowering::new(positions);
    let definitions = lowering.file_scope(unit)?;
    let name = lowering.choose(&definitions, wanted)?;
    lowering.definitions = definitions;
    let chosen = lowering.function_id(&name);
    let mut next = 0;
    while next < lowering.requested.len() {
        let name = lowering.requested[next].clone();
        let function = lowering.function(&name)?;
        lowering.functions.push(function);
        next += 1;
    }
    Ok((lowering.into_program(), chosen))
}

/// What a name means.
#[derive(Clone, Debug)]
enum Name {
    /// A variable with its type in C.
    Variable(VarId, CType),
    /// A variable of a type that pct does not handle.
    Unsupported(CType),
    /// An enumeration constant.
    Enumerator(i128, IntKind),
    /// A type.
    Typedef(CType),
    /// A function: result and parameter types (`None` if undeclared).
    Function(CType, Option<Vec<CType>>),
}

/// The state of lowering.
struct Lowering<'a> {
    positions: Positions,
    variables: Vec<Variable>,
    globals: Vec<Global>,
    functions: Vec<Function>,
    /// Names of the functions to lower, in the order of their ids.
    requested: Vec<String>,
    definitions: BTreeMap<String, &'a Node<ast::FunctionDefinition>>,
    /// Scopes of names, innermost last; the first is file scope.
    scopes: Vec<HashMap<String, Name>>,
    /// Scopes of enumeration tags.
    tags: Vec<HashMap<String, CType>>,
    enumerators: Vec<(String, i128, IntKind)>,
    /// What a temporary stands for, said without side effects in the state before the expression.
    meanings: HashMap<VarId, Expr>,
    /// The variable that takes the result of the function being lowered.
    result: Option<VarId>,
    notes: Vec<String>,
    /// Functions that are declared not to return.
    noreturn: HashSet<String>,
}

impl<'a> Lowering<'a> {
    fn new(positions: Positions) -> Lowering<'a> {
        Lowering {
            positions,
            variables: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            requested: Vec::new(),
            definitions: BTreeMap::new(),
            scopes: vec![HashMap::new()],
            tags: vec![HashMap::new()],
            enumerators: Vec::new(),
            meanings: HashMap::new(),
            result: None,
            notes: Vec::new(),
            noreturn: HashSet::new(),
        }
    }

    fn into_program(self) -> Program {
        let mut typedefs: Vec<(String, IntKind)> = self.scopes[0]
            .iter()
            .filter_map(|(name, meaning)| match meaning {
                Name::Typedef(CType::Int(kind)) => Some((name.clone(), *kind)),
                _ => None,
            })
            .collect();
        typedefs.sort();
        Program {
            sources: self.positions.sources,
            variables: self.variables,
            functions: self.functions,
            globals: self.globals,
            typedefs,
            enumerators: self.enumerators,
            notes: self.notes,
        }
    }

    fn span(&self, span: RawSpan) -> Span {
        self.positions.span(span.start, span.end)
    }

    /// An error at a place: C that pct does not handle.
    fn unsupported(&self, span: RawSpan, what: impl std::fmt::Display, help: &str) -> Error {
        Error::source(
            &self.positions.sources,
            self.span(span),
            format!("pct does not handle {what} yet"),
            "not supported",
            help,
        )
    }

    /// An error at a place: C that no compiler takes.
    fn invalid(&self, span: RawSpan, message: impl Into<String>, help: &str) -> Error {
        Error::source(&self.positions.sources, self.span(span), message, "here", help)
    }

    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn lookup(&self, name: &str) -> Option<&Name> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    fn bind(&mut self, name: &str, meaning: Name) {
        let scope = self.scopes.last_mut().expect("file scope is always there");
        scope.insert(name.to_string(), meaning);
    }

    fn in_scope<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.scopes.push(HashMap::new());
        self.tags.push(HashMap::new());
        let result = work(self);
        self.scopes.pop();
        self.tags.pop();
        result
    }

    fn new_variable(&mut self, name: &str, ty: VariableType, role: Role, span: Span) -> VarId {
        let id = VarId(self.variables.len() as u32);
        self.variables.push(Variable { name: name.to_string(), ty, role, span });
        id
    }

    /// A fresh variable for an intermediate value; C cannot spell its name.
    fn temporary(&mut self, kind: IntKind) -> VarId {
        let name = format!("${}", self.variables.len());
        self.new_variable(&name, VariableType::Scalar(kind), Role::Temporary, Span::default())
    }

    /// Stores `value` in a temporary, so that later side effects do not change it.
    fn capture(&mut self, value: Expr, steps: &mut Vec<Step>) -> Expr {
        if value.is_constant() {
            return value;
        }
        let kind = value.ty;
        let temporary = self.temporary(kind);
        let meaning = self.without_temporaries(&value);
        if let Some(meaning) = meaning {
            self.meanings.insert(temporary, meaning);
        }
        steps.push(Step::Assign(Place::Variable(temporary), value));
        Expr::load(Place::Variable(temporary), kind)
    }

    /// `expr` with every temporary replaced by what it stands for, if that can be said.
    fn without_temporaries(&self, expr: &Expr) -> Option<Expr> {
        let said = expr.rewrite(&mut |place| self.meanings.get(&place.base()).cloned());
        let mut complete = true;
        said.for_each_variable(&mut |variable| {
            complete &= self.variables[variable.index()].role != Role::Temporary;
        });
        complete.then_some(said)
    }

    fn function_id(&mut self, name: &str) -> FunctionId {
        let position = self.requested.iter().position(|known| known == name);
        let index = position.unwrap_or_else(|| {
            self.requested.push(name.to_string());
            self.requested.len() - 1
        });
        FunctionId(index as u32)
    }

    /// The function to analyse: the one asked for, the only one of the file, or `main`. Those of included files count
    /// only if they are asked for by name.
    fn choose(
        &self,
        definitions: &BTreeMap<String, &Node<ast::FunctionDefinition>>,
        wanted: Option<&str>,
    ) -> Result<String> {
        let mut own: Vec<(usize, &str)> = definitions
            .iter()
            .filter(|(_, definition)| self.positions.is_in_named_file(definition.node.declarator.span.start))
            .map(|(name, definition)| (definition.span.start, name.as_str()))
            .collect();
        own.sort_unstable();
        let names: Vec<&str> = own.into_iter().map(|(_, name)| name).collect();
        match wanted {
            Some(wanted) if definitions.contains_key(wanted) => Ok(wanted.to_string()),
            Some(wanted) => Err(Error::usage_with_help(
                format!("there is no function `{wanted}` with a body in this file"),
                if names.is_empty() {
                    "the file defines no function".to_string()
                } else {
                    format!("it defines: {}", names.join(", "))
                },
            )),
            None => match names.as_slice() {
                [] => Err(Error::usage_with_help(
                    "the file defines no function",
                    "name a C file with a function that has a body",
                )),
                [only] => Ok((*only).to_string()),
                many if many.contains(&"main") => Ok("main".to_string()),
                many => Err(Error::usage_with_help(
                    "the file defines several functions: choose one with -f",
                    format!("it defines: {}", many.join(", ")),
                )),
            },
        }
    }

    /// Lowers the body of a function.
    fn function(&mut self, name: &str) -> Result<Function> {
        let definition = self.definitions[name];
        let span = self.span(definition.node.declarator.span);
        let (_, _, ty) = self.function_type(&definition.node)?;
        let CType::Function(result, _) = ty else {
            return Err(self.unsupported(definition.span, "this kind of definition", ""));
        };
        self.in_scope(|this| {
            let parameters = this.parameters(&definition.node)?;
            this.result = match *result {
                CType::Void => None,
                CType::Int(kind) => Some(this.temporary(kind)),
                ref other => {
                    return Err(this.unsupported(
                        definition.node.declarator.span,
                        format!("a function that returns {other}"),
                        "only integer results are handled",
                    ));
                }
            };
            let body = match &definition.node.statement.node {
                ast::Statement::Compound(items) => this.block_items(items)?,
                _ => Vec::new(),
            };
            Ok(Function { name: name.to_string(), parameters, result: this.result, body, span })
        })
    }
}

/// Lowers predicates: expressions over the variables of a scope.
pub(super) struct Resolver<'a>(Lowering<'a>);

impl<'a> Resolver<'a> {
    /// A resolver for the names of `scope`, with the types and constants of `program`.
    pub(super) fn new(positions: Positions, program: &Program, scope: &Scope) -> Resolver<'a> {
        let mut lowering = Lowering::new(positions);
        lowering.variables = program.variables.clone();
        for (name, kind) in &program.typedefs {
            lowering.bind(name, Name::Typedef(CType::Int(*kind)));
        }
        for (name, value, kind) in &program.enumerators {
            lowering.bind(name, Name::Enumerator(*value, *kind));
        }
        for (name, variable) in scope {
            let ty = CType::of_variable(&program.variables[variable.index()].ty);
            lowering.bind(name, Name::Variable(*variable, ty));
        }
        Resolver(lowering)
    }

    /// The predicate as a condition without side effects.
    pub(super) fn predicate(mut self, node: &Node<ast::Expression>) -> Result<Expr> {
        let mut steps = Vec::new();
        let value = self.0.pure(node, &mut steps)?.as_condition();
        if !steps.is_empty() {
            return Err(self.0.invalid(
                node.span,
                "this predicate has a side effect",
                "a predicate only observes: write it without calls, assignments, ++ and --",
            ));
        }
        Ok(value)
    }
}
