//! All integration tests in one binary: cargo links the library once.

mod layout;
mod soundness;
