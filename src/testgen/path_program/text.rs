//! The lines of a path program: each piece as C, each state as an assumption, the last one as an assertion.
//!
//! A state is assumed only as far as it does not follow from the states before it, because nothing that it speaks of has
//! changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::declarations::PROLOGUE;
use super::known::Known;
use super::needs::{Need, NeedKind, has_pointer};
use super::piece::{Leg, Piece};
use super::{MARK, MAX_LINES, PathProgram, Writer};
use crate::cfg::Action;
use crate::config::Overflow;
use crate::memory::NodeId;
use crate::program::{BinaryOp, Expr, ExprKind, FunctionId, Place, Property, Role, Source, Type, VarId};
use crate::testgen::c_text::{Printer, Unwritable, Written};

/// The text in the making.
pub(super) struct Text<'w, 'a> {
    pub(super) writer: &'w Writer<'a>,
    pub(super) printer: Printer,
    pub(super) lines: Vec<(usize, String, String)>,
    pub(super) known: Known,
    /// Variables that got a value already.
    pub(super) touched: BTreeSet<VarId>,
    /// Variables that nothing assigns: what is known of them is known everywhere.
    pub(super) fixed: BTreeSet<VarId>,
    pub(super) mentioned: BTreeSet<VarId>,
    pub(super) functions: BTreeSet<FunctionId>,
    /// Pointers that are used as arrays.
    pub(super) moved: BTreeSet<VarId>,
    pub(super) answers: Vec<(Source, Type, String)>,
    /// The arrays that parameters point to.
    pub(super) arrays: BTreeMap<VarId, String>,
    /// Variables that hold what the prelude gives them.
    pub(super) initialized: BTreeSet<VarId>,
    pub(super) is_exact: bool,
    /// Whether an access may leave the room of its object.
    pub(super) has_bounds: bool,
}

impl<'w, 'a> Text<'w, 'a> {
    pub(super) fn new(writer: &'w Writer<'a>, legs: &[Leg]) -> Written<Text<'w, 'a>> {
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
    pub(super) fn program(mut self, legs: &[Leg]) -> Result<PathProgram, Unwritable> {
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

    pub(super) fn line(&mut self, depth: usize, text: String, comment: &str) -> Written<()> {
        if self.lines.len() >= MAX_LINES {
            return Err(Unwritable("the program would be too long".to_string()));
        }
        self.lines.push((depth, text, comment.to_string()));
        Ok(())
    }

    pub(super) fn pieces(&mut self, pieces: &[Piece], depth: usize, comment: &str) -> Written<()> {
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
}

/// The variable that an expression reads, also through conversions that keep the value.
pub(super) fn as_variable(expr: &Expr) -> Option<VarId> {
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

/// Whether a condition is either true or false, as a test and as a predicate.
pub(super) fn is_defined_somehow(expr: &Expr) -> bool {
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
