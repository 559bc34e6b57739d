//! What the environment gives to one run of a function: the memory at the start, and what is asked for later.
//!
//! Memory is bytes, laid out as the compiler does it, with a list of those that are addresses. So a test can be written
//! into memory as it is, whatever its types, and printed as C.

use std::collections::BTreeMap;

pub use crate::program::Source;
use crate::program::{FunctionId, Type, VarId};

/// The inputs of one run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// What pointers point to that has no name in C.
    pub objects: Vec<Object>,
    /// The first values of parameters and globals. A parameter that is not listed is zero, a global keeps its initial value.
    pub variables: BTreeMap<VarId, Image>,
    /// What the environment answers during the run, in the order in which it is asked. Afterwards it answers zero.
    pub answers: Vec<Answered>,
}

/// An object without a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// A name for messages and printed tests.
    pub name: String,
    /// The type of one element.
    pub ty: Type,
    /// The index of the first element that is laid out; negative if there is padding before the object.
    pub first: i64,
    /// How many elements the object has for the program, from index 0 on; what is laid out around them is padding, which
    /// predicates can read and the program cannot. If absent, everything is the program's.
    pub length: Option<u64>,
    /// The bytes of all elements that are laid out.
    pub image: Image,
}

/// A stretch of memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Image {
    /// Its bytes; zero where an address stands.
    pub bytes: Vec<u8>,
    /// The addresses in it, by their place.
    pub addresses: BTreeMap<u64, Address>,
}

/// Where a pointer points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Address {
    /// Into an object of [`Inputs::objects`], so many bytes behind its element 0.
    Object(usize, i64),
    /// Into a parameter or a global, so many bytes behind its start.
    Variable(VarId, i64),
    /// To a function.
    Function(FunctionId),
}

/// An answer of the environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answered {
    /// Who asks.
    pub source: Source,
    /// What it gets.
    pub image: Image,
}
