//! Program -> its lines with marks, its probes, and whether it is a program of the suite at all.

use std::collections::{BTreeMap, BTreeSet};

use super::super::analysis::Points;
use super::super::program::{
    Arm, Declaration, Expression, Kind, Member, Pointee, Program, Shape, Statement, for_each_statement,
};
use super::marks::{self, Position, Probe};
use super::scopes::{Assigned, Scopes, meet};
use super::text::expression_text;

/// A program as text with marks.
pub(super) struct Walked {
    pub(super) marked: String,
    pub(super) probes: Vec<Probe>,
    /// Names of the heads of loops without a label, with labels as points.
    pub(super) loop_heads: BTreeSet<String>,
    /// First and last line of the function.
    pub(super) body: (u64, u64),
}

/// Writes the program, or says why it is none.
pub(super) fn walk(program: &Program) -> Result<Walked, String> {
    let mut walk = Walk {
        program,
        lines: Vec::new(),
        probes: Vec::new(),
        loop_heads: BTreeSet::new(),
        points_on_line: 0,
        atom_is_probed: false,
        scopes: Scopes::new(&program.record, &program.helpers),
        targets: Vec::new(),
        pending: BTreeMap::new(),
        labels: BTreeMap::new(),
        gotos: BTreeSet::new(),
        has_constant_condition: false,
        has_unset_variable: false,
        has_unfit_predicate: false,
    };
    walk.file_level()?;
    let first = walk.line_number();
    walk.function()?;
    if let Some(label) = walk.gotos.iter().find(|label| !walk.labels.contains_key(*label)) {
        return Err(format!("no label {label}"));
    }
    if walk.has_unfit_predicate {
        return Err("a predicate is no number where its variables are in scope".into());
    }
    if walk.has_constant_condition && walk.has_unset_variable {
        return Err("whether a constant condition decides what is set is not fixed".into());
    }
    if !program.predicates.iter().chain(&program.tracked).all(|predicate| walk.scopes.knows(predicate)) {
        return Err("a predicate mentions a name that is declared nowhere".into());
    }
    if walk.probes.is_empty() || program.predicates.is_empty() {
        return Err("no point or no predicate".into());
    }
    Ok(Walked {
        body: (first, walk.line_number() - 1),
        marked: walk.lines.join("\n") + "\n",
        probes: walk.probes,
        loop_heads: walk.loop_heads,
    })
}

/// Where `break` and `continue` jump to, with the variables set on the way.
struct Target {
    is_loop: bool,
    at_break: Assigned,
    at_continue: Assigned,
}

struct Walk<'a> {
    program: &'a Program,
    lines: Vec<String>,
    probes: Vec<Probe>,
    loop_heads: BTreeSet<String>,
    points_on_line: usize,
    /// The next atomic condition is the point of its statement, which has its probe already.
    atom_is_probed: bool,
    scopes: Scopes<'a>,
    targets: Vec<Target>,
    /// Variables set at the jumps to a label that was not met yet.
    pending: BTreeMap<String, Assigned>,
    /// The labels that were met, with the variables set there.
    labels: BTreeMap<String, Assigned>,
    gotos: BTreeSet<String>,
    has_constant_condition: bool,
    has_unset_variable: bool,
    has_unfit_predicate: bool,
}

/// A decision in an initialiser ends the prelude: it is no longer a straight line, and its conditions are points.
fn has_decision(kind: &Kind) -> bool {
    let values: Vec<&Expression> = match kind {
        Kind::Declare { value, .. } => value.iter().collect(),
        Kind::DeclareArray { values, .. } | Kind::DeclareRecord { values, .. } => values.iter().collect(),
        _ => Vec::new(),
    };
    let decides = |e: &Expression| matches!(e, Expression::And(..) | Expression::Or(..) | Expression::Conditional(..));
    values.iter().any(|value| value.any(&decides))
}

impl Walk<'_> {
    fn file_level(&mut self) -> Result<(), String> {
        let uses = |test: fn(&Kind) -> bool| {
            let mut found = false;
            for_each_statement(&self.program.body, &mut |s| found |= test(&s.kind));
            found
        };
        let asserts = uses(|kind| matches!(kind, Kind::Assert(_)));
        let assumes = uses(|kind| matches!(kind, Kind::Assume(_)));
        if asserts {
            self.line(0, "#include <assert.h>");
        }
        if assumes {
            self.line(0, "void assume(int condition);");
        }
        if !self.program.record.is_empty() {
            let members: Vec<String> = self.program.record.iter().enumerate().map(member_text).collect();
            self.line(0, &format!("struct S {{ {} }};", members.join(" ")));
        }
        for constant in &self.program.constants {
            self.line(0, &constant.text);
            for name in &constant.names {
                self.scopes.declare(name, constant.shape)?;
                self.scopes.set(name);
            }
        }
        for input in self.program.inputs.iter().filter(|input| input.is_global) {
            self.line(0, &format!("{};", declaration(input)));
            self.scopes.declare(&input.name, shape_of(input))?;
            self.scopes.set(&input.name);
        }
        for helper in &self.program.helpers {
            let is_record = |shape: &Shape| matches!(shape, Shape::Record | Shape::Pointer(Pointee::Record));
            if self.program.record.is_empty() && helper.parameters.iter().any(is_record) {
                return Err("a helper for a struct that is not there".into());
            }
            self.line(0, &helper.text);
        }
        Ok(())
    }

    fn function(&mut self) -> Result<(), String> {
        let inputs = self.program.inputs.iter();
        let parameters: Vec<&Declaration> = inputs.filter(|input| !input.is_global).collect();
        let texts: Vec<String> = parameters.iter().map(|input| declaration(input)).collect();
        let list = if texts.is_empty() { "void".to_owned() } else { texts.join(", ") };
        let type_ = self.program.return_type.name();
        self.line(0, &format!("{type_} f({list}) {{"));
        self.scopes.enter_block();
        for parameter in parameters {
            self.scopes.declare(&parameter.name, shape_of(parameter))?;
            self.scopes.set(&parameter.name);
        }
        let mut is_leading = true;
        for statement in &self.program.body {
            is_leading &= statement.label.is_none()
                && (statement.kind.is_declaration() || matches!(statement.kind, Kind::Assume(_)))
                && !has_decision(&statement.kind);
            if is_leading {
                self.prelude_statement(&statement.kind)?;
            } else {
                self.statement(statement, 1)?;
            }
        }
        self.line(0, "}");
        Ok(())
    }

    /// Leading declarations and assumptions are no points in either mode.
    fn prelude_statement(&mut self, kind: &Kind) -> Result<(), String> {
        let text = match kind {
            _ if kind.is_declaration() => {
                let text = self.declaration_text(kind, &|walk, e| walk.value(e))?;
                self.declare_statement(kind)?;
                text
            }
            Kind::Assume(condition) => format!("assume({});", self.value(condition)?),
            _ => return Err("no leading statement".into()),
        };
        self.line(1, &text);
        Ok(())
    }

    fn block(&mut self, statements: &[Statement], depth: usize) -> Result<(), String> {
        self.scopes.enter_block();
        for statement in statements {
            self.statement(statement, depth)?;
        }
        self.scopes.leave_block();
        Ok(())
    }

    fn statement(&mut self, statement: &Statement, depth: usize) -> Result<(), String> {
        self.points_on_line = 0;
        let kind = &statement.kind;
        if let Some(label) = &statement.label {
            if self.labels.contains_key(label) {
                return Err(format!("two labels {label}"));
            }
            if kind.is_declaration() {
                return Err("a label on a declaration".into());
            }
            let jumped = self.pending.remove(label).flatten();
            self.scopes.join(jumped);
            let set = self.scopes.assigned.clone();
            self.labels.insert(label.clone(), set);
        }
        let label = statement.label.as_deref();
        match kind {
            Kind::While { condition, body } => self.while_loop(label, condition, body, depth),
            Kind::DoWhile { body, condition } => self.do_loop(label, body, condition, depth),
            Kind::For { .. } => self.for_loop(label, kind, depth),
            Kind::Walk { .. } => self.pointer_loop(label, kind, depth),
            Kind::If { condition, then, otherwise } => self.if_statement(label, condition, then, otherwise, depth),
            Kind::Switch { operand, arms } => {
                let start = self.start(label);
                let operand = self.plain(operand)?;
                self.line(depth, &format!("{start}switch ({operand}) {{"));
                self.switch_arms(arms, depth)
            }
            Kind::Block(body) => {
                let start = match self.program.points {
                    Points::Labels => self.start(label),
                    Points::Statements => label.map_or(String::new(), |label| format!("{label}: ")),
                };
                self.line(depth, &format!("{start}{{"));
                self.block(body, depth + 1)?;
                self.line(depth, "}");
                Ok(())
            }
            _ => {
                let text = self.simple_statement(label, kind)?;
                self.line(depth, &text);
                Ok(())
            }
        }
    }

    fn simple_statement(&mut self, label: Option<&str>, kind: &Kind) -> Result<String, String> {
        if matches!(kind, Kind::Declare { value: None, .. }) {
            let text = self.declaration_text(kind, &|walk, e| walk.value(e))?;
            self.declare_statement(kind)?;
            return Ok(text);
        }
        let start = self.start(label);
        self.atom_is_probed = true;
        let text = match kind {
            Kind::Declare { .. } => {
                let text = self.declaration_text(kind, &|walk, e| walk.branching_value(e))?;
                self.declare_statement(kind)?;
                text
            }
            Kind::DeclareArray { .. } | Kind::DeclareRecord { .. } | Kind::DeclarePointer { .. } => {
                let text = self.declaration_text(kind, &|walk, e| walk.plain(e))?;
                self.declare_statement(kind)?;
                text
            }
            Kind::Evaluate(Expression::Assign(operator, target, value))
                if matches!(self.scopes.place(target), Ok(Shape::Pointer(_) | Shape::Record)) =>
            {
                self.scopes.check_assignment(target, value)?;
                if *operator != "=" || self.program.points == Points::Statements && value.has_branch() {
                    return Err("no plain assignment of a pointer or a struct".into());
                }
                format!("{} = {};", expression_text(target), expression_text(value))
            }
            Kind::Evaluate(Expression::Assign(operator, target, value)) => {
                let value = self.branching_value(value)?;
                let target = self.assigned_target(operator, target)?;
                format!("{target} {operator} {value};")
            }
            Kind::Evaluate(expression) => format!("{};", self.plain(expression)?),
            Kind::Assume(condition) | Kind::Assert(condition) => {
                self.has_constant_condition |= condition.is_constant();
                let is_assumption = matches!(kind, Kind::Assume(_));
                let name = if is_assumption { "assume" } else { "assert" };
                format!("{name}({});", self.plain(condition)?)
            }
            Kind::Empty => ";".to_owned(),
            Kind::Break => {
                let target = self.targets.last_mut().ok_or("break without a target")?;
                target.at_break = meet(target.at_break.take(), self.scopes.assigned.take());
                "break;".to_owned()
            }
            Kind::Continue => {
                let mut loops = self.targets.iter_mut().rev().filter(|t| t.is_loop);
                let target = loops.next().ok_or("continue without a loop")?;
                target.at_continue = meet(target.at_continue.take(), self.scopes.assigned.take());
                "continue;".to_owned()
            }
            Kind::Goto(label) => {
                self.goto(label)?;
                format!("goto {label};")
            }
            Kind::Return(value) => {
                let value = self.branching_value(value)?;
                self.scopes.assigned = None;
                format!("return {value};")
            }
            _ => return Err("not a simple statement".into()),
        };
        self.atom_is_probed = false;
        Ok(start + &text)
    }

    fn goto(&mut self, label: &str) -> Result<(), String> {
        self.gotos.insert(label.to_owned());
        let Some(set) = self.scopes.assigned.take() else {
            return Ok(());
        };
        match self.labels.get(label) {
            None => {
                let pending = self.pending.remove(label).flatten();
                self.pending.insert(label.to_owned(), meet(pending, Some(set)));
                Ok(())
            }
            Some(Some(set_at_label)) if set_at_label.is_subset(&set) => Ok(()),
            Some(_) => Err("a jump back to where more is set".into()),
        }
    }

    fn if_statement(
        &mut self,
        label: Option<&str>,
        condition: &Expression,
        then: &[Statement],
        otherwise: &[Statement],
        depth: usize,
    ) -> Result<(), String> {
        let start = self.start_of_conditional(label);
        let condition = self.condition(condition)?;
        self.line(depth, &format!("{start}if ({condition}) {{"));
        let before = self.scopes.assigned.clone();
        self.block(then, depth + 1)?;
        let after_then = std::mem::replace(&mut self.scopes.assigned, before);
        if !otherwise.is_empty() {
            self.line(depth, "} else {");
            self.block(otherwise, depth + 1)?;
        }
        self.line(depth, "}");
        self.scopes.join(after_then);
        Ok(())
    }

    fn while_loop(
        &mut self,
        label: Option<&str>,
        condition: &Expression,
        body: &[Statement],
        depth: usize,
    ) -> Result<(), String> {
        let start = label.map_or(String::new(), |label| format!("{label}: "));
        let head = self.loop_head(label, Position::BeforeExpression);
        let condition = self.condition(condition)?;
        self.line(depth, &format!("{start}while ({head}{condition}) {{"));
        self.loop_body(body, depth)?;
        self.line(depth, "}");
        Ok(())
    }

    fn do_loop(
        &mut self,
        label: Option<&str>,
        body: &[Statement],
        condition: &Expression,
        depth: usize,
    ) -> Result<(), String> {
        let start = label.map_or(String::new(), |label| format!("{label}: "));
        let head = self.loop_head(label, Position::BeforeStatement);
        self.line(depth, &format!("{start}do {{ {head}"));
        self.push_target(true);
        self.block(body, depth + 1)?;
        let target = self.targets.pop().expect("pushed above");
        self.scopes.join(target.at_continue);
        self.points_on_line = 0;
        let condition = self.condition(condition)?;
        self.line(depth, &format!("}} while ({condition});"));
        self.scopes.join(target.at_break);
        Ok(())
    }

    fn for_loop(&mut self, label: Option<&str>, kind: &Kind, depth: usize) -> Result<(), String> {
        let Kind::For { init, condition, step, body } = kind else {
            return Err("not a for".into());
        };
        self.scopes.enter_block();
        let mut start = label.map_or(String::new(), |label| format!("{label}: "));
        let mut head_label = label;
        let mut init_text = ";".to_owned();
        if let Some(init) = init {
            // The label stands before the initialisation, so the head has no name of its own.
            head_label = None;
            start = self.start(label);
            init_text = match &init.kind {
                Kind::Declare { value: Some(_), .. } => {
                    let text = self.declaration_text(&init.kind, &|walk, e| walk.plain(e))?;
                    self.declare_statement(&init.kind)?;
                    text
                }
                Kind::Evaluate(expression) => format!("{};", self.plain(expression)?),
                _ => return Err("this cannot initialise a for".into()),
            };
        }
        let head = self.loop_head(head_label, Position::BeforeExpression);
        let condition = self.condition(condition)?;
        let step_text = step.as_ref();
        self.body_with_step(
            &format!("{start}for ({init_text} {head}{condition};"),
            body,
            depth,
            &|walk| match step_text {
                None => Ok(None),
                Some(step) => walk.plain(step).map(Some),
            },
        )?;
        self.scopes.leave_block();
        Ok(())
    }

    /// A pointer that walks over an array.
    fn pointer_loop(&mut self, label: Option<&str>, kind: &Kind, depth: usize) -> Result<(), String> {
        let Kind::Walk { type_, name, array, length, body } = kind else {
            return Err("not a walk".into());
        };
        let array_place = Expression::variable(array);
        if !self.scopes.sees(&array_place) || self.scopes.place(&array_place)? != Shape::Array(*type_, *length) {
            return Err("no such array to walk over".into());
        }
        self.scopes.enter_block();
        let start = self.start(label);
        self.scopes.declare(name, Shape::Walker(*type_))?;
        self.scopes.set(name);
        let head = match self.program.points {
            Points::Labels => self.loop_head(None, Position::BeforeExpression),
            Points::Statements => self.point_on_line(Position::BeforeExpression),
        };
        let before_step = format!("{start}for ({} *{name} = {array}; {head}{name} < {array} + {length};", type_.name());
        self.body_with_step(&before_step, body, depth, &|_| Ok(Some(format!("{name}++"))))?;
        self.scopes.leave_block();
        Ok(())
    }

    /// The body of a `for` and its step, which is written last; `before_step` is the line up to the step.
    fn body_with_step(
        &mut self,
        before_step: &str,
        body: &[Statement],
        depth: usize,
        step: &dyn Fn(&mut Self) -> Result<Option<String>, String>,
    ) -> Result<(), String> {
        // The step runs after the body, where at least as much is set as at the head, and nothing more is visible:
        // declarations of the body are out of scope. What the body itself sets for good is added below.
        let at_exit = self.scopes.assigned.clone();
        let number_of_step = self.points_on_line;
        self.points_on_line += 1;
        let line = self.lines.len();
        self.lines.push(String::new());
        self.push_target(true);
        self.block(body, depth + 1)?;
        let target = self.targets.pop().expect("pushed above");
        self.scopes.join(target.at_continue);
        let step_text = match step(self)? {
            None => String::new(),
            Some(step) => {
                let name = point_name(line as u64 + 1, number_of_step);
                let mark = match self.program.points {
                    Points::Statements => self.mark(Position::BeforeExpression, name),
                    Points::Labels => String::new(),
                };
                mark + &step
            }
        };
        self.lines[line] = format!("{}{before_step} {step_text}) {{", "  ".repeat(depth));
        self.line(depth, "}");
        self.scopes.assigned = meet(at_exit, target.at_break);
        Ok(())
    }

    fn loop_body(&mut self, body: &[Statement], depth: usize) -> Result<(), String> {
        let at_exit = self.scopes.assigned.clone();
        self.push_target(true);
        self.block(body, depth + 1)?;
        let target = self.targets.pop().expect("pushed above");
        self.scopes.assigned = meet(at_exit, target.at_break);
        Ok(())
    }

    fn switch_arms(&mut self, arms: &[Arm], depth: usize) -> Result<(), String> {
        let before = self.scopes.assigned.clone();
        let mut seen = BTreeSet::new();
        self.push_target(false);
        self.scopes.enter_block();
        self.scopes.assigned = None;
        for arm in arms {
            for label in &arm.labels {
                if !seen.insert(*label) {
                    return Err("two equal labels in a switch".into());
                }
                let text = label.map_or("default:".into(), |value| format!("case {value}:"));
                self.line(depth, &text);
            }
            let declares = |s: &Statement| s.kind.is_declaration();
            if arm.body.is_empty() || arm.labels.is_empty() || arm.body.iter().any(declares) {
                return Err("an arm without statements or labels, or with declarations".into());
            }
            self.scopes.join(before.clone());
            for statement in &arm.body {
                self.statement(statement, depth + 1)?;
            }
        }
        self.scopes.leave_block();
        let target = self.targets.pop().expect("pushed above");
        self.scopes.join(target.at_break);
        if !seen.contains(&None) {
            self.scopes.join(before);
        }
        self.line(depth, "}");
        Ok(())
    }

    fn push_target(&mut self, is_loop: bool) {
        self.targets.push(Target { is_loop, at_break: None, at_continue: None });
    }

    /// The label of a statement and the mark of its point.
    fn start(&mut self, label: Option<&str>) -> String {
        let text = label.map_or(String::new(), |label| format!("{label}: "));
        match (self.program.points, label) {
            (Points::Statements, _) => text + &self.point_on_line(Position::BeforeStatement),
            (Points::Labels, Some(label)) => text + &self.mark(Position::BeforeStatement, label.to_owned()),
            (Points::Labels, None) => text,
        }
    }

    /// The same for an `if`, whose point in statements mode is its first atomic condition.
    fn start_of_conditional(&mut self, label: Option<&str>) -> String {
        match self.program.points {
            Points::Labels => self.start(label),
            Points::Statements => label.map_or(String::new(), |label| format!("{label}: ")),
        }
    }

    /// The mark of the head of a loop, where the first atomic condition does not do.
    fn loop_head(&mut self, label: Option<&str>, position: Position) -> String {
        if self.program.points == Points::Statements {
            return String::new();
        }
        let name = label.map_or_else(|| format!("L{}", self.line_number()), str::to_owned);
        if label.is_none() {
            self.loop_heads.insert(name.clone());
        }
        self.mark(position, name)
    }

    fn point_on_line(&mut self, position: Position) -> String {
        let name = point_name(self.line_number(), self.points_on_line);
        self.points_on_line += 1;
        self.mark(position, name)
    }

    fn mark(&mut self, position: Position, name: String) -> String {
        let predicates = self.program.predicates.iter().chain(&self.program.tracked);
        let visible = predicates.map(|predicate| self.scopes.sees(predicate));
        let visible: Vec<bool> = visible.collect();
        let predicates = self.program.predicates.iter().chain(&self.program.tracked);
        let is_unfit =
            |(predicate, is_visible): (&Expression, &bool)| *is_visible && self.scopes.check(predicate).is_err();
        self.has_unfit_predicate |= predicates.zip(&visible).any(is_unfit);
        self.probes.push(Probe { name, visible });
        self.has_unset_variable |= self.scopes.has_unset_variable();
        marks::mark(position, self.probes.len() - 1)
    }

    fn declare_statement(&mut self, kind: &Kind) -> Result<(), String> {
        if let Some((name, shape)) = kind.declared() {
            self.scopes.declare(name, shape)?;
            if !matches!(kind, Kind::Declare { value: None, .. }) {
                self.scopes.set(name);
            }
        }
        Ok(())
    }

    fn declaration_text(
        &mut self,
        kind: &Kind,
        value_text: &dyn Fn(&mut Self, &Expression) -> Result<String, String>,
    ) -> Result<String, String> {
        let Some((name, _)) = kind.declared() else {
            return Err("not a declaration".into());
        };
        let mentions = |e: &Expression| e.any(&|e| e.name() == Some(name));
        match kind {
            Kind::Declare { type_, value, .. } => match value {
                None => Ok(format!("{} {name};", type_.name())),
                Some(value) if mentions(value) => Err("a value that mentions its variable".into()),
                Some(value) => {
                    let value = value_text(self, value)?;
                    Ok(format!("{} {name} = {value};", type_.name()))
                }
            },
            Kind::DeclareArray { type_, values, .. } => {
                if values.iter().any(mentions) || !values.len().is_power_of_two() {
                    return Err("values that do not fit their array".into());
                }
                let texts: Result<Vec<String>, String> = values.iter().map(|value| value_text(self, value)).collect();
                Ok(format!("{} {name}[{}] = {{{}}};", type_.name(), values.len(), texts?.join(", ")))
            }
            Kind::DeclareRecord { length, values, .. } => {
                let members = self.program.record.len();
                if members == 0 || values.len() != members * length.unwrap_or(1) || values.iter().any(mentions) {
                    return Err("values that do not fit their struct".into());
                }
                let texts: Result<Vec<String>, String> = values.iter().map(|value| value_text(self, value)).collect();
                let records =
                    texts?.chunks(members).map(|values| format!("{{{}}}", values.join(", "))).collect::<Vec<_>>();
                Ok(match length {
                    None => format!("struct S {name} = {};", records[0]),
                    Some(length) => format!("struct S {name}[{length}] = {{{}}};", records.join(", ")),
                })
            }
            Kind::DeclarePointer { pointee, value, .. } => {
                if mentions(value) {
                    return Err("a value that mentions its variable".into());
                }
                self.scopes.check_new_pointer(*pointee, value)?;
                Ok(format!("{} *{name} = {};", pointee.name(), expression_text(value)))
            }
            _ => Err("not a declaration".into()),
        }
    }

    /// A condition that is taken apart into its atomic conditions.
    fn condition(&mut self, e: &Expression) -> Result<String, String> {
        self.has_constant_condition |= e.is_constant();
        match (self.program.points, e) {
            (Points::Labels, _) => self.value(e),
            (_, Expression::And(left, right)) => {
                Ok(format!("({} && {})", self.condition(left)?, self.condition(right)?))
            }
            (_, Expression::Or(left, right)) => {
                Ok(format!("({} || {})", self.condition(left)?, self.condition(right)?))
            }
            (_, Expression::Not(inner)) => Ok(format!("!{}", self.condition(inner)?)),
            (_, Expression::Conditional(condition, left, right)) => {
                Ok(format!("({} ? {} : {})", self.condition(condition)?, self.condition(left)?, self.condition(right)?))
            }
            _ => self.atom(e),
        }
    }

    fn atom(&mut self, e: &Expression) -> Result<String, String> {
        let mark = if std::mem::take(&mut self.atom_is_probed) {
            String::new()
        } else {
            self.point_on_line(Position::BeforeExpression)
        };
        Ok(format!("({mark}{})", self.plain(e)?))
    }

    /// The value of a simple statement, which may branch at its top if it has no effect: with one, the rules for the
    /// names of points do not say whether storing the value is a point of its own.
    fn branching_value(&mut self, e: &Expression) -> Result<String, String> {
        if self.program.points == Points::Statements && e.has_branch() && e.has_effect() {
            return Err("a value that branches and has an effect".into());
        }
        match (self.program.points, e) {
            (Points::Labels, _) => self.value(e),
            (_, Expression::And(..) | Expression::Or(..)) => self.condition(e),
            (_, Expression::Conditional(condition, left, right)) => Ok(format!(
                "({} ? {} : {})",
                self.condition(condition)?,
                self.branching_value(left)?,
                self.branching_value(right)?
            )),
            _ => self.plain(e),
        }
    }

    /// A value without points inside.
    fn plain(&mut self, e: &Expression) -> Result<String, String> {
        if self.program.points == Points::Statements && e.has_branch() {
            return Err("a branch inside a value".into());
        }
        self.value(e)
    }

    fn value(&mut self, e: &Expression) -> Result<String, String> {
        self.scopes.check(e)?;
        self.note_constant_conditions(e);
        Ok(expression_text(e))
    }

    fn note_constant_conditions(&mut self, e: &Expression) {
        self.has_constant_condition |= e.any(&|e| match e {
            Expression::And(left, right) | Expression::Or(left, right) => left.is_constant() || right.is_constant(),
            Expression::Conditional(condition, ..) => condition.is_constant(),
            _ => false,
        });
    }

    /// The target of an assignment statement, which sets it.
    fn assigned_target(&mut self, operator: &str, target: &Expression) -> Result<String, String> {
        match target {
            Expression::Variable(name) if operator == "=" => {
                if !self.scopes.is_number(name) {
                    return Err(format!("{name} cannot be assigned"));
                }
                self.scopes.set(name);
                Ok(name.clone())
            }
            _ => {
                self.scopes.place(target)?;
                self.plain(target)
            }
        }
    }

    fn line_number(&self) -> u64 {
        self.lines.len() as u64 + 1
    }

    fn line(&mut self, depth: usize, text: &str) {
        let line = format!("{}{text}", "  ".repeat(depth));
        self.lines.push(line.trim_end().to_owned());
    }
}

fn shape_of(input: &Declaration) -> Shape {
    input.length.map_or(Shape::Number(input.type_), |length| Shape::Array(input.type_, length))
}

fn member_text((number, member): (usize, &Member)) -> String {
    let bits = member.bits.map_or(String::new(), |width| format!(" : {width}"));
    format!("{} m{number}{bits};", member.type_.name())
}

fn declaration(input: &Declaration) -> String {
    let length = input.length.map_or(String::new(), |n| format!("[{n}]"));
    format!("{} {}{length}", input.type_.name(), input.name)
}

fn point_name(line: u64, number: usize) -> String {
    match number {
        0 => format!("L{line}"),
        _ => format!("L{line}.{}", number + 1),
    }
}
