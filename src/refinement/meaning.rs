//! What a state means: its condition as C, and values of variables that satisfy conditions.
//!
//! The condition is the conjunction of the literals, without those that the others imply. A negated comparison is turned
//! around only where the solver proves that this means the same (it does not for floating-point numbers, nor where C does
//! not define the operands). Values are those of the scalars that the predicates speak of, small ones if there are some.

use super::Observable;
use crate::abstraction::{Context, Valuation};
use crate::cfg::{Cfg, PointId};
use crate::logic::Answer;
use crate::logic::solver::{Model, Question};
use crate::logic::term::Term;
use crate::logic::translate::{Defined, Values};
use crate::predicates::PredicateSet;
use crate::program::{Expr, ExprKind, FloatKind, Type};
use crate::testgen::symbolic::{SIZES, within};

/// The condition of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meaning {
    /// What must hold, as C; nothing that the others imply.
    pub conjuncts: Vec<String>,
    /// What these imply.
    pub implied: Vec<String>,
    /// Whether some memory has these values; `None` if the solver cannot tell.
    pub feasible: Option<bool>,
}

/// The value of something that the predicates speak of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// The expression.
    pub place: String,
    /// Its value as C; of a pointer that is not null, `!= NULL`.
    pub value: String,
}

/// Something whose value can be shown.
struct Scalar {
    text: String,
    ty: Type,
    value: Term,
    /// Where it has a value.
    defined: Term,
}

/// What the observed values of a state mean.
pub fn meaning(context: &mut Context<'_>, cfg: &Cfg, predicates: &PredicateSet, state: &Observable) -> Meaning {
    let (point, valuation) = state;
    let mut literals: Vec<(String, Term)> = Vec::new();
    for (position, formula) in context.blocks[point.index() + 1].formulas.clone() {
        let Some(value) = valuation.get_at(position) else {
            continue;
        };
        let predicate = &predicates.predicates[position];
        let meaning = predicate.at[point.index()].as_deref();
        if value {
            literals.push((predicate.text.clone(), formula));
        } else {
            let term = context.translator.terms.not(formula);
            let text = turned(context, cfg, meaning, term).unwrap_or_else(|| negated(&predicate.text));
            literals.push((text, term));
        }
    }
    let terms = |literals: &[(String, Term)]| literals.iter().map(|(_, term)| *term).collect::<Vec<Term>>();
    let feasible = satisfiable(context, terms(&literals));
    let mut implied = Vec::new();
    // What one other literal implies goes first, so that of two comparisons the stronger one stays.
    let mut at = 0;
    while feasible != Some(false) && at < literals.len() {
        let (text, term) = literals[at].clone();
        let others = literals.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, (_, other))| *other);
        let others: Vec<Term> = others.collect();
        if others.into_iter().any(|other| implies(context, other, term)) {
            implied.push(text);
            literals.remove(at);
        } else {
            at += 1;
        }
    }
    let mut at = 0;
    while at < literals.len() {
        let mut without = literals.clone();
        let (text, term) = without.remove(at);
        // Of a contradiction everything follows; there, what is needed for it is kept.
        let is_idle = match feasible {
            Some(false) => satisfiable(context, terms(&without)) == Some(false),
            _ => {
                let opposite = context.translator.terms.not(term);
                satisfiable(context, terms(&without).into_iter().chain([opposite]).collect()) == Some(false)
            }
        };
        if is_idle {
            implied.push(text);
            literals = without;
        } else {
            at += 1;
        }
    }
    Meaning { conjuncts: literals.into_iter().map(|(text, _)| text).collect(), implied, feasible }
}

/// Whether one literal alone implies another that speaks of nothing else.
fn implies(context: &mut Context<'_>, stronger: Term, weaker: Term) -> bool {
    let terms = &mut context.translator.terms;
    let (speaks, of) = (terms.symbols(weaker).to_vec(), terms.symbols(stronger).to_vec());
    if !speaks.iter().all(|symbol| of.contains(symbol)) {
        return false;
    }
    let opposite = terms.not(weaker);
    satisfiable(context, vec![stronger, opposite]) == Some(false)
}

/// The negation of a comparison as the opposite comparison, if that is the same.
fn turned(context: &mut Context<'_>, cfg: &Cfg, meaning: Option<&Expr>, negation: Term) -> Option<String> {
    let opposite = match &meaning?.kind {
        ExprKind::Compare(op, a, b) => Expr::compare(op.negated(), (**a).clone(), (**b).clone()),
        ExprKind::Not(inner) => (**inner).clone(),
        _ => return None,
    };
    let term = context.translator.predicate(&opposite).ok()?;
    let terms = &mut context.translator.terms;
    let same = terms.eq(term, negation);
    let differs = terms.not(same);
    (satisfiable(context, vec![differs]) == Some(false)).then(|| opposite.to_c(cfg.naming()))
}

/// The negation of any expression.
pub fn negated(text: &str) -> String {
    let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_plain { format!("!{text}") } else { format!("!({text})") }
}

/// Whether all conditions can hold together, in some state of memory; `None` if the solver cannot tell.
pub fn satisfiable(context: &mut Context<'_>, conditions: Vec<Term>) -> Option<bool> {
    let mut all = context.domain.clone();
    all.extend(conditions);
    if all.iter().any(|condition| context.translator.terms.as_bool(*condition) == Some(false)) {
        return Some(false);
    }
    match context.solver.answer(&context.translator.terms, &Question::Satisfiable(all)) {
        Answer::Yes => Some(true),
        Answer::No => Some(false),
        Answer::Unknown => None,
    }
}

/// The literals of the observed values of a state.
pub fn literals(context: &mut Context<'_>, block: usize, valuation: &Valuation) -> Vec<Term> {
    context.literals(block, |position| valuation.get_at(position))
}

/// A state of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// What the predicates speak of.
    pub before: Vec<Shown>,
    /// What of it is different after the step, if a step was asked about.
    pub after: Vec<Shown>,
}

/// Values of what the predicates of a point speak of, for which the conditions hold; with `after`, also those that they
/// have then. `None` if there are none, or the solver cannot tell.
pub fn values(
    context: &mut Context<'_>,
    cfg: &Cfg,
    predicates: &PredicateSet,
    point: PointId,
    after: Option<(PointId, &Values)>,
    conditions: Vec<Term>,
) -> Option<Memory> {
    let here = scalars(context, cfg, predicates, point, &Values::new());
    let there = match after {
        Some((point, values)) => scalars(context, cfg, predicates, point, values),
        None => Vec::new(),
    };
    let mut all = context.domain.clone();
    all.extend(conditions);
    let is_number = |scalar: &&Scalar| scalar.ty.int_kind().is_some();
    let numbers: Vec<Term> = here.iter().chain(&there).filter(is_number).map(|scalar| scalar.value).collect();
    let wishes = match numbers.is_empty() {
        true => Vec::new(),
        false => vec![SIZES.iter().map(|size| within(&mut context.translator, &numbers, *size)).collect()],
    };
    let wanted = here.iter().chain(&there).flat_map(|scalar| [scalar.value, scalar.defined]).collect();
    if all.iter().any(|condition| context.translator.terms.as_bool(*condition) == Some(false)) {
        return None;
    }
    match context.solver.model(&context.translator.terms, &Question::Model(all, wanted, wishes)) {
        Model::Values(values) => {
            let (first, second) = values.split_at(2 * here.len());
            let before = shown(&here, first);
            let after = shown(&there, second).into_iter().filter(|value| !before.contains(value)).collect();
            Some(Memory { before, after })
        }
        Model::Impossible | Model::Unknown => None,
    }
}

fn shown(scalars: &[Scalar], values: &[i128]) -> Vec<Shown> {
    let pairs = scalars.iter().zip(values.chunks(2));
    pairs
        .filter(|(_, values)| values[1] != 0)
        .map(|(scalar, values)| Shown { place: scalar.text.clone(), value: value_text(&scalar.ty, values[0]) })
        .collect()
}

fn value_text(ty: &Type, value: i128) -> String {
    match ty.plain() {
        Type::Float(FloatKind::Float) => format!("{:?}", f32::from_bits(value as u32)),
        Type::Float(_) => format!("{:?}", f64::from_bits(value as u64)),
        _ => match ty.int_kind() {
            Some(kind) => kind.wrap(value).to_string(),
            None if value == 0 => "NULL".to_string(),
            None => "!= NULL".to_string(),
        },
    }
}

/// The scalars that the predicates of a point speak of, in the order in which they appear; variables first.
fn scalars(
    context: &mut Context<'_>,
    cfg: &Cfg,
    predicates: &PredicateSet,
    point: PointId,
    values: &Values,
) -> Vec<Scalar> {
    let mut loads: Vec<Expr> = Vec::new();
    for predicate in &predicates.predicates {
        let Some(meaning) = predicate.at[point.index()].as_deref() else {
            continue;
        };
        let mut note = |expr: &Expr| {
            if matches!(expr.kind, ExprKind::Load(_)) && !loads.contains(expr) {
                loads.push(expr.clone());
            }
        };
        meaning.for_each(&mut |expr| match &expr.kind {
            // Of pointers, only those that are compared: that the others are not null is no news.
            ExprKind::Compare(_, a, b) => [a, b].into_iter().for_each(|operand| note(operand)),
            _ if expr.ty.pointee().is_none() => note(expr),
            _ => {}
        });
    }
    loads.sort_by_key(|expr| !matches!(&expr.kind, ExprKind::Load(place) if place.as_variable().is_some()));
    let mut scalars = Vec::new();
    for expr in loads {
        let text = expr.to_c(cfg.naming());
        let mut defined = Defined::default();
        let value = match expr.ty.pointee() {
            Some(_) => context.translator.pointer(&expr, values, &mut defined).map(|pointer| pointer.object),
            None => context.translator.value(&expr, values, &mut defined),
        };
        // What pct does not know has no value that could be shown.
        let Some(value) = value.ok().filter(|value| !context.translator.is_approximate(*value)) else {
            continue;
        };
        if text.contains('$') || expr.ty.float_kind() == Some(FloatKind::LongDouble) {
            continue;
        }
        let defined = context.translator.terms.and(defined.otherwise);
        scalars.push(Scalar { text, ty: expr.ty.clone(), value, defined });
    }
    scalars
}
