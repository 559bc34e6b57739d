//! Statements (the structure the user wrote) and steps (the effects inside one statement, in order).

use super::{Expr, FunctionId, Place, Span, Use, VarId};

/// A statement or declaration of C.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where it begins.
    pub span: Span,
}

/// The forms of a statement.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// An expression statement; no steps for `;`.
    Evaluate(Vec<Step>),
    /// A declaration of one variable; `steps` end with its initialisation, if there is one.
    Declare {
        /// What is declared.
        variable: VarId,
        /// The initialisation; empty if there is none.
        steps: Vec<Step>,
    },
    /// `{ … }`: a scope of names.
    Block(Vec<Statement>),
    /// `if`
    If {
        /// The decision.
        condition: Condition,
        /// Taken if it holds.
        then: Box<Statement>,
        /// Taken if not.
        otherwise: Option<Box<Statement>>,
    },
    /// `while`
    While {
        /// The decision.
        condition: Condition,
        /// The body.
        body: Box<Statement>,
    },
    /// `do … while`
    DoWhile {
        /// The body.
        body: Box<Statement>,
        /// The decision.
        condition: Condition,
    },
    /// `for`; a scope of names for what `init` declares.
    For {
        /// What runs first.
        init: Vec<Statement>,
        /// The decision; absent means true.
        condition: Option<Condition>,
        /// What runs after the body.
        step: Option<Box<Statement>>,
        /// The body.
        body: Box<Statement>,
    },
    /// `switch`
    Switch {
        /// Effects of the operand.
        steps: Vec<Step>,
        /// The promoted operand.
        operand: Expr,
        /// The body with its [`StatementKind::Case`] labels.
        body: Box<Statement>,
    },
    /// A `case` or `default` label of the innermost `switch`, with the statement behind it.
    Case(Case, Box<Statement>),
    /// A label with the statement behind it.
    Label(String, Box<Statement>),
    /// `goto`
    Goto(String),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`; the steps end with the assignment of the result.
    Return(Vec<Step>),
}

/// A label of a `switch`.
#[derive(Clone, Debug)]
pub enum Case {
    /// From the first to the last value, both included.
    Values(i128, i128),
    /// `default`
    Default,
}

/// One effect. A statement is a sequence of them.
#[derive(Clone, Debug)]
pub enum Step {
    /// `place = value`
    Assign(Place, Expr),
    /// A struct, union or array takes the value of another one of the same type.
    Copy(Place, Place),
    /// Everything in the place becomes zero.
    Zero(Place),
    /// The place takes any value that the environment chooses: an input.
    Havoc(Place, Source),
    /// Everything in the object that the pointer points into takes any value that the environment chooses.
    HavocObject(Expr),
    /// The place takes a value that pct does not know.
    Forget(Place),
    /// Everything in the object that the pointer points into takes values that pct does not know.
    ForgetObject(Expr),
    /// Only executions in which the condition holds are considered.
    Assume(Condition),
    /// The execution goes wrong unless the condition holds.
    Assert(Condition),
    /// The execution goes wrong (`abort`).
    Fail,
    /// The execution ends well (`exit`).
    Exit,
    /// A branch inside an expression (`?:`, `&&` as a value): its condition is a decision.
    Branch(Condition, Vec<Step>, Vec<Step>),
    /// A branch that the user did not write: its condition is not observed.
    Choose(Condition, Vec<Step>, Vec<Step>),
    /// A call of a function.
    Call {
        /// Who is called.
        callee: Callee,
        /// With what.
        arguments: Vec<Argument>,
        /// Where the result goes.
        result: Option<VarId>,
        /// The place of the call.
        span: Span,
    },
    /// A statement expression.
    Nested(Vec<Statement>),
}

/// Who asks the environment for a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// A call of a function without a body, for its result.
    Call(String),
    /// A call of a function that is not part of the program, through a pointer.
    Outside,
    /// A read of something volatile.
    Volatile,
    /// An argument of a variable list.
    VariableArgument,
    /// A call that allocates memory: 1 if there is no memory left.
    Allocation,
}

/// Who is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function.
    Function(FunctionId),
    /// The function that a pointer points to: one of those of fitting type whose address is taken.
    Pointer(Expr),
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A value, of the parameter's type.
    Value(Expr),
    /// A struct or union.
    Record(Place),
}

/// A decision taken apart into its atomic conditions.
#[derive(Clone, Debug)]
pub enum Condition {
    /// Nothing left to take apart.
    Atom(Box<Atom>),
    /// `!c`
    Not(Box<Condition>),
    /// `a && b`
    And(Box<Condition>, Box<Condition>),
    /// `a || b`
    Or(Box<Condition>, Box<Condition>),
    /// `c ? a : b`
    Choose(Box<Condition>, Box<Condition>, Box<Condition>),
    /// `(steps, c)`
    After(Vec<Step>, Box<Condition>),
}

/// An atomic condition.
#[derive(Clone, Debug)]
pub struct Atom {
    /// Its side effects, which run first.
    pub steps: Vec<Step>,
    /// Its value afterwards: a comparison.
    pub value: Expr,
    /// The condition as a predicate over named variables, if it can be said without side effects.
    pub observed: Option<Expr>,
    /// Where it stands.
    pub span: Span,
}

impl Statement {
    /// Calls `visit` for every step inside, also those of conditions and inner statements.
    pub fn for_each_step<'a>(&'a self, visit: &mut impl FnMut(&'a Step)) {
        match &self.kind {
            StatementKind::Evaluate(steps) | StatementKind::Return(steps) | StatementKind::Declare { steps, .. } => {
                visit_steps(steps, visit)
            }
            StatementKind::Block(body) => {
                for statement in body {
                    statement.for_each_step(visit);
                }
            }
            StatementKind::If { condition, then, otherwise } => {
                condition.for_each_step(visit);
                then.for_each_step(visit);
                if let Some(otherwise) = otherwise {
                    otherwise.for_each_step(visit);
                }
            }
            StatementKind::While { condition, body } | StatementKind::DoWhile { body, condition } => {
                condition.for_each_step(visit);
                body.for_each_step(visit);
            }
            StatementKind::For { init, condition, step, body } => {
                for statement in init.iter().chain(step.as_deref()) {
                    statement.for_each_step(visit);
                }
                if let Some(condition) = condition {
                    condition.for_each_step(visit);
                }
                body.for_each_step(visit);
            }
            StatementKind::Switch { steps, body, .. } => {
                visit_steps(steps, visit);
                body.for_each_step(visit);
            }
            StatementKind::Case(_, body) | StatementKind::Label(_, body) => body.for_each_step(visit),
            StatementKind::Goto(_) | StatementKind::Break | StatementKind::Continue => {}
        }
    }
}

fn visit_steps<'a>(steps: &'a [Step], visit: &mut impl FnMut(&'a Step)) {
    for step in steps {
        visit(step);
        match step {
            Step::Assume(condition) | Step::Assert(condition) => condition.for_each_step(visit),
            Step::Branch(condition, a, b) | Step::Choose(condition, a, b) => {
                condition.for_each_step(visit);
                visit_steps(a, visit);
                visit_steps(b, visit);
            }
            Step::Nested(body) => {
                for statement in body {
                    statement.for_each_step(visit);
                }
            }
            _ => {}
        }
    }
}

impl Step {
    /// Calls `visit` for every variable whose address the step itself takes.
    pub fn for_each_exposed(&self, visit: &mut impl FnMut(VarId)) {
        let mut place_visit = |place: &Place, usage: Use| {
            if let (Use::Address, Some(variable)) = (usage, place.root()) {
                visit(variable);
            }
        };
        match self {
            Step::Assign(place, value) => {
                place.for_each_inner(&mut place_visit);
                value.for_each_place(&mut place_visit);
            }
            Step::HavocObject(value) | Step::ForgetObject(value) => value.for_each_place(&mut place_visit),
            Step::Call { arguments, .. } => {
                for argument in arguments {
                    if let Argument::Value(value) = argument {
                        value.for_each_place(&mut place_visit);
                    }
                }
            }
            _ => {}
        }
    }
}

impl Condition {
    /// Calls `visit` for every step that its evaluation can take.
    pub fn for_each_step<'a>(&'a self, visit: &mut impl FnMut(&'a Step)) {
        match self {
            Condition::Atom(atom) => visit_steps(&atom.steps, visit),
            Condition::Not(inner) => inner.for_each_step(visit),
            Condition::And(a, b) | Condition::Or(a, b) => {
                a.for_each_step(visit);
                b.for_each_step(visit);
            }
            Condition::Choose(c, a, b) => {
                c.for_each_step(visit);
                a.for_each_step(visit);
                b.for_each_step(visit);
            }
            Condition::After(steps, inner) => {
                visit_steps(steps, visit);
                inner.for_each_step(visit);
            }
        }
    }

    /// Calls `visit` for the atomic conditions from left to right.
    pub fn for_each_atom<'a>(&'a self, visit: &mut impl FnMut(&'a Atom)) {
        match self {
            Condition::Atom(atom) => visit(atom),
            Condition::Not(c) | Condition::After(_, c) => c.for_each_atom(visit),
            Condition::And(a, b) | Condition::Or(a, b) => {
                a.for_each_atom(visit);
                b.for_each_atom(visit);
            }
            Condition::Choose(c, a, b) => {
                c.for_each_atom(visit);
                a.for_each_atom(visit);
                b.for_each_atom(visit);
            }
        }
    }
}
