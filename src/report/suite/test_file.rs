//! One test as a C file that stands alone: the inputs as C, the call, and a place for what must hold afterwards.
//!
//! The file includes the user's file, so that static functions and variables can be named. What has no name in C
//! (memory behind pointers) becomes an array; the padding around it is forbidden to the program where AddressSanitizer is
//! there, as it was when pct ran the test.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::spell::{self, Speller};
use super::{Expected, Kept};
use crate::program::{Environment, Global, IntKind, Role, Source, Type, VarId, size_of};
use crate::report::tests::{self, test_name};
use crate::testgen::inputs::{Answered, Image, Inputs};
use crate::testgen::value;

/// What `main` of the user's file is called in a test.
pub(super) const RENAMED_MAIN: &str = "pct_user_main";

/// More states are not listed.
const MAX_LISTED: usize = 64;

/// Variables of the C library, which nobody else needs to define.
const LIBRARY_VARIABLES: [&str; 14] = [
    "stdin",
    "stdout",
    "stderr",
    "environ",
    "__environ",
    "errno",
    "optarg",
    "optind",
    "opterr",
    "optopt",
    "tzname",
    "timezone",
    "daylight",
    "signgam",
];

/// The text of a test; or why it cannot be written as C.
pub(super) fn render(kept: &Kept<'_>, number: usize) -> Result<String, String> {
    let mut file = TestFile::new(kept, number)?;
    file.head();
    file.text.push_str("\n/* The file under test; CMakeLists.txt says where it is. */\n");
    let _ = writeln!(file.text, "#define main {RENAMED_MAIN}\n#include PCT_SOURCE\n#undef main\n");
    file.undefined_globals()?;
    file.stubs()?;
    file.memory()?;
    file.main()?;
    Ok(file.finish())
}

struct TestFile<'a> {
    kept: &'a Kept<'a>,
    number: usize,
    inputs: &'a Inputs,
    speller: Speller<'a>,
    text: String,
    /// Statements that `main` begins with.
    first: Vec<String>,
    forbids: bool,
}

impl<'a> TestFile<'a> {
    fn new(kept: &'a Kept<'a>, number: usize) -> Result<TestFile<'a>, String> {
        let inputs = &kept.campaign.tests[number].test.inputs;
        let (program, cfg) = (&kept.observed.program, &kept.observed.cfg);
        let mut taken: BTreeSet<String> = inputs
            .variables
            .keys()
            .map(|variable| &cfg.variables[variable.index()])
            .filter(|variable| variable.role == Role::Global)
            .map(|variable| variable.name.clone())
            .collect();
        taken.extend([cfg.function.clone(), "result".to_string(), "main".to_string()]);
        taken.extend(program.globals.iter().map(|global| program.variable(global.variable).name.clone()));
        taken.extend(cfg.functions.iter().map(|function| function.name.clone()));
        let mut fresh = |words: &str| {
            let mut name = words.to_string();
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            name
        };
        let mut parameters = BTreeMap::new();
        for (position, parameter) in cfg.parameters.iter().enumerate() {
            let name = &cfg.variables[parameter.index()].name;
            let words = if name.is_empty() { format!("argument{}", position + 1) } else { spell::identifier(name) };
            parameters.insert(*parameter, fresh(&words));
        }
        let mut objects = Vec::new();
        for object in &inputs.objects {
            let size = size_of(&cfg.records, &object.ty).map_or(0, |(size, _)| size);
            if size == 0 {
                return Err(format!("`{}` has elements without a size", object.name));
            }
            // The first element is aligned so that AddressSanitizer can tell it from the padding before it.
            let mut before = object.first.saturating_neg().max(0);
            while object.length.is_some() && !(before as u64 * size).is_multiple_of(8) {
                before += 1;
            }
            objects.push((fresh(&format!("{}_memory", spell::identifier(&object.name))), before));
        }
        let speller = Speller { program, cfg, inputs, objects, parameters };
        Ok(TestFile { kept, number, inputs, speller, text: String::new(), first: Vec::new(), forbids: false })
    }

    fn finish(self) -> String {
        let mut text = self.text;
        let names_number = text.contains("NAN") || text.contains("INFINITY");
        let includes = match (text.contains("memset(") || text.contains("memcpy("), names_number) {
            (true, true) => "#include <math.h>\n#include <string.h>\n",
            (true, false) => "#include <string.h>\n",
            (false, true) => "#include <math.h>\n",
            (false, false) => "",
        };
        let behind = "#undef main\n\n";
        if let (Some(at), false) = (text.find(behind), includes.is_empty()) {
            text.insert_str(at + behind.len(), &format!("{includes}\n"));
        }
        text
    }

    /// What the test is there for, and what happened when pct ran it.
    fn head(&mut self) {
        let (kept, ran) = (self.kept, &self.kept.campaign.tests[self.number]);
        let tables = kept.tables();
        let mut head = format!(
            "{} of {} in {}\n\npath: {}\n",
            test_name(self.number),
            kept.observed.cfg.function,
            kept.config.file_name(),
            tables.ends(&ran.test.states)
        );
        if let Some(check) = ran.test.failure {
            let check = &kept.observed.cfg.checks[check.0 as usize];
            let _ = writeln!(head, "then: {} goes wrong in line {}", check.kind.name(), check.span.line);
        }
        match &ran.run {
            None => head.push_str("not run yet: what it observes is not known\n"),
            Some(run) => {
                let mut states = String::from("observed:");
                let mut column = states.len();
                for observation in run.trace.iter().take(MAX_LISTED) {
                    let id = kept.observation_id(observation);
                    if column + id.len() > 100 {
                        states.push_str("\n ");
                        column = 1;
                    }
                    let _ = write!(states, " {id}");
                    column += id.len() + 1;
                }
                if run.trace.len() > MAX_LISTED {
                    let _ = write!(states, " and {} more", run.trace.len() - MAX_LISTED);
                }
                let _ = writeln!(head, "{states}\nend: {}", tests::end(run));
            }
        }
        match kept.expected(self.number) {
            Expected::Passes => {}
            Expected::Fails(_) => {
                head.push_str("CTest expects this test to fail. When the fault is mended, say so in CMakeLists.txt.\n")
            }
            Expected::Disabled(_) => head.push_str("CTest does not run this test.\n"),
        }
        let head = head.trim_end().replace("*/", "* /").replace("/*", "/ *");
        let lines: Vec<String> = head.lines().map(|line| format!(" * {line}").trim_end().to_string()).collect();
        let _ = writeln!(self.text, "/*{}\n */", lines.join("\n").trim_start_matches(" *"));
    }

    /// Definitions of variables that are only declared.
    fn undefined_globals(&mut self) -> Result<(), String> {
        let program = &self.kept.observed.program;
        let mut lines = String::new();
        for global in &program.globals {
            let info = program.variable(global.variable);
            let is_undefined = global.initializer.is_none() && !global.is_local && info.role == Role::Global;
            if !is_undefined || LIBRARY_VARIABLES.contains(&info.name.as_str()) || info.span.line == 0 {
                continue;
            }
            let Some(declaration) = self.speller.declare(&info.ty, &info.name) else {
                return Err(format!("nobody defines `{}`, and its type has no name", info.name));
            };
            let _ = writeln!(lines, "{declaration};");
        }
        if !lines.is_empty() {
            let _ = writeln!(self.text, "/* Declared there, but not defined. */\n{lines}");
        }
        Ok(())
    }

    /// The functions that have no body: each gives its answers in order, then zero.
    fn stubs(&mut self) -> Result<(), String> {
        for answer in &self.inputs.answers {
            let is_zero = answer.image.bytes.iter().all(|byte| *byte == 0) && answer.image.addresses.is_empty();
            match &answer.source {
                Source::Call(_) => {}
                Source::Allocation if is_zero => {}
                Source::Allocation => return Err("there must be no memory left for an allocation".to_string()),
                Source::Volatile => return Err("something volatile must give other values at each read".to_string()),
                Source::Outside => return Err("a function from outside must be called".to_string()),
                Source::VariableArgument => return Err("a list of variable arguments must be made".to_string()),
            }
        }
        let program = &self.kept.observed.program;
        for (name, does) in &program.environment {
            if self.kept.config.havocked.contains(name) {
                return Err(format!("`{name}` has a body, but is taken as undefined (--havoc)"));
            }
            let answers: Vec<&Answered> = self
                .inputs
                .answers
                .iter()
                .filter(|answer| matches!(&answer.source, Source::Call(from) if from == name))
                .collect();
            let text = self.stub(name, does, &answers)?;
            self.text.push_str(&text);
        }
        Ok(())
    }

    fn stub(&self, name: &str, does: &Environment, answers: &[&Answered]) -> Result<String, String> {
        let own = format!("answer_of_{name}");
        let (ty, body) = match does {
            Environment::Ends => ("void", "extern void exit(int);\n  exit(0);".to_string()),
            Environment::Answers(result) => match stub_type(result) {
                None => return Err(format!("`{name}` returns a struct, which tests do not answer with")),
                Some("void") => ("void", String::new()),
                Some(ty) if answers.is_empty() => (ty, "return 0;".to_string()),
                Some(ty) => {
                    let mut values = Vec::new();
                    for answer in answers {
                        if !self.speller.is_exact(result, 1, &answer.image) {
                            return Err(format!("an answer of `{name}` cannot be written as C"));
                        }
                        let value = value::read(&self.speller.cfg.records, result, &answer.image, 0);
                        values.push(self.speller.value(result, &value));
                    }
                    let body = format!(
                        "{ty} const answers[] = {{{}}};\n  static unsigned next;\n  return next < {count} ? answers[next++] : 0;",
                        values.join(", "),
                        count = values.len()
                    );
                    (ty, body)
                }
            },
        };
        // The label lets the answer take any arguments, whatever the declaration says.
        Ok(format!(
            "/* Answers in the place of {name}, which has no body. */\n{ty} {own}() __asm__(\"{name}\");\n{ty} {own}() {{\n  {body}\n}}\n\n"
        ))
    }

    /// What pointers point to.
    fn memory(&mut self) -> Result<(), String> {
        if self.inputs.objects.is_empty() {
            return Ok(());
        }
        let mut declarations = String::new();
        let mut definitions = String::new();
        for (number, object) in self.inputs.objects.iter().enumerate() {
            let (name, before) = &self.speller.objects[number];
            let size = size_of(&self.speller.cfg.records, &object.ty).map_or(1, |(size, _)| size.max(1));
            // More padding before, for the sake of alignment.
            let added = (before + object.first).max(0) as u64 * size;
            let mut image = Image { bytes: vec![0; added as usize], addresses: BTreeMap::new() };
            image.bytes.extend(&object.image.bytes);
            image.addresses = object.image.addresses.iter().map(|(place, address)| (place + added, *address)).collect();
            let count = image.bytes.len() as u64 / size;
            let ty = object.ty.plain();
            let aligned = if object.length.is_some() { " __attribute__((aligned(16)))" } else { "" };
            let is_exact = self.speller.is_exact(ty, count, &image);
            let declared = self.speller.declare(ty, &format!("{name}[{count}]"));
            match declared.filter(|_| *ty != Type::Void) {
                Some(declared) if is_exact => {
                    let _ = writeln!(declarations, "static {declared}{aligned};");
                    let value = self.speller.initializer(ty, count, &image);
                    let _ = writeln!(definitions, "static {declared}{aligned} = {value};");
                }
                Some(declared) if image.addresses.is_empty() => {
                    let _ = writeln!(declarations, "static {declared}{aligned};");
                    let _ = writeln!(definitions, "static {declared}{aligned};");
                    self.first.push(copied(name, &format!("sizeof {name}"), &image));
                }
                None if image.addresses.is_empty() => {
                    let _ = writeln!(
                        definitions,
                        "static struct {{ unsigned char bytes[{size}]; }} {name}[{count}] __attribute__((aligned(16)));"
                    );
                    self.first.push(copied(name, &format!("sizeof {name}"), &image));
                }
                _ => return Err(format!("`{}` holds addresses that C has no words for", object.name)),
            }
            if let Some(length) = object.length {
                let end = *before + length as i64;
                let count = count as i64;
                self.forbids = true;
                let mut statement = String::new();
                if *before > 0 {
                    let _ = write!(statement, "FORBID({name}, {name} + {before}); ");
                }
                if end < count {
                    let _ = write!(statement, "FORBID({name} + {end}, {name} + {count}); ");
                }
                let noun = if length == 1 { "element" } else { "elements" };
                let _ = write!(statement, "/* {length} {noun} from {name}[{before}] on; the rest is padding */");
                self.first.push(statement);
            }
        }
        if self.forbids {
            self.text.push_str(
                "#ifdef PCT_SANITIZE\nvoid __asan_poison_memory_region(const volatile void *, unsigned long);\n\
                 #define FORBID(from, to) __asan_poison_memory_region((from), (unsigned long)((char *)(to) - (char *)(from)))\n\
                 #else\n#define FORBID(from, to) ((void)0)\n#endif\n\n",
            );
        }
        self.text.push_str("/* What pointers point to. */\n");
        let refers = self.inputs.objects.iter().any(|object| !object.image.addresses.is_empty());
        if refers {
            self.text.push_str(&declarations);
        }
        let _ = writeln!(self.text, "{definitions}");
        Ok(())
    }

    fn main(&mut self) -> Result<(), String> {
        let (program, cfg) = (&self.kept.observed.program, &self.kept.observed.cfg);
        let globals: BTreeMap<VarId, &Global> =
            program.globals.iter().map(|global| (global.variable, global)).collect();
        let mut body: Vec<String> = std::mem::take(&mut self.first);
        for (variable, image) in &self.inputs.variables {
            let info = &cfg.variables[variable.index()];
            if info.role != Role::Global {
                continue;
            }
            let Some(global) = globals.get(variable) else {
                return Err(format!("`{}` cannot be named", info.name));
            };
            if global.is_const {
                // It has its initial value.
                continue;
            }
            if global.is_local {
                return Err(format!("`{}` is a static variable inside a function", info.name));
            }
            let is_elsewhere = self.kept.is_in_other_file(info.span);
            if is_elsewhere && global.is_static {
                return Err(format!("`{}` is a static variable of another file", info.name));
            }
            if is_elsewhere && let Some(declaration) = self.speller.declare(&info.ty, &info.name) {
                body.push(format!("extern {declaration};"));
            }
            if self.speller.is_exact(&info.ty, 1, image) && !spell::has_constant(cfg, &info.ty) {
                let value = value::read(&cfg.records, &info.ty, image, 0);
                body.extend(self.speller.assignments(&info.name, &info.ty, &value));
            } else if image.addresses.is_empty() {
                body.push(copied(&format!("(void *)&{}", info.name), &format!("sizeof {}", info.name), image));
            } else {
                return Err(format!("`{}` holds addresses that C has no words for", info.name));
            }
        }
        for parameter in &cfg.parameters {
            let info = &cfg.variables[parameter.index()];
            let name = &self.speller.parameters[parameter];
            let ty = info.ty.plain();
            let size = size_of(&cfg.records, ty).map_or(0, |(size, _)| size);
            let empty = Image { bytes: vec![0; size as usize], addresses: BTreeMap::new() };
            let image = self.inputs.variables.get(parameter).unwrap_or(&empty);
            let declared = match (self.speller.declare(ty, name), ty) {
                (Some(declared), _) => declared,
                (None, Type::Pointer(_)) => format!("void *{name}"),
                (None, _) => return Err(format!("the parameter `{}` has a type without a name", info.name)),
            };
            if self.speller.is_exact(ty, 1, image) {
                let value = value::read(&cfg.records, ty, image, 0);
                body.push(format!("{declared} = {};", self.speller.value(ty, &value)));
            } else if image.addresses.is_empty() {
                body.push(format!("{declared};"));
                body.push(copied(&format!("&{name}"), &format!("sizeof {name}"), image));
            } else {
                return Err(format!("the parameter `{}` holds an address that C has no words for", info.name));
            }
        }
        let function = program.function(self.kept.observed.function);
        let arguments: Vec<&str> =
            cfg.parameters.iter().map(|parameter| self.speller.parameters[parameter].as_str()).collect();
        let callee = if function.name == "main" { RENAMED_MAIN } else { &function.name };
        let call = format!("{callee}({});", arguments.join(", "));
        let result = function.signature.result.plain();
        let result = if *result == Type::Void { None } else { self.speller.declare(result, "result") };
        body.push(String::new());
        match result {
            Some(declared) => body.extend([format!("{declared} = {call}"), "(void)result;".to_string()]),
            None => body.push(call),
        }
        self.text.push_str("int main(void) {\n");
        for statement in body {
            let _ = writeln!(self.text, "{}", format!("  {statement}").trim_end());
        }
        self.text
            .push_str("\n  /* oracle: what must hold now? For example: if (!(…)) return 1; */\n\n  return 0;\n}\n");
        Ok(())
    }
}

/// A statement that copies bytes.
fn copied(target: &str, size: &str, image: &Image) -> String {
    let bytes: Vec<String> = image.bytes.iter().map(|byte| format!("{byte}")).collect();
    format!(
        "memcpy({target}, (const unsigned char[]){{{}}}, {size}); /* bytes that C has no other words for */",
        bytes.join(", ")
    )
}

/// The type that an answer has; all pointers are the same to the caller.
pub(super) fn stub_type(result: &Type) -> Option<&'static str> {
    match result.plain() {
        Type::Void => Some("void"),
        Type::Int(kind) => Some(IntKind::c_name(*kind)),
        Type::Float(kind) => Some(kind.c_name()),
        Type::Pointer(_) => Some("void *"),
        _ => None,
    }
}
