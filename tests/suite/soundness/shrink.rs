//! A program with a property -> a smaller program with the same property.
//!
//! Greedy: of all programs that are one step simpler (a statement less, a statement replaced by what is inside it, an
//! expression replaced by a part of it or by a constant, a predicate, helper or input less, a plainer type) the first
//! that still has the property is taken, until none has it or the budget is spent. Every step makes the weight of the
//! program smaller, so it ends.

use super::program::{Expression, Kind, Program, Statement, Type};
use super::render;

/// Shrinks while `has_property` holds; it is asked at most `budget` times, and only about valid programs.
pub(crate) fn shrink(program: &Program, budget: usize, mut has_property: impl FnMut(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    let mut asked = 0;
    let mut next = 0;
    loop {
        // Go on where the last simplification worked: those before it failed a moment ago.
        let candidates = simpler_programs(&smallest);
        let count = candidates.len();
        let mut found = false;
        for turn in 0..count {
            let index = (next + turn) % count;
            let candidate = &candidates[index];
            if weight(candidate) >= weight(&smallest) || render::render(candidate, 0).is_err() {
                continue;
            }
            if asked == budget {
                return smallest;
            }
            asked += 1;
            if has_property(candidate) {
                smallest = candidate.clone();
                next = index;
                found = true;
                break;
            }
        }
        if !found {
            return smallest;
        }
    }
}

/// How large a program is.
pub(crate) fn weight(program: &Program) -> usize {
    let length = |input: &super::program::Declaration| 5 * input.length.unwrap_or(1);
    program.inputs.iter().map(length).sum::<usize>()
        + 5 * program.record.len()
        + 5 * (program.constants.len() + program.helpers.len())
        + statements_weight(&program.body)
        + program.predicates.iter().map(|p| 2 + expression_weight(p)).sum::<usize>()
        + program.tracked.iter().map(|p| 4 + expression_weight(p)).sum::<usize>()
        + type_weight(program.return_type)
}

fn statements_weight(statements: &[Statement]) -> usize {
    statements.iter().map(statement_weight).sum()
}

fn statement_weight(statement: &Statement) -> usize {
    let own = match &statement.kind {
        Kind::Declare { type_, .. } => 3 + type_weight(*type_),
        Kind::DeclareArray { type_, values, .. } => 3 + type_weight(*type_) + values.len(),
        Kind::DeclareRecord { values, .. } => 4 + values.len(),
        Kind::DeclarePointer { .. } => 4,
        Kind::Walk { .. } => 8,
        Kind::Switch { arms, .. } => 3 + arms.iter().map(|arm| arm.labels.len()).sum::<usize>(),
        Kind::For { init, .. } => 5 + 2 * usize::from(init.is_some()),
        Kind::Empty => 1,
        _ => 3,
    };
    let inside: usize = statement.kind.blocks().into_iter().map(|b| statements_weight(b)).sum();
    let mut kind = statement.kind.clone();
    let expressions: usize = kind.expressions_mut().into_iter().map(|e| expression_weight(e)).sum();
    own + inside + expressions + 2 * usize::from(statement.label.is_some())
}

fn expression_weight(e: &Expression) -> usize {
    let own = match e {
        Expression::Literal(text) if text == "0" => 1,
        Expression::Literal(text) if text == "1" => 2,
        Expression::Literal(_) | Expression::Variable(_) => 3,
        Expression::Pointed(_) | Expression::Arrow(..) => 4,
        Expression::Call(..) => 5,
        _ => 2,
    };
    own + e.children().into_iter().map(expression_weight).sum::<usize>()
}

fn type_weight(type_: Type) -> usize {
    usize::from(type_ != Type::Int)
}

/// All programs that are one step simpler, large steps first.
fn simpler_programs(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    let with = |change: &dyn Fn(&mut Program)| {
        let mut simpler = program.clone();
        change(&mut simpler);
        simpler
    };
    for body in fewer_statements(&program.body) {
        all.push(with(&|p| p.body.clone_from(&body)));
    }
    for index in 0..program.predicates.len() {
        if program.predicates.len() > 1 {
            all.push(with(&|p| drop(p.predicates.remove(index))));
        }
    }
    for index in 0..program.tracked.len() {
        all.push(with(&|p| drop(p.tracked.remove(index))));
    }
    for index in 0..program.helpers.len() {
        all.push(with(&|p| drop(p.helpers.remove(index))));
    }
    all.push(with(&|p| p.record.clear()));
    for index in 0..program.constants.len() {
        all.push(with(&|p| drop(p.constants.remove(index))));
    }
    for index in 0..program.inputs.len() {
        if program.inputs.len() > 1 {
            all.push(with(&|p| drop(p.inputs.remove(index))));
        }
    }
    for (index, predicate) in program.predicates.iter().enumerate() {
        for simpler in simpler_expressions(predicate) {
            if !simpler.is_constant() {
                all.push(with(&|p| p.predicates[index] = simpler.clone()));
            }
        }
    }
    for body in simpler_statements(&program.body) {
        all.push(with(&|p| p.body.clone_from(&body)));
    }
    all.push(with(&|p| p.return_type = Type::Int));
    all
}

/// The lists with one statement less, or one replaced by what is inside it.
fn fewer_statements(statements: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for index in 0..statements.len() {
        let replace = |by: &[Statement]| {
            let mut list = statements.to_vec();
            list.splice(index..=index, by.iter().cloned());
            list
        };
        let statement = &statements[index];
        all.push(replace(&[]));
        for block in statement.kind.blocks() {
            all.push(replace(block));
        }
        for (number, block) in statement.kind.blocks().into_iter().enumerate() {
            for fewer in fewer_statements(block) {
                let mut simpler = statement.clone();
                *simpler.kind.blocks_mut()[number] = fewer;
                all.push(replace(&[simpler]));
            }
        }
        if let Kind::Switch { operand, arms } = &statement.kind {
            for number in 0..arms.len() {
                let mut arms = arms.clone();
                arms.remove(number);
                let operand = operand.clone();
                all.push(replace(&[Kind::Switch { operand, arms }.into()]));
            }
        }
    }
    all
}

/// The lists with one statement made simpler in place.
fn simpler_statements(statements: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for (index, statement) in statements.iter().enumerate() {
        for simpler in simpler_versions(statement) {
            let mut list = statements.to_vec();
            list[index] = simpler;
            all.push(list);
        }
    }
    all
}

fn simpler_versions(statement: &Statement) -> Vec<Statement> {
    let mut all = Vec::new();
    let mut push = |change: &dyn Fn(&mut Statement)| {
        let mut simpler = statement.clone();
        change(&mut simpler);
        all.push(simpler);
    };
    push(&|s| s.label = None);
    push(&|s| match &mut s.kind {
        Kind::Declare { type_, .. } | Kind::DeclareArray { type_, .. } => *type_ = Type::Int,
        _ => {}
    });
    push(&|s| {
        if !s.kind.blocks().is_empty() {
            let label = s.label.take();
            *s = Kind::Empty.into();
            s.label = label;
        }
    });
    if let Kind::For { init, step, .. } = &statement.kind {
        if init.is_some() {
            push(&|s| {
                if let Kind::For { init, .. } = &mut s.kind {
                    *init = None;
                }
            });
        }
        if step.is_some() {
            push(&|s| {
                if let Kind::For { step, .. } = &mut s.kind {
                    *step = None;
                }
            });
        }
    }
    if let Kind::Switch { arms, .. } = &statement.kind {
        for (arm, number) in
            arms.iter().enumerate().flat_map(|(index, arm)| (0..arm.labels.len()).map(move |number| (index, number)))
        {
            push(&|s| {
                if let Kind::Switch { arms, .. } = &mut s.kind {
                    arms[arm].labels.remove(number);
                }
            });
        }
    }
    let mut kind = statement.kind.clone();
    let expressions: Vec<Expression> = kind.expressions_mut().into_iter().map(|e| e.clone()).collect();
    for (number, expression) in expressions.iter().enumerate() {
        for simpler in simpler_expressions(expression) {
            push(&|s| *s.kind.expressions_mut()[number] = simpler.clone());
        }
    }
    for (number, block) in statement.kind.blocks().into_iter().enumerate() {
        for simpler in simpler_statements(block) {
            push(&|s| s.kind.blocks_mut()[number].clone_from(&simpler));
        }
    }
    all
}

fn simpler_expressions(e: &Expression) -> Vec<Expression> {
    let mut all: Vec<Expression> = e.children().into_iter().cloned().collect();
    all.push(Expression::literal("0"));
    all.push(Expression::literal("1"));
    for (number, child) in e.children().into_iter().enumerate() {
        for simpler in simpler_expressions(child) {
            let mut copy = e.clone();
            *copy.children_mut()[number] = simpler;
            all.push(copy);
        }
    }
    all
}
