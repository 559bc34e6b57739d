//! The construction of the graph.
//!
//! Statements are walked in order; `current` is the location where the next action will start. Code that nothing
//! leads to starts at a fresh location without predecessors, so it is there, observed, and unreachable.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{Action, Cfg, Check, CheckKind, Edge, Lengths, LocationId, Outline, Site, Test, uses_labels};
use crate::config::{Config, Globals, PredicateSource};
use crate::error::{Error, Result};
use crate::program::{
    Atom, Case, CompareOp, Condition, Expr, FunctionId, Naming, Place, Program, Role, Scope, Span, Statement,
    StatementKind, Step, VarId, Variable, fold,
};

/// Builds the graph of `function` with everything it calls.
pub fn build(program: &Program, function: FunctionId, config: &Config, lengths: &Lengths) -> Result<Cfg> {
    let target = program.function(function);
    let mut builder = Builder {
        program,
        successors: vec![Vec::new(); 3],
        spans: vec![target.span; 3],
        span: target.span,
        raw_points: Vec::new(),
        point_of: HashMap::new(),
        heads: Vec::new(),
        variables: program.variables.clone(),
        conditions: Vec::new(),
        labels: uses_labels(target, config.points),
        prelude: true,
        frames: vec![Frame::new(function, LocationId::HALT)],
        scope: Vec::new(),
        current: LocationId(0),
        outline: Vec::new(),
        depth: config.depth,
        zeroed: Vec::new(),
        notes: program.notes.clone(),
        unobserved: BTreeSet::new(),
        checks: vec![Check {
            kind: CheckKind::Other,
            text: String::new(),
            span: target.span,
            location: LocationId::ERROR,
        }],
        wanted: config.checks.iter().copied().collect(),
        lengths: lengths.clone(),
        assigned: assigned_variables(program),
    };
    let entry = builder.location();
    builder.current = entry;
    let start = builder.site();
    // The entry is not a point, whatever the function begins with.
    builder.emit(Action::Skip);
    for global in &program.globals {
        builder.declare(global.variable);
    }
    for &parameter in &target.parameters {
        builder.declare(parameter);
    }
    builder.effect(start);
    builder.body(&target.body)?;
    let everything = config.globals == Globals::Initial || target.name == "main";
    let entry = builder.initial_values(entry, everything, &named_by_the_user(config))?;
    builder.cut_cycles();
    let mut cfg = builder.finish(entry, &target.name);
    cfg.assumptions.extend(super::assumptions::of_memory(&cfg, &target.parameters));
    debug_assert_eq!(super::verify::verify(&cfg), Ok(()));
    Ok(cfg)
}

pub(super) struct Builder<'a> {
    pub(super) program: &'a Program,
    pub(super) successors: Vec<Vec<Edge>>,
    pub(super) spans: Vec<Span>,
    /// The statement that is being built.
    pub(super) span: Span,
    pub(super) raw_points: Vec<RawPoint>,
    pub(super) point_of: HashMap<LocationId, usize>,
    /// Where a cycle may begin: heads of loops and labels.
    pub(super) heads: Vec<RawPoint>,
    pub(super) variables: Vec<Variable>,
    pub(super) conditions: Vec<Expr>,
    /// The points are the labels.
    pub(super) labels: bool,
    /// Still in the leading declarations and assumptions.
    pub(super) prelude: bool,
    /// The activations; the first is that of the analysed function.
    pub(super) frames: Vec<Frame>,
    /// The names in scope, outermost first.
    pub(super) scope: Vec<(String, VarId)>,
    pub(super) current: LocationId,
    /// The structure of the block that is being built.
    pub(super) outline: Vec<Outline>,
    /// How often a function may be inlined into itself.
    pub(super) depth: usize,
    /// Memory of allocation sites that is zero at first.
    pub(super) zeroed: Vec<VarId>,
    /// What is told to the user once.
    pub(super) notes: Vec<String>,
    /// Lines with conditions that no predicate can say: they rest on the result of a call or the like.
    pub(super) unobserved: BTreeSet<u32>,
    /// The ways to go wrong.
    pub(super) checks: Vec<Check>,
    /// Which run-time checks are wanted.
    pub(super) wanted: BTreeSet<CheckKind>,
    /// How many elements what a parameter points to has.
    pub(super) lengths: BTreeMap<VarId, Expr>,
    /// The variables of the function that something is assigned to.
    pub(super) assigned: BTreeSet<VarId>,
}

pub(super) struct RawPoint {
    pub(super) location: LocationId,
    pub(super) span: Span,
    pub(super) label: Option<String>,
    /// The name of the function of the C library that it is in.
    pub(super) library: Option<String>,
    pub(super) scope: Scope,
    /// In the analysed function itself, not in a callee.
    pub(super) own: bool,
}

/// One activation of a function.
pub(super) struct Frame {
    pub(super) function: FunctionId,
    /// The variables of this activation, by those of the function.
    pub(super) instances: HashMap<VarId, VarId>,
    labels: HashMap<String, LocationId>,
    defined: HashSet<String>,
    used: BTreeMap<String, Span>,
    pub(super) return_to: LocationId,
    breaks: Vec<LocationId>,
    continues: Vec<LocationId>,
    switches: Vec<Vec<(Case, LocationId)>>,
}

impl Frame {
    /// Whether a variable is a parameter of the function.
    pub(super) fn is_parameter(&self, program: &Program, variable: VarId) -> bool {
        program.function(self.function).parameters.contains(&variable)
    }

    pub(super) fn new(function: FunctionId, return_to: LocationId) -> Frame {
        Frame {
            function,
            instances: HashMap::new(),
            labels: HashMap::new(),
            defined: HashSet::new(),
            used: BTreeMap::new(),
            return_to,
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
        }
    }
}

/// Whether the atomic conditions of a decision are observed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Observe {
    /// They are points, and predicates.
    Decision,
    /// They only restrict which executions are considered.
    Assumption,
}

impl Builder<'_> {
    pub(super) fn location(&mut self) -> LocationId {
        self.successors.push(Vec::new());
        self.spans.push(self.span);
        LocationId(self.successors.len() as u32 - 1)
    }

    pub(super) fn edge(&mut self, from: LocationId, target: LocationId, action: Action) {
        self.successors[from.index()].push(Edge { target, action });
    }

    /// One action, then on from a new location.
    pub(super) fn emit(&mut self, action: Action) {
        let next = self.location();
        self.edge(self.current, next, action);
        self.current = next;
    }

    /// Control goes to `target`; what follows in the text is reached from elsewhere, if at all.
    pub(super) fn jump(&mut self, target: LocationId) {
        self.edge(self.current, target, Action::Skip);
        self.current = self.location();
    }

    pub(super) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("there is always an activation")
    }

    pub(super) fn in_callee(&self) -> bool {
        self.frames.len() > 1
    }

    /// The current location becomes a point, if statements are observed here.
    fn point(&mut self, span: Span) {
        if !self.labels && !self.in_callee() && !self.prelude {
            self.add_point(span, None);
        }
    }

    fn add_point(&mut self, span: Span, label: Option<String>) {
        if self.point_of.contains_key(&self.current) {
            return;
        }
        let point = self.raw_point(span, label);
        self.point_of.insert(self.current, self.raw_points.len());
        self.raw_points.push(point);
    }

    fn raw_point(&self, span: Span, label: Option<String>) -> RawPoint {
        RawPoint {
            location: self.current,
            span,
            label,
            library: self.library(),
            scope: self.scope.iter().cloned().collect(),
            own: !self.in_callee(),
        }
    }

    /// The function of the C library that is being inlined.
    fn library(&self) -> Option<String> {
        let frame = self.frames.last().expect("there is always an activation");
        let function = self.program.function(frame.function);
        function.is_library.then(|| function.name.clone())
    }

    fn site(&self) -> Site {
        Site { location: self.current, scope: self.scope.iter().cloned().collect() }
    }

    /// Notes what happened since `start` in the structure of the function.
    fn effect(&mut self, start: Site) {
        let end = self.site();
        self.note(Outline::Effect(start, end));
    }

    fn note(&mut self, outline: Outline) {
        if !self.in_callee() {
            self.outline.push(outline);
        }
    }

    /// Runs `work` as a part of one effect, whatever its structure.
    fn quietly(&mut self, work: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let span = self.span;
        let inner = self.nested(work)?;
        if super::outline::jumps_out(&inner) {
            self.note(Outline::JumpOut(span));
        }
        Ok(())
    }

    /// Runs `work`, and gives back the structure that it built.
    fn nested(&mut self, work: impl FnOnce(&mut Self) -> Result<()>) -> Result<Vec<Outline>> {
        let outer = std::mem::take(&mut self.outline);
        let result = work(self);
        let inner = std::mem::replace(&mut self.outline, outer);
        result.map(|()| inner)
    }

    /// A name comes into scope. Those of callees are never visible to predicates.
    fn declare(&mut self, variable: VarId) {
        if !self.in_callee() {
            let name = self.program.variable(variable).name.clone();
            self.scope.push((name, variable));
        }
    }

    /// Before the entry, the initial values of the globals that the graph speaks of: in `main`, on request, and always
    /// if they are const. Gives back the new entry.
    fn initial_values(&mut self, entry: LocationId, everything: bool, named: &BTreeSet<String>) -> Result<LocationId> {
        let mut mentioned: BTreeSet<VarId> = BTreeSet::new();
        for edge in self.successors.iter().flatten() {
            edge.action.for_each_variable(&mut |variable| {
                mentioned.insert(variable);
            });
        }
        let program = self.program;
        // Predicates may speak of globals that the function does not touch.
        for global in &program.globals {
            if named.contains(&program.variable(global.variable).name) {
                mentioned.insert(global.variable);
            }
        }
        let start = self.location();
        self.current = start;
        let mut done: BTreeSet<VarId> = BTreeSet::new();
        loop {
            let next = program.globals.iter().find(|global| {
                let known = everything || global.is_const;
                known && mentioned.contains(&global.variable) && !done.contains(&global.variable)
            });
            let Some(global) = next else { break };
            done.insert(global.variable);
            let before = self.successors.len();
            self.steps(global.initializer.as_deref().unwrap_or_default())?;
            // An initial value may be the address of another global.
            for edge in self.successors[before..].iter().flatten() {
                edge.action.for_each_variable(&mut |variable| {
                    mentioned.insert(variable);
                });
            }
        }
        for object in std::mem::take(&mut self.zeroed) {
            let place = Place::variable(object, self.variables[object.index()].ty.clone());
            self.emit(Action::Zero(place));
        }
        self.edge(self.current, entry, Action::Skip);
        if let Some(Outline::Effect(site, _)) = self.outline.first_mut() {
            site.location = start;
        }
        Ok(start)
    }

    /// The body of the analysed function: the leading declarations and assumptions are the prelude.
    fn body(&mut self, body: &[Statement]) -> Result<()> {
        for statement in body {
            self.prelude &= match &statement.kind {
                StatementKind::Declare { .. } => true,
                StatementKind::Evaluate(steps) => {
                    !steps.is_empty() && steps.iter().all(|s| matches!(s, Step::Assume(_)))
                }
                _ => false,
            };
            self.statement(statement)?;
        }
        self.end_of_function()
    }

    pub(super) fn end_of_function(&mut self) -> Result<()> {
        let return_to = self.frame().return_to;
        self.jump(return_to);
        let frame = self.frames.last().expect("there is always an activation");
        for (label, span) in &frame.used {
            if !frame.defined.contains(label) {
                return Err(Error::source(
                    &self.program.sources,
                    *span,
                    format!("there is no label `{label}`"),
                    "jumps nowhere",
                    "",
                ));
            }
        }
        Ok(())
    }

    pub(super) fn block(&mut self, statements: &[Statement]) -> Result<()> {
        let outer = self.scope.len();
        for statement in statements {
            self.statement(statement)?;
        }
        self.leave_scope(outer);
        Ok(())
    }

    /// Names go out of scope. Where an outer variable of the same name is visible again, predicates change their
    /// meaning, and that is an effect of its own.
    fn leave_scope(&mut self, outer: usize) {
        let inner: Vec<String> = self.scope[outer..].iter().map(|(name, _)| name.clone()).collect();
        let before = self.site();
        self.scope.truncate(outer);
        if inner.iter().any(|name| self.scope.iter().any(|(visible, _)| visible == name)) {
            self.effect(before);
        }
    }

    fn statement(&mut self, statement: &Statement) -> Result<()> {
        let span = statement.span;
        self.span = span;
        self.spans[self.current.index()] = span;
        match &statement.kind {
            StatementKind::Evaluate(steps) => {
                self.point(span);
                let start = self.site();
                self.quietly(|this| this.steps(steps))?;
                if self.current == start.location {
                    // A statement that does nothing is a place of its own all the same.
                    self.emit(Action::Skip);
                }
                self.effect(start);
                Ok(())
            }
            StatementKind::Declare { variable, steps } => {
                let start = self.site();
                let local = self.instance(*variable);
                if steps.is_empty() {
                    self.emit(Action::Unset(local));
                } else {
                    self.point(span);
                    self.quietly(|this| this.steps(steps))?;
                }
                self.declare(*variable);
                self.effect(start);
                Ok(())
            }
            StatementKind::Block(body) => self.block(body),
            StatementKind::If { condition, then, otherwise } => {
                self.point(span);
                let (yes, no, end) = (self.location(), self.location(), self.location());
                let test = self.condition(condition, yes, no, Observe::Decision)?;
                self.current = yes;
                let then = self.nested(|this| this.scoped(then))?;
                self.jump(end);
                self.current = no;
                let otherwise = match otherwise {
                    Some(otherwise) => self.nested(|this| this.scoped(otherwise))?,
                    None => Vec::new(),
                };
                self.jump(end);
                self.current = end;
                self.note(Outline::If(test, then, otherwise));
                Ok(())
            }
            StatementKind::While { condition, body } => {
                let head = self.loop_head(span);
                self.point(span);
                let (inside, end) = (self.location(), self.location());
                let test = self.condition(condition, inside, end, Observe::Decision)?;
                self.current = inside;
                let body = self.nested(|this| this.loop_body(body, end, head))?;
                self.jump(head);
                self.current = end;
                self.note(Outline::While(test, body));
                Ok(())
            }
            StatementKind::DoWhile { body, condition } => {
                let head = self.loop_head(span);
                let (decision, end) = (self.location(), self.location());
                let body = self.nested(|this| this.loop_body(body, end, decision))?;
                self.jump(decision);
                self.current = decision;
                let test = self.condition(condition, head, end, Observe::Decision)?;
                self.current = end;
                self.note(Outline::DoWhile(body, test));
                Ok(())
            }
            StatementKind::For { init, condition, step, body } => {
                let outer = self.scope.len();
                for statement in init {
                    self.statement(statement)?;
                }
                let head = self.loop_head(span);
                let (inside, next, end) = (self.location(), self.location(), self.location());
                let test = match condition {
                    Some(condition) => Some(self.condition(condition, inside, end, Observe::Decision)?),
                    None => {
                        self.point(span);
                        self.jump(inside);
                        None
                    }
                };
                self.current = inside;
                let body = self.nested(|this| this.loop_body(body, end, next))?;
                self.jump(next);
                self.current = next;
                let step = match step {
                    Some(step) => self.nested(|this| this.statement(step))?,
                    None => Vec::new(),
                };
                self.jump(head);
                self.current = end;
                self.note(Outline::For(test, body, step));
                self.leave_scope(outer);
                Ok(())
            }
            StatementKind::Switch { steps, operand, body } => self.switch(span, steps, operand, body),
            StatementKind::Case(case, body) => {
                let here = self.location();
                self.jump(here);
                self.current = here;
                let Some(cases) = self.frame().switches.last_mut() else {
                    return Err(self.misplaced(span, "a case label outside a switch"));
                };
                cases.push((case.clone(), here));
                self.note(Outline::Case);
                self.statement(body)
            }
            StatementKind::Label(name, body) => {
                let here = self.label(name);
                if !self.frame().defined.insert(name.clone()) {
                    return Err(self.misplaced(span, &format!("the label `{name}` is there twice")));
                }
                self.jump(here);
                self.current = here;
                let head = self.raw_point(span, None);
                self.heads.push(head);
                if self.labels && !self.in_callee() {
                    self.add_point(span, Some(name.clone()));
                }
                self.note(Outline::Label(name.clone()));
                self.statement(body)
            }
            StatementKind::Goto(name) => {
                self.point(span);
                let target = self.label(name);
                self.frame().used.entry(name.clone()).or_insert(span);
                self.jump(target);
                self.note(Outline::Goto(name.clone()));
                Ok(())
            }
            StatementKind::Break => {
                self.point(span);
                match self.frame().breaks.last().copied() {
                    Some(target) => self.jump(target),
                    None => return Err(self.misplaced(span, "break outside a loop or switch")),
                }
                self.note(Outline::Break);
                Ok(())
            }
            StatementKind::Continue => {
                self.point(span);
                match self.frame().continues.last().copied() {
                    Some(target) => self.jump(target),
                    None => return Err(self.misplaced(span, "continue outside a loop")),
                }
                self.note(Outline::Continue);
                Ok(())
            }
            StatementKind::Return(steps) => {
                self.point(span);
                let start = self.site();
                self.quietly(|this| this.steps(steps))?;
                self.effect(start);
                let target = self.frame().return_to;
                self.jump(target);
                self.note(Outline::Return);
                Ok(())
            }
        }
    }

    /// The tables that names are looked up in.
    pub(super) fn naming(&self) -> Naming<'_> {
        Naming { variables: &self.variables, records: &self.program.records, functions: &self.program.functions }
    }

    /// A condition as C.
    fn condition_text(&self, condition: &Condition) -> String {
        match condition {
            Condition::Atom(atom) => atom
                .observed
                .as_ref()
                .unwrap_or(&atom.value)
                .to_c(Naming { variables: &self.program.variables, ..self.naming() }),
            Condition::Not(inner) => format!("!({})", self.condition_text(inner)),
            Condition::And(a, b) => format!("{} && {}", self.condition_text(a), self.condition_text(b)),
            Condition::Or(a, b) => format!("({} || {})", self.condition_text(a), self.condition_text(b)),
            Condition::Choose(c, a, b) => {
                format!("({} ? {} : {})", self.condition_text(c), self.condition_text(a), self.condition_text(b))
            }
            Condition::After(_, inner) => self.condition_text(inner),
        }
    }

    fn misplaced(&self, span: Span, what: &str) -> Error {
        Error::source(&self.program.sources, span, what, "here", "")
    }

    /// A statement that is a scope of its own.
    fn scoped(&mut self, statement: &Statement) -> Result<()> {
        self.block(std::slice::from_ref(statement))
    }

    /// The current location as the head of a loop. A label right before the loop is its head too.
    fn loop_head(&mut self, span: Span) -> LocationId {
        let head = self.raw_point(span, None);
        self.heads.push(head);
        self.current
    }

    fn loop_body(&mut self, body: &Statement, end: LocationId, next: LocationId) -> Result<()> {
        self.frame().breaks.push(end);
        self.frame().continues.push(next);
        self.scoped(body)?;
        self.frame().breaks.pop();
        self.frame().continues.pop();
        Ok(())
    }

    fn label(&mut self, name: &str) -> LocationId {
        if let Some(&known) = self.frame().labels.get(name) {
            return known;
        }
        let location = self.location();
        self.frame().labels.insert(name.to_string(), location);
        location
    }

    fn switch(&mut self, span: Span, steps: &[Step], operand: &Expr, body: &Statement) -> Result<()> {
        self.point(span);
        let start = self.site();
        self.quietly(|this| this.steps(steps))?;
        if !steps.is_empty() {
            self.effect(start);
        }
        let dispatch = self.current;
        let site = self.site();
        let bound = self.expr(operand);
        self.check_expr(&bound);
        let test = |op, value: i128, operand: &Expr| {
            Expr::compare(op, operand.clone(), Expr::constant(value, operand.int_kind()))
        };
        for case in cases_of(body) {
            match case {
                Case::Values(low, high) if low == high => {
                    self.observe(&test(CompareOp::Equal, *low, operand));
                }
                Case::Values(low, high) => {
                    self.observe(&test(CompareOp::GreaterEqual, *low, operand));
                    self.observe(&test(CompareOp::LessEqual, *high, operand));
                }
                Case::Default => {}
            }
        }
        let end = self.location();
        self.frame().breaks.push(end);
        self.frame().switches.push(Vec::new());
        self.current = self.location();
        let body = self.nested(|this| this.scoped(body))?;
        self.jump(end);
        self.frame().breaks.pop();
        let cases = self.frame().switches.pop().expect("it was pushed");
        let atom = |condition: Expr| Test::Atom(site.clone(), site.clone(), condition);
        let tests = cases
            .iter()
            .map(|(case, _)| match case {
                Case::Values(low, high) if low == high => Some(atom(test(CompareOp::Equal, *low, &bound))),
                Case::Values(low, high) => Some(Test::And(
                    Box::new(atom(test(CompareOp::GreaterEqual, *low, &bound))),
                    Box::new(atom(test(CompareOp::LessEqual, *high, &bound))),
                )),
                Case::Default => None,
            })
            .collect();
        self.note(Outline::Switch(tests, body));
        self.current = dispatch;
        let mut otherwise = end;
        for (case, location) in cases {
            match case {
                Case::Default => otherwise = location,
                Case::Values(low, high) if low == high => {
                    self.branch(test(CompareOp::Equal, low, &bound), location);
                }
                Case::Values(low, high) => {
                    let (above, next) = (self.location(), self.location());
                    self.test(test(CompareOp::GreaterEqual, low, &bound), above, next);
                    self.current = above;
                    self.test(test(CompareOp::LessEqual, high, &bound), location, next);
                    self.current = next;
                }
            }
        }
        self.jump(otherwise);
        self.current = end;
        Ok(())
    }

    /// If `condition` holds, to `yes`; else on.
    pub(super) fn branch(&mut self, condition: Expr, yes: LocationId) {
        let next = self.location();
        self.test(condition, yes, next);
        self.current = next;
    }

    pub(super) fn test(&mut self, condition: Expr, yes: LocationId, no: LocationId) {
        match fold(&condition) {
            Some(value) => {
                let target = if value != 0 { yes } else { no };
                self.edge(self.current, target, Action::Skip);
            }
            None => {
                self.edge(self.current, yes, Action::Test(condition.clone(), true));
                self.edge(self.current, no, Action::Test(condition, false));
            }
        }
    }

    /// An atomic condition of the function itself becomes a predicate, if it speaks of named variables.
    pub(super) fn observe(&mut self, condition: &Expr) {
        if self.in_callee() || fold(condition).is_some() {
            return;
        }
        let mut named = true;
        condition.for_each_variable(&mut |variable| {
            let role = self.program.variable(variable).role;
            named &= !matches!(role, Role::Temporary | Role::Heap { .. });
        });
        if named {
            self.conditions.push(condition.clone());
        } else {
            self.unobserved.insert(self.span.line);
        }
    }

    /// From the current location to `yes` or `no`. Afterwards the current location is no longer meaningful.
    fn condition(&mut self, condition: &Condition, yes: LocationId, no: LocationId, observe: Observe) -> Result<Test> {
        Ok(match condition {
            Condition::Atom(atom) => {
                let start = self.site();
                self.atom(start, atom, yes, no, observe)?
            }
            Condition::Not(inner) => Test::Not(Box::new(self.condition(inner, no, yes, observe)?)),
            Condition::And(a, b) => {
                let second = self.location();
                let a = self.condition(a, second, no, observe)?;
                self.current = second;
                let b = self.condition(b, yes, no, observe)?;
                Test::And(Box::new(a), Box::new(b))
            }
            Condition::Or(a, b) => {
                let second = self.location();
                let a = self.condition(a, yes, second, observe)?;
                self.current = second;
                let b = self.condition(b, yes, no, observe)?;
                Test::Or(Box::new(a), Box::new(b))
            }
            Condition::Choose(c, a, b) => {
                let (first, second) = (self.location(), self.location());
                let c = self.condition(c, first, second, observe)?;
                self.current = first;
                let a = self.condition(a, yes, no, observe)?;
                self.current = second;
                let b = self.condition(b, yes, no, observe)?;
                Test::Choose(Box::new(c), Box::new(a), Box::new(b))
            }
            Condition::After(steps, inner) => {
                let start = self.site();
                self.quietly(|this| this.steps(steps))?;
                let mut test = self.condition(inner, yes, no, observe)?;
                test.starts_at(start);
                test
            }
        })
    }

    fn atom(&mut self, start: Site, atom: &Atom, yes: LocationId, no: LocationId, observe: Observe) -> Result<Test> {
        if observe == Observe::Decision {
            // A decision inside a leading declaration ends the prelude: it is no longer a straight line. What a callee
            // decides is no point.
            self.prelude &= self.in_callee();
            self.point(atom.span);
            match &atom.observed {
                Some(predicate) => self.observe(predicate),
                None if !self.in_callee() && fold(&atom.value).is_none() => {
                    self.unobserved.insert(atom.span.line);
                }
                None => {}
            }
        }
        self.quietly(|this| this.steps(&atom.steps))?;
        let value = self.expr(&atom.value);
        self.check_expr(&value);
        let site = self.site();
        self.test(value.clone(), yes, no);
        Ok(Test::Atom(start, site, value))
    }

    fn steps(&mut self, steps: &[Step]) -> Result<()> {
        for step in steps {
            self.step(step)?;
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::Assign(place, value) => {
                let (place, value) = (self.place(place), self.expr(value));
                self.check_expr(&value);
                self.check_place(&place);
                self.emit(Action::Assign(place, value));
            }
            Step::Copy(to, from) => {
                let (to, from) = (self.place(to), self.place(from));
                self.check_place(&from);
                self.check_place(&to);
                self.emit(Action::Copy(to, from));
            }
            Step::Zero(place) => {
                let place = self.place(place);
                self.emit(Action::Zero(place));
            }
            Step::Havoc(place, source) => {
                let place = self.place(place);
                self.emit(Action::Havoc(place, source.clone()));
            }
            Step::HavocObject(pointer) => {
                let pointer = self.expr(pointer);
                self.emit(Action::HavocObject(pointer));
            }
            Step::ForgetObject(pointer) => {
                let pointer = self.expr(pointer);
                self.emit(Action::ForgetObject(pointer));
            }
            Step::Forget(place) => {
                let place = self.place(place);
                self.emit(Action::Forget(place));
            }
            Step::Assume(condition) => {
                let holds = self.location();
                self.condition(condition, holds, LocationId::STUCK, Observe::Assumption)?;
                self.current = holds;
            }
            Step::Assert(condition) => {
                let holds = self.location();
                let text = self.condition_text(condition);
                let fails = self.failure(CheckKind::Assertion, &text, self.span);
                self.condition(condition, holds, fails, Observe::Decision)?;
                self.current = holds;
            }
            Step::Fail => {
                let fails = self.failure(CheckKind::Failure, "never called", self.span);
                self.jump(fails);
            }
            Step::Exit => self.jump(LocationId::HALT),
            Step::Branch(condition, then, otherwise) | Step::Choose(condition, then, otherwise) => {
                let observe = match step {
                    Step::Branch(..) => Observe::Decision,
                    _ => Observe::Assumption,
                };
                let (yes, no, end) = (self.location(), self.location(), self.location());
                self.condition(condition, yes, no, observe)?;
                self.current = yes;
                self.steps(then)?;
                self.jump(end);
                self.current = no;
                self.steps(otherwise)?;
                self.jump(end);
                self.current = end;
            }
            Step::Call { callee, arguments, result, span } => self.call(callee, arguments, *result, *span)?,
            Step::Nested(body) => self.block(body)?,
        }
        Ok(())
    }
}

/// The words in the predicates of the user: every name that they mention, and more.
fn named_by_the_user(config: &Config) -> BTreeSet<String> {
    let mut texts: Vec<String> = config.extra_predicates.iter().chain(&config.tracked).cloned().collect();
    if let PredicateSource::File(path) = &config.predicates {
        // A file that cannot be read is told of when the predicates are read.
        texts.push(std::fs::read_to_string(path).unwrap_or_default());
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let words = texts.iter().flat_map(|text| text.split(move |c| !is_part(c)));
    words.filter(|word| !word.is_empty()).map(String::from).collect()
}

/// The variables that statements of the program assign.
fn assigned_variables(program: &Program) -> BTreeSet<VarId> {
    let mut assigned = BTreeSet::new();
    for function in &program.functions {
        for statement in &function.body {
            statement.for_each_step(&mut |step| {
                if let Step::Assign(place, _) = step {
                    assigned.extend(place.as_variable());
                }
                step.for_each_exposed(&mut |variable| {
                    assigned.insert(variable);
                });
            });
        }
    }
    assigned
}

/// The case labels of a switch, in order, without those of switches inside it.
fn cases_of(statement: &Statement) -> Vec<&Case> {
    match &statement.kind {
        StatementKind::Case(case, body) => {
            let mut cases = vec![case];
            cases.extend(cases_of(body));
            cases
        }
        StatementKind::Block(body) => body.iter().flat_map(cases_of).collect(),
        StatementKind::If { then, otherwise, .. } => {
            let mut cases = cases_of(then);
            cases.extend(otherwise.iter().flat_map(|s| cases_of(s)));
            cases
        }
        StatementKind::While { body, .. }
        | StatementKind::DoWhile { body, .. }
        | StatementKind::For { body, .. }
        | StatementKind::Label(_, body) => cases_of(body),
        _ => Vec::new(),
    }
}
