//! What `pct` claims × what the program does -> the claims that are wrong.
//!
//! The inclusions are those of the theory (design.md, section 1), each with the assumptions that it rests on; these are
//! decided here from the runs themselves, not taken from the report:
//! - reached ⊆ upper and proved ⊆ reached hold without any assumption;
//! - `lower_exact` ⊆ reached if every run ended: postdominance says nothing of a run that stops on the way;
//! - `lower_pessimistic` ⊆ reached if every concrete state of an initial state is a start;
//! - lower ⊆ reached needs both.

use std::collections::BTreeSet;
use std::fmt;

use super::analysis::Analysis;
use super::native::Reached;

/// Where the program was observed.
#[derive(Clone, Default, Debug)]
pub(crate) struct Probes {
    /// Names of all probes of the program, reached or not.
    pub(crate) names: BTreeSet<String>,
    /// Those at heads of loops without a label, with labels as points: `pct` needs no point there if every round of
    /// the loop passes another one.
    pub(crate) loop_heads: BTreeSet<String>,
    /// First and last line of the function.
    pub(crate) body: (u64, u64),
}

/// A claim of `pct`, or an agreement that checking it needs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Claim {
    ReachedIsInUpper,
    ProvedIsReached,
    LowerExactIsReached,
    LowerPessimisticIsReached,
    LowerIsReached,
    /// A state lies at a point of the function where the suite has no probe: the two disagree about the points.
    EveryPointIsProbed,
}

/// A claim that is wrong, with the states that show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Violation {
    pub(crate) claim: Claim,
    pub(crate) states: Vec<String>,
}

impl Violation {
    /// Whether running longer could refute it: more states may be reached later in a run that was cut.
    pub(crate) fn depends_on_cut_runs(&self, reached: &Reached) -> bool {
        let is_about_lower_bounds = !matches!(self.claim, Claim::ReachedIsInUpper | Claim::EveryPointIsProbed);
        is_about_lower_bounds && reached.runs.diverged > 0
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.claim {
            Claim::ReachedIsInUpper => "reached, but not in the upper bound",
            Claim::ProvedIsReached => "proved, but not reached",
            Claim::LowerExactIsReached => "in lower_exact and every run ended, but not reached",
            Claim::LowerPessimisticIsReached => {
                "in lower_pessimistic and the initial assumption holds, but not reached"
            }
            Claim::LowerIsReached => "in lower, every run ended and the initial assumption holds, but not reached",
            Claim::EveryPointIsProbed => "at a point of the function that the suite does not know",
        };
        write!(f, "{what}: {}", self.states.join(" "))
    }
}

/// All claims of the analysis that the runs refute.
pub(crate) fn violations(analysis: &Analysis, reached: &Reached, probes: &Probes) -> Vec<Violation> {
    let all_ended = reached.runs.all_ended();
    let starts_everywhere = analysis.initial_assumption_holds;
    let is_unknown_point = |id: &&String| match point_of(analysis, probes, id) {
        Point::Probed | Point::InsideCallee => false,
        Point::Unknown => true,
    };
    let is_known_point = |id: &&String| {
        let name = point_name(id);
        analysis.points.contains_key(name) || !probes.loop_heads.contains(name)
    };
    let is_not_reached =
        |id: &&String| matches!(point_of(analysis, probes, id), Point::Probed) && !reached.states.contains(*id);

    let mut found = Vec::new();
    let mut report = |claim, states: Vec<&String>| {
        if !states.is_empty() {
            let states = states.into_iter().cloned().collect();
            found.push(Violation { claim, states });
        }
    };
    report(Claim::EveryPointIsProbed, analysis.upper.iter().filter(is_unknown_point).collect());
    report(Claim::ReachedIsInUpper, reached.states.difference(&analysis.upper).filter(is_known_point).collect());
    report(Claim::ProvedIsReached, analysis.proved.iter().filter(is_not_reached).collect());
    if all_ended {
        report(Claim::LowerExactIsReached, analysis.lower_exact.iter().filter(is_not_reached).collect());
    }
    if starts_everywhere {
        report(Claim::LowerPessimisticIsReached, analysis.lower_pessimistic.iter().filter(is_not_reached).collect());
    }
    if all_ended && starts_everywhere {
        report(Claim::LowerIsReached, analysis.lower.iter().filter(is_not_reached).collect());
    }
    found
}

enum Point {
    Probed,
    /// The head of a loop of an inlined function: not observed by the suite, so nothing is claimed about it here.
    InsideCallee,
    Unknown,
}

fn point_of(analysis: &Analysis, probes: &Probes, id: &str) -> Point {
    let name = point_name(id);
    if probes.names.contains(name) {
        return Point::Probed;
    }
    match analysis.points.get(name) {
        Some(line) if *line < probes.body.0 || *line > probes.body.1 => Point::InsideCallee,
        _ => Point::Unknown,
    }
}

fn point_name(id: &str) -> &str {
    id.split(':').next().unwrap_or(id)
}
