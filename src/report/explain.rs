//! What there is to say of one state, as people and as tools (`pct-explanation/1`) read it.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::tests::end;
use super::text::{Style, counted};
use super::{abstract_id, inputs};
use crate::abstraction::{Abstraction, Node, Transition};
use crate::bounds::Verdict;
use crate::cfg::{Cfg, PointId};
use crate::config::Config;
use crate::predicates::PredicateSet;
use crate::refinement::explain::{Break, Excluded, Explanation, Origin, Reason, Witness};
use crate::refinement::meaning::{Memory, Shown};
use crate::refinement::suggestions::{Sizes, Suggestion};

/// What names are looked up in.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The settings.
    pub config: &'a Config,
    /// The graph of the function.
    pub cfg: &'a Cfg,
    /// The predicates.
    pub predicates: &'a PredicateSet,
    /// Their abstraction.
    pub abstraction: &'a Abstraction,
}

impl Subject<'_> {
    fn label(&self, point: PointId) -> &str {
        &self.cfg.points[point.index()].label
    }

    /// How a node is written; behind a stroke the values of the predicates that are only tracked.
    fn node(&self, node: Node) -> String {
        let count = self.predicates.observed_count();
        match node {
            Node::Entry => "entry".to_string(),
            Node::Halt => "halt".to_string(),
            Node::Error(_) => "error".to_string(),
            Node::State(id) => {
                let valuation = self.abstraction.states[id.index()].valuation.to_string();
                let tracked: String = valuation.chars().skip(count).collect();
                let stroke = if tracked.is_empty() { "" } else { "/" };
                format!("{}{stroke}{tracked}", abstract_id(self.cfg, self.abstraction, count, id))
            }
        }
    }

    fn step(&self, step: &Transition) -> String {
        format!("{} –{}→ {}", self.node(step.from), kind(step), self.node(step.to))
    }

    /// A way, wrapped.
    fn way(&self, way: &[Transition], indent: &str, width: usize) -> String {
        let mut text = String::new();
        let mut column = 0;
        for (number, step) in way.iter().filter(|step| step.from != Node::Entry).enumerate() {
            let first = if number == 0 { self.node(step.from) } else { String::new() };
            let next = format!(" –{}→ {}", kind(step), self.node(step.to));
            if number > 0 && column + next.chars().count() > width.saturating_sub(indent.len()) {
                let _ = write!(text, "\n{indent} ");
                column = 0;
            }
            column += first.chars().count() + next.chars().count();
            text.push_str(&first);
            text.push_str(&next);
        }
        match way.last() {
            // The start itself.
            Some(step) if text.is_empty() => self.node(step.to),
            _ => text,
        }
    }

    fn name(&self, explanation: &Explanation) -> String {
        format!("{}:{}", self.label(explanation.state.0), explanation.state.1)
    }

    fn lost(&self, lost: &Break) -> Vec<&str> {
        lost.lost.iter().map(|position| self.predicates.predicates[*position].text.as_str()).collect()
    }
}

/// The word for the kind of a step.
fn kind(step: &Transition) -> &'static str {
    match (step.must_plus, step.must_minus) {
        (true, true) => "must#",
        (true, false) => "must+",
        (false, true) => "must-",
        (false, false) => "may",
    }
}

/// The word for what is known.
fn verdict(explanation: &Explanation) -> &'static str {
    match (&explanation.known, &explanation.reason) {
        (Some(known), _) => known.verdict.name(),
        (None, Reason::Unexplored) => "unknown",
        (None, _) => Verdict::Unreachable.name(),
    }
}

/// A list of values: `lo = 2, p != NULL`.
fn values(shown: &[Shown]) -> String {
    let one = |Shown { place, value }: &Shown| match value.strip_prefix("!= ") {
        Some(other) => format!("{place} != {other}"),
        None => format!("{place} = {value}"),
    };
    shown.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn memory(memory: &Memory) -> String {
    match memory.after.as_slice() {
        [] => values(&memory.before),
        after => format!("{}; afterwards {}", values(&memory.before), values(after)),
    }
}

/// The text for people.
pub fn text(subject: Subject<'_>, explanation: &Explanation, style: Style) -> String {
    let name = subject.name(explanation);
    let mut text = format!("{name} of {}: {}\n\n", subject.cfg.function, verdict(explanation));
    let meaning = &explanation.meaning;
    let condition = match meaning.conjuncts.is_empty() {
        true => "nothing: no predicate is observed there".to_string(),
        false => meaning.conjuncts.join(" && "),
    };
    let _ = writeln!(text, "  means     {condition}");
    if let Some(model) = explanation.model.as_ref().filter(|model| !model.before.is_empty()) {
        let _ = writeln!(text, "  such as   {}", values(&model.before));
    }
    text.push('\n');
    reason(subject, explanation, style, &mut text);
    if let Some(excluded) = &explanation.excluded {
        proof(subject, &name, excluded, &mut text);
    }
    witness(subject, explanation, &mut text);
    suggestions(explanation.before, &explanation.suggestions, &mut text);
    for defect in &explanation.defects {
        let _ = writeln!(text, "  defect in pct: {}", defect.what);
    }
    text
}

fn reason(subject: Subject<'_>, explanation: &Explanation, style: Style, text: &mut String) {
    let indent = "            ";
    let way = |way: &[Transition]| subject.way(way, indent, style.width);
    match &explanation.reason {
        Reason::Unexplored => {
            text.push_str("  The analysis stopped at a limit before it came there: nothing is known of this state.\n");
        }
        Reason::Outside(_) if explanation.meaning.feasible == Some(false) => {
            text.push_str("  Not in U: these conditions contradict one another, so no memory has these values.\n");
        }
        Reason::Outside(origins) => {
            text.push_str("  Not in U: no may path leads there, so no run comes there.\n");
            for origin in origins {
                let _ = writeln!(text, "    {}", origin_text(subject, origin));
            }
            if origins.is_empty() {
                text.push_str("    No step of the function leads to this point.\n");
            }
        }
        Reason::Chain(chain) => {
            let words = match chain.iter().skip(1).find(|step| !step.must_minus) {
                None if chain.len() == 1 => "In L: it is a start.".to_string(),
                None => {
                    "In L: must- steps lead there, so every state of memory that it stands for is reached.".to_string()
                }
                Some(step) if step.must_plus => "In L: must- steps, then must+ steps lead there.".to_string(),
                Some(step) => {
                    format!("In L: must- steps, one may step ({}), then must+ steps lead there.", subject.step(step))
                }
            };
            let _ = writeln!(text, "  {words}\n  chain     {}", way(chain));
        }
        Reason::Passed { chain, way: on } => {
            let last = chain.last().map(|step| subject.node(step.to)).unwrap_or_default();
            let _ = writeln!(
                text,
                "  In L: it postdominates {last}, which is reached: every run from there that ends passes it.\n  \
                 chain     {}\n  then      {}",
                way(chain),
                way(on)
            );
        }
        Reason::Lower(path) => {
            let _ = writeln!(
                text,
                "  In L: the bounds prove it, but not by a chain of single steps.\n  path      {}",
                way(path)
            );
        }
        Reason::Broken { way: path, breaks } => {
            let _ = writeln!(text, "  In U by a shortest may path:\n  path      {}", way(path));
            if breaks.len() < 2 {
                text.push_str("  Not in L: of a step it is not proved that some run can take it (the solver, or what pct does not know).\n");
            } else {
                text.push_str("  Not in L: that would need must- steps, then at most one may step, then must+ steps. It breaks at\n");
            }
            for lost in breaks {
                breaking(subject, lost, text);
            }
        }
    }
    if explanation.known.as_ref().is_some_and(|known| known.lower && !known.lower_exact) {
        text.push_str("  This assumes that every state of an initial valuation is a start, which is not so here.\n");
    }
    text.push('\n');
}

fn breaking(subject: Subject<'_>, lost: &Break, text: &mut String) {
    let _ = writeln!(text, "    {}  (not {})", subject.step(&lost.step), lost.needed);
    match subject.lost(lost).as_slice() {
        [] => {}
        values => {
            let values: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
            let _ = writeln!(text, "      the state before does not decide {}", values.join(", "));
        }
    }
    if let Some(takes) = &lost.takes {
        let _ = writeln!(text, "      takes it:  {}", memory(takes));
    }
    match &lost.leaves {
        Some(leaves) => {
            let _ = writeln!(text, "      does not:  {}", memory(leaves));
        }
        None if lost.is_total => {
            text.push_str(
                "      every state before takes it, but not every state after it is known to come from one\n",
            );
        }
        None => {}
    }
}

fn origin_text(subject: Subject<'_>, Origin { point, states, truncated }: &Origin) -> String {
    let Some(point) = point else {
        return match states.is_empty() {
            true => "The start of the function does not lead there.".to_string(),
            false => "The start leads there only with values that no run has.".to_string(),
        };
    };
    let label = subject.label(*point);
    if states.is_empty() {
        return format!("From {label} no state leads there.");
    }
    let more = if *truncated { " and others" } else { "" };
    let name = |valuation: &crate::abstraction::Valuation| format!("{label}:{valuation}");
    let outside: Vec<String> = states.iter().filter(|(_, inside)| !inside).map(|(values, _)| name(values)).collect();
    let inside: Vec<String> = states.iter().filter(|(_, inside)| *inside).map(|(values, _)| name(values)).collect();
    let mut parts = Vec::new();
    if !outside.is_empty() {
        parts.push(format!("From {label} it could come only out of {}{more}: not in U either.", outside.join(" ")));
    }
    if !inside.is_empty() {
        let what = match subject.predicates.predicates.len() > subject.predicates.observed_count() {
            true => "the tracked predicates, or the ranges that variables have in every run, exclude the step",
            false => "the ranges that variables have in every run exclude the step",
        };
        parts.push(format!("{} is in U, but {what}.", inside.join(" ")));
    }
    parts.join(" ")
}

fn proof(subject: Subject<'_>, name: &str, Excluded { found, facts, step }: &Excluded, text: &mut String) {
    let chosen: Vec<String> = found.chosen.iter().map(|(candidate, _)| format!("`{}`", candidate.text)).collect();
    let _ = writeln!(text, "  No run comes to {name}. This is proved with {} tracked:", chosen.join(", "));
    // The same fact at many states is told once.
    let mut told: Vec<(&Vec<String>, Vec<String>)> = Vec::new();
    for (node, holds) in facts {
        match told.iter_mut().find(|(other, _)| *other == holds) {
            Some((_, nodes)) => nodes.push(subject.node(*node)),
            None => told.push((holds, vec![subject.node(*node)])),
        }
    }
    for (holds, nodes) in told {
        let _ = writeln!(text, "    {} holds whenever a run is at {}", holds.join(" && "), nodes.join(" "));
    }
    if let Some(step) = step {
        let (from, to) = (subject.node(step.from), subject.node(step.to));
        let _ = writeln!(text, "    so no run goes from {from} to {to}, which is the way of the may path");
    }
    text.push('\n');
}

fn witness(subject: Subject<'_>, explanation: &Explanation, text: &mut String) {
    let path = |states: &[crate::abstraction::StateId]| {
        let names: Vec<String> = states.iter().map(|state| subject.node(Node::State(*state))).collect();
        names.join(" ")
    };
    match &explanation.witness {
        Some(Witness::Ran(ran)) => {
            let _ = writeln!(text, "  test      {}", inputs::line(subject.cfg, &ran.test.inputs));
            let happened = ran.run.as_ref().map(end).unwrap_or_default();
            let _ = writeln!(text, "            it ran, and showed the state; {happened}\n");
        }
        Some(Witness::Inputs(test)) => {
            let _ = writeln!(text, "  test      {}", inputs::line(subject.cfg, &test.inputs));
            let doubt = if test.is_exact { "" } else { "; the formulas do not know everything that decides" };
            let _ = writeln!(text, "            not run; predicted: {}{doubt}\n", path(&test.states));
        }
        None if explanation.searched => text.push_str("  test      the search found none\n\n"),
        None => {}
    }
}

/// The suggestions as a table: the bounds now, and with each.
pub(super) fn suggestions(before: Sizes, suggestions: &[Suggestion], text: &mut String) {
    if suggestions.is_empty() {
        return;
    }
    let names: Vec<String> = suggestions.iter().map(together).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(12);
    let _ = writeln!(text, "  {:width$}  {:>5} {:>5} {:>5}", "to track", "|U|", "|L|", "open");
    let mut row = |name: &str, Sizes { upper, lower, open }: Sizes, note: String| {
        let line = format!("  {name:width$}  {upper:5} {lower:5} {open:5}  {note}");
        let _ = writeln!(text, "{}", line.trim_end());
    };
    row("(as it is)", before, String::new());
    for (suggestion, name) in suggestions.iter().zip(&names) {
        let note = match suggestion.decided {
            0 => String::new(),
            count => format!("decides {}", counted(count, "state")),
        };
        row(name, suggestion.after, note);
    }
}

/// The predicates of a suggestion in one line.
fn together(suggestion: &Suggestion) -> String {
    let texts: Vec<&str> = suggestion.candidates.iter().map(|candidate| candidate.text.as_str()).collect();
    texts.join(", ")
}

/// The object for tools.
pub fn json(subject: Subject<'_>, explanation: &Explanation) -> String {
    let known = explanation.known.as_ref();
    let meaning = &explanation.meaning;
    let (point, valuation) = &explanation.state;
    let document = json!({
        "schema": "pct-explanation/1",
        "file": subject.config.file_name(),
        "function": subject.cfg.function,
        "state": subject.name(explanation),
        "point": subject.label(*point),
        "valuation": valuation.to_string(),
        "line": subject.cfg.points[point.index()].span.line,
        "meaning": {
            "c": meaning.conjuncts.join(" && "),
            "conjuncts": meaning.conjuncts,
            "implied": meaning.implied,
            "feasible": meaning.feasible,
        },
        "verdict": verdict(explanation),
        "upper": known.is_some_and(|known| known.verdict != Verdict::Unreachable),
        "lower": known.is_some_and(|known| known.lower),
        "lower_exact": known.is_some_and(|known| known.lower_exact),
        "reason": json_reason(subject, &explanation.reason),
        "model": explanation.model.as_ref().map(|model| json_values(&model.before)),
        "test": explanation.witness.as_ref().map(|witness| json_witness(subject, witness)),
        "searched": explanation.searched,
        "proof": explanation.excluded.as_ref().map(|excluded| json_proof(subject, excluded)),
        "sizes": json_sizes(explanation.before),
        "suggestions": explanation.suggestions.iter().map(json_suggestion).collect::<Vec<_>>(),
        "defects": explanation.defects.iter().map(|defect| defect.what.as_str()).collect::<Vec<_>>(),
    });
    let mut text = serde_json::to_string_pretty(&document).expect("the document is plain data");
    text.push('\n');
    text
}

fn json_step(subject: Subject<'_>, step: &Transition) -> Value {
    json!({ "from": subject.node(step.from), "to": subject.node(step.to), "kind": kind(step), "proven": step.proven })
}

fn json_reason(subject: Subject<'_>, reason: &Reason) -> Value {
    let way = |way: &[Transition]| -> Vec<Value> { way.iter().map(|step| json_step(subject, step)).collect() };
    match reason {
        Reason::Unexplored => json!({ "kind": "unexplored" }),
        Reason::Outside(origins) => {
            let origin = |Origin { point, states, truncated }: &Origin| {
                let states: Vec<Value> = states
                    .iter()
                    .map(|(valuation, inside)| json!({ "valuation": valuation.to_string(), "upper": inside }))
                    .collect();
                json!({ "point": point.map(|point| subject.label(point)), "states": states, "truncated": truncated })
            };
            json!({ "kind": "outside", "origins": origins.iter().map(origin).collect::<Vec<_>>() })
        }
        Reason::Chain(chain) => json!({ "kind": "chain", "path": way(chain) }),
        Reason::Passed { chain, way: on } => json!({ "kind": "postdominates", "path": way(chain), "then": way(on) }),
        Reason::Lower(path) => json!({ "kind": "lower", "path": way(path) }),
        Reason::Broken { way: path, breaks } => {
            let one = |lost: &Break| {
                json!({
                    "step": json_step(subject, &lost.step),
                    "needed": lost.needed,
                    "lost": subject.lost(lost),
                    "takes": lost.takes.as_ref().map(json_memory),
                    "leaves": lost.leaves.as_ref().map(json_memory),
                })
            };
            json!({ "kind": "broken", "path": way(path), "breaks": breaks.iter().map(one).collect::<Vec<_>>() })
        }
    }
}

fn json_values(shown: &[Shown]) -> Value {
    let values: Map<String, Value> =
        shown.iter().map(|Shown { place, value }| (place.clone(), Value::from(value.as_str()))).collect();
    Value::Object(values)
}

fn json_memory(memory: &Memory) -> Value {
    json!({ "before": json_values(&memory.before), "after": json_values(&memory.after) })
}

fn json_witness(subject: Subject<'_>, witness: &Witness) -> Value {
    let (test, run) = match witness {
        Witness::Ran(ran) => (&ran.test, ran.run.as_ref()),
        Witness::Inputs(test) => (&**test, None),
    };
    let path: Vec<String> = test.states.iter().map(|state| subject.node(Node::State(*state))).collect();
    json!({
        "inputs": inputs::json(subject.cfg, &test.inputs),
        "path": path,
        "ran": run.is_some(),
        "end": run.map(end),
        "exact": test.is_exact,
    })
}

fn json_proof(subject: Subject<'_>, Excluded { found, facts, step }: &Excluded) -> Value {
    let chosen: Vec<&str> = found.chosen.iter().map(|(candidate, _)| candidate.text.as_str()).collect();
    let facts: Vec<Value> =
        facts.iter().map(|(node, holds)| json!({ "state": subject.node(*node), "holds": holds })).collect();
    json!({ "tracked": chosen, "facts": facts, "excluded": step.as_ref().map(|step| json_step(subject, step)) })
}

fn json_sizes(Sizes { upper, lower, open }: Sizes) -> Value {
    json!({ "upper": upper, "lower": lower, "open": open })
}

fn json_suggestion(suggestion: &Suggestion) -> Value {
    let predicates: Vec<Value> = suggestion
        .candidates
        .iter()
        .map(|candidate| json!({ "text": candidate.text, "kind": candidate.kind.name() }))
        .collect();
    json!({ "predicates": predicates, "sizes": json_sizes(suggestion.after), "decided": suggestion.decided })
}
