//! What can be rewritten word by word, without knowing what is declared: keywords that are spelled differently,
//! literals, attributes. Gives back the tokens that the outline of the program consists of.

use super::token::Kind;
use super::{Refusal, Source, Standard, literals};

/// Attributes that change what a program means; all others are dropped.
const MEANINGFUL: &[&str] = &[
    "aligned",
    "cleanup",
    "gcc_struct",
    "mode",
    "ms_struct",
    "noreturn",
    "packed",
    "scalar_storage_order",
    "transparent_union",
    "vector_size",
];

/// Rewrites words; the result are the indices of the tokens that are neither attributes nor otherwise removed.
pub(super) fn rewrite(source: &mut Source<'_>) -> Result<Vec<usize>, Refusal> {
    let mut visible = Vec::new();
    let mut index = 0;
    while index < source.tokens.len() {
        let token = source.tokens[index];
        let word = token.text(source.text);
        if let Some(last) = attribute_end(source, index) {
            let kept = kept_attributes(source, index, last);
            // An attribute between `struct` and its tag: lang-c would take what follows for a function.
            match visible.last().map(|previous| source.word(*previous)) {
                Some("struct" | "union" | "enum") if !kept.is_empty() => match body_end(source, last + 1) {
                    Some(end) => {
                        source.replace(index, last, "");
                        source.insert_after(end, kept);
                    }
                    None => source.replace(index, last, ""),
                },
                _ => source.replace(index, last, kept),
            }
            index = last + 1;
            continue;
        }
        if let Some(last) = removed_end(source, index) {
            source.replace(index, last, "");
            index = last + 1;
            continue;
        }
        if token.kind == Kind::Number && word.trim_end_matches(['u', 'U']).to_ascii_lowercase().ends_with("wb") {
            let help = "use a standard integer type";
            return Err(source.refusal(index, "pct does not handle numbers of the type `_BitInt`", help));
        }
        let replacement = match token.kind {
            Kind::Word => keyword(source, index)?.or_else(|| plain_name(word)),
            Kind::Punctuation => digraph(word).map(str::to_string),
            kind => literals::rewrite(kind, word, source.standard),
        };
        if let Some(replacement) = replacement {
            source.replace(index, index, replacement);
        }
        visible.push(index);
        index += 1;
    }
    if source.tokens.iter().any(|token| is_wide_integer(token.text(source.text))) {
        // Incomplete structs: nothing can be computed with them unless lowering knows them.
        let prelude = "typedef struct __pct_int128 __pct_int128; typedef struct __pct_uint128 __pct_uint128; ";
        source.edits.insert(0, super::Edit { start: 0, end: 0, content: super::Content::Text(prelude.to_string()) });
    }
    Ok(visible)
}

/// The last token of the attribute that begins at `index`.
fn attribute_end(source: &Source<'_>, index: usize) -> Option<usize> {
    match source.word(index) {
        "__attribute__" | "__attribute" | "__declspec" if source.word(index + 1) == "(" => source.partners[index + 1],
        // No expression of C begins with a bracket, so two of them are an attribute of C23.
        "[" if source.word(index + 1) == "[" => {
            let (inner, outer) = (source.partners[index + 1]?, source.partners[index]?);
            (inner + 1 == outer).then_some(outer)
        }
        _ => None,
    }
}

/// The attributes between two tokens that matter, as GNU writes them.
fn kept_attributes(source: &Source<'_>, first: usize, last: usize) -> String {
    let mut kept = Vec::new();
    let mut index = first;
    while index < last {
        let name = source.word(index).trim_matches('_');
        let end = match source.word(index + 1) {
            "(" => source.partners[index + 1].unwrap_or(index),
            _ => index,
        };
        if source.tokens[index].kind == Kind::Word && MEANINGFUL.contains(&name.to_ascii_lowercase().as_str()) {
            let arguments = &source.text[source.tokens[index].end..source.tokens[end].end];
            kept.push(format!("{}{arguments}", name.to_ascii_lowercase()));
            index = end;
        } else if source.tokens[index].kind == Kind::Word && end > index && index > first {
            // What stands in the arguments of another attribute is none.
            index = end;
        }
        index += 1;
    }
    if kept.is_empty() { String::new() } else { format!(" __attribute__(({})) ", kept.join(", ")) }
}

/// The closing brace of the struct, union or enum whose tag or body begins at `index`.
fn body_end(source: &Source<'_>, index: usize) -> Option<usize> {
    let mut index = index;
    while let Some(last) = attribute_end(source, index) {
        index = last + 1;
    }
    if source.tokens.get(index)?.kind == Kind::Word {
        index += 1;
    }
    while !matches!(source.word(index), "{" | ";" | ")" | "," | "*" | "=" | "") {
        index += 1;
    }
    if source.word(index) == "{" { source.partners[index] } else { None }
}

/// The last token of what is removed altogether.
fn removed_end(source: &Source<'_>, index: usize) -> Option<usize> {
    match source.word(index) {
        "__extension__" | "_Nonnull" | "_Nullable" | "_Null_unspecified" => Some(index),
        "_Pragma" if source.word(index + 1) == "(" => source.partners[index + 1],
        // The words beside `__int128` are part of its name.
        "unsigned" | "signed" | "__signed__" | "__signed" | "int"
            if is_wide_integer(source.word(index + 1)) || (index > 0 && is_wide_integer(source.word(index - 1))) =>
        {
            Some(index)
        }
        _ => None,
    }
}

fn is_wide_integer(word: &str) -> bool {
    matches!(word, "__int128" | "__int128__" | "__int128_t" | "__uint128_t")
}

/// Another spelling of a keyword.
fn keyword(source: &Source<'_>, index: usize) -> Result<Option<String>, Refusal> {
    let word = source.word(index);
    let same = match word {
        "__thread" => "_Thread_local",
        "__const__" => "const",
        "__float128" => "_Float128",
        "__typeof_unqual" | "__typeof_unqual__" => "__typeof__",
        "__int128" | "__int128__" => {
            let beside = [index.wrapping_sub(1), index + 1];
            if beside.iter().any(|beside| source.word(*beside) == "unsigned") {
                "__pct_uint128"
            } else {
                "__pct_int128"
            }
        }
        "__int128_t" => "__pct_int128",
        "__uint128_t" => "__pct_uint128",
        "_BitInt" => {
            let help = "use a standard integer type";
            return Err(source.refusal(index, "pct does not handle the type `_BitInt`", help));
        }
        "__real__" | "__real" | "__imag__" | "__imag" => {
            let help = "keep the two parts in variables of their own";
            return Err(source.refusal(index, "pct does not handle the parts of complex numbers", help));
        }
        _ if source.standard == Standard::Older => return Ok(None),
        "bool" => "_Bool",
        "true" => "((_Bool)1)",
        "false" => "((_Bool)0)",
        "nullptr" => "((void *)0)",
        "alignas" => "_Alignas",
        "alignof" => "_Alignof",
        "static_assert" => "_Static_assert",
        "thread_local" => "_Thread_local",
        "typeof_unqual" => "__typeof__",
        _ => return Ok(None),
    };
    Ok(Some(same.to_string()))
}

/// A name of letters that lang-c knows.
fn plain_name(word: &str) -> Option<String> {
    if word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return None;
    }
    let mut plain = String::new();
    let mut rest = word.chars();
    while let Some(c) = rest.next() {
        let code = match c {
            '\\' => {
                let digits = if rest.next() == Some('u') { 4 } else { 8 };
                let number: String = rest.by_ref().take(digits).collect();
                u32::from_str_radix(&number, 16).unwrap_or(0)
            }
            c if c.is_ascii_alphanumeric() || c == '_' => {
                plain.push(c);
                continue;
            }
            c => c as u32,
        };
        plain.push_str(&format!("_u{code:04x}_"));
    }
    Some(plain)
}

fn digraph(word: &str) -> Option<&'static str> {
    match word {
        "<:" => Some("["),
        ":>" => Some("]"),
        "<%" => Some("{"),
        "%>" => Some("}"),
        _ => None,
    }
}
