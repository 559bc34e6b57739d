//! The may graph of U as Graphviz, in the drawing conventions of the paper's Figure 4.
//!
//! Ovals are initial. Boxes are in L: white if must-reached, green if weak, red if optimistic. Plain text is U−L. must#
//! transitions are bold, must+ and must- solid with their sign, may dotted. Each point is a rank; halt and error stand
//! apart.

use dot_writer::{Attributes, DotWriter, Scope};
use std::collections::{BTreeMap, BTreeSet};

use super::state_id;
use crate::abstraction::{Node, StateId, Transition};
use crate::bounds::{BoundedState, Bounds, Verdict};
use crate::cfg::{Cfg, CheckId};
use crate::error::{Error, Result};
use crate::tools::{self, Tool};

/// Which part of the graph is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// All of U.
    Whole,
    /// The open states and their neighbours.
    Open,
}

/// The graph in the DOT language.
pub fn render(cfg: &Cfg, bounds: &Bounds, part: Part) -> String {
    let drawn = drawn(bounds, part);
    let transitions: Vec<&Transition> = bounds
        .transitions
        .iter()
        .filter(|transition| drawn.contains(&transition.from) && drawn.contains(&transition.to))
        .collect();
    let mut bytes = Vec::new();
    {
        let mut writer = DotWriter::from(&mut bytes);
        writer.set_pretty_print(true);
        let mut graph = writer.digraph();
        graph.set("label", &escaped(&cfg.function), true);
        graph.set("labelloc", "t", false);
        graph.set("newrank", "true", false);
        graph.node_attributes().set("fontname", "monospace", true).set("shape", "box", false);
        let mut ranks: BTreeMap<usize, Vec<StateId>> = BTreeMap::new();
        for node in &drawn {
            if let Node::State(id) = node {
                ranks.entry(bounds.states[id.index()].point.index()).or_default().push(*id);
            }
        }
        for states in ranks.values() {
            let mut rank = graph.subgraph();
            rank.set("rank", "same", false);
            for id in states {
                state(&mut rank, cfg, &bounds.states[id.index()]);
            }
        }
        let end = ends(&mut graph, &transitions);
        // An invisible chain keeps the points in the order of the text, the ends below.
        let leaders = ranks.values().map(|states| quoted(&state_id(cfg, &bounds.states[states[0].index()])));
        let chain: Vec<String> = leaders.chain(end.map(str::to_string)).collect();
        for pair in chain.windows(2) {
            graph.edge(&pair[0], &pair[1]).attributes().set("style", "invis", false);
        }
        for transition in transitions {
            edge(&mut graph, cfg, bounds, transition);
        }
    }
    String::from_utf8(bytes).expect("names are UTF-8")
}

/// A picture of a DOT text, made by Graphviz.
pub fn picture(dot: &str, format: &str) -> Result<Vec<u8>> {
    let output = tools::run(Tool::Dot, &[format!("-T{format}")], dot.as_bytes())?;
    if !output.status.success() {
        return Err(Error::Tool {
            message: format!("Graphviz failed: {}", String::from_utf8_lossy(&output.stderr).trim()),
            help: Some("write a .dot file and look at it with another viewer".to_string()),
        });
    }
    Ok(output.stdout)
}

/// The nodes to draw; the entry is not one.
fn drawn(bounds: &Bounds, part: Part) -> BTreeSet<Node> {
    let states = (0..bounds.states.len()).map(|index| Node::State(StateId(index as u32)));
    if part == Part::Whole {
        return states.chain([Node::Halt, Node::Error(CheckId(0))]).collect();
    }
    let is_open = |node: &Node| match node {
        Node::State(id) => bounds.states[id.index()].verdict == Verdict::Open,
        _ => false,
    };
    let mut drawn: BTreeSet<Node> = states.filter(|node| is_open(node)).collect();
    for transition in &bounds.transitions {
        if transition.from != Node::Entry && (is_open(&transition.from) || is_open(&transition.to)) {
            drawn.extend([transition.from, transition.to]);
        }
    }
    drawn
}

fn state(scope: &mut Scope<'_, '_>, cfg: &Cfg, state: &BoundedState) {
    let mut node = scope.node_named(quoted(&state_id(cfg, state)));
    let attributes: &[(&str, &str)] = match state.verdict {
        Verdict::Initial => &[("shape", "ellipse")],
        Verdict::Must => &[],
        Verdict::Weak => &[("style", "filled"), ("fillcolor", "palegreen")],
        Verdict::Optimistic => &[("style", "filled"), ("fillcolor", "salmon")],
        Verdict::Witnessed => &[("style", "filled"), ("fillcolor", "lightblue")],
        Verdict::Open => &[("shape", "plaintext")],
        Verdict::Unreachable => &[("shape", "plaintext"), ("fontcolor", "gray")],
    };
    for (name, value) in attributes {
        node.set(name, value, false);
    }
}

/// The ends that something leads to, in a rank of their own; gives back the name of one.
fn ends(graph: &mut Scope<'_, '_>, transitions: &[&Transition]) -> Option<&'static str> {
    let used = |end: Node| transitions.iter().any(|transition| transition.to == end);
    let (halt, error) = (used(Node::Halt), used(Node::Error(CheckId(0))));
    if !halt && !error {
        return None;
    }
    let mut rank = graph.subgraph();
    rank.set("rank", "same", false);
    if halt {
        rank.node_named("halt").set("shape", "doublecircle", false);
    }
    if error {
        rank.node_named("error").set("shape", "doubleoctagon", false).set("color", "red", false);
    }
    Some(if halt { "halt" } else { "error" })
}

fn edge(graph: &mut Scope<'_, '_>, cfg: &Cfg, bounds: &Bounds, transition: &Transition) {
    let name = |node: Node| match node {
        Node::State(id) => quoted(&state_id(cfg, &bounds.states[id.index()])),
        Node::Halt => "halt".to_string(),
        Node::Error(_) => "error".to_string(),
        Node::Entry => "entry".to_string(),
    };
    let mut attributes = graph.edge(name(transition.from), name(transition.to)).attributes();
    match (transition.must_plus, transition.must_minus) {
        (true, true) => attributes.set("style", "bold", false),
        (true, false) => attributes.set("style", "solid", false).set("label", "+", true),
        (false, true) => attributes.set("style", "solid", false).set("label", "-", true),
        (false, false) => attributes.set("style", "dotted", false),
    };
    // Only edges that go down take part in the layout.
    if let (Node::State(from), Node::State(to)) = (transition.from, transition.to)
        && bounds.states[to.index()].point <= bounds.states[from.index()].point
    {
        attributes.set("constraint", "false", false);
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", escaped(name))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
