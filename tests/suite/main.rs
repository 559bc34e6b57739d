//! All integration tests in one binary: cargo links the library once.

mod bebop;
mod check_verdicts;
mod commands;
mod doctor;
mod examples;
mod execution;
mod explain;
mod kept;
mod layout;
mod limits;
mod measure;
mod paper;
mod path_programs;
mod pictures;
mod reading;
mod readme;
mod refine_by_hand;
mod refinement;
mod scripts;
mod soundness;
mod tested;

/// Whether a tool is there that a test cannot do without. It must be, unless `PCT_WITHOUT` says (as in `PCT_WITHOUT=clang`,
/// or `clang,ctest`) that what needs it is not to be tested here.
#[track_caller]
pub(crate) fn needed(tool: &str, help: &str) -> bool {
    let is_there = program(tool).arg("--version").output().is_ok_and(|output| output.status.success());
    let without = std::env::var("PCT_WITHOUT").unwrap_or_default();
    let is_excused = without.split(',').any(|word| word == tool);
    assert!(
        is_there || is_excused,
        "{tool} is missing: {help}, or let PCT_WITHOUT={tool} say that it is not to be tested"
    );
    is_there && !is_excused
}

/// A program that the tests use: on the PATH, or that of `make cmake`.
pub(crate) fn program(name: &str) -> std::process::Command {
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(".deps/cmake/cmake/data/bin").join(name);
    if own.exists() { std::process::Command::new(own) } else { std::process::Command::new(name) }
}
