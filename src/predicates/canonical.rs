//! One form for a condition, its negation and its mirror image, so that each is observed once.

use crate::program::{CompareOp, Expr, ExprKind, VarId};

/// A text that is the same for conditions that observe the same thing.
pub(super) fn form(condition: &Expr, name: &dyn Fn(VarId) -> String) -> String {
    match &condition.kind {
        ExprKind::Not(inner) => form(inner, name),
        ExprKind::Compare(op, a, b) => {
            // `a <= b` is not `b < a`, and so on: only `<` and `==` are left.
            let (op, a, b) = match op {
                CompareOp::Less | CompareOp::GreaterEqual => ("<", a, b),
                CompareOp::Greater | CompareOp::LessEqual => ("<", b, a),
                CompareOp::Equal | CompareOp::NotEqual => ("==", a, b),
            };
            let (mut a, mut b) = (a.to_c(name), b.to_c(name));
            if op == "==" && b < a {
                std::mem::swap(&mut a, &mut b);
            }
            format!("({a}) {op} ({b})")
        }
        _ => condition.to_c(name),
    }
}

#[cfg(test)]
mod tests {
    use super::form;
    use crate::program::{CompareOp::*, Expr, IntKind, Place, VarId};

    #[test]
    fn negations_and_mirror_images_have_one_form() {
        let variable = |id| Expr::load(Place::Variable(VarId(id)), IntKind::Int);
        let name = |id: VarId| ["x", "y"][id.index()].to_string();
        let check = |op, a, b| form(&Expr::compare(op, variable(a), variable(b)), &name);
        let less = check(Less, 0, 1);
        for (op, a, b) in [(GreaterEqual, 0, 1), (Greater, 1, 0), (LessEqual, 1, 0)] {
            assert_eq!(check(op, a, b), less);
        }
        assert_eq!(check(Equal, 0, 1), check(NotEqual, 1, 0));
        assert_ne!(check(Less, 1, 0), less);
        assert_ne!(check(Equal, 0, 1), less);
    }
}
