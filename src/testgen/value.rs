//! Memory as values: [`Image`] and type → what a person would write.

use super::inputs::{Address, Image};
use crate::program::{FloatKind, IntKind, Length, Record, Type, size_of};

/// A value of C.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// An integer.
    Int(i128, IntKind),
    /// A floating-point number.
    Float(f64, FloatKind),
    /// A pointer; `None` is the null pointer.
    Pointer(Option<Address>),
    /// An array.
    Array(Vec<Value>),
    /// A struct, by members; of a union the first one.
    Record(Vec<(String, Value)>),
    /// Something without a value.
    Opaque,
}

impl Value {
    /// Whether all of it is zero.
    pub fn is_zero(&self) -> bool {
        match self {
            Value::Int(value, _) => *value == 0,
            Value::Float(value, _) => value.to_bits() == 0,
            Value::Pointer(address) => address.is_none(),
            Value::Array(elements) => elements.iter().all(Value::is_zero),
            Value::Record(members) => members.iter().all(|(_, member)| member.is_zero()),
            Value::Opaque => true,
        }
    }
}

/// The value of a type that stands at `byte` of an image.
pub fn read(records: &[Record], ty: &Type, image: &Image, byte: u64) -> Value {
    match ty.plain() {
        Type::Int(kind) => Value::Int(int(image, byte * 8, (kind.size() * 8) as u32, *kind), *kind),
        Type::Float(kind) => {
            if *kind == FloatKind::LongDouble {
                return Value::Opaque;
            }
            let bits = bits(image, byte * 8, kind.width());
            let value = match kind {
                FloatKind::Float => f64::from(f32::from_bits(bits as u32)),
                FloatKind::Double | FloatKind::LongDouble => f64::from_bits(bits),
            };
            Value::Float(value, *kind)
        }
        Type::Pointer(_) => Value::Pointer(image.addresses.get(&byte).copied()),
        Type::Array(element, Length::Fixed(count)) => {
            let Some((size, _)) = size_of(records, element) else {
                return Value::Opaque;
            };
            Value::Array((0..*count).map(|index| read(records, element, image, byte + index * size)).collect())
        }
        Type::Record(id) => {
            let record = &records[id.index()];
            let fields = record.fields.as_deref().unwrap_or_default();
            let shown = if record.is_union { &fields[..fields.len().min(1)] } else { fields };
            let member = |field: &crate::program::Field| {
                let value = match (field.bits, field.ty.plain()) {
                    (Some((bit, width)), Type::Int(kind)) => {
                        Value::Int(int(image, (byte + field.offset) * 8 + u64::from(bit), width, *kind), *kind)
                    }
                    _ => read(records, &field.ty, image, byte + field.offset),
                };
                (field.name.clone(), value)
            };
            Value::Record(shown.iter().map(member).collect())
        }
        _ => Value::Opaque,
    }
}

fn bits(image: &Image, first: u64, width: u32) -> u64 {
    (0..u64::from(width)).fold(0, |bits, position| {
        let at = first + position;
        let byte = image.bytes.get((at / 8) as usize).copied().unwrap_or(0);
        bits | u64::from(byte >> (at % 8) & 1) << position
    })
}

fn int(image: &Image, first: u64, width: u32, kind: IntKind) -> i128 {
    let value = i128::from(bits(image, first, width));
    let is_negative = kind.is_signed() && width > 0 && value >> (width - 1) & 1 == 1;
    if is_negative { value - (1 << width) } else { value }
}
