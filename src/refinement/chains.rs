//! Ways through the abstraction that show why a state is in U or in L.
//!
//! [`may_way`] is a shortest way along may transitions: the reason for U. [`chain`] is a shortest way of the form
//! `start · (must-)* · (may)? · (must+)*`: the reason for Lp. [`passed`] is a state of Lp from which every run that ends
//! passes the state: the reason for L. Each is found by breadth-first search over the abstraction itself, so it is right
//! whatever the bounds were computed from; where it finds nothing, it says so.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::abstraction::{Abstraction, Node, Transition};

/// Steps from the entry on, each beginning where the one before ends.
pub type Way = Vec<Transition>;

/// The transitions by their source.
fn by_source(abstraction: &Abstraction) -> BTreeMap<Node, Vec<&Transition>> {
    let mut edges: BTreeMap<Node, Vec<&Transition>> = BTreeMap::new();
    for transition in &abstraction.transitions {
        edges.entry(transition.from).or_default().push(transition);
    }
    edges
}

/// A shortest way from `start` to one of the targets along may transitions.
pub fn may_way(abstraction: &Abstraction, start: Node, targets: &BTreeSet<Node>) -> Option<Way> {
    let search = Search::new(abstraction, [(start, Phase::Some)], |_, _| Some(Phase::Some));
    search.shortest(targets)
}

/// A shortest way to one of the targets that proves it reached, as far as the paper's assumption about the start holds;
/// one without a may step, if there is one.
pub fn chain(abstraction: &Abstraction, targets: &BTreeSet<Node>) -> Option<Way> {
    let onto = Search::new(abstraction, [(Node::Entry, Phase::Start)], |phase, step| match proving(phase, step) {
        Some(Phase::All) => Some(Phase::All),
        _ => None,
    });
    onto.shortest(targets)
        .or_else(|| Search::new(abstraction, [(Node::Entry, Phase::Start)], proving).shortest(targets))
}

/// A state that is proved to be reached and from which every run that ends passes the target: the way that proves it, and
/// a shortest way on to the target.
pub fn passed(abstraction: &Abstraction, target: Node) -> Option<(Way, Way)> {
    let mut before: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    for transition in &abstraction.transitions {
        before.entry(transition.to).or_default().push(transition.from);
    }
    let ends: BTreeSet<Node> = before.keys().copied().filter(|node| !matches!(node, Node::State(_))).collect();
    let leading = |avoided: Option<Node>| {
        let mut found = ends.clone();
        let mut work: Vec<Node> = ends.iter().copied().collect();
        while let Some(node) = work.pop() {
            for &from in before.get(&node).into_iter().flatten() {
                if Some(from) != avoided && found.insert(from) {
                    work.push(from);
                }
            }
        }
        found
    };
    let (ending, avoiding) = (leading(None), leading(Some(target)));
    let search = Search::new(abstraction, [(Node::Entry, Phase::Start)], proving);
    let nodes = search.order.iter().map(|(node, _)| *node);
    let cannot_avoid =
        |node: &Node| matches!(node, Node::State(_)) && ending.contains(node) && !avoiding.contains(node);
    let reached = nodes.into_iter().find(cannot_avoid)?;
    let chain = search.shortest(&BTreeSet::from([reached]))?;
    Some((chain, may_way(abstraction, reached, &BTreeSet::from([target]))?))
}

/// What is known of a node on a way that proves something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Phase {
    /// It is the entry.
    Start,
    /// Every concrete state of it is reached.
    All,
    /// Some concrete state of it is reached.
    Some,
}

/// What is known after a step.
fn proving(phase: Phase, step: &Transition) -> Option<Phase> {
    match phase {
        Phase::Start if step.proven => Some(Phase::All),
        Phase::All if step.must_minus => Some(Phase::All),
        Phase::All if step.proven => Some(Phase::Some),
        Phase::Some if step.must_plus => Some(Phase::Some),
        _ => None,
    }
}

/// A node with what is known of it.
type Found = (Node, Phase);

/// A breadth-first search.
struct Search<'a> {
    /// What was found, in this order.
    order: Vec<Found>,
    /// How it was found first: by which step, from where.
    how: BTreeMap<Found, (&'a Transition, Found)>,
}

impl<'a> Search<'a> {
    fn new(
        abstraction: &'a Abstraction,
        starts: impl IntoIterator<Item = (Node, Phase)>,
        next: impl Fn(Phase, &Transition) -> Option<Phase>,
    ) -> Search<'a> {
        let edges = by_source(abstraction);
        let mut search = Search { order: starts.into_iter().collect(), how: BTreeMap::new() };
        let mut queue: VecDeque<(Node, Phase)> = search.order.iter().copied().collect();
        let mut seen: BTreeSet<(Node, Phase)> = queue.iter().copied().collect();
        while let Some(here) = queue.pop_front() {
            for &step in edges.get(&here.0).into_iter().flatten() {
                let Some(phase) = next(here.1, step) else {
                    continue;
                };
                let there = (step.to, phase);
                if seen.insert(there) {
                    search.order.push(there);
                    search.how.insert(there, (step, here));
                    queue.push_back(there);
                }
            }
        }
        search
    }

    /// The shortest way to one of the nodes.
    fn shortest(&self, targets: &BTreeSet<Node>) -> Option<Way> {
        let mut at = *self.order.iter().find(|(node, _)| targets.contains(node))?;
        let mut way = Vec::new();
        while let Some((step, before)) = self.how.get(&at) {
            way.push((*step).clone());
            at = *before;
        }
        way.reverse();
        Some(way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abstraction::{Limit, State, StateId, Valuation};
    use crate::cfg::PointId;

    /// States 0, 1, 2, … and steps: `-` is must-, `+` is must+, `.` only may; 9 is the end.
    fn abstraction(steps: &[(u32, char, u32)]) -> Abstraction {
        let node = |number: u32| if number == 9 { Node::Halt } else { Node::State(StateId(number)) };
        let transition = |from, kind: char, to| Transition {
            from,
            to,
            proven: true,
            must_plus: kind == '+',
            must_minus: kind == '-',
        };
        let mut transitions = vec![transition(Node::Entry, '.', node(0))];
        transitions.extend(steps.iter().map(|(from, kind, to)| transition(node(*from), *kind, node(*to))));
        let state = |number: u32| State { point: PointId(number), valuation: Valuation::new([]) };
        Abstraction {
            states: (0..9).map(state).collect(),
            transitions,
            feasible: None,
            limit: None::<Limit>,
            multiplying: Vec::new(),
            statistics: Default::default(),
            assumptions: Vec::new(),
        }
    }

    fn to(number: u32) -> BTreeSet<Node> {
        BTreeSet::from([Node::State(StateId(number))])
    }

    #[test]
    fn a_chain_has_at_most_one_may_step_between_must_minus_and_must_plus() {
        let graph = abstraction(&[(0, '-', 1), (1, '.', 2), (2, '+', 3), (3, '.', 4), (0, '.', 5), (5, '-', 6)]);
        let length = |number| chain(&graph, &to(number)).map(|way| way.len());
        assert_eq!(length(0), Some(1));
        assert_eq!(length(1), Some(2));
        assert_eq!(length(3), Some(4));
        assert_eq!(length(4), None, "two may steps");
        assert_eq!(length(6), None, "must- after may proves nothing");
        assert_eq!(may_way(&graph, Node::Entry, &to(4)).map(|way| way.len()), Some(5));
        assert_eq!(may_way(&graph, Node::Entry, &to(7)), None);
    }

    #[test]
    fn a_way_without_a_may_step_is_preferred_to_a_shorter_one() {
        let graph = abstraction(&[(0, '.', 2), (0, '-', 1), (1, '-', 2)]);
        assert_eq!(chain(&graph, &to(2)).map(|way| way.len()), Some(3));
    }

    #[test]
    fn what_cannot_be_avoided_is_passed() {
        // 1 and 2 both lead to 3, and 3 to the end; 4 is on one way only; nothing is proved beyond 1 and 2.
        let graph =
            abstraction(&[(0, '.', 1), (0, '.', 2), (1, '.', 3), (1, '.', 4), (4, '.', 3), (2, '.', 3), (3, '.', 9)]);
        let (chain, way) = passed(&graph, Node::State(StateId(3))).expect("it cannot be avoided");
        assert_eq!((chain.len(), way.len()), (1, 2));
        assert_eq!(passed(&graph, Node::State(StateId(4))), None);
        // What never ends passes nothing.
        let endless = abstraction(&[(0, '.', 1), (1, '.', 0), (1, '.', 2), (2, '.', 1)]);
        assert_eq!(passed(&endless, Node::State(StateId(2))), None);
    }
}
