//! How many states there may be, from the predicates alone, before anything is explored.
//!
//! At a point, predicates that share no variable, directly or through others, are independent: their possibilities
//! multiply. Within a group of k predicates over m numbers, there are at most 2ᵏ combinations, and also at most as many as
//! k hyperplanes cut m-dimensional space into pieces of any dimension: `Σ C(k, i)·2ⁱ` for i up to m, which is 2k + 1 for
//! comparisons of one number with constants. Each element of an array is a number of its own. The result is no bound
//! (predicates need not be linear) and mostly too large (the program excludes much): it is good for a warning.

use std::collections::BTreeSet;

use super::PredicateSet;
use crate::cfg::Cfg;
use crate::program::{Expr, VarId};

/// What the predicates promise.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// About how many states there may be at most.
    pub states: f64,
    /// The positions of predicates by how much they multiply the states, the worst first.
    pub multiplying: Vec<usize>,
}

/// Estimates the number of observable states.
pub fn estimate(cfg: &Cfg, predicates: &PredicateSet) -> Estimate {
    let mut states = 0.0;
    let mut worst: (f64, Vec<Group>) = (0.0, Vec::new());
    for point in 0..cfg.points.len() {
        let groups = groups(cfg, predicates, point);
        let product: f64 = groups.iter().map(Group::combinations).product();
        states += product;
        if product > worst.0 {
            worst = (product, groups);
        }
    }
    let mut shares: Vec<(f64, usize)> = Vec::new();
    for group in worst.1 {
        let share = group.combinations().powf(1.0 / group.members.len() as f64);
        shares.extend(group.members.iter().map(|position| (share, *position)));
    }
    shares.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    Estimate { states, multiplying: shares.into_iter().map(|(_, position)| position).collect() }
}

/// Predicates that share variables.
struct Group {
    variables: BTreeSet<VarId>,
    members: Vec<usize>,
    unbounded: bool,
}

impl Group {
    fn combinations(&self) -> f64 {
        let all = 2f64.powi(self.members.len() as i32);
        if self.unbounded {
            return all;
        }
        let count = self.members.len();
        let mut sum = 1.0;
        let mut pieces = 1.0;
        for i in 1..=count.min(self.variables.len()) {
            pieces *= 2.0 * (count + 1 - i) as f64 / i as f64;
            sum += pieces;
        }
        all.min(sum)
    }
}

fn groups(cfg: &Cfg, predicates: &PredicateSet, point: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (position, predicate) in predicates.predicates.iter().enumerate() {
        let Some(expr) = &predicate.at[point] else {
            continue;
        };
        let variables = variables(expr);
        let unbounded = variables.iter().any(|variable| !cfg.variables[variable.index()].ty.is_arithmetic());
        let mut merged = Group { variables, members: vec![position], unbounded };
        groups.retain_mut(|group| {
            let apart = group.variables.is_disjoint(&merged.variables);
            if !apart {
                merged.variables.append(&mut group.variables);
                merged.members.append(&mut group.members);
                merged.unbounded |= group.unbounded;
            }
            apart
        });
        groups.push(merged);
    }
    groups
}

fn variables(expr: &Expr) -> BTreeSet<VarId> {
    let mut variables = BTreeSet::new();
    expr.for_each_variable(&mut |variable| {
        variables.insert(variable);
    });
    variables
}

#[cfg(test)]
mod tests {
    use super::Group;
    use crate::program::VarId;

    #[track_caller]
    fn check(members: usize, variables: u32, unbounded: bool, expected: f64) {
        let group =
            Group { variables: (0..variables).map(VarId).collect(), members: (0..members).collect(), unbounded };
        assert_eq!(group.combinations(), expected);
    }

    #[test]
    fn comparisons_of_few_numbers_have_few_combinations() {
        check(1, 1, false, 2.0);
        check(3, 1, false, 7.0);
        check(10, 2, false, 201.0);
        check(10, 10, false, 1024.0);
        check(10, 1, true, 1024.0);
    }
}
