//! Terms: formulas and values, hash-consed, so that equal terms have equal ids.
//!
//! Linear arithmetic is kept in the normal form `Σ kᵢ·tᵢ + c` (modulo 2ʷ for bit vectors), and comparisons are brought
//! to `<` and `=`, so many equal conditions are equal terms: `a <= b`, `!(b < a)` and `b >= a` are one.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::floats::{FloatConversion, FloatOp, FloatTest};

/// A table that takes more bytes than this is full.
const MAX_BYTES: usize = 768 << 20;

/// A term of a [`Terms`] table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(pub(super) u32);

/// A free symbol of a [`Terms`] table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub u32);

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// A formula.
    Bool,
    /// A machine integer of that many bits.
    Bits(u32),
    /// A mathematical integer.
    Int,
    /// From 64-bit indices to machine integers.
    BitsArray(u32),
    /// From mathematical integers to mathematical integers.
    IntArray,
}

/// The operators on bit vectors that are not linear.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BitsOp {
    /// Product.
    Mul,
    /// Unsigned quotient.
    Udiv,
    /// Unsigned remainder.
    Urem,
    /// Signed quotient, truncating.
    Sdiv,
    /// Signed remainder with the sign of the dividend.
    Srem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Left shift.
    Shl,
    /// Right shift, filling with zeros.
    Lshr,
    /// Right shift, filling with the sign.
    Ashr,
}

/// The shape of a term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// True or false.
    Bool(bool),
    /// A bit vector constant, as an unsigned number.
    Bits(u32, u128),
    /// An integer constant.
    Int(i128),
    /// A free symbol.
    Symbol(Symbol),
    /// Negation.
    Not(Term),
    /// Conjunction, flat and sorted.
    And(Box<[Term]>),
    /// Equality.
    Eq(Term, Term),
    /// Unsigned less-than.
    Ult(Term, Term),
    /// Signed less-than.
    Slt(Term, Term),
    /// Less-than of mathematical integers: the first is linear without constant, the second a constant.
    Lt(Term, Term),
    /// Choice between values (formulas are chosen by conjunction).
    Ite(Term, Term, Term),
    /// `Σ kᵢ·tᵢ + c`
    Sum(Box<[(i128, Term)]>, i128),
    /// Non-linear bit vector operations.
    Bitwise(BitsOp, Term, Term),
    /// Product of mathematical integers.
    IntMul(Term, Term),
    /// Euclidean quotient of mathematical integers.
    IntDiv(Term, Term),
    /// Euclidean remainder of mathematical integers.
    IntMod(Term, Term),
    /// The low bits.
    Low(u32, Term),
    /// Extension with zeros.
    Zext(u32, Term),
    /// Extension with the sign.
    Sext(u32, Term),
    /// The element of an array.
    Select(Term, Term),
    /// The array with one element replaced.
    Store(Term, Term, Term),
    /// The signed product fits the width.
    MulFits(Term, Term),
    /// The array that has one value everywhere.
    Fill(Sort, Term),
    /// Floating-point arithmetic.
    Float(FloatOp, Term, Term),
    /// Floating-point comparison.
    FloatTest(FloatTest, Term, Term),
    /// Conversion from or to floating-point numbers, to so many bits.
    FloatConvert(FloatConversion, u32, Term),
}

/// The table of terms.
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: Vec<Entry>,
    ids: HashMap<Node, Term>,
    symbols: Vec<(String, Sort)>,
    /// About how much memory the terms take.
    bytes: usize,
    /// Reads that were simplified already: arrays share their parts, and each is looked at once.
    pub(super) reads: HashMap<(Term, Term), Term>,
    /// Truncations that were simplified already.
    pub(super) truncations: HashMap<(u32, Term), Term>,
}

#[derive(Clone, Debug)]
struct Entry {
    node: Node,
    sort: Sort,
    /// The least and greatest signed value of a bit vector term that is plain from its shape.
    range: (i128, i128),
    symbols: Arc<[Symbol]>,
}

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}

impl Terms {
    /// An empty table.
    pub fn new() -> Terms {
        Terms {
            nodes: Vec::new(),
            ids: HashMap::new(),
            symbols: Vec::new(),
            bytes: 0,
            reads: HashMap::new(),
            truncations: HashMap::new(),
        }
    }

    /// The table has grown so large that the analysis should stop.
    pub fn is_full(&self) -> bool {
        self.bytes > MAX_BYTES
    }

    /// A new free symbol.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> Symbol {
        self.symbols.push((name.to_string(), sort));
        Symbol(self.symbols.len() as u32 - 1)
    }

    /// Name and sort of a symbol.
    pub fn symbol_info(&self, symbol: Symbol) -> (&str, Sort) {
        let (name, sort) = &self.symbols[symbol.0 as usize];
        (name, *sort)
    }

    /// The symbol as a term.
    pub fn read(&mut self, symbol: Symbol) -> Term {
        let sort = self.symbols[symbol.0 as usize].1;
        self.intern(Node::Symbol(symbol), sort)
    }

    /// The shape of a term.
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.0 as usize].node
    }

    /// The sort of a term.
    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.0 as usize].sort
    }

    /// The width of a bit vector term.
    pub fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::Bits(width) => width,
            other => unreachable!("a bit vector was promised, this is {other:?}"),
        }
    }

    /// The free symbols of a term, sorted.
    pub fn symbols(&self, term: Term) -> &[Symbol] {
        &self.nodes[term.0 as usize].symbols
    }

    /// The signed values that a bit vector term can take, as far as its shape tells.
    pub fn range(&self, term: Term) -> (i128, i128) {
        self.nodes[term.0 as usize].range
    }

    /// How many different parts a term has, counted up to `limit`.
    pub fn size(&self, terms: impl IntoIterator<Item = Term>, limit: usize) -> usize {
        let mut seen = std::collections::HashSet::new();
        let mut work: Vec<Term> = terms.into_iter().collect();
        while let Some(next) = work.pop() {
            if seen.len() >= limit {
                break;
            }
            if seen.insert(next) {
                work.extend(self.node(next).children());
            }
        }
        seen.len()
    }

    /// The constant truth value of a formula, if it has one.
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match self.node(term) {
            Node::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The signed value of a constant.
    pub fn as_number(&self, term: Term) -> Option<i128> {
        match self.node(term) {
            Node::Bits(width, value) => Some(to_signed(*value, *width)),
            Node::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The id of a shape; the caller has simplified it.
    pub(super) fn intern(&mut self, node: Node, sort: Sort) -> Term {
        if let Some(&known) = self.ids.get(&node) {
            return known;
        }
        let range = match sort {
            Sort::Bits(width) => range_of(self, &node, width, &|part| self.range(part)),
            _ => (0, 0),
        };
        let symbols = self.symbols_of(&node);
        let id = Term(self.nodes.len() as u32);
        let parts = match &node {
            Node::And(parts) => size_of_val::<[Term]>(parts),
            Node::Sum(parts, _) => size_of_val::<[(i128, Term)]>(parts),
            _ => 0,
        };
        // The shape is there twice: in the list and as a key.
        self.bytes += 2 * (size_of::<Entry>() + parts) + size_of_val::<[Symbol]>(&symbols);
        self.ids.insert(node.clone(), id);
        self.nodes.push(Entry { node, sort, range, symbols });
        id
    }

    fn symbols_of(&self, node: &Node) -> Arc<[Symbol]> {
        if let Node::Symbol(symbol) = node {
            return Arc::from([*symbol]);
        }
        let children = node.children();
        if let [only] = children.as_slice() {
            return Arc::clone(&self.nodes[only.0 as usize].symbols);
        }
        let mut all: Vec<Symbol> = children.iter().flat_map(|child| self.symbols(*child).iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all.into()
    }

    /// The term with symbols replaced.
    pub fn substitute(&mut self, term: Term, replacement: &BTreeMap<Symbol, Term>) -> Term {
        self.substitute_all([term], replacement)[0]
    }

    /// The terms with symbols replaced; what they have in common is rewritten once.
    pub fn substitute_all(
        &mut self,
        all: impl IntoIterator<Item = Term>,
        replacement: &BTreeMap<Symbol, Term>,
    ) -> Vec<Term> {
        let mut done = HashMap::new();
        let mut rewritten = Vec::new();
        for term in all {
            rewritten.push(self.rewrite(term, &mut done, &|terms, term| {
                if let Node::Symbol(symbol) = terms.node(term) {
                    return Some(replacement.get(symbol).copied().unwrap_or(term));
                }
                let touched = terms.symbols(term).iter().any(|symbol| replacement.contains_key(symbol));
                (!touched).then_some(term)
            }));
        }
        rewritten
    }

    /// The formula with every occurrence of the given formulas replaced by their truth values.
    pub fn assign(&mut self, term: Term, values: &HashMap<Term, bool>) -> Term {
        self.assign_all([term], values)[0]
    }

    /// The formulas with every occurrence of the given formulas replaced by their truth values; what they have in common
    /// is rewritten once.
    pub fn assign_all(&mut self, all: impl IntoIterator<Item = Term>, values: &HashMap<Term, bool>) -> Vec<Term> {
        if values.is_empty() {
            return all.into_iter().collect();
        }
        let (yes, no) = (self.bool(true), self.bool(false));
        let mut done = HashMap::new();
        let mut rewritten = Vec::new();
        for term in all {
            rewritten.push(
                self.rewrite(term, &mut done, &|_, term| values.get(&term).map(|value| if *value { yes } else { no })),
            );
        }
        rewritten
    }

    /// Rebuilds a term bottom-up; `replace` decides a subterm before its parts are looked at.
    fn rewrite(
        &mut self,
        term: Term,
        done: &mut HashMap<Term, Term>,
        replace: &dyn Fn(&Terms, Term) -> Option<Term>,
    ) -> Term {
        if let Some(&known) = done.get(&term) {
            return known;
        }
        if let Some(replaced) = replace(self, term) {
            return replaced;
        }
        let old = self.node(term).children();
        let new: Vec<Term> = old.iter().map(|child| self.rewrite(*child, done, replace)).collect();
        let result = if new == old {
            term
        } else {
            let node = self.node(term).clone();
            self.rebuild(&node, &new)
        };
        done.insert(term, result);
        result
    }

    /// The same shape over other parts, simplified.
    fn rebuild(&mut self, node: &Node, children: &[Term]) -> Term {
        match (node, children) {
            (Node::Not(_), [a]) => self.not(*a),
            (Node::And(_), all) => self.and(all.iter().copied()),
            (Node::Eq(..), [a, b]) => self.eq(*a, *b),
            (Node::Ult(..), [a, b]) => self.ult(*a, *b),
            (Node::Slt(..), [a, b]) => self.slt(*a, *b),
            (Node::Lt(..), [a, b]) => self.lt(*a, *b),
            (Node::Ite(..), [c, a, b]) => self.ite(*c, *a, *b),
            (Node::Sum(parts, constant), all) => {
                let sort = self.sort(all[0]);
                let mut sum = self.number(sort, *constant);
                for ((factor, _), term) in parts.iter().zip(all) {
                    let scaled = self.scale(*factor, *term);
                    sum = self.add(sum, scaled);
                }
                sum
            }
            (Node::Bitwise(op, ..), [a, b]) => self.bitwise(*op, *a, *b),
            (Node::IntMul(..), [a, b]) => self.mul(*a, *b),
            (Node::IntDiv(..), [a, b]) => self.int_div(*a, *b),
            (Node::IntMod(..), [a, b]) => self.int_mod(*a, *b),
            (Node::Low(width, _), [a]) => self.low(*width, *a),
            (Node::Zext(width, _), [a]) => self.zext(*width, *a),
            (Node::Sext(width, _), [a]) => self.sext(*width, *a),
            (Node::Select(..), [a, i]) => self.select(*a, *i),
            (Node::Store(..), [a, i, v]) => self.store(*a, *i, *v),
            (Node::MulFits(..), [a, b]) => self.mul_fits(*a, *b),
            (Node::Fill(sort, _), [value]) => self.fill(*sort, *value),
            (Node::Float(op, ..), [a, b]) => self.float_binary(*op, *a, *b),
            (Node::FloatTest(test, ..), [a, b]) => self.float_test(*test, *a, *b),
            (Node::FloatConvert(conversion, width, _), [a]) => match conversion {
                FloatConversion::FromSigned => self.int_to_float(true, *width, *a),
                FloatConversion::FromUnsigned => self.int_to_float(false, *width, *a),
                FloatConversion::FromFloat => self.float_to_float(*width, *a),
                FloatConversion::ToSigned => self.float_to_int(true, *width, *a),
                FloatConversion::ToUnsigned => self.float_to_int(false, *width, *a),
            },
            _ => unreachable!("a term without parts is never rebuilt"),
        }
    }
}

impl Node {
    /// The parts of a term.
    pub fn children(&self) -> Vec<Term> {
        match self {
            Node::Bool(_) | Node::Bits(..) | Node::Int(_) | Node::Symbol(_) => Vec::new(),
            Node::Not(a)
            | Node::Low(_, a)
            | Node::Zext(_, a)
            | Node::Sext(_, a)
            | Node::Fill(_, a)
            | Node::FloatConvert(_, _, a) => vec![*a],
            Node::And(parts) => parts.to_vec(),
            Node::Sum(parts, _) => parts.iter().map(|(_, term)| *term).collect(),
            Node::Eq(a, b)
            | Node::Ult(a, b)
            | Node::Slt(a, b)
            | Node::Lt(a, b)
            | Node::Bitwise(_, a, b)
            | Node::IntMul(a, b)
            | Node::IntDiv(a, b)
            | Node::IntMod(a, b)
            | Node::Select(a, b)
            | Node::MulFits(a, b)
            | Node::Float(_, a, b)
            | Node::FloatTest(_, a, b) => vec![*a, *b],
            Node::Ite(a, b, c) | Node::Store(a, b, c) => vec![*a, *b, *c],
        }
    }
}

/// An interval for the signed value of a bit vector term, from the intervals of its parts; the whole type where nothing
/// better is plain.
pub(super) fn range_of(terms: &Terms, node: &Node, width: u32, part: &dyn Fn(Term) -> (i128, i128)) -> (i128, i128) {
    let all = full_range(width);
    let within = |low: i128, high: i128| {
        if all.0 <= low && high <= all.1 { (low, high) } else { all }
    };
    match node {
        Node::Bits(_, value) => {
            let value = to_signed(*value, width);
            (value, value)
        }
        Node::Ite(_, a, b) => {
            let (a, b) = (part(*a), part(*b));
            (a.0.min(b.0), a.1.max(b.1))
        }
        Node::Sum(parts, constant) => {
            let (mut low, mut high) = (*constant, *constant);
            for (factor, term) in parts.iter() {
                let (a, b) = part(*term);
                let (a, b) = (a.saturating_mul(*factor), b.saturating_mul(*factor));
                low = low.saturating_add(a.min(b));
                high = high.saturating_add(a.max(b));
            }
            within(low, high)
        }
        Node::Low(_, inner) => {
            let (low, high) = part(*inner);
            within(low, high)
        }
        Node::Sext(_, inner) => part(*inner),
        Node::Zext(_, inner) => match part(*inner) {
            (low, high) if low >= 0 => (low, high),
            _ => (0, (1i128 << terms.width(*inner).min(126)) - 1),
        },
        Node::Bitwise(op, a, b) => bitwise_range(*op, part(*a), part(*b)).map_or(all, |(low, high)| within(low, high)),
        _ => all,
    }
}

fn bitwise_range(op: BitsOp, a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    match op {
        BitsOp::And if a.0 >= 0 && b.0 >= 0 => Some((0, a.1.min(b.1))),
        BitsOp::And if a.0 >= 0 => Some((0, a.1)),
        BitsOp::And if b.0 >= 0 => Some((0, b.1)),
        BitsOp::Or | BitsOp::Xor if a.0 >= 0 && b.0 >= 0 => {
            let bits = 128 - a.1.max(b.1).leading_zeros();
            Some((0, (1i128 << bits.min(126)) - 1))
        }
        BitsOp::Mul => {
            let corners = [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?];
            Some((*corners.iter().min()?, *corners.iter().max()?))
        }
        BitsOp::Urem if a.0 >= 0 && b.0 > 0 => Some((0, a.1.min(b.1 - 1))),
        BitsOp::Udiv if a.0 >= 0 && b.0 > 0 => Some((0, a.1)),
        BitsOp::Srem if b.0 > 0 => {
            let low = if a.0 >= 0 { 0 } else { (1 - b.1).max(a.0) };
            let high = if a.1 <= 0 { 0 } else { (b.1 - 1).min(a.1) };
            Some((low, high))
        }
        BitsOp::Sdiv | BitsOp::Ashr if b.0 > 0 || (op == BitsOp::Ashr && b.0 >= 0) => Some((a.0.min(0), a.1.max(0))),
        BitsOp::Lshr if a.0 >= 0 && b.0 >= 0 => Some((0, a.1)),
        _ => None,
    }
}

/// The signed reading of a bit pattern.
pub(super) fn to_signed(value: u128, width: u32) -> i128 {
    if width >= 128 {
        return value as i128;
    }
    let value = value as i128;
    if value >> (width - 1) & 1 == 1 { value - (1i128 << width) } else { value }
}

/// The bit pattern of a number, modulo the width.
pub(super) fn to_bits(value: i128, width: u32) -> u128 {
    if width >= 128 { value as u128 } else { (value as u128) & ((1u128 << width) - 1) }
}

/// The least and greatest signed value of a width.
pub fn full_range(width: u32) -> (i128, i128) {
    if width >= 128 {
        return (i128::MIN, i128::MAX);
    }
    (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
}
