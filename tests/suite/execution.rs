//! Functions that run under probes: what is observed, and how runs end.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pct::config::{Config, PredicateSource};
use pct::execution::{self, End, FailureKind, Limits, Observation, Probed, Run};
use pct::pipeline::{self, Observed};
use pct::program::{IntKind, Type, VarId};
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
        let probed = execution::compile(program, cfg, predicates, config);
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
    assert_eq!(line, 28, "{failure:?}");
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

/// Runs `f` of a text with no inputs but one int, and says how it ended.
fn end_of(text: &str, x: i32) -> (End, Vec<String>) {
    let subject = Subject::of_text(text, |_| {});
    let limits = Limits { time: Duration::from_secs(2), megabytes: 256, output: 1 << 20 };
    let inputs = Inputs { variables: BTreeMap::from([(subject.parameter("x"), int(x))]), ..Inputs::default() };
    let start = Instant::now();
    let run = subject.probed.run(&inputs, &limits).expect("a test can be run");
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}: {text}", start.elapsed());
    let trace = subject.trace(&run);
    (run.end, trace)
}

fn failure_of(text: &str, x: i32) -> (FailureKind, Option<u32>, Vec<String>) {
    let (end, trace) = end_of(text, x);
    let End::Wrong(failure) = end else { panic!("{end:?}: {text}") };
    (failure.kind, failure.line.map(|(_, line)| line), trace)
}

#[test]
fn whatever_a_function_does_costs_one_run() {
    let observed =
        |trace: &[String]| assert!(trace.first().is_some_and(|state| state.starts_with("L3:T")), "{trace:?}");
    let head = "#include <stdlib.h>\n#include <stdio.h>\nint f(int x) { if (x > 0)\n  ";
    let rest = "\n  return x; }\n";
    let of = |body: &str| format!("{head}{body}{rest}");
    for (body, expected) in [
        ("for (;;) ;", End::TimedOut),
        ("{ void *p; for (;;) { p = malloc(1000000); if (p) *(char *)p = 1; } }", End::TooMuchMemory),
        ("for (;;) printf(\"%1000d\\n\", x);", End::TooMuchOutput),
        ("exit(7);", End::Exited(7)),
    ] {
        let (end, trace) = end_of(&of(body), 1);
        assert_eq!(end, expected, "{body}");
        observed(&trace);
    }
    for (body, kind) in [
        ("x = 1 / (x - 1);", FailureKind::Division),
        ("x = *(int *)0;", FailureKind::Null),
        ("x = 2147483647 + x;", FailureKind::Overflow),
        ("x = 1 << (x + 40);", FailureKind::Shift),
        ("{ int a[2]; for (x = 0; x < 100; x++) a[x] = x; }", FailureKind::Bounds),
        ("{ char a[4], *p = a; for (x = 0; x < 100000; x++) p[x] = 1; }", FailureKind::Bounds),
        ("abort();", FailureKind::Abort),
    ] {
        let (found, line, trace) = failure_of(&of(body), 1);
        assert_eq!((found, line), (kind, Some(4)), "{body}");
        observed(&trace);
    }
}

/// A constructor is no part of the analysed function, so it may do what pct would refuse.
#[test]
fn processes_end_with_their_run() {
    let name = format!("pct{}", std::process::id());
    for (body, end) in [
        ("if (!fork()) { setsid(); if (!fork()) { prctl(15, NAME); for (;;) pause(); } _exit(0); }", End::Returned),
        ("for (;;) if (!fork()) prctl(15, NAME);", End::TooManyProcesses),
        ("close(0); close(1); close(2); if (!fork()) { prctl(15, NAME); for (;;) ; }", End::Returned),
        ("kill(0, 9);", End::Crashed { signal: 9 }),
    ] {
        let body = body.replace("NAME", &format!("\"{name}\""));
        let text = format!(
            "int fork(void), setsid(void), pause(void), close(int), prctl(int, ...), kill(int, int); void _exit(int);\n\
             __attribute__((constructor)) static void g(void) {{ {body} }}\n\
             int f(int x) {{ if (x > 0)\n  x = 2;\n  return x; }}\n"
        );
        let subject = Subject::of_text(&text, |_| {});
        let run = subject.run(&Inputs::default());
        assert_eq!(run.end, end, "{body}");
        assert!(!process_named(&name), "{body}");
    }
}

fn process_named(name: &str) -> bool {
    let entries = std::fs::read_dir("/proc").expect("the table of processes can be read");
    entries
        .flatten()
        .any(|entry| std::fs::read_to_string(entry.path().join("comm")).is_ok_and(|command| command.trim() == name))
}

#[test]
fn nothing_is_left_behind() {
    let subject = partition("partition.c");
    let folder = subject.probed.folder().to_path_buf();
    subject.run(&partition_inputs(&subject, ints(0, 3, &[1, 2, 0]), 3));
    let runs = std::fs::read_dir(&folder).expect("it is there").flatten();
    let runs: Vec<PathBuf> = runs.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    assert!(runs.is_empty(), "{runs:?}");
    drop(subject);
    assert!(!folder.exists());
}

#[test]
fn the_environment_answers() {
    let text = "#include <stdlib.h>\nint nondet_int(void); extern int k; static int calls;\n\
                int f(int x) {\n  static int n;\n  n += x;\n  int y = nondet_int();\n  int *p = malloc(4);\n  if (!p) {\n    \
                y = k + n;\n  }\n  if (y > 4) {\n    calls++;\n  }\n  return calls;\n}\n";
    let subject = Subject::of_text(text, |_| {});
    let answer = |source, image| Answered { source, image };
    let byte = |value: u8| Image { bytes: vec![value], addresses: BTreeMap::new() };
    let inputs = Inputs {
        objects: Vec::new(),
        variables: BTreeMap::from([
            (subject.parameter("x"), int(1)),
            (subject.global("k"), int(3)),
            (subject.global("n"), int(1)),
        ]),
        answers: vec![answer(Source::Call("nondet_int".to_string()), int(5)), answer(Source::Allocation, byte(1))],
    };
    // The predicates are p != 0 and y > 4. y is 5, then there is no memory, so it is k + n = 3 + 2.
    let run = subject.run(&inputs);
    assert_eq!(run.end, End::Returned, "{:?}", subject.trace(&run));
    assert_eq!(subject.trace(&run), ["L5:--", "L6:--", "L7:-T", "L8:FT", "L9:FT", "L11:FT", "L12:FT", "L14:FT"]);
    // Nothing is answered: zero, and there is memory.
    let run = subject.run(&Inputs { answers: Vec::new(), ..inputs });
    assert_eq!(subject.trace(&run), ["L5:--", "L6:--", "L7:-F", "L8:TF", "L11:TF", "L14:TF"]);
}
