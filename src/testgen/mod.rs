//! Generating: paths → tests. Here: the inputs that CBMC finds for a path program.

pub mod cbmc;
