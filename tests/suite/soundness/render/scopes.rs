//! Which variables a name means, and which are certainly set.
//!
//! Definite assignment as in Java: the set of variables that are set on every way to the current place. A jump takes
//! its set away and leaves `None` behind, since no run goes on there; where ways join, sets are intersected. One pass
//! is enough because a jump back to where more is set is refused.

use std::collections::BTreeSet;

use super::super::program::Expression;

/// Which variables are certainly set; `None` where no run comes by.
pub(super) type Assigned = Option<BTreeSet<usize>>;

/// What is set where two ways join.
pub(super) fn meet(left: Assigned, right: Assigned) -> Assigned {
    match (left, right) {
        (None, other) | (other, None) => other,
        (Some(left), Some(right)) => Some(left.intersection(&right).copied().collect()),
    }
}

struct Variable {
    name: String,
    id: usize,
    length: Option<usize>,
}

pub(super) struct Scopes {
    blocks: Vec<Vec<Variable>>,
    /// All names that were ever in scope.
    names: BTreeSet<String>,
    next_id: usize,
    pub(super) assigned: Assigned,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Scopes { blocks: vec![Vec::new()], names: BTreeSet::new(), next_id: 0, assigned: Some(BTreeSet::new()) }
    }

    pub(super) fn enter_block(&mut self) {
        self.blocks.push(Vec::new());
    }

    pub(super) fn leave_block(&mut self) {
        let block = self.blocks.pop().unwrap_or_default();
        if let Some(assigned) = &mut self.assigned {
            assigned.retain(|id| !block.iter().any(|variable| variable.id == *id));
        }
    }

    pub(super) fn declare(&mut self, name: &str, length: Option<usize>) -> Result<(), String> {
        let block = self.blocks.last_mut().expect("there is a block");
        if block.iter().any(|variable| variable.name == *name) {
            return Err(format!("{name} is declared twice"));
        }
        block.push(Variable { name: name.to_owned(), id: self.next_id, length });
        self.next_id += 1;
        self.names.insert(name.to_owned());
        Ok(())
    }

    pub(super) fn set(&mut self, name: &str) {
        let id = self.lookup(name).map(|variable| variable.id);
        if let (Some(id), Some(assigned)) = (id, &mut self.assigned) {
            assigned.insert(id);
        }
    }

    /// Adds another way to the current place.
    pub(super) fn join(&mut self, other: Assigned) {
        self.assigned = meet(self.assigned.take(), other);
    }

    /// Whether all variables of the expression are in scope and set.
    pub(super) fn sees(&self, e: &Expression) -> bool {
        !e.any(&|e| match e {
            Expression::Variable(name) | Expression::Element(name, ..) => {
                self.lookup(name).is_none_or(|variable| !self.is_set(variable))
            }
            _ => false,
        })
    }

    /// Whether all names of the expression were in scope at some time.
    pub(super) fn knows(&self, e: &Expression) -> bool {
        !e.any(&|e| match e {
            Expression::Variable(name) | Expression::Element(name, ..) => !self.names.contains(name),
            _ => false,
        })
    }

    pub(super) fn has_unset_variable(&self) -> bool {
        let mut variables = self.blocks.iter().flatten();
        variables.any(|variable| !self.is_set(variable))
    }

    /// Whether the name means a number that can be assigned.
    pub(super) fn is_number(&self, name: &str) -> bool {
        self.lookup(name).is_some_and(|variable| variable.length.is_none())
    }

    /// Refuses an expression that mentions what is not there, not set, or not of this kind.
    pub(super) fn check(&self, e: &Expression) -> Result<(), String> {
        match e {
            Expression::Variable(name) if !self.is_number(name) => {
                return Err(format!("{name} is no number"));
            }
            Expression::Element(name, _, length)
                if self.lookup(name).and_then(|variable| variable.length) != Some(*length) =>
            {
                return Err(format!("{name} is no such array"));
            }
            Expression::Assign(_, target, _)
            | Expression::StepBefore(_, target)
            | Expression::StepAfter(_, target)
            | Expression::AddressOf(target)
                if !matches!(**target, Expression::Variable(_) | Expression::Element(..)) =>
            {
                return Err("not a target".into());
            }
            _ if !self.sees(e) => return Err("a variable is not in scope or not set".into()),
            _ => {}
        }
        let is_call = matches!(e, Expression::Call(..));
        for child in e.children() {
            let is_argument = is_call && matches!(child, Expression::Variable(_));
            if !is_argument {
                self.check(child)?;
            }
        }
        Ok(())
    }

    fn lookup(&self, name: &str) -> Option<&Variable> {
        let mut innermost_first = self.blocks.iter().rev();
        innermost_first.find_map(|block| block.iter().find(|variable| variable.name == name))
    }

    fn is_set(&self, variable: &Variable) -> bool {
        let assigned = self.assigned.as_ref();
        assigned.is_none_or(|assigned| assigned.contains(&variable.id))
    }
}
