//! Lowering: syntax tree → [`Program`].
//!
//! Two passes over each file. The first reads what stands at file scope: types, enumerators, globals, signatures. The
//! second lowers the bodies of the chosen function and of every function it calls, so that an unsupported construct
//! in a function that nobody asked about is not an error.
//!
//! Order of evaluation: operands from left to right. Where C leaves the order open this is one of the allowed ones;
//! where C makes it undefined, pct assumes what compilers do at `-O0`.

mod builtins;
mod calls;
mod conditions;
mod declarations;
mod initializers;
mod literals;
mod operators;
mod places;
mod records;
mod statements;
mod types;
mod values;

pub(super) use declarations::declared_name;

use lang_c::ast;
use lang_c::span::{Node, Span as RawSpan};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::Unit;
use crate::error::{Error, Result};
use crate::program::{
    Environment, Expr, Function, FunctionId, Global, IntKind, Place, Program, Record, Role, Scope, Signature,
    SourceMap, Span, Step, Type, VarId, Variable,
};

/// What is asked of lowering.
pub(super) struct Request<'a> {
    /// The function to analyse; if absent, the only one of the first file, or `main`.
    pub(super) function: Option<&'a str>,
    /// Functions that are taken as undefined, although they have a body.
    pub(super) havocked: &'a [String],
}

/// Lowers the wanted function and everything it calls.
pub(super) fn lower(units: &[Unit], sources: &SourceMap, request: &Request<'_>) -> Result<(Program, FunctionId)> {
    let mut lowering = Lowering::new(units, sources);
    lowering.havocked = request.havocked.iter().cloned().collect();
    for (number, unit) in units.iter().enumerate() {
        lowering.enter_unit(number);
        lowering.file_scope(&unit.tree)?;
        lowering.leave_unit();
    }
    for name in request.havocked {
        if !lowering.definitions.keys().any(|(_, known)| known == name) {
            return Err(Error::usage_with_help(
                format!("there is no function `{name}` with a body to take as undefined"),
                "--havoc names a function that the files define, or one of the C library that pct knows",
            ));
        }
    }
    let (unit, name) = lowering.choose(request.function)?;
    let chosen = lowering.function_id(unit, &name);
    let mut next = 0;
    while next < lowering.requested.len() {
        let (unit, name) = lowering.requested[next].clone();
        lowering.enter_unit(unit);
        let function = lowering.function(&name)?;
        lowering.leave_unit();
        lowering.functions.push(function);
        next += 1;
    }
    Ok((lowering.into_program(), chosen))
}

/// What a name means.
#[derive(Clone, Debug)]
enum Name {
    /// A variable with its type.
    Variable(VarId, Type),
    /// An enumeration constant.
    Enumerator(i128, IntKind),
    /// A type.
    Typedef(Type),
    /// A function.
    Function(Signature),
}

/// Variables for the lengths of VLAs, with the steps that compute them.
type LengthSteps = Vec<(VarId, Vec<Step>)>;

/// The names of one file.
#[derive(Clone, Debug, Default)]
struct FileScope {
    names: HashMap<String, Name>,
    tags: HashMap<String, Type>,
}

/// A function definition: where it is, and whether other files see it.
#[derive(Clone, Copy)]
struct Definition<'a> {
    node: &'a Node<ast::FunctionDefinition>,
    is_static: bool,
}

/// The state of lowering.
struct Lowering<'a> {
    units: &'a [Unit],
    /// The file that is being lowered.
    unit: usize,
    sources: &'a SourceMap,
    file_scopes: Vec<FileScope>,
    variables: Vec<Variable>,
    globals: Vec<Global>,
    /// Globals that all files share, by name.
    linked: HashMap<String, (VarId, Type)>,
    records: Vec<Record>,
    functions: Vec<Function>,
    /// The functions to lower, in the order of their ids.
    requested: Vec<(usize, String)>,
    definitions: BTreeMap<(usize, String), Definition<'a>>,
    /// Scopes of names, innermost last; the first is file scope.
    scopes: Vec<HashMap<String, Name>>,
    /// Scopes of tags.
    tags: Vec<HashMap<String, Type>>,
    enumerators: Vec<(String, i128, IntKind)>,
    /// What a temporary stands for, said without side effects in the state before the expression.
    meanings: HashMap<VarId, Expr>,
    /// Temporaries that hold an address as a number.
    addresses: HashMap<VarId, Expr>,
    /// The string literals.
    strings: HashMap<Vec<u8>, VarId>,
    /// The variable that takes the result of the function being lowered, with its type.
    result: Option<(VarId, Type)>,
    /// Where the lengths of VLAs are computed while a declaration is read.
    lengths: Option<LengthSteps>,
    /// The type that the result of an allocation is converted to, if it is known.
    allocated: Option<Type>,
    /// The name of the function being lowered.
    function_name: String,
    notes: Vec<String>,
    assumptions: BTreeSet<String>,
    /// The functions without a body that are called and return.
    undefined: Vec<String>,
    /// What the environment does in the place of functions without a body.
    environment: BTreeMap<String, Environment>,
    /// Functions that are declared not to return.
    noreturn: HashSet<String>,
    havocked: HashSet<String>,
    /// Functions whose address is taken.
    address_taken: BTreeSet<FunctionId>,
}

impl<'a> Lowering<'a> {
    fn new(units: &'a [Unit], sources: &'a SourceMap) -> Lowering<'a> {
        Lowering {
            units,
            unit: 0,
            sources,
            file_scopes: vec![FileScope::default(); units.len()],
            variables: Vec::new(),
            globals: Vec::new(),
            linked: HashMap::new(),
            records: Vec::new(),
            functions: Vec::new(),
            requested: Vec::new(),
            definitions: BTreeMap::new(),
            scopes: vec![HashMap::new()],
            tags: vec![HashMap::new()],
            enumerators: Vec::new(),
            meanings: HashMap::new(),
            addresses: HashMap::new(),
            strings: HashMap::new(),
            result: None,
            lengths: None,
            allocated: None,
            function_name: String::new(),
            notes: Vec::new(),
            assumptions: BTreeSet::new(),
            undefined: Vec::new(),
            environment: BTreeMap::new(),
            noreturn: HashSet::new(),
            havocked: HashSet::new(),
            address_taken: BTreeSet::new(),
        }
    }

    fn into_program(self) -> Program {
        let mut typedefs = BTreeMap::new();
        let mut tags = BTreeMap::new();
        // Where files disagree about a name, the first one counts.
        for scope in self.file_scopes.iter().rev() {
            for (name, meaning) in sorted(&scope.names) {
                if let Name::Typedef(ty) = meaning {
                    typedefs.insert(name.clone(), ty.clone());
                }
            }
            for (name, ty) in sorted(&scope.tags) {
                tags.insert(name.clone(), ty.clone());
            }
        }
        let mut assumptions: Vec<String> = self.assumptions.into_iter().collect();
        match self.undefined.as_slice() {
            [] => {}
            [only] => assumptions
                .push(format!("`{only}`, which has no body, changes nothing but what it is given a pointer to")),
            many => assumptions.push(format!(
                "`{}`, which have no body, change nothing but what they are given a pointer to",
                many.join("`, `")
            )),
        }
        Program {
            sources: self.sources.clone(),
            variables: self.variables,
            functions: self.functions,
            records: self.records,
            globals: self.globals,
            typedefs: typedefs.into_iter().collect(),
            tags: tags.into_iter().collect(),
            enumerators: self.enumerators,
            address_taken: self.address_taken.into_iter().collect(),
            notes: self.notes,
            environment: self.environment,
            assumptions,
        }
    }

    fn enter_unit(&mut self, unit: usize) {
        self.unit = unit;
        let FileScope { names, tags } = std::mem::take(&mut self.file_scopes[unit]);
        self.scopes = vec![names];
        self.tags = vec![tags];
    }

    fn leave_unit(&mut self) {
        let names = self.scopes.swap_remove(0);
        let tags = self.tags.swap_remove(0);
        self.file_scopes[self.unit] = FileScope { names, tags };
    }

    fn span(&self, span: RawSpan) -> Span {
        self.units[self.unit].positions.span(span.start, span.end)
    }

    /// An error at a place: C that pct does not handle.
    fn unsupported(&self, span: RawSpan, what: impl std::fmt::Display, help: &str) -> Error {
        Error::source(self.sources, self.span(span), format!("pct does not handle {what} yet"), "not supported", help)
    }

    /// An error at a place: C that no compiler takes.
    fn invalid(&self, span: RawSpan, message: impl Into<String>, help: &str) -> Error {
        Error::source(self.sources, self.span(span), message, "here", help)
    }

    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Notes something that the upper bound rests on.
    fn assume(&mut self, assumption: impl Into<String>) {
        self.assumptions.insert(assumption.into());
    }

    /// The words for a type.
    fn words(&self, ty: &Type) -> String {
        ty.display(&self.records).to_string()
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

    fn new_variable(&mut self, name: &str, ty: Type, role: Role, span: Span) -> VarId {
        let id = VarId(self.variables.len() as u32);
        self.variables.push(Variable { name: name.to_string(), ty, role, span });
        id
    }

    /// A fresh variable for an intermediate value; C cannot spell its name.
    fn temporary(&mut self, ty: Type) -> VarId {
        let name = format!("${}", self.variables.len());
        self.new_variable(&name, ty, Role::Temporary, Span::default())
    }

    /// A fresh temporary as a place.
    fn temporary_place(&mut self, ty: &Type) -> Place {
        let ty = ty.plain().clone();
        Place::variable(self.temporary(ty.clone()), ty)
    }

    /// Stores `value` in a temporary, so that later side effects do not change it.
    fn capture(&mut self, value: Expr, steps: &mut Vec<Step>) -> Expr {
        if value.is_constant() {
            return value;
        }
        let temporary = self.temporary(value.ty.clone());
        let meaning = self.without_temporaries(&value);
        if let Some(meaning) = meaning {
            self.meanings.insert(temporary, meaning);
        }
        let place = Place::variable(temporary, value.ty.clone());
        steps.push(Step::Assign(place.clone(), value));
        Expr::load(place)
    }

    /// `expr` with every temporary replaced by what it stands for, if that can be said.
    fn without_temporaries(&self, expr: &Expr) -> Option<Expr> {
        let said = expr.replaced(&mut |place| self.meanings.get(&place.as_variable()?).cloned());
        let mut complete = true;
        said.for_each_variable(&mut |variable| {
            complete &= self.variables[variable.index()].role != Role::Temporary;
        });
        complete.then_some(said)
    }

    fn function_id(&mut self, unit: usize, name: &str) -> FunctionId {
        let key = (unit, name.to_string());
        let index = self.requested.iter().position(|known| *known == key).unwrap_or_else(|| {
            self.requested.push(key);
            self.requested.len() - 1
        });
        FunctionId(index as u32)
    }

    /// Whether the file that is being lowered is what pct knows of the C library.
    fn is_library(&self) -> bool {
        self.units[self.unit].is_library
    }

    /// The file that defines what `name` means here: this one, or another one if it is not static there.
    fn defining_unit(&self, name: &str) -> Option<usize> {
        if self.havocked.contains(name) {
            return None;
        }
        let own = (self.unit, name.to_string());
        if self.definitions.contains_key(&own) {
            return Some(self.unit);
        }
        let visible = self.definitions.iter().find(|((_, other), definition)| other == name && !definition.is_static);
        visible.map(|((unit, _), _)| *unit)
    }

    /// The function to analyse: the one asked for, the only one of the first file, or `main`. Those of included files
    /// count only if they are asked for by name.
    fn choose(&mut self, wanted: Option<&str>) -> Result<(usize, String)> {
        let mut own: Vec<(usize, usize, &str)> = Vec::new();
        for ((unit, name), definition) in &self.definitions {
            if !self.units[*unit].is_library
                && self.units[*unit].positions.is_in_named_file(definition.node.node.declarator.span.start)
            {
                own.push((*unit, definition.node.span.start, name.as_str()));
            }
        }
        own.sort_unstable();
        let names: Vec<&str> = own.iter().map(|(_, _, name)| *name).collect();
        let place_of = |name: &str| {
            let units = self.definitions.keys().filter(|(unit, known)| known == name && !self.units[*unit].is_library);
            let units = units.map(|(unit, _)| *unit);
            units.min()
        };
        match wanted {
            Some(wanted) => match place_of(wanted) {
                Some(unit) => Ok((unit, wanted.to_string())),
                None => Err(Error::usage_with_help(
                    format!("there is no function `{wanted}` with a body in this file"),
                    if names.is_empty() {
                        "the file defines no function".to_string()
                    } else {
                        format!("it defines: {}", names.join(", "))
                    },
                )),
            },
            None => match names.as_slice() {
                [] => Err(Error::usage_with_help(
                    "the file defines no function",
                    "name a C file with a function that has a body",
                )),
                [_] => Ok((own[0].0, own[0].2.to_string())),
                many if many.contains(&"main") => {
                    Ok((place_of("main").expect("it is one of them"), "main".to_string()))
                }
                many => Err(Error::usage_with_help(
                    "the file defines several functions: choose one with -f",
                    format!("it defines: {}", many.join(", ")),
                )),
            },
        }
    }

    /// Lowers a function: its body, or a body that does anything if it is defined elsewhere.
    fn function(&mut self, name: &str) -> Result<Function> {
        let Some(&Definition { node: definition, .. }) =
            self.definitions.get(&(self.unit, name.to_string())).filter(|_| !self.havocked.contains(name))
        else {
            return self.undefined_function(name);
        };
        let span = self.span(definition.node.declarator.span);
        self.function_name = name.to_string();
        self.in_scope(|this| {
            let (signature, parameters, mut body) = this.parameters(&definition.node)?;
            this.result = match &signature.result {
                Type::Void => None,
                ty => {
                    this.require_handled(ty, definition.node.declarator.span)?;
                    Some((this.temporary(ty.plain().clone()), ty.clone()))
                }
            };
            if let ast::Statement::Compound(items) = &definition.node.statement.node {
                body.extend(this.block_items(items)?);
            }
            let result = this.result.take().map(|(variable, _)| variable);
            let is_library = this.is_library();
            Ok(Function { name: name.to_string(), signature, parameters, result, body, span, is_library })
        })
    }
}

/// The entries of a map in the order of their names.
fn sorted<T>(map: &HashMap<String, T>) -> Vec<(&String, &T)> {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by_key(|(name, _)| *name);
    entries
}

/// Lowers predicates: expressions over the variables of a scope.
pub(super) struct Resolver<'a>(Lowering<'a>);

impl<'a> Resolver<'a> {
    /// A resolver for the names of `scope`, with the types and constants of `program`. The unit is the text of the
    /// predicate.
    pub(super) fn new(units: &'a [Unit], program: &'a Program, scope: &Scope) -> Resolver<'a> {
        let mut lowering = Lowering::new(units, &units[0].positions.sources);
        lowering.variables = program.variables.clone();
        lowering.records = program.records.clone();
        for (name, ty) in &program.typedefs {
            lowering.bind(name, Name::Typedef(ty.clone()));
        }
        for (tag, ty) in &program.tags {
            lowering.tags[0].insert(tag.clone(), ty.clone());
        }
        for (name, value, kind) in &program.enumerators {
            lowering.bind(name, Name::Enumerator(*value, *kind));
        }
        // The functions whose addresses a predicate may compare with.
        for function in &program.functions {
            lowering.requested.push((0, function.name.clone()));
            lowering.bind(&function.name, Name::Function(function.signature.clone()));
        }
        for (name, variable) in scope {
            let ty = program.variables[variable.index()].ty.clone();
            lowering.bind(name, Name::Variable(*variable, ty));
        }
        Resolver(lowering)
    }

    /// The predicate as a condition without side effects.
    pub(super) fn predicate(self, node: &Node<ast::Expression>) -> Result<Expr> {
        self.without_effects(node).map(Expr::as_condition)
    }

    /// An integer without side effects.
    pub(super) fn number(self, node: &Node<ast::Expression>) -> Result<Expr> {
        let not_a_number = self.0.invalid(node.span, "this is no integer", "a length is a number of elements");
        let value = self.without_effects(node)?;
        if value.ty.int_kind().is_some() { Ok(value) } else { Err(not_a_number) }
    }

    fn without_effects(mut self, node: &Node<ast::Expression>) -> Result<Expr> {
        let known = self.0.variables.len();
        let mut steps = Vec::new();
        let value = self.0.pure(node, &mut steps)?;
        if !steps.is_empty() || self.0.variables.len() > known {
            return Err(self.0.invalid(
                node.span,
                "this predicate has a side effect",
                "a predicate only observes: write it without calls, assignments, ++ and --",
            ));
        }
        Ok(value)
    }
}

/// The functions that a file defines itself, not in what it includes: name and place, in the order of the text. Nothing
/// is lowered, so C that pct does not handle is no obstacle.
pub(super) fn defined(unit: &Unit) -> Vec<(String, Span)> {
    let mut found = Vec::new();
    for external in &unit.tree.0 {
        let ast::ExternalDeclaration::FunctionDefinition(definition) = &external.node else { continue };
        let mut declarator = &definition.node.declarator.node;
        while let ast::DeclaratorKind::Declarator(inner) = &declarator.kind.node {
            declarator = &inner.node;
        }
        let ast::DeclaratorKind::Identifier(name) = &declarator.kind.node else { continue };
        if unit.positions.is_in_named_file(name.span.start) {
            found.push((name.node.name.clone(), unit.positions.span(name.span.start, name.span.end)));
        }
    }
    found
}
