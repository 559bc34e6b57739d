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

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::c_text::{Printer, Written};
use super::cbmc::Value;
use super::inputs::{Address, Answered, Image, Inputs, Object};
use crate::abstraction::{Abstraction, StateId};
use crate::cfg::{Action, Cfg, Edge, LocationId, PointId};
use crate::config::{Arithmetic, Config, Globals, Overflow};
use crate::memory::{self, Memory, NodeId, NodeKind};
use crate::predicates::PredicateSet;
use crate::program::{
    Base, BinaryOp, CompareOp, Expr, ExprKind, FloatKind, FunctionId, IntKind, Length, Place, Projection, Property,
    Role, Source, Type, UnaryOp, Use, VarId, fold, size_of,
};

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

    /// Puts the value of a temporary of the front end to where it is used, if that is one place before the next point
    /// and nothing in between changes the value.
    fn fold_temporaries(&self, pieces: &mut Vec<Piece>, later: &[Leg]) {
        let mut index = 0;
        while index < pieces.len() {
            if self.fold_temporary(pieces, index, later) {
                pieces.remove(index);
            } else {
                index += 1;
            }
        }
    }

    fn fold_temporary(&self, pieces: &mut [Piece], index: usize, later: &[Leg]) -> bool {
        let Piece::Do(Action::Assign(place, value)) = &pieces[index] else {
            return false;
        };
        let Some(temporary) = self.is_private(place) else {
            return false;
        };
        if self.cfg.variables[temporary.index()].role != Role::Temporary {
            return false;
        }
        let value = value.clone();
        let mut used_at = None;
        let here = pieces.len();
        let all = pieces.iter().chain(later.iter().flat_map(|leg| &leg.pieces));
        for (at, piece) in all.enumerate().skip(index + 1) {
            let uses = piece.uses(temporary);
            match (uses, used_at) {
                (0, _) => {}
                (1, None) if piece.is_simple() && at < here => used_at = Some(at),
                _ => return false,
            }
            if piece.assigns(temporary) {
                break;
            }
        }
        let Some(used_at) = used_at else {
            return false;
        };
        let mut variables = BTreeSet::new();
        value.for_each_variable(&mut |variable| {
            variables.insert(variable);
        });
        let mut reads_memory = false;
        value
            .for_each_place(&mut |place, usage| reads_memory |= usage == Use::Read && self.is_private(place).is_none());
        let is_safe = pieces[index + 1..used_at].iter().all(|piece| match piece {
            Piece::Assume(..) => true,
            Piece::Do(Action::Assign(place, _) | Action::Havoc(place, _)) => match self.is_private(place) {
                Some(variable) => !variables.contains(&variable),
                None => !reads_memory,
            },
            _ => false,
        });
        if is_safe {
            pieces[used_at].substitute(temporary, &value);
        }
        is_safe
    }
}

/// The code from one state to the next.
struct Leg {
    comment: String,
    pieces: Vec<Piece>,
    state: StateId,
}

/// A piece of structured code.
#[derive(Clone, Debug)]
enum Piece {
    /// A statement.
    Do(Action),
    /// Only runs with this outcome count.
    Assume(Expr, bool),
    /// Both outcomes lead on.
    If(Expr, Vec<Piece>, Vec<Piece>),
}

impl Piece {
    /// Whether it is one evaluation.
    fn is_simple(&self) -> bool {
        match self {
            Piece::Do(action) => matches!(action, Action::Assign(..)),
            Piece::Assume(..) => true,
            Piece::If(..) => false,
        }
    }

    fn for_each_variable(&self, visit: &mut dyn FnMut(VarId)) {
        match self {
            Piece::Do(action) => action.for_each_variable(&mut |variable| visit(variable)),
            Piece::Assume(condition, _) => condition.for_each_variable(&mut |variable| visit(variable)),
            Piece::If(condition, yes, no) => {
                condition.for_each_variable(&mut |variable| visit(variable));
                yes.iter().chain(no).for_each(|piece| piece.for_each_variable(visit));
            }
        }
    }

    /// How often a variable is read.
    fn uses(&self, variable: VarId) -> usize {
        let mut count = 0;
        self.for_each_variable(&mut |mentioned| count += usize::from(mentioned == variable));
        if let Piece::Do(Action::Assign(place, _) | Action::Havoc(place, _) | Action::Zero(place)) = self
            && place.as_variable() == Some(variable)
        {
            count -= 1;
        }
        if let Piece::Do(Action::Unset(unset)) = self
            && *unset == variable
        {
            count -= 1;
        }
        count
    }

    /// Whether it gives the variable a new value as a whole.
    fn assigns(&self, variable: VarId) -> bool {
        match self {
            Piece::Do(Action::Assign(place, _) | Action::Havoc(place, _) | Action::Zero(place)) => {
                place.as_variable() == Some(variable)
            }
            Piece::Do(Action::Unset(unset)) => *unset == variable,
            _ => false,
        }
    }

    fn substitute(&mut self, variable: VarId, value: &Expr) {
        let mut replace = |place: &Place| (place.as_variable() == Some(variable)).then(|| value.clone());
        match self {
            Piece::Do(Action::Assign(place, assigned)) => {
                let address = Expr { kind: ExprKind::Address(place.clone()), ty: Type::Void.pointer() };
                if let ExprKind::Address(replaced) = address.replaced(&mut replace).kind {
                    *place = replaced;
                }
                *assigned = assigned.replaced(&mut replace);
            }
            Piece::Assume(condition, _) => *condition = condition.replaced(&mut replace),
            _ => unreachable!("only simple pieces are changed"),
        }
    }
}

/// The loop-free graph between two points, as far as it leads from the one to the other.
struct Graph<'a> {
    cfg: &'a Cfg,
    target: LocationId,
    /// The locations that lead to the target, and where all their ways meet next; `None` is the target.
    joins: BTreeMap<LocationId, Option<LocationId>>,
    /// How many of the edges lead to each location.
    entries: BTreeMap<LocationId, usize>,
}

/// Where an edge leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// Not to the target.
    Away,
    /// Directly to the target.
    There,
    /// On, to a location.
    On(LocationId),
}

impl<'a> Graph<'a> {
    fn new(cfg: &'a Cfg, from: LocationId, target: LocationId) -> Graph<'a> {
        let order = postorder(cfg, from);
        let mut graph = Graph { cfg, target, joins: BTreeMap::new(), entries: BTreeMap::new() };
        // In postorder, whatever a location leads to comes before it.
        let number: BTreeMap<LocationId, usize> = order.iter().enumerate().map(|(n, l)| (*l, n)).collect();
        for location in &order {
            let mut join: Option<Option<LocationId>> = None;
            for edge in &cfg.successors[location.index()] {
                let next = match graph.way(edge) {
                    Way::Away => continue,
                    Way::There => None,
                    Way::On(next) => Some(next),
                };
                join = Some(match join {
                    None => next,
                    Some(known) => graph.meet(known, next, &number),
                });
            }
            if let Some(join) = join {
                graph.joins.insert(*location, join);
            }
        }
        let inside: Vec<LocationId> = graph.joins.keys().copied().collect();
        for location in inside {
            for edge in &cfg.successors[location.index()] {
                if let Way::On(next) = graph.way(edge) {
                    *graph.entries.entry(next).or_default() += 1;
                }
            }
        }
        graph
    }

    /// The first location that all ways from both pass.
    fn meet(
        &self,
        a: Option<LocationId>,
        b: Option<LocationId>,
        number: &BTreeMap<LocationId, usize>,
    ) -> Option<LocationId> {
        let (mut a, mut b) = (a, b);
        while a != b {
            let (x, y) = (a?, b?);
            // The one that comes later in the run has the smaller number.
            if number[&x] > number[&y] {
                a = self.joins[&x];
            } else {
                b = self.joins[&y];
            }
        }
        a
    }

    fn way(&self, edge: &Edge) -> Way {
        if edge.target == self.target {
            Way::There
        } else if self.joins.contains_key(&edge.target) && self.cfg.point_at[edge.target.index()].is_none() {
            Way::On(edge.target)
        } else {
            Way::Away
        }
    }

    /// A way past everything that does nothing.
    fn resolved(&self, way: Way) -> Way {
        let mut way = way;
        while let Way::On(location) = way {
            match self.cfg.successors[location.index()].as_slice() {
                [edge] if matches!(edge.action, Action::Skip) => way = self.way(edge),
                _ => break,
            }
        }
        way
    }

    /// The code from a location to where `stop` is; `None` is the target.
    fn walk(&self, from: Option<LocationId>, stop: Option<LocationId>, budget: &mut usize) -> Written<Vec<Piece>> {
        let mut pieces = Vec::new();
        let mut here = from;
        while here != stop {
            let Some(location) = here else {
                break;
            };
            *budget = budget.checked_sub(1).ok_or_else(|| Unwritable("too many ways lead to the next point".into()))?;
            let next = |way: Way| match way {
                Way::On(next) => Some(next),
                _ => None,
            };
            let edges = self.cfg.successors[location.index()].as_slice();
            if let [yes, no] = edges
                && let Action::Test(condition, true) = &yes.action
            {
                match (self.way(yes), self.way(no)) {
                    (Way::Away, Way::Away) => return Err(Unwritable("no way leads to the next point".to_string())),
                    (yes, Way::Away) => {
                        pieces.push(Piece::Assume(condition.clone(), true));
                        here = next(yes);
                    }
                    (Way::Away, no) => {
                        pieces.push(Piece::Assume(condition.clone(), false));
                        here = next(no);
                    }
                    (yes, no) => {
                        let (condition, yes, no) = self.decision(condition.clone(), yes, no);
                        let join = self.joins[&location];
                        if no == Way::Away {
                            pieces.push(Piece::Assume(condition, true));
                            here = next(yes);
                            continue;
                        }
                        let yes = self.walk(next(yes), join, budget)?;
                        let no = self.walk(next(no), join, budget)?;
                        pieces.push(Piece::If(condition, yes, no));
                        here = join;
                    }
                }
                continue;
            }
            let Some(edge) = edges.iter().find(|edge| self.way(edge) != Way::Away) else {
                return Err(Unwritable("no way leads to the next point".to_string()));
            };
            match &edge.action {
                Action::Skip => {}
                Action::Test(condition, outcome) => pieces.push(Piece::Assume(condition.clone(), *outcome)),
                action => pieces.push(Piece::Do(action.clone())),
            }
            here = next(self.way(edge));
        }
        Ok(pieces)
    }

    /// A decision with `&&` and `||`, from its atomic conditions, if nothing happens between them.
    fn decision(&self, condition: Expr, yes: Way, no: Way) -> (Expr, Way, Way) {
        let (mut condition, mut yes, mut no) = (condition, self.resolved(yes), self.resolved(no));
        loop {
            let join = |and: bool, first: &Expr, second: Expr| {
                let (a, b) = (Box::new(first.clone()), Box::new(second));
                let kind = if and { ExprKind::And(a, b) } else { ExprKind::Or(a, b) };
                Expr { kind, ty: Type::INT }
            };
            if let Some((second, second_yes, second_no)) = self.atom(yes) {
                if second_no == no {
                    condition = join(true, &condition, second);
                    yes = second_yes;
                    continue;
                }
                if second_yes == no {
                    condition = join(true, &condition, negated(second));
                    yes = second_no;
                    continue;
                }
            }
            if let Some((second, second_yes, second_no)) = self.atom(no) {
                if second_yes == yes {
                    condition = join(false, &condition, second);
                    no = second_no;
                    continue;
                }
                if second_no == yes {
                    condition = join(false, &condition, negated(second));
                    no = second_yes;
                    continue;
                }
            }
            return (condition, yes, no);
        }
    }

    /// A test that only one edge leads to, and that is always defined.
    fn atom(&self, way: Way) -> Option<(Expr, Way, Way)> {
        let Way::On(location) = way else {
            return None;
        };
        let [yes, no] = self.cfg.successors[location.index()].as_slice() else {
            return None;
        };
        let Action::Test(condition, true) = &yes.action else {
            return None;
        };
        let alone = self.entries.get(&location) == Some(&1) && is_always_defined(condition);
        alone.then(|| (condition.clone(), self.resolved(self.way(yes)), self.resolved(self.way(no))))
    }
}

fn negated(expr: Expr) -> Expr {
    Expr { kind: ExprKind::Not(Box::new(expr)), ty: Type::INT }
}

/// Whether the evaluation reads only variables and computes nothing that could be undefined.
fn is_always_defined(expr: &Expr) -> bool {
    let mut defined = true;
    expr.for_each(&mut |part| {
        defined &= match &part.kind {
            ExprKind::Load(place) => {
                place.root().is_some() && place.path.iter().all(|p| matches!(p, Projection::Field(_)))
            }
            ExprKind::Binary(op, ..) => matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor),
            ExprKind::Unary(op, _) => *op == UnaryOp::Complement,
            ExprKind::Cast(inner) => inner.ty.float_kind().is_none(),
            ExprKind::Compare(op, a, _) => {
                a.ty.pointee().is_none() || matches!(op, CompareOp::Equal | CompareOp::NotEqual)
            }
            ExprKind::Holds(..) | ExprKind::Distance(..) => false,
            _ => true,
        };
    });
    defined
}

/// The locations from one on to the next points, each behind all that it leads to.
fn postorder(cfg: &Cfg, from: LocationId) -> Vec<LocationId> {
    let mut order = Vec::new();
    let mut visited = BTreeSet::from([from]);
    let mut stack = vec![(from, 0)];
    while let Some((location, next)) = stack.pop() {
        let Some(edge) = cfg.successors[location.index()].get(next) else {
            order.push(location);
            continue;
        };
        stack.push((location, next + 1));
        let ends = cfg.point_at[edge.target.index()].is_some() || cfg.is_terminal(edge.target);
        if !ends && visited.insert(edge.target) {
            stack.push((edge.target, 0));
        }
    }
    order
}

/// What must hold for an evaluation.
#[derive(Clone, Debug)]
struct Need {
    text: String,
    kind: NeedKind,
    /// What it speaks of, if that is less than the whole evaluation.
    about: Option<Expr>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NeedKind {
    Overflow,
    Defined,
    Room,
}

impl Need {
    fn new(kind: NeedKind, text: String) -> Need {
        Need { text, kind, about: None }
    }
}

impl NeedKind {
    fn comment(self) -> &'static str {
        match self {
            NeedKind::Overflow => "no overflow",
            NeedKind::Defined => "defined",
            NeedKind::Room => "room",
        }
    }
}

/// What is known at a place of the text.
#[derive(Clone, Default)]
struct Known {
    /// Ranges of private variables.
    ranges: BTreeMap<VarId, (i128, i128)>,
    /// Conditions with their value.
    conditions: Vec<(Expr, bool)>,
    /// Needs that are met, with what they speak of.
    needs: Vec<(String, Expr)>,
}

/// The text in the making.
struct Text<'w, 'a> {
    writer: &'w Writer<'a>,
    printer: Printer,
    lines: Vec<(usize, String, String)>,
    known: Known,
    /// Variables that got a value already.
    touched: BTreeSet<VarId>,
    /// Variables that nothing assigns: what is known of them is known everywhere.
    fixed: BTreeSet<VarId>,
    mentioned: BTreeSet<VarId>,
    functions: BTreeSet<FunctionId>,
    /// Pointers that are used as arrays.
    moved: BTreeSet<VarId>,
    answers: Vec<(Source, Type, String)>,
    /// The arrays that parameters point to.
    arrays: BTreeMap<VarId, String>,
    /// Variables that hold what the prelude gives them.
    initialized: BTreeSet<VarId>,
    is_exact: bool,
    /// Whether an access may leave the room of its object.
    has_bounds: bool,
}

impl<'w, 'a> Text<'w, 'a> {
    fn new(writer: &'w Writer<'a>, legs: &[Leg]) -> Written<Text<'w, 'a>> {
        let cfg = writer.cfg;
        let variables: Vec<_> = cfg.variables.iter().map(|v| (v.name.clone(), v.ty.clone())).collect();
        let mut text = Text {
            writer,
            printer: Printer::new(&[], &cfg.records, &cfg.functions),
            lines: Vec::new(),
            known: Known::default(),
            touched: BTreeSet::new(),
            fixed: BTreeSet::new(),
            mentioned: BTreeSet::new(),
            functions: BTreeSet::new(),
            moved: BTreeSet::new(),
            answers: Vec::new(),
            arrays: BTreeMap::new(),
            initialized: BTreeSet::new(),
            is_exact: true,
            has_bounds: false,
        };
        text.mention(legs);
        // Only variables of the text need names; so they keep theirs.
        let mut order: Vec<usize> = text.mentioned.iter().map(|variable| variable.index()).collect();
        order.sort_by_key(|index| !cfg.parameters.contains(&VarId(*index as u32)));
        let named: Vec<_> = order.iter().map(|index| variables[*index].clone()).collect();
        text.printer = Printer::new(&named, &cfg.records, &cfg.functions);
        let mut names = vec![String::new(); variables.len()];
        for (position, index) in order.iter().enumerate() {
            names[*index] = text.printer.variables[position].clone();
        }
        text.printer.variables = names;
        text.printer.arrays = std::mem::take(&mut text.moved);
        for variable in writer.memory.given.keys().filter(|variable| text.mentioned.contains(variable)) {
            let array = text.printer.name(&format!("{}_object", text.printer.variables[variable.index()]));
            text.arrays.insert(*variable, array);
        }
        text.printer.types = variables.into_iter().map(|(_, ty)| ty).collect();
        text.find_fixed(legs);
        Ok(text)
    }

    /// Collects the variables and functions of the legs.
    fn mention(&mut self, legs: &[Leg]) {
        fn expressions(piece: &Piece, visit: &mut dyn FnMut(&Expr)) {
            match piece {
                Piece::Do(action) => match action {
                    Action::Assign(place, value) => {
                        place.for_each_expr(&mut |e| visit(e));
                        value.for_each(&mut |e| visit(e));
                    }
                    Action::HavocObject(e) | Action::ForgetObject(e) => e.for_each(&mut |e| visit(e)),
                    _ => {}
                },
                Piece::Assume(condition, _) => condition.for_each(&mut |e| visit(e)),
                Piece::If(condition, yes, no) => {
                    condition.for_each(&mut |e| visit(e));
                    yes.iter().chain(no).for_each(|piece| expressions(piece, visit));
                }
            }
        }
        for leg in legs {
            for piece in &leg.pieces {
                piece.for_each_variable(&mut |variable| {
                    self.mentioned.insert(variable);
                });
                expressions(piece, &mut |expr| self.mention_in(expr));
            }
            for (predicate, _) in self.writer.literals(leg.state) {
                predicate.for_each_variable(&mut |variable| {
                    self.mentioned.insert(variable);
                });
                predicate.for_each(&mut |expr| self.mention_in(expr));
            }
        }
    }

    fn mention_in(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Function(id) => {
                self.functions.insert(*id);
            }
            ExprKind::Move(start, ..) => self.moved.extend(as_variable(start)),
            _ => {}
        }
    }

    /// Variables that nothing assigns; the first values of globals; ranges that hold everywhere.
    fn find_fixed(&mut self, legs: &[Leg]) {
        fn roots(piece: &Piece, visit: &mut dyn FnMut(VarId)) {
            match piece {
                Piece::Do(
                    Action::Assign(place, _)
                    | Action::Copy(place, _)
                    | Action::Zero(place)
                    | Action::Havoc(place, _)
                    | Action::Forget(place),
                ) => place.root().into_iter().for_each(visit),
                Piece::Do(Action::Unset(variable)) => visit(*variable),
                Piece::If(_, yes, no) => yes.iter().chain(no).for_each(|piece| roots(piece, visit)),
                _ => {}
            }
        }
        let mut assigned = BTreeSet::new();
        for (number, leg) in legs.iter().enumerate() {
            for piece in &leg.pieces {
                roots(piece, &mut |variable| {
                    assigned.insert(variable);
                    if number == 0 && self.writer.has_initial_value(variable) {
                        self.initialized.insert(variable);
                    }
                });
            }
        }
        // Code elsewhere can change globals.
        let is_global = |variable: &VarId| self.writer.cfg.variables[variable.index()].role == Role::Global;
        let is_fixed = |variable: &VarId| {
            !assigned.contains(variable) && !self.writer.exposed.contains(variable) && !is_global(variable)
        };
        self.fixed = self.mentioned.iter().copied().filter(is_fixed).collect();
        for leg in legs {
            for piece in &leg.pieces {
                if let Piece::Assume(condition, outcome) = piece {
                    self.learn_range(condition, *outcome, true);
                }
            }
            for (predicate, value) in self.writer.literals(leg.state) {
                self.learn_range(predicate, value, true);
            }
        }
    }

    /// The text of the whole program.
    fn program(mut self, legs: &[Leg]) -> Result<PathProgram, Unwritable> {
        for (number, leg) in legs.iter().enumerate() {
            let before = self.lines.len();
            self.pieces(&leg.pieces, 1, &leg.comment)?;
            if self.lines.len() == before {
                self.line(1, ";".to_string(), &leg.comment)?;
            }
            let literals = self.writer.literals(leg.state);
            if number + 1 == legs.len() {
                self.target(&literals)?;
            } else {
                let comment = format!("at {}", self.writer.id(leg.state));
                self.state(&literals, &comment)?;
            }
        }
        let (declarations, inputs) = self.declarations()?;
        let (first, last) = (legs[0].state, legs[legs.len() - 1].state);
        let head = format!(
            "{MARK} {}: ({}, {})\n{PROLOGUE}",
            self.writer.cfg.function,
            self.writer.id(first),
            self.writer.id(last)
        );
        let mut text = head;
        for definition in &declarations.outside {
            let _ = writeln!(text, "{definition}\n");
        }
        text.push_str("int main(void)\n{\n");
        let shown =
            |(depth, line, comment): &(usize, String, String)| (4 * depth + line.chars().count(), !comment.is_empty());
        let lines = declarations.inside.iter().chain(&self.lines);
        let fitting = lines.clone().map(shown).filter(|(width, commented)| *commented && *width <= 60);
        let column = fitting.map(|(width, _)| width).max().unwrap_or(0);
        for (depth, line, comment) in lines {
            let line = format!("{}{line}", "    ".repeat(*depth));
            match comment.as_str() {
                "" => text.push_str(line.trim_end()),
                comment => {
                    let _ = write!(text, "{line:column$}  // {comment}");
                }
            }
            text.push('\n');
        }
        text.push_str("    return 0;\n}\n");
        Ok(PathProgram { text, is_exact: self.is_exact, has_bounds: self.has_bounds, inputs })
    }

    fn line(&mut self, depth: usize, text: String, comment: &str) -> Written<()> {
        if self.lines.len() >= MAX_LINES {
            return Err(Unwritable("the program would be too long".to_string()));
        }
        self.lines.push((depth, text, comment.to_string()));
        Ok(())
    }

    fn pieces(&mut self, pieces: &[Piece], depth: usize, comment: &str) -> Written<()> {
        for piece in pieces {
            match piece {
                Piece::Do(action) => self.action(action, depth, comment)?,
                Piece::Assume(condition, outcome) => {
                    self.needs_of(condition, depth)?;
                    let text = self.condition(condition, *outcome)?;
                    self.line(depth, format!("assume({text});"), comment)?;
                    self.learn(condition, *outcome);
                }
                Piece::If(condition, yes, no) => {
                    self.needs_of(condition, depth)?;
                    if yes.is_empty() && no.is_empty() {
                        continue;
                    }
                    let before = self.known.clone();
                    let (first, second, outcome) = if yes.is_empty() { (no, yes, false) } else { (yes, no, true) };
                    let text = self.condition(condition, outcome)?;
                    self.line(depth, format!("if ({text}) {{"), comment)?;
                    self.learn(condition, outcome);
                    self.pieces(first, depth + 1, comment)?;
                    let one = std::mem::replace(&mut self.known, before);
                    self.learn(condition, !outcome);
                    if !second.is_empty() {
                        self.line(depth, "} else {".to_string(), "")?;
                        self.pieces(second, depth + 1, comment)?;
                    }
                    self.line(depth, "}".to_string(), "")?;
                    self.known.join(&one);
                }
            }
        }
        Ok(())
    }

    fn condition(&self, condition: &Expr, outcome: bool) -> Written {
        if let ExprKind::Holds(Property::Fits, operands) = &condition.kind {
            let mut parts = Vec::new();
            for operand in operands {
                let mut needs = Vec::new();
                self.needs(operand, Overflow::Assume, &mut needs)?;
                parts.extend(needs.into_iter().filter(|need| need.kind == NeedKind::Overflow).map(|need| need.text));
            }
            let all = if parts.is_empty() { "1".to_string() } else { parts.join(" && ") };
            return Ok(if outcome { all } else { format!("!({all})") });
        }
        match outcome {
            true => self.printer.expr(condition),
            false => Ok(format!("!({})", self.printer.expr(condition)?)),
        }
    }

    fn action(&mut self, action: &Action, depth: usize, comment: &str) -> Written<()> {
        match action {
            Action::Skip | Action::Test(..) => {}
            Action::Assign(place, value) => {
                self.needs_of(value, depth)?;
                self.needs_of_place(place, depth)?;
                let range = value.ty.int_kind().map(|_| self.range(value));
                let text = format!("{} = {};", self.printer.place(place)?, self.printer.value(value)?);
                self.line(depth, text, comment)?;
                self.change(place);
                if let (Some(variable), Some(range)) = (self.writer.is_private(place), range) {
                    self.known.ranges.insert(variable, range);
                }
            }
            Action::Copy(to, from) => {
                self.needs_of_place(from, depth)?;
                self.needs_of_place(to, depth)?;
                self.check_copied(from)?;
                let (target, source) = (self.printer.place(to)?, self.printer.place(from)?);
                let text = match to.ty.plain() {
                    Type::Array(..) => format!("memcpy(&{target}, &{source}, sizeof {target});"),
                    _ => format!("{target} = {source};"),
                };
                self.line(depth, text, comment)?;
                self.change(to);
            }
            Action::Zero(place) => {
                self.needs_of_place(place, depth)?;
                let target = self.printer.place(place)?;
                let text = match place.ty.is_scalar() {
                    true => format!("{target} = 0;"),
                    false => format!("memset(&{target}, 0, sizeof {target});"),
                };
                self.line(depth, text, comment)?;
                self.change(place);
            }
            Action::Havoc(place, source) => {
                self.needs_of_place(place, depth)?;
                self.answer(place, source.clone(), depth, comment)?;
            }
            Action::Forget(place) => {
                self.needs_of_place(place, depth)?;
                self.is_exact = false;
                self.havoc(&format!("&{}", self.printer.place(place)?), depth, "not known")?;
                self.change(place);
            }
            Action::HavocObject(pointer) | Action::ForgetObject(pointer) => {
                let targets = self.writer.memory.targets(pointer);
                if targets.iter().any(|node| self.writer.memory.node(*node).parent.is_some()) {
                    return Err(Unwritable("a part of a struct takes any value".to_string()));
                }
                self.is_exact = false;
                self.needs_of(pointer, depth)?;
                if targets.contains(&NodeId::NULL) {
                    let text = self.printer.expr(pointer)?;
                    self.line(depth, format!("if ({text})"), comment)?;
                }
                self.havoc(&self.printer.expr(pointer)?, depth, "any values")?;
                self.known.conditions.clear();
                self.known.needs.clear();
            }
            Action::ForgetMemory => {
                self.is_exact = false;
                let memory = &self.writer.memory;
                let reachable: BTreeSet<VarId> =
                    memory.reachable_cells().into_iter().filter_map(|cell| memory.cell(cell).variable).collect();
                for variable in reachable.intersection(&self.mentioned.clone()) {
                    self.havoc(&format!("&{}", self.printer.variables[variable.index()]), depth, "not known")?;
                }
                for array in self.arrays.clone().values() {
                    self.havoc(array, depth, "not known")?;
                }
                self.known = Known::default();
            }
            Action::Unset(variable) => {
                if self.touched.contains(variable) {
                    self.is_exact = false;
                    self.havoc(&format!("&{}", self.printer.variables[variable.index()]), depth, "without a value")?;
                }
                self.forget_variable(*variable);
            }
        }
        action.for_each_variable(&mut |variable| {
            self.touched.insert(variable);
        });
        Ok(())
    }

    fn havoc(&mut self, object: &str, depth: usize, comment: &str) -> Written<()> {
        self.line(depth, format!("__CPROVER_havoc_object({object});"), comment)
    }

    /// The environment answers with an input of its own.
    fn answer(&mut self, place: &Place, source: Source, depth: usize, comment: &str) -> Written<()> {
        if has_pointer(self.printer.records(), &place.ty) {
            return Err(Unwritable("the environment answers with a pointer".to_string()));
        }
        if matches!(place.ty.plain(), Type::Array(..)) {
            return Err(Unwritable("the environment answers with an array".to_string()));
        }
        let like = match &source {
            Source::Call(name) => name.clone(),
            Source::Outside => "outside".to_string(),
            Source::Volatile => "volatile".to_string(),
            Source::VariableArgument => "argument".to_string(),
            Source::Allocation => "allocation_fails".to_string(),
        };
        let number = self.answers.iter().filter(|(known, ..)| *known == source).count() + 1;
        let name = self.printer.name(&format!("{like}_{number}"));
        let ty = self.printer.type_of(place).plain().clone();
        self.answers.push((source, ty, name.clone()));
        self.line(depth, format!("{} = {name};", self.printer.place(place)?), comment)?;
        self.change(place);
        Ok(())
    }

    /// Something is written.
    fn change(&mut self, place: &Place) {
        match self.writer.is_private(place) {
            Some(variable) => self.forget_variable(variable),
            None => {
                let writer = self.writer;
                let is_private = |expr: &Expr| {
                    let mut private = true;
                    expr.for_each_place(&mut |place, usage| {
                        private &= usage == Use::Address || writer.is_private(place).is_some();
                    });
                    private
                };
                let root = place.root();
                let untouched = |expr: &Expr| {
                    let mut mentions = false;
                    expr.for_each_variable(&mut |variable| mentions |= Some(variable) == root);
                    !mentions && is_private(expr)
                };
                self.known.conditions.retain(|(condition, _)| untouched(condition));
                self.known.needs.retain(|(_, expr)| untouched(expr));
            }
        }
    }

    fn forget_variable(&mut self, variable: VarId) {
        let mentions = |expr: &Expr| {
            let mut mentions = false;
            expr.for_each_variable(&mut |mentioned| mentions |= mentioned == variable);
            mentions
        };
        self.known.conditions.retain(|(condition, _)| !mentions(condition));
        self.known.needs.retain(|(_, expr)| !mentions(expr));
        self.known.ranges.remove(&variable);
    }

    fn learn(&mut self, condition: &Expr, outcome: bool) {
        match (&condition.kind, outcome) {
            (ExprKind::And(a, b), true) | (ExprKind::Or(a, b), false) => {
                self.learn(a, outcome);
                self.learn(b, outcome);
            }
            (ExprKind::Not(inner), _) => self.learn(inner, !outcome),
            _ => {
                // A predicate that is not defined is false, so nothing is known of it from a test.
                if is_defined_somehow(condition) {
                    self.known.conditions.push((condition.clone(), outcome));
                }
                self.learn_range(condition, outcome, false);
            }
        }
    }

    /// What a comparison of a variable with a constant says of its range.
    fn learn_range(&mut self, condition: &Expr, outcome: bool, only_fixed: bool) {
        let ExprKind::Compare(op, a, b) = &condition.kind else {
            return;
        };
        let op = if outcome { *op } else { op.negated() };
        let mirrored = match op {
            CompareOp::Less => CompareOp::Greater,
            CompareOp::LessEqual => CompareOp::GreaterEqual,
            CompareOp::Greater => CompareOp::Less,
            CompareOp::GreaterEqual => CompareOp::LessEqual,
            same => same,
        };
        for (side, op, other) in [(a, op, b), (b, mirrored, a)] {
            let (variable, Some(value)) = (as_variable(side), fold(other)) else {
                continue;
            };
            let Some(variable) = variable.filter(|variable| !self.writer.exposed.contains(variable)) else {
                continue;
            };
            if only_fixed && !self.fixed.contains(&variable) {
                continue;
            }
            let (least, most) = self.variable_range(variable);
            let range = match op {
                CompareOp::Equal => (least.max(value), most.min(value)),
                CompareOp::Less => (least, most.min(value - 1)),
                CompareOp::LessEqual => (least, most.min(value)),
                CompareOp::Greater => (least.max(value + 1), most),
                CompareOp::GreaterEqual => (least.max(value), most),
                CompareOp::NotEqual => continue,
            };
            if range.0 <= range.1 {
                self.known.ranges.insert(variable, range);
            }
        }
    }

    fn variable_range(&self, variable: VarId) -> (i128, i128) {
        let kind = self.writer.cfg.variables[variable.index()].ty.int_kind().unwrap_or(IntKind::Long);
        let whole = (kind.least(), kind.greatest());
        self.known.ranges.get(&variable).copied().unwrap_or(whole)
    }

    /// The values that an integer expression can have.
    fn range(&self, expr: &Expr) -> (i128, i128) {
        let kind = expr.int_kind();
        let whole = (kind.least(), kind.greatest());
        let within =
            |(least, most): (i128, i128)| if least >= whole.0 && most <= whole.1 { (least, most) } else { whole };
        match &expr.kind {
            ExprKind::Constant(value) => (*value, *value),
            ExprKind::Load(place) => match self.writer.is_private(place) {
                Some(variable) => within(self.variable_range(variable)),
                None => whole,
            },
            ExprKind::Cast(inner) if inner.ty.int_kind().is_some() => within(self.range(inner)),
            ExprKind::Binary(op, a, b) if b.ty.int_kind().is_some() => {
                let ((a, b), (c, d)) = (self.range(a), self.range(b));
                match op {
                    BinaryOp::Add => within((a + c, b + d)),
                    BinaryOp::Subtract => within((a - d, b - c)),
                    BinaryOp::Multiply => {
                        let products = [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)];
                        match products.into_iter().collect::<Option<Vec<i128>>>() {
                            Some(p) => within((*p.iter().min().expect("four"), *p.iter().max().expect("four"))),
                            None => whole,
                        }
                    }
                    BinaryOp::Divide if c > 0 => (a.min(0), b.max(0)),
                    BinaryOp::Remainder if c > 0 => {
                        within((if a < 0 { -(d - 1) } else { 0 }, if b > 0 { d - 1 } else { 0 }))
                    }
                    BinaryOp::And if a >= 0 => within((0, b)),
                    BinaryOp::And if c >= 0 => within((0, d)),
                    BinaryOp::ShiftRight if a >= 0 && (0..64).contains(&c) => within((0, b >> c)),
                    _ => whole,
                }
            }
            ExprKind::Compare(..) | ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => (0, 1),
            _ => whole,
        }
    }

    /// Writes down what the evaluation of an expression of the program needs.
    fn needs_of(&mut self, expr: &Expr, depth: usize) -> Written<()> {
        self.check_pointers(expr)?;
        let mut needs = Vec::new();
        self.needs(expr, self.writer.config.followed_overflow(), &mut needs)?;
        self.assume_needs(needs, expr, depth)
    }

    fn needs_of_place(&mut self, place: &Place, depth: usize) -> Written<()> {
        let mut result = Ok(());
        place.for_each_expr(&mut |expr| {
            if result.is_ok() && matches!(expr.kind, ExprKind::Load(_)) {
                result = self.check_pointers(expr);
            }
        });
        result?;
        let mut needs = Vec::new();
        self.place_needs(place, self.writer.config.followed_overflow(), &mut needs)?;
        let expr = Expr { kind: ExprKind::Address(place.clone()), ty: Type::Void.pointer() };
        self.assume_needs(needs, &expr, depth)
    }

    fn assume_needs(&mut self, needs: Vec<Need>, expr: &Expr, depth: usize) -> Written<()> {
        for need in needs {
            if self.known.needs.iter().any(|(known, _)| *known == need.text) {
                continue;
            }
            self.has_bounds |= need.kind == NeedKind::Room;
            self.line(depth, format!("assume({});", need.text), need.kind.comment())?;
            self.known.needs.push((need.text, need.about.unwrap_or_else(|| expr.clone())));
        }
        Ok(())
    }

    /// What an evaluation needs, in the order of the evaluation.
    fn needs(&self, expr: &Expr, overflow: Overflow, needs: &mut Vec<Need>) -> Written<()> {
        let mut add = |kind: NeedKind, text: String| needs.push(Need::new(kind, text));
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Float(_) | ExprKind::Function(_) => {}
            ExprKind::Load(place) => self.place_needs(place, overflow, needs)?,
            ExprKind::Address(place) => {
                if let Base::Pointee(pointer) = &place.base {
                    self.needs(pointer, overflow, needs)?;
                }
                for projection in &place.path {
                    if let Projection::Index(index, _) = projection {
                        self.needs(index, overflow, needs)?;
                    }
                }
            }
            ExprKind::Cast(inner) => {
                self.needs(inner, overflow, needs)?;
                if let (Some(from), Some(to)) = (inner.ty.float_kind(), expr.ty.int_kind())
                    && to != IntKind::Bool
                {
                    let (low, high) = float_range(to, from);
                    let value = self.printer.typed(inner)?;
                    let text = format!("{value} {low} && {value} < {high}");
                    needs.push(Need::new(NeedKind::Defined, text));
                }
            }
            ExprKind::Unary(op, inner) => {
                self.needs(inner, overflow, needs)?;
                if let (UnaryOp::Negate, Some(kind)) = (op, expr.ty.int_kind())
                    && overflow != Overflow::Wrap
                    && kind.is_signed()
                    && self.range(inner).0 == kind.least()
                {
                    let text = format!("fits_neg({})", self.printer.typed(inner)?);
                    needs.push(Need::new(NeedKind::Overflow, text));
                }
            }
            ExprKind::Binary(op, a, b) => {
                self.needs(a, overflow, needs)?;
                self.needs(b, overflow, needs)?;
                self.operation_needs(*op, expr, (a, b), overflow, needs)?;
            }
            ExprKind::Move(a, b, stride) => {
                if !stride.lengths.is_empty() {
                    return Err(Unwritable("an array of variable length".to_string()));
                }
                self.needs(a, overflow, needs)?;
                self.needs(b, overflow, needs)?;
            }
            ExprKind::Distance(a, b, _) => {
                self.needs(a, overflow, needs)?;
                self.needs(b, overflow, needs)?;
                let text = format!("same_object({}, {})", self.printer.expr(a)?, self.printer.expr(b)?);
                needs.push(Need::new(NeedKind::Defined, text));
            }
            ExprKind::Compare(op, a, b) => {
                let is_ordered = a.ty.pointee().is_some() && !matches!(op, CompareOp::Equal | CompareOp::NotEqual);
                if is_ordered {
                    add(
                        NeedKind::Defined,
                        format!("same_object({}, {})", self.printer.expr(a)?, self.printer.expr(b)?),
                    );
                }
                self.needs(a, overflow, needs)?;
                self.needs(b, overflow, needs)?;
            }
            ExprKind::Holds(property, operands) => match property {
                Property::Fits => {
                    for operand in operands {
                        let mut inner = Vec::new();
                        self.needs(operand, Overflow::Wrap, &mut inner)?;
                        needs.extend(inner);
                    }
                }
                other => return Err(Unwritable(format!("C has no words for `{}`", other.name()))),
            },
            ExprKind::Not(inner) => self.needs(inner, overflow, needs)?,
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.needs(a, overflow, needs)?;
                let decided = match expr.kind {
                    ExprKind::And(..) => format!("!({})", self.printer.expr(a)?),
                    _ => format!("({})", self.printer.expr(a)?),
                };
                self.needs_unless(&decided, b, overflow, needs)?;
            }
            ExprKind::Conditional(c, a, b) => {
                self.needs(c, overflow, needs)?;
                let text = self.printer.expr(c)?;
                self.needs_unless(&format!("!({text})"), a, overflow, needs)?;
                self.needs_unless(&format!("({text})"), b, overflow, needs)?;
            }
        }
        Ok(())
    }

    /// What an operand needs that is not evaluated if `decided` holds.
    fn needs_unless(&self, decided: &str, expr: &Expr, overflow: Overflow, needs: &mut Vec<Need>) -> Written<()> {
        let mut inner = Vec::new();
        self.needs(expr, overflow, &mut inner)?;
        needs.extend(inner.into_iter().map(|need| Need::new(need.kind, format!("{decided} || ({})", need.text))));
        Ok(())
    }

    fn operation_needs(
        &self,
        op: BinaryOp,
        expr: &Expr,
        (a, b): (&Expr, &Expr),
        overflow: Overflow,
        needs: &mut Vec<Need>,
    ) -> Written<()> {
        let (Some(kind), Some(right_kind)) = (expr.ty.int_kind(), b.ty.int_kind()) else {
            return Ok(());
        };
        let counts = overflow != Overflow::Wrap && kind.is_signed();
        let ((a_least, a_most), (b_least, b_most)) = (self.range(a), self.range(b));
        let fits = |least: Option<i128>, most: Option<i128>| {
            least.is_some_and(|least| least >= kind.least()) && most.is_some_and(|most| most <= kind.greatest())
        };
        let call = |name: &str| Ok(format!("{name}({}, {})", self.printer.typed(a)?, self.printer.typed(b)?));
        match op {
            BinaryOp::Add if counts && !fits(a_least.checked_add(b_least), a_most.checked_add(b_most)) => {
                needs.push(Need::new(NeedKind::Overflow, call("fits_add")?));
            }
            BinaryOp::Subtract if counts && !fits(a_least.checked_sub(b_most), a_most.checked_sub(b_least)) => {
                needs.push(Need::new(NeedKind::Overflow, call("fits_sub")?));
            }
            BinaryOp::Multiply if counts => {
                let products = [(a_least, b_least), (a_least, b_most), (a_most, b_least), (a_most, b_most)];
                let safe = products.iter().all(|(x, y)| fits(x.checked_mul(*y), x.checked_mul(*y)));
                if !safe {
                    needs.push(Need::new(NeedKind::Overflow, call("fits_mul")?));
                }
            }
            BinaryOp::Divide | BinaryOp::Remainder => {
                if b_least <= 0 && b_most >= 0 {
                    let text = format!("{} != 0", self.printer.typed(b)?);
                    needs.push(Need::new(NeedKind::Defined, text));
                }
                if kind.is_signed() && a_least == kind.least() && b_least <= -1 && b_most >= -1 {
                    let least = Expr::constant(kind.least(), kind);
                    let (x, y) = (self.printer.typed(a)?, self.printer.typed(b)?);
                    let text = format!("!({x} == {} && {y} == -1)", self.printer.typed(&least)?);
                    let kind = if counts { NeedKind::Overflow } else { NeedKind::Defined };
                    needs.push(Need::new(kind, text));
                }
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let width = i128::from(kind.width());
                let count = self.printer.typed(b)?;
                let low = (right_kind.is_signed() && b_least < 0).then(|| format!("{count} >= 0"));
                let high = (b_most >= width).then(|| format!("{count} < {width}"));
                let parts: Vec<String> = low.into_iter().chain(high).collect();
                if !parts.is_empty() {
                    needs.push(Need::new(NeedKind::Defined, parts.join(" && ")));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn place_needs(&self, place: &Place, overflow: Overflow, needs: &mut Vec<Need>) -> Written<()> {
        let mut is_inside = true;
        let mut wide = Vec::new();
        if let Base::Pointee(pointer) = &place.base {
            self.needs(pointer, overflow, needs)?;
            let start = start_of(pointer);
            if self.writer.memory.targets(pointer).contains(&NodeId::NULL)
                && !matches!(start.kind, ExprKind::Address(_))
            {
                let text = format!("{} != 0", self.printer.typed(start)?);
                needs.push(Need::new(NeedKind::Defined, text));
            }
            is_inside = self.is_in_room(pointer);
            collect_wide(pointer, &mut wide);
        }
        let mut ty = match &place.base {
            Base::Variable(variable) => self.printer.types[variable.index()].clone(),
            Base::Pointee(pointer) => pointer.ty.pointee().cloned().unwrap_or(Type::Void),
        };
        let mut path = Vec::new();
        for projection in &place.path {
            if let Projection::Index(index, stride) = projection {
                if !stride.lengths.is_empty() {
                    return Err(Unwritable("an array of variable length".to_string()));
                }
                self.needs(index, overflow, needs)?;
                let (least, most) = self.range(index);
                is_inside &= match ty.plain() {
                    Type::Array(_, Length::Fixed(length)) => least >= 0 && most < i128::from(*length),
                    _ => false,
                };
                if index.int_kind().width() == 64 {
                    wide.push(index);
                }
            }
            path.push(projection.clone());
            ty = self.printer.type_of(&Place { base: place.base.clone(), path: path.clone(), ty: Type::Void });
        }
        if is_inside {
            return Ok(());
        }
        let shown = if self.printer.is_bit_field(place) {
            path.pop();
            let whole = Place { base: place.base.clone(), path, ty: Type::Void };
            Place { ty: self.printer.type_of(&whole), ..whole }
        } else {
            place.clone()
        };
        let mut parts = Vec::new();
        for index in wide {
            let (least, most) = self.range(index);
            if least < i128::from(i32::MIN) || most > i128::from(i32::MAX) {
                // Addresses in CBMC have fewer bits than this index.
                let index = self.printer.typed(index)?;
                parts.push(format!("near({index})"));
            }
        }
        parts.push(format!("inside({})", self.printer.place(&shown)?));
        let about = Some(Expr { kind: ExprKind::Address(place.clone()), ty: Type::Void.pointer() });
        needs.push(Need { text: parts.join(" && "), kind: NeedKind::Room, about });
        Ok(())
    }

    /// Whether a pointer surely points into the room of a parameter.
    fn is_in_room(&self, pointer: &Expr) -> bool {
        let (start, (least, most)) = match &pointer.kind {
            ExprKind::Move(start, index, stride) if stride.factor == 1 => (&**start, self.range(index)),
            _ => (pointer, (0, 0)),
        };
        let Some(variable) = as_variable(start).filter(|variable| self.fixed.contains(variable)) else {
            return false;
        };
        let is_given = self.writer.memory.given.contains_key(&variable);
        is_given && least >= i128::from(-BEFORE) && most < i128::from(BEHIND)
    }

    /// Pointers that lie in memory at the start have no text: where they point to would be a guess.
    fn check_pointers(&self, expr: &Expr) -> Written<()> {
        let mut found = Ok(());
        expr.for_each_place(&mut |place, usage| {
            if usage == Use::Read && found.is_ok() && place.ty.pointee().is_some() {
                found = self.check_copied(place);
            }
        });
        found
    }

    /// Whether what is read at a place can be written down, although it may have pointers in it.
    fn check_copied(&self, place: &Place) -> Written<()> {
        if !has_pointer(self.printer.records(), &place.ty) {
            return Ok(());
        }
        let memory = &self.writer.memory;
        let refused = |name: &str| Err(Unwritable(format!("where `{name}` points to at the start is not known")));
        for node in memory.places(place) {
            let root = memory.root_of(node);
            let Some(variable) = self.writer.variable_of.get(&root) else {
                return refused(&memory.node(node).name);
            };
            let declared = &self.writer.cfg.variables[variable.index()];
            let is_given = match declared.role {
                Role::Global => !self.initialized.contains(variable),
                Role::Parameter => {
                    self.writer.cfg.parameters.contains(variable) && !memory.given.contains_key(variable)
                }
                Role::Heap { .. } => return Err(Unwritable("memory that is allocated on the way".to_string())),
                Role::Local | Role::Temporary | Role::Literal => false,
            };
            if is_given {
                return refused(&memory.node(node).name);
            }
        }
        Ok(())
    }

    /// A predicate as C with its value: where C does not define it, it is false.
    fn literal(&self, predicate: &Expr, value: bool) -> Written<(String, Vec<Need>)> {
        self.check_pointers(predicate)?;
        let mut needs = Vec::new();
        self.needs(predicate, Overflow::Wrap, &mut needs)?;
        let mut defined: Vec<String> = Vec::new();
        let mut rooms = Vec::new();
        for need in needs {
            match need.kind {
                NeedKind::Room if defined.is_empty() => rooms.push(need),
                NeedKind::Room => {
                    let text = format!("!({}) || ({})", defined.join(" && "), need.text);
                    rooms.push(Need::new(need.kind, text));
                }
                _ => defined.push(need.text),
            }
        }
        let holds = self.condition(predicate, true)?;
        let text = match (defined.is_empty(), value) {
            (true, true) => format!("({holds})"),
            (true, false) => format!("!({holds})"),
            (false, true) => format!("({} && ({holds}))", defined.join(" && ")),
            (false, false) => format!("!({} && ({holds}))", defined.join(" && ")),
        };
        Ok((text, rooms))
    }

    /// The valuation of a state on the way.
    fn state(&mut self, literals: &[(&Expr, bool)], comment: &str) -> Written<()> {
        let mut texts = Vec::new();
        for (predicate, value) in literals {
            let is_known = self.known.conditions.iter().any(|(known, is)| known == *predicate && is == value);
            if is_known {
                continue;
            }
            let (text, rooms) = self.literal(predicate, *value)?;
            self.assume_needs(rooms, predicate, 1)?;
            texts.push(text);
        }
        if !texts.is_empty() {
            self.line(1, format!("assume({});", texts.join(" && ")), comment)?;
        }
        for (predicate, value) in literals {
            self.known.conditions.push(((*predicate).clone(), *value));
            self.learn_range(predicate, *value, false);
        }
        Ok(())
    }

    /// The target cannot be, the program says.
    fn target(&mut self, literals: &[(&Expr, bool)]) -> Written<()> {
        let mut texts = Vec::new();
        for (predicate, value) in literals {
            let (text, rooms) = self.literal(predicate, *value)?;
            self.assume_needs(rooms, predicate, 1)?;
            texts.push(text);
        }
        let all = if texts.is_empty() { "1".to_string() } else { texts.join(" && ") };
        self.line(1, format!("assert(!({all}));"), "")
    }

    /// The declarations of everything that the text mentions.
    fn declarations(&mut self) -> Written<(Declarations, Vec<Input>)> {
        let writer = self.writer;
        let cfg = writer.cfg;
        let mut declarations = Declarations::default();
        let mut inputs = Vec::new();
        let mut types = Vec::new();
        let mut line = |text: String, comment: &str| declarations.inside.push((1, text, comment.to_string()));
        let mentioned: Vec<VarId> = self.mentioned.iter().copied().collect();
        let is_parameter = |variable: &VarId| cfg.parameters.contains(variable);
        let (parameters, others): (Vec<VarId>, Vec<VarId>) = mentioned.into_iter().partition(is_parameter);
        for variable in parameters {
            let declared = &cfg.variables[variable.index()];
            let name = self.printer.variables[variable.index()].clone();
            types.push(declared.ty.clone());
            if declared.ty.pointee().is_none() {
                line(format!("{};", self.printer.declaration(&declared.ty, &name)?), "input");
                inputs.push(Input::Variable(variable, name));
                continue;
            }
            let Some(object) = writer.memory.given.get(&variable) else {
                return Err(Unwritable(format!("`{name}` may point to what other pointers point to")));
            };
            let element = writer.memory.node(*object).ty.clone();
            if size_of(&cfg.records, &element).is_none() || has_flexible(self.printer.records(), &element) {
                return Err(Unwritable(format!("what `{name}` points to has no size")));
            }
            types.push(element.clone());
            let pointee = declared.ty.pointee().cloned().unwrap_or(Type::Void);
            let scale = elements(&pointee);
            let array = self.arrays[&variable].clone();
            let count = (BEFORE + BEHIND) * scale;
            let ty = Type::Array(std::sync::Arc::new(element.clone()), Length::Fixed(count as u64));
            line(format!("{};", self.printer.declaration(&ty, &array)?), "input");
            let is_null = match writer.memory.node(writer.memory.root(variable)).kind {
                NodeKind::Pointer(cell, _) => writer.memory.cell(cell).given.contains(&NodeId::NULL),
                _ => false,
            };
            let start = format!("{array} + {}", BEFORE * scale);
            let start = match pointee.is_like(&element) {
                true => start,
                false => format!("({})({start})", self.printer.declaration(&declared.ty, "")?),
            };
            let null = is_null.then(|| self.printer.name(&format!("{name}_is_null")));
            let declaration = self.printer.declaration(&declared.ty, &name)?;
            match &null {
                None => line(format!("{declaration} = {start};"), ""),
                Some(null) => {
                    line(format!("_Bool {null};"), "input");
                    line(format!("{declaration} = {null} ? 0 : {start};"), "");
                }
            }
            inputs.push(Input::Object { parameter: variable, array, null, element, scale });
        }
        for variable in others {
            let declared = &cfg.variables[variable.index()];
            let name = &self.printer.variables[variable.index()];
            types.push(declared.ty.clone());
            let is_input = declared.role == Role::Global && !self.initialized.contains(&variable);
            if let Role::Heap { .. } = declared.role {
                return Err(Unwritable("memory that is allocated on the way".to_string()));
            }
            if matches!(declared.ty.plain(), Type::Array(_, Length::Unknown)) {
                return Err(Unwritable(format!("how long `{name}` is, is not known")));
            }
            line(format!("{};", self.printer.declaration(&declared.ty, name)?), if is_input { "input" } else { "" });
            if is_input {
                inputs.push(Input::Variable(variable, name.clone()));
            }
        }
        for (source, ty, name) in &self.answers {
            types.push(ty.clone());
            line(format!("{};", self.printer.declaration(ty, name)?), "input, the answer to a question");
            inputs.push(Input::Answer(source.clone(), ty.clone(), name.clone()));
        }
        declarations.outside = self.printer.definitions(&types)?;
        for function in &self.functions {
            declarations.outside.push(self.printer.function(*function)?);
        }
        if !declarations.inside.is_empty() {
            declarations.inside.push((0, String::new(), String::new()));
        }
        Ok((declarations, inputs))
    }
}

#[derive(Default)]
struct Declarations {
    outside: Vec<String>,
    inside: Vec<(usize, String, String)>,
}

impl Known {
    /// Keeps what is known on both ways.
    fn join(&mut self, other: &Known) {
        self.conditions.retain(|known| other.conditions.contains(known));
        self.needs.retain(|known| other.needs.contains(known));
        let joined = self.ranges.iter().filter_map(|(variable, (least, most))| {
            let (x, y) = other.ranges.get(variable)?;
            Some((*variable, (*least.min(x), *most.max(y))))
        });
        self.ranges = joined.collect();
    }
}

/// What stands before the declarations of every path program.
const PROLOGUE: &str = r#"// CBMC finds inputs for which the assertion fails: cbmc --no-standard-checks --trace FILE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#ifdef __CPROVER__
#define fits_add(a, b) (!__CPROVER_overflow_plus(a, b))
#define fits_sub(a, b) (!__CPROVER_overflow_minus(a, b))
#define fits_mul(a, b) (!__CPROVER_overflow_mult(a, b))
#define fits_neg(a) (!__CPROVER_overflow_unary_minus(a))
#define same_object(a, b) __CPROVER_same_object(a, b)
#ifdef PCT_ANYWHERE
#define inside(place) 1
#define near(index) 1
#else
#define inside(place) __CPROVER_r_ok(&(place), sizeof(place))
#define near(index) (-1000 <= (index) && (index) <= 1000)
#endif
#else
#define fits_add(a, b) (!__builtin_add_overflow(a, b, &(__typeof__((a) + (b))){0}))
#define fits_sub(a, b) (!__builtin_sub_overflow(a, b, &(__typeof__((a) - (b))){0}))
#define fits_mul(a, b) (!__builtin_mul_overflow(a, b, &(__typeof__((a) * (b))){0}))
#define fits_neg(a) (!__builtin_sub_overflow(0, a, &(__typeof__(-(a))){0}))
#define same_object(a, b) 1
#define inside(place) 1
#define near(index) 1
#define __CPROVER_assume(condition) do { if (!(condition)) exit(0); } while (0)
#define __CPROVER_havoc_object(object) ((void)(object))
#endif
#define assume(condition) __CPROVER_assume(condition)

"#;

impl PathProgram {
    /// The program in which every access counts as inside its object.
    pub fn anywhere(&self) -> String {
        format!("#define PCT_ANYWHERE\n{}", self.text)
    }

    /// The program for inputs that are at most `size` from zero: short arrays, small numbers. `None` if there are no
    /// numbers among the inputs.
    pub fn small(&self, cfg: &Cfg, size: i128) -> Option<String> {
        let mut wishes = String::new();
        let mut wish = |name: &str, ty: &Type| {
            if let Some(kind) = ty.int_kind() {
                let (least, greatest) = (kind.least().max(-size), kind.greatest().min(size));
                let _ = writeln!(wishes, "    assume({least} <= {name} && {name} <= {greatest});  // small");
            }
        };
        for input in &self.inputs {
            match input {
                Input::Variable(variable, name) => wish(name, &cfg.variables[variable.index()].ty),
                Input::Answer(_, ty, name) => wish(name, ty),
                Input::Object { array, element, .. } => {
                    for index in 0..BEFORE + BEHIND {
                        wish(&format!("{array}[{index}]"), element);
                    }
                }
            }
        }
        let main = self.text.find("int main(void)")?;
        let behind = main + self.text[main..].find("\n\n")? + 1;
        (!wishes.is_empty()).then(|| [&self.text[..behind], &wishes, &self.text[behind..]].concat())
    }

    /// The inputs that CBMC found, as memory; `None` if it did not tell a value.
    pub fn inputs(&self, cfg: &Cfg, found: &[(String, Value)]) -> Option<Inputs> {
        let printer = Printer::new(&[], &cfg.records, &[]);
        let found: BTreeMap<&str, &Value> = found.iter().map(|(name, value)| (name.as_str(), value)).collect();
        let reader = Reader { records: printer.records(), found };
        let mut inputs = Inputs::default();
        for input in &self.inputs {
            match input {
                Input::Variable(variable, name) => {
                    let image = reader.image(&cfg.variables[variable.index()].ty, name)?;
                    inputs.variables.insert(*variable, image);
                }
                Input::Answer(source, ty, name) => {
                    let image = reader.image(ty, name)?;
                    inputs.answers.push(Answered { source: source.clone(), image });
                }
                Input::Object { parameter, array, null, element, scale } => {
                    let is_null =
                        null.as_ref().is_some_and(|null| reader.found.get(null.as_str()) == Some(&&Value::Integer(1)));
                    let mut image = Image { bytes: vec![0; 8], addresses: BTreeMap::new() };
                    if !is_null {
                        image.addresses.insert(0, Address::Object(inputs.objects.len(), 0));
                        let count = ((BEFORE + BEHIND) * scale) as u64;
                        let whole = Type::Array(std::sync::Arc::new(element.clone()), Length::Fixed(count));
                        inputs.objects.push(Object {
                            name: format!("*{}", cfg.variables[parameter.index()].name),
                            ty: element.clone(),
                            first: -BEFORE * scale,
                            length: None,
                            image: reader.image(&whole, array)?,
                        });
                    }
                    inputs.variables.insert(*parameter, image);
                }
            }
        }
        self.set_lengths(cfg, &mut inputs);
        Some(inputs)
    }

    /// How many elements objects have, where the user said so.
    fn set_lengths(&self, cfg: &Cfg, inputs: &mut Inputs) {
        for (parameter, length) in &cfg.lengths {
            let address = inputs.variables.get(parameter).and_then(|image| image.addresses.get(&0).copied());
            let Some(Address::Object(number, _)) = address else {
                continue;
            };
            let value = length.replaced(&mut |place| {
                let variable = place.as_variable()?;
                let kind = place.ty.int_kind()?;
                let value = match inputs.variables.get(&variable) {
                    Some(image) => super::value::read(&cfg.records, &place.ty, image, 0),
                    None => super::value::Value::Int(0, kind),
                };
                match value {
                    super::value::Value::Int(value, kind) => Some(Expr::constant(value, kind)),
                    _ => None,
                }
            });
            if let Some(length) = fold(&value) {
                inputs.objects[number].length = u64::try_from(length.max(0)).ok();
            }
        }
    }
}

/// The values of a trace as memory.
struct Reader<'a> {
    records: &'a [crate::program::Record],
    found: BTreeMap<&'a str, &'a Value>,
}

impl Reader<'_> {
    fn image(&self, ty: &Type, name: &str) -> Option<Image> {
        let (size, _) = size_of(self.records, ty)?;
        let mut image = Image { bytes: vec![0; size as usize], addresses: BTreeMap::new() };
        self.read(ty, name, 0, None, &mut image)?;
        Some(image)
    }

    fn read(&self, ty: &Type, name: &str, byte: u64, bits: Option<(u32, u32)>, image: &mut Image) -> Option<()> {
        match ty.plain() {
            Type::Int(kind) => {
                let value = match self.found.get(name)? {
                    Value::Integer(value) => *value,
                    _ => return None,
                };
                let (first, width) = bits.unwrap_or((0, kind.size() as u32 * 8));
                write_bits(&mut image.bytes, byte * 8 + u64::from(first), width, value);
            }
            Type::Float(kind) => {
                let Value::Float(value) = self.found.get(name)? else {
                    return None;
                };
                let bits = match kind {
                    FloatKind::Float => i128::from((*value as f32).to_bits()),
                    FloatKind::Double => i128::from(value.to_bits()),
                    FloatKind::LongDouble => return None,
                };
                write_bits(&mut image.bytes, byte * 8, kind.width(), bits);
            }
            // A pointer that the path does not look at.
            Type::Pointer(_) => {}
            Type::Array(element, Length::Fixed(count)) => {
                let (size, _) = size_of(self.records, element)?;
                for index in 0..*count {
                    self.read(element, &format!("{name}[{index}]"), byte + index * size, None, image)?;
                }
            }
            Type::Record(id) => {
                let record = &self.records[id.index()];
                if record.is_union {
                    return None;
                }
                for field in record.fields.iter().flatten() {
                    self.read(&field.ty, &format!("{name}.{}", field.name), byte + field.offset, field.bits, image)?;
                }
            }
            _ => return None,
        }
        Some(())
    }
}

fn write_bits(bytes: &mut [u8], at: u64, width: u32, value: i128) {
    for bit in 0..width {
        let position = (at + u64::from(bit)) as usize;
        let mask = 1 << (position % 8);
        if value >> bit & 1 == 1 {
            bytes[position / 8] |= mask;
        } else {
            bytes[position / 8] &= !mask;
        }
    }
}

/// The variable that an expression reads, also through conversions that keep the value.
fn as_variable(expr: &Expr) -> Option<VarId> {
    match &expr.kind {
        ExprKind::Load(place) => place.as_variable(),
        ExprKind::Cast(inner) => {
            let (from, to) = (inner.ty.int_kind()?, expr.ty.int_kind()?);
            let keeps = to.least() <= from.least() && to.greatest() >= from.greatest();
            keeps.then(|| as_variable(inner)).flatten()
        }
        _ => None,
    }
}

/// The pointer that a moved pointer started from.
fn start_of(pointer: &Expr) -> &Expr {
    match &pointer.kind {
        ExprKind::Move(start, ..) => start_of(start),
        ExprKind::Cast(inner) if inner.ty.pointee().is_some() => start_of(inner),
        _ => pointer,
    }
}

/// The 64-bit indices that a pointer is moved by.
fn collect_wide<'e>(pointer: &'e Expr, wide: &mut Vec<&'e Expr>) {
    match &pointer.kind {
        ExprKind::Move(start, index, _) => {
            if index.int_kind().width() == 64 {
                wide.push(index);
            }
            collect_wide(start, wide);
        }
        ExprKind::Cast(inner) if inner.ty.pointee().is_some() => collect_wide(inner, wide),
        _ => {}
    }
}

/// Whether a condition is either true or false, as a test and as a predicate.
fn is_defined_somehow(expr: &Expr) -> bool {
    let mut defined = true;
    expr.for_each(&mut |part| {
        defined &= !matches!(
            part.kind,
            ExprKind::Binary(BinaryOp::Divide | BinaryOp::Remainder | BinaryOp::ShiftLeft | BinaryOp::ShiftRight, ..)
                | ExprKind::Holds(..)
                | ExprKind::Distance(..)
        );
    });
    defined
}

/// How many innermost elements one value has.
fn elements(ty: &Type) -> i64 {
    match ty.plain() {
        Type::Array(element, Length::Fixed(length)) => {
            elements(element).saturating_mul((*length).clamp(1, 1 << 20) as i64)
        }
        _ => 1,
    }
}

fn has_pointer(records: &[crate::program::Record], ty: &Type) -> bool {
    match ty.innermost().plain() {
        Type::Pointer(_) => true,
        Type::Record(id) => records[id.index()].fields.iter().flatten().any(|field| has_pointer(records, &field.ty)),
        _ => false,
    }
}

fn has_flexible(records: &[crate::program::Record], ty: &Type) -> bool {
    match ty.plain() {
        Type::Array(element, length) => *length == Length::Unknown || has_flexible(records, element),
        Type::Record(id) => records[id.index()].fields.iter().flatten().any(|field| has_flexible(records, &field.ty)),
        _ => false,
    }
}

/// The bounds between which conversion to an integer type is defined, as C: an operator with the lower one, the upper one.
fn float_range(to: IntKind, from: FloatKind) -> (String, String) {
    let suffix = if from == FloatKind::Float { "f" } else { "" };
    let below = to.least() - 1;
    let is_exact = match from {
        FloatKind::Float => (below as f32) as i128 == below,
        FloatKind::Double | FloatKind::LongDouble => (below as f64) as i128 == below,
    };
    let low = match is_exact {
        true => format!("> {below}.0{suffix}"),
        false => format!(">= {}.0{suffix}", to.least()),
    };
    (low, format!("{}.0{suffix}", to.greatest() + 1))
}
