//! The last steps of building: every cycle gets a point, and every point a name.

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use std::collections::{HashMap, HashSet};

use super::build::Builder;
use super::{Cfg, LocationId, Point, PointId};

impl Builder<'_> {
    /// Gives every cycle without a point one, at the head of a loop.
    pub(super) fn cut_cycles(&mut self) {
        loop {
            let mut graph: DiGraphMap<u32, ()> = DiGraphMap::new();
            for (from, edges) in self.successors.iter().enumerate() {
                for edge in edges {
                    let from = LocationId(from as u32);
                    let cut = self.point_of.contains_key(&from) || self.point_of.contains_key(&edge.target);
                    if !cut {
                        graph.add_edge(from.0, edge.target.0, ());
                    }
                }
            }
            // The component of each location that lies on a cycle.
            let mut component_of: HashMap<u32, usize> = HashMap::new();
            for (number, component) in tarjan_scc(&graph).into_iter().enumerate() {
                if component.len() > 1 || graph.contains_edge(component[0], component[0]) {
                    component_of.extend(component.into_iter().map(|location| (location, number)));
                }
            }
            // The first head of each component: the components do not touch each other.
            let mut cut: HashSet<usize> = HashSet::new();
            let mut rest = Vec::new();
            for head in std::mem::take(&mut self.heads) {
                match component_of.get(&head.location.0) {
                    Some(component) if cut.insert(*component) => {
                        self.point_of.insert(head.location, self.raw_points.len());
                        self.raw_points.push(head);
                    }
                    _ => rest.push(head),
                }
            }
            self.heads = rest;
            if cut.is_empty() {
                return;
            }
        }
    }

    /// Sorts the points as they stand in the text, and names those without a label by their line.
    pub(super) fn finish(mut self, entry: LocationId, name: &str) -> Cfg {
        if !self.unobserved.is_empty() {
            let lines: Vec<String> = self.unobserved.iter().map(u32::to_string).collect();
            self.notes.push(format!(
                "not observed: what the condition{} in line {} test{}, for it has no name (the result of a call or \
                 the like); store it in a variable to observe it",
                if lines.len() == 1 { "" } else { "s" },
                lines.join(", "),
                if lines.len() == 1 { "s" } else { "" },
            ));
        }
        self.raw_points.sort_by_key(|point| (!point.own, point.span.file, point.span.line, point.span.order));
        let mut used: HashSet<String> = self.raw_points.iter().filter_map(|point| point.label.clone()).collect();
        let mut points = Vec::new();
        let mut point_at = vec![None; self.successors.len()];
        for raw in self.raw_points {
            let label = raw.label.unwrap_or_else(|| {
                let line = raw.library.clone().unwrap_or_else(|| format!("L{}", raw.span.line));
                std::iter::once(line.clone())
                    .chain((2..).map(|count| format!("{line}.{count}")))
                    .find(|name| !used.contains(name))
                    .expect("there are enough numbers")
            });
            used.insert(label.clone());
            point_at[raw.location.index()] = Some(PointId(points.len() as u32));
            points.push(Point { label, location: raw.location, span: raw.span, scope: raw.scope });
        }
        Cfg {
            function: name.to_string(),
            parameters: self.program.function(self.frames[0].function).parameters.clone(),
            records: self.program.records.clone(),
            functions: self.program.functions.clone(),
            variables: self.variables,
            successors: self.successors,
            spans: self.spans,
            points,
            point_at,
            conditions: self.conditions,
            checks: self.checks,
            lengths: self.lengths,
            notes: self.notes,
            assumptions: self.program.assumptions.clone(),
            entry,
            outline: self.outline,
        }
    }
}
