//! Bit vectors as bounded integers.
//!
//! A bit vector term of width w is its signed value, an integer from -2ʷ⁻¹ to 2ʷ⁻¹-1. Sums that cannot leave this range
//! (judged by the ranges of their parts) are sums of integers; others are brought back into it: by a choice if they are
//! off by at most one period, else by a multiple of the period that is an unknown of its own, fixed by the range. Division
//! by a constant (also as a shift or a mask) has quotient and remainder as unknowns, fixed by their equation. Every rule is
//! exact, so the answers are those for the bit vectors. Z3 decides such questions by linear arithmetic, many
//! times faster than by bits.

use std::collections::HashMap;

use z3::ast::{Bool, Int};

use super::term::{BitsOp, Node, Sort, Term, Terms, full_range};

/// The translation of terms into linear integer arithmetic.
#[derive(Default)]
pub(super) struct LinearEncoder {
    values: HashMap<Term, Int>,
    formulas: HashMap<Term, Bool>,
    /// What holds of the unknowns that a term introduces.
    constraints: HashMap<Term, Vec<Bool>>,
}

impl LinearEncoder {
    /// Whether this shape can be translated, given that its parts can.
    pub(super) fn handles(terms: &Terms, term: Term) -> bool {
        match terms.node(term) {
            Node::Bitwise(op, a, b) => division(terms, *op, *a, *b).is_some(),
            Node::MulFits(..) | Node::Store(..) | Node::Fill(..) => false,
            Node::Float(..) | Node::FloatTest(..) | Node::FloatConvert(..) => false,
            Node::IntMul(..) | Node::IntDiv(..) | Node::IntMod(..) | Node::Lt(..) => false,
            Node::Bits(width, _) => *width < 100,
            _ => true,
        }
    }

    /// What must be asserted for every part of a question.
    pub(super) fn constraints(&mut self, terms: &Terms, term: Term) -> Vec<Bool> {
        if let Sort::Bits(_) = terms.sort(term) {
            self.value(terms, term);
        }
        self.constraints.get(&term).cloned().unwrap_or_default()
    }

    /// The two terms are equal.
    pub(super) fn equal(&mut self, terms: &Terms, a: Term, b: Term) -> Bool {
        let (a, b) = (self.value(terms, a), self.value(terms, b));
        a.eq(&b)
    }

    /// A formula.
    pub(super) fn formula(&mut self, terms: &Terms, term: Term) -> Bool {
        if let Some(known) = self.formulas.get(&term) {
            return known.clone();
        }
        let formula = match terms.node(term) {
            Node::Bool(value) => Bool::from_bool(*value),
            Node::Not(inner) => self.formula(terms, *inner).not(),
            Node::And(parts) => {
                let parts: Vec<Bool> = parts.iter().map(|p| self.formula(terms, *p)).collect();
                Bool::and(&parts)
            }
            Node::Eq(a, b) => self.equality(terms, *a, *b),
            Node::Slt(a, b) => {
                let (a, b) = (self.value(terms, *a), self.value(terms, *b));
                a.lt(&b)
            }
            Node::Ult(a, b) => {
                let (a, b) = (self.unsigned(terms, *a), self.unsigned(terms, *b));
                a.lt(&b)
            }
            other => unreachable!("not a formula of linear arithmetic: {other:?}"),
        };
        self.formulas.insert(term, formula.clone());
        formula
    }

    /// Equality of a sum with a constant: the parts with negative factors go to the other side, so that in the common
    /// case neither side can leave its range.
    fn equality(&mut self, terms: &Terms, a: Term, b: Term) -> Bool {
        let (Node::Sum(parts, 0), Some(constant)) = (terms.node(a), terms.as_number(b)) else {
            return self.equal(terms, a, b);
        };
        let width = terms.width(a);
        let (positive, negative): (Vec<_>, Vec<_>) = parts.iter().copied().partition(|(factor, _)| *factor > 0);
        let negative: Vec<(i128, Term)> = negative.into_iter().map(|(factor, term)| (-factor, term)).collect();
        let (left, left_range) = self.raw_sum(terms, &positive, 0);
        let (right, right_range) = self.raw_sum(terms, &negative, constant);
        // Equal modulo 2ʷ: the difference is a multiple of the period.
        let period = 1i128 << width;
        let least = (left_range.0 - right_range.1).div_euclid(period);
        let greatest = (left_range.1 - right_range.0).div_euclid(period) + 1;
        if greatest - least > 8 {
            return self.equal(terms, a, b);
        }
        let cases: Vec<Bool> = (least..=greatest)
            .map(|count| {
                let shifted = Int::add(&[right.clone(), Int::from_i128(count * period)]);
                left.eq(&shifted)
            })
            .collect();
        Bool::or(&cases)
    }

    /// The signed value of a bit vector term.
    pub(super) fn value(&mut self, terms: &Terms, term: Term) -> Int {
        if let Some(known) = self.values.get(&term) {
            return known.clone();
        }
        let width = terms.width(term);
        let value = match terms.node(term) {
            Node::Bits(..) => Int::from_i128(terms.as_number(term).expect("a constant has a value")),
            Node::Symbol(_) | Node::Select(..) => self.unknown(term, "value", full_range(width)),
            Node::Ite(c, a, b) => {
                let c = self.formula(terms, *c);
                let (a, b) = (self.value(terms, *a), self.value(terms, *b));
                c.ite(&a, &b)
            }
            Node::Sum(parts, constant) => {
                let (raw, range) = self.raw_sum(terms, parts, *constant);
                self.wrapped(term, raw, range, width)
            }
            Node::Sext(_, inner) => self.value(terms, *inner),
            Node::Zext(_, inner) => self.unsigned(terms, *inner),
            Node::Bitwise(op, a, b) => {
                let division = division(terms, *op, *a, *b).expect("only such terms are translated");
                self.divided(terms, term, division)
            }
            Node::Low(_, inner) => {
                let raw = self.value(terms, *inner);
                self.wrapped(term, raw, terms.range(*inner), width)
            }
            other => unreachable!("not a value of linear arithmetic: {other:?}"),
        };
        self.values.insert(term, value.clone());
        value
    }

    /// The unsigned value of a bit vector term.
    fn unsigned(&mut self, terms: &Terms, term: Term) -> Int {
        let signed = self.value(terms, term);
        if terms.range(term).0 >= 0 {
            return signed;
        }
        let period = Int::from_i128(1i128 << terms.width(term));
        let shifted = Int::add(&[signed.clone(), period]);
        signed.lt(Int::from_i128(0)).ite(&shifted, &signed)
    }

    /// A sum of integers, and the range that it can have.
    fn raw_sum(&mut self, terms: &Terms, parts: &[(i128, Term)], constant: i128) -> (Int, (i128, i128)) {
        let mut all = Vec::new();
        let (mut least, mut greatest) = (constant, constant);
        for (factor, part) in parts {
            let value = self.value(terms, *part);
            all.push(if *factor == 1 { value } else { Int::mul(&[Int::from_i128(*factor), value]) });
            let (low, high) = terms.range(*part);
            let (low, high) = (low * factor, high * factor);
            least += low.min(high);
            greatest += low.max(high);
        }
        if constant != 0 || all.is_empty() {
            all.push(Int::from_i128(constant));
        }
        let sum = if let [only] = all.as_slice() { only.clone() } else { Int::add(&all) };
        (sum, (least, greatest))
    }

    /// `raw` brought into the range of the width.
    fn wrapped(&mut self, term: Term, raw: Int, range: (i128, i128), width: u32) -> Int {
        let (least, greatest) = full_range(width);
        if least <= range.0 && range.1 <= greatest {
            return raw;
        }
        let period = 1i128 << width;
        if least - period <= range.0 && range.1 <= greatest + period {
            let above = raw.gt(Int::from_i128(greatest));
            let below = raw.lt(Int::from_i128(least));
            let down = Int::add(&[raw.clone(), Int::from_i128(-period)]);
            let up = Int::add(&[raw.clone(), Int::from_i128(period)]);
            return above.ite(&down, &below.ite(&up, &raw));
        }
        let periods = Int::new_const(format!("periods!{}", term.0));
        let value = self.unknown(term, "wrapped", (least, greatest));
        let shifted = Int::add(&[value.clone(), Int::mul(&[Int::from_i128(period), periods])]);
        self.constraints.entry(term).or_default().push(shifted.eq(&raw));
        value
    }

    /// Quotient or remainder by a constant: `dividend = divisor · quotient + remainder`, which fixes both.
    fn divided(&mut self, terms: &Terms, term: Term, division: Division) -> Int {
        let divisor = division.divisor;
        let dividend = match division.rounding {
            Rounding::Unsigned => self.unsigned(terms, division.dividend),
            Rounding::Down | Rounding::TowardsZero => self.value(terms, division.dividend),
        };
        let least = if division.rounding == Rounding::TowardsZero { 1 - divisor } else { 0 };
        let remainder = self.unknown(term, "remainder", (least, divisor - 1));
        let quotient = Int::new_const(format!("quotient!{}", term.0));
        let product = Int::mul(&[Int::from_i128(divisor), quotient.clone()]);
        let constraints = self.constraints.entry(term).or_default();
        constraints.push(Int::add(&[product, remainder.clone()]).eq(&dividend));
        if division.rounding == Rounding::TowardsZero {
            // The remainder has the sign of the dividend.
            let zero = Int::from_i128(0);
            constraints.push(dividend.ge(&zero).implies(remainder.ge(&zero)));
            constraints.push(dividend.le(&zero).implies(remainder.le(&zero)));
        }
        match division.wanted {
            Wanted::Quotient => quotient,
            Wanted::Remainder => remainder,
        }
    }

    /// An integer of the given range.
    fn unknown(&mut self, term: Term, what: &str, (least, greatest): (i128, i128)) -> Int {
        let value = Int::new_const(format!("{what}!{}", term.0));
        let bounds = [value.ge(Int::from_i128(least)), value.le(Int::from_i128(greatest))];
        self.constraints.entry(term).or_default().extend(bounds);
        value
    }
}

/// A division by a constant.
struct Division {
    dividend: Term,
    divisor: i128,
    rounding: Rounding,
    wanted: Wanted,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    /// Of unsigned values.
    Unsigned,
    /// Of signed values, towards minus infinity.
    Down,
    /// Of signed values, as C does.
    TowardsZero,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Quotient,
    Remainder,
}

/// What a bit vector operation divides by what, if it is a division by a constant greater than 1: also a shift to the
/// right, and the low bits that a mask selects.
fn division(terms: &Terms, op: BitsOp, a: Term, b: Term) -> Option<Division> {
    let width = terms.width(a);
    let of = |dividend, divisor: i128, rounding, wanted| {
        (1 < divisor && divisor < 1i128 << (width - 1)).then_some(Division { dividend, divisor, rounding, wanted })
    };
    let constant = terms.as_number(b);
    match op {
        BitsOp::Udiv => of(a, constant?, Rounding::Unsigned, Wanted::Quotient),
        BitsOp::Urem => of(a, constant?, Rounding::Unsigned, Wanted::Remainder),
        BitsOp::Sdiv => of(a, constant?, Rounding::TowardsZero, Wanted::Quotient),
        BitsOp::Srem => of(a, constant?, Rounding::TowardsZero, Wanted::Remainder),
        BitsOp::Lshr | BitsOp::Ashr => {
            let count = constant.filter(|count| (1..i128::from(width) - 1).contains(count))?;
            let rounding = if op == BitsOp::Lshr { Rounding::Unsigned } else { Rounding::Down };
            of(a, 1 << count, rounding, Wanted::Quotient)
        }
        BitsOp::And => {
            let (mask, other) = match (terms.as_number(a), constant) {
                (Some(mask), _) => (mask, b),
                (_, Some(mask)) => (mask, a),
                _ => return None,
            };
            let divisor = mask.checked_add(1).filter(|next| next & mask == 0 && mask > 0)?;
            of(other, divisor, Rounding::Unsigned, Wanted::Remainder)
        }
        _ => None,
    }
}
