//! The text that is parsed: the file after the real preprocessor, or a clear reason why there is none.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::compile_commands;
use super::position::{decode_original, decode_preprocessed};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::program::{SourceMap, Span};
use crate::tools::{self, Tool};

/// A file, before and after the preprocessor.
pub(super) struct Preprocessed {
    /// The file as the user wrote it.
    pub(super) original: String,
    /// What the preprocessor calls it.
    pub(super) path: String,
    /// What the preprocessor makes of it.
    pub(super) text: String,
    /// The standard that it was preprocessed for.
    pub(super) standard: String,
}

/// Runs the preprocessor on `file`.
pub(super) fn preprocess(file: &Path, config: &Config) -> Result<Preprocessed> {
    let original = read(file)?;
    let flags = Flags::new(file, config)?;
    let path = safe_path(file);
    // The functions of ctype.h stay functions: what their macros expand to are tables of the running library.
    let output = run(config, &flags, &["-E".into(), "-D__NO_CTYPE".into()], &path, b"")?;
    if !output.status.success() {
        return Err(preprocessor_error(file, original, &String::from_utf8_lossy(&output.stderr)));
    }
    let text = decode_preprocessed(&output.stdout);
    Ok(Preprocessed { original, path: path.to_string_lossy().into_owned(), text, standard: flags.standard })
}

/// The macros that are defined at the end of `file`, as `#define` directives, and the standard of the file.
pub(super) fn definitions(file: &Path, config: &Config) -> Result<(String, String)> {
    let flags = Flags::new(file, config)?;
    let output = run(config, &flags, &["-E".into(), "-dM".into(), "-w".into()], &safe_path(file), b"")?;
    Ok((decode_preprocessed(&output.stdout), flags.standard))
}

/// `text` with the macros of `definitions` expanded; `None` if the preprocessor refuses it.
pub(super) fn expand(definitions: &str, text: &str, standard: &str, config: &Config) -> Result<Option<String>> {
    const HERE: &str = "the predicate";
    let input = format!("{definitions}\n# 1 \"{HERE}\"\n{text}\n");
    // Everything that the compiler predefines is among the definitions.
    let options = ["-E", "-undef", "-w"].map(OsString::from);
    let flags = Flags { standard: standard.to_string(), options: Vec::new() };
    let output = run(config, &flags, &options, &OsString::from("-"), input.as_bytes())?;
    if !output.status.success() {
        return Ok(None);
    }
    let result = decode_preprocessed(&output.stdout);
    let lines = result.lines().skip_while(|line| !(line.starts_with('#') && line.contains(HERE)));
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with('#')).collect();
    Ok(Some(lines.join(" ").trim().to_string()))
}

/// The standard that the user asked for, or the default.
fn standard(config: &Config) -> &str {
    config.standard.as_deref().unwrap_or("gnu11")
}

/// How each of the files is compiled.
pub fn compiler_options(config: &Config) -> Result<Vec<CompilerOptions>> {
    let of = |file: &PathBuf| {
        let Flags { standard, options } = Flags::new(file, config)?;
        Ok(CompilerOptions { standard, options })
    };
    config.files.iter().map(of).collect()
}

/// How a file is compiled, as far as the language is concerned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompilerOptions {
    /// The standard for the compiler's option `-std`.
    pub standard: String,
    /// Options for the preprocessor.
    pub options: Vec<OsString>,
}

/// The options of the preprocessor for one file.
struct Flags {
    standard: String,
    options: Vec<OsString>,
}

impl Flags {
    /// Those of the compilation database, then those of the command line.
    fn new(file: &Path, config: &Config) -> Result<Flags> {
        let mut flags = Flags { standard: standard(config).to_string(), options: Vec::new() };
        if let Some(folder) = &config.compile_commands {
            let found = compile_commands::flags(folder, file)?;
            if let (None, Some(standard)) = (&config.standard, found.standard) {
                flags.standard = standard;
            }
            flags.options = found.options;
        }
        flags.options.extend(config.preprocessor_options.iter().cloned());
        Ok(flags)
    }
}

fn run(
    config: &Config,
    flags: &Flags,
    mode: &[OsString],
    file: &OsString,
    input: &[u8],
) -> Result<std::process::Output> {
    let mut arguments = mode.to_vec();
    arguments.push(format!("-std={}", flags.standard).into());
    arguments.extend(flags.options.iter().cloned());
    arguments.extend(["-x".into(), "c".into(), file.clone()]);
    tools::run(Tool::Compiler(&config.compiler), &arguments, input)
}

/// A name that begins with a dash is not an option.
fn safe_path(file: &Path) -> OsString {
    if file.to_string_lossy().starts_with('-') {
        Path::new(".").join(file).into_os_string()
    } else {
        file.as_os_str().to_os_string()
    }
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
    Ok(decode_original(&bytes))
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
        let is_named = Path::new(name) == file || safe_path(file) == *name;
        let name = if is_named { file.display().to_string() } else { name.to_string() };
        let text = if is_named { original } else { decode_original(&std::fs::read(&name).unwrap_or_default()) };
        let line_start: usize = text.split_inclusive('\n').take(row.saturating_sub(1)).map(str::len).sum();
        let line_length = text[line_start..].lines().next().map_or(0, str::len);
        let column = column.saturating_sub(1).min(line_length);
        let column = (0..=column).rev().find(|c| text.is_char_boundary(line_start + c)).unwrap_or(0);
        let sources = SourceMap { files: vec![(name, text.into())] };
        let span = Span {
            file: 0,
            line: row as u32,
            offset: (line_start + column) as u32,
            length: (line_length - column) as u32,
            order: 0,
        };
        let help = if message.contains("No such file") { "give the folder of the header with -I" } else { "" };
        return Error::source(&sources, span, format!("the preprocessor stops: {message}"), "here", help);
    }
    Error::Unreadable {
        path: file.display().to_string(),
        reason: format!("the preprocessor failed: {}", stderr.trim()),
        help: None,
    }
}
