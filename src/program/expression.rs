//! Expressions without side effects, every conversion explicit.

use super::{IntKind, VarId};

/// A typed expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: IntKind,
}

/// The forms of an expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ExprKind {
    /// A value that fits the type.
    Constant(i128),
    /// The value of a variable or an array element.
    Load(Place),
    /// Conversion of the operand to the type of the expression.
    Cast(Box<Expr>),
    /// The operand has the type of the expression.
    Unary(UnaryOp, Box<Expr>),
    /// Both operands have the type of the expression, but the right one of a shift, which has its own.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// 0 or 1; both operands have the same type.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// `!e`, 0 or 1.
    Not(Box<Expr>),
    /// `a && b`, 0 or 1. Only in predicates: in statements it is control flow.
    And(Box<Expr>, Box<Expr>),
    /// `a || b`, 0 or 1. Only in predicates.
    Or(Box<Expr>, Box<Expr>),
    /// `c ? a : b`. Only in predicates.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// What can be read and assigned.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A scalar variable.
    Variable(VarId),
    /// An element of an array, at the sum of the parts of the index.
    Element(VarId, Vec<Index>),
}

/// A part of an array index: `scale * value`. Address arithmetic does not overflow.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Index {
    /// The value, of any integer type.
    pub value: Expr,
    /// How many elements one step of the value is.
    pub scale: i64,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-e`
    Negate,
    /// `~e`
    Complement,
}

/// Arithmetic operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompareOp {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl CompareOp {
    /// The comparison that is true where this one is false.
    pub fn negated(self) -> CompareOp {
        match self {
            CompareOp::Equal => CompareOp::NotEqual,
            CompareOp::NotEqual => CompareOp::Equal,
            CompareOp::Less => CompareOp::GreaterEqual,
            CompareOp::LessEqual => CompareOp::Greater,
            CompareOp::Greater => CompareOp::LessEqual,
            CompareOp::GreaterEqual => CompareOp::Less,
        }
    }

    /// The comparison with its operands exchanged.
    pub fn mirrored(self) -> CompareOp {
        match self {
            CompareOp::Less => CompareOp::Greater,
            CompareOp::LessEqual => CompareOp::GreaterEqual,
            CompareOp::Greater => CompareOp::Less,
            CompareOp::GreaterEqual => CompareOp::LessEqual,
            symmetric => symmetric,
        }
    }

    /// Whether `a op b` holds.
    pub fn holds(self, a: i128, b: i128) -> bool {
        match self {
            CompareOp::Equal => a == b,
            CompareOp::NotEqual => a != b,
            CompareOp::Less => a < b,
            CompareOp::LessEqual => a <= b,
            CompareOp::Greater => a > b,
            CompareOp::GreaterEqual => a >= b,
        }
    }
}

impl Expr {
    /// A constant, converted to `ty`.
    pub fn constant(value: i128, ty: IntKind) -> Expr {
        Expr { kind: ExprKind::Constant(ty.wrap(value)), ty }
    }

    /// The value of a place of type `ty`.
    pub fn load(place: Place, ty: IntKind) -> Expr {
        Expr { kind: ExprKind::Load(place), ty }
    }

    /// Conversion to `ty`; none if the type is right already.
    pub fn cast(self, ty: IntKind) -> Expr {
        if self.ty == ty {
            return self;
        }
        if let ExprKind::Constant(value) = self.kind {
            return Expr::constant(value, ty);
        }
        Expr { kind: ExprKind::Cast(Box::new(self)), ty }
    }

    /// The integer promotion.
    pub fn promoted(self) -> Expr {
        let ty = self.ty.promoted();
        self.cast(ty)
    }

    /// `a op b` after the usual arithmetic conversions; for shifts after the promotion of each.
    pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let (a, b) = if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            (a.promoted(), b.promoted())
        } else {
            let common = a.ty.common(b.ty);
            (a.cast(common), b.cast(common))
        };
        let ty = a.ty;
        Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty }
    }

    /// `op e` after promotion.
    pub fn unary(op: UnaryOp, operand: Expr) -> Expr {
        let operand = operand.promoted();
        let ty = operand.ty;
        Expr { kind: ExprKind::Unary(op, Box::new(operand)), ty }
    }

    /// `a op b` after the usual arithmetic conversions.
    pub fn compare(op: CompareOp, a: Expr, b: Expr) -> Expr {
        let common = a.ty.common(b.ty);
        Expr { kind: ExprKind::Compare(op, Box::new(a.cast(common)), Box::new(b.cast(common))), ty: IntKind::Int }
    }

    /// The expression as a condition: a comparison as it is, any other `e` as `e != 0`.
    pub fn as_condition(self) -> Expr {
        match self.kind {
            ExprKind::Compare(..) | ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => self,
            _ => {
                let zero = Expr::constant(0, self.ty);
                Expr::compare(CompareOp::NotEqual, self, zero)
            }
        }
    }

    /// Whether it is a constant.
    pub fn is_constant(&self) -> bool {
        matches!(self.kind, ExprKind::Constant(_))
    }

    /// Calls `visit` for every variable read, indices included.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(VarId)) {
        match &self.kind {
            ExprKind::Constant(_) => {}
            ExprKind::Load(place) => place.for_each_variable(visit),
            ExprKind::Cast(e) | ExprKind::Unary(_, e) | ExprKind::Not(e) => {
                e.for_each_variable(visit);
            }
            ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                a.for_each_variable(visit);
                b.for_each_variable(visit);
            }
            ExprKind::Conditional(c, a, b) => {
                c.for_each_variable(visit);
                a.for_each_variable(visit);
                b.for_each_variable(visit);
            }
        }
    }

    /// The expression with every place that is read replaced: `replace` gives the new expression, or `None` to keep
    /// the place (with its indices rewritten).
    pub fn rewrite(&self, replace: &mut impl FnMut(&Place) -> Option<Expr>) -> Expr {
        let kind = match &self.kind {
            ExprKind::Constant(value) => ExprKind::Constant(*value),
            ExprKind::Load(place) => {
                let place = place.rewrite(replace);
                match replace(&place) {
                    Some(expr) => return expr.cast(self.ty),
                    None => ExprKind::Load(place),
                }
            }
            ExprKind::Cast(e) => return e.rewrite(replace).cast(self.ty),
            ExprKind::Unary(op, e) => ExprKind::Unary(*op, Box::new(e.rewrite(replace))),
            ExprKind::Not(e) => ExprKind::Not(Box::new(e.rewrite(replace))),
            ExprKind::Binary(op, a, b) => {
                ExprKind::Binary(*op, Box::new(a.rewrite(replace)), Box::new(b.rewrite(replace)))
            }
            ExprKind::Compare(op, a, b) => {
                ExprKind::Compare(*op, Box::new(a.rewrite(replace)), Box::new(b.rewrite(replace)))
            }
            ExprKind::And(a, b) => ExprKind::And(Box::new(a.rewrite(replace)), Box::new(b.rewrite(replace))),
            ExprKind::Or(a, b) => ExprKind::Or(Box::new(a.rewrite(replace)), Box::new(b.rewrite(replace))),
            ExprKind::Conditional(c, a, b) => ExprKind::Conditional(
                Box::new(c.rewrite(replace)),
                Box::new(a.rewrite(replace)),
                Box::new(b.rewrite(replace)),
            ),
        };
        Expr { kind, ty: self.ty }
    }
}

impl Place {
    /// The variable or the array.
    pub fn base(&self) -> VarId {
        match self {
            Place::Variable(variable) | Place::Element(variable, _) => *variable,
        }
    }

    /// Calls `visit` for the base and for every variable in the index.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(VarId)) {
        visit(self.base());
        if let Place::Element(_, indices) = self {
            for index in indices {
                index.value.for_each_variable(visit);
            }
        }
    }

    /// The place with the expressions of its index rewritten.
    pub fn rewrite(&self, replace: &mut impl FnMut(&Place) -> Option<Expr>) -> Place {
        match self {
            Place::Variable(variable) => Place::Variable(*variable),
            Place::Element(array, indices) => Place::Element(
                *array,
                indices.iter().map(|index| Index { value: index.value.rewrite(replace), scale: index.scale }).collect(),
            ),
        }
    }
}
