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
mod scripts;
mod soundness;
