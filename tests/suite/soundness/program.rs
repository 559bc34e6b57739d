//! The random programs as data: a small part of C, just rich enough for the generator, the renderer and the shrinker.
//!
//! Variables are names, resolved where they stand as C does, so that a statement can be moved or deleted freely: the
//! renderer refuses what is no longer a program.

use super::analysis::Points;
use super::native::Overflow;

/// A whole file: globals, helpers and the function `f`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Program {
    pub(crate) points: Points,
    pub(crate) overflow: Overflow,
    pub(crate) inputs: Vec<Declaration>,
    /// The members of `struct S`, if there is one.
    pub(crate) record: Vec<Member>,
    /// Global constants and enumerations.
    pub(crate) constants: Vec<Definition>,
    pub(crate) helpers: Vec<Definition>,
    pub(crate) return_type: Type,
    pub(crate) body: Vec<Statement>,
    pub(crate) predicates: Vec<Expression>,
    /// Predicates that `pct` shall track without observing them.
    pub(crate) tracked: Vec<Expression>,
}

/// An input of the program: a parameter or a global variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Declaration {
    pub(crate) is_global: bool,
    pub(crate) type_: Type,
    pub(crate) name: String,
    pub(crate) length: Option<usize>,
}

/// Something at file level that is only used or dropped as a whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Definition {
    /// The names that it defines; the first is its own.
    pub(crate) names: Vec<String>,
    /// One line.
    pub(crate) text: String,
    /// What kind of variable it is, or what kind of value the function returns.
    pub(crate) shape: Shape,
    /// What the function is given.
    pub(crate) parameters: Vec<Shape>,
}

/// A member of `struct S`; its name is `m` and its number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Member {
    pub(crate) type_: Type,
    /// The width, if it is a bit-field.
    pub(crate) bits: Option<u32>,
}

/// What a variable, a parameter or a result can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Number(Type),
    /// An array of this length, which is a power of two.
    Array(Type, usize),
    Record,
    RecordArray(usize),
    /// A pointer that is always valid.
    Pointer(Pointee),
    /// A pointer that a loop moves over an array, and nothing else changes.
    Walker(Type),
    /// No value, or one that nobody uses.
    Nothing,
}

/// What a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pointee {
    Number(Type),
    Record,
}

impl Pointee {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Pointee::Number(type_) => type_.name(),
            Pointee::Record => "struct S",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
}

impl Type {
    pub(crate) const ALL: [Type; 12] = [
        Type::Bool,
        Type::Char,
        Type::SignedChar,
        Type::UnsignedChar,
        Type::Short,
        Type::UnsignedShort,
        Type::Int,
        Type::UnsignedInt,
        Type::Long,
        Type::UnsignedLong,
        Type::LongLong,
        Type::UnsignedLongLong,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Type::Bool => "_Bool",
            Type::Char => "char",
            Type::SignedChar => "signed char",
            Type::UnsignedChar => "unsigned char",
            Type::Short => "short",
            Type::UnsignedShort => "unsigned short",
            Type::Int => "int",
            Type::UnsignedInt => "unsigned int",
            Type::Long => "long",
            Type::UnsignedLong => "unsigned long",
            Type::LongLong => "long long",
            Type::UnsignedLongLong => "unsigned long long",
        }
    }

    /// The smallest and the largest value of a type of at most eight bits.
    pub(crate) fn small_range(self) -> Option<(i64, i64)> {
        match self {
            Type::Bool => Some((0, 1)),
            Type::Char | Type::SignedChar => Some((-128, 127)),
            Type::UnsignedChar => Some((0, 255)),
            _ => None,
        }
    }
}

/// A statement with an optional label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Statement {
    pub(crate) label: Option<String>,
    pub(crate) kind: Kind,
}

impl From<Kind> for Statement {
    fn from(kind: Kind) -> Self {
        Statement { label: None, kind }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Declare {
        type_: Type,
        name: String,
        value: Option<Expression>,
    },
    DeclareArray {
        type_: Type,
        name: String,
        values: Vec<Expression>,
    },
    /// A struct, or an array of them: the values of all members in order.
    DeclareRecord {
        name: String,
        length: Option<usize>,
        values: Vec<Expression>,
    },
    DeclarePointer {
        pointee: Pointee,
        name: String,
        value: Expression,
    },
    Evaluate(Expression),
    Assume(Expression),
    Assert(Expression),
    Empty,
    Block(Vec<Statement>),
    If {
        condition: Expression,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    While {
        condition: Expression,
        body: Vec<Statement>,
    },
    DoWhile {
        body: Vec<Statement>,
        condition: Expression,
    },
    For {
        /// An expression or a declaration with a value.
        init: Option<Box<Statement>>,
        condition: Expression,
        step: Option<Expression>,
        body: Vec<Statement>,
    },
    /// A loop in which a pointer walks over an array.
    Walk {
        type_: Type,
        name: String,
        array: String,
        length: usize,
        body: Vec<Statement>,
    },
    Switch {
        operand: Expression,
        arms: Vec<Arm>,
    },
    Break,
    Continue,
    Goto(String),
    Return(Expression),
}

/// The statements after some labels of a switch; they fall through unless they end with `break`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Arm {
    /// Values; `None` is `default`.
    pub(crate) labels: Vec<Option<i64>>,
    pub(crate) body: Vec<Statement>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Expression {
    /// A constant, as C text.
    Literal(String),
    Variable(String),
    /// An element of an array of this length (a power of two); the renderer keeps the index inside it.
    Element(String, Box<Expression>, usize),
    /// What a pointer points to.
    Pointed(String),
    /// A member of a struct.
    Member(Box<Expression>, usize),
    /// A member of the struct that a pointer points to.
    Arrow(String, usize),
    /// `==` or `!=` of two pointers.
    SamePlace(&'static str, Box<Expression>, Box<Expression>),
    Unary(&'static str, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Not(Box<Expression>),
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    Cast(Type, Box<Expression>),
    Call(String, Vec<Expression>),
    AddressOf(Box<Expression>),
    /// `target op value`, where `op` is `=`, `+=`, …
    Assign(&'static str, Box<Expression>, Box<Expression>),
    /// `++` or `--` before its target.
    StepBefore(&'static str, Box<Expression>),
    /// `++` or `--` after its target.
    StepAfter(&'static str, Box<Expression>),
    Comma(Box<Expression>, Box<Expression>),
}

impl Expression {
    pub(crate) fn literal(text: impl Into<String>) -> Self {
        Expression::Literal(text.into())
    }

    pub(crate) fn variable(name: &str) -> Self {
        Expression::Variable(name.into())
    }

    pub(crate) fn binary(operator: &'static str, left: Self, right: Self) -> Self {
        Expression::Binary(operator, Box::new(left), Box::new(right))
    }

    pub(crate) fn assign(operator: &'static str, target: Self, value: Self) -> Self {
        Expression::Assign(operator, Box::new(target), Box::new(value))
    }

    /// The expressions directly inside this one.
    pub(crate) fn children(&self) -> Vec<&Expression> {
        match self {
            Expression::Literal(_) | Expression::Variable(_) | Expression::Pointed(_) | Expression::Arrow(..) => vec![],
            Expression::Element(_, inner, _)
            | Expression::Unary(_, inner)
            | Expression::Not(inner)
            | Expression::Member(inner, _)
            | Expression::Cast(_, inner)
            | Expression::AddressOf(inner)
            | Expression::StepBefore(_, inner)
            | Expression::StepAfter(_, inner) => vec![inner],
            Expression::Binary(_, left, right)
            | Expression::SamePlace(_, left, right)
            | Expression::And(left, right)
            | Expression::Or(left, right)
            | Expression::Assign(_, left, right)
            | Expression::Comma(left, right) => vec![left, right],
            Expression::Conditional(condition, left, right) => vec![condition, left, right],
            Expression::Call(_, arguments) => arguments.iter().collect(),
        }
    }

    /// Mutable version of [`Expression::children`], in the same order.
    pub(crate) fn children_mut(&mut self) -> Vec<&mut Expression> {
        match self {
            Expression::Literal(_) | Expression::Variable(_) | Expression::Pointed(_) | Expression::Arrow(..) => vec![],
            Expression::Element(_, inner, _)
            | Expression::Unary(_, inner)
            | Expression::Not(inner)
            | Expression::Member(inner, _)
            | Expression::Cast(_, inner)
            | Expression::AddressOf(inner)
            | Expression::StepBefore(_, inner)
            | Expression::StepAfter(_, inner) => vec![inner],
            Expression::Binary(_, left, right)
            | Expression::SamePlace(_, left, right)
            | Expression::And(left, right)
            | Expression::Or(left, right)
            | Expression::Assign(_, left, right)
            | Expression::Comma(left, right) => vec![left, right],
            Expression::Conditional(condition, left, right) => vec![condition, left, right],
            Expression::Call(_, arguments) => arguments.iter_mut().collect(),
        }
    }

    /// The variable that it mentions itself, not in what is inside.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Expression::Variable(name)
            | Expression::Element(name, ..)
            | Expression::Pointed(name)
            | Expression::Arrow(name, _) => Some(name),
            _ => None,
        }
    }

    /// Whether this expression or one inside it satisfies `test`.
    pub(crate) fn any(&self, test: &dyn Fn(&Expression) -> bool) -> bool {
        test(self) || self.children().into_iter().any(|child| child.any(test))
    }

    /// Whether evaluating it changes a variable or may do so.
    pub(crate) fn has_effect(&self) -> bool {
        self.any(&|e| {
            matches!(
                e,
                Expression::Assign(..) | Expression::StepBefore(..) | Expression::StepAfter(..) | Expression::Call(..)
            )
        })
    }

    /// Whether it branches, so that it has atomic conditions of its own.
    pub(crate) fn has_branch(&self) -> bool {
        self.any(&|e| matches!(e, Expression::And(..) | Expression::Or(..) | Expression::Conditional(..)))
    }

    /// Whether it mentions neither a variable nor a call, so that a compiler may fold it. Names of constants are in
    /// upper case.
    pub(crate) fn is_constant(&self) -> bool {
        !self.any(&|e| {
            let is_variable = e.name().is_some_and(|name| !name.starts_with(char::is_uppercase));
            is_variable || matches!(e, Expression::Call(..))
        })
    }
}

impl Kind {
    pub(crate) fn is_declaration(&self) -> bool {
        self.declared().is_some()
    }

    /// The name that it declares, and what the variable is.
    pub(crate) fn declared(&self) -> Option<(&str, Shape)> {
        match self {
            Kind::Declare { type_, name, .. } => Some((name, Shape::Number(*type_))),
            Kind::DeclareArray { type_, name, values } => Some((name, Shape::Array(*type_, values.len()))),
            Kind::DeclareRecord { name, length: None, .. } => Some((name, Shape::Record)),
            Kind::DeclareRecord { name, length: Some(length), .. } => Some((name, Shape::RecordArray(*length))),
            Kind::DeclarePointer { pointee, name, .. } => Some((name, Shape::Pointer(*pointee))),
            _ => None,
        }
    }

    /// The lists of statements directly inside.
    pub(crate) fn blocks_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Kind::Block(body)
            | Kind::While { body, .. }
            | Kind::DoWhile { body, .. }
            | Kind::For { body, .. }
            | Kind::Walk { body, .. } => vec![body],
            Kind::If { then, otherwise, .. } => vec![then, otherwise],
            Kind::Switch { arms, .. } => arms.iter_mut().map(|arm| &mut arm.body).collect(),
            _ => vec![],
        }
    }

    /// The lists of statements directly inside, in the same order.
    pub(crate) fn blocks(&self) -> Vec<&Vec<Statement>> {
        match self {
            Kind::Block(body)
            | Kind::While { body, .. }
            | Kind::DoWhile { body, .. }
            | Kind::For { body, .. }
            | Kind::Walk { body, .. } => vec![body],
            Kind::If { then, otherwise, .. } => vec![then, otherwise],
            Kind::Switch { arms, .. } => arms.iter().map(|arm| &arm.body).collect(),
            _ => vec![],
        }
    }

    /// The expressions directly inside, not those of inner statements (but of the head of a `for`).
    pub(crate) fn expressions_mut(&mut self) -> Vec<&mut Expression> {
        match self {
            Kind::Declare { value, .. } => value.iter_mut().collect(),
            Kind::DeclareArray { values, .. } | Kind::DeclareRecord { values, .. } => values.iter_mut().collect(),
            Kind::DeclarePointer { value, .. } => vec![value],
            Kind::Evaluate(e) | Kind::Assume(e) | Kind::Assert(e) | Kind::Return(e) => vec![e],
            Kind::If { condition, .. } | Kind::While { condition, .. } | Kind::DoWhile { condition, .. } => {
                vec![condition]
            }
            Kind::For { init, condition, step, .. } => {
                let mut all = match init {
                    Some(init) => init.kind.expressions_mut(),
                    None => vec![],
                };
                all.push(condition);
                all.extend(step);
                all
            }
            Kind::Switch { operand, .. } => vec![operand],
            Kind::Empty | Kind::Block(_) | Kind::Walk { .. } | Kind::Break | Kind::Continue | Kind::Goto(_) => vec![],
        }
    }
}

/// Calls `visit` for every statement, outer before inner; the head of a `for` is visited as a statement too.
pub(crate) fn for_each_statement<'a>(statements: &'a [Statement], visit: &mut dyn FnMut(&'a Statement)) {
    for statement in statements {
        visit(statement);
        if let Kind::For { init: Some(init), .. } = &statement.kind {
            visit(init);
        }
        for block in statement.kind.blocks() {
            for_each_statement(block, visit);
        }
    }
}
