//! Looking for ways to the states that no test has shown yet.
//!
//! Best first over trails that have inputs: short ones first, and among them those that are closest to something that
//! is still wanted. What a run has shown to be possible is followed as well: where it passed next to something wanted,
//! the same way with another last step is tried. The search is bounded by the length of trails and by the number of
//! questions to the solver, among which one that it gives up counts for many; never by the clock, so that it does the
//! same each time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};

use super::symbolic::{Next, Trail};
use super::{Generator, Outcome, Test};
use crate::abstraction::{Node, StateId};

/// How far the search goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// No trail has more states.
    pub depth: usize,
    /// So many questions are asked of the solver, about.
    pub questions: usize,
}

/// A question that the solver gives up takes as long as so many that it answers.
const GIVEN_UP: usize = 100;

/// So many trails to one state are followed in each round.
const TRAILS_PER_STATE: usize = 4;

/// So many runs that passed next to something wanted are tried for it.
const TRIES_PER_STEP: usize = 4;

/// After so many tests that did not show what they were made for, no more are made for it.
const MAX_MISSES: usize = 4;

/// A search that goes on from test to test.
pub struct Search {
    bounds: Bounds,
    successors: BTreeMap<Node, Vec<Node>>,
    predecessors: BTreeMap<Node, Vec<Node>>,
    /// What no test has shown yet.
    wanted: BTreeSet<Node>,
    /// How many steps each node is away from something wanted.
    distance: BTreeMap<Node, usize>,
    queue: BinaryHeap<Reverse<Candidate>>,
    trails: Vec<(Trail, Vec<StateId>)>,
    /// How many trails to each state were followed in this round.
    followed: BTreeMap<Node, usize>,
    /// What waits for the next round: there are several trails to its state already.
    postponed: Vec<Candidate>,
    /// How often a step out of the way of a run was tried.
    tried: BTreeMap<(Node, Node), usize>,
    /// Steps to try out of the way of runs.
    branches: VecDeque<(Vec<StateId>, Node)>,
    /// How many tests were made for something and did not show it.
    misses: BTreeMap<Node, usize>,
    asked: usize,
    number: usize,
}

/// A step that a trail can take: the shortest way to something wanted first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Candidate {
    cost: usize,
    number: usize,
    trail: usize,
    to: Node,
}

impl Search {
    /// A search for everything in `wanted`.
    pub fn new(generator: &Generator<'_>, wanted: BTreeSet<Node>, bounds: Bounds) -> Search {
        let mut successors: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
        let mut predecessors: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
        for transition in &generator.abstraction.transitions {
            successors.entry(transition.from).or_default().push(transition.to);
            predecessors.entry(transition.to).or_default().push(transition.from);
        }
        let start = Trail::start(&generator.context);
        let mut search = Search {
            bounds,
            successors,
            predecessors,
            wanted,
            distance: BTreeMap::new(),
            queue: BinaryHeap::new(),
            trails: vec![(start, Vec::new())],
            followed: BTreeMap::new(),
            postponed: Vec::new(),
            tried: BTreeMap::new(),
            branches: VecDeque::new(),
            misses: BTreeMap::new(),
            asked: spent(generator),
            number: 0,
        };
        search.measure();
        search.push_steps(0, Node::Entry);
        search
    }

    /// Takes in the way of a run, as far as it went through known states, and what it has shown.
    pub fn learn(&mut self, way: &[StateId], shown: impl IntoIterator<Item = Node>) {
        let before = self.wanted.len();
        for node in shown {
            self.wanted.remove(&node);
        }
        if self.wanted.len() < before {
            self.measure();
        }
        for (position, state) in way.iter().enumerate().take(self.bounds.depth) {
            let here = Node::State(*state);
            for to in self.successors.get(&here).into_iter().flatten() {
                if self.wanted.contains(to) {
                    let tries = self.tried.entry((here, *to)).or_default();
                    *tries += 1;
                    if *tries <= TRIES_PER_STEP {
                        self.branches.push_back((way[..=position].to_vec(), *to));
                    }
                }
            }
        }
    }

    /// A test did not show what it was made for; after some of them it is not wanted any more.
    pub fn miss(&mut self, target: Option<Node>) {
        let Some(target) = target else {
            return;
        };
        let misses = self.misses.entry(target).or_default();
        *misses += 1;
        if *misses >= MAX_MISSES && self.wanted.remove(&target) {
            self.measure();
        }
    }

    /// The next test for something that is still wanted; `None` if the search is over.
    pub fn next(&mut self, generator: &mut Generator<'_>, is_over: &dyn Fn() -> bool) -> Option<Test> {
        let last = self.asked + self.bounds.questions;
        while !self.wanted.is_empty() && spent(generator) < last && !is_over() {
            if let Some((way, to)) = self.branches.pop_front() {
                if let Some(test) = self.branch(generator, &way, to) {
                    return Some(test);
                }
                continue;
            }
            let Some(Reverse(candidate)) = self.queue.pop() else {
                if self.postponed.is_empty() {
                    return None;
                }
                // The next round follows more trails to each state.
                self.followed.clear();
                for candidate in std::mem::take(&mut self.postponed) {
                    self.queue.push(Reverse(candidate));
                }
                continue;
            };
            if let Some(test) = self.step(generator, candidate) {
                return Some(test);
            }
        }
        None
    }

    /// A step of a trail, if it has inputs.
    fn step(&mut self, generator: &mut Generator<'_>, candidate: Candidate) -> Option<Test> {
        let distance = *self.distance.get(&candidate.to)?;
        let followed = self.followed.entry(candidate.to).or_default();
        if *followed >= TRAILS_PER_STATE {
            self.postponed.push(candidate);
            return None;
        }
        let (trail, states) = self.trails[candidate.trail].clone();
        let (longer, states) = extended(generator, &trail, &states, candidate.to)?;
        if distance > 0 {
            if longer.is_possible(&mut generator.context) == Some(false) {
                return None;
            }
            *followed += 1;
            self.follow(longer, states, candidate.to);
            return None;
        }
        match generator.realized(&longer, states.clone(), failure(candidate.to)) {
            Outcome::Test(test) => {
                *followed += 1;
                self.follow(longer, states, candidate.to);
                Some(*test)
            }
            Outcome::Infeasible => None,
            Outcome::Unknown | Outcome::Unrealizable(_) => {
                *followed += 1;
                self.follow(longer, states, candidate.to);
                None
            }
        }
    }

    /// The way of a run with another last step, if it has inputs.
    fn branch(&mut self, generator: &mut Generator<'_>, way: &[StateId], to: Node) -> Option<Test> {
        if !self.wanted.contains(&to) {
            return None;
        }
        let mut trail = Trail::start(&generator.context);
        for state in way {
            trail = generator.extended(&trail, *state)?;
        }
        let (trail, states) = extended(generator, &trail, way, to)?;
        match generator.realized(&trail, states, failure(to)) {
            Outcome::Test(test) => Some(*test),
            _ => None,
        }
    }

    /// Keeps a trail, to go on from its end.
    fn follow(&mut self, trail: Trail, states: Vec<StateId>, end: Node) {
        if states.len() >= self.bounds.depth || !matches!(end, Node::State(_)) {
            return;
        }
        self.trails.push((trail, states));
        self.push_steps(self.trails.len() - 1, end);
    }

    fn push_steps(&mut self, trail: usize, end: Node) {
        let length = self.trails[trail].1.len();
        for &to in self.successors.get(&end).into_iter().flatten() {
            if let Some(distance) = self.distance.get(&to) {
                self.number += 1;
                self.queue.push(Reverse(Candidate { cost: length + distance, number: self.number, trail, to }));
            }
        }
    }

    /// Finds out how far everything is from what is wanted.
    fn measure(&mut self) {
        self.distance = self.wanted.iter().map(|node| (*node, 0)).collect();
        let mut work: VecDeque<Node> = self.wanted.iter().copied().collect();
        while let Some(node) = work.pop_front() {
            let distance = self.distance[&node] + 1;
            for before in self.predecessors.get(&node).into_iter().flatten() {
                if !self.distance.contains_key(before) {
                    self.distance.insert(*before, distance);
                    work.push_back(*before);
                }
            }
        }
    }
}

/// What the solver was asked so far.
fn spent(generator: &Generator<'_>) -> usize {
    let statistics = generator.statistics();
    statistics.queries + GIVEN_UP * statistics.unknown
}

fn failure(node: Node) -> Option<crate::cfg::CheckId> {
    match node {
        Node::Error(check) => Some(check),
        _ => None,
    }
}

/// The trail with one more step, and its states.
fn extended(
    generator: &mut Generator<'_>,
    trail: &Trail,
    states: &[StateId],
    to: Node,
) -> Option<(Trail, Vec<StateId>)> {
    let mut states = states.to_vec();
    let longer = match to {
        Node::State(state) => {
            states.push(state);
            generator.extended(trail, state)?
        }
        Node::Error(check) => trail.extended(&mut generator.context, Next::Error(check))?,
        Node::Entry | Node::Halt => return None,
    };
    Some((longer, states))
}
