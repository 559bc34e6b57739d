//! Bounding: [`Abstraction`] → [`Bounds`].
//!
//! Ball's paper, section 5. U is everything the abstraction lists. The pessimistic lower bound is
//! `Lp = I · (must-)* · (may)? · (must+)*`: after must- steps every concrete state of the abstract state is reached, so
//! one proven may step leads somewhere, and must+ steps carry on from there. The lower bound L adds what postdominates a
//! state of Lp ([`postdominance`]): it is reached if runs neither diverge nor do something undefined.
//!
//! Lp rests on the paper's assumption that every concrete state of an initial abstract state is a start. Taking the
//! prelude itself as the first step (from [`Node::Entry`], where every state is a start) does without it: this gives
//! `proved`, which rests on nothing, and `lower_exact`, which adds postdominance.

mod postdominance;
mod project;

use std::collections::{BTreeMap, BTreeSet};

use crate::abstraction::{Abstraction, Node, State, StateId, Transition, Valuation};
use crate::cfg::{CheckId, PointId};

/// What is known of an observable state in U, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// A start.
    Initial,
    /// Reached by must- steps.
    Must,
    /// Reached by one may step in between.
    Weak,
    /// Postdominates a reached state.
    Optimistic,
    /// Not in L, but a test that ran has shown it.
    Witnessed,
    /// In U, not in L.
    Open,
    /// In the U of the start, but refinement has proved that no run reaches it.
    Unreachable,
}

impl Verdict {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Initial => "initial",
            Verdict::Must => "must",
            Verdict::Weak => "weak",
            Verdict::Optimistic => "optimistic",
            Verdict::Witnessed => "witnessed",
            Verdict::Open => "open",
            Verdict::Unreachable => "unreachable",
        }
    }
}

/// An observable state of U with everything known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundedState {
    /// Where.
    pub point: PointId,
    /// The values of the observed predicates.
    pub valuation: Valuation,
    /// In the lower bound L.
    pub lower: bool,
    /// In Lp.
    pub lower_pessimistic: bool,
    /// In the lower bound that does without the assumption about the start.
    pub lower_exact: bool,
    /// Reached, without any assumption.
    pub proved: bool,
    /// A test that ran has shown it.
    pub witnessed: bool,
    /// The best that is known.
    pub verdict: Verdict,
}

impl BoundedState {
    /// No run reaches it. What L said of it rested on an assumption that does not hold.
    fn exclude(&mut self) {
        (self.lower, self.lower_pessimistic, self.lower_exact, self.proved) = (false, false, false, false);
        self.verdict = Verdict::Unreachable;
    }
}

/// What is known of a check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CheckVerdict {
    /// It fails for some input.
    Fails,
    /// Not known.
    Open,
    /// It never fails.
    Safe,
}

impl CheckVerdict {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            CheckVerdict::Fails => "fails",
            CheckVerdict::Open => "open",
            CheckVerdict::Safe => "safe",
        }
    }
}

/// The bounds of the reachable observable states.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// U, sorted by point and valuation.
    pub states: Vec<BoundedState>,
    /// The transitions between the states, from the entry and to the ends.
    pub transitions: Vec<Transition>,
    /// Every concrete state of an initial abstract state is a start. Not known of a partial result.
    pub initial_assumption_holds: bool,
    /// The states from which no run ends.
    pub diverges: Vec<StateId>,
    /// Points that lie on a cycle of the may graph: L assumes that these loops end.
    pub loops: Vec<PointId>,
    /// What is known of each check of the graph.
    pub checks: Vec<CheckVerdict>,
    /// States may be missing from U; then nothing is unreachable, and L is Lp.
    pub partial: bool,
}

/// Computes the bounds; states are seen through the first `observed` predicates.
pub fn bound(abstraction: &Abstraction, observed: usize, checks: usize) -> Bounds {
    let partial = abstraction.limit.is_some();
    let graph = Graph::new(abstraction);
    let starts: BTreeSet<Node> = graph.proven(Node::Entry).collect();
    let paper = graph.pessimistic(starts.clone());
    let exact = graph.pessimistic(BTreeSet::from([Node::Entry]));
    let ends = postdominance::Postdominance::new(abstraction);
    let optimistic = |reached: &Reached| -> BTreeSet<Node> {
        // A partial graph lacks edges, and with them ways around.
        if partial { reached.all.clone() } else { ends.closure(&reached.all) }
    };
    let (lower, lower_exact) = (optimistic(&paper), optimistic(&exact));
    let mut states = Vec::new();
    for (index, state) in abstraction.states.iter().enumerate() {
        let node = Node::State(StateId(index as u32));
        let verdict = if starts.contains(&node) {
            Verdict::Initial
        } else if paper.onto.contains(&node) {
            Verdict::Must
        } else if paper.all.contains(&node) {
            Verdict::Weak
        } else if lower.contains(&node) {
            Verdict::Optimistic
        } else {
            Verdict::Open
        };
        states.push(BoundedState {
            point: state.point,
            valuation: state.valuation.clone(),
            lower: lower.contains(&node),
            lower_pessimistic: paper.all.contains(&node),
            lower_exact: lower_exact.contains(&node),
            proved: exact.all.contains(&node),
            witnessed: false,
            verdict,
        });
    }
    let at_points = |nodes: Vec<Node>| -> Vec<PointId> {
        let points: BTreeSet<PointId> = nodes
            .into_iter()
            .filter_map(|node| match node {
                Node::State(id) => Some(abstraction.states[id.index()].point),
                _ => None,
            })
            .collect();
        points.into_iter().collect()
    };
    // A partial graph lacks edges, and with them ways to an end.
    let diverging = if partial { Vec::new() } else { ends.diverging() };
    let diverges = diverging
        .into_iter()
        .filter_map(|node| match node {
            Node::State(id) => Some(id),
            _ => None,
        })
        .collect();
    let failing: BTreeSet<Node> = abstraction.transitions.iter().map(|transition| transition.to).collect();
    let check_verdict = |index: usize| {
        let error = Node::Error(CheckId(index as u32));
        // A failure that is announced must be one: what rests on an assumption is not enough.
        if exact.all.contains(&error) {
            CheckVerdict::Fails
        } else if partial || failing.contains(&error) {
            CheckVerdict::Open
        } else {
            CheckVerdict::Safe
        }
    };
    let bounds = Bounds {
        states,
        transitions: with_one_error(&abstraction.transitions),
        checks: (0..checks).map(check_verdict).collect(),
        initial_assumption_holds: !partial
            && graph.edges[&Node::Entry].iter().all(|edge| edge.must_minus || !matches!(edge.to, Node::State(_))),
        diverges,
        loops: at_points(ends.cyclic()),
        partial,
    };
    let bounds = project::project(bounds, observed);
    debug_assert_eq!(bounds.verify(), Ok(()));
    bounds
}

/// The transitions with all ways to go wrong made one.
fn with_one_error(transitions: &[Transition]) -> Vec<Transition> {
    let mut merged: BTreeMap<(Node, Node), Transition> = BTreeMap::new();
    for transition in transitions {
        let to = match transition.to {
            Node::Error(_) => Node::Error(CheckId(0)),
            other => other,
        };
        let same = merged.entry((transition.from, to)).or_insert_with(|| Transition { to, ..transition.clone() });
        same.proven |= transition.proven;
        same.must_plus |= transition.must_plus;
    }
    merged.into_values().collect()
}

impl Bounds {
    /// The same bounds, after tests have shown some states of the abstraction.
    pub fn with_witnesses<'a>(&self, shown: impl IntoIterator<Item = &'a State>) -> Bounds {
        let mut bounds = self.clone();
        let shown: BTreeSet<(PointId, Valuation)> = match bounds.states.first() {
            Some(state) => {
                let count = state.valuation.iter().count();
                shown.into_iter().map(|state| (state.point, state.valuation.prefix(count))).collect()
            }
            None => BTreeSet::new(),
        };
        for state in &mut bounds.states {
            state.witnessed |= shown.contains(&(state.point, state.valuation.clone()));
            if state.witnessed && state.verdict == Verdict::Open {
                state.verdict = Verdict::Witnessed;
            }
        }
        bounds
    }

    /// The same bounds, after inputs were found that make checks fail.
    pub fn with_failures<'a>(mut self, failing: impl IntoIterator<Item = &'a CheckId>) -> Bounds {
        for check in failing {
            self.checks[check.0 as usize] = CheckVerdict::Fails;
        }
        self
    }

    /// The same states with what finer predicates say of them too: what was proved stays proved.
    pub fn refined(mut self, finer: &Bounds) -> Bounds {
        let known: BTreeMap<(PointId, &Valuation), &BoundedState> =
            finer.states.iter().map(|state| ((state.point, &state.valuation), state)).collect();
        for state in &mut self.states {
            match known.get(&(state.point, &state.valuation)) {
                Some(finer) => {
                    state.lower |= finer.lower;
                    state.lower_pessimistic |= finer.lower_pessimistic;
                    state.lower_exact |= finer.lower_exact;
                    state.proved |= finer.proved;
                    if state.verdict != Verdict::Unreachable {
                        state.verdict = state.verdict.min(finer.verdict);
                    }
                }
                None if finer.partial => {}
                None => state.exclude(),
            }
        }
        for (check, finer) in self.checks.iter_mut().zip(&finer.checks) {
            if *check == CheckVerdict::Open {
                *check = *finer;
            }
        }
        self
    }

    /// The same states, after some were proved to be unreachable.
    pub fn without(mut self, excluded: &BTreeSet<(PointId, Valuation)>) -> Bounds {
        for state in &mut self.states {
            if excluded.contains(&(state.point, state.valuation.clone())) {
                state.exclude();
            }
        }
        self
    }

    /// The states of which nothing is known.
    pub fn open(&self) -> BTreeSet<(PointId, Valuation)> {
        let open = self.states.iter().filter(|state| state.verdict == Verdict::Open);
        open.map(|state| (state.point, state.valuation.clone())).collect()
    }

    /// The states that no test has shown, but for those that were proved to be unreachable.
    pub fn unshown(&self) -> BTreeSet<(PointId, Valuation)> {
        let unshown = self.states.iter().filter(|state| !state.witnessed && state.verdict != Verdict::Unreachable);
        unshown.map(|state| (state.point, state.valuation.clone())).collect()
    }

    /// The states that were proved to be unreachable.
    pub fn unreachable(&self) -> BTreeSet<(PointId, Valuation)> {
        let unreachable = self.states.iter().filter(|state| state.verdict == Verdict::Unreachable);
        unreachable.map(|state| (state.point, state.valuation.clone())).collect()
    }

    /// The states that were proved to be unreachable, and that a test has shown: pct contradicts itself.
    pub fn contradicted(&self) -> impl Iterator<Item = &BoundedState> {
        self.states.iter().filter(|state| state.witnessed && state.verdict == Verdict::Unreachable)
    }

    /// How many states are left in U.
    pub fn upper(&self) -> usize {
        self.count(|state| state.verdict != Verdict::Unreachable)
    }

    /// How many states satisfy `condition`.
    pub fn count(&self, condition: impl Fn(&BoundedState) -> bool) -> usize {
        self.states.iter().filter(|state| condition(state)).count()
    }

    /// |L| / |U|; 1 if there is nothing to observe, 0 if the analysis stopped before it found anything.
    pub fn ratio(&self) -> f64 {
        match self.upper() {
            0 if self.partial => 0.0,
            0 => 1.0,
            upper => self.count(|state| state.lower) as f64 / upper as f64,
        }
    }

    /// The transitions between states, without those from the entry and to the ends.
    pub fn between_states(&self) -> impl Iterator<Item = &Transition> {
        self.transitions
            .iter()
            .filter(|transition| matches!((transition.from, transition.to), (Node::State(_), Node::State(_))))
    }

    /// The first broken invariant: proved ⊆ exact, Lp ⊆ L, verdicts agree with the bounds.
    fn verify(&self) -> Result<(), String> {
        for state in &self.states {
            let sound = (!state.proved || state.lower_exact)
                && (!state.lower_pessimistic || state.lower)
                && (!state.lower_exact || state.lower)
                && state.lower == !matches!(state.verdict, Verdict::Open | Verdict::Witnessed | Verdict::Unreachable);
            if !sound {
                return Err(format!("the bounds of {state:?} contradict each other"));
            }
        }
        Ok(())
    }
}

/// The transitions by source.
struct Graph<'a> {
    edges: BTreeMap<Node, Vec<&'a Transition>>,
}

/// The states of a pessimistic lower bound.
struct Reached {
    /// Every concrete state of these is reached.
    onto: BTreeSet<Node>,
    /// Some concrete state of these is reached.
    all: BTreeSet<Node>,
}

impl<'a> Graph<'a> {
    fn new(abstraction: &'a Abstraction) -> Graph<'a> {
        let mut edges: BTreeMap<Node, Vec<&Transition>> = BTreeMap::from([(Node::Entry, Vec::new())]);
        for transition in &abstraction.transitions {
            edges.entry(transition.from).or_default().push(transition);
        }
        Graph { edges }
    }

    fn from(&self, node: Node) -> impl Iterator<Item = &'a Transition> {
        self.edges.get(&node).into_iter().flatten().copied()
    }

    /// Where a node leads by transitions that are proven to be possible.
    fn proven(&self, node: Node) -> impl Iterator<Item = Node> {
        self.from(node).filter(|edge| edge.proven).map(|edge| edge.to)
    }

    /// `starts · (must-)* · (may)? · (must+)*`
    fn pessimistic(&self, starts: BTreeSet<Node>) -> Reached {
        let onto = self.closure(starts, |edge| edge.must_minus);
        let mut some = onto.clone();
        some.extend(onto.iter().flat_map(|node| self.proven(*node)));
        let all = self.closure(some, |edge| edge.must_plus);
        Reached { onto, all }
    }

    fn closure(&self, starts: BTreeSet<Node>, follow: impl Fn(&Transition) -> bool) -> BTreeSet<Node> {
        let mut work: Vec<Node> = starts.iter().copied().collect();
        let mut reached = starts;
        while let Some(node) = work.pop() {
            for edge in self.from(node).filter(|edge| follow(edge)) {
                if reached.insert(edge.to) {
                    work.push(edge.to);
                }
            }
        }
        reached
    }
}
