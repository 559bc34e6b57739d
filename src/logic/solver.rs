//! Asking Z3.
//!
//! Questions are values; answers are remembered, so each is asked once. A batch of questions is spread over the
//! threads of a pool; every question gets a solver of its own, so the answers do not depend on how they are spread. A
//! question ends by Z3's own limit, and if that fails, by an interrupt from outside; both count as unknown.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::mpsc;
use std::time::Duration;

use rayon::prelude::*;
use z3::ast::{Array, Ast, BV, Bool, Dynamic, Int};
use z3::{Context, Params, SatResult};

use super::Answer;
use super::term::{BitsOp, Node, Sort, Symbol, Term, Terms};

/// The stack of a thread that translates terms, which may be deep.
const WORKER_STACK: usize = 256 << 20;

/// Where the solver gave up, more possible combinations than this are not listed.
const MAX_UNKNOWN_COMBINATIONS: usize = 1 << 12;

/// A question.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Question {
    /// Is there a state in which all hold?
    Satisfiable(Vec<Term>),
    /// Is there a state in which all hold and, whatever the values of the symbols, the formula holds too?
    SatisfiableForAll(Vec<Term>, Vec<Symbol>, Term),
    /// Which truth values can the second formulas have together, where all of the first hold? At most so many are listed.
    Combinations(Vec<Term>, Vec<Term>, usize),
}

/// The answer to a [`Question`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// To the first two kinds.
    Answer(Answer),
    /// To the third kind.
    Combinations(Combinations),
}

/// Truth values that formulas can have together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Combinations {
    /// Those that some state shows, sorted.
    pub found: Vec<Vec<bool>>,
    /// Those that the solver could not exclude, sorted.
    pub possible: Vec<Vec<bool>>,
    /// There are more than could be listed.
    pub truncated: bool,
}

/// How much was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Questions that Z3 was asked.
    pub queries: usize,
    /// Those it gave up on.
    pub unknown: usize,
}

/// A solver with its memory.
pub struct Solver {
    pool: rayon::ThreadPool,
    timeout: Duration,
    memory: HashMap<Question, Reply>,
    /// What was asked so far.
    pub statistics: Statistics,
}

impl Solver {
    /// A solver on `jobs` threads (0: one for each core) with a time limit for each question.
    pub fn new(jobs: usize, timeout: Duration) -> Solver {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(jobs)
            .stack_size(WORKER_STACK)
            .build()
            .expect("threads can be started");
        Solver {
            pool,
            timeout,
            memory: HashMap::new(),
            statistics: Statistics::default(),
        }
    }

    /// Asks everything that is not known yet.
    pub fn ask_all(&mut self, terms: &Terms, questions: impl IntoIterator<Item = Question>) {
        let mut new: Vec<Question> =
            questions.into_iter().filter(|q| !self.memory.contains_key(q)).collect();
        new.sort();
        new.dedup();
        let timeout = self.timeout;
        let replies: Vec<(Question, Reply, Statistics)> = if let [only] = new.as_slice() {
            let only = only.clone();
            let (reply, statistics) = self.pool.install(|| ask(terms, &only, timeout));
            vec![(only, reply, statistics)]
        } else {
            self.pool.install(|| {
                new.into_par_iter()
                    .map(|question| {
                        let (reply, statistics) = ask(terms, &question, timeout);
                        (question, reply, statistics)
                    })
                    .collect()
            })
        };
        for (question, reply, statistics) in replies {
            self.statistics.queries += statistics.queries;
            self.statistics.unknown += statistics.unknown;
            self.memory.insert(question, reply);
        }
    }

    /// The answer to a question of the first two kinds.
    pub fn answer(&mut self, terms: &Terms, question: &Question) -> Answer {
        match self.reply(terms, question) {
            Reply::Answer(answer) => answer,
            Reply::Combinations(_) => unreachable!("combinations were not asked for"),
        }
    }

    /// The answer to a question of the third kind.
    pub fn combinations(&mut self, terms: &Terms, question: &Question) -> Combinations {
        match self.reply(terms, question) {
            Reply::Combinations(combinations) => combinations,
            Reply::Answer(_) => unreachable!("combinations were asked for"),
        }
    }

    fn reply(&mut self, terms: &Terms, question: &Question) -> Reply {
        if !self.memory.contains_key(question) {
            self.ask_all(terms, [question.clone()]);
        }
        self.memory[question].clone()
    }
}

fn ask(terms: &Terms, question: &Question, timeout: Duration) -> (Reply, Statistics) {
    let mut statistics = Statistics::default();
    let reply = ENCODER.with_borrow_mut(|encoder| {
        encoder.serve(terms);
        let mut session = Session {
            terms,
            encoder,
            timeout,
            statistics: &mut statistics,
        };
        match question {
            Question::Satisfiable(all) => Reply::Answer(session.satisfiable(all, None)),
            Question::SatisfiableForAll(all, symbols, formula) => {
                Reply::Answer(session.satisfiable(all, Some((symbols, *formula))))
            }
            Question::Combinations(assumed, asked, limit) => {
                Reply::Combinations(session.combinations(assumed, asked, *limit))
            }
        }
    });
    (reply, statistics)
}

struct Session<'a> {
    terms: &'a Terms,
    encoder: &'a mut Encoder,
    timeout: Duration,
    statistics: &'a mut Statistics,
}

impl Session<'_> {
    /// A solver in which all of `assumed` holds, fit for questions about `asked` as well.
    ///
    /// Questions about bit vectors that only read from arrays go to Z3's solver for pure bit vectors, which is many
    /// times faster than the general one: each read becomes a variable, and two reads of one array are equal if
    /// their indices are (Ackermann's reduction).
    fn solver(&mut self, assumed: &[Term], asked: &[Term]) -> z3::Solver {
        let reads = reads(self.terms, assumed.iter().chain(asked));
        self.encoder.reads_are_variables = reads.is_some();
        let special = reads.as_ref().and_then(|_| z3::Solver::new_for_logic("QF_BV"));
        let solver = special.unwrap_or_default();
        self.limit(&solver);
        for &term in assumed {
            solver.assert(self.encoder.formula(self.terms, term));
        }
        for (position, &first) in reads.iter().flatten().enumerate() {
            for &second in reads.iter().flatten().take(position) {
                if let Some(constraint) = self.encoder.congruence(self.terms, first, second) {
                    solver.assert(constraint);
                }
            }
        }
        solver
    }

    /// A solver for everything, quantifiers included.
    fn general_solver(&mut self, assumed: &[Term]) -> z3::Solver {
        self.encoder.reads_are_variables = false;
        let solver = z3::Solver::new();
        self.limit(&solver);
        for &term in assumed {
            solver.assert(self.encoder.formula(self.terms, term));
        }
        solver
    }

    fn limit(&self, solver: &z3::Solver) {
        let mut parameters = Params::new();
        let milliseconds = u32::try_from(self.timeout.as_millis()).unwrap_or(u32::MAX);
        parameters.set_u32("timeout", milliseconds);
        solver.set_params(&parameters);
    }

    /// One question to Z3, with a watchdog in case its own limit does not end it.
    fn check(&mut self, solver: &z3::Solver) -> Answer {
        self.statistics.queries += 1;
        let context = Context::thread_local();
        let grace = self.timeout * 2 + Duration::from_millis(500);
        let result = std::thread::scope(|scope| {
            let (done, finished) = mpsc::channel::<()>();
            let handle = context.handle();
            scope.spawn(move || {
                // The channel closes when the check has returned.
                while finished.recv_timeout(grace) == Err(mpsc::RecvTimeoutError::Timeout) {
                    handle.interrupt();
                }
            });
            let result = solver.check();
            drop(done);
            result
        });
        match result {
            SatResult::Sat => Answer::Yes,
            SatResult::Unsat => Answer::No,
            SatResult::Unknown => {
                self.statistics.unknown += 1;
                Answer::Unknown
            }
        }
    }

    fn satisfiable(&mut self, all: &[Term], for_all: Option<(&[Symbol], Term)>) -> Answer {
        let solver = match for_all {
            None => self.solver(all, &[]),
            Some(_) => self.general_solver(all),
        };
        if let Some((symbols, formula)) = for_all {
            let bound: Vec<Dynamic> =
                symbols.iter().map(|symbol| self.encoder.symbol(self.terms, *symbol)).collect();
            let bound: Vec<&dyn Ast> = bound.iter().map(|symbol| symbol as &dyn Ast).collect();
            let body = self.encoder.formula(self.terms, formula);
            solver.assert(z3::ast::forall_const(&bound, &[], &body));
        }
        self.check(&solver)
    }

    /// All truth values of `asked`, by asking for a state and excluding what it shows, until there is none.
    fn combinations(&mut self, assumed: &[Term], asked: &[Term], limit: usize) -> Combinations {
        let solver = self.solver(assumed, asked);
        let literals: Vec<Bool> =
            asked.iter().map(|term| self.encoder.formula(self.terms, *term)).collect();
        let mut result = Combinations::default();
        loop {
            match self.check(&solver) {
                Answer::No => break,
                Answer::Unknown => {
                    self.possible(assumed, asked, &mut result);
                    break;
                }
                Answer::Yes => {}
            }
            if result.found.len() >= limit {
                result.truncated = true;
                break;
            }
            let model = solver.get_model().expect("a satisfiable question has a model");
            let values: Option<Vec<bool>> = literals
                .iter()
                .map(|literal| model.eval(literal, true).and_then(|value| value.as_bool()))
                .collect();
            let Some(values) = values else {
                // The model does not say (it can be partial for quantified array terms).
                self.statistics.unknown += 1;
                self.possible(assumed, asked, &mut result);
                break;
            };
            let differs: Vec<Bool> = literals
                .iter()
                .zip(&values)
                .map(|(literal, value)| if *value { literal.not() } else { literal.clone() })
                .collect();
            result.found.push(values);
            if literals.is_empty() {
                break;
            }
            solver.assert(Bool::or(&differs));
        }
        result.found.sort();
        result
    }

    /// The solver gave up: every combination of values that are possible one by one is possible.
    fn possible(&mut self, assumed: &[Term], asked: &[Term], result: &mut Combinations) {
        let mut combinations: Vec<Vec<bool>> = vec![Vec::new()];
        for &term in asked {
            let mut values = Vec::new();
            for value in [false, true] {
                let solver = self.solver(assumed, &[term]);
                let literal = self.encoder.formula(self.terms, term);
                solver.assert(if value { literal } else { literal.not() });
                if self.check(&solver) != Answer::No {
                    values.push(value);
                }
            }
            combinations = combinations
                .into_iter()
                .flat_map(|prefix| {
                    values.iter().map(move |value| {
                        let mut longer = prefix.clone();
                        longer.push(*value);
                        longer
                    })
                })
                .collect();
            if combinations.len() > MAX_UNKNOWN_COMBINATIONS {
                result.truncated = true;
                return;
            }
        }
        combinations.retain(|combination| !result.found.contains(combination));
        combinations.sort();
        result.possible = combinations;
    }
}

/// The reads from arrays in the given terms, if these are terms of bit vectors that only read from arrays.
fn reads<'a>(terms: &Terms, roots: impl Iterator<Item = &'a Term>) -> Option<Vec<Term>> {
    let mut reads = Vec::new();
    let mut seen: HashSet<Term> = HashSet::new();
    let mut work: Vec<Term> = roots.copied().collect();
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        match (terms.node(term), terms.sort(term)) {
            (Node::Select(array, index), Sort::Bits(_)) => {
                let Node::Symbol(_) = terms.node(*array) else {
                    return None;
                };
                reads.push(term);
                work.push(*index);
            }
            (_, Sort::Int | Sort::IntArray | Sort::BitsArray(_)) => return None,
            (node, _) => work.extend(node.children()),
        }
    }
    reads.sort_unstable();
    Some(reads)
}

thread_local! {
    static ENCODER: RefCell<Encoder> = RefCell::new(Encoder::default());
}

/// The translation of terms into Z3's, remembered for the table it was last used with.
#[derive(Default)]
struct Encoder {
    identity: Option<u64>,
    /// Whether reads from arrays are translated into variables.
    reads_are_variables: bool,
    /// Translated terms; apart for the two ways to translate reads.
    done: HashMap<(Term, bool), Dynamic>,
}

impl Encoder {
    fn serve(&mut self, terms: &Terms) {
        if self.identity != Some(terms.identity) {
            self.identity = Some(terms.identity);
            self.done.clear();
        }
    }

    fn symbol(&mut self, terms: &Terms, symbol: Symbol) -> Dynamic {
        let (name, sort) = terms.symbol_info(symbol);
        // The number keeps symbols of the same name apart.
        let name = format!("{name}!{}", symbol.0);
        match sort {
            Sort::Bool => Dynamic::from_ast(&Bool::new_const(name)),
            Sort::Bits(width) => Dynamic::from_ast(&BV::new_const(name, width)),
            Sort::Int => Dynamic::from_ast(&Int::new_const(name)),
            Sort::BitsArray(width) => Dynamic::from_ast(&Array::new_const(
                name,
                &z3::Sort::bitvector(64),
                &z3::Sort::bitvector(width),
            )),
            Sort::IntArray => {
                Dynamic::from_ast(&Array::new_const(name, &z3::Sort::int(), &z3::Sort::int()))
            }
        }
    }

    fn formula(&mut self, terms: &Terms, term: Term) -> Bool {
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

    fn encode(&mut self, terms: &Terms, term: Term) -> Dynamic {
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
            Node::Bits(width, value) => {
                dynamic(&BV::from_str(*width, &value.to_string()).expect("a numeral"))
            }
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
            Node::MulFits(a, b) => {
                let (a, b) = (self.bits(terms, *a), self.bits(terms, *b));
                let above = a.bvmul_no_overflow(&b, true);
                let below = a.bvmul_no_underflow(&b);
                dynamic(&Bool::and(&[above, below]))
            }
        }
    }

    /// Two reads of one array are equal if their indices are.
    fn congruence(&mut self, terms: &Terms, first: Term, second: Term) -> Option<Bool> {
        let (Node::Select(a, i), Node::Select(b, j)) = (terms.node(first), terms.node(second))
        else {
            unreachable!("only reads are compared");
        };
        if a != b {
            return None;
        }
        let (i, j) = (self.bits(terms, *i), self.bits(terms, *j));
        let (first, second) = (self.bits(terms, first), self.bits(terms, second));
        Some(i.eq(&j).implies(first.eq(&second)))
    }

    /// Both sides of a comparison with the parts of negative factor moved to the other side: `x - y = 0` is `x = y`.
    fn balanced(&mut self, terms: &Terms, a: Term, b: Term) -> (Dynamic, Dynamic) {
        let sort = terms.sort(a);
        let (Node::Sum(parts, 0), Some(constant)) = (terms.node(a), terms.as_number(b)) else {
            return (self.encode(terms, a), self.encode(terms, b));
        };
        let (positive, negative): (Vec<_>, Vec<_>) =
            parts.iter().copied().partition(|(factor, _)| *factor > 0);
        let negative: Vec<(i128, Term)> =
            negative.into_iter().map(|(factor, term)| (factor.wrapping_neg(), term)).collect();
        (
            self.sum(terms, sort, &positive, 0),
            self.sum(terms, sort, &negative, constant),
        )
    }

    fn sum(
        &mut self,
        terms: &Terms,
        sort: Sort,
        parts: &[(i128, Term)],
        constant: i128,
    ) -> Dynamic {
        match sort {
            Sort::Bits(width) => {
                let number = |value: i128| {
                    let bits = super::term::to_bits(value, width);
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
