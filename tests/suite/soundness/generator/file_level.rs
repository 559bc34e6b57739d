//! Random globals, inputs and helper functions, which later expressions may use.

use super::super::program::{Declaration, Definition, Member, Pointee, Shape, Type};
use super::expressions::{COMPARISONS, Expressions};

const SMALL_TYPES: [Type; 3] = [Type::UnsignedChar, Type::SignedChar, Type::Char];

pub(super) fn constants(expressions: &mut Expressions) -> Vec<Definition> {
    let mut constants = Vec::new();
    if expressions.random.chance(15) {
        let (k, j) = (expressions.random.below(20), expressions.random.below(9));
        constants.push(Definition {
            names: vec!["E".into(), "E0".into(), "E1".into(), "E2".into()],
            text: format!("enum E {{ E0 = {k}, E1, E2 = -{j} }};"),
            shape: Shape::Number(Type::Int),
            parameters: vec![],
        });
        for name in ["E0", "E1", "E2"] {
            expressions.see(name, Shape::Number(Type::Int), false);
        }
    }
    if expressions.random.chance(15) {
        let type_ = expressions.random.pick(&Type::ALL);
        let value = expressions.random.below(130);
        constants.push(Definition {
            names: vec!["K".into()],
            text: format!("const {} K = {value};", type_.name()),
            shape: Shape::Number(type_),
            parameters: vec![],
        });
        expressions.see("K", Shape::Number(type_), false);
    }
    if expressions.random.chance(12) {
        let type_ = expressions.random.pick(&Type::ALL);
        let values: Vec<String> = (0..4).map(|_| expressions.random.below(120).to_string()).collect();
        constants.push(Definition {
            names: vec!["TABLE".into()],
            text: format!("const {} TABLE[4] = {{{}}};", type_.name(), values.join(", ")),
            shape: Shape::Array(type_, 4),
            parameters: vec![],
        });
        expressions.see("TABLE", Shape::Array(type_, 4), false);
    }
    constants
}

/// Members of several types, some of them bit-fields.
pub(super) fn record(expressions: &mut Expressions) {
    if !expressions.random.chance(45) {
        return;
    }
    for _ in 0..2 + expressions.random.below(2) {
        let type_ = expressions.random.pick(&Type::ALL);
        let bits = match type_ {
            Type::Bool => 1,
            Type::Char | Type::SignedChar | Type::UnsignedChar => 1 + expressions.random.below(7),
            _ => 1 + expressions.random.below(15),
        };
        // The types of bit-fields that are wider than int differ among compilers.
        let may_be_bits = !matches!(type_, Type::Long | Type::UnsignedLong | Type::LongLong | Type::UnsignedLongLong);
        let is_bits = may_be_bits && expressions.random.chance(20);
        let bits = is_bits.then(|| u32::try_from(bits).expect("a small number"));
        expressions.record.push(Member { type_, bits });
    }
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
        let shape = length.map_or(Shape::Number(*type_), |length| Shape::Array(*type_, length));
        expressions.see(name, shape, true);
        inputs.push(Declaration { is_global, type_: *type_, name: (*name).into(), length: *length });
    }
    inputs
}

pub(super) fn helper(expressions: &mut Expressions) {
    let name = format!("h{}", expressions.helpers.len());
    let mut shape = Shape::Nothing;
    let value = |_| Shape::Number(Type::Int);
    let [result, first, second] = [(); 3].map(|()| expressions.random.pick(&Type::ALL).name());
    let (k, j) = (expressions.random.below(12), 1 + expressions.random.below(7));
    let operator = expressions.random.pick(&["+", "-", "^", "|", "&"]);
    let compare = expressions.random.pick(&COMPARISONS);
    let with_record = usize::from(!expressions.record.is_empty());
    let weights = [25, 20, 15, 15, 15, 10, 25 * with_record, 25 * with_record, 20 * with_record];
    let (text, parameters) = match expressions.random.weighted(&weights) {
        0 => (
            format!(
                "static {result} {name}({first} p, {second} q) \
                 {{ if (p {compare} q) return p {operator} {j}; return q; }}"
            ),
            vec![value(0), value(0)],
        ),
        1 => (
            format!("{result} {name}({first} p) {{ return p {compare} {k} ? p {operator} {j} : ~p; }}"),
            vec![value(0)],
        ),
        2 => (
            format!(
                "{result} {name}({first} p) {{ int s = {k}; \
                 for (int n = 0; n < 2; n++) s = s {operator} p; return s; }}"
            ),
            vec![value(0)],
        ),
        3 => {
            let target = expressions.random.pick(&Type::ALL);
            let text = format!(
                "void {name}({} *p, {first} q) {{ if (*p {compare} q) *p {operator}= {j}; else p[0] = q; }}",
                target.name()
            );
            (text, vec![Shape::Pointer(Pointee::Number(target)), value(0)])
        }
        4 => {
            let arrays = expressions.scope.iter().filter(|n| n.is_writable);
            let array = |shape| match shape {
                Shape::Array(type_, length) => Some((type_, length)),
                _ => None,
            };
            let arrays: Vec<(Type, usize)> = arrays.filter_map(|n| array(n.shape)).collect();
            if arrays.is_empty() {
                return;
            }
            let (element, length) = expressions.random.pick(&arrays);
            let text = format!(
                "{result} {name}({} p[], {first} q) {{ return p[q & {}] {operator} {k}; }}",
                element.name(),
                length - 1
            );
            (text, vec![Shape::Array(element, length), value(0)])
        }
        6 => (
            format!(
                "{result} {name}(struct S p) {{ p.m0 = p.m0 {operator} {j}; return p.m0 {compare} p.m1 ? p.m0 : {k}; }}"
            ),
            vec![Shape::Record],
        ),
        7 => (
            format!(
                "void {name}(struct S *p, {first} q) {{ if (p->m1 {compare} q) p->m0 = q; else p->m1 {operator}= {j}; }}"
            ),
            vec![Shape::Pointer(Pointee::Record), value(0)],
        ),
        8 => {
            shape = Shape::Record;
            let text = format!(
                "struct S {name}(struct S p, {first} q) {{ struct S r = p; r.m1 = q; \
                 if (q {compare} {k}) r.m0 = p.m1; return r; }}"
            );
            (text, vec![Shape::Record, value(0)])
        }
        _ => (
            format!(
                "{result} {name}({first} p) {{ switch (p & 3) {{ case 0: p = {k}; case 1: p++; break; \
                 default: return {j}; }} return p; }}"
            ),
            vec![value(0)],
        ),
    };
    expressions.helpers.push(Definition { names: vec![name], text, shape, parameters });
}
