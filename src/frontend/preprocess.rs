//! The text that the parser sees: the file after the real preprocessor, or a clear reason why there is none.

use std::path::Path;

use crate::error::{Error, Result};
use crate::process;
use crate::program::{SourceMap, Span};

/// Runs the preprocessor of `compiler` on `file`; gives back the original and the preprocessed text.
pub(super) fn preprocess(file: &Path, compiler: &str) -> Result<(String, String)> {
    let original = read(file)?;
    let arguments = ["-E", "-std=gnu11", "-x", "c"];
    let mut arguments: Vec<std::ffi::OsString> = arguments.iter().map(Into::into).collect();
    // A name that begins with a dash is not an option.
    arguments.push(if file.starts_with("-") || file.to_string_lossy().starts_with('-') {
        Path::new(".").join(file).into_os_string()
    } else {
        file.as_os_str().to_os_string()
    });
    let output =
        process::run(compiler, &arguments, b"", "pct needs a C compiler for its preprocessor: install gcc or clang")?;
    if !output.status.success() {
        return Err(preprocessor_error(file, original, &String::from_utf8_lossy(&output.stderr)));
    }
    let preprocessed = String::from_utf8(output.stdout).map_err(|_| Error::Unreadable {
        path: file.display().to_string(),
        reason: "the preprocessed text is not UTF-8".to_string(),
        help: Some("save the file and what it includes as UTF-8".to_string()),
    })?;
    Ok((original, preprocessed))
}

/// The file, if it is text.
fn read(file: &Path) -> Result<String> {
    let unreadable = |reason: &str, help: &str| Error::Unreadable {
        path: file.display().to_string(),
        reason: reason.to_string(),
        help: Some(help.to_string()),
    };
    if file.is_dir() {
        return Err(unreadable("it is a directory", "name a C file"));
    }
    let bytes = std::fs::read(file).map_err(|error| {
        unreadable(
            &match error.kind() {
                std::io::ErrorKind::NotFound => "there is no such file".to_string(),
                std::io::ErrorKind::PermissionDenied => "permission denied".to_string(),
                _ => error.to_string(),
            },
            "check the path",
        )
    })?;
    if bytes.contains(&0) {
        return Err(unreadable("it is not a text file", "name a C source file"));
    }
    String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8 text", "save the file as UTF-8"))
}

/// The first error of the preprocessor, placed in the file.
fn preprocessor_error(file: &Path, original: String, stderr: &str) -> Error {
    for line in stderr.lines() {
        let Some((place, message)) = line.split_once(" error: ") else {
            continue;
        };
        let mut parts = place.trim_end_matches(" fatal").trim_end_matches(':').rsplitn(3, ':');
        let column = parts.next().and_then(|c| c.parse::<usize>().ok());
        let row = parts.next().and_then(|r| r.parse::<usize>().ok());
        let (Some(column), Some(row), Some(name)) = (column, row, parts.next()) else {
            continue;
        };
        let text = if Path::new(name) == file { original } else { std::fs::read_to_string(name).unwrap_or_default() };
        let line_start: usize = text.split_inclusive('\n').take(row - 1).map(str::len).sum();
        let line_length = text[line_start..].lines().next().map_or(0, str::len);
        let column = (column - 1).min(line_length);
        let sources = SourceMap { files: vec![(name.to_string(), text.into())] };
        let span = Span {
            file: 0,
            line: row as u32,
            offset: (line_start + column) as u32,
            length: (line_length - column) as u32,
            order: 0,
        };
        return Error::source(&sources, span, format!("the preprocessor stops: {message}"), "here", "");
    }
    Error::Unreadable {
        path: file.display().to_string(),
        reason: format!("the preprocessor failed: {}", stderr.trim()),
        help: None,
    }
}
