//! C text + predicates -> what `pct` claims about it, by running the real program.
//!
//! Only the command line and the JSON of `pct analyze` are used, so the suite checks what a user gets.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::native::Overflow;

/// How long one analysis may take; far more than nearly all programs of this suite need.
const TIME_LIMIT: Duration = Duration::from_secs(180);

/// How many seconds the solver has for one question. An unknown answer makes a bound wider, never wrong, and the suite
/// has many questions; it also runs several analyses at once, so each of them uses one thread.
const SOLVER_TIMEOUT: &str = "1";

/// Which points are observed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Points {
    Labels,
    Statements,
}

impl Points {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Points::Labels => "labels",
            Points::Statements => "statements",
        }
    }
}

/// What is asked of `pct`, besides the file.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) predicates: Vec<String>,
    /// Predicates that sharpen the result but are not observed.
    pub(crate) tracked: Vec<String>,
    /// Other options of `pct`.
    pub(crate) options: Vec<String>,
    pub(crate) points: Points,
    pub(crate) overflow: Overflow,
}

/// The answer of `pct`, as far as it can be checked by running the program.
#[derive(Clone, Default, Debug)]
pub(crate) struct Analysis {
    /// Line of every point.
    pub(crate) points: BTreeMap<String, u64>,
    pub(crate) upper: BTreeSet<String>,
    pub(crate) lower: BTreeSet<String>,
    pub(crate) lower_pessimistic: BTreeSet<String>,
    pub(crate) lower_exact: BTreeSet<String>,
    /// Reached whatever else the runs do.
    pub(crate) proved: BTreeSet<String>,
    pub(crate) initial_assumption_holds: bool,
    pub(crate) solver_unknown: u64,
    pub(crate) seconds: f64,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Unanswered {
    /// The program is too hard for the solver: a pity, but nothing is claimed.
    TooSlow,
    /// The message of `pct`, or what is missing in its answer.
    Refused(String),
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unanswered::TooSlow => write!(f, "pct takes more than {TIME_LIMIT:?}"),
            Unanswered::Refused(message) => f.write_str(message),
        }
    }
}

/// Runs `pct analyze` on a file.
pub(crate) fn analyze_file(file: &Path, question: &Question) -> Result<Analysis, Unanswered> {
    let (text, seconds) = ask("analyze", &[], file, question)?;
    match parse(&text) {
        Ok(analysis) => Ok(Analysis { seconds, ..analysis }),
        Err(missing) => Err(Unanswered::Refused(format!("the answer of pct has no proper {missing}:\n{text}"))),
    }
}

/// What `pct test` says of a function, beside its analysis.
#[derive(Clone, Default, Debug)]
pub(crate) struct Tested {
    pub(crate) analysis: Analysis,
    /// The states that runs have shown.
    pub(crate) witnessed: BTreeSet<String>,
    /// Where pct says that it contradicts itself.
    pub(crate) defects: Vec<String>,
}

/// Runs `pct test` on a file.
pub(crate) fn test_file(file: &Path, question: &Question) -> Result<Tested, Unanswered> {
    tested("test", &[], file, question)
}

/// What `pct refine --auto` says of a file; its upper bound lacks what was proved to be unreachable.
pub(crate) fn refine_file(file: &Path, question: &Question) -> Result<Tested, Unanswered> {
    tested("refine", &["--auto", "--budget", "10"], file, question)
}

fn tested(command: &str, options: &[&str], file: &Path, question: &Question) -> Result<Tested, Unanswered> {
    let (text, seconds) = ask(command, options, file, question)?;
    let refused =
        |missing: &str| Unanswered::Refused(format!("the answer of pct {command} has no proper {missing}:\n{text}"));
    let analysis = Analysis { seconds, ..parse(&text).map_err(refused)? };
    let answer: Value = serde_json::from_str(&text).map_err(|_| refused("JSON"))?;
    let strings = |member: &str| -> Option<Vec<String>> {
        answer[member].as_array()?.iter().map(|text| text.as_str().map(String::from)).collect()
    };
    Ok(Tested {
        analysis,
        witnessed: strings("witnessed").ok_or_else(|| refused("witnessed"))?.into_iter().collect(),
        defects: strings("defects").ok_or_else(|| refused("defects"))?,
    })
}

/// What a command of `pct` prints about a file, and how long it takes.
fn ask(command: &str, options: &[&str], file: &Path, question: &Question) -> Result<(String, f64), Unanswered> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let predicates = folder.path().join("predicates");
    let mut lines = question.predicates.join("\n");
    lines.push('\n');
    std::fs::write(&predicates, lines).expect("the predicates can be written");
    let output = folder.path().join("stdout");
    let errors = folder.path().join("stderr");
    let create = |path| File::create(path).expect("an output file can be made");

    let started = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_pct"))
        .arg(command)
        .arg(file)
        .args(options)
        .args(["-f", "f"])
        .arg(format!("--predicates={}", predicates.display()))
        .args(["--points", question.points.name()])
        .args(["--overflow", question.overflow.name()])
        .args(question.tracked.iter().flat_map(|e| ["--track", e.as_str()]))
        .args(&question.options)
        .args(["--timeout", SOLVER_TIMEOUT, "--jobs", "1"])
        .arg("--json")
        .stdin(Stdio::null())
        .stdout(create(&output))
        .stderr(create(&errors))
        .spawn()
        .expect("pct can be started");
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            break status;
        }
        if started.elapsed() > TIME_LIMIT {
            child.kill().expect("a child can be killed");
            child.wait().expect("a child can be waited for");
            return Err(Unanswered::TooSlow);
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let seconds = started.elapsed().as_secs_f64();

    let read = |path| std::fs::read_to_string(path).expect("an output file can be read");
    // A test that goes wrong is a finding, and no failure of pct.
    let is_answered = status.success() || command != "analyze" && status.code() == Some(1);
    if !is_answered {
        return Err(Unanswered::Refused(format!("pct ends with {status}:\n{}", read(&errors))));
    }
    Ok((read(&output), seconds))
}

/// Runs `pct analyze` on a text.
pub(crate) fn analyze_text(text: &str, question: &Question) -> Result<Analysis, Unanswered> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("f.c");
    std::fs::write(&file, text).expect("the program can be written");
    analyze_file(&file, question)
}

/// Reads the JSON contract; the error names the member that is missing.
fn parse(json: &str) -> Result<Analysis, &'static str> {
    let answer: Value = serde_json::from_str(json).map_err(|_| "JSON")?;
    let summary = &answer["summary"];
    if summary["partial"].as_bool().ok_or("summary.partial")? {
        return Err("summary.partial: the analysis gave up");
    }
    let mut analysis = Analysis {
        initial_assumption_holds: summary["initial_assumption_holds"]
            .as_bool()
            .ok_or("summary.initial_assumption_holds")?,
        solver_unknown: summary["solver_unknown"].as_u64().ok_or("summary.solver_unknown")?,
        ..Analysis::default()
    };
    for point in answer["points"].as_array().ok_or("points")? {
        analysis.points.insert(
            point["label"].as_str().ok_or("label of a point")?.into(),
            point["line"].as_u64().ok_or("line of a point")?,
        );
    }
    for state in answer["states"].as_array().ok_or("states")? {
        let id = state["id"].as_str().ok_or("id of a state")?;
        let put = |set: &mut BTreeSet<String>, member: &'static str| {
            if state[member].as_bool().ok_or(member)? {
                set.insert(id.to_owned());
            }
            Ok::<(), &'static str>(())
        };
        put(&mut analysis.upper, "upper")?;
        put(&mut analysis.lower, "lower")?;
        put(&mut analysis.lower_pessimistic, "lower_pessimistic")?;
        put(&mut analysis.lower_exact, "lower_exact")?;
        put(&mut analysis.proved, "proved")?;
    }
    Ok(analysis)
}
