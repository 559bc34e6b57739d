//! Variables in scope -> random expressions over them.
//!
//! An expression has at most one effect, on a variable that it does not mention otherwise, so nothing is unsequenced.

use super::super::analysis::Points;
use super::super::program::{Definition, Expression, Type};
use super::super::random::Random;

/// A variable that an expression may mention.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) name: String,
    pub(super) type_: Type,
    pub(super) length: Option<usize>,
    pub(super) is_writable: bool,
}

/// A helper function, by what its arguments are.
#[derive(Clone, Debug)]
pub(super) enum Signature {
    Values(usize),
    /// A pointer to a variable of this type, and a value; no result.
    Pointer(Type),
    /// An array of this element type and length, and an index.
    Array(Type, usize),
}

/// What expressions are made from.
#[derive(Clone, Debug)]
pub(super) struct Expressions {
    pub(super) random: Random,
    pub(super) points: Points,
    /// Arithmetic may be undefined.
    pub(super) is_wild: bool,
    pub(super) scope: Vec<Name>,
    pub(super) helpers: Vec<(Definition, Signature)>,
    pub(super) next_local: usize,
}

pub(super) const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
pub(super) const DIVISORS: [&str; 6] = ["2", "3", "4", "7", "10", "16"];
const ARITHMETIC: [&str; 9] = ["+", "+", "-", "-", "*", "&", "|", "^", "&"];

impl Expressions {
    /// Something that can be assigned.
    pub(super) fn target(&mut self) -> Expression {
        let names: Vec<Name> = self.visible(|name| name.is_writable);
        let name = names[self.random.below(names.len())].clone();
        match name.length {
            None => Expression::Variable(name.name),
            Some(length) => {
                let index = Box::new(self.value(0));
                Expression::Element(name.name, index, length)
            }
        }
    }

    pub(super) fn scalar(&mut self) -> Option<String> {
        let names = self.visible(|name| name.is_writable && name.length.is_none());
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
        let names = self.visible(test);
        let name = names[self.random.below(names.len())].clone();
        let Some(length) = name.length else {
            return Expression::Variable(name.name);
        };
        let scalars = self.visible(|name| name.length.is_none());
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
        let (definition, signature) = self.helpers[index].clone();
        let name = definition.names[0].clone();
        match signature {
            Signature::Values(count) => {
                let arguments = (0..count).map(|_| self.value(0)).collect();
                Expression::Call(name, arguments)
            }
            Signature::Pointer(_) => self.leaf(),
            Signature::Array(type_, length) => {
                let fits = |n: &Name| n.type_ == type_ && n.length == Some(length) && n.is_writable;
                let arrays = self.visible(fits);
                if arrays.is_empty() {
                    return self.leaf();
                }
                let array = arrays[self.random.below(arrays.len())].name.clone();
                Expression::Call(name, vec![Expression::Variable(array), self.value(0)])
            }
        }
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
        let weights = [45, 25, 8, 6, if must_be_pure { 0 } else { 6 }];
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

    pub(super) fn see(&mut self, name: &str, type_: Type, length: Option<usize>, is_writable: bool) {
        self.scope.push(Name { name: name.to_owned(), type_, length, is_writable });
    }

    /// The variables that no other of the same name hides.
    pub(super) fn visible(&self, test: impl Fn(&Name) -> bool) -> Vec<Name> {
        let names = self.scope.iter().enumerate();
        let is_innermost =
            |index: usize, name: &Name| !self.scope[index + 1..].iter().any(|other| other.name == name.name);
        names.filter(|(index, name)| test(name) && is_innermost(*index, name)).map(|(_, name)| name.clone()).collect()
    }
}
