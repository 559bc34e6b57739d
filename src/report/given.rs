//! Inputs that a person writes: JSON → [`Inputs`], in the form in which `pct test --json` prints them.
//!
//! A number is a number, a struct an object with the names of its members, an array a list. A pointer is `null`, or the
//! list of what it points to (for a struct, the object alone will do; for characters, a string, which ends with a null
//! character), or `"&x"` for the address of a global. What is left out is zero. Around a list that a pointer points to
//! lie zeros, which predicates can look at and the function cannot, as in the tests of pct. Every message names the place.

use std::fmt::Write as _;
use std::path::Path;

use miette::{NamedSource, SourceSpan};
use serde_json::{Map, Value};

use super::source_name;
use super::suite::Subject;
use crate::error::{Error, Located, Result};
use crate::program::{Environment, FloatKind, FunctionId, IntKind, Length, Role, Source, Type, VarId, size_of};
use crate::testgen::inputs::{Address, Answered, Image, Inputs, Object};

/// So many elements lie around an array.
const PADDING: u64 = 16;

/// An object larger than this is not made.
const MAX_BYTES: u64 = 1 << 24;

/// What the list of inputs is, for the message about anything else.
const FORM: &str = "a list such as [{\"n\": 3, \"a\": [1, 2, 3]}], or the output of `pct test --json`";

/// Reads a file with inputs: a name for each of them, and what it gives to the function.
pub fn read(path: &Path, subject: Subject<'_>) -> Result<Vec<(String, Inputs)>> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| {
        Error::usage_with_help(format!("cannot read {file}: {error}"), "name a JSON file with inputs")
    })?;
    let document: Value = serde_json::from_str(&text).map_err(|error| not_json(&file, &text, &error))?;
    let wrong = |place: &str, reason: String| {
        let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
        Error::usage_with_help(format!("{file}: {place}{reason}"), format!("inputs are {FORM}"))
    };
    let (list, before) = match &document {
        Value::Array(list) => (list, ""),
        Value::Object(object) => match object.get("tests") {
            Some(Value::Array(list)) => (list, "tests"),
            _ => return Err(wrong("", "there is no list of inputs in it".to_string())),
        },
        _ => return Err(wrong("", "there is no list of inputs in it".to_string())),
    };
    let mut all = Vec::new();
    for (number, element) in list.iter().enumerate() {
        let mut place = format!("{before}[{number}]");
        let Value::Object(mut object) = element.clone() else {
            return Err(wrong(&place, format!("an object with the names of inputs is needed, not {}", kind(element))));
        };
        let mut name = format!("input {}", number + 1);
        // The tests of `pct test --json` have their inputs one level deeper.
        if let (Some(Value::Object(inner)), None) = (object.get("inputs"), variable(subject, "inputs")) {
            if let Some(Value::String(given)) = object.get("name") {
                name.clone_from(given);
            }
            place.push_str(".inputs");
            object = inner.clone();
        }
        let mut making = Making { subject, inputs: Inputs::default() };
        making.all(&object, &place).map_err(|Wrong { place, reason }| wrong(&place, reason))?;
        all.push((name, making.inputs));
    }
    Ok(all)
}

/// The error for a text that is no JSON, with the place underlined.
fn not_json(file: &str, text: &str, error: &serde_json::Error) -> Error {
    let line_start: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let offset = (line_start + error.column().saturating_sub(1)).min(text.len());
    let offset = (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let length = text[offset..].chars().next().map_or(0, char::len_utf8);
    Error::Predicate(Box::new(Located {
        message: format!("{file} is not JSON: {error}"),
        source_code: NamedSource::new(file, text.into()),
        span: SourceSpan::from((offset, length)),
        label: "here".to_string(),
        help: Some(format!("inputs are {FORM}")),
    }))
}

/// What is wrong, and where.
struct Wrong {
    place: String,
    reason: String,
}

fn wrong<T>(place: &str, reason: impl Into<String>) -> std::result::Result<T, Wrong> {
    Err(Wrong { place: place.to_string(), reason: reason.into() })
}

type Made<T> = std::result::Result<T, Wrong>;

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A parameter of the function, or a global.
fn variable(subject: Subject<'_>, name: &str) -> Option<VarId> {
    let is_it = |id: &VarId| subject.cfg.variables[id.index()].name == name;
    let globals = subject.program.globals.iter().map(|global| global.variable);
    let globals = globals.filter(|id| subject.program.variable(*id).role == Role::Global);
    subject.cfg.parameters.iter().copied().chain(globals).find(is_it)
}

/// The making of the inputs of one test.
struct Making<'a> {
    subject: Subject<'a>,
    inputs: Inputs,
}

impl Making<'_> {
    fn all(&mut self, object: &Map<String, Value>, place: &str) -> Made<()> {
        for (name, value) in object {
            let place = format!("{place}.{name}");
            match variable(self.subject, name) {
                Some(id) => {
                    let ty = self.subject.cfg.variables[id.index()].ty.clone();
                    let mut image = Image { bytes: vec![0; self.size(&ty, &place)? as usize], ..Image::default() };
                    self.value(&ty, value, &mut image, 0, &place)?;
                    self.inputs.variables.insert(id, image);
                }
                None if name == "answers" => self.answers(value, &place)?,
                None => {
                    let mut reason =
                        format!("`{}` has no such parameter, and there is no such global", self.function());
                    let known = self.subject.cfg.parameters.iter();
                    let known: Vec<&str> =
                        known.map(|id| self.subject.cfg.variables[id.index()].name.as_str()).collect();
                    if !known.is_empty() {
                        let _ = write!(reason, "; its parameters are {}", known.join(", "));
                    }
                    return wrong(&place, reason);
                }
            }
        }
        Ok(())
    }

    fn function(&self) -> &str {
        &self.subject.cfg.function
    }

    fn size(&self, ty: &Type, place: &str) -> Made<u64> {
        match size_of(&self.subject.cfg.records, ty) {
            Some((size, _)) if size <= MAX_BYTES => Ok(size),
            _ => wrong(place, "a value of this type cannot be given, for its size is not known"),
        }
    }

    fn display(&self, ty: &Type) -> String {
        ty.display(&self.subject.cfg.records).to_string()
    }

    /// Writes a value of a type into an image.
    fn value(&mut self, ty: &Type, value: &Value, image: &mut Image, at: u64, place: &str) -> Made<()> {
        match ty.plain() {
            Type::Int(kind) => {
                let number = self.integer(ty, kind.least(), kind.greatest(), value, place)?;
                put(image, at * 8, (kind.size() * 8) as u32, number as u64);
                Ok(())
            }
            Type::Float(kind) => self.float(ty, *kind, value, image, at, place),
            Type::Pointer(target) => self.pointer(target, value, image, at, place),
            Type::Array(element, Length::Fixed(count)) => self.array(element, *count, value, image, at, place),
            Type::Record(_) => self.record(ty, value, image, at, place),
            _ => wrong(place, format!("a value of type {} cannot be given", self.display(ty))),
        }
    }

    fn integer(&self, ty: &Type, least: i128, greatest: i128, value: &Value, place: &str) -> Made<i128> {
        let number = match value {
            Value::Number(number) => number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from)),
            Value::Bool(value) if ty.int_kind() == Some(IntKind::Bool) => Some(i128::from(*value)),
            _ => None,
        };
        let Some(number) = number else {
            let what = if value.is_number() { format!("{value}") } else { kind(value).to_string() };
            return wrong(place, format!("a whole number is needed for {}, not {what}", self.display(ty)));
        };
        if number < least || number > greatest {
            return wrong(place, format!("{number} does not fit into {} ({least} to {greatest})", self.display(ty)));
        }
        Ok(number)
    }

    fn float(&self, ty: &Type, size: FloatKind, value: &Value, image: &mut Image, at: u64, place: &str) -> Made<()> {
        let number = match value {
            Value::Number(number) => number.as_f64(),
            Value::String(word) => match word.as_str() {
                "NAN" => Some(f64::NAN),
                "INFINITY" => Some(f64::INFINITY),
                "-INFINITY" => Some(f64::NEG_INFINITY),
                _ => None,
            },
            _ => None,
        };
        match (number, size) {
            (Some(number), FloatKind::Float) => put(image, at * 8, 32, u64::from((number as f32).to_bits())),
            (Some(number), FloatKind::Double) => put(image, at * 8, 64, number.to_bits()),
            (Some(_), FloatKind::LongDouble) => return wrong(place, "a value of type long double cannot be given"),
            (None, _) => {
                let reason = "or \"NAN\", \"INFINITY\", \"-INFINITY\"";
                return wrong(
                    place,
                    format!("a number is needed for {}, {reason}; not {}", self.display(ty), kind(value)),
                );
            }
        }
        Ok(())
    }

    fn array(
        &mut self,
        element: &Type,
        count: u64,
        value: &Value,
        image: &mut Image,
        at: u64,
        place: &str,
    ) -> Made<()> {
        let elements = self.elements(element, value, place)?;
        if elements.len() as u64 > count {
            return wrong(place, format!("{} elements are given, but the array has {count}", elements.len()));
        }
        let size = self.size(element, place)?;
        for (index, value) in elements.iter().enumerate() {
            self.value(element, value, image, at + index as u64 * size, &format!("{place}[{index}]"))?;
        }
        Ok(())
    }

    /// The elements that a list, or a string, stands for.
    fn elements(&self, element: &Type, value: &Value, place: &str) -> Made<Vec<Value>> {
        match value {
            Value::Array(elements) => Ok(elements.clone()),
            Value::String(text) if element.int_kind().is_some_and(|kind| kind.size() == 1) => {
                let is_signed = element.int_kind().is_some_and(IntKind::is_signed);
                let byte = |byte: u8| if is_signed { Value::from(byte as i8) } else { Value::from(byte) };
                Ok(text.bytes().chain([0]).map(byte).collect())
            }
            Value::Object(_) if matches!(element.plain(), Type::Record(_)) => Ok(vec![value.clone()]),
            _ => wrong(place, format!("a list of {} is needed, not {}", self.display(element), kind(value))),
        }
    }

    fn pointer(&mut self, target: &Type, value: &Value, image: &mut Image, at: u64, place: &str) -> Made<()> {
        let address = match value {
            Value::Null => return Ok(()),
            Value::String(text) if text.starts_with('&') => {
                let Some(id) = variable(self.subject, &text[1..]) else {
                    let reason = format!("there is no global `{}`; what is shared, or lies inside", &text[1..]);
                    return wrong(place, format!("{reason}, is kept by `pct test -o DIR`, for --tests DIR"));
                };
                Address::Variable(id, 0)
            }
            Value::String(text) if matches!(target.plain(), Type::Function(_)) => {
                let taken = self.subject.program.address_taken.iter().copied();
                let found = taken.into_iter().find(|id: &FunctionId| self.subject.program.function(*id).name == *text);
                let Some(found) = found else {
                    return wrong(place, format!("`{text}` is no function whose address the program takes"));
                };
                Address::Function(found)
            }
            _ => Address::Object(self.object(target, value, place)?, 0),
        };
        image.addresses.insert(at, address);
        Ok(())
    }

    /// A new object that holds these elements.
    fn object(&mut self, target: &Type, value: &Value, place: &str) -> Made<usize> {
        let elements = self.elements(target, value, place)?;
        let size = self.size(target, place)?.max(1);
        let padding = PADDING.min(MAX_BYTES / 16 / size).max(1);
        let length = elements.len() as u64;
        if (length + 2 * padding).checked_mul(size).is_none_or(|bytes| bytes > MAX_BYTES) {
            return wrong(place, format!("{length} elements are too many"));
        }
        let number = self.inputs.objects.len();
        let name = place.rsplit_once("].").map_or(place, |(_, name)| name).trim_start_matches("inputs.").to_string();
        let empty = Image { bytes: vec![0; ((length + 2 * padding) * size) as usize], ..Image::default() };
        // What the elements point to comes behind it.
        self.inputs.objects.push(Object {
            name,
            ty: target.clone(),
            first: -(padding as i64),
            length: Some(length),
            image: Image::default(),
        });
        let mut image = empty;
        for (index, value) in elements.iter().enumerate() {
            let at = (padding + index as u64) * size;
            self.value(target, value, &mut image, at, &format!("{place}[{index}]"))?;
        }
        self.inputs.objects[number].image = image;
        Ok(number)
    }

    fn record(&mut self, ty: &Type, value: &Value, image: &mut Image, at: u64, place: &str) -> Made<()> {
        let Value::Object(members) = value else {
            return wrong(place, format!("an object is needed for {}, not {}", self.display(ty), kind(value)));
        };
        let Type::Record(id) = ty.plain() else {
            return wrong(place, "a struct is needed");
        };
        let fields = self.subject.cfg.records[id.index()].fields.clone().unwrap_or_default();
        for (name, value) in members {
            let place = format!("{place}.{name}");
            let Some(field) = fields.iter().find(|field| field.name == *name) else {
                let known: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
                let known = known.join(", ");
                return wrong(&place, format!("{} has no such member; its members are {known}", self.display(ty)));
            };
            match (field.bits, field.ty.int_kind()) {
                (Some((first, width)), Some(kind)) => {
                    let magnitude = 1_i128 << (width - u32::from(kind.is_signed())).min(64);
                    let least = if kind.is_signed() { -magnitude } else { 0 };
                    let number = self.integer(&field.ty, least, magnitude - 1, value, &place)?;
                    put(image, (at + field.offset) * 8 + u64::from(first), width, number as u64);
                }
                _ => self.value(&field.ty, value, image, at + field.offset, &place)?,
            }
        }
        Ok(())
    }

    /// What the environment answers: `[{"from": "read()", "bits": 3}]`.
    fn answers(&mut self, value: &Value, place: &str) -> Made<()> {
        let Value::Array(answers) = value else {
            return wrong(place, format!("a list is needed, not {}", kind(value)));
        };
        for (index, answer) in answers.iter().enumerate() {
            let place = format!("{place}[{index}]");
            let (Some(from), Some(bits)) =
                (answer.get("from").and_then(Value::as_str), answer.get("bits").and_then(Value::as_u64))
            else {
                return wrong(&place, "an answer is an object such as {\"from\": \"f()\", \"bits\": 3}");
            };
            let calls = self.subject.program.environment.iter().map(|(name, does)| {
                let size = match does {
                    Environment::Answers(ty) => size_of(&self.subject.cfg.records, ty).map_or(0, |(size, _)| size),
                    Environment::Ends => 0,
                };
                (Source::Call(name.clone()), size)
            });
            let mut known = calls.chain([(Source::Volatile, 8), (Source::Allocation, 1)]);
            let Some((source, size)) = known.find(|(source, _)| source_name(source) == from) else {
                return wrong(&place, format!("`{from}` is nothing that the environment answers for"));
            };
            let bytes = bits.to_le_bytes()[..(size as usize).min(8)].to_vec();
            self.inputs.answers.push(Answered { source, image: Image { bytes, ..Image::default() } });
        }
        Ok(())
    }
}

/// Writes the low bits of a number.
fn put(image: &mut Image, first: u64, width: u32, number: u64) {
    for position in 0..u64::from(width.min(64)) {
        let at = first + position;
        if let Some(byte) = image.bytes.get_mut((at / 8) as usize) {
            let bit = 1 << (at % 8);
            *byte = if number >> position & 1 == 1 { *byte | bit } else { *byte & !bit };
        }
    }
}
