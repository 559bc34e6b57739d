//! Expressions without side effects, every conversion explicit, and the places that they read.

use super::{FunctionId, IntKind, Type, VarId};

/// A typed expression. Its type is an integer, a floating-point type or a pointer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: Type,
}

/// The forms of an expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ExprKind {
    /// An integer that fits the type; for a pointer, 0 is the null pointer, another number an absolute address.
    Constant(i128),
    /// A floating-point number, by the bits of a `double`; its type may be narrower.
    Float(u64),
    /// The value of a scalar place.
    Load(Place),
    /// The address of a place.
    Address(Place),
    /// The address of a function.
    Function(FunctionId),
    /// Conversion of the operand to the type of the expression.
    Cast(Box<Expr>),
    /// The operand has the type of the expression.
    Unary(UnaryOp, Box<Expr>),
    /// Both operands have the type of the expression, but the right one of a shift, which has its own.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A pointer moved by so many times the stride; address arithmetic does not overflow.
    Move(Box<Expr>, Box<Expr>, Stride),
    /// How many strides lie between two pointers, as a `long`.
    Distance(Box<Expr>, Box<Expr>, Stride),
    /// 0 or 1; both operands have the same type, or both are pointers.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// A property of operands that C has no operator for, 0 or 1.
    Holds(Property, Vec<Expr>),
    /// `!e`, 0 or 1.
    Not(Box<Expr>),
    /// `a && b`, 0 or 1. Only in predicates: in statements it is control flow.
    And(Box<Expr>, Box<Expr>),
    /// `a || b`, 0 or 1. Only in predicates.
    Or(Box<Expr>, Box<Expr>),
    /// `c ? a : b`. Only in predicates.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// What can be asked of operands beside comparing them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Property {
    /// The evaluation of an integer expression does not overflow.
    Fits,
    /// A pointer points to an element of its object.
    Inside,
    /// Two pointers point into one object.
    SameObject,
}

impl Property {
    /// The name that it has in predicates.
    pub fn name(self) -> &'static str {
        match self {
            Property::Fits => "fits",
            Property::Inside => "inside",
            Property::SameObject => "same_object",
        }
    }
}

/// What can be read and assigned: an object, and the way to a part of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// Where the way begins.
    pub base: Base,
    /// The way to the part.
    pub path: Vec<Projection>,
    /// The type of the part.
    pub ty: Type,
}

/// Where a place begins.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// A variable.
    Variable(VarId),
    /// What a pointer points to.
    Pointee(Box<Expr>),
}

/// A step from an object to a part of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Projection {
    /// The member of that number.
    Field(u32),
    /// The element of that index, any integer.
    Index(Expr, Stride),
}

/// How many innermost elements one step is: a number, times the values of variables (the lengths of VLAs).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Stride {
    /// The constant factor.
    pub factor: i64,
    /// Variables of the type `long`.
    pub lengths: Vec<VarId>,
}

impl Stride {
    /// A constant stride.
    pub fn of(factor: i64) -> Stride {
        Stride { factor, lengths: Vec::new() }
    }
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
    /// The comparison that is true where this one is false; not for floating-point numbers, which may be unordered.
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
    /// An integer constant, converted to `kind`.
    pub fn constant(value: i128, kind: IntKind) -> Expr {
        Expr { kind: ExprKind::Constant(kind.wrap(value)), ty: Type::Int(kind) }
    }

    /// The null pointer of a type.
    pub fn null(ty: Type) -> Expr {
        Expr { kind: ExprKind::Constant(0), ty }
    }

    /// The value of a scalar place.
    pub fn load(place: Place) -> Expr {
        let ty = place.ty.plain().clone();
        Expr { kind: ExprKind::Load(place), ty }
    }

    /// The value of a scalar variable of type `ty`.
    pub fn variable(variable: VarId, ty: &Type) -> Expr {
        Expr::load(Place::variable(variable, ty.clone()))
    }

    /// The kind of an integer expression.
    pub fn int_kind(&self) -> IntKind {
        self.ty.int_kind().expect("an integer was promised")
    }

    /// Conversion to the integer type `kind`.
    pub fn cast(self, kind: IntKind) -> Expr {
        self.convert(&Type::Int(kind))
    }

    /// Conversion to a scalar type; none if the type is right already.
    pub fn convert(self, ty: &Type) -> Expr {
        let ty = ty.plain();
        if self.ty == *ty {
            return self;
        }
        match (&self.kind, ty) {
            (ExprKind::Constant(value), Type::Int(kind)) if self.ty.int_kind().is_some() => {
                return Expr::constant(*value, *kind);
            }
            (ExprKind::Constant(value), Type::Pointer(_)) => {
                return Expr { kind: ExprKind::Constant(*value), ty: ty.clone() };
            }
            _ => {}
        }
        Expr { kind: ExprKind::Cast(Box::new(self)), ty: ty.clone() }
    }

    /// The integer promotion.
    pub fn promoted(self) -> Expr {
        match self.ty.int_kind() {
            Some(kind) => self.cast(kind.promoted()),
            None => self,
        }
    }

    /// `a op b` after the usual arithmetic conversions; for shifts after the promotion of each.
    pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let (a, b) = if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            (a.promoted(), b.promoted())
        } else {
            let common = common_type(&a.ty, &b.ty);
            (a.convert(&common), b.convert(&common))
        };
        let ty = a.ty.clone();
        Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty }
    }

    /// `op e` after promotion.
    pub fn unary(op: UnaryOp, operand: Expr) -> Expr {
        let operand = operand.promoted();
        let ty = operand.ty.clone();
        Expr { kind: ExprKind::Unary(op, Box::new(operand)), ty }
    }

    /// `a op b` after the usual arithmetic conversions; pointers are compared as they are.
    pub fn compare(op: CompareOp, a: Expr, b: Expr) -> Expr {
        let (a, b) = if a.ty.pointee().is_some() || b.ty.pointee().is_some() {
            (a, b)
        } else {
            let common = common_type(&a.ty, &b.ty);
            (a.convert(&common), b.convert(&common))
        };
        Expr { kind: ExprKind::Compare(op, Box::new(a), Box::new(b)), ty: Type::INT }
    }

    /// The expression as a condition: a comparison as it is, any other `e` as `e != 0`.
    pub fn as_condition(self) -> Expr {
        match self.kind {
            ExprKind::Compare(..) | ExprKind::Holds(..) | ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => {
                self
            }
            _ => {
                let zero = match &self.ty {
                    Type::Float(_) => Expr { kind: ExprKind::Float(0), ty: self.ty.clone() },
                    ty => Expr { kind: ExprKind::Constant(0), ty: ty.clone() },
                };
                Expr::compare(CompareOp::NotEqual, self, zero)
            }
        }
    }

    /// Whether it is a constant.
    pub fn is_constant(&self) -> bool {
        matches!(self.kind, ExprKind::Constant(_) | ExprKind::Float(_) | ExprKind::Function(_))
    }

    /// Whether it is the null pointer, or an integer constant 0.
    pub fn is_zero(&self) -> bool {
        match &self.kind {
            ExprKind::Constant(0) => true,
            ExprKind::Cast(inner) => inner.is_zero(),
            _ => false,
        }
    }

    /// The operands, without those inside places.
    fn operands(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Constant(_)
            | ExprKind::Float(_)
            | ExprKind::Function(_)
            | ExprKind::Load(_)
            | ExprKind::Address(_) => Vec::new(),
            ExprKind::Holds(_, operands) => operands.iter().collect(),
            ExprKind::Cast(e) | ExprKind::Unary(_, e) | ExprKind::Not(e) => vec![e],
            ExprKind::Binary(_, a, b)
            | ExprKind::Move(a, b, _)
            | ExprKind::Distance(a, b, _)
            | ExprKind::Compare(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b) => vec![a, b],
            ExprKind::Conditional(c, a, b) => vec![c, a, b],
        }
    }

    /// Calls `visit` for every place that is read or whose address is taken, outermost first.
    pub fn for_each_place<'a>(&'a self, visit: &mut impl FnMut(&'a Place, Use)) {
        match &self.kind {
            ExprKind::Load(place) => {
                visit(place, Use::Read);
                place.for_each_inner(visit);
            }
            ExprKind::Address(place) => {
                visit(place, Use::Address);
                place.for_each_inner(visit);
            }
            _ => {
                for operand in self.operands() {
                    operand.for_each_place(visit);
                }
            }
        }
    }

    /// Calls `visit` for every expression inside, itself included.
    pub fn for_each<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Load(place) | ExprKind::Address(place) => place.for_each_expr(visit),
            _ => {
                for operand in self.operands() {
                    operand.for_each(visit);
                }
            }
        }
    }

    /// Calls `visit` for every variable mentioned, also in indices and strides.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(VarId)) {
        match &self.kind {
            ExprKind::Move(_, _, stride) | ExprKind::Distance(_, _, stride) => {
                stride.lengths.iter().copied().for_each(&mut *visit);
            }
            ExprKind::Load(place) | ExprKind::Address(place) => place.for_each_variable(visit),
            _ => {}
        }
        for operand in self.operands() {
            operand.for_each_variable(visit);
        }
    }

    /// The expression with every variable renamed.
    pub fn renamed(&self, name: &mut impl FnMut(VarId) -> VarId) -> Expr {
        self.rewrite(&mut |_| None, name)
    }

    /// The expression with every scalar place that is read replaced where `replace` gives an expression for it.
    pub fn replaced(&self, replace: &mut impl FnMut(&Place) -> Option<Expr>) -> Expr {
        self.rewrite(replace, &mut |variable| variable)
    }

    fn rewrite(&self, replace: &mut impl FnMut(&Place) -> Option<Expr>, name: &mut impl FnMut(VarId) -> VarId) -> Expr {
        let mut go = |e: &Expr| Box::new(e.rewrite(replace, name));
        let kind = match &self.kind {
            ExprKind::Constant(value) => ExprKind::Constant(*value),
            ExprKind::Float(bits) => ExprKind::Float(*bits),
            ExprKind::Function(id) => ExprKind::Function(*id),
            ExprKind::Load(place) => {
                let place = place.rewrite(replace, name);
                match replace(&place) {
                    Some(expr) => return expr.convert(&self.ty),
                    None => ExprKind::Load(place),
                }
            }
            ExprKind::Address(place) => ExprKind::Address(place.rewrite(replace, name)),
            ExprKind::Cast(e) => return go(e).convert(&self.ty),
            ExprKind::Unary(op, e) => ExprKind::Unary(*op, go(e)),
            ExprKind::Not(e) => ExprKind::Not(go(e)),
            ExprKind::Holds(property, operands) => {
                ExprKind::Holds(*property, operands.iter().map(|operand| *go(operand)).collect())
            }
            ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, go(a), go(b)),
            ExprKind::Compare(op, a, b) => ExprKind::Compare(*op, go(a), go(b)),
            ExprKind::And(a, b) => ExprKind::And(go(a), go(b)),
            ExprKind::Or(a, b) => ExprKind::Or(go(a), go(b)),
            ExprKind::Conditional(c, a, b) => ExprKind::Conditional(go(c), go(a), go(b)),
            ExprKind::Move(p, n, stride) => ExprKind::Move(go(p), go(n), stride.renamed(name)),
            ExprKind::Distance(p, q, stride) => ExprKind::Distance(go(p), go(q), stride.renamed(name)),
        };
        Expr { kind, ty: self.ty.clone() }
    }
}

impl Stride {
    fn renamed(&self, name: &mut impl FnMut(VarId) -> VarId) -> Stride {
        Stride { factor: self.factor, lengths: self.lengths.iter().map(|length| name(*length)).collect() }
    }
}

/// What an expression does with a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Its value is read.
    Read,
    /// Its address is taken.
    Address,
}

/// The common type of the usual arithmetic conversions, C11 6.3.1.8.
pub fn common_type(a: &Type, b: &Type) -> Type {
    match (a.plain(), b.plain()) {
        (Type::Float(x), Type::Float(y)) => Type::Float(*x.max(y)),
        (Type::Float(x), _) | (_, Type::Float(x)) => Type::Float(*x),
        (Type::Int(x), Type::Int(y)) => Type::Int(x.common(*y)),
        (other, _) => other.clone(),
    }
}

impl Place {
    /// A whole variable.
    pub fn variable(variable: VarId, ty: Type) -> Place {
        Place { base: Base::Variable(variable), path: Vec::new(), ty }
    }

    /// What a pointer points to.
    pub fn pointee(pointer: Expr) -> Place {
        let ty = pointer.ty.pointee().expect("a pointer was promised").clone();
        // `*&x` is `x`.
        if let ExprKind::Address(place) = pointer.kind {
            return Place { ty, ..place };
        }
        Place { base: Base::Pointee(Box::new(pointer)), path: Vec::new(), ty }
    }

    /// The variable, if the place is one as a whole.
    pub fn as_variable(&self) -> Option<VarId> {
        match self.base {
            Base::Variable(variable) if self.path.is_empty() => Some(variable),
            _ => None,
        }
    }

    /// The variable that the place is a part of, unless it is reached through a pointer.
    pub fn root(&self) -> Option<VarId> {
        match self.base {
            Base::Variable(variable) => Some(variable),
            Base::Pointee(_) => None,
        }
    }

    /// Calls `visit` for the expressions that lead to the place.
    pub fn for_each_expr<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        if let Base::Pointee(pointer) = &self.base {
            pointer.for_each(visit);
        }
        for projection in &self.path {
            if let Projection::Index(index, _) = projection {
                index.for_each(visit);
            }
        }
    }

    /// Calls `visit` for every place that is used to get here.
    pub fn for_each_inner<'a>(&'a self, visit: &mut impl FnMut(&'a Place, Use)) {
        if let Base::Pointee(pointer) = &self.base {
            pointer.for_each_place(visit);
        }
        for projection in &self.path {
            if let Projection::Index(index, _) = projection {
                index.for_each_place(visit);
            }
        }
    }

    /// Calls `visit` for every variable mentioned.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(VarId)) {
        match &self.base {
            Base::Variable(variable) => visit(*variable),
            Base::Pointee(pointer) => pointer.for_each_variable(visit),
        }
        for projection in &self.path {
            if let Projection::Index(index, stride) = projection {
                index.for_each_variable(visit);
                stride.lengths.iter().copied().for_each(&mut *visit);
            }
        }
    }

    /// The place with every variable renamed.
    pub fn renamed(&self, name: &mut impl FnMut(VarId) -> VarId) -> Place {
        self.rewrite(&mut |_| None, name)
    }

    fn rewrite(
        &self,
        replace: &mut impl FnMut(&Place) -> Option<Expr>,
        name: &mut impl FnMut(VarId) -> VarId,
    ) -> Place {
        let base = match &self.base {
            Base::Variable(variable) => Base::Variable(name(*variable)),
            Base::Pointee(pointer) => Base::Pointee(Box::new(pointer.rewrite(replace, name))),
        };
        let path = self
            .path
            .iter()
            .map(|projection| match projection {
                Projection::Field(field) => Projection::Field(*field),
                Projection::Index(index, stride) => {
                    Projection::Index(index.rewrite(replace, name), stride.renamed(name))
                }
            })
            .collect();
        Place { base, path, ty: self.ty.clone() }
    }
}
