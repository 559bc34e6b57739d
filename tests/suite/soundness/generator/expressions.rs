//! Variables in scope -> random expressions over them.
//!
//! An expression has at most one effect, on a variable that it does not mention otherwise, so nothing is unsequenced.

use super::super::analysis::Points;
use super::super::program::{Definition, Expression, Kind, Member, Pointee, Shape, Statement, Type};
use super::super::random::Random;

/// A variable that an expression may mention.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) is_writable: bool,
}

/// What expressions are made from.
#[derive(Clone, Debug)]
pub(super) struct Expressions {
    pub(super) random: Random,
    pub(super) points: Points,
    /// Arithmetic may be undefined.
    pub(super) is_wild: bool,
    pub(super) scope: Vec<Name>,
    /// The members of `struct S`.
    pub(super) record: Vec<Member>,
    pub(super) helpers: Vec<Definition>,
    pub(super) next_local: usize,
}

pub(super) const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
pub(super) const DIVISORS: [&str; 6] = ["2", "3", "4", "7", "10", "16"];
const ARITHMETIC: [&str; 9] = ["+", "+", "-", "-", "*", "&", "|", "^", "&"];

impl Expressions {
    /// A number that can be assigned.
    pub(super) fn target(&mut self) -> Expression {
        if self.random.chance(40)
            && let Some(place) = self.indirect_place()
        {
            return place;
        }
        self.plain_target()
    }

    /// A variable or an element that can be assigned, by its own name.
    pub(super) fn plain_target(&mut self) -> Expression {
        let names = self.numbers(|name| name.is_writable);
        let name = names[self.random.below(names.len())].clone();
        match name.shape {
            Shape::Array(_, length) => {
                let index = Box::new(self.value(0));
                Expression::Element(name.name, index, length)
            }
            _ => Expression::Variable(name.name),
        }
    }

    /// A number behind a pointer or in a struct.
    pub(super) fn indirect_place(&mut self) -> Option<Expression> {
        let names = self.visible(|name| {
            matches!(name.shape, Shape::Record | Shape::RecordArray(_) | Shape::Pointer(_) | Shape::Walker(_))
        });
        if names.is_empty() {
            return None;
        }
        let name = names[self.random.below(names.len())].clone();
        let member = self.random.below(self.record.len().max(1));
        Some(match name.shape {
            Shape::Pointer(Pointee::Record) => Expression::Arrow(name.name, member),
            Shape::Record | Shape::RecordArray(_) => {
                let record = self.record_place(&name);
                Expression::Member(Box::new(record), member)
            }
            _ => Expression::Pointed(name.name),
        })
    }

    /// A struct, given a variable that is one, holds some, or points to one.
    fn record_place(&mut self, name: &Name) -> Expression {
        match name.shape {
            Shape::RecordArray(length) => {
                let index = if self.random.chance(50) {
                    Expression::literal(self.random.below(length).to_string())
                } else {
                    self.mention_plainly(|_| true)
                };
                Expression::Element(name.name.clone(), Box::new(index), length)
            }
            Shape::Pointer(_) => Expression::Pointed(name.name.clone()),
            _ => Expression::Variable(name.name.clone()),
        }
    }

    /// Some struct in scope.
    pub(super) fn some_record(&mut self) -> Option<Expression> {
        let names = self.visible(|name| {
            matches!(name.shape, Shape::Record | Shape::RecordArray(_) | Shape::Pointer(Pointee::Record))
        });
        if names.is_empty() {
            return None;
        }
        let name = names[self.random.below(names.len())].clone();
        Some(self.record_place(&name))
    }

    /// A pointer to something in scope: an address, or the value of another pointer.
    pub(super) fn some_pointer(&mut self, pointee: Pointee) -> Option<Expression> {
        let address = |place: Expression| Expression::AddressOf(Box::new(place));
        let mut choices = Vec::new();
        for name in self.visible(|name| name.is_writable) {
            match (name.shape, pointee) {
                (Shape::Number(type_), Pointee::Number(wanted)) if type_ == wanted => {
                    choices.push(address(Expression::Variable(name.name)));
                }
                (Shape::Array(type_, length), Pointee::Number(wanted)) if type_ == wanted => {
                    let index = Box::new(self.value(0));
                    choices.push(address(Expression::Element(name.name, index, length)));
                }
                (Shape::Pointer(other), wanted) if other == wanted => choices.push(Expression::Variable(name.name)),
                (Shape::Record | Shape::RecordArray(_), Pointee::Record) => {
                    let record = self.record_place(&name);
                    choices.push(address(record));
                }
                (Shape::Record | Shape::RecordArray(_), Pointee::Number(wanted)) => {
                    let fits = |member: &Member| member.type_ == wanted && member.bits.is_none();
                    if let Some(number) = self.record.iter().position(fits) {
                        let record = Box::new(self.record_place(&name));
                        choices.push(address(Expression::Member(record, number)));
                    }
                }
                _ => {}
            }
        }
        (!choices.is_empty()).then(|| choices.swap_remove(self.random.below(choices.len())))
    }

    /// A new struct, or an array of them.
    pub(super) fn declare_record(&mut self) -> Option<Statement> {
        if self.record.is_empty() {
            return None;
        }
        let name = self.fresh_local();
        let length = self.random.chance(30).then_some(2);
        let values = (0..self.record.len() * length.unwrap_or(1)).map(|_| self.value(1)).collect();
        self.see(&name, length.map_or(Shape::Record, Shape::RecordArray), true);
        Some(Kind::DeclareRecord { name, length, values }.into())
    }

    /// A new pointer to something in scope.
    pub(super) fn declare_pointer(&mut self) -> Option<Statement> {
        let mut pointees = Vec::new();
        for name in self.visible(|name| name.is_writable) {
            match name.shape {
                Shape::Number(type_) | Shape::Array(type_, _) => pointees.push(Pointee::Number(type_)),
                Shape::Record | Shape::RecordArray(_) => pointees.push(Pointee::Record),
                _ => {}
            }
        }
        let fits = |member: &&Member| member.bits.is_none();
        pointees.extend(self.record.iter().filter(fits).map(|member| Pointee::Number(member.type_)));
        if pointees.is_empty() {
            return None;
        }
        let pointee = self.random.pick(&pointees);
        let value = self.some_pointer(pointee)?;
        let name = self.fresh_local();
        self.see(&name, Shape::Pointer(pointee), true);
        Some(Kind::DeclarePointer { pointee, name, value }.into())
    }

    /// `==` or `!=` of a pointer and another of its type.
    fn same_place(&mut self) -> Option<Expression> {
        let pointers = self.visible(|name| matches!(name.shape, Shape::Pointer(_)));
        if pointers.is_empty() {
            return None;
        }
        let name = pointers[self.random.below(pointers.len())].clone();
        let Shape::Pointer(pointee) = name.shape else {
            return None;
        };
        let other = self.some_pointer(pointee)?;
        let operator = self.random.pick(&["==", "!="]);
        let pointer = Box::new(Expression::Variable(name.name));
        Some(Expression::SamePlace(operator, pointer, Box::new(other)))
    }

    pub(super) fn scalar(&mut self) -> Option<String> {
        let names = self.visible(|name| name.is_writable && matches!(name.shape, Shape::Number(_)));
        (!names.is_empty()).then(|| names[self.random.below(names.len())].name.clone())
    }

    /// A variable that the expression does not mention.
    pub(super) fn other_scalar(&mut self, than: &Expression) -> Option<String> {
        let other = self.scalar()?;
        let mentions = |e: &Expression| matches!(e, Expression::Variable(name) if *name == other);
        (!than.any(&mentions)).then_some(other)
    }

    /// A value of a simple statement: in statements mode branches may only stand at its top.
    pub(super) fn branching_value(&mut self) -> Expression {
        if !self.random.chance(15) {
            let depth = self.random.below(3);
            return self.value(depth);
        }
        match self.random.below(3) {
            0 => Expression::And(Box::new(self.atom(true)), Box::new(self.atom(true))),
            1 => Expression::Or(Box::new(self.atom(true)), Box::new(self.atom(true))),
            _ => {
                let condition = match self.random.below(3) {
                    0 => Expression::And(Box::new(self.atom(true)), Box::new(self.atom(true))),
                    _ => self.atom(true),
                };
                Expression::Conditional(Box::new(condition), Box::new(self.value(1)), Box::new(self.value(1)))
            }
        }
    }

    /// A value without effects; in labels mode it may branch.
    pub(super) fn value(&mut self, depth: usize) -> Expression {
        if depth == 0 {
            return self.leaf();
        }
        let branching = usize::from(self.points == Points::Labels);
        let calling = usize::from(!self.helpers.is_empty());
        let weights = [40, 10, 10, 10, 8, 8, 2, 5 * branching, 12 * calling, 12];
        let below = depth - 1;
        let boxed = |e| Box::new(e);
        match self.random.weighted(&weights) {
            0 => {
                let operator = self.random.pick(&ARITHMETIC);
                let left = self.operand(below);
                // Products and quotients of two variables are hard for a solver: a few are enough.
                let is_easy = operator != "*" || self.random.chance(30);
                let right = if is_easy { self.value(0) } else { self.literal() };
                Expression::binary(operator, left, right)
            }
            1 => {
                let operator = self.random.pick(&["/", "%"]);
                Expression::binary(operator, self.operand(below), self.divisor())
            }
            2 => self.shift(below),
            3 => {
                let operator = self.random.pick(&["-", "~", "+"]);
                Expression::Unary(operator, boxed(self.value(below)))
            }
            4 => Expression::Cast(self.random.pick(&Type::ALL), boxed(self.value(below))),
            5 => {
                let operator = self.random.pick(&COMPARISONS);
                Expression::binary(operator, self.operand(below), self.value(0))
            }
            6 => Expression::Not(boxed(self.value(below))),
            7 => Expression::Conditional(boxed(self.atom(true)), boxed(self.value(below)), boxed(self.value(0))),
            8 => self.call(),
            _ => self.leaf(),
        }
    }

    /// A value for the left of an operator, so that not too many expressions are constant.
    pub(super) fn operand(&mut self, depth: usize) -> Expression {
        match self.value(depth) {
            Expression::Literal(_) => self.subject(),
            value => value,
        }
    }

    /// A variable, and mostly one that changes.
    pub(super) fn subject(&mut self) -> Expression {
        let may_be_constant = self.random.chance(10);
        self.mention(|name| name.is_writable || may_be_constant)
    }

    fn leaf(&mut self) -> Expression {
        if self.random.chance(30) { self.literal() } else { self.mention(|_| true) }
    }

    fn mention(&mut self, test: impl Fn(&Name) -> bool) -> Expression {
        if self.random.chance(35)
            && let Some(place) = self.indirect_place()
        {
            return place;
        }
        self.mention_plainly(test)
    }

    /// A variable or an element by its own name.
    fn mention_plainly(&mut self, test: impl Fn(&Name) -> bool) -> Expression {
        let names = self.numbers(test);
        let name = names[self.random.below(names.len())].clone();
        let Shape::Array(_, length) = name.shape else {
            return Expression::Variable(name.name);
        };
        let scalars = self.visible(|name| matches!(name.shape, Shape::Number(_)));
        let index = if scalars.is_empty() || self.random.chance(50) {
            Expression::literal(self.random.below(length).to_string())
        } else {
            Expression::Variable(scalars[self.random.below(scalars.len())].name.clone())
        };
        Expression::Element(name.name, Box::new(index), length)
    }

    fn shift(&mut self, depth: usize) -> Expression {
        let left = self.value(depth);
        let amount = self.shift_amount();
        if self.random.chance(50) {
            return Expression::binary(">>", left, amount);
        }
        let left = if self.is_wild {
            left
        } else {
            let unsigned = self.random.pick(&[Type::UnsignedInt, Type::UnsignedLong]);
            Expression::Cast(unsigned, Box::new(left))
        };
        Expression::binary("<<", left, amount)
    }

    pub(super) fn shift_amount(&mut self) -> Expression {
        if self.is_wild && self.random.chance(30) {
            self.value(0)
        } else if self.random.chance(70) {
            Expression::literal(self.random.below(8).to_string())
        } else {
            Expression::binary("&", self.value(0), Expression::literal("7"))
        }
    }

    pub(super) fn divisor(&mut self) -> Expression {
        if self.is_wild && self.random.chance(50) {
            self.value(0)
        } else if self.random.chance(85) {
            let divisor = Expression::literal(self.random.pick(&DIVISORS));
            if self.random.chance(20) { Expression::Unary("-", Box::new(divisor)) } else { divisor }
        } else {
            Expression::binary("|", self.value(0), Expression::literal("1"))
        }
    }

    fn call(&mut self) -> Expression {
        let index = self.random.below(self.helpers.len());
        let definition = self.helpers[index].clone();
        let changes_something = matches!(definition.parameters[0], Shape::Pointer(_));
        if changes_something || definition.shape == Shape::Record {
            return self.leaf();
        }
        self.call_of(&definition).unwrap_or_else(|| self.leaf())
    }

    /// A call with arguments that fit, if there are some.
    pub(super) fn call_of(&mut self, definition: &Definition) -> Option<Expression> {
        let mut arguments = Vec::new();
        for parameter in &definition.parameters {
            arguments.push(match parameter {
                Shape::Pointer(pointee) => self.some_pointer(*pointee)?,
                Shape::Record => self.some_record()?,
                Shape::Array(..) => {
                    let arrays = self.visible(|name| name.shape == *parameter && name.is_writable);
                    if arrays.is_empty() {
                        return None;
                    }
                    Expression::Variable(arrays[self.random.below(arrays.len())].name.clone())
                }
                _ => self.value(0),
            });
        }
        Some(Expression::Call(definition.names[0].clone(), arguments))
    }

    pub(super) fn literal(&mut self) -> Expression {
        let number = self
            .random
            .pick(&[0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 7, 8, 10, 16, 31, 32, 64, 100, 127, 128, 200, 255, 256, 1000]);
        let text = match self.random.weighted(&[60, 10, 5, 5, 5, 5, 5, 5]) {
            0 => number.to_string(),
            1 => format!("{number:#x}"),
            2 => format!("0{number:o}"),
            3 => format!("{number}u"),
            4 => format!("{number}L"),
            5 => format!("{number}ull"),
            6 => self.random.pick(&["'a'", "'0'", "'\\n'", "'\\0'", "'\\x41'"]).to_owned(),
            _ => return Expression::Unary("-", Box::new(Expression::literal(number.to_string()))),
        };
        Expression::Literal(text)
    }

    pub(super) fn condition(&mut self, depth: usize) -> Expression {
        if depth == 0 {
            return self.atom(false);
        }
        let boxed = |e| Box::new(e);
        match self.random.weighted(&[55, 18, 14, 8, 5]) {
            0 => self.atom(false),
            1 => Expression::And(boxed(self.condition(depth - 1)), boxed(self.condition(depth - 1))),
            2 => Expression::Or(boxed(self.condition(depth - 1)), boxed(self.condition(depth - 1))),
            3 => Expression::Not(boxed(self.condition(depth - 1))),
            _ => Expression::Conditional(
                boxed(self.condition(depth - 1)),
                boxed(self.condition(depth - 1)),
                boxed(self.condition(depth - 1)),
            ),
        }
    }

    pub(super) fn atom(&mut self, must_be_pure: bool) -> Expression {
        let weights = [45, 25, 8, 6, 8, if must_be_pure { 0 } else { 6 }];
        match self.random.weighted(&weights) {
            0 => {
                let operator = self.random.pick(&COMPARISONS);
                Expression::binary(operator, self.subject(), self.literal())
            }
            1 => {
                let operator = self.random.pick(&COMPARISONS);
                Expression::binary(operator, self.operand(1), self.subject())
            }
            2 => self.subject(),
            3 => {
                let bit = Expression::literal(self.random.pick(&["1", "4", "0x80", "6"]));
                Expression::binary("&", self.subject(), bit)
            }
            4 => match self.same_place() {
                None => self.subject(),
                Some(comparison) => comparison,
            },
            _ => match self.scalar() {
                None => self.leaf(),
                Some(name) => {
                    let target = Expression::Variable(name);
                    let operator = self.random.pick(&COMPARISONS);
                    let effect = if self.random.chance(60) {
                        self.step(target)
                    } else {
                        Expression::assign("=", target, self.value(1))
                    };
                    Expression::binary(operator, effect, self.literal())
                }
            },
        }
    }

    pub(super) fn pure_comparison(&mut self) -> Expression {
        let operator = self.random.pick(&["<", ">", "!=", "!="]);
        Expression::binary(operator, self.subject(), self.literal())
    }

    pub(super) fn step(&mut self, target: Expression) -> Expression {
        let operator = self.random.pick(&["++", "--"]);
        let target = Box::new(target);
        if self.random.chance(50) {
            Expression::StepBefore(operator, target)
        } else {
            Expression::StepAfter(operator, target)
        }
    }

    pub(super) fn fresh_local(&mut self) -> String {
        self.next_local += 1;
        format!("v{}", self.next_local - 1)
    }

    pub(super) fn see(&mut self, name: &str, shape: Shape, is_writable: bool) {
        self.scope.push(Name { name: name.to_owned(), shape, is_writable });
    }

    /// The numbers and arrays of numbers that no other variable of the same name hides.
    fn numbers(&self, test: impl Fn(&Name) -> bool) -> Vec<Name> {
        self.visible(|name| matches!(name.shape, Shape::Number(_) | Shape::Array(..)) && test(name))
    }

    /// The variables that no other of the same name hides.
    pub(super) fn visible(&self, test: impl Fn(&Name) -> bool) -> Vec<Name> {
        let names = self.scope.iter().enumerate();
        let is_innermost =
            |index: usize, name: &Name| !self.scope[index + 1..].iter().any(|other| other.name == name.name);
        names.filter(|(index, name)| test(name) && is_innermost(*index, name)).map(|(_, name)| name.clone()).collect()
    }
}
