//! Closing the gap between L and U: what is open is shown by a test or proved to be impossible, and the proof can be
//! checked. The figures of partition are those of the paper (section 7) and of running all small arrays.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::commands::{Scratch, pct, stdout, succeeds, text};

const PARTITION: &str = "examples/partition/partition.c";
const GUARDED: &str = "examples/partition/partition_guarded.c";
const PREDICATES: &str = "--predicates=examples/partition/partition.pred";

/// No test is about time: on a machine with much to do, everything may take long.
const PATIENTLY: [&str; 4] = ["refine", "--auto", "--budget", "900"];

fn refined(arguments: &[&str]) -> Value {
    let all = [&PATIENTLY[..], &["--json"], arguments].concat();
    serde_json::from_str(&succeeds(&all)).unwrap()
}

/// The names of the states with a verdict.
fn with_verdict<'a>(json: &'a Value, verdict: &str) -> BTreeSet<&'a str> {
    let states = json["states"].as_array().unwrap().iter();
    states.filter(|state| state["verdict"] == verdict).map(|state| state["id"].as_str().unwrap()).collect()
}

/// Everything below lo is <= pivot, so a[hi] > pivot is impossible once hi < lo.
const IMPOSSIBLE: [&str; 3] = ["L5:FFFT", "L6:FFFT", "L7:FFFT"];

#[test]
fn the_guarded_partition_is_decided_without_help() {
    let json = refined(&[GUARDED, PREDICATES, "--length", "a=n"]);
    assert_eq!(json["states"].as_array().unwrap().len(), 53);
    assert_eq!(with_verdict(&json, "unreachable"), BTreeSet::from(IMPOSSIBLE));
    assert_eq!(json["witnessed"].as_array().unwrap().len(), 50);
    let refinement = &json["refinement"];
    assert_eq!(refinement["open"], 0);
    assert!(refinement["tracked"].as_array().unwrap().len() <= 4, "{refinement}");
    // Each step says what it brought.
    let steps = refinement["steps"].as_array().unwrap();
    assert_eq!(steps.first().unwrap()["open_before"], 3);
    assert_eq!(steps.last().unwrap()["open_after"], 0);
    assert_eq!(json["defects"].as_array().unwrap().len(), 0);
}

#[test]
fn partition_is_decided_with_checks_and_without() {
    let json = refined(&[PARTITION, PREDICATES]);
    assert_eq!(json["refinement"]["open"], 0);
    assert_eq!(with_verdict(&json, "unreachable"), BTreeSet::from(IMPOSSIBLE));
    assert_eq!(json["witnessed"].as_array().unwrap().len(), 46);
    // With checks no run goes past the end of the array, so the state behind it is impossible as well.
    let json = refined(&[PARTITION, PREDICATES, "--length", "a=n", "--checks", "bounds"]);
    assert_eq!(json["refinement"]["open"], 0);
    let unreachable = with_verdict(&json, "unreachable");
    assert!(IMPOSSIBLE.iter().all(|state| unreachable.contains(state)), "{unreachable:?}");
    assert!(json["refinement"]["tracked"].as_array().unwrap().len() <= 4);
}

#[test]
fn the_predicates_that_were_found_can_be_tracked_from_a_file() {
    let scratch = Scratch::new();
    let file = scratch.0.path().join("found.pred");
    succeeds(&[&PATIENTLY[..], &[GUARDED, PREDICATES, "-o", text(&file)]].concat());
    let analysis = succeeds(&["analyze", GUARDED, PREDICATES, "--track-file", text(&file), "--json"]);
    let analysis: Value = serde_json::from_str(&analysis).unwrap();
    assert_eq!(analysis["summary"]["upper"], 50);
}

#[test]
fn what_is_known_is_told_when_the_budget_is_spent() {
    let output = succeeds(&["refine", "--auto", "--json", GUARDED, PREDICATES, "--budget", "0.01"]);
    let json: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(with_verdict(&json, "unreachable"), BTreeSet::new());
    assert!(json["refinement"]["open"].as_u64().is_some());
}

#[test]
fn a_refinement_goes_on_from_what_was_kept() {
    let scratch = Scratch::new();
    let state = scratch.0.path().join("state.json");
    let arguments = [GUARDED, PREDICATES, "--state", text(&state)];
    let first = refined(&arguments);
    let kept = std::fs::read_to_string(&state).unwrap();
    assert!(IMPOSSIBLE.iter().all(|name| kept.contains(name)), "{kept}");
    let second = refined(&arguments);
    assert_eq!(first["refinement"], second["refinement"]);
    assert_eq!(with_verdict(&second, "unreachable"), BTreeSet::from(IMPOSSIBLE));
    // Another function is not refined by what was proved of this one.
    let output = pct(&["refine", "--auto", PARTITION, PREDICATES, "--state", text(&state)]);
    assert_eq!(output.status.code(), Some(2));
    scratch.file("state.json", "{}");
    let output = pct(&["refine", "--auto", GUARDED, PREDICATES, "--state", text(&state)]);
    assert_eq!(output.status.code(), Some(2));
}

/// The exit code of checking a certificate for the guarded partition.
fn checked(scratch: &Scratch, certificate: &Value) -> (Option<i32>, String) {
    let file = scratch.file("changed.json", certificate.to_string());
    let output = pct(&["check-certificate", text(&file), GUARDED]);
    (output.status.code(), stdout(&output))
}

#[test]
fn certificates_hold_and_altered_ones_are_rejected() {
    let scratch = Scratch::new();
    let file = scratch.0.path().join("certificate.json");
    succeeds(&[&PATIENTLY[..], &[GUARDED, PREDICATES, "--certificate", text(&file)]].concat());
    let questions = scratch.0.path().join("questions");
    let said = succeeds(&["check-certificate", text(&file), GUARDED, "--smt-lib", text(&questions)]);
    assert!(said.contains("the certificate holds"), "{said}");
    let written: Vec<_> = std::fs::read_dir(&questions).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(said.contains(&format!("{} questions", written.len())), "{said}");
    for question in &written {
        assert!(std::fs::read_to_string(question).unwrap().contains("(check-sat)"));
    }

    let certificate: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let rejected = |changed: &Value, what: &str| {
        let (code, said) = checked(&scratch, changed);
        assert_eq!(code, Some(1), "{what}: {said}");
        assert!(said.contains("rejected"), "{what}: {said}");
    };
    let claims: BTreeSet<&str> =
        certificate["unreachable"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(claims, BTreeSet::from(IMPOSSIBLE));
    let tracked = certificate["predicates"].as_array().unwrap().len() - 1;
    for other in ["a[lo - 1] < pivot", "a[lo] <= pivot", "lo == 7", "no_such_variable > 0", "1 +"] {
        let mut changed = certificate.clone();
        changed["predicates"][tracked]["text"] = other.into();
        rejected(&changed, other);
    }
    let mut changed = certificate.clone();
    changed["predicates"][0]["text"] = "lo > hi".into();
    rejected(&changed, "another observed predicate");
    for state in (0..certificate["set"].as_array().unwrap().len()).step_by(9) {
        let mut changed = certificate.clone();
        changed["set"].as_array_mut().unwrap().remove(state);
        rejected(&changed, "a state is missing");
        let mut changed = certificate.clone();
        let name = certificate["set"][state].as_str().unwrap();
        let flipped = if name.ends_with('T') { "F" } else { "T" };
        changed["set"][state] = format!("{}{flipped}", &name[..name.len() - 1]).into();
        rejected(&changed, "a state is another one");
    }
    let mut changed = certificate.clone();
    changed["unreachable"][0] = "L0:TTTT".into();
    rejected(&changed, "a claim about a state that is reached");
    changed["unreachable"][0] = "L0:TTT".into();
    rejected(&changed, "a claim about no state");
    let mut changed = certificate.clone();
    changed["options"]["overflow"] = "wrap".into();
    rejected(&changed, "other options");
    // It is about one function.
    let output = pct(&["check-certificate", text(&file), PARTITION]);
    assert_eq!(output.status.code(), Some(1));
}
