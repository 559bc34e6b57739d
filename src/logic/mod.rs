//! Deciding: questions about states → yes, no or unknown. The only user of Z3.
//!
//! Terms ([`term`]) are hash-consed and simplified when they are built, so that what is plain from the shape of a
//! formula never becomes a question. [`translate`] turns C expressions into terms, together with the conditions under
//! which C defines their value; [`access`] reads and writes the cells of the memory. [`transfer`] composes everything between two points into one guarded parallel
//! assignment per target, which gives weakest preconditions by substitution; [`inverse`] turns it around for strongest
//! postconditions. [`intervals`] finds ranges
//! that always hold. [`solver`] asks Z3; [`independent`] asks it again, for certificates.

pub mod access;
pub mod floats;
pub mod independent;
pub mod intervals;
pub mod inverse;
pub mod solver;
pub mod term;
pub mod transfer;
pub mod translate;

mod encode;
mod linear;
mod simplify;
#[cfg(test)]
mod tests;
mod watchdog;

use std::path::PathBuf;

use crate::tools::Found;

/// The Z3 library that is in use. Without it pct would not have started.
pub fn library() -> Found {
    // "Z3 5.3.2.0 …"
    let full = z3::full_version();
    let version = full.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()));
    // Linux tells which files are loaded; elsewhere, or if it is linked in, pct itself is the place.
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let loaded =
        maps.lines().filter_map(|line| line.find('/').map(|at| &line[at..])).find(|path| path.contains("libz3"));
    let path = loaded.map(PathBuf::from).or_else(|| std::env::current_exe().ok()).unwrap_or_default();
    Found { path, version: version.unwrap_or(full).to_string() }
}

/// The answer to a question. A time-out is [`Answer::Unknown`], never "no".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It is so.
    Yes,
    /// It is not so.
    No,
    /// The solver gave up.
    Unknown,
}
