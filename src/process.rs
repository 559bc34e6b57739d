//! What the system gives: outside programs (run with given input, and named clearly when one is missing) and threads
//! (with as much stack as a limit on memory allows).

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;

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
    let writer = std::thread::Builder::new().spawn(move || {
        // A program may close its input early; what it prints then says why.
        let _ = stdin.write_all(&input);
    });
    let writer = writer.map_err(|_| {
        // Without its input it has nothing to do.
        let _ = child.kill().and_then(|()| child.wait());
        no_thread()
    })?;
    let output = child.wait_with_output().map_err(missing)?;
    writer.join().expect("the writer does not panic");
    Ok(output)
}

/// Runs `work` on a thread with the first of these stacks that the system gives and that leaves room for other memory.
pub fn with_stack<T: Send>(sizes: &[usize], work: impl FnOnce() -> T + Send) -> Result<T> {
    let work = Mutex::new(Some(work));
    let run = || work.lock().expect("only one thread takes it").take().map(|work| work());
    for size in sizes.iter().filter(|size| has_room(**size)) {
        let result = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(*size).spawn_scoped(scope, run).ok()?;
            Some(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        if let Some(result) = result {
            return Ok(result.expect("the work is done once"));
        }
    }
    Err(no_thread())
}

/// Whether so many bytes can be had, and a good part of memory besides. They are only asked for, not used.
pub fn has_room(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes.saturating_add(256 << 20)).is_ok()
}

/// The error for a thread that the system does not give.
pub fn no_thread() -> Error {
    Error::Tool {
        message: "the system does not give pct enough memory, or no thread".to_string(),
        help: Some(
            "pct needs about 700 megabytes of address space: raise the limits on memory (`ulimit -v`) and processes (`ulimit -u`)"
                .to_string(),
        ),
    }
}
