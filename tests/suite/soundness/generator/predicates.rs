//! A finished body -> the predicates to observe it by: conditions of its own, and others over its variables.

use super::super::analysis::Points;
use super::super::program::{Expression, Kind, Shape, Statement, for_each_statement};
use super::expressions::{COMPARISONS, DIVISORS, Expressions, Name};

pub(super) fn predicates(expressions: Expressions, body: &[Statement]) -> Vec<Expression> {
    let mut atoms = Vec::new();
    let mut names = expressions.scope.clone();
    for_each_statement(body, &mut |statement| {
        if let Some((name, shape)) = statement.kind.declared() {
            names.push(Name { name: name.to_owned(), shape, is_writable: true });
        }
        if let Kind::Walk { type_, name, .. } = &statement.kind {
            names.push(Name { name: name.clone(), shape: Shape::Walker(*type_), is_writable: false });
        }
        for expression in statement.kind.clone().expressions_mut() {
            collect_atoms(expression, &mut atoms);
        }
    });
    atoms.retain(can_be_predicate);
    // Predicates may mention every variable, in scope or not, but they neither branch nor call.
    let mut expressions = Expressions { scope: names, points: Points::Statements, helpers: Vec::new(), ..expressions };
    let mut predicates: Vec<Expression> = Vec::new();
    let count = 1 + expressions.random.below(4);
    for _ in 0..100 {
        let predicate = if !atoms.is_empty() && expressions.random.chance(50) {
            atoms[expressions.random.below(atoms.len())].clone()
        } else {
            expressions.atom(true)
        };
        let changes = |e: &Expression| {
            e.name().is_some_and(|name| expressions.scope.iter().any(|n| n.is_writable && n.name == name))
        };
        let is_interesting = predicate.any(&changes) && can_be_predicate(&predicate);
        if is_interesting && !predicates.contains(&predicate) {
            predicates.push(predicate);
        }
        if predicates.len() == count {
            break;
        }
    }
    predicates
}

/// The comparisons and the operands of `&&`, `||`, `!` and `?:` inside an expression.
fn collect_atoms(e: &Expression, atoms: &mut Vec<Expression>) {
    match e {
        Expression::Binary(operator, ..) if COMPARISONS.contains(operator) => atoms.push(e.clone()),
        Expression::SamePlace(..) => atoms.push(e.clone()),
        _ => e.children().into_iter().for_each(|child| collect_atoms(child, atoms)),
    }
}

/// A predicate is evaluated at points where the program does not evaluate it, so it must be defined everywhere.
fn can_be_predicate(e: &Expression) -> bool {
    let is_partial = |e: &Expression| match e {
        Expression::Binary("/" | "%", _, right) => {
            !matches!(&**right, Expression::Literal(text) if DIVISORS.contains(&text.as_str()))
        }
        Expression::Binary("<<" | ">>", _, right) => !matches!(&**right, Expression::Literal(text) if text.len() == 1),
        _ => false,
    };
    !e.has_effect() && !e.has_branch() && !e.is_constant() && !e.any(&is_partial)
}
