//! Asking Z3.
//!
//! Questions are values; answers are remembered, so each is asked once. A batch of questions is sorted and cut into
//! portions, which depend on the batch alone; every portion gets a Z3 context of its own. So the answers do not depend on
//! how the portions are spread over the threads. A question ends by Z3's own limit, and if that fails, by an interrupt from
//! outside; both count as unknown. When the time of the whole analysis is over, what runs is interrupted, and what is
//! asked after that is not answered. So it is when the remembered answers take too much memory.

use std::collections::{HashMap, HashSet};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use z3::ast::{Ast, Bool, Dynamic};
use z3::{Context, Params, SatResult};

use super::Answer;
use super::encode::Encoder;
use super::linear::LinearEncoder;
use super::term::{Node, Sort, Symbol, Term, Terms};
use super::watchdog::Watchdog;
use crate::config::Stop;
use crate::error::Result;
use crate::process::{has_room, no_thread};

/// The stack of a thread that translates terms, which may be deep; less if there is a limit on memory.
const WORKER_STACKS: [usize; 3] = [256 << 20, 64 << 20, 16 << 20];

/// How many of its steps Z3 does in about a millisecond.
const STEPS_PER_MILLISECOND: u32 = 2_000;

/// The clock ends a question at this multiple of its limit.
const PATIENCE: u32 = 10;

/// Where the solver gave up, more possible combinations than this are not listed.
const MAX_UNKNOWN_COMBINATIONS: usize = 1 << 12;

/// Questions that share a context at most: a new one costs about a millisecond, a used one grows.
const MAX_PORTION: usize = 32;

/// A batch is cut into this many portions at least, if it has as many questions: so many cores can work on it.
const MIN_PORTIONS: usize = 8;

/// Above this use of memory, in mebibytes, Z3 gives up on what it is asked. It is the sum over all threads.
const SOLVER_MEMORY: u32 = 1536;

/// Questions and answers may take about so many bytes; then nothing more is answered.
const MAX_REMEMBERED: usize = 512 << 20;

/// A question of so many parts that writes to arrays is not asked: Z3 would fill the memory, and hear an interrupt late.
const MAX_GENERAL: usize = 50_000;

/// A quantified formula of so many parts is not asked about.
const MAX_QUANTIFIED: usize = 400;

/// A question.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Question {
    /// Is there a state in which all hold?
    Satisfiable(Vec<Term>),
    /// Is there a state in which all hold and, whatever the values of the symbols, the formula holds too?
    SatisfiableForAll(Vec<Term>, Vec<Symbol>, Term),
    /// Which truth values can the second formulas have together, where all of the first hold? At most so many are listed.
    Combinations(Vec<Term>, Vec<Term>, usize),
    /// Which values do the second terms have in a state in which all of the first hold? Of each list of wishes, the first
    /// one holds too that can.
    Model(Vec<Term>, Vec<Term>, Vec<Vec<Term>>),
}

impl Question {
    /// About how much memory it takes with its answer, without the combinations.
    fn bytes(&self) -> usize {
        let terms = match self {
            Question::Satisfiable(all) | Question::SatisfiableForAll(all, ..) => all.len(),
            Question::Combinations(assumed, asked, _) => assumed.len() + asked.len(),
            Question::Model(all, wanted, wishes) => {
                all.len() + 2 * wanted.len() + wishes.iter().map(Vec::len).sum::<usize>()
            }
        };
        2 * size_of::<(Question, Reply)>() + terms * size_of::<Term>()
    }
}

/// The answer to a [`Question`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// To the first two kinds.
    Answer(Answer),
    /// To the third kind.
    Combinations(Combinations),
    /// To the fourth kind.
    Model(Model),
}

/// A state that shows something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Model {
    /// The values of the terms that were asked for: bit vectors as signed numbers, formulas as 0 and 1.
    Values(Vec<i128>),
    /// There is no such state.
    Impossible,
    /// The solver gave up.
    Unknown,
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

impl Combinations {
    /// There is no state at all.
    pub fn is_impossible(&self) -> bool {
        self.found.is_empty() && self.possible.is_empty() && !self.truncated
    }
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
    limits: Limits,
    memory: HashMap<Question, Reply>,
    /// About how many bytes the memory takes, also while a batch is asked.
    remembered: AtomicUsize,
    /// What was asked so far.
    pub statistics: Statistics,
}

/// When questions are given up.
#[derive(Clone)]
struct Limits {
    /// For one question.
    timeout: Duration,
    /// The end of everything.
    end: Option<Instant>,
    /// The word that the end is now.
    stop: Stop,
}

impl Limits {
    fn are_over(&self) -> bool {
        self.stop.is_said() || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

impl Solver {
    /// A solver on `jobs` threads (0: one for each core) with a time limit for each question.
    pub fn new(jobs: usize, timeout: Duration) -> Result<Solver> {
        static MEMORY: Once = Once::new();
        MEMORY.call_once(|| z3::set_global_param("memory_high_watermark_mb", &SOLVER_MEMORY.to_string()));
        let limits = Limits { timeout, end: None, stop: Stop::default() };
        Ok(Solver {
            pool: pool(jobs)?,
            limits,
            memory: HashMap::new(),
            remembered: AtomicUsize::new(0),
            statistics: Statistics::default(),
        })
    }

    /// The same solver, with an end: after it, or after the word to stop, nothing is answered any more.
    pub fn until(mut self, end: Option<Instant>, stop: &Stop) -> Solver {
        self.limits.end = end;
        self.limits.stop = stop.clone();
        self
    }

    /// Whether the memory is full: nothing more is answered.
    pub fn is_full(&self) -> bool {
        self.remembered.load(Ordering::Relaxed) > MAX_REMEMBERED
    }

    /// Asks everything that is not known yet.
    pub fn ask_all(&mut self, terms: &Terms, questions: impl IntoIterator<Item = Question>) {
        let mut new: Vec<Question> = questions.into_iter().filter(|q| !self.memory.contains_key(q)).collect();
        new.sort();
        new.dedup();
        let (limits, remembered) = (&self.limits, &self.remembered);
        remembered.fetch_add(new.iter().map(Question::bytes).sum(), Ordering::Relaxed);
        let portion = new.len().div_ceil(MIN_PORTIONS).clamp(1, MAX_PORTION);
        let portions: Vec<(Vec<Reply>, Statistics)> = self
            .pool
            .install(|| new.par_chunks(portion).map(|portion| ask(terms, portion, limits, remembered)).collect());
        let mut replies = Vec::with_capacity(new.len());
        for (answered, statistics) in portions {
            self.statistics.queries += statistics.queries;
            self.statistics.unknown += statistics.unknown;
            replies.extend(answered);
        }
        self.memory.extend(new.into_iter().zip(replies));
    }

    /// The answer to a question of the first two kinds.
    pub fn answer(&mut self, terms: &Terms, question: &Question) -> Answer {
        match self.reply(terms, question) {
            Reply::Answer(answer) => answer,
            other => unreachable!("an answer was asked for, not {other:?}"),
        }
    }

    /// The answer to a question of the third kind.
    pub fn combinations(&mut self, terms: &Terms, question: &Question) -> Combinations {
        match self.reply(terms, question) {
            Reply::Combinations(combinations) => combinations,
            other => unreachable!("combinations were asked for, not {other:?}"),
        }
    }

    /// The answer to a question of the fourth kind.
    pub fn model(&mut self, terms: &Terms, question: &Question) -> Model {
        match self.reply(terms, question) {
            Reply::Model(model) => model,
            other => unreachable!("a model was asked for, not {other:?}"),
        }
    }

    fn reply(&mut self, terms: &Terms, question: &Question) -> Reply {
        if !self.memory.contains_key(question) {
            self.ask_all(terms, [question.clone()]);
        }
        self.memory[question].clone()
    }
}

/// As many threads as asked for, with stacks as large as there is memory for; if that is too much, fewer threads.
fn pool(jobs: usize) -> Result<rayon::ThreadPool> {
    let jobs = if jobs == 0 { std::thread::available_parallelism().map_or(1, usize::from) } else { jobs };
    let fewer = std::iter::successors(Some(jobs), |jobs| (*jobs > 1).then_some(jobs / 2));
    for threads in fewer {
        for stack in WORKER_STACKS {
            if has_room(threads.saturating_mul(stack))
                && let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(stack).build()
            {
                return Ok(pool);
            }
        }
    }
    // With less memory Z3 would fail in the middle.
    Err(no_thread())
}

/// Asks a portion of questions, in order.
fn ask(terms: &Terms, questions: &[Question], limits: &Limits, remembered: &AtomicUsize) -> (Vec<Reply>, Statistics) {
    let mut replies = Vec::with_capacity(questions.len());
    let mut statistics = Statistics::default();
    while replies.len() < questions.len() {
        let rest = &questions[replies.len()..];
        // A context of its own: what a thread was asked before must not change an answer.
        z3::with_z3_config(&z3::Config::new(), || {
            let context = Context::thread_local();
            Watchdog::guard(&context, &limits.stop, |watchdog| {
                let encoders = Encoders::default();
                let mut session = Session { terms, encoders, limits, remembered, watchdog, statistics };
                for question in rest {
                    replies.push(session.reply(question));
                    // An interrupt may come when its question is over, and would hit the next one.
                    if watchdog.has_bitten() {
                        break;
                    }
                }
                statistics = session.statistics;
            });
        });
    }
    (replies, statistics)
}

/// The translations of terms for one portion of questions.
#[derive(Default)]
struct Encoders {
    exact: Encoder,
    linear: LinearEncoder,
}

/// How a question is put to Z3. All ways are exact; they differ in speed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    /// Bit vectors as bounded integers: for linear arithmetic and comparisons, by far the fastest.
    Linear,
    /// Pure bit vectors; reads from arrays are variables.
    Bits,
    /// The same, with floating-point numbers.
    Floats,
    /// Everything.
    General,
}

struct Session<'a> {
    terms: &'a Terms,
    encoders: Encoders,
    limits: &'a Limits,
    remembered: &'a AtomicUsize,
    watchdog: &'a Watchdog<'a>,
    statistics: Statistics,
}

impl Session<'_> {
    fn reply(&mut self, question: &Question) -> Reply {
        match question {
            Question::Combinations(..) if self.is_over() => {
                Reply::Combinations(Combinations { truncated: true, ..Combinations::default() })
            }
            Question::Model(..) if self.is_over() => Reply::Model(Model::Unknown),
            _ if self.is_over() => Reply::Answer(Answer::Unknown),
            Question::Satisfiable(all) => Reply::Answer(self.satisfiable(all)),
            Question::SatisfiableForAll(all, symbols, formula) => {
                Reply::Answer(self.satisfiable_for_all(all, symbols, *formula))
            }
            Question::Combinations(assumed, asked, limit) => {
                Reply::Combinations(self.combinations(assumed, asked, *limit))
            }
            Question::Model(all, wanted, wishes) => Reply::Model(self.model(all, wanted, wishes)),
        }
    }

    /// Whether a limit of the whole analysis is reached.
    fn is_over(&self) -> bool {
        self.limits.are_over() || self.remembered.load(Ordering::Relaxed) > MAX_REMEMBERED
    }

    /// The ways to put a question about these terms, the fastest first; none if it is too large.
    fn languages(&self, assumed: &[Term], asked: &[Term]) -> Vec<Language> {
        let Some(parts) = flat_parts(self.terms, assumed.iter().chain(asked)) else {
            let is_large = self.terms.size(assumed.iter().chain(asked).copied(), MAX_GENERAL) >= MAX_GENERAL;
            return if is_large { Vec::new() } else { vec![Language::General] };
        };
        if parts.iter().any(|part| is_float(self.terms, *part)) {
            vec![Language::Floats]
        } else if parts.iter().all(|part| LinearEncoder::handles(self.terms, *part)) {
            vec![Language::Linear, Language::Bits]
        } else {
            vec![Language::Bits]
        }
    }

    /// A solver in which all of `assumed` holds, fit for questions about `asked` as well.
    fn solver(&mut self, language: Language, assumed: &[Term], asked: &[Term]) -> z3::Solver {
        let timeout = self.limits.timeout;
        self.solver_with_limit(language, timeout, assumed, asked)
    }

    fn solver_with_limit(
        &mut self,
        language: Language,
        timeout: Duration,
        assumed: &[Term],
        asked: &[Term],
    ) -> z3::Solver {
        let solver = match language {
            Language::Bits => z3::Solver::new_for_logic("QF_BV").unwrap_or_default(),
            Language::Floats => z3::Solver::new_for_logic("QF_FPBV").unwrap_or_default(),
            Language::Linear | Language::General => z3::Solver::new(),
        };
        self.encoders.exact.start();
        let mut parameters = Params::new();
        let milliseconds = u32::try_from(timeout.as_millis()).unwrap_or(u32::MAX);
        // Z3's own count of its steps ends a question at the same place on every machine and under every load, so that
        // two runs give the same answers; the clock is only for what it does not count.
        parameters.set_u32("rlimit", milliseconds.saturating_mul(STEPS_PER_MILLISECOND));
        let patience = milliseconds.saturating_mul(PATIENCE);
        let left = self.limits.end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
        let left = u32::try_from(left.as_millis()).unwrap_or(u32::MAX).max(1);
        parameters.set_u32("timeout", patience.min(left));
        // Else Z3 would take Ctrl-C for itself: it would give up one question, and pct would hear nothing of it.
        parameters.set_bool("ctrl_c", false);
        if language == Language::Linear {
            // Such questions are easy: choosing among Z3's strategies takes longer than answering them.
            parameters.set_bool("combined_solver.ignore_solver1", true);
        }
        solver.set_params(&parameters);
        for &term in assumed {
            solver.assert(self.formula(language, term));
        }
        if language == Language::General {
            return solver;
        }
        let parts = flat_parts(self.terms, assumed.iter().chain(asked)).unwrap_or_default();
        if language == Language::Linear {
            for part in &parts {
                for constraint in self.encoders.linear.constraints(self.terms, *part) {
                    solver.assert(constraint);
                }
            }
        }
        let reads: Vec<Term> =
            parts.into_iter().filter(|part| matches!(self.terms.node(*part), Node::Select(..))).collect();
        for (position, &first) in reads.iter().enumerate() {
            for &second in &reads[..position] {
                if let Some(constraint) = self.congruence(language, first, second) {
                    solver.assert(constraint);
                }
            }
        }
        solver
    }

    fn formula(&mut self, language: Language, term: Term) -> Bool {
        if language == Language::Linear {
            return self.encoders.linear.formula(self.terms, term);
        }
        let (encoder, terms) = self.exact(language);
        encoder.formula(terms, term)
    }

    /// The encoder for bit vectors and everything, set to the language.
    fn exact(&mut self, language: Language) -> (&mut Encoder, &Terms) {
        self.encoders.exact.reads_are_variables = matches!(language, Language::Bits | Language::Floats);
        (&mut self.encoders.exact, self.terms)
    }

    /// Two reads of one array are equal if their indices are.
    fn congruence(&mut self, language: Language, first: Term, second: Term) -> Option<Bool> {
        let (Node::Select(a, i), Node::Select(b, j)) = (self.terms.node(first), self.terms.node(second)) else {
            unreachable!("only reads are compared");
        };
        if a != b {
            return None;
        }
        let equal = |this: &mut Self, x: Term, y: Term| {
            if language == Language::Linear {
                this.encoders.linear.equal(this.terms, x, y)
            } else {
                let (encoder, terms) = this.exact(language);
                encoder.equal(terms, x, y)
            }
        };
        let (same_index, same_value) = (equal(self, *i, *j), equal(self, first, second));
        Some(same_index.implies(same_value))
    }

    /// One question to Z3, with a watchdog in case its own limit does not end it.
    fn check(&mut self, solver: &z3::Solver) -> Answer {
        if self.is_over() || self.watchdog.has_bitten() {
            return Answer::Unknown;
        }
        self.statistics.queries += 1;
        self.encoders.exact.define(solver);
        let patience = Instant::now() + self.limits.timeout * (PATIENCE + 1) + Duration::from_millis(500);
        let end = self.limits.end.map_or(patience, |end| end.min(patience));
        let result = self.watchdog.watch(end, || solver.check());
        match result {
            SatResult::Sat => Answer::Yes,
            SatResult::Unsat => Answer::No,
            SatResult::Unknown => Answer::Unknown,
        }
    }

    fn satisfiable(&mut self, all: &[Term]) -> Answer {
        let mut answer = Answer::Unknown;
        for language in self.languages(all, &[]) {
            let solver = self.solver(language, all, &[]);
            answer = self.check(&solver);
            if answer != Answer::Unknown {
                break;
            }
        }
        self.give_up_if(answer == Answer::Unknown);
        answer
    }

    fn satisfiable_for_all(&mut self, all: &[Term], symbols: &[Symbol], formula: Term) -> Answer {
        let is_large = self.terms.size([formula], MAX_QUANTIFIED) >= MAX_QUANTIFIED
            || self.terms.size(all.iter().copied(), MAX_GENERAL) >= MAX_GENERAL;
        if mentions_floats(self.terms, formula) || is_large {
            // The numbers that floating-point terms mean are constants, and cannot be quantified over; large formulas keep
            // Z3 busy where it hears no interrupt.
            self.give_up_if(true);
            return Answer::Unknown;
        }
        // Quantified questions are answered at once or hardly ever.
        let limit = self.limits.timeout / 5;
        let solver = self.solver_with_limit(Language::General, limit, all, &[]);
        // Z3 would make patterns of the formula, with what is shared written out each time: that can take for ever, and it
        // hears no interrupt meanwhile.
        let mut parameters = Params::new();
        parameters.set_bool("ematching", false);
        solver.set_params(&parameters);
        let body = self.formula(Language::General, formula);
        let bound: Vec<Dynamic> =
            symbols.iter().map(|symbol| self.encoders.exact.symbol(self.terms, *symbol)).collect();
        let bound: Vec<&dyn Ast> = bound.iter().map(|symbol| symbol as &dyn Ast).collect();
        solver.assert(z3::ast::forall_const(&bound, &[], &body));
        let answer = self.check(&solver);
        self.give_up_if(answer == Answer::Unknown);
        answer
    }

    /// A state in which all hold, and as many of the wishes as can be had.
    fn model(&mut self, all: &[Term], wanted: &[Term], wishes: &[Vec<Term>]) -> Model {
        let asked: Vec<Term> = wanted.iter().chain(wishes.iter().flatten()).copied().collect();
        for language in self.languages(all, &asked) {
            match self.model_in(language, all, wanted, wishes, &asked) {
                Model::Unknown => {}
                known => return known,
            }
        }
        self.give_up_if(true);
        Model::Unknown
    }

    fn model_in(
        &mut self,
        language: Language,
        all: &[Term],
        wanted: &[Term],
        wishes: &[Vec<Term>],
        asked: &[Term],
    ) -> Model {
        let solver = self.solver(language, all, asked);
        let wanted: Vec<Dynamic> = wanted.iter().map(|term| self.number(language, *term)).collect();
        let read = |solver: &z3::Solver| -> Option<Vec<i128>> {
            let model = solver.get_model()?;
            wanted.iter().map(|term| numeral(&model.eval(term, true)?)).collect()
        };
        match self.check(&solver) {
            Answer::Yes => {}
            Answer::No => return Model::Impossible,
            Answer::Unknown => return Model::Unknown,
        }
        let Some(mut values) = read(&solver) else {
            return Model::Unknown;
        };
        for list in wishes {
            for wish in list {
                let formula = self.formula(language, *wish);
                solver.push();
                solver.assert(formula);
                if self.check(&solver) == Answer::Yes
                    && let Some(better) = read(&solver)
                {
                    values = better;
                    break;
                }
                solver.pop(1);
            }
        }
        Model::Values(values)
    }

    /// A term as it is read from models.
    fn number(&mut self, language: Language, term: Term) -> Dynamic {
        match (language, self.terms.sort(term)) {
            (_, Sort::Bool) => Dynamic::from_ast(&self.formula(language, term)),
            (Language::Linear, _) => Dynamic::from_ast(&self.encoders.linear.value(self.terms, term)),
            _ => {
                let (encoder, terms) = self.exact(language);
                encoder.encode(terms, term)
            }
        }
    }

    fn give_up_if(&mut self, unknown: bool) {
        self.statistics.unknown += usize::from(unknown);
    }

    /// All truth values of `asked`, by asking for a state and excluding what it shows, until there is none.
    fn combinations(&mut self, assumed: &[Term], asked: &[Term], limit: usize) -> Combinations {
        let mut result = Combinations::default();
        for language in self.languages(assumed, asked) {
            if self.enumerate(language, assumed, asked, limit, &mut result) == Answer::Yes {
                result.found.sort();
                return result;
            }
        }
        self.give_up_if(true);
        if self.is_over() {
            result.truncated = true;
            result.found.sort();
            return result;
        }
        self.possible(assumed, asked, &mut result);
        result.found.sort();
        result
    }

    /// Adds to the combinations found; yes if they are complete (or truncated), unknown if the solver gave up.
    fn enumerate(
        &mut self,
        language: Language,
        assumed: &[Term],
        asked: &[Term],
        limit: usize,
        result: &mut Combinations,
    ) -> Answer {
        let solver = self.solver(language, assumed, asked);
        let literals: Vec<Bool> = asked.iter().map(|term| self.formula(language, *term)).collect();
        let exclude = |values: &[bool]| {
            let differs: Vec<Bool> = literals
                .iter()
                .zip(values)
                .map(|(literal, value)| if *value { literal.not() } else { literal.clone() })
                .collect();
            solver.assert(Bool::or(&differs));
        };
        for values in &result.found {
            exclude(values);
        }
        loop {
            match self.check(&solver) {
                Answer::No => return Answer::Yes,
                Answer::Unknown => return Answer::Unknown,
                Answer::Yes => {}
            }
            if result.found.len() >= limit {
                result.truncated = true;
                return Answer::Yes;
            }
            // An interrupt that comes now leaves no model.
            let Some(model) = solver.get_model() else {
                return Answer::Unknown;
            };
            let values: Option<Vec<bool>> =
                literals.iter().map(|literal| model.eval(literal, true).and_then(|value| value.as_bool())).collect();
            // A model need not decide every formula.
            let Some(values) = values else {
                return Answer::Unknown;
            };
            exclude(&values);
            self.remembered.fetch_add(values.len() + size_of::<Vec<bool>>(), Ordering::Relaxed);
            result.found.push(values);
            if literals.is_empty() {
                return Answer::Yes;
            }
        }
    }

    /// The solver gave up: every combination of values that are possible one by one is possible.
    fn possible(&mut self, assumed: &[Term], asked: &[Term], result: &mut Combinations) {
        let mut combinations: Vec<Vec<bool>> = vec![Vec::new()];
        for (position, &term) in asked.iter().enumerate() {
            let mut values = Vec::new();
            for value in [false, true] {
                let seen = result.found.iter().any(|found| found[position] == value);
                if seen || self.one_value(assumed, term, value) != Answer::No {
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
        let bytes = combinations.len() * (asked.len() + size_of::<Vec<bool>>());
        self.remembered.fetch_add(bytes, Ordering::Relaxed);
        result.possible = combinations;
    }

    /// Can the formula have this value where all of `assumed` holds?
    fn one_value(&mut self, assumed: &[Term], term: Term, value: bool) -> Answer {
        let mut answer = Answer::Unknown;
        for language in self.languages(assumed, &[term]) {
            let solver = self.solver(language, assumed, &[term]);
            let literal = self.formula(language, term);
            solver.assert(if value { literal } else { literal.not() });
            answer = self.check(&solver);
            if answer != Answer::Unknown {
                break;
            }
        }
        answer
    }
}

/// A value of a model as a number: bit vectors are signed.
fn numeral(value: &Dynamic) -> Option<i128> {
    if let Some(truth) = value.as_bool() {
        return truth.as_bool().map(i128::from);
    }
    if let Some(bits) = value.as_bv() {
        let (unsigned, width) = (i128::from(bits.as_u64()?), bits.get_size());
        let is_negative = width < 127 && unsigned >> (width - 1) & 1 == 1;
        return Some(if is_negative { unsigned - (1 << width) } else { unsigned });
    }
    let text = value.as_int()?.to_string();
    match text.strip_prefix("(- ") {
        Some(digits) => digits.trim_end_matches(')').parse::<i128>().ok().map(|number| -number),
        None => text.parse().ok(),
    }
}

/// Whether a term is made by a floating-point operation.
fn is_float(terms: &Terms, term: Term) -> bool {
    matches!(terms.node(term), Node::Float(..) | Node::FloatTest(..) | Node::FloatConvert(..))
}

/// Whether some part of a term is made by a floating-point operation.
fn mentions_floats(terms: &Terms, root: Term) -> bool {
    let mut seen: HashSet<Term> = HashSet::new();
    let mut work = vec![root];
    while let Some(term) = work.pop() {
        if is_float(terms, term) {
            return true;
        }
        if seen.insert(term) {
            work.extend(terms.node(term).children());
        }
    }
    false
}

/// All parts of the given terms, if these are about bit vectors and only read from arrays.
fn flat_parts<'a>(terms: &Terms, roots: impl Iterator<Item = &'a Term>) -> Option<Vec<Term>> {
    let mut seen: HashSet<Term> = HashSet::new();
    let mut work: Vec<Term> = roots.copied().collect();
    let mut parts = Vec::new();
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        match (terms.node(term), terms.sort(term)) {
            (Node::Select(array, index), Sort::Bits(_)) => {
                let Node::Symbol(_) = terms.node(*array) else {
                    return None;
                };
                work.push(*index);
            }
            (_, Sort::Int | Sort::IntArray | Sort::BitsArray(_)) => return None,
            (node, _) => work.extend(node.children()),
        }
        parts.push(term);
    }
    parts.sort_unstable();
    Some(parts)
}
