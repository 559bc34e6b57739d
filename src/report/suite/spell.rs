//! Memory as C: bytes and addresses of a type → declarations, initialisers and assignments.
//!
//! What is written is exact: an image that its members do not express byte for byte (a union whose first member is not
//! all of it, a number that is no number, an address stored as an integer) is written as bytes instead, and if it holds
//! addresses besides, it is not written at all.

use std::collections::BTreeMap;

use crate::cfg::Cfg;
use crate::program::{Field, FloatKind, IntKind, Length, Program, Role, Type, VarId, size_of};
use crate::testgen::inputs::{Address, Image, Inputs};
use crate::testgen::value::{self, Value};

/// Longer arrays are written up to their last element that is not zero.
const WHOLE_ARRAY: usize = 64;

/// Objects with more parts are set to zero first, then their parts that are not.
const FEW_PARTS: usize = 8;

/// What names are looked up in.
pub(super) struct Speller<'a> {
    pub(super) program: &'a Program,
    pub(super) cfg: &'a Cfg,
    pub(super) inputs: &'a Inputs,
    /// The names of the objects, and how many elements lie before their element 0.
    pub(super) objects: Vec<(String, i64)>,
    /// The names of the parameters in the test.
    pub(super) parameters: BTreeMap<VarId, String>,
}

impl Speller<'_> {
    /// `name` declared with a type; `None` for types that have no name.
    pub(super) fn declare(&self, ty: &Type, name: &str) -> Option<String> {
        declare(self.program, ty, name)
    }

    /// Whether members express an image exactly.
    pub(super) fn is_exact(&self, ty: &Type, count: u64, image: &Image) -> bool {
        let Some((size, _)) = size_of(&self.cfg.records, ty) else {
            return false;
        };
        let mut covered = Image { bytes: vec![0; image.bytes.len()], addresses: BTreeMap::new() };
        for index in 0..count {
            self.cover(ty, image, index * size, &mut covered);
        }
        covered == *image
    }

    /// Copies what is expressed.
    fn cover(&self, ty: &Type, image: &Image, byte: u64, covered: &mut Image) {
        let copy = |from: u64, size: u64, covered: &mut Image| {
            for at in from..(from + size).min(image.bytes.len() as u64) {
                covered.bytes[at as usize] = image.bytes[at as usize];
            }
        };
        match ty.plain() {
            Type::Int(IntKind::Bool) if image.bytes.get(byte as usize).is_some_and(|value| *value > 1) => {}
            Type::Int(kind) => copy(byte, kind.size(), covered),
            Type::Float(kind @ (FloatKind::Float | FloatKind::Double)) => {
                let size = u64::from(kind.width() / 8);
                let bits = (0..size).rev().fold(0_u64, |bits, at| {
                    bits << 8 | u64::from(image.bytes.get((byte + at) as usize).copied().unwrap_or(0))
                });
                let is_written = match kind {
                    FloatKind::Float => !f32::from_bits(bits as u32).is_nan() || bits == 0x7fc0_0000,
                    _ => !f64::from_bits(bits).is_nan() || bits == 0x7ff8_0000_0000_0000,
                };
                if is_written {
                    copy(byte, size, covered);
                }
            }
            Type::Pointer(_) => {
                if let Some(address) = image.addresses.get(&byte)
                    && self.is_named(*address)
                {
                    covered.addresses.insert(byte, *address);
                }
            }
            Type::Array(element, Length::Fixed(count)) => {
                if let Some((size, _)) = size_of(&self.cfg.records, element) {
                    (0..*count).for_each(|index| self.cover(element, image, byte + index * size, covered));
                }
            }
            Type::Record(id) => {
                let record = &self.cfg.records[id.index()];
                let fields = record.fields.as_deref().unwrap_or_default();
                let written = if record.is_union { &fields[..fields.len().min(1)] } else { fields };
                for field in written {
                    match field.bits {
                        Some((first, width)) if !field.name.is_empty() => {
                            for bit in u64::from(first)..u64::from(first) + u64::from(width) {
                                let (at, mask) = ((byte + field.offset + bit / 8) as usize, 1 << (bit % 8));
                                covered.bytes[at] |= image.bytes[at] & mask;
                            }
                        }
                        Some(_) => {}
                        None => self.cover(&field.ty, image, byte + field.offset, covered),
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether a test can name where an address points.
    fn is_named(&self, address: Address) -> bool {
        match address {
            Address::Object(number, _) => number < self.objects.len(),
            Address::Variable(variable, _) => self.cfg.variables[variable.index()].role == Role::Global,
            Address::Function(_) => true,
        }
    }

    /// The elements of an image as an initialiser.
    pub(super) fn initializer(&self, ty: &Type, count: u64, image: &Image) -> String {
        let size = size_of(&self.cfg.records, ty).map_or(1, |(size, _)| size);
        let values = (0..count).map(|index| value::read(&self.cfg.records, ty, image, index * size)).collect();
        self.value(&Type::Array(std::sync::Arc::new(ty.clone()), Length::Fixed(count)), &Value::Array(values))
    }

    /// A value as an initialiser.
    pub(super) fn value(&self, ty: &Type, value: &Value) -> String {
        match (ty.plain(), value) {
            (_, Value::Int(number, kind)) => integer(*number, *kind),
            (_, Value::Float(number, kind)) => float(*number, *kind),
            (Type::Pointer(target), Value::Pointer(Some(address))) => self.address(target, *address),
            (_, Value::Pointer(_)) => "0".to_string(),
            (Type::Array(element, _), Value::Array(values)) => {
                let used = values.iter().rposition(|value| !value.is_zero()).map_or(1, |last| last + 1);
                let shown = if values.len() <= WHOLE_ARRAY { values.len() } else { used };
                let parts: Vec<String> = values[..shown].iter().map(|value| self.value(element, value)).collect();
                wrapped(&parts)
            }
            (Type::Record(_), Value::Record(_)) => {
                let mut members = Vec::new();
                self.members(ty, value, &mut members);
                if members.is_empty() { "{0}".to_string() } else { format!("{{{}}}", members.join(", ")) }
            }
            _ => "{0}".to_string(),
        }
    }

    /// `.member = value` for every member that is not zero.
    fn members(&self, ty: &Type, value: &Value, members: &mut Vec<String>) {
        for (field, value) in self.fields(ty).iter().zip(record_values(value)) {
            if value.is_zero() {
                continue;
            }
            // The members of an unnamed one are those of the whole.
            match field.name.is_empty() {
                true => self.members(&field.ty, value, members),
                false => members.push(format!(".{} = {}", field.name, self.value(&field.ty, value))),
            }
        }
    }

    fn fields(&self, ty: &Type) -> &[Field] {
        match ty.plain() {
            Type::Record(id) => self.cfg.records[id.index()].fields.as_deref().unwrap_or_default(),
            _ => &[],
        }
    }

    /// Statements that give `path` a value.
    pub(super) fn assignments(&self, path: &str, ty: &Type, value: &Value) -> Vec<String> {
        let mut all = Vec::new();
        self.parts(path, ty, value, &mut all);
        if all.len() <= FEW_PARTS {
            return all.into_iter().map(|(statement, _)| statement).collect();
        }
        let zero = format!("memset((void *)&{path}, 0, sizeof {path});");
        let set = all.into_iter().filter(|(_, is_zero)| !is_zero).map(|(statement, _)| statement);
        std::iter::once(zero).chain(set).collect()
    }

    fn parts(&self, path: &str, ty: &Type, value: &Value, all: &mut Vec<(String, bool)>) {
        match (ty.plain(), value) {
            (Type::Array(element, _), Value::Array(values)) => {
                for (index, value) in values.iter().enumerate() {
                    self.parts(&format!("{path}[{index}]"), element, value, all);
                }
            }
            (Type::Record(_), Value::Record(_)) => {
                for (field, value) in self.fields(ty).iter().zip(record_values(value)) {
                    match field.name.is_empty() {
                        true if field.bits.is_some() => {}
                        true => self.parts(path, &field.ty, value, all),
                        false => self.parts(&format!("{path}.{}", field.name), &field.ty, value, all),
                    }
                }
            }
            (_, Value::Opaque) => {}
            _ => all.push((format!("{path} = {};", self.value(ty, value)), value.is_zero())),
        }
    }

    /// A pointer to something of type `target`.
    pub(super) fn address(&self, target: &Type, address: Address) -> String {
        match address {
            Address::Object(number, byte) => {
                let object = &self.inputs.objects[number];
                let (name, before) = &self.objects[number];
                let size = size_of(&self.cfg.records, &object.ty).map_or(1, |(size, _)| size.max(1)) as i64;
                let is_same = target.plain() == object.ty.plain() || *target.plain() == Type::Void;
                match before + byte.div_euclid(size) {
                    _ if byte % size != 0 => format!("(void *)((char *)({name} + {before}) + {byte})"),
                    0 if is_same => name.clone(),
                    0 => format!("(void *){name}"),
                    index if is_same => format!("{name} + {index}"),
                    index => format!("(void *)({name} + {index})"),
                }
            }
            Address::Variable(variable, byte) => {
                let info = &self.cfg.variables[variable.index()];
                let name = self.parameters.get(&variable).unwrap_or(&info.name);
                let is_same = target.plain() == info.ty.plain();
                match (info.ty.plain(), byte) {
                    (_, 0) if is_same => format!("&{name}"),
                    (Type::Array(element, _), byte) if element.plain() == target.plain() => {
                        let size = size_of(&self.cfg.records, element).map_or(1, |(size, _)| size.max(1)) as i64;
                        match byte % size {
                            0 => format!("&{name}[{}]", byte / size),
                            _ => format!("(void *)((char *)&{name} + {byte})"),
                        }
                    }
                    (_, 0) => format!("(void *)&{name}"),
                    (_, byte) => format!("(void *)((char *)&{name} + {byte})"),
                }
            }
            Address::Function(function) => {
                let name = &self.cfg.functions[function.0 as usize].name;
                if name == "main" { super::test_file::RENAMED_MAIN.to_string() } else { name.clone() }
            }
        }
    }
}

fn record_values(value: &Value) -> impl Iterator<Item = &Value> {
    let members = if let Value::Record(members) = value { members.as_slice() } else { &[] };
    members.iter().map(|(_, value)| value)
}

/// A list in braces, in lines of a readable length.
fn wrapped(parts: &[String]) -> String {
    let length: usize = parts.iter().map(|part| part.len() + 2).sum();
    if length <= 90 {
        return format!("{{{}}}", parts.join(", "));
    }
    let mut text = String::from("{");
    let mut column = 0;
    for (index, part) in parts.iter().enumerate() {
        if column == 0 || column + part.len() > 100 {
            text.push_str("\n    ");
            column = 4;
        }
        text.push_str(part);
        if index + 1 < parts.len() {
            text.push_str(", ");
        }
        column += part.len() + 2;
    }
    text.push_str("\n  }");
    text.replace(", \n", ",\n")
}

/// An integer as C writes it, with a type that holds it.
pub(super) fn integer(number: i128, kind: IntKind) -> String {
    let suffix = match kind {
        IntKind::UInt => "u",
        IntKind::Long => "l",
        IntKind::ULong => "ul",
        IntKind::LongLong => "ll",
        IntKind::ULongLong => "ull",
        _ => return small(number, kind),
    };
    let suffix = if i32::try_from(number).is_ok() { "" } else { suffix };
    if number == i128::from(i64::MIN) {
        return format!("(-{}{suffix} - 1)", i64::MAX);
    }
    format!("{number}{suffix}")
}

fn small(number: i128, kind: IntKind) -> String {
    if number == i128::from(i32::MIN) {
        return format!("(-{} - 1)", i32::MAX);
    }
    super::super::inputs::integer(number, kind)
}

/// A floating-point number as C writes it; the shortest that is read back as the same.
pub(super) fn float(number: f64, kind: FloatKind) -> String {
    match kind {
        FloatKind::Float if number.is_finite() => format!("{:?}f", number as f32),
        _ => super::super::inputs::float(number, kind),
    }
}

/// `name` declared with a type; `None` for types that have no name.
pub(super) fn declare(program: &Program, ty: &Type, name: &str) -> Option<String> {
    let joined = |ty: &str| if name.is_empty() { ty.to_string() } else { format!("{ty} {name}") };
    match ty {
        Type::Void => Some(joined("void")),
        Type::Int(kind) => Some(joined(kind.c_name())),
        Type::Float(kind) => Some(joined(kind.c_name())),
        Type::Record(_) => record_name(program, ty).map(|ty| joined(&ty)),
        Type::Pointer(target) => match target.plain() {
            Type::Array(..) | Type::Function(_) => declare(program, target, &format!("(*{name})")),
            _ => declare(program, target, &format!("*{name}")),
        },
        Type::Array(element, Length::Fixed(count)) => declare(program, element, &format!("{name}[{count}]")),
        Type::Array(..) | Type::Unsupported(_) => None,
        Type::Function(signature) => {
            let parameters = match &signature.parameters {
                None => String::new(),
                Some(types) if types.is_empty() && !signature.is_variadic => "void".to_string(),
                Some(types) => {
                    let types: Option<Vec<String>> = types.iter().map(|ty| declare(program, ty, "")).collect();
                    types?.join(", ") + if signature.is_variadic { ", ..." } else { "" }
                }
            };
            declare(program, &signature.result, &format!("{name}({parameters})"))
        }
        Type::Qualified(qualifiers, plain) => {
            let words = match (qualifiers.is_const, qualifiers.is_volatile) {
                (true, true) => "const volatile ",
                (true, false) => "const ",
                (false, true) => "volatile ",
                (false, false) => "",
            };
            match plain.plain() {
                Type::Pointer(target) => match target.plain() {
                    Type::Array(..) | Type::Function(_) => declare(program, target, &format!("(*{words}{name})")),
                    _ => declare(program, target, &format!("*{words}{name}")),
                },
                _ => declare(program, plain, name).map(|text| format!("{words}{text}")),
            }
        }
    }
}

/// A tag, which is kept with the word `struct` or `union`, or a typedef.
fn record_name(program: &Program, ty: &Type) -> Option<String> {
    let names = program.tags.iter().chain(&program.typedefs);
    names.into_iter().find(|(_, known)| known.plain() == ty.plain()).map(|(name, _)| name.clone())
}

/// Whether something in it may not be assigned to.
pub(super) fn has_constant(cfg: &Cfg, ty: &Type) -> bool {
    match ty {
        Type::Qualified(qualifiers, plain) => qualifiers.is_const || has_constant(cfg, plain),
        Type::Array(element, _) => has_constant(cfg, element),
        Type::Record(id) => {
            let fields = cfg.records[id.index()].fields.as_deref().unwrap_or_default();
            fields.iter().any(|field| has_constant(cfg, &field.ty))
        }
        _ => false,
    }
}

/// A name that C allows, from any words.
pub(super) fn identifier(words: &str) -> String {
    let mut name: String = words.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    name = name.trim_matches('_').to_string();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert_str(0, "object");
    }
    name
}
