//! Parsing: C files → [`Program`].
//!
//! The real preprocessor of the user's compiler runs first, [`dialect`] rewrites what `lang-c` does not know, `lang-c`
//! parses the result, and lowering gives every expression its type, takes side effects out of expressions and
//! conditions apart. Positions are mapped back through the rewriting and the line markers, so every message speaks of
//! the file as the user wrote it. Only the chosen function and what it calls is lowered: C that pct does not handle
//! elsewhere in the file does no harm, not even if it does not parse, as long as it is inside a function.

mod compile_commands;
mod depth;
mod dialect;
mod instrument;
mod lower;
mod macros;
mod position;
mod predicate;
mod preprocess;

pub use instrument::{FileName, Instrumented, Plan, Probe, Registration, Replacement, instrument};
pub use macros::Macros;
pub use predicate::{Origin, PredicateText};
pub use preprocess::{CompilerOptions, compiler_options};

use crate::config::Config;
use crate::error::{Error, Result};
use crate::program::{Expr, FunctionId, Program, Scope, VarId};
use dialect::Standard;
use lower::Request;
use position::{Files, Positions};
use std::collections::BTreeMap;

/// lang-c recurses over the nesting of the source, so it gets a stack that nothing exhausts which [`dialect`] lets pass;
/// less if there is a limit on memory.
const PARSER_STACKS: [usize; 4] = [1 << 30, 256 << 20, 64 << 20, 16 << 20];

/// A file that has been parsed.
#[derive(Clone, Debug)]
struct Unit {
    /// Its syntax tree.
    tree: lang_c::ast::TranslationUnit,
    /// Where the places of the tree are in the files of the user.
    positions: Positions,
    /// Why bodies of functions could not be parsed; a mark with the number stands in their place.
    failures: Vec<Failure>,
    /// Whether it is what pct knows of the C library.
    is_library: bool,
    /// The standard that it is compiled for.
    standard: String,
}

/// Text that cannot be parsed.
#[derive(Clone, Debug)]
struct Failure {
    /// Where it is in the preprocessed text.
    start: usize,
    end: usize,
    message: String,
    label: &'static str,
    help: String,
}

impl Failure {
    fn error(&self, positions: &Positions) -> Error {
        let span = positions.preprocessed_span(self.start, self.end);
        Error::source(&positions.sources, span, self.message.clone(), self.label, self.help.clone())
    }
}

/// So many functions of a file may be impossible to parse; each costs another attempt.
const MOST_FAILURES: usize = 32;

/// What functions of the C library do.
const LIBRARY: &str = include_str!("library.c");

/// Reads the files of `config` and lowers the chosen function with everything it calls.
pub fn parse(config: &Config) -> Result<(Program, FunctionId)> {
    with_large_stack(|| {
        let units = read(config)?;
        let Some(first) = units.first() else {
            return Err(Error::usage("there is no file to read"));
        };
        let request = Request { function: config.function.as_deref(), havocked: &config.havocked };
        lower::lower(&units, &first.positions.sources, &request)
    })
}

/// The lengths that the user gives for what parameters point to, by parameter.
pub fn lengths(program: &Program, function: FunctionId, config: &Config) -> Result<BTreeMap<VarId, Expr>> {
    let mut scope = Scope::new();
    let globals = program.globals.iter().map(|global| global.variable);
    for variable in globals.chain(program.function(function).parameters.iter().copied()) {
        scope.insert(program.variable(variable).name.clone(), variable);
    }
    let mut lengths = BTreeMap::new();
    for (name, text) in &config.lengths {
        let parameter = program.function(function).parameters.iter().find(|id| program.variable(**id).name == *name);
        let Some(parameter) = parameter.filter(|id| program.variable(**id).ty.pointee().is_some()) else {
            return Err(Error::usage_with_help(
                format!("`{name}` is no pointer or array parameter of `{}`", program.function(function).name),
                "write --length PARAMETER=EXPRESSION, for example --length a=n",
            ));
        };
        let origin = Origin { name: "--length".to_string(), text: text.as_str().into(), line: 1 };
        let parsed = PredicateText::parse(program, None, &origin, 0, text)?;
        lengths.insert(*parameter, parsed.resolve_number(program, &scope)?);
    }
    Ok(lengths)
}

/// A function with a body that stands in one of the files that were named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefinedFunction {
    /// Its name.
    pub name: String,
    /// The file, as it was named.
    pub file: String,
    /// The line of its name, from 1.
    pub line: u32,
}

/// The functions with a body in the files of `config`, in the order of the text; those of headers do not count.
pub fn functions(config: &Config) -> Result<Vec<DefinedFunction>> {
    with_large_stack(|| {
        let mut functions = Vec::new();
        for unit in read(config)?.into_iter().filter(|unit| !unit.is_library) {
            for (name, span) in lower::defined(&unit) {
                let file = unit.positions.sources.file(span).0.to_string();
                functions.push(DefinedFunction { name, file, line: span.line });
            }
        }
        Ok(functions)
    })
}

/// Preprocesses and parses every file; the places of all units are in the same set of files.
fn read(config: &Config) -> Result<Vec<Unit>> {
    let mut files = Files::default();
    let mut texts = Vec::new();
    for file in &config.files {
        let preprocessed = preprocess::preprocess(file, config)?;
        files.add(&file.display().to_string(), &preprocessed.path, preprocessed.original.as_str().into());
        texts.push((preprocessed.text, preprocessed.standard));
    }
    let mut units = Vec::new();
    let mut order = 0_u32;
    for (main, (text, standard)) in texts.into_iter().enumerate() {
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let positions = Positions::new(&mut files, main as u32, text, order);
        order = order.saturating_add(length);
        let (tree, failures) = parse_file(&positions, Standard::of(&standard))?;
        units.push(Unit { tree, positions, failures, is_library: false, standard });
    }
    let name = "the C library";
    files.add(name, name, LIBRARY.into());
    let main = files.map.files.len() as u32 - 1;
    let positions = Positions::new(&mut files, main, LIBRARY.to_string(), order);
    let tree = parse_unit(&positions, Standard::Older)?;
    units.push(Unit { tree, positions, failures: Vec::new(), is_library: true, standard: String::new() });
    // Later units may have brought more files.
    for unit in &mut units {
        unit.positions.sources = files.map.clone();
    }
    Ok(units)
}

/// Parses the preprocessed text of `positions`.
fn parse_unit(positions: &Positions, standard: Standard) -> Result<lang_c::ast::TranslationUnit> {
    let (tree, origins) = parse_text(positions.preprocessed(), standard).map_err(|failure| failure.error(positions))?;
    positions.rewritten(origins);
    Ok(tree)
}

/// Parses the preprocessed text of `positions`; functions that cannot be parsed keep a mark in the place of their body.
fn parse_file(positions: &Positions, standard: Standard) -> Result<(lang_c::ast::TranslationUnit, Vec<Failure>)> {
    let mut text = positions.preprocessed().to_string();
    let mut failures: Vec<Failure> = Vec::new();
    loop {
        let failure = match parse_text(&text, standard) {
            Ok((tree, origins)) => {
                positions.rewritten(origins);
                return Ok((tree, failures));
            }
            Err(failure) => failure,
        };
        let without = dialect::without_body(&text, failure.start, failures.len());
        match without.filter(|_| failures.len() < MOST_FAILURES) {
            Some(shorter) => text = shorter,
            None => return Err(failure.error(positions)),
        }
        failures.push(failure);
    }
}

/// Parses preprocessed text; gives back the tree, and where the parsed text came from.
fn parse_text(
    text: &str,
    standard: Standard,
) -> std::result::Result<(lang_c::ast::TranslationUnit, dialect::Origins), Failure> {
    let rewritten = dialect::rewrite(text, standard).map_err(|refusal| Failure {
        start: refusal.start,
        end: refusal.end,
        message: refusal.message,
        label: "here",
        help: refusal.help,
    })?;
    let origins = rewritten.origins;
    let configuration = lang_c::driver::Config { flavor: lang_c::driver::Flavor::GnuC11, ..Default::default() };
    let unit = match lang_c::driver::parse_preprocessed(&configuration, rewritten.text) {
        Ok(parsed) => parsed.unit,
        Err(error) => {
            let (start, end) = origins.original(error.offset, error.offset + 1);
            let message = "this is not C that pct can parse".to_string();
            return Err(Failure {
                start,
                end,
                message,
                label: "the parser stops here",
                help: expectation(&error.expected),
            });
        }
    };
    if let Some(span) = depth::too_deep(&unit) {
        let (start, end) = origins.original(span.start, span.end);
        let message = format!("this is nested more than {} deep", depth::DEEPEST);
        let help = "split it into several statements or functions".to_string();
        return Err(Failure { start, end, message, label: "here", help });
    }
    Ok((unit, origins))
}

/// The parser lists tokens; a short list helps, a long one does not.
fn expectation(expected: &std::collections::HashSet<&'static str>) -> String {
    let mut tokens: Vec<&str> = expected.iter().copied().filter(|t| !t.contains('[')).collect();
    tokens.sort_unstable();
    if tokens.is_empty() || tokens.len() > 6 {
        "compile it with `cc -fsyntax-only` to see what the compiler says".to_string()
    } else {
        format!("expected {}", tokens.join(", "))
    }
}

/// Runs `work` on a thread with a large stack.
fn with_large_stack<T: Send>(work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    crate::process::with_stack(&PARSER_STACKS, work)?
}
