//! The layout of the project and its dependency rule, checked on the sources as they are.
//!
//! - A folder of `src` uses only folders above it in [`FOLDERS`], plus error, config, process and tools. Those four use one
//!   another and `program`, the data that every message is about. `pipeline` uses all of these; `cli` uses only what
//!   [`CLI_USES`] lists; nobody but `main.rs` uses `cli`, and nobody but `cli` and `main.rs` uses `pipeline`.
//! - A package of [`HOMES`] is named only in its home.
//! - `lib.rs` lists every folder, in the order of [`FOLDERS`]. Every file opens with `//!`.
//! - The top level of the project holds what [`TOP_LEVEL`] lists and nothing else.
//!
//! Sources are read as tokens, not parsed: comments and strings are skipped, `use` trees are flattened, and `self` and
//! `super` are followed. Unit tests inside `src` keep the rule too.

use std::fs;
use std::path::Path;

/// The folders of `src` in the order data flows: each uses only those before it.
const FOLDERS: [&str; 15] = [
    "program",
    "frontend",
    "cfg",
    "memory",
    "predicates",
    "logic",
    "abstraction",
    "bounds",
    "paths",
    "goals",
    "testgen",
    "execution",
    "refinement",
    "impact",
    "report",
];

/// The files that every folder may use.
const BASE: [&str; 4] = ["error", "config", "process", "tools"];

const CLI_USES: [&str; 5] = ["pipeline", "report", "config", "error", "tools"];

/// Packages that only one place may name, so that they can be exchanged there.
const HOMES: [(&str, &[&str]); 8] = [
    ("lang_c", &["src/frontend/"]),
    ("z3", &["src/logic/"]),
    ("z3_sys", &["src/logic/"]),
    ("clap", &["src/cli.rs", "src/main.rs"]),
    ("dot_writer", &["src/report/dot.rs"]),
    ("csv", &["src/report/suite/table.rs"]),
    ("quick_xml", &["src/report/suite/test_comp.rs"]),
    ("sha2", &["src/report/suite/mod.rs"]),
];

/// What the top level may hold, beside names that begin with a dot.
const TOP_LEVEL: [&str; 17] = [
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "DEVELOPERS.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "Makefile",
    "README.md",
    "benches",
    "build.rs",
    "examples",
    "graphs",
    "rustfmt.toml",
    "scripts",
    "src",
    "target",
    "tests",
];

#[test]
fn every_source_file_keeps_the_dependency_rule() {
    let files = source_files();
    assert!(!files.is_empty(), "no source file was found");
    let violations: Vec<String> = files.iter().flat_map(|(path, text)| file_violations(path, text)).collect();
    assert_none(&violations);
}

#[test]
fn lib_rs_lists_every_folder_in_the_order_data_flows() {
    let files = source_files();
    let (_, lib) = files.iter().find(|(path, _)| path == "src/lib.rs").expect("src/lib.rs exists");
    let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    assert_none(&lib_violations(lib, &folders_of(&paths)));
}

#[test]
fn the_top_level_holds_only_expected_entries() {
    let names: Vec<String> = entries(project()).collect();
    assert_none(&top_level_violations(&names));
}

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All `.rs` files of `src`, as (path from the project, text), sorted.
fn source_files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec!["src".to_string()];
    while let Some(folder) = folders.pop() {
        for name in entries(&project().join(&folder)) {
            let path = format!("{folder}/{name}");
            if project().join(&path).is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") {
                let text = fs::read_to_string(project().join(&path)).expect("a source is UTF-8");
                files.push((path, text));
            }
        }
    }
    files.sort();
    files
}

fn entries(folder: &Path) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    entries.map(|entry| {
        let name = entry.expect("the folder can be read").file_name();
        name.into_string().expect("names are UTF-8")
    })
}

/// The folders directly in `src` that hold one of these files.
fn folders_of<'a>(paths: &[&'a str]) -> Vec<&'a str> {
    let mut folders: Vec<&str> =
        paths.iter().filter_map(|path| path.strip_prefix("src/")?.split_once('/')).map(|(folder, _)| folder).collect();
    folders.sort_unstable();
    folders.dedup();
    folders
}

#[track_caller]
fn assert_none(violations: &[String]) {
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}

// The rules.

/// What one source file, given by its path from the project, does wrong.
fn file_violations(path: &str, text: &str) -> Vec<String> {
    let mut violations = Vec::new();
    if !text.starts_with("//!") {
        violations.push(format!("{path}:1: does not begin with //!"));
    }
    let file = file_module(path);
    let user = top_module(path);
    if !is_module(user) && !["lib", "main"].contains(&user) {
        violations.push(format!("{path}:1: `{user}` is no part of the layout"));
    }
    for mention in mentions(text, &file) {
        let line = text[..mention.offset].matches('\n').count() + 1;
        if let Some(used) = mention.module_of_this_crate()
            && !may_use(user, used)
        {
            violations.push(format!("{path}:{line}: `{user}` may not use `{used}`"));
        }
        for (package, homes) in HOMES {
            let at_home = homes.iter().any(|home| path.starts_with(home));
            if mention.path[0] == package && !at_home {
                let home = homes[0];
                violations.push(format!("{path}:{line}: `{package}` belongs in {home}"));
            }
        }
    }
    violations
}

/// The file or folder of `src` that this file belongs to: `cfg` for `src/cfg/build.rs`, `cli` for `src/cli.rs`.
fn top_module(path: &str) -> &str {
    let inside = path.strip_prefix("src/").expect("the file is in src");
    let first = inside.split('/').next().expect("a split has a first part");
    first.strip_suffix(".rs").unwrap_or(first)
}

/// The module path of a file: `["cfg", "build"]` for `src/cfg/build.rs`.
fn file_module(path: &str) -> Vec<&str> {
    let inside = path.strip_prefix("src/").expect("the file is in src");
    let stem = inside.strip_suffix(".rs").expect("the file is a .rs file");
    let mut module: Vec<&str> = stem.split('/').collect();
    if matches!(module[..], [.., "mod"] | ["lib" | "main"]) {
        module.pop();
    }
    module
}

fn is_module(name: &str) -> bool {
    FOLDERS.contains(&name) || BASE.contains(&name) || ["pipeline", "cli"].contains(&name)
}

fn may_use(user: &str, used: &str) -> bool {
    let place = |name| FOLDERS.iter().position(|folder| *folder == name);
    match user {
        _ if user == used => true,
        "main" | "lib" => true,
        "cli" => CLI_USES.contains(&used),
        "pipeline" => FOLDERS.contains(&used) || BASE.contains(&used),
        _ if BASE.contains(&user) => used == "program" || BASE.contains(&used),
        _ => BASE.contains(&used) || place(used).is_some_and(|used| Some(used) < place(user)),
    }
}

/// What `lib.rs` does wrong, given the folders that there are.
fn lib_violations(lib: &str, folders: &[&str]) -> Vec<String> {
    let declared = declared_modules(lib);
    let mut violations = Vec::new();
    for folder in folders {
        if !FOLDERS.contains(folder) {
            violations.push(format!("src/{folder} is no part of the layout"));
        } else if !declared.contains(folder) {
            violations.push(format!("src/lib.rs does not list `{folder}`"));
        }
    }
    let in_order: Vec<&str> = FOLDERS.into_iter().filter(|folder| declared.contains(folder)).collect();
    let as_listed: Vec<&str> = declared.into_iter().filter(|module| FOLDERS.contains(module)).collect();
    if as_listed != in_order {
        let (listed, wanted) = (as_listed.join(", "), in_order.join(", "));
        violations.push(format!("src/lib.rs lists {listed}; data flows {wanted}"));
    }
    violations
}

fn top_level_violations(names: &[String]) -> Vec<String> {
    names
        .iter()
        .filter(|name| !name.starts_with('.') && !TOP_LEVEL.contains(&name.as_str()))
        .map(|name| format!("`{name}` is not expected at the top level of the project"))
        .collect()
}

// Reading Rust.

/// A path that a source names, such as `crate::cfg::Cfg`, and the module it stands in.
struct Mention<'a> {
    path: Vec<&'a str>,
    module: Vec<&'a str>,
    offset: usize,
}

impl<'a> Mention<'a> {
    /// The top module of this crate that the path leads to, `*` if it takes them all; nothing if it leads to a package
    /// or starts at a name in scope.
    fn module_of_this_crate(&self) -> Option<&'a str> {
        let (mut module, rest) = match self.path[0] {
            "crate" | "pct" => (Vec::new(), &self.path[1..]),
            "self" | "super" => (self.module.clone(), &self.path[..]),
            _ => return None,
        };
        for segment in rest {
            match *segment {
                "self" => {}
                "super" => drop(module.pop()),
                name => module.push(name),
            }
        }
        Some(module.first().copied().unwrap_or("*"))
    }
}

#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    offset: usize,
}

/// All paths of two or more segments, and all that is imported.
fn mentions<'a>(text: &'a str, file: &[&'a str]) -> Vec<Mention<'a>> {
    let tokens = tokens(text);
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let mut mentions = Vec::new();
    let mut module = file.to_vec();
    // Inside how many braces each inline module stands, and how many are open now.
    let mut inline_modules = Vec::new();
    let mut depth = 0;
    let mut at = 0;
    while at < tokens.len() {
        let mut paths = Vec::new();
        let start = at;
        match word(at) {
            "use" if word(at + 1) != "<" => at = use_tree(&tokens, at + 1, &[], &mut paths),
            "extern" if word(at + 1) == "crate" => {
                paths.push(vec![word(at + 2)]);
                at += 3;
            }
            "mod" if word(at + 2) == "{" => {
                module.push(word(at + 1));
                inline_modules.push(depth);
                at += 2;
            }
            "{" => {
                depth += 1;
                at += 1;
            }
            "}" => {
                depth -= 1;
                if inline_modules.pop_if(|outside| *outside == depth).is_some() {
                    module.pop();
                }
                at += 1;
            }
            name if is_word(name) && word(at + 1) == "::" && is_word(word(at + 2)) => {
                let mut path = vec![name];
                while word(at + 1) == "::" && is_word(word(at + 2)) {
                    path.push(word(at + 2));
                    at += 2;
                }
                paths.push(path);
                at += 1;
            }
            _ => at += 1,
        }
        mentions.extend(paths.into_iter().map(|path| Mention {
            path,
            module: module.clone(),
            offset: tokens[start].offset,
        }));
    }
    mentions
}

/// Adds the paths of the `use` tree that begins at a token, each with the prefix before it; says where the tree ends.
fn use_tree<'a>(tokens: &[Token<'a>], mut at: usize, prefix: &[&'a str], paths: &mut Vec<Vec<&'a str>>) -> usize {
    let mut path = prefix.to_vec();
    while let Some(token) = tokens.get(at) {
        match token.text {
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|token| token.text != "}") {
                    at = use_tree(tokens, at, &path, paths);
                    at += usize::from(tokens.get(at).is_some_and(|token| token.text == ","));
                }
                return at + 1;
            }
            "::" | "$" => at += 1,
            // A new name for what was imported says nothing about where it comes from.
            "as" => at += 2,
            name if is_word(name) || name == "*" => {
                path.push(name);
                at += 1;
            }
            _ => break,
        }
    }
    if path.len() > prefix.len() {
        paths.push(path);
        return at;
    }
    at + 1
}

/// The modules that a file declares in files of their own, in order.
fn declared_modules(text: &str) -> Vec<&str> {
    tokens(text)
        .windows(3)
        .filter(|three| three[0].text == "mod" && three[2].text == ";")
        .map(|three| three[1].text)
        .collect()
}

fn is_word(text: &str) -> bool {
    text.bytes().next().is_some_and(is_word_byte)
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Words, `::` and single marks; no comments, strings, characters or lifetimes.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut offset = 0;
    while offset < text.len() {
        let rest = &text[offset..];
        if let Some(length) = skipped_length(rest) {
            offset += length;
            continue;
        }
        let word = rest.bytes().take_while(|byte| is_word_byte(*byte)).count();
        let length = match word {
            0 if rest.starts_with("::") => 2,
            0 => 1,
            word => word,
        };
        let text = &rest[..length];
        tokens.push(Token { text, offset });
        offset += length;
    }
    tokens
}

/// The length of what begins here, if it is of no interest.
fn skipped_length(rest: &str) -> Option<usize> {
    let up_to = |end: Option<usize>| end.unwrap_or(rest.len());
    let first = rest.chars().next()?;
    if first.is_whitespace() {
        return Some(first.len_utf8());
    }
    if rest.starts_with("//") {
        return Some(up_to(rest.find('\n')));
    }
    if rest.starts_with("/*") {
        return Some(block_comment_length(rest));
    }
    if first == '"' {
        return Some(quoted_length(rest, b'"'));
    }
    if first == '\'' {
        return Some(character_length(rest));
    }
    let raw = ["r", "br", "cr"].into_iter().find_map(|prefix| rest.strip_prefix(prefix));
    let inside = raw?.trim_start_matches('#').strip_prefix('"')?;
    let hashes = raw?.bytes().take_while(|byte| *byte == b'#').count();
    let end = format!("\"{}", "#".repeat(hashes));
    let opening = rest.len() - inside.len();
    Some(up_to(inside.find(&end).map(|at| opening + at + end.len())))
}

fn block_comment_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let (mut at, mut depth) = (0, 0);
    while at < bytes.len() {
        let (change, step) = match bytes.get(at..at + 2) {
            Some(b"/*") => (1, 2),
            Some(b"*/") => (-1, 2),
            _ => (0, 1),
        };
        depth += change;
        at += step;
        if depth == 0 {
            break;
        }
    }
    at
}

/// The length of a string or character literal: up to the closing quote that no backslash precedes.
fn quoted_length(rest: &str, quote: u8) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// The length of a character literal, or of a lifetime.
fn character_length(rest: &str) -> usize {
    let mut inside = rest[1..].chars();
    let first = inside.next();
    if first == Some('\\') || inside.next() == Some('\'') {
        return quoted_length(rest, b'\'');
    }
    1 + rest[1..].bytes().take_while(|byte| is_word_byte(*byte)).count()
}

/// The checks can fail: made-up sources, each with what must be said of it.
mod checker {
    use super::*;

    #[track_caller]
    fn check(path: &str, code: &str, expected: &[&str]) {
        let violations = file_violations(path, &format!("//! Made up.\n{code}"));
        let expected: Vec<String> = expected.iter().map(|at| format!("{path}:{at}")).collect();
        assert_eq!(violations, expected);
    }

    #[test]
    fn a_folder_may_use_folders_above_it_and_the_base() {
        let code = "use crate::{error::Result, program::{Expr, Span}};\nuse crate::config::Config;";
        check("src/cfg/mod.rs", code, &[]);
        check("src/report/text.rs", "fn f(x: crate::impact::Impact) {}", &[]);
    }

    #[test]
    fn a_folder_may_not_use_a_folder_below_it() {
        let code = "use crate::logic::Solver;";
        check("src/cfg/build.rs", code, &["2: `cfg` may not use `logic`"]);
        let code = "fn f() {\n    crate::report::text::render();\n}";
        check("src/bounds/mod.rs", code, &["3: `bounds` may not use `report`"]);
    }

    #[test]
    fn a_grouped_import_is_taken_apart() {
        let code = "use crate::{\n    error::Error,\n    paths::{self, Path},\n    program,\n    testgen as t,\n};";
        let expected =
            ["2: `bounds` may not use `paths`", "2: `bounds` may not use `paths`", "2: `bounds` may not use `testgen`"];
        check("src/bounds/upper.rs", code, &expected);
        let code = "use {std::fmt, crate::goals::Goal};";
        check("src/bounds/upper.rs", code, &["2: `bounds` may not use `goals`"]);
    }

    #[test]
    fn super_is_followed_out_of_the_folder() {
        let code = "use super::lower;\nuse super::super::cfg::Cfg;";
        check("src/frontend/types.rs", code, &["3: `frontend` may not use `cfg`"]);
        let code = "use super::logic::Solver;";
        check("src/cfg/mod.rs", code, &["2: `cfg` may not use `logic`"]);
        let code = "mod tests {\n    use super::*;\n    use super::super::logic;\n}\nuse super::goals;";
        let expected = ["4: `cfg` may not use `logic`", "6: `cfg` may not use `goals`"];
        check("src/cfg/mod.rs", code, &expected);
    }

    #[test]
    fn the_whole_crate_may_not_be_imported() {
        check("src/cfg/mod.rs", "use crate as pct_crate;", &["2: `cfg` may not use `*`"]);
        check("src/cfg/mod.rs", "use crate::*;", &["2: `cfg` may not use `*`"]);
        check("src/cfg/mod.rs", "use super::*;", &["2: `cfg` may not use `*`"]);
        check("src/cfg/mod.rs", "use crate::Cfg;", &["2: `cfg` may not use `Cfg`"]);
    }

    #[test]
    fn only_cli_and_main_use_the_pipeline_and_only_main_uses_cli() {
        let code = "use crate::pipeline;\nuse crate::cli;";
        let expected = ["2: `report` may not use `pipeline`", "3: `report` may not use `cli`"];
        check("src/report/mod.rs", code, &expected);
        check("src/pipeline.rs", code, &["3: `pipeline` may not use `cli`"]);
        check("src/cli.rs", code, &[]);
        check("src/main.rs", "use pct::{cli, pipeline};", &[]);
    }

    #[test]
    fn cli_reaches_the_phases_only_through_the_pipeline() {
        let code = "use crate::{config, error, pipeline, report};\nuse crate::cfg::Cfg;";
        check("src/cli.rs", code, &["3: `cli` may not use `cfg`"]);
    }

    #[test]
    fn the_pipeline_may_use_all_folders() {
        let code = FOLDERS.map(|folder| format!("use crate::{folder};\n")).concat();
        check("src/pipeline.rs", &code, &[]);
    }

    #[test]
    fn the_base_uses_no_phase() {
        check("src/error.rs", "use crate::program::Span;\nuse crate::process;", &[]);
        let code = "use crate::frontend::parse;";
        check("src/error.rs", code, &["2: `error` may not use `frontend`"]);
    }

    #[test]
    fn a_package_is_named_only_in_its_home() {
        check("src/logic/solver.rs", "use z3::Solver;", &[]);
        check("src/cfg/mod.rs", "use z3::Solver;", &["2: `z3` belongs in src/logic/"]);
        check("src/cli.rs", "#[derive(clap::Parser)]\nstruct Cli;", &[]);
        let code = "#[derive(clap::Args)]\nstruct Config;";
        check("src/config.rs", code, &["2: `clap` belongs in src/cli.rs"]);
        let code = "use {std::fmt, ::lang_c::ast};";
        check("src/program/mod.rs", code, &["2: `lang_c` belongs in src/frontend/"]);
        check("src/report/dot.rs", "use dot_writer::DotWriter;", &[]);
        let code = "extern crate dot_writer;";
        check("src/report/svg.rs", code, &["2: `dot_writer` belongs in src/report/dot.rs"]);
    }

    #[test]
    fn comments_strings_and_lifetimes_are_not_code() {
        let code = r##"
            /// See [crate::logic] and `z3::Solver`. /* /* crate::report */
            /* crate::goals /* nested */ crate::paths */
            fn f<'a>(s: &'a str) -> char {
                let _ = ("crate::pipeline \" z3::x", r#"" crate::cli"#, br"z3::x\", b'"', '\'');
                '"'
            }
            use crate::report;
        "##;
        check("src/cfg/mod.rs", code, &["9: `cfg` may not use `report`"]);
    }

    #[test]
    fn a_name_that_only_looks_like_a_package_is_free() {
        let code = "fn f(z3: u8) -> u8 {\n    self.z3::<u8>() + z3 + crate::error::z3::x()\n}";
        check("src/cfg/mod.rs", code, &[]);
    }

    #[test]
    fn a_file_must_open_with_its_purpose() {
        let expected = ["src/cfg/mod.rs:1: does not begin with //!"];
        assert_eq!(file_violations("src/cfg/mod.rs", "use std::fmt;\n"), expected);
    }

    #[test]
    fn a_file_outside_the_layout_is_reported() {
        check("src/utils.rs", "", &["1: `utils` is no part of the layout"]);
        check("src/helpers/mod.rs", "", &["1: `helpers` is no part of the layout"]);
    }

    #[test]
    fn lib_rs_must_list_the_folders_in_order() {
        let lib = "pub mod error;\n/// Data.\npub mod program;\n\npub mod cfg;\nmod pipeline;";
        assert_eq!(lib_violations(lib, &["program", "cfg"]), [""; 0]);
        let lib = "pub mod cfg;\npub mod program;";
        let expected = ["src/lib.rs lists cfg, program; data flows program, cfg"];
        assert_eq!(lib_violations(lib, &["cfg", "program"]), expected);
    }

    #[test]
    fn lib_rs_must_list_every_folder() {
        let lib = "pub mod program; // and mod cfg;";
        let expected = ["src/lib.rs does not list `cfg`", "src/utils is no part of the layout"];
        assert_eq!(lib_violations(lib, &["cfg", "program", "utils"]), expected);
    }

    #[test]
    fn folders_are_those_that_hold_sources() {
        let paths = ["src/lib.rs", "src/cfg/mod.rs", "src/cfg/build.rs", "src/program/mod.rs"];
        assert_eq!(folders_of(&paths), ["cfg", "program"]);
    }

    #[test]
    fn the_top_level_takes_no_stray_file() {
        let names = ["src", ".gitignore", "Makefile", "notes.txt"].map(String::from);
        let expected = ["`notes.txt` is not expected at the top level of the project"];
        assert_eq!(top_level_violations(&names), expected);
    }
}
