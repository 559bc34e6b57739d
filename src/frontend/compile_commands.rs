//! The options of the preprocessor from a compilation database, the `compile_commands.json` that build tools write.

use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// What a compilation database says of a file.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct Found {
    /// The last `-std`.
    pub(super) standard: Option<String>,
    /// Options that the preprocessor needs, with paths that hold from anywhere.
    pub(super) options: Vec<OsString>,
}

/// An entry of the database.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    command: Option<String>,
    #[serde(default)]
    arguments: Option<Vec<String>>,
}

/// The options for `file` from the database in `folder`.
pub(super) fn flags(folder: &Path, file: &Path) -> Result<Found> {
    let path = folder.join("compile_commands.json");
    let wrong = |what: String, help: &str| Error::usage_with_help(format!("{}: {what}", path.display()), help);
    let text = std::fs::read_to_string(&path)
        .map_err(|error| wrong(error.to_string(), "--compile-commands takes the folder of compile_commands.json"))?;
    let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|error| {
        wrong(format!("it is not a compilation database: {error}"), "let the build tool write it again")
    })?;
    let same = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let wanted = same(file);
    let base = |entry: &Entry| folder.join(&entry.directory);
    let entry = entries.iter().find(|entry| same(&base(entry).join(&entry.file)) == wanted).ok_or_else(|| {
        wrong(format!("it says nothing about {}", file.display()), "name a file that is built, or leave the option out")
    })?;
    let arguments = match (&entry.arguments, &entry.command) {
        (Some(arguments), _) => arguments.clone(),
        (None, Some(command)) => shell_words::split(command)
            .map_err(|error| wrong(format!("the command of {} cannot be split: {error}", file.display()), ""))?,
        (None, None) => Vec::new(),
    };
    Ok(select(&arguments, &base(entry)))
}

/// The options among `arguments` that the preprocessor needs; relative paths are those of `directory`.
fn select(arguments: &[String], directory: &Path) -> Found {
    let mut found = Found::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if let Some(standard) = argument.strip_prefix("-std=").or(argument.strip_prefix("--std=")) {
            found.standard = Some(standard.to_string());
            continue;
        }
        if argument == "-nostdinc" || argument == "-ansi" {
            found.options.push(argument.into());
            continue;
        }
        // The longer names first: `-include` is not `-I`.
        let takes_path = ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I"];
        let names = takes_path.iter().chain(&["-D", "-U"]);
        let Some(name) = names.copied().find(|name| argument.starts_with(name)) else {
            continue;
        };
        let attached = &argument[name.len()..];
        let value = if attached.is_empty() { rest.next().map(String::as_str) } else { Some(attached) };
        let Some(value) = value else { continue };
        let value: OsString = if !takes_path.contains(&name) {
            value.into()
        } else if matches!(name, "-include" | "-imacros") && !directory.join(value).exists() {
            // It is searched for like a header.
            value.into()
        } else {
            directory.join(value).into()
        };
        found.options.extend([name.into(), value]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_of_the_preprocessor_are_selected() {
        let words = ["cc", "-c", "-O2", "-Iinc", "-I", "/abs", "-DX=1", "-D", "Y", "-UZ", "-isystem", "sys"];
        let more = ["-include", "nowhere.h", "-std=c99", "-Wall", "-o", "x.o", "x.c"];
        let arguments: Vec<String> = words.iter().chain(&more).map(ToString::to_string).collect();
        let found = select(&arguments, Path::new("/build"));
        let expected = ["-I", "/build/inc", "-I", "/abs", "-D", "X=1", "-D", "Y", "-U", "Z", "-isystem", "/build/sys"];
        let expected: Vec<OsString> = expected.iter().chain(&["-include", "nowhere.h"]).map(Into::into).collect();
        assert_eq!(found, Found { standard: Some("c99".to_string()), options: expected });
    }
}
