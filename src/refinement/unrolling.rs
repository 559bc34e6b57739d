//! Unrolling: states that no run reaches because no way of a few steps leads there.
//!
//! From a state backwards, along the transitions of the abstraction: a way whose steps cannot follow one another is
//! dropped, and if none is left, no run ends in the state. That is k-induction over the blocks: all steps of a run lie in
//! the abstraction, so its last steps are one of the ways that were tried. States may be excluded together. A run
//! that reached one of them first would come by a way through none of them; so ways through them need not be tried.

use std::collections::{BTreeMap, BTreeSet};

use crate::abstraction::{Abstraction, Context, Node, StateId, Valuation};
use crate::cfg::PointId;
use crate::testgen::symbolic::{Next, Trail};

/// How far it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// No way has more steps.
    pub steps: usize,
    /// So many questions are asked about each state.
    pub questions: usize,
}

impl Limits {
    /// For what is plain after a few steps.
    pub const QUICK: Limits = Limits { steps: 8, questions: 30 };

    /// For what is not.
    pub const THOROUGH: Limits = Limits { steps: 24, questions: 150 };
}

/// What came of unrolling.
#[derive(Clone, Debug, Default)]
pub struct Unrolled {
    /// The states that no run reaches, all together.
    pub excluded: BTreeSet<StateId>,
    /// For each of the others that was wanted, a way to it that may be possible.
    pub ways: BTreeMap<StateId, Vec<Node>>,
}

/// Which of the wanted states are excluded.
pub fn unroll(
    context: &mut Context<'_>,
    abstraction: &Abstraction,
    wanted: BTreeSet<StateId>,
    limits: Limits,
    is_over: &dyn Fn() -> bool,
) -> Unrolled {
    let mut predecessors: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    for transition in &abstraction.transitions {
        predecessors.entry(transition.to).or_default().push(transition.from);
    }
    let (mut assumed, mut ways) = (wanted, BTreeMap::new());
    loop {
        let mut failed = BTreeMap::new();
        for &state in &assumed {
            if is_over() {
                return Unrolled { excluded: BTreeSet::new(), ways };
            }
            let proof = Unrolling { abstraction, predecessors: &predecessors, assumed: &assumed, limits };
            if let Some(way) = proof.open_way(context, state) {
                failed.insert(state, way);
            }
        }
        if failed.is_empty() {
            return Unrolled { excluded: assumed, ways };
        }
        // What rested on them has to be shown again.
        assumed.retain(|state| !failed.contains_key(state));
        ways.extend(failed);
    }
}

struct Unrolling<'a> {
    abstraction: &'a Abstraction,
    predecessors: &'a BTreeMap<Node, Vec<Node>>,
    /// No run has reached one of these before.
    assumed: &'a BTreeSet<StateId>,
    limits: Limits,
}

impl Unrolling<'_> {
    /// A way to the state that is possible, as far as is known.
    fn open_way(&self, context: &mut Context<'_>, state: StateId) -> Option<Vec<Node>> {
        let mut ways = vec![vec![Node::State(state)]];
        let mut asked = 0;
        while let Some(way) = ways.pop() {
            for &before in self.predecessors.get(&way[0]).into_iter().flatten() {
                if matches!(before, Node::State(id) if self.assumed.contains(&id)) {
                    continue;
                }
                let longer: Vec<Node> = std::iter::once(before).chain(way.iter().copied()).collect();
                asked += 1;
                if !is_possible(context, self.abstraction, &longer) {
                    continue;
                }
                if before == Node::Entry || longer.len() > self.limits.steps || asked >= self.limits.questions {
                    return Some(longer);
                }
                ways.push(longer);
            }
        }
        None
    }
}

/// Whether the steps can follow one another, as far as is known.
fn is_possible(context: &mut Context<'_>, abstraction: &Abstraction, way: &[Node]) -> bool {
    let place = |node: &Node| match node {
        Node::State(id) => Some((abstraction.states[id.index()].point, &abstraction.states[id.index()].valuation)),
        _ => None,
    };
    let way: Vec<Option<Place<'_>>> = way.iter().map(place).collect();
    trail(context, &way).is_some_and(|trail| trail.is_possible(context) != Some(false))
}

/// A point and the values of predicates there.
pub type Place<'a> = (PointId, &'a Valuation);

/// A way as a formula over the state at its start, which can be the entry (`None`); `None` if it is plainly impossible.
pub fn trail(context: &mut Context<'_>, way: &[Option<Place<'_>>]) -> Option<Trail> {
    let mut trail = match way.first().copied().flatten() {
        Some((point, values)) => Trail::from_anywhere(context, point.index(), values),
        None => Trail::start(context),
    };
    for (point, values) in way.iter().skip(1).flatten() {
        trail = trail.extended(context, Next::State(point.index(), values))?;
    }
    Some(trail)
}
