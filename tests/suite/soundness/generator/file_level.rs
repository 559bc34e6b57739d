//! Random globals, inputs and helper functions, which later expressions may use.

use super::super::program::{Declaration, Definition, Type};
use super::expressions::{COMPARISONS, Expressions, Signature};

const SMALL_TYPES: [Type; 3] = [Type::UnsignedChar, Type::SignedChar, Type::Char];

pub(super) fn constants(expressions: &mut Expressions) -> Vec<Definition> {
    let mut constants = Vec::new();
    if expressions.random.chance(15) {
        let (k, j) = (expressions.random.below(20), expressions.random.below(9));
        constants.push(Definition {
            names: vec!["E".into(), "E0".into(), "E1".into(), "E2".into()],
            text: format!("enum E {{ E0 = {k}, E1, E2 = -{j} }};"),
            length: None,
        });
        for name in ["E0", "E1", "E2"] {
            expressions.see(name, Type::Int, None, false);
        }
    }
    if expressions.random.chance(15) {
        let type_ = expressions.random.pick(&Type::ALL);
        let value = expressions.random.below(130);
        constants.push(Definition {
            names: vec!["K".into()],
            text: format!("const {} K = {value};", type_.name()),
            length: None,
        });
        expressions.see("K", type_, None, false);
    }
    if expressions.random.chance(12) {
        let type_ = expressions.random.pick(&Type::ALL);
        let values: Vec<String> = (0..4).map(|_| expressions.random.below(120).to_string()).collect();
        constants.push(Definition {
            names: vec!["TABLE".into()],
            text: format!("const {} TABLE[4] = {{{}}};", type_.name(), values.join(", ")),
            length: Some(4),
        });
        expressions.see("TABLE", type_, Some(4), false);
    }
    constants
}

pub(super) fn inputs(expressions: &mut Expressions) -> Vec<Declaration> {
    let small = expressions.random.pick(&SMALL_TYPES);
    let other = expressions.random.pick(&SMALL_TYPES);
    let shapes: &[(Type, &str, Option<usize>)] = match expressions.random.weighted(&[40, 20, 25, 15]) {
        0 => &[(small, "x", None)],
        1 => &[(small, "x", None), (Type::Bool, "b", None)],
        2 => &[(small, "x", None), (other, "y", None)],
        _ => &[(small, "a", Some(2))],
    };
    let mut inputs = Vec::new();
    for (type_, name, length) in shapes {
        let is_global = expressions.random.chance(12);
        expressions.see(name, *type_, *length, true);
        inputs.push(Declaration { is_global, type_: *type_, name: (*name).into(), length: *length });
    }
    inputs
}

pub(super) fn helper(expressions: &mut Expressions) {
    let name = format!("h{}", expressions.helpers.len());
    let [result, first, second] = [(); 3].map(|()| expressions.random.pick(&Type::ALL).name());
    let (k, j) = (expressions.random.below(12), 1 + expressions.random.below(7));
    let operator = expressions.random.pick(&["+", "-", "^", "|", "&"]);
    let compare = expressions.random.pick(&COMPARISONS);
    let (text, signature) = match expressions.random.weighted(&[25, 20, 15, 15, 15, 10]) {
        0 => (
            format!(
                "static {result} {name}({first} p, {second} q) \
                 {{ if (p {compare} q) return p {operator} {j}; return q; }}"
            ),
            Signature::Values(2),
        ),
        1 => (
            format!("{result} {name}({first} p) {{ return p {compare} {k} ? p {operator} {j} : ~p; }}"),
            Signature::Values(1),
        ),
        2 => (
            format!(
                "{result} {name}({first} p) {{ int s = {k}; \
                 for (int n = 0; n < 2; n++) s = s {operator} p; return s; }}"
            ),
            Signature::Values(1),
        ),
        3 => {
            let target = expressions.random.pick(&Type::ALL);
            let text = format!(
                "void {name}({} *p, {first} q) {{ if (*p {compare} q) *p {operator}= {j}; else p[0] = q; }}",
                target.name()
            );
            (text, Signature::Pointer(target))
        }
        4 => {
            let arrays = expressions.scope.iter().filter(|n| n.is_writable);
            let arrays: Vec<(Type, usize)> = arrays.filter_map(|n| Some((n.type_, n.length?))).collect();
            if arrays.is_empty() {
                return;
            }
            let (element, length) = expressions.random.pick(&arrays);
            let text = format!(
                "{result} {name}({} p[], {first} q) {{ return p[q & {}] {operator} {k}; }}",
                element.name(),
                length - 1
            );
            (text, Signature::Array(element, length))
        }
        _ => (
            format!(
                "{result} {name}({first} p) {{ switch (p & 3) {{ case 0: p = {k}; case 1: p++; break; \
                 default: return {j}; }} return p; }}"
            ),
            Signature::Values(1),
        ),
    };
    let definition = Definition { names: vec![name], text, length: None };
    expressions.helpers.push((definition, signature));
}
