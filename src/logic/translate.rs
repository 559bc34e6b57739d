//! C expressions as terms, with the conditions under which C defines their value.
//!
//! Machine arithmetic: bit vectors of C's widths; conversions as gcc and clang define them (two's complement,
//! arithmetic right shift, left shift of negative values as multiplication). Ideal arithmetic: mathematical integers,
//! conversions keep the value.

use super::term::{BitsOp, Sort, Symbol, Term, Terms};
use crate::config::{Arithmetic, Overflow};
use crate::program::{BinaryOp, CompareOp, Expr, ExprKind, IntKind, Place, UnaryOp, VarId, Variable, VariableType};
use std::collections::BTreeMap;

/// The values of the variables at some moment; a variable that is not listed has its symbol as value.
pub type Values = BTreeMap<VarId, Term>;

/// The conditions under which an evaluation is defined.
#[derive(Clone, Debug, Default)]
pub struct Defined {
    /// No signed overflow.
    pub no_overflow: Vec<Term>,
    /// No division by zero, no shift by too much.
    pub otherwise: Vec<Term>,
}

/// What cannot be expressed, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inexpressible(pub &'static str);

/// Translates expressions over the variables of one graph.
#[derive(Clone, Debug)]
pub struct Translator {
    /// The table of terms.
    pub terms: Terms,
    arithmetic: Arithmetic,
    overflow: Overflow,
    /// The symbol of each variable.
    symbols: Vec<Symbol>,
}

impl Translator {
    /// A translator with one symbol for each variable.
    pub fn new(variables: &[Variable], arithmetic: Arithmetic, overflow: Overflow) -> Translator {
        let mut terms = Terms::new();
        let symbols =
            variables.iter().map(|variable| terms.symbol(&variable.name, sort_of(&variable.ty, arithmetic))).collect();
        Translator { terms, arithmetic, overflow, symbols }
    }

    /// The symbol of a variable.
    pub fn symbol(&self, variable: VarId) -> Symbol {
        self.symbols[variable.index()]
    }

    /// The variable of a symbol; `None` for inputs and the like.
    pub fn variable(&self, symbol: Symbol) -> Option<VarId> {
        // The symbols of the variables come first, in their order.
        ((symbol.0 as usize) < self.symbols.len()).then_some(VarId(symbol.0))
    }

    /// What signed overflow means.
    pub fn overflow(&self) -> Overflow {
        self.overflow
    }

    /// A fresh symbol with the sort of a variable.
    pub fn fresh(&mut self, variable: VarId, prefix: &str) -> Symbol {
        let (name, sort) = self.terms.symbol_info(self.symbols[variable.index()]);
        let name = format!("{prefix}{name}");
        self.terms.symbol(&name, sort)
    }

    /// The value of a variable.
    pub fn read(&mut self, variable: VarId, values: &Values) -> Term {
        match values.get(&variable) {
            Some(value) => *value,
            None => self.terms.read(self.symbols[variable.index()]),
        }
    }

    /// The term of a predicate. Signed overflow wraps; where C does not define it otherwise, it is false.
    pub fn predicate(&mut self, expr: &Expr) -> Result<Term, Inexpressible> {
        let overflow = std::mem::replace(&mut self.overflow, Overflow::Wrap);
        let mut defined = Defined::default();
        let holds = self.condition(expr, &Values::new(), &mut defined);
        self.overflow = overflow;
        let holds = holds?;
        Ok(self.terms.and(defined.otherwise.into_iter().chain([holds])))
    }

    /// An operand is evaluated only if `condition` holds, so only then it has to be defined.
    fn only_if(&mut self, condition: Term, operand: Defined, defined: &mut Defined) {
        let otherwise = self.terms.not(condition);
        for (all, parts) in
            [(&mut defined.no_overflow, operand.no_overflow), (&mut defined.otherwise, operand.otherwise)]
        {
            all.extend(parts.into_iter().map(|part| self.terms.or(otherwise, part)));
        }
    }

    /// The term of an expression used as a condition.
    pub fn condition(&mut self, expr: &Expr, values: &Values, defined: &mut Defined) -> Result<Term, Inexpressible> {
        match &expr.kind {
            ExprKind::Compare(op, a, b) => {
                let kind = a.ty;
                let (a, b) = (self.value(a, values, defined)?, self.value(b, values, defined)?);
                Ok(self.compare(*op, kind, a, b))
            }
            ExprKind::Not(inner) => {
                let inner = self.condition(inner, values, defined)?;
                Ok(self.terms.not(inner))
            }
            ExprKind::And(a, b) => {
                let a = self.condition(a, values, defined)?;
                let mut second = Defined::default();
                let b = self.condition(b, values, &mut second)?;
                self.only_if(a, second, defined);
                Ok(self.terms.and([a, b]))
            }
            ExprKind::Or(a, b) => {
                let a = self.condition(a, values, defined)?;
                let mut second = Defined::default();
                let b = self.condition(b, values, &mut second)?;
                let fails = self.terms.not(a);
                self.only_if(fails, second, defined);
                Ok(self.terms.or(a, b))
            }
            _ => {
                let value = self.value(expr, values, defined)?;
                Ok(self.is_not_zero(value))
            }
        }
    }

    fn is_not_zero(&mut self, value: Term) -> Term {
        let sort = self.terms.sort(value);
        let zero = self.terms.number(sort, 0);
        let equal = self.terms.eq(value, zero);
        self.terms.not(equal)
    }

    fn compare(&mut self, op: CompareOp, kind: IntKind, a: Term, b: Term) -> Term {
        let less = |this: &mut Self, a, b| match this.arithmetic {
            Arithmetic::Ideal => this.terms.lt(a, b),
            Arithmetic::Machine if kind.is_signed() => this.terms.slt(a, b),
            Arithmetic::Machine => this.terms.ult(a, b),
        };
        match op {
            CompareOp::Equal => self.terms.eq(a, b),
            CompareOp::NotEqual => {
                let equal = self.terms.eq(a, b);
                self.terms.not(equal)
            }
            CompareOp::Less => less(self, a, b),
            CompareOp::Greater => less(self, b, a),
            CompareOp::LessEqual => {
                let greater = less(self, b, a);
                self.terms.not(greater)
            }
            CompareOp::GreaterEqual => {
                let less = less(self, a, b);
                self.terms.not(less)
            }
        }
    }

    /// The term of an expression; what its evaluation needs to be defined is added to `defined`.
    pub fn value(&mut self, expr: &Expr, values: &Values, defined: &mut Defined) -> Result<Term, Inexpressible> {
        let sort = scalar_sort(expr.ty, self.arithmetic);
        match &expr.kind {
            ExprKind::Constant(value) => Ok(self.terms.number(sort, *value)),
            ExprKind::Load(place) => self.load(place, values, defined),
            ExprKind::Cast(inner) => {
                let value = self.value(inner, values, defined)?;
                Ok(self.convert(value, inner.ty, expr.ty))
            }
            ExprKind::Unary(op, inner) => {
                let value = self.value(inner, values, defined)?;
                self.unary(*op, expr.ty, value, defined)
            }
            ExprKind::Binary(op, a, b) => {
                let right_kind = b.ty;
                let (a, b) = (self.value(a, values, defined)?, self.value(b, values, defined)?);
                self.binary(*op, expr.ty, right_kind, a, b, defined)
            }
            ExprKind::Conditional(c, a, b) => {
                let c = self.condition(c, values, defined)?;
                let (mut first, mut second) = (Defined::default(), Defined::default());
                let (a, b) = (self.value(a, values, &mut first)?, self.value(b, values, &mut second)?);
                let fails = self.terms.not(c);
                self.only_if(c, first, defined);
                self.only_if(fails, second, defined);
                Ok(self.terms.ite(c, a, b))
            }
            ExprKind::Compare(..) | ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => {
                let holds = self.condition(expr, values, defined)?;
                let (one, zero) = (self.terms.number(sort, 1), self.terms.number(sort, 0));
                Ok(self.terms.ite(holds, one, zero))
            }
        }
    }

    fn load(&mut self, place: &Place, values: &Values, defined: &mut Defined) -> Result<Term, Inexpressible> {
        match place {
            Place::Variable(variable) => Ok(self.read(*variable, values)),
            Place::Element(array, _) => {
                let index = self.index(place, values, defined)?;
                let array = self.read(*array, values);
                Ok(self.terms.select(array, index))
            }
        }
    }

    /// The values after `place = value`.
    pub fn assign(
        &mut self,
        place: &Place,
        value: Term,
        values: &mut Values,
        defined: &mut Defined,
    ) -> Result<(), Inexpressible> {
        let updated = match place {
            Place::Variable(_) => value,
            Place::Element(array, _) => {
                let index = self.index(place, values, defined)?;
                let array = self.read(*array, values);
                self.terms.store(array, index, value)
            }
        };
        values.insert(place.base(), updated);
        Ok(())
    }

    /// The index of an element: address arithmetic, which has 64 bits and does not overflow.
    fn index(&mut self, place: &Place, values: &Values, defined: &mut Defined) -> Result<Term, Inexpressible> {
        let sort = match self.arithmetic {
            Arithmetic::Machine => Sort::Bits(64),
            Arithmetic::Ideal => Sort::Int,
        };
        let mut sum = self.terms.number(sort, 0);
        if let Place::Element(_, parts) = place {
            for part in parts {
                let value = self.value(&part.value, values, defined)?;
                let value = self.convert(value, part.value.ty, IntKind::Long);
                let scaled = self.terms.scale(i128::from(part.scale), value);
                sum = self.terms.add(sum, scaled);
            }
        }
        Ok(sum)
    }

    fn convert(&mut self, value: Term, from: IntKind, to: IntKind) -> Term {
        if to == IntKind::Bool {
            let sort = scalar_sort(to, self.arithmetic);
            let holds = self.is_not_zero(value);
            let (one, zero) = (self.terms.number(sort, 1), self.terms.number(sort, 0));
            return self.terms.ite(holds, one, zero);
        }
        if self.arithmetic == Arithmetic::Ideal {
            return value;
        }
        let width = to.width();
        if width <= from.width() {
            self.terms.low(width, value)
        } else if from.is_signed() {
            self.terms.sext(width, value)
        } else {
            self.terms.zext(width, value)
        }
    }

    fn checks_overflow(&self, kind: IntKind) -> bool {
        kind.is_signed() && self.arithmetic == Arithmetic::Machine && self.overflow != Overflow::Wrap
    }

    fn unary(&mut self, op: UnaryOp, kind: IntKind, value: Term, defined: &mut Defined) -> Result<Term, Inexpressible> {
        match op {
            UnaryOp::Negate => {
                if self.checks_overflow(kind) {
                    let least = self.terms.number(Sort::Bits(kind.width()), kind.least());
                    let overflows = self.terms.eq(value, least);
                    defined.no_overflow.push(self.terms.not(overflows));
                }
                Ok(self.terms.neg(value))
            }
            UnaryOp::Complement => Ok(self.terms.complement(value)),
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        kind: IntKind,
        right_kind: IntKind,
        a: Term,
        b: Term,
        defined: &mut Defined,
    ) -> Result<Term, Inexpressible> {
        match self.arithmetic {
            Arithmetic::Machine => Ok(self.machine(op, kind, right_kind, a, b, defined)),
            Arithmetic::Ideal => self.ideal(op, a, b, defined),
        }
    }

    fn machine(
        &mut self,
        op: BinaryOp,
        kind: IntKind,
        right_kind: IntKind,
        a: Term,
        b: Term,
        defined: &mut Defined,
    ) -> Term {
        let signed = kind.is_signed();
        let checks_overflow = self.checks_overflow(kind);
        let terms = &mut self.terms;
        let sort = Sort::Bits(kind.width());
        match op {
            BinaryOp::Add => {
                if checks_overflow {
                    defined.no_overflow.push(terms.add_fits(a, b));
                }
                terms.add(a, b)
            }
            BinaryOp::Subtract => {
                if checks_overflow {
                    defined.no_overflow.push(terms.sub_fits(a, b));
                }
                terms.sub(a, b)
            }
            BinaryOp::Multiply => {
                if checks_overflow {
                    defined.no_overflow.push(terms.mul_fits(a, b));
                }
                terms.mul(a, b)
            }
            BinaryOp::Divide | BinaryOp::Remainder => {
                let zero = terms.number(sort, 0);
                let by_zero = terms.eq(b, zero);
                defined.otherwise.push(terms.not(by_zero));
                if signed {
                    // The machine traps for INT_MIN / -1, also where overflow wraps.
                    let least = terms.number(sort, kind.least());
                    let minus_one = terms.number(sort, -1);
                    let extreme = terms.eq(a, least);
                    let negates = terms.eq(b, minus_one);
                    let both = terms.and([extreme, negates]);
                    let fits = terms.not(both);
                    if checks_overflow {
                        defined.no_overflow.push(fits);
                    } else {
                        defined.otherwise.push(fits);
                    }
                }
                let operator = match (op, signed) {
                    (BinaryOp::Divide, true) => BitsOp::Sdiv,
                    (BinaryOp::Divide, false) => BitsOp::Udiv,
                    (_, true) => BitsOp::Srem,
                    (_, false) => BitsOp::Urem,
                };
                terms.bitwise(operator, a, b)
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let count_sort = Sort::Bits(right_kind.width());
                let limit = terms.number(count_sort, i128::from(kind.width()));
                // As unsigned: a negative count is too large as well.
                let in_range = terms.ult(b, limit);
                defined.otherwise.push(in_range);
                // The count fits the width of the left operand once it is in range.
                let count = if right_kind.width() > kind.width() {
                    terms.low(kind.width(), b)
                } else {
                    terms.zext(kind.width(), b)
                };
                let operator = match (op, signed) {
                    (BinaryOp::ShiftLeft, _) => BitsOp::Shl,
                    (_, true) => BitsOp::Ashr,
                    (_, false) => BitsOp::Lshr,
                };
                terms.bitwise(operator, a, count)
            }
            BinaryOp::And => terms.bitwise(BitsOp::And, a, b),
            BinaryOp::Or => terms.bitwise(BitsOp::Or, a, b),
            BinaryOp::Xor => terms.bitwise(BitsOp::Xor, a, b),
        }
    }

    fn ideal(&mut self, op: BinaryOp, a: Term, b: Term, defined: &mut Defined) -> Result<Term, Inexpressible> {
        let terms = &mut self.terms;
        match op {
            BinaryOp::Add => Ok(terms.add(a, b)),
            BinaryOp::Subtract => Ok(terms.sub(a, b)),
            BinaryOp::Multiply => Ok(terms.mul(a, b)),
            BinaryOp::Divide | BinaryOp::Remainder => {
                let zero = terms.number(Sort::Int, 0);
                let by_zero = terms.eq(b, zero);
                defined.otherwise.push(terms.not(by_zero));
                // C truncates towards zero: the Euclidean quotient is right for a >= 0; else negate before and after.
                let minus_a = terms.neg(a);
                let direct = terms.int_div(a, b);
                let turned = terms.int_div(minus_a, b);
                let turned = terms.neg(turned);
                let negative = terms.lt(a, zero);
                let quotient = terms.ite(negative, turned, direct);
                if op == BinaryOp::Divide {
                    return Ok(quotient);
                }
                let product = terms.mul(quotient, b);
                Ok(terms.sub(a, product))
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let Some(count) = terms.as_number(b).filter(|count| (0..64).contains(count)) else {
                    return Err(Inexpressible("a shift by a variable count"));
                };
                let factor = 1i128 << count;
                if op == BinaryOp::ShiftLeft {
                    return Ok(terms.scale(factor, a));
                }
                let factor = terms.number(Sort::Int, factor);
                Ok(terms.int_div(a, factor))
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => Err(Inexpressible("a bitwise operation")),
        }
    }
}

fn scalar_sort(kind: IntKind, arithmetic: Arithmetic) -> Sort {
    match arithmetic {
        Arithmetic::Machine => Sort::Bits(kind.width()),
        Arithmetic::Ideal => Sort::Int,
    }
}

fn sort_of(ty: &VariableType, arithmetic: Arithmetic) -> Sort {
    match (ty, arithmetic) {
        (VariableType::Scalar(kind), _) => scalar_sort(*kind, arithmetic),
        (VariableType::Array { element, .. }, Arithmetic::Machine) => Sort::BitsArray(element.width()),
        (VariableType::Array { .. }, Arithmetic::Ideal) => Sort::IntArray,
    }
}
