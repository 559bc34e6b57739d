//! The inputs as a corpus for libFuzzer, with a harness that turns bytes into the inputs of the function.
//!
//! The bytes of an input are, in this order: the parameters that are no pointers; what the pointers point to (where the
//! number of elements is not given by `--length`, one byte before them says how many, 0 is the null pointer); the globals
//! that tests set; then whatever the environment answers. Bytes that are missing are zero.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::test_file::{RENAMED_MAIN, stub_type};
use super::{Kept, compiles, spell};
use crate::error::Result;
use crate::program::{Environment, IntKind, Naming, Role, Source, Type, VarId, size_of};
use crate::report::tests::test_name;
use crate::testgen::inputs::{Address, Image, Inputs};

/// What is written for the fuzzer.
pub(super) struct Fuzzing {
    pub(super) files: Vec<(String, Vec<u8>)>,
    pub(super) notes: Vec<String>,
}

/// No object of an input has more elements.
const MOST_ELEMENTS: i64 = 4096;

/// Harness and corpus; only a note if the function cannot be fuzzed like that.
pub(super) fn render(kept: &Kept<'_>) -> Result<Fuzzing> {
    let plan = match Plan::new(kept) {
        Ok(plan) => plan,
        Err(why) => {
            let notes = vec![format!("There is no harness for a fuzzer: {why}.")];
            return Ok(Fuzzing { files: Vec::new(), notes });
        }
    };
    let harness = plan.harness(kept);
    if let Err(why) = compiles(kept, &harness) {
        return Ok(Fuzzing { files: Vec::new(), notes: vec![format!("There is no harness for a fuzzer: {why}.")] });
    }
    let mut files = vec![("harness.c".to_string(), harness.into_bytes())];
    let mut notes = Vec::new();
    for (number, ran) in kept.campaign.tests.iter().enumerate() {
        match plan.encode(kept, &ran.test.inputs) {
            Ok(bytes) => files.push((format!("corpus/{}", test_name(number)), bytes)),
            Err(why) => notes.push(format!("{} is not in the corpus of the fuzzer: {why}.", test_name(number))),
        }
    }
    Ok(Fuzzing { files, notes })
}

/// How bytes become inputs.
struct Plan {
    values: Vec<VarId>,
    /// Parameters that are pointers, with the number of elements, if an expression says it.
    pointers: Vec<(VarId, Option<String>)>,
    globals: Vec<VarId>,
}

impl Plan {
    fn new(kept: &Kept<'_>) -> std::result::Result<Plan, String> {
        let (program, cfg) = (kept.observed.program, kept.observed.cfg);
        let naming = Naming { variables: &cfg.variables, records: &cfg.records, functions: &cfg.functions };
        let mut plan = Plan { values: Vec::new(), pointers: Vec::new(), globals: Vec::new() };
        for parameter in &cfg.parameters {
            let info = &cfg.variables[parameter.index()];
            match info.ty.plain() {
                Type::Pointer(target) => {
                    let is_plain = !has_pointer(kept, target) && *target.plain() != Type::Void;
                    if !is_plain || spell::declare(program, target, "").is_none() {
                        return Err(format!("bytes cannot say what the parameter `{}` points to", info.name));
                    }
                    plan.pointers.push((*parameter, cfg.lengths.get(parameter).map(|length| length.to_c(naming))));
                }
                ty if has_pointer(kept, ty) => return Err(format!("the parameter `{}` holds pointers", info.name)),
                _ => plan.values.push(*parameter),
            }
        }
        let set: BTreeSet<VarId> =
            kept.campaign.tests.iter().flat_map(|ran| ran.test.inputs.variables.keys().copied()).collect();
        for variable in set {
            let info = &cfg.variables[variable.index()];
            let Some(global) = program.globals.iter().find(|global| global.variable == variable) else {
                continue;
            };
            if info.role != Role::Global || global.is_const {
                continue;
            }
            if global.is_local || has_pointer(kept, &info.ty) || kept.is_in_other_file(info.span) {
                return Err(format!("bytes cannot say what `{}` holds at the start", info.name));
            }
            plan.globals.push(variable);
        }
        for (name, does) in &program.environment {
            if kept.config.havocked.contains(name) {
                return Err(format!("`{name}` has a body, but is taken as undefined"));
            }
            match does {
                Environment::Answers(Type::Pointer(_)) => {
                    return Err(format!("bytes cannot say which pointer `{name}` returns"));
                }
                Environment::Answers(result) if stub_type(result).is_none() => {
                    return Err(format!("`{name}` returns a struct"));
                }
                _ => {}
            }
        }
        Ok(plan)
    }

    fn harness(&self, kept: &Kept<'_>) -> String {
        let (program, cfg) = (kept.observed.program, kept.observed.cfg);
        let name = |variable: VarId| {
            let name = &cfg.variables[variable.index()].name;
            if *name == cfg.function { format!("{name}_") } else { name.clone() }
        };
        let mut text = format!(
            "/* A harness for libFuzzer: bytes become the inputs of {function}.\n *\n \
             *   clang -g -fsanitize=fuzzer,address -DPCT_SOURCE='\"FILE.c\"' harness.c ../driver.c -o fuzzer\n \
             *   ./fuzzer corpus\n *\n \
             * With -DPCT_STANDALONE it needs no libFuzzer: it runs the inputs in the files that it is given. */\n\
             #define main {RENAMED_MAIN}\n#include PCT_SOURCE\n#undef main\n\n\
             #include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n\
             static const uint8_t *pct_bytes;\nstatic size_t pct_left;\n\n\
             /* The next bytes of the input; zero behind its end. */\n\
             static void pct_take(void *place, size_t size) {{\n  \
               size_t there = size < pct_left ? size : pct_left;\n  \
               memset(place, 0, size);\n  \
               memcpy(place, pct_bytes, there);\n  \
               pct_bytes += there;\n  \
               pct_left -= there;\n}}\n\n",
            function = cfg.function
        );
        for (name, does) in &program.environment {
            let (ty, body) = match does {
                Environment::Ends => ("void", "exit(0);".to_string()),
                Environment::Answers(result) => match stub_type(result) {
                    Some("void") | None => ("void", String::new()),
                    Some("_Bool") => {
                        ("_Bool", "unsigned char value; pct_take(&value, 1); return value & 1;".to_string())
                    }
                    Some(ty) => (ty, format!("{ty} value; pct_take(&value, sizeof value); return value;")),
                },
            };
            let _ = write!(
                text,
                "/* Answers in the place of {name}, which has no body. */\n\
                 {ty} answer_of_{name}() __asm__(\"{name}\");\n{ty} answer_of_{name}() {{ {body} }}\n\n"
            );
        }
        text.push_str(
            "int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {\n  pct_bytes = data;\n  pct_left = size;\n",
        );
        for variable in &self.values {
            let (ty, name) = (cfg.variables[variable.index()].ty.plain(), name(*variable));
            if *ty == Type::Int(IntKind::Bool) {
                let _ = writeln!(
                    text,
                    "  unsigned char {name}_byte;\n  pct_take(&{name}_byte, 1);\n  _Bool {name} = {name}_byte & 1;"
                );
                continue;
            }
            let declared = spell::declare(program, ty, &name).unwrap_or_default();
            let _ = writeln!(text, "  {declared};\n  pct_take(&{name}, sizeof {name});");
        }
        for (variable, length) in &self.pointers {
            let name = name(*variable);
            let target = cfg.variables[variable.index()].ty.pointee().map(|target| target.plain().clone());
            let pointer = target.and_then(|target| spell::declare(program, &target, &format!("*{name}_memory")));
            match length {
                Some(length) => {
                    let _ = writeln!(
                        text,
                        "  long {name}_length = (long)({length});\n  \
                         if ({name}_length < 0 || {name}_length > {MOST_ELEMENTS})\n    goto done_{name};"
                    );
                }
                None => {
                    let _ = writeln!(
                        text,
                        "  unsigned char {name}_count;\n  pct_take(&{name}_count, 1);\n  long {name}_length = {name}_count;"
                    );
                }
            }
            let is_null = if length.is_none() { format!("{name}_length == 0 ? 0 : ") } else { String::new() };
            let _ = writeln!(
                text,
                "  {} = {is_null}malloc((size_t){name}_length * sizeof *{name}_memory);\n  \
                 if ({name}_memory)\n    pct_take({name}_memory, (size_t){name}_length * sizeof *{name}_memory);",
                pointer.unwrap_or_default()
            );
        }
        for variable in &self.globals {
            let name = &cfg.variables[variable.index()].name;
            let _ = writeln!(text, "  pct_take((void *)&{name}, sizeof {name});");
        }
        let arguments: Vec<String> = cfg
            .parameters
            .iter()
            .map(|parameter| match cfg.variables[parameter.index()].ty.plain() {
                Type::Pointer(_) => format!("{}_memory", name(*parameter)),
                _ => name(*parameter),
            })
            .collect();
        let callee = if cfg.function == "main" { RENAMED_MAIN } else { &cfg.function };
        let _ = writeln!(text, "  {callee}({});", arguments.join(", "));
        for (variable, length) in self.pointers.iter().rev() {
            let name = name(*variable);
            let label = if length.is_some() { format!("done_{name}:\n  ;\n") } else { String::new() };
            let _ = write!(text, "  free({name}_memory);\n{label}");
        }
        text.push_str("  return 0;\n}\n\n");
        text.push_str(STANDALONE);
        text
    }

    /// The bytes that the harness turns into these inputs.
    fn encode(&self, kept: &Kept<'_>, inputs: &Inputs) -> std::result::Result<Vec<u8>, String> {
        let cfg = kept.observed.cfg;
        let mut bytes = Vec::new();
        let add = |variable: VarId, bytes: &mut Vec<u8>| {
            let size = size_of(&cfg.records, &cfg.variables[variable.index()].ty).map_or(0, |(size, _)| size);
            let empty = Image { bytes: vec![0; size as usize], addresses: Default::default() };
            bytes.extend(&inputs.variables.get(&variable).unwrap_or(&empty).bytes);
        };
        self.values.iter().for_each(|variable| add(*variable, &mut bytes));
        let mut used = BTreeSet::new();
        for (variable, length) in &self.pointers {
            let name = &cfg.variables[variable.index()].name;
            let address = inputs.variables.get(variable).and_then(|image| image.addresses.get(&0));
            match address {
                None if length.is_none() => bytes.push(0),
                None => return Err(format!("`{name}` is the null pointer there")),
                Some(Address::Object(number, 0)) if used.insert(*number) => {
                    let object = &inputs.objects[*number];
                    let size = size_of(&cfg.records, &object.ty).map_or(1, |(size, _)| size.max(1));
                    let start = (object.first.unsigned_abs() * size) as usize;
                    let there = (object.image.bytes.len() - start.min(object.image.bytes.len())) as u64 / size;
                    let target = cfg.variables[variable.index()].ty.pointee();
                    if target.map(Type::plain) != Some(object.ty.plain()) || !object.image.addresses.is_empty() {
                        return Err(format!("`{name}` points to something of another type there"));
                    }
                    let count = match (length, object.length) {
                        (Some(_), Some(count)) if count <= MOST_ELEMENTS as u64 => count,
                        (Some(_), _) => return Err(format!("the length of `{name}` is not known there")),
                        (None, count) => {
                            let count = count.unwrap_or(there).min(there).min(255);
                            bytes.push(count as u8);
                            count
                        }
                    };
                    let end = start + (count.min(there) * size) as usize;
                    bytes.extend(&object.image.bytes[start..end]);
                    bytes.resize(bytes.len() + ((count - count.min(there)) * size) as usize, 0);
                }
                Some(_) => return Err(format!("`{name}` points into something there")),
            }
        }
        self.globals.iter().for_each(|variable| add(*variable, &mut bytes));
        for answer in &inputs.answers {
            match &answer.source {
                Source::Call(_) => bytes.extend(&answer.image.bytes),
                Source::Allocation if answer.image.bytes.iter().all(|byte| *byte == 0) => {}
                _ => return Err("the environment would have to do more than answer calls".to_string()),
            }
        }
        Ok(bytes)
    }
}

/// For use without libFuzzer.
const STANDALONE: &str = r#"#ifdef PCT_STANDALONE
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(argv[i], "rb");
    if (!file)
      return 2;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, size);
  }
  return 0;
}
#endif
"#;

fn has_pointer(kept: &Kept<'_>, ty: &Type) -> bool {
    match ty.plain() {
        Type::Pointer(_) | Type::Function(_) | Type::Unsupported(_) => true,
        Type::Array(element, _) => has_pointer(kept, element),
        Type::Record(id) => match &kept.observed.cfg.records[id.index()].fields {
            Some(fields) => fields.iter().any(|field| has_pointer(kept, &field.ty)),
            None => true,
        },
        _ => false,
    }
}
