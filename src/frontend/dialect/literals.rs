//! Numbers, characters and strings that lang-c does not read: rewritten to the same values in C11.
//!
//! Bytes that are not ASCII become octal escapes, so that a literal has exactly the bytes that the compiler would see,
//! whatever the encoding of the file.

use super::Standard;
use super::token::Kind;

/// The stand-in for a byte that is not UTF-8: a character of a private range.
pub(in crate::frontend) fn stand_in(byte: u8) -> char {
    char::from_u32(0xf_0000 + u32::from(byte)).expect("it is in a private range")
}

/// The byte that a character stands in for.
pub(in crate::frontend) fn stood_for(character: char) -> Option<u8> {
    u8::try_from((character as u32).checked_sub(0xf_0000)?).ok()
}

/// The literal in C11, if it must be rewritten.
pub(super) fn rewrite(kind: Kind, literal: &str, standard: Standard) -> Option<String> {
    match kind {
        Kind::Number => number(literal),
        Kind::Text => string(literal),
        Kind::Character => character(literal, standard),
        Kind::Word | Kind::Punctuation => None,
    }
}

fn number(literal: &str) -> Option<String> {
    let mut plain: String = literal.chars().filter(|c| *c != '\'').collect();
    let hexadecimal = plain.starts_with("0x") || plain.starts_with("0X");
    let float = plain.contains('.') || (!hexadecimal && plain.contains(['e', 'E'])) || plain.contains(['p', 'P']);
    // GNU's suffixes of __float128 and __float80.
    if float && plain.ends_with(['q', 'Q']) {
        plain.replace_range(plain.len() - 1.., "F128");
    } else if float && plain.ends_with(['w', 'W']) {
        plain.replace_range(plain.len() - 1.., "L");
    }
    (plain != literal).then_some(plain)
}

/// How wide the characters of a literal are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Bytes,
    Wide,
}

/// Prefix, and the text between the quotes.
fn parts(literal: &str, quote: char) -> Option<(&str, &str, Width)> {
    let (prefix, rest) = literal.split_once(quote)?;
    let inner = rest.strip_suffix(quote)?;
    let width = if matches!(prefix, "" | "u8" | "R" | "u8R") { Width::Bytes } else { Width::Wide };
    Some((prefix, inner, width))
}

fn string(literal: &str) -> Option<String> {
    let (prefix, inner, width) = parts(literal, '"')?;
    if let Some(prefix) = prefix.strip_suffix('R') {
        let (delimiter, rest) = inner.split_once('(')?;
        let inner = rest.strip_suffix(delimiter)?.strip_suffix(')')?;
        let mut result = format!("{prefix}\"");
        for c in inner.chars() {
            match c {
                '\n' => result.push_str("\\n"),
                '"' | '\\' => result.extend(['\\', c]),
                c => push(&mut result, c, width, None, prefix),
            }
        }
        result.push('"');
        return Some(result);
    }
    let rewritten = escapes(prefix, '"', inner, width)?;
    (rewritten != literal).then_some(rewritten)
}

fn character(literal: &str, standard: Standard) -> Option<String> {
    let (prefix, inner, width) = parts(literal, '\'')?;
    let rewritten = escapes(prefix, '\'', inner, width)?;
    if prefix == "u8" {
        // C23 6.4.4.4: an unsigned char.
        let plain = rewritten.trim_start_matches("u8");
        let ty = if standard == Standard::C23 { "unsigned char" } else { "char" };
        return Some(format!("(({ty}){plain})"));
    }
    let values = if width == Width::Bytes { bytes(&rewritten) } else { None };
    match values.as_deref() {
        // What gcc and clang make of several characters: the bytes of an int, the first one highest.
        Some(many) if many.len() > 1 => {
            let value = many.iter().fold(0_u32, |value, byte| value << 8 | u32::from(*byte));
            Some(format!("((int){value}u)"))
        }
        _ => (rewritten != literal).then_some(rewritten),
    }
}

/// The literal with the escapes that lang-c knows; `None` if it is not closed.
fn escapes(prefix: &str, quote: char, inner: &str, width: Width) -> Option<String> {
    let mut result = format!("{prefix}{quote}");
    let mut rest = inner.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            push(&mut result, c, width, rest.peek().copied(), prefix);
            continue;
        }
        let escape = rest.next()?;
        match escape {
            'e' | 'E' => result.push_str("\\033"),
            'u' | 'U' => {
                let digits = if escape == 'u' { 4 } else { 8 };
                let number: String = rest.by_ref().take(digits).collect();
                let c = char::from_u32(u32::from_str_radix(&number, 16).ok()?)?;
                push(&mut result, c, width, rest.peek().copied(), prefix);
            }
            'x' | '0'..='7' | '\'' | '"' | '?' | '\\' | 'a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' => {
                result.extend(['\\', escape]);
            }
            // gcc and clang warn and take the character itself.
            other => push(&mut result, other, width, rest.peek().copied(), prefix),
        }
    }
    result.push(quote);
    Some(result)
}

/// Appends a character as it must be written in C11 for lang-c.
fn push(result: &mut String, c: char, width: Width, next: Option<char>, prefix: &str) {
    let octal = |result: &mut String, byte: u8| result.push_str(&format!("\\{byte:03o}"));
    match (stood_for(c), width) {
        _ if c.is_ascii() => result.push(c),
        (Some(byte), _) => octal(result, byte),
        (None, Width::Bytes) => {
            let mut buffer = [0; 4];
            for byte in c.encode_utf8(&mut buffer).bytes() {
                octal(result, byte);
            }
        }
        (None, Width::Wide) => {
            result.push_str(&format!("\\x{:x}", c as u32));
            // A digit that follows is not part of the number.
            if next.is_some_and(|next| next.is_ascii_hexdigit()) && result.contains('"') {
                result.push_str(&format!("\" {prefix}\""));
            }
        }
    }
}

/// The bytes of a character constant without prefix, whose escapes are those of C11.
fn bytes(literal: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = literal.strip_prefix('\'')?.strip_suffix('\'')?.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            bytes.push(u8::try_from(c).ok()?);
            continue;
        }
        let escape = rest.next()?;
        bytes.push(match escape {
            'a' => 7,
            'b' => 8,
            't' => 9,
            'n' => 10,
            'v' => 11,
            'f' => 12,
            'r' => 13,
            'x' => {
                let mut value = 0_u32;
                while let Some(digit) = rest.peek().and_then(|c| c.to_digit(16)) {
                    value = value.checked_mul(16)?.checked_add(digit)?;
                    rest.next();
                }
                u8::try_from(value).ok()?
            }
            '0'..='7' => {
                let mut value = escape.to_digit(8)?;
                for _ in 0..2 {
                    let Some(digit) = rest.peek().and_then(|c| c.to_digit(8)) else { break };
                    value = value * 8 + digit;
                    rest.next();
                }
                u8::try_from(value).ok()?
            }
            other => u8::try_from(other).ok()?,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_that_lang_c_reads_stay_as_they_are() {
        for (kind, literal) in [
            (Kind::Number, "0x1.8p3"),
            (Kind::Number, "0xeq"),
            (Kind::Number, "1.0f16"),
            (Kind::Text, r#""a\tb\x41\101""#),
            (Kind::Text, r#"L"a""#),
            (Kind::Text, "\"never closed"),
            (Kind::Character, r"'\''"),
            (Kind::Character, r"L'\x4e2d'"),
        ] {
            assert_eq!(rewrite(kind, literal, Standard::Older), None, "{literal}");
        }
    }

    #[test]
    fn other_literals_keep_their_value() {
        let latin = format!("\"{}\"", stand_in(0xe4));
        for (kind, literal, expected) in [
            (Kind::Number, "1'000'000u", "1000000u"),
            (Kind::Number, "1.5q", "1.5F128"),
            (Kind::Number, "0x1p3w", "0x1p3L"),
            (Kind::Text, r#""\e[0m""#, r#""\033[0m""#),
            (Kind::Text, r#""\u00e4b""#, r#""\303\244b""#),
            (Kind::Text, "\"ä\"", r#""\303\244""#),
            (Kind::Text, latin.as_str(), r#""\344""#),
            (Kind::Text, r#"L"\u00e4b""#, r#"L"\xe4" L"b""#),
            (Kind::Text, "R\"x(a\"\\\n)x\"", r#""a\"\\\n""#),
            (Kind::Character, "u8'x'", "((char)'x')"),
            (Kind::Character, "'ab'", "((int)24930u)"),
            (Kind::Character, r"'\377\0'", "((int)65280u)"),
            (Kind::Character, "L'ä'", r"L'\xe4'"),
        ] {
            assert_eq!(rewrite(kind, literal, Standard::Older).as_deref(), Some(expected), "{literal}");
        }
    }
}
