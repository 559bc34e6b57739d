//! How deep a syntax tree is: everything behind the parser recurses over it.

use lang_c::ast;
use lang_c::span::Span;
use lang_c::visit::{self, Visit};

/// Expressions and statements may be nested this deep. It is far more than people write, and little enough for the
/// stack of every phase.
pub(super) const DEEPEST: usize = 1_000;

/// The first place that is nested deeper than [`DEEPEST`].
pub(super) fn too_deep(unit: &ast::TranslationUnit) -> Option<Span> {
    let mut meter = Meter { depth: 0, found: None };
    meter.visit_translation_unit(unit);
    meter.found
}

struct Meter {
    depth: usize,
    found: Option<Span>,
}

impl Meter {
    fn inside(&mut self, span: &Span, visit: impl FnOnce(&mut Meter)) {
        if self.found.is_some() {
            return;
        }
        if self.depth == DEEPEST {
            self.found = Some(*span);
            return;
        }
        self.depth += 1;
        visit(self);
        self.depth -= 1;
    }
}

impl<'ast> Visit<'ast> for Meter {
    fn visit_expression(&mut self, node: &'ast ast::Expression, span: &'ast Span) {
        self.inside(span, |meter| visit::visit_expression(meter, node, span));
    }

    fn visit_statement(&mut self, node: &'ast ast::Statement, span: &'ast Span) {
        self.inside(span, |meter| visit::visit_statement(meter, node, span));
    }

    fn visit_declarator(&mut self, node: &'ast ast::Declarator, span: &'ast Span) {
        self.inside(span, |meter| visit::visit_declarator(meter, node, span));
    }

    fn visit_initializer(&mut self, node: &'ast ast::Initializer, span: &'ast Span) {
        self.inside(span, |meter| visit::visit_initializer(meter, node, span));
    }

    fn visit_struct_declaration(&mut self, node: &'ast ast::StructDeclaration, span: &'ast Span) {
        self.inside(span, |meter| visit::visit_struct_declaration(meter, node, span));
    }
}
