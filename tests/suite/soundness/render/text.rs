//! Expression -> C text, with a pair of parentheses for every operator.

use super::super::program::Expression;

/// The text of a predicate, as it stands in the file of predicates and in the probes.
pub(super) fn predicate_text(predicate: &Expression) -> String {
    let text = expression_text(predicate);
    match text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        Some(inner) if is_balanced(inner) => inner.to_owned(),
        _ => text,
    }
}

fn is_balanced(text: &str) -> bool {
    let mut depth = 0i32;
    text.chars().all(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth >= 0
    })
}

/// The text of an expression; an index is masked so that it stays inside its array.
pub(super) fn expression_text(e: &Expression) -> String {
    let text = expression_text;
    match e {
        Expression::Literal(literal) => literal.clone(),
        Expression::Variable(name) => name.clone(),
        Expression::Element(name, index, length) => match &**index {
            Expression::Literal(literal) if literal.parse::<usize>().is_ok_and(|index| index < *length) => {
                format!("{name}[{literal}]")
            }
            index => format!("{name}[{} & {}]", text(index), length - 1),
        },
        Expression::Pointed(name) => format!("(*{name})"),
        Expression::Member(record, number) => format!("{}.m{number}", text(record)),
        Expression::Arrow(name, number) => format!("{name}->m{number}"),
        Expression::SamePlace(operator, left, right) => format!("({} {operator} {})", text(left), text(right)),
        Expression::Unary(operator, inner) => format!("({operator}{})", text(inner)),
        Expression::Not(inner) => format!("!{}", text(inner)),
        Expression::Binary(operator, left, right) => {
            format!("({} {operator} {})", text(left), text(right))
        }
        Expression::And(left, right) => format!("({} && {})", text(left), text(right)),
        Expression::Or(left, right) => format!("({} || {})", text(left), text(right)),
        Expression::Conditional(condition, left, right) => {
            format!("({} ? {} : {})", text(condition), text(left), text(right))
        }
        Expression::Cast(type_, inner) => format!("({}){}", type_.name(), text(inner)),
        Expression::Call(name, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(text).collect();
            format!("{name}({})", arguments.join(", "))
        }
        Expression::AddressOf(inner) => format!("&{}", text(inner)),
        Expression::Assign(operator, target, value) => {
            format!("({} {operator} {})", text(target), text(value))
        }
        Expression::StepBefore(operator, target) => format!("({operator}{})", text(target)),
        Expression::StepAfter(operator, target) => format!("({}{operator})", text(target)),
        Expression::Comma(left, right) => format!("({}, {})", text(left), text(right)),
    }
}
