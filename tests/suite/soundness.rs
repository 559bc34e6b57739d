//! lower ⊆ reached ⊆ upper, tested against the truth.
//!
//! Soundness is never a golden file: functions over 8-bit inputs are compiled with gcc and run on *every* input, and
//! what `pct` claims about them is compared with what they did. There are two sources of functions: those of
//! `tests/exhaustive`, written by hand for one construct of C each, and random ones, made from a seed that a failure
//! prints (`PCT_SEED=… PCT_RANDOM=… cargo test random_functions` repeats it) and shrunk before they are shown. Of those
//! of `tests/exhaustive`, `PCT_CASES=…` takes only the files whose names contain that.

#![allow(clippy::print_stderr, reason = "seeds and statistics are for the reader of the test log")]

mod analysis;
mod cases;
mod check;
mod executed;
mod generator;
mod native;
mod program;
mod random;
mod render;
mod shrink;
mod statistics;

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use rayon::prelude::*;

use analysis::{Analysis, Points, Question, Unanswered};
use cases::Case;
use check::{Claim, Probes, Violation};
use native::{OBSERVATIONS_PER_RUN, Overflow, ProbedProgram, Reached};
use program::{Definition, Expression, Kind, Pointee, Program, Shape, Type, for_each_statement};
use random::Random;
use render::Rendered;
use statistics::Statistics;

/// The seed when none is given: a change is tested by what it changes, not by the day. New seeds are `make soak`'s.
const SEED: u64 = 2004;

/// Random programs that are compiled together.
const BATCH: usize = 25;

/// How many failures are shown.
const SHOWN: usize = 20;

/// How many failing random programs are shrunk.
const SHRUNK: usize = 4;

/// How many smaller programs are tried when a random one fails.
const SHRINK_BUDGET: usize = 400;

#[test]
fn hand_written_functions_are_bounded_soundly() {
    let cases = cases::all();
    assert!(cases.len() >= 240, "tests/exhaustive has only {} files", cases.len());
    let chosen = std::env::var("PCT_CASES").unwrap_or_default();
    let is_chosen = |case: &&Case| case.file.file_name().is_some_and(|name| name.to_string_lossy().contains(&chosen));
    let cases: Vec<&Case> = cases.iter().filter(is_chosen).collect();
    assert!(!cases.is_empty(), "no file of tests/exhaustive has {chosen} in its name");
    let results: Vec<Result<Statistics, String>> = cases
        .par_iter()
        .map(|case| {
            let reached = run_one(&case.probed, case.question.overflow, OBSERVATIONS_PER_RUN);
            let outcome = analysis::analyze_file(&case.file, &case.question)
                .map_err(|unanswered| unanswered.to_string())
                .and_then(|analysis| judge(&analysis, &reached, &case.probes, &case.question, &case.probed));
            outcome.map_err(|what| describe(&case.file.display(), &what, &case.text, &case.question))
        })
        .collect();
    summarize("hand-written functions", results);
}

/// Every so many of the files of `tests/exhaustive`, or those that `PCT_CASES` chooses.
fn sample(every: usize) -> Vec<Case> {
    let chosen = std::env::var("PCT_CASES").unwrap_or_default();
    let is_chosen = |case: &Case| case.file.to_string_lossy().contains(&chosen);
    cases::all().into_iter().filter(is_chosen).step_by(if chosen.is_empty() { every } else { 1 }).collect()
}

/// What tests have shown is reached, and together with the lower bound it is nearly all that is. Every so many files, all
/// of them with `PCT_TESTED=1`.
#[test]
fn tests_show_what_hand_written_functions_reach() {
    let every = from_environment("PCT_TESTED").map_or(8, |every| every.max(1) as usize);
    let cases = sample(every);
    let results: Vec<Result<Shown, String>> = cases
        .par_iter()
        .map(|case| {
            let reached = run_one(&case.probed, case.question.overflow, OBSERVATIONS_PER_RUN);
            let tested = match analysis::test_file(&case.file, &case.question) {
                Ok(tested) => tested,
                Err(unanswered) => return Err(format!("{}: {unanswered}", case.file.display())),
            };
            let failed = |what: String| Err(describe(&case.file.display(), &what, &case.text, &case.question));
            if !tested.defects.is_empty() {
                return failed(tested.defects.join("\n"));
            }
            // The native runs may have fewer inputs than there are: arrays of one length, some numbers, no other memory.
            let beyond: Vec<String> = tested.witnessed.difference(&reached.states).cloned().collect();
            if case.has_all_inputs() && !beyond.is_empty() {
                return failed(format!("shown by tests, but not reached: {}", beyond.join(" ")));
            }
            let is_known =
                |state: &&String| tested.analysis.lower.contains(*state) || tested.witnessed.contains(*state);
            let missed = reached.states.iter().filter(|state| !is_known(state)).cloned().collect();
            Ok(Shown {
                file: case.file.clone(),
                reached: reached.states.len(),
                missed,
                seconds: tested.analysis.seconds,
            })
        })
        .collect();
    let (mut reached, mut missed, mut seconds) = (0, 0, 0.0);
    let mut failures = Vec::new();
    for result in results {
        match result {
            Ok(shown) => {
                reached += shown.reached;
                missed += shown.missed.len();
                seconds += shown.seconds;
                if !shown.missed.is_empty() {
                    eprintln!("{}: missed {}", shown.file.display(), shown.missed.join(" "));
                }
            }
            Err(failure) => failures.push(failure),
        }
    }
    eprintln!(
        "{} functions tested: {missed} of {reached} reached states in neither L nor T, {seconds:.0} s",
        cases.len()
    );
    assert!(failures.is_empty(), "{} failed\n\n{}", failures.len(), failures.join("\n\n"));
    assert!(missed * 20 <= reached, "{missed} of {reached} states that are reached are neither guaranteed nor shown");
}

/// What refinement proves is so. Every so many files; with `PCT_REFINED=1` all of them, and then it leaves little open.
#[test]
fn refinement_decides_hand_written_functions() {
    let every = from_environment("PCT_REFINED").map_or(16, |every| every.max(1) as usize);
    let cases = sample(every);
    let results: Vec<Result<(usize, usize), String>> = cases
        .par_iter()
        .map(|case| {
            let reached = run_one(&case.probed, case.question.overflow, OBSERVATIONS_PER_RUN);
            let refined = analysis::refine_file(&case.file, &case.question)
                .map_err(|unanswered| format!("{}: {unanswered}", case.file.display()))?;
            let failed = |what: String| describe(&case.file.display(), &what, &case.text, &case.question);
            if !refined.defects.is_empty() {
                return Err(failed(refined.defects.join("\n")));
            }
            judge(&refined.analysis, &reached, &case.probes, &case.question, &case.probed).map_err(failed)?;
            let is_open =
                |state: &&String| !refined.analysis.lower.contains(*state) && !refined.witnessed.contains(*state);
            let open: Vec<&String> = refined.analysis.upper.iter().filter(is_open).collect();
            if !open.is_empty() {
                eprintln!("{}: {} of {} open", case.file.display(), open.len(), refined.analysis.upper.len());
            }
            Ok((open.len(), refined.analysis.upper.len()))
        })
        .collect();
    let failures: Vec<String> = results.iter().filter_map(|result| result.clone().err()).collect();
    let (open, upper) = results.iter().flatten().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    eprintln!("{} functions refined: {open} of {upper} states open", cases.len());
    assert!(failures.is_empty(), "{} failed\n\n{}", failures.len(), failures.join("\n\n"));
    // The budget is on the clock, so this is for a machine that has nothing else to do.
    assert!(every > 1 || open * 100 <= upper * 3, "{open} of {upper} states are open after refinement");
}

/// What the tests of a function have shown.
struct Shown {
    file: std::path::PathBuf,
    reached: usize,
    /// Reached, but neither guaranteed nor shown.
    missed: Vec<String>,
    seconds: f64,
}

#[test]
fn random_functions_are_bounded_soundly() {
    let seed = from_environment("PCT_SEED").unwrap_or(SEED);
    let count = from_environment("PCT_RANDOM").unwrap_or(300);
    eprintln!("random functions: PCT_SEED={seed} PCT_RANDOM={count}");
    let indices: Vec<u64> = (0..count).collect();
    let results: Vec<Result<Statistics, Failure>> =
        indices.par_chunks(BATCH).flat_map(|indices| check_batch(seed, indices)).collect();
    let failures: Vec<&Failure> = results.iter().filter_map(|r| r.as_ref().err()).collect();
    let shrunk: Vec<String> = failures.par_iter().take(SHRUNK).map(|f| explain(f)).collect();
    eprint!("{}", shrunk.join("\n"));
    let results = results.into_iter().map(|result| result.map_err(|failure| failure.origin));
    summarize("random functions", results.collect());
}

#[test]
fn a_seed_always_makes_the_same_program() {
    let mut texts = BTreeSet::new();
    for seed in 0..50 {
        let first = render_valid(&generator::generate(seed), 0);
        let second = render_valid(&generator::generate(seed), 0);
        assert_eq!(first.text, second.text, "seed {seed}");
        assert_eq!(first.probed.source, second.probed.source, "seed {seed}");
        assert_eq!(first.question.predicates, second.question.predicates, "seed {seed}");
        texts.insert(first.text);
    }
    assert!(texts.len() > 45, "different seeds make different programs");
}

#[test]
fn the_generator_makes_all_kinds_of_statements() {
    let programs: Vec<Program> = (0..400).map(generator::generate).collect();
    let count = |test: &dyn Fn(&Kind) -> bool| {
        let has = |program: &&Program| {
            let mut found = false;
            for_each_statement(&program.body, &mut |s| found |= test(&s.kind));
            found
        };
        programs.iter().filter(has).count()
    };
    let writes = |kind: &Kind, test: &dyn Fn(&Expression) -> bool| match kind {
        Kind::Evaluate(Expression::Assign(_, target, _)) => test(target),
        _ => false,
    };
    let assigns = |kind: &Kind, test: &dyn Fn(&Expression) -> bool| match kind {
        Kind::Evaluate(Expression::Assign(_, _, value)) => test(value),
        _ => false,
    };
    let counts = [
        ("if", count(&|k| matches!(k, Kind::If { .. }))),
        ("while", count(&|k| matches!(k, Kind::While { .. }))),
        ("do", count(&|k| matches!(k, Kind::DoWhile { .. }))),
        ("for", count(&|k| matches!(k, Kind::For { .. }))),
        ("switch", count(&|k| matches!(k, Kind::Switch { .. }))),
        ("goto", count(&|k| matches!(k, Kind::Goto(_)))),
        ("break", count(&|k| matches!(k, Kind::Break))),
        ("continue", count(&|k| matches!(k, Kind::Continue))),
        ("block", count(&|k| matches!(k, Kind::Block(_)))),
        ("array", count(&|k| matches!(k, Kind::DeclareArray { .. }))),
        ("late assignment", count(&|k| matches!(k, Kind::Declare { value: None, .. }))),
        ("struct", count(&|k| matches!(k, Kind::DeclareRecord { length: None, .. }))),
        ("array of structs", count(&|k| matches!(k, Kind::DeclareRecord { length: Some(_), .. }))),
        ("pointer", count(&|k| matches!(k, Kind::DeclarePointer { pointee: Pointee::Number(_), .. }))),
        ("pointer to a struct", count(&|k| matches!(k, Kind::DeclarePointer { pointee: Pointee::Record, .. }))),
        ("pointer that walks", count(&|k| matches!(k, Kind::Walk { .. }))),
        ("assignment of a pointer", count(&|k| assigns(k, &|value| matches!(value, Expression::AddressOf(_))))),
        ("write through a pointer", count(&|k| writes(k, &|target| matches!(target, Expression::Pointed(_))))),
        ("write through an arrow", count(&|k| writes(k, &|target| matches!(target, Expression::Arrow(..))))),
        ("write to a member", count(&|k| writes(k, &|target| matches!(target, Expression::Member(..))))),
    ];
    for (what, count) in counts {
        assert!(count >= 8, "only {count} of {} programs have a {what}", programs.len());
    }
    let calls = |test: &dyn Fn(&Shape) -> bool| {
        let is_called = |program: &&Program| {
            let fits = |helper: &&Definition| helper.parameters.iter().chain([&helper.shape]).any(test);
            let names: Vec<&str> = program.helpers.iter().filter(fits).map(|helper| helper.names[0].as_str()).collect();
            let calls = |e: &Expression| matches!(e, Expression::Call(name, _) if names.contains(&name.as_str()));
            let mut found = false;
            for_each_statement(&program.body, &mut |statement| {
                found |= statement.kind.clone().expressions_mut().into_iter().any(|e| e.any(&calls));
            });
            found
        };
        programs.iter().filter(is_called).count()
    };
    let counts = [
        ("a pointer to a number", calls(&|shape| matches!(shape, Shape::Pointer(Pointee::Number(_))))),
        ("a pointer to a struct", calls(&|shape| *shape == Shape::Pointer(Pointee::Record))),
        ("a struct", calls(&|shape| *shape == Shape::Record)),
    ];
    for (what, count) in counts {
        assert!(count >= 8, "only {count} of {} programs call a function with {what}", programs.len());
    }
    for type_ in Type::ALL {
        let declares =
            |k: &Kind| matches!(k.declared(), Some((_, Shape::Number(t) | Shape::Array(t, _))) if t == type_);
        let count = count(&declares);
        assert!(count >= 8, "only {count} of {} programs have a variable of type {}", programs.len(), type_.name());
    }
    let in_labels_mode = programs.iter().filter(|p| p.points == Points::Labels).count();
    assert!((100..300).contains(&in_labels_mode));
}

#[test]
fn shrinking_keeps_the_property_and_little_else() {
    let multiplies = |e: &Expression| matches!(e, Expression::Binary("*", ..));
    let has_property = |program: &Program| {
        let mut found = false;
        for_each_statement(&program.body, &mut |statement| {
            let loops = matches!(statement.kind, Kind::While { .. } | Kind::For { .. });
            for block in statement.kind.blocks() {
                for_each_statement(block, &mut |inner| {
                    let mut kind = inner.kind.clone();
                    let mut expressions = kind.expressions_mut().into_iter();
                    found |= loops && expressions.any(|e| e.any(&multiplies));
                });
            }
        });
        found
    };
    let large = (0..)
        .map(generator::generate)
        .find(|program| has_property(program) && shrink::weight(program) > 150)
        .expect("some program has the property");
    let small = shrink::shrink(&large, 5_000, has_property);
    let text = render_valid(&small, 0).text;
    assert!(has_property(&small), "{text}");
    assert!(shrink::weight(&small) < 45, "{} of {text}", shrink::weight(&small));
    assert!(text.lines().count() < 10, "{text}");
}

#[test]
fn shrinking_never_returns_what_does_not_fail() {
    let program = generator::generate(1);
    assert_eq!(shrink::shrink(&program, 1_000, |_| false), program);
}

/// A function whose states are known: it is run, analysed by the real `pct`, and then the analysis is falsified.
#[test]
fn a_falsified_analysis_is_refuted() {
    let (question, probed, probes, text) = known_function();
    let reached = run_one(&probed, question.overflow, OBSERVATIONS_PER_RUN);
    let honest = analysis::analyze_text(&text, &question).expect("pct analyses the function");
    let claims = |analysis: &Analysis, reached: &Reached| -> Vec<Claim> {
        let found = check::violations(analysis, reached, &probes);
        found.into_iter().map(|violation| violation.claim).collect()
    };
    assert_eq!(claims(&honest, &reached), []);

    for state in &reached.states {
        let mut falsified = honest.clone();
        assert!(falsified.upper.remove(state));
        assert_eq!(claims(&falsified, &reached), [Claim::ReachedIsInUpper], "without {state}");
    }

    let unreachable = "L4:FT".to_owned();
    assert!(!reached.states.contains(&unreachable));
    let mut falsified = honest.clone();
    falsified.upper.insert(unreachable.clone());
    assert_eq!(claims(&falsified, &reached), [], "an upper bound may be too large");
    falsified.proved.insert(unreachable.clone());
    assert_eq!(claims(&falsified, &reached), [Claim::ProvedIsReached]);

    let mut falsified = honest.clone();
    falsified.lower_exact.insert(unreachable.clone());
    assert_eq!(claims(&falsified, &reached), [Claim::LowerExactIsReached]);
    let mut cut = reached.clone();
    cut.runs.diverged = 1;
    assert_eq!(claims(&falsified, &cut), [], "it assumes that runs end");

    let mut falsified = honest.clone();
    falsified.lower_pessimistic.insert(unreachable.clone());
    falsified.initial_assumption_holds = true;
    assert_eq!(claims(&falsified, &reached), [Claim::LowerPessimisticIsReached]);
    falsified.initial_assumption_holds = false;
    assert_eq!(claims(&falsified, &reached), [], "it assumes that every state is a start");

    let mut falsified = honest.clone();
    falsified.lower.insert(unreachable);
    falsified.initial_assumption_holds = true;
    assert_eq!(claims(&falsified, &reached), [Claim::LowerIsReached]);
    assert_eq!(claims(&falsified, &cut), [], "it assumes that runs end");

    let mut falsified = honest;
    falsified.upper.insert("L3.2:TT".into());
    falsified.points.insert("L3.2".into(), 3);
    assert_eq!(claims(&falsified, &reached), [Claim::EveryPointIsProbed]);
}

#[test]
fn native_runs_tell_how_they_end() {
    let run = |source: &str, overflow| {
        let program = ProbedProgram {
            source: source.into(),
            function: "f".into(),
            inputs: vec![input("unsigned char", (0, 255))],
        };
        run_one(&program, overflow, OBSERVATIONS_PER_RUN)
    };
    let overflowing = "int f(unsigned char x) { PCT_AT(\"A\", \"\", 0); int y = 2147483600 + x; \
                       PCT_AT(\"B\", \"x\", y < 0); return y; }";
    let reached = run(overflowing, Overflow::Assume);
    assert_eq!((reached.runs.ended, reached.runs.undefined), (48, 208));
    assert_eq!(reached.states, ["A:", "B:F"].map(String::from).into());
    let reached = run(overflowing, Overflow::Wrap);
    assert_eq!((reached.runs.ended, reached.runs.undefined), (256, 0));
    assert_eq!(reached.states, ["A:", "B:F", "B:T"].map(String::from).into());

    let others = "void assume(int); void f(unsigned char x) { assume(x != 1); PCT_AT(\"A\", \"\", 0); \
                  assume(x != 2); x = x / (x - 3); while (x == 0) PCT_AT(\"B\", \"_\", 0); }";
    let reached = run(others, Overflow::Wrap);
    let runs = reached.runs;
    assert_eq!(runs.assumed_away, 1, "the first assumption cuts before the first point");
    assert_eq!((runs.undefined, runs.diverged, runs.ended), (1, 1, 252));
    assert_eq!(reached.states, ["A:", "B:-"].map(String::from).into());

    let predicate_overflows = "int f(unsigned char x) { \
         PCT_AT(\"A\", \"x\", x + 2147483647 < 0); return x; }";
    let reached = run(predicate_overflows, Overflow::Assume);
    assert!(reached.runs.all_ended(), "a predicate wraps and cuts nothing");
    assert_eq!(reached.states, ["A:F", "A:T"].map(String::from).into());
}

/// A function where `L4:FT` cannot be reached: line 4 stands under the first predicate.
fn known_function() -> (Question, ProbedProgram, Probes, String) {
    let text = "int f(unsigned char x) {\n  int y = 0;\n  if (x < 10) {\n    y = x;\n  }\n  return y;\n}\n";
    let at = |name: &str| format!("PCT_AT(\"{name}\", \"xx\", (x < 10 ? 1u : 0u) | (y > 4 ? 2u : 0u))");
    let probed = text
        .replace("if (", &format!("if ({}, ", at("L3")))
        .replace("y = x;", &format!("{}; y = x;", at("L4")))
        .replace("return", &format!("{}; return", at("L6")));
    let question = Question {
        predicates: vec!["x < 10".into(), "y > 4".into()],
        tracked: vec![],
        options: vec![],
        points: Points::Statements,
        overflow: Overflow::Assume,
    };
    let program =
        ProbedProgram { source: probed, function: "f".into(), inputs: vec![input("unsigned char", (0, 255))] };
    let probes =
        Probes { names: ["L3", "L4", "L6"].map(String::from).into(), loop_heads: BTreeSet::new(), body: (1, 7) };
    (question, program, probes, text.into())
}

fn input(type_text: &str, range: (i64, i64)) -> native::Input {
    native::Input {
        is_global: false,
        type_text: type_text.into(),
        name: "x".into(),
        length: None,
        range,
        expression: None,
    }
}

fn from_environment(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name}={value} is not a number")))
}

fn run_one(program: &ProbedProgram, overflow: Overflow, observations_per_run: u32) -> Reached {
    let programs = std::slice::from_ref(program);
    native::run(programs, overflow, observations_per_run).swap_remove(0)
}

fn render_valid(program: &Program, index: usize) -> Rendered {
    render::render(program, index).expect("only valid programs are made")
}

/// Generates, runs and analyses some programs; those with equal overflow are compiled together.
fn check_batch(seed: u64, indices: &[u64]) -> Vec<Result<Statistics, Failure>> {
    let seed_of = |index: u64| Random::new(seed.wrapping_add(index)).next();
    let programs: Vec<Program> = indices.iter().map(|i| generator::generate(seed_of(*i))).collect();
    let rendered: Vec<Rendered> = programs.iter().enumerate().map(|(number, p)| render_valid(p, number)).collect();
    let mut reached = vec![Reached::default(); programs.len()];
    for overflow in [Overflow::Assume, Overflow::Wrap] {
        let chosen: Vec<usize> = (0..programs.len()).filter(|number| programs[*number].overflow == overflow).collect();
        let probed: Vec<ProbedProgram> = chosen.iter().map(|number| rendered[*number].probed.clone()).collect();
        let results = native::run(&probed, overflow, OBSERVATIONS_PER_RUN);
        for (number, result) in chosen.into_iter().zip(results) {
            reached[number] = result;
        }
    }
    let numbers = 0..programs.len();
    numbers
        .map(|number| {
            let Rendered { text, question, .. } = &rendered[number];
            check_program(&rendered[number], &reached[number]).map_err(|what| {
                let origin = format!("PCT_SEED={seed} program {}", indices[number]);
                Failure {
                    origin: describe(&origin, &what, text, question),
                    program: Box::new(programs[number].clone()),
                    what,
                }
            })
        })
        .collect()
}

/// A random program about which `pct` is wrong.
struct Failure {
    /// Where it comes from and how it looks.
    origin: String,
    program: Box<Program>,
    what: String,
}

fn check_program(rendered: &Rendered, reached: &Reached) -> Result<Statistics, String> {
    match analysis::analyze_text(&rendered.text, &rendered.question) {
        Ok(analysis) => judge(&analysis, reached, &rendered.probes, &rendered.question, &rendered.probed),
        Err(Unanswered::TooSlow) => Ok(Statistics::too_slow()),
        Err(Unanswered::Refused(message)) => Err(message),
    }
}

/// Shrinks a failing program, keeping the kind of failure.
fn explain(failure: &Failure) -> String {
    let Failure { origin, program, what } = failure;
    let expected = kind_of_failure(what);
    let check = |rendered: &Rendered| {
        let overflow = rendered.question.overflow;
        let reached = run_one(&rendered.probed, overflow, OBSERVATIONS_PER_RUN);
        check_program(rendered, &reached)
    };
    let fails =
        |candidate: &Program| check(&render_valid(candidate, 0)).is_err_and(|what| kind_of_failure(&what) == expected);
    let small = shrink::shrink(program, SHRINK_BUDGET, fails);
    let small = render_valid(&small, 0);
    let what = check(&small).map_or_else(|what| what, |_| what.clone());
    let shrunk = describe(&"shrunk", &what, &small.text, &small.question);
    format!("{origin}\n{shrunk}")
}

/// What must stay the same while a program is shrunk: the claim that is wrong, or the message without its numbers.
fn kind_of_failure(what: &str) -> String {
    let lines = what.lines().filter(|line| !line.trim().is_empty());
    let start = lines.take(2).map(|line| line.split(": ").next().unwrap_or_default());
    let start: Vec<&str> = start.collect();
    start.concat().replace(|c: char| c.is_ascii_digit(), "")
}

/// Compares; what could be an effect of cutting a diverging run is looked at again with a longer one.
fn judge(
    analysis: &Analysis,
    reached: &Reached,
    probes: &Probes,
    question: &Question,
    probed: &ProbedProgram,
) -> Result<Statistics, String> {
    let mut reached = reached.clone();
    let mut violations = check::violations(analysis, &reached, probes);
    if violations.iter().any(|violation| violation.depends_on_cut_runs(&reached)) {
        let longer = 1_000_000_000 / reached.runs.diverged;
        let longer = u32::try_from(longer).unwrap_or(u32::MAX).clamp(10_000, 100_000_000);
        reached = run_one(probed, question.overflow, longer);
        violations = check::violations(analysis, &reached, probes);
    }
    if violations.is_empty() {
        return Ok(Statistics::of(analysis, &reached));
    }
    let texts: Vec<String> = violations.iter().map(Violation::to_string).collect();
    Err(format!("{}\n({:?})", texts.join("\n"), reached.runs))
}

fn describe(origin: &dyn fmt::Display, what: &str, text: &str, question: &Question) -> String {
    let mut description =
        format!("== {origin}: {what}\n-- points {}, overflow {}\n", question.points.name(), question.overflow.name());
    for predicate in &question.predicates {
        let _ = writeln!(description, "-- predicate {predicate}");
    }
    for predicate in &question.tracked {
        let _ = writeln!(description, "-- tracked {predicate}");
    }
    for (index, line) in text.lines().enumerate() {
        let _ = writeln!(description, "{:4} {line}", index + 1);
    }
    description
}

/// Prints the statistics and fails if anything failed.
fn summarize(what: &str, results: Vec<Result<Statistics, String>>) {
    let count = results.len();
    let mut total = Statistics::default();
    let mut failures = Vec::new();
    for result in results {
        match result {
            Ok(statistics) => total.add(&statistics),
            Err(failure) => failures.push(failure),
        }
    }
    eprintln!("{count} {what}: {total}");
    let too_slow = total.number_too_slow();
    assert!(too_slow * 20 <= count, "{too_slow} of {count} {what} take too long");
    let failed = failures.len();
    failures.truncate(SHOWN);
    assert!(failed == 0, "{failed} of {count} {what} failed\n\n{}", failures.join("\n\n"));
}
