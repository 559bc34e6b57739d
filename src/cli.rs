//! The command line: words → [`Config`], results → standard output, errors → standard error and the exit code.

use clap::{Args, Parser, Subcommand, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget};
use signal_hook::consts::SIGINT;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use crate::config::{Arithmetic, CheckKind, Config, Globals, Overflow, PointMode, PredicateSource, TimeLimit};
use crate::error::{Error, ExitCode, Result};
use crate::pipeline::{self, Analysis, Bounds, Campaign, Engine, Observed, RunLimits, SearchBounds};
use crate::report;
use crate::report::certificate::Certificate;
use crate::report::tests::Tables;
use crate::tools;

/// Reads the command line and does what it says.
pub fn run() -> std::process::ExitCode {
    let cli = match Cli::try_parse_from(std::env::args_os().map(as_long_option)) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors; clap prints them where they belong.
            let _ = error.print();
            let code = if error.use_stderr() { ExitCode::Usage } else { ExitCode::Success };
            return std::process::ExitCode::from(code as u8);
        }
    };
    let code = match execute(cli.command) {
        Ok(code) => code,
        Err(error) => {
            let code = error.exit_code();
            let mut stderr = std::io::stderr().lock();
            let _ = writeln!(stderr, "{:?}", miette::Report::new(error));
            code
        }
    };
    std::process::ExitCode::from(code as u8)
}

/// The heading of the options that the preprocessor gets.
const PREPROCESSOR: &str = "Preprocessor";

/// The options that compilers spell with one dash.
fn as_long_option(argument: OsString) -> OsString {
    match argument.to_str() {
        Some(text) if text == "-include" || text == "-std" || text.starts_with("-std=") => format!("-{text}").into(),
        _ => argument,
    }
}

/// Predicate-complete testing of C.
///
/// Observes a C function through predicates and says for every observable state (program point × truth values)
/// whether it is impossible, guaranteed, or still open.
#[derive(Parser)]
#[command(name = "pct", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compute the bounds of the reachable observable states.
    #[command(after_help = "Examples:\n  pct analyze examples/partition/partition.c\n  \
        pct analyze examples/partition/partition.c --predicates=examples/partition/partition.pred --json\n  \
        pct analyze file.c -f parse -p 'n < 8' --track 'i == n + 1'\n  \
        pct analyze file.c --predicates        (prints the predicates, and nothing else)")]
    Analyze {
        #[command(flatten)]
        target: TargetArguments,
        #[command(flatten)]
        recursion: RecursionArguments,
        /// Print one JSON object instead of the report.
        #[arg(long)]
        json: bool,
    },
    /// Draw the may graph of the upper bound (Figure 4 of the paper).
    #[command(after_help = "Examples:\n  pct graph examples/partition/partition.c -o partition.svg\n  \
        pct graph examples/partition/partition.c --only open > open.dot\n\n\
        Ovals are initial; boxes are in L: white must, green weak, red optimistic; plain text is open.\n\
        must# is bold, must+ and must- are solid with their sign, may is dotted.")]
    Graph {
        #[command(flatten)]
        target: TargetArguments,
        #[command(flatten)]
        recursion: RecursionArguments,
        /// Where to; the ending chooses the format: .dot, .svg, .png or .pdf. Without it, DOT on standard output.
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
        /// Draw only a part: the open states and their neighbours.
        #[arg(long, value_enum, value_name = "PART")]
        only: Option<OnlyArgument>,
    },
    /// Print the Boolean program (Figure 2(b) of the paper).
    #[command(
        after_help = "Example:\n  pct boolean examples/partition/partition.c --predicates=examples/partition/partition.pred"
    )]
    Boolean {
        #[command(flatten)]
        target: TargetArguments,
        #[command(flatten)]
        recursion: RecursionArguments,
    },
    /// List the paths that tests are made from (Figure 7 of the paper, first column).
    #[command(after_help = "Examples:\n  pct paths examples/partition/partition.c\n  \
        pct paths examples/partition/partition.c --json\n  \
        pct paths examples/partition/partition.c --programs programs\n\n\
        A path goes from an initial state along must- transitions, with at most one other step at its end.")]
    Paths {
        #[command(flatten)]
        target: TargetArguments,
        #[command(flatten)]
        recursion: RecursionArguments,
        /// Print one JSON object instead of the list.
        #[arg(long)]
        json: bool,
        /// Write each path as a C program into this folder (Figure 8 of the paper): path01.c, path02.c, …
        #[arg(long, value_name = "DIR")]
        programs: Option<PathBuf>,
    },
    /// Make tests, run them, and compare what they show with what was promised. Runs the code!
    #[command(after_help = "Examples:\n  pct test examples/partition/partition.c --length a=n\n  \
        pct test file.c -f parse --json\n  pct test file.c -f parse --no-run        (only the inputs; runs nothing)\n  \
        pct test file.c -f parse -o tests        (keeps the tests, as C for CTest and as data)\n  \
        pct test --replay tests                  (runs kept tests again and compares)\n  \
        pct test file.c -f parse --seed 7        (other inputs; the same again for the same seed)\n\n\
        Every path becomes a test; then the states that no test has shown are searched for, shortest way first.\n\
        Exit code 1 if a test goes wrong, if pct finds a defect in itself, or if a kept test shows something else.")]
    #[command(mut_arg("files", |files| files.required(false).required_unless_present("replay")))]
    Test {
        #[command(flatten)]
        target: TargetArguments,
        /// Print one JSON object instead of the report.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        testing: TestingArguments,
    },
    /// Decide open states, by hand or (--auto) by itself: by tests that run, and by predicates that prove that no run gets there.
    #[command(
        after_help = "Examples:\n  pct refine examples/partition/partition_guarded.c        (then: open, suggest, track …, help)\n  \
        pct refine file.c -f parse --do 'track n < 8' --do ratio --do 'write parse.pred'\n  \
        pct refine examples/partition/partition_guarded.c --auto\n  \
        pct refine file.c -f parse --auto --budget 30 --json\n  \
        pct refine file.c -f parse --auto -o parse.pred      (then: pct analyze file.c -f parse --track-file parse.pred)\n\n\
        Without --auto, orders are read from standard input, one a line, or taken from --do; `help` lists them. `write FILE` \
        writes all predicates for --predicates=FILE: a line that begins with @track is one to track. --track-file FILE takes \
        from such a file only those.\n\n\
        Runs the code, as `pct test` does. Exit code 1 if pct finds a defect in itself; 2 if an order from a file or of --do \
        is wrong."
    )]
    Refine {
        #[command(flatten)]
        target: TargetArguments,
        #[command(flatten)]
        refining: RefiningArguments,
        /// Print one JSON object instead of the report.
        #[arg(long)]
        json: bool,
    },
    /// Check a certificate that `pct refine --auto --certificate` wrote, by questions of its own.
    #[command(after_help = "Examples:\n  pct refine file.c -f parse --auto --certificate parse.cert\n  \
        pct check-certificate parse.cert file.c -f parse\n  \
        pct check-certificate parse.cert file.c -f parse --smt-lib questions   (for another solver: all must be unsat)\n\n\
        The C is read again, with the same options; the predicates are those of the certificate. Exit code 1 if it is \
        rejected.")]
    CheckCertificate {
        /// The certificate.
        certificate: PathBuf,
        #[command(flatten)]
        target: TargetArguments,
        #[command(flatten)]
        recursion: RecursionArguments,
        /// Write each question in SMT-LIB 2 into this folder.
        #[arg(long, value_name = "DIR")]
        smt_lib: Option<PathBuf>,
    },
    /// Explain one state: what it means in C, what is known of it and why, a test for it, predicates that would decide it.
    #[command(after_help = "Examples:\n  pct explain examples/partition/partition_guarded.c \
        --predicates=examples/partition/partition.pred L7:FFFT\n  \
        pct explain file.c -f parse L12:TF- --json\n  \
        pct explain file.c -f parse L12:TF- --no-run        (only the inputs; runs nothing)\n\n\
        STATE is a point and the truth values of the observed predicates there, as `pct analyze` lists them.\n\
        Runs the code, as `pct test` does. Exit code 1 if pct finds a defect in itself.")]
    // clap cannot tell a list of files from what follows it if options stand in between; so the state is the last of them.
    #[command(override_usage = "pct explain [OPTIONS] <FILE.c>... <STATE>")]
    #[command(mut_arg("files", |files| files.value_names(["FILE.c", "STATE"]).num_args(1..).help(
        "The C files, and behind them the state, such as L7:FFFT")))]
    Explain {
        #[command(flatten)]
        target: TargetArguments,
        #[command(flatten)]
        recursion: RecursionArguments,
        #[command(flatten)]
        explaining: ExplainingArguments,
        /// Print one JSON object (schema pct-explanation/1) instead of the text.
        #[arg(long)]
        json: bool,
    },
    /// Run your own tests, and tell which observable states they reach. Runs the code!
    #[command(after_help = "Examples:\n  pct measure file.c -f parse --tests tests          \
        (of `pct test -o`, or C programs)\n  \
        pct measure file.c -f parse --inputs inputs.json   (a list such as [{\"n\": 3, \"a\": [1, 2, 3]}])\n  \
        pct measure file.c -f parse --run 'make -B CC=\"$PCT_CC\" check' --fail-under 80\n\n\
        The percentage is |covered| / |U|: of the states that are not impossible, those that the tests reach.\n\n\
        --tests: each C file with a main is a test, the others are linked with each of them. A test declares the function \
        and calls it, or has `#include PCT_SOURCE`. They run in the folder, under limits.\n\n\
        --run: the command builds and runs the tests. PCT_CC is a compiler that takes instrumented copies of the files by \
        itself; PCT_SOURCE is the copy of the file that defines the function. What the command prints goes to standard \
        error.\n\n\
        Exit code 1 if the percentage is too low, if a test or the command fails, or if the function was never called.")]
    Measure {
        #[command(flatten)]
        target: TargetArguments,
        #[command(flatten)]
        recursion: RecursionArguments,
        #[command(flatten)]
        own: OwnTestArguments,
        /// Print one JSON object instead of the report.
        #[arg(long)]
        json: bool,
    },
    /// List the functions that the files define.
    #[command(after_help = "Examples:\n  pct functions examples/algorithms/calendar.c\n  \
        pct functions src/*.c -I include --json\n\n\
        Functions of headers are not listed; `pct analyze FILE.c -f NAME` can analyse them all the same.")]
    Functions {
        #[command(flatten)]
        sources: SourceArguments,
        /// Print a JSON list of objects with name, file and line.
        #[arg(long)]
        json: bool,
    },
    /// Tell which outside tools there are, and what to do about missing ones.
    #[command(after_help = "Examples:\n  pct doctor\n  pct doctor --cc clang --json\n\n\
        The exit code is 0 if everything necessary is there, and 4 if not. PCT_CBMC names the CBMC to use; otherwise it is \
        looked for on the PATH, then where `make cbmc` puts it.")]
    Doctor {
        /// The C compiler to look for.
        #[arg(long, value_name = "CC", default_value = "cc")]
        cc: String,
        /// Print one JSON object instead of the lines.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum OnlyArgument {
    Open,
}

/// The C files, and how they are preprocessed.
#[derive(Args)]
struct SourceArguments {
    /// The C files.
    #[arg(value_name = "FILE.c", required = true)]
    files: Vec<PathBuf>,
    /// The compiler whose preprocessor is used.
    #[arg(long, value_name = "CC", default_value = "cc", help_heading = PREPROCESSOR)]
    cc: String,
    /// The language, as for the compiler's -std: gnu11, c99, gnu2x, …; gnu11 if nothing says otherwise.
    #[arg(long, value_name = "STD", help_heading = PREPROCESSOR)]
    std: Option<String>,
    /// Search for headers in this folder too.
    #[arg(short = 'I', value_name = "DIR", allow_hyphen_values = true, help_heading = PREPROCESSOR)]
    include_folders: Vec<OsString>,
    /// Define a macro.
    #[arg(short = 'D', value_name = "NAME[=V]", allow_hyphen_values = true, help_heading = PREPROCESSOR)]
    define: Vec<OsString>,
    /// Let a macro be undefined, also one that -D defines.
    #[arg(short = 'U', value_name = "NAME", allow_hyphen_values = true, help_heading = PREPROCESSOR)]
    undefine: Vec<OsString>,
    /// Read this file before the C file.
    #[arg(long, value_name = "FILE", help_heading = PREPROCESSOR)]
    include: Vec<OsString>,
    /// Take -I, -D, -U, -include, -std and their like from compile_commands.json in this folder.
    #[arg(long, value_name = "DIR", help_heading = PREPROCESSOR)]
    compile_commands: Option<PathBuf>,
}

#[derive(Args)]
struct TargetArguments {
    #[command(flatten)]
    sources: SourceArguments,
    /// The function; needed if the file defines several and none is main.
    #[arg(short, long, value_name = "NAME")]
    function: Option<String>,
    /// Alone: print the predicates and stop. With a file: take exactly the predicates in it, one C expression a
    /// line, `name: expression` to name it, # for comments, @track before one that is only tracked.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    predicates: Option<Option<PathBuf>>,
    /// Of the conditions of the function, observe only those equal to EXPR, or whose text matches a pattern with * and
    /// ?. Can be given several times.
    #[arg(long, value_name = "EXPR|PATTERN", allow_hyphen_values = true)]
    observe: Vec<String>,
    /// Observe one more predicate.
    #[arg(short, long = "predicate", value_name = "EXPR", allow_hyphen_values = true)]
    p: Vec<String>,
    /// Track a predicate: it sharpens the result but is not observed.
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    track: Vec<String>,
    /// Track the predicates in a file, one C expression a line; only those with @track, if there are some.
    #[arg(long, value_name = "FILE")]
    track_file: Vec<PathBuf>,
    /// What the points are: the labels of the function, its statements and conditions, or (auto) the labels if one of
    /// them is the target of no goto.
    #[arg(long, value_enum, default_value_t = PointsArgument::Auto)]
    points: PointsArgument,
    /// Machine integers with C's widths, or mathematical ones.
    #[arg(long, value_enum, default_value_t = ArithArgument::Machine)]
    arith: ArithArgument,
    /// Signed overflow: not considered, an error, or wrapping around.
    #[arg(long, value_enum, default_value_t = OverflowArgument::Assume)]
    overflow: OverflowArgument,
    /// Limit for one question to the solver, in seconds.
    #[arg(long, value_name = "S", default_value_t = 2.0, value_parser = seconds)]
    timeout: f64,
    /// Limit for the whole analysis, in seconds; what is known then is the result, marked as partial.
    #[arg(long, value_name = "S", value_parser = seconds)]
    limit: Option<f64>,
    /// Threads for the solver; 0: one for each core. The result does not depend on it.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=256))]
    jobs: u16,
    /// Stop at this many states; the result is then marked as partial.
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    max_states: usize,
    /// What globals hold at the start: anything, or their initial values (which always hold in main).
    #[arg(long, value_enum, default_value_t = GlobalsArgument::Arbitrary)]
    globals: GlobalsArgument,
    /// Take a function as undefined, although it has a body.
    #[arg(long, value_name = "FUNCTION")]
    havoc: Vec<String>,
    /// Pointer parameters may point to the same object.
    #[arg(long)]
    may_alias: bool,
    /// Run-time checks: each adds its predicate and a way to go wrong, and gets a verdict of its own.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "KINDS")]
    checks: Vec<CheckArgument>,
    /// How many elements what a parameter points to has, for --checks bounds: --length a=n.
    #[arg(long, value_name = "PARAMETER=EXPR", value_parser = parameter_length)]
    length: Vec<(String, String)>,
}

/// Where recursion ends.
#[derive(Args)]
struct RecursionArguments {
    /// How often a function is inlined into itself; deeper recursion is cut off.
    #[arg(long, value_name = "N", default_value_t = 2)]
    depth: usize,
}

/// How tests are made and run.
#[derive(Args)]
struct TestingArguments {
    /// How often a function is inlined into itself; deeper recursion is cut off.
    #[arg(long, value_name = "N", default_value_t = 2)]
    recursion: usize,
    /// Who solves the paths: Z3 in process, CBMC on path programs, or both, which must agree.
    #[arg(long, value_enum, default_value_t = EngineArgument::Z3)]
    engine: EngineArgument,
    /// Do not run the code: only find inputs.
    #[arg(long)]
    no_run: bool,
    /// The longest way that the search for further states tries, in states.
    #[arg(long, value_name = "N", default_value_t = 60)]
    depth: usize,
    /// How many questions the search may ask the solver, about; one that it gives up counts for a hundred.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    search_questions: usize,
    /// Limit for one run, in seconds.
    #[arg(long, value_name = "S", default_value_t = 2.0, value_parser = seconds)]
    run_timeout: f64,
    /// Draw other inputs where a path leaves a choice: the same seed gives the same tests, and 0 the simplest ones.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u32,
    /// Keep the tests in this folder: C files for CTest, tests.json, inputs.csv, and a suite for Test-Comp.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Keep the inputs in one more form.
    #[arg(long, value_enum, value_name = "FORM", requires = "output")]
    emit: Vec<EmitArgument>,
    /// Run the tests in this folder again, with the source as it is now, and compare what they show.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["files", "output", "no_run", "json"])]
    replay: Option<PathBuf>,
}

/// How far a refinement goes.
#[derive(Args)]
struct RefiningArguments {
    #[command(flatten)]
    recursion: RecursionArguments,
    /// Find predicates until no state is open, or the budget is spent.
    #[arg(long)]
    auto: bool,
    /// Carry out an order, as from standard input; can be repeated. Then standard input is not read.
    #[arg(long = "do", value_name = "ORDER", conflicts_with = "auto", allow_hyphen_values = true)]
    orders: Vec<String>,
    /// How long it may take, in seconds; by hand, one order.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    budget: f64,
    /// At most so many predicates are added.
    #[arg(long, value_name = "N", default_value_t = 8)]
    max_predicates: usize,
    /// Do not run the code: only find inputs and proofs.
    #[arg(long)]
    no_run: bool,
    /// Write why the unreachable states are so to this file, for `pct check-certificate`.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Keep what is proved in this file, and go on from it if it is there.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Write the predicates that were found to this file, for --track-file; by hand, all of them, for --predicates=FILE.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// How far an explanation goes.
#[derive(Args)]
struct ExplainingArguments {
    /// Do not run the code: only find inputs.
    #[arg(long)]
    no_run: bool,
    /// How long it may look for proofs, inputs and predicates, in seconds.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    budget: f64,
}

/// The tests of the user's.
#[derive(Args)]
struct OwnTestArguments {
    #[command(flatten)]
    which: WhichTests,
    /// Exit with 1 if less than so many percent of the states of U are covered.
    #[arg(long, value_name = "PERCENT", value_parser = percentage)]
    fail_under: Option<f64>,
    /// Limit for one run of --tests and --inputs, in seconds.
    #[arg(long, value_name = "S", default_value_t = 2.0, value_parser = seconds)]
    run_timeout: f64,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct WhichTests {
    /// The tests in this folder: those that `pct test -o` has kept, or C programs that call the function.
    #[arg(long, value_name = "DIR")]
    tests: Option<PathBuf>,
    /// The inputs in this file, as `pct test --json` prints them.
    #[arg(long, value_name = "FILE.json")]
    inputs: Option<PathBuf>,
    /// Whatever this command of the shell builds and runs.
    #[arg(long, value_name = "COMMAND")]
    run: Option<String>,
}

fn percentage(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=100.0).contains(&value) => Ok(value),
        _ => Err("a number of percent from 0 to 100 is needed".to_string()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EmitArgument {
    /// A corpus for libFuzzer, and a harness.
    Libfuzzer,
}

#[derive(Clone, Copy, ValueEnum)]
enum EngineArgument {
    Z3,
    Cbmc,
    Both,
}

impl EngineArgument {
    fn engines(self) -> Vec<Engine> {
        match self {
            EngineArgument::Z3 => vec![Engine::Z3],
            EngineArgument::Cbmc => vec![Engine::Cbmc],
            EngineArgument::Both => vec![Engine::Z3, Engine::Cbmc],
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CheckArgument {
    /// Accesses stay inside their arrays.
    Bounds,
    /// No division by zero.
    Div,
    /// No signed overflow.
    Overflow,
    /// No shift by too much.
    Shift,
    /// No null pointer is followed.
    Null,
    /// All of them.
    All,
}

impl CheckArgument {
    fn kinds(self) -> Vec<CheckKind> {
        match self {
            CheckArgument::Bounds => vec![CheckKind::Bounds],
            CheckArgument::Div => vec![CheckKind::Division],
            CheckArgument::Overflow => vec![CheckKind::Overflow],
            CheckArgument::Shift => vec![CheckKind::Shift],
            CheckArgument::Null => vec![CheckKind::Null],
            CheckArgument::All => {
                vec![CheckKind::Bounds, CheckKind::Division, CheckKind::Overflow, CheckKind::Shift, CheckKind::Null]
            }
        }
    }
}

fn parameter_length(text: &str) -> std::result::Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, length)) if !name.trim().is_empty() && !length.trim().is_empty() => {
            Ok((name.trim().to_string(), length.trim().to_string()))
        }
        _ => Err("write PARAMETER=EXPRESSION, for example a=n".to_string()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GlobalsArgument {
    Arbitrary,
    Initial,
}

#[derive(Clone, Copy, ValueEnum)]
enum PointsArgument {
    Auto,
    Labels,
    Statements,
}

#[derive(Clone, Copy, ValueEnum)]
enum ArithArgument {
    Machine,
    Ideal,
}

#[derive(Clone, Copy, ValueEnum)]
enum OverflowArgument {
    Assume,
    Error,
    Wrap,
}

fn seconds(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 86_400.0 => Ok(value),
        _ => Err("a number of seconds greater than 0 is needed".to_string()),
    }
}

impl SourceArguments {
    /// The options for the preprocessor, as compilers spell them.
    fn preprocessor_options(&self) -> Vec<OsString> {
        let options =
            [("-I", &self.include_folders), ("-D", &self.define), ("-U", &self.undefine), ("-include", &self.include)];
        let pairs = options.into_iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value)));
        pairs.flat_map(|(name, value)| [name.into(), value.clone()]).collect()
    }

    /// The settings for reading the files, and defaults for everything else.
    fn settings(&self) -> Config {
        Config {
            files: self.files.clone(),
            compiler: self.cc.clone(),
            standard: self.std.clone(),
            preprocessor_options: self.preprocessor_options(),
            compile_commands: self.compile_commands.clone(),
            ..Config::new("")
        }
    }
}

impl TargetArguments {
    /// Whether only the predicates are wanted.
    fn lists_predicates(&self) -> bool {
        self.predicates == Some(None)
    }

    /// The settings for an analysis.
    fn config(&self, recursion: usize) -> Result<Config> {
        if self.lists_predicates() {
            return Err(Error::usage_with_help(
                "--predicates needs a file here",
                "write --predicates=FILE; `pct analyze FILE.c --predicates` prints the predicates",
            ));
        }
        Ok(Config { depth: recursion, ..self.settings() })
    }

    fn settings(&self) -> Config {
        Config {
            function: self.function.clone(),
            predicates: match &self.predicates {
                Some(Some(path)) => PredicateSource::File(path.clone()),
                _ => PredicateSource::Conditions,
            },
            observe: self.observe.clone(),
            extra_predicates: self.p.clone(),
            tracked: self.track.clone(),
            track_files: self.track_file.clone(),
            points: match self.points {
                PointsArgument::Auto => PointMode::Auto,
                PointsArgument::Labels => PointMode::Labels,
                PointsArgument::Statements => PointMode::Statements,
            },
            arithmetic: match self.arith {
                ArithArgument::Machine => Arithmetic::Machine,
                ArithArgument::Ideal => Arithmetic::Ideal,
            },
            overflow: match self.overflow {
                OverflowArgument::Assume => Overflow::Assume,
                OverflowArgument::Error => Overflow::Error,
                OverflowArgument::Wrap => Overflow::Wrap,
            },
            timeout: Duration::from_secs_f64(self.timeout),
            jobs: usize::from(self.jobs),
            max_states: self.max_states,
            limit: self.limit.map(|limit| TimeLimit::from_now(Duration::from_secs_f64(limit))),
            globals: if self.globals == GlobalsArgument::Initial { Globals::Initial } else { Globals::Arbitrary },
            havocked: self.havoc.clone(),
            may_alias: self.may_alias,
            checks: self.checks.iter().flat_map(|check| check.kinds()).collect(),
            lengths: self.length.clone(),
            ..self.sources.settings()
        }
    }
}

fn execute(command: Command) -> Result<ExitCode> {
    match command {
        Command::Analyze { target, recursion, json } => {
            if target.lists_predicates() {
                let observed = pipeline::observe(&target.settings())?;
                print(&report::text::predicates(&observed.predicates))?;
                return Ok(ExitCode::Success);
            }
            let config = target.config(recursion.depth)?;
            let analysis = analyze(&config)?;
            let failures = with_spinner(|_| pipeline::failures(&analysis, &config))?;
            let bounds = analysis.bounds.clone().with_failures(failures.keys());
            let results = results(&config, &analysis, &bounds, &failures, None);
            let text = if json { report::json::render(results) } else { report::text::render(results, style()) };
            print(&text)?;
        }
        Command::Graph { target, recursion, output, only } => {
            let format = picture_format(output.as_deref())?;
            let analysis = analyze(&target.config(recursion.depth)?)?;
            let part = match only {
                Some(OnlyArgument::Open) => report::dot::Part::Open,
                None => report::dot::Part::Whole,
            };
            let dot = report::dot::render(&analysis.observed.cfg, &analysis.bounds, part);
            match (output, format) {
                (None, _) => print(&dot)?,
                (Some(path), None) => write(&path, dot.as_bytes())?,
                (Some(path), Some(format)) => write(&path, &report::dot::picture(&dot, &format)?)?,
            }
        }
        Command::Boolean { target, recursion } => {
            let program = pipeline::boolean_program(&target.config(recursion.depth)?)?;
            print(&report::boolean::render(&program))?;
        }
        Command::Paths { target, recursion, json, programs } => {
            let config = target.config(recursion.depth)?;
            let analysis = analyze(&config)?;
            let paths = pipeline::paths(&analysis);
            let Analysis { observed, abstraction, .. } = &analysis;
            let count = observed.predicates.observed_count();
            let text = match json {
                true => report::paths::json(&config, &observed.cfg, abstraction, count, &paths),
                false => report::paths::text(&observed.cfg, abstraction, count, &paths),
            };
            if let Some(folder) = programs {
                write_programs(
                    &folder,
                    &pipeline::path_programs(&observed.cfg, &observed.predicates, abstraction, &config),
                )?;
            }
            print(&text)?;
        }
        Command::Test { testing: TestingArguments { replay: Some(folder), .. }, .. } => return replay(&folder),
        Command::Test { target, json, testing } => {
            let config = Config { seed: testing.seed, ..target.config(testing.recursion)? };
            return test(&config, &testing, json);
        }
        Command::Refine { target, refining, json } => {
            let config = target.config(refining.recursion.depth)?;
            return match (refining.auto, json) {
                (true, _) => refine(config, &refining, json),
                (false, false) => refine_by_hand(&config, &refining),
                (false, true) => Err(Error::usage_with_help(
                    "refinement by hand is for people: it prints no JSON",
                    "add --auto, or use `pct explain --json` and `pct analyze --json`",
                )),
            };
        }
        Command::Explain { mut target, recursion, explaining, json } => {
            let state = target.sources.files.pop().filter(|_| !target.sources.files.is_empty());
            let Some(state) = state.and_then(|state| state.into_os_string().into_string().ok()) else {
                return Err(Error::usage_with_help(
                    "`pct explain` needs a file and a state",
                    "write, for example, pct explain FILE.c L7:FFFT; `pct analyze FILE.c` lists the open states",
                ));
            };
            return explain(&target.config(recursion.depth)?, &state, &explaining, json);
        }
        Command::CheckCertificate { certificate, target, recursion, smt_lib } => {
            return check_certificate(&certificate, &target.config(recursion.depth)?, smt_lib.as_deref());
        }
        Command::Measure { target, recursion, own, json } => {
            return measure(&target.config(recursion.depth)?, &own, json);
        }
        Command::Functions { sources, json } => {
            let functions = pipeline::functions(&sources.settings())?;
            let text = if json { report::json::functions(&functions) } else { report::text::functions(&functions) };
            print(&text)?;
        }
        Command::Doctor { cc, json } => {
            let diagnoses = pipeline::doctor(&cc);
            print(&if json { report::doctor::json(&diagnoses) } else { report::doctor::text(&diagnoses) })?;
            return Ok(if tools::is_ready(&diagnoses) { ExitCode::Success } else { ExitCode::Tool });
        }
    }
    Ok(ExitCode::Success)
}

/// `pct test`: the analysis, the tests, and what they show.
fn test(config: &Config, testing: &TestingArguments, json: bool) -> Result<ExitCode> {
    if let Some(folder) = &testing.output {
        report::suite::check_folder(folder)?;
    }
    let analysis = analyze(config)?;
    hear_interrupts(config)?;
    let limits = RunLimits { time: Duration::from_secs_f64(testing.run_timeout), ..Default::default() };
    let campaign = with_spinner(|spinner| {
        let settings = pipeline::Testing {
            engines: testing.engine.engines(),
            search: SearchBounds { depth: testing.depth, questions: testing.search_questions },
            limits: (!testing.no_run).then_some(limits),
            is_over: &|| config.is_over(),
            progress: &|tests, shown| spinner.set_message(format!("{tests} tests, {shown} states shown")),
        };
        pipeline::test(&analysis, config, &settings)
    })?;
    let Analysis { observed, abstraction, bounds } = &analysis;
    let Observed { program, cfg, predicates, .. } = observed;
    let failures = campaign.failures();
    let bounds = bounds
        .with_witnesses(campaign.witnessed.iter().map(|id| &abstraction.states[id.index()]))
        .with_failures(failures.keys());
    let results = results(config, &analysis, &bounds, &failures, Some(&campaign));
    let object = || report::json::render(results);
    let text = if json {
        object()
    } else {
        let tables = Tables { cfg, abstraction, observed: predicates.observed_count(), sources: &program.sources };
        let style = style();
        report::tests::table(tables, &campaign, style)
            + &report::text::matrix(results, style)
            + &report::tests::summary(tables, &campaign, &bounds)
    };
    print(&text)?;
    if let Some(folder) = &testing.output {
        let kept = report::suite::Kept {
            config,
            observed: subject(observed),
            abstraction,
            campaign: &campaign,
            json: &object(),
            path_programs: pipeline::path_programs(cfg, predicates, abstraction, config),
            options: pipeline::compiler_options(config)?,
            run_timeout: testing.run_timeout,
            with_fuzzer: testing.emit.contains(&EmitArgument::Libfuzzer),
        };
        for line in report::suite::write(&report::suite::compose(&kept, folder)?, folder)? {
            // What nobody can read changes nothing.
            let _ = writeln!(std::io::stderr(), "{}: {line}", folder.display());
        }
    }
    let went_wrong = campaign.tests.iter().any(|ran| ran.run.as_ref().is_some_and(|run| run.end.went_wrong()));
    Ok(if went_wrong || !campaign.defects.is_empty() { ExitCode::Finding } else { ExitCode::Success })
}

/// The first Ctrl-C ends what is going on and keeps what is found; the second one ends pct.
fn hear_interrupts(config: &Config) -> Result<()> {
    let second = signal_hook::flag::register_conditional_shutdown(SIGINT, 130, config.stop.flag());
    let first = signal_hook::flag::register(SIGINT, config.stop.flag());
    match second.and(first) {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::usage("the system does not let pct hear Ctrl-C")),
    }
}

/// `pct refine --auto`: the analysis, tests and proofs for what is open, and what is left.
fn refine(mut config: Config, refining: &RefiningArguments, json: bool) -> Result<ExitCode> {
    config.limit.get_or_insert_with(|| TimeLimit::from_now(Duration::from_secs_f64(refining.budget)));
    let analysis = analyze(&config)?;
    hear_interrupts(&config)?;
    let none = report::Failures::new();
    let start = results(&config, &analysis, &analysis.bounds, &none, None);
    let known = match &refining.state {
        Some(file) if file.exists() => {
            let name = file.display().to_string();
            let text = std::fs::read_to_string(file).map_err(|error| {
                Error::usage_with_help(format!("cannot read {name}: {error}"), "name another file with --state")
            })?;
            report::refinement::read_state(start, &text, &name)?
        }
        _ => Default::default(),
    };
    let refinement = with_spinner(|spinner| {
        let settings = pipeline::Refining {
            testing: pipeline::Testing {
                engines: vec![Engine::Z3],
                search: SearchBounds { depth: 60, questions: 1000 },
                limits: (!refining.no_run).then(RunLimits::default),
                is_over: &|| config.is_over(),
                progress: &|tests, shown| spinner.set_message(format!("{tests} tests, {shown} states shown")),
            },
            max_predicates: refining.max_predicates,
            known,
            keep: &|proved| match &refining.state {
                Some(file) => write(file, report::refinement::state(start, proved).as_bytes()),
                None => Ok(()),
            },
        };
        pipeline::refine(&analysis, &config, &settings)
    })?;
    let pipeline::Refinement { bounds, campaign, steps, attempts, proof } = &refinement;
    let failures = campaign.failures();
    let bounds = bounds.clone().with_failures(failures.keys());
    let results =
        report::Results { refinement: Some(steps), ..results(&config, &analysis, &bounds, &failures, Some(campaign)) };
    print(&match json {
        true => report::json::render(results),
        false => report::refinement::text(results, attempts, style()),
    })?;
    if let Some(file) = &refining.output {
        write(file, report::refinement::predicate_file(steps).as_bytes())?;
    }
    if let Some(file) = &refining.certificate {
        let (claims, Observed { cfg, labels, .. }) = (bounds.unreachable(), &analysis.observed);
        let certificate = proof.as_ref().map(|proof| Certificate::of(&config, *labels, cfg, proof, &claims));
        match certificate {
            Some(certificate) if certificate.claims() == claims.len() => write(file, certificate.render().as_bytes())?,
            _ => {
                return Err(Error::usage_with_help(
                    "there was no time for a certificate of all states that were proved to be unreachable",
                    "give more time with --budget",
                ));
            }
        }
    }
    Ok(if campaign.defects.is_empty() { ExitCode::Success } else { ExitCode::Finding })
}

/// `pct refine` by hand: the analysis, then orders one after the other.
fn refine_by_hand(config: &Config, refining: &RefiningArguments) -> Result<ExitCode> {
    let settings = pipeline::SessionSettings {
        limits: (!refining.no_run).then(RunLimits::default),
        search: SearchBounds { depth: 60, questions: 1000 },
        max_predicates: refining.max_predicates,
        budget: Duration::from_secs_f64(refining.budget),
    };
    let mut session = pipeline::session(analyze(config)?, config, settings);
    print(&report::session::start(config, &session))?;
    let is_dialogue = refining.orders.is_empty() && std::io::stdin().is_terminal();
    let lines: Box<dyn Iterator<Item = std::io::Result<String>>> = match refining.orders.is_empty() {
        true => Box::new(std::io::stdin().lines()),
        false => Box::new(refining.orders.iter().cloned().map(Ok)),
    };
    let (mut has_wrong, mut has_defect) = (false, false);
    let prompt = || if is_dialogue { print("pct> ") } else { Ok(()) };
    prompt()?;
    for line in lines {
        let carried_out = match line {
            Ok(line) => carry_out(config, &mut session, &line),
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                Err(Error::usage("a line of the input is not UTF-8"))
            }
            Err(error) => return Err(Error::usage(format!("cannot read standard input: {error}"))),
        };
        match carried_out {
            Ok(Next::End) => break,
            Ok(Next::Defect) => has_defect = true,
            Ok(Next::Order) => {}
            Err(error) => {
                has_wrong = true;
                // Nothing is lost: the next order goes on from here.
                let _ = writeln!(std::io::stderr(), "{:?}", miette::Report::new(error));
            }
        }
        prompt()?;
    }
    if let Some(file) = &refining.output {
        write(file, report::session::file(config, &session).as_bytes())?;
    }
    Ok(match (has_defect, has_wrong && !is_dialogue) {
        (true, _) => ExitCode::Finding,
        (false, true) => ExitCode::Usage,
        (false, false) => ExitCode::Success,
    })
}

/// What comes after an order.
enum Next {
    Order,
    /// Another order, but pct has contradicted itself.
    Defect,
    End,
}

/// Carries out one order of a refinement by hand.
fn carry_out(config: &Config, session: &mut pipeline::Session, line: &str) -> Result<Next> {
    let Some(order) = pipeline::order(line)? else {
        return Ok(Next::Order);
    };
    let outcome = with_spinner(|_| session.carry_out(order))?;
    if let pipeline::SessionOutcome::Write(file) = &outcome {
        write(file, report::session::file(config, session).as_bytes())?;
    }
    print(&report::session::outcome(config, session, &outcome, style()))?;
    Ok(match &outcome {
        pipeline::SessionOutcome::Quit => Next::End,
        pipeline::SessionOutcome::Explained(explanation) if !explanation.defects.is_empty() => Next::Defect,
        pipeline::SessionOutcome::Tested { defects, .. } if !defects.is_empty() => Next::Defect,
        _ => Next::Order,
    })
}

/// `pct explain`: the analysis, and what there is to say of one state.
fn explain(config: &Config, state: &str, arguments: &ExplainingArguments, json: bool) -> Result<ExitCode> {
    let observed = pipeline::observe(config)?;
    // A wrong name is told before the analysis takes its time.
    pipeline::named(&observed, state)?;
    let analysis = analyze_observed(observed, config)?;
    // The limit of the settings was for the analysis; what follows has a budget of its own.
    let unlimited = Config { limit: None, ..config.clone() };
    let limited = pipeline::within(&unlimited, Duration::from_secs_f64(arguments.budget));
    let explaining = pipeline::Explaining {
        limits: (!arguments.no_run).then(RunLimits::default),
        search: SearchBounds { depth: 60, questions: 1000 },
        max_predicates: 8,
        is_over: &|| limited.limit.is_some_and(|limit| std::time::Instant::now() >= limit.end),
    };
    let explanation = with_spinner(|_| pipeline::explain(&analysis, &limited, state, &explaining))?;
    let Analysis { observed: Observed { cfg, predicates, .. }, abstraction, .. } = &analysis;
    let subject = report::explain::Subject { config, cfg, predicates, abstraction };
    print(&match json {
        true => report::explain::json(subject, &explanation),
        false => report::explain::text(subject, &explanation, style()),
    })?;
    Ok(if explanation.defects.is_empty() { ExitCode::Success } else { ExitCode::Finding })
}

/// `pct measure`: the analysis, and what tests of the user's show of it.
fn measure(config: &Config, own: &OwnTestArguments, json: bool) -> Result<ExitCode> {
    let observed = pipeline::observe(config)?;
    // What is wrong with the tests is told before the analysis takes its time.
    let tests = own_tests(&own.which, &observed)?;
    let limits = RunLimits { time: Duration::from_secs_f64(own.run_timeout), ..Default::default() };
    let analysis = analyze_observed(observed, config)?;
    let measurement = with_spinner(|_| pipeline::measure(&analysis, config, tests, &limits))?;
    let Analysis { observed: Observed { program, cfg, predicates, .. }, abstraction, bounds } = &analysis;
    let bounds = bounds.with_witnesses(measurement.witnessed.iter().map(|id| &abstraction.states[id.index()]));
    let percent = report::measure::percent(&bounds);
    let failures = report::Failures::new();
    let results = results(config, &analysis, &bounds, &failures, None);
    let text = if json {
        report::json::render(report::Results { measurement: Some(&measurement), ..results })
    } else {
        let tables = Tables { cfg, abstraction, observed: predicates.observed_count(), sources: &program.sources };
        let style = style();
        report::measure::table(tables, &measurement, style)
            + &report::text::matrix(results, style)
            + &report::measure::summary(config, tables, &measurement, &bounds)
    };
    print(&text)?;
    let is_low = own.fail_under.filter(|wanted| percent < *wanted);
    if let Some(wanted) = is_low {
        // The exit code says it too.
        let _ = writeln!(
            std::io::stderr(),
            "{percent:.1} % of the states are covered, less than {wanted} % (--fail-under)"
        );
    }
    let went_wrong = measurement.runs.iter().any(|run| run.end.went_wrong())
        || measurement.calls == Some(0)
        || !measurement.outside.is_empty();
    Ok(if went_wrong || is_low.is_some() { ExitCode::Finding } else { ExitCode::Success })
}

/// The tests that the user names.
fn own_tests(which: &WhichTests, observed: &Observed) -> Result<pipeline::OwnTests> {
    let mut tests = pipeline::OwnTests { inputs: Vec::new(), programs: Vec::new(), command: which.run.clone() };
    if let Some(file) = &which.inputs {
        let given = report::given::read(file, subject(observed))?;
        tests.inputs = given.into_iter().map(|(name, inputs)| (name, Ok(inputs))).collect();
    }
    if let Some(folder) = &which.tests {
        let unreadable = |error: std::io::Error| {
            Error::usage_with_help(format!("cannot read {}: {error}", folder.display()), "name a folder with tests")
        };
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            files.push(entry.map_err(unreadable)?.path());
        }
        files.sort();
        let is_kept = files.iter().any(|file| file.ends_with("tests.json"));
        let suite = is_kept.then(|| report::suite::read(folder)).transpose()?;
        if let Some(suite) = &suite {
            let inputs = suite.inputs(subject(observed));
            tests.inputs = suite.names().map(String::from).zip(inputs).collect();
        }
        let is_own = |file: &PathBuf| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let is_kept = suite.as_ref().is_some_and(|suite| suite.wrote(&name));
            file.extension().is_some_and(|ending| ending == "c") && !is_kept
        };
        tests.programs = files.into_iter().filter(is_own).collect();
        if tests.inputs.is_empty() && tests.programs.is_empty() {
            return Err(Error::usage_with_help(
                format!("{} holds no tests", folder.display()),
                "`pct test FILE.c -o DIR` writes tests; your own are C files with a main that calls the function",
            ));
        }
        if !tests.programs.is_empty() && observed.cfg.function == "main" {
            return Err(Error::usage_with_help(
                "programs with a main of their own cannot call `main`",
                "measure it with --run 'COMMAND', which builds and runs your program",
            ));
        }
    }
    Ok(tests)
}

/// `pct check-certificate`: whether it holds.
fn check_certificate(file: &Path, config: &Config, smt_lib: Option<&Path>) -> Result<ExitCode> {
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file)
        .map_err(|error| Error::usage_with_help(format!("cannot read {name}: {error}"), "name a certificate"))?;
    let certificate = Certificate::read(&text, &name)?;
    let (observed, checked) = with_spinner(|_| pipeline::check_certificate(config, &certificate))?;
    let checked = match checked {
        Ok(checked) => checked,
        Err(why) => {
            print(&format!("the certificate is rejected: {why}\n"))?;
            return Ok(ExitCode::Finding);
        }
    };
    if let Some(folder) = smt_lib {
        std::fs::create_dir_all(folder).map_err(|error| {
            Error::usage_with_help(format!("cannot make the folder {}: {error}", folder.display()), "name another one")
        })?;
        for (number, obligation) in checked.obligations.iter().enumerate() {
            let text = format!("; unsat, if never {}\n{}", obligation.what, obligation.opinion.smt_lib);
            write(&folder.join(format!("{:04}.smt2", number + 1)), text.as_bytes())?;
        }
    }
    print(&report::certificate::text(&certificate, &observed.cfg, &checked))?;
    Ok(if checked.holds() { ExitCode::Success } else { ExitCode::Finding })
}

/// What there is to tell of a function.
fn results<'a>(
    config: &'a Config,
    analysis: &'a Analysis,
    bounds: &'a Bounds,
    failures: &'a report::Failures,
    campaign: Option<&'a Campaign>,
) -> report::Results<'a> {
    let Analysis { observed: Observed { program, cfg, predicates, labels, .. }, abstraction, .. } = analysis;
    let sources = &program.sources;
    report::Results {
        config,
        labels: *labels,
        sources,
        cfg,
        predicates,
        abstraction,
        bounds,
        failures,
        campaign,
        refinement: None,
        measurement: None,
    }
}

/// What a suite is about.
fn subject(observed: &Observed) -> report::suite::Subject<'_> {
    let Observed { program, function, cfg, predicates, .. } = observed;
    report::suite::Subject { program, function: *function, cfg, predicates }
}

/// `pct test --replay`: the kept tests with the source as it is now.
fn replay(folder: &Path) -> Result<ExitCode> {
    let suite = report::suite::read(folder)?;
    let limits = RunLimits { time: suite.run_timeout(), ..Default::default() };
    let inputs = |observed: &Observed| suite.inputs(subject(observed));
    let (observed, runs) = with_spinner(|_| pipeline::rerun(&suite.config(folder), &limits, &inputs))?;
    let comparison = report::suite::compare(&suite, subject(&observed), &runs);
    print(&comparison.text)?;
    Ok(if comparison.has_changes { ExitCode::Finding } else { ExitCode::Success })
}

/// The format that the ending of a file asks for; `None` for DOT itself.
fn picture_format(path: Option<&Path>) -> Result<Option<String>> {
    let Some(path) = path else { return Ok(None) };
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("dot" | "gv") => Ok(None),
        Some(ending @ ("svg" | "png" | "pdf")) => Ok(Some(ending.to_string())),
        _ => Err(Error::usage_with_help(
            format!("the format of {} is not known", path.display()),
            "use a name that ends in .dot, .svg, .png or .pdf",
        )),
    }
}

/// Writes the paths as C, one file each. Says which ones cannot be written, and overwrites nothing that is not pct's.
fn write_programs(folder: &Path, programs: &[std::result::Result<String, String>]) -> Result<()> {
    let mut files = Vec::new();
    let mut refused = Vec::new();
    for (number, program) in programs.iter().enumerate() {
        let file = folder.join(format!("path{:02}.c", number + 1));
        match program {
            Ok(text) => files.push((file, text)),
            Err(reason) => refused.push(format!("path {} is not written: {reason}", number + 1)),
        }
    }
    for (file, _) in &files {
        let is_foreign = match std::fs::read(file) {
            Ok(bytes) => !bytes.starts_with(pipeline::PATH_PROGRAM_MARK.as_bytes()),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound && folder.exists(),
        };
        if is_foreign {
            return Err(Error::usage_with_help(
                format!("{} is there already, and pct did not write it", file.display()),
                "choose another folder",
            ));
        }
    }
    std::fs::create_dir_all(folder).map_err(|error| {
        Error::usage_with_help(format!("cannot make {}: {error}", folder.display()), "check its permissions")
    })?;
    for (file, text) in &files {
        write(file, text.as_bytes())?;
    }
    for line in refused {
        // A note that nobody can read changes nothing.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
    Ok(())
}

/// Writes a file whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = |error: std::io::Error| {
        Error::usage_with_help(
            format!("cannot write {}: {error}", path.display()),
            "check the folder and its permissions",
        )
    };
    let mut unfinished = path.as_os_str().to_os_string();
    unfinished.push(".unfinished");
    std::fs::write(&unfinished, bytes).and_then(|()| std::fs::rename(&unfinished, path)).map_err(|error| {
        // Nothing half-written stays behind.
        let _ = std::fs::remove_file(&unfinished);
        failed(error)
    })
}

/// Runs the analysis.
fn analyze(config: &Config) -> Result<Analysis> {
    analyze_observed(pipeline::observe(config)?, config)
}

/// Runs the analysis of what is observed.
fn analyze_observed(observed: Observed, config: &Config) -> Result<Analysis> {
    if let Some(warning) = report::text::explosion(config, &observed.cfg, &observed.predicates) {
        // A warning that nobody can read changes nothing.
        let _ = writeln!(std::io::stderr(), "{warning}");
    }
    with_spinner(|spinner| {
        pipeline::explore(observed, config, &|states, queries| {
            spinner.set_message(format!("{states} states, {queries} questions to the solver"));
        })
    })
}

/// Does something, with a spinner on the terminal once it takes longer than two seconds.
fn with_spinner<T>(work: impl FnOnce(&ProgressBar) -> T) -> T {
    let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    std::thread::scope(|scope| {
        let (done, finished) = std::sync::mpsc::channel::<()>();
        let shown = spinner.clone();
        // Where there is no thread for it, there is no spinner.
        let _ = std::thread::Builder::new().spawn_scoped(scope, move || {
            // The channel closes when the analysis is over.
            if finished.recv_timeout(Duration::from_secs(2)) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(100));
            }
        });
        let result = work(&spinner);
        drop(done);
        spinner.finish_and_clear();
        result
    })
}

fn style() -> report::text::Style {
    let stdout = std::io::stdout();
    let terminal = stdout.is_terminal();
    let colour = terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let (_, columns) = console::Term::stdout().size();
    let width = if terminal { usize::from(columns) } else { 120 };
    report::text::Style { colour, width }
}

/// Prints to standard output; a reader that went away is no error.
fn print(text: &str) -> Result<()> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::usage(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
