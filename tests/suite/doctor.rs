//! `pct doctor`: what it says of tools that are there, missing, or not what they seem; and that nothing else needs CBMC.

use std::process::{Command, Output};

use super::commands::{Scratch, pct, stderr, stdout, succeeds, text, unwrapped, which};

const PCT: &str = env!("CARGO_BIN_EXE_pct");

/// Runs `pct doctor` with only the programs of `scratch` on the PATH.
fn doctor(scratch: &Scratch, arguments: &[&str], cbmc: Option<&str>) -> Output {
    let mut command = Command::new(PCT);
    command.arg("doctor").args(arguments).env("PATH", scratch.0.path()).env_remove("PCT_CBMC");
    if let Some(cbmc) = cbmc {
        command.env("PCT_CBMC", cbmc);
    }
    let output = command.output().expect("pct runs");
    assert_eq!(stderr(&output), "");
    output
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// What is said of a tool.
#[track_caller]
fn tool(document: &serde_json::Value, name: &str) -> serde_json::Value {
    let tools = document["tools"].as_array().expect("a list");
    tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("{name} is not listed")).clone()
}

#[test]
fn every_tool_has_its_version_and_place() {
    let document: serde_json::Value = serde_json::from_str(&succeeds(&["doctor", "--json"])).unwrap();
    assert_eq!((&document["schema"], &document["ready"]), (&"pct-doctor/1".into(), &true.into()));
    let names: Vec<&str> =
        document["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Z3", "cc", "clang", "cbmc", "dot", "sanitizers"]);
    for (name, necessary) in [("Z3", true), ("cc", true), ("cbmc", false)] {
        let tool = tool(&document, name);
        assert_eq!((&tool["found"], &tool["necessary"]), (&true.into(), &necessary.into()), "{tool}; run `make cbmc`");
        assert!(tool["version"].as_str().unwrap().starts_with(|first: char| first.is_ascii_digit()), "{tool}");
        assert!(std::path::Path::new(tool["path"].as_str().unwrap()).is_file(), "{tool}");
        assert!(!tool["purpose"].as_str().unwrap().is_empty() && tool["problem"].is_null(), "{tool}");
    }
    let wanted = std::fs::read_to_string(".cargo/config.toml").unwrap();
    let version = tool(&document, "Z3")["version"].as_str().unwrap().to_string();
    let wanted = wanted.lines().find_map(|line| line.strip_prefix("Z3_SYS_Z3_VERSION = ")).unwrap().trim_matches('"');
    assert!(version.starts_with(wanted), "{version} is not {wanted}");
    assert!(tool(&document, "Z3")["path"].as_str().unwrap().contains("libz3"));
}

#[test]
fn the_text_has_a_line_for_each_tool() {
    let output = pct(&["doctor"]);
    let said = stdout(&output);
    let line = |name: &str| {
        let mut lines = said.lines().filter(|line| line.split_whitespace().next() == Some(name));
        lines.next().unwrap_or_else(|| panic!("{name} is missing in\n{said}")).to_string()
    };
    assert!(line("Z3").ends_with("decides which states and transitions there are (necessary)"), "{said}");
    assert!(line("cc").contains(text(&which("cc"))), "{said}");
    assert!(line("cbmc").contains("--engine cbmc"), "{said}");
    assert!(line("sanitizers").contains("undefined behaviour"), "{said}");
    line("clang");
    line("dot");
}

#[test]
fn with_an_empty_path_the_compiler_is_missing_and_the_exit_code_says_so() {
    let scratch = Scratch::new();
    let output = doctor(&scratch, &["--json"], None);
    assert_eq!(output.status.code(), Some(4));
    let document = json(&output);
    assert_eq!(document["ready"], false);
    for (name, help) in [("cc", "install gcc or clang"), ("clang", "apt-get install clang"), ("dot", "graphviz")] {
        let tool = tool(&document, name);
        assert_eq!((&tool["found"], &tool["path"], &tool["version"]), (&false.into(), &().into(), &().into()));
        assert_eq!(tool["problem"], format!("cannot use `{name}`: there is no such program"));
        assert!(tool["help"].as_str().unwrap().contains(help), "{tool}");
    }
    assert_eq!(tool(&document, "sanitizers")["found"], false);
    // What the project brought along does not depend on the PATH.
    assert_eq!(tool(&document, "Z3")["found"], true);
    let said = stdout(&doctor(&scratch, &[], None));
    assert!(said.contains("cannot use `cc`: there is no such program\n"), "{said}");
}

#[test]
fn a_compiler_that_is_named_is_the_one_that_counts() {
    let scratch = Scratch::new();
    let output = doctor(&scratch, &["--json", "--cc", text(&which("cc"))], None);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let output = doctor(&scratch, &["--cc", "no-such-compiler"], None);
    assert_eq!(output.status.code(), Some(4));
    assert!(stdout(&output).contains("cannot use `no-such-compiler`"), "{}", stdout(&output));
    let message = stderr(&pct(&["analyze", "examples/partition/partition.c", "--cc", "no-such-compiler"]));
    assert!(unwrapped(&message).contains("cannot use `no-such-compiler`: there is no such program"), "{message}");
}

#[test]
fn what_only_looks_like_cbmc_is_not_taken_for_it() {
    let scratch = Scratch::new();
    let cc = which("cc");
    for (script, problem) in [
        ("echo rubbish", "tells no version, but `rubbish`"),
        ("echo '5.12 (cbmc-5.12)'", "is version 5.12; 6 or newer is needed"),
        ("echo broken >&2; exit 3", "fails when asked for its version: broken"),
        ("", "tells no version, but ``"),
    ] {
        let program = scratch.program("cbmc", script);
        // It is the only candidate if the variable names it.
        let output = doctor(&scratch, &["--json", "--cc", text(&cc)], Some(text(&program)));
        let cbmc = tool(&json(&output), "cbmc");
        assert_eq!(cbmc["problem"], format!("cannot use `cbmc`: {} {problem}", text(&program)), "{cbmc}");
        assert!(cbmc["help"].as_str().unwrap().contains("make cbmc"), "{cbmc}");
        // Nothing but the engine needs it.
        assert_eq!(output.status.code(), Some(0));
        // On the PATH it is passed over for the one of the project, if that is there.
        let passed_over = tool(&json(&doctor(&scratch, &["--json", "--cc", text(&cc)], None)), "cbmc");
        assert_ne!(passed_over["path"], text(&program));
    }
    let output = doctor(&scratch, &["--json"], Some("/nowhere/cbmc"));
    let cbmc = tool(&json(&output), "cbmc");
    assert!(cbmc["problem"].as_str().unwrap().contains("/nowhere/cbmc does not start"), "{cbmc}");
}

#[test]
fn a_cbmc_on_the_path_comes_before_that_of_the_project() {
    let scratch = Scratch::new();
    let program = scratch.program("cbmc", "echo '7.0.1 (cbmc-7.0.1)'");
    let cbmc = tool(&json(&doctor(&scratch, &["--json"], None)), "cbmc");
    assert_eq!((&cbmc["path"], &cbmc["version"]), (&text(&program).into(), &"7.0.1".into()));
}

#[test]
fn sanitizers_that_find_nothing_do_not_count() {
    let scratch = Scratch::new();
    // A compiler whose programs do nothing, and one that knows no sanitizers.
    let blind = "if [ \"$1\" = --version ]; then echo 'cc 1.0'; exit 0; fi\n/bin/cp /bin/true \"$4\"";
    let old = "if [ \"$1\" = --version ]; then echo 'cc 1.0'; exit 0; fi\necho 'unknown option' >&2; exit 1";
    for (script, problem) in [(blind, "does not find its fault"), (old, "does not compile: unknown option")] {
        let compiler = scratch.program("cc", script);
        let output = doctor(&scratch, &["--json", "--cc", text(&compiler)], None);
        let sanitizers = tool(&json(&output), "sanitizers");
        assert!(sanitizers["problem"].as_str().unwrap().ends_with(problem), "{sanitizers}");
        assert_eq!(output.status.code(), Some(0), "tests are not everything");
    }
}

#[test]
fn everything_else_works_without_cbmc() {
    let output = Command::new(PCT)
        .args(["analyze", "examples/partition/partition.c"])
        .env("PCT_CBMC", "/nowhere/cbmc")
        .output()
        .unwrap();
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
}

#[test]
fn setting_up_a_cbmc_that_is_there_does_nothing() {
    let scratch = Scratch::new();
    let set_up = |cbmc: &str| {
        let mut command = Command::new("bash");
        command.args(["scripts/setup.sh", "cbmc"]).env("PCT_CBMC", cbmc).output().unwrap()
    };
    let output = set_up(text(&scratch.program("new", "echo '6.6.0 (cbmc-6.6.0)'")));
    assert_eq!((output.status.code(), stdout(&output), stderr(&output)), (Some(0), String::new(), String::new()));
    for script in ["echo '5.12 (cbmc-5.12)'", "echo rubbish", "exit 1"] {
        let output = set_up(text(&scratch.program("old", script)));
        assert_eq!(output.status.code(), Some(1), "{script}");
        assert!(stderr(&output).contains("which is no CBMC 6 or newer"), "{}", stderr(&output));
    }
}
