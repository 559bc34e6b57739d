//! The Boolean program: the structure of the source, with one Boolean variable for each predicate.
//!
//! For each effect the new value of a predicate is a function of the old values: true where they guarantee it, false where
//! they exclude it, `*` where nothing is known. The function is a table, filled by asking which old values and which new
//! value are possible together; it is printed as a smallest sum of products, with the valuations that no state has as
//! don't-cares. So it is the most precise function over the chosen old values (the ones that share variables with the
//! new one).

use std::collections::{BTreeMap, BTreeSet};

use super::{Context, Stop, inexpressible};
use crate::cfg::{Cfg, Outline, Site, Test};
use crate::config::Config;
use crate::error::Result;
use crate::logic::solver::{Question, Solver};
use crate::logic::term::Term;
use crate::logic::transfer::{Target, Transfer, transfer_to};
use crate::logic::translate::{Defined, Translator, Values};
use crate::predicates::PredicateSet;
use crate::program::Program;

/// A function is made of at most so many old values.
const MAX_INPUTS: usize = 8;

/// A Boolean program.
#[derive(Clone, Debug)]
pub struct BooleanProgram {
    /// The name of the function.
    pub function: String,
    /// The variables.
    pub variables: Vec<String>,
    /// Conjunctions of literals that no state satisfies.
    pub impossible: Vec<Cube>,
    /// The statements.
    pub body: Vec<BooleanStatement>,
}

/// A conjunction of variables and negated variables.
pub type Cube = Vec<(usize, bool)>;

/// An expression over the variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BooleanExpr {
    /// T or F.
    Constant(bool),
    /// `*`: either.
    Unknown,
    /// The disjunction of conjunctions.
    Sum(Vec<Cube>),
    /// `!e`
    Not(Box<BooleanExpr>),
    /// `a & b`
    And(Box<BooleanExpr>, Box<BooleanExpr>),
    /// `a | b`
    Or(Box<BooleanExpr>, Box<BooleanExpr>),
    /// `(c ? a : b)`
    Choose(Box<BooleanExpr>, Box<BooleanExpr>, Box<BooleanExpr>),
}

/// A statement of a Boolean program.
#[derive(Clone, Debug)]
pub enum BooleanStatement {
    /// `skip`
    Skip,
    /// Parallel assignment.
    Assign(Vec<(usize, BooleanExpr)>),
    /// `assume(e)`
    Assume(BooleanExpr),
    /// `assert(e)`
    Assert(BooleanExpr),
    /// A label.
    Label(String),
    /// `if (e) then … else … fi`
    If(BooleanExpr, Vec<BooleanStatement>, Vec<BooleanStatement>),
    /// `while (e) do … od`
    While(BooleanExpr, Vec<BooleanStatement>),
    /// `goto`
    Goto(String),
    /// `return`
    Return,
}

/// Computes the Boolean program of the function of `cfg`.
pub fn compute(program: &Program, cfg: &Cfg, predicates: &PredicateSet, config: &Config) -> Result<BooleanProgram> {
    let mut abstracter = Abstracter {
        program,
        cfg,
        predicates,
        translator: Translator::new(&cfg.variables, config.arithmetic, config.overflow),
        solver: Solver::new(config.jobs, config.timeout).until(config.limit.map(|limit| limit.end)),
        labels: 0,
        jumps: Vec::new(),
        cases: Vec::new(),
    };
    let body = abstracter.statements(&cfg.outline)?;
    let impossible = abstracter.impossible(config)?;
    Ok(BooleanProgram {
        function: cfg.function.clone(),
        variables: predicates.predicates.iter().map(|p| p.name.clone()).collect(),
        impossible,
        body,
    })
}

struct Abstracter<'a> {
    program: &'a Program,
    cfg: &'a Cfg,
    predicates: &'a PredicateSet,
    translator: Translator,
    solver: Solver,
    /// How many labels were made up.
    labels: usize,
    /// Where `break` and `continue` lead, innermost last.
    jumps: Vec<Jumps>,
    /// The labels made up for the cases of the open switches, innermost last.
    cases: Vec<Vec<String>>,
}

/// Labels for `break` and `continue`, made up when they are needed; `continue` passes through a switch.
struct Jumps {
    end: String,
    end_used: bool,
    next: Option<String>,
    next_used: bool,
}

impl Abstracter<'_> {
    /// Consecutive effects without a point in between are one.
    fn statements(&mut self, outlines: &[Outline]) -> Result<Vec<BooleanStatement>> {
        let mut statements = Vec::new();
        let mut index = 0;
        while index < outlines.len() {
            if let Outline::Effect(start, end) = &outlines[index] {
                let (start, mut end) = (start, end);
                while let Some(Outline::Effect(next, last)) = outlines.get(index + 1)
                    && next.location == end.location
                    && self.cfg.point_at[next.location.index()].is_none()
                {
                    end = last;
                    index += 1;
                }
                self.effect(start, end, &mut statements)?;
            } else {
                self.statement(&outlines[index], &mut statements)?;
            }
            index += 1;
        }
        Ok(statements)
    }

    fn label(&mut self, what: &str) -> String {
        self.labels += 1;
        format!("{what}{}", self.labels)
    }

    fn statement(&mut self, outline: &Outline, statements: &mut Vec<BooleanStatement>) -> Result<()> {
        match outline {
            Outline::Effect(..) => unreachable!("effects are joined first"),
            Outline::Label(name) => statements.push(BooleanStatement::Label(name.clone())),
            Outline::Goto(name) => statements.push(BooleanStatement::Goto(name.clone())),
            Outline::Return => statements.push(BooleanStatement::Return),
            Outline::If(test, then, otherwise) => {
                let condition = self.decision(test, statements)?;
                let then = self.statements(then)?;
                let otherwise = self.statements(otherwise)?;
                statements.push(BooleanStatement::If(condition, then, otherwise));
            }
            Outline::While(test, body) => self.repeat(Some(test), body, &[], statements)?,
            Outline::For(test, body, step) => {
                self.repeat(test.as_ref(), body, step, statements)?;
            }
            Outline::DoWhile(body, test) => self.repeat_until(body, test, statements)?,
            Outline::Switch(tests, body) => self.switch(tests, body, statements)?,
            Outline::Case => {
                let name = self.label("case_");
                let cases = self.cases.last_mut().expect("a case label is inside a switch");
                cases.push(name.clone());
                statements.push(BooleanStatement::Label(name));
            }
            Outline::Break => {
                let jumps = self.jumps.last_mut().expect("a break is inside something");
                jumps.end_used = true;
                statements.push(BooleanStatement::Goto(jumps.end.clone()));
            }
            Outline::Continue => {
                let jumps = self.jumps.iter_mut().rev().find(|jumps| jumps.next.is_some());
                let jumps = jumps.expect("a continue is inside a loop");
                jumps.next_used = true;
                let next = jumps.next.clone().expect("it was looked for");
                statements.push(BooleanStatement::Goto(next));
            }
        }
        Ok(())
    }

    fn enter(&mut self, is_loop: bool) {
        let end = self.label("end_");
        let next = is_loop.then(|| self.label("next_"));
        self.jumps.push(Jumps { end, end_used: false, next, next_used: false });
    }

    /// A loop with its test first.
    fn repeat(
        &mut self,
        test: Option<&Test>,
        body: &[Outline],
        step: &[Outline],
        statements: &mut Vec<BooleanStatement>,
    ) -> Result<()> {
        self.enter(true);
        let mut inside = self.statements(body)?;
        let jumps = self.jumps.pop().expect("it was pushed");
        if jumps.next_used {
            inside.push(BooleanStatement::Label(jumps.next.expect("a loop has a next round")));
            if step.is_empty() {
                inside.push(BooleanStatement::Skip);
            }
        }
        inside.extend(self.statements(step)?);
        match test {
            None => {
                statements.push(BooleanStatement::While(BooleanExpr::Constant(true), inside));
            }
            Some(test) if test.is_pure() => {
                let condition = self.test(test)?;
                statements.push(BooleanStatement::While(condition, inside));
            }
            Some(test) => {
                // A test with side effects is evaluated inside an endless loop.
                let mut round = Vec::new();
                let condition = self.decision(test, &mut round)?;
                inside.push(BooleanStatement::Skip);
                let leave = self.label("end_");
                let stop = vec![BooleanStatement::Goto(leave.clone())];
                round.push(BooleanStatement::If(condition, inside, stop));
                statements.push(BooleanStatement::While(BooleanExpr::Constant(true), round));
                statements.push(BooleanStatement::Label(leave));
                statements.push(BooleanStatement::Skip);
            }
        }
        leave(statements, jumps.end_used, jumps.end);
        Ok(())
    }

    /// A loop with its test last.
    fn repeat_until(&mut self, body: &[Outline], test: &Test, statements: &mut Vec<BooleanStatement>) -> Result<()> {
        let again = self.label("again_");
        statements.push(BooleanStatement::Label(again.clone()));
        self.enter(true);
        let inside = self.statements(body)?;
        let jumps = self.jumps.pop().expect("it was pushed");
        if inside.is_empty() {
            statements.push(BooleanStatement::Skip);
        }
        statements.extend(inside);
        if jumps.next_used {
            let next = jumps.next.expect("a loop has a next round");
            statements.push(BooleanStatement::Label(next));
        }
        let condition = self.decision(test, statements)?;
        let repeat = vec![BooleanStatement::Goto(again)];
        statements.push(BooleanStatement::If(condition, repeat, Vec::new()));
        leave(statements, jumps.end_used, jumps.end);
        Ok(())
    }

    /// The tests of the cases as jumps, then the body with its labels.
    fn switch(
        &mut self,
        tests: &[Option<Test>],
        body: &[Outline],
        statements: &mut Vec<BooleanStatement>,
    ) -> Result<()> {
        self.enter(false);
        self.cases.push(Vec::new());
        let inside = self.statements(body)?;
        let mut jumps = self.jumps.pop().expect("it was pushed");
        let names = self.cases.pop().expect("it was pushed");
        let mut otherwise = None;
        for (test, name) in tests.iter().zip(names) {
            match test {
                None => otherwise = Some(name),
                Some(test) => {
                    let condition = self.test(test)?;
                    let jump = vec![BooleanStatement::Goto(name)];
                    statements.push(BooleanStatement::If(condition, jump, Vec::new()));
                }
            }
        }
        statements.push(BooleanStatement::Goto(otherwise.unwrap_or_else(|| {
            jumps.end_used = true;
            jumps.end.clone()
        })));
        statements.extend(inside);
        leave(statements, jumps.end_used, jumps.end);
        Ok(())
    }

    /// The condition of a decision; side effects of its evaluation come before it.
    fn decision(&mut self, test: &Test, statements: &mut Vec<BooleanStatement>) -> Result<BooleanExpr> {
        if test.is_pure() {
            return self.test(test);
        }
        match test {
            Test::Atom(start, site, _) => {
                self.effect(start, site, statements)?;
                self.test(test)
            }
            Test::Not(inner) => {
                let inner = self.decision(inner, statements)?;
                Ok(BooleanExpr::Not(Box::new(inner)))
            }
            // The second operand is evaluated only sometimes: its effects are forgotten, so nothing is known of it or
            // of what it may change.
            Test::And(..) | Test::Or(..) | Test::Choose(..) => {
                let unknown =
                    (0..self.predicates.predicates.len()).map(|variable| (variable, BooleanExpr::Unknown)).collect();
                statements.push(BooleanStatement::Assign(unknown));
                Ok(BooleanExpr::Unknown)
            }
        }
    }

    fn test(&mut self, test: &Test) -> Result<BooleanExpr> {
        Ok(match test {
            Test::Atom(_, site, condition) => {
                let mut ignored = Defined::default();
                let formula = self
                    .translator
                    .condition(condition, &Values::new(), &mut ignored)
                    .map_err(|problem| inexpressible(self.program, self.cfg, problem, site.location))?;
                let old = self.formulas(site)?;
                self.function(&old, &[], formula)
            }
            Test::Not(inner) => match self.test(inner)? {
                BooleanExpr::Sum(cubes) => match cubes.as_slice() {
                    [cube] if cube.len() == 1 => BooleanExpr::Sum(vec![vec![(cube[0].0, !cube[0].1)]]),
                    _ => BooleanExpr::Not(Box::new(BooleanExpr::Sum(cubes))),
                },
                BooleanExpr::Constant(value) => BooleanExpr::Constant(!value),
                BooleanExpr::Unknown => BooleanExpr::Unknown,
                other => BooleanExpr::Not(Box::new(other)),
            },
            Test::And(a, b) => BooleanExpr::And(Box::new(self.test(a)?), Box::new(self.test(b)?)),
            Test::Or(a, b) => BooleanExpr::Or(Box::new(self.test(a)?), Box::new(self.test(b)?)),
            Test::Choose(c, a, b) => {
                BooleanExpr::Choose(Box::new(self.test(c)?), Box::new(self.test(a)?), Box::new(self.test(b)?))
            }
        })
    }

    /// The predicates that can be observed at a site, as formulas.
    fn formulas(&mut self, site: &Site) -> Result<Vec<(usize, Term)>> {
        let mut formulas = Vec::new();
        for position in 0..self.predicates.predicates.len() {
            let Some(expr) = self.predicates.at_site(self.program, position, site) else {
                continue;
            };
            let mut ignored = Defined::default();
            let formula = self
                .translator
                .condition(&expr, &Values::new(), &mut ignored)
                .map_err(|problem| inexpressible(self.program, self.cfg, problem, site.location))?;
            formulas.push((position, formula));
        }
        Ok(formulas)
    }

    /// What happens from one site to another.
    fn effect(&mut self, start: &Site, end: &Site, statements: &mut Vec<BooleanStatement>) -> Result<()> {
        let transfer = transfer_to(self.cfg, &mut self.translator, start.location, Some(end.location))
            .map_err(|(problem, location)| inexpressible(self.program, self.cfg, problem, location))?;
        let old = self.formulas(start)?;
        let new = self.formulas(end)?;
        let passes_points = transfer.exits.iter().any(|exit| matches!(exit.target, Target::Point(_)));
        if passes_points {
            // A loop inside a callee: it may change anything it writes.
            let unknown = new.iter().map(|(p, _)| (*p, BooleanExpr::Unknown)).collect();
            statements.push(BooleanStatement::Assign(unknown));
            return Ok(());
        }
        self.ways_out(&transfer, &old, statements);
        let nothing_happens = start.location == end.location;
        let exit = transfer.exits.into_iter().find(|exit| exit.target == Target::Stop);
        let (values, guard) = match exit {
            Some(exit) => (exit.values, self.translator.terms.conjuncts(exit.guard)),
            // Only the names mean something else.
            None if nothing_happens => (Values::new(), Vec::new()),
            None => {
                statements.push(BooleanStatement::Assume(BooleanExpr::Constant(false)));
                return Ok(());
            }
        };
        let values: BTreeMap<_, _> =
            values.iter().map(|(variable, value)| (self.translator.symbol(*variable), *value)).collect();
        let mut assignments = Vec::new();
        for (position, formula) in new {
            let changed = self.translator.terms.substitute(formula, &values);
            if !old.contains(&(position, changed)) {
                assignments.push((position, self.function(&old, &guard, changed)));
            }
        }
        let nothing_known = assignments.iter().all(|(_, value)| *value == BooleanExpr::Unknown);
        if start.location == self.cfg.entry && nothing_known {
            // Variables start with any value: a prelude that tells nothing need not be said.
            return Ok(());
        }
        statements.push(if assignments.is_empty() {
            BooleanStatement::Skip
        } else {
            BooleanStatement::Assign(assignments)
        });
        Ok(())
    }

    /// Failing assertions, ends of the program and failing assumptions inside an effect.
    fn ways_out(&mut self, transfer: &Transfer, old: &[(usize, Term)], statements: &mut Vec<BooleanStatement>) {
        for exit in &transfer.exits {
            let taken = self.function(old, &[], exit.guard);
            match (exit.target, taken) {
                (Target::Error, BooleanExpr::Constant(false)) | (Target::Halt, BooleanExpr::Constant(false)) => {}
                (Target::Error, taken) => {
                    let holds = BooleanExpr::Not(Box::new(taken));
                    statements.push(BooleanStatement::Assert(holds));
                }
                (Target::Halt, taken) => {
                    let end = vec![BooleanStatement::Return];
                    statements.push(BooleanStatement::If(taken, end, Vec::new()));
                }
                _ => {}
            }
        }
        // What is assumed away for sure restricts the program; what may be assumed away does not.
        if let BooleanExpr::Sum(cubes) = self.function(old, &[], transfer.assumed_away) {
            let holds = BooleanExpr::Not(Box::new(BooleanExpr::Sum(cubes)));
            statements.push(BooleanStatement::Assume(holds));
        }
    }

    /// The value of a formula as a function of the old values, for the states in which `guard` holds.
    fn function(&mut self, old: &[(usize, Term)], guard: &[Term], formula: Term) -> BooleanExpr {
        let terms = &mut self.translator.terms;
        if let Some(value) = terms.as_bool(formula) {
            return BooleanExpr::Constant(value);
        }
        for &(position, known) in old {
            if known == formula {
                return literal(position, true);
            }
            if terms.not(known) == formula {
                return literal(position, false);
            }
        }
        let inputs = self.inputs(old, guard, formula);
        let mut asked: Vec<Term> = inputs.iter().map(|(_, term)| *term).collect();
        asked.push(formula);
        let limit = 1 << (MAX_INPUTS + 2);
        let question = Question::Combinations(guard.to_vec(), asked, limit);
        let answer = self.solver.combinations(&self.translator.terms, &question);
        // What is not listed may be possible all the same.
        if answer.truncated {
            return BooleanExpr::Unknown;
        }
        let mut table: BTreeMap<Vec<bool>, BTreeSet<bool>> = BTreeMap::new();
        for mut values in answer.found.into_iter().chain(answer.possible) {
            let value = values.pop().expect("the formula was asked for");
            table.entry(values).or_default().insert(value);
        }
        let rows = |wanted: &[bool]| -> Vec<Vec<bool>> {
            table
                .iter()
                .filter(|(_, values)| values.iter().copied().eq(wanted.iter().copied()))
                .map(|(row, _)| row.clone())
                .collect()
        };
        let (always, never, either) = (rows(&[true]), rows(&[false]), rows(&[false, true]));
        let positions: Vec<usize> = inputs.iter().map(|(position, _)| *position).collect();
        let sum = |on: &[Vec<bool>], off: &[&[Vec<bool>]]| {
            let off: Vec<Vec<bool>> = off.concat();
            cover(on, &off, &positions)
        };
        let constant = |value| Box::new(BooleanExpr::Constant(value));
        match (always.is_empty(), never.is_empty(), either.is_empty()) {
            (_, true, true) => BooleanExpr::Constant(true),
            (true, _, true) => BooleanExpr::Constant(false),
            (_, _, true) => sum(&always, &[&never]),
            (true, true, false) => BooleanExpr::Unknown,
            (true, false, false) => {
                BooleanExpr::Choose(Box::new(sum(&never, &[&either])), constant(false), Box::new(BooleanExpr::Unknown))
            }
            (false, true, false) => {
                BooleanExpr::Choose(Box::new(sum(&always, &[&either])), constant(true), Box::new(BooleanExpr::Unknown))
            }
            (false, false, false) => BooleanExpr::Choose(
                Box::new(sum(&always, &[&never, &either])),
                constant(true),
                Box::new(BooleanExpr::Choose(
                    Box::new(sum(&never, &[&always, &either])),
                    constant(false),
                    Box::new(BooleanExpr::Unknown),
                )),
            ),
        }
    }

    /// The old values that can matter for a formula: those that share symbols with it, directly first.
    fn inputs(&self, old: &[(usize, Term)], guard: &[Term], formula: Term) -> Vec<(usize, Term)> {
        let terms = &self.translator.terms;
        let mut symbols: BTreeSet<_> = terms.symbols(formula).iter().copied().collect();
        for part in guard {
            if terms.symbols(*part).iter().any(|symbol| symbols.contains(symbol)) {
                symbols.extend(terms.symbols(*part).iter().copied());
            }
        }
        let mut chosen: Vec<(usize, Term)> = Vec::new();
        loop {
            let near: Vec<(usize, Term)> = old
                .iter()
                .copied()
                .filter(|pair| !chosen.contains(pair))
                .filter(|(_, term)| terms.symbols(*term).iter().any(|s| symbols.contains(s)))
                .collect();
            if near.is_empty() || chosen.len() >= MAX_INPUTS {
                break;
            }
            for (_, term) in &near {
                symbols.extend(terms.symbols(*term).iter().copied());
            }
            chosen.extend(near);
        }
        chosen.truncate(MAX_INPUTS);
        chosen.sort_unstable();
        chosen
    }

    /// Conjunctions that no state satisfies, for groups of predicates that share variables.
    fn impossible(&mut self, config: &Config) -> Result<Vec<Cube>> {
        let mut context = match Context::new(self.program, self.cfg, self.predicates, config, &|_, _| {}) {
            Ok(context) => context,
            Err(Stop::Error(error)) => return Err(error),
            // Nothing is known to be impossible.
            Err(Stop::Limit(_)) => return Ok(Vec::new()),
        };
        let fullest = context.blocks.iter().map(|block| block.formulas.clone()).max_by_key(Vec::len);
        let mut open = fullest.unwrap_or_default();
        let mut cubes = Vec::new();
        while let Some(&(_, seed)) = open.first() {
            let terms = &context.translator.terms;
            let all: Vec<Term> = open.iter().map(|(_, term)| *term).collect();
            let group = super::may::related(terms, &all, &[seed]);
            let mut members: Vec<(usize, Term)> =
                open.iter().copied().filter(|(_, term)| group.contains(term) || *term == seed).collect();
            open.retain(|pair| !members.contains(pair));
            members.truncate(MAX_INPUTS);
            let asked = members.iter().map(|(_, term)| *term).collect();
            let question = Question::Combinations(Vec::new(), asked, 1 << (MAX_INPUTS + 1));
            let answer = context.solver.combinations(&context.translator.terms, &question);
            // What is not listed may be possible all the same.
            if answer.truncated {
                continue;
            }
            let feasible: Vec<Vec<bool>> = answer.found.into_iter().chain(answer.possible).collect();
            let infeasible: Vec<Vec<bool>> = all_rows(members.len()).filter(|row| !feasible.contains(row)).collect();
            let positions: Vec<usize> = members.iter().map(|(position, _)| *position).collect();
            if let BooleanExpr::Sum(more) = cover(&infeasible, &feasible, &positions) {
                cubes.extend(more);
            }
        }
        Ok(cubes)
    }
}

fn leave(statements: &mut Vec<BooleanStatement>, used: bool, end: String) {
    if used {
        statements.push(BooleanStatement::Label(end));
        statements.push(BooleanStatement::Skip);
    }
}

fn literal(variable: usize, value: bool) -> BooleanExpr {
    BooleanExpr::Sum(vec![vec![(variable, value)]])
}

fn all_rows(width: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1usize << width).map(move |row| (0..width).map(|bit| row >> bit & 1 == 1).collect())
}

/// A small sum of products that is true on all of `on` and false on all of `off`; elsewhere it is free.
///
/// Among all products that avoid `off`, the largest that covers most of what is left is taken, again and again. Products
/// are tried from few to many literals, so the first that fits is a prime implicant.
fn cover(on: &[Vec<bool>], off: &[Vec<bool>], positions: &[usize]) -> BooleanExpr {
    if on.is_empty() {
        return BooleanExpr::Constant(false);
    }
    if off.is_empty() {
        return BooleanExpr::Constant(true);
    }
    // A product is a choice of true, false or free for each input.
    let mut products: Vec<Vec<Option<bool>>> = vec![Vec::new()];
    for _ in positions {
        products = products
            .into_iter()
            .flat_map(|prefix| {
                [None, Some(true), Some(false)].into_iter().map(move |choice| {
                    let mut longer = prefix.clone();
                    longer.push(choice);
                    longer
                })
            })
            .collect();
    }
    let matches = |product: &[Option<bool>], row: &[bool]| {
        product.iter().zip(row).all(|(choice, value)| choice.is_none_or(|c| c == *value))
    };
    products.retain(|product| !off.iter().any(|row| matches(product, row)));
    products.sort_by_key(|product| product.iter().flatten().count());
    let mut left: Vec<&Vec<bool>> = on.iter().collect();
    let mut cubes = Vec::new();
    while !left.is_empty() {
        let literals = |product: &[Option<bool>]| product.iter().flatten().count();
        let best = products
            .iter()
            .max_by(|a, b| {
                let covered = |p: &[Option<bool>]| left.iter().filter(|row| matches(p, row)).count();
                covered(a)
                    .cmp(&covered(b))
                    .then(literals(b).cmp(&literals(a)))
                    // Of equals the first in order, so that the result does not depend on the sort.
                    .then(b.cmp(a))
            })
            .expect("the row itself is a product that avoids the others")
            .clone();
        left.retain(|row| !matches(&best, row));
        cubes.push(
            best.iter()
                .zip(positions)
                .filter_map(|(choice, position)| choice.map(|value| (*position, value)))
                .collect(),
        );
    }
    BooleanExpr::Sum(cubes)
}
