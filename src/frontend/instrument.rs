//! Instrumenting: the preprocessed text of each file, with probes, and with what the environment answers in the place of
//! calls that pct takes as inputs.
//!
//! Edits are made in the text that the compiler's preprocessor gave, before [`super::dialect`] rewrote it, so the
//! compiler gets what the user wrote, and line markers keep their meaning. The syntax tree says where; a point is found
//! by its place in the text, which is that of the statement, declaration or atomic condition that it stands before. A
//! loop that begins at a label begins again there, so the probe of such a label goes into the loop.

use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as RawSpan};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::dialect::stood_for;
use super::dialect::token::{self, Directives, Token};
use super::lower::declared_name;
use super::{Unit, read, with_large_stack};
use crate::config::Config;
use crate::error::Result;

/// What is to be put into the text.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The place of the function (the `order` of its span).
    pub function: u32,
    /// The probes.
    pub probes: Vec<Probe>,
    /// Functions that get another body, if they have one.
    pub bodies: BTreeMap<String, String>,
    /// Calls of these functions become calls of others.
    pub calls: BTreeMap<String, Replacement>,
    /// Variables of static storage inside functions, by the place of their declarator: a call for behind it.
    pub statics: BTreeMap<u32, String>,
    /// Variables at file scope: the name, the places of static ones, and a statement that the file which declares it
    /// runs before the test.
    pub globals: Vec<FileName>,
    /// The same for functions.
    pub functions: Vec<FileName>,
    /// The text before each file.
    pub before: String,
    /// The function that calls the tested one; it goes behind the file that defines it.
    pub driver: String,
    /// The text behind each file.
    pub trailer: String,
    /// What `main` is called. Where several files define it, each but one gets a number.
    pub main: String,
    /// Variables that the environment is asked for at each read.
    pub volatiles: BTreeSet<String>,
    /// Who runs the statements for names at file scope.
    pub registration: Registration,
}

/// Who runs the statements for names at file scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Registration {
    /// The program calls `__pct_register_N` of each file; a name that files share is told of once.
    #[default]
    Called,
    /// Each file does so by itself when the program starts, for everything that it declares: others may not be part of
    /// the program. It calls `__pct_start` first.
    AtStart,
}

/// A name at file scope.
#[derive(Clone, Debug)]
pub struct FileName {
    /// The name.
    pub name: String,
    /// Where it stands; for a name that files share, none.
    pub order: Option<u32>,
    /// What to run.
    pub statement: String,
}

/// A probe.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The place of its point.
    pub order: u32,
    /// The places of the variables that are in scope, which tell the declarators of one declaration apart.
    pub in_scope: BTreeSet<u32>,
    /// The call.
    pub call: String,
}

/// What a call becomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Replacement {
    /// Another function of the same type.
    Callee(String),
    /// Another function with the type of a pointer to the first, or this one if that is not declared.
    Cast(String, String),
    /// Another function with the same arguments, the first of them as a condition; `$` stands for the line.
    Condition(String),
    /// This text, whatever the arguments are.
    Whole(String),
    /// The same call, with the first argument as a condition that goes through this function.
    Through(String),
    /// The same call, after this one.
    After(String),
}

/// The texts to compile.
#[derive(Clone, Debug)]
pub struct Instrumented {
    /// For each file of the configuration: its text.
    pub units: Vec<Vec<u8>>,
    /// Which probes have a place.
    pub probed: Vec<bool>,
    /// The standard of each file.
    pub standards: Vec<String>,
    /// What cannot be done as it ought to be.
    pub problems: Vec<String>,
}

/// Carries out `plan` on the files of `config`.
pub fn instrument(config: &Config, plan: &Plan) -> Result<Instrumented> {
    with_large_stack(|| {
        let units = read(config)?;
        let mut result = Instrumented {
            units: Vec::new(),
            probed: vec![false; plan.probes.len()],
            standards: Vec::new(),
            problems: Vec::new(),
        };
        // A name that files share is told of once.
        let mut told: BTreeSet<&str> = BTreeSet::new();
        let mut registering = Vec::new();
        let own: Vec<&Unit> = units.iter().filter(|unit| !unit.is_library).collect();
        // The tested one keeps its name, or else the first.
        let is_kept = |unit: &&&Unit| main_of(unit).is_some_and(|order| order == plan.function);
        let first = || own.iter().position(|unit| main_of(unit).is_some());
        let kept = own.iter().position(|unit| is_kept(&unit)).or_else(first);
        for (number, unit) in own.iter().enumerate() {
            let mut walk = Walk::new(unit, plan);
            if main_of(unit).is_some() && kept != Some(number) {
                walk.main = format!("{}_{number}", plan.main);
            }
            walk.unit();
            let mut text = format!("{}\n", plan.before);
            let at = text.len();
            text.push_str(unit.positions.preprocessed());
            let trailer = walk.trailer(number, &mut told);
            registering.push(format!("__pct_register_{number}"));
            for (index, done) in walk.probed.iter().enumerate() {
                result.probed[index] |= done;
            }
            let edited = apply(unit.positions.preprocessed(), walk.inserts, walk.replacements);
            text.truncate(at);
            text.push_str(&edited);
            text.push_str("\n# 1 \"the driver of the test\"\n");
            text.push_str(&trailer);
            result.units.push(encode(&text));
            result.standards.push(unit.standard.clone());
            result.problems.append(&mut walk.problems);
        }
        Ok(result)
    })
}

/// The place of the `main` that a file defines.
fn main_of(unit: &Unit) -> Option<u32> {
    unit.tree.0.iter().find_map(|external| match &external.node {
        ast::ExternalDeclaration::FunctionDefinition(definition) => {
            let declarator = &definition.node.declarator;
            let is_main = declared_name(&declarator.node) == Some("main");
            is_main.then(|| unit.positions.order(declarator.span.start, declarator.span.end))
        }
        _ => None,
    })
}

/// The bytes of a preprocessed text.
fn encode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut buffer = [0; 4];
    for character in text.chars() {
        match stood_for(character) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes()),
        }
    }
    bytes
}

/// A text that goes between two characters.
struct Insert {
    at: usize,
    /// It closes what an insert before opens.
    closes: bool,
    /// How long what it encloses is: the longest opens first and closes last.
    length: usize,
    text: String,
}

fn apply(text: &str, mut inserts: Vec<Insert>, mut replacements: Vec<(Range<usize>, String)>) -> String {
    inserts.sort_by_key(|insert| {
        let rank = if insert.closes { (0, insert.length, Reverse(0)) } else { (1, 0, Reverse(insert.length)) };
        (insert.at, rank)
    });
    replacements.sort_by_key(|(range, _)| (range.start, Reverse(range.end)));
    let mut result = String::with_capacity(text.len() * 2);
    let mut at = 0;
    let mut inserts = inserts.into_iter().peekable();
    for (range, new) in replacements.into_iter().chain([(text.len()..text.len(), String::new())]) {
        if range.start < at {
            continue;
        }
        while let Some(insert) = inserts.next_if(|insert| insert.at <= range.start) {
            // What stands inside a replaced stretch is gone with it.
            if insert.at >= at {
                result.push_str(&text[at..insert.at]);
                result.push_str(&insert.text);
                at = insert.at;
            }
        }
        result.push_str(&text[at..range.start]);
        result.push_str(&new);
        at = range.end;
        while inserts.next_if(|insert| insert.at < range.end).is_some() {}
    }
    result
}

/// Where a probe goes.
#[derive(Clone, Debug)]
enum Site {
    /// Before an item of a block.
    Item(usize),
    /// Around a statement.
    Around(Range<usize>),
    /// Before the value of an expression.
    Expression(Range<usize>),
    /// In the place of the condition that a `for` lacks.
    NoCondition(usize),
    /// Among the declarators of a declaration: their places in order and text, and where to put what comes before the
    /// first of them.
    Declaration(Vec<(u32, usize)>, Option<usize>),
}

struct Walk<'a> {
    unit: &'a Unit,
    plan: &'a Plan,
    text: &'a str,
    tokens: Vec<Token>,
    /// For each bracket, the index of its partner.
    partners: Vec<Option<usize>>,
    /// Probes by place.
    wanted: BTreeMap<u32, Vec<usize>>,
    /// In the body of the tested function.
    inside: bool,
    seen: BTreeSet<u32>,
    probed: Vec<bool>,
    inserts: Vec<Insert>,
    replacements: Vec<(Range<usize>, String)>,
    /// The functions that are declared at file scope.
    functions: BTreeSet<String>,
    /// The variables of file scope, with the places of their declarators.
    variables: BTreeMap<String, Vec<u32>>,
    /// Whether this file defines the tested function.
    is_home: bool,
    /// What `main` is called here.
    main: String,
    problems: Vec<String>,
}

impl<'a> Walk<'a> {
    fn new(unit: &'a Unit, plan: &'a Plan) -> Walk<'a> {
        let text = unit.positions.preprocessed();
        let tokens = token::tokens(text, Directives::Skip);
        let mut partners = vec![None; tokens.len()];
        let mut open = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            match token.text(text) {
                "(" | "[" | "{" | "<:" | "<%" => open.push(index),
                ")" | "]" | "}" | ":>" | "%>" => {
                    if let Some(opening) = open.pop() {
                        partners[opening] = Some(index);
                        partners[index] = Some(opening);
                    }
                }
                _ => {}
            }
        }
        let mut wanted: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (index, probe) in plan.probes.iter().enumerate() {
            wanted.entry(probe.order).or_default().push(index);
        }
        Walk {
            unit,
            plan,
            text,
            tokens,
            partners,
            wanted,
            inside: false,
            seen: BTreeSet::new(),
            probed: vec![false; plan.probes.len()],
            inserts: Vec::new(),
            replacements: Vec::new(),
            functions: BTreeSet::new(),
            variables: BTreeMap::new(),
            is_home: false,
            main: plan.main.clone(),
            problems: Vec::new(),
        }
    }

    /// A stretch of the parsed text, in the preprocessed one.
    fn range(&self, span: RawSpan) -> Range<usize> {
        self.unit.positions.stretch(span.start, span.end)
    }

    fn order(&self, span: RawSpan) -> u32 {
        self.unit.positions.order(span.start, span.end)
    }

    /// The smallest stretch around this one in which every bracket has its partner: the parser does not count the
    /// parentheses around the first and the last operand.
    fn balanced(&self, span: RawSpan) -> Range<usize> {
        let Range { mut start, mut end } = self.range(span);
        loop {
            let first = self.tokens.partition_point(|token| token.start < start);
            let last = self.tokens.partition_point(|token| token.start < end);
            let (before, after) = (start, end);
            for partner in self.partners[first..last].iter().flatten() {
                start = start.min(self.tokens[*partner].start);
                end = end.max(self.tokens[*partner].end);
            }
            if (before, after) == (start, end) {
                return start..end;
            }
        }
    }

    /// Behind the first token `word` from `from` on, outside brackets that open there.
    fn behind(&self, from: usize, word: &str) -> Option<usize> {
        let mut index = self.tokens.partition_point(|token| token.start < from);
        while let Some(token) = self.tokens.get(index) {
            if token.text(self.text) == word {
                return Some(token.end);
            }
            index = match self.partners[index] {
                Some(partner) if partner > index => partner + 1,
                _ => index + 1,
            };
        }
        None
    }

    fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.inserts.push(Insert { at, closes: false, length: usize::MAX, text: text.into() });
    }

    fn enclose(&mut self, range: Range<usize>, before: String, after: &str) {
        let length = range.len();
        self.inserts.push(Insert { at: range.start, closes: false, length, text: before });
        self.inserts.push(Insert { at: range.end, closes: true, length, text: after.to_string() });
    }

    fn unit(&mut self) {
        for external in &self.unit.tree.0 {
            match &external.node {
                ast::ExternalDeclaration::Declaration(declaration) => self.file_declaration(declaration),
                ast::ExternalDeclaration::FunctionDefinition(definition) => self.function(definition),
                ast::ExternalDeclaration::StaticAssert(_) => {}
            }
        }
        for token in &self.tokens {
            if token.text(self.text) == "main" {
                self.replacements.push((token.start..token.end, self.main.clone()));
            }
        }
    }

    fn file_declaration(&mut self, declaration: &Node<ast::Declaration>) {
        if is_typedef(&declaration.node) {
            return;
        }
        for declarator in &declaration.node.declarators {
            let Some(name) = declared_name(&declarator.node.declarator.node) else { continue };
            if is_function(&declarator.node.declarator.node) {
                self.functions.insert(name.to_string());
            } else {
                let order = self.order(declarator.span);
                self.variables.entry(name.to_string()).or_default().push(order);
            }
        }
    }

    fn function(&mut self, definition: &Node<ast::FunctionDefinition>) {
        let name = declared_name(&definition.node.declarator.node);
        self.functions.extend(name.map(str::to_string));
        if let Some(body) = name.and_then(|name| self.plan.bodies.get(name)) {
            let range = self.range(definition.node.statement.span);
            self.replacements.push((range, body.clone()));
            return;
        }
        self.inside = self.order(definition.node.declarator.span) == self.plan.function;
        if self.inside {
            self.is_home = true;
            let whole = self.range(definition.span);
            for token in &self.tokens {
                if whole.contains(&token.start) && matches!(token.text(self.text), "register" | "__register__") {
                    self.replacements.push((token.start..token.end, String::new()));
                }
            }
            let body = self.range(definition.node.statement.span);
            if let Some(start) = self.behind(body.start, "{").or_else(|| self.behind(body.start, "<%")) {
                let leave = match self.plan.registration {
                    Registration::Called => "",
                    Registration::AtStart => " __attribute__((cleanup(__pct_leave)))",
                };
                self.insert(start, format!(" int __pct_own{leave} = __pct_enter(); "));
            }
        }
        self.statement(&definition.node.statement, true);
        self.inside = false;
    }

    /// Puts the probes there whose points stand at this place; the outermost construct comes first and takes them.
    fn site(&mut self, order: u32, site: Site) {
        if !self.inside || !self.seen.insert(order) {
            return;
        }
        let Some(probes) = self.wanted.get(&order).cloned() else { return };
        let plan = self.plan;
        for index in probes {
            let probe = &plan.probes[index];
            let call = &probe.call;
            match &site {
                Site::Declaration(declarators, first) => {
                    let next = declarators.iter().position(|(order, _)| !probe.in_scope.contains(order));
                    match (next, first) {
                        (Some(0) | None, Some(at)) => self.insert(*at, format!("{call}; ")),
                        (None, None) => continue,
                        (Some(next), _) => {
                            let text = format!("*__pct_dummy_{index} = ({call}, (void *)0), ");
                            self.insert(declarators[next].1, text);
                        }
                    }
                }
                // Points of the same place that are no declarations belong to calls of the function by itself, or to
                // what one expression does.
                _ if self.probed_at(order) => continue,
                Site::Item(at) => self.insert(*at, format!("{call}; ")),
                Site::Around(range) => self.enclose(range.clone(), format!("{{ {call}; "), " }"),
                Site::Expression(range) => self.enclose(range.clone(), format!("({call}, ("), "))"),
                Site::NoCondition(at) => self.insert(*at, format!("({call}, 1)")),
            }
            self.probed[index] = true;
        }
    }

    fn probed_at(&self, order: u32) -> bool {
        self.wanted.get(&order).is_some_and(|probes| probes.iter().any(|index| self.probed[*index]))
    }

    /// A statement; `is_item` if further statements may be put before it without braces.
    fn statement(&mut self, node: &Node<ast::Statement>, is_item: bool) {
        let order = self.order(node.span);
        let range = self.range(node.span);
        let plain = if is_item { Site::Item(range.start) } else { Site::Around(range.clone()) };
        match &node.node {
            ast::Statement::Labeled(labeled) => {
                let labeled = &labeled.node;
                let site = match self.loop_entry(&labeled.statement) {
                    Some(site) => site,
                    None if is_item => match self.behind(self.range(labeled.label.span).start, ":") {
                        Some(colon) => Site::Item(colon),
                        None => Site::Around(self.range(labeled.statement.span)),
                    },
                    None => Site::Around(self.range(labeled.statement.span)),
                };
                if let ast::Label::Identifier(_) = &labeled.label.node {
                    self.site(order, site);
                }
                self.statement(&labeled.statement, is_item);
            }
            ast::Statement::Compound(items) => {
                for item in items {
                    match &item.node {
                        ast::BlockItem::Declaration(declaration) => self.declaration(declaration, true),
                        ast::BlockItem::Statement(statement) => self.statement(statement, true),
                        ast::BlockItem::StaticAssert(_) => {}
                    }
                }
            }
            ast::Statement::Expression(expression) => {
                self.site(order, plain);
                if let Some(expression) = expression {
                    self.value(expression);
                }
            }
            ast::Statement::If(statement) => {
                let statement = &statement.node;
                self.site(order, Site::Expression(self.balanced(statement.condition.span)));
                self.condition(&statement.condition);
                self.statement(&statement.then_statement, false);
                if let Some(otherwise) = &statement.else_statement {
                    self.statement(otherwise, false);
                }
            }
            ast::Statement::Switch(statement) => {
                self.site(order, Site::Expression(self.balanced(statement.node.expression.span)));
                self.value(&statement.node.expression);
                self.statement(&statement.node.statement, false);
            }
            ast::Statement::While(statement) => {
                self.site(order, Site::Expression(self.balanced(statement.node.expression.span)));
                self.condition(&statement.node.expression);
                self.statement(&statement.node.statement, false);
            }
            ast::Statement::DoWhile(statement) => {
                let entry = self.loop_entry(node).expect("a do begins a loop");
                self.site(order, entry);
                self.statement(&statement.node.statement, false);
                self.condition(&statement.node.expression);
            }
            ast::Statement::For(statement) => {
                if let Some(site) = self.for_condition(node, &statement.node) {
                    self.site(order, site);
                }
                let statement = &statement.node;
                match &statement.initializer.node {
                    ast::ForInitializer::Empty | ast::ForInitializer::StaticAssert(_) => {}
                    ast::ForInitializer::Expression(expression) => self.evaluation(expression),
                    ast::ForInitializer::Declaration(declaration) => self.declaration(declaration, false),
                }
                if let Some(condition) = &statement.condition {
                    self.condition(condition);
                }
                if let Some(step) = &statement.step {
                    self.evaluation(step);
                }
                self.statement(&statement.statement, false);
            }
            ast::Statement::Return(expression) => {
                self.site(order, plain);
                if let Some(expression) = expression {
                    self.value(expression);
                }
            }
            ast::Statement::Goto(_) | ast::Statement::Continue | ast::Statement::Break => self.site(order, plain),
            ast::Statement::Asm(_) => {}
        }
    }

    /// Where the condition of a `for` is, or would be.
    fn for_condition(&self, node: &Node<ast::Statement>, statement: &ast::ForStatement) -> Option<Site> {
        if let Some(condition) = &statement.condition {
            return Some(Site::Expression(self.balanced(condition.span)));
        }
        let inside = self.range(node.span).start;
        let index = self.tokens.partition_point(|token| token.start < inside);
        let open = (index..self.tokens.len()).find(|index| self.tokens[*index].text(self.text) == "(")?;
        Some(Site::NoCondition(self.behind(self.tokens[open].end, ";")?))
    }

    /// The place that is passed whenever the loop begins again which a statement begins with.
    fn loop_entry(&self, node: &Node<ast::Statement>) -> Option<Site> {
        match &node.node {
            ast::Statement::While(statement) => Some(Site::Expression(self.balanced(statement.node.expression.span))),
            ast::Statement::DoWhile(statement) => {
                let body = &statement.node.statement;
                Some(self.loop_entry(body).unwrap_or_else(|| Site::Around(self.range(body.span))))
            }
            ast::Statement::For(statement) => match statement.node.initializer.node {
                ast::ForInitializer::Empty => self.for_condition(node, &statement.node),
                _ => None,
            },
            ast::Statement::Compound(items) => {
                let first = items.iter().find(|item| match &item.node {
                    ast::BlockItem::Declaration(declaration) => !is_typedef(&declaration.node),
                    ast::BlockItem::Statement(_) => true,
                    ast::BlockItem::StaticAssert(_) => false,
                });
                match &first?.node {
                    ast::BlockItem::Statement(statement) => self.loop_entry(statement),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// An expression that is a statement of its own in a `for`.
    fn evaluation(&mut self, expression: &Node<Expression>) {
        self.site(self.order(expression.span), Site::Expression(self.balanced(expression.span)));
        self.value(expression);
    }

    fn declaration(&mut self, declaration: &Node<ast::Declaration>, is_item: bool) {
        if is_typedef(&declaration.node) {
            return;
        }
        let order = self.order(declaration.span);
        let start = self.range(declaration.span).start;
        let mut declarators = Vec::new();
        for declarator in &declaration.node.declarators {
            if is_function(&declarator.node.declarator.node) {
                continue;
            }
            let place = self.order(declarator.span);
            declarators.push((place, self.range(declarator.span).start));
            if let Some(call) = self.plan.statics.get(&place).cloned() {
                let end = self.range(declaration.span).end;
                let end = self.behind(end.saturating_sub(1), ";").unwrap_or(end);
                self.insert(end, format!(" {call}; "));
            }
        }
        if !is_static(&declaration.node) {
            self.site(order, Site::Declaration(declarators, is_item.then_some(start)));
        }
        for declarator in &declaration.node.declarators {
            if let Some(initializer) = &declarator.node.initializer
                && !is_static(&declaration.node)
            {
                self.initializer(&initializer.node);
            }
        }
    }

    fn initializer(&mut self, initializer: &ast::Initializer) {
        match initializer {
            ast::Initializer::Expression(expression) => self.value(expression),
            ast::Initializer::List(items) => {
                for item in items {
                    self.initializer(&item.node.initializer.node);
                }
            }
        }
    }

    /// An expression in boolean position: what is left when it is taken apart may be a point.
    fn condition(&mut self, node: &Node<Expression>) {
        match &node.node {
            Expression::BinaryOperator(operation)
                if matches!(
                    operation.node.operator.node,
                    ast::BinaryOperator::LogicalAnd | ast::BinaryOperator::LogicalOr
                ) =>
            {
                self.condition(&operation.node.lhs);
                self.condition(&operation.node.rhs);
            }
            Expression::UnaryOperator(operation) if operation.node.operator.node == ast::UnaryOperator::Negate => {
                self.condition(&operation.node.operand);
            }
            Expression::Conditional(conditional) if !is_same(&conditional.node.then_expression) => {
                self.condition(&conditional.node.condition);
                self.condition(&conditional.node.then_expression);
                self.condition(&conditional.node.else_expression);
            }
            Expression::Comma(parts) => {
                let (last, first) = parts.split_last().expect("a comma has operands");
                for part in first {
                    self.value(part);
                }
                self.condition(last);
            }
            Expression::Call(call) if is_expectation(&call.node) => self.condition(&call.node.arguments[0]),
            _ => {
                self.site(self.order(node.span), Site::Expression(self.balanced(node.span)));
                self.value(node);
            }
        }
    }

    fn value(&mut self, node: &Node<Expression>) {
        match &node.node {
            Expression::Identifier(name) => {
                if self.plan.volatiles.contains(&name.node.name) {
                    let name = &name.node.name;
                    let text = format!("(*(__typeof__({name}) *)__pct_volatile(sizeof {name}))");
                    self.replacements.push((self.range(node.span), text));
                }
            }
            Expression::Constant(_)
            | Expression::StringLiteral(_)
            | Expression::SizeOfTy(_)
            | Expression::SizeOfVal(_)
            | Expression::AlignOf(_)
            | Expression::OffsetOf(_) => {}
            Expression::GenericSelection(selection) => {
                for association in &selection.node.associations {
                    match &association.node {
                        ast::GenericAssociation::Type(typed) => self.value(&typed.node.expression),
                        ast::GenericAssociation::Default(expression) => self.value(expression),
                    }
                }
            }
            Expression::Member(member) => self.value(&member.node.expression),
            Expression::Call(call) => self.call(node, &call.node),
            Expression::CompoundLiteral(literal) => {
                for item in &literal.node.initializer_list {
                    self.initializer(&item.node.initializer.node);
                }
            }
            Expression::UnaryOperator(operation) => match operation.node.operator.node {
                ast::UnaryOperator::Negate => self.condition(&operation.node.operand),
                ast::UnaryOperator::Address
                | ast::UnaryOperator::PostIncrement
                | ast::UnaryOperator::PostDecrement
                | ast::UnaryOperator::PreIncrement
                | ast::UnaryOperator::PreDecrement => self.place(&operation.node.operand),
                _ => self.value(&operation.node.operand),
            },
            Expression::Cast(cast) => self.value(&cast.node.expression),
            Expression::BinaryOperator(operation) => match operation.node.operator.node {
                ast::BinaryOperator::LogicalAnd | ast::BinaryOperator::LogicalOr => {
                    self.condition(&operation.node.lhs);
                    self.condition(&operation.node.rhs);
                }
                ast::BinaryOperator::Assign
                | ast::BinaryOperator::AssignMultiply
                | ast::BinaryOperator::AssignDivide
                | ast::BinaryOperator::AssignModulo
                | ast::BinaryOperator::AssignPlus
                | ast::BinaryOperator::AssignMinus
                | ast::BinaryOperator::AssignShiftLeft
                | ast::BinaryOperator::AssignShiftRight
                | ast::BinaryOperator::AssignBitwiseAnd
                | ast::BinaryOperator::AssignBitwiseXor
                | ast::BinaryOperator::AssignBitwiseOr => {
                    self.place(&operation.node.lhs);
                    self.value(&operation.node.rhs);
                }
                _ => {
                    self.value(&operation.node.lhs);
                    self.value(&operation.node.rhs);
                }
            },
            Expression::Conditional(conditional) => {
                self.condition(&conditional.node.condition);
                if !is_same(&conditional.node.then_expression) {
                    self.value(&conditional.node.then_expression);
                }
                self.value(&conditional.node.else_expression);
            }
            Expression::Comma(parts) => parts.iter().for_each(|part| self.value(part)),
            Expression::VaArg(argument) => self.value(&argument.node.va_list),
            Expression::Statement(statement) => self.statement(statement, true),
        }
    }

    /// What is written or whose address is taken; it is not read.
    fn place(&mut self, node: &Node<Expression>) {
        if !matches!(node.node, Expression::Identifier(_)) {
            self.value(node);
        }
    }

    fn call(&mut self, node: &Node<Expression>, call: &ast::CallExpression) {
        let plan = self.plan;
        let named = match &call.callee.node {
            Expression::Identifier(name) => plan.calls.get_key_value(&name.node.name),
            _ => {
                self.value(&call.callee);
                None
            }
        };
        let callee = self.range(call.callee.span);
        match named {
            None => {}
            Some((_, Replacement::Callee(new))) => self.replacements.push((callee, new.clone())),
            Some((name, Replacement::Cast(new, undeclared))) => {
                let declared = self.functions.contains(name);
                let ty = if declared { format!("__typeof__(&{name})") } else { undeclared.clone() };
                self.replacements.push((callee, format!("(({ty}){new})")));
            }
            Some((_, Replacement::Condition(new))) => {
                if let Some(argument) = call.arguments.first() {
                    let span = self.unit.positions.span(node.span.start, node.span.end);
                    let place = format!("{}, {}", span.file, span.line);
                    self.replacements.push((callee, new.clone()));
                    let range = self.balanced(argument.span);
                    // What follows the condition is a message, which nobody needs.
                    let end = self.behind(range.start, ")").map_or(range.end, |end| end - 1);
                    self.replacements.push((range.end..end, String::new()));
                    self.condition(argument);
                    let after =
                        if new.ends_with("assert") { format!(") ? 1 : 0, {place}") } else { ") ? 1 : 0".into() };
                    self.enclose(range, "(".to_string(), &after);
                }
                return;
            }
            Some((_, Replacement::Through(function))) => {
                if let Some((first, others)) = call.arguments.split_first() {
                    self.condition(first);
                    self.enclose(self.balanced(first.span), format!("{function}(("), ") ? 1 : 0)");
                    others.iter().for_each(|argument| self.value(argument));
                }
                return;
            }
            Some((_, Replacement::After(before))) => {
                self.enclose(self.balanced(node.span), format!("({before}, "), ")");
            }
            Some((_, Replacement::Whole(new))) => {
                let span = self.unit.positions.span(node.span.start, node.span.end);
                let text = new.replace('$', &format!("{}, {}", span.file, span.line));
                self.replacements.push((self.balanced(node.span), text));
                return;
            }
        }
        for argument in &call.arguments {
            self.value(argument);
        }
    }

    /// What goes behind the file.
    fn trailer(&self, number: usize, told: &mut BTreeSet<&'a str>) -> String {
        let mut text = match self.plan.registration {
            Registration::Called => format!("void __pct_register_{number}(void) {{\n"),
            Registration::AtStart => {
                let attribute = "__attribute__((constructor(101)))";
                format!("static {attribute} void __pct_register_{number}(void) {{\n__pct_start();\n")
            }
        };
        if self.plan.registration == Registration::AtStart {
            told.clear();
        }
        for global in &self.plan.globals {
            let declared = self.variables.get(&global.name);
            let here = match (declared, global.order) {
                (None, _) => false,
                (Some(orders), Some(order)) => orders.contains(&order),
                (Some(_), None) => told.insert(&global.name),
            };
            if here {
                text.push_str(&global.statement);
                text.push('\n');
            }
        }
        for function in &self.plan.functions {
            if self.functions.contains(&function.name) && told.insert(&function.statement) {
                text.push_str(&function.statement);
                text.push('\n');
            }
        }
        text.push_str("}\n");
        text.push_str(&self.plan.trailer);
        if self.is_home {
            text.push_str(&self.plan.driver);
        }
        text
    }
}

fn has_storage(declaration: &ast::Declaration, wanted: &[ast::StorageClassSpecifier]) -> bool {
    declaration.specifiers.iter().any(|specifier| {
        matches!(&specifier.node, ast::DeclarationSpecifier::StorageClass(class) if wanted.contains(&class.node))
    })
}

fn is_typedef(declaration: &ast::Declaration) -> bool {
    has_storage(declaration, &[ast::StorageClassSpecifier::Typedef])
}

fn is_static(declaration: &ast::Declaration) -> bool {
    has_storage(declaration, &[ast::StorageClassSpecifier::Static, ast::StorageClassSpecifier::Extern])
}

/// Whether a declarator declares a function, not a pointer to one.
fn is_function(declarator: &ast::Declarator) -> bool {
    let is_function_part = |derived: &Node<ast::DerivedDeclarator>| {
        matches!(derived.node, ast::DerivedDeclarator::Function(_) | ast::DerivedDeclarator::KRFunction(_))
    };
    match &declarator.kind.node {
        ast::DeclaratorKind::Declarator(inner) if inner.node.derived.is_empty() => is_function(&inner.node),
        ast::DeclaratorKind::Declarator(inner) => is_function(&inner.node),
        // The pointers that come first in the text belong to the result.
        _ => declarator
            .derived
            .iter()
            .find(|derived| !matches!(derived.node, ast::DerivedDeclarator::Pointer(_)))
            .is_some_and(is_function_part),
    }
}

/// The marker of `a ?: b`.
fn is_same(node: &Node<Expression>) -> bool {
    matches!(&node.node, Expression::Identifier(name) if name.node.name == "__pct_same")
}

fn is_expectation(call: &ast::CallExpression) -> bool {
    matches!(&call.callee.node, Expression::Identifier(name)
        if name.node.name == "__builtin_expect" && !call.arguments.is_empty())
}
