//! Building: [`Program`] → [`Cfg`].
//!
//! The control-flow graph of one function with its callees inlined. An edge carries one atomic action; a decision is
//! taken apart into tests of atomic conditions. Some locations are *points*: there the state is observed, before what
//! stands there runs. Every cycle passes through a point, so what lies between two points is loop-free.

mod assumptions;
mod build;
mod checks;
mod finish;
mod inline;
mod outline;
mod points;
mod verify;

pub use crate::config::CheckKind;
pub use build::build;
pub use outline::{Outline, Site, Test};
pub use points::uses_labels;

use std::collections::BTreeMap;

use crate::program::{Expr, Function, Naming, Place, Record, Scope, Source, Span, Use, VarId, Variable};

/// The control-flow graph of a function.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// The name of the function.
    pub function: String,
    /// The variables of the program, and behind them those of inlined calls.
    pub variables: Vec<Variable>,
    /// The parameters.
    pub parameters: Vec<VarId>,
    /// Structs and unions.
    pub records: Vec<Record>,
    /// The functions that expressions speak of.
    pub functions: Vec<Function>,
    /// The outgoing edges of each location.
    pub successors: Vec<Vec<Edge>>,
    /// The statement that each location belongs to.
    pub spans: Vec<Span>,
    /// The points in the order of the source text.
    pub points: Vec<Point>,
    /// Which location is which point.
    pub point_at: Vec<Option<PointId>>,
    /// The atomic conditions of the decisions and assertions of the function itself, in order of appearance.
    pub conditions: Vec<Expr>,
    /// The ways in which a run can go wrong; the first stands for all that are not told apart.
    pub checks: Vec<Check>,
    /// How many elements what a parameter points to has.
    pub lengths: Lengths,
    /// What is told to the user once.
    pub notes: Vec<String>,
    /// What is assumed of every run and not checked, as clauses behind "it is assumed that".
    pub assumptions: Vec<String>,
    /// Where the function starts: before the prelude. It is never a point.
    pub entry: LocationId,
    /// The structure of the source, with the locations of its parts.
    pub outline: Vec<Outline>,
}

/// How many elements what a parameter points to has, by parameter.
pub type Lengths = BTreeMap<VarId, Expr>;

/// Index into [`Cfg::checks`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CheckId(pub u32);

/// A place where a run can go wrong.
#[derive(Clone, PartialEq, Debug)]
pub struct Check {
    /// What is checked.
    pub kind: CheckKind,
    /// The condition that must hold, as C.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Where the graph leads if it does not hold.
    pub location: LocationId,
}

impl Check {
    /// The condition as people read it: a value in between, which has no name in C, is left out.
    pub fn condition(&self) -> String {
        let mut parts = self.text.split('$');
        let first = parts.next().unwrap_or_default().to_string();
        parts.fold(first, |text, part| text + "…" + part.trim_start_matches(|c: char| c.is_ascii_digit()))
    }
}

impl Cfg {
    /// Which check failed, if the location is where a run goes that went wrong.
    pub fn failed_check(&self, location: LocationId) -> Option<CheckId> {
        let found = self.checks.binary_search_by_key(&location, |check| check.location);
        found.ok().map(|index| CheckId(index as u32))
    }

    /// Whether something is read or written through a pointer.
    pub fn follows_pointers(&self) -> bool {
        let mut follows = false;
        for edge in self.successors.iter().flatten() {
            edge.action.for_each_place(&mut |place, usage| {
                follows |= usage == Use::Read && place.root().is_none();
            });
        }
        follows
    }

    /// Whether a run ends at the location.
    pub fn is_terminal(&self, location: LocationId) -> bool {
        matches!(location, LocationId::HALT | LocationId::STUCK) || self.failed_check(location).is_some()
    }

    /// The tables that names are looked up in.
    pub fn naming(&self) -> Naming<'_> {
        Naming { variables: &self.variables, records: &self.records, functions: &self.functions }
    }
}

/// Index into [`Cfg::successors`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocationId(pub u32);

impl LocationId {
    /// The function has returned, or the program has ended well.
    pub const HALT: LocationId = LocationId(0);
    /// The program has gone wrong.
    pub const ERROR: LocationId = LocationId(1);
    /// The execution is not considered (a failed assumption).
    pub const STUCK: LocationId = LocationId(2);

    /// The position in the tables of the graph.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Index into [`Cfg::points`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PointId(pub u32);

impl PointId {
    /// The position in [`Cfg::points`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place where the state is observed.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its name: a C label, or `L` and the line.
    pub label: String,
    /// Where it is in the graph.
    pub location: LocationId,
    /// Where it is in the source.
    pub span: Span,
    /// What names mean there.
    pub scope: Scope,
}

/// A step from one location to another.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it leads.
    pub target: LocationId,
    /// What happens on the way.
    pub action: Action,
}

/// What an edge does.
#[derive(Clone, Debug)]
pub enum Action {
    /// Nothing.
    Skip,
    /// `place = value`
    Assign(Place, Expr),
    /// A struct, union or array takes the value of another one.
    Copy(Place, Place),
    /// Everything in the place becomes zero.
    Zero(Place),
    /// The place takes any value that the environment chooses.
    Havoc(Place, Source),
    /// Everything in the object that the pointer points into takes any value that the environment chooses.
    HavocObject(Expr),
    /// The place takes a value that is not known.
    Forget(Place),
    /// Everything in the object that the pointer points into takes values that are not known.
    ForgetObject(Expr),
    /// Everything that a callee can reach takes values that are not known: all but the variables whose address nobody has.
    ForgetMemory,
    /// The variable comes into being without a value.
    Unset(VarId),
    /// Passable only if the condition has this outcome. The edges of a location are one other action, or the two
    /// outcomes of one test.
    Test(Expr, bool),
}

impl Action {
    /// Calls `visit` for every variable whose address is taken.
    pub fn for_each_exposed(&self, visit: &mut impl FnMut(VarId)) {
        self.for_each_place(&mut |place, usage| {
            if let (Use::Address, Some(variable)) = (usage, place.root()) {
                visit(variable);
            }
        });
    }

    /// Calls `visit` for every place that is accessed (written places count as read) or whose address is taken.
    pub fn for_each_place<'a>(&'a self, visit: &mut impl FnMut(&'a Place, Use)) {
        let mut access = |place: &'a Place| {
            visit(place, Use::Read);
            place.for_each_inner(visit);
        };
        match self {
            Action::Skip | Action::ForgetMemory | Action::Unset(_) => {}
            Action::Assign(place, value) => {
                access(place);
                value.for_each_place(visit);
            }
            Action::Copy(to, from) => {
                access(to);
                access(from);
            }
            Action::Zero(place) | Action::Havoc(place, _) | Action::Forget(place) => access(place),
            Action::HavocObject(value) | Action::ForgetObject(value) | Action::Test(value, _) => {
                value.for_each_place(visit);
            }
        }
    }

    /// Calls `visit` for every variable that is mentioned.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(VarId)) {
        match self {
            Action::Skip | Action::ForgetMemory => {}
            Action::Assign(place, value) => {
                place.for_each_variable(visit);
                value.for_each_variable(visit);
            }
            Action::Copy(to, from) => {
                to.for_each_variable(visit);
                from.for_each_variable(visit);
            }
            Action::Zero(place) | Action::Havoc(place, _) | Action::Forget(place) => place.for_each_variable(visit),
            Action::HavocObject(pointer) | Action::ForgetObject(pointer) => pointer.for_each_variable(visit),
            Action::Unset(variable) => visit(*variable),
            Action::Test(condition, _) => condition.for_each_variable(visit),
        }
    }
}
