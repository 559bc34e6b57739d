//! Generating: paths → tests.

pub mod inputs;
