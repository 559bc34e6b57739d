//! Which variables a name means, which are certainly set, and whether an expression fits them.
//!
//! Definite assignment as in Java: the set of variables that are set on every way to the current place. A jump takes
//! its set away and leaves `None` behind, since no run goes on there; where ways join, sets are intersected. One pass
//! is enough because a jump back to where more is set is refused.
//!
//! A pointer is always valid: it gets a value where it is declared, and never one that lives shorter than itself.

use std::collections::BTreeSet;

use super::super::program::{Definition, Expression, Member, Pointee, Shape};

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
    shape: Shape,
}

pub(super) struct Scopes<'a> {
    record: &'a [Member],
    helpers: &'a [Definition],
    blocks: Vec<Vec<Variable>>,
    /// All names that were ever in scope.
    names: BTreeSet<String>,
    next_id: usize,
    pub(super) assigned: Assigned,
}

impl<'a> Scopes<'a> {
    pub(super) fn new(record: &'a [Member], helpers: &'a [Definition]) -> Self {
        Scopes {
            record,
            helpers,
            blocks: vec![Vec::new()],
            names: BTreeSet::new(),
            next_id: 0,
            assigned: Some(BTreeSet::new()),
        }
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

    pub(super) fn declare(&mut self, name: &str, shape: Shape) -> Result<(), String> {
        let block = self.blocks.last_mut().expect("there is a block");
        if block.iter().any(|variable| variable.name == *name) {
            return Err(format!("{name} is declared twice"));
        }
        block.push(Variable { name: name.to_owned(), id: self.next_id, shape });
        self.next_id += 1;
        self.names.insert(name.to_owned());
        Ok(())
    }

    pub(super) fn set(&mut self, name: &str) {
        let id = self.lookup(name).map(|(_, variable)| variable.id);
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
        !e.any(&|e| e.name().is_some_and(|name| self.lookup(name).is_none_or(|(_, variable)| !self.is_set(variable))))
    }

    /// Whether all names of the expression were in scope at some time.
    pub(super) fn knows(&self, e: &Expression) -> bool {
        !e.any(&|e| e.name().is_some_and(|name| !self.names.contains(name)))
    }

    pub(super) fn has_unset_variable(&self) -> bool {
        let mut variables = self.blocks.iter().flatten();
        variables.any(|variable| !self.is_set(variable))
    }

    /// Whether the name means a number that can be assigned.
    pub(super) fn is_number(&self, name: &str) -> bool {
        self.lookup(name).is_some_and(|(_, variable)| matches!(variable.shape, Shape::Number(_)))
    }

    /// Refuses an expression that is no number, or that mentions what is not there or not set.
    pub(super) fn check(&self, e: &Expression) -> Result<(), String> {
        if !self.sees(e) {
            return Err("a variable is not in scope or not set".into());
        }
        self.number(e)
    }

    /// Refuses what cannot be the value of a pointer that is declared in the innermost block.
    pub(super) fn check_new_pointer(&self, pointee: Pointee, value: &Expression) -> Result<(), String> {
        self.pointer(value, pointee, self.blocks.len() - 1)?;
        if self.sees(value) { Ok(()) } else { Err("a variable is not in scope or not set".into()) }
    }

    /// Refuses what is no assignment of a pointer or of a struct.
    pub(super) fn check_assignment(&self, target: &Expression, value: &Expression) -> Result<(), String> {
        if !self.sees(target) || !self.sees(value) {
            return Err("a variable is not in scope or not set".into());
        }
        match (self.place(target)?, target) {
            (Shape::Pointer(pointee), Expression::Variable(name)) => {
                let depth = self.lookup(name).map_or(0, |(depth, _)| depth);
                self.pointer(value, pointee, depth)
            }
            (Shape::Record, _) => self.record_value(value),
            _ => Err("neither a pointer nor a struct".into()),
        }
    }

    /// What an expression is that can stand on the left of an assignment.
    pub(super) fn place(&self, e: &Expression) -> Result<Shape, String> {
        let shape_of = |name: &str| {
            let found = self.lookup(name).map(|(_, variable)| variable.shape);
            found.ok_or_else(|| format!("there is no {name}"))
        };
        match e {
            Expression::Variable(name) => shape_of(name),
            Expression::Element(name, index, length) => {
                self.number(index)?;
                match shape_of(name)? {
                    Shape::Array(type_, n) if n == *length => Ok(Shape::Number(type_)),
                    Shape::RecordArray(n) if n == *length => Ok(Shape::Record),
                    _ => Err(format!("{name} is no such array")),
                }
            }
            Expression::Pointed(name) => match shape_of(name)? {
                Shape::Pointer(Pointee::Number(type_)) | Shape::Walker(type_) => Ok(Shape::Number(type_)),
                Shape::Pointer(Pointee::Record) => Ok(Shape::Record),
                _ => Err(format!("{name} is no pointer")),
            },
            Expression::Member(record, number) => match self.place(record)? {
                Shape::Record => self.member(*number),
                _ => Err("not a struct".into()),
            },
            Expression::Arrow(name, number) => match shape_of(name)? {
                Shape::Pointer(Pointee::Record) => self.member(*number),
                _ => Err(format!("{name} does not point to a struct")),
            },
            _ => Err("not a target".into()),
        }
    }

    fn member(&self, number: usize) -> Result<Shape, String> {
        let member = self.record.get(number).ok_or("no such member")?;
        Ok(Shape::Number(member.type_))
    }

    /// Refuses what is no number, given that all names are set.
    fn number(&self, e: &Expression) -> Result<(), String> {
        match e {
            Expression::Variable(_)
            | Expression::Element(..)
            | Expression::Pointed(_)
            | Expression::Member(..)
            | Expression::Arrow(..) => match self.place(e)? {
                Shape::Number(_) => Ok(()),
                _ => Err("not a number".into()),
            },
            Expression::SamePlace(_, left, right) => {
                let depth = usize::MAX;
                let fits =
                    |pointee| self.pointer(left, pointee, depth).is_ok() && self.pointer(right, pointee, depth).is_ok();
                let pointee = [left, right].into_iter().find_map(|side| self.pointee(side));
                if pointee.is_some_and(fits) { Ok(()) } else { Err("not two pointers of one type".into()) }
            }
            Expression::AddressOf(_) => Err("an address is no number".into()),
            Expression::Assign(_, target, _) | Expression::StepBefore(_, target) | Expression::StepAfter(_, target)
                if !matches!(self.place(target), Ok(Shape::Number(_))) =>
            {
                Err("not a target".into())
            }
            Expression::Call(name, arguments) => match self.call(name, arguments)? {
                Shape::Record => Err("a struct is no number".into()),
                _ => Ok(()),
            },
            _ => e.children().into_iter().try_for_each(|child| self.number(child)),
        }
    }

    /// What a call returns, if its arguments fit.
    fn call(&self, name: &str, arguments: &[Expression]) -> Result<Shape, String> {
        let helper = self.helpers.iter().find(|helper| helper.names[0] == *name).ok_or("no such helper")?;
        if helper.parameters.len() != arguments.len() {
            return Err("too few or too many arguments".into());
        }
        for (parameter, argument) in helper.parameters.iter().zip(arguments) {
            match parameter {
                Shape::Pointer(pointee) => self.pointer(argument, *pointee, usize::MAX)?,
                Shape::Record => self.record_value(argument)?,
                Shape::Array(..) if self.place(argument)? != *parameter => return Err("not such an array".into()),
                Shape::Array(..) => {}
                _ => self.number(argument)?,
            }
        }
        Ok(helper.shape)
    }

    fn record_value(&self, e: &Expression) -> Result<(), String> {
        let shape = match e {
            Expression::Call(name, arguments) => self.call(name, arguments)?,
            _ => self.place(e)?,
        };
        if shape == Shape::Record { Ok(()) } else { Err("not a struct".into()) }
    }

    fn pointee(&self, e: &Expression) -> Option<Pointee> {
        let shape = match e {
            Expression::AddressOf(inner) => self.place(inner),
            _ => self.place(e),
        };
        match (e, shape.ok()?) {
            (Expression::AddressOf(_), Shape::Number(type_)) | (_, Shape::Walker(type_)) => {
                Some(Pointee::Number(type_))
            }
            (Expression::AddressOf(_), Shape::Record) => Some(Pointee::Record),
            (_, Shape::Pointer(pointee)) => Some(pointee),
            _ => None,
        }
    }

    /// Refuses what is no pointer to this, or may point to what is declared deeper inside than `depth`.
    fn pointer(&self, e: &Expression, pointee: Pointee, depth: usize) -> Result<(), String> {
        if self.pointee(e) != Some(pointee) {
            return Err("not a pointer to this".into());
        }
        let is_bit_field = |e: &Expression| match e {
            Expression::Member(_, number) | Expression::Arrow(_, number) => {
                self.record.get(*number).is_none_or(|member| member.bits.is_some())
            }
            _ => false,
        };
        if matches!(e, Expression::AddressOf(inner) if is_bit_field(inner)) {
            return Err("the address of a bit-field".into());
        }
        let lives_shorter = |e: &Expression| {
            e.name().is_some_and(|name| self.lookup(name).is_some_and(|(declared, _)| declared > depth))
        };
        if e.any(&lives_shorter) {
            return Err("a pointer to what lives shorter".into());
        }
        Ok(())
    }

    /// The variable, and how deep inside blocks it is declared.
    fn lookup(&self, name: &str) -> Option<(usize, &Variable)> {
        let mut innermost_first = self.blocks.iter().enumerate().rev();
        innermost_first.find_map(|(depth, block)| {
            let found = block.iter().find(|variable| variable.name == name);
            found.map(|variable| (depth, variable))
        })
    }

    fn is_set(&self, variable: &Variable) -> bool {
        let assigned = self.assigned.as_ref();
        assigned.is_none_or(|assigned| assigned.contains(&variable.id))
    }
}
