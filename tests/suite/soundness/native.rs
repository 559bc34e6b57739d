//! Probed C programs -> the states that they reach, by running every input.
//!
//! The result is exact because nothing is sampled or modelled: gcc compiles the program with a probe at every point
//! and the driver calls `f` once for each combination of its 8-bit inputs. Two builds share the work. The *counting*
//! build traps undefined behaviour and says after how many observations each run ends, and how; the *observing* build
//! wraps on overflow, evaluates the predicates, and stops each run where the counting build stopped. Runs that end
//! before their first observation (a failed leading `assume`) are no runs of the observed system and are not counted.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// After how many observations a run is taken to diverge.
pub(crate) const OBSERVATIONS_PER_RUN: u32 = 5_000;

/// What signed overflow means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Overflow {
    Assume,
    Wrap,
}

impl Overflow {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Overflow::Assume => "assume",
            Overflow::Wrap => "wrap",
        }
    }

    /// What the counting build traps. Shifting a negative number to the left, or a bit into the sign, is an overflow.
    fn traps(self) -> &'static [&'static str] {
        match self {
            // gcc and clang define the left shift of negative numbers, and so does pct.
            Overflow::Assume => &["-fsanitize=undefined", "-fno-sanitize=shift-base"],
            Overflow::Wrap => &["-fwrapv", "-fsanitize=shift-exponent,integer-divide-by-zero,bounds"],
        }
    }
}

/// One thing that the driver sets before it calls `f`: a parameter, or a global variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Input {
    pub(crate) is_global: bool,
    /// The C type of the value, or of an element if there is a length.
    pub(crate) type_text: String,
    pub(crate) name: String,
    pub(crate) length: Option<usize>,
    /// The smallest and the largest value.
    pub(crate) range: (i64, i64),
    /// The argument to pass, if it is no value of its own but made from others, as a pointer is.
    pub(crate) expression: Option<String>,
}

/// A program with probes. Programs of one batch must not share names at file level.
#[derive(Clone, Debug)]
pub(crate) struct ProbedProgram {
    pub(crate) source: String,
    /// The name under which the source defines `f`.
    pub(crate) function: String,
    pub(crate) inputs: Vec<Input>,
}

/// How the runs ended that made at least one observation.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Runs {
    pub(crate) ended: u64,
    pub(crate) undefined: u64,
    pub(crate) assumed_away: u64,
    pub(crate) diverged: u64,
}

impl Runs {
    pub(crate) fn all_ended(&self) -> bool {
        self.undefined == 0 && self.assumed_away == 0 && self.diverged == 0
    }
}

/// What a program does over all its inputs.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Reached {
    /// Identifiers of states, `point:valuation`.
    pub(crate) states: BTreeSet<String>,
    pub(crate) runs: Runs,
}

/// Runs every input of every program; the results are in the order of the programs.
pub(crate) fn run(programs: &[ProbedProgram], overflow: Overflow, observations_per_run: u32) -> Vec<Reached> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let counts = folder.path().join("counts");
    execute(&compile(programs, overflow.traps(), &["-DPCT_COUNT"], folder.path()), &counts, observations_per_run);
    let printed = execute(&compile(programs, &["-fwrapv"], &[], folder.path()), &counts, observations_per_run);
    let reached = parse(&printed);
    assert_eq!(reached.len(), programs.len(), "the driver reports every program");
    reached
}

fn compile(programs: &[ProbedProgram], semantics: &[&str], definitions: &[&str], folder: &Path) -> PathBuf {
    let name = if definitions.is_empty() { "observe" } else { "count" };
    let source = folder.join(name).with_extension("c");
    let executable = folder.join(name);
    std::fs::write(&source, translation_unit(programs)).expect("the source can be written");
    let output = Command::new("gcc")
        .args(["-std=gnu11", "-w", "-O0"])
        .args(semantics)
        .arg("-fsanitize-undefined-trap-on-error")
        .args(definitions)
        .arg("-I")
        .arg(exhaustive_folder())
        .arg("-o")
        .arg(&executable)
        .arg(&source)
        .arg(runtime_object())
        .output()
        .expect("gcc can be started (install it: apt-get install gcc)");
    assert!(
        output.status.success(),
        "gcc refuses a program of the test suite:\n{}\n{}",
        String::from_utf8_lossy(&output.stderr),
        numbered(&translation_unit(programs)),
    );
    executable
}

/// The folder of the hand-written programs, which include a header of their own.
pub(crate) fn exhaustive_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exhaustive")
}

/// The driver does not depend on the programs, so it is compiled once.
fn runtime_object() -> &'static Path {
    static OBJECT: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_folder, object) = OBJECT.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let path = folder.path();
        let object = path.join("runtime.o");
        std::fs::write(path.join("runtime.h"), include_str!("runtime.h")).expect("it can be written");
        std::fs::write(path.join("runtime.c"), include_str!("runtime.c")).expect("it can be written");
        let output = Command::new("gcc")
            .args(["-std=gnu11", "-Wall", "-Werror", "-O2", "-c", "-o"])
            .arg(&object)
            .arg(path.join("runtime.c"))
            .output()
            .expect("gcc can be started (install it: apt-get install gcc)");
        assert!(output.status.success(), "gcc refuses the driver:\n{}", String::from_utf8_lossy(&output.stderr));
        (folder, object)
    });
    object
}

fn translation_unit(programs: &[ProbedProgram]) -> String {
    let mut text = String::from(include_str!("runtime.h"));
    let mut table = String::from("const struct pct_program pct_programs[] = {\n");
    for (index, program) in programs.iter().enumerate() {
        text.push_str(&program.source);
        text.push_str(&call_with_input(index, program));
        let _ = writeln!(table, "  {{pct_run_{index}, {}ul}},", combinations(&program.inputs));
    }
    let count = programs.len();
    let _ = write!(
        text,
        "{table}}};\nconst int pct_program_count = {count};\n\
         #ifdef PCT_COUNT\nconst int pct_counting = 1;\n#else\nconst int pct_counting = 0;\n#endif\n"
    );
    text
}

/// A function that turns the number of an input into its values, digit by digit, and calls `f` with them.
fn call_with_input(index: usize, program: &ProbedProgram) -> String {
    let mut body = String::new();
    let mut arguments = Vec::new();
    for (position, input) in program.inputs.iter().enumerate() {
        if let Some(expression) = &input.expression {
            arguments.push(expression.clone());
            continue;
        }
        let (low, high) = input.range;
        let values = high - low + 1;
        let target = if input.is_global {
            input.name.clone()
        } else {
            let argument = format!("pct_argument_{position}");
            let length = input.length.map_or(String::new(), |n| format!("[{n}]"));
            let _ = writeln!(body, "  {} {argument}{length};", input.type_text);
            arguments.push(argument.clone());
            argument
        };
        let cells = match input.length {
            None => vec![target],
            Some(length) => (0..length).map(|i| format!("{target}[{i}]")).collect(),
        };
        for cell in cells {
            let _ = writeln!(body, "  {cell} = (long)(pct_input % {values}) + {low}l; pct_input /= {values};");
        }
    }
    format!(
        "static void pct_run_{index}(unsigned long pct_input) {{\n{body}  {}({});\n}}\n",
        program.function,
        arguments.join(", ")
    )
}

fn combinations(inputs: &[Input]) -> u64 {
    let combinations = inputs
        .iter()
        .map(|input| {
            let values = u64::try_from(input.range.1 - input.range.0 + 1).expect("a range");
            values.pow(u32::try_from(input.length.unwrap_or(1)).expect("a short array"))
        })
        .product();
    assert!(combinations <= 65_536, "a program of the suite has at most 65536 inputs, this one has {combinations}");
    combinations
}

fn execute(executable: &Path, counts: &Path, observations_per_run: u32) -> String {
    let output = Command::new(executable)
        .arg(counts)
        .arg(observations_per_run.to_string())
        .output()
        .expect("a compiled program can be started");
    assert!(
        output.status.success(),
        "the native run failed ({}): {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr),
        std::fs::read_to_string(executable.with_extension("c")).unwrap_or_default(),
    );
    String::from_utf8(output.stdout).expect("the driver prints ASCII")
}

fn parse(printed: &str) -> Vec<Reached> {
    let mut all: Vec<Reached> = Vec::new();
    for line in printed.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["program", _, counts @ ..] => {
                let counts: Vec<u64> = counts.iter().map(|count| count.parse().expect("a number of runs")).collect();
                let [ended, undefined, assumed_away, diverged] = counts[..] else {
                    panic!("the driver prints four counts: {line}")
                };
                all.push(Reached { states: BTreeSet::new(), runs: Runs { ended, undefined, assumed_away, diverged } });
            }
            ["state", id] => {
                let reached = all.last_mut().expect("a program comes before its states");
                reached.states.insert((*id).to_owned());
            }
            _ => panic!("the driver does not print this: {line}"),
        }
    }
    all
}

fn numbered(text: &str) -> String {
    let mut numbered = String::new();
    for (index, line) in text.lines().enumerate() {
        let _ = writeln!(numbered, "{:4} {line}", index + 1);
    }
    numbered
}
