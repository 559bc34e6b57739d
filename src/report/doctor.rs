//! What `pct doctor` says, for people and for tools.

use miette::Diagnostic;
use serde::Serialize;

use crate::error::Error;
use crate::tools::{Diagnosis, Found, is_ready};

/// A line for each tool; below one that is missing, why, and what to do.
pub fn text(diagnoses: &[Diagnosis]) -> String {
    let rows: Vec<Row<'_>> = diagnoses.iter().map(Row::new).collect();
    let width = |column: usize| rows.iter().map(|row| row.cells()[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let mut text = String::new();
    for row in &rows {
        for (cell, width) in row.cells().into_iter().zip(widths) {
            text += &format!("{cell:width$}  ");
        }
        text += row.purpose;
        text += if row.necessary { " (necessary)\n" } else { "\n" };
        for line in [&row.problem, &row.help].into_iter().flatten() {
            text += &format!("{:width$}  {line}\n", "", width = widths[0]);
        }
    }
    text
}

/// The same as one JSON object.
pub fn json(diagnoses: &[Diagnosis]) -> String {
    let tools = diagnoses.iter().map(Row::new).collect();
    let document = Document { schema: "pct-doctor/1", ready: is_ready(diagnoses), tools };
    let mut text = serde_json::to_string_pretty(&document).expect("the document is plain data");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    /// Whether everything necessary is there.
    ready: bool,
    tools: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    necessary: bool,
    found: bool,
    version: Option<&'a str>,
    path: Option<String>,
    purpose: &'a str,
    /// Why it cannot be used.
    problem: Option<String>,
    /// What to do about it.
    help: Option<String>,
}

impl<'a> Row<'a> {
    fn new(diagnosis: &'a Diagnosis) -> Row<'a> {
        let Diagnosis { name, purpose, necessary, outcome } = diagnosis;
        let found: Option<&Found> = outcome.as_ref().ok();
        let error: Option<&Error> = outcome.as_ref().err();
        Row {
            name,
            necessary: *necessary,
            found: found.is_some(),
            version: found.map(|found| found.version.as_str()),
            path: found.map(|found| found.path.display().to_string()),
            purpose,
            problem: error.map(Error::to_string),
            help: error.and_then(|error| error.help()).map(|help| help.to_string()),
        }
    }

    /// Name, version and place.
    fn cells(&self) -> [&str; 3] {
        [self.name, self.version.unwrap_or("missing"), self.path.as_deref().unwrap_or("-")]
    }
}
