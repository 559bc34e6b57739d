//! Enumerating: [`Abstraction`] → paths.
//!
//! Ball's paper, section 6.1: depth first from the initial states along must- transitions, with at most one other proven
//! may transition at the end, covering no state twice. A path whose must- steps lead on only into what is covered already
//! ends with the first of these. Since must- steps are onto, every such path has an input (if the initial states are what
//! the paper assumes of them); the paths together cover all states of `I · (must-)* · (may)?`.

use std::collections::{BTreeMap, BTreeSet};

use crate::abstraction::{Abstraction, Node, StateId, Transition};

/// A way through the abstraction, from an initial state on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Path {
    /// The states on it; there is at least one.
    pub states: Vec<StateId>,
}

impl Path {
    /// The state that it is there for.
    pub fn last(&self) -> StateId {
        *self.states.last().expect("a path has a start")
    }
}

/// The paths, in the order in which they are found.
pub fn enumerate(abstraction: &Abstraction) -> Vec<Path> {
    let mut successors: BTreeMap<StateId, Vec<&Transition>> = BTreeMap::new();
    let mut starts = Vec::new();
    for transition in abstraction.transitions.iter().filter(|transition| transition.proven) {
        match (transition.from, transition.to) {
            (Node::Entry, Node::State(start)) => starts.push(start),
            (Node::State(from), Node::State(_)) => successors.entry(from).or_default().push(transition),
            _ => {}
        }
    }
    let mut covered: BTreeSet<StateId> = starts.iter().copied().collect();
    let mut paths = Vec::new();
    // An explicit stack: paths can be long. Each entry is a state on the way, and whether the way went on from it.
    for start in starts {
        let mut way = vec![Visit { state: start, next: 0, went_on: false }];
        while let Some(visit) = way.last_mut() {
            let edges = successors.get(&visit.state).map_or(&[][..], Vec::as_slice);
            let Some(edge) = edges.get(visit.next) else {
                let (state, went_on) = (visit.state, visit.went_on);
                if !went_on {
                    let mut states: Vec<StateId> = way.iter().map(|visit| visit.state).collect();
                    let back = successors.get(&state).and_then(|edges| edges.iter().find(|edge| edge.must_minus));
                    if let Some(Node::State(covered)) = back.map(|edge| edge.to) {
                        states.push(covered);
                    }
                    paths.push(Path { states });
                }
                way.pop();
                continue;
            };
            visit.next += 1;
            let Node::State(to) = edge.to else {
                continue;
            };
            if !covered.insert(to) {
                continue;
            }
            visit.went_on = true;
            if edge.must_minus {
                way.push(Visit { state: to, next: 0, went_on: false });
            } else {
                let states = way.iter().map(|visit| visit.state).chain([to]).collect();
                paths.push(Path { states });
            }
        }
    }
    paths
}

struct Visit {
    state: StateId,
    next: usize,
    went_on: bool,
}
