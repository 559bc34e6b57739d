//! A hand-written function (`tests/exhaustive/*.c`) -> what to ask of `pct`, and the program to run natively.
//!
//! A file carries its question in lines `//pct KEY: VALUE` (`inputs`, `points`, `overflow`, one
//! `predicate` each, with ` when GUARD` if C defines it only there, perhaps some to `track`, and perhaps an `option`
//! of `pct`) and its probes as macros (`tests/exhaustive/probes.h`). The probes were placed by a person from the rules for points
//! and scopes, so they are an independent account of where `pct` has to observe what.
//!
//! What a run gets from outside while it runs (whether memory is left, what a volatile variable holds) is an input too:
//! such a file says under `#ifdef PCT_NATIVE` how the native run takes it from a global variable.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::analysis::{Points, Question};
use super::check::Probes;
use super::native::{Input, Overflow, ProbedProgram, exhaustive_folder};

/// A hand-written function.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) file: PathBuf,
    pub(crate) text: String,
    pub(crate) question: Question,
    pub(crate) probed: ProbedProgram,
    pub(crate) probes: Probes,
}

impl Case {
    /// Whether the native runs have every input that the function can have: numbers of 8 bits and nothing else.
    pub(crate) fn has_all_inputs(&self) -> bool {
        let is_whole = |input: &Input| {
            let types = ["signed char", "unsigned char", "char", "_Bool", "bool", "int8_t", "uint8_t"];
            input.expression.is_none()
                && input.length.is_none()
                && !input.is_global
                && types.contains(&input.type_text.as_str())
                && input.range.1 - input.range.0 >= if input.type_text.ends_with("ool") { 1 } else { 255 }
        };
        // What is defined for the native run only stands for what comes from outside.
        self.probed.inputs.iter().all(is_whole) && !self.text.contains("PCT_NATIVE")
    }
}

/// All hand-written functions, sorted by name.
pub(crate) fn all() -> Vec<Case> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(exhaustive_folder())
        .expect("tests/exhaustive exists")
        .map(|entry| entry.expect("a folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    files.iter().map(|file| load(file)).collect()
}

fn load(file: &Path) -> Case {
    let text = std::fs::read_to_string(file).expect("a case can be read");
    let parsed = parse(file, &text);
    parsed.unwrap_or_else(|mistake| panic!("{}: {mistake}", file.display()))
}

fn parse(file: &Path, text: &str) -> Result<Case, String> {
    let values = |key: &str| -> Vec<&str> {
        let start = format!("//pct {key}:");
        let lines = text.lines();
        lines.filter_map(|line| line.strip_prefix(&start).map(str::trim)).collect()
    };
    let value = |key: &str| match values(key)[..] {
        [value] => Ok(value),
        _ => Err(format!("one line `//pct {key}: …` is needed")),
    };
    let question = Question {
        predicates: values("predicate").into_iter().map(|text| expression_and_guard(text).0.to_owned()).collect(),
        tracked: values("track").into_iter().map(str::to_owned).collect(),
        options: values("option").into_iter().flat_map(str::split_whitespace).map(str::to_owned).collect(),
        points: match value("points")? {
            "labels" => Points::Labels,
            "statements" => Points::Statements,
            other => return Err(format!("unknown points: {other}")),
        },
        overflow: match value("overflow")? {
            "assume" => Overflow::Assume,
            "wrap" => Overflow::Wrap,
            other => return Err(format!("unknown overflow: {other}")),
        },
    };
    if question.predicates.is_empty() || question.predicates.len() > 8 {
        return Err("one to eight predicates are needed".into());
    }
    let uses = probe_uses(text)?;
    let width = question.predicates.len();
    let everything = "x".repeat(width);
    let mut masks: BTreeSet<&str> = uses.iter().filter_map(|use_| use_.mask).collect();
    if let Some(mask) = masks.iter().find(|mask| mask.len() != width) {
        return Err(format!("{mask} does not fit {width} predicates"));
    }
    masks.insert(&everything);

    let native: Vec<String> = values("predicate").into_iter().map(natively).collect();
    let mut source = macros(&native, &masks);
    let _ = write!(source, "#line 1 \"{}\"\n{text}\n", file.display());
    let inputs =
        value("inputs")?.split(',').map(|input| parse_input(input.trim())).collect::<Result<Vec<Input>, String>>()?;
    Ok(Case {
        file: file.to_owned(),
        text: text.to_owned(),
        probed: ProbedProgram { source, function: "f".into(), inputs },
        probes: Probes {
            names: uses.iter().map(|use_| use_.point.clone()).collect(),
            loop_heads: match question.points {
                Points::Labels => uses.iter().filter_map(ProbeUse::loop_head).collect(),
                Points::Statements => BTreeSet::new(),
            },
            body: body_of_f(text).ok_or("no function f that ends with `}` in the first column")?,
        },
        question,
    })
}

/// `EXPRESSION when GUARD`: C defines the predicate only where the guard holds.
fn expression_and_guard(predicate: &str) -> (&str, Option<&str>) {
    predicate.split_once(" when ").map_or((predicate, None), |(expression, guard)| (expression, Some(guard)))
}

/// What the native run evaluates: a predicate that C does not define is false.
fn natively(predicate: &str) -> String {
    match expression_and_guard(predicate) {
        (expression, None) => expression.to_owned(),
        (expression, Some(guard)) => format!("({guard}) && ({expression})"),
    }
}

/// One probe in the text.
struct ProbeUse<'a> {
    point: String,
    /// Named by its line and not by a label.
    is_numbered: bool,
    mask: Option<&'a str>,
}

impl ProbeUse<'_> {
    fn loop_head(&self) -> Option<String> {
        self.is_numbered.then(|| self.point.clone())
    }
}

fn probe_uses(text: &str) -> Result<Vec<ProbeUse<'_>>, String> {
    let mut uses = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for (at, _) in line.match_indices("OBS") {
            let Some((name, rest)) = line[at..].split_once('(') else {
                return Err(format!("line {}: a probe without (", index + 1));
            };
            let arguments = rest.split_once(')').map_or("", |(before, _)| before);
            let (point, mask) = match (name, arguments.split_once(',')) {
                ("OBS" | "OBSX", None) => (arguments.trim(), None),
                ("OBSV" | "OBSXV", Some((point, mask))) => (point.trim(), Some(mask.trim())),
                _ => return Err(format!("line {}: unknown probe", index + 1)),
            };
            let number = point.parse::<u32>().ok();
            let point = match number {
                None => point.to_owned(),
                Some(1) => format!("L{}", index + 1),
                Some(k) => format!("L{}.{k}", index + 1),
            };
            let is_numbered = number.is_some();
            uses.push(ProbeUse { point, is_numbered, mask });
        }
    }
    Ok(uses)
}

fn macros(predicates: &[String], masks: &BTreeSet<&str>) -> String {
    let mut text = String::from("#define PCT_NATIVE\n");
    for (index, predicate) in predicates.iter().enumerate() {
        let _ = writeln!(text, "#define PCT_P{index} ({predicate})");
    }
    for mask in masks {
        let visible = mask.chars().enumerate().filter(|(_, c)| *c != '_');
        let bits: Vec<String> = visible
            .map(|(index, _)| format!("(PCT_P{index} ? {}u : 0u)", 1 << index))
            .chain(["0u".to_owned()])
            .collect();
        let bits = bits.join(" | ");
        let _ = writeln!(text, "#define PCT_SEE_{mask}(k) PCT_AT(#k, \"{mask}\", {bits})");
    }
    let everything = "x".repeat(predicates.len());
    let _ = writeln!(
        text,
        "#define OBS(k) PCT_SEE_{everything}(k);\n#define OBSX(k) PCT_SEE_{everything}(k),\n\
         #define OBSV(k, mask) PCT_SEE_##mask(k);\n#define OBSXV(k, mask) PCT_SEE_##mask(k),"
    );
    text
}

/// `[global] TYPE NAME[LENGTH] [in LOW..HIGH]`, where the range is that of the type if the type has 8 bits, or
/// `argument EXPRESSION`, which is passed as it is.
fn parse_input(text: &str) -> Result<Input, String> {
    if let Some(expression) = text.strip_prefix("argument ") {
        let expression = Some(expression.to_owned());
        let name = String::new();
        return Ok(Input { is_global: false, type_text: name.clone(), name, length: None, range: (0, 0), expression });
    }
    let (is_global, text) = match text.strip_prefix("global ") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (declaration, range) = match text.split_once(" in ") {
        Some((declaration, range)) => (declaration, Some(parse_range(range)?)),
        None => (text, None),
    };
    let (type_text, name) = declaration.rsplit_once(' ').ok_or_else(|| format!("not `TYPE NAME`: {text}"))?;
    let (name, length) = match name.strip_suffix(']').and_then(|n| n.split_once('[')) {
        Some((name, length)) => (name, Some(length.parse().map_err(|_| "not a length")?)),
        None => (name, None),
    };
    let range = range.map_or_else(
        || match type_text {
            "_Bool" => Ok((0, 1)),
            "unsigned char" => Ok((0, 255)),
            "char" | "signed char" => Ok((-128, 127)),
            other => Err(format!("{other} needs `in LOW..HIGH`")),
        },
        Ok,
    )?;
    Ok(Input { is_global, type_text: type_text.into(), name: name.into(), length, range, expression: None })
}

fn parse_range(text: &str) -> Result<(i64, i64), String> {
    let bounds =
        text.split_once("..").and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
    bounds.ok_or_else(|| format!("not a range: {text}"))
}

fn body_of_f(text: &str) -> Option<(u64, u64)> {
    let mut lines = text.lines().zip(1u64..);
    let (_, first) =
        lines.find(|(line, _)| !line.starts_with([' ', '/']) && line.contains(" f(") && line.ends_with('{'))?;
    let (_, last) = lines.find(|(line, _)| *line == "}")?;
    Some((first, last))
}
