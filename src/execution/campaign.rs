//! Running tests and comparing: what each run showed, and whether it is what was promised.
//!
//! First every path is solved and run, then the states that no run has shown yet are searched for. Nothing is believed
//! before it has run, and every run checks pct itself: what is observed lies in U, and a run whose way the formulas know
//! follows it, unless it goes wrong before. Anything else is a defect of pct.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{End, Limits, Observation, Probed, Run};
use crate::abstraction::{Abstraction, Node, State, StateId, Valuation};
use crate::bounds::{BoundedState, Bounds, CheckVerdict};
use crate::cfg::{Cfg, CheckId, CheckKind, PointId};
use crate::error::Result;
use crate::paths::Path;
use crate::testgen::engine::{self, Engine, Engines, Solved};
use crate::testgen::inputs::Inputs;
use crate::testgen::search::{self, Search};
use crate::testgen::{Generator, Outcome, Test};

/// Everything that was tried.
#[derive(Clone, Debug, Default)]
pub struct Campaign {
    /// The tests in the order in which they were made; first those of the paths.
    pub tests: Vec<Ran>,
    /// The paths, with what each engine says of them.
    pub solved: Vec<(Path, Vec<Solved>)>,
    /// The states that some run has shown.
    pub witnessed: BTreeSet<StateId>,
    /// Where pct contradicts itself.
    pub defects: Vec<Defect>,
    /// Where runs are not as the analysis takes them, or do not find everything, in words.
    pub notes: Vec<String>,
    /// It was stopped before it was complete.
    pub interrupted: bool,
}

/// A test with its run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The number of the path that it was made for; `None` if the search found it.
    pub path: Option<usize>,
    /// Who found the inputs.
    pub engine: Engine,
    /// The test.
    pub test: Test,
    /// What happened; nothing if it was not run.
    pub run: Option<Run>,
    /// The states that the run has shown.
    pub shown: BTreeSet<StateId>,
    /// The last state before the end, if it is known.
    pub last: Option<StateId>,
    /// Why the run says nothing about the path, in words.
    pub strayed: Option<String>,
}

/// A contradiction between what pct says and what happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defect {
    /// The number of the test, if it is about one.
    pub test: Option<usize>,
    /// What is wrong, in words.
    pub what: String,
}

impl Defect {
    /// A test has shown what was proved to be unreachable.
    pub fn of_proof(cfg: &Cfg, state: &BoundedState) -> Defect {
        let label = &cfg.points[state.point.index()].label;
        Defect { test: None, what: format!("{label}:{} was proved to be unreachable, but observed", state.valuation) }
    }
}

/// What is needed to run and to judge tests.
pub struct Judge<'a> {
    /// The graph of the function.
    pub cfg: &'a Cfg,
    /// The abstraction that made the promises.
    pub abstraction: &'a Abstraction,
    /// Its bounds.
    pub bounds: &'a Bounds,
    /// The compiled function; nothing runs without it.
    pub probed: Option<&'a Probed>,
    /// The limits of one run.
    pub limits: Limits,
    /// Whether everything is over: then what runs is ended.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
    /// Told after each test: how many there are, and how many states are shown.
    pub progress: &'a dyn Fn(usize, usize),
    /// Only these states are searched for, as they are observed; all, if absent.
    pub wanted: Option<&'a BTreeSet<(PointId, Valuation)>>,
}

impl Judge<'_> {
    /// How a state of the abstraction is observed.
    fn observable(&self, id: StateId) -> (PointId, Valuation) {
        let state = &self.abstraction.states[id.index()];
        let count = self.bounds.states.first().map_or(0, |state| state.valuation.iter().count());
        (state.point, state.valuation.prefix(count))
    }
}

/// Solves and runs the paths, then searches for the rest.
pub fn campaign(
    judge: &Judge<'_>,
    generator: &mut Generator<'_>,
    engines: &Engines<'_>,
    paths: &[Path],
    bounds: search::Bounds,
) -> Result<Campaign> {
    let index = Index::new(judge.abstraction);
    let notes = judge.probed.map(Probed::notes).unwrap_or_default();
    let mut campaign = Campaign { notes, ..Campaign::default() };
    let mut ways = Vec::new();
    for path in paths {
        let answers = engines.solve(generator, path, judge.is_over)?;
        // What was interrupted says nothing about the path.
        if (judge.is_over)() {
            campaign.interrupted = true;
            return Ok(campaign);
        }
        if engine::disagree(&answers) {
            let what = format!("the engines disagree about whether path {} has inputs", campaign.solved.len() + 1);
            campaign.defects.push(Defect { test: None, what });
        }
        for answer in &answers {
            if let Outcome::Test(test) = &answer.outcome {
                let origin = Origin { path: Some(campaign.solved.len()), engine: answer.engine };
                let Some(way) = campaign.add(judge, &index, (**test).clone(), origin)? else {
                    campaign.interrupted = true;
                    return Ok(campaign);
                };
                ways.push(way);
            }
        }
        campaign.solved.push((path.clone(), answers));
    }
    if judge.probed.is_none() {
        return Ok(campaign);
    }
    let mut search = Search::new(generator, campaign.wanted(judge), bounds);
    for (way, shown) in ways {
        search.learn(&way, shown);
    }
    loop {
        let Some(test) = search.next(generator, judge.is_over) else {
            campaign.interrupted = (judge.is_over)();
            return Ok(campaign);
        };
        let target = match (test.failure, test.states.last()) {
            (Some(check), _) => Some(Node::Error(check)),
            (None, Some(state)) => Some(Node::State(*state)),
            (None, None) => None,
        };
        let origin = Origin { path: None, engine: Engine::Z3 };
        let Some((way, shown)) = campaign.add(judge, &index, test, origin)? else {
            campaign.interrupted = true;
            return Ok(campaign);
        };
        let missed = target.filter(|target| !shown.contains(target));
        search.learn(&way, shown);
        search.miss(missed);
    }
}

impl Campaign {
    /// The nodes that no run has shown, but that may be reached.
    fn wanted(&self, judge: &Judge<'_>) -> BTreeSet<Node> {
        let probed = judge.probed.map_or(&[][..], |probed| &probed.probed);
        let states = judge.abstraction.states.iter().enumerate().filter_map(|(index, state)| {
            let id = StateId(index as u32);
            let is_probed = probed.get(state.point.index()) == Some(&true);
            let is_wanted = judge.wanted.is_none_or(|wanted| wanted.contains(&judge.observable(id)));
            (is_probed && is_wanted && !self.witnessed.contains(&id)).then_some(Node::State(id))
        });
        let failing = judge.bounds.checks.iter().enumerate().filter_map(|(index, verdict)| {
            let id = CheckId(index as u32);
            (*verdict != CheckVerdict::Safe).then_some(Node::Error(id))
        });
        states.chain(failing).collect()
    }

    /// Adds what was done with finer predicates, seen through those of this campaign.
    pub fn add_others(&mut self, others: Campaign, finer: &Abstraction, own: &Abstraction) {
        let ids: HashMap<&State, StateId> =
            own.states.iter().enumerate().map(|(index, state)| (state, StateId(index as u32))).collect();
        let count = own.states.first().map_or(0, |state| state.valuation.iter().count());
        let seen = |id: &StateId| {
            let State { point, valuation } = &finer.states[id.index()];
            ids.get(&State { point: *point, valuation: valuation.prefix(count) }).copied()
        };
        let number = self.tests.len();
        self.witnessed.extend(others.witnessed.iter().filter_map(seen));
        self.tests.extend(others.tests.into_iter().map(|ran| Ran {
            shown: ran.shown.iter().filter_map(seen).collect(),
            last: ran.last.as_ref().and_then(seen),
            test: Test { states: ran.test.states.iter().filter_map(seen).collect(), ..ran.test },
            ..ran
        }));
        let defects = others.defects.into_iter();
        self.defects.extend(defects.map(|defect| Defect { test: defect.test.map(|test| test + number), ..defect }));
        self.interrupted |= others.interrupted;
    }

    /// Inputs that made checks fail.
    pub fn failures(&self) -> BTreeMap<CheckId, Inputs> {
        let failed = self.tests.iter().filter(|ran| ran.test.is_exact && ran.strayed.is_none() && ran.run.is_some());
        failed.filter_map(|ran| Some((ran.test.failure?, ran.test.inputs.clone()))).collect()
    }

    /// Whether no other run went wrong in the same way at the same place.
    fn is_new_failure(&self, run: &Run) -> bool {
        let failure = |end: &End| match end {
            End::Wrong(failure) => Some((failure.kind, failure.line.clone())),
            _ => None,
        };
        let others = self.tests.iter().filter_map(|ran| ran.run.as_ref());
        failure(&run.end).is_some_and(|this| others.into_iter().all(|run| failure(&run.end).as_ref() != Some(&this)))
    }

    /// Runs a test; gives back its way through known states, and what it has shown. Nothing, if it was interrupted.
    fn add(
        &mut self,
        judge: &Judge<'_>,
        index: &Index<'_>,
        test: Test,
        Origin { path, engine }: Origin,
    ) -> Result<Option<(Vec<StateId>, Vec<Node>)>> {
        let number = self.tests.len();
        let Some(probed) = judge.probed else {
            let ran = Ran { path, engine, test, run: None, shown: BTreeSet::new(), last: None, strayed: None };
            self.tests.push(ran);
            return Ok(Some((Vec::new(), Vec::new())));
        };
        let Some(run) = probed.run_unless(&test.inputs, &judge.limits, judge.is_over)? else {
            return Ok(None);
        };
        let defects = self.defects.len();
        let mut shown = BTreeSet::new();
        for observation in &run.seen {
            match index.find(observation) {
                Match::One(state) => {
                    shown.insert(state);
                }
                Match::Several => {}
                Match::None if judge.bounds.partial => {}
                Match::None => {
                    let what = format!("{} was observed, which is not in U", name(judge.cfg, observation));
                    self.defects.push(Defect { test: Some(number), what });
                }
            }
        }
        let way: Vec<StateId> = run.trace.iter().map_while(|observation| index.state(observation)).collect();
        let last = run.trace.last().and_then(|observation| index.state(observation));
        let strayed = strayed(judge, probed, &test, &run);
        if let (Some(what), true) = (&strayed, test.is_exact && probed.unfaithful.is_empty()) {
            self.defects.push(Defect { test: Some(number), what: what.clone() });
        }
        // With tracked predicates, states that look the same are shown together.
        let looks: BTreeSet<(PointId, Valuation)> = shown.iter().map(|state| judge.observable(*state)).collect();
        let mut nodes: Vec<Node> = index.looking_like(judge, &looks).map(Node::State).collect();
        if let (Some(check), None) = (test.failure, &strayed) {
            nodes.push(Node::Error(check));
        }
        let is_new = !shown.is_subset(&self.witnessed) || self.is_new_failure(&run) || self.defects.len() > defects;
        self.witnessed.extend(&shown);
        // Ways through points without probes have gaps.
        let is_whole = probed.probed.iter().all(|is_probed| *is_probed);
        // Of the tests that the search found, those are kept that show a state, or a way to go wrong, that no other has.
        if is_new || path.is_some() {
            self.tests.push(Ran { path, engine, test, run: Some(run), shown, last, strayed });
        }
        (judge.progress)(self.tests.len(), self.witnessed.len());
        Ok(Some((if is_whole { way } else { Vec::new() }, nodes)))
    }
}

/// Where a test comes from.
#[derive(Clone, Copy)]
struct Origin {
    path: Option<usize>,
    engine: Engine,
}

/// How a run left the way that was predicted, in words; going wrong before is no fault.
fn strayed(judge: &Judge<'_>, probed: &Probed, test: &Test, run: &Run) -> Option<String> {
    let states = &judge.abstraction.states;
    let is_probed = |state: &&StateId| probed.probed[states[state.index()].point.index()];
    let expected: Vec<StateId> = test.states.iter().filter(is_probed).copied().collect();
    let describe = |state: StateId| {
        let state = &states[state.index()];
        format!("{}:{}", judge.cfg.points[state.point.index()].label, state.valuation)
    };
    for (position, state) in expected.iter().enumerate() {
        match run.trace.get(position) {
            Some(observation) if fits(observation, *state, judge.abstraction) => {}
            Some(observation) => {
                return Some(format!(
                    "step {} was predicted to be {}, but {} was observed",
                    position + 1,
                    describe(*state),
                    name(judge.cfg, observation)
                ));
            }
            None if run.end.went_wrong() => return None,
            None => {
                return Some(format!(
                    "step {} was predicted to be {}, but the run was over before",
                    position + 1,
                    describe(*state)
                ));
            }
        }
    }
    let check = test.failure.map(|check| &judge.cfg.checks[check.0 as usize])?;
    let is_native = matches!(check.kind, CheckKind::Assertion | CheckKind::Failure | CheckKind::Division);
    match run.end {
        End::Returned | End::Exited(_) if is_native => {
            Some(format!("`{}` in line {} was predicted to fail, but did not", check.condition(), check.span.line))
        }
        _ => None,
    }
}

/// An observation as a state is written.
pub(super) fn name(cfg: &Cfg, observation: &Observation) -> String {
    let values = Valuation::new(observation.values.iter().copied());
    format!("{}:{values}", cfg.points[observation.point.index()].label)
}

/// Whether an observation is one of the state; what was not defined can be either.
fn fits(observation: &Observation, state: StateId, abstraction: &Abstraction) -> bool {
    let state = &abstraction.states[state.index()];
    let same = |(observed, value): (&Option<bool>, Option<bool>)| match (observed, value) {
        (Some(observed), Some(value)) => *observed == value,
        _ => true,
    };
    state.point == observation.point && observation.values.iter().zip(state.valuation.iter()).all(same)
}

/// The states by point.
pub(super) struct Index<'a> {
    abstraction: &'a Abstraction,
    at: BTreeMap<PointId, Vec<StateId>>,
}

/// The states that an observation can be.
enum Match {
    One(StateId),
    Several,
    None,
}

impl<'a> Index<'a> {
    pub(super) fn new(abstraction: &'a Abstraction) -> Index<'a> {
        let mut at: BTreeMap<PointId, Vec<StateId>> = BTreeMap::new();
        for (index, state) in abstraction.states.iter().enumerate() {
            at.entry(state.point).or_default().push(StateId(index as u32));
        }
        Index { abstraction, at }
    }

    /// The states that are observed as one of these.
    fn looking_like(
        &self,
        judge: &'a Judge<'_>,
        looks: &'a BTreeSet<(PointId, Valuation)>,
    ) -> impl Iterator<Item = StateId> {
        let points: BTreeSet<PointId> = looks.iter().map(|(point, _)| *point).collect();
        let states = points.into_iter().flat_map(|point| self.at.get(&point).into_iter().flatten().copied());
        states.filter(|state| looks.contains(&judge.observable(*state)))
    }

    /// The state that an observation is, if it can be only one.
    fn state(&self, observation: &Observation) -> Option<StateId> {
        match self.find(observation) {
            Match::One(state) => Some(state),
            Match::Several | Match::None => None,
        }
    }

    /// The states that an observation can be.
    pub(super) fn fitting(&self, observation: &Observation) -> impl Iterator<Item = &StateId> {
        let states = self.at.get(&observation.point).map_or(&[][..], Vec::as_slice);
        states.iter().filter(|state| fits(observation, **state, self.abstraction))
    }

    fn find(&self, observation: &Observation) -> Match {
        let mut fitting = self.fitting(observation);
        match (fitting.next(), fitting.next()) {
            (Some(state), None) => Match::One(*state),
            (Some(_), Some(_)) => Match::Several,
            (None, _) => Match::None,
        }
    }
}
