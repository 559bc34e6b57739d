//! Refinement by hand: orders from standard input and from `--do`.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use super::commands::{Scratch, fails, pct, stderr, stdout, succeeds, text, unwrapped};

const GUARDED: [&str; 2] = ["examples/partition/partition_guarded.c", "--predicates=examples/partition/partition.pred"];

/// On a machine with much to do, everything may take long.
const PATIENTLY: [&str; 3] = ["refine", "--budget", "900"];

/// `pct refine` with these lines as its standard input.
fn refine(arguments: &[&str], lines: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pct"));
    command.args(PATIENTLY).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("pct runs");
    let mut input = child.stdin.take().expect("it has a standard input");
    // It may end before it has read everything.
    let _ = input.write_all(lines.as_bytes());
    drop(input);
    child.wait_with_output().expect("pct ends")
}

#[test]
fn a_session_tracks_undoes_and_writes_what_analyze_reads() {
    let scratch = Scratch::new();
    let file = scratch.0.path().join("x.pred");
    let lines = format!(
        "open\ntrack a[lo - 1] <= pivot\nratio\nundo\nratio\ntrack a[lo - 1] <= pivot\nwrite {}\n",
        text(&file)
    );
    let output = refine(&GUARDED, &lines);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let (before, after) =
        ("|U| = 53, |L| = 41, |L|/|U| = 0.774, 12 open", "|U| = 50, |L| = 41, |L|/|U| = 0.820, 9 open");
    let added = "tracked  a[lo - 1] <= pivot  (open states 12 -> 9, |U| 53 -> 50, |L| 41 -> 41)";
    let said = stdout(&output);
    let expected = format!(
        "partition in {}: 4 predicates observed, 0 tracked; {before}\n\
         open (12): L0:FFTF L2:FFTF L2:FFFF L4:FFTF L4:FFFF L5:FFTF L5:FFFT L6:FFFT L7:FFFT L8:FFTF LB:FFTF LC:FFTF\n\
         {added}\n{after}\nundone  a[lo - 1] <= pivot; {before}\n{before}\n{added}\nwritten to ",
        GUARDED[0]
    );
    assert!(said.starts_with(&expected), "{said}");
    assert!(!said.contains("pct>"), "there is nobody to prompt: {said}");
    let written = std::fs::read_to_string(&file).unwrap();
    let reason = "\n@track a[lo - 1] <= pivot # open states 12 -> 9, |U| 53 -> 50, |L| 41 -> 41\n";
    assert!(written.contains("\nlt: lo < hi\n") && written.ends_with(reason), "{written}");
    // Both options read it.
    for arguments in [
        vec![format!("--predicates={}", text(&file))],
        vec![GUARDED[1].to_string(), "--track-file".to_string(), text(&file).to_string()],
    ] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let report = succeeds(&[&["analyze", GUARDED[0]], &arguments[..]].concat());
        assert!(report.contains("|U| = 50, |L| = 41, |L|/|U| = 0.820"), "{report}");
        assert!(report.contains("a[lo - 1] <= pivot   (tracked, not observed)"), "{report}");
    }
}

#[test]
fn orders_of_do_are_carried_out_without_standard_input() {
    let orders =
        ["--do", "track a[lo - 1] <= pivot", "--do", "track a[hi + 1] > pivot", "--do", "ratio", "--do", "open"];
    let output = pct(&[&PATIENTLY[..], &GUARDED[..], &orders[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).ends_with("|U| = 50, |L| = 50, |L|/|U| = 1.000, 0 open\nno state is open\n"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_wrong_order_is_told_and_nothing_is_lost() {
    let lines = "track a[lo - 1] <= pivot\ntrack lo +\ntrack nothing > 3\nfrack\ntrack a[lo-1] <= pivot\nexplain L7:F\n\nratio\n";
    let output = refine(&GUARDED, lines);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).ends_with("|U| = 50, |L| = 41, |L|/|U| = 0.820, 9 open\n"), "{}", stdout(&output));
    let message = unwrapped(&stderr(&output));
    for words in [
        "this predicate is not a C expression",
        "nothing",
        "`frack` is no order",
        "says the same as a predicate that is there already",
        "`L7:F` needs 4 truth values, one for each observed predicate, but has 1",
    ] {
        assert!(message.contains(words), "{words:?} is missing in\n{message}");
    }
    let output = refine(&GUARDED, "undo\n");
    assert!(stderr(&output).contains("there is nothing to undo"), "{}", stderr(&output));
}

#[test]
fn observing_a_predicate_makes_new_states() {
    let output = refine(&GUARDED, "track a[lo - 1] <= pivot\nobserve n > 3\npredicates\nundo\nratio\nquit\nfrack\n");
    // What comes behind `quit` is not read.
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = stdout(&output);
    // Nothing changes n, and both sides of n > 3 are possible wherever a state is: each state is there twice.
    assert!(said.contains("observed  n > 3  (open states 9 -> 18, |U| 50 -> 100, |L| 41 -> 82)\n"), "{said}");
    assert!(said.contains("the states are new ones: what was known of the old ones does not carry over\n"), "{said}");
    assert!(said.contains("lt: lo < hi\n") && said.contains("@track B: a[lo - 1] <= pivot\n"), "{said}");
    assert!(said.ends_with("|U| = 50, |L| = 41, |L|/|U| = 0.820, 9 open\n"), "{said}");
}

#[test]
fn what_tests_show_stays_shown_when_a_predicate_is_undone() {
    let output = refine(&GUARDED, "track a[lo - 1] <= pivot\ntest\nundo\nopen\nsuggest\n");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(said.contains("50 states shown by "), "{said}");
    // All 50 states that runs reach are shown; the three others are open again.
    assert!(said.contains("open (3): L5:FFFT L6:FFFT L7:FFFT\n"), "{said}");
    let first = said.lines().skip_while(|line| !line.contains("(as it is)")).nth(1).unwrap_or_default();
    assert!(first.contains("a[lo - 1] <= pivot     50    41     0  decides 3 states"), "{said}");
    fails(2, &["refine", GUARDED[0], GUARDED[1], "--do", "help", "--auto"], &["--auto"]);
    fails(2, &["refine", GUARDED[0], GUARDED[1], "--json"], &["refinement by hand is for people"]);
}
