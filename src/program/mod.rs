//! The C that is analysed, as data: typed, names resolved, no side effect inside an expression.
//!
//! It differs from the syntax tree of the front end in three ways. Every conversion that C performs silently
//! (promotion, usual arithmetic conversions, assignment) is an explicit [`ExprKind::Cast`]. Every side effect inside
//! an expression has become a [`Step`] before it, in the order in which C sequences them. Every condition is taken
//! apart into atomic conditions joined by `&&`, `||`, `!` and `?:` ([`Condition`]), so that later phases see the short
//! circuit as control flow.

mod constant;
mod expression;
mod print;
mod source;
mod statement;
mod types;

pub use constant::fold;
pub use expression::{
    Base, BinaryOp, CompareOp, Expr, ExprKind, Place, Projection, Property, Stride, UnaryOp, Use, common_type,
};
pub use print::Naming;
pub(crate) use print::{
    binary_level, binary_sign, compare_level, compare_sign, natural_type, without_promotion, without_usual_conversions,
};
pub use source::{SourceMap, Span};
pub use statement::{Argument, Atom, Callee, Case, Condition, Source, Statement, StatementKind, Step};
pub use types::{Field, FloatKind, IntKind, Length, Qualifiers, Record, RecordId, Signature, Type, size_of};

use std::collections::BTreeMap;

/// A variable of the program: a parameter, a local, a global or a temporary of the front end.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name in C; temporaries have a name that C cannot spell.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// What kind of variable it is.
    pub role: Role,
    /// Where it is declared.
    pub span: Span,
}

/// Where a variable comes from, and so what its first value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A parameter: any value.
    Parameter,
    /// A local: set by an assignment.
    Local,
    /// A file-scope variable.
    Global,
    /// Made by the front end to hold an intermediate value.
    Temporary,
    /// The objects that one call of `malloc` or the like makes, one behind the other; zero at first for `calloc`.
    Heap {
        /// Whether the memory is zero at first.
        zeroed: bool,
    },
    /// A string literal: its initial value is its value.
    Literal,
}

/// Index of a [`Variable`] in the table that owns it ([`Program::variables`] or the table of a CFG).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarId(pub u32);

impl VarId {
    /// The position in the owning table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Index of a [`Function`] in [`Program::functions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunctionId(pub u32);

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it takes and gives.
    pub signature: Signature,
    /// Its parameters in order.
    pub parameters: Vec<VarId>,
    /// Where its result goes; `None` for `void`.
    pub result: Option<VarId>,
    /// The body; one that does anything if the function is defined elsewhere.
    pub body: Vec<Statement>,
    /// The place of its name.
    pub span: Span,
    /// Whether it is one of the C library, as pct knows it.
    pub is_library: bool,
}

/// The variables that names mean at a place of the program.
pub type Scope = std::collections::BTreeMap<String, VarId>;

/// A file-scope variable with what is known of its first value.
#[derive(Clone, Debug)]
pub struct Global {
    /// The variable.
    pub variable: VarId,
    /// Assignments that give it its initial value (C's zero where there is no initialiser); `None` if it is not known.
    pub initializer: Option<Vec<Step>>,
    /// `const`: the initial value holds whenever a function is entered.
    pub is_const: bool,
    /// Other files do not see it.
    pub is_static: bool,
    /// It is declared inside a function.
    pub is_local: bool,
}

/// What the environment does in the place of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Environment {
    /// It answers with any value of the type: an input.
    Answers(Type),
    /// It ends the program.
    Ends,
}

/// A translation unit.
#[derive(Clone, Debug)]
pub struct Program {
    /// The files it was read from.
    pub sources: SourceMap,
    /// All variables of all functions, and the globals.
    pub variables: Vec<Variable>,
    /// The analysed function and every one that it calls or takes the address of.
    pub functions: Vec<Function>,
    /// Structs and unions.
    pub records: Vec<Record>,
    /// The file-scope variables in order of appearance.
    pub globals: Vec<Global>,
    /// Names of types, needed to read predicates with casts.
    pub typedefs: Vec<(String, Type)>,
    /// Tags of structs, unions and enumerations, needed to read predicates.
    pub tags: Vec<(String, Type)>,
    /// Enumeration constants, needed to read predicates.
    pub enumerators: Vec<(String, i128, IntKind)>,
    /// The functions whose address is taken.
    pub address_taken: Vec<FunctionId>,
    /// What the environment does where functions are called that have no body, or are taken as undefined.
    pub environment: BTreeMap<String, Environment>,
    /// What the user is told once (for example undefined functions).
    pub notes: Vec<String>,
    /// What the upper bound rests on, beside the options.
    pub assumptions: Vec<String>,
}

impl Program {
    /// The function of that id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The variable of that id.
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.index()]
    }
}
