//! Outside programs: running one with given input, and saying clearly when it is missing.

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::error::{Error, Result};

/// Runs `program` with `arguments`, writes `input` to it, and collects what it prints.
pub fn run<S: AsRef<OsStr>>(program: &str, arguments: &[S], input: &[u8], help_if_missing: &str) -> Result<Output> {
    let missing = |error: std::io::Error| Error::Tool {
        message: format!("cannot run `{program}`: {error}"),
        help: Some(help_if_missing.to_string()),
    };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(missing)?;
    let mut stdin = child.stdin.take().expect("standard input was asked for");
    let input = input.to_vec();
    // A thread of its own: a program that prints before it has read everything must not block us.
    let writer = std::thread::spawn(move || {
        // A program may close its input early; what it prints then says why.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().map_err(missing)?;
    writer.join().expect("the writer does not panic");
    Ok(output)
}
