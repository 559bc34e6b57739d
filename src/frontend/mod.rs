//! Parsing: C file → [`Program`].
//!
//! The real preprocessor of the user's compiler runs first, `lang-c` parses its output, and lowering gives every
//! expression its type, takes side effects out of expressions and conditions apart. Positions are mapped back through
//! the line markers, so every message speaks of the file as the user wrote it. Only the chosen function and what it
//! calls is lowered: C that pct does not handle elsewhere in the file does no harm.

mod lower;
mod position;
mod predicate;
mod preprocess;

pub use predicate::{Origin, PredicateText};

use crate::config::Config;
use crate::error::{Error, Result};
use crate::program::{FunctionId, Program};
use lower::{Request, Unit};
use position::Positions;

/// lang-c recurses over the nesting of the source, so it gets a stack that real programs do not exhaust; less if there
/// is a limit on memory.
const PARSER_STACKS: [usize; 4] = [1 << 30, 256 << 20, 64 << 20, 16 << 20];

/// Reads the file of `config` and lowers the chosen function with everything it calls.
pub fn parse(config: &Config) -> Result<(Program, FunctionId)> {
    let (original, preprocessed) = preprocess::preprocess(&config.file, &config.compiler)?;
    let name = config.file.display().to_string();
    let positions = Positions::new(&name, original.into(), &preprocessed);
    with_large_stack(|| {
        let tree = parse_unit(&preprocessed, &positions)?;
        let unit = Unit { tree: &tree, text: &preprocessed, positions: &positions };
        let request = Request { function: config.function.as_deref(), havocked: &config.havocked };
        lower::lower(&[unit], &positions.sources, &request)
    })
}

fn parse_unit(text: &str, positions: &Positions) -> Result<lang_c::ast::TranslationUnit> {
    let configuration = lang_c::driver::Config { flavor: lang_c::driver::Flavor::GnuC11, ..Default::default() };
    match lang_c::driver::parse_preprocessed(&configuration, text.to_string()) {
        Ok(parsed) => Ok(parsed.unit),
        Err(error) => {
            let span = positions.span(text, error.offset, error.offset + 1);
            Err(Error::source(
                &positions.sources,
                span,
                "this is not C that pct can parse",
                "the parser stops here",
                expectation(&error.expected),
            ))
        }
    }
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
