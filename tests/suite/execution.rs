//! Functions that run under probes: what is observed, and how runs end.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pct::config::{Config, PredicateSource};
use pct::execution::{self, End, FailureKind, Limits, Observation, Probed, Run};
use pct::pipeline::{self, Observed};
use pct::program::{FunctionId, IntKind, Type, VarId};
use pct::testgen::inputs::{Address, Answered, Image, Inputs, Object, Source};

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A function that is compiled with probes.
struct Subject {
    observed: Observed,
    probed: Probed,
}

impl Subject {
    fn of(config: &Config) -> Subject {
        let observed = pipeline::observe(config).unwrap_or_else(|error| panic!("{error:?}"));
        let Observed { program, cfg, predicates, .. } = &observed;
        let probed = execution::compile(program, FunctionId(0), cfg, predicates, config);
        let probed = probed.unwrap_or_else(|error| panic!("{error:?}"));
        Subject { observed, probed }
    }

    /// The function `f` of a text.
    fn of_text(text: &str, change: impl FnOnce(&mut Config)) -> Subject {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let file = folder.path().join("f.c");
        std::fs::write(&file, text).expect("the program can be written");
        let mut config = Config::new(&file);
        config.function = Some("f".to_string());
        change(&mut config);
        Subject::of(&config)
    }

    fn parameter(&self, name: &str) -> VarId {
        let parameters = &self.observed.cfg.parameters;
        let found = parameters.iter().find(|id| self.observed.program.variable(**id).name == name);
        *found.unwrap_or_else(|| panic!("no parameter {name}"))
    }

    fn global(&self, name: &str) -> VarId {
        let globals = &self.observed.program.globals;
        let found = globals.iter().find(|global| self.observed.program.variable(global.variable).name == name);
        found.unwrap_or_else(|| panic!("no global {name}")).variable
    }

    fn run(&self, inputs: &Inputs) -> Run {
        self.probed.run(inputs, &Limits::default()).expect("a test can be run")
    }

    fn id(&self, observation: &Observation) -> String {
        let label = &self.observed.cfg.points[observation.point.index()].label;
        let letter = |value: &Option<bool>| match value {
            Some(true) => 'T',
            Some(false) => 'F',
            None => '-',
        };
        format!("{label}:{}", observation.values.iter().map(letter).collect::<String>())
    }

    fn trace(&self, run: &Run) -> Vec<String> {
        run.trace.iter().map(|observation| self.id(observation)).collect()
    }
}

fn int(value: i32) -> Image {
    Image { bytes: value.to_le_bytes().to_vec(), addresses: BTreeMap::new() }
}

fn pointer(object: usize) -> Image {
    Image { bytes: vec![0; 8], addresses: BTreeMap::from([(0, Address::Object(object, 0))]) }
}

/// An array of ints whose first element has the index `first`.
fn ints(first: i64, length: u64, values: &[i32]) -> Object {
    Object {
        name: "a".to_string(),
        ty: Type::Int(IntKind::Int),
        first,
        length: Some(length),
        image: Image {
            bytes: values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            addresses: BTreeMap::new(),
        },
    }
}

fn partition(file: &str) -> Subject {
    let folder = project().join("examples/partition");
    let mut config = Config::new(folder.join(file));
    config.predicates = PredicateSource::File(folder.join("partition.pred"));
    Subject::of(&config)
}

fn partition_inputs(subject: &Subject, object: Object, n: i32) -> Inputs {
    Inputs {
        objects: vec![object],
        variables: BTreeMap::from([(subject.parameter("a"), pointer(0)), (subject.parameter("n"), int(n))]),
        answers: Vec::new(),
    }
}

#[test]
fn partition_is_observed_at_every_label() {
    let subject = partition("partition.c");
    assert!(subject.probed.probed.iter().all(|probed| *probed), "{:?}", subject.probed.probed);
    assert!(subject.probed.unfaithful.is_empty(), "{:?}", subject.probed.unfaithful);
    // lo = 1, hi = 2, pivot = 1: a[1] = 2 > pivot stays, a[2] = 0 stays, they are swapped, lo runs to 2, hi to 1.
    let run = subject.run(&partition_inputs(&subject, ints(0, 3, &[1, 2, 0]), 3));
    assert_eq!(run.end, End::Returned);
    let expected = [
        "L0:TTFF", "L1:TTFF", "L2:TTFF", "L5:TTFF", "L8:TTFF", "L9:TTFF", "LA:TTTT", "LB:TTTT", "L0:TTTT", "L1:TTTT",
        "L2:TTTT", "L3:TTTT", "L4:FTFT", "L2:FTFT", "L5:FTFT", "L6:FTFT", "L7:FFFF", "L5:FFFF", "L8:FFFF", "LB:FFFF",
        "L0:FFFF", "LC:FFFF",
    ];
    assert_eq!(subject.trace(&run), expected);
}

#[test]
fn padding_is_read_by_probes_and_not_by_the_function() {
    let subject = partition("partition.c");
    assert!(subject.probed.checks_bounds && subject.probed.checks_undefined);
    // Everything is <= pivot: lo runs past the end, where the padding is <= pivot too, until a[3] is read.
    let run = subject.run(&partition_inputs(&subject, ints(-1, 3, &[9, 1, 1, 1, 1, 9]), 3));
    let End::Wrong(failure) = &run.end else { panic!("{:?}", run.end) };
    assert_eq!(failure.kind, FailureKind::Bounds);
    let (file, line) = failure.line.clone().expect("the line is known");
    assert!(file.ends_with("partition.c"), "{file}");
    assert_eq!(line, 30, "{failure:?}");
    assert_eq!(subject.trace(&run).last().map(String::as_str), Some("L2:FFTF"));
    // Without padding there, the probe does not know.
    let run = subject.run(&partition_inputs(&subject, ints(0, 3, &[1, 1, 1]), 3));
    assert_eq!(subject.trace(&run).last().map(String::as_str), Some("L2:FF-F"));
}

#[test]
fn an_assumption_that_fails_is_no_run() {
    let subject = partition("partition.c");
    let run = subject.run(&partition_inputs(&subject, ints(0, 2, &[1, 1]), 2));
    assert_eq!(run.end, End::AssumedAway);
    assert!(run.trace.is_empty());
}
