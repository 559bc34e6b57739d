//! What the system gives: outside programs (run with given input or for a limited time) and threads (with as much stack
//! as a limit on memory allows). Which programs there are is the matter of [`crate::tools`].

use std::ffi::OsStr;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use wait_timeout::ChildExt;

use crate::error::{Error, Result};

/// Runs `program` with `arguments`, writes `input` to it, and collects what it prints.
pub fn run<S: AsRef<OsStr>>(program: &Path, arguments: &[S], input: &[u8]) -> Result<Output> {
    let failed = |error| cannot_run(program, error);
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
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
    let output = child.wait_with_output().map_err(failed)?;
    writer.join().expect("the writer does not panic");
    Ok(output)
}

/// Runs `program` with `arguments` and no input, and collects what it prints; `None` if it was not done in time, and was
/// killed. What it prints goes to files: a program that it started in its turn, and that goes on, is not waited for.
pub fn run_for<S: AsRef<OsStr>>(program: &Path, arguments: &[S], limit: Duration) -> Result<Option<Output>> {
    run_unless(program, arguments, limit, &|| false)
}

/// So long passes, at most, between two looks at whether everything is over.
const LOOK: Duration = Duration::from_millis(20);

/// The same; it is killed as well as soon as everything is over.
pub fn run_unless<S: AsRef<OsStr>>(
    program: &Path,
    arguments: &[S],
    limit: Duration,
    is_over: &dyn Fn() -> bool,
) -> Result<Option<Output>> {
    let run = || {
        if is_over() {
            return Ok(None);
        }
        let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(stdout.try_clone()?)
            .stderr(stderr.try_clone()?)
            .spawn()?;
        let start = Instant::now();
        let status = loop {
            let left = limit.saturating_sub(start.elapsed());
            if let Some(status) = child.wait_timeout(left.min(LOOK))? {
                break status;
            }
            if left.is_zero() || is_over() {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
        };
        let mut output = Output { status, stdout: Vec::new(), stderr: Vec::new() };
        for (file, bytes) in [(&mut stdout, &mut output.stdout), (&mut stderr, &mut output.stderr)] {
            file.rewind()?;
            file.read_to_end(bytes)?;
        }
        Ok(Some(output))
    };
    run().map_err(|error| cannot_run(program, error))
}

fn cannot_run(program: &Path, error: std::io::Error) -> Error {
    Error::Tool {
        message: format!("cannot run `{}`: {error}", program.display()),
        help: Some("`pct doctor` tells which tools there are".to_string()),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Option<Output> {
        run_for(Path::new("/bin/sh"), &["-c", script], limit).unwrap()
    }

    #[test]
    fn what_a_program_prints_in_time_is_collected() {
        let output = shell("echo out; echo err >&2; exit 7", Duration::from_secs(60)).unwrap();
        assert_eq!((&output.stdout[..], &output.stderr[..]), (&b"out\n"[..], &b"err\n"[..]));
        assert_eq!(output.status.code(), Some(7));
    }

    #[test]
    fn a_program_that_takes_too_long_is_killed_and_its_children_are_not_waited_for() {
        let start = Instant::now();
        assert!(shell("exec sleep 20", Duration::from_millis(100)).is_none());
        assert!(shell("sleep 20; echo done", Duration::from_millis(100)).is_none());
        assert!(shell("sleep 20 & echo done", Duration::from_secs(10)).is_some());
        assert!(start.elapsed() < Duration::from_secs(9), "{:?}", start.elapsed());
    }

    #[test]
    fn a_program_is_killed_when_everything_is_over() {
        let start = Instant::now();
        let is_over = || start.elapsed() > Duration::from_millis(200);
        let sleep = run_unless(Path::new("/bin/sh"), &["-c", "exec sleep 20"], Duration::from_secs(20), &is_over);
        assert!(sleep.unwrap().is_none());
        assert!(start.elapsed() < Duration::from_secs(9), "{:?}", start.elapsed());
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = run_for(Path::new("/nowhere/cbmc"), &["--version"], Duration::from_secs(1)).unwrap_err();
        assert!(error.to_string().starts_with("cannot run `/nowhere/cbmc`: "), "{error}");
    }
}
