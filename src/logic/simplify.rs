//! Building terms, simplified.
//!
//! Each rule is an identity of the theory, so a term means what its unsimplified form means. The rules aim at two
//! things: conditions that are the same become the same term, and conditions that are plain become constants.

use super::term::{BitsOp, Node, Sort, Term, Terms, full_range, to_bits, to_signed};

/// A read through more stores than this stays as it is.
const MAX_EXPANDED_STORES: usize = 16;

/// A linear form: factors, terms and a constant.
type Linear = (Vec<(i128, Term)>, i128);

impl Terms {
    /// True or false.
    pub fn bool(&mut self, value: bool) -> Term {
        self.intern(Node::Bool(value), Sort::Bool)
    }

    /// A number of the given sort, modulo its width.
    pub fn number(&mut self, sort: Sort, value: i128) -> Term {
        match sort {
            Sort::Bits(width) => self.intern(Node::Bits(width, to_bits(value, width)), sort),
            _ => self.intern(Node::Int(value), Sort::Int),
        }
    }

    /// `!a`
    pub fn not(&mut self, a: Term) -> Term {
        match self.node(a) {
            Node::Bool(value) => {
                let value = !*value;
                self.bool(value)
            }
            Node::Not(inner) => *inner,
            _ => self.intern(Node::Not(a), Sort::Bool),
        }
    }

    /// The conjunction of all.
    pub fn and(&mut self, all: impl IntoIterator<Item = Term>) -> Term {
        let mut parts = Vec::new();
        for term in all {
            match self.node(term) {
                Node::Bool(true) => {}
                Node::Bool(false) => return term,
                Node::And(inner) => parts.extend(inner.iter().copied()),
                _ => parts.push(term),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        for &part in &parts {
            if let Node::Not(inner) = self.node(part)
                && parts.binary_search(inner).is_ok()
            {
                return self.bool(false);
            }
        }
        match parts.as_slice() {
            [] => self.bool(true),
            [only] => *only,
            _ => self.intern(Node::And(parts.into()), Sort::Bool),
        }
    }

    /// The disjunction of two. Common parts are factored out, so that the two ways around an `if` join again.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (left, right) = (self.conjuncts(a), self.conjuncts(b));
        let common: Vec<Term> = left.iter().copied().filter(|t| right.contains(t)).collect();
        let rest = |side: &[Term]| -> Vec<Term> { side.iter().copied().filter(|t| !common.contains(t)).collect() };
        let (left, right) = (rest(&left), rest(&right));
        let left = self.and(left);
        let right = self.and(right);
        let (no_left, no_right) = (self.not(left), self.not(right));
        // x or (not x and y) is x or y.
        let (no_left, no_right) =
            match (self.conjuncts(left).contains(&no_right), self.conjuncts(right).contains(&no_left)) {
                (true, false) => {
                    let rest: Vec<Term> = self.conjuncts(left).into_iter().filter(|t| *t != no_right).collect();
                    let left = self.and(rest);
                    (self.not(left), no_right)
                }
                (false, true) => {
                    let rest: Vec<Term> = self.conjuncts(right).into_iter().filter(|t| *t != no_left).collect();
                    let right = self.and(rest);
                    (no_left, self.not(right))
                }
                _ => (no_left, no_right),
            };
        let neither = self.and([no_left, no_right]);
        let either = self.not(neither);
        self.and(common.into_iter().chain([either]))
    }

    /// The parts of a conjunction; a single part for anything else, none for true.
    pub fn conjuncts(&self, term: Term) -> Vec<Term> {
        match self.node(term) {
            Node::And(parts) => parts.to_vec(),
            Node::Bool(true) => Vec::new(),
            _ => vec![term],
        }
    }

    /// `c ? a : b`
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        if a == b {
            return a;
        }
        match self.node(c) {
            Node::Bool(true) => return a,
            Node::Bool(false) => return b,
            Node::Not(inner) => {
                let inner = *inner;
                return self.ite(inner, b, a);
            }
            _ => {}
        }
        let sort = self.sort(a);
        if sort == Sort::Bool {
            let yes = self.and([c, a]);
            let no = self.not(c);
            let no = self.and([no, b]);
            return self.or(yes, no);
        }
        self.intern(Node::Ite(c, a, b), sort)
    }

    fn linear(&self, term: Term) -> Linear {
        match self.node(term) {
            Node::Sum(parts, constant) => (parts.to_vec(), *constant),
            _ => match self.as_number(term) {
                Some(value) => (Vec::new(), value),
                None => (vec![(1, term)], 0),
            },
        }
    }

    fn sum_of(&mut self, sort: Sort, (mut parts, constant): Linear) -> Term {
        let wrap = |value: i128| match sort {
            Sort::Bits(width) => to_signed(to_bits(value, width), width),
            _ => value,
        };
        parts.sort_by_key(|(_, term)| *term);
        let mut merged: Vec<(i128, Term)> = Vec::new();
        for (factor, term) in parts {
            match merged.last_mut() {
                Some((known, last)) if *last == term => *known = known.wrapping_add(factor),
                _ => merged.push((factor, term)),
            }
        }
        for (factor, _) in &mut merged {
            *factor = wrap(*factor);
        }
        merged.retain(|(factor, _)| *factor != 0);
        let constant = wrap(constant);
        match merged.as_slice() {
            [] => self.number(sort, constant),
            [(1, term)] if constant == 0 => *term,
            _ => self.intern(Node::Sum(merged.into(), constant), sort),
        }
    }

    /// `a + b`
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        let (mut parts, constant) = self.linear(a);
        let (more, other) = self.linear(b);
        parts.extend(more);
        self.sum_of(sort, (parts, constant.wrapping_add(other)))
    }

    /// `k * a`
    pub fn scale(&mut self, factor: i128, a: Term) -> Term {
        let sort = self.sort(a);
        let (mut parts, constant) = self.linear(a);
        let too_large = |known: &i128| known.checked_mul(factor).is_none();
        if sort == Sort::Int && (too_large(&constant) || parts.iter().any(|(known, _)| too_large(known))) {
            // Mathematical integers do not wrap: leave the product to the solver.
            let factor = self.number(sort, factor);
            return self.intern(Node::IntMul(factor, a), sort);
        }
        for (known, _) in &mut parts {
            *known = known.wrapping_mul(factor);
        }
        self.sum_of(sort, (parts, constant.wrapping_mul(factor)))
    }

    /// `-a`
    pub fn neg(&mut self, a: Term) -> Term {
        self.scale(-1, a)
    }

    /// `a - b`
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let b = self.neg(b);
        self.add(a, b)
    }

    /// `a * b`
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        match (self.as_number(a), self.as_number(b)) {
            (Some(a), _) => return self.scale(a, b),
            (_, Some(b)) => return self.scale(b, a),
            _ => {}
        }
        let (a, b) = if b < a { (b, a) } else { (a, b) };
        match self.sort(a) {
            Sort::Bits(width) => self.intern(Node::Bitwise(BitsOp::Mul, a, b), Sort::Bits(width)),
            sort => self.intern(Node::IntMul(a, b), sort),
        }
    }

    /// The complement of all bits, which is `-a - 1`.
    pub fn complement(&mut self, a: Term) -> Term {
        let sort = self.sort(a);
        let minus = self.neg(a);
        let one = self.number(sort, 1);
        self.sub(minus, one)
    }

    /// A bit vector operation.
    pub fn bitwise(&mut self, op: BitsOp, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        let width = self.width(a);
        if op == BitsOp::Mul {
            return self.mul(a, b);
        }
        if let (Node::Bits(_, x), Node::Bits(_, y)) = (self.node(a), self.node(b))
            && let Some(value) = compute(op, *x, *y, width)
        {
            return self.number(sort, value);
        }
        let zero = self.number(sort, 0);
        let ones = self.number(sort, -1);
        match op {
            BitsOp::And if a == b || b == ones => return a,
            BitsOp::And if a == ones => return b,
            BitsOp::And if a == zero || b == zero => return zero,
            BitsOp::Or if a == b || b == zero => return a,
            BitsOp::Or if a == zero => return b,
            BitsOp::Xor if a == b => return zero,
            BitsOp::Xor if b == zero => return a,
            BitsOp::Xor if a == zero => return b,
            BitsOp::Xor if b == ones => return self.complement(a),
            BitsOp::Xor if a == ones => return self.complement(b),
            BitsOp::Shl => {
                if let Node::Bits(_, count) = *self.node(b)
                    && count < u128::from(width)
                {
                    return self.scale(1i128 << count.min(126), a);
                }
            }
            BitsOp::Lshr | BitsOp::Ashr if b == zero => return a,
            BitsOp::Ashr if self.range(a).0 >= 0 => return self.bitwise(BitsOp::Lshr, a, b),
            BitsOp::Udiv | BitsOp::Sdiv if self.as_number(b) == Some(1) && width > 1 => return a,
            _ => {}
        }
        let commutes = matches!(op, BitsOp::And | BitsOp::Or | BitsOp::Xor);
        let (a, b) = if commutes && b < a { (b, a) } else { (a, b) };
        self.intern(Node::Bitwise(op, a, b), sort)
    }

    /// Euclidean quotient of mathematical integers.
    pub fn int_div(&mut self, a: Term, b: Term) -> Term {
        if let (Some(x), Some(y)) = (self.as_number(a), self.as_number(b))
            && y != 0
        {
            return self.number(Sort::Int, x.div_euclid(y));
        }
        self.intern(Node::IntDiv(a, b), Sort::Int)
    }

    /// Euclidean remainder of mathematical integers.
    pub fn int_mod(&mut self, a: Term, b: Term) -> Term {
        if let (Some(x), Some(y)) = (self.as_number(a), self.as_number(b))
            && y != 0
        {
            return self.number(Sort::Int, x.rem_euclid(y));
        }
        self.intern(Node::IntMod(a, b), Sort::Int)
    }

    /// The low `width` bits. Truncation commutes with sums, products and the bitwise operations.
    pub fn low(&mut self, width: u32, a: Term) -> Term {
        if let Some(&known) = self.truncations.get(&(width, a)) {
            return known;
        }
        let value = self.low_new(width, a);
        self.truncations.insert((width, a), value);
        value
    }

    fn low_new(&mut self, width: u32, a: Term) -> Term {
        let from = self.width(a);
        if from == width {
            return a;
        }
        let sort = Sort::Bits(width);
        match self.node(a).clone() {
            Node::Bits(_, value) => self.number(sort, value as i128),
            Node::Zext(_, inner) | Node::Sext(_, inner) if self.width(inner) >= width => self.low(width, inner),
            Node::Zext(_, inner) => self.zext(width, inner),
            Node::Sext(_, inner) => self.sext(width, inner),
            Node::Low(_, inner) => self.low(width, inner),
            Node::Sum(parts, constant) => {
                let mut sum = self.number(sort, constant);
                for (factor, term) in parts.iter() {
                    let part = self.low(width, *term);
                    let part = self.scale(*factor, part);
                    sum = self.add(sum, part);
                }
                sum
            }
            Node::Ite(c, x, y) => {
                let (x, y) = (self.low(width, x), self.low(width, y));
                self.ite(c, x, y)
            }
            Node::Bitwise(op @ (BitsOp::Mul | BitsOp::And | BitsOp::Or | BitsOp::Xor), x, y) => {
                let (x, y) = (self.low(width, x), self.low(width, y));
                self.bitwise(op, x, y)
            }
            _ => self.intern(Node::Low(width, a), sort),
        }
    }

    /// Extension with zeros to `width`.
    pub fn zext(&mut self, width: u32, a: Term) -> Term {
        if self.width(a) == width {
            return a;
        }
        let sort = Sort::Bits(width);
        match self.node(a).clone() {
            Node::Bits(_, value) => self.number(sort, value as i128),
            Node::Zext(_, inner) => self.zext(width, inner),
            Node::Ite(c, x, y) if self.as_number(x).is_some() && self.as_number(y).is_some() => {
                let (x, y) = (self.zext(width, x), self.zext(width, y));
                self.ite(c, x, y)
            }
            _ => self.intern(Node::Zext(width, a), sort),
        }
    }

    /// Extension with the sign to `width`.
    pub fn sext(&mut self, width: u32, a: Term) -> Term {
        if self.width(a) == width {
            return a;
        }
        let sort = Sort::Bits(width);
        match self.node(a).clone() {
            Node::Bits(from, value) => self.number(sort, to_signed(value, from)),
            Node::Sext(_, inner) => self.sext(width, inner),
            Node::Zext(_, inner) => self.zext(width, inner),
            Node::Ite(c, x, y) if self.as_number(x).is_some() && self.as_number(y).is_some() => {
                let (x, y) = (self.sext(width, x), self.sext(width, y));
                self.ite(c, x, y)
            }
            _ => self.intern(Node::Sext(width, a), sort),
        }
    }

    /// `a = b`
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.bool(true);
        }
        let sort = self.sort(a);
        match sort {
            Sort::Bool => {
                let no_b = self.not(b);
                return self.ite(a, b, no_b);
            }
            Sort::BitsArray(_) | Sort::IntArray => {
                let (a, b) = if b < a { (b, a) } else { (a, b) };
                return self.intern(Node::Eq(a, b), Sort::Bool);
            }
            Sort::Bits(_) => {
                let (ra, rb) = (self.range(a), self.range(b));
                if ra.1 < rb.0 || rb.1 < ra.0 {
                    return self.bool(false);
                }
            }
            Sort::Int => {}
        }
        if let Some(lifted) = self.lift(a, b, Terms::eq) {
            return lifted;
        }
        if let Some((a, b, _)) = self.narrowed(a, b) {
            return self.eq(a, b);
        }
        // One side is linear with a positive first factor, the other a constant.
        let difference = self.sub(a, b);
        let (mut parts, mut constant) = self.linear(difference);
        let Some(&(first, _)) = parts.first() else {
            return self.bool(constant == 0);
        };
        if first < 0 {
            constant = constant.wrapping_neg();
            for (factor, _) in &mut parts {
                *factor = factor.wrapping_neg();
            }
        }
        let left = self.sum_of(sort, (parts, 0));
        let right = self.number(sort, constant.wrapping_neg());
        self.intern(Node::Eq(left, right), Sort::Bool)
    }

    /// Signed `a < b` of bit vectors.
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        let (ra, rb) = (self.range(a), self.range(b));
        if a == b || ra.0 >= rb.1 {
            return self.bool(false);
        }
        if ra.1 < rb.0 {
            return self.bool(true);
        }
        if let Some(lifted) = self.lift(a, b, Terms::slt) {
            return lifted;
        }
        match self.narrowed(a, b) {
            Some((a, b, Extension::Sign)) => return self.slt(a, b),
            Some((a, b, Extension::Zero)) => return self.ult(a, b),
            None => {}
        }
        // `c < x` is `!(x < c + 1)`; c is not the greatest value, else the ranges had decided.
        if let Some(value) = self.as_number(a) {
            let sort = self.sort(a);
            let next = self.number(sort, value + 1);
            let not = self.slt(b, next);
            return self.not(not);
        }
        self.intern(Node::Slt(a, b), Sort::Bool)
    }

    /// Unsigned `a < b` of bit vectors.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if a == b {
            return self.bool(false);
        }
        if let (Node::Bits(_, x), Node::Bits(_, y)) = (self.node(a), self.node(b)) {
            let value = x < y;
            return self.bool(value);
        }
        if self.range(a).0 >= 0 && self.range(b).0 >= 0 {
            let (ra, rb) = (self.range(a), self.range(b));
            if ra.1 < rb.0 {
                return self.bool(true);
            }
            if ra.0 >= rb.1 {
                return self.bool(false);
            }
        }
        if let Some(lifted) = self.lift(a, b, Terms::ult) {
            return lifted;
        }
        if let Some((a, b, Extension::Zero)) = self.narrowed(a, b) {
            return self.ult(a, b);
        }
        let sort = Sort::Bits(width);
        if let Node::Bits(_, value) = *self.node(b) {
            match value {
                0 => return self.bool(false),
                1 => {
                    let zero = self.number(sort, 0);
                    return self.eq(a, zero);
                }
                _ => {}
            }
        }
        if let Node::Bits(_, value) = *self.node(a) {
            if value == to_bits(-1, width) {
                return self.bool(false);
            }
            let next = self.number(sort, value as i128 + 1);
            let not = self.ult(b, next);
            return self.not(not);
        }
        self.intern(Node::Ult(a, b), Sort::Bool)
    }

    /// `a < b` of mathematical integers, as `Σ kᵢ·tᵢ < c` with a positive first factor and coprime factors.
    pub fn lt(&mut self, a: Term, b: Term) -> Term {
        if let Some(lifted) = self.lift(a, b, Terms::lt) {
            return lifted;
        }
        let difference = self.sub(a, b);
        let (mut parts, constant) = self.linear(difference);
        let Some(&(first, _)) = parts.first() else {
            return self.bool(constant < 0);
        };
        // s + c < 0 is s < -c; with the sign turned, s > c, which is !(s < c + 1).
        let turned = first < 0;
        let mut bound = if turned { constant + 1 } else { -constant };
        if turned {
            for (factor, _) in &mut parts {
                *factor = -*factor;
            }
        }
        let divisor = parts.iter().fold(0, |d, (factor, _)| gcd(d, *factor));
        if divisor > 1 {
            for (factor, _) in &mut parts {
                *factor /= divisor;
            }
            // d*s < b is s < ceil(b / d).
            bound = -(-bound).div_euclid(divisor);
        }
        let left = self.sum_of(Sort::Int, (parts, 0));
        let right = self.number(Sort::Int, bound);
        let less = self.intern(Node::Lt(left, right), Sort::Bool);
        if turned { self.not(less) } else { less }
    }

    /// A comparison of a choice between constants with a constant is a choice between truth values.
    fn lift(&mut self, a: Term, b: Term, compare: fn(&mut Terms, Term, Term) -> Term) -> Option<Term> {
        let choice = |terms: &Terms, term: Term| match *terms.node(term) {
            Node::Ite(c, x, y) if terms.as_number(x).is_some() && terms.as_number(y).is_some() => Some((c, x, y)),
            _ => None,
        };
        if let Some((c, x, y)) = choice(self, a)
            && self.as_number(b).is_some()
        {
            let (x, y) = (compare(self, x, b), compare(self, y, b));
            return Some(self.ite(c, x, y));
        }
        if let Some((c, x, y)) = choice(self, b)
            && self.as_number(a).is_some()
        {
            let (x, y) = (compare(self, a, x), compare(self, a, y));
            return Some(self.ite(c, x, y));
        }
        None
    }

    /// Operands of a comparison without the extension that both have; a constant counts as extended if it fits.
    fn narrowed(&mut self, a: Term, b: Term) -> Option<(Term, Term, Extension)> {
        let inner = |terms: &Terms, term: Term| match *terms.node(term) {
            Node::Sext(_, inner) => Some((inner, Extension::Sign)),
            Node::Zext(_, inner) => Some((inner, Extension::Zero)),
            _ => None,
        };
        match (inner(self, a), inner(self, b)) {
            (Some((x, kind)), Some((y, other))) => {
                (kind == other && self.width(x) == self.width(y)).then_some((x, y, kind))
            }
            (Some((x, kind)), None) => {
                let y = self.narrow_constant(b, self.width(x), kind)?;
                Some((x, y, kind))
            }
            (None, Some((y, kind))) => {
                let x = self.narrow_constant(a, self.width(y), kind)?;
                Some((x, y, kind))
            }
            (None, None) => None,
        }
    }

    fn narrow_constant(&mut self, term: Term, width: u32, kind: Extension) -> Option<Term> {
        let value = self.as_number(term)?;
        let (low, high) = match kind {
            Extension::Sign => full_range(width),
            Extension::Zero => (0, (1i128 << width) - 1),
        };
        (low <= value && value <= high).then(|| self.number(Sort::Bits(width), value))
    }

    /// The element of an array.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        if let Some(&known) = self.reads.get(&(array, index)) {
            return known;
        }
        let value = self.select_new(array, index);
        self.reads.insert((array, index), value);
        value
    }

    fn select_new(&mut self, array: Term, index: Term) -> Term {
        let element = match self.sort(array) {
            Sort::BitsArray(width) => Sort::Bits(width),
            _ => Sort::Int,
        };
        if let Node::Ite(c, x, y) = *self.node(array) {
            let (x, y) = (self.select(x, index), self.select(y, index));
            return self.ite(c, x, y);
        }
        if let Node::Fill(_, value) = *self.node(array) {
            return value;
        }
        if self.stores(array) <= MAX_EXPANDED_STORES
            && let Node::Store(inner, at, value) = *self.node(array)
        {
            let same = self.eq(at, index);
            let other = self.select(inner, index);
            return self.ite(same, value, other);
        }
        // Stores at positions that are plainly others do not matter, however many they are.
        if let Node::Store(inner, at, value) = *self.node(array) {
            let same = self.eq(at, index);
            match self.as_bool(same) {
                Some(true) => return value,
                Some(false) => return self.select(inner, index),
                None => {}
            }
        }
        self.intern(Node::Select(array, index), element)
    }

    fn stores(&self, mut array: Term) -> usize {
        let mut count = 0;
        while let Node::Store(inner, ..) = *self.node(array) {
            count += 1;
            array = inner;
        }
        count
    }

    /// The array with one element replaced.
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        let sort = self.sort(array);
        if let Node::Store(inner, at, _) = *self.node(array)
            && at == index
        {
            return self.store(inner, index, value);
        }
        if *self.node(value) == Node::Select(array, index) {
            return array;
        }
        self.intern(Node::Store(array, index, value), sort)
    }

    /// The array that has `value` everywhere.
    pub fn fill(&mut self, sort: Sort, value: Term) -> Term {
        self.intern(Node::Fill(sort, value), sort)
    }

    /// `a / divisor`, where it is known to leave no rest: address arithmetic.
    pub fn exact_quotient(&mut self, a: Term, divisor: i128) -> Term {
        if divisor == 1 {
            return a;
        }
        let sort = self.sort(a);
        if let Some(number) = self.as_number(a) {
            return self.number(sort, number.div_euclid(divisor));
        }
        if let Node::Ite(c, x, y) = *self.node(a) {
            let (x, y) = (self.exact_quotient(x, divisor), self.exact_quotient(y, divisor));
            return self.ite(c, x, y);
        }
        let (parts, constant) = self.linear(a);
        if constant % divisor == 0 && parts.iter().all(|(factor, _)| factor % divisor == 0) {
            let mut quotient = self.number(sort, constant / divisor);
            for (factor, part) in parts {
                let part = self.scale(factor / divisor, part);
                quotient = self.add(quotient, part);
            }
            return quotient;
        }
        let divisor = self.number(sort, divisor);
        match sort {
            Sort::Int => self.int_div(a, divisor),
            _ => self.bitwise(BitsOp::Sdiv, a, divisor),
        }
    }

    /// The signed sum fits the width.
    pub fn add_fits(&mut self, a: Term, b: Term) -> Term {
        let ((a_low, a_high), (b_low, b_high)) = (self.range(a), self.range(b));
        self.fits(a, b, (a_low + b_low, a_high + b_high), Terms::add)
    }

    /// The signed difference fits the width.
    pub fn sub_fits(&mut self, a: Term, b: Term) -> Term {
        let ((a_low, a_high), (b_low, b_high)) = (self.range(a), self.range(b));
        self.fits(a, b, (a_low - b_high, a_high - b_low), Terms::sub)
    }

    fn fits(
        &mut self,
        a: Term,
        b: Term,
        (low, high): (i128, i128),
        combine: fn(&mut Terms, Term, Term) -> Term,
    ) -> Term {
        let width = self.width(a);
        let sort = Sort::Bits(width);
        let (least, greatest) = full_range(width);
        if least <= low && high <= greatest {
            return self.bool(true);
        }
        let zero = self.number(sort, 0);
        let offset = if self.as_number(b).is_some() {
            let shifted = combine(self, zero, b);
            // `a - INT_MIN` has no plain offset.
            self.as_number(shifted).filter(|_| self.as_number(b) != Some(least)).map(|o| (a, o))
        } else {
            None
        };
        match offset {
            // a + c <= max
            Some((a, constant)) if constant >= 0 => {
                let limit = self.number(sort, greatest - constant);
                let beyond = self.slt(limit, a);
                self.not(beyond)
            }
            // a + c >= min
            Some((a, constant)) => {
                let limit = self.number(sort, least - constant);
                let below = self.slt(a, limit);
                self.not(below)
            }
            None => {
                let wide = width + 1;
                let narrow = combine(self, a, b);
                let narrow = self.sext(wide, narrow);
                let (a, b) = (self.sext(wide, a), self.sext(wide, b));
                let exact = combine(self, a, b);
                self.eq(narrow, exact)
            }
        }
    }

    /// The signed product fits the width.
    pub fn mul_fits(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (least, greatest) = full_range(width);
        let (ra, rb) = (self.range(a), self.range(b));
        let corners = [ra.0 * rb.0, ra.0 * rb.1, ra.1 * rb.0, ra.1 * rb.1];
        if corners.iter().all(|corner| (least..=greatest).contains(corner)) {
            return self.bool(true);
        }
        if self.as_number(a).is_some() && self.as_number(b).is_some() {
            return self.bool(false);
        }
        let (a, b) = if b < a { (b, a) } else { (a, b) };
        self.intern(Node::MulFits(a, b), Sort::Bool)
    }
}

/// How a value was widened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extension {
    Sign,
    Zero,
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// The value of an operation on constants; `None` for division by zero, which stays as it is.
fn compute(op: BitsOp, x: u128, y: u128, width: u32) -> Option<i128> {
    let (sx, sy) = (to_signed(x, width), to_signed(y, width));
    Some(match op {
        BitsOp::Mul => sx.wrapping_mul(sy),
        BitsOp::Udiv => (x.checked_div(y)?) as i128,
        BitsOp::Urem => (x.checked_rem(y)?) as i128,
        BitsOp::Sdiv => sx.checked_div(sy)?,
        BitsOp::Srem => sx.checked_rem(sy)?,
        BitsOp::And => (x & y) as i128,
        BitsOp::Or => (x | y) as i128,
        BitsOp::Xor => (x ^ y) as i128,
        BitsOp::Shl => {
            if y >= u128::from(width) {
                0
            } else {
                (x << y) as i128
            }
        }
        BitsOp::Lshr => {
            if y >= u128::from(width) {
                0
            } else {
                (x >> y) as i128
            }
        }
        BitsOp::Ashr => sx >> y.min(126),
    })
}
