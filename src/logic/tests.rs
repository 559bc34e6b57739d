//! The logic against brute force: random formulas over a few narrow symbols, all values tried.
//!
//! Each random formula is built twice: as a term (simplified on the way) and as a value, computed directly for every
//! assignment of the symbols. So a wrong simplification, range, or translation to Z3 shows as a difference.

use std::collections::BTreeSet;
use std::time::Duration;

use super::Answer;
use super::solver::{Combinations, Question, Solver};
use super::term::{BitsOp, Sort, Term, Terms, to_bits, to_signed};

/// A small generator of pseudo-random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }
}

/// What an operator computes.
type OneValue<'a> = &'a dyn Fn(i128) -> i128;
type TwoValues<'a> = &'a dyn Fn(i128, i128) -> i128;

const WIDTH: u32 = 3;
const SYMBOLS: usize = 2;
const CELLS: usize = 8;

/// One assignment: the values of the symbols, and an array of which only the low indices are read.
#[derive(Clone)]
struct World {
    symbols: [i128; SYMBOLS],
    cells: [i128; CELLS],
}

fn worlds() -> Vec<World> {
    let values = 1 << WIDTH;
    let mut worlds = Vec::new();
    for code in 0..values * values {
        let symbols = [code % values, code / values].map(|v| to_signed(v as u128, WIDTH));
        // Arrays cannot all be tried; a few that differ are enough to refute, and reads are checked as variables below.
        for seed in 0..4u64 {
            let mut random = Random(seed);
            let cells = [0; CELLS].map(|_| to_signed(u128::from(random.below(1 << WIDTH)), WIDTH));
            worlds.push(World { symbols, cells });
        }
    }
    worlds
}

/// A bit vector with its width: the term, and its signed value in each world.
#[derive(Clone)]
struct Value {
    term: Term,
    width: u32,
    meaning: Vec<i128>,
}

/// A formula: the term, and its truth in each world.
#[derive(Clone)]
struct Formula {
    term: Term,
    meaning: Vec<bool>,
}

struct Maker {
    random: Random,
    terms: Terms,
    worlds: Vec<World>,
    symbols: Vec<Term>,
    array: Term,
    /// Only sums, comparisons, choices and extensions.
    linear: bool,
    reads: bool,
}

impl Maker {
    fn new(seed: u64, linear: bool, reads: bool) -> Maker {
        let mut terms = Terms::new();
        let symbols = ["x", "y"]
            .map(|name| {
                let symbol = terms.symbol(name, Sort::Bits(WIDTH));
                terms.read(symbol)
            })
            .to_vec();
        let array = terms.symbol("a", Sort::BitsArray(WIDTH));
        let array = terms.read(array);
        Maker { random: Random(seed), terms, worlds: worlds(), symbols, array, linear, reads }
    }

    fn value(&mut self, depth: u32) -> Value {
        if depth == 0 {
            return self.leaf();
        }
        let choice = self.random.below(if self.linear { 9 } else { 12 });
        match choice {
            7 | 8 if self.linear => self.divided(depth),
            0 => self.leaf(),
            1 | 2 => {
                let (a, b) = self.pair(depth);
                let width = a.width;
                if choice == 1 {
                    let term = self.terms.add(a.term, b.term);
                    combined(term, width, &a, &b, |x, y| x + y)
                } else {
                    let term = self.terms.sub(a.term, b.term);
                    combined(term, width, &a, &b, |x, y| x - y)
                }
            }
            3 => {
                let a = self.value(depth - 1);
                let factor = self.random.below(9) as i128 - 4;
                let term = self.terms.scale(factor, a.term);
                changed(term, a.width, &a, |x| x * factor)
            }
            4 => {
                let c = self.formula(depth - 1);
                let (a, b) = self.pair(depth);
                let term = self.terms.ite(c.term, a.term, b.term);
                let meaning = (0..c.meaning.len())
                    .map(|world| if c.meaning[world] { a.meaning[world] } else { b.meaning[world] })
                    .collect();
                Value { term, width: a.width, meaning }
            }
            5 => {
                let a = self.value(depth - 1);
                self.resized(a)
            }
            6 => {
                let a = self.value(depth - 1);
                let term = self.terms.complement(a.term);
                changed(term, a.width, &a, |x| -x - 1)
            }
            _ => self.bitwise(depth),
        }
    }

    /// Division by a constant in one of its guises, wide enough that the constant fits.
    fn divided(&mut self, depth: u32) -> Value {
        let a = self.value(depth - 1);
        let width = a.width.max(WIDTH + 1);
        let a = self.extended(a, width);
        let unsigned = |x: i128| to_bits(x, width) as i128;
        let divisor = 2 + self.random.below(5) as i128;
        let count = 1 + self.random.below(2) as i128;
        let mask = (1 << count) - 1;
        let operations: [(BitsOp, i128, OneValue<'_>); 7] = [
            (BitsOp::Udiv, divisor, &|x| unsigned(x) / divisor),
            (BitsOp::Urem, divisor, &|x| unsigned(x) % divisor),
            (BitsOp::Sdiv, divisor, &|x| x / divisor),
            (BitsOp::Srem, divisor, &|x| x % divisor),
            (BitsOp::Lshr, count, &|x| unsigned(x) >> count),
            (BitsOp::Ashr, count, &|x| x >> count),
            (BitsOp::And, mask, &|x| x & mask),
        ];
        let (op, operand, compute) = operations[self.random.below(operations.len() as u64) as usize];
        let operand = self.terms.number(Sort::Bits(width), operand);
        let term = self.terms.bitwise(op, a.term, operand);
        changed(term, width, &a, compute)
    }

    fn leaf(&mut self) -> Value {
        let choice = self.random.below(if self.reads { 4 } else { 3 }) as usize;
        if choice < SYMBOLS {
            let meaning = self.worlds.iter().map(|world| world.symbols[choice]).collect();
            return Value { term: self.symbols[choice], width: WIDTH, meaning };
        }
        if choice == SYMBOLS {
            let value = to_signed(u128::from(self.random.below(1 << WIDTH)), WIDTH);
            let term = self.terms.number(Sort::Bits(WIDTH), value);
            return Value { term, width: WIDTH, meaning: vec![value; self.worlds.len()] };
        }
        // a[x & 7], with x as unsigned.
        let symbol = self.random.below(SYMBOLS as u64) as usize;
        let index = self.terms.zext(64, self.symbols[symbol]);
        let term = self.terms.select(self.array, index);
        let cell = |world: &World| world.cells[to_bits(world.symbols[symbol], WIDTH) as usize];
        Value { term, width: WIDTH, meaning: self.worlds.iter().map(cell).collect() }
    }

    fn pair(&mut self, depth: u32) -> (Value, Value) {
        let (a, b) = (self.value(depth - 1), self.value(depth - 1));
        let width = a.width.max(b.width);
        (self.extended(a, width), self.extended(b, width))
    }

    fn extended(&mut self, a: Value, width: u32) -> Value {
        let term = self.terms.sext(width, a.term);
        Value { term, width, meaning: a.meaning }
    }

    fn resized(&mut self, a: Value) -> Value {
        let width = WIDTH - 1 + self.random.below(4) as u32;
        if width < a.width {
            let term = self.terms.low(width, a.term);
            return changed(term, width, &a, |x| x);
        }
        if self.random.below(2) == 0 {
            return self.extended(a, width);
        }
        let term = self.terms.zext(width, a.term);
        let from = a.width;
        changed(term, width, &a, |x| to_bits(x, from) as i128)
    }

    fn bitwise(&mut self, depth: u32) -> Value {
        let (a, b) = self.pair(depth);
        let width = a.width;
        let unsigned = |x: i128| to_bits(x, width) as i128;
        let operations: [(BitsOp, TwoValues<'_>); 9] = [
            (BitsOp::Mul, &|x, y| x * y),
            (BitsOp::And, &|x, y| x & y),
            (BitsOp::Or, &|x, y| x | y),
            (BitsOp::Xor, &|x, y| x ^ y),
            (BitsOp::Shl, &|x, y| if unsigned(y) >= i128::from(width) { 0 } else { x << unsigned(y) }),
            (BitsOp::Lshr, &|x, y| if unsigned(y) >= i128::from(width) { 0 } else { unsigned(x) >> unsigned(y) }),
            (BitsOp::Ashr, &|x, y| x >> unsigned(y).min(100)),
            (BitsOp::Urem, &|x, y| unsigned(x) % unsigned(y).max(1)),
            (BitsOp::Sdiv, &|x, y| x / y),
        ];
        let (op, compute) = operations[self.random.below(operations.len() as u64) as usize];
        // Division by zero is never asked: the divisor is made odd.
        let b = if matches!(op, BitsOp::Urem | BitsOp::Sdiv) {
            let one = self.terms.number(Sort::Bits(width), 1);
            let term = self.terms.bitwise(BitsOp::Or, b.term, one);
            changed(term, width, &b, |x| x | 1)
        } else {
            b
        };
        let term = self.terms.bitwise(op, a.term, b.term);
        combined(term, width, &a, &b, compute)
    }

    fn formula(&mut self, depth: u32) -> Formula {
        let choice = self.random.below(if depth == 0 { 4 } else { 9 });
        match choice {
            0..=3 => {
                let (a, b) = self.pair(depth + 1);
                let width = a.width;
                let terms = &mut self.terms;
                match choice {
                    0 => compared(terms.eq(a.term, b.term), &a, &b, |x, y| x == y),
                    1 | 2 => compared(terms.slt(a.term, b.term), &a, &b, |x, y| x < y),
                    _ => {
                        let term = terms.ult(a.term, b.term);
                        compared(term, &a, &b, |x, y| to_bits(x, width) < to_bits(y, width))
                    }
                }
            }
            4 | 5 => {
                let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
                let pairs = a.meaning.iter().zip(&b.meaning);
                if choice == 4 {
                    let term = self.terms.and([a.term, b.term]);
                    Formula { term, meaning: pairs.map(|(x, y)| *x && *y).collect() }
                } else {
                    let term = self.terms.or(a.term, b.term);
                    Formula { term, meaning: pairs.map(|(x, y)| *x || *y).collect() }
                }
            }
            6 => {
                let a = self.formula(depth - 1);
                let term = self.terms.not(a.term);
                Formula { term, meaning: a.meaning.iter().map(|x| !x).collect() }
            }
            7 => {
                let (a, b) = self.pair(depth);
                let (low, high) = (-(1 << (a.width - 1)), (1 << (a.width - 1)) - 1);
                let term = self.terms.add_fits(a.term, b.term);
                compared(term, &a, &b, |x, y| (low..=high).contains(&(x + y)))
            }
            _ => {
                let (a, b) = self.pair(depth);
                let (low, high) = (-(1 << (a.width - 1)), (1 << (a.width - 1)) - 1);
                if self.linear {
                    let term = self.terms.sub_fits(a.term, b.term);
                    compared(term, &a, &b, |x, y| (low..=high).contains(&(x - y)))
                } else {
                    let term = self.terms.mul_fits(a.term, b.term);
                    compared(term, &a, &b, |x, y| (low..=high).contains(&(x * y)))
                }
            }
        }
    }
}

fn changed(term: Term, width: u32, a: &Value, compute: impl Fn(i128) -> i128) -> Value {
    let wrap = |x: i128| to_signed(to_bits(x, width), width);
    Value { term, width, meaning: a.meaning.iter().map(|x| wrap(compute(*x))).collect() }
}

fn combined(term: Term, width: u32, a: &Value, b: &Value, compute: impl Fn(i128, i128) -> i128) -> Value {
    let wrap = |x: i128| to_signed(to_bits(x, width), width);
    let meaning = a.meaning.iter().zip(&b.meaning).map(|(x, y)| wrap(compute(*x, *y))).collect();
    Value { term, width, meaning }
}

fn compared(term: Term, a: &Value, b: &Value, compare: impl Fn(i128, i128) -> bool) -> Formula {
    let meaning = a.meaning.iter().zip(&b.meaning).map(|(x, y)| compare(*x, *y)).collect();
    Formula { term, meaning }
}

/// Asks for the combinations of `count` random formulas, and compares with the worlds. With arrays, the worlds only are
/// some: what they show must be found.
fn check(seed: u64, linear: bool, reads: bool) {
    let mut maker = Maker::new(seed, linear, reads);
    let formulas: Vec<Formula> = (0..3).map(|_| maker.formula(2)).collect();
    let shown: BTreeSet<Vec<bool>> =
        (0..maker.worlds.len()).map(|world| formulas.iter().map(|formula| formula.meaning[world]).collect()).collect();
    for formula in &formulas {
        if let Some(value) = maker.terms.as_bool(formula.term) {
            assert!(formula.meaning.iter().all(|truth| *truth == value), "seed {seed}: simplified to {value}");
        }
    }
    let asked = formulas.iter().map(|formula| formula.term).collect();
    let mut solver = Solver::new(1, Duration::from_secs(20)).unwrap();
    let question = Question::Combinations(Vec::new(), asked, 100);
    let Combinations { found, possible, truncated } = solver.combinations(&maker.terms, &question);
    assert!(possible.is_empty() && !truncated, "seed {seed}: gave up");
    let found: BTreeSet<Vec<bool>> = found.into_iter().collect();
    if reads {
        assert!(shown.is_subset(&found), "seed {seed}: {shown:?} is not within {found:?}");
    } else {
        assert_eq!(shown, found, "seed {seed}");
    }
}

#[test]
fn linear_formulas_mean_what_brute_force_says() {
    (0..400).for_each(|seed| check(seed, true, false));
}

#[test]
fn formulas_with_all_operators_mean_what_brute_force_says() {
    (1000..1250).for_each(|seed| check(seed, false, false));
}

#[test]
fn reads_from_arrays_lose_nothing() {
    (2000..2100).for_each(|seed| check(seed, true, true));
    (3000..3060).for_each(|seed| check(seed, false, true));
}

#[test]
fn ranges_contain_every_value() {
    for seed in 4000..5000 {
        let mut maker = Maker::new(seed, seed % 2 == 0, false);
        let value = maker.value(3);
        let (low, high) = maker.terms.range(value.term);
        assert!(value.meaning.iter().all(|x| (low..=high).contains(x)), "seed {seed}: {low}..{high}");
    }
}

/// The two prime factors of a large number: hard for every solver, and there is a solution.
fn hard_question(terms: &mut Terms) -> Question {
    let sort = Sort::Bits(64);
    let factors = ["p", "q"].map(|name| {
        let symbol = terms.symbol(name, sort);
        terms.read(symbol)
    });
    let product = terms.mul(factors[0], factors[1]);
    let wanted = terms.number(sort, 4_294_967_291 * 4_294_967_279);
    let equal = terms.eq(product, wanted);
    let mut all = vec![equal];
    for factor in factors {
        let one = terms.number(sort, 1);
        let limit = terms.number(sort, 1 << 32);
        let above = terms.ult(one, factor);
        let below = terms.ult(factor, limit);
        all.extend([above, below]);
    }
    Question::Satisfiable(all)
}

#[test]
fn a_question_that_takes_too_long_is_unknown_and_counted() {
    let mut terms = Terms::new();
    let question = hard_question(&mut terms);
    let mut solver = Solver::new(1, Duration::from_millis(20)).unwrap();
    assert_eq!(solver.answer(&terms, &question), Answer::Unknown);
    assert_eq!(solver.statistics.unknown, 1);
    // Asked again, it is answered from memory.
    let queries = solver.statistics.queries;
    assert_eq!(solver.answer(&terms, &question), Answer::Unknown);
    assert_eq!(solver.statistics.queries, queries);
}

#[test]
fn combinations_that_cannot_be_excluded_stay_possible() {
    let mut terms = Terms::new();
    let Question::Satisfiable(all) = hard_question(&mut terms) else { unreachable!() };
    let (first, rest) = all.split_first().expect("it has parts");
    let mut solver = Solver::new(1, Duration::from_millis(20)).unwrap();
    let combinations = solver.combinations(&terms, &Question::Combinations(rest.to_vec(), vec![*first], 10));
    // However little time there was, nothing that is so may be missing.
    for value in [false, true] {
        let kept = combinations.found.iter().chain(&combinations.possible).any(|values| *values == [value]);
        assert!(kept, "{combinations:?}");
    }
}

#[test]
fn reads_of_one_array_at_equal_indices_are_equal_in_every_language() {
    for forced in 0..3 {
        let mut terms = Terms::new();
        let [i, j] = ["i", "j"].map(|name| {
            let symbol = terms.symbol(name, Sort::Bits(64));
            terms.read(symbol)
        });
        let array = terms.symbol("a", Sort::BitsArray(8));
        let array = terms.read(array);
        let (first, second) = (terms.select(array, i), terms.select(array, j));
        let same_index = terms.eq(i, j);
        let same_value = terms.eq(first, second);
        let mut asked = vec![same_index, same_value];
        match forced {
            // Linear as it is; a product needs bit vectors; an array as a whole needs the general solver.
            0 => {}
            1 => {
                let product = terms.bitwise(BitsOp::Xor, first, second);
                let one = terms.number(Sort::Bits(8), 1);
                asked.push(terms.eq(product, one));
            }
            _ => {
                let other = terms.symbol("b", Sort::BitsArray(8));
                let other = terms.read(other);
                asked.push(terms.eq(array, other));
            }
        }
        // Nothing is assumed: the constraints on reads must come with the question itself.
        let mut solver = Solver::new(1, Duration::from_secs(20)).unwrap();
        let answer = solver.combinations(&terms, &Question::Combinations(Vec::new(), asked, 100));
        assert!(answer.possible.is_empty(), "{forced}");
        let pairs: BTreeSet<(bool, bool)> = answer.found.iter().map(|values| (values[0], values[1])).collect();
        assert_eq!(pairs, BTreeSet::from([(true, true), (false, true), (false, false)]), "{forced}");
    }
}
