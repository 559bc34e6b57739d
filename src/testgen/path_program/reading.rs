//! The same path program with other bounds, and the values that CBMC found → the inputs of a test.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{BEFORE, BEHIND, Input, PathProgram};
use crate::cfg::Cfg;
use crate::program::{Expr, FloatKind, Length, Type, fold, size_of};
use crate::testgen::c_text::Printer;
use crate::testgen::cbmc::Value;
use crate::testgen::inputs::{Address, Answered, Image, Inputs, Object};

impl PathProgram {
    /// The program in which every access counts as inside its object.
    pub fn anywhere(&self) -> String {
        format!("#define PCT_ANYWHERE\n{}", self.text)
    }

    /// The program for inputs that are at most `size` from zero: short arrays, small numbers. `None` if there are no
    /// numbers among the inputs.
    pub fn small(&self, cfg: &Cfg, size: i128) -> Option<String> {
        let mut wishes = String::new();
        let mut wish = |name: &str, ty: &Type| {
            if let Some(kind) = ty.int_kind() {
                let (least, greatest) = (kind.least().max(-size), kind.greatest().min(size));
                let _ = writeln!(wishes, "    assume({least} <= {name} && {name} <= {greatest});  // small");
            }
        };
        for input in &self.inputs {
            match input {
                Input::Variable(variable, name) => wish(name, &cfg.variables[variable.index()].ty),
                Input::Answer(_, ty, name) => wish(name, ty),
                Input::Object { array, element, .. } => {
                    for index in 0..BEFORE + BEHIND {
                        wish(&format!("{array}[{index}]"), element);
                    }
                }
            }
        }
        let main = self.text.find("int main(void)")?;
        let behind = main + self.text[main..].find("\n\n")? + 1;
        (!wishes.is_empty()).then(|| [&self.text[..behind], &wishes, &self.text[behind..]].concat())
    }

    /// The inputs that CBMC found, as memory; `None` if it did not tell a value.
    pub fn inputs(&self, cfg: &Cfg, found: &[(String, Value)]) -> Option<Inputs> {
        let printer = Printer::new(&[], &cfg.records, &[]);
        let found: BTreeMap<&str, &Value> = found.iter().map(|(name, value)| (name.as_str(), value)).collect();
        let reader = Reader { records: printer.records(), found };
        let mut inputs = Inputs::default();
        for input in &self.inputs {
            match input {
                Input::Variable(variable, name) => {
                    let image = reader.image(&cfg.variables[variable.index()].ty, name)?;
                    inputs.variables.insert(*variable, image);
                }
                Input::Answer(source, ty, name) => {
                    let image = reader.image(ty, name)?;
                    inputs.answers.push(Answered { source: source.clone(), image });
                }
                Input::Object { parameter, array, null, element, scale } => {
                    let is_null =
                        null.as_ref().is_some_and(|null| reader.found.get(null.as_str()) == Some(&&Value::Integer(1)));
                    let mut image = Image { bytes: vec![0; 8], addresses: BTreeMap::new() };
                    if !is_null {
                        image.addresses.insert(0, Address::Object(inputs.objects.len(), 0));
                        let count = ((BEFORE + BEHIND) * scale) as u64;
                        let whole = Type::Array(std::sync::Arc::new(element.clone()), Length::Fixed(count));
                        inputs.objects.push(Object {
                            name: format!("*{}", cfg.variables[parameter.index()].name),
                            ty: element.clone(),
                            first: -BEFORE * scale,
                            length: None,
                            image: reader.image(&whole, array)?,
                        });
                    }
                    inputs.variables.insert(*parameter, image);
                }
            }
        }
        self.set_lengths(cfg, &mut inputs);
        Some(inputs)
    }

    /// How many elements objects have, where the user said so.
    fn set_lengths(&self, cfg: &Cfg, inputs: &mut Inputs) {
        for (parameter, length) in &cfg.lengths {
            let address = inputs.variables.get(parameter).and_then(|image| image.addresses.get(&0).copied());
            let Some(Address::Object(number, _)) = address else {
                continue;
            };
            let value = length.replaced(&mut |place| {
                let variable = place.as_variable()?;
                let kind = place.ty.int_kind()?;
                let value = match inputs.variables.get(&variable) {
                    Some(image) => crate::testgen::value::read(&cfg.records, &place.ty, image, 0),
                    None => crate::testgen::value::Value::Int(0, kind),
                };
                match value {
                    crate::testgen::value::Value::Int(value, kind) => Some(Expr::constant(value, kind)),
                    _ => None,
                }
            });
            if let Some(length) = fold(&value) {
                inputs.objects[number].length = u64::try_from(length.max(0)).ok();
            }
        }
    }
}

/// The values of a trace as memory.
struct Reader<'a> {
    records: &'a [crate::program::Record],
    found: BTreeMap<&'a str, &'a Value>,
}

impl Reader<'_> {
    fn image(&self, ty: &Type, name: &str) -> Option<Image> {
        let (size, _) = size_of(self.records, ty)?;
        let mut image = Image { bytes: vec![0; size as usize], addresses: BTreeMap::new() };
        self.read(ty, name, 0, None, &mut image)?;
        Some(image)
    }

    fn read(&self, ty: &Type, name: &str, byte: u64, bits: Option<(u32, u32)>, image: &mut Image) -> Option<()> {
        match ty.plain() {
            Type::Int(kind) => {
                let value = match self.found.get(name)? {
                    Value::Integer(value) => *value,
                    _ => return None,
                };
                let (first, width) = bits.unwrap_or((0, kind.size() as u32 * 8));
                write_bits(&mut image.bytes, byte * 8 + u64::from(first), width, value);
            }
            Type::Float(kind) => {
                let Value::Float(value) = self.found.get(name)? else {
                    return None;
                };
                let bits = match kind {
                    FloatKind::Float => i128::from((*value as f32).to_bits()),
                    FloatKind::Double => i128::from(value.to_bits()),
                    FloatKind::LongDouble => return None,
                };
                write_bits(&mut image.bytes, byte * 8, kind.width(), bits);
            }
            // A pointer that the path does not look at.
            Type::Pointer(_) => {}
            Type::Array(element, Length::Fixed(count)) => {
                let (size, _) = size_of(self.records, element)?;
                for index in 0..*count {
                    self.read(element, &format!("{name}[{index}]"), byte + index * size, None, image)?;
                }
            }
            Type::Record(id) => {
                let record = &self.records[id.index()];
                if record.is_union {
                    return None;
                }
                for field in record.fields.iter().flatten() {
                    self.read(&field.ty, &format!("{name}.{}", field.name), byte + field.offset, field.bits, image)?;
                }
            }
            _ => return None,
        }
        Some(())
    }
}

fn write_bits(bytes: &mut [u8], at: u64, width: u32, value: i128) {
    for bit in 0..width {
        let position = (at + u64::from(bit)) as usize;
        let mask = 1 << (position % 8);
        if value >> bit & 1 == 1 {
            bytes[position / 8] |= mask;
        } else {
            bytes[position / 8] &= !mask;
        }
    }
}
