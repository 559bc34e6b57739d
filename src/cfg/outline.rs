//! The structure of the analysed function as the user wrote it, tied to the locations of the graph.
//!
//! The graph has forgotten what was an `if` and what a `while`; the Boolean program has the same structure as the source,
//! so it is kept here. Callees are part of the effect that calls them.

use super::LocationId;
use crate::program::{Expr, Scope, Span};

/// A location with what names mean there.
#[derive(Clone, Debug)]
pub struct Site {
    /// Where.
    pub location: LocationId,
    /// The names in scope.
    pub scope: Scope,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Outline {
    /// What happens from the first site to the second.
    Effect(Site, Site),
    /// A label of the source.
    Label(String),
    /// `if`
    If(Test, Vec<Outline>, Vec<Outline>),
    /// `while`
    While(Test, Vec<Outline>),
    /// `do … while`
    DoWhile(Vec<Outline>, Test),
    /// `for` after its initialisation: condition, body, step.
    For(Option<Test>, Vec<Outline>, Vec<Outline>),
    /// `switch`: the condition of each case label in order (`None` for default), and the body.
    Switch(Vec<Option<Test>>, Vec<Outline>),
    /// The next case label of the innermost switch.
    Case,
    /// `goto`
    Goto(String),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return,
    /// The effect that follows has a jump out of it, in a statement expression.
    JumpOut(Span),
}

/// A decision.
#[derive(Clone, Debug)]
pub enum Test {
    /// An atomic condition, evaluated at a site. If it has side effects, they happen between the two sites.
    Atom(Site, Site, Expr),
    /// `!c`
    Not(Box<Test>),
    /// `a && b`
    And(Box<Test>, Box<Test>),
    /// `a || b`
    Or(Box<Test>, Box<Test>),
    /// `c ? a : b`
    Choose(Box<Test>, Box<Test>, Box<Test>),
}

impl Test {
    /// The evaluation of the test begins earlier, at `start`.
    pub(super) fn starts_at(&mut self, start: Site) {
        match self {
            Test::Atom(site, ..) => *site = start,
            Test::Not(inner) | Test::And(inner, _) | Test::Or(inner, _) | Test::Choose(inner, _, _) => {
                inner.starts_at(start);
            }
        }
    }

    /// Whether its evaluation has no side effects.
    pub fn is_pure(&self) -> bool {
        match self {
            Test::Atom(start, site, _) => start.location == site.location,
            Test::Not(inner) => inner.is_pure(),
            Test::And(a, b) | Test::Or(a, b) => a.is_pure() && b.is_pure(),
            Test::Choose(c, a, b) => c.is_pure() && a.is_pure() && b.is_pure(),
        }
    }
}

/// Whether control can leave these statements other than at their end; a `goto` to one of them counts too.
pub(super) fn jumps_out(outlines: &[Outline]) -> bool {
    leaves(outlines, &[Jump::Break, Jump::Continue])
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Jump {
    Break,
    Continue,
}

/// The same, if only these jumps lead outside.
fn leaves(outlines: &[Outline], outside: &[Jump]) -> bool {
    outlines.iter().any(|outline| match outline {
        Outline::Effect(..) | Outline::Label(_) | Outline::Case => false,
        Outline::If(_, then, otherwise) => leaves(then, outside) || leaves(otherwise, outside),
        Outline::While(_, body) | Outline::DoWhile(body, _) => leaves(body, &[]),
        Outline::For(_, body, step) => leaves(body, &[]) || leaves(step, &[]),
        Outline::Switch(_, body) => {
            let outside: Vec<Jump> = outside.iter().copied().filter(|jump| *jump != Jump::Break).collect();
            leaves(body, &outside)
        }
        Outline::Break => outside.contains(&Jump::Break),
        Outline::Continue => outside.contains(&Jump::Continue),
        Outline::Goto(_) | Outline::Return | Outline::JumpOut(_) => true,
    })
}
