//! The JSON contract `pct-analysis/1`. Fields are only ever added.

use std::collections::BTreeSet;

use serde::Serialize;

use super::measure;
use super::tests::{self, Tables};
use super::{Results, inputs};
use crate::abstraction::{Limit, Node, StateId};
use crate::bounds::{Bounds, Verdict};
use crate::execution::campaign::Campaign;
use crate::execution::{End, Run};
use crate::frontend::DefinedFunction;
use crate::program::{SourceMap, Span};

/// The whole object.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    file: String,
    function: &'a str,
    options: Options,
    predicates: Vec<Predicate<'a>>,
    points: Vec<Point<'a>>,
    states: Vec<State<'a>>,
    transitions: Vec<Transition>,
    summary: Summary<'a>,
    notes: &'a [String],
    checks: Vec<CheckReport>,
    assumptions: Assumptions,
    #[serde(flatten)]
    tested: Option<Tested>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refinement: Option<Refinement<'a>>,
    /// What `pct measure` adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    measure: Option<measure::Report>,
}

/// What `pct refine` adds.
#[derive(Serialize)]
struct Refinement<'a> {
    /// How many states are open in the end.
    open: usize,
    /// The predicates that were found.
    tracked: Vec<&'a str>,
    steps: Vec<RefinementStep<'a>>,
}

#[derive(Serialize)]
struct RefinementStep<'a> {
    predicate: &'a str,
    kind: &'static str,
    open_before: usize,
    open_after: usize,
}

/// What `pct test` adds.
#[derive(Serialize)]
struct Tested {
    tests: Vec<TestReport>,
    witnessed: Vec<String>,
    /// Paths without a test, and why.
    without_test: Vec<WithoutTest>,
    /// Contradictions between what pct says and what happened: defects of pct.
    defects: Vec<String>,
    /// Where runs are not as the analysis takes them, or do not find everything.
    run_notes: Vec<String>,
    interrupted: bool,
}

#[derive(Serialize)]
struct TestReport {
    name: String,
    /// Who found the inputs.
    engine: &'static str,
    inputs: serde_json::Value,
    path: Vec<String>,
    observed: Vec<String>,
    error: Option<ErrorReport>,
    /// How the run ended, in words; absent if it was not run.
    end: Option<String>,
    /// The last state that was observed.
    last: Option<String>,
    /// How the run left the path, in words.
    strayed: Option<String>,
}

#[derive(Serialize)]
struct ErrorReport {
    kind: String,
    line: Option<u32>,
    message: String,
}

#[derive(Serialize)]
struct WithoutTest {
    path: Vec<String>,
    engine: &'static str,
    reason: String,
}

/// Clauses behind "it is assumed that".
#[derive(Serialize)]
struct Assumptions {
    upper: Vec<String>,
    /// Besides those of `upper`.
    lower: Vec<String>,
}

#[derive(Serialize)]
struct Options {
    points: &'static str,
    arith: &'static str,
    overflow: &'static str,
}

#[derive(Serialize)]
struct Predicate<'a> {
    index: usize,
    name: &'a str,
    text: &'a str,
    observed: bool,
}

#[derive(Serialize)]
struct Point<'a> {
    label: &'a str,
    /// The file, if it is not the one that the document names.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    line: u32,
}

#[derive(Serialize)]
struct State<'a> {
    id: String,
    point: &'a str,
    valuation: String,
    upper: bool,
    lower: bool,
    lower_pessimistic: bool,
    lower_exact: bool,
    proved: bool,
    verdict: &'static str,
}

#[derive(Serialize)]
struct Transition {
    from: String,
    to: String,
    must_plus: bool,
    must_minus: bool,
}

#[derive(Serialize)]
struct Summary<'a> {
    upper: usize,
    lower: usize,
    lower_pessimistic: usize,
    lower_exact: usize,
    proved: usize,
    initial: usize,
    ratio: f64,
    initial_assumption_holds: bool,
    may: usize,
    must_plus: usize,
    must_minus: usize,
    feasible_valuations: Option<usize>,
    diverges: Vec<String>,
    solver_queries: usize,
    solver_unknown: usize,
    partial: bool,
    /// Which limit made it partial.
    limit: Option<&'static str>,
    /// If it is partial: the names of the predicates that multiply the states, the worst first.
    multiplying: Vec<&'a str>,
}

#[derive(Serialize)]
struct CheckReport {
    kind: &'static str,
    line: u32,
    condition: String,
    verdict: &'static str,
    /// Inputs for which it fails, if some were found.
    #[serde(skip_serializing_if = "Option::is_none")]
    inputs: Option<serde_json::Value>,
}

/// The results as one JSON object.
pub fn render(results: Results<'_>) -> String {
    let Results { config, labels, sources, cfg, predicates, abstraction, bounds, failures, .. } = results;
    let Results { campaign, refinement, measurement, .. } = results;
    let tables = Tables { cfg, abstraction, observed: predicates.observed_count(), sources };
    let label = |point: crate::cfg::PointId| cfg.points[point.index()].label.as_str();
    let id = |node: Node| match node {
        Node::State(id) => super::state_id(cfg, &bounds.states[id.index()]),
        Node::Entry => "entry".to_string(),
        Node::Halt => "halt".to_string(),
        Node::Error(_) => "error".to_string(),
    };
    let transitions: Vec<Transition> = bounds
        .between_states()
        .map(|transition| Transition {
            from: id(transition.from),
            to: id(transition.to),
            must_plus: transition.must_plus,
            must_minus: transition.must_minus,
        })
        .collect();
    let document = Document {
        schema: "pct-analysis/1",
        file: config.file_name(),
        function: &cfg.function,
        options: Options {
            points: if labels { "labels" } else { "statements" },
            arith: config.arithmetic.name(),
            overflow: config.overflow.name(),
        },
        predicates: predicates
            .predicates
            .iter()
            .enumerate()
            .map(|(index, predicate)| Predicate {
                index,
                name: &predicate.name,
                text: &predicate.text,
                observed: predicate.observed,
            })
            .collect(),
        points: cfg
            .points
            .iter()
            .map(|point| Point { label: &point.label, file: other_file(sources, point.span), line: point.span.line })
            .collect(),
        checks: super::checks(cfg, bounds, failures)
            .map(|super::CheckResult { check, verdict, inputs }| CheckReport {
                kind: check.kind.name(),
                line: check.span.line,
                condition: check.condition(),
                verdict: verdict.name(),
                inputs: inputs.map(|inputs| inputs::json(cfg, inputs)),
            })
            .collect(),
        states: bounds
            .states
            .iter()
            .map(|state| State {
                id: super::state_id(cfg, state),
                point: label(state.point),
                valuation: state.valuation.to_string(),
                upper: state.verdict != Verdict::Unreachable,
                lower: state.lower,
                lower_pessimistic: state.lower_pessimistic,
                lower_exact: state.lower_exact,
                proved: state.proved,
                verdict: state.verdict.name(),
            })
            .collect(),
        summary: Summary {
            upper: bounds.upper(),
            lower: bounds.count(|s| s.lower),
            lower_pessimistic: bounds.count(|s| s.lower_pessimistic),
            lower_exact: bounds.count(|s| s.lower_exact),
            proved: bounds.count(|s| s.proved),
            initial: super::initial_count(bounds),
            ratio: (bounds.ratio() * 10_000.0).round() / 10_000.0,
            initial_assumption_holds: bounds.initial_assumption_holds,
            may: transitions.len(),
            must_plus: transitions.iter().filter(|t| t.must_plus).count(),
            must_minus: transitions.iter().filter(|t| t.must_minus).count(),
            feasible_valuations: abstraction.feasible.as_ref().map(Vec::len),
            diverges: bounds.diverges.iter().map(|state| id(Node::State(*state))).collect(),
            solver_queries: abstraction.statistics.queries,
            solver_unknown: abstraction.statistics.unknown,
            partial: bounds.partial,
            limit: abstraction.limit.map(Limit::name),
            multiplying: abstraction
                .multiplying
                .iter()
                .map(|position| predicates.predicates[*position].name.as_str())
                .collect(),
        },
        transitions,
        notes: &cfg.notes,
        assumptions: Assumptions {
            upper: super::assumptions::upper(config, cfg, abstraction),
            lower: super::assumptions::lower(config, cfg, bounds),
        },
        refinement: refinement.map(|steps| Refinement {
            open: bounds.open().len(),
            tracked: steps.iter().map(|step| step.candidate.text.as_str()).collect(),
            steps: steps
                .iter()
                .map(|step| RefinementStep {
                    predicate: &step.candidate.text,
                    kind: step.candidate.kind.name(),
                    open_before: step.open_before,
                    open_after: step.open_after,
                })
                .collect(),
        }),
        tested: campaign.map(|campaign| tested(tables, campaign, bounds)),
        measure: measurement.map(|measurement| measure::report(tables, measurement, bounds)),
    };
    let mut text = serde_json::to_string_pretty(&document).expect("the document is plain data");
    text.push('\n');
    text
}

fn tested(tables: Tables<'_>, campaign: &Campaign, bounds: &Bounds) -> Tested {
    let ids = |states: &[StateId]| -> Vec<String> { states.iter().map(|state| tables.id(*state)).collect() };
    let tests = campaign.tests.iter().enumerate().map(|(number, ran)| {
        // With tracked predicates several states look the same.
        let observed: BTreeSet<String> = ran.shown.iter().map(|state| tables.id(*state)).collect();
        TestReport {
            name: tests::test_name(number),
            engine: ran.engine.name(),
            inputs: inputs::json(tables.cfg, &ran.test.inputs),
            path: ids(&ran.test.states),
            observed: observed.into_iter().collect(),
            error: ran.run.as_ref().and_then(error),
            end: ran.run.as_ref().map(tests::end),
            last: ran.last.map(|state| tables.id(state)),
            strayed: ran.strayed.clone(),
        }
    });
    let without_test = tests::without_test(campaign).map(|(path, answer)| WithoutTest {
        path: ids(&path.states),
        engine: answer.engine.name(),
        reason: tests::reason(&answer.outcome),
    });
    Tested {
        tests: tests.collect(),
        witnessed: bounds
            .states
            .iter()
            .filter(|state| state.witnessed)
            .map(|state| super::state_id(tables.cfg, state))
            .collect(),
        without_test: without_test.collect(),
        defects: campaign
            .defects
            .iter()
            .map(|defect| match defect.test {
                Some(number) => format!("{}: {}", tests::test_name(number), defect.what),
                None => defect.what.clone(),
            })
            .collect(),
        run_notes: campaign.notes.clone(),
        interrupted: campaign.interrupted,
    }
}

/// What went wrong in a run.
fn error(run: &Run) -> Option<ErrorReport> {
    let (kind, line, message) = match &run.end {
        End::Returned | End::Exited(_) | End::AssumedAway => return None,
        End::Wrong(failure) => {
            (failure.kind.name().to_string(), failure.line.as_ref().map(|(_, line)| *line), failure.message.clone())
        }
        End::Crashed { .. } => ("crash".to_string(), None, tests::end(run)),
        End::TimedOut => ("timeout".to_string(), None, tests::end(run)),
        End::TooMuchMemory => ("memory".to_string(), None, tests::end(run)),
        End::TooMuchOutput => ("output".to_string(), None, tests::end(run)),
        End::TooManyProcesses => ("processes".to_string(), None, tests::end(run)),
        End::Unrunnable(why) => ("unrunnable".to_string(), None, why.clone()),
    };
    Some(ErrorReport { kind, line, message })
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    file: &'a str,
    line: u32,
}

/// The functions of files as a list.
pub fn functions(functions: &[DefinedFunction]) -> String {
    let list: Vec<Function<'_>> =
        functions.iter().map(|DefinedFunction { name, file, line }| Function { name, file, line: *line }).collect();
    let mut text = serde_json::to_string_pretty(&list).expect("the list is plain data");
    text.push('\n');
    text
}

/// The name of the file that `span` lies in, unless it is the first one.
fn other_file(sources: &SourceMap, span: Span) -> Option<&str> {
    (span.file != 0).then(|| sources.files.get(span.file as usize)).flatten().map(|(name, _)| name.as_str())
}
