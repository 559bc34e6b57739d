//! The README is a promise: its commands run, and its figures are theirs.

use std::process::Command;

use super::commands::{pct, stdout};

/// The fenced blocks of the README: language and content.
fn blocks() -> Vec<(String, String)> {
    let readme = std::fs::read_to_string("README.md").unwrap();
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in readme.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(language), None) => open = Some((language.to_string(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some((_, content))) => content.push_str(&format!("{line}\n")),
            (None, None) => {}
        }
    }
    blocks
}

/// Splits a command as the shell does, as far as the README needs it.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in command.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(c),
        }
    }
    words
}

#[test]
fn every_pct_command_prints_what_the_readme_shows() {
    let blocks = blocks();
    let mut shown = 0;
    for (index, (language, content)) in blocks.iter().enumerate() {
        for command in content.lines().filter(|line| language == "sh" && line.starts_with("pct ")) {
            let words = words(command);
            let mut arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
            if ["refine", "explain"].contains(&arguments[0]) {
                // On a machine with much to do, everything may take long.
                arguments.splice(1..1, ["--budget", "900"]);
            }
            let output = pct(&arguments);
            // The tests of the README find the bug of the paper.
            let code = if arguments[0] == "test" { 1 } else { 0 };
            assert_eq!(output.status.code(), Some(code), "{command}\n{}", String::from_utf8_lossy(&output.stderr));
            let Some((next, expected)) = blocks.get(index + 1) else { continue };
            if next == "text" {
                assert!(stdout(&output).contains(expected.as_str()), "{command} prints\n{}", stdout(&output));
                shown += 1;
            }
        }
    }
    assert_eq!(shown, 8, "commands with the output that the README shows");
}

#[test]
fn every_make_target_of_the_readme_exists() {
    for (language, content) in blocks() {
        for line in content.lines().filter(|line| language == "sh" && line.starts_with("make ")) {
            let target = line.split_whitespace().nth(1).unwrap();
            // -n: what would be done; it fails for a target that is not there.
            let output = Command::new("make").args(["-n", target]).output().unwrap();
            assert!(output.status.success(), "{line}");
        }
    }
}

#[test]
fn every_row_of_the_table_of_c_names_functions_that_show_it() {
    let readme = std::fs::read_to_string("README.md").unwrap();
    let table = readme.split("| C | shown by |").nth(1).expect("the table is there");
    let mut rows = 0;
    for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let shown_by = row.trim_end_matches('|').rsplit_once('|').expect("a row has two columns").1;
        let names: Vec<&str> = shown_by.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "{row}");
        for name in names {
            let file = format!("tests/exhaustive/{name}.c");
            assert!(std::path::Path::new(&file).exists(), "{file}, which the README names, is missing");
        }
        rows += 1;
    }
    assert!(rows >= 15, "the table has {rows} rows");
}
