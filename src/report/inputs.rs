//! The inputs of a test as people read them: `a = {1, -7, 3, 0}, n = 4`.

use crate::cfg::Cfg;
use crate::program::{FloatKind, IntKind, VarId, size_of};
use crate::testgen::inputs::{Address, Inputs, Object};
use crate::testgen::value::{self, Value};

/// More elements of an array than this are not shown.
const MAX_SHOWN: usize = 16;

/// All inputs in one line.
pub fn line(cfg: &Cfg, inputs: &Inputs) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (variable, image) in &inputs.variables {
        let info = &cfg.variables[variable.index()];
        let value = value::read(&cfg.records, &info.ty, image, 0);
        parts.push(format!("{} = {}", info.name, text(cfg, inputs, &value, &mut Vec::new())));
    }
    for answer in &inputs.answers {
        let bytes: Vec<String> = answer.image.bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
        parts.push(format!("{}: 0x{}", super::source_name(&answer.source), bytes.concat()));
    }
    parts.join(", ")
}

/// A value; what pointers point to stands in its place, once.
fn text(cfg: &Cfg, inputs: &Inputs, value: &Value, shown: &mut Vec<usize>) -> String {
    match value {
        Value::Int(number, kind) => integer(*number, *kind),
        Value::Float(number, kind) => float(*number, *kind),
        Value::Pointer(None) => "NULL".to_string(),
        Value::Pointer(Some(Address::Function(function))) => cfg.functions[function.0 as usize].name.clone(),
        Value::Pointer(Some(Address::Variable(variable, byte))) => {
            format!("&{}{}", cfg.variables[variable.index()].name, behind(*byte))
        }
        Value::Pointer(Some(Address::Object(number, byte))) => {
            let object = &inputs.objects[*number];
            let size = size_of(&cfg.records, &object.ty).map_or(1, |(size, _)| size.max(1) as i64);
            if shown.contains(number) || byte % size != 0 {
                return format!("&{}{}", object.name, behind(*byte));
            }
            shown.push(*number);
            elements(cfg, inputs, object, byte / size, shown)
        }
        Value::Array(elements) => {
            let mut parts: Vec<String> =
                elements.iter().take(MAX_SHOWN).map(|element| text(cfg, inputs, element, shown)).collect();
            if elements.len() > MAX_SHOWN {
                parts.push("…".to_string());
            }
            format!("{{{}}}", parts.join(", "))
        }
        Value::Record(members) => {
            let members: Vec<String> = members
                .iter()
                .filter(|(_, member)| !member.is_zero())
                .map(|(name, member)| format!(".{name} = {}", text(cfg, inputs, member, shown)))
                .collect();
            if members.is_empty() { "{0}".to_string() } else { format!("{{{}}}", members.join(", ")) }
        }
        Value::Opaque => "?".to_string(),
    }
}

/// The elements of an object from `first` on: all that it has, or as far as something is not zero; and what is not zero in
/// the padding.
fn elements(cfg: &Cfg, inputs: &Inputs, object: &Object, first: i64, shown: &mut Vec<usize>) -> String {
    let size = size_of(&cfg.records, &object.ty).map_or(1, |(size, _)| size.max(1));
    let count = object.image.bytes.len() as u64 / size;
    let at = |index: i64| {
        let position = (index - object.first) as u64;
        (index >= object.first && position < count)
            .then(|| value::read(&cfg.records, &object.ty, &object.image, position * size))
    };
    let end = object.first + count as i64;
    let last = match object.length {
        Some(length) => first.max(length as i64),
        None => {
            let used = (first..end).rev().find(|index| at(*index).is_some_and(|value| !value.is_zero()));
            used.map_or(first + 1, |index| index + 1)
        }
    };
    let mut parts: Vec<String> =
        (first..last).take(MAX_SHOWN).filter_map(|index| Some(text(cfg, inputs, &at(index)?, shown))).collect();
    if last - first > MAX_SHOWN as i64 {
        parts.push("…".to_string());
    }
    let mut line = format!("{{{}}}", parts.join(", "));
    let around = (object.first..first).chain(last..end);
    for index in around {
        if let Some(value) = at(index).filter(|value| !value.is_zero()) {
            line.push_str(&format!(" [{index}]={}", text(cfg, inputs, &value, shown)));
        }
    }
    line
}

fn behind(byte: i64) -> String {
    match byte {
        0 => String::new(),
        byte => format!("{byte:+}"),
    }
}

/// An integer as C writes it.
pub fn integer(number: i128, kind: IntKind) -> String {
    let printable = u8::try_from(number).ok().filter(|byte| byte.is_ascii_graphic() && !matches!(byte, b'\'' | b'\\'));
    match (kind, printable) {
        (IntKind::Char, Some(byte)) => format!("'{}'", char::from(byte)),
        _ => number.to_string(),
    }
}

/// A floating-point number as C writes it.
pub fn float(number: f64, kind: FloatKind) -> String {
    let suffix = if kind == FloatKind::Float { "f" } else { "" };
    if number.is_nan() {
        "NAN".to_string()
    } else if number.is_infinite() {
        if number > 0.0 { "INFINITY".to_string() } else { "-INFINITY".to_string() }
    } else {
        format!("{number:?}{suffix}")
    }
}

/// The values of parameters and globals, by name.
pub fn names<'a>(cfg: &'a Cfg, inputs: &'a Inputs) -> impl Iterator<Item = (&'a str, VarId)> {
    inputs.variables.keys().map(|variable| (cfg.variables[variable.index()].name.as_str(), *variable))
}
