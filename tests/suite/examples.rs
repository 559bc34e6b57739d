//! Every example is analysed by the command in its header, as a reader would try it.
//!
//! Those of [`SLOW`] would take minutes together, so `cargo test` leaves them out; `make examples` runs all.

#![allow(clippy::print_stderr, reason = "times are for the reader of the test log")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::commands::{pct, stderr, stdout};

/// The examples that take longer than five seconds, or end partial after twenty.
pub(super) const SLOW: [&str; 9] = [
    "examples/algorithms/matrix_multiply.c",
    "examples/algorithms/number_theory.c",
    "examples/control/altitude_separation.c",
    "examples/control/brake_slip.c",
    "examples/control/pid_fixed_point.c",
    "examples/control/vending_machine.c",
    "examples/signals/saturating.c",
    "examples/structures/ring_buffer.c",
    "examples/text/rpn_calculator.c",
];

#[test]
fn every_example_is_analysed_by_the_command_in_its_header() {
    let files = c_files(Path::new("examples"));
    assert!(files.len() > 40, "{files:?}");
    let mut commands = Vec::new();
    for file in &files {
        let named = header_commands(file);
        assert!(!named.is_empty(), "{} names no command", file.display());
        commands.extend(named);
    }
    for slow in SLOW {
        assert!(commands.iter().any(|command| command.contains(slow)), "{slow} is no example");
    }
    let all = std::env::var_os("PCT_EXAMPLES").is_some_and(|value| value == "all");
    commands.retain(|command| all || !SLOW.iter().any(|slow| command.contains(slow)));
    let mut times: Vec<(Duration, String)> = Vec::new();
    for command in commands {
        let (time, partial) = run(&command);
        times.push((time, if partial { format!("{command} (partial)") } else { command }));
    }
    times.sort();
    eprintln!("the slowest first:");
    for (time, command) in times.iter().rev() {
        eprintln!("{:6.1} s  {command}", time.as_secs_f64());
    }
}

/// The C files below a folder, sorted.
pub(super) fn c_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(c_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "c") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The commands in the first comment of a file; each names that file.
pub(super) fn header_commands(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let (header, _) = text.split_once("*/").expect("an example opens with a comment");
    let lines = header.lines().map(|line| line.trim_start_matches([' ', '*']));
    let commands: Vec<String> = lines.filter(|line| line.starts_with("pct ")).map(str::to_string).collect();
    for command in &commands {
        assert!(command.starts_with(&format!("pct analyze {}", file.display())), "{command}");
    }
    commands
}

/// Runs a command with a limit of 60 seconds; how long it took, and whether it hit a limit.
fn run(command: &str) -> (Duration, bool) {
    let words: Vec<&str> = command.split_whitespace().skip(1).collect();
    let started = Instant::now();
    let output = pct(&[&words[..], &["--limit", "60"]].concat());
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{command}\n{message}");
    assert!(!message.contains("panicked"), "{command}\n{message}");
    let report = stdout(&output);
    assert!(report.contains("|U| = "), "{command}\n{report}");
    (started.elapsed(), report.contains("partial: "))
}
