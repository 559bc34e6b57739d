//! One form for a condition, its negation and its mirror image, so that each is observed once.

use crate::program::{CompareOp, Expr, ExprKind, Naming};

/// A text that is the same for conditions that observe the same thing.
pub(super) fn form(condition: &Expr, naming: Naming<'_>) -> String {
    match &condition.kind {
        ExprKind::Not(inner) => form(inner, naming),
        ExprKind::Compare(op, a, b) => {
            // `a <= b` is not `b < a`, and so on: only `<` and `==` are left.
            let (op, a, b) = match op {
                // Floating-point numbers may be unordered: there `a < b` is not the opposite of `a >= b`.
                CompareOp::LessEqual if a.ty.float_kind().is_some() => ("<=", a, b),
                CompareOp::GreaterEqual if a.ty.float_kind().is_some() => ("<=", b, a),
                CompareOp::Less | CompareOp::GreaterEqual => ("<", a, b),
                CompareOp::Greater | CompareOp::LessEqual => ("<", b, a),
                CompareOp::Equal | CompareOp::NotEqual => ("==", a, b),
            };
            let (mut a, mut b) = (a.to_c(naming), b.to_c(naming));
            if op == "==" && b < a {
                std::mem::swap(&mut a, &mut b);
            }
            format!("({a}) {op} ({b})")
        }
        _ => condition.to_c(naming),
    }
}

#[cfg(test)]
mod tests {
    use super::form;
    use crate::program::{CompareOp::*, Expr, Naming, Role, Span, Type, VarId, Variable};

    #[test]
    fn negations_and_mirror_images_have_one_form() {
        let variables = ["x", "y"].map(|name| Variable {
            name: name.to_string(),
            ty: Type::INT,
            role: Role::Parameter,
            span: Span::default(),
        });
        let naming = Naming { variables: &variables, records: &[], functions: &[] };
        let variable = |id| Expr::variable(VarId(id), &Type::INT);
        let check = |op, a, b| form(&Expr::compare(op, variable(a), variable(b)), naming);
        let less = check(Less, 0, 1);
        for (op, a, b) in [(GreaterEqual, 0, 1), (Greater, 1, 0), (LessEqual, 1, 0)] {
            assert_eq!(check(op, a, b), less);
        }
        assert_eq!(check(Equal, 0, 1), check(NotEqual, 1, 0));
        assert_ne!(check(Less, 1, 0), less);
        assert_ne!(check(Equal, 0, 1), less);
    }
}
