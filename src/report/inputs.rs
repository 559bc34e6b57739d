//! The inputs of a test as people read them: `a = {1, -7, 3, 0}, n = 4`.

use crate::cfg::Cfg;
use crate::program::{Environment, FloatKind, IntKind, Program, Source, VarId, size_of};
use crate::testgen::inputs::{Address, Answered, Inputs, Object};
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

/// What one variable holds; `None` if the inputs do not say.
pub fn variable(cfg: &Cfg, inputs: &Inputs, variable: VarId) -> Option<String> {
    let image = inputs.variables.get(&variable)?;
    let value = value::read(&cfg.records, &cfg.variables[variable.index()].ty, image, 0);
    Some(text(cfg, inputs, &value, &mut Vec::new()))
}

/// An answer of the environment, as a number of the type that is asked for; its bits, if it is none.
pub fn answer(program: &Program, answer: &Answered) -> String {
    let ty = match &answer.source {
        Source::Call(name) => program.environment.get(name),
        _ => None,
    };
    if let Some(Environment::Answers(ty)) = ty {
        match value::read(&program.records, ty, &answer.image, 0) {
            Value::Int(number, kind) => return integer(number, kind),
            Value::Float(number, kind) => return float(number, kind),
            _ => {}
        }
    }
    let bytes: Vec<String> = answer.image.bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
    format!("0x{}", bytes.concat())
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
            let size = object_size(cfg, object) as i64;
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
    let last = last_shown(cfg, object, first);
    let mut parts: Vec<String> = (first..last)
        .take(MAX_SHOWN)
        .filter_map(|index| Some(text(cfg, inputs, &element(cfg, object, index)?, shown)))
        .collect();
    if last - first > MAX_SHOWN as i64 {
        parts.push("…".to_string());
    }
    let mut line = format!("{{{}}}", parts.join(", "));
    let end = object.first + (object.image.bytes.len() as u64 / object_size(cfg, object)) as i64;
    for index in (object.first..first).chain(last..end) {
        if let Some(value) = element(cfg, object, index).filter(|value| !value.is_zero()) {
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

/// All inputs as JSON: parameters and globals by name; what the environment answers, in order, under `"answers"`.
pub fn json(cfg: &Cfg, inputs: &Inputs) -> serde_json::Value {
    let mut all = serde_json::Map::new();
    for (variable, image) in &inputs.variables {
        let info = &cfg.variables[variable.index()];
        let value = value::read(&cfg.records, &info.ty, image, 0);
        all.insert(info.name.clone(), json_value(cfg, inputs, &value, &mut Vec::new()));
    }
    if !inputs.answers.is_empty() {
        let answer = |answer: &Answered| {
            let number = answer.image.bytes.iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
            serde_json::json!({ "from": super::source_name(&answer.source), "bits": number })
        };
        all.insert("answers".to_string(), inputs.answers.iter().map(answer).collect());
    }
    serde_json::Value::Object(all)
}

fn json_value(cfg: &Cfg, inputs: &Inputs, value: &Value, shown: &mut Vec<usize>) -> serde_json::Value {
    match value {
        Value::Int(number, _) => match (i64::try_from(*number), u64::try_from(*number)) {
            (Ok(number), _) => number.into(),
            (_, Ok(number)) => number.into(),
            _ => number.to_string().into(),
        },
        Value::Float(number, kind) => match number.is_finite() {
            true => (*number).into(),
            false => float(*number, *kind).into(),
        },
        Value::Pointer(None) => serde_json::Value::Null,
        Value::Pointer(Some(Address::Object(number, byte))) => {
            let object = &inputs.objects[*number];
            let size = object_size(cfg, object) as i64;
            if shown.contains(number) || byte % size != 0 {
                return format!("&{}{}", object.name, behind(*byte)).into();
            }
            shown.push(*number);
            let first = byte / size;
            let last = last_shown(cfg, object, first);
            (first..last)
                .filter_map(|index| element(cfg, object, index))
                .map(|e| json_value(cfg, inputs, &e, shown))
                .collect()
        }
        Value::Pointer(Some(_)) | Value::Opaque => text(cfg, inputs, value, shown).into(),
        Value::Array(elements) => elements.iter().map(|e| json_value(cfg, inputs, e, shown)).collect(),
        Value::Record(members) => serde_json::Value::Object(
            members.iter().map(|(name, member)| (name.clone(), json_value(cfg, inputs, member, shown))).collect(),
        ),
    }
}

fn object_size(cfg: &Cfg, object: &Object) -> u64 {
    size_of(&cfg.records, &object.ty).map_or(1, |(size, _)| size.max(1))
}

/// An element of an object, if it is laid out.
fn element(cfg: &Cfg, object: &Object, index: i64) -> Option<Value> {
    let size = object_size(cfg, object);
    let position = u64::try_from(index - object.first).ok()?;
    let is_there = (position + 1) * size <= object.image.bytes.len() as u64;
    is_there.then(|| value::read(&cfg.records, &object.ty, &object.image, position * size))
}

/// Behind the last element that is shown: all that the object has, or as far as something is not zero.
fn last_shown(cfg: &Cfg, object: &Object, first: i64) -> i64 {
    if let Some(length) = object.length {
        return first.max(length as i64);
    }
    let end = object.first + (object.image.bytes.len() as u64 / object_size(cfg, object)) as i64;
    let used = (first..end).rev().find(|index| element(cfg, object, *index).is_some_and(|value| !value.is_zero()));
    used.map_or(first + 1, |index| index + 1)
}
