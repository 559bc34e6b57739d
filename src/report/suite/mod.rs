//! What the user keeps of the tests: a folder with C files for CTest, the inputs as data, and the suite in the exchange
//! format of Test-Comp. One file for each format.
//!
//! [`compose`] makes all files, [`write`] puts them into the folder. The folder is pct's own, but what the user changed in
//! it stays: a file is replaced only if it is as pct wrote it, which `tests.json` knows by a hash. Otherwise the new one
//! is written beside it.

mod cmake;
mod fuzz;
mod kept;
mod replay;
mod spell;
mod table;
mod test_comp;
mod test_file;

pub use kept::{Suite, read};
pub use replay::{Comparison, compare};

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::tests::{Tables, test_name};
use crate::abstraction::Abstraction;
use crate::cfg::{Cfg, Point};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::execution::campaign::Campaign;
use crate::execution::{End, Observation};
use crate::frontend::CompilerOptions;
use crate::predicates::PredicateSet;
use crate::program::{FunctionId, Program, Span};
use crate::tools::{self, Tool};

/// What a suite is made from.
pub struct Kept<'a> {
    /// The settings of the analysis.
    pub config: &'a Config,
    /// The function that was tested.
    pub observed: Subject<'a>,
    /// The abstraction that the tests are made from.
    pub abstraction: &'a Abstraction,
    /// The tests, and what happened.
    pub campaign: &'a Campaign,
    /// The object of `pct test --json`.
    pub json: &'a str,
    /// The paths as C programs, in their order; or why there is none, in words.
    pub path_programs: Vec<std::result::Result<String, String>>,
    /// How each of the files is compiled.
    pub options: Vec<CompilerOptions>,
    /// The limit for one run, in seconds.
    pub run_timeout: f64,
    /// Whether a harness for libFuzzer is wanted.
    pub with_fuzzer: bool,
}

/// The function that was tested.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The C that was read.
    pub program: &'a Program,
    /// The function in it.
    pub function: FunctionId,
    /// Its graph.
    pub cfg: &'a Cfg,
    /// What is observed.
    pub predicates: &'a PredicateSet,
}

/// What CTest is told of a test. The words say why it is not plain.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Expected {
    /// It returns 0.
    Passes,
    /// It goes wrong, which the sanitizers turn into an exit code.
    Fails(String),
    /// It would stop CTest, or nobody knows how it ends.
    Disabled(String),
}

impl Kept<'_> {
    fn tables(&self) -> Tables<'_> {
        Tables {
            cfg: self.observed.cfg,
            abstraction: self.abstraction,
            observed: self.observed.predicates.observed_count(),
            sources: &self.observed.program.sources,
        }
    }

    /// An observation as a state is written.
    fn observation_id(&self, observation: &Observation) -> String {
        observation_id(&self.observed.cfg.points, self.observed.predicates.observed_count(), observation)
    }

    /// What CTest is told of a test.
    fn expected(&self, number: usize) -> Expected {
        let Some(run) = &self.campaign.tests[number].run else {
            return Expected::Disabled("it was not run".to_string());
        };
        match &run.end {
            End::Returned | End::AssumedAway => Expected::Passes,
            End::Exited(code) if code & 0xff == 0 => Expected::Passes,
            End::Exited(_) | End::Wrong(_) => Expected::Fails(super::tests::end(run)),
            _ => Expected::Disabled(super::tests::end(run)),
        }
    }

    /// The file that tests include: that of the function, if it is one that the user named.
    fn source(&self) -> &Path {
        let span = self.observed.program.function(self.observed.function).span;
        self.file_of(span).unwrap_or(&self.config.files[0])
    }

    /// The files that are compiled beside it.
    fn other_sources(&self) -> Vec<&Path> {
        let source = self.source();
        self.config.files.iter().map(PathBuf::as_path).filter(|file| *file != source).collect()
    }

    fn file_of(&self, span: Span) -> Option<&Path> {
        let (name, _) = self.observed.program.sources.files.get(span.file as usize)?;
        self.config.files.iter().map(PathBuf::as_path).find(|file| *file == Path::new(name))
    }

    fn is_in_other_file(&self, span: Span) -> bool {
        self.file_of(span).is_some_and(|file| file != self.source())
    }

    /// How the file of the function is compiled.
    fn source_options(&self) -> &CompilerOptions {
        let position = self.config.files.iter().position(|file| file == self.source()).unwrap_or(0);
        &self.options[position]
    }
}

/// An observation as a state is written, by the predicates that are observed.
fn observation_id(points: &[Point], observed: usize, observation: &Observation) -> String {
    let letter = |value: &Option<bool>| match value {
        Some(true) => 'T',
        Some(false) => 'F',
        None => '-',
    };
    let values: String = observation.values.iter().take(observed).map(letter).collect();
    format!("{}:{values}", points[observation.point.index()].label)
}

/// The files of a suite by their path in its folder.
pub struct Files {
    files: BTreeMap<String, Vec<u8>>,
    /// The tests that are not written as C, and why.
    left_out: Vec<(String, String)>,
}

/// Makes all files. `folder` is where they will be: paths in them are relative to it.
pub fn compose(kept: &Kept<'_>, folder: &Path) -> Result<Files> {
    let places = Places::new(folder)?;
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let numbers = 0..kept.campaign.tests.len();
    let written: Vec<std::result::Result<String, String>> = numbers
        .into_par_iter()
        .map(|number| {
            if let Some(End::Unrunnable(why)) = kept.campaign.tests[number].run.as_ref().map(|run| &run.end) {
                return Err(format!("it could not be run: {why}"));
            }
            let text = test_file::render(kept, number)?;
            compiles(kept, &text)?;
            Ok(text)
        })
        .collect();
    let mut left_out = Vec::new();
    let mut as_c = Vec::new();
    for (number, text) in written.into_iter().enumerate() {
        match text {
            Ok(text) => {
                files.insert(format!("{}.c", test_name(number)), text.into_bytes());
                as_c.push(number);
            }
            Err(why) => left_out.push((test_name(number), why)),
        }
    }
    files.insert("CMakeLists.txt".to_string(), cmake::render(kept, &places, &as_c).into_bytes());
    files.insert("driver.c".to_string(), crate::execution::measure::MEANINGS.as_bytes().to_vec());
    files.insert("inputs.csv".to_string(), table::render(kept));
    files.insert("predicates.txt".to_string(), super::text::predicates(kept.observed.predicates).into_bytes());
    for (name, bytes) in test_comp::render(kept)? {
        files.insert(format!("test-suite/{name}"), bytes);
    }
    let mut notes = Vec::new();
    for (number, program) in kept.path_programs.iter().enumerate() {
        match program {
            Ok(text) => {
                files.insert(format!("paths/path{:02}.c", number + 1), text.clone().into_bytes());
            }
            Err(why) => notes.push(format!("Path {} is not written as a program: {why}", number + 1)),
        }
    }
    if kept.with_fuzzer {
        let fuzzing = fuzz::render(kept)?;
        notes.extend(fuzzing.notes);
        files.extend(fuzzing.files.into_iter().map(|(name, bytes)| (format!("fuzz/{name}"), bytes)));
    }
    let about = readme(kept, &files, &left_out, &notes);
    files.insert("README.txt".to_string(), about.into_bytes());
    let suite = Suite::of(kept, &places, &as_c, &files);
    files.insert("tests.json".to_string(), suite.render(kept.json));
    Ok(Files { files, left_out })
}

/// Whether the compiler takes the text; else what it says.
fn compiles(kept: &Kept<'_>, text: &str) -> std::result::Result<(), String> {
    let source = std::fs::canonicalize(kept.source()).map_err(|error| error.to_string())?;
    let options = kept.source_options();
    let mut arguments: Vec<OsString> = vec!["-w".into(), "-fsyntax-only".into()];
    arguments.push(format!("-std={}", options.standard).into());
    let mut definition = OsString::from("-DPCT_SOURCE=\"");
    definition.push(source);
    definition.push("\"");
    arguments.push(definition);
    arguments.extend(options.options.iter().cloned());
    arguments.extend(["-x".into(), "c".into(), "-".into()]);
    let output = tools::run(Tool::Compiler(&kept.config.compiler), &arguments, text.as_bytes())
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let first = message.lines().find(|line| line.contains("error")).unwrap_or("it gives no reason").trim();
    Err(format!("the compiler refuses it: {first}"))
}

fn readme(
    kept: &Kept<'_>,
    files: &BTreeMap<String, Vec<u8>>,
    left_out: &[(String, String)],
    notes: &[String],
) -> String {
    let mut text = format!(
        "Tests of {} in {}, made by pct {}.\n\n\
         t*.c               one test each: inputs, call, and a place for what must hold afterwards\n\
         CMakeLists.txt     cmake -S . -B build && cmake --build build && ctest --test-dir build\n\
         driver.c           what pct means by assume, reach_error and their like\n\
         tests.json         everything, for tools and for `pct test --replay`\n\
         inputs.csv         the inputs as a table\n\
         predicates.txt     the predicates that the states are made of\n\
         test-suite/        the exchange format of Test-Comp: the values of __VERIFIER_nondet_* calls in their order;\n\
         \x20                  before them those of parameters, if the function has some\n",
        kept.observed.cfg.function,
        kept.config.file_name(),
        env!("CARGO_PKG_VERSION"),
    );
    if files.keys().any(|name| name.starts_with("paths/")) {
        text.push_str(
            "paths/             each path as a C program (Figure 8 of the paper): cbmc --trace paths/path01.c finds an input\n",
        );
    }
    if files.contains_key("fuzz/harness.c") {
        text.push_str(
            "fuzz/              clang -fsanitize=fuzzer,address -DPCT_SOURCE='\"FILE.c\"' fuzz/harness.c driver.c, then\n\
             \x20                  run it with fuzz/corpus\n",
        );
    }
    text.push_str(
        "\nWrite oracles into t*.c: pct does not overwrite a file that you have changed.\n\
         A test that went wrong is expected to fail; CTest checks that if the compiler has sanitizers, and skips it if not.\n",
    );
    if !left_out.is_empty() {
        text.push_str("\nNot written as C (but in tests.json, and run by `pct test --replay`):\n");
        for (name, why) in left_out {
            let _ = writeln!(text, "  {name}: {why}");
        }
    }
    for note in notes {
        let _ = write!(text, "\n{note}\n");
    }
    text
}

/// Where things are, seen from the folder of the suite.
struct Places {
    folder: PathBuf,
}

impl Places {
    fn new(folder: &Path) -> Result<Places> {
        // The folder may not be there yet; the part of its path that is there decides.
        let wrong = |error: std::io::Error| Error::usage(format!("cannot find {}: {error}", folder.display()));
        let absolute = std::path::absolute(folder).map_err(wrong)?;
        let existing = absolute.ancestors().find(|part| part.exists()).unwrap_or(Path::new("/"));
        let rest = absolute.strip_prefix(existing).unwrap_or(Path::new(""));
        let folder = std::fs::canonicalize(existing).map_err(wrong)?.join(rest);
        Ok(Places { folder: folder.components().collect() })
    }

    /// A path relative to the folder of the suite, if the two have something in common.
    fn relative(&self, path: &Path) -> PathBuf {
        let Ok(path) = std::fs::canonicalize(path) else {
            return path.to_path_buf();
        };
        let common = self.folder.components().zip(path.components()).take_while(|(a, b)| a == b).count();
        if common <= 1 {
            return path;
        }
        let up = self.folder.components().skip(common).map(|_| PathBuf::from(".."));
        up.chain(std::iter::once(path.components().skip(common).collect())).collect()
    }

    /// Options of the preprocessor, with `place` applied to the paths in them.
    fn options(&self, options: &[OsString], place: &dyn Fn(PathBuf) -> String) -> Vec<String> {
        const WITH_PATH: [&str; 6] = ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];
        let mut result = Vec::new();
        let mut options = options.iter().map(|option| option.to_string_lossy().into_owned());
        while let Some(option) = options.next() {
            if WITH_PATH.contains(&option.as_str()) {
                let path = options.next().unwrap_or_default();
                result.extend([option, place(self.relative(Path::new(&path)))]);
            } else if let Some(path) = option.strip_prefix("-I") {
                result.extend(["-I".to_string(), place(self.relative(Path::new(path)))]);
            } else if ["-D", "-U"].contains(&option.as_str()) {
                result.push(option + &options.next().unwrap_or_default());
            } else {
                result.push(option);
            }
        }
        result
    }
}

/// A hash of the bytes, as hexadecimal digits.
pub(super) fn hash(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Says no if the folder holds something that is not a suite of pct.
pub fn check_folder(folder: &Path) -> Result<()> {
    let cannot = |error: std::io::Error| {
        Error::usage_with_help(format!("cannot use {}: {error}", folder.display()), "name a folder for the tests")
    };
    if !folder.exists() {
        return Ok(());
    }
    let is_empty = std::fs::read_dir(folder).map_err(cannot)?.next().is_none();
    if is_empty || read(folder).is_ok() {
        return Ok(());
    }
    Err(Error::usage_with_help(
        format!("{} is not empty, and it holds no tests that pct has written", folder.display()),
        "name a new folder, or one that an earlier `pct test -o` has made",
    ))
}

/// Puts the files into the folder; says in lines what the user should know.
pub fn write(files: &Files, folder: &Path) -> Result<Vec<String>> {
    check_folder(folder)?;
    let failed = |path: &Path, error: std::io::Error| {
        Error::usage_with_help(
            format!("cannot write {}: {error}", path.display()),
            "check the folder and its permissions",
        )
    };
    let before = read(folder).map(|suite| suite.files).unwrap_or_default();
    let mut lines = Vec::new();
    // The list of files is written last: until then, what is here is what it says or newer.
    let (last, others): (Vec<_>, Vec<_>) = files.files.iter().partition(|(name, _)| *name == "tests.json");
    for (name, bytes) in others {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| failed(parent, error))?;
        }
        let found = std::fs::read(&path).ok().map(|found| hash(&found));
        let new = hash(bytes);
        let is_ours = found.as_ref().is_none_or(|found| before.get(name) == Some(found) || *found == new);
        if is_ours {
            replace(&path, bytes).map_err(|error| failed(&path, error))?;
        } else if before.get(name) != Some(&new) {
            let beside = folder.join(format!("{name}.new"));
            replace(&beside, bytes).map_err(|error| failed(&beside, error))?;
            lines.push(format!("{name} was changed by hand and stays; the new one is {name}.new"));
        } else {
            lines.push(format!("{name} was changed by hand and stays"));
        }
    }
    for (name, known) in before.iter().filter(|(name, _)| !files.files.contains_key(*name)) {
        let path = folder.join(name);
        match std::fs::read(&path).ok().map(|found| hash(&found)) {
            Some(found) if found == *known => std::fs::remove_file(&path).map_err(|error| failed(&path, error))?,
            Some(_) => lines.push(format!("{name} is no longer one of the tests, but was changed by hand and stays")),
            None => {}
        }
    }
    for (name, bytes) in last {
        replace(&folder.join(name), bytes).map_err(|error| failed(&folder.join(name), error))?;
    }
    for (name, why) in &files.left_out {
        lines.push(format!("{name} is not written as C: {why}"));
    }
    Ok(lines)
}

/// Writes a file whole or not at all.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut unfinished = tempfile::Builder::new().prefix(".unfinished-").tempfile_in(folder)?;
    std::io::Write::write_all(&mut unfinished, bytes)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        unfinished.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    unfinished.persist(path).map(|_| ()).map_err(|error| error.error)
}
