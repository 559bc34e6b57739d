//! Candidates: expressions that may tell states apart which the predicates so far do not.
//!
//! They come from the function itself: what a predicate says before an assignment (its weakest precondition), what it
//! said of the old value after one (a predicate shifted by the step of a counter), the boundary next to a comparison,
//! the equalities that assignments leave behind, bounds and differences of counters. None of them is believed to hold:
//! a candidate is only a question, and whether it helps is decided by proof.

use std::collections::{BTreeMap, BTreeSet};

use crate::cfg::{Action, Cfg};
use crate::predicates::PredicateSet;
use crate::program::{BinaryOp, CompareOp, Expr, ExprKind, Role, Type, VarId};

/// Where a candidate comes from, the most telling first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// The user's.
    User,
    /// A condition of the function that is not observed.
    Condition,
    /// A predicate about the value before the step of a counter.
    Shifted,
    /// Next to the boundary of a comparison.
    Boundary,
    /// The weakest precondition of a predicate before an assignment.
    Precondition,
    /// What an assignment leaves behind.
    Equality,
    /// A bound of a variable, by a value that it is given.
    Bound,
    /// How two variables are ordered.
    Difference,
}

impl Kind {
    /// The kind with that word.
    pub fn named(name: &str) -> Option<Kind> {
        let all = [
            Kind::User,
            Kind::Condition,
            Kind::Shifted,
            Kind::Boundary,
            Kind::Precondition,
            Kind::Equality,
            Kind::Bound,
            Kind::Difference,
        ];
        all.into_iter().find(|kind| kind.name() == name)
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::User => "user",
            Kind::Condition => "condition",
            Kind::Shifted => "shifted",
            Kind::Boundary => "boundary",
            Kind::Precondition => "precondition",
            Kind::Equality => "equality",
            Kind::Bound => "bound",
            Kind::Difference => "difference",
        }
    }
}

/// An expression that may help.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The expression as C.
    pub text: String,
    /// Where it comes from.
    pub kind: Kind,
}

/// So many candidates are made at most.
const MAX_CANDIDATES: usize = 96;

/// Longer expressions are no help to anybody.
const MAX_LENGTH: usize = 80;

/// So many variables are compared with one another.
const MAX_COMPARED: usize = 6;

/// An assignment to a variable of the function.
struct Assignment {
    variable: VarId,
    value: Expr,
    /// By how much it changes, if that is all it does.
    step: Option<Expr>,
}

/// The candidates for a function with these predicates, the most telling first.
pub fn candidates(cfg: &Cfg, predicates: &PredicateSet) -> Vec<Candidate> {
    let assignments = assignments(cfg);
    let known: Vec<Expr> = predicates
        .predicates
        .iter()
        .filter_map(|predicate| predicate.at.iter().flatten().next())
        .map(|meaning| meaning.as_ref().clone())
        .collect();
    let mut pool = Pool { cfg, seen: BTreeSet::new(), found: BTreeMap::new() };
    let tests = cfg.successors.iter().flatten().filter_map(|edge| match &edge.action {
        Action::Test(condition, true) => Some(condition.clone().as_condition()),
        _ => None,
    });
    for condition in tests {
        pool.add(Kind::Condition, condition);
    }
    for predicate in &known {
        for Assignment { variable, value, step } in &assignments {
            if !mentions(predicate, *variable) {
                continue;
            }
            if let Some(before) = step {
                pool.add(Kind::Shifted, replaced(predicate, *variable, before));
            }
            pool.add(Kind::Precondition, replaced(predicate, *variable, value));
        }
        pool.boundaries(predicate);
    }
    for Assignment { variable, value, step } in &assignments {
        let ty = &cfg.variables[variable.index()].ty;
        let whole = Expr::variable(*variable, ty);
        if step.is_some() || mentions(value, *variable) || matches!(ty.plain(), Type::Float(_)) {
            continue;
        }
        pool.add(Kind::Equality, Expr::compare(CompareOp::Equal, whole.clone(), value.clone()));
        if ty.int_kind().is_some() {
            pool.add(Kind::Bound, Expr::compare(CompareOp::GreaterEqual, whole.clone(), value.clone()));
            pool.add(Kind::Bound, Expr::compare(CompareOp::LessEqual, whole, value.clone()));
        }
    }
    pool.differences(&known, &assignments);
    let mut candidates = Vec::new();
    for (kind, texts) in pool.found {
        candidates.extend(texts.into_iter().map(|text| Candidate { text, kind }));
    }
    candidates.truncate(MAX_CANDIDATES);
    candidates
}

struct Pool<'a> {
    cfg: &'a Cfg,
    seen: BTreeSet<String>,
    found: BTreeMap<Kind, Vec<String>>,
}

impl Pool<'_> {
    fn add(&mut self, kind: Kind, expr: Expr) {
        // What is inlined has names that mean something else here.
        let mut is_foreign = false;
        expr.for_each_variable(&mut |variable| {
            is_foreign |= self.cfg.variables[variable.index()].role == Role::Temporary;
        });
        if is_foreign || expr.is_constant() || is_hard(&expr) {
            return;
        }
        let text = expr.to_c(self.cfg.naming());
        if text.len() <= MAX_LENGTH && !text.contains('$') && self.seen.insert(text.clone()) {
            self.found.entry(kind).or_default().push(text);
        }
    }

    /// One more and one less than where a comparison changes.
    fn boundaries(&mut self, predicate: &Expr) {
        let ExprKind::Compare(_, a, b) = &predicate.kind else {
            return;
        };
        if a.ty.int_kind().is_none() || b.ty.int_kind().is_none() {
            return;
        }
        let one = || Expr { kind: ExprKind::Constant(1), ty: Type::INT };
        let moved = |op| match (&b.kind, op) {
            // A constant stays one.
            (ExprKind::Constant(value), BinaryOp::Add) => Expr::constant(value + 1, b.int_kind()),
            (ExprKind::Constant(value), _) => Expr::constant(value - 1, b.int_kind()),
            _ => Expr::binary(op, (**b).clone(), one()),
        };
        for (op, other) in [
            (CompareOp::Equal, moved(BinaryOp::Add)),
            (CompareOp::Equal, moved(BinaryOp::Subtract)),
            (CompareOp::Equal, (**b).clone()),
            (CompareOp::LessEqual, moved(BinaryOp::Add)),
            (CompareOp::GreaterEqual, moved(BinaryOp::Subtract)),
        ] {
            self.add(Kind::Boundary, Expr::compare(op, (**a).clone(), other));
        }
    }

    /// The order of counters and of what predicates speak of.
    fn differences(&mut self, known: &[Expr], assignments: &[Assignment]) {
        let mut variables: Vec<VarId> = Vec::new();
        let mut note = |variable: VarId| {
            let info = &self.cfg.variables[variable.index()];
            let is_number = info.ty.int_kind().is_some() && info.role != Role::Temporary && !info.name.starts_with('$');
            if is_number && !variables.contains(&variable) {
                variables.push(variable);
            }
        };
        assignments.iter().filter(|assignment| assignment.step.is_some()).for_each(|a| note(a.variable));
        known.iter().for_each(|predicate| predicate.for_each_variable(&mut note));
        variables.truncate(MAX_COMPARED);
        for (index, first) in variables.iter().enumerate() {
            for second in &variables[index + 1..] {
                let whole = |variable: VarId| Expr::variable(variable, &self.cfg.variables[variable.index()].ty);
                let (first, second) = (whole(*first), whole(*second));
                for op in [CompareOp::Equal, CompareOp::LessEqual, CompareOp::GreaterEqual] {
                    self.add(Kind::Difference, Expr::compare(op, first.clone(), second.clone()));
                }
            }
        }
    }
}

/// The assignments to variables of the function, each once.
fn assignments(cfg: &Cfg) -> Vec<Assignment> {
    let mut found: Vec<Assignment> = Vec::new();
    for edge in cfg.successors.iter().flatten() {
        let Action::Assign(place, value) = &edge.action else {
            continue;
        };
        let Some(variable) = place.as_variable().filter(|id| cfg.variables[id.index()].role != Role::Temporary) else {
            continue;
        };
        if !found.iter().any(|known| known.variable == variable && known.value == *value) {
            found.push(Assignment { variable, value: value.clone(), step: inverse(variable, value) });
        }
    }
    found
}

/// The value before `variable = value`, in terms of the one after it, if the assignment only adds a constant.
fn inverse(variable: VarId, value: &Expr) -> Option<Expr> {
    let is_it = |expr: &Expr| match &stripped(expr).kind {
        ExprKind::Load(place) => place.as_variable() == Some(variable),
        _ => false,
    };
    match &stripped(value).kind {
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), a, b) if is_it(a) && b.is_constant() => {
            let back = if *op == BinaryOp::Add { BinaryOp::Subtract } else { BinaryOp::Add };
            Some(Expr { kind: ExprKind::Binary(back, a.clone(), b.clone()), ty: a.ty.clone() })
        }
        ExprKind::Binary(BinaryOp::Add, a, b) if is_it(b) && a.is_constant() => {
            Some(Expr { kind: ExprKind::Binary(BinaryOp::Subtract, b.clone(), a.clone()), ty: a.ty.clone() })
        }
        ExprKind::Move(pointer, count, stride) if is_it(pointer) => match count.kind {
            ExprKind::Constant(number) => {
                let back = Expr { kind: ExprKind::Constant(-number), ty: count.ty.clone() };
                let kind = ExprKind::Move(pointer.clone(), Box::new(back), stride.clone());
                Some(Expr { kind, ty: pointer.ty.clone() })
            }
            _ => None,
        },
        _ => None,
    }
}

fn stripped(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner) => stripped(inner),
        _ => expr,
    }
}

/// Whether it multiplies or divides what is not constant: the solver would spend its time on that.
fn is_hard(expr: &Expr) -> bool {
    let mut found = false;
    expr.for_each(&mut |part| {
        if let ExprKind::Binary(BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder, a, b) = &part.kind {
            found |= !stripped(a).is_constant() && !stripped(b).is_constant();
        }
    });
    found
}

fn mentions(expr: &Expr, variable: VarId) -> bool {
    let mut found = false;
    expr.for_each_variable(&mut |other| found |= other == variable);
    found
}

fn replaced(expr: &Expr, variable: VarId, by: &Expr) -> Expr {
    expr.replaced(&mut |place| (place.as_variable() == Some(variable)).then(|| by.clone()))
}
