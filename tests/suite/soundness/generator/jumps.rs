//! A finished body -> the same with labels and jumps.

use super::super::program::{Expression, Kind, Statement, Type};
use super::super::random::Random;
use super::expressions::Expressions;

pub(super) fn label_statements(expressions: &mut Expressions, body: &mut [Statement]) {
    let mut next = 0;
    label_some(expressions, body, &mut next);
    let needs_label = next == 0;
    let mut candidates = body.iter_mut().filter(|s| !is_declaration(s));
    if let (true, Some(first)) = (needs_label, candidates.next()) {
        first.label = Some("P0".into());
    }
}

fn label_some(expressions: &mut Expressions, statements: &mut [Statement], next: &mut usize) {
    for statement in statements {
        let is_loop =
            matches!(statement.kind, Kind::While { .. } | Kind::DoWhile { .. } | Kind::For { .. } | Kind::Walk { .. });
        let percent = if is_loop { 60 } else { 30 };
        if !is_declaration(statement) && expressions.random.chance(percent) {
            statement.label = Some(format!("P{next}"));
            *next += 1;
        }
        for block in statement.kind.blocks_mut() {
            label_some(expressions, block, next);
        }
    }
}

/// A conditional jump within a block or out of one, forward, or backward with a counter.
pub(super) fn insert_goto(expressions: &mut Expressions, body: &mut Vec<Statement>, number: usize) {
    let counter = format!("g{number}");
    let is_backward = expressions.random.chance(35);
    let condition = if is_backward {
        Expression::binary(
            "<",
            Expression::StepAfter("++", Box::new(Expression::variable(&counter))),
            Expression::literal("2"),
        )
    } else {
        expressions.pure_comparison()
    };
    let block = pick_block(&mut expressions.random, body);
    if block.len() < 2 {
        return;
    }
    let first = expressions.random.below(block.len() - 1);
    let second = first + 1 + expressions.random.below(block.len() - first - 1);
    let target = if is_backward { first } else { second };
    if is_declaration(&block[target]) {
        return;
    }
    let name = format!("G{number}");
    let label = block[target].label.get_or_insert(name).clone();
    let jump: Statement = Kind::If { condition, then: vec![Kind::Goto(label).into()], otherwise: vec![] }.into();
    if is_backward {
        block.insert(second + 1, jump);
    } else {
        // Inside a statement between the two, if there is one: this leaves loops.
        let inner = expressions.random.chance(50);
        match block[first].kind.blocks_mut().pop() {
            Some(nested) if inner && !nested.is_empty() => nested.push(jump),
            _ => block.insert(first, jump),
        }
    }
    if is_backward {
        let declaration = Kind::Declare { type_: Type::Int, name: counter, value: Some(Expression::literal("0")) };
        body.insert(0, declaration.into());
    }
}

fn pick_block<'a>(random: &mut Random, body: &'a mut Vec<Statement>) -> &'a mut Vec<Statement> {
    let inner: Vec<usize> =
        (0..body.len()).filter(|index| body[*index].kind.blocks().iter().any(|block| block.len() > 1)).collect();
    if inner.is_empty() || random.chance(60) {
        return body;
    }
    let index = random.pick(&inner);
    let mut blocks = body[index].kind.blocks_mut();
    blocks.retain(|block| block.len() > 1);
    let block = blocks.swap_remove(random.below(blocks.len()));
    pick_block(random, block)
}

fn is_declaration(statement: &Statement) -> bool {
    statement.kind.is_declaration()
}
