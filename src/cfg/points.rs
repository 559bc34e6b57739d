//! Which way of observing a function suits it.

use std::collections::BTreeSet;

use crate::config::PointMode;
use crate::program::{Condition, Function, Statement, StatementKind, Step};

/// Whether the points are the labels: asked for, or the function has a label that no goto uses.
pub fn uses_labels(function: &Function, mode: PointMode) -> bool {
    match mode {
        PointMode::Labels => true,
        PointMode::Statements => false,
        PointMode::Auto => {
            let mut names = Names::default();
            names.statements(&function.body);
            names.labels.difference(&names.targets).next().is_some()
        }
    }
}

#[derive(Default)]
struct Names {
    labels: BTreeSet<String>,
    targets: BTreeSet<String>,
}

impl Names {
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Label(name, body) => {
                self.labels.insert(name.clone());
                self.statement(body);
            }
            StatementKind::Goto(name) => {
                self.targets.insert(name.clone());
            }
            StatementKind::Block(body) => self.statements(body),
            StatementKind::If { condition, then, otherwise } => {
                self.condition(condition);
                self.statement(then);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            StatementKind::While { body, condition } | StatementKind::DoWhile { body, condition } => {
                self.condition(condition);
                self.statement(body);
            }
            StatementKind::For { init, body, .. } => {
                self.statements(init);
                self.statement(body);
            }
            StatementKind::Switch { body, .. } | StatementKind::Case(_, body) => {
                self.statement(body);
            }
            StatementKind::Evaluate(steps) | StatementKind::Return(steps) | StatementKind::Declare { steps, .. } => {
                self.steps(steps)
            }
            StatementKind::Break | StatementKind::Continue => {}
        }
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Nested(body) => self.statements(body),
                Step::Branch(condition, a, b) | Step::Choose(condition, a, b) => {
                    self.condition(condition);
                    self.steps(a);
                    self.steps(b);
                }
                _ => {}
            }
        }
    }

    fn condition(&mut self, condition: &Condition) {
        condition.for_each_atom(&mut |atom| self.steps(&atom.steps));
    }
}
