//! What the sanitizers write → what went wrong, and in which line.

use super::{Failure, FailureKind};
use crate::program::SourceMap;

/// The failure that a log tells of.
pub(super) fn parse(log: &str, sources: &SourceMap) -> Option<Failure> {
    for (number, line) in log.lines().enumerate() {
        if let Some((place, message)) = line.split_once(": runtime error: ") {
            let kind = undefined(message);
            let own = position(place, sources).or_else(|| frame(log.lines().skip(number), sources));
            return Some(Failure { kind, line: own, message: message.trim().to_string() });
        }
        if let Some((_, message)) = line.split_once("ERROR: AddressSanitizer: ") {
            let kind = memory(message);
            let place = frame(log.lines().skip(number), sources);
            return Some(Failure { kind, line: place, message: words(message).to_string() });
        }
    }
    None
}

/// The message without addresses, which differ from run to run.
fn words(message: &str) -> &str {
    let end = [" on address", " on unknown address", " (pc", ":"];
    let end = end.iter().filter_map(|stop| message.find(stop)).min().unwrap_or(message.len());
    message[..end].trim()
}

fn undefined(message: &str) -> FailureKind {
    let says = |words: &str| message.contains(words);
    if says("division by zero") {
        FailureKind::Division
    } else if says("shift exponent") || says("left shift") {
        FailureKind::Shift
    } else if says("out of bounds") || says("insufficient space") {
        FailureKind::Bounds
    } else if says("null pointer") {
        FailureKind::Null
    } else if says("outside the range") {
        FailureKind::OtherUndefined
    } else if says("integer overflow") || says("cannot be represented") {
        FailureKind::Overflow
    } else {
        FailureKind::OtherUndefined
    }
}

fn memory(message: &str) -> FailureKind {
    let says = |words: &str| message.contains(words);
    if says("stack-overflow") {
        FailureKind::StackOverflow
    } else if says("use-after-poison") {
        // The memory around an object of the test.
        FailureKind::Bounds
    } else if says("use-after") || says("double-free") || says("bad-free") {
        FailureKind::UseAfterFree
    } else if says("overflow") || says("underflow") || says("unknown-crash") {
        FailureKind::Bounds
    } else if says("SEGV on unknown address") {
        let address = message.split_once("address ").map_or("", |(_, rest)| rest);
        let digits = address.trim_start_matches("0x").split(|c: char| !c.is_ascii_hexdigit()).next().unwrap_or("");
        match u64::from_str_radix(digits, 16) {
            Ok(address) if address < 4096 => FailureKind::Null,
            _ => FailureKind::Bounds,
        }
    } else if says("FPE") {
        FailureKind::Division
    } else {
        FailureKind::OtherUndefined
    }
}

/// The innermost frame of a stack that is in a file of the user.
fn frame<'a>(lines: impl Iterator<Item = &'a str>, sources: &SourceMap) -> Option<(String, u32)> {
    for line in lines.skip_while(|line| !line.trim_start().starts_with('#')) {
        if !line.trim_start().starts_with('#') {
            return None;
        }
        let place = line.rsplit(' ').next().unwrap_or("");
        if let Some(found) = position(place, sources) {
            return Some(found);
        }
    }
    None
}

/// `file:line` or `file:line:column`, if it is a file of the user.
fn position(place: &str, sources: &SourceMap) -> Option<(String, u32)> {
    let mut name = place.trim();
    let mut numbers = Vec::new();
    while let Some((before, last)) = name.rsplit_once(':') {
        match last.parse::<u32>() {
            Ok(number) if numbers.len() < 2 => {
                numbers.push(number);
                name = before;
            }
            _ => break,
        }
    }
    let line = *numbers.last()?;
    let is_same = |known: &str| {
        let (known, name) = (std::path::Path::new(known), std::path::Path::new(name));
        known == name || name.ends_with(known) || known.ends_with(name) || {
            let (a, b) = (std::fs::canonicalize(known), std::fs::canonicalize(name));
            a.is_ok() && a.ok() == b.ok()
        }
    };
    let (known, _) = sources.files.iter().find(|(known, _)| !known.is_empty() && is_same(known))?;
    Some((known.clone(), line))
}
