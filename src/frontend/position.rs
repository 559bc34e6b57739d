//! Where a place of the text that lang-c parsed is in the file that the user wrote.
//!
//! Two steps back. [`Origins`] undoes the rewriting of dialects. Then line markers (`# 12 "file.c"`) give file and line
//! exactly; within a line the preprocessor changes white space and expands macros, so the tokens of the preprocessed
//! line are aligned with those of the original one (the longest common subsequence). A token that came out of a macro
//! is placed at what stands between its aligned neighbours: the use of the macro.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::dialect::token::{self, Directives, Token};
use super::dialect::{Origins, stand_in, stood_for};
use crate::program::{SourceMap, Span};

/// Lines with more pairs of different tokens than this are aligned at their ends only.
const LARGEST_ALIGNMENT: usize = 1 << 20;

/// Files that do not exist are shown as far as this line.
const LAST_SHOWN_LINE: u32 = 100_000;

/// The original files, by the names that the preprocessor gives them.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    /// The files as the user knows them.
    pub(super) map: SourceMap,
    known: BTreeMap<String, u32>,
}

impl Files {
    /// Adds a file that the user named; `path` is what the preprocessor calls it.
    pub(super) fn add(&mut self, name: &str, path: &str, text: Arc<str>) {
        let index = self.map.files.len() as u32;
        self.map.files.push((name.to_string(), text));
        self.known.entry(path.to_string()).or_insert(index);
    }

    /// The file that the preprocessor calls `path`, which is read at its first mention. A file that cannot be read has
    /// no text.
    fn index(&mut self, path: &str) -> u32 {
        if let Some(index) = self.known.get(path) {
            return *index;
        }
        let text = if path.starts_with('<') { None } else { std::fs::read(path).ok() };
        let text = text.map_or_else(String::new, |bytes| decode_original(&bytes));
        self.add(path, path, text.into());
        self.known[path]
    }
}

/// The text of a file that a person wrote: UTF-8, or else Latin-1.
pub(super) fn decode_original(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Preprocessed text, which may come from files of several encodings: each byte that is not UTF-8 gets a stand-in.
pub(super) fn decode_preprocessed(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().copied().map(stand_in));
    }
    text
}

/// The map from offsets in the parsed text to places in the original files.
#[derive(Clone, Debug)]
pub(super) struct Positions {
    /// The original files.
    pub(super) sources: SourceMap,
    table: Arc<Table>,
}

/// What is known of one preprocessed text.
#[derive(Debug)]
struct Table {
    preprocessed: String,
    origins: OnceLock<Origins>,
    lines: Vec<Line>,
    /// What is added to offsets, so that units follow each other in the order of the files.
    order: u32,
    /// The tokens of each original file, made when they are first needed.
    tokens: Vec<OnceLock<OriginalTokens>>,
    alignments: Mutex<HashMap<usize, Arc<Alignment>>>,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    /// Offset of the line in the preprocessed text.
    start: usize,
    file: u32,
    line: u32,
    /// Whether it comes from a file that the named file includes.
    included: bool,
    is_marker: bool,
}

/// The tokens of an original file.
#[derive(Debug)]
struct OriginalTokens {
    tokens: Vec<Token>,
    line_starts: Vec<usize>,
}

/// Which token of an original line a token of the preprocessed line is.
#[derive(Debug)]
struct Alignment {
    /// Tokens of the preprocessed text.
    processed: Vec<Token>,
    /// For each of them, the index of the original token among all of the file.
    partners: Vec<Option<usize>>,
    /// The original tokens that belong to the line: a range of indices.
    original: std::ops::Range<usize>,
}

impl Positions {
    /// Reads the line markers of `preprocessed`; `main` is the index of the file that was preprocessed.
    pub(super) fn new(files: &mut Files, main: u32, preprocessed: String, order: u32) -> Positions {
        let mut file = main;
        let mut line = 1;
        let mut depth = 0_usize;
        let mut lines = Vec::new();
        let mut start = 0;
        for text in preprocessed.split_inclusive('\n') {
            let is_marker = match marker(text) {
                Some(marker) => {
                    match marker.change {
                        Change::Enter => depth += 1,
                        Change::Leave => depth = depth.saturating_sub(1),
                        Change::None => {}
                    }
                    line = marker.line;
                    file = files.index(&marker.file);
                    true
                }
                None => false,
            };
            // A marker gets a place too, so that the search for a line always finds one.
            lines.push(Line { start, file, line, included: depth > 0, is_marker });
            line += u32::from(!is_marker);
            start += text.len();
        }
        if lines.is_empty() {
            lines.push(Line { start: 0, file, line, included: false, is_marker: false });
        }
        show_missing_files(files, &preprocessed, &lines);
        let sources = files.map.clone();
        let tokens = sources.files.iter().map(|_| OnceLock::new()).collect();
        let table =
            Table { preprocessed, origins: OnceLock::new(), lines, order, tokens, alignments: Mutex::default() };
        Positions { sources, table: Arc::new(table) }
    }

    /// The text that the places are in.
    pub(super) fn preprocessed(&self) -> &str {
        &self.table.preprocessed
    }

    /// From now on, offsets are those of the rewritten text.
    pub(super) fn rewritten(&self, origins: Origins) {
        self.table.origins.set(origins).expect("a text is rewritten once");
    }

    /// Whether what stands at `offset` of the parsed text is in the named file itself, whatever `#line` calls it.
    pub(super) fn is_in_named_file(&self, offset: usize) -> bool {
        let (offset, _) = self.original(offset, offset);
        !self.table.lines[self.table.line_index(offset)].included
    }

    /// The original place of the stretch from `start` to `end` of the parsed text.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        let (start, end) = self.original(start, end);
        self.preprocessed_span(start, end)
    }

    /// The original place of the stretch from `start` to `end` of the preprocessed text.
    pub(super) fn preprocessed_span(&self, start: usize, end: usize) -> Span {
        let length = self.table.preprocessed.len();
        let (start, end) = (start.min(length), end.min(length));
        let table = &*self.table;
        let index = table.line_index(start);
        let Line { file, line, .. } = table.lines[index];
        let order = table.order.saturating_add(u32::try_from(start).unwrap_or(u32::MAX));
        let (_, text) = &self.sources.files[file as usize];
        let original = table.tokens[file as usize].get_or_init(|| OriginalTokens::new(text));
        let alignment = table.alignment(index, text, original);
        let (from, to) = alignment.place(original, start, end).unwrap_or_else(|| original.whole_line(text, line));
        // What came from the line itself is on that line, even if a macro's arguments go on in the next one.
        let line = if original.line_starts.is_empty() { line } else { original.line_of(from).max(1) };
        Span { file, line, offset: from as u32, length: (to - from) as u32, order }
    }

    /// The stretch of the preprocessed text that `start` to `end` of the parsed text comes from.
    pub(super) fn stretch(&self, start: usize, end: usize) -> std::ops::Range<usize> {
        let (start, end) = self.original(start, end);
        start..end
    }

    /// The place in the preprocessed texts of all units, as [`Span::order`] has it.
    pub(super) fn order(&self, start: usize, end: usize) -> u32 {
        let (start, _) = self.original(start, end);
        self.table.order.saturating_add(u32::try_from(start).unwrap_or(u32::MAX))
    }

    fn original(&self, start: usize, end: usize) -> (usize, usize) {
        let length = self.table.preprocessed.len();
        let (start, end) = match self.table.origins.get() {
            Some(origins) => origins.original(start, end),
            None => (start, end),
        };
        (start.min(length), end.min(length))
    }
}

impl Table {
    fn line_index(&self, offset: usize) -> usize {
        self.lines.partition_point(|line| line.start <= offset).max(1) - 1
    }

    /// The tokens of the line `index`, aligned with those of the original.
    fn alignment(&self, index: usize, text: &str, original: &OriginalTokens) -> Arc<Alignment> {
        let Line { file, line, .. } = self.lines[index];
        let same = |other: &Line| other.is_marker || (other.file == file && other.line == line);
        // gcc splits a line where a macro of a system header is expanded: all its parts belong together.
        let first = index - self.lines[..index].iter().rev().take_while(|other| same(other)).count();
        let last = index + 1 + self.lines[index + 1..].iter().take_while(|other| same(other)).count();
        let known = |alignments: &HashMap<usize, Arc<Alignment>>| alignments.get(&first).cloned();
        let lock = || self.alignments.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(alignment) = known(&lock()) {
            return alignment;
        }
        let start_of = |index: usize| self.lines.get(index).map_or(self.preprocessed.len(), |line| line.start);
        let mut processed = Vec::new();
        for part in first..last {
            if !self.lines[part].is_marker {
                let (start, end) = (start_of(part), start_of(part + 1));
                let tokens = token::tokens(&self.preprocessed[start..end], Directives::Skip);
                processed.extend(tokens.into_iter().map(|t| Token { start: t.start + start, end: t.end + start, ..t }));
            }
        }
        let next_line = self.next_line(last, file, line);
        let alignment = Arc::new(align(&self.preprocessed, processed, text, original, line, next_line));
        lock().insert(first, Arc::clone(&alignment));
        alignment
    }

    /// The next line of the same file from which anything comes.
    fn next_line(&self, from: usize, file: u32, line: u32) -> u32 {
        let mut index = from;
        while let Some(next) = self.lines.get(index) {
            let end = self.lines.get(index + 1).map_or(self.preprocessed.len(), |line| line.start);
            let is_blank = self.preprocessed[next.start..end].trim().is_empty();
            if next.file != file || (!next.is_marker && !is_blank) {
                return if next.file == file { next.line.max(line + 1) } else { line + 1 };
            }
            index += 1;
        }
        u32::MAX
    }
}

impl OriginalTokens {
    fn new(text: &str) -> OriginalTokens {
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(offset, _)| offset + 1)).collect();
        OriginalTokens { tokens: token::tokens(text, Directives::Keep), line_starts }
    }

    fn line_of(&self, offset: usize) -> u32 {
        self.line_starts.partition_point(|start| *start <= offset) as u32
    }

    /// Where line `number` (from 1) begins; behind the last line, the end.
    fn line_start(&self, number: u32, length: usize) -> usize {
        self.line_starts.get(number.saturating_sub(1) as usize).copied().unwrap_or(length)
    }

    /// The line without the space around it.
    fn whole_line(&self, text: &str, number: u32) -> (usize, usize) {
        let start = self.line_start(number, text.len());
        let line = text[start..].lines().next().unwrap_or("");
        let from = start + (line.len() - line.trim_start().len());
        (from, from + line.trim().len())
    }

    /// The tokens that begin on the lines from `first` up to `last`, without it.
    fn on_lines(&self, first: u32, last: u32, length: usize) -> std::ops::Range<usize> {
        let (from, to) = (self.line_start(first, length), self.line_start(last, length));
        let index = |offset: usize| self.tokens.partition_point(|token| token.start < offset);
        index(from)..index(to)
    }
}

/// Aligns the tokens of a preprocessed line with those of the original line, and of the lines that follow if brackets
/// stay open: the arguments of a macro may go on there. Where they stay open in both, the lines from `next` on have
/// their own part of the preprocessed text.
fn align(
    preprocessed: &str,
    processed: Vec<Token>,
    text: &str,
    original: &OriginalTokens,
    line: u32,
    next: u32,
) -> Alignment {
    let mut range = original.on_lines(line, line.saturating_add(1), text.len());
    let mut last = line.saturating_add(1);
    let next = if is_open(preprocessed, &processed) { next } else { u32::MAX };
    while last < next && (last as usize) <= original.line_starts.len() && is_open(text, &original.tokens[range.clone()])
    {
        last += 1;
        range = original.on_lines(line, last, text.len());
    }
    let is_same =
        |a: usize, b: usize| same_text(processed[a].text(preprocessed), original.tokens[range.start + b].text(text));
    let (n, m) = (processed.len(), range.len());
    let mut partners = vec![None; n];
    let prefix = (0..n.min(m)).take_while(|i| is_same(*i, *i)).count();
    let suffix = (0..n.min(m) - prefix).take_while(|i| is_same(n - 1 - i, m - 1 - i)).count();
    for (i, partner) in partners.iter_mut().enumerate().take(prefix) {
        *partner = Some(range.start + i);
    }
    for i in 0..suffix {
        partners[n - 1 - i] = Some(range.end - 1 - i);
    }
    let (rows, columns) = (n - prefix - suffix, m - prefix - suffix);
    if rows > 0 && columns > 0 && rows.saturating_mul(columns) <= LARGEST_ALIGNMENT {
        // Brackets are everywhere in an expansion: those of the macro's use are no partners of them.
        let is_same = |a: usize, b: usize| !matches!(processed[a].text(preprocessed), "(" | ")") && is_same(a, b);
        // The longest common subsequence; length[i][j] is that of what follows i and j.
        let width = columns + 1;
        let mut length = vec![0_u32; (rows + 1) * width];
        for i in (0..rows).rev() {
            for j in (0..columns).rev() {
                length[i * width + j] = if is_same(prefix + i, prefix + j) {
                    length[(i + 1) * width + j + 1] + 1
                } else {
                    length[(i + 1) * width + j].max(length[i * width + j + 1])
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < rows && j < columns {
            if is_same(prefix + i, prefix + j) {
                partners[prefix + i] = Some(range.start + prefix + j);
                i += 1;
                j += 1;
            } else if length[(i + 1) * width + j] >= length[i * width + j + 1] {
                i += 1;
            } else {
                j += 1;
            }
        }
    }
    Alignment { processed, partners, original: range }
}

/// Whether more round brackets are opened than closed.
fn is_open(text: &str, tokens: &[Token]) -> bool {
    let change = |token: &Token| match token.text(text) {
        "(" => 1_i64,
        ")" => -1,
        _ => 0,
    };
    tokens.iter().map(change).sum::<i64>() > 0
}

/// Whether two tokens are the same but for the encoding of what is not ASCII.
fn same_text(a: &str, b: &str) -> bool {
    a == b || (!a.is_ascii() && !b.is_ascii() && a.chars().filter(char::is_ascii).eq(b.chars().filter(char::is_ascii)))
}

impl Alignment {
    /// The stretch of the first original line that the preprocessed stretch comes from.
    fn place(&self, original: &OriginalTokens, start: usize, end: usize) -> Option<(usize, usize)> {
        let first = self.processed.partition_point(|token| token.end <= start);
        let behind = self.processed.partition_point(|token| token.start < end.max(start + 1));
        if first >= self.processed.len() || self.original.is_empty() {
            return None;
        }
        let last = behind.max(first + 1) - 1;
        // What stands between the aligned neighbours is the use of the macro.
        let before = self.partners[..first].iter().rev().find_map(|partner| *partner);
        let after = self.partners[last + 1..].iter().find_map(|partner| *partner);
        let earliest = before.map_or(self.original.start, |before| before + 1);
        let latest = after.unwrap_or(self.original.end);
        let directly_before = first == 0 || self.partners[first - 1].is_some();
        let directly_after = last + 1 == self.processed.len() || self.partners[last + 1].is_some();
        // Inside an expansion, the arguments that are in the stretch say where it is.
        let inside = &self.partners[first..=last];
        let first_inside = inside.iter().find_map(|partner| *partner).filter(|_| !directly_before);
        let last_inside = inside.iter().rev().find_map(|partner| *partner).filter(|_| !directly_after);
        let from = self.partners[first].or(first_inside).unwrap_or(earliest);
        let to = self.partners[last].or(last_inside).map_or(latest, |partner| partner + 1);
        // An empty stretch: the preprocessor, or rewriting, put something where nothing was.
        let from = from.min(self.original.end - 1);
        let from_token = original.tokens[from];
        let line = original.line_of(from_token.start);
        let to = to.max(from + 1);
        let on_line = original.tokens[from..to].iter().take_while(|token| original.line_of(token.start) == line);
        let to_token = on_line.last().copied().unwrap_or(from_token);
        Some((from_token.start, to_token.end))
    }
}

/// Files that the markers name but that cannot be read (a grammar that is not there any more) are shown as the
/// preprocessor left them.
fn show_missing_files(files: &mut Files, preprocessed: &str, lines: &[Line]) {
    let missing: Vec<u32> = files
        .known
        .iter()
        .filter(|(path, index)| !path.starts_with('<') && files.map.files[**index as usize].1.is_empty())
        .map(|(_, index)| *index)
        .collect();
    for index in missing {
        let mut shown: Vec<String> = Vec::new();
        for (position, line) in lines.iter().enumerate() {
            if line.file != index || line.is_marker || line.line == 0 || line.line > LAST_SHOWN_LINE {
                continue;
            }
            let end = lines.get(position + 1).map_or(preprocessed.len(), |next| next.start);
            let number = line.line as usize;
            shown.resize(shown.len().max(number), String::new());
            let text = preprocessed[line.start..end].trim_end();
            shown[number - 1].extend(text.chars().map(|c| stood_for(c).map_or(c, char::from)));
        }
        if !shown.is_empty() {
            files.map.files[index as usize].1 = (shown.join("\n") + "\n").into();
        }
    }
}

/// A line marker.
#[derive(PartialEq, Eq, Debug)]
struct Marker {
    line: u32,
    file: String,
    change: Change,
}

/// What a marker says about included files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    Enter,
    Leave,
    None,
}

/// `# 12 "file.c" 1 3`
fn marker(line: &str) -> Option<Marker> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").map_or(rest, str::trim_start);
    let (number, rest) = rest.split_once(' ')?;
    let line = number.parse().ok()?;
    let rest = rest.trim_start().strip_prefix('"')?;
    let mut file = String::new();
    let mut characters = rest.chars();
    while let Some(c) = characters.next() {
        match c {
            '"' => {
                let change = match characters.as_str().split_whitespace().next() {
                    Some("1") => Change::Enter,
                    Some("2") => Change::Leave,
                    _ => Change::None,
                };
                return Some(Marker { line, file, change });
            }
            '\\' => file.extend(characters.next()),
            _ => file.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is underlined of `original` for `wanted` in `processed`, which stands on its first line.
    fn underlined<'a>(original: &'a str, processed: &str, wanted: &str) -> (u32, &'a str) {
        let mut files = Files::default();
        files.add("f.c", "f.c", original.into());
        let start = processed.rfind(wanted).unwrap();
        let positions = Positions::new(&mut files, 0, format!("# 1 \"f.c\"\n{processed}"), 0);
        let marker = "# 1 \"f.c\"\n".len();
        let span = positions.span(marker + start, marker + start + wanted.len());
        (span.line, &original[span.offset as usize..(span.offset + span.length) as usize])
    }

    #[test]
    fn tokens_are_found_behind_changed_white_space_comments_and_macros() {
        for (original, processed, wanted, line, expected) in [
            ("  if  (x /* why */ <  x)", "  if (x < x)", "x", 1, "x"),
            ("f(x) + why;", "f(x) + why;", "f(x)", 1, "f(x)"),
            ("f(x) + why;", "f(x) + why;", "f(x) ", 1, "f(x)"),
            ("y = (a) * *p;", "y = (a) * *p;", "*p", 1, "*p"),
            ("a = MAX(b, c) + d;", "a = ((b)>(c)?(b):(c)) + d;", "((b)>(c)?(b):(c))", 1, "MAX(b, c)"),
            ("a = MAX + d;", "a = 10 + d;", "10", 1, "MAX"),
            ("a = MAX + d;", "a = 10 + d;", "d", 1, "d"),
            ("x = f(1, // one\n  2);\n", "x = f(1,\n  2);\n", "f(1,\n  2)", 1, "f(1,"),
            ("x = SUM(a,\n  b) + c;\ny;\n", "x = (a + b) + c;\n\ny;\n", "b) + c", 2, "b) + c"),
            ("x = SUM(a,\n  b);\ny;\n", "x = ((a) + (b))\n  ;\ny;\n", "(b)", 2, "b"),
            ("x = SUM(a,\n  b);\ny;\n", "x = ((a) + (b))\n  ;\ny;\n", ";\ny", 2, ";"),
            ("x = SUM(a,\n  b);\ny;\n", "x = ((a) + (b));\n\ny;\n", "(b)", 2, "b"),
            ("x = a \\\n  + b;\ny;\n", "x = a + b;\n\ny;\n", "a", 1, "a"),
            ("s = \"\u{e4}\" + x;", "s = \"\u{f00e4}\" + x;", "x", 1, "x"),
            ("\tx\r\n", "\tx\n", "x", 1, "x"),
            ("x = NULL + y;\n", "x = \n# 1 \"f.c\" 3 4\n ((void*)0)\n# 1 \"f.c\"\n + y;\n", "y", 1, "y"),
        ] {
            assert_eq!(underlined(original, processed, wanted), (line, expected), "{original} {wanted}");
        }
    }

    #[test]
    fn line_markers_of_both_styles_are_read() {
        let read = |line: &str| marker(line).map(|marker| (marker.line, marker.file, marker.change));
        assert_eq!(read("# 12 \"a b.c\" 2 3\n"), Some((12, "a b.c".into(), Change::Leave)));
        assert_eq!(read("# 1 \"a.h\" 1\n"), Some((1, "a.h".into(), Change::Enter)));
        assert_eq!(read("#line 7 \"x\\\"y.c\"\n"), Some((7, "x\"y.c".into(), Change::None)));
        assert_eq!(read("#pragma once\n"), None);
    }

    #[test]
    fn what_is_included_is_told_from_what_is_renamed() {
        let mut files = Files::default();
        files.add("f.c", "./f.c", "int x;\n".into());
        let text = "# 1 \"./f.c\"\n# 1 \"a.h\" 1\nint h;\n# 2 \"./f.c\" 2\n# 5 \"gone.y\"\nint y;\n";
        let positions = Positions::new(&mut files, 0, text.to_string(), 0);
        assert!(!positions.is_in_named_file(text.find("int h").unwrap()));
        let y = text.find("int y").unwrap();
        assert!(positions.is_in_named_file(y));
        let span = positions.span(y, y + 3);
        let (name, shown) = positions.sources.file(span);
        assert_eq!((name, span.line), ("gone.y", 5));
        assert_eq!(&*shown, "\n\n\n\nint y;\n");
    }
}
