//! Terms in Z3's own language, one to one: bit vectors as bit vectors, arrays as arrays.
//!
//! Where a question only reads from arrays, each read can stand for itself as a variable, with the constraint that two
//! reads of one array are equal if their indices are (Ackermann's reduction): then pure bit vectors are left.

use std::collections::HashMap;

use z3::ast::{Array, Ast, BV, Bool, Dynamic, Float, Int, RoundingMode};

use super::floats::{FloatConversion, FloatOp, FloatTest};
use super::term::{BitsOp, Node, Sort, Symbol, Term, Terms, to_bits};

/// The translation of terms into Z3's, remembered for the table it was last used with.
#[derive(Default)]
pub(super) struct Encoder {
    /// Whether reads from arrays are translated into variables.
    pub(super) reads_are_variables: bool,
    /// Translated terms; apart for the two ways to translate reads.
    done: HashMap<(Term, bool), Dynamic>,
    /// Terms as floating-point numbers; apart as well.
    floats: HashMap<(Term, bool), Float>,
    /// What defines those numbers: an equation, and the text of a constraint; and for which way to translate reads.
    definitions: Vec<(bool, Bool, String)>,
    /// How many of the definitions the solver in use has.
    defined: usize,
}

impl Encoder {
    pub(super) fn symbol(&mut self, terms: &Terms, symbol: Symbol) -> Dynamic {
        let (name, sort) = terms.symbol_info(symbol);
        // The number keeps symbols of the same name apart.
        let name = format!("{name}!{}", symbol.0);
        match sort {
            Sort::Bool => Dynamic::from_ast(&Bool::new_const(name)),
            Sort::Bits(width) => Dynamic::from_ast(&BV::new_const(name, width)),
            Sort::Int => Dynamic::from_ast(&Int::new_const(name)),
            Sort::BitsArray(width) => {
                Dynamic::from_ast(&Array::new_const(name, &z3::Sort::bitvector(64), &z3::Sort::bitvector(width)))
            }
            Sort::IntArray => Dynamic::from_ast(&Array::new_const(name, &z3::Sort::int(), &z3::Sort::int())),
        }
    }

    pub(super) fn formula(&mut self, terms: &Terms, term: Term) -> Bool {
        self.encode(terms, term).as_bool().expect("a formula")
    }

    fn bits(&mut self, terms: &Terms, term: Term) -> BV {
        self.encode(terms, term).as_bv().expect("a bit vector")
    }

    fn int(&mut self, terms: &Terms, term: Term) -> Int {
        self.encode(terms, term).as_int().expect("an integer")
    }

    fn array(&mut self, terms: &Terms, term: Term) -> Array {
        self.encode(terms, term).as_array().expect("an array")
    }

    pub(super) fn encode(&mut self, terms: &Terms, term: Term) -> Dynamic {
        let key = (term, self.reads_are_variables);
        if let Some(known) = self.done.get(&key) {
            return known.clone();
        }
        let encoded = self.encode_new(terms, term);
        self.done.insert(key, encoded.clone());
        encoded
    }

    fn encode_new(&mut self, terms: &Terms, term: Term) -> Dynamic {
        let dynamic = |ast: &dyn Ast| Dynamic::from_ast(ast);
        match terms.node(term) {
            Node::Bool(value) => dynamic(&Bool::from_bool(*value)),
            Node::Bits(width, value) => dynamic(&BV::from_str(*width, &value.to_string()).expect("a numeral")),
            Node::Int(value) => dynamic(&Int::from_i128(*value)),
            Node::Symbol(symbol) => self.symbol(terms, *symbol),
            Node::Not(a) => dynamic(&self.formula(terms, *a).not()),
            Node::And(parts) => {
                let parts: Vec<Bool> = parts.iter().map(|p| self.formula(terms, *p)).collect();
                dynamic(&Bool::and(&parts))
            }
            Node::Eq(a, b) => {
                let (a, b) = self.balanced(terms, *a, *b);
                dynamic(&a.eq(&b))
            }
            Node::Ult(a, b) => {
                let (a, b) = (self.bits(terms, *a), self.bits(terms, *b));
                dynamic(&a.bvult(&b))
            }
            Node::Slt(a, b) => {
                let (a, b) = (self.bits(terms, *a), self.bits(terms, *b));
                dynamic(&a.bvslt(&b))
            }
            Node::Lt(a, b) => {
                let (a, b) = self.balanced(terms, *a, *b);
                let (a, b) = (a.as_int().expect("an integer"), b.as_int().expect("an integer"));
                dynamic(&a.lt(&b))
            }
            Node::Ite(c, a, b) => {
                let c = self.formula(terms, *c);
                let (a, b) = (self.encode(terms, *a), self.encode(terms, *b));
                c.ite(&a, &b)
            }
            Node::Sum(parts, constant) => self.sum(terms, terms.sort(term), parts, *constant),
            Node::Bitwise(op, a, b) => {
                let (a, b) = (self.bits(terms, *a), self.bits(terms, *b));
                dynamic(&bitwise(*op, &a, &b))
            }
            Node::IntMul(a, b) => {
                let (a, b) = (self.int(terms, *a), self.int(terms, *b));
                dynamic(&Int::mul(&[&a, &b]))
            }
            Node::IntDiv(a, b) => {
                let (a, b) = (self.int(terms, *a), self.int(terms, *b));
                dynamic(&a.div(&b))
            }
            Node::IntMod(a, b) => {
                let (a, b) = (self.int(terms, *a), self.int(terms, *b));
                dynamic(&a.modulo(&b))
            }
            Node::Low(width, a) => dynamic(&self.bits(terms, *a).extract(width - 1, 0)),
            Node::Zext(width, a) => {
                let more = width - terms.width(*a);
                dynamic(&self.bits(terms, *a).zero_ext(more))
            }
            Node::Sext(width, a) => {
                let more = width - terms.width(*a);
                dynamic(&self.bits(terms, *a).sign_ext(more))
            }
            Node::Select(..) if self.reads_are_variables => {
                dynamic(&BV::new_const(format!("read!{}", term.0), terms.width(term)))
            }
            Node::Select(a, i) => {
                let (a, i) = (self.array(terms, *a), self.encode(terms, *i));
                a.select(&i)
            }
            Node::Store(a, i, v) => {
                let a = self.array(terms, *a);
                let (i, v) = (self.encode(terms, *i), self.encode(terms, *v));
                dynamic(&a.store(&i, &v))
            }
            Node::Fill(sort, value) => {
                let value = self.encode(terms, *value);
                let domain = match sort {
                    Sort::IntArray => z3::Sort::int(),
                    _ => z3::Sort::bitvector(64),
                };
                dynamic(&Array::const_array(&domain, &value))
            }
            Node::Float(op, a, b) => {
                let (a, b) = (self.float(terms, *a), self.float(terms, *b));
                let nearest = RoundingMode::round_nearest_ties_to_even();
                dynamic(
                    &match op {
                        FloatOp::Add => a.add_with_rounding_mode(b, &nearest),
                        FloatOp::Subtract => a.sub_with_rounding_mode(b, &nearest),
                        FloatOp::Multiply => a.mul_with_rounding_mode(b, &nearest),
                        FloatOp::Divide => a.div_with_rounding_mode(b, &nearest),
                    }
                    .to_ieee_bv(),
                )
            }
            // Without arithmetic, the order of the bits is enough, and much faster.
            Node::FloatTest(test, a, b) if !is_computed(terms, *a) && !is_computed(terms, *b) => {
                let (a, b) = (self.bits(terms, *a), self.bits(terms, *b));
                dynamic(&compared_bits(*test, &a, &b))
            }
            Node::FloatTest(test, a, b) => {
                let (a, b) = (self.float(terms, *a), self.float(terms, *b));
                dynamic(&match test {
                    FloatTest::Equal => a.eq_fpa(b),
                    FloatTest::Less => a.lt(b),
                    FloatTest::LessEqual => a.le(b),
                })
            }
            Node::FloatConvert(conversion, width, a) => self.converted(terms, term, *conversion, *width, *a),
            Node::MulFits(a, b) => {
                let (a, b) = (self.bits(terms, *a), self.bits(terms, *b));
                let above = a.bvmul_no_overflow(&b, true);
                let below = a.bvmul_no_underflow(&b);
                dynamic(&Bool::and(&[above, below]))
            }
        }
    }

    /// The number that the bits of a term mean. Z3's interface has no function for this direction, so the number is a
    /// constant of its own that is defined by its bits, in the text of a constraint.
    fn float(&mut self, terms: &Terms, term: Term) -> Float {
        let width = terms.width(term);
        let sort = float_sort(width);
        let key = (term, self.reads_are_variables);
        if let Some(known) = self.floats.get(&key) {
            return known.clone();
        }
        let number = Float::new_const(format!("float!{}", term.0), sort.0, sort.1);
        self.floats.insert(key, number.clone());
        let bits = self.bits(terms, term);
        let name = BV::new_const(format!("bits!{}", term.0), width);
        let text = format!(
            "(declare-const |bits!{0}| (_ BitVec {width}))\n\
             (declare-const |float!{0}| (_ FloatingPoint {1} {2}))\n\
             (assert (= |float!{0}| ((_ to_fp {1} {2}) |bits!{0}|)))\n",
            term.0, sort.0, sort.1
        );
        self.definitions.push((self.reads_are_variables, name.eq(&bits), text));
        number
    }

    /// A conversion from or to a floating-point number.
    fn converted(
        &mut self,
        terms: &Terms,
        term: Term,
        conversion: FloatConversion,
        width: u32,
        operand: Term,
    ) -> Dynamic {
        let towards_zero = RoundingMode::round_towards_zero();
        let number = match conversion {
            FloatConversion::ToSigned => {
                let value = self.float(terms, operand);
                return Dynamic::from_ast(&value.to_sbv_with_rounding_mode(&towards_zero, width));
            }
            FloatConversion::ToUnsigned => {
                let value = self.float(terms, operand);
                return Dynamic::from_ast(&value.to_ubv_with_rounding_mode(&towards_zero, width));
            }
            FloatConversion::FromFloat => {
                let value = self.float(terms, operand);
                let (exponent, significand) = float_sort(width);
                let nearest = RoundingMode::round_nearest_ties_to_even();
                value.to_fp_with_rounding_mode(&nearest, &z3::Sort::float(exponent, significand))
            }
            FloatConversion::FromSigned | FloatConversion::FromUnsigned => {
                let from = terms.width(operand);
                let (exponent, significand) = float_sort(width);
                let value = self.bits(terms, operand);
                let name = BV::new_const(format!("int!{}", term.0), from);
                let function = match conversion {
                    FloatConversion::FromSigned => "to_fp",
                    _ => "to_fp_unsigned",
                };
                let text = format!(
                    "(declare-const |int!{0}| (_ BitVec {from}))\n\
                     (declare-const |made!{0}| (_ FloatingPoint {exponent} {significand}))\n\
                     (assert (= |made!{0}| ((_ {function} {exponent} {significand}) RNE |int!{0}|)))\n",
                    term.0
                );
                self.definitions.push((self.reads_are_variables, name.eq(&value), text));
                Float::new_const(format!("made!{}", term.0), exponent, significand)
            }
        };
        Dynamic::from_ast(&number.to_ieee_bv())
    }

    /// Another solver is used from now on: it has no definitions yet.
    pub(super) fn start(&mut self) {
        self.defined = 0;
    }

    /// Tells the solver what defines the numbers that were met.
    pub(super) fn define(&mut self, solver: &z3::Solver) {
        for (is_variable, equation, text) in &self.definitions[self.defined..] {
            if *is_variable == self.reads_are_variables {
                solver.assert(equation);
                solver.from_string(text.as_str());
            }
        }
        self.defined = self.definitions.len();
    }

    /// The two terms are equal.
    pub(super) fn equal(&mut self, terms: &Terms, a: Term, b: Term) -> Bool {
        let (a, b) = (self.encode(terms, a), self.encode(terms, b));
        a.eq(&b)
    }

    /// Both sides of a comparison with the parts of negative factor moved to the other side: `x - y = 0` is `x = y`.
    fn balanced(&mut self, terms: &Terms, a: Term, b: Term) -> (Dynamic, Dynamic) {
        let sort = terms.sort(a);
        let (Node::Sum(parts, 0), Some(constant)) = (terms.node(a), terms.as_number(b)) else {
            return (self.encode(terms, a), self.encode(terms, b));
        };
        let (positive, negative): (Vec<_>, Vec<_>) = parts.iter().copied().partition(|(factor, _)| *factor > 0);
        let negative: Vec<(i128, Term)> =
            negative.into_iter().map(|(factor, term)| (factor.wrapping_neg(), term)).collect();
        (self.sum(terms, sort, &positive, 0), self.sum(terms, sort, &negative, constant))
    }

    fn sum(&mut self, terms: &Terms, sort: Sort, parts: &[(i128, Term)], constant: i128) -> Dynamic {
        match sort {
            Sort::Bits(width) => {
                let number = |value: i128| {
                    let bits = to_bits(value, width);
                    BV::from_str(width, &bits.to_string()).expect("a numeral")
                };
                let mut sum: Option<BV> = (constant != 0).then(|| number(constant));
                for (factor, term) in parts {
                    let value = self.bits(terms, *term);
                    sum = Some(match (sum, *factor) {
                        (None, 1) => value,
                        (None, -1) => value.bvneg(),
                        (None, factor) => number(factor).bvmul(&value),
                        (Some(sum), 1) => sum.bvadd(&value),
                        (Some(sum), -1) => sum.bvsub(&value),
                        (Some(sum), factor) => sum.bvadd(number(factor).bvmul(&value)),
                    });
                }
                Dynamic::from_ast(&sum.unwrap_or_else(|| number(0)))
            }
            _ => {
                let mut all: Vec<Int> = vec![Int::from_i128(constant)];
                for (factor, term) in parts {
                    let value = self.int(terms, *term);
                    all.push(Int::mul(&[Int::from_i128(*factor), value]));
                }
                Dynamic::from_ast(&Int::add(&all))
            }
        }
    }
}

fn bitwise(op: BitsOp, a: &BV, b: &BV) -> BV {
    match op {
        BitsOp::Mul => a.bvmul(b),
        BitsOp::Udiv => a.bvudiv(b),
        BitsOp::Urem => a.bvurem(b),
        BitsOp::Sdiv => a.bvsdiv(b),
        BitsOp::Srem => a.bvsrem(b),
        BitsOp::And => a.bvand(b),
        BitsOp::Or => a.bvor(b),
        BitsOp::Xor => a.bvxor(b),
        BitsOp::Shl => a.bvshl(b),
        BitsOp::Lshr => a.bvlshr(b),
        BitsOp::Ashr => a.bvashr(b),
    }
}

/// Whether a floating-point number is the result of an operation.
fn is_computed(terms: &Terms, term: Term) -> bool {
    matches!(terms.node(term), Node::Float(..) | Node::FloatConvert(..))
}

/// A comparison of floating-point numbers by their bits: the magnitudes of numbers are ordered as integers, those of
/// negative ones the other way round; both zeros are equal; and what is above infinity is no number.
fn compared_bits(test: FloatTest, a: &BV, b: &BV) -> Bool {
    let width = a.get_size();
    let (exponent, significand) = float_sort(width);
    let constant = |value: u64| BV::from_u64(value, width);
    let (zero, all) = (constant(0), constant((1 << (width - 1)) - 1));
    let infinity = constant(((1 << exponent) - 1) << (significand - 1));
    let is_number = |value: &BV| value.bvand(&all).bvule(&infinity);
    let both_zero = a.bvor(b).bvand(&all).eq(&zero);
    let ordered = |value: &BV| value.bvslt(&zero).ite(&value.bvxor(&all), value);
    let holds = match test {
        FloatTest::Equal => Bool::or(&[both_zero, a.eq(b)]),
        FloatTest::Less => Bool::and(&[both_zero.not(), ordered(a).bvslt(ordered(b))]),
        FloatTest::LessEqual => Bool::or(&[both_zero, ordered(a).bvsle(ordered(b))]),
    };
    Bool::and(&[is_number(a), is_number(b), holds])
}

/// Exponent and significand bits of the IEEE type of that width.
fn float_sort(width: u32) -> (u32, u32) {
    if width == 32 { (8, 24) } else { (11, 53) }
}
