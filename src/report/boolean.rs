//! Boolean programs as text, in the notation of the paper's Figure 2(b).

use std::fmt::Write;

use crate::abstraction::boolean::{BooleanExpr, BooleanProgram, BooleanStatement, Cube};

/// The program as text.
pub fn render(program: &BooleanProgram) -> String {
    let mut printer = Printer { variables: &program.variables, text: String::new(), label: None };
    let _ = writeln!(printer.text, "void {}() begin", program.function);
    if !program.variables.is_empty() {
        printer.line(1, &format!("decl {};", program.variables.join(",")));
    }
    if !program.impossible.is_empty() {
        let clauses: Vec<String> = program.impossible.iter().map(|cube| format!("!({})", printer.cube(cube))).collect();
        printer.line(1, &format!("enforce ({});", clauses.join(" & ")));
    }
    printer.statements(&program.body, 1);
    printer.flush_label();
    printer.text.push_str("end\n");
    printer.text
}

struct Printer<'a> {
    variables: &'a [String],
    text: String,
    /// A label that waits for its statement.
    label: Option<String>,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let indent = depth * 4;
        let label = self.label.take().map(|label| format!("{label}: ")).unwrap_or_default();
        // The label stands in the margin, as in the paper.
        let _ = writeln!(self.text, "{label:indent$}{text}");
    }

    /// A label needs a statement.
    fn flush_label(&mut self) {
        if self.label.is_some() {
            self.line(1, "skip;");
        }
    }

    fn statements(&mut self, statements: &[BooleanStatement], depth: usize) {
        for statement in statements {
            self.statement(statement, depth);
        }
    }

    fn statement(&mut self, statement: &BooleanStatement, depth: usize) {
        match statement {
            BooleanStatement::Label(name) => {
                self.flush_label();
                self.label = Some(name.clone());
            }
            BooleanStatement::Skip => self.line(depth, "skip;"),
            BooleanStatement::Assign(assignments) => {
                let names: Vec<&str> = assignments.iter().map(|(v, _)| self.variables[*v].as_str()).collect();
                let values: Vec<String> = assignments.iter().map(|(_, value)| self.expr(value, 0)).collect();
                self.line(depth, &format!("{} := {};", names.join(","), values.join(", ")));
            }
            BooleanStatement::Assume(condition) => {
                let text = format!("assume({});", self.expr(condition, 0));
                self.line(depth, &text);
            }
            BooleanStatement::Assert(condition) => {
                let text = format!("assert({});", self.expr(condition, 0));
                self.line(depth, &text);
            }
            BooleanStatement::If(condition, then, otherwise) => {
                let text = format!("if ({}) then", self.expr(condition, 0));
                self.line(depth, &text);
                self.block(then, depth + 1);
                if !otherwise.is_empty() {
                    self.line(depth, "else");
                    self.block(otherwise, depth + 1);
                }
                self.line(depth, "fi");
            }
            BooleanStatement::While(condition, body) => {
                let text = format!("while ({}) do", self.expr(condition, 0));
                self.line(depth, &text);
                self.block(body, depth + 1);
                self.line(depth, "od");
            }
            BooleanStatement::Goto(name) => self.line(depth, &format!("goto {name};")),
            BooleanStatement::Return => self.line(depth, "return;"),
        }
    }

    fn block(&mut self, statements: &[BooleanStatement], depth: usize) {
        if statements.is_empty() {
            self.line(depth, "skip;");
        }
        self.statements(statements, depth);
        if self.label.is_some() {
            self.line(depth, "skip;");
        }
    }

    fn cube(&self, cube: &Cube) -> String {
        let literals: Vec<String> = cube
            .iter()
            .map(|(variable, value)| format!("{}{}", if *value { "" } else { "!" }, self.variables[*variable]))
            .collect();
        literals.join(" & ")
    }

    /// An expression; `level` is 0 where nothing binds tighter, 1 under `|`, 2 under `&`, 3 under `!`.
    fn expr(&self, expr: &BooleanExpr, level: u32) -> String {
        let (own, text) = match expr {
            BooleanExpr::Constant(true) => (4, "T".to_string()),
            BooleanExpr::Constant(false) => (4, "F".to_string()),
            BooleanExpr::Unknown => (4, "*".to_string()),
            BooleanExpr::Sum(cubes) => {
                let products: Vec<String> = cubes.iter().map(|cube| self.cube(cube)).collect();
                let own = match cubes.as_slice() {
                    [cube] if cube.len() == 1 => 3,
                    [_] => 2,
                    _ => 1,
                };
                (own, products.join(" | "))
            }
            BooleanExpr::Not(inner) => (3, format!("!{}", self.expr(inner, 3))),
            BooleanExpr::And(a, b) => (2, format!("{} & {}", self.expr(a, 2), self.expr(b, 2))),
            BooleanExpr::Or(a, b) => (1, format!("{} | {}", self.expr(a, 1), self.expr(b, 1))),
            BooleanExpr::Choose(c, a, b) => {
                (4, format!("({} ? {} : {})", self.expr(c, 1), self.expr(a, 1), self.expr(b, 1)))
            }
        };
        if own < level { format!("({text})") } else { text }
    }
}
