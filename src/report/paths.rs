//! The paths of a function (Figure 7 of the paper, first column): end points, and the states in between.

use std::fmt::Write;

use serde::Serialize;

use super::abstract_id;
use crate::abstraction::Abstraction;
use crate::cfg::Cfg;
use crate::config::Config;
use crate::paths::Path;

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    file: String,
    function: &'a str,
    paths: Vec<PathReport>,
}

#[derive(Serialize)]
struct PathReport {
    from: String,
    to: String,
    states: Vec<String>,
}

fn reports(cfg: &Cfg, abstraction: &Abstraction, observed: usize, paths: &[Path]) -> Vec<PathReport> {
    let report = |path: &Path| {
        let states: Vec<String> =
            path.states.iter().map(|state| abstract_id(cfg, abstraction, observed, *state)).collect();
        let (from, to) = (states.first().cloned().unwrap_or_default(), states.last().cloned().unwrap_or_default());
        PathReport { from, to, states }
    };
    paths.iter().map(report).collect()
}

/// The paths, one a line.
pub fn text(cfg: &Cfg, abstraction: &Abstraction, observed: usize, paths: &[Path]) -> String {
    let reports = reports(cfg, abstraction, observed, paths);
    let ends: Vec<String> = reports.iter().map(|path| format!("({}, {})", path.from, path.to)).collect();
    let width = ends.iter().map(|ends| ends.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (number, (path, ends)) in reports.iter().zip(&ends).enumerate() {
        let _ = writeln!(text, "{:3}  {ends:width$}  {}", number + 1, path.states.join(" → "));
    }
    text
}

/// The paths as one JSON object.
pub fn json(config: &Config, cfg: &Cfg, abstraction: &Abstraction, observed: usize, paths: &[Path]) -> String {
    let document = Document {
        schema: "pct-paths/1",
        file: config.file_name(),
        function: &cfg.function,
        paths: reports(cfg, abstraction, observed, paths),
    };
    let mut text = serde_json::to_string_pretty(&document).expect("the document is plain data");
    text.push('\n');
    text
}
