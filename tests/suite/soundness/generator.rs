//! Seed -> a random program of the suite.
//!
//! A program is built so that it is valid C without unsequenced effects: an expression has at most one effect, on a
//! variable that it does not mention otherwise; indices stay inside their arrays; a variable is read only once it is
//! set. Undefined arithmetic and endless loops are allowed in some programs, because `pct` must be right about those
//! too. Whatever slips through (a jump over a declaration) is refused by the renderer, and another one is made.

mod expressions;
mod file_level;
mod jumps;
mod predicates;
mod statements;

use super::analysis::Points;
use super::native::Overflow;
use super::program::{Expression, Kind, Program, Shape, Statement, Type};
use super::random::Random;
use super::render;
use expressions::Expressions;
use statements::Statements;

/// The program of a seed.
pub(crate) fn generate(seed: u64) -> Program {
    let mut random = Random::new(seed);
    loop {
        let mut candidate = program(Random::new(random.next()));
        let Ok(visible) = render::visible_predicates(&candidate) else {
            continue;
        };
        let mut visible = visible.into_iter();
        let mut is_visible = |_: &Expression| visible.next().unwrap_or(false);
        candidate.predicates.retain(&mut is_visible);
        candidate.tracked.retain(&mut is_visible);
        if render::render(&candidate, 0).is_ok() {
            return candidate;
        }
    }
}

/// A program that is nearly always valid.
fn program(mut random: Random) -> Program {
    let points = random.pick(&[Points::Labels, Points::Statements]);
    let overflow = [Overflow::Assume, Overflow::Wrap][random.weighted(&[60, 40])];
    let return_type = random.pick(&[Type::Int, Type::Int, Type::UnsignedChar, Type::Long]);
    let is_wild = random.chance(25);
    let may_diverge = random.chance(30);
    let budget = 4 + random.below(14);
    let mut expressions = Expressions {
        random,
        points,
        is_wild,
        scope: Vec::new(),
        record: Vec::new(),
        helpers: Vec::new(),
        next_local: 0,
    };
    let constants = file_level::constants(&mut expressions);
    file_level::record(&mut expressions);
    let inputs = file_level::inputs(&mut expressions);
    let always_visible = expressions.scope.clone();

    let mut statements = Statements::new(expressions, may_diverge, budget);
    let mut body = prelude(&mut statements);
    for _ in 0..statements.expressions.random.weighted(&[50, 35, 15]) {
        file_level::helper(&mut statements.expressions);
    }
    while statements.budget > 0 {
        body.extend(statements.block_statements(true));
    }
    let mut expressions = statements.expressions;
    if expressions.random.chance(60) {
        body.push(Kind::Return(expressions.branching_value()).into());
    }

    expressions.scope = always_visible;
    if points == Points::Labels {
        jumps::label_statements(&mut expressions, &mut body);
    }
    for number in 0..expressions.random.weighted(&[60, 30, 10]) {
        jumps::insert_goto(&mut expressions, &mut body, number);
    }
    let helpers = expressions.helpers.clone();
    let record = expressions.record.clone();
    let tracked_count = expressions.random.weighted(&[80, 15, 5]);
    let mut predicates = predicates::predicates(expressions, &body);
    let tracked = predicates.split_off(predicates.len() - tracked_count.min(predicates.len() - 1));
    Program { points, overflow, inputs, record, constants, helpers, return_type, predicates, tracked, body }
}

/// Leading declarations, and sometimes an assumption.
fn prelude(statements: &mut Statements) -> Vec<Statement> {
    let mut prelude = Vec::new();
    for _ in 0..statements.expressions.random.below(4) {
        prelude.push(statements.declaration());
    }
    let expressions = &mut statements.expressions;
    if expressions.random.chance(20) {
        let name = expressions.fresh_local();
        let type_ = expressions.random.pick(&Type::ALL);
        let length = expressions.random.pick(&[2, 4]);
        let values = (0..length).map(|_| expressions.value(1)).collect();
        expressions.see(&name, Shape::Array(type_, length), true);
        prelude.push(Kind::DeclareArray { type_, name, values }.into());
    }
    prelude.extend(expressions.declare_record());
    for _ in 0..expressions.random.weighted(&[55, 30, 15]) {
        prelude.extend(expressions.declare_pointer());
    }
    let expressions = &mut statements.expressions;
    if expressions.random.chance(15) {
        prelude.push(Kind::Assume(expressions.pure_comparison()).into());
    }
    prelude
}
