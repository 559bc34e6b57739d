//! The outside programs that pct uses: where each is, which version it has, what it is for, and what to do without it.
//!
//! This is the one place that looks for them, so that what `pct doctor` says is what the other commands do. A program
//! counts as found only if it answers with a version that fits: one that is there but does not run is as good as none.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use crate::error::{Error, Result};
use crate::process;

/// An outside program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool<'a> {
    /// The C compiler of this name or path.
    Compiler(&'a str),
    /// The model checker CBMC.
    Cbmc,
    /// Graphviz.
    Dot,
}

/// A program that runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Where it is.
    pub path: PathBuf,
    /// Its version, such as `6.6.0`.
    pub version: String,
}

/// What is known of one of the things that pct uses.
pub struct Diagnosis {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub purpose: &'static str,
    /// Whether nothing works without it.
    pub necessary: bool,
    /// Where it is, or why it cannot be used.
    pub outcome: Result<Found>,
}

/// Whether everything is there without which nothing works.
pub fn is_ready(diagnoses: &[Diagnosis]) -> bool {
    diagnoses.iter().all(|diagnosis| diagnosis.outcome.is_ok() || !diagnosis.necessary)
}

/// The variable that names the CBMC to use.
const CBMC_VARIABLE: &str = "PCT_CBMC";

/// Where `make cbmc` puts CBMC: known when pct is built, as the place of the Z3 library is.
const PROJECT_CBMC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/.deps/cbmc/cbmc");

/// The oldest CBMC whose options and traces pct knows.
const OLDEST_CBMC: u32 = 6;

/// A program that does not tell its version in this time does not work.
const LONGEST_ANSWER: Duration = Duration::from_secs(20);

/// Looks for a tool and asks it for its version.
pub fn find(tool: Tool<'_>) -> Result<Found> {
    let mut problem = None;
    for path in candidates(tool) {
        match version(tool, &path) {
            Ok(version) => return Ok(Found { path, version }),
            // The first is the one that the user would expect to be taken.
            Err(reason) => problem = problem.or(Some(format!("{} {reason}", path.display()))),
        }
    }
    Err(missing(tool, problem))
}

/// Runs a tool with `input`.
pub fn run<S: AsRef<OsStr>>(tool: Tool<'_>, arguments: &[S], input: &[u8]) -> Result<Output> {
    let path = candidates(tool).into_iter().next().ok_or_else(|| missing(tool, None))?;
    process::run(&path, arguments, input)
}

/// The compilers, CBMC, Graphviz and the sanitizers, each with what is known of it.
pub fn diagnose(compiler: &str) -> Vec<Diagnosis> {
    let found = |tool: Tool<'_>, necessary: bool, purpose: &'static str| Diagnosis {
        name: tool.name().to_string(),
        purpose,
        necessary,
        outcome: find(tool),
    };
    vec![
        found(Tool::Compiler(compiler), true, "preprocesses the C that is read"),
        found(Tool::Compiler("clang"), false, "a second compiler, for --cc clang"),
        found(Tool::Cbmc, false, "solves path programs, for --engine cbmc and --engine both"),
        found(Tool::Dot, false, "draws the pictures of pct graph (.svg, .png, .pdf)"),
        Diagnosis {
            name: "sanitizers".to_string(),
            purpose: "find undefined behaviour when tests run",
            necessary: false,
            outcome: sanitizers(compiler),
        },
    ]
}

impl Tool<'_> {
    fn name(&self) -> &str {
        match self {
            Tool::Compiler(name) => name,
            Tool::Cbmc => "cbmc",
            Tool::Dot => "dot",
        }
    }

    /// What to do if it is missing.
    fn help(self) -> String {
        match self {
            Tool::Compiler("clang") => "install clang (Debian, Ubuntu: apt-get install clang)".to_string(),
            Tool::Compiler(_) => "pct needs a C compiler for its preprocessor: install gcc or clang".to_string(),
            Tool::Cbmc => format!(
                "run `make cbmc` in the folder of pct, install CBMC {OLDEST_CBMC} or newer, or let {CBMC_VARIABLE} name one"
            ),
            Tool::Dot => {
                "pictures are drawn by Graphviz: install it (Debian, Ubuntu: apt-get install graphviz; macOS: \
                          brew install graphviz), or write a .dot file"
                    .to_string()
            }
        }
    }
}

/// The files that may be the tool, the preferred one first. A CBMC that the user names is the only one.
fn candidates(tool: Tool<'_>) -> Vec<PathBuf> {
    if tool == Tool::Cbmc
        && let Some(named) = std::env::var_os(CBMC_VARIABLE).filter(|named| !named.is_empty())
    {
        // What cannot be resolved is tried as it stands: the reason why it does not run is then told.
        return vec![which::which(&named).unwrap_or(named.into())];
    }
    let mut candidates: Vec<PathBuf> = which::which_all(tool.name()).into_iter().flatten().collect();
    if tool == Tool::Cbmc {
        candidates.extend(Some(PathBuf::from(PROJECT_CBMC)).filter(|path| path.exists()));
    }
    candidates
}

fn missing(tool: Tool<'_>, problem: Option<String>) -> Error {
    let reason = problem.unwrap_or_else(|| "there is no such program".to_string());
    Error::Tool { message: format!("cannot use `{}`: {reason}", tool.name()), help: Some(tool.help()) }
}

/// The version that a program tells, or what is wrong with it.
fn version(tool: Tool<'_>, path: &Path) -> std::result::Result<String, String> {
    let option = if tool == Tool::Dot { "-V" } else { "--version" };
    let output = match process::run_for(path, &[option], LONGEST_ANSWER) {
        Ok(Some(output)) => output,
        Ok(None) => return Err(format!("does not tell its version within {} seconds", LONGEST_ANSWER.as_secs())),
        Err(error) => return Err(format!("does not start ({error})")),
    };
    // Graphviz tells its version on standard error.
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    let line = text.lines().next().unwrap_or_default();
    let shown: String = line.chars().take(60).collect();
    if !output.status.success() {
        return Err(format!("fails when asked for its version: {shown}"));
    }
    let number = version_number(line).ok_or_else(|| format!("tells no version, but `{shown}`"))?;
    if tool == Tool::Cbmc && major(number) < OLDEST_CBMC {
        return Err(format!("is version {number}; {OLDEST_CBMC} or newer is needed"));
    }
    Ok(number.to_string())
}

/// The version in a line such as `cc (Debian 12.2.0-14) 12.2.0`: the last word outside parentheses that begins with a
/// number and a dot.
fn version_number(line: &str) -> Option<&str> {
    let mut depth = 0;
    let outside = line.split_whitespace().filter(|word| {
        let before = depth;
        depth += word.matches('(').count();
        depth -= word.matches(')').count().min(depth);
        before == 0 && !word.starts_with('(')
    });
    let is_version = |word: &&str| {
        word.split_once('.').is_some_and(|(first, rest)| {
            first.parse::<u32>().is_ok() && rest.starts_with(|digit: char| digit.is_ascii_digit())
        })
    };
    outside.filter(is_version).last()
}

fn major(version: &str) -> u32 {
    version.split('.').next().and_then(|first| first.parse().ok()).unwrap_or(0)
}

/// Reads inside an array if it is started without arguments, and behind its end if there is one.
const SANITIZED: &str = "int cells[2];\nint main(int count, char **words) { (void)words; return cells[count]; }\n";

/// Whether the compiler's sanitizers work: a program without a fault runs, and a fault is found.
fn sanitizers(compiler: &str) -> Result<Found> {
    let broken = |message: String| Error::Tool {
        message,
        help: Some(format!("install the sanitizer libraries of {compiler} (for gcc: libasan and libubsan)")),
    };
    let found = find(Tool::Compiler(compiler))?;
    let folder = tempfile::tempdir().map_err(|error| broken(format!("there is no temporary folder: {error}")))?;
    let (source, program) = (folder.path().join("sanitized.c"), folder.path().join("sanitized"));
    std::fs::write(&source, SANITIZED).map_err(|error| broken(format!("cannot write a C file: {error}")))?;
    let arguments = ["-fsanitize=address,undefined".as_ref(), source.as_os_str(), "-o".as_ref(), program.as_os_str()];
    let compiled = process::run_for(&found.path, &arguments, LONGEST_ANSWER)?;
    if let Some(reason) = failure(compiled.as_ref()) {
        return Err(broken(format!("a program with -fsanitize=address,undefined does not compile: {reason}")));
    }
    let good = process::run_for::<&str>(&program, &[], LONGEST_ANSWER)?;
    if let Some(reason) = failure(good.as_ref()) {
        return Err(broken(format!("a program with -fsanitize=address,undefined does not run: {reason}")));
    }
    let bad = process::run_for(&program, &["one more"], LONGEST_ANSWER)?;
    if bad.is_none_or(|output| output.stderr.is_empty()) {
        return Err(broken("a program with -fsanitize=address,undefined does not find its fault".to_string()));
    }
    Ok(found)
}

/// Why a run was no success, in a line.
fn failure(output: Option<&Output>) -> Option<String> {
    let Some(output) = output else { return Some("it takes too long".to_string()) };
    let text = String::from_utf8_lossy(&output.stderr);
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
    (!output.status.success()).then(|| first.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_the_programs_tell_them() {
        for (line, expected) in [
            ("cc (Debian 12.2.0-14+deb12u1) 12.2.0", Some("12.2.0")),
            ("gcc (GCC) 14.2.1 20250110 (Red Hat 14.2.1-7)", Some("14.2.1")),
            ("Debian clang version 14.0.6", Some("14.0.6")),
            ("Apple clang version 15.0.0 (clang-1500.3.9.4)", Some("15.0.0")),
            ("6.6.0 (cbmc-6.6.0)", Some("6.6.0")),
            ("5.12 (cbmc-5.12)", Some("5.12")),
            ("dot - graphviz version 2.43.0 (0)", Some("2.43.0")),
            ("rubbish", None),
            ("1 2 3", None),
            ("a.b (7.0.1)", None),
            ("", None),
        ] {
            assert_eq!(version_number(line), expected, "{line}");
        }
        assert_eq!(major("10.1"), 10);
    }

    #[test]
    fn the_cbmc_of_the_project_is_found() {
        let found = find(Tool::Cbmc).unwrap_or_else(|error| panic!("{error}: run `make cbmc`"));
        assert!(found.path.is_absolute() && major(&found.version) >= OLDEST_CBMC, "{found:?}");
    }

    #[test]
    fn a_compiler_is_found_by_name_and_by_path() {
        let by_name = find(Tool::Compiler("cc")).unwrap();
        assert_eq!(find(Tool::Compiler(by_name.path.to_str().unwrap())).unwrap(), by_name);
        let error = find(Tool::Compiler("no-such-compiler")).unwrap_err();
        assert_eq!(error.to_string(), "cannot use `no-such-compiler`: there is no such program");
    }
}
