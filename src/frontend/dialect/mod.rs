//! Dialects: preprocessed text → text that lang-c parses, and where each stretch of it came from.
//!
//! lang-c parses C11 with most of GNU's extensions. What people write beyond that (implicit int, C23, more GNU) is
//! rewritten here, token by token, into C11 that means the same. Every change is an [`Edit`] of the text, so the place
//! of everything stays known and messages underline what the user wrote.
//!
//! What has no equal in C11 becomes a form that lowering recognises:
//!
//! | written | becomes |
//! |---|---|
//! | `a ?: b` | `a ? __pct_same : b` |
//! | `__int128`, `unsigned __int128` and their typedefs | `__pct_int128`, `__pct_uint128`, typedefs of incomplete structs |
//! | `enum E : T { A }` | `enum E { A, __pct_underlying = sizeof(T) }` |
//! | a struct under `#pragma pack(n)` | the struct with `__attribute__((__pct_pack(n)))` |
//! | `auto x = e` (C23), `__auto_type x = e` | `__typeof__((0, (e))) x = e` |
//! | `__builtin_types_compatible_p(a, b)` | `_Generic((__typeof__(a)*)0, __typeof__(b)*: 1, default: 0)` |
//! | what pct cannot handle (nested functions, computed `goto`, `&&label`) | `__asm__("pct: what it is");` |
//!
//! The last one because a construct in a function that nobody asked about does no harm: it is refused where it is
//! lowered. Attributes are removed, but for those that change what the program means.

mod literals;
mod outline;
pub(super) mod token;
mod words;

use std::collections::HashSet;

pub(super) use literals::{stand_in, stood_for};
use token::{Directives, Kind, Token};

/// Brackets may be nested this deep: twice what the C standard asks for, and what clang allows. lang-c takes quadratic
/// time in it.
const DEEPEST_BRACKETS: usize = 256;

/// What recurses without brackets (`else if`, `? :`, `- - x`) may be this long, so that no stack overflows.
const LONGEST_CHAIN: usize = 50_000;

/// So many signs like `--`, which can also be two signs, may stand in one row of operators: lang-c tries all ways to take
/// them apart.
const MOST_DOUBLE_SIGNS: usize = 8;

/// No rewriting makes a text grow beyond this, whatever it is given.
const LARGEST_TEXT: usize = 1 << 28;

/// The language that the words of the text belong to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standard {
    /// `bool`, `auto` and others have their meaning of C23.
    C23,
    /// Everything before.
    Older,
}

impl Standard {
    /// The standard that the compiler's option `-std` names.
    pub(super) fn of(option: &str) -> Standard {
        let year = option.trim_start_matches("gnu").trim_start_matches("iso9899:").trim_start_matches('c');
        if matches!(year, "2x" | "23" | "2y" | "2024") { Standard::C23 } else { Standard::Older }
    }
}

/// Something that neither lang-c parses nor rewriting helps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Refusal {
    /// Where it is in the text that was to be rewritten.
    pub(super) start: usize,
    pub(super) end: usize,
    /// A whole sentence.
    pub(super) message: String,
    /// What to do.
    pub(super) help: String,
}

/// The text for lang-c.
#[derive(Clone, Debug)]
pub(super) struct Rewritten {
    pub(super) text: String,
    pub(super) origins: Origins,
}

/// Where the rewritten text comes from: stretches in order, each either unchanged or standing for another stretch.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins(Vec<Stretch>);

#[derive(Clone, Copy, Debug)]
struct Stretch {
    start: usize,
    original_start: usize,
    original_end: usize,
    unchanged: bool,
}

impl Origins {
    /// The stretch of the original text that `start` to `end` of the rewritten text comes from.
    pub(super) fn original(&self, start: usize, end: usize) -> (usize, usize) {
        let place = |offset: usize| {
            let index = self.0.partition_point(|stretch| stretch.start <= offset).checked_sub(1)?;
            let stretch = self.0[index];
            let inside = stretch.original_start + (offset - stretch.start);
            Some((stretch, inside.min(stretch.original_end)))
        };
        let from = match place(start) {
            Some((stretch, inside)) if stretch.unchanged => inside,
            Some((stretch, _)) => stretch.original_start,
            None => start,
        };
        // The end is the place behind the last character.
        let to = match place(end.max(start + 1) - 1) {
            Some((stretch, inside)) if stretch.unchanged => inside + 1,
            Some((stretch, _)) => stretch.original_end,
            None => end,
        };
        (from, to.max(from))
    }
}

/// Rewrites preprocessed text for lang-c.
pub(super) fn rewrite(text: &str, standard: Standard) -> Result<Rewritten, Refusal> {
    let all = token::tokens(text, Directives::Skip);
    let partners = partners(text, &all)?;
    check_chains(text, &all)?;
    let mut source = Source { text, standard, partners, tokens: all, edits: Vec::new() };
    let visible = words::rewrite(&mut source)?;
    outline::rewrite(&mut source, visible)?;
    blank_trivia(&mut source);
    render(text, source.edits)
}

/// What a marker statement stands for: a construct that pct does not handle.
pub(super) fn refused_construct(assembly: &lang_c::ast::AsmStatement) -> Option<&str> {
    let lang_c::ast::AsmStatement::GnuBasic(template) = assembly else {
        return None;
    };
    template.node.first()?.strip_prefix("\"pct: ")?.strip_suffix('"')
}

/// The number of the failure that a marker statement stands for: the body of a function that cannot be parsed.
pub(super) fn failure_number(assembly: &lang_c::ast::AsmStatement) -> Option<usize> {
    let lang_c::ast::AsmStatement::GnuBasic(template) = assembly else {
        return None;
    };
    template.node.first()?.strip_prefix(FAILURE)?.strip_suffix('"')?.parse().ok()
}

/// How the template of such a marker begins. It is short, because it has to fit into the body.
const FAILURE: &str = "\"@";

/// The text with a marker in the place of the body of the function around `offset`, everything else where it was;
/// `None` if there is no function around it, or it has been taken out already.
pub(super) fn without_body(text: &str, offset: usize, number: usize) -> Option<String> {
    let tokens = token::tokens(text, Directives::Skip);
    // Only braces count: what is wrong inside may be another bracket.
    let mut depth = 0_usize;
    let mut opening = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token.text(text) {
            "{" => {
                opening = if depth == 0 { index } else { opening };
                depth += 1;
            }
            "}" => depth = depth.checked_sub(1)?,
            _ => continue,
        }
        if depth > 0 || token.end <= offset {
            continue;
        }
        let before = tokens[..opening].last()?;
        let is_body = tokens[opening].start < offset && matches!(before.text(text), ")" | ";");
        let inside = tokens[opening].end..token.start;
        let marker = format!("__asm__({FAILURE}{number}\");");
        if !is_body || inside.len() < marker.len() || text[inside.clone()].contains(FAILURE) {
            return None;
        }
        let rest = &text.as_bytes()[inside.start + marker.len()..inside.end];
        let blank: String = rest.iter().map(|byte| if *byte == b'\n' { '\n' } else { ' ' }).collect();
        return Some([&text[..inside.start], &marker, &blank, &text[inside.end..]].concat());
    }
    None
}

/// The brackets of `text` that have no partner, for messages; the first of them.
pub(super) fn lonely_bracket(text: &str) -> Option<(usize, usize)> {
    let tokens = token::tokens(text, Directives::Keep);
    let partners = match partners(text, &tokens) {
        Ok(partners) => partners,
        Err(refusal) => return Some((refusal.start, refusal.end)),
    };
    let is_bracket = |token: &Token| matches!(token.text(text), "(" | ")" | "[" | "]" | "{" | "}");
    let lonely = tokens.iter().zip(&partners).find(|(token, partner)| is_bracket(token) && partner.is_none());
    lonely.map(|(token, _)| (token.start, token.end))
}

/// The names in `text`.
pub(super) fn names(text: &str) -> HashSet<&str> {
    let tokens = token::tokens(text, Directives::Keep);
    tokens.into_iter().filter(|token| token.kind == Kind::Word).map(|token| token.text(text)).collect()
}

/// The text with its tokens and the changes so far.
struct Source<'a> {
    text: &'a str,
    standard: Standard,
    tokens: Vec<Token>,
    /// For each bracket, the index of the token that closes or opens it.
    partners: Vec<Option<usize>>,
    edits: Vec<Edit>,
}

impl Source<'_> {
    fn word(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| token.text(self.text))
    }

    /// Puts `text` in the place of the tokens from `first` to `last`.
    fn replace(&mut self, first: usize, last: usize, text: impl Into<String>) {
        let (start, end) = (self.tokens[first].start, self.tokens[last].end);
        self.edits.push(Edit { start, end, content: Content::Text(text.into()) });
    }

    /// Puts `text` before a token.
    fn insert_before(&mut self, index: usize, text: impl Into<String>) {
        let start = self.tokens[index].start;
        self.edits.push(Edit { start, end: start, content: Content::Text(text.into()) });
    }

    /// Puts `text` behind a token.
    fn insert_after(&mut self, index: usize, text: impl Into<String>) {
        let start = self.tokens[index].end;
        self.edits.push(Edit { start, end: start, content: Content::Text(text.into()) });
    }

    fn refusal(&self, index: usize, message: impl Into<String>, help: impl Into<String>) -> Refusal {
        let token = self.tokens[index];
        Refusal { start: token.start, end: token.end, message: message.into(), help: help.into() }
    }
}

/// A change of the text.
#[derive(Clone, Debug)]
struct Edit {
    start: usize,
    end: usize,
    content: Content,
}

/// What an edit puts there.
#[derive(Clone, Debug)]
enum Content {
    Text(String),
    /// A copy of another stretch, as it is after rewriting, between two texts.
    Copy(&'static str, std::ops::Range<usize>, &'static str),
}

/// The partner of each bracket.
fn partners(text: &str, tokens: &[Token]) -> Result<Vec<Option<usize>>, Refusal> {
    let mut partners = vec![None; tokens.len()];
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let closing = match token.text(text) {
            "(" => ")",
            "[" | "<:" => "]",
            "{" | "<%" => "}",
            found @ (")" | "]" | "}" | ":>" | "%>") => {
                let found = match found {
                    ":>" => "]",
                    "%>" => "}",
                    other => other,
                };
                // A bracket that closes nothing is the parser's to complain of.
                if let Some((opening, expected)) = open.last().copied()
                    && expected == found
                {
                    open.pop();
                    partners[opening] = Some(index);
                    partners[index] = Some(opening);
                }
                continue;
            }
            _ => continue,
        };
        open.push((index, closing));
        if open.len() > DEEPEST_BRACKETS {
            return Err(Refusal {
                start: token.start,
                end: token.end,
                message: format!("brackets are nested more than {DEEPEST_BRACKETS} deep"),
                help: "take the innermost part out into a variable or a function".to_string(),
            });
        }
    }
    Ok(partners)
}

/// Refuses what would make the parser recurse without brackets until its stack is full.
fn check_chains(text: &str, tokens: &[Token]) -> Result<(), Refusal> {
    let too_long = |token: &Token, what: &str| {
        Err(Refusal {
            start: token.start,
            end: token.end,
            message: format!("this {what} is too long for pct"),
            help: "split it".to_string(),
        })
    };
    let mut since_separator = 0;
    let mut statements = 0;
    let mut depth = 0_usize;
    let mut double_signs = 0;
    for token in tokens {
        match token.text(text) {
            "--" | "++" | "&&" => double_signs += 1,
            "-" | "+" | "!" | "~" | "*" | "&" => {}
            _ => double_signs = 0,
        }
        if double_signs > MOST_DOUBLE_SIGNS {
            return too_long(token, "row of operators");
        }
        match token.text(text) {
            "{" | "}" | ";" | "," => since_separator = 0,
            _ => since_separator += 1,
        }
        match token.text(text) {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                statements = if depth == 0 { 0 } else { statements };
            }
            "if" | "else" | "while" | "for" | "do" | "switch" | ":" if depth > 0 => statements += 1,
            _ => {}
        }
        if since_separator > LONGEST_CHAIN {
            return too_long(token, "expression");
        }
        if statements > LONGEST_CHAIN {
            return too_long(token, "function");
        }
    }
    Ok(())
}

/// lang-c knows no comments, no form feeds, and directives only at the very beginning of a line.
fn blank_trivia(source: &mut Source<'_>) {
    let mut at = 0;
    let ends: Vec<(usize, usize)> =
        source.tokens.iter().map(|t| (t.start, t.end)).chain([(source.text.len(), source.text.len())]).collect();
    for (start, end) in ends {
        let trivia = &source.text[at..start];
        if trivia.bytes().any(|byte| !matches!(byte, b' ' | b'\t' | b'\n')) {
            let blank: String = trivia.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
            source.edits.push(Edit { start: at, end: start, content: Content::Text(blank) });
        }
        at = end;
    }
}

/// Applies the edits.
fn render(text: &str, mut edits: Vec<Edit>) -> Result<Rewritten, Refusal> {
    // Insertions at one place stay in the order in which they were made, and come before what replaces it.
    edits.sort_by_key(|edit| (edit.start, edit.end));
    // What lies inside a replaced stretch is gone.
    let mut outer: Vec<Edit> = Vec::new();
    for edit in edits {
        match outer.last() {
            Some(last) if edit.start < last.end && edit.end <= last.end => {}
            Some(last) if edit.start == last.start && edit.end > last.end && last.end > last.start => {
                outer.pop();
                outer.push(edit);
            }
            _ => outer.push(edit),
        }
    }
    let mut rendering = Rendering { text, edits: outer, result: String::new(), stretches: Vec::new() };
    rendering.stretch(0..text.len(), true).map_err(|()| Refusal {
        start: 0,
        end: 0,
        message: "this text is too large for pct".to_string(),
        help: "analyse a smaller file".to_string(),
    })?;
    Ok(Rewritten { text: rendering.result, origins: Origins(rendering.stretches) })
}

struct Rendering<'a> {
    text: &'a str,
    edits: Vec<Edit>,
    result: String,
    stretches: Vec<Stretch>,
}

impl Rendering<'_> {
    /// Appends a stretch of the text with its edits; `recorded` unless it is inside a copy.
    fn stretch(&mut self, range: std::ops::Range<usize>, recorded: bool) -> Result<(), ()> {
        let mut at = range.start;
        let mut next = self.edits.partition_point(|edit| edit.start < range.start);
        while let Some(edit) = self.edits.get(next).filter(|edit| edit.end <= range.end).cloned() {
            self.record(at, edit.start, true, recorded);
            self.result.push_str(&self.text[at..edit.start]);
            self.record(edit.start, edit.end, false, recorded);
            match &edit.content {
                Content::Text(text) => self.result.push_str(text),
                Content::Copy(before, copied, after) => {
                    self.result.push_str(before);
                    self.stretch(copied.clone(), false)?;
                    self.result.push_str(after);
                }
            }
            at = edit.end;
            next += 1;
            if self.result.len() > LARGEST_TEXT {
                return Err(());
            }
        }
        self.record(at, range.end, true, recorded);
        self.result.push_str(&self.text[at..range.end]);
        Ok(())
    }

    fn record(&mut self, original_start: usize, original_end: usize, unchanged: bool, recorded: bool) {
        if recorded {
            let start = self.result.len();
            self.stretches.push(Stretch { start, original_start, original_end, unchanged });
        }
    }
}

#[cfg(test)]
mod tests;
