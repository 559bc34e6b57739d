//! The tokens of C, with their places: of original files and of preprocessed text alike.
//!
//! White space, comments, continued lines and directives are left out; everything else belongs to exactly one token, so
//! text that is not C becomes tokens too and the parser says what is wrong with it.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::frontend) enum Kind {
    Word,
    Number,
    /// A string literal with its prefix.
    Text,
    /// A character constant with its prefix.
    Character,
    Punctuation,
}

/// A token: a stretch of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::frontend) struct Token {
    pub(in crate::frontend) start: usize,
    pub(in crate::frontend) end: usize,
    pub(in crate::frontend) kind: Kind,
}

impl Token {
    /// What stands there.
    pub(in crate::frontend) fn text(self, text: &str) -> &str {
        &text[self.start..self.end]
    }
}

/// What to do with lines that begin with `#`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::frontend) enum Directives {
    /// In preprocessed text they are no part of the program.
    Skip,
    /// In original text they are tokens, because macros may be expanded in them.
    Keep,
}

/// The tokens of `text`.
pub(in crate::frontend) fn tokens(text: &str, directives: Directives) -> Vec<Token> {
    let mut scanner = Scanner { text, bytes: text.as_bytes(), at: 0 };
    let mut tokens = Vec::new();
    let mut line_begins = true;
    while scanner.at < text.len() {
        let start = scanner.at;
        match scanner.bytes[start] {
            b'\n' => {
                line_begins = true;
                scanner.at += 1;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => scanner.at += 1,
            b'\\' if scanner.continues_line() => scanner.skip_line_end(),
            b'#' if line_begins && directives == Directives::Skip => scanner.skip_to_line_end(),
            b'/' if scanner.peek(1) == b'/' => scanner.skip_line_comment(),
            b'/' if scanner.peek(1) == b'*' => scanner.skip_block_comment(),
            _ => {
                line_begins = false;
                let kind = scanner.token();
                tokens.push(Token { start, end: scanner.at, kind });
            }
        }
    }
    tokens
}

struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Whether a backslash ends the line here.
    fn continues_line(&self) -> bool {
        self.peek(1) == b'\n' || (self.peek(1) == b'\r' && self.peek(2) == b'\n')
    }

    fn skip_line_end(&mut self) {
        self.at += if self.peek(1) == b'\n' { 2 } else { 3 };
    }

    fn skip_to_line_end(&mut self) {
        self.at += self.text[self.at..].find('\n').unwrap_or(self.text.len() - self.at);
    }

    fn skip_line_comment(&mut self) {
        while self.at < self.bytes.len() && self.peek(0) != b'\n' {
            if self.peek(0) == b'\\' && self.continues_line() {
                self.skip_line_end();
            } else {
                self.at += 1;
            }
        }
    }

    fn skip_block_comment(&mut self) {
        let body = &self.text[self.at + 2..];
        self.at += body.find("*/").map_or(body.len() + 2, |end| end + 4);
    }

    /// Consumes one token.
    fn token(&mut self) -> Kind {
        let first = self.peek(0);
        if let Some(kind) = self.literal() {
            return kind;
        }
        if first.is_ascii_digit() || (first == b'.' && self.peek(1).is_ascii_digit()) {
            self.number();
            return Kind::Number;
        }
        if is_word_byte(first) || self.is_universal_name() {
            while is_word_byte(self.peek(0)) || self.is_universal_name() {
                self.at += 1;
            }
            return Kind::Word;
        }
        self.at += punctuation_length(&self.bytes[self.at..]);
        Kind::Punctuation
    }

    /// `\u00e4` in a name.
    fn is_universal_name(&self) -> bool {
        self.peek(0) == b'\\' && matches!(self.peek(1), b'u' | b'U')
    }

    /// Consumes a string literal or a character constant, if one begins here.
    fn literal(&mut self) -> Option<Kind> {
        let rest = &self.text[self.at..];
        let prefix = ["u8R", "uR", "UR", "LR", "R", "u8", "u", "U", "L", ""]
            .into_iter()
            .find(|prefix| rest.starts_with(prefix) && rest[prefix.len()..].starts_with(['"', '\'']))?;
        let raw = prefix.ends_with('R');
        let quote = rest.as_bytes()[prefix.len()];
        if raw && quote == b'\'' {
            return None;
        }
        if raw {
            let body = prefix.len() + 1;
            let open = rest[body..].find('(')?;
            let close = format!("){}\"", &rest[body..body + open]);
            let end = rest[body..].find(&close)?;
            self.at += body + end + close.len();
            return Some(Kind::Text);
        }
        self.at += prefix.len() + 1;
        // A literal ends with its line, whether it is closed or not.
        while self.at < self.bytes.len() && self.peek(0) != b'\n' {
            let byte = self.peek(0);
            self.at += 1;
            if byte == quote {
                break;
            }
            if byte == b'\\' && self.at < self.bytes.len() {
                self.at += self.text[self.at..].chars().next().map_or(0, char::len_utf8);
            }
        }
        Some(if quote == b'"' { Kind::Text } else { Kind::Character })
    }

    /// Consumes a preprocessing number: also what is no number in the end.
    fn number(&mut self) {
        while self.at < self.bytes.len() {
            let byte = self.peek(0);
            let sign_follows = matches!(self.peek(1), b'+' | b'-');
            let signed_exponent = matches!(byte, b'e' | b'E' | b'p' | b'P') && sign_follows;
            let separator = byte == b'\'' && self.peek(1).is_ascii_hexdigit();
            if signed_exponent || separator {
                self.at += 2;
            } else if is_word_byte(byte) || byte == b'.' {
                self.at += 1;
            } else {
                break;
            }
        }
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn punctuation_length(bytes: &[u8]) -> usize {
    let starts = |token: &&str| bytes.starts_with(token.as_bytes());
    let three = ["...", "<<=", ">>="];
    let two = [
        "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
        "^=", "<:", ":>", "<%", "%>",
    ];
    if three.iter().any(&starts) {
        3
    } else if two.iter().any(starts) {
        2
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, directives: Directives, expected: &[&str]) {
        let found: Vec<&str> = tokens(text, directives).into_iter().map(|token| token.text(text)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn every_kind_of_token_is_found_whole() {
        check("a+++b", Directives::Skip, &["a", "++", "+", "b"]);
        check("x=0x1p-3+1'000;", Directives::Skip, &["x", "=", "0x1p-3", "+", "1'000", ";"]);
        check(r#"L"a\"b" u8'c' f("//")"#, Directives::Skip, &[r#"L"a\"b""#, "u8'c'", "f", "(", r#""//""#, ")"]);
        check("R\"x(a\n)\" )x\" y", Directives::Skip, &["R\"x(a\n)\" )x\"", "y"]);
        check("größe $x d\\u00e4 1...3", Directives::Skip, &["größe", "$x", "d\\u00e4", "1...3"]);
        check("a /* b */ c // d \\\n e\nf", Directives::Skip, &["a", "c", "f"]);
        check("a \\\n b /* never closed", Directives::Skip, &["a", "b"]);
        check("\"never closed\nx", Directives::Skip, &["\"never closed", "x"]);
        check("'\\", Directives::Skip, &["'\\"]);
    }

    #[test]
    fn directives_are_tokens_only_of_original_text() {
        check("# 1 \"x.c\"\nint x;\n  #pragma y\n;", Directives::Skip, &["int", "x", ";", ";"]);
        check("#define X 1\n", Directives::Keep, &["#", "define", "X", "1"]);
        check("a # b", Directives::Skip, &["a", "#", "b"]);
    }
}
