//! Asking CBMC: a path program → whether its assertion can fail, and with which inputs.
//!
//! A path program is straight-line C (Figure 8 of the paper): its inputs are the variables that `main` declares without
//! an initialiser, `__CPROVER_assume` keeps to the path, and the final assertion denies the target. So a failure is a
//! test, and a success says that no input takes this path. CBMC's own checks are off, and loops have no bound: it
//! answers for all runs, or it does not end, which the limit makes [`Answer::Unknown`]. A program without an assertion
//! is an error, because CBMC would call it safe.
//!
//! The inputs are read from the trace. In it a variable without an initialiser is shown once, with its value; one with an
//! initialiser is shown first as a hidden step, so it is told apart. Names should be distinct: of two variables with the
//! same name only the first is given. CBMC shows wrong values for unions, and none for arrays whose length is not a
//! constant and may be large: both are [`Value::Unknown`]. Whatever is given, the test that is made of it has to run.

use serde::Deserialize;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use super::path_program::PathProgram;
use super::{Outcome, Test};
use crate::abstraction::StateId;
use crate::cfg::Cfg;
use crate::error::{Error, Result};
use crate::process;
use crate::tools::{self, Tool};

/// How CBMC is asked.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program.
    pub cbmc: PathBuf,
    /// It is killed after this time.
    pub limit: Duration,
}

impl Options {
    /// With the CBMC that is found; it is looked for once, not for every question.
    pub fn new(limit: Duration) -> Result<Options> {
        Ok(Options { cbmc: tools::find(Tool::Cbmc)?.path, limit })
    }
}

/// What CBMC says of a program.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// No input makes an assertion fail.
    Safe,
    /// These inputs make an assertion fail.
    Fails(Failure),
    /// CBMC did not decide it, for this reason.
    Unknown(String),
    /// It could not be asked: CBMC does not start, or it refuses the program.
    Error(String),
}

/// How an assertion fails.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// CBMC's name for the assertion, such as `main.assertion.1`.
    pub property: String,
    /// The text of the assertion.
    pub description: String,
    /// The scalar parts of the inputs, such as `n`, `a[2]` or `s.x`, in the order of the trace: first the globals with
    /// their values at the start, then what `main` declares and what undefined functions return (`return_value_f`,
    /// `return_value_f$0`, …).
    pub inputs: Vec<(String, Value)>,
}

/// The value of an input.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// An integer, a character, a `_Bool` or an enumeration.
    Integer(i128),
    /// A `float` or `double`. Every `float` is a `double`.
    Float(f64),
    /// An address, as CBMC writes it.
    Pointer(String),
    /// CBMC does not tell, or what it tells is not to be trusted.
    Unknown,
}

/// Asks CBMC about the C file `program`, unless everything is over.
pub fn solve(program: &Path, options: &Options, is_over: &dyn Fn() -> bool) -> Answer {
    // A name that begins with a dash is not an option.
    let file = std::path::absolute(program).unwrap_or_else(|_| program.to_path_buf());
    let mut arguments: Vec<OsString> = vec![file.into()];
    arguments.extend(["--no-standard-checks", "--trace", "--json-ui"].map(OsString::from));
    match process::run_unless(&options.cbmc, &arguments, options.limit, is_over) {
        Err(error) => Answer::Error(error.to_string()),
        Ok(None) if is_over() => Answer::Unknown("CBMC was stopped".to_string()),
        Ok(None) => Answer::Unknown(format!("CBMC was not done after {} seconds", options.limit.as_secs_f64())),
        Ok(Some(output)) => answer(&output),
    }
}

/// How small inputs are wished to be, one after the other.
const SIZES: [i128; 2] = [4, 16];

/// Inputs for the path of a program, by CBMC.
///
/// If there are none within the room that the program gives to objects, the same program is asked for without that limit:
/// it has more runs than there are, so if it has none, no input takes the path.
pub fn solve_path(
    cfg: &Cfg,
    program: &PathProgram,
    states: &[StateId],
    options: &Options,
    is_over: &dyn Fn() -> bool,
) -> Result<Outcome> {
    let ask = |text: &str| -> Result<Answer> {
        let failed = |error: std::io::Error| Error::Tool {
            message: format!("cannot write a path program: {error}"),
            help: Some("check the folder for temporary files and its permissions".to_string()),
        };
        let folder = tempfile::tempdir().map_err(failed)?;
        let file = folder.path().join("path.c");
        std::fs::write(&file, text).map_err(failed)?;
        match solve(&file, options, is_over) {
            Answer::Error(message) => Err(Error::Tool {
                message: format!("CBMC does not take a path program: {message}"),
                help: Some("this is a defect in pct, if CBMC itself runs".to_string()),
            }),
            answer => Ok(answer),
        }
    };
    // Small inputs are readable; if there are none, any will do.
    for size in SIZES {
        if let Some(text) = program.small(cfg, size)
            && let Answer::Fails(failure) = ask(&text)?
            && let Some(inputs) = program.inputs(cfg, &failure.inputs)
        {
            let states = states.to_vec();
            return Ok(Outcome::Test(Box::new(Test { states, failure: None, inputs, is_exact: program.is_exact })));
        }
    }
    Ok(match ask(&program.text)? {
        Answer::Fails(failure) => match program.inputs(cfg, &failure.inputs) {
            Some(inputs) => {
                let states = states.to_vec();
                Outcome::Test(Box::new(Test { states, failure: None, inputs, is_exact: program.is_exact }))
            }
            None => Outcome::Unrealizable("CBMC does not tell the value of an input".to_string()),
        },
        Answer::Safe if !program.has_bounds => Outcome::Infeasible,
        Answer::Safe => match ask(&program.anywhere())? {
            Answer::Safe => Outcome::Infeasible,
            _ => Outcome::Unknown,
        },
        _ => Outcome::Unknown,
    })
}

/// What CBMC printed, understood.
fn answer(output: &Output) -> Answer {
    let messages: Vec<Message> = match serde_json::from_slice(&output.stdout) {
        Ok(messages) => messages,
        // A signal: the system took its memory away, or somebody killed it.
        Err(_) if output.status.code().is_none() => return Answer::Unknown(format!("CBMC ended by {}", output.status)),
        Err(_) => return Answer::Error(no_json(output)),
    };
    let status = messages.iter().find_map(|message| message.status.as_deref());
    let results: Vec<&Property> = messages.iter().filter_map(|message| message.result.as_ref()).flatten().collect();
    let failed = results.iter().find(|property| property.status == "FAILURE");
    match (status, failed) {
        (Some("failure"), Some(property)) => Answer::Fails(Failure {
            property: property.property.clone(),
            description: property.description.clone(),
            inputs: inputs(&property.trace),
        }),
        (Some("success"), None) if results.is_empty() => Answer::Error("the program has no assertion".to_string()),
        // Every assertion has to be decided.
        (Some("success"), None) if results.iter().all(|property| property.status == "SUCCESS") => Answer::Safe,
        _ => match errors(&messages) {
            Some(message) => Answer::Error(message),
            None => Answer::Unknown(format!("CBMC ended by {} without a verdict", output.status)),
        },
    }
}

fn no_json(output: &Output) -> String {
    let text = [&output.stderr[..], &output.stdout[..]].concat();
    let text = String::from_utf8_lossy(&text);
    let line: String =
        text.lines().find(|line| !line.trim().is_empty()).unwrap_or("nothing").chars().take(200).collect();
    format!("CBMC gives no JSON, but: {line}")
}

/// The first error that has a place, or else the first one.
fn errors(messages: &[Message]) -> Option<String> {
    let errors = || messages.iter().filter(|message| message.kind.as_deref() == Some("ERROR"));
    let error = errors().find(|message| message.location.line.is_some()).or_else(|| errors().next())?;
    let text = error.text.clone().unwrap_or_default();
    Some(match &error.location.line {
        Some(line) => format!("line {line}: {text}"),
        None => text,
    })
}

/// One object of the list that CBMC prints.
#[derive(Deserialize)]
struct Message {
    #[serde(rename = "messageType")]
    kind: Option<String>,
    #[serde(rename = "messageText")]
    text: Option<String>,
    #[serde(rename = "sourceLocation", default)]
    location: Location,
    #[serde(rename = "cProverStatus")]
    status: Option<String>,
    result: Option<Vec<Property>>,
}

#[derive(Deserialize, Default)]
struct Location {
    #[serde(default)]
    file: String,
    function: Option<String>,
    line: Option<String>,
}

#[derive(Deserialize)]
struct Property {
    property: String,
    #[serde(default)]
    description: String,
    status: String,
    #[serde(default)]
    trace: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    #[serde(rename = "stepType")]
    kind: String,
    #[serde(default)]
    hidden: bool,
    #[serde(rename = "assignmentType", default)]
    assignment: String,
    #[serde(default)]
    lhs: String,
    #[serde(rename = "sourceLocation", default)]
    location: Location,
    #[serde(default)]
    value: Shown,
}

/// A value as the trace shows it.
#[derive(Deserialize, Default)]
struct Shown {
    /// `integer`, `float`, `pointer`, `array`, `struct`, `union` or `unknown`.
    #[serde(default)]
    name: String,
    #[serde(default)]
    data: String,
    #[serde(default)]
    binary: String,
    #[serde(default)]
    elements: Vec<Element>,
    #[serde(default)]
    members: Vec<Member>,
}

#[derive(Deserialize)]
struct Element {
    index: u64,
    value: Shown,
}

#[derive(Deserialize)]
struct Member {
    name: String,
    value: Shown,
}

/// The inputs that a trace shows.
fn inputs(trace: &[Step]) -> Vec<(String, Value)> {
    let mut inputs = Vec::new();
    let mut seen = BTreeSet::new();
    for step in trace.iter().filter(|step| is_of_the_program(step)) {
        let global = step.location.function.is_none();
        // What a function returns is shown like a variable with an initialiser.
        let returned = step.lhs.starts_with("return_value_");
        if returned && step.hidden || !seen.insert(step.lhs.as_str()) {
            continue;
        }
        if global || !step.hidden {
            scalars(step.lhs.clone(), &step.value, &mut inputs);
        }
    }
    inputs
}

/// Whether a step gives a whole variable of the program a value.
fn is_of_the_program(step: &Step) -> bool {
    let is_name = step.lhs.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    let is_internal = step.lhs.starts_with("__CPROVER") || step.lhs.ends_with("$array_size");
    step.kind == "assignment"
        && step.assignment == "variable"
        && is_name
        && !is_internal
        && !step.location.file.starts_with('<')
        && step.location.function.as_deref().is_none_or(|function| function == "main")
}

/// Adds the scalar parts of a value, each with its name.
fn scalars(name: String, value: &Shown, inputs: &mut Vec<(String, Value)>) {
    match value.name.as_str() {
        "array" => value.elements.iter().for_each(|e| scalars(format!("{name}[{}]", e.index), &e.value, inputs)),
        "struct" => {
            // Padding has no name in C.
            let members = value.members.iter().filter(|member| !member.name.starts_with('$'));
            members.for_each(|member| scalars(format!("{name}.{}", member.name), &member.value, inputs));
        }
        "integer" => inputs.push((name, integer(value).map_or(Value::Unknown, Value::Integer))),
        "float" => inputs.push((name, float(value).map_or(Value::Unknown, Value::Float))),
        "pointer" => inputs.push((name, Value::Pointer(value.data.clone()))),
        _ => inputs.push((name, Value::Unknown)),
    }
}

/// The number is written in decimal with a suffix, except for truth values, characters and enumerations.
fn integer(value: &Shown) -> Option<i128> {
    let data = value.data.as_str();
    let decimal = data.trim_end_matches(['u', 'l', 'U', 'L']);
    match data {
        "TRUE" => Some(1),
        "FALSE" => Some(0),
        _ if data.starts_with('\'') => i128::from_str_radix(&value.binary, 2).ok(),
        _ if data.starts_with("/*enum*/") => {
            let bits = i128::from_str_radix(&value.binary, 2).ok()?;
            let negative = value.binary.starts_with('1');
            Some(if negative { bits - (1i128.checked_shl(value.binary.len() as u32)?) } else { bits })
        }
        _ => decimal.parse().ok(),
    }
}

/// The text is rounded; the bits are exact.
fn float(value: &Shown) -> Option<f64> {
    match value.binary.len() {
        32 => u32::from_str_radix(&value.binary, 2).ok().map(|bits| f64::from(f32::from_bits(bits))),
        64 => u64::from_str_radix(&value.binary, 2).ok().map(f64::from_bits),
        // A long double, which pct does not read either.
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Value::{Float, Integer, Pointer, Unknown};
    use super::*;

    fn options(limit: Duration) -> Options {
        Options::new(limit).unwrap_or_else(|error| panic!("{error}: run `make cbmc`"))
    }

    fn ask(program: &str, limit: Duration) -> Answer {
        let folder = tempfile::tempdir().unwrap();
        // A name that could be taken for an option.
        let file = folder.path().join("-path.c");
        std::fs::write(&file, program).unwrap();
        solve(&file, &options(limit), &|| false)
    }

    fn ask_main(body: &str) -> Answer {
        ask(&format!("int main(void) {{\n{body}\n}}\n"), Duration::from_secs(60))
    }

    #[track_caller]
    fn failure(answer: Answer) -> Failure {
        match answer {
            Answer::Fails(failure) => failure,
            other => panic!("{other:?}"),
        }
    }

    /// The inputs for which the last assertion of the program fails.
    #[track_caller]
    fn check(body: &str, expected: &[(&str, Value)]) {
        let expected: Vec<(String, Value)> =
            expected.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
        assert_eq!(failure(ask_main(body)).inputs, expected);
    }

    #[test]
    fn a_path_that_no_input_takes_is_safe() {
        let body = "int x; __CPROVER_assume(x > 3); __CPROVER_assume(x < 9); __CPROVER_assert(!(x == 9), \"target\");";
        assert_eq!(ask_main(body), Answer::Safe);
        // Nothing that C leaves undefined counts: the assertion alone decides.
        let body = "int x, y; int z = x / y + (x + 1); __CPROVER_assert(x == x, \"target\");";
        assert_eq!(ask_main(body), Answer::Safe);
    }

    #[test]
    fn a_failure_has_its_assertion_and_inputs_before_they_are_changed() {
        let body = "int x; int y; int z = x + 1;\n__CPROVER_assume(x == 5 && y == -2);\nx = x + y;\n\
                    __CPROVER_assert(!(x == 3 && z == 6), \"target\");";
        let failure = failure(ask_main(body));
        assert_eq!((&*failure.property, &*failure.description), ("main.assertion.1", "target"));
        assert_eq!(failure.inputs, [("x".to_string(), Integer(5)), ("y".to_string(), Integer(-2))]);
    }

    #[test]
    fn the_assertion_may_be_that_of_the_c_library() {
        let program = "#include <assert.h>\nint main(void) { int x; assert(!(x == 7)); }\n";
        let failure = failure(ask(program, Duration::from_secs(60)));
        assert_eq!(failure.inputs, [("x".to_string(), Integer(7))]);
    }

    #[test]
    fn integers_of_all_kinds_are_read() {
        check(
            "unsigned long u; long l; unsigned w; unsigned char b; signed char c; char k, q; _Bool t, f; unsigned short s;\n\
             enum { MINUS = -1, SEVEN = 7 } e, g;\n\
             __CPROVER_assume(u == 18446744073709551615ul && l == -9223372036854775807l - 1 && w == 4000000000u);\n\
             __CPROVER_assume(b == 200 && c == -56 && k == 'x' && q == '\\n' && t && !f && s == 65535);\n\
             __CPROVER_assume(e == MINUS && g == SEVEN);\n\
             __CPROVER_assert(0, \"target\");",
            &[
                ("u", Integer(u64::MAX.into())),
                ("l", Integer(i64::MIN.into())),
                ("w", Integer(4_000_000_000)),
                ("b", Integer(200)),
                ("c", Integer(-56)),
                ("k", Integer('x' as i128)),
                ("q", Integer('\n' as i128)),
                ("t", Integer(1)),
                ("f", Integer(0)),
                ("s", Integer(65535)),
                ("e", Integer(-1)),
                ("g", Integer(7)),
            ],
        );
    }

    #[test]
    fn floats_are_exact() {
        let third = 1.0_f64 / 3.0;
        check(
            "float f; double d, z, i; __CPROVER_assume(f == 0.1f && d == 1.0 / 3.0 && z == 0 && 1 / z < 0);\n\
             __CPROVER_assume(i == -1.0 / 0.0); __CPROVER_assert(0, \"target\");",
            &[("f", Float(0.1_f32.into())), ("d", Float(third)), ("z", Float(-0.0)), ("i", Float(f64::NEG_INFINITY))],
        );
        let found =
            failure(ask_main("double z, n; __CPROVER_assume(z == 0 && 1 / z < 0); __CPROVER_assert(n == n, \"\");"));
        // Equality would not see the sign of zero, and no value is equal to NaN.
        assert!(matches!(found.inputs[0].1, Float(zero) if zero == 0.0 && zero.is_sign_negative()), "{found:?}");
        assert!(matches!(found.inputs[1].1, Float(nan) if nan.is_nan()), "{found:?}");
    }

    #[test]
    fn arrays_and_structs_are_given_cell_by_cell() {
        check(
            "struct { char c; int x; struct { long k[2]; } in; } s; int a[2][2];\n\
             __CPROVER_assume(s.c == 'c' && s.x == -3 && s.in.k[0] == 5 && s.in.k[1] == -7);\n\
             __CPROVER_assume(a[0][0] == 1 && a[0][1] == 2 && a[1][0] == 3 && a[1][1] == 4);\n\
             a[1][1] = 9; s.x = 8;\n\
             __CPROVER_assert(!(a[1][1] == 9), \"target\");",
            &[
                ("s.c", Integer('c' as i128)),
                ("s.x", Integer(-3)),
                ("s.in.k[0]", Integer(5)),
                ("s.in.k[1]", Integer(-7)),
                ("a[0][0]", Integer(1)),
                ("a[0][1]", Integer(2)),
                ("a[1][0]", Integer(3)),
                ("a[1][1]", Integer(4)),
            ],
        );
    }

    #[test]
    fn an_array_has_as_many_cells_as_its_length_says() {
        check(
            "int n; __CPROVER_assume(n > 0 && n <= 4); int a[n]; int i; __CPROVER_assume(i >= 0 && i < n);\n\
             __CPROVER_assume(n == 3 && i == 2 && a[0] == 6 && a[1] == -6);\n\
             __CPROVER_assert(!(a[i] == 11), \"target\");",
            &[("n", Integer(3)), ("a[0]", Integer(6)), ("a[1]", Integer(-6)), ("a[2]", Integer(11)), ("i", Integer(2))],
        );
    }

    #[test]
    fn what_cbmc_does_not_tell_is_unknown() {
        // The cells of a large array of unknown length are not in the trace, and a union is shown with a wrong value.
        let body = "int n; __CPROVER_assume(n > 2000 && n <= 3000); int a[n]; union { int i; char c[4]; } u; int *p = 0;\n\
                    int *q; __CPROVER_assume(u.i == 5 && q == 0); __CPROVER_assert(a[n - 1] != 4, \"target\");";
        let inputs = failure(ask_main(body)).inputs;
        let names: Vec<&str> = inputs.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["n", "a", "u", "q"]);
        assert!(matches!(inputs[0].1, Integer(2001..=3000)), "{inputs:?}");
        assert_eq!([&inputs[1].1, &inputs[2].1], [&Unknown, &Unknown]);
        assert_eq!(inputs[3].1, Pointer("((signed int *)NULL)".to_string()));
    }

    #[test]
    fn globals_and_results_of_undefined_functions_are_inputs() {
        let program = "int start = 4; extern int given; int nondet_int(void);\n\
                       int main(void) { int x = nondet_int(); int y = nondet_int(); start = 9;\n\
                       __CPROVER_assume(given == 6 && x == 1 && y == 2); __CPROVER_assert(0, \"target\"); }\n";
        let mut inputs = failure(ask(program, Duration::from_secs(60))).inputs;
        inputs.sort_by(|one, other| one.0.cmp(&other.0));
        let expected = [("given", 6), ("return_value_nondet_int", 1), ("return_value_nondet_int$0", 2), ("start", 4)];
        assert_eq!(inputs, expected.map(|(name, value)| (name.to_string(), Integer(value))));
    }

    #[test]
    fn a_program_that_is_no_c_is_an_error_with_its_line() {
        let Answer::Error(message) = ask_main("int x = ;") else { panic!("no error") };
        assert_eq!(message, "line 2: syntax error before ';'");
        let Answer::Error(message) = ask_main("return unknown;") else { panic!("no error") };
        assert_eq!(message, "line 2: failed to find symbol 'unknown'");
        let Answer::Error(message) = ask("#include <nowhere.h>\n", Duration::from_secs(60)) else { panic!("no error") };
        assert!(message.contains("nowhere.h"), "{message}");
    }

    #[test]
    fn a_program_without_an_assertion_is_not_called_safe() {
        assert_eq!(ask_main("int x; x = x;"), Answer::Error("the program has no assertion".to_string()));
    }

    #[test]
    fn a_file_that_is_not_there_is_an_error() {
        let answer = solve(Path::new("nowhere.c"), &options(Duration::from_secs(60)), &|| false);
        assert!(matches!(&answer, Answer::Error(message) if message.contains("nowhere.c")), "{answer:?}");
    }

    #[test]
    fn a_question_that_takes_too_long_is_unknown() {
        let start = std::time::Instant::now();
        // CBMC unwinds it for ever.
        let program = "int main(void) { int x; while (x) x = x; __CPROVER_assert(0, \"target\"); }\n";
        let answer = ask(program, Duration::from_millis(1500));
        assert_eq!(answer, Answer::Unknown("CBMC was not done after 1.5 seconds".to_string()));
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn what_is_not_understood_is_no_verdict() {
        let output = |code: i32, text: &str| {
            let status = std::os::unix::process::ExitStatusExt::from_raw(code);
            Output { status, stdout: text.as_bytes().to_vec(), stderr: Vec::new() }
        };
        let (killed, ended) = (9, 0);
        assert!(matches!(answer(&output(killed, "[{")), Answer::Unknown(_)));
        assert_eq!(answer(&output(ended, "rubbish")), Answer::Error("CBMC gives no JSON, but: rubbish".to_string()));
        assert!(matches!(answer(&output(ended, "[]")), Answer::Unknown(_)));
        let undecided = r#"[{"result":[{"property":"p","status":"UNKNOWN"}]},{"cProverStatus":"success"}]"#;
        assert!(matches!(answer(&output(ended, undecided)), Answer::Unknown(_)));
        let contradiction = r#"[{"result":[{"property":"p","status":"FAILURE"}]},{"cProverStatus":"success"}]"#;
        assert!(matches!(answer(&output(ended, contradiction)), Answer::Unknown(_)));
    }
}
