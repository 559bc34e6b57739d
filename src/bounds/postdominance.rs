//! Postdominance in the may graph: what every run from a state must pass before it ends.
//!
//! Ends are halt and error. The paper's greatest fixpoint makes every state postdominate a state that reaches no end;
//! here such a state is postdominated by itself alone, and told to the user. For the others, edges into such states are
//! ignored: a run that ends does not take them. Postdominators are dominators of the graph turned around, with one node
//! that stands for both ends as the root.

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use petgraph::visit::{Bfs, Reversed};
use std::collections::BTreeSet;

use crate::abstraction::{Abstraction, Node};

/// The postdominators of all nodes.
pub(super) struct Postdominance {
    graph: DiGraphMap<Node, ()>,
    /// The nodes from which an end can be reached.
    ending: BTreeSet<Node>,
    dominators: Dominators<Node>,
}

impl Postdominance {
    pub(super) fn new(abstraction: &Abstraction) -> Postdominance {
        let mut graph: DiGraphMap<Node, ()> = DiGraphMap::new();
        let mut ends = BTreeSet::from([Node::Halt]);
        for transition in &abstraction.transitions {
            if transition.from != Node::Entry {
                graph.add_edge(transition.from, transition.to, ());
            }
            if let Node::Error(_) = transition.to {
                ends.insert(transition.to);
            }
        }
        // All ends lead to one root. The entry is not in the graph otherwise, so it can play that part.
        let root = Node::Entry;
        for end in ends {
            graph.add_edge(end, root, ());
        }
        let reversed = Reversed(&graph);
        let mut search = Bfs::new(reversed, root);
        let mut ending = BTreeSet::new();
        while let Some(node) = search.next(reversed) {
            ending.insert(node);
        }
        let dominators = simple_fast(reversed, root);
        Postdominance { graph, ending, dominators }
    }

    /// The nodes themselves, and those that every run from one of them to an end passes.
    pub(super) fn closure(&self, nodes: &BTreeSet<Node>) -> BTreeSet<Node> {
        let mut all = BTreeSet::new();
        for &node in nodes {
            let mut next = Some(node);
            // Where a node is there already, those that it cannot avoid are there too.
            while let Some(node) = next.filter(|node| *node != Node::Entry && all.insert(*node)) {
                next = self.dominators.immediate_dominator(node);
            }
        }
        all
    }

    /// The states from which no run ends and some run goes on for ever.
    pub(super) fn diverging(&self) -> Vec<Node> {
        let endless: DiGraphMap<Node, ()> =
            self.graph.all_edges().filter(|(a, b, ())| !self.ending.contains(a) && !self.ending.contains(b)).collect();
        let reversed = Reversed(&endless);
        let mut diverging = BTreeSet::new();
        for node in cycles(&endless) {
            // Whatever leads to a node that was found is found too.
            if diverging.contains(&node) {
                continue;
            }
            let mut search = Bfs::new(reversed, node);
            while let Some(node) = search.next(reversed) {
                diverging.insert(node);
            }
        }
        diverging.into_iter().collect()
    }

    /// The states on cycles.
    pub(super) fn cyclic(&self) -> Vec<Node> {
        cycles(&self.graph)
    }
}

fn cycles(graph: &DiGraphMap<Node, ()>) -> Vec<Node> {
    tarjan_scc(graph)
        .into_iter()
        .filter(|component| component.len() > 1 || graph.contains_edge(component[0], component[0]))
        .flatten()
        .collect()
}
