//! Path programs: Figure 8 of the paper, that each compiles alone, and that CBMC and Z3 agree on every path.
//!
//! `PCT_EXAMPLES=all` takes all paths of all examples (`PCT_PATHS=20`: at most so many of each); else a few of the quick ones.

#![allow(clippy::print_stderr, reason = "times are for the reader of the test log")]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use pct::abstraction::StateId;
use pct::config::{Arithmetic, Config, PredicateSource, TimeLimit};
use pct::paths::{self, enumerate};
use pct::pipeline::{Analysis, analyze};
use pct::report::abstract_id;
use pct::testgen::path_program::{PathProgram, Writer};
use pct::testgen::{Generator, Outcome, cbmc};

use super::commands::{pct, stderr};
use super::examples::{SLOW, c_files, header_commands};

const PARTITION: &str = "pct analyze examples/partition/partition.c --predicates=examples/partition/partition.pred";

/// The settings that a command asks for.
fn config(command: &str) -> Config {
    let mut words = command.split_whitespace().skip(2);
    let mut config = Config::new(words.next().expect("the file"));
    while let Some(word) = words.next() {
        match word.split_once('=') {
            Some(("--predicates", file)) => config.predicates = PredicateSource::File(file.into()),
            _ if word == "-f" => config.function = words.next().map(String::from),
            _ if word == "--arith" => {
                assert_eq!(words.next(), Some("ideal"));
                config.arithmetic = Arithmetic::Ideal;
            }
            _ => panic!("{word}: {command}"),
        }
    }
    config.limit = Some(TimeLimit::from_now(Duration::from_secs(60)));
    config
}

fn run(config: &Config) -> (Analysis, Vec<paths::Path>) {
    let analysis = analyze(config, &|_, _| {}).unwrap_or_else(|error| panic!("{error}"));
    let paths = enumerate(&analysis.abstraction);
    (analysis, paths)
}

fn writer<'a>(analysis: &'a Analysis, config: &'a Config) -> Writer<'a> {
    Writer::new(&analysis.observed.cfg, &analysis.observed.predicates, &analysis.abstraction, config)
}

fn ends(analysis: &Analysis, path: &paths::Path) -> String {
    let count = analysis.observed.predicates.observed_count();
    let id = |state| abstract_id(&analysis.observed.cfg, &analysis.abstraction, count, state);
    format!("({}, {})", id(path.states[0]), id(path.last()))
}

/// The lines of the body without layout; those that Figure 8 does not have are left out: declarations, what is assumed of
/// the states on the way, and that the array is large enough.
fn body(program: &PathProgram) -> Vec<String> {
    let (_, body) = program.text.split_once("int main(void)\n{\n").expect("there is a function");
    let lines = body.lines().skip_while(|line| !line.trim().is_empty()).filter(|line| {
        let comment = line.split_once("//").map_or("", |(_, comment)| comment.trim());
        !(comment.starts_with("at ") || comment == "room")
    });
    let squeezed = lines.map(|line| line.split_whitespace().collect::<String>());
    squeezed.filter(|line| !line.is_empty() && line != "return0;" && line != "}").collect()
}

/// Figure 8, typed from the paper.
#[test]
fn the_program_of_figure_8() {
    let config = config(PARTITION);
    let (analysis, paths) = run(&config);
    let path = paths.iter().find(|path| ends(&analysis, path) == "(L0:TTTF, L4:TTFF)").expect("Figure 7 has it");
    let program = writer(&analysis, &config).write(&path.states).unwrap();
    let figure = "
        pivot = a[0];           // prelude
        lo = 1;                 // prelude
        hi = n-1;               // prelude
        assume(n>2);            // prelude
        assume(lo<=hi);         // L0:TTTF -> L1:TTTF
        ;                       // L1:TTTF -> L2:TTTF
        assume(a[lo]<=pivot);   // L2:TTTF -> L3:TTTF
        lo=lo+1;                // L3:TTTF -> L4:TTFF
        assert(!((lo<hi)&&(lo<=hi)&&!(a[lo]<=pivot)&&!(a[hi]>pivot)));";
    let figure: Vec<String> = figure.lines().map(|line| line.split_whitespace().collect::<String>()).collect();
    assert_eq!(body(&program), figure[1..], "{}", program.text);
    // What Figure 8 does not say: the path begins in L0:TTTF. Nothing changes before L4.
    let states: Vec<&str> = program.text.lines().filter(|line| line.contains("// at ")).collect();
    assert_eq!(states.len(), 1, "{}", program.text);
    assert!(
        states[0].contains("assume((lo < hi) && (lo <= hi) && (a[lo] <= pivot) && !(a[hi] > pivot));"),
        "{states:?}"
    );
}

/// The commands of the examples, and how many of their paths are looked at.
fn examples() -> (Vec<String>, usize) {
    let all = std::env::var_os("PCT_EXAMPLES").is_some_and(|value| value == "all");
    let commands: Vec<String> = c_files(Path::new("examples")).iter().flat_map(|file| header_commands(file)).collect();
    if all {
        let most = std::env::var("PCT_PATHS").ok().and_then(|most| most.parse().ok());
        return (commands, most.unwrap_or(usize::MAX));
    }
    let quick = commands.into_iter().filter(|command| !SLOW.iter().any(|slow| command.contains(slow)));
    let sample = quick.enumerate().filter(|(number, command)| number % 4 == 0 || command.contains("partition"));
    (sample.map(|(_, command)| command).collect(), 5)
}

/// A path, and its way to the next other state of its last point, if there is one.
fn variants(analysis: &Analysis, path: &paths::Path) -> Vec<paths::Path> {
    let states = &analysis.abstraction.states;
    let last = path.last();
    let others = (1..states.len()).map(|step| StateId(((last.index() + step) % states.len()) as u32));
    let other = others.into_iter().find(|other| states[other.index()].point == states[last.index()].point);
    let mut variants = vec![path.clone()];
    if let Some(other) = other {
        let mut twisted = path.clone();
        *twisted.states.last_mut().expect("a path has a start") = other;
        variants.push(twisted);
    }
    variants
}

/// Compiles a program alone; what the compiler says.
fn compile(program: &PathProgram, folder: &Path) -> String {
    let file = folder.join("path.c");
    std::fs::write(&file, &program.text).unwrap();
    let output = Command::new("cc")
        .args(["-std=gnu11", "-Wall", "-Wno-unused", "-Wno-uninitialized", "-Wno-maybe-uninitialized"])
        .args(["-c", "-o", "path.o", "path.c"])
        .current_dir(folder)
        .output()
        .unwrap();
    let text = stderr(&output);
    if output.status.success() { text } else { format!("error\n{text}") }
}

#[test]
fn programs_compile_and_the_engines_agree() {
    let options =
        cbmc::Options::new(Duration::from_secs(60)).unwrap_or_else(|error| panic!("{error}: run `make cbmc`"));
    let folder = tempfile::tempdir().unwrap();
    let (commands, most) = examples();
    let (mut agreed, mut unknown, mut unwritable) = ([0, 0], 0, 0);
    for command in commands {
        let config = config(&command);
        let (analysis, paths) = run(&config);
        // The limit was for the analysis.
        let config = Config { limit: None, ..config };
        let cfg = &analysis.observed.cfg;
        let writer = writer(&analysis, &config);
        let mut generator = None;
        let (mut z3_total, mut cbmc_total) = (Duration::ZERO, Duration::ZERO);
        let is_partition = command.contains("partition.c");
        let most = if is_partition { usize::MAX } else { most };
        // Every path has an input; the same way to another state of its last point may have none.
        let looked_at: Vec<paths::Path> = paths.iter().take(most).flat_map(|path| variants(&analysis, path)).collect();
        for path in &looked_at {
            let name = format!("{} {}", cfg.function, ends(&analysis, path));
            let program = match writer.write(&path.states) {
                Ok(program) => program,
                Err(reason) => {
                    eprintln!("{name}: not written: {reason}");
                    unwritable += 1;
                    continue;
                }
            };
            assert_eq!(compile(&program, folder.path()), "", "{name}\n{}", program.text);
            let generator = generator.get_or_insert_with(|| {
                let observed = &analysis.observed;
                Generator::new(&observed.program, cfg, &observed.predicates, &analysis.abstraction, &config)
                    .unwrap_or_else(|error| panic!("{error}"))
                    .expect("there is no limit")
            });
            let start = Instant::now();
            let by_z3 = generator.solve(&path.states);
            let z3_time = start.elapsed();
            let start = Instant::now();
            let by_cbmc = cbmc::solve_path(cfg, &program, &path.states, &options, &|| false)
                .unwrap_or_else(|error| panic!("{name}: {error}\n{}", program.text));
            let cbmc_time = start.elapsed();
            z3_total += z3_time;
            cbmc_total += cbmc_time;
            let word = |outcome: &Outcome| match outcome {
                Outcome::Test(_) | Outcome::Unrealizable(_) => Some(true),
                Outcome::Infeasible => Some(false),
                Outcome::Unknown => None,
            };
            let (z3, cbmc) = (word(&by_z3), word(&by_cbmc));
            eprintln!(
                "{name}: Z3 {z3:?} {:.3} s, CBMC {cbmc:?} {:.3} s",
                z3_time.as_secs_f64(),
                cbmc_time.as_secs_f64()
            );
            match (z3, cbmc) {
                (Some(z3), Some(cbmc)) => {
                    assert_eq!(z3, cbmc, "{name}\n{}", program.text);
                    agreed[usize::from(z3)] += 1;
                }
                _ => unknown += 1,
            }
            if is_partition && paths.contains(path) {
                assert!(matches!(by_cbmc, Outcome::Test(_)), "{name}: {by_cbmc:?}");
            }
        }
        if is_partition {
            assert_eq!(paths.len(), 10);
            // Ten times as fast where nothing else runs; on a busy machine the clock says less.
            assert!(z3_total * 2 <= cbmc_total, "Z3 {z3_total:?}, CBMC {cbmc_total:?}");
        }
        eprintln!("{command}: Z3 {:.3} s, CBMC {:.3} s", z3_total.as_secs_f64(), cbmc_total.as_secs_f64());
    }
    let [infeasible, feasible] = agreed;
    eprintln!("agreed: {feasible} feasible, {infeasible} not; one does not know {unknown}; not written {unwritable}");
    assert!(feasible > 40 && infeasible > 10, "{agreed:?}");
}

#[test]
fn programs_are_written_and_nothing_else_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let programs = folder.path().join("programs");
    let programs_text = programs.to_str().unwrap();
    let file = "examples/partition/partition.c";
    let arguments = ["paths", file, "--predicates=examples/partition/partition.pred", "--programs", programs_text];
    for _ in 0..2 {
        let output = pct(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let mut names: Vec<String> =
        std::fs::read_dir(&programs).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let expected: Vec<String> = (1..=10).map(|number| format!("path{number:02}.c")).collect();
    assert_eq!(names, expected);
    let own = programs.join("path07.c");
    std::fs::write(&own, "int mine;\n").unwrap();
    std::fs::remove_file(programs.join("path01.c")).unwrap();
    let output = pct(&arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("path07.c is there already"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(&own).unwrap(), "int mine;\n");
    assert!(!programs.join("path01.c").exists());
}
