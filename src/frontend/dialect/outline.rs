//! The outline of the program: which tokens are declarations, which are statements, and what is a type where.
//!
//! This reads just as much of C as the rewriting needs: names that are types, where a declaration lacks its type, where
//! a label stands before no statement. It does not check anything: text that it does not understand is left to the
//! parser. Names follow the scopes of C, because `(T) + x` is a cast or a sum depending on what `T` is.

use std::collections::HashMap;

use super::token::Kind;
use super::{Content, Edit, Refusal, Source, Standard};

/// Rewrites declarations and statements; `visible` are the tokens to look at.
pub(super) fn rewrite(source: &mut Source<'_>, visible: Vec<usize>) -> Result<(), Refusal> {
    let packs = packs(source.text);
    let builtin = HashMap::from([("__builtin_va_list".to_string(), Meaning::Type)]);
    let mut outline = Outline { source, visible, at: 0, scopes: vec![builtin], packs };
    while outline.at < outline.visible.len() {
        let before = outline.at;
        outline.external()?;
        if outline.at == before {
            outline.at += 1;
        }
    }
    Ok(())
}

/// What a name means, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Type,
    Variable,
    /// lang-c forgets the parameters of a function before its body begins.
    Parameter,
}

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    File,
    Block,
    /// Between the parentheses of an old-style definition and its body.
    Parameters,
}

/// What the specifiers of a declaration say.
#[derive(Default)]
struct Specifiers {
    count: usize,
    has_type: bool,
    is_typedef: bool,
    /// The token `auto` or `__auto_type`.
    inferred: Option<usize>,
}

/// What a declarator declares.
#[derive(Default)]
struct Declarator {
    name: Option<String>,
    is_function: bool,
    parameters: Vec<String>,
}

struct Outline<'s, 'a> {
    source: &'s mut Source<'a>,
    /// Indices of the tokens that count.
    visible: Vec<usize>,
    /// The place in `visible`.
    at: usize,
    scopes: Vec<HashMap<String, Meaning>>,
    /// Where `#pragma pack` changes the layout of structs, and to what.
    packs: Vec<(usize, Option<u32>)>,
}

impl Outline<'_, '_> {
    fn peek(&self, ahead: usize) -> &str {
        self.visible.get(self.at + ahead).map_or("", |index| self.source.word(*index))
    }

    fn kind(&self, ahead: usize) -> Option<Kind> {
        self.visible.get(self.at + ahead).map(|index| self.source.tokens[*index].kind)
    }

    /// The index of the token here, or of the last one.
    fn token(&self) -> usize {
        self.visible.get(self.at).or(self.visible.last()).copied().unwrap_or(0)
    }

    fn previous(&self) -> &str {
        self.at.checked_sub(1).map_or("", |before| self.source.word(self.visible[before]))
    }

    fn is_name(&self, ahead: usize) -> bool {
        self.kind(ahead) == Some(Kind::Word) && !is_keyword(self.peek(ahead))
    }

    fn is_type(&self, name: &str) -> bool {
        self.meaning(name) == Some(Meaning::Type)
    }

    fn meaning(&self, name: &str) -> Option<Meaning> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    fn bind(&mut self, name: &str, meaning: Meaning) {
        self.scopes.last_mut().expect("file scope is always there").insert(name.to_string(), meaning);
    }

    /// The place in `visible` of the bracket that closes the one here; without one, the end.
    fn closing(&self) -> usize {
        let partner = self.visible.get(self.at).and_then(|index| self.source.partners[*index]);
        match partner {
            Some(partner) => self.visible.partition_point(|index| *index < partner),
            None => self.visible.len(),
        }
    }

    /// Jumps behind the bracket that closes the one here.
    fn skip_brackets(&mut self) {
        self.at = (self.closing() + 1).min(self.visible.len());
    }

    /// Whether a declaration begins here.
    fn declares(&self) -> bool {
        let word = self.peek(0);
        is_specifier(word)
            || (self.source.standard == Standard::C23 && is_c23_specifier(word))
            || word == "__auto_type"
            || word == "_Static_assert"
            || (self.is_name(0) && self.is_type(word) && self.peek(1) != ":")
    }

    fn external(&mut self) -> Result<(), Refusal> {
        match self.peek(0) {
            ";" => {
                let index = self.token();
                self.source.replace(index, index, "");
                self.at += 1;
                Ok(())
            }
            "asm" | "__asm__" | "__asm" => {
                let first = self.token();
                while !matches!(self.peek(0), ";" | "") {
                    if self.peek(0) == "(" { self.skip_brackets() } else { self.at += 1 }
                }
                let last = self.token();
                self.source.replace(first, last, "");
                self.at += 1;
                Ok(())
            }
            "_Static_assert" => self.static_assert(),
            "static_assert" if self.source.standard == Standard::C23 => self.static_assert(),
            _ => self.declaration(Level::File),
        }
    }

    /// `_Static_assert(e)` gets an empty message.
    fn static_assert(&mut self) -> Result<(), Refusal> {
        self.at += 1;
        if self.peek(0) != "(" {
            return Ok(());
        }
        let close = self.closing();
        self.at += 1;
        let mut has_message = false;
        while self.at < close {
            self.expression(close, &[","])?;
            has_message |= self.at < close;
            self.at += 1;
        }
        self.at = close;
        if !has_message && close < self.visible.len() {
            let index = self.token();
            self.source.insert_before(index, ", \"\"");
        }
        self.at += 1;
        if self.peek(0) == ";" {
            self.at += 1;
        }
        Ok(())
    }

    /// A declaration or a function definition, with its semicolon or body.
    fn declaration(&mut self, level: Level) -> Result<(), Refusal> {
        let first = self.at;
        let specifiers = self.specifiers(level)?;
        if self.peek(0) == ";" {
            self.at += 1;
            return Ok(());
        }
        if !specifiers.has_type {
            self.missing_type(&specifiers, level)?;
        }
        let mut declarators = 0;
        loop {
            let before = self.at;
            let declarator = self.declarator()?;
            declarators += 1;
            if let Some(name) = &declarator.name {
                let meaning = if specifiers.is_typedef { Meaning::Type } else { Meaning::Variable };
                self.bind(name, meaning);
            }
            if matches!(self.peek(0), "asm" | "__asm__" | "__asm") && self.peek(1) == "(" {
                self.at += 1;
                self.skip_brackets();
            }
            if declarators == 1 && declarator.is_function && !matches!(self.peek(0), "," | ";" | "=" | "") {
                return self.definition(first, &declarator, level);
            }
            if self.peek(0) == "=" {
                self.at += 1;
                let initializer = self.at;
                self.expression(self.visible.len(), &[",", ";"])?;
                if let Some(token) = specifiers.inferred.filter(|_| !specifiers.has_type) {
                    self.infer(token, initializer)?;
                }
            }
            match self.peek(0) {
                "," => self.at += 1,
                ";" => {
                    self.at += 1;
                    return Ok(());
                }
                // Not a declaration after all: the parser will say what is wrong.
                _ if self.at == before => {
                    self.at = before.max(first + 1);
                    return Ok(());
                }
                _ => return Ok(()),
            }
        }
    }

    /// `auto x = e`: the type of what `e` is after conversion.
    fn infer(&mut self, token: usize, initializer: usize) -> Result<(), Refusal> {
        if self.peek(0) != ";" || initializer >= self.at {
            let help = "declare each variable by itself";
            return Err(self.source.refusal(token, "the type of several variables cannot be inferred at once", help));
        }
        let copied =
            self.source.tokens[self.visible[initializer]].start..self.source.tokens[self.visible[self.at - 1]].end;
        let auto = self.source.tokens[token];
        let content = Content::Copy("__typeof__((0, (", copied, ")))");
        self.source.edits.push(Edit { start: auto.start, end: auto.end, content });
        Ok(())
    }

    /// A declaration without a type: implicit int, or a type that nobody declared.
    fn missing_type(&mut self, specifiers: &Specifiers, level: Level) -> Result<(), Refusal> {
        if specifiers.inferred.is_some_and(|token| self.infers(token)) {
            return Ok(());
        }
        let declares_here = specifiers.count > 0 || level == Level::File;
        let name = self.peek(0);
        let type_follows = self.is_name(1) || is_specifier(self.peek(1));
        if self.is_name(0) && (type_follows || (self.peek(1) == "*" && declares_here)) {
            let message = format!("`{name}` is neither declared as a type nor defined as a macro");
            let help = if is_c23_specifier(name) || name == "noreturn" {
                "it is a word of C23: give --std gnu2x, or include the header that defines it for older C"
            } else {
                "include the header that declares it, give the header's folder with -I, or define it with -D"
            };
            return Err(self.source.refusal(self.token(), message, help));
        }
        let declarator_follows =
            self.is_name(0) || self.peek(0) == "*" || (self.peek(0) == "(" && specifiers.count > 0);
        if declares_here && declarator_follows {
            let index = self.token();
            self.source.insert_before(index, "int ");
        }
        Ok(())
    }

    /// Whether `auto` asks for the type of the initializer here.
    fn infers(&self, token: usize) -> bool {
        self.source.word(token) == "__auto_type" || self.source.standard == Standard::C23
    }

    /// What stands before the declarators.
    fn specifiers(&mut self, level: Level) -> Result<Specifiers, Refusal> {
        let mut specifiers = Specifiers::default();
        loop {
            let word = self.peek(0).to_string();
            match word.as_str() {
                "typedef" => specifiers.is_typedef = true,
                "auto" => specifiers.inferred = self.infers(self.token()).then_some(self.token()),
                "__auto_type" => specifiers.inferred = Some(self.token()),
                "constexpr" if self.source.standard == Standard::C23 => {
                    let index = self.token();
                    self.source.replace(index, index, if level == Level::File { "static const" } else { "const" });
                }
                "_Alignas" => {
                    self.at += 1;
                    self.skip_brackets();
                    self.at -= 1;
                }
                "alignas" if self.source.standard == Standard::C23 => {
                    self.at += 1;
                    self.skip_brackets();
                    self.at -= 1;
                }
                "_Atomic" if self.peek(1) == "(" => {
                    specifiers.has_type = true;
                    self.at += 1;
                    self.skip_brackets();
                    self.at -= 1;
                }
                word if is_typeof(word, self.source.standard) && self.peek(1) == "(" => {
                    specifiers.has_type = true;
                    self.at += 1;
                    self.bracketed()?;
                    self.at -= 1;
                }
                "struct" | "union" => {
                    specifiers.has_type = true;
                    self.structure()?;
                    self.at -= 1;
                }
                "enum" => {
                    specifiers.has_type = true;
                    self.enumeration()?;
                    self.at -= 1;
                }
                word if is_type_word(word) => specifiers.has_type = true,
                "bool" if self.source.standard == Standard::C23 => specifiers.has_type = true,
                word if is_specifier(word) => {}
                "thread_local" if self.source.standard == Standard::C23 => {}
                name if !specifiers.has_type && specifiers.inferred.is_none() && self.is_type(name) => {
                    specifiers.has_type = true;
                }
                _ => return Ok(specifiers),
            }
            specifiers.count += 1;
            self.at += 1;
        }
    }

    /// A struct or union, with its fields if they are there.
    fn structure(&mut self) -> Result<(), Refusal> {
        self.at += 1;
        if self.is_name(0) {
            self.at += 1;
        }
        if self.peek(0) != "{" {
            return Ok(());
        }
        let close = self.closing();
        self.at += 1;
        while self.at < close {
            let before = self.at;
            match self.peek(0) {
                ";" => {
                    // lang-c takes stray semicolons only behind a field.
                    if self.previous() == "{" {
                        let index = self.token();
                        self.source.replace(index, index, "");
                        self.visible.remove(self.at);
                        return self.again(before);
                    }
                    self.at += 1;
                }
                "_Static_assert" => self.static_assert()?,
                _ => {
                    self.specifiers(Level::Block)?;
                    self.expression(close, &[";"])?;
                    self.at += 1;
                }
            }
            if self.at == before {
                self.at += 1;
            }
        }
        self.at = close;
        if self.at < self.visible.len() {
            let index = self.token();
            let start = self.source.tokens[index].start;
            let pack = self.packs[..self.packs.partition_point(|(offset, _)| *offset <= start)].last();
            if let Some((_, Some(pack))) = pack {
                let attribute = format!(" __attribute__((__pct_pack({pack})))");
                self.source.insert_after(index, attribute);
            }
            self.at += 1;
        }
        Ok(())
    }

    /// Reads the struct whose brace is the token before `place` once more.
    fn again(&mut self, place: usize) -> Result<(), Refusal> {
        self.at = place - 2;
        self.structure()
    }

    /// An enumeration, with its underlying type and its constants if they are there.
    fn enumeration(&mut self) -> Result<(), Refusal> {
        self.at += 1;
        if self.is_name(0) {
            self.at += 1;
        }
        let mut underlying = None;
        if self.peek(0) == ":" && self.previous() != "?" {
            let colon = self.token();
            self.at += 1;
            let first = self.at;
            let specifiers = self.specifiers(Level::Block)?;
            if !specifiers.has_type {
                self.at = first - 1;
                return Ok(());
            }
            let last = self.visible[self.at - 1];
            let tokens = &self.source.tokens;
            let ty = self.source.text[tokens[self.visible[first]].start..tokens[last].end].to_string();
            let marker = format!("__pct_underlying = sizeof({})", if ty == "bool" { "_Bool" } else { &ty });
            let forward = self.peek(0) == ";";
            self.source.replace(colon, last, if forward { format!("{{ {marker} }}") } else { String::new() });
            underlying = (!forward).then_some(marker);
        }
        if self.peek(0) != "{" {
            return Ok(());
        }
        let close = self.closing();
        self.at += 1;
        while self.at < close {
            if self.is_name(0) {
                let name = self.peek(0).to_string();
                self.bind(&name, Meaning::Variable);
                self.at += 1;
            }
            self.expression(close, &[","])?;
            self.at += 1;
        }
        self.at = close;
        if let Some(marker) = underlying
            && close < self.visible.len()
        {
            let comma = if self.previous() == "," { " " } else { ", " };
            let index = self.token();
            self.source.insert_before(index, format!("{comma}{marker}"));
        }
        self.at = (self.at + 1).min(self.visible.len());
        Ok(())
    }

    /// One declarator: pointers, the name, parameters and dimensions.
    fn declarator(&mut self) -> Result<Declarator, Refusal> {
        let mut declarator = Declarator::default();
        while self.peek(0) == "*" || is_qualifier(self.peek(0)) {
            self.at += 1;
        }
        let mut points = false;
        if self.peek(0) == "(" {
            let close = self.closing();
            self.at += 1;
            points = matches!(self.peek(0), "*" | "^");
            declarator = self.declarator()?;
            self.at = (close + 1).min(self.visible.len());
        } else if self.is_name(0) {
            declarator.name = Some(self.peek(0).to_string());
            self.at += 1;
        }
        let mut suffixes = 0;
        loop {
            match self.peek(0) {
                "(" => {
                    let parameters = self.parameters()?;
                    if suffixes == 0 && !points && !declarator.is_function {
                        declarator.is_function = declarator.name.is_some();
                        declarator.parameters = parameters;
                    }
                }
                "[" => self.bracketed()?,
                _ => return Ok(declarator),
            }
            suffixes += 1;
        }
    }

    /// The parameters of a function; gives back their names.
    fn parameters(&mut self) -> Result<Vec<String>, Refusal> {
        let close = self.closing();
        let open = self.at;
        self.at += 1;
        let mut names = Vec::new();
        if self.peek(0) == "..." && self.at + 1 == close {
            // C23: nothing is known of the parameters.
            let index = self.token();
            self.source.replace(index, index, "");
        }
        while self.at < close {
            let before = self.at;
            let specifiers = self.specifiers(Level::Parameters)?;
            if !specifiers.has_type && specifiers.count > 0 && self.is_name(0) {
                let index = self.token();
                self.source.insert_before(index, "int ");
            }
            let declarator = self.declarator()?;
            names.extend(declarator.name);
            self.expression(close, &[",", ";"])?;
            if self.peek(0) == ";" && self.at < close {
                // GNU: parameters declared before they are listed.
                let (first, last) = (self.visible[open + 1], self.token());
                self.source.replace(first, last, "");
            }
            self.at = (self.at + 1).max(before + 1);
        }
        self.at = (close + 1).min(self.visible.len());
        Ok(names)
    }

    /// The rest of a function definition: old-style declarations and the body.
    fn definition(&mut self, first: usize, declarator: &Declarator, level: Level) -> Result<(), Refusal> {
        self.scopes.push(HashMap::new());
        for name in &declarator.parameters {
            self.bind(name, Meaning::Parameter);
        }
        while !matches!(self.peek(0), "{" | "") {
            let before = self.at;
            if !self.declares() {
                break;
            }
            self.declaration(Level::Parameters)?;
            if self.at == before {
                break;
            }
        }
        if self.peek(0) == "{" {
            if level == Level::File {
                self.block()?;
            } else {
                let last = self.closing().min(self.visible.len() - 1);
                self.source.replace(self.visible[first], self.visible[last], marker("a nested function"));
                self.at = last + 1;
            }
        }
        self.scopes.pop();
        Ok(())
    }

    fn block(&mut self) -> Result<(), Refusal> {
        let close = self.closing();
        self.at += 1;
        self.scopes.push(HashMap::new());
        while self.at < close {
            let before = self.at;
            self.statement(close)?;
            if self.at == before {
                self.at += 1;
            }
        }
        self.at = (close + 1).min(self.visible.len());
        self.scopes.pop();
        Ok(())
    }

    /// A statement, or the part of it before the next statement: `if (x)`, a label, `else`.
    fn statement(&mut self, close: usize) -> Result<(), Refusal> {
        match self.peek(0) {
            "{" => return self.block(),
            ";" | "else" | "do" => self.at += 1,
            "if" | "while" | "switch" if self.peek(1) == "(" => {
                self.at += 1;
                self.bracketed()?;
            }
            "for" if self.peek(1) == "(" => {
                self.at += 1;
                let end = self.closing();
                self.at += 1;
                if self.declares() {
                    self.declaration(Level::Block)?;
                }
                self.expressions(end)?;
                self.at = (end + 1).min(self.visible.len());
            }
            "case" => {
                self.at += 1;
                self.expression(close, &[":", ";"])?;
                self.after_label();
            }
            "default" if self.peek(1) == ":" => {
                self.at += 1;
                self.after_label();
            }
            "goto" if self.peek(1) == "*" => {
                let first = self.token();
                self.expression(close, &[";"])?;
                let last = self.token();
                self.source.replace(first, last, marker("a computed goto"));
                self.at += 1;
            }
            "goto" => self.at += 2,
            "__label__" => {
                let first = self.token();
                self.expression(close, &[";"])?;
                let last = self.token();
                self.source.replace(first, last, "");
                self.at += 1;
            }
            "return" => {
                self.at += 1;
                self.expression(close, &[";"])?;
            }
            "asm" | "__asm__" | "__asm" => self.assembly(),
            "_Static_assert" => self.static_assert()?,
            "static_assert" if self.source.standard == Standard::C23 => self.static_assert()?,
            _ if self.is_name(0) && self.peek(1) == ":" => {
                self.at += 1;
                self.after_label();
            }
            _ if self.declares() => self.declaration(Level::Block)?,
            _ if self.is_name(0) && (self.is_name(1) || is_specifier(self.peek(1))) => {
                let none = Specifiers::default();
                self.missing_type(&none, Level::Block)?;
            }
            _ => {
                self.expression(close, &[";"])?;
                self.at += 1;
            }
        }
        Ok(())
    }

    /// Behind the colon of a label there must be a statement: neither a declaration nor the end of the block.
    fn after_label(&mut self) {
        if self.peek(0) != ":" {
            return;
        }
        let colon = self.token();
        self.at += 1;
        if self.peek(0) == "}" || self.declares() {
            self.source.insert_after(colon, ";");
        }
    }

    /// Inline assembly with the qualifiers that lang-c knows; one that jumps is refused where it is lowered.
    fn assembly(&mut self) {
        let start = self.at;
        self.at += 1;
        let mut jumps = false;
        let mut volatile = false;
        while self.kind(0) == Some(Kind::Word) {
            let index = self.token();
            let word = self.peek(0);
            jumps |= word == "goto";
            if is_qualifier(word) && !volatile {
                volatile = true;
            } else {
                self.source.replace(index, index, "");
            }
            self.at += 1;
        }
        if self.peek(0) != "(" {
            return;
        }
        let close = self.closing();
        self.at = (close + 1).min(self.visible.len());
        if jumps && self.peek(0) == ";" {
            self.source.replace(self.visible[start], self.token(), marker("inline assembly that jumps"));
        }
        if self.peek(0) == ";" {
            self.at += 1;
        }
    }

    /// What stands between the brackets here, as an expression.
    fn bracketed(&mut self) -> Result<(), Refusal> {
        let close = self.closing();
        if self.peek(1) == "{" && self.peek(0) == "(" {
            self.at += 1;
            self.block()?;
        } else {
            self.at += 1;
            self.expressions(close)?;
        }
        self.at = (close + 1).min(self.visible.len());
        Ok(())
    }

    /// Everything up to `end`, also if it is no expression.
    fn expressions(&mut self, end: usize) -> Result<(), Refusal> {
        while self.at < end {
            let before = self.at;
            self.expression(end, &[])?;
            self.at = self.at.max(before + 1);
        }
        Ok(())
    }

    /// An expression or an initializer, up to one of the words `stops` outside of brackets, or to `end`.
    fn expression(&mut self, end: usize, stops: &[&str]) -> Result<(), Refusal> {
        // How many `?` wait for their colon.
        let mut questions = 0;
        while self.at < end.min(self.visible.len()) {
            let word = self.peek(0).to_string();
            match word.as_str() {
                ":" if questions > 0 => questions -= 1,
                word if stops.contains(&word) => return Ok(()),
                "(" | "[" => {
                    self.bracketed()?;
                    continue;
                }
                "{" => {
                    self.braces()?;
                    continue;
                }
                // A closing bracket without its partner, or the end of a block: nothing to go on with.
                ")" | "]" | "}" => {
                    self.at += usize::from(word != "}");
                    return Ok(());
                }
                "?" => {
                    questions += 1;
                    if self.peek(1) == ":" {
                        let index = self.token();
                        self.source.insert_after(index, " __pct_same ");
                    }
                }
                "&&" if self.is_name(1) && !self.follows_operand() => {
                    let (first, last) = (self.token(), self.visible[self.at + 1]);
                    let text = format!("({{ {} (void *)0; }})", marker("the address of a label"));
                    self.source.replace(first, last, text);
                    self.at += 1;
                }
                "struct" | "union" => {
                    self.structure()?;
                    continue;
                }
                "enum" => {
                    self.enumeration()?;
                    continue;
                }
                "__builtin_types_compatible_p" if self.peek(1) == "(" => self.compatible_types()?,
                "_Alignof" | "__alignof__" | "__alignof" => self.alignment()?,
                name if self.meaning(name) == Some(Meaning::Parameter) => self.shadowing(name),
                _ => {}
            }
            self.at += 1;
        }
        Ok(())
    }

    /// A parameter whose name is also a type: in double parentheses lang-c takes it for neither a cast nor a declaration.
    fn shadowing(&mut self, name: &str) {
        let hidden = self.scopes.iter().any(|scope| scope.get(name) == Some(&Meaning::Type));
        if hidden && !matches!(self.previous(), "." | "->") {
            let index = self.token();
            self.source.replace(index, index, format!("(({name}))"));
        }
    }

    /// Braces in an expression: an initializer, or a compound literal, which lang-c does not take empty.
    fn braces(&mut self) -> Result<(), Refusal> {
        let close = self.closing();
        if self.previous() == ")" && self.at + 1 == close {
            let index = self.token();
            self.source.insert_after(index, "0");
        }
        self.at += 1;
        while self.at < close {
            let before = self.at;
            // `x: 1` is an old designator, not a use of `x`.
            if self.is_name(0) && self.peek(1) == ":" {
                self.at += 2;
            }
            self.expression(close, &[","])?;
            self.at = (self.at + 1).max(before + 1);
        }
        self.at = (close + 1).min(self.visible.len());
        Ok(())
    }

    /// Whether the token before this one ends an operand, so that `&&` is the operator between two.
    fn follows_operand(&self) -> bool {
        let Some(before) = self.at.checked_sub(1) else { return false };
        let index = self.visible[before];
        match self.source.tokens[index].kind {
            Kind::Number | Kind::Text | Kind::Character => true,
            Kind::Word => !matches!(self.source.word(index), "return" | "case" | "else" | "do" | "sizeof"),
            Kind::Punctuation => match self.source.word(index) {
                "]" | "}" | "++" | "--" => true,
                // A cast is no operand.
                ")" => match self.source.partners[index] {
                    Some(open) => {
                        let first = self.source.word(open + 1);
                        !(is_specifier(first) || is_type_word(first) || self.is_type(first))
                    }
                    None => true,
                },
                _ => false,
            },
        }
    }

    /// lang-c takes no types as arguments: the same question, asked with `_Generic`.
    fn compatible_types(&mut self) -> Result<(), Refusal> {
        let name = self.token();
        self.at += 1;
        let open = self.token();
        let close = self.closing();
        let start = self.at;
        self.at += 1;
        self.expression(close, &[","])?;
        let comma = self.at;
        if comma < close && close < self.visible.len() {
            self.source.replace(name, name, "_Generic");
            self.source.insert_after(open, "(__typeof__(");
            self.source.replace(self.visible[comma], self.visible[comma], ")*)0, __typeof__(");
            self.source.insert_before(self.visible[close], ")*: 1, default: 0");
        }
        self.at = close.max(start);
        Ok(())
    }

    /// The alignment of an expression, which GNU allows and lang-c does not.
    fn alignment(&mut self) -> Result<(), Refusal> {
        let inside = self.peek(2);
        let is_type = is_specifier(inside) || is_type_word(inside) || self.is_type(inside);
        if self.peek(1) == "(" && (is_type || is_typeof(inside, self.source.standard) || inside == "bool") {
            return Ok(());
        }
        let first = self.token();
        self.at += 1;
        if self.peek(0) != "(" {
            let help = "ask for the alignment of a type";
            return Err(self.source.refusal(first, "pct does not handle the alignment of an expression", help));
        }
        let close = self.closing().min(self.visible.len() - 1);
        let text = format!("({{ {} 1; }})", marker("the alignment of an expression"));
        self.source.replace(first, self.visible[close], text);
        self.at = close;
        Ok(())
    }
}

/// A statement that lang-c parses and lowering refuses by the name of `what`.
fn marker(what: &str) -> String {
    format!("__asm__(\"pct: {what}\");")
}

fn is_qualifier(word: &str) -> bool {
    matches!(
        word,
        "const"
            | "__const"
            | "__const__"
            | "volatile"
            | "__volatile"
            | "__volatile__"
            | "restrict"
            | "__restrict"
            | "__restrict__"
            | "_Atomic"
    )
}

/// A word that a declaration may begin with, and that is not a name.
fn is_specifier(word: &str) -> bool {
    is_qualifier(word)
        || is_type_word(word)
        || matches!(
            word,
            "typedef"
                | "extern"
                | "static"
                | "register"
                | "auto"
                | "inline"
                | "__inline"
                | "__inline__"
                | "_Noreturn"
                | "_Thread_local"
                | "__thread"
                | "_Alignas"
                | "__auto_type"
                | "struct"
                | "union"
                | "enum"
                | "typeof"
                | "__typeof"
                | "__typeof__"
                | "__typeof_unqual"
                | "__typeof_unqual__"
        )
}

fn is_c23_specifier(word: &str) -> bool {
    matches!(word, "constexpr" | "bool" | "alignas" | "thread_local" | "typeof_unqual" | "static_assert")
}

fn is_typeof(word: &str, standard: Standard) -> bool {
    matches!(word, "typeof" | "__typeof" | "__typeof__" | "__typeof_unqual" | "__typeof_unqual__")
        || (standard == Standard::C23 && word == "typeof_unqual")
}

/// A keyword that names a type, or a part of its name.
fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "char"
            | "short"
            | "int"
            | "long"
            | "float"
            | "double"
            | "signed"
            | "__signed"
            | "__signed__"
            | "unsigned"
            | "_Bool"
            | "_Complex"
            | "__complex"
            | "__complex__"
            | "__int128"
            | "__int128__"
            | "__int128_t"
            | "__uint128_t"
            | "__float128"
    ) || word
        .strip_prefix("_Float")
        .or(word.strip_prefix("_Decimal"))
        .is_some_and(|width| matches!(width.trim_end_matches('x'), "16" | "32" | "64" | "128"))
}

/// A word that is no name in the text that lang-c reads.
fn is_keyword(word: &str) -> bool {
    is_specifier(word)
        || matches!(
            word,
            "break"
                | "case"
                | "continue"
                | "default"
                | "do"
                | "else"
                | "for"
                | "goto"
                | "if"
                | "return"
                | "sizeof"
                | "switch"
                | "while"
                | "asm"
                | "__asm"
                | "__asm__"
                | "_Alignof"
                | "__alignof"
                | "__alignof__"
                | "_Generic"
                | "_Static_assert"
                | "__label__"
        )
}

/// Where `#pragma pack` changes the layout of structs: the offset, and the greatest alignment from there on.
fn packs(text: &str) -> Vec<(usize, Option<u32>)> {
    let mut packs = Vec::new();
    let mut current = None;
    let mut saved = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if let Some(arguments) = pack_arguments(line) {
            let mut next = None;
            let mut changes = arguments.is_empty();
            for argument in arguments.split(',').map(str::trim) {
                match argument {
                    "push" => saved.push(current),
                    "pop" => {
                        next = saved.pop().flatten();
                        changes = true;
                    }
                    number => {
                        if let Ok(number) = number.parse() {
                            next = Some(number).filter(|number| *number > 0);
                            changes = true;
                        }
                    }
                }
            }
            if changes {
                current = next;
                packs.push((offset, current));
            }
        }
        offset += line.len();
    }
    packs
}

/// `#pragma pack(push, 1)` → `push, 1`
fn pack_arguments(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("pragma")?.trim_start();
    let rest = rest.strip_prefix("pack")?.trim_start().strip_prefix('(')?;
    rest.split_once(')').map(|(arguments, _)| arguments.trim())
}
