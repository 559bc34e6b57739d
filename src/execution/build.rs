//! The program of a test: instrumented files, probes and runtime, compiled with the user's compiler.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::evaluate::{self, Arguments};
use crate::cfg::{Cfg, PointId};
use crate::config::{Config, Overflow};
use crate::error::{Error, Result};
use crate::frontend::{self, FileName, Plan, Probe, Replacement};
use crate::predicates::PredicateSet;
use crate::program::{Environment, FunctionId, Program, Record, Role, SourceMap, Type, VarId};
use crate::tools::{self, Tool};

/// The user's function, compiled with probes, in a temporary folder of its own that is removed with it.
#[derive(Debug)]
pub struct Probed {
    /// Removed when the value is dropped.
    pub(super) folder: tempfile::TempDir,
    /// Removes the folder if pct is killed.
    janitor: Option<Child>,
    pub(super) program: PathBuf,
    /// The program that watches it.
    pub(super) watch: PathBuf,
    pub(super) predicate_count: usize,
    pub(super) sources: SourceMap,
    pub(super) records: Vec<Record>,
    /// The functions that the environment answers for, by the numbers that the program knows them by.
    pub(super) answering: Vec<String>,
    /// The variables that inputs may name.
    pub(super) known: BTreeSet<VarId>,
    /// Those that nothing can be written to.
    pub(super) constants: BTreeSet<VarId>,
    /// Which points have a probe; the others are in callees.
    pub probed: Vec<bool>,
    /// Which predicates are evaluated at each point; the others are not observed there, or cannot be evaluated.
    pub evaluated: Vec<Vec<bool>>,
    /// Whether accesses outside an object are found.
    pub checks_bounds: bool,
    /// Whether overflow, division by zero and the like are found.
    pub checks_undefined: bool,
    /// What a run does otherwise than the analysis takes it; empty if nothing.
    pub unfaithful: Vec<String>,
}

impl Probed {
    /// The folder that everything happens in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Where runs are not as the analysis takes them, or do not find everything, in words.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.unfaithful.clone();
        if !self.checks_bounds {
            notes.push(
                "the address sanitizer of the compiler does not work: accesses outside an object are not found, and \
                 what a run shows after one may not be reachable"
                    .to_string(),
            );
        }
        if !self.checks_undefined {
            notes.push(
                "the undefined-behaviour sanitizer of the compiler does not work: overflow, shifts by too much and \
                 the like are not found, and what a run shows after one may not be reachable"
                    .to_string(),
            );
        }
        notes
    }
}

impl Drop for Probed {
    fn drop(&mut self) {
        if let Some(mut janitor) = self.janitor.take() {
            drop(janitor.stdin.take());
            let _ = janitor.wait();
        }
    }
}

/// Compiles the function of `cfg` with a probe at each of its points.
pub fn compile(program: &Program, cfg: &Cfg, predicates: &PredicateSet, config: &Config) -> Result<Probed> {
    let function = tested(program, cfg)?;
    let folder = tempfile::Builder::new().prefix("pct-").tempdir().map_err(no_folder)?;
    let janitor = janitor(folder.path());
    let mut plan = Planning::new(program, function, cfg, predicates, config);
    plan.probes();
    plan.environment();
    plan.globals();
    plan.volatiles();
    plan.driver()?;
    let Planning { plan, probes, mut unfaithful, evaluated, answering, points, known, .. } = plan;
    let instrumented = frontend::instrument(config, &plan)?;
    unfaithful.extend(instrumented.problems.iter().cloned());
    let mut probed = vec![false; cfg.points.len()];
    for (point, done) in points.iter().zip(&instrumented.probed) {
        probed[point.index()] = *done;
    }
    let compilation = Compilation { config, folder: folder.path(), program };
    let definitions = [
        format!("-DPCT_GLOBALS={}", program.variables.len()),
        format!("-DPCT_FUNCTIONS={}", program.functions.len()),
        format!("-DPCT_PREDICATES={}", predicates.predicates.len().max(1)),
    ];
    let mut probe_file = probes;
    probe_file.push_str("void __pct_register(void) {\n");
    for number in 0..instrumented.units.len() {
        let _ = writeln!(probe_file, "  extern void __pct_register_{number}(void); __pct_register_{number}();");
    }
    probe_file.push_str("}\n");
    let mut objects = Vec::new();
    compilation.write("runtime.h", include_bytes!("runtime.h"))?;
    compilation.write("results.h", include_bytes!("results.h"))?;
    let watch = compilation.watch()?;
    for (name, text) in [("runtime", include_str!("runtime.c")), ("probes", probe_file.as_str())] {
        compilation.write(&format!("{name}.c"), text.as_bytes())?;
        let mut options: Vec<OsString> = vec!["-std=gnu11".into(), "-O1".into(), "-fwrapv".into()];
        options.push("-ffp-contract=off".into());
        options.extend(definitions.iter().map(OsString::from));
        objects.push(compilation.object(name, &format!("{name}.c"), &options)?);
    }
    let (sanitizers, checks_bounds, checks_undefined) = compilation.sanitizers();
    for (number, (text, standard)) in instrumented.units.iter().zip(&instrumented.standards).enumerate() {
        let name = format!("unit{number}");
        compilation.write(&format!("{name}.i"), text)?;
        let mut options: Vec<OsString> = vec!["-x".into(), "cpp-output".into(), format!("-std={standard}").into()];
        options.extend(["-O0".into(), "-g".into(), "-fno-omit-frame-pointer".into(), "-fno-builtin".into()]);
        if config.followed_overflow() == Overflow::Wrap {
            options.push("-fwrapv".into());
        }
        options.extend(sanitizers.iter().map(OsString::from));
        objects.push(compilation.object(&name, &format!("{name}.i"), &options)?);
    }
    let executable = compilation.link(objects, &sanitizers, &answering)?;
    Ok(Probed {
        program: executable,
        watch,
        janitor,
        predicate_count: predicates.predicates.len(),
        sources: program.sources.clone(),
        records: program.records.clone(),
        answering,
        known,
        constants: program.globals.iter().filter(|global| global.is_const).map(|global| global.variable).collect(),
        probed,
        evaluated,
        checks_bounds,
        checks_undefined,
        unfaithful,
        folder,
    })
}

/// The function that the graph is of. The first check of a graph stands at the function.
pub(super) fn tested(program: &Program, cfg: &Cfg) -> Result<FunctionId> {
    let found = program.functions.iter().position(|function| {
        function.name == cfg.function
            && function.parameters == cfg.parameters
            && cfg.checks.first().is_some_and(|check| check.span == function.span)
    });
    let found = found.and_then(|index| u32::try_from(index).ok());
    found.map(FunctionId).ok_or_else(|| Error::usage(format!("there is no function `{}`", cfg.function)))
}

pub(super) fn no_folder(error: std::io::Error) -> Error {
    Error::Tool { message: format!("cannot make a temporary folder: {error}"), help: None }
}

/// A process that removes the folder when pct is gone, however it ended. Without one, only an orderly end does.
pub(super) fn janitor(folder: &Path) -> Option<Child> {
    use std::os::unix::process::CommandExt as _;
    Command::new("sh")
        .args(["-c", "trap '' INT TERM HUP; cat >/dev/null; rm -rf -- \"$1\"", "sh"])
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .ok()
}

/// The making of the plan.
pub(super) struct Planning<'a> {
    program: &'a Program,
    function: FunctionId,
    cfg: &'a Cfg,
    predicates: &'a PredicateSet,
    config: &'a Config,
    pub(super) plan: Plan,
    /// The text of the file with the probes.
    pub(super) probes: String,
    points: Vec<PointId>,
    evaluated: Vec<Vec<bool>>,
    answering: Vec<String>,
    known: BTreeSet<VarId>,
    unfaithful: Vec<String>,
}

impl<'a> Planning<'a> {
    pub(super) fn new(
        program: &'a Program,
        function: FunctionId,
        cfg: &'a Cfg,
        predicates: &'a PredicateSet,
        config: &'a Config,
    ) -> Planning<'a> {
        let plan = Plan {
            function: program.function(function).span.order,
            main: "__pct_main".to_string(),
            before: "int __pct_enter(void); void __pct_assume(int); void __pct_assert(int, int, int); \
                     void __pct_fail(int, int); void __pct_exit(int); void *__pct_malloc(unsigned long); \
                     void *__pct_calloc(unsigned long, unsigned long); void *__pct_realloc(void *, unsigned long); \
                     void __pct_free(void *); void *__pct_volatile(unsigned long); \
                     void __pct_static(int, const volatile void *, unsigned long); \
                     void __pct_parameter(int, void *, unsigned long); extern void *__pct_globals[]; \
                     extern void *__pct_functions[];"
                .to_string(),
            ..Plan::default()
        };
        let probes = "#include \"runtime.h\"\n\
            void *__pct_globals[PCT_GLOBALS + 1];\nvoid *__pct_functions[PCT_FUNCTIONS + 1];\n\
            static inline double __pct_double(unsigned long bits) { double d; __builtin_memcpy(&d, &bits, 8); return d; }\n";
        Planning {
            program,
            function,
            cfg,
            predicates,
            config,
            plan,
            probes: probes.to_string(),
            points: Vec::new(),
            evaluated: Vec::new(),
            answering: Vec::new(),
            known: BTreeSet::new(),
            unfaithful: Vec::new(),
        }
    }

    /// Whether a variable of static storage is declared inside a function.
    fn is_static_local(&self, variable: VarId) -> bool {
        self.static_locals().contains(&variable)
    }

    pub(super) fn static_locals(&self) -> BTreeSet<VarId> {
        let globals = self.program.globals.iter();
        globals.filter(|global| global.is_local).map(|global| global.variable).collect()
    }

    /// The probes: what each is given, and what it computes.
    pub(super) fn probes(&mut self) {
        let count = self.predicates.predicates.len();
        let statics = self.static_locals();
        for (index, point) in self.cfg.points.iter().enumerate() {
            let visible: BTreeSet<VarId> = point.scope.values().copied().collect();
            let mut arguments = Arguments::new();
            let mut bodies: Vec<Option<String>> = Vec::new();
            for predicate in &self.predicates.predicates {
                let Some(expr) = &predicate.at[index] else {
                    bodies.push(None);
                    continue;
                };
                for variable in evaluate::named_variables(self.cfg, expr) {
                    let is_global = self.cfg.variables[variable.index()].role == Role::Global;
                    if visible.contains(&variable) && (!is_global || statics.contains(&variable)) {
                        let next = arguments.len();
                        arguments.entry(variable).or_insert(next);
                    }
                }
                match evaluate::predicate(self.cfg, self.config.arithmetic, &arguments, expr) {
                    Ok(body) => bodies.push(Some(body)),
                    Err(what) => {
                        let note = format!("`{}` is not observed in tests, for it speaks of {what}", predicate.text);
                        if !self.unfaithful.contains(&note) {
                            self.unfaithful.push(note);
                        }
                        bodies.push(None);
                    }
                }
            }
            self.evaluated.push(bodies.iter().map(Option::is_some).collect());
            let mut parameters = String::from("int own");
            for position in 0..arguments.len() {
                let _ = write!(parameters, ", const volatile void *v{position}");
            }
            let mut calls = String::new();
            let mut passed = String::new();
            for position in 0..arguments.len() {
                let _ = write!(passed, "{}v{position}", if position == 0 { "" } else { ", " });
            }
            let inner = parameters.trim_start_matches("int own").trim_start_matches(", ");
            let inner = if inner.is_empty() { "void" } else { inner };
            for (number, body) in bodies.iter().enumerate() {
                if let Some(body) = body {
                    let _ = writeln!(self.probes, "static int __pct_p{index}_{number}({inner}) {{\n{body}}}");
                    let _ = writeln!(calls, "  values[{number}] = __pct_p{index}_{number}({passed});");
                }
            }
            let _ = writeln!(
                self.probes,
                "void __pct_probe_{index}({parameters}) {{\n  unsigned char values[{}];\n  if (!own) return;\n  \
                 __builtin_memset(values, PCT_UNKNOWN, sizeof values);\n{calls}  __pct_record({index}, values);\n}}",
                count.max(1)
            );
            let _ = write!(self.plan.before, " void __pct_probe_{index}({parameters});");
            let mut names: Vec<(usize, &str)> = arguments
                .iter()
                .map(|(variable, position)| (*position, self.cfg.variables[variable.index()].name.as_str()))
                .collect();
            names.sort_unstable();
            let mut call = format!("__pct_probe_{index}(__pct_own");
            for (_, name) in names {
                let _ = write!(call, ", &{name}");
            }
            call.push(')');
            let in_scope = visible.iter().map(|variable| self.cfg.variables[variable.index()].span.order).collect();
            self.plan.probes.push(Probe { order: point.span.order, in_scope, call });
            self.points.push(PointId(index as u32));
        }
    }

    /// What becomes of calls whose meaning pct knows, and of those that the environment answers.
    fn environment(&mut self) {
        let mut replace = |names: &[&str], replacement: Replacement| {
            for name in names {
                self.plan.calls.insert((*name).to_string(), replacement.clone());
            }
        };
        replace(
            &["assume", "__CPROVER_assume", "__VERIFIER_assume", "__builtin_assume"],
            Replacement::Condition("__pct_assume".to_string()),
        );
        replace(
            &["assert", "__CPROVER_assert", "__VERIFIER_assert"],
            Replacement::Condition("__pct_assert".to_string()),
        );
        replace(
            &["abort", "reach_error", "__VERIFIER_error", "__builtin_trap", "__builtin_abort"],
            Replacement::Whole("__pct_fail($)".to_string()),
        );
        replace(&["__assert_fail", "__assert_rtn", "__assert"], Replacement::Whole("__pct_assert(0, $)".to_string()));
        replace(&["__builtin_unreachable"], Replacement::Whole("__pct_assume(0)".to_string()));
        replace(&["exit", "_exit", "_Exit", "quick_exit"], Replacement::Callee("__pct_exit".to_string()));
        for (name, new) in [
            ("malloc", "__pct_malloc"),
            ("calloc", "__pct_calloc"),
            ("realloc", "__pct_realloc"),
            ("free", "__pct_free"),
        ] {
            if !self.program.functions.iter().any(|function| function.name == name) {
                replace(&[name, &format!("__builtin_{name}")], Replacement::Callee(new.to_string()));
                if name == "malloc" {
                    replace(&["xmalloc"], Replacement::Callee(new.to_string()));
                }
            }
        }
        let environment = &self.program.environment;
        for (name, does) in environment {
            let number = self.answering.len();
            let stub = format!("__pct_stub_{number}");
            let _ = write!(self.plan.before, " void {stub}(void);");
            let (ty, body) = match does {
                Environment::Ends => ("void", "__pct_exit(0);".to_string()),
                Environment::Answers(result) => match stub_type(result) {
                    Some("void") => ("void", String::new()),
                    Some(ty) => {
                        let body = format!("{ty} r; __pct_answer(0, {number}, &r, sizeof r); return r;");
                        (ty, body)
                    }
                    None => {
                        self.unfaithful.push(format!("`{name}` returns a struct, which tests do not answer with"));
                        ("void", "__pct_unrunnable(\"a function without a body returns a struct\");".to_string())
                    }
                },
            };
            let _ = writeln!(self.probes, "{ty} {stub}(void) {{ {body} }}");
            // A body that the analysis does not look at is not to run either, also if it is called through a pointer.
            let value = if ty == "void" { "" } else { "return " };
            self.plan.bodies.insert(name.clone(), format!("{{ {value}(({ty} (*)(void)){stub})(); }}"));
            let undeclared = format!("{ty} (*)()");
            self.plan.calls.insert(name.clone(), Replacement::Cast(stub, undeclared));
            self.answering.push(name.clone());
        }
    }

    /// The addresses of variables at file scope, and of functions.
    fn globals(&mut self) {
        let mut mentioned: BTreeSet<VarId> = BTreeSet::new();
        for edge in self.cfg.successors.iter().flatten() {
            edge.action.for_each_variable(&mut |variable| {
                mentioned.insert(variable);
            });
        }
        for meaning in self.predicates.meanings() {
            meaning.for_each_variable(&mut |variable| {
                mentioned.insert(variable);
            });
        }
        self.known.extend(self.program.function(self.function).parameters.iter().copied());
        for global in &self.program.globals {
            let variable = global.variable;
            let info = self.program.variable(variable);
            if info.role != Role::Global {
                continue;
            }
            if self.is_static_local(variable) {
                let call = format!("__pct_static({}, &{}, sizeof {})", variable.0, info.name, info.name);
                self.plan.statics.insert(info.span.order, call);
                self.known.insert(variable);
            } else if mentioned.contains(&variable) || global.initializer.is_some() {
                let order = global.is_static.then_some(info.span.order);
                let statement = format!("__pct_globals[{}] = (void *)&{};", variable.0, info.name);
                self.plan.globals.push(FileName { name: info.name.clone(), order, statement });
                self.known.insert(variable);
            }
        }
        for &id in &self.program.address_taken {
            let function = self.program.function(id);
            if function.is_library {
                continue;
            }
            let statement = format!("__pct_functions[{}] = (void *)&{};", id.0, function.name);
            self.plan.functions.push(FileName { name: function.name.clone(), order: None, statement });
        }
    }

    /// What is volatile: each read of a variable asks the environment.
    fn volatiles(&mut self) {
        let mut names: BTreeMap<&str, bool> = BTreeMap::new();
        let mut through_pointers = false;
        for variable in &self.program.variables {
            let is_volatile = variable.ty.qualifiers().is_volatile;
            let is_simple = is_volatile && variable.ty.is_scalar();
            let entry = names.entry(&variable.name).or_insert(is_simple);
            *entry &= is_simple;
            through_pointers |= is_volatile && !is_simple;
            through_pointers |= variable.ty.pointee().is_some_and(|target| target.qualifiers().is_volatile);
        }
        for record in &self.program.records {
            let mut fields = record.fields.iter().flatten();
            through_pointers |= fields.any(|field| field.ty.qualifiers().is_volatile);
        }
        self.plan.volatiles =
            names.into_iter().filter(|(_, simple)| *simple).map(|(name, _)| name.to_string()).collect();
        if through_pointers {
            self.unfaithful.push(
                "what is volatile and no simple variable keeps its value in a test, though the analysis takes each \
                 read as an input"
                    .to_string(),
            );
        }
        let actions = self.cfg.successors.iter().flatten().map(|edge| &edge.action);
        let mut actions = actions.filter(|action| matches!(action, crate::cfg::Action::HavocObject(_)));
        if actions.next().is_some() {
            self.unfaithful.push(
                "functions without a body write nothing in a test, though the analysis lets them write what they get \
                 a pointer to"
                    .to_string(),
            );
        }
    }

    /// The function that calls the tested one.
    fn driver(&mut self) -> Result<()> {
        let function = self.program.function(self.function);
        let mut text = String::from("void __pct_call(void) {\n");
        let mut arguments = Vec::new();
        for (position, parameter) in function.parameters.iter().enumerate() {
            let ty = &self.program.variable(*parameter).ty;
            let Some(name) = self.type_name(ty) else {
                return Err(Error::Tool {
                    message: format!(
                        "`{}` cannot be run: its parameter `{}` has a type without a name",
                        function.name,
                        self.program.variable(*parameter).name
                    ),
                    help: Some("give the struct or union a tag, or a typedef".to_string()),
                });
            };
            let _ = writeln!(
                text,
                "  {name} a{position}; __pct_parameter({}, &a{position}, sizeof a{position});",
                parameter.0
            );
            arguments.push(format!("a{position}"));
        }
        let name = if function.name == "main" { &self.plan.main } else { &function.name };
        let _ = writeln!(text, "  {name}({});\n}}", arguments.join(", "));
        self.plan.driver = text;
        Ok(())
    }

    /// A name for the type of an argument.
    fn type_name(&self, ty: &Type) -> Option<String> {
        match ty.plain() {
            Type::Int(kind) => Some(kind.c_name().to_string()),
            Type::Float(kind) => Some(kind.c_name().to_string()),
            Type::Pointer(_) => Some("void *".to_string()),
            Type::Record(id) => {
                let tag = self.program.tags.iter().find(|(_, known)| *known.plain() == Type::Record(*id));
                if let Some((tag, _)) = tag {
                    // It is kept with the word `struct` or `union`.
                    return Some(tag.clone());
                }
                let named = self.program.typedefs.iter().find(|(_, known)| *known.plain() == Type::Record(*id));
                named.map(|(name, _)| name.clone())
            }
            _ => None,
        }
    }
}

/// The type that a stub returns; all integers and pointers go through the same register.
fn stub_type(result: &Type) -> Option<&'static str> {
    match result.plain() {
        Type::Void => Some("void"),
        Type::Int(kind) => Some(kind.c_name()),
        Type::Float(kind) => Some(kind.c_name()),
        Type::Pointer(_) => Some("void *"),
        _ => None,
    }
}

/// The use of the compiler.
pub(super) struct Compilation<'a> {
    pub(super) config: &'a Config,
    pub(super) folder: &'a Path,
    pub(super) program: &'a Program,
}

impl Compilation<'_> {
    pub(super) fn write(&self, name: &str, text: &[u8]) -> Result<()> {
        std::fs::write(self.folder.join(name), text)
            .map_err(|error| Error::Tool { message: format!("cannot write a temporary file: {error}"), help: None })
    }

    pub(super) fn run(&self, arguments: &[OsString]) -> Result<std::process::Output> {
        tools::run(Tool::Compiler(&self.config.compiler), arguments, b"")
    }

    pub(super) fn object(&self, name: &str, file: &str, options: &[OsString]) -> Result<PathBuf> {
        let object = self.folder.join(format!("{name}.o"));
        let mut arguments: Vec<OsString> = vec!["-w".into(), "-c".into()];
        arguments.extend(options.iter().cloned());
        arguments.extend(["-o".into(), object.clone().into(), self.folder.join(file).into()]);
        let output = self.run(&arguments)?;
        if output.status.success() {
            return Ok(object);
        }
        Err(self.refused(&String::from_utf8_lossy(&output.stderr)))
    }

    pub(super) fn refused(&self, message: &str) -> Error {
        let first = message.lines().find(|line| line.contains("error")).unwrap_or(message).trim();
        Error::Tool {
            message: format!("`{}` refuses the program of the test: {first}", self.config.compiler),
            help: Some("compile the file alone; if that works, this is a defect of pct".to_string()),
        }
    }

    /// The sanitizers that work here, and whether they find bounds errors and other undefined behaviour.
    pub(super) fn sanitizers(&self) -> (Vec<String>, bool, bool) {
        let common = [
            "-fno-sanitize-recover=all",
            "-fno-sanitize=shift-base,alignment,pointer-overflow",
            "-fsanitize=float-cast-overflow",
        ];
        let undefined = if self.config.followed_overflow() == Overflow::Wrap {
            "undefined,float-divide-by-zero"
        } else {
            "undefined"
        };
        let undefined = undefined.trim_end_matches(",float-divide-by-zero");
        for (list, bounds, all) in [
            (format!("address,{undefined}"), true, true),
            ("address".to_string(), true, false),
            (undefined.to_string(), false, true),
        ] {
            let mut options = vec![format!("-fsanitize={list}")];
            if all {
                options.extend(common.map(String::from));
                if self.config.followed_overflow() == Overflow::Wrap {
                    options.push("-fno-sanitize=signed-integer-overflow".to_string());
                }
            }
            if self.works(&options) {
                return (options, bounds, all);
            }
        }
        (Vec::new(), false, false)
    }

    /// The program that watches tests.
    pub(super) fn watch(&self) -> Result<PathBuf> {
        self.write("watch.c", include_bytes!("watch.c"))?;
        let watch = self.folder.join("watch");
        let output = self.run(&[
            "-w".into(),
            "-std=gnu11".into(),
            "-O1".into(),
            "-o".into(),
            watch.clone().into(),
            self.folder.join("watch.c").into(),
        ])?;
        if output.status.success() { Ok(watch) } else { Err(self.refused(&String::from_utf8_lossy(&output.stderr))) }
    }

    /// Whether a program can be compiled and run with these options.
    fn works(&self, options: &[String]) -> bool {
        let trial = self.folder.join("trial");
        if self.write("trial.c", b"int main(void) { return 0; }\n").is_err() {
            return false;
        }
        let mut arguments: Vec<OsString> = options.iter().map(OsString::from).collect();
        arguments.extend(["-w".into(), "-o".into(), trial.clone().into(), self.folder.join("trial.c").into()]);
        self.run(&arguments).is_ok_and(|output| output.status.success())
            && Command::new(&trial).stdin(Stdio::null()).output().is_ok_and(|output| output.status.success())
    }

    /// Links; what nobody defines gets a definition.
    fn link(&self, mut objects: Vec<PathBuf>, sanitizers: &[String], answering: &[String]) -> Result<PathBuf> {
        let executable = self.folder.join("test");
        let attempt = |objects: &[PathBuf]| {
            let mut arguments: Vec<OsString> = sanitizers.iter().map(OsString::from).collect();
            arguments.extend(["-w".into(), "-o".into(), executable.clone().into()]);
            arguments.extend(objects.iter().map(|object| object.clone().into_os_string()));
            arguments.extend(["-lm".into(), "-lpthread".into()]);
            self.run(&arguments)
        };
        let output = attempt(&objects)?;
        if output.status.success() {
            return Ok(executable);
        }
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let missing: BTreeSet<&str> = message.lines().filter_map(undefined_symbol).collect();
        if missing.is_empty() {
            return Err(self.refused(&message));
        }
        let variables: BTreeMap<&str, VarId> = self
            .program
            .globals
            .iter()
            .map(|global| (self.program.variable(global.variable).name.as_str(), global.variable))
            .collect();
        let mut text = String::from("extern void __pct_answer(int, int, void *, unsigned long);\n");
        for name in missing {
            match variables.get(name) {
                Some(variable) => {
                    let size = crate::program::size_of(&self.program.records, &self.program.variable(*variable).ty);
                    let size = size.map_or(65_536, |(size, _)| size.max(1));
                    let _ = writeln!(text, "char {name}[{size}] __attribute__((aligned(16)));");
                }
                None => {
                    let number = answering.iter().position(|known| known == name).unwrap_or(answering.len());
                    let _ = writeln!(
                        text,
                        "long {name}() {{ long r = 0; __pct_answer(0, {number}, &r, sizeof r); return r; }}"
                    );
                }
            }
        }
        self.write("missing.c", text.as_bytes())?;
        let mut options: Vec<OsString> = vec!["-std=gnu11".into(), "-fno-builtin".into()];
        options.extend(sanitizers.iter().map(OsString::from));
        objects.push(self.object("missing", "missing.c", &options)?);
        let output = attempt(&objects)?;
        if output.status.success() {
            Ok(executable)
        } else {
            Err(self.refused(&String::from_utf8_lossy(&output.stderr)))
        }
    }
}

/// The name that the linker misses.
fn undefined_symbol(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("undefined reference to ")?;
    let name = rest.trim_matches(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    (!name.is_empty()).then_some(name)
}
