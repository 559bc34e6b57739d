//! Seeing states through the observed predicates only.
//!
//! A projected state is in a bound if one of its extensions by tracked predicates is. A projected transition is must+
//! if it is from every extension of its source in U, and must- if it is to every extension of its target in U. It
//! diverges if every extension in U does.

use std::collections::{BTreeMap, BTreeSet};

use super::{BoundedState, Bounds};
use crate::abstraction::{Node, StateId, Transition, Valuation};
use crate::cfg::PointId;

/// Projects onto the first `observed` predicates.
pub(super) fn project(bounds: Bounds, observed: usize) -> Bounds {
    let tracked = bounds.states.iter().any(|state| state.valuation.iter().count() > observed);
    if !tracked {
        return bounds;
    }
    let mut projected: BTreeMap<(PointId, Valuation), BoundedState> = BTreeMap::new();
    for state in &bounds.states {
        let valuation = state.valuation.prefix(observed);
        let merged = projected
            .entry((state.point, valuation.clone()))
            .or_insert_with(|| BoundedState { valuation, ..state.clone() });
        merged.lower |= state.lower;
        merged.lower_pessimistic |= state.lower_pessimistic;
        merged.lower_exact |= state.lower_exact;
        merged.proved |= state.proved;
        merged.verdict = merged.verdict.min(state.verdict);
    }
    let ids: BTreeMap<&(PointId, Valuation), StateId> =
        projected.keys().enumerate().map(|(index, key)| (key, StateId(index as u32))).collect();
    let image = |node: Node| match node {
        Node::State(id) => {
            let state = &bounds.states[id.index()];
            Node::State(ids[&(state.point, state.valuation.prefix(observed))])
        }
        other => other,
    };
    let all = || (0..bounds.states.len()).map(|index| StateId(index as u32));
    let ending: BTreeSet<Node> =
        all().filter(|id| !bounds.diverges.contains(id)).map(|id| image(Node::State(id))).collect();
    let diverges = ids.values().copied().filter(|id| !ending.contains(&Node::State(*id))).collect();
    let transitions = transitions(&bounds, image);
    Bounds { states: projected.values().cloned().collect(), transitions, diverges, ..bounds }
}

fn transitions(bounds: &Bounds, image: impl Fn(Node) -> Node) -> Vec<Transition> {
    let mut extensions: BTreeMap<Node, usize> = BTreeMap::new();
    for index in 0..bounds.states.len() {
        *extensions.entry(image(Node::State(StateId(index as u32)))).or_default() += 1;
    }
    let count = |node: &Node| extensions.get(node).copied().unwrap_or(1);
    let mut groups: BTreeMap<(Node, Node), Vec<&Transition>> = BTreeMap::new();
    for transition in &bounds.transitions {
        let key = (image(transition.from), image(transition.to));
        groups.entry(key).or_default().push(transition);
    }
    groups
        .into_iter()
        .map(|((from, to), members)| {
            let sources: BTreeSet<Node> = members.iter().filter(|t| t.must_plus).map(|t| t.from).collect();
            let targets: BTreeSet<Node> = members.iter().filter(|t| t.must_minus).map(|t| t.to).collect();
            Transition {
                from,
                to,
                proven: members.iter().any(|t| t.proven),
                must_plus: sources.len() == count(&from),
                must_minus: targets.len() == count(&to),
            }
        })
        .collect()
}
