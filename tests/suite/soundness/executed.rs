//! What pct's own probes observe equals what the probes of this suite observe.
//!
//! The functions of `tests/exhaustive` carry probes that a person placed, and the random ones carry those that the
//! generator placed; pct instruments the same text by itself. Both are run on the same inputs, and must see the same
//! states. That is the evidence that instrumentation, probes and the layout of inputs are right.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use pct::config::{Config, Globals, PointMode, PredicateSource};
use pct::execution::{self, Limits, Observation, Probed};
use pct::pipeline::{self, Observed};
use pct::program::{Type, VarId, size_of};
use pct::testgen::inputs::{Address, Image, Inputs, Object};
use rayon::prelude::*;

use super::analysis::{Points, Question};
use super::native::{Input, Overflow, ProbedProgram};
use super::random::Random;
use super::{BTreeSet, SEED, cases, from_environment, generator, render_valid, run_one};

/// How many inputs of one function are run.
const MOST_RUNS: u64 = 12;

/// What comes of one function.
#[derive(Debug)]
enum Outcome {
    Same,
    /// Why it is not compared.
    Skipped(String),
    Differs(String),
}

#[test]
fn hand_written_functions_are_observed_as_their_own_probes_do() {
    let chosen = std::env::var("PCT_CASES").unwrap_or_default();
    // Every n-th of them: `PCT_EXECUTED=1` takes all.
    let step = from_environment("PCT_EXECUTED").unwrap_or(8) as usize;
    let all = cases::all();
    let cases: Vec<_> = all
        .iter()
        .filter(|case| case.file.file_name().is_some_and(|name| name.to_string_lossy().contains(&chosen)))
        .step_by(if chosen.is_empty() { step } else { 1 })
        .collect();
    let outcomes: Vec<(String, Outcome)> = cases
        .par_iter()
        .map(|case| {
            let name = case.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let outcome = if case.text.contains("PCT_NATIVE") {
                Outcome::Skipped("the environment is part of the file".to_string())
            } else {
                compare(&case.file, &case.question, &case.probed)
            };
            (name, outcome)
        })
        .collect();
    judge(&outcomes, 2);
}

#[test]
fn random_functions_are_observed_as_their_own_probes_do() {
    let seed = from_environment("PCT_SEED").unwrap_or(SEED);
    let count = from_environment("PCT_RANDOM").unwrap_or(200).div_ceil(20);
    let outcomes: Vec<(String, Outcome)> = (0..count)
        .into_par_iter()
        .map(|index| {
            let rendered = render_valid(&generator::generate(Random::new(seed.wrapping_add(index)).next()), 0);
            let folder = tempfile::tempdir().expect("a temporary folder can be made");
            let file = folder.path().join("f.c");
            std::fs::write(&file, &rendered.text).expect("the program can be written");
            let outcome = match compare(&file, &rendered.question, &rendered.probed) {
                Outcome::Differs(what) => Outcome::Differs(format!("{what}\n{}", rendered.text)),
                other => other,
            };
            (format!("random {index}"), outcome)
        })
        .collect();
    judge(&outcomes, 2);
}

/// Fails if anything differs, or if more than one part in `part` was not compared.
fn judge(outcomes: &[(String, Outcome)], part: usize) {
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut failures = Vec::new();
    for (name, outcome) in outcomes {
        match outcome {
            Outcome::Same => {}
            Outcome::Skipped(why) => reasons.entry(why).or_default().push(name),
            Outcome::Differs(what) => failures.push(format!("{name}: {what}")),
        }
    }
    let skipped: usize = reasons.values().map(Vec::len).sum();
    eprintln!("{} functions executed, {skipped} not compared: {reasons:#?}", outcomes.len() - skipped);
    assert!(failures.is_empty(), "{} of {}\n{}", failures.len(), outcomes.len(), failures.join("\n"));
    assert!(skipped * part <= outcomes.len(), "too many functions are not compared");
}

fn compare(file: &Path, question: &Question, probed: &ProbedProgram) -> Outcome {
    let mut program = probed.clone();
    if let Err(why) = narrow(&mut program.inputs, file) {
        return Outcome::Skipped(why);
    }
    let native = run_one(&program, question.overflow, super::OBSERVATIONS_PER_RUN);
    // On a machine with much to do, a run that ends may take long; one that does not end need not.
    let time = Duration::from_secs(if native.runs.diverged > 0 { 2 } else { 60 });
    let own = match observe(file, question, &program, time) {
        Ok(own) => own,
        Err(outcome) => return outcome,
    };
    // In a file whose points are labels, the heads of loops are points only where pct needs them.
    let known = |state: &&String| state.split_once(':').is_some_and(|(point, _)| own.points.contains(point));
    let native: Vec<&String> = native.states.iter().filter(known).collect();
    let unseen: Vec<&&String> =
        native.iter().filter(|state| !own.states.iter().any(|pattern| matches(pattern, state))).collect();
    let wrong: Vec<&String> =
        own.states.iter().filter(|pattern| !native.iter().any(|state| matches(pattern, state))).collect();
    // The other probes do not notice an access outside its object, so they go on.
    if wrong.is_empty() && (unseen.is_empty() || own.left_an_object) {
        return Outcome::Same;
    }
    let inputs: Vec<_> = program.inputs.iter().map(|input| (&input.name, input.range)).collect();
    Outcome::Differs(format!("only natively: {unseen:?}, only by pct: {wrong:?} (inputs {inputs:?})"))
}

/// Whether a state is one that pct's probes saw; `?` is a value that they could not read.
fn matches(pattern: &str, state: &str) -> bool {
    pattern.len() == state.len() && pattern.bytes().zip(state.bytes()).all(|(a, b)| a == b || a == b'?')
}

/// What pct's probes see.
struct Own {
    points: BTreeSet<String>,
    states: BTreeSet<String>,
    /// A run ended by an access outside its object.
    left_an_object: bool,
}

/// A few inputs among all: the same for the same file name.
fn narrow(inputs: &mut [Input], file: &Path) -> Result<(), String> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let seed = name.bytes().fold(SEED, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut random = Random::new(seed);
    if inputs.iter().any(|input| input.expression.is_some() || input.name.contains('.')) {
        return Err("arguments are expressions".to_string());
    }
    let wide: Vec<(i64, i64)> = inputs.iter().map(|input| input.range).collect();
    for input in inputs.iter_mut() {
        let (low, high) = input.range;
        // Small values are tested for more often than large ones.
        let span = (high - low + 1) as u64;
        let drawn = random.next();
        let offset = if drawn.is_multiple_of(2) { (drawn / 2) % span.min(12) } else { (drawn / 2) % span };
        let value = if low < 0 && drawn % 4 < 2 { (offset as i64 % (high + 1)).max(low) } else { low + offset as i64 };
        input.range = (value, value);
    }
    for round in 0..8 {
        for (index, (low, high)) in wide.iter().enumerate() {
            let (from, to) = inputs[index].range;
            let cells = inputs[index].length.unwrap_or(1) as u32;
            let grown = if round % 2 == 0 && to < *high { (from, to + 1) } else { ((from - 1).max(*low), to) };
            let combinations: u64 = inputs
                .iter()
                .enumerate()
                .map(|(other, input)| {
                    let (from, to) = if other == index { grown } else { input.range };
                    ((to - from + 1) as u64).pow(if other == index { cells } else { input.length.unwrap_or(1) as u32 })
                })
                .product();
            if combinations <= MOST_RUNS {
                inputs[index].range = grown;
            }
        }
    }
    Ok(())
}

/// What pct's probes see.
fn observe(file: &Path, question: &Question, program: &ProbedProgram, time: Duration) -> Result<Own, Outcome> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let predicates = folder.path().join("predicates");
    std::fs::write(&predicates, question.predicates.join("\n") + "\n").expect("the predicates can be written");
    let mut config = Config::new(file);
    config.function = Some("f".to_string());
    config.predicates = PredicateSource::File(predicates);
    config.points = match question.points {
        Points::Labels => PointMode::Labels,
        Points::Statements => PointMode::Statements,
    };
    config.overflow = match question.overflow {
        Overflow::Assume => pct::config::Overflow::Assume,
        Overflow::Wrap => pct::config::Overflow::Wrap,
    };
    let mut options = question.options.iter().map(String::as_str);
    while let Some(option) = options.next() {
        match option {
            "--depth" => config.depth = options.next().and_then(|depth| depth.parse().ok()).expect("a depth"),
            "--globals" => {
                config.globals = if options.next() == Some("initial") { Globals::Initial } else { Globals::Arbitrary }
            }
            "--may-alias" => config.may_alias = true,
            other => return Err(Outcome::Skipped(format!("the option {other}"))),
        }
    }
    let differs = |error: pct::error::Error| Outcome::Differs(format!("{error:?}"));
    let observed = pipeline::observe(&config).map_err(differs)?;
    let Observed { program: c, cfg, predicates, .. } = &observed;
    let probed = execution::compile(c, cfg, predicates, &config).map_err(differs)?;
    if !probed.unfaithful.is_empty() {
        return Err(Outcome::Skipped(probed.unfaithful.join("; ")));
    }
    let points = cfg.points.iter().map(|point| point.label.clone()).collect();
    let mut own = Own { points, states: BTreeSet::new(), left_an_object: false };
    let limits = Limits { time, ..Limits::default() };
    for values in combinations(&program.inputs) {
        let inputs = inputs(&observed, &program.inputs, &values).map_err(Outcome::Skipped)?;
        let run = probed.run(&inputs, &limits).map_err(differs)?;
        if let execution::End::Unrunnable(why) = &run.end {
            return Err(Outcome::Differs(why.clone()));
        }
        if run.end == execution::End::TimedOut && time > Duration::from_secs(2) {
            return Err(Outcome::Differs(format!("a run takes too long: {inputs:?}")));
        }
        own.left_an_object |=
            matches!(&run.end, execution::End::Wrong(failure) if failure.kind == execution::FailureKind::Bounds);
        own.states.extend(run.seen.iter().map(|observation| id(&observed, &probed, observation)));
    }
    Ok(own)
}

fn id(observed: &Observed, probed: &Probed, observation: &Observation) -> String {
    let point = observation.point.index();
    let letter = |(index, value): (usize, &Option<bool>)| match value {
        Some(true) => 'T',
        Some(false) => 'F',
        None if probed.evaluated[point][index] => '?',
        None => '-',
    };
    let count = observed.predicates.observed_count();
    let letters: String = observation.values.iter().take(count).enumerate().map(letter).collect();
    format!("{}:{letters}", observed.cfg.points[point].label)
}

/// All values of all cells of the inputs.
fn combinations(inputs: &[Input]) -> Vec<Vec<i64>> {
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    for input in inputs {
        for _ in 0..input.length.unwrap_or(1) {
            let values = input.range.0..=input.range.1;
            all = values
                .flat_map(|value| all.iter().map(move |start| start.iter().copied().chain([value]).collect()))
                .collect();
        }
    }
    all
}

/// The inputs of one run.
fn inputs(observed: &Observed, declared: &[Input], values: &[i64]) -> Result<Inputs, String> {
    let program = &observed.program;
    let mut result = Inputs::default();
    let mut parameters = observed.cfg.parameters.iter();
    let mut values = values.iter();
    for input in declared {
        let variable: VarId = if input.is_global {
            // In a batch, the names of random programs have a prefix.
            let name = input.name.trim_start_matches("p0_");
            let named = program.globals.iter().find(|global| program.variable(global.variable).name == name);
            named.ok_or_else(|| format!("there is no global {}", input.name))?.variable
        } else {
            *parameters.next().ok_or("there are too few parameters")?
        };
        let ty = program.variable(variable).ty.clone();
        let cells: Vec<i64> = values.by_ref().take(input.length.unwrap_or(1)).copied().collect();
        let element = match ty.plain() {
            Type::Pointer(target) if input.length.is_some() => (**target).clone(),
            other => other.clone(),
        };
        let innermost = element.innermost().clone();
        let (size, _) = size_of(&program.records, &innermost).ok_or("an element without a size")?;
        let mut bytes = Vec::new();
        for cell in cells {
            match innermost.plain() {
                Type::Int(_) => bytes.extend_from_slice(&cell.to_le_bytes()[..size as usize]),
                Type::Float(kind) if kind.width() == 32 => bytes.extend_from_slice(&(cell as f32).to_le_bytes()),
                Type::Float(_) => bytes.extend_from_slice(&(cell as f64).to_le_bytes()),
                _ => return Err("a value of another type".to_string()),
            }
        }
        if input.length.is_some() && !input.is_global {
            let length = bytes.len() as u64 / size.max(1);
            let image = Image { bytes, addresses: BTreeMap::new() };
            let address = Address::Object(result.objects.len(), 0);
            let name = input.name.clone();
            result.objects.push(Object { name, ty: innermost, first: 0, length: Some(length), image });
            result.variables.insert(variable, Image { bytes: vec![0; 8], addresses: BTreeMap::from([(0, address)]) });
        } else {
            result.variables.insert(variable, Image { bytes, addresses: BTreeMap::new() });
        }
    }
    Ok(result)
}
