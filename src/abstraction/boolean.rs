//! The Boolean program: the structure of the source, with one Boolean variable for each predicate.
//!
//! For each effect the new value of a predicate is a function of the old values: true where they guarantee it, false where
//! they exclude it, `*` where nothing is known. The function is a table, filled by asking which old values and which new
//! value are possible together; it is printed as a smallest sum of products, with the valuations that no state has as
//! don't-cares. So it is the most precise function over the chosen old values (the ones that share variables with the
//! new one).
//!
//! A decision with side effects follows the short circuit: its condition is said in the values before, and what it
//! changes is assigned at the start of both branches.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::inexpressible;
use crate::cfg::{Cfg, Outline, Site, Test};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::logic::solver::{Question, Solver};
use crate::logic::term::{Symbol, Term};
use crate::logic::transfer::{Target, Transfer, transfer_to};
use crate::logic::translate::{Defined, Translator, Values};
use crate::memory;
use crate::predicates::PredicateSet;
use crate::program::{Expr, Program};

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
        translator: Translator::new(
            Arc::new(memory::lay_out(cfg, config, &predicates.meanings())),
            config.arithmetic,
            config.followed_overflow(),
        ),
        solver: Solver::new(config.jobs, config.timeout)?.until(config.limit.map(|limit| limit.end), &config.stop),
        impossible: Vec::new(),
        labels: 0,
        jumps: Vec::new(),
        cases: Vec::new(),
    };
    abstracter.impossible = abstracter.impossible()?;
    let body = abstracter.statements(&cfg.outline)?;
    Ok(BooleanProgram {
        function: cfg.function.clone(),
        variables: predicates.predicates.iter().map(|p| p.name.clone()).collect(),
        impossible: abstracter.impossible,
        body,
    })
}

struct Abstracter<'a> {
    program: &'a Program,
    cfg: &'a Cfg,
    predicates: &'a PredicateSet,
    translator: Translator,
    solver: Solver,
    /// Conjunctions of literals that no state satisfies.
    impossible: Vec<Cube>,
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

/// What happens from one site to another, in terms of the state at the first.
struct Composed {
    /// The predicates at the first site.
    old: Vec<(usize, Term)>,
    /// The predicates at the second.
    new: Vec<(usize, Term)>,
    /// The values at the second.
    values: BTreeMap<Symbol, Term>,
    /// When the second is reached.
    guard: Vec<Term>,
    /// Failing assertions, ends of the program and failing assumptions on the way.
    ways_out: Vec<BooleanStatement>,
}

/// An atomic condition with its side effects.
struct Evaluated {
    /// What may end the evaluation.
    ways_out: Vec<BooleanStatement>,
    /// The outcome, in terms of the values before.
    condition: BooleanExpr,
    /// What it has changed if it holds.
    then: Vec<BooleanStatement>,
    /// What it has changed if not.
    otherwise: Vec<BooleanStatement>,
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
            Outline::JumpOut(span) => {
                return Err(Error::source(
                    &self.program.sources,
                    *span,
                    "a jump out of a statement expression cannot be said in a Boolean program",
                    "control leaves in the middle of this",
                    "write the statement expression as statements",
                ));
            }
            Outline::If(test, then, otherwise) => {
                let then = self.statements(then)?;
                let otherwise = self.statements(otherwise)?;
                self.branch(test, then, otherwise, statements)?;
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
        let mut jumps = self.jumps.pop().expect("it was pushed");
        if jumps.next_used {
            inside.push(BooleanStatement::Label(jumps.next.take().expect("a loop has a next round")));
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
                if let Some(Evaluated { condition, mut then, otherwise, .. }) = self.evaluated_in_place(test)? {
                    then.extend(inside);
                    statements.push(BooleanStatement::While(condition, then));
                    statements.extend(otherwise);
                } else {
                    jumps.end_used = true;
                    let stop = vec![BooleanStatement::Goto(jumps.end.clone())];
                    let mut round = Vec::new();
                    self.branch(test, inside, stop, &mut round)?;
                    statements.push(BooleanStatement::While(BooleanExpr::Constant(true), round));
                }
            }
        }
        leave(statements, jumps.end_used, jumps.end);
        Ok(())
    }

    /// A loop with its test last: the body once, then a loop with the test first, if the body is simple enough to be
    /// there twice.
    fn repeat_until(&mut self, body: &[Outline], test: &Test, statements: &mut Vec<BooleanStatement>) -> Result<()> {
        self.enter(true);
        let mut inside = self.statements(body)?;
        let mut jumps = self.jumps.pop().expect("it was pushed");
        // What stands at a label is passed in every round.
        let labelled = matches!(statements.last(), Some(BooleanStatement::Label(_)));
        if !labelled
            && inside.iter().all(is_simple)
            && let Some(Evaluated { condition, mut then, otherwise, .. }) = self.evaluated_in_place(test)?
        {
            then.extend(inside.iter().cloned());
            statements.extend(inside);
            statements.push(BooleanStatement::While(condition, then));
            statements.extend(otherwise);
            return Ok(());
        }
        if jumps.next_used {
            inside.push(BooleanStatement::Label(jumps.next.take().expect("a loop has a next round")));
        }
        jumps.end_used = true;
        let stop = vec![BooleanStatement::Goto(jumps.end.clone())];
        self.branch(test, Vec::new(), stop, &mut inside)?;
        statements.push(BooleanStatement::While(BooleanExpr::Constant(true), inside));
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

    /// A decision, and what is done if it holds and if not.
    ///
    /// A block that several ways lead to is there once: the ways fall through to it, the others jump behind it.
    fn branch(
        &mut self,
        test: &Test,
        mut yes: Vec<BooleanStatement>,
        mut no: Vec<BooleanStatement>,
        statements: &mut Vec<BooleanStatement>,
    ) -> Result<()> {
        if test.is_pure() {
            let condition = self.test(test)?;
            push_if(condition, yes, no, statements);
            return Ok(());
        }
        match test {
            Test::Atom(start, site, _) => {
                let after = self.test(test)?;
                if after.is_known() {
                    self.effect(start, site, statements)?;
                    push_if(after, yes, no, statements);
                    return Ok(());
                }
                let Evaluated { ways_out, condition, mut then, mut otherwise } = self.evaluate(test)?;
                statements.extend(ways_out);
                then.extend(yes);
                otherwise.extend(no);
                push_if(condition, then, otherwise, statements);
            }
            Test::Not(inner) => self.branch(inner, no, yes, statements)?,
            Test::And(a, b) => {
                let mut second = Vec::new();
                if is_short(&no) {
                    self.branch(b, yes, no.clone(), &mut second)?;
                    self.branch(a, second, no, statements)?;
                } else {
                    let end = self.label("end_");
                    yes.push(BooleanStatement::Goto(end.clone()));
                    self.branch(b, yes, Vec::new(), &mut second)?;
                    self.branch(a, second, Vec::new(), statements)?;
                    statements.extend(no);
                    leave(statements, true, end);
                }
            }
            Test::Or(a, b) => {
                let mut second = Vec::new();
                if is_short(&yes) {
                    self.branch(b, yes.clone(), no, &mut second)?;
                    self.branch(a, yes, second, statements)?;
                } else {
                    let end = self.label("end_");
                    no.push(BooleanStatement::Goto(end.clone()));
                    self.branch(b, Vec::new(), no, &mut second)?;
                    self.branch(a, Vec::new(), second, statements)?;
                    statements.extend(yes);
                    leave(statements, true, end);
                }
            }
            Test::Choose(c, a, b) => {
                let (other, end) = (self.label("else_"), self.label("end_"));
                let fails = if no.is_empty() { &end } else { &other };
                let stop = vec![BooleanStatement::Goto(fails.clone())];
                let (mut first, mut second) = (Vec::new(), Vec::new());
                self.branch(a, Vec::new(), stop.clone(), &mut first)?;
                self.branch(b, Vec::new(), stop, &mut second)?;
                self.branch(c, first, second, statements)?;
                statements.extend(yes);
                if !no.is_empty() {
                    statements.push(BooleanStatement::Goto(end.clone()));
                    statements.push(BooleanStatement::Label(other));
                    statements.extend(no);
                }
                leave(statements, true, end);
            }
        }
        Ok(())
    }

    /// The evaluation of a decision, if it can be the condition of a loop: nothing but its outcome ends it.
    fn evaluated_in_place(&mut self, test: &Test) -> Result<Option<Evaluated>> {
        if test.is_pure() {
            let condition = self.test(test)?;
            return Ok(Some(Evaluated { ways_out: Vec::new(), condition, then: Vec::new(), otherwise: Vec::new() }));
        }
        Ok(match test {
            Test::Atom(..) => Some(self.evaluate(test)?).filter(|evaluated| evaluated.ways_out.is_empty()),
            Test::Not(inner) => self.evaluated_in_place(inner)?.map(|inner| Evaluated {
                condition: inner.condition.negated(),
                then: inner.otherwise,
                otherwise: inner.then,
                ..inner
            }),
            Test::And(..) | Test::Or(..) | Test::Choose(..) => None,
        })
    }

    /// An atomic condition with side effects: what it decides, and what it changes.
    fn evaluate(&mut self, test: &Test) -> Result<Evaluated> {
        let Test::Atom(start, site, condition) = test else { unreachable!("only atomic conditions are evaluated") };
        let mut composed = self.compose(start, site)?;
        let (outcome, guard) = self.condition(condition, site)?;
        let terms = &mut self.translator.terms;
        let outcome = terms.substitute(outcome, &composed.values);
        composed.guard.extend(guard.into_iter().map(|part| terms.substitute(part, &composed.values)));
        let fails = self.translator.terms.not(outcome);
        let condition = self.function(&composed.old, &composed.guard, outcome);
        let [then, otherwise] = [outcome, fails].map(|outcome| {
            let assignments = self.assignments(&composed, Some(outcome));
            if assignments.is_empty() { Vec::new() } else { vec![BooleanStatement::Assign(assignments)] }
        });
        Ok(Evaluated { ways_out: composed.ways_out, condition, then, otherwise })
    }

    fn test(&mut self, test: &Test) -> Result<BooleanExpr> {
        Ok(match test {
            Test::Atom(_, site, condition) => {
                let (formula, guard) = self.condition(condition, site)?;
                let old = self.formulas(site)?;
                self.function(&old, &guard, formula)
            }
            Test::Not(inner) => self.test(inner)?.negated(),
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
            let formula = self
                .translator
                .predicate(&expr)
                .map_err(|problem| inexpressible(self.program, self.cfg, problem, site.location))?;
            formulas.push((position, formula));
        }
        Ok(formulas)
    }

    /// An atomic condition of the program as a formula, and when its evaluation goes on.
    fn condition(&mut self, condition: &Expr, site: &Site) -> Result<(Term, Vec<Term>)> {
        let mut defined = Defined::default();
        let formula = self
            .translator
            .condition(condition, &Values::new(), &mut defined)
            .map_err(|problem| inexpressible(self.program, self.cfg, problem, site.location))?;
        Ok((formula, [defined.no_overflow, defined.otherwise].concat()))
    }

    /// What happens from one site to another, as a statement.
    fn effect(&mut self, start: &Site, end: &Site, statements: &mut Vec<BooleanStatement>) -> Result<()> {
        let composed = self.compose(start, end)?;
        let assignments = self.assignments(&composed, None);
        statements.extend(composed.ways_out);
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

    fn compose(&mut self, start: &Site, end: &Site) -> Result<Composed> {
        let transfer = transfer_to(self.cfg, &mut self.translator, start.location, end.location)
            .map_err(|(problem, location)| inexpressible(self.program, self.cfg, problem, location))?;
        let (old, new) = (self.formulas(start)?, self.formulas(end)?);
        let mut ways_out = Vec::new();
        self.ways_out(&transfer, &old, &mut ways_out);
        let nothing_happens = start.location == end.location;
        let exit = transfer.exits.into_iter().find(|exit| exit.target == Target::Stop);
        let (values, guard) = match exit {
            Some(exit) => (exit.values, self.translator.terms.conjuncts(exit.guard)),
            // Only the names mean something else.
            None if nothing_happens => (Values::new(), Vec::new()),
            None => {
                ways_out.push(BooleanStatement::Assume(BooleanExpr::Constant(false)));
                (Values::new(), Vec::new())
            }
        };
        let values = values.iter().map(|(variable, value)| (self.translator.symbol(*variable), *value)).collect();
        Ok(Composed { old, new, values, guard, ways_out })
    }

    /// The predicates that may have changed, with their new values, in the states for which `outcome` holds.
    fn assignments(&mut self, composed: &Composed, outcome: Option<Term>) -> Vec<(usize, BooleanExpr)> {
        let mut guard = composed.guard.clone();
        guard.extend(outcome);
        let mut assignments = Vec::new();
        for &(position, formula) in &composed.new {
            let changed = self.translator.terms.substitute(formula, &composed.values);
            if !composed.old.contains(&(position, changed)) {
                assignments.push((position, self.function(&composed.old, &guard, changed)));
            }
        }
        self.release(&composed.new, &mut assignments);
        assignments
    }

    /// A predicate that cannot be observed keeps an old value, which must not exclude the new ones of others.
    fn release(&self, observed: &[(usize, Term)], assignments: &mut Vec<(usize, BooleanExpr)>) {
        let mut touched: BTreeSet<usize> = assignments.iter().map(|(position, _)| *position).collect();
        loop {
            let linked = self.impossible.iter().filter(|cube| cube.iter().any(|(p, _)| touched.contains(p)));
            let more: BTreeSet<usize> = linked
                .flatten()
                .map(|(position, _)| *position)
                .filter(|position| !observed.iter().any(|(seen, _)| seen == position))
                .filter(|position| !touched.contains(position))
                .collect();
            if more.is_empty() {
                break;
            }
            assignments.extend(more.iter().map(|position| (*position, BooleanExpr::Unknown)));
            touched.extend(more);
        }
        assignments.sort_by_key(|(position, _)| *position);
    }

    /// Failing assertions, ends of the program and failing assumptions inside an effect.
    fn ways_out(&mut self, transfer: &Transfer, old: &[(usize, Term)], statements: &mut Vec<BooleanStatement>) {
        for exit in &transfer.exits {
            let taken = self.function(old, &[], exit.guard);
            match (exit.target, taken) {
                (Target::Error(_), BooleanExpr::Constant(false)) | (Target::Halt, BooleanExpr::Constant(false)) => {}
                (Target::Error(_), taken) => {
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
    fn impossible(&mut self) -> Result<Vec<Cube>> {
        let mut meanings: BTreeMap<usize, BTreeSet<Term>> = BTreeMap::new();
        let mut sites = Vec::new();
        sites_of(&self.cfg.outline, &mut sites);
        for site in sites {
            for (position, formula) in self.formulas(site)? {
                meanings.entry(position).or_default().insert(formula);
            }
        }
        // What means different things at different places takes no part: the cubes hold everywhere.
        let mut open: Vec<(usize, Term)> = meanings
            .into_iter()
            .filter(|(_, formulas)| formulas.len() == 1)
            .flat_map(|(position, formulas)| formulas.into_iter().map(move |formula| (position, formula)))
            .collect();
        let mut cubes = Vec::new();
        while let Some(&(_, seed)) = open.first() {
            let terms = &self.translator.terms;
            let all: Vec<Term> = open.iter().map(|(_, term)| *term).collect();
            let group = super::may::related(terms, &all, &[seed]);
            let mut members: Vec<(usize, Term)> =
                open.iter().copied().filter(|(_, term)| group.contains(term) || *term == seed).collect();
            open.retain(|pair| !members.contains(pair));
            members.truncate(MAX_INPUTS);
            let asked = members.iter().map(|(_, term)| *term).collect();
            let question = Question::Combinations(Vec::new(), asked, 1 << (MAX_INPUTS + 1));
            let answer = self.solver.combinations(&self.translator.terms, &question);
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

impl BooleanExpr {
    fn negated(self) -> BooleanExpr {
        match self {
            BooleanExpr::Sum(cubes) => match cubes.as_slice() {
                [cube] if cube.len() == 1 => literal(cube[0].0, !cube[0].1),
                _ => BooleanExpr::Not(Box::new(BooleanExpr::Sum(cubes))),
            },
            BooleanExpr::Constant(value) => BooleanExpr::Constant(!value),
            BooleanExpr::Unknown => BooleanExpr::Unknown,
            BooleanExpr::Not(inner) => *inner,
            BooleanExpr::Choose(c, a, b) => BooleanExpr::Choose(c, Box::new(a.negated()), Box::new(b.negated())),
            other => BooleanExpr::Not(Box::new(other)),
        }
    }

    /// Whether it has one value in each state.
    fn is_known(&self) -> bool {
        match self {
            BooleanExpr::Unknown => false,
            BooleanExpr::Constant(_) | BooleanExpr::Sum(_) => true,
            BooleanExpr::Not(inner) => inner.is_known(),
            BooleanExpr::And(a, b) | BooleanExpr::Or(a, b) => a.is_known() && b.is_known(),
            BooleanExpr::Choose(c, a, b) => c.is_known() && a.is_known() && b.is_known(),
        }
    }
}

/// Every site at which predicates are asked for.
fn sites_of<'a>(outlines: &'a [Outline], sites: &mut Vec<&'a Site>) {
    for outline in outlines {
        match outline {
            Outline::Effect(start, end) => sites.extend([start, end]),
            Outline::If(test, then, otherwise) => {
                sites_of_test(test, sites);
                sites_of(then, sites);
                sites_of(otherwise, sites);
            }
            Outline::While(test, body) | Outline::DoWhile(body, test) => {
                sites_of_test(test, sites);
                sites_of(body, sites);
            }
            Outline::For(test, body, step) => {
                if let Some(test) = test {
                    sites_of_test(test, sites);
                }
                sites_of(body, sites);
                sites_of(step, sites);
            }
            Outline::Switch(tests, body) => {
                tests.iter().flatten().for_each(|test| sites_of_test(test, sites));
                sites_of(body, sites);
            }
            Outline::Label(_)
            | Outline::Case
            | Outline::Goto(_)
            | Outline::Break
            | Outline::Continue
            | Outline::Return
            | Outline::JumpOut(_) => {}
        }
    }
}

fn sites_of_test<'a>(test: &'a Test, sites: &mut Vec<&'a Site>) {
    match test {
        Test::Atom(start, site, _) => sites.extend([start, site]),
        Test::Not(inner) => sites_of_test(inner, sites),
        Test::And(a, b) | Test::Or(a, b) => [a, b].into_iter().for_each(|test| sites_of_test(test, sites)),
        Test::Choose(c, a, b) => [c, a, b].into_iter().for_each(|test| sites_of_test(test, sites)),
    }
}

/// `if`, with a branch that is empty last.
fn push_if(
    condition: BooleanExpr,
    yes: Vec<BooleanStatement>,
    no: Vec<BooleanStatement>,
    statements: &mut Vec<BooleanStatement>,
) {
    statements.push(if yes.is_empty() && !no.is_empty() {
        BooleanStatement::If(condition.negated(), no, yes)
    } else {
        BooleanStatement::If(condition, yes, no)
    });
}

/// Whether a block may as well be there twice.
fn is_short(statements: &[BooleanStatement]) -> bool {
    matches!(statements, [] | [BooleanStatement::Goto(_) | BooleanStatement::Return])
}

/// Whether a statement may be there twice, and neither has nor is a way around others.
fn is_simple(statement: &BooleanStatement) -> bool {
    match statement {
        BooleanStatement::Skip
        | BooleanStatement::Assign(_)
        | BooleanStatement::Assume(_)
        | BooleanStatement::Assert(_) => true,
        BooleanStatement::If(_, then, otherwise) => then.iter().chain(otherwise).all(is_simple),
        BooleanStatement::Label(_)
        | BooleanStatement::While(..)
        | BooleanStatement::Goto(_)
        | BooleanStatement::Return => false,
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
    let mut chosen: Vec<Vec<Option<bool>>> = Vec::new();
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
        chosen.push(best);
    }
    // The later ones may have made an earlier one superfluous.
    let mut index = 0;
    while index < chosen.len() {
        let others = || chosen.iter().enumerate().filter(|(other, _)| *other != index);
        if on.iter().all(|row| others().any(|(_, product)| matches(product, row))) {
            chosen.remove(index);
        } else {
            index += 1;
        }
    }
    let cubes = chosen
        .iter()
        .map(|product| {
            let literals = product.iter().zip(positions);
            literals.filter_map(|(choice, position)| choice.map(|value| (*position, value))).collect()
        })
        .collect();
    BooleanExpr::Sum(cubes)
}
