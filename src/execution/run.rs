//! One run: inputs → a file for the program; its observations and how it ended ← a file of the program.

use std::collections::BTreeSet;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::build::Probed;
use super::{End, Failure, FailureKind, Observation, failure};
use crate::cfg::PointId;
use crate::error::{Error, Result};
use crate::program::{Source, SourceMap, VarId};
use crate::testgen::inputs::{Address, Image, Inputs};

/// What a run may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Time on the clock.
    pub time: Duration,
    /// Memory of all processes together.
    pub megabytes: u64,
    /// The largest file that it may write, its output included.
    pub output: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(5), megabytes: 1024, output: 16 << 20 }
    }
}

/// What happened in a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// The observations in order; at most the first 65536.
    pub trace: Vec<Observation>,
    /// All observations.
    pub seen: BTreeSet<Observation>,
    /// Whether some are missing in `seen`, because there were too many.
    pub is_partial: bool,
    /// How it ended.
    pub end: End,
    /// How long it took.
    pub seconds: f64,
}

/// How the child ended, in its own words: the numbers of `runtime.c`.
const RUNNING: u32 = 0;
const RETURNED: u32 = 1;
const EXITED: u32 = 2;
const ASSUMED: u32 = 3;
const FAILED: u32 = 4;
const ASSERTION: u32 = 5;
const UNRUNNABLE: u32 = 6;

/// The exit code of a program that a sanitizer ends.
const SANITIZER_EXIT: i32 = 66;

const TRACE: usize = 65_536;
const SLOTS: usize = 1 << 17;
const HEADER: usize = 320;

/// The watching process gets this much longer than the test, for starting and for ending everything.
const GRACE: Duration = Duration::from_secs(20);

impl Probed {
    /// Runs the function with `inputs`. Several runs may go on at the same time.
    pub fn run(&self, inputs: &Inputs, limits: &Limits) -> Result<Run> {
        Ok(self.run_unless(inputs, limits, &|| false)?.expect("it is never over"))
    }

    /// The same; `None` if everything was over before the run was, which is then ended with all that it started.
    pub fn run_unless(&self, inputs: &Inputs, limits: &Limits, is_over: &dyn Fn() -> bool) -> Result<Option<Run>> {
        let failed = |error: std::io::Error| Error::Tool { message: format!("cannot run a test: {error}"), help: None };
        let scratch = tempfile::Builder::new().prefix("run-").tempdir_in(self.folder.path()).map_err(failed)?;
        let path = |name: &str| scratch.path().join(name);
        let encoded = match self.encode(inputs) {
            Ok(encoded) => encoded,
            Err(why) => return Ok(Some(Run::without_observations(End::Unrunnable(why)))),
        };
        std::fs::write(path("inputs"), encoded).map_err(failed)?;
        std::fs::create_dir(path("empty")).map_err(failed)?;
        let watched = Watching {
            watch: &self.watch,
            program: &self.program,
            inputs: &path("inputs"),
            folder: &path("empty"),
            scratch: scratch.path(),
            limits,
        };
        let Some(watched) = watched.run(is_over).map_err(failed)? else {
            return Ok(None);
        };
        let Some(mut run) = self.read_results(&watched) else {
            return Ok(Some(Run::without_observations(watched.unstarted())));
        };
        // What the folder of the test holds now is removed with it, whatever the function made of it.
        run.trace.shrink_to_fit();
        Ok(Some(run))
    }

    /// The inputs as the program reads them.
    fn encode(&self, inputs: &Inputs) -> std::result::Result<Vec<u8>, String> {
        let mut file = Encoder::default();
        file.number(inputs.objects.len() as u64);
        for (index, object) in inputs.objects.iter().enumerate() {
            let size = object.image.bytes.len() as u64;
            let element = self.size(&object.ty)?;
            let before = object.first.checked_neg().and_then(|count| count.checked_mul(element as i64));
            let Some(before) = before.and_then(|before| u64::try_from(before).ok()).filter(|before| *before <= size)
            else {
                return Err(format!("the object `{}` does not hold its element 0", object.name));
            };
            file.number(before);
            file.number(object.length.map_or(u64::MAX, |length| length.saturating_mul(element)));
            file.bytes(&object.image.bytes);
            file.addresses(0, index, &object.image);
        }
        // A constant holds its initial value, whatever the inputs say.
        let changeable = inputs.variables.iter().filter(|(variable, _)| !self.constants.contains(variable));
        let changeable: Vec<_> = changeable.collect();
        file.number(changeable.len() as u64);
        for (index, (variable, image)) in changeable.into_iter().enumerate() {
            if !self.known.contains(variable) {
                return Err("a value is given for a variable that the program does not have".to_string());
            }
            file.number(u64::from(variable.0));
            file.bytes(&image.bytes);
            file.addresses(1, index, image);
        }
        file.number(inputs.answers.len() as u64);
        for (index, answer) in inputs.answers.iter().enumerate() {
            let (source, name) = match &answer.source {
                Source::Call(name) => {
                    let known = self.answering.iter().position(|known| known == name);
                    (0, known.ok_or_else(|| format!("`{name}` is no function that the environment answers for"))?)
                }
                Source::Volatile => (1, 0),
                Source::Allocation => (2, 0),
                // A list of variable arguments, and what is not part of the program, cannot be made from outside.
                Source::Outside => return Err("a function from outside would have to be called".to_string()),
                Source::VariableArgument => {
                    return Err("a list of variable arguments would have to be made".to_string());
                }
            };
            file.number(source);
            file.number(name as u64);
            file.bytes(&answer.image.bytes);
            file.addresses(2, index, &answer.image);
        }
        Ok(file.finish())
    }

    fn size(&self, ty: &crate::program::Type) -> std::result::Result<u64, String> {
        crate::program::size_of(&self.records, ty)
            .map(|(size, _)| size)
            .ok_or_else(|| "an object of the inputs has elements without a size".to_string())
    }

    /// What the program left behind; `None` if it did not start.
    fn read_results(&self, watched: &Watched) -> Option<Run> {
        let header = watched.header()?;
        let data = watched.results.get(HEADER..)?;
        let record = header.record;
        let mut trace = Vec::new();
        let mut seen = BTreeSet::new();
        // Without it, the test did not come as far as calling the function.
        let started = record == record_size(self.predicate_count);
        if started {
            for bytes in data.chunks_exact(record).take(header.observed.min(TRACE)) {
                trace.push(observation(bytes, self.predicate_count));
            }
            seen = table(data.get(TRACE * record..)?, self.predicate_count);
        }
        let end = watched.end(&header, &self.sources, started);
        let is_partial = header.overflown != 0;
        Some(Run { trace, seen, is_partial, end, seconds: header.microseconds as f64 / 1e6 })
    }
}

/// The bytes of one observation.
pub(super) fn record_size(predicates: usize) -> usize {
    4 + predicates.max(1).div_ceil(4)
}

/// The observations in a table: each has a byte before it, which is 1 if it is there.
pub(super) fn table(table: &[u8], predicates: usize) -> BTreeSet<Observation> {
    let slots = table.chunks_exact(record_size(predicates) + 1).take(SLOTS);
    slots.filter(|slot| slot[0] == 1).map(|slot| observation(&slot[1..], predicates)).collect()
}

fn observation(record: &[u8], predicates: usize) -> Observation {
    let point = PointId(u32::from_le_bytes([record[0], record[1], record[2], record[3]]));
    let value = |index: usize| match record[4 + index / 4] >> (index % 4 * 2) & 3 {
        0 | 2 => Some(false),
        1 => Some(true),
        _ => None,
    };
    Observation { point, values: (0..predicates).map(value).collect() }
}

/// A program that is to run under the watching process.
pub(super) struct Watching<'a> {
    pub(super) watch: &'a Path,
    pub(super) program: &'a Path,
    /// The file with the inputs; `-` for a program of the user's, which has none.
    pub(super) inputs: &'a Path,
    /// Where it runs.
    pub(super) folder: &'a Path,
    /// Where its traces are kept.
    pub(super) scratch: &'a Path,
    pub(super) limits: &'a Limits,
}

/// What a program left behind.
pub(super) struct Watched {
    results: Vec<u8>,
    /// What the sanitizers wrote.
    logs: String,
    output_is_full: bool,
    /// What the watching process said.
    words: String,
}

/// The head of the file with the results.
pub(super) struct Header {
    record: usize,
    end: u32,
    value: u32,
    file: u32,
    stopped: u32,
    status: u32,
    observed: usize,
    overflown: u32,
    microseconds: u64,
    message: String,
}

impl Watching<'_> {
    /// Runs it; `None` if everything was over before.
    pub(super) fn run(&self, is_over: &dyn Fn() -> bool) -> std::io::Result<Option<Watched>> {
        let path = |name: &str| self.scratch.join(name);
        let limits = self.limits;
        let common = format!(
            "log_path={}:exitcode={SANITIZER_EXIT}:abort_on_error=0:detect_leaks=0:allocator_may_return_null=1:\
             print_stacktrace=1:detect_stack_use_after_return=0:handle_abort=0:print_legend=0:symbolize=1",
            path("log").display()
        );
        let mut child = Command::new(self.watch)
            .arg(self.program)
            .arg(self.inputs)
            .arg(path("results"))
            .arg(self.folder)
            .arg(path("output"))
            .arg((limits.time.as_secs() + 2).to_string())
            .arg(limits.time.as_millis().to_string())
            .arg(limits.megabytes.to_string())
            .arg(limits.output.to_string())
            .env("ASAN_OPTIONS", &common)
            .env("UBSAN_OPTIONS", &common)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        if wait(&mut child, limits.time + GRACE, is_over)? == Waited::Stopped {
            return Ok(None);
        }
        let results = std::fs::read(path("results")).unwrap_or_default();
        let output = std::fs::metadata(path("output")).map_or(0, |metadata| metadata.len());
        let mut logs = String::new();
        for entry in std::fs::read_dir(self.scratch)?.flatten() {
            if entry.file_name().to_string_lossy().starts_with("log.") {
                logs.push_str(&String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap_or_default()));
            }
        }
        if logs.is_empty() {
            // Where both sanitizers are there, gcc's UndefinedBehaviorSanitizer knows of no log and writes among the output.
            logs = tail(&path("output")).unwrap_or_default();
        }
        let mut words = String::new();
        if let Some(mut stderr) = child.stderr.take() {
            let _ = stderr.read_to_string(&mut words);
        }
        Ok(Some(Watched { results, logs, output_is_full: output >= limits.output, words }))
    }
}

impl Watched {
    /// The head of the results; `None` if the program did not start.
    pub(super) fn header(&self) -> Option<Header> {
        let results = &self.results;
        let word = |at: usize| Some(u32::from_le_bytes(results.get(at..at + 4)?.try_into().ok()?));
        let long = |at: usize| Some(u64::from_le_bytes(results.get(at..at + 8)?.try_into().ok()?));
        if long(0)? != 0x70_6374 {
            return None;
        }
        let message: Vec<u8> = results.get(64..HEADER)?.iter().copied().take_while(|byte| *byte != 0).collect();
        Some(Header {
            record: word(8)? as usize,
            end: word(12)?,
            value: word(16)?,
            file: word(20)?,
            stopped: word(24)?,
            status: word(28)?,
            observed: usize::try_from(long(32)?).ok()?,
            overflown: word(44)?,
            microseconds: long(48)?,
            message: String::from_utf8_lossy(&message).into_owned(),
        })
    }

    /// How a program ended that did not start.
    pub(super) fn unstarted(&self) -> End {
        End::Unrunnable(format!("the program of the test did not start {}", self.words.trim()))
    }

    /// How the program ended; `started` if it came as far as running the user's code.
    pub(super) fn end(&self, header: &Header, sources: &SourceMap, started: bool) -> End {
        let wrong = |kind: FailureKind, message: &str| {
            let place = sources.files.get(header.file as usize).map(|(name, _)| (name.clone(), header.value));
            End::Wrong(Failure { kind, line: place, message: message.to_string() })
        };
        let signal = (header.status & 0x7f) as i32;
        let exit_code = (header.status >> 8 & 0xff) as i32;
        match header.end {
            RETURNED => End::Returned,
            EXITED => End::Exited(header.value as i32),
            ASSUMED => End::AssumedAway,
            FAILED => wrong(FailureKind::Abort, "a call that means failure"),
            ASSERTION => wrong(FailureKind::Assertion, "an assertion does not hold"),
            UNRUNNABLE => End::Unrunnable(header.message.clone()),
            RUNNING => match header.stopped {
                1 => End::TimedOut,
                2 => End::TooMuchMemory,
                3 => End::TooManyProcesses,
                _ => match failure::parse(&self.logs, sources).filter(|_| exit_code == SANITIZER_EXIT) {
                    Some(failure) => End::Wrong(failure),
                    // The function closed what the message was to be written to.
                    None if exit_code == SANITIZER_EXIT => End::Wrong(Failure {
                        kind: FailureKind::OtherUndefined,
                        line: None,
                        message: "a sanitizer ended it".to_string(),
                    }),
                    None if signal == 25 || self.output_is_full => End::TooMuchOutput,
                    None if signal == 24 => End::TimedOut,
                    None if signal != 0 => End::Crashed { signal },
                    None if exit_code == 127 && !started => {
                        End::Unrunnable("the program of the test did not start".to_string())
                    }
                    None => End::Exited(exit_code),
                },
            },
            _ => End::Unrunnable("the file with the results was overwritten".to_string()),
        }
    }
}

impl Run {
    fn without_observations(end: End) -> Run {
        Run { trace: Vec::new(), seen: BTreeSet::new(), is_partial: false, end, seconds: 0.0 }
    }
}

/// The last part of a file, as text.
fn tail(path: &Path) -> std::io::Result<String> {
    let mut file = std::fs::File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(1 << 16)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What waiting came to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waited {
    /// The process has ended.
    Ended,
    /// It was told to end before.
    Stopped,
}

/// Waits for the watching process; it ends by itself unless something is badly wrong. When everything is over, its input
/// is closed: then it ends the test, and itself.
fn wait(child: &mut Child, limit: Duration, is_over: &dyn Fn() -> bool) -> std::io::Result<Waited> {
    let start = Instant::now();
    let mut waited = Waited::Ended;
    let mut pause = Duration::from_micros(200);
    while child.try_wait()?.is_none() {
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(waited);
        }
        if child.stdin.is_some() && is_over() {
            drop(child.stdin.take());
            waited = Waited::Stopped;
        }
        std::thread::sleep(pause);
        pause = (pause * 3 / 2).min(Duration::from_millis(5));
    }
    Ok(waited)
}

/// The file with the inputs: numbers of eight bytes, and stretches of bytes filled up to eight.
#[derive(Default)]
struct Encoder {
    file: Vec<u8>,
    addresses: Vec<[u64; 6]>,
}

impl Encoder {
    fn number(&mut self, number: u64) {
        self.file.extend_from_slice(&number.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.file.extend_from_slice(bytes);
        self.file.resize(self.file.len().next_multiple_of(8), 0);
    }

    fn addresses(&mut self, container: u64, index: usize, image: &Image) {
        for (place, address) in &image.addresses {
            let (kind, which, offset) = match address {
                Address::Object(object, offset) => (0, *object as u64, *offset),
                Address::Variable(VarId(variable), offset) => (1, u64::from(*variable), *offset),
                Address::Function(function) => (2, u64::from(function.0), 0),
            };
            self.addresses.push([container, index as u64, *place, kind, which, offset as u64]);
        }
    }

    fn finish(mut self) -> Vec<u8> {
        let addresses = std::mem::take(&mut self.addresses);
        self.number(addresses.len() as u64);
        for number in addresses.into_iter().flatten() {
            self.number(number);
        }
        self.number(0);
        self.file
    }
}
