//! Writing: a path of the abstraction → a C program whose assertion fails exactly for the inputs that take the path.
//!
//! Ball's paper, section 6.2 and Figure 8: the prelude, then for each step the statement or the assumption that takes it,
//! with the transition in a comment, and at the end the assertion that the target does not occur. A path is its states, so
//! the valuation of each state on the way is assumed too, where it does not follow from the states before it because
//! nothing that it speaks of has changed.
//!
//! The code comes from the graph, with its callees inlined. Between two points lies a loop-free piece of it. Where one
//! outcome of a test leads to the next point, that outcome is assumed; where both do, there is an `if`. Code that several
//! ways share is written for each of them, up to a limit.
//!
//! Which runs count is what counts in the formulas of [`super::symbolic`]:
//!
//! - what C leaves undefined does not happen: there is an assumption wherever it could (signed overflow, if that is not
//!   considered or goes wrong; division by zero; shifts by too much; null pointers). Ranges of variables show where it
//!   cannot, so few are written.
//! - what a pointer parameter points to is an array with room before and behind it, of a fixed size, while the formulas
//!   know no bounds. `inside` says that an access keeps to that room. With [`PathProgram::anywhere`] it says nothing: CBMC
//!   then takes any value for what is read outside, so that there are more runs than there are, never fewer. So inputs for
//!   the program as it is are inputs for the path, and the path has none if CBMC finds none in the other one.
//! - inputs are the variables without an initialiser.

mod graph;

mod piece;

mod known;

mod needs;

mod text;

mod declarations;

mod reading;

use std::collections::{BTreeMap, BTreeSet};

use super::c_text::Written;
use crate::abstraction::{Abstraction, StateId};
use crate::cfg::{Cfg, LocationId, PointId};
use crate::config::{Arithmetic, Config, Globals};
use crate::memory::{self, Memory, NodeId};
use crate::predicates::PredicateSet;
use crate::program::{Expr, Place, Role, Source, Type, VarId};
use graph::Graph;
use piece::{Leg, Piece};
use text::Text;

pub use super::c_text::Unwritable;

/// So many elements lie before and behind the place that a pointer parameter points to.
const BEFORE: i64 = 16;
const BEHIND: i64 = 48;

/// A program with more lines is not written.
const MAX_LINES: usize = 4000;

/// The first line of every path program: so that pct knows its own files.
pub const MARK: &str = "// A path program by pct.";

/// A path as C.
#[derive(Clone, Debug)]
pub struct PathProgram {
    /// The C text.
    pub text: String,
    /// Whether all that decides is an input; else something that is not known decides too.
    pub is_exact: bool,
    /// Whether [`PathProgram::anywhere`] is another question.
    pub has_bounds: bool,
    inputs: Vec<Input>,
}

/// What CBMC chooses.
#[derive(Clone, Debug)]
enum Input {
    /// A parameter or global.
    Variable(VarId, String),
    /// What a pointer parameter points to: the parameter, the array, and the variable that makes the pointer null.
    Object { parameter: VarId, array: String, null: Option<String>, element: Type, scale: i64 },
    /// An answer of the environment.
    Answer(Source, Type, String),
}

/// Writes path programs for one function.
pub struct Writer<'a> {
    cfg: &'a Cfg,
    predicates: &'a PredicateSet,
    abstraction: &'a Abstraction,
    config: &'a Config,
    memory: Memory,
    /// Variables whose address is taken.
    exposed: BTreeSet<VarId>,
    variable_of: BTreeMap<NodeId, VarId>,
}

impl<'a> Writer<'a> {
    /// Lays out the memory of the function.
    pub fn new(
        cfg: &'a Cfg,
        predicates: &'a PredicateSet,
        abstraction: &'a Abstraction,
        config: &'a Config,
    ) -> Writer<'a> {
        let memory = memory::lay_out(cfg, config, &predicates.meanings());
        let mut exposed = BTreeSet::new();
        for edge in cfg.successors.iter().flatten() {
            edge.action.for_each_exposed(&mut |variable| {
                exposed.insert(variable);
            });
        }
        let variables = (0..cfg.variables.len() as u32).map(VarId);
        let variable_of = variables.map(|variable| (memory.root(variable), variable)).collect();
        Writer { cfg, predicates, abstraction, config, memory, exposed, variable_of }
    }

    /// The program of a path.
    pub fn write(&self, states: &[StateId]) -> Result<PathProgram, Unwritable> {
        if self.config.arithmetic == Arithmetic::Ideal {
            return Err(Unwritable("C has no mathematical integers (`--arith ideal`)".to_string()));
        }
        let mut legs = Vec::new();
        let mut from = (self.cfg.entry, None);
        for state in states {
            let point = self.abstraction.states[state.index()].point;
            let pieces = self.pieces(from.0, point)?;
            let comment = match from.1 {
                None => "prelude".to_string(),
                Some(before) => format!("{} -> {}", self.id(before), self.id(*state)),
            };
            legs.push(Leg { comment, pieces, state: *state });
            from = (self.cfg.points[point.index()].location, Some(*state));
        }
        for number in 0..legs.len() {
            let (here, later) = legs.split_at_mut(number + 1);
            self.fold_temporaries(&mut here[number].pieces, later);
        }
        Text::new(self, &legs)?.program(&legs)
    }

    fn id(&self, state: StateId) -> String {
        let state = &self.abstraction.states[state.index()];
        let valuation = state.valuation.prefix(self.predicates.observed_count());
        format!("{}:{valuation}", self.cfg.points[state.point.index()].label)
    }

    /// The predicates at a state, with their values.
    fn literals(&self, state: StateId) -> Vec<(&'a Expr, bool)> {
        let state = &self.abstraction.states[state.index()];
        let at = |position: usize| self.predicates.predicates[position].at[state.point.index()].as_deref();
        let values = state.valuation.iter().enumerate();
        values.filter_map(|(position, value)| Some((at(position)?, value?))).collect()
    }

    /// Whether a place is a whole variable that only its own name reaches.
    fn is_private(&self, place: &Place) -> Option<VarId> {
        place.as_variable().filter(|variable| !self.exposed.contains(variable))
    }

    /// Whether the prelude gives a global its initial value.
    fn has_initial_value(&self, variable: VarId) -> bool {
        let declared = &self.cfg.variables[variable.index()];
        let everything = self.config.globals == Globals::Initial || self.cfg.function == "main";
        declared.role == Role::Global && (everything || declared.ty.qualifiers().is_const)
    }

    /// The code from a location to a point.
    fn pieces(&self, from: LocationId, to: PointId) -> Written<Vec<Piece>> {
        let graph = Graph::new(self.cfg, from, self.cfg.points[to.index()].location);
        let mut budget = MAX_LINES;
        graph.walk(Some(from), None, &mut budget)
    }
}
