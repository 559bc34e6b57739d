//! Large functions: limits that stop an analysis with what is known, and the choice of what is observed.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::commands::{Scratch, fails, pct, stderr, stdout, succeeds};

const PARTITION: &str = "examples/partition/partition.c";
const PREDICATES: &str = "--predicates=examples/partition/partition.pred";

/// A function with so many independent conditions; its states are about as many as their truth values.
fn independent(scratch: &Scratch, count: usize) -> PathBuf {
    let parameters: Vec<String> = (0..count).map(|index| format!("int x{index}")).collect();
    let mut text = format!("int f({}) {{\n  int r = 0;\n", parameters.join(", "));
    for index in 0..count {
        let _ = writeln!(text, "  if (x{index} > {index})\n    r = r + 1;");
    }
    text.push_str("  return r;\n}\n");
    scratch.file("independent.c", text)
}

/// Runs with `--json` and checks what must be so of every partial result.
#[track_caller]
fn partial(arguments: &[&str]) -> serde_json::Value {
    let output = pct(&[arguments, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(json["summary"]["partial"], true);
    assert_eq!(json["summary"]["initial_assumption_holds"], false);
    assert_eq!(json["summary"]["lower"], json["summary"]["lower_pessimistic"]);
    for state in json["states"].as_array().unwrap() {
        assert_ne!(state["verdict"], "unreachable");
        assert_ne!(state["verdict"], "optimistic");
        assert!(state["lower"] == false || state["lower_pessimistic"] == true, "{state}");
    }
    json
}

#[test]
fn a_limit_on_states_makes_the_result_partial() {
    let json = partial(&["analyze", PARTITION, PREDICATES, "--max-states", "10"]);
    assert_eq!(json["summary"]["limit"], "states");
    let named = json["summary"]["multiplying"].as_array().unwrap();
    assert!(named.iter().any(|name| name == "al") && named.iter().any(|name| name == "ah"), "{named:?}");
    let report = stdout(&pct(&["analyze", PARTITION, PREDICATES, "--max-states", "10"]));
    assert!(report.contains("partial: the analysis stopped at the limit of 10 states (--max-states)"), "{report}");
    assert!(report.contains("What multiplies the states: "), "{report}");
    assert!(report.contains("--observe EXPR") && report.contains("--points labels"), "{report}");
    assert!(!report.contains("impossible   "), "{report}");
}

#[test]
fn the_limit_on_states_holds_where_one_step_has_very_many_successors() {
    let scratch = Scratch::new();
    let file = independent(&scratch, 120);
    let json = partial(&["analyze", file.to_str().unwrap(), "--max-states", "1000"]);
    let upper = json["summary"]["upper"].as_u64().unwrap();
    assert!((1000..1010).contains(&upper), "{upper}");
}

#[test]
fn a_limit_on_time_ends_what_would_take_long() {
    let scratch = Scratch::new();
    // More than a million states, but few enough for the memory, which would be the first limit otherwise.
    let file = independent(&scratch, 16);
    let begin = Instant::now();
    let json = partial(&["analyze", file.to_str().unwrap(), "--limit", "5", "--max-states", "1000000000"]);
    assert_eq!(json["summary"]["limit"], "time");
    assert!(json["summary"]["upper"].as_u64().unwrap() > 0);
    // The rest is for writing down what was found, on a busy machine.
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}

#[test]
fn a_limit_on_time_interrupts_a_running_question() {
    let scratch = Scratch::new();
    // Factoring: no solver does it in an hour, and the limit of the single question is longer than that.
    let text = "int f(unsigned long a, unsigned long b) {\n  if (a > 1 && b > 1 && a < 4294967296 && b < 4294967296 && \
                a * b == 18446743979220271189u)\n    return 1;\n  return 0;\n}\n";
    let file = scratch.file("factors.c", text);
    let begin = Instant::now();
    let arguments = ["analyze", file.to_str().unwrap(), "--limit", "2", "--timeout", "7200"];
    let json = partial(&arguments);
    assert_eq!(json["summary"]["limit"], "time");
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
    let report = stdout(&pct(&arguments));
    assert!(report.contains("partial: the analysis stopped after the limit of 2 s (--limit)"), "{report}");
}

/// Runs with a limit of some seconds on time, and checks that it holds; the rest is for a busy machine.
#[track_caller]
fn ends_in_time(file: &str, function: &str, limit: u64) -> serde_json::Value {
    let begin = Instant::now();
    let limit = limit.to_string();
    let arguments = ["analyze", file, "-f", function, "--points", "statements", "--limit", &limit, "--json"];
    // A warning before an explosion is welcome.
    let output = pct(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(begin.elapsed() < Duration::from_secs(40), "{:?}", begin.elapsed());
    serde_json::from_str(&report).unwrap()
}

#[test]
fn a_quantified_question_of_shared_parts_hears_the_limit() {
    // Written out, the shared parts of its formulas would be billions: Z3 would make a pattern of them, for ever.
    let json = ends_in_time("tests/corpus/embedded/engine_speed.c", "Ignition_Advance", 10);
    // Six of its own, and the loops of what its declarations call.
    assert_eq!(json["points"].as_array().unwrap().len(), 8);
}

#[test]
fn a_large_switch_hears_the_limit() {
    let scratch = Scratch::new();
    let cases: String = (0..1500).map(|case| format!("    case {}: r += {case}; x ^= r; break;\n", 7 * case)).collect();
    let text =
        format!("int f(int x) {{\n  int r = 0;\n  while (r < 10)\n    switch (x) {{\n{cases}    }}\n  return r;\n}}\n");
    let json = ends_in_time(scratch.file("switch.c", text).to_str().unwrap(), "f", 2);
    assert_eq!(json["summary"]["partial"], true);
    assert_eq!(json["predicates"].as_array().unwrap().len(), 1501);
}

#[test]
fn a_large_table_is_not_looked_into() {
    let scratch = Scratch::new();
    let values: Vec<String> = (0..20_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8).to_string()).collect();
    let text = format!(
        "static const int t[20000] = {{{}}};\nint f(int i, int j) {{\n  if (t[i] > t[j])\n    return 1;\n  return 0;\n}}\n",
        values.join(", ")
    );
    let json = ends_in_time(scratch.file("table.c", text).to_str().unwrap(), "f", 20);
    // What is too large to be asked is unknown: possible, and never proved.
    assert_eq!(json["summary"]["partial"], false);
    assert!(json["summary"]["solver_unknown"].as_u64().unwrap() > 0);
    assert!(json["states"].as_array().unwrap().iter().any(|state| state["verdict"] == "open"), "{json}");
}

#[test]
fn too_many_points_with_too_many_predicates_are_refused() {
    let scratch = Scratch::new();
    let tests: String = (0..5000).map(|bound| format!("  if (x > {bound})\n    r++;\n")).collect();
    let file = scratch.file("long.c", format!("int f(int x) {{\n  int r = 0;\n{tests}  return r;\n}}\n"));
    let file = file.to_str().unwrap();
    fails(3, &["analyze", file], &["10001 points with more than", "are too many", "--points labels"]);
}

#[test]
fn a_limit_that_is_not_reached_changes_nothing() {
    let plain = succeeds(&["analyze", PARTITION, PREDICATES, "--json"]);
    assert_eq!(succeeds(&["analyze", PARTITION, PREDICATES, "--json", "--limit", "3600"]), plain);
    fails(2, &["analyze", PARTITION, "--limit", "0"], &["--limit", "greater than 0"]);
}

#[test]
fn an_explosion_is_told_before_it_happens() {
    let scratch = Scratch::new();
    let file = independent(&scratch, 20);
    let output = pct(&["analyze", file.to_str().unwrap(), "--limit", "0.1"]);
    assert_eq!(output.status.code(), Some(0));
    let warning = stderr(&output);
    // 2 to the 20th at each of 41 points.
    assert!(warning.starts_with("warning: 20 predicates at 41 points may have about 42991616 states"), "{warning}");
    assert!(warning.contains("What multiplies the states: A (x0 > 0), B (x1 > 1)"), "{warning}");
    assert!(warning.contains("--observe") && warning.contains("--points labels"), "{warning}");
}

#[test]
fn comparisons_with_many_constants_are_no_explosion() {
    let scratch = Scratch::new();
    let tests: String = (0..40).map(|bound| format!("  if (x > {bound})\n    r++;\n")).collect();
    let file = scratch.file("bounds.c", format!("int f(int x) {{\n  int r = 0;\n{tests}  return r;\n}}\n"));
    let report = succeeds(&["analyze", file.to_str().unwrap(), "--json"]);
    let json: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(json["summary"]["partial"], false);
}

fn observed(file: &str, wishes: &[&str]) -> Vec<String> {
    let wishes: Vec<&str> = wishes.iter().flat_map(|wish| ["--observe", wish]).collect();
    let text = succeeds(&[&["analyze", file, "--predicates"], wishes.as_slice()].concat());
    text.lines().map(|line| line.split_once(": ").unwrap().1.trim().to_string()).collect()
}

#[test]
fn observe_selects_by_expression_and_by_pattern() {
    let scratch = Scratch::new();
    let file = independent(&scratch, 12);
    let file = file.to_str().unwrap();
    assert_eq!(observed(file, &["x1 > 1"]), ["x1 > 1"]);
    // Negated, mirrored, and without spaces it is the same predicate.
    assert_eq!(observed(file, &["1>=x1"]), ["x1 > 1"]);
    assert_eq!(observed(file, &["x1?*"]), ["x1 > 1", "x10 > 10", "x11 > 11"]);
    assert_eq!(observed(file, &["x1? > *", "x3 > 3"]), ["x3 > 3", "x10 > 10", "x11 > 11"]);
    assert_eq!(observed(file, &["*"]).len(), 12);
    let text = succeeds(&["analyze", file, "--observe", "x3 > 3", "-p", "x4 > 4", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let texts: Vec<&str> = json["predicates"].as_array().unwrap().iter().map(|p| p["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["x3 > 3", "x4 > 4"]);
}

#[test]
fn an_observe_that_selects_nothing_is_wrong() {
    let scratch = Scratch::new();
    let file = independent(&scratch, 3);
    let file = file.to_str().unwrap();
    let list = "x0 > 0, x1 > 1, x2 > 2";
    fails(2, &["analyze", file, "--observe", "y*"], &["--observe 'y*' selects no predicate", list]);
    fails(2, &["analyze", file, "--observe", "x0 > 0", "--observe", "x0 > 1"], &["'x0 > 1' selects no", list]);
    fails(2, &["analyze", PARTITION, PREDICATES, "--observe", "*"], &["--observe", "--predicates=FILE"]);
}
