//! Where a place of the preprocessed text is in the file that the user wrote.
//!
//! Line markers (`# 12 "file.c"`) give file and line exactly. Within a line the preprocessor changes white space and
//! expands macros, so the column is found by its token: the n-th occurrence of a token in the preprocessed line is the
//! n-th occurrence in the original line. If the token is not there (it came out of a macro), the whole line is meant.

use std::collections::HashMap;
use std::sync::Arc;

use crate::program::{SourceMap, Span};

/// The map from offsets in the preprocessed text to places in the original files.
#[derive(Clone, Debug)]
pub(super) struct Positions {
    /// The original files.
    pub(super) sources: SourceMap,
    lines: Vec<Line>,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    /// Offset of the line in the preprocessed text.
    start: usize,
    file: u32,
    line: u32,
}

impl Positions {
    /// Reads the line markers of `preprocessed`; `main` and `text` are the file that the user named.
    pub(super) fn new(main: &str, text: Arc<str>, preprocessed: &str) -> Positions {
        let mut sources = SourceMap { files: vec![(main.to_string(), text)] };
        let mut known = HashMap::from([(main.to_string(), 0)]);
        let mut file = 0;
        let mut line = 1;
        let mut lines = Vec::new();
        let mut start = 0;
        for text in preprocessed.split_inclusive('\n') {
            if let Some((number, name)) = marker(text) {
                line = number;
                file = file_index(&name, &mut sources, &mut known);
                // The marker line itself gets a place too, so that the search below always finds one.
                lines.push(Line { start, file, line });
            } else {
                lines.push(Line { start, file, line });
                line += 1;
            }
            start += text.len();
        }
        if lines.is_empty() {
            lines.push(Line { start, file, line });
        }
        Positions { sources, lines }
    }

    /// Whether an offset of the preprocessed text lies in the file that the user named.
    pub(super) fn is_own(&self, offset: usize) -> bool {
        let index = self.lines.partition_point(|line| line.start <= offset).max(1) - 1;
        self.lines[index].file == 0
    }

    /// The original place of the stretch from `start` to `end` of the preprocessed text.
    pub(super) fn span(&self, preprocessed: &str, start: usize, end: usize) -> Span {
        let start = start.min(preprocessed.len());
        let index = self.lines.partition_point(|line| line.start <= start).max(1) - 1;
        let Line { start: line_start, file, line } = self.lines[index];
        let text = &self.sources.files[file as usize].1;
        let (original_start, original) = nth_line(text, line);
        let processed = preprocessed[line_start..].lines().next().unwrap_or("");
        let column = find(processed, original, start - line_start);
        let (from, to) = match column {
            None => {
                let trimmed = original.trim_start();
                let from = original.len() - trimmed.len();
                (from, from + trimmed.trim_end().len())
            }
            Some((from, first_end)) => {
                let end = end.min(line_start + processed.len());
                let to = last_token_start(processed, end.saturating_sub(line_start))
                    .and_then(|last| find(processed, original, last))
                    .map_or(first_end, |(_, to)| to);
                (from, to.max(first_end))
            }
        };
        Span { file, line, offset: (original_start + from) as u32, length: (to - from) as u32, order: start as u32 }
    }
}

/// The index of the file `name`, which is read at its first mention.
fn file_index(name: &str, sources: &mut SourceMap, known: &mut HashMap<String, u32>) -> u32 {
    *known.entry(name.to_string()).or_insert_with(|| {
        let text: Arc<str> = match std::fs::read_to_string(name) {
            Ok(text) => text.into(),
            Err(_) => Arc::from(""),
        };
        sources.files.push((name.to_string(), text));
        (sources.files.len() - 1) as u32
    })
}

/// `# 12 "file.c" 1 3` → (12, file.c)
fn marker(line: &str) -> Option<(u32, String)> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").map_or(rest, str::trim_start);
    let (number, rest) = rest.split_once(' ')?;
    let number = number.parse().ok()?;
    let rest = rest.trim_start().strip_prefix('"')?;
    let mut name = String::new();
    let mut characters = rest.chars();
    while let Some(c) = characters.next() {
        match c {
            '"' => return Some((number, name)),
            '\\' => name.extend(characters.next()),
            _ => name.push(c),
        }
    }
    None
}

/// Offset and text of line `number` (from 1).
fn nth_line(text: &str, number: u32) -> (usize, &str) {
    let mut start = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if index + 1 == number as usize {
            return (start, line.trim_end_matches(['\n', '\r']));
        }
        start += line.len();
    }
    (text.len(), "")
}

/// The place in `original` of the token that stands at `column` of `processed`.
fn find(processed: &str, original: &str, column: usize) -> Option<(usize, usize)> {
    // A word is found more surely than a bracket.
    let is_word = |&(start, end): &(usize, usize)| processed[start..end].starts_with(is_word_character);
    let mut from_here = tokens(processed).into_iter().filter(|&(_, end)| end > column).peekable();
    let first = *from_here.peek()?;
    let wanted = from_here.find(is_word).unwrap_or(first);
    let word = &processed[wanted.0..wanted.1];
    // Most lines come through the preprocessor unchanged.
    if original.get(wanted.0..wanted.1) == Some(word) && processed.len() == original.len() {
        return Some(wanted);
    }
    let nth = tokens(processed)
        .into_iter()
        .take_while(|&(start, _)| start < wanted.0)
        .filter(|&(start, end)| &processed[start..end] == word)
        .count();
    tokens(original).into_iter().filter(|&(start, end)| &original[start..end] == word).nth(nth)
}

/// Where the last token that begins before `end` begins.
fn last_token_start(processed: &str, end: usize) -> Option<usize> {
    tokens(processed).into_iter().map(|(start, _)| start).take_while(|&start| start < end).last()
}

fn is_word_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Start and end of the tokens of a line: words, and single characters for the rest.
fn tokens(line: &str) -> Vec<(usize, usize)> {
    let mut tokens = Vec::new();
    let mut word_start = None;
    for (offset, c) in line.char_indices() {
        let in_word = is_word_character(c);
        match (in_word, word_start) {
            (true, None) => word_start = Some(offset),
            (true, Some(_)) => {}
            (false, start) => {
                if let Some(start) = start {
                    tokens.push((start, offset));
                    word_start = None;
                }
                if !c.is_whitespace() {
                    tokens.push((offset, offset + c.len_utf8()));
                }
            }
        }
    }
    if let Some(start) = word_start {
        tokens.push((start, line.len()));
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_found_behind_changed_white_space_and_comments() {
        let original = "  if  (x /* why */ <  x)";
        let processed = "  if (x < x)";
        let second_x = processed.rfind('x').unwrap();
        let (start, end) = find(processed, original, second_x).unwrap();
        assert_eq!(&original[start..end], "x");
        assert_eq!(start, original.rfind('x').unwrap());
    }

    #[test]
    fn line_markers_of_both_styles_are_read() {
        assert_eq!(marker("# 12 \"a b.c\" 2 3\n"), Some((12, "a b.c".into())));
        assert_eq!(marker("#line 7 \"x\\\"y.c\"\n"), Some((7, "x\"y.c".into())));
        assert_eq!(marker("#pragma once\n"), None);
    }
}
