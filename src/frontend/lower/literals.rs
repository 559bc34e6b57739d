//! Constants of C: integers with the type their base and suffix give them, characters, strings.

use lang_c::ast;
use lang_c::span::Span as RawSpan;

use super::Lowering;
use crate::error::Result;
use crate::program::{Expr, ExprKind, FloatKind, IntKind, Type};

impl Lowering<'_> {
    pub(super) fn literal(&self, constant: &ast::Constant, span: RawSpan) -> Result<Expr> {
        match constant {
            ast::Constant::Integer(integer) => self.integer_literal(integer, span),
            ast::Constant::Character(text) => {
                let value = characters(text)
                    .and_then(|bytes| bytes.first().copied())
                    .ok_or_else(|| self.unsupported(span, format!("the character constant {text}"), ""))?;
                // A plain character constant is an int with the value of a (signed) char.
                Ok(Expr::constant(IntKind::Char.wrap(i128::from(value)), IntKind::Int))
            }
            ast::Constant::Float(float) => self.float_literal(float, span),
        }
    }

    fn float_literal(&self, float: &ast::Float, span: RawSpan) -> Result<Expr> {
        use ast::FloatFormat as Format;
        if float.suffix.imaginary {
            return Err(self.unsupported(span, "an imaginary number", ""));
        }
        let kind = match &float.suffix.format {
            Format::Float => FloatKind::Float,
            Format::Double => FloatKind::Double,
            Format::TS18661Format(format) if format.width == 32 => FloatKind::Float,
            Format::TS18661Format(format) if format.width == 64 => FloatKind::Double,
            // Its value may have more digits than a double, and is not used.
            _ => FloatKind::LongDouble,
        };
        let value = match float.base {
            // A float is rounded once, from the text.
            ast::FloatBase::Decimal if kind == FloatKind::Float => float.number.parse::<f32>().ok().map(f64::from),
            ast::FloatBase::Decimal => float.number.parse::<f64>().ok(),
            ast::FloatBase::Hexadecimal => hexadecimal(&float.number),
        };
        let value = value.ok_or_else(|| self.unsupported(span, "this number", ""))?;
        Ok(Expr { kind: ExprKind::Float(value.to_bits()), ty: Type::Float(kind) })
    }

    /// C11 6.4.4.1: the first type of the list in which the value fits.
    fn integer_literal(&self, integer: &ast::Integer, span: RawSpan) -> Result<Expr> {
        let radix = match integer.base {
            ast::IntegerBase::Decimal => 10,
            ast::IntegerBase::Octal => 8,
            ast::IntegerBase::Hexadecimal => 16,
            ast::IntegerBase::Binary => 2,
        };
        // The parser may leave the octal zero out of the number: `0` is then empty.
        let digits = if integer.number.is_empty() { "0" } else { &integer.number };
        let value = i128::from_str_radix(digits, radix)
            .ok()
            .filter(|value| *value <= IntKind::ULong.greatest())
            .ok_or_else(|| self.invalid(span, "this number does not fit any type", ""))?;
        let (signed, unsigned): (&[IntKind], &[IntKind]) = match integer.suffix.size {
            ast::IntegerSize::Int => (&[IntKind::Int, IntKind::Long], &[IntKind::UInt, IntKind::ULong]),
            ast::IntegerSize::Long => (&[IntKind::Long], &[IntKind::ULong]),
            ast::IntegerSize::LongLong => (&[IntKind::LongLong], &[IntKind::ULongLong]),
        };
        let decimal = matches!(integer.base, ast::IntegerBase::Decimal);
        let mut candidates = Vec::new();
        for (s, u) in signed.iter().zip(unsigned) {
            if !integer.suffix.unsigned {
                candidates.push(*s);
            }
            if integer.suffix.unsigned || !decimal {
                candidates.push(*u);
            }
        }
        // gcc takes an unsigned type for what no type of the list holds.
        candidates.push(IntKind::ULong);
        let kind = candidates.into_iter().find(|kind| value <= kind.greatest()).expect("the value fits unsigned long");
        Ok(Expr::constant(value, kind))
    }
}

/// The value of `1.8p3`, if it needs no rounding.
fn hexadecimal(text: &str) -> Option<f64> {
    let text = text.trim_start_matches("0x").trim_start_matches("0X");
    let (mantissa, exponent) = text.split_once(['p', 'P'])?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok().filter(|digits| *digits < 1 << 53)?;
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(4 * i32::try_from(fraction.len()).ok()?)?;
    Some(digits as f64 * 2f64.powi(exponent))
}

/// The bytes of a character constant or string literal with its quotes and escapes; `None` if it has a prefix (wide
/// or Unicode) or an escape that C does not know.
pub(super) fn characters(literal: &str) -> Option<Vec<u8>> {
    let quote = literal.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let inner = literal.strip_prefix(quote)?.strip_suffix(quote)?;
    let mut bytes = Vec::new();
    let mut rest = inner.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            bytes.extend(c.to_string().bytes());
            continue;
        }
        let value: u32 = match rest.next()? {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' => 27,
            'x' => {
                let mut value: u32 = 0;
                while let Some(digit) = rest.peek().and_then(|c| c.to_digit(16)) {
                    value = value.checked_mul(16)?.checked_add(digit)?;
                    rest.next();
                }
                value
            }
            digit @ '0'..='7' => {
                let mut value = digit.to_digit(8)?;
                for _ in 0..2 {
                    let Some(digit) = rest.peek().and_then(|c| c.to_digit(8)) else {
                        break;
                    };
                    value = value * 8 + digit;
                    rest.next();
                }
                value
            }
            same @ ('\\' | '\'' | '"' | '?') => same as u32,
            _ => return None,
        };
        bytes.push(u8::try_from(value).ok()?);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::characters;

    #[test]
    fn escapes_have_their_values() {
        for (literal, bytes) in [
            ("'a'", &b"a"[..]),
            (r"'\n'", b"\n"),
            (r"'\0'", b"\0"),
            (r"'\x7f'", b"\x7f"),
            (r"'\377'", b"\xff"),
            (r#""a\tb\1012""#, b"a\tbA2"),
            (r"'\''", b"'"),
        ] {
            assert_eq!(characters(literal).as_deref(), Some(bytes), "{literal}");
        }
        assert_eq!(characters("L'a'"), None);
    }
}
