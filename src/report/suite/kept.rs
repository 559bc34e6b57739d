//! `tests.json`: the object of `pct test --json`, and under `suite` what is needed to run the tests again.
//!
//! Inputs are kept byte for byte, and everything they speak of by name: the program that they are given to later may
//! number its variables otherwise. Paths are relative to the folder of the suite.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Expected, Kept, Places, Subject, hash};
use crate::config::{Arithmetic, CheckKind, Config, Globals, Overflow, PointMode, PredicateSource};
use crate::error::{Error, Result};
use crate::program::{IntKind, Length, Role, Source, Type, VarId, size_of};
use crate::report::tests::{self, test_name};
use crate::testgen::inputs::{Address, Answered, Image, Inputs, Object};

/// The word by which a suite of pct is known.
const FORMAT: &str = "pct-suite/1";

/// More states of a run are not kept in their order.
const MAX_TRACE: usize = 1_000;

/// What is needed to run a suite again.
#[derive(Serialize, Deserialize, Debug)]
pub struct Suite {
    format: String,
    settings: Settings,
    /// The points, in order.
    pub(super) points: Vec<String>,
    /// The tests.
    pub(super) tests: Vec<KeptTest>,
    /// The files of the folder, with a hash of what pct wrote.
    pub(super) files: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize, Debug)]
struct Settings {
    files: Vec<PathBuf>,
    function: String,
    cc: String,
    std: Option<String>,
    preprocessor: Vec<String>,
    compile_commands: Option<PathBuf>,
    points: String,
    arith: String,
    overflow: String,
    recursion: usize,
    globals: String,
    havoc: Vec<String>,
    may_alias: bool,
    checks: Vec<String>,
    length: Vec<(String, String)>,
    run_timeout: f64,
}

/// One test as it is kept.
#[derive(Serialize, Deserialize, Debug)]
pub(super) struct KeptTest {
    pub(super) name: String,
    /// Whether CTest expects it to `pass` or to `fail`, or does not run it (`disabled`); absent if there is no C file.
    ctest: Option<String>,
    inputs: ExactInputs,
    /// What the run showed; absent if it was not run.
    pub(super) run: Option<KeptRun>,
}

#[derive(Serialize, Deserialize, PartialEq, Eq, Clone, Debug)]
pub(super) struct KeptRun {
    /// The states in order, as far as they are kept.
    pub(super) trace: Vec<String>,
    /// All states.
    pub(super) seen: Vec<String>,
    pub(super) end: String,
}

#[derive(Serialize, Deserialize, Debug)]
struct ExactInputs {
    objects: Vec<ExactObject>,
    variables: Vec<ExactVariable>,
    answers: Vec<ExactAnswer>,
}

#[derive(Serialize, Deserialize, Debug)]
struct ExactObject {
    name: String,
    element_size: u64,
    first: i64,
    length: Option<u64>,
    memory: Memory,
}

#[derive(Serialize, Deserialize, Debug)]
struct ExactVariable {
    name: String,
    is_parameter: bool,
    memory: Memory,
}

#[derive(Serialize, Deserialize, Debug)]
struct ExactAnswer {
    /// The function, or one of the words in parentheses.
    from: String,
    memory: Memory,
}

#[derive(Serialize, Deserialize, Debug)]
struct Memory {
    /// Two hexadecimal digits for each byte, in the order of addresses.
    bytes: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    addresses: Vec<ExactAddress>,
}

#[derive(Serialize, Deserialize, Debug)]
struct ExactAddress {
    at: u64,
    to: Target,
    #[serde(default)]
    offset: i64,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
enum Target {
    Object(usize),
    Variable(String),
    Function(String),
}

impl Suite {
    pub(super) fn of(kept: &Kept<'_>, places: &Places, as_c: &[usize], files: &BTreeMap<String, Vec<u8>>) -> Suite {
        let config = kept.config;
        let settings = Settings {
            files: config.files.iter().map(|file| places.relative(file)).collect(),
            function: kept.observed.cfg.function.clone(),
            cc: config.compiler.clone(),
            std: config.standard.clone(),
            preprocessor: places.options(&config.preprocessor_options, &|path| path.display().to_string()),
            compile_commands: config.compile_commands.as_ref().map(|folder| places.relative(folder)),
            points: config.points.name().to_string(),
            arith: config.arithmetic.name().to_string(),
            overflow: config.overflow.name().to_string(),
            recursion: config.depth,
            globals: if config.globals == Globals::Initial { "initial" } else { "arbitrary" }.to_string(),
            havoc: config.havocked.clone(),
            may_alias: config.may_alias,
            checks: config.checks.iter().map(|check| check.name().to_string()).collect(),
            length: config.lengths.clone(),
            run_timeout: kept.run_timeout,
        };
        let tests = kept.campaign.tests.iter().enumerate().map(|(number, ran)| KeptTest {
            name: test_name(number),
            ctest: as_c.contains(&number).then(|| {
                let word = match kept.expected(number) {
                    Expected::Passes => "pass",
                    Expected::Fails(_) => "fail",
                    Expected::Disabled(_) => "disabled",
                };
                word.to_string()
            }),
            inputs: exact(kept.observed, &ran.test.inputs),
            run: ran.run.as_ref().map(|run| kept_run(kept.observed, run)),
        });
        Suite {
            format: FORMAT.to_string(),
            settings,
            points: kept.observed.cfg.points.iter().map(|point| point.label.clone()).collect(),
            tests: tests.collect(),
            files: files.iter().map(|(name, bytes)| (name.clone(), hash(bytes))).collect(),
        }
    }

    /// The file, with the object of `pct test --json` around it.
    pub(super) fn render(&self, json: &str) -> Vec<u8> {
        let mut object: serde_json::Value = serde_json::from_str(json).expect("pct writes JSON");
        object["suite"] = serde_json::to_value(self).expect("a suite is plain data");
        let mut bytes = serde_json::to_vec_pretty(&object).expect("a suite is plain data");
        bytes.push(b'\n');
        bytes
    }

    /// The settings with which the tests are run again.
    pub fn config(&self, folder: &Path) -> Config {
        let settings = &self.settings;
        let place = |path: &Path| shown(&folder.join(path));
        let mut options: Vec<OsString> = Vec::new();
        let mut rest = settings.preprocessor.iter();
        while let Some(option) = rest.next() {
            options.push(option.into());
            if ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"].contains(&option.as_str())
                && let Some(path) = rest.next()
            {
                options.push(place(Path::new(path)).into());
            }
        }
        let predicates = folder.join("predicates.txt");
        let has_predicates = std::fs::metadata(&predicates).is_ok_and(|file| file.len() > 0);
        Config {
            files: settings.files.iter().map(|file| place(file)).collect(),
            function: Some(settings.function.clone()),
            predicates: if has_predicates { PredicateSource::File(predicates) } else { PredicateSource::Conditions },
            compiler: settings.cc.clone(),
            standard: settings.std.clone(),
            preprocessor_options: options,
            compile_commands: settings.compile_commands.as_ref().map(|folder| place(folder)),
            points: match settings.points.as_str() {
                "labels" => PointMode::Labels,
                "statements" => PointMode::Statements,
                _ => PointMode::Auto,
            },
            arithmetic: if settings.arith == "ideal" { Arithmetic::Ideal } else { Arithmetic::Machine },
            overflow: match settings.overflow.as_str() {
                "error" => Overflow::Error,
                "wrap" => Overflow::Wrap,
                _ => Overflow::Assume,
            },
            depth: settings.recursion,
            globals: if settings.globals == "initial" { Globals::Initial } else { Globals::Arbitrary },
            havocked: settings.havoc.clone(),
            may_alias: settings.may_alias,
            checks: settings.checks.iter().filter_map(|name| check_kind(name)).collect(),
            lengths: settings.length.clone(),
            ..Config::new("")
        }
    }

    /// The limit for one run.
    pub fn run_timeout(&self) -> Duration {
        Duration::try_from_secs_f64(self.settings.run_timeout).unwrap_or(Duration::from_secs(2))
    }

    /// The names of the tests.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tests.iter().map(|test| test.name.as_str())
    }

    /// Whether pct wrote this file of the folder.
    pub fn wrote(&self, file: &str) -> bool {
        self.files.contains_key(file)
    }

    /// The inputs of all tests for the program as it is now; or why a test does not fit it.
    pub fn inputs(&self, subject: Subject<'_>) -> Vec<std::result::Result<Inputs, String>> {
        self.tests.iter().map(|test| test.inputs.given(subject)).collect()
    }
}

/// Reads the suite in a folder.
pub fn read(folder: &Path) -> Result<Suite> {
    #[derive(Deserialize)]
    struct Document {
        suite: Suite,
    }
    let path = folder.join("tests.json");
    let wrong = |reason: String| {
        Error::usage_with_help(
            format!("{} holds no tests that pct has written: {reason}", folder.display()),
            "`pct test FILE.c -o DIR` writes them; `pct test --replay DIR` runs them again",
        )
    };
    let bytes = std::fs::read(&path).map_err(|error| wrong(format!("tests.json: {error}")))?;
    let document: Document = serde_json::from_slice(&bytes).map_err(|error| wrong(format!("tests.json: {error}")))?;
    match document.suite.format.as_str() {
        FORMAT => Ok(document.suite),
        other => Err(wrong(format!("tests.json is of the format `{other}`, not `{FORMAT}`"))),
    }
}

/// A path as people would write it from here.
fn shown(path: &Path) -> PathBuf {
    let Ok(whole) = std::fs::canonicalize(path) else {
        return path.to_path_buf();
    };
    let here = std::env::current_dir().and_then(std::fs::canonicalize);
    here.ok().and_then(|here| whole.strip_prefix(here).ok().map(Path::to_path_buf)).unwrap_or(whole)
}

fn check_kind(name: &str) -> Option<CheckKind> {
    use CheckKind::{Assertion, Bounds, Division, Failure, Null, Other, Overflow, Shift};
    [Other, Assertion, Failure, Bounds, Division, Overflow, Shift, Null].into_iter().find(|kind| kind.name() == name)
}

/// What a run showed, as it is kept and compared.
pub(super) fn kept_run(subject: Subject<'_>, run: &crate::execution::Run) -> KeptRun {
    let observed = subject.predicates.observed_count();
    let id = |observation| super::observation_id(&subject.cfg.points, observed, observation);
    let seen: std::collections::BTreeSet<String> = run.seen.iter().map(id).collect();
    KeptRun {
        trace: run.trace.iter().take(MAX_TRACE).map(id).collect(),
        seen: seen.into_iter().collect(),
        end: tests::end(run),
    }
}

fn exact(subject: Subject<'_>, inputs: &Inputs) -> ExactInputs {
    let variable_name = |variable: VarId| subject.cfg.variables[variable.index()].name.clone();
    let memory = |image: &Image| Memory {
        bytes: image.bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        addresses: image
            .addresses
            .iter()
            .map(|(at, address)| {
                let (to, offset) = match address {
                    Address::Object(number, offset) => (Target::Object(*number), *offset),
                    Address::Variable(variable, offset) => (Target::Variable(variable_name(*variable)), *offset),
                    Address::Function(function) => {
                        (Target::Function(subject.cfg.functions[function.0 as usize].name.clone()), 0)
                    }
                };
                ExactAddress { at: *at, to, offset }
            })
            .collect(),
    };
    ExactInputs {
        objects: inputs
            .objects
            .iter()
            .map(|object| ExactObject {
                name: object.name.clone(),
                element_size: size_of(&subject.cfg.records, &object.ty).map_or(1, |(size, _)| size),
                first: object.first,
                length: object.length,
                memory: memory(&object.image),
            })
            .collect(),
        variables: inputs
            .variables
            .iter()
            .map(|(variable, image)| ExactVariable {
                name: variable_name(*variable),
                is_parameter: subject.cfg.parameters.contains(variable),
                memory: memory(image),
            })
            .collect(),
        answers: inputs
            .answers
            .iter()
            .map(|answer| ExactAnswer { from: source_word(&answer.source), memory: memory(&answer.image) })
            .collect(),
    }
}

fn source_word(source: &Source) -> String {
    match source {
        Source::Call(name) => name.clone(),
        Source::Outside => "(outside)".to_string(),
        Source::Volatile => "(volatile)".to_string(),
        Source::VariableArgument => "(argument)".to_string(),
        Source::Allocation => "(allocation)".to_string(),
    }
}

impl ExactInputs {
    /// The inputs for the program as it is now.
    fn given(&self, subject: Subject<'_>) -> std::result::Result<Inputs, String> {
        let mut inputs = Inputs::default();
        for object in &self.objects {
            // Only the size matters to a run.
            let ty = Type::Array(Arc::new(Type::Int(IntKind::UChar)), Length::Fixed(object.element_size));
            let image = object.memory.image(subject)?;
            let (name, first, length) = (object.name.clone(), object.first, object.length);
            inputs.objects.push(Object { name, ty, first, length, image });
        }
        for variable in &self.variables {
            let id = variable_id(subject, &variable.name, Some(variable.is_parameter))?;
            let image = variable.memory.image(subject)?;
            let size = size_of(&subject.cfg.records, &subject.cfg.variables[id.index()].ty).map_or(0, |(size, _)| size);
            if size != image.bytes.len() as u64 {
                return Err(format!("`{}` has {size} bytes now, not {}", variable.name, image.bytes.len()));
            }
            inputs.variables.insert(id, image);
        }
        for answer in &self.answers {
            let source = match answer.from.as_str() {
                "(outside)" => Source::Outside,
                "(volatile)" => Source::Volatile,
                "(argument)" => Source::VariableArgument,
                "(allocation)" => Source::Allocation,
                name if subject.program.environment.contains_key(name) => Source::Call(name.to_string()),
                name => return Err(format!("`{name}` is no longer called, or has a body now")),
            };
            inputs.answers.push(Answered { source, image: answer.memory.image(subject)? });
        }
        let objects = inputs.objects.len();
        let images = inputs.objects.iter().map(|object| &object.image);
        let images = images.chain(inputs.variables.values()).chain(inputs.answers.iter().map(|answer| &answer.image));
        for image in images {
            for (at, address) in &image.addresses {
                let is_inside = at.checked_add(8).is_some_and(|end| end <= image.bytes.len() as u64);
                if !is_inside || matches!(address, Address::Object(number, _) if *number >= objects) {
                    return Err("an address in tests.json lies outside of its object, or points to none".to_string());
                }
            }
        }
        Ok(inputs)
    }
}

impl Memory {
    fn image(&self, subject: Subject<'_>) -> std::result::Result<Image, String> {
        let digits = self.bytes.as_bytes();
        let byte = |pair: &[u8]| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok());
        let bytes: Option<Vec<u8>> =
            if digits.len().is_multiple_of(2) { digits.chunks(2).map(byte).collect() } else { None };
        let bytes = bytes.ok_or_else(|| format!("`{}` in tests.json is not a row of bytes", self.bytes))?;
        let mut image = Image { bytes, addresses: BTreeMap::new() };
        for address in &self.addresses {
            let to = match &address.to {
                Target::Object(number) => Address::Object(*number, address.offset),
                Target::Variable(name) => Address::Variable(variable_id(subject, name, None)?, address.offset),
                Target::Function(name) => {
                    let functions = &subject.program.functions;
                    let found = functions.iter().position(|function| function.name == *name);
                    let found = found.ok_or_else(|| format!("there is no function `{name}` any more"))?;
                    Address::Function(crate::program::FunctionId(found as u32))
                }
            };
            image.addresses.insert(address.at, to);
        }
        Ok(image)
    }
}

fn variable_id(subject: Subject<'_>, name: &str, is_parameter: Option<bool>) -> std::result::Result<VarId, String> {
    let is_it = |id: &VarId| subject.cfg.variables[id.index()].name == name;
    let parameter = subject.cfg.parameters.iter().copied().find(is_it);
    let global = || {
        let globals = subject.program.globals.iter().map(|global| global.variable);
        globals.filter(|id| matches!(subject.program.variable(*id).role, Role::Global | Role::Literal)).find(is_it)
    };
    let found = match is_parameter {
        Some(true) => parameter,
        Some(false) => global(),
        None => global().or(parameter),
    };
    found.ok_or_else(|| format!("there is no `{name}` any more"))
}
