//! Statements: the structure stays, expressions become steps.

use lang_c::ast;
use lang_c::span::Node;

use super::Lowering;
use crate::error::Result;
use crate::program::{Case, Place, Statement, StatementKind, Step, Type};

impl Lowering<'_> {
    /// The items of a block, in the current scope.
    pub(super) fn block_items(&mut self, items: &[Node<ast::BlockItem>]) -> Result<Vec<Statement>> {
        let mut statements = Vec::new();
        for item in items {
            match &item.node {
                ast::BlockItem::Declaration(declaration) => {
                    self.local_declaration(declaration, &mut statements)?;
                }
                ast::BlockItem::Statement(statement) => {
                    statements.push(self.statement(statement)?);
                }
                ast::BlockItem::StaticAssert(_) => {}
            }
        }
        Ok(statements)
    }

    fn statement(&mut self, node: &Node<ast::Statement>) -> Result<Statement> {
        let kind = match &node.node {
            ast::Statement::Expression(None) => StatementKind::Evaluate(Vec::new()),
            ast::Statement::Expression(Some(expression)) => {
                let mut steps = Vec::new();
                self.effect(expression, &mut steps)?;
                StatementKind::Evaluate(steps)
            }
            ast::Statement::Compound(items) => StatementKind::Block(self.in_scope(|this| this.block_items(items))?),
            ast::Statement::If(statement) => {
                let statement = &statement.node;
                StatementKind::If {
                    condition: self.condition(&statement.condition)?,
                    then: self.boxed(&statement.then_statement)?,
                    otherwise: match &statement.else_statement {
                        Some(otherwise) => Some(self.boxed(otherwise)?),
                        None => None,
                    },
                }
            }
            ast::Statement::While(statement) => StatementKind::While {
                condition: self.condition(&statement.node.expression)?,
                body: self.boxed(&statement.node.statement)?,
            },
            ast::Statement::DoWhile(statement) => StatementKind::DoWhile {
                body: self.boxed(&statement.node.statement)?,
                condition: self.condition(&statement.node.expression)?,
            },
            ast::Statement::For(statement) => self.in_scope(|this| this.for_statement(&statement.node))?,
            ast::Statement::Switch(statement) => {
                let mut steps = Vec::new();
                let operand = self.integer(&statement.node.expression, &mut steps)?.promoted();
                StatementKind::Switch { steps, operand, body: self.boxed(&statement.node.statement)? }
            }
            ast::Statement::Labeled(labeled) => self.labeled(&labeled.node)?,
            ast::Statement::Goto(label) => StatementKind::Goto(label.node.name.clone()),
            ast::Statement::Break => StatementKind::Break,
            ast::Statement::Continue => StatementKind::Continue,
            ast::Statement::Return(None) => StatementKind::Return(Vec::new()),
            ast::Statement::Return(Some(expression)) => {
                let mut steps = Vec::new();
                match self.result.clone() {
                    Some((result, ty)) => {
                        let place = Place::variable(result, ty.clone());
                        if let Type::Record(_) = ty.plain() {
                            let from = self.aggregate(expression, &mut steps)?;
                            steps.push(Step::Copy(place, from));
                        } else {
                            let value = self.assigned(expression, &ty, &mut steps)?;
                            steps.push(Step::Assign(place, value));
                        }
                    }
                    None => self.effect(expression, &mut steps)?,
                }
                StatementKind::Return(steps)
            }
            ast::Statement::Asm(assembly) => {
                if let Some(what) = super::super::dialect::refused_construct(&assembly.node) {
                    return Err(self.unsupported(node.span, what, "write it in standard C"));
                }
                let unit = &self.units[self.unit];
                let number = super::super::dialect::failure_number(&assembly.node);
                if let Some(failure) = number.and_then(|number| unit.failures.get(number)) {
                    return Err(failure.error(&unit.positions));
                }
                let mut steps = Vec::new();
                self.assembly(&assembly.node, node.span, &mut steps)?;
                StatementKind::Evaluate(steps)
            }
        };
        Ok(Statement { kind, span: self.span(node.span) })
    }

    /// Inline assembly that does nothing: a barrier for the compiler, a pause. What it could have written is not known;
    /// anything else is refused.
    fn assembly(
        &mut self,
        assembly: &ast::AsmStatement,
        span: lang_c::span::Span,
        steps: &mut Vec<Step>,
    ) -> Result<()> {
        let (template, operands) = match assembly {
            ast::AsmStatement::GnuBasic(template) => (template, None),
            ast::AsmStatement::GnuExtended(extended) => (&extended.template, Some(extended)),
        };
        let does_nothing = |part: &String| matches!(part.trim_matches('"').trim(), "" | "nop" | "nop;" | "NOP");
        if !template.node.iter().all(does_nothing) {
            let hint = "write it in C, or take the function that it stands in as undefined with --havoc";
            return Err(self.unsupported(span, "inline assembly", hint));
        }
        if let Some(extended) = operands {
            for input in &extended.inputs {
                self.effect(&input.node.variable_name, steps)?;
            }
            for output in &extended.outputs {
                let place = self.place(&output.node.variable_name, steps)?;
                steps.push(Step::Forget(place));
            }
        }
        Ok(())
    }

    fn boxed(&mut self, node: &Node<ast::Statement>) -> Result<Box<Statement>> {
        self.statement(node).map(Box::new)
    }

    fn for_statement(&mut self, statement: &ast::ForStatement) -> Result<StatementKind> {
        let mut init = Vec::new();
        match &statement.initializer.node {
            ast::ForInitializer::Empty | ast::ForInitializer::StaticAssert(_) => {}
            ast::ForInitializer::Expression(expression) => {
                init.push(self.evaluation(expression)?);
            }
            ast::ForInitializer::Declaration(declaration) => {
                self.local_declaration(declaration, &mut init)?;
            }
        }
        let condition = match &statement.condition {
            Some(condition) => Some(self.condition(condition)?),
            None => None,
        };
        let step = match &statement.step {
            Some(step) => Some(Box::new(self.evaluation(step)?)),
            None => None,
        };
        Ok(StatementKind::For { init, condition, step, body: self.boxed(&statement.statement)? })
    }

    fn evaluation(&mut self, expression: &Node<ast::Expression>) -> Result<Statement> {
        let mut steps = Vec::new();
        self.effect(expression, &mut steps)?;
        Ok(Statement { kind: StatementKind::Evaluate(steps), span: self.span(expression.span) })
    }

    fn labeled(&mut self, labeled: &ast::LabeledStatement) -> Result<StatementKind> {
        let case = match &labeled.label.node {
            ast::Label::Identifier(name) => {
                let body = self.boxed(&labeled.statement)?;
                return Ok(StatementKind::Label(name.node.name.clone(), body));
            }
            ast::Label::Case(value) => {
                let value = self.constant(value)?;
                Case::Values(value, value)
            }
            ast::Label::CaseRange(range) => {
                Case::Values(self.constant(&range.node.low)?, self.constant(&range.node.high)?)
            }
            ast::Label::Default => Case::Default,
        };
        Ok(StatementKind::Case(case, self.boxed(&labeled.statement)?))
    }
}
