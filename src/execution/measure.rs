//! Measuring: tests of the user's → the states that they reach.
//!
//! Inputs run as tests of pct do. Programs of the user's get an instrumented copy of the measured files: with probes, but
//! otherwise as the user wrote them. The copy is a preprocessed file that stands alone: it includes the runtime
//! (`observe.c`) and the predicates as assembly, compiled beforehand, so the options of the user's build do not change
//! what is observed. Only calls that are no part of a longer call of the same function count, as everywhere in pct. What
//! follows a failed assumption does not count, for U says nothing of it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::build::{Compilation, Planning, janitor, no_folder, tested};
use super::campaign::{Index, name};
use super::run::{Watching, record_size, table};
use super::{End, Limits, Observation, Run};
use crate::abstraction::{Abstraction, StateId, Valuation};
use crate::cfg::{Cfg, PointId};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::frontend::{self, FileName, Registration, Replacement};
use crate::predicates::PredicateSet;
use crate::program::{Environment, Program, Role, SourceMap, VarId};
use crate::testgen::inputs::Inputs;

/// What tests of the user's have shown.
#[derive(Clone, Debug, Default)]
pub struct Measurement {
    /// The runs, in their order.
    pub runs: Vec<Measured>,
    /// The states that some run has shown.
    pub witnessed: BTreeSet<StateId>,
    /// What was observed and is not in U, as states are written.
    pub outside: BTreeSet<String>,
    /// How many different observations can be one of several states, because a predicate speaks of memory that could not
    /// be read.
    pub unclear: usize,
    /// There were more different observations than can be kept.
    pub is_partial: bool,
    /// Points that have no probe: nothing can be shown of their states.
    pub blind: BTreeSet<PointId>,
    /// How often programs of the user's called the function; absent if there are none.
    pub calls: Option<u64>,
}

/// One run.
#[derive(Clone, Debug)]
pub struct Measured {
    /// What the user calls it.
    pub name: String,
    /// What it was given, if pct knows.
    pub inputs: Option<Inputs>,
    /// How it ended.
    pub end: Ended,
    /// The states that it has shown.
    pub shown: BTreeSet<StateId>,
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ended {
    /// The function, called by pct.
    Ran(Box<Run>),
    /// A program of the user's.
    Program(Box<Run>),
    /// It was not carried out; in words.
    NotRun(String),
    /// The user's command, with its exit code, or with what ended it in words.
    Command(std::result::Result<i32, String>),
}

impl Ended {
    /// Whether it is something to be told of. A program of the user's fails if it does not end with 0.
    pub fn went_wrong(&self) -> bool {
        match self {
            Ended::Ran(run) => run.end.went_wrong(),
            Ended::Program(run) => run.end.went_wrong() || matches!(run.end, End::Exited(code) if code != 0),
            Ended::NotRun(_) => true,
            Ended::Command(end) => *end != Ok(0),
        }
    }
}

impl Measurement {
    /// Keeps in mind which points have no probe.
    pub fn note_probes(&mut self, probed: &[bool]) {
        let without = probed.iter().enumerate().filter(|(_, is_probed)| !**is_probed);
        self.blind.extend(without.map(|(index, _)| PointId(index as u32)));
    }

    /// Counts what a run has shown, by the first `observed` predicates.
    pub fn add(
        &mut self,
        cfg: &Cfg,
        abstraction: &Abstraction,
        observed: usize,
        run: (String, Option<Inputs>, Ended),
        seen: &BTreeSet<Observation>,
    ) {
        let index = Index::new(abstraction);
        let mut shown = BTreeSet::new();
        for observation in seen {
            // States that differ only in predicates that are not observed are the same to the user.
            let seen_as = |id: &StateId| abstraction.states[id.index()].valuation.prefix(observed);
            let fitting: Vec<StateId> = index.fitting(observation).copied().collect();
            let different: BTreeSet<Valuation> = fitting.iter().map(seen_as).collect();
            match (fitting.first(), different.len()) {
                (Some(state), 1) => {
                    shown.insert(*state);
                }
                (Some(_), _) => self.unclear += 1,
                (None, _) if abstraction.limit.is_some() => {}
                (None, _) => {
                    self.outside.insert(name(cfg, observation));
                }
            }
        }
        self.witnessed.extend(&shown);
        let (name, inputs, end) = run;
        self.runs.push(Measured { name, inputs, end, shown });
    }
}

/// What becomes of `main` in the measured files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Main {
    /// It stays.
    Stays,
    /// It gets another name, for the tests bring their own.
    Gives,
}

/// An instrumented copy of the measured files, in a temporary folder that is removed with it.
pub struct Instrumented<'a> {
    config: &'a Config,
    program: &'a Program,
    folder: tempfile::TempDir,
    janitor: Option<Child>,
    /// The files of the user, each with its copy and its standard.
    copies: Vec<Copied>,
    /// Which of them defines the function.
    home: usize,
    log: PathBuf,
    predicates: usize,
    /// Which points have a probe.
    pub probed: Vec<bool>,
}

struct Copied {
    original: PathBuf,
    copy: PathBuf,
    standard: String,
}

impl Drop for Instrumented<'_> {
    fn drop(&mut self) {
        if let Some(mut janitor) = self.janitor.take() {
            drop(janitor.stdin.take());
            let _ = janitor.wait();
        }
    }
}

/// What the programs of the user's have shown since the log was made.
pub struct Logged {
    /// All observations.
    pub seen: BTreeSet<Observation>,
    /// There were more.
    pub is_partial: bool,
    /// How often the function was called.
    pub calls: u64,
    /// How many processes with the instrumented copy were started.
    pub starts: u64,
}

/// Where the log keeps its observations.
const LOG_HEADER: usize = 24;

/// How many places for observations the log has; `observe.c` knows the number too.
const SLOTS: usize = 1 << 17;

/// Makes the instrumented copy.
pub fn instrument<'a>(
    program: &'a Program,
    cfg: &Cfg,
    predicates: &PredicateSet,
    config: &'a Config,
    main: Main,
) -> Result<Instrumented<'a>> {
    let function = tested(program, cfg)?;
    let folder = tempfile::Builder::new().prefix("pct-").tempdir().map_err(no_folder)?;
    let janitor = janitor(folder.path());
    let mut planning = Planning::new(program, function, cfg, predicates, config);
    // The user's build may take warnings as errors; these would be about the probes.
    planning.plan.before = "#pragma GCC diagnostic ignored \"-Wunused-variable\"\n\
         #pragma GCC diagnostic ignored \"-Wunused-value\"\n\
         #pragma GCC diagnostic ignored \"-Wdeclaration-after-statement\"\n\
         void __pct_start(void); int __pct_enter(void); void __pct_leave(int *); int __pct_held(int); \
                            void __pct_over(void); void __pct_static(int, const volatile void *, unsigned long); \
                            extern void *__pct_globals[]; extern void *__pct_functions[];"
        .to_string();
    planning.plan.registration = Registration::AtStart;
    if main == Main::Stays {
        planning.plan.main = "main".to_string();
    }
    planning.probes();
    watch_ends(program, &mut planning);
    name_globals(program, predicates, &mut planning);
    let assembly = folder.path().join("observe.s");
    planning.plan.trailer = including(&assembly);
    let text = std::mem::take(&mut planning.probes);
    let instrumented = frontend::instrument(config, &planning.plan)?;
    let compilation = Compilation { config, folder: folder.path(), program };
    let log = folder.path().join("log");
    assemble(&compilation, cfg, predicates, &text, &log, &assembly)?;
    let mut copies = Vec::new();
    for (number, (text, standard)) in instrumented.units.iter().zip(&instrumented.standards).enumerate() {
        // The compiler names what it makes after the file, so the copy has the name of the original.
        let original = &config.files[number];
        let stem = original.file_stem().map_or_else(|| "unit".into(), std::ffi::OsStr::to_os_string);
        let copy = Path::new(&number.to_string()).join(stem).with_extension("i");
        std::fs::create_dir(folder.path().join(number.to_string())).map_err(no_folder)?;
        compilation.write(&copy.display().to_string(), text)?;
        let original = std::fs::canonicalize(original).unwrap_or_else(|_| original.clone());
        copies.push(Copied { original, copy: folder.path().join(copy), standard: standard.clone() });
    }
    let span = program.function(function).span;
    let home = program.sources.files.get(span.file as usize);
    let home = home.and_then(|(name, _)| config.files.iter().position(|file| file == Path::new(name))).unwrap_or(0);
    let copy = Instrumented {
        config,
        program,
        folder,
        janitor,
        copies,
        home,
        log,
        predicates: predicates.predicates.len(),
        // The plan has a probe for each point, in their order.
        probed: instrumented.probed,
    };
    copy.clear()?;
    Ok(copy)
}

/// Where assumptions fail and runs go wrong, observing ends.
fn watch_ends(program: &Program, planning: &mut Planning<'_>) {
    let calls = &mut planning.plan.calls;
    for name in [
        "assume",
        "__CPROVER_assume",
        "__VERIFIER_assume",
        "__builtin_assume",
        "assert",
        "__CPROVER_assert",
        "__VERIFIER_assert",
    ] {
        calls.insert(name.to_string(), Replacement::Through("__pct_held".to_string()));
    }
    let ending = program.environment.iter().filter(|(_, does)| matches!(does, Environment::Ends));
    let ending = ending.map(|(name, _)| name.as_str());
    for name in ["reach_error", "__VERIFIER_error"].into_iter().chain(ending) {
        calls.entry(name.to_string()).or_insert_with(|| Replacement::After("__pct_over()".to_string()));
    }
}

/// The addresses of the variables that predicates speak of and that no probe can name.
fn name_globals(program: &Program, predicates: &PredicateSet, planning: &mut Planning<'_>) {
    let mut mentioned: BTreeSet<VarId> = BTreeSet::new();
    for meaning in predicates.meanings() {
        meaning.for_each_variable(&mut |variable| {
            mentioned.insert(variable);
        });
    }
    let static_locals = planning.static_locals();
    for global in program.globals.iter().filter(|global| mentioned.contains(&global.variable)) {
        let variable = global.variable;
        let info = program.variable(variable);
        if info.role != Role::Global {
            continue;
        }
        if static_locals.contains(&variable) {
            let call = format!("__pct_static({}, &{}, sizeof {})", variable.0, info.name, info.name);
            planning.plan.statics.insert(info.span.order, call);
        } else {
            let order = global.is_static.then_some(info.span.order);
            let statement = format!("__pct_globals[{}] = (void *)&{};", variable.0, info.name);
            planning.plan.globals.push(FileName { name: info.name.clone(), order, statement });
        }
    }
    for &id in &program.address_taken {
        let function = program.function(id);
        if !function.is_library {
            let statement = format!("__pct_functions[{}] = (void *)&{};", id.0, function.name);
            planning.plan.functions.push(FileName { name: function.name.clone(), order: None, statement });
        }
    }
}

/// Compiles the runtime and the probes to assembly that any file can include.
fn assemble(
    compilation: &Compilation<'_>,
    cfg: &Cfg,
    predicates: &PredicateSet,
    probes: &str,
    log: &Path,
    assembly: &Path,
) -> Result<()> {
    let mut text = String::from("#pragma weak __pct_globals\n#pragma weak __pct_functions\n");
    for number in 0..cfg.points.len() {
        let _ = writeln!(text, "#pragma weak __pct_probe_{number}");
    }
    let _ = writeln!(text, "#define PCT_LOG {}", quoted(log));
    text.push_str(include_str!("observe.c"));
    text.push_str(probes);
    compilation.write("runtime.h", include_bytes!("runtime.h"))?;
    compilation.write("observe.c", text.as_bytes())?;
    let mut arguments: Vec<OsString> = ["-w", "-S", "-fPIC", "-std=gnu11", "-O1", "-fwrapv", "-ffp-contract=off"]
        .iter()
        .chain(&["-fno-asynchronous-unwind-tables", "-fno-stack-protector"])
        .map(OsString::from)
        .collect();
    arguments.push(format!("-DPCT_GLOBALS={}", compilation.program.variables.len()).into());
    arguments.push(format!("-DPCT_FUNCTIONS={}", compilation.program.functions.len()).into());
    arguments.push(format!("-DPCT_PREDICATES={}", predicates.predicates.len().max(1)).into());
    arguments.extend(["-o".into(), assembly.into(), compilation.folder.join("observe.c").into()]);
    let output = compilation.run(&arguments)?;
    if !output.status.success() {
        return Err(compilation.refused(&String::from_utf8_lossy(&output.stderr)));
    }
    let unreadable = |error: std::io::Error| Error::Tool {
        message: format!("cannot read what the compiler wrote: {error}"),
        help: None,
    };
    let text = std::fs::read_to_string(assembly).map_err(unreadable)?;
    compilation.write("observe.s", embeddable(&text).as_bytes())
}

/// Assembly for the middle of a file: its local labels are its own, and the section is the same afterwards.
fn embeddable(assembly: &str) -> String {
    let mut text = String::from("\t.pushsection .text\n");
    for line in assembly.lines() {
        let word = line.trim_start();
        if [".file", ".ident", ".addrsig"].iter().any(|directive| word.starts_with(directive)) {
            continue;
        }
        let is_data = [".string", ".ascii"].iter().any(|directive| word.starts_with(directive));
        text.push_str(&if is_data { line.to_string() } else { line.replace(".L", ".L__pct_") });
        text.push('\n');
    }
    text.push_str("\t.popsection\n");
    text
}

/// A path as a string of C.
fn quoted(path: &Path) -> String {
    format!("\"{}\"", path.display().to_string().replace('\\', "\\\\").replace('"', "\\\""))
}

/// A path as a word of the shell.
fn shell_word(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The text that ends each file: it includes the assembly.
fn including(assembly: &Path) -> String {
    let directive = format!(".include {}", quoted(assembly)).replace('\\', "\\\\").replace('"', "\\\"");
    format!("__asm__(\"{directive}\");\n")
}

impl Instrumented<'_> {
    /// Makes the log empty. What still runs writes into the old one.
    fn clear(&self) -> Result<()> {
        let _ = std::fs::remove_file(&self.log);
        let length = LOG_HEADER + SLOTS * (record_size(self.predicates) + 1);
        let made = std::fs::File::create(&self.log).and_then(|file| file.set_len(length as u64));
        made.map_err(|error| Error::Tool { message: format!("cannot write a temporary file: {error}"), help: None })
    }

    /// What was observed since.
    fn logged(&self) -> Logged {
        let log = std::fs::read(&self.log).unwrap_or_default();
        let long =
            |at: usize| log.get(at..at + 8).map_or(0, |bytes| u64::from_le_bytes(bytes.try_into().unwrap_or([0; 8])));
        Logged {
            seen: table(log.get(LOG_HEADER..).unwrap_or_default(), self.predicates),
            is_partial: long(16) >> 32 != 0,
            calls: long(8),
            starts: long(0),
        }
    }

    /// Runs the user's command in the shell; what it prints goes to standard error. Its build takes the copy of the
    /// measured file from `PCT_SOURCE`, or uses the compiler `PCT_CC`, which takes the copies by itself.
    pub fn run_command(&self, command: &str) -> Result<(Ended, Logged)> {
        let wrapper = self.folder.path().join("cc");
        let failed = |error: std::io::Error| Error::Tool {
            message: format!("cannot run the command: {error}"),
            help: Some("it is given to `sh -c`".to_string()),
        };
        std::fs::write(&wrapper, self.wrapper()).map_err(failed)?;
        {
            use std::os::unix::fs::PermissionsExt as _;
            std::fs::set_permissions(&wrapper, std::fs::Permissions::from_mode(0o755)).map_err(failed)?;
        }
        let status = Command::new("sh")
            .args(["-c", command])
            .env("PCT_SOURCE", &self.copies[self.home].copy)
            .env("PCT_CC", &wrapper)
            .stdout(Stdio::from(std::io::stderr()))
            .status()
            .map_err(failed)?;
        let end = status.code().ok_or_else(|| format!("was ended by {status}"));
        Ok((Ended::Command(end), self.logged()))
    }

    /// A compiler that takes the copy of a measured file wherever the file is named.
    fn wrapper(&self) -> String {
        let mut text = String::from(
            "#!/bin/sh\n# The compiler, with instrumented copies in the place of the measured files.\n\
             replaced= dependencies= previous=\nfor argument do\n  shift\n",
        );
        for Copied { original, copy, .. } in &self.copies {
            let (original, copy) =
                (shell_word(&original.display().to_string()), shell_word(&copy.display().to_string()));
            let _ = writeln!(
                text,
                "  if [ \"$argument\" -ef {original} ] && [ \"$previous\" != -o ]; then argument={copy} replaced=yes; fi"
            );
        }
        let _ = write!(
            text,
            "  if [ \"$previous\" = -MF ]; then dependencies=$argument; fi\n  previous=$argument\n  \
             set -- \"$@\" \"$argument\"\ndone\n\
             # Nothing is preprocessed any more, so no dependencies are written; builds want the file all the same.\n\
             if [ \"$replaced\" ]; then\n  {compiler} -w \"$@\" || exit\n  \
             if [ \"$dependencies\" ] && ! [ -e \"$dependencies\" ]; then : > \"$dependencies\"; fi\nelse\n  \
             exec {compiler} \"$@\"\nfi\n",
            compiler = shell_word(&self.config.compiler),
        );
        text
    }

    /// Compiles each of the C files that has a `main` with the copy, and runs it in their folder. Those without are
    /// compiled into each of them.
    pub fn run_programs(
        &self,
        files: &[PathBuf],
        limits: &Limits,
        done: &mut dyn FnMut(String, Ended, Logged),
    ) -> Result<()> {
        let compilation = Compilation { config: self.config, folder: self.folder.path(), program: self.program };
        let watch = {
            compilation.write("results.h", include_bytes!("results.h"))?;
            compilation.watch()?
        };
        let (sanitizers, ..) = compilation.sanitizers();
        let mut objects = Vec::new();
        for (number, Copied { copy, standard, .. }) in self.copies.iter().enumerate() {
            let mut options: Vec<OsString> = vec!["-x".into(), "cpp-output".into(), format!("-std={standard}").into()];
            options.extend(["-O0".into(), "-g".into(), "-fno-omit-frame-pointer".into()]);
            options.extend(sanitizers.iter().map(OsString::from));
            let copy = copy.strip_prefix(self.folder.path()).unwrap_or(copy).display().to_string();
            objects.push(compilation.object(&format!("unit{number}"), &copy, &options)?);
        }
        compilation.write("meanings.c", MEANINGS.as_bytes())?;
        let meanings = compilation.object("meanings", "meanings.c", &["-std=gnu11".into()])?;
        let mut programs = Vec::new();
        let mut helpers = Vec::new();
        for file in files {
            let text = String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()).into_owned();
            match defines_main(&text) {
                true => programs.push((file, text.contains("PCT_SOURCE"))),
                false => helpers.push(file),
            }
        }
        for (file, includes_home) in programs {
            let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            let mut linked: Vec<&Path> = helpers.iter().map(|file| file.as_path()).collect();
            let others = objects.iter().enumerate().filter(|(number, _)| !(includes_home && *number == self.home));
            linked.extend(others.map(|(_, object)| object.as_path()));
            linked.push(&meanings);
            let end = match self.link(&compilation, file, &linked, &sanitizers)? {
                Err(why) => Ended::NotRun(why),
                Ok(program) => {
                    self.clear()?;
                    Ended::Program(Box::new(self.run_program(&watch, &program, file, limits)?))
                }
            };
            done(name, end, self.logged());
        }
        Ok(())
    }

    /// A program of the user's with everything that it needs; or what the compiler says.
    fn link(
        &self,
        compilation: &Compilation<'_>,
        file: &Path,
        linked: &[&Path],
        sanitizers: &[String],
    ) -> Result<std::result::Result<PathBuf, String>> {
        let Copied { original, copy, standard } = &self.copies[self.home];
        let options = &frontend::compiler_options(self.config)?[self.home].options;
        let program = self.folder.path().join("program");
        let mut arguments: Vec<OsString> = vec!["-w".into(), "-g".into(), format!("-std={standard}").into()];
        arguments.push(format!("-DPCT_SOURCE={}", quoted(copy)).into());
        arguments.extend(options.iter().cloned());
        if let Some(folder) = original.parent() {
            arguments.extend(["-I".into(), folder.into()]);
        }
        arguments.extend(sanitizers.iter().map(OsString::from));
        arguments.push(file.into());
        arguments.extend(linked.iter().map(|file| file.as_os_str().to_os_string()));
        arguments.extend(["-o".into(), program.clone().into(), "-lm".into(), "-lpthread".into()]);
        let output = compilation.run(&arguments)?;
        if output.status.success() {
            return Ok(Ok(program));
        }
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let telling = ["error", "undefined reference", "multiple definition"];
        let first = message.lines().find(|line| telling.iter().any(|words| line.contains(words)));
        let first = first.unwrap_or("the compiler gives no reason").trim();
        let hint = match first.contains("multiple definition") {
            true => "; a test declares what it calls, or has `#include PCT_SOURCE` instead of the file",
            false => "",
        };
        Ok(Err(format!("it cannot be compiled: {first}{hint}")))
    }

    fn run_program(&self, watch: &Path, program: &Path, file: &Path, limits: &Limits) -> Result<Run> {
        let failed = |error: std::io::Error| Error::Tool { message: format!("cannot run a test: {error}"), help: None };
        let scratch = tempfile::Builder::new().prefix("run-").tempdir_in(self.folder.path()).map_err(failed)?;
        let folder = file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        let folder = std::fs::canonicalize(folder).map_err(failed)?;
        let watching =
            Watching { watch, program, inputs: Path::new("-"), folder: &folder, scratch: scratch.path(), limits };
        let watched = watching.run(&|| false).map_err(failed)?.expect("it is never over");
        let sources: &SourceMap = &self.program.sources;
        let end = watched.header().map_or_else(|| watched.unstarted(), |header| watched.end(&header, sources, true));
        let Logged { seen, is_partial, .. } = self.logged();
        Ok(Run { trace: Vec::new(), seen, is_partial, end, seconds: 0.0 })
    }
}

/// What pct means by functions that C does not have, as C; the program's own definitions win.
pub const MEANINGS: &str = include_str!("meanings.c");

/// Whether a text seems to define `main`: the name stands before a parenthesis. Comments are not told apart; a file that
/// only speaks of `main (` is then compiled alone, and the message says what it lacks.
fn defines_main(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices("main").any(|(at, word)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].trim_start();
        !before.is_some_and(is_word) && after.starts_with('(')
    })
}
