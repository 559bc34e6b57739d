//! The loop-free graph between two points → structured code.
//!
//! Only what leads from the one point to the other is kept. Where one outcome of a test leads on, it is assumed; where
//! both do, there is an `if` up to the place where the two ways meet again. So the runs of the code are those ways of the
//! graph, each once.

use std::collections::{BTreeMap, BTreeSet};

use super::piece::Piece;
use crate::cfg::{Action, Cfg, Edge, LocationId};
use crate::program::{BinaryOp, CompareOp, Expr, ExprKind, Projection, Type, UnaryOp};
use crate::testgen::c_text::{Unwritable, Written};

/// The loop-free graph between two points, as far as it leads from the one to the other.
pub(super) struct Graph<'a> {
    cfg: &'a Cfg,
    target: LocationId,
    /// The locations that lead to the target, and where all their ways meet next; `None` is the target.
    joins: BTreeMap<LocationId, Option<LocationId>>,
    /// How many of the edges lead to each location.
    entries: BTreeMap<LocationId, usize>,
}

/// Where an edge leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// Not to the target.
    Away,
    /// Directly to the target.
    There,
    /// On, to a location.
    On(LocationId),
}

impl<'a> Graph<'a> {
    pub(super) fn new(cfg: &'a Cfg, from: LocationId, target: LocationId) -> Graph<'a> {
        let order = postorder(cfg, from);
        let mut graph = Graph { cfg, target, joins: BTreeMap::new(), entries: BTreeMap::new() };
        // In postorder, whatever a location leads to comes before it.
        let number: BTreeMap<LocationId, usize> = order.iter().enumerate().map(|(n, l)| (*l, n)).collect();
        for location in &order {
            let mut join: Option<Option<LocationId>> = None;
            for edge in &cfg.successors[location.index()] {
                let next = match graph.way(edge) {
                    Way::Away => continue,
                    Way::There => None,
                    Way::On(next) => Some(next),
                };
                join = Some(match join {
                    None => next,
                    Some(known) => graph.meet(known, next, &number),
                });
            }
            if let Some(join) = join {
                graph.joins.insert(*location, join);
            }
        }
        let inside: Vec<LocationId> = graph.joins.keys().copied().collect();
        for location in inside {
            for edge in &cfg.successors[location.index()] {
                if let Way::On(next) = graph.way(edge) {
                    *graph.entries.entry(next).or_default() += 1;
                }
            }
        }
        graph
    }

    /// The first location that all ways from both pass.
    fn meet(
        &self,
        a: Option<LocationId>,
        b: Option<LocationId>,
        number: &BTreeMap<LocationId, usize>,
    ) -> Option<LocationId> {
        let (mut a, mut b) = (a, b);
        while a != b {
            let (x, y) = (a?, b?);
            // The one that comes later in the run has the smaller number.
            if number[&x] > number[&y] {
                a = self.joins[&x];
            } else {
                b = self.joins[&y];
            }
        }
        a
    }

    fn way(&self, edge: &Edge) -> Way {
        if edge.target == self.target {
            Way::There
        } else if self.joins.contains_key(&edge.target) && self.cfg.point_at[edge.target.index()].is_none() {
            Way::On(edge.target)
        } else {
            Way::Away
        }
    }

    /// A way past everything that does nothing.
    fn resolved(&self, way: Way) -> Way {
        let mut way = way;
        while let Way::On(location) = way {
            match self.cfg.successors[location.index()].as_slice() {
                [edge] if matches!(edge.action, Action::Skip) => way = self.way(edge),
                _ => break,
            }
        }
        way
    }

    /// The code from a location to where `stop` is; `None` is the target.
    pub(super) fn walk(
        &self,
        from: Option<LocationId>,
        stop: Option<LocationId>,
        budget: &mut usize,
    ) -> Written<Vec<Piece>> {
        let mut pieces = Vec::new();
        let mut here = from;
        while here != stop {
            let Some(location) = here else {
                break;
            };
            *budget = budget.checked_sub(1).ok_or_else(|| Unwritable("too many ways lead to the next point".into()))?;
            let next = |way: Way| match way {
                Way::On(next) => Some(next),
                _ => None,
            };
            let edges = self.cfg.successors[location.index()].as_slice();
            if let [yes, no] = edges
                && let Action::Test(condition, true) = &yes.action
            {
                match (self.way(yes), self.way(no)) {
                    (Way::Away, Way::Away) => return Err(Unwritable("no way leads to the next point".to_string())),
                    (yes, Way::Away) => {
                        pieces.push(Piece::Assume(condition.clone(), true));
                        here = next(yes);
                    }
                    (Way::Away, no) => {
                        pieces.push(Piece::Assume(condition.clone(), false));
                        here = next(no);
                    }
                    (yes, no) => {
                        let (condition, yes, no) = self.decision(condition.clone(), yes, no);
                        let join = self.joins[&location];
                        if no == Way::Away {
                            pieces.push(Piece::Assume(condition, true));
                            here = next(yes);
                            continue;
                        }
                        let yes = self.walk(next(yes), join, budget)?;
                        let no = self.walk(next(no), join, budget)?;
                        pieces.push(Piece::If(condition, yes, no));
                        here = join;
                    }
                }
                continue;
            }
            let Some(edge) = edges.iter().find(|edge| self.way(edge) != Way::Away) else {
                return Err(Unwritable("no way leads to the next point".to_string()));
            };
            match &edge.action {
                Action::Skip => {}
                Action::Test(condition, outcome) => pieces.push(Piece::Assume(condition.clone(), *outcome)),
                action => pieces.push(Piece::Do(action.clone())),
            }
            here = next(self.way(edge));
        }
        Ok(pieces)
    }

    /// A decision with `&&` and `||`, from its atomic conditions, if nothing happens between them.
    fn decision(&self, condition: Expr, yes: Way, no: Way) -> (Expr, Way, Way) {
        let (mut condition, mut yes, mut no) = (condition, self.resolved(yes), self.resolved(no));
        loop {
            let join = |and: bool, first: &Expr, second: Expr| {
                let (a, b) = (Box::new(first.clone()), Box::new(second));
                let kind = if and { ExprKind::And(a, b) } else { ExprKind::Or(a, b) };
                Expr { kind, ty: Type::INT }
            };
            if let Some((second, second_yes, second_no)) = self.atom(yes) {
                if second_no == no {
                    condition = join(true, &condition, second);
                    yes = second_yes;
                    continue;
                }
                if second_yes == no {
                    condition = join(true, &condition, negated(second));
                    yes = second_no;
                    continue;
                }
            }
            if let Some((second, second_yes, second_no)) = self.atom(no) {
                if second_yes == yes {
                    condition = join(false, &condition, second);
                    no = second_no;
                    continue;
                }
                if second_no == yes {
                    condition = join(false, &condition, negated(second));
                    no = second_yes;
                    continue;
                }
            }
            return (condition, yes, no);
        }
    }

    /// A test that only one edge leads to, and that is always defined.
    fn atom(&self, way: Way) -> Option<(Expr, Way, Way)> {
        let Way::On(location) = way else {
            return None;
        };
        let [yes, no] = self.cfg.successors[location.index()].as_slice() else {
            return None;
        };
        let Action::Test(condition, true) = &yes.action else {
            return None;
        };
        let alone = self.entries.get(&location) == Some(&1) && is_always_defined(condition);
        alone.then(|| (condition.clone(), self.resolved(self.way(yes)), self.resolved(self.way(no))))
    }
}

pub(super) fn negated(expr: Expr) -> Expr {
    Expr { kind: ExprKind::Not(Box::new(expr)), ty: Type::INT }
}

/// Whether the evaluation reads only variables and computes nothing that could be undefined.
fn is_always_defined(expr: &Expr) -> bool {
    let mut defined = true;
    expr.for_each(&mut |part| {
        defined &= match &part.kind {
            ExprKind::Load(place) => {
                place.root().is_some() && place.path.iter().all(|p| matches!(p, Projection::Field(_)))
            }
            ExprKind::Binary(op, ..) => matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor),
            ExprKind::Unary(op, _) => *op == UnaryOp::Complement,
            ExprKind::Cast(inner) => inner.ty.float_kind().is_none(),
            ExprKind::Compare(op, a, _) => {
                a.ty.pointee().is_none() || matches!(op, CompareOp::Equal | CompareOp::NotEqual)
            }
            ExprKind::Holds(..) | ExprKind::Distance(..) => false,
            _ => true,
        };
    });
    defined
}

/// The locations from one on to the next points, each behind all that it leads to.
fn postorder(cfg: &Cfg, from: LocationId) -> Vec<LocationId> {
    let mut order = Vec::new();
    let mut visited = BTreeSet::from([from]);
    let mut stack = vec![(from, 0)];
    while let Some((location, next)) = stack.pop() {
        let Some(edge) = cfg.successors[location.index()].get(next) else {
            order.push(location);
            continue;
        };
        stack.push((location, next + 1));
        let ends = cfg.point_at[edge.target.index()].is_some() || cfg.is_terminal(edge.target);
        if !ends && visited.insert(edge.target) {
            stack.push((edge.target, 0));
        }
    }
    order
}
