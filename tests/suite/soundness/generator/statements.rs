//! A budget -> random statements.
//!
//! Loops count to a small number, except in programs that may diverge.

use super::super::program::{Arm, Expression, Kind, Shape, Statement, Type};
use super::expressions::Expressions;

/// What statements are made from.
pub(super) struct Statements {
    pub(super) expressions: Expressions,
    pub(super) may_diverge: bool,
    /// How many statements are still to be made, about.
    pub(super) budget: usize,
    /// Loops and switches around the statement, innermost last; true for a loop.
    breakable: Vec<bool>,
}

const COMPOUND: [&str; 10] = ["<<=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", ">>="];

impl Statements {
    pub(super) fn new(expressions: Expressions, may_diverge: bool, budget: usize) -> Self {
        Statements { expressions, may_diverge, budget, breakable: Vec::new() }
    }

    fn block(&mut self, at_most: usize) -> Vec<Statement> {
        let visible = self.expressions.scope.len();
        let mut statements = Vec::new();
        for _ in 0..=self.expressions.random.below(at_most) {
            statements.extend(self.block_statements(true));
        }
        self.expressions.scope.truncate(visible);
        statements
    }

    /// One statement, or a few that belong together.
    pub(super) fn block_statements(&mut self, may_declare: bool) -> Vec<Statement> {
        self.budget = self.budget.saturating_sub(1);
        let nesting = if self.budget == 0 || self.breakable.len() > 2 { 0 } else { 1 };
        let in_loop = usize::from(self.breakable.contains(&true));
        let breakable = usize::from(!self.breakable.is_empty());
        let weights = [
            26,
            12,
            9,
            20 * nesting,
            14 * nesting,
            6 * nesting,
            3 * nesting,
            8 * usize::from(may_declare),
            4 * breakable,
            3 * in_loop,
            2,
            6,
            1,
            1,
            1,
            4 * usize::from(may_declare),
            6,
            4 * usize::from(may_declare),
            4 * nesting,
        ];
        match self.expressions.random.weighted(&weights) {
            0 => vec![self.assignment()],
            1 => vec![self.compound_assignment()],
            2 => vec![self.step_statement()],
            3 => vec![self.if_statement()],
            4 => self.loop_statements(may_declare),
            5 => vec![self.switch_statement()],
            6 => vec![Kind::Block(self.block(3)).into()],
            7 => vec![self.declaration()],
            8 => vec![self.guarded(Kind::Break)],
            9 => vec![self.guarded(Kind::Continue)],
            10 => {
                let value = self.expressions.branching_value();
                vec![self.guarded(Kind::Return(value))]
            }
            11 => vec![self.call_statement()],
            12 => vec![Kind::Empty.into()],
            13 => vec![Kind::Assume(self.expressions.pure_comparison()).into()],
            14 => vec![Kind::Assert(self.expressions.pure_comparison()).into()],
            15 => self.late_assignment(),
            16 => vec![self.whole_assignment()],
            17 => vec![self.declaration_of_another_kind()],
            _ => vec![self.walk()],
        }
    }

    pub(super) fn declaration(&mut self) -> Statement {
        let value = self.expressions.branching_value();
        // Now and then a name is used again, in another block or hiding an outer one.
        let name = if self.expressions.random.chance(25) && !self.expressions.scope.iter().any(|n| n.name == "t") {
            "t".to_owned()
        } else if self.expressions.random.chance(4) {
            "x".to_owned()
        } else {
            self.expressions.fresh_local()
        };
        let type_ = self.expressions.random.pick(&Type::ALL);
        self.expressions.see(&name, Shape::Number(type_), true);
        Kind::Declare { type_, name, value: Some(value) }.into()
    }

    /// A variable that is set some time after its declaration, or in both branches of an `if`.
    fn late_assignment(&mut self) -> Vec<Statement> {
        let name = self.expressions.fresh_local();
        let type_ = self.expressions.random.pick(&Type::ALL);
        let declaration = Kind::Declare { type_, name: name.clone(), value: None };
        let mut statements = vec![declaration.into()];
        if self.expressions.random.chance(60) {
            let visible = self.expressions.scope.len();
            statements.extend(self.block_statements(false));
            self.expressions.scope.truncate(visible);
        }
        let target = Expression::Variable(name.clone());
        let set = |value| Kind::Evaluate(Expression::assign("=", target.clone(), value)).into();
        if self.expressions.random.chance(40) {
            let condition = self.expressions.condition(1);
            let then = vec![set(self.expressions.branching_value())];
            let otherwise = vec![set(self.expressions.branching_value())];
            statements.push(Kind::If { condition, then, otherwise }.into());
        } else {
            statements.push(set(self.expressions.branching_value()));
        }
        self.expressions.see(&name, Shape::Number(type_), true);
        statements
    }

    fn assignment(&mut self) -> Statement {
        let form = self.expressions.random.weighted(&[75, 8, 8, 9]);
        // Where there are two effects, pointers must not make one variable of both targets.
        let target = if form == 0 { self.expressions.target() } else { self.expressions.plain_target() };
        let expression = match form {
            0 => Expression::assign("=", target, self.expressions.branching_value()),
            1 => match self.expressions.other_scalar(&target) {
                // The other variable must not be used by the target's index.
                Some(other) => {
                    let step = self.expressions.step(Expression::Variable(other));
                    let literal = self.expressions.literal();
                    let operator = self.expressions.random.pick(&["+", "-", "&", "^"]);
                    Expression::assign("=", target, Expression::binary(operator, step, literal))
                }
                None => Expression::assign("=", target, self.expressions.value(1)),
            },
            2 => match self.expressions.other_scalar(&target) {
                Some(other) => {
                    let operator = self.expressions.random.pick(&["=", "+=", "^="]);
                    let inner = Expression::assign(operator, Expression::Variable(other), self.expressions.literal());
                    Expression::assign("=", target, inner)
                }
                None => Expression::assign("=", target, self.expressions.value(1)),
            },
            _ => match self.expressions.scalar() {
                Some(first) => {
                    let first = Expression::assign("=", Expression::Variable(first), self.expressions.value(1));
                    let second = Expression::assign("=", target, self.expressions.value(1));
                    return Kind::Evaluate(Expression::Comma(Box::new(first), Box::new(second))).into();
                }
                None => Expression::assign("=", target, self.expressions.value(1)),
            },
        };
        Kind::Evaluate(expression).into()
    }

    /// An assignment of a pointer, or of a whole struct.
    fn whole_assignment(&mut self) -> Statement {
        let is_whole = |shape| matches!(shape, Shape::Pointer(_) | Shape::Record | Shape::RecordArray(_));
        let names = self.expressions.visible(|name| is_whole(name.shape));
        if names.is_empty() {
            return self.assignment();
        }
        let name = names[self.expressions.random.below(names.len())].clone();
        if let (Shape::Pointer(pointee), true) = (name.shape, self.expressions.random.chance(70))
            && let Some(value) = self.expressions.some_pointer(pointee)
        {
            return Kind::Evaluate(Expression::assign("=", Expression::Variable(name.name), value)).into();
        }
        let (Some(target), Some(value)) = (self.expressions.some_record(), self.expressions.some_record()) else {
            return self.assignment();
        };
        let makers = self.expressions.helpers.iter().filter(|helper| helper.shape == Shape::Record);
        let makers: Vec<_> = makers.cloned().collect();
        let value = match makers.first() {
            Some(maker) if self.expressions.random.chance(50) => self.expressions.call_of(maker).unwrap_or(value),
            _ => value,
        };
        Kind::Evaluate(Expression::assign("=", target, value)).into()
    }

    /// A pointer or a struct.
    fn declaration_of_another_kind(&mut self) -> Statement {
        let record = if self.expressions.random.chance(40) { self.expressions.declare_record() } else { None };
        let other = record.or_else(|| self.expressions.declare_pointer());
        other.unwrap_or_else(|| self.declaration())
    }

    /// A pointer walks over an array.
    fn walk(&mut self) -> Statement {
        let is_array = |shape| matches!(shape, Shape::Array(..));
        let arrays = self.expressions.visible(|name| is_array(name.shape) && name.is_writable);
        if arrays.is_empty() {
            return self.if_statement();
        }
        let array = arrays[self.expressions.random.below(arrays.len())].clone();
        let Shape::Array(type_, length) = array.shape else {
            return self.if_statement();
        };
        let visible = self.expressions.scope.len();
        let name = self.expressions.fresh_local();
        self.expressions.see(&name, Shape::Walker(type_), false);
        let body = self.loop_body();
        self.expressions.scope.truncate(visible);
        Kind::Walk { type_, name, array: array.name, length, body }.into()
    }

    fn compound_assignment(&mut self) -> Statement {
        let defined = if self.expressions.is_wild { 0 } else { 1 };
        let operator = self.expressions.random.pick(&COMPOUND[defined..]);
        let target = self.expressions.target();
        let value = match operator {
            "*=" => self.expressions.literal(),
            "/=" | "%=" => self.expressions.divisor(),
            "<<=" | ">>=" => self.expressions.shift_amount(),
            _ => self.expressions.branching_value(),
        };
        Kind::Evaluate(Expression::assign(operator, target, value)).into()
    }

    fn step_statement(&mut self) -> Statement {
        let target = self.expressions.target();
        Kind::Evaluate(self.expressions.step(target)).into()
    }

    fn if_statement(&mut self) -> Statement {
        let condition = self.expressions.condition(2);
        let then = self.block(3);
        let otherwise = if self.expressions.random.chance(45) { self.block(2) } else { vec![] };
        Kind::If { condition, then, otherwise }.into()
    }

    /// A jump that is mostly, but not always, taken under a condition.
    fn guarded(&mut self, jump: Kind) -> Statement {
        if self.expressions.random.chance(8) {
            return jump.into();
        }
        Kind::If { condition: self.expressions.condition(1), then: vec![jump.into()], otherwise: vec![] }.into()
    }

    fn loop_statements(&mut self, may_declare: bool) -> Vec<Statement> {
        let visible = self.expressions.scope.len();
        let counted = usize::from(may_declare);
        let open = usize::from(self.may_diverge);
        let weights = [35, 20 * counted, 15 * counted, 10 * counted, 25 * open];
        let statements = match self.expressions.random.weighted(&weights) {
            0 => vec![self.for_loop()],
            1 => self.counting_while(),
            2 => self.counting_do(),
            3 => self.endless_loop_with_break(),
            _ => vec![self.open_loop()],
        };
        self.expressions.scope.truncate(visible);
        statements
    }

    fn loop_body(&mut self) -> Vec<Statement> {
        self.breakable.push(true);
        let body = self.block(3);
        self.breakable.pop();
        body
    }

    fn for_loop(&mut self) -> Statement {
        let name = self.expressions.fresh_local();
        let type_ = self.expressions.random.pick(&Type::ALL[1..]);
        let limit = 1 + self.expressions.random.below(5);
        let counter = || Box::new(Expression::variable(&name));
        let literal = |number: usize| Expression::literal(number.to_string());
        let (first, condition, step) = match self.expressions.random.below(4) {
            0 => (
                literal(0),
                Expression::binary("<", *counter(), literal(limit)),
                Expression::StepAfter("++", counter()),
            ),
            1 => (
                literal(limit),
                Expression::binary(">", *counter(), literal(0)),
                Expression::StepBefore("--", counter()),
            ),
            2 => (
                literal(1),
                Expression::binary("!=", *counter(), literal(1 + 2 * limit)),
                Expression::assign("+=", *counter(), literal(2)),
            ),
            _ => (
                literal(limit),
                *counter(),
                Expression::assign("=", *counter(), Expression::binary("-", *counter(), literal(1))),
            ),
        };
        let condition = if self.expressions.random.chance(25) {
            let other = self.expressions.condition(1);
            Expression::And(Box::new(condition), Box::new(other))
        } else {
            condition
        };
        self.expressions.see(&name, Shape::Number(type_), self.may_diverge && self.breakable.is_empty());
        let body = self.loop_body();
        let init = Kind::Declare { type_, name, value: Some(first) };
        Kind::For { init: Some(Box::new(init.into())), condition, step: Some(step), body }.into()
    }

    fn counter(&mut self, first: &str) -> (Statement, Box<Expression>) {
        let name = self.expressions.fresh_local();
        let type_ = self.expressions.random.pick(&Type::ALL[1..]);
        self.expressions.see(&name, Shape::Number(type_), false);
        let declaration = Kind::Declare { type_, name: name.clone(), value: Some(Expression::literal(first)) };
        (declaration.into(), Box::new(Expression::Variable(name)))
    }

    fn counting_while(&mut self) -> Vec<Statement> {
        let limit = (1 + self.expressions.random.below(4)).to_string();
        if self.expressions.random.chance(50) {
            let (declaration, counter) = self.counter("0");
            let condition = Expression::binary("<", Expression::StepAfter("++", counter), Expression::Literal(limit));
            let body = self.loop_body();
            return vec![declaration, Kind::While { condition, body }.into()];
        }
        let (declaration, counter) = self.counter(&limit);
        let mut body = self.loop_body();
        let step = Expression::StepAfter("--", counter.clone());
        let end = if self.expressions.random.chance(50) { 0 } else { body.len() };
        body.insert(end, Kind::Evaluate(step).into());
        let condition = Expression::binary(">", *counter, Expression::literal("0"));
        vec![declaration, Kind::While { condition, body }.into()]
    }

    fn counting_do(&mut self) -> Vec<Statement> {
        let limit = (1 + self.expressions.random.below(4)).to_string();
        let (declaration, counter) = self.counter("0");
        let body = self.loop_body();
        let mut condition = Expression::binary("<", Expression::StepBefore("++", counter), Expression::Literal(limit));
        if self.expressions.random.chance(25) {
            let other = self.expressions.condition(1);
            condition = Expression::And(Box::new(condition), Box::new(other));
        }
        vec![declaration, Kind::DoWhile { body, condition }.into()]
    }

    /// A loop that ends when the program says so, perhaps never.
    fn open_loop(&mut self) -> Statement {
        let condition = self.expressions.condition(1);
        let mut body = self.loop_body();
        let change = self.step_statement();
        body.push(change);
        if self.expressions.random.chance(70) {
            Kind::While { condition, body }.into()
        } else {
            Kind::DoWhile { body, condition }.into()
        }
    }

    fn endless_loop_with_break(&mut self) -> Vec<Statement> {
        let limit = (1 + self.expressions.random.below(3)).to_string();
        let (declaration, counter) = self.counter("0");
        let mut body = self.loop_body();
        let leave = Kind::If {
            condition: Expression::binary(">", Expression::StepAfter("++", counter), Expression::Literal(limit)),
            then: vec![Kind::Break.into()],
            otherwise: vec![],
        };
        let position = self.expressions.random.below(body.len() + 1);
        body.insert(position, leave.into());
        let condition = Expression::literal("1");
        vec![declaration, Kind::While { condition, body }.into()]
    }

    fn switch_statement(&mut self) -> Statement {
        let operand = match self.expressions.random.below(3) {
            0 => Expression::binary("&", self.expressions.subject(), Expression::literal("3")),
            1 => Expression::binary("%", self.expressions.subject(), Expression::literal("5")),
            _ => self.expressions.operand(1),
        };
        let mut values: Vec<Option<i64>> =
            (0..5).map(|n| Some(n - self.expressions.random.pick(&[0, 0, 0, 2]))).collect();
        values.dedup();
        if self.expressions.random.chance(65) {
            let position = self.expressions.random.below(values.len());
            values.insert(position, None);
        }
        let mut arms = Vec::new();
        self.breakable.push(false);
        for _ in 0..2 + self.expressions.random.below(3) {
            let mut labels = Vec::new();
            for _ in 0..=self.expressions.random.below(2) {
                if !values.is_empty() {
                    labels.push(values.remove(0));
                }
            }
            if labels.is_empty() {
                continue;
            }
            let visible = self.expressions.scope.len();
            let mut body = self.block_statements(false);
            if self.expressions.random.chance(30) {
                body.extend(self.block_statements(false));
            }
            if self.expressions.random.chance(70) {
                body.push(Kind::Break.into());
            }
            self.expressions.scope.truncate(visible);
            arms.push(Arm { labels, body });
        }
        self.breakable.pop();
        Kind::Switch { operand, arms }.into()
    }

    fn call_statement(&mut self) -> Statement {
        let mut calls = Vec::new();
        for definition in self.expressions.helpers.clone() {
            if matches!(definition.parameters[0], Shape::Pointer(_)) {
                calls.extend(self.expressions.call_of(&definition));
            }
        }
        if calls.is_empty() {
            return self.assignment();
        }
        let index = self.expressions.random.below(calls.len());
        Kind::Evaluate(calls.swap_remove(index)).into()
    }
}
