//! The suite in the exchange format of Test-Comp (test-format 1.1): `metadata.xml`, and an XML file for each test.
//!
//! The values of a test are those of the `__VERIFIER_nondet_*` calls in the order in which the run makes them. The format
//! knows no other inputs; the values of parameters stand before them, by their scalars in the order of memory, with the
//! name of each as the attribute `variable`.

use std::io::Cursor;
use std::time::{Duration, SystemTime};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::{Kept, hash, spell};
use crate::cfg::Cfg;
use crate::error::{Error, Result};
use crate::execution::End;
use crate::program::{Environment, Role, Source};
use crate::report::tests::test_name;
use crate::testgen::inputs::{Address, Inputs};
use crate::testgen::value::{self, Value};

/// All files by their name in the folder.
pub(super) fn render(kept: &Kept<'_>) -> Result<Vec<(String, Vec<u8>)>> {
    let source = kept.source();
    let bytes = std::fs::read(source).map_err(|error| Error::Unreadable {
        path: source.display().to_string(),
        reason: error.to_string(),
        help: None,
    })?;
    let mut files = vec![("metadata.xml".to_string(), metadata(kept, &hash(&bytes)))];
    for number in 0..kept.campaign.tests.len() {
        files.push((format!("{}.xml", test_name(number)), testcase(kept, number)));
    }
    Ok(files)
}

fn metadata(kept: &Kept<'_>, hash: &str) -> Vec<u8> {
    let function = &kept.observed.cfg.function;
    let elements = [
        ("sourcecodelang", "C".to_string()),
        ("producer", format!("pct {}", env!("CARGO_PKG_VERSION"))),
        ("specification", format!("COVER( init({function}()), FQL(COVER EDGES(@DECISIONEDGE)) )")),
        ("programfile", kept.source().display().to_string()),
        ("programhash", hash.to_string()),
        ("entryfunction", function.clone()),
        ("architecture", "64bit".to_string()),
        ("creationtime", creation_time()),
    ];
    document("test-metadata", |writer| {
        writer.create_element("test-metadata").write_inner_content(|writer| {
            for (name, text) in &elements {
                writer.create_element(*name).write_text_content(BytesText::new(text))?;
            }
            Ok(())
        })?;
        Ok(())
    })
}

fn testcase(kept: &Kept<'_>, number: usize) -> Vec<u8> {
    let ran = &kept.campaign.tests[number];
    let inputs = values(kept, &ran.test.inputs);
    let goes_wrong = matches!(ran.run.as_ref().map(|run| &run.end), Some(End::Wrong(_)));
    document("testcase", |writer| {
        let mut element = writer.create_element("testcase");
        if goes_wrong {
            element = element.with_attribute(("coversError", "true"));
        }
        element.write_inner_content(|writer| {
            for (variable, ty, value) in &inputs {
                let mut element = writer.create_element("input");
                if !variable.is_empty() {
                    element = element.with_attribute(("variable", variable.as_str()));
                }
                element.with_attribute(("type", ty.as_str())).write_text_content(BytesText::new(value))?;
            }
            Ok(())
        })?;
        Ok(())
    })
}

/// A document with its first lines. Writing into memory does not fail.
fn document(root: &str, content: impl FnOnce(&mut Writer<Cursor<Vec<u8>>>) -> std::io::Result<()>) -> Vec<u8> {
    let mut writer = Writer::new_with_indent(Cursor::new(Vec::new()), b' ', 2);
    let kind = format!(
        "{root} PUBLIC \"+//IDN sosy-lab.org//DTD test-format {root} 1.1//EN\" \
         \"https://sosy-lab.org/test-format/{root}-1.1.dtd\""
    );
    let _ = writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), Some("no"))));
    let _ = writer.write_event(Event::DocType(BytesText::from_escaped(kind)));
    let _ = content(&mut writer);
    let mut bytes = writer.into_inner().into_inner();
    bytes.push(b'\n');
    bytes
}

/// Name, type and value of each input, in order. The names of calls are left out: their order says all.
fn values(kept: &Kept<'_>, inputs: &Inputs) -> Vec<(String, String, String)> {
    let cfg = kept.observed.cfg;
    let mut all = Vec::new();
    for (variable, image) in &inputs.variables {
        let info = &cfg.variables[variable.index()];
        if info.role == Role::Parameter {
            let value = value::read(&cfg.records, &info.ty, image, 0);
            scalars(cfg, inputs, &info.name, &value, &mut Vec::new(), &mut all);
        }
    }
    for answer in &inputs.answers {
        let Source::Call(name) = &answer.source else {
            continue;
        };
        if !name.starts_with("__VERIFIER_nondet_") {
            continue;
        }
        if let Some(Environment::Answers(ty)) = kept.observed.program.environment.get(name) {
            let value = value::read(&cfg.records, ty, &answer.image, 0);
            scalars(cfg, inputs, "", &value, &mut Vec::new(), &mut all);
        }
    }
    all
}

fn scalars(
    cfg: &Cfg,
    inputs: &Inputs,
    name: &str,
    value: &Value,
    shown: &mut Vec<usize>,
    all: &mut Vec<(String, String, String)>,
) {
    match value {
        Value::Int(number, kind) => all.push((name.to_string(), kind.c_name().to_string(), number.to_string())),
        Value::Float(number, kind) => {
            let text = spell::float(*number, *kind);
            all.push((name.to_string(), kind.c_name().to_string(), text.trim_end_matches('f').to_string()));
        }
        Value::Pointer(Some(Address::Object(number, 0))) if !shown.contains(number) => {
            shown.push(*number);
            let object = &inputs.objects[*number];
            let size = crate::program::size_of(&cfg.records, &object.ty).map_or(1, |(size, _)| size.max(1));
            let before = object.first.unsigned_abs();
            let there = (object.image.bytes.len() as u64 / size).saturating_sub(before);
            for index in 0..object.length.unwrap_or(there).min(there) {
                let element = value::read(&cfg.records, &object.ty, &object.image, (before + index) * size);
                scalars(cfg, inputs, &format!("{name}[{index}]"), &element, shown, all);
            }
        }
        Value::Pointer(_) => all.push((name.to_string(), "pointer".to_string(), "0".to_string())),
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                scalars(cfg, inputs, &format!("{name}[{index}]"), value, shown, all);
            }
        }
        Value::Record(members) => {
            for (member, value) in members {
                scalars(cfg, inputs, &format!("{name}.{member}"), value, shown, all);
            }
        }
        Value::Opaque => {}
    }
}

/// Now, or what `SOURCE_DATE_EPOCH` says, as in `2026-01-31T12:00:00Z`.
fn creation_time() -> String {
    let told =
        std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs);
    let now = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    date(told.unwrap_or_else(now).as_secs())
}

/// The date of a number of seconds after 1970, by counting years of 365 or 366 days.
fn date(seconds: u64) -> String {
    let (mut days, second) = (seconds / 86_400, seconds % 86_400);
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) && year < 9999 {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while month < 11 && days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!("{year:04}-{:02}-{:02}T{hour:02}:{minute:02}:{:02}Z", month + 1, days + 1, second % 60)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_704_067_199, "2023-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }
}
