//! pct: predicate-complete testing of C.
//!
//! The code map, in the order in which data flows. Each folder is one arrow from a named type to the next, and uses
//! only what stands above it (checked by `tests/suite/layout.rs`):
//!
//! | folder | does | from → to |
//! |---|---|---|
//! | [`program`] | data | the C that is analysed |
//! | [`frontend`] | parse | C file → `Program` |
//! | [`cfg`] | build | `Program` → `Cfg` |
//! | [`memory`] | lay out | `Cfg` → `Memory` |
//! | [`predicates`] | observe | `Cfg` + user → `PredicateSet` |
//! | [`logic`] | decide | questions → yes, no, unknown |
//! | [`abstraction`] | compute | `Cfg` + `PredicateSet` → `Abstraction` |
//! | [`bounds`] | bound | `Abstraction` → `Bounds` |
//! | [`paths`] | enumerate | `Abstraction` → paths |
//! | [`testgen`] | generate | paths → tests |
//! | [`execution`] | execute | tests → observations |
//! | [`refinement`] | refine | open states → new predicates, proofs |
//! | [`report`] | render | results → text, JSON, DOT, Boolean program |
//!
//! [`pipeline`] shows all phases on one screen.

pub mod config;

pub mod error;

pub mod process;

pub mod tools;

pub mod program;

pub mod frontend;

pub mod cfg;

pub mod memory;

pub mod predicates;

pub mod logic;

pub mod abstraction;

pub mod bounds;

pub mod paths;

pub mod testgen;

pub mod execution;

pub mod refinement;

pub mod report;

pub mod pipeline;

pub mod cli;
