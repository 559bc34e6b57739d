//! Floating-point terms: numbers are kept as their IEEE 754 bits, so that they live in the same cells as integers and a
//! union can show both. Operations round to the nearest, ties to even, as C does by default; those on constants are
//! computed here, by the same arithmetic of the machine that runs pct.

use std::collections::HashSet;

use super::term::{BitsOp, Node, Sort, Term, Terms};

/// Arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

/// Comparisons; false if one side is not a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatTest {
    /// `==`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatConversion {
    /// Of a signed integer.
    FromSigned,
    /// Of an unsigned integer.
    FromUnsigned,
    /// Of a floating-point number of another width.
    FromFloat,
    /// To a signed integer, towards zero.
    ToSigned,
    /// To an unsigned integer, towards zero.
    ToUnsigned,
}

impl Terms {
    /// The floating-point value of a constant.
    fn as_float(&self, term: Term) -> Option<f64> {
        match self.node(term) {
            Node::Bits(32, bits) => Some(f64::from(f32::from_bits(*bits as u32))),
            Node::Bits(64, bits) => Some(f64::from_bits(*bits as u64)),
            _ => None,
        }
    }

    fn float(&mut self, width: u32, value: f64) -> Term {
        let bits = match width {
            32 => i128::from((value as f32).to_bits()),
            _ => i128::from(value.to_bits()),
        };
        self.number(Sort::Bits(width), bits)
    }

    /// `a op b`
    pub fn float_binary(&mut self, op: FloatOp, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let (Some(x), Some(y)) = (self.as_float(a), self.as_float(b)) {
            let result = match (op, width) {
                (FloatOp::Add, 32) => f64::from(x as f32 + y as f32),
                (FloatOp::Subtract, 32) => f64::from(x as f32 - y as f32),
                (FloatOp::Multiply, 32) => f64::from(x as f32 * y as f32),
                (FloatOp::Divide, 32) => f64::from(x as f32 / y as f32),
                (FloatOp::Add, _) => x + y,
                (FloatOp::Subtract, _) => x - y,
                (FloatOp::Multiply, _) => x * y,
                (FloatOp::Divide, _) => x / y,
            };
            if !result.is_nan() {
                return self.float(width, result);
            }
        }
        self.intern(Node::Float(op, a, b), Sort::Bits(width))
    }

    /// How hard questions about a number are for the solver; counting ends above `most`.
    pub fn float_effort(&self, root: Term, most: u32) -> u32 {
        let mut effort = 0;
        let mut seen = HashSet::from([root]);
        let mut work = vec![root];
        while let Some(term) = work.pop() {
            if let Node::Float(op, a, b) = self.node(term) {
                let is_constant = self.as_float(*a).is_some() || self.as_float(*b).is_some();
                effort += match (op, self.width(term) > 32, is_constant) {
                    (FloatOp::Divide, true, false) => 8,
                    (FloatOp::Divide, true, true) => 6,
                    (FloatOp::Multiply, true, false) => 4,
                    (FloatOp::Divide, false, _) | (FloatOp::Multiply, true, true) => 2,
                    (FloatOp::Add | FloatOp::Subtract, true, _) | (FloatOp::Multiply, false, _) => 1,
                    (FloatOp::Add | FloatOp::Subtract, false, _) => 0,
                };
            }
            if effort > most {
                break;
            }
            work.extend(self.node(term).children().into_iter().filter(|child| seen.insert(*child)));
        }
        effort
    }

    /// `-a`: the sign turned around.
    pub fn float_negate(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let sign = self.number(Sort::Bits(width), 1i128 << (width - 1));
        self.bitwise(BitsOp::Xor, a, sign)
    }

    /// Whether `a op b`.
    pub fn float_test(&mut self, test: FloatTest, a: Term, b: Term) -> Term {
        if let (Some(x), Some(y)) = (self.as_float(a), self.as_float(b)) {
            return self.bool(match test {
                FloatTest::Equal => x == y,
                FloatTest::Less => x < y,
                FloatTest::LessEqual => x <= y,
            });
        }
        let (a, b) = if test == FloatTest::Equal && b < a { (b, a) } else { (a, b) };
        self.intern(Node::FloatTest(test, a, b), Sort::Bool)
    }

    /// An integer as a floating-point number of that many bits.
    pub fn int_to_float(&mut self, signed: bool, width: u32, value: Term) -> Term {
        if let Some(number) = self.as_number(value) {
            let from = self.width(value);
            let number = if signed || number >= 0 { number } else { number + (1i128 << from) };
            let result = if width == 32 { f64::from(number as f32) } else { number as f64 };
            return self.float(width, result);
        }
        let conversion = if signed { FloatConversion::FromSigned } else { FloatConversion::FromUnsigned };
        self.intern(Node::FloatConvert(conversion, width, value), Sort::Bits(width))
    }

    /// A floating-point number in another width.
    pub fn float_to_float(&mut self, width: u32, value: Term) -> Term {
        if let Some(number) = self.as_float(value).filter(|number| !number.is_nan()) {
            return self.float(width, number);
        }
        self.intern(Node::FloatConvert(FloatConversion::FromFloat, width, value), Sort::Bits(width))
    }

    /// A floating-point number as an integer of that many bits; arbitrary if it does not fit.
    pub fn float_to_int(&mut self, signed: bool, width: u32, value: Term) -> Term {
        if let Some(number) = self.as_float(value).filter(|number| number.abs() < 9e18) {
            return self.number(Sort::Bits(width), number.trunc() as i128);
        }
        let conversion = if signed { FloatConversion::ToSigned } else { FloatConversion::ToUnsigned };
        self.intern(Node::FloatConvert(conversion, width, value), Sort::Bits(width))
    }
}
