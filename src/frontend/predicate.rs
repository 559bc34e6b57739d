//! Predicates as the user writes them: C expressions, read with the types and constants of the program.
//!
//! A predicate is parsed once and resolved for each point, in the scope of that point: so `i < n` speaks of whichever
//! `i` is visible there.

use lang_c::ast;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::dialect::{self, Standard};
use super::lower::Resolver;
use super::macros::Macros;
use super::position::{Files, Positions};
use super::{Unit, parse_unit, with_large_stack};
use crate::error::{Error, Result};
use crate::program::{Expr, Program, Scope, Span};

const NOT_AN_EXPRESSION: &str = "this predicate is not a C expression";

/// Where a predicate was written.
#[derive(Clone, Debug)]
pub struct Origin {
    /// A file, or the option of the command line.
    pub name: String,
    /// The whole text of it.
    pub text: Arc<str>,
    /// The line of the predicate in it, from 1.
    pub line: u32,
}

/// A predicate that has been parsed, but not yet resolved.
#[derive(Clone, Debug)]
pub struct PredicateText {
    /// The expression as written, without surrounding space.
    pub text: String,
    unit: Unit,
    /// The words in it: every name that it mentions, and more.
    words: BTreeSet<String>,
}

impl PredicateText {
    /// Parses the expression `text`, which stands at `column` of its line; `macros` are expanded in it.
    pub fn parse(
        program: &Program,
        macros: Option<&Macros>,
        origin: &Origin,
        column: usize,
        text: &str,
    ) -> Result<PredicateText> {
        let mut files = Files::default();
        files.add(&origin.name, &origin.name, Arc::clone(&origin.text));
        let not_an_expression = |start: usize, length: usize, label: &str| {
            let line_start: usize =
                origin.text.split_inclusive('\n').take(origin.line as usize - 1).map(str::len).sum();
            let offset = (line_start + column + start) as u32;
            let span = Span { file: 0, line: origin.line, offset, length: length as u32, order: 0 };
            let error = Error::source(&files.map, span, NOT_AN_EXPRESSION, label, "");
            Err(as_predicate_error(error, None))
        };
        // Brackets that fit together only with those that are put around the text are an error.
        if let Some((start, end)) = dialect::lonely_bracket(text) {
            return not_an_expression(start, end - start, "this bracket has no partner");
        }
        let expanded = match macros {
            Some(macros) => match macros.expand(text)? {
                Some(expanded) => expanded,
                None => return not_an_expression(0, text.len(), "a macro is used wrongly"),
            },
            None => text.to_string(),
        };
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let words = expanded.split(|c| !is_part(c)).filter(|word| !word.is_empty()).map(String::from).collect();
        let mut wrapped = String::new();
        for (name, _) in &program.typedefs {
            wrapped.push_str(&format!("typedef int {name};\n"));
        }
        // The closing brackets stand on a line of their own, so a comment in the text cannot hide them.
        wrapped.push_str(&format!(
            "void predicate(void) {{ (\n# {} \"{}\"\n{:column$}{expanded}\n); }}\n",
            origin.line,
            origin.name.replace('\\', "\\\\").replace('"', "\\\""),
            "",
        ));
        let positions = Positions::new(&mut files, 0, wrapped, 0);
        let standard = macros.map_or(Standard::Older, Macros::standard);
        let tree = with_large_stack(|| parse_unit(&positions, standard))
            .map_err(|error| as_predicate_error(error, Some(NOT_AN_EXPRESSION)))?;
        let parsed = PredicateText {
            text: text.trim().to_string(),
            unit: Unit { tree, positions, failures: Vec::new(), is_library: false, standard: String::new() },
            words,
        };
        if parsed.expression().is_none() {
            return Err(Error::usage_with_help(
                format!("`{}` is not one C expression", parsed.text),
                "a predicate is a single expression without side effects",
            ));
        }
        Ok(parsed)
    }

    /// What of a scope the expression can speak of.
    pub fn relevant(&self, scope: &Scope) -> Scope {
        let entries = self.words.iter().filter_map(|word| scope.get_key_value(word));
        entries.map(|(name, variable)| (name.clone(), *variable)).collect()
    }

    /// The expression with its names resolved in `scope`.
    pub fn resolve(&self, program: &Program, scope: &Scope) -> Result<Expr> {
        let expression = self.expression().expect("checked when it was parsed");
        // No thread of its own: this is asked for every predicate at every point, and predicates are not deep.
        Resolver::new(std::slice::from_ref(&self.unit), program, scope)
            .predicate(expression)
            .map_err(|error| as_predicate_error(error, None))
    }

    /// The value of the expression, which must be an integer.
    pub fn resolve_number(&self, program: &Program, scope: &Scope) -> Result<Expr> {
        let expression = self.expression().expect("checked when it was parsed");
        Resolver::new(std::slice::from_ref(&self.unit), program, scope)
            .number(expression)
            .map_err(|error| as_predicate_error(error, None))
    }

    /// The expression inside the function it was wrapped in, if it is exactly one.
    fn expression(&self) -> Option<&lang_c::span::Node<ast::Expression>> {
        let ast::ExternalDeclaration::FunctionDefinition(function) = &self.unit.tree.0.last()?.node else {
            return None;
        };
        let ast::Statement::Compound(items) = &function.node.statement.node else {
            return None;
        };
        let [item] = items.as_slice() else {
            return None;
        };
        let ast::BlockItem::Statement(statement) = &item.node else {
            return None;
        };
        match &statement.node {
            ast::Statement::Expression(Some(expression)) => Some(expression),
            _ => None,
        }
    }
}

/// The same error, told of a predicate: it is the request that is wrong, not the program. A `message` replaces what was
/// said about the program.
fn as_predicate_error(error: Error, message: Option<&str>) -> Error {
    match error {
        Error::Source(mut located) => {
            if let Some(message) = message {
                located.message = message.to_string();
                located.help = None;
            } else if located.message.ends_with("is not declared") {
                let help = "a predicate speaks of variables that are in scope at some point of the function";
                located.help = Some(help.to_string());
            }
            Error::Predicate(located)
        }
        other => other,
    }
}
