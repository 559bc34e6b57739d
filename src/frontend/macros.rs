//! The macros of the program, so that predicates can use them.

use std::collections::HashSet;

use super::dialect::{self, Standard};
use super::preprocess;
use crate::config::Config;
use crate::error::Result;

/// The macros that are defined at the end of the first file.
#[derive(Clone, Debug)]
pub struct Macros {
    config: Config,
    definitions: String,
    names: HashSet<String>,
    standard: String,
}

impl Macros {
    /// Asks the preprocessor.
    pub fn of(config: &Config) -> Result<Macros> {
        let (definitions, standard) = match config.files.first() {
            Some(file) => preprocess::definitions(file, config)?,
            None => Default::default(),
        };
        let names = definitions.lines().filter_map(defined_name).map(str::to_string).collect();
        Ok(Macros { config: config.clone(), definitions, names, standard })
    }

    /// `text` with its macros expanded; `None` if it uses a macro in a way that the preprocessor refuses.
    pub(super) fn expand(&self, text: &str) -> Result<Option<String>> {
        if dialect::names(text).iter().any(|name| self.names.contains(*name)) {
            preprocess::expand(&self.definitions, text, &self.standard, &self.config)
        } else {
            Ok(Some(text.to_string()))
        }
    }

    /// The language of the program.
    pub(super) fn standard(&self) -> Standard {
        Standard::of(&self.standard)
    }
}

/// `#define MAX(a, b) …` → `MAX`
fn defined_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("#define ")?;
    rest.split(|c: char| c == '(' || c.is_whitespace()).next()
}
