//! All phases on one screen.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

use crate::abstraction::boolean::{self, BooleanProgram};
use crate::abstraction::{self, Abstraction, Node, Progress, State};
pub use crate::bounds::Bounds;
use crate::bounds::{self, CheckVerdict};
use crate::cfg::{self, Cfg, CheckId};
use crate::config::Config;
use crate::error::Result;
use crate::execution;
pub use crate::execution::Limits as RunLimits;
pub use crate::execution::campaign::Campaign;
use crate::execution::campaign::{Defect, Judge, campaign};
pub use crate::execution::measure::Measurement;
use crate::execution::measure::{self, Ended, Logged, Main};
use crate::frontend::{self, CompilerOptions, DefinedFunction};
use crate::logic;
use crate::paths::{self, Path};
use crate::predicates::{self, PredicateSet};
use crate::program::{FunctionId, Program};
use crate::refinement::candidates::candidates;
use crate::refinement::certificate::Checked;
pub use crate::refinement::explain::{Explaining, Explanation};
pub use crate::refinement::session::{Outcome as SessionOutcome, Session, Settings as SessionSettings, parse as order};
pub use crate::refinement::suggestions::within;
use crate::refinement::unrolling::Limits;
use crate::refinement::{self, Found, Observable, Proof, Proved};
use crate::report::certificate::Certificate;
pub use crate::testgen::engine::Engine;
use crate::testgen::engine::Engines;
use crate::testgen::inputs::Inputs;
pub use crate::testgen::path_program::MARK as PATH_PROGRAM_MARK;
use crate::testgen::path_program::Writer;
pub use crate::testgen::search::Bounds as SearchBounds;
use crate::testgen::{Generator, cbmc};
use crate::tools::{self, Diagnosis};

/// The function with its points and predicates, before anything is decided.
pub struct Observed {
    /// The C that was read.
    pub program: Program,
    /// The function in it.
    pub function: FunctionId,
    /// The graph of the function.
    pub cfg: Cfg,
    /// What is observed.
    pub predicates: PredicateSet,
    /// Whether the points are the labels of the function.
    pub labels: bool,
}

/// Everything an analysis found out.
pub struct Analysis {
    /// The function with its points and predicates.
    pub observed: Observed,
    /// The Boolean abstraction.
    pub abstraction: Abstraction,
    /// The bounds of the reachable observable states.
    pub bounds: Bounds,
}

impl Observed {
    /// The same function, seen through other predicates.
    fn with(&self, predicates: PredicateSet) -> Observed {
        let Observed { program, function, cfg, labels, .. } = self;
        Observed { program: program.clone(), function: *function, cfg: cfg.clone(), predicates, labels: *labels }
    }
}

impl Analysis {
    /// A way through the abstraction, in words.
    fn way(&self, way: &[Node]) -> String {
        let name = |node: &Node| match node {
            Node::State(id) => {
                let State { point, valuation } = &self.abstraction.states[id.index()];
                format!("{}:{valuation}", self.observed.cfg.points[point.index()].label)
            }
            _ => "the start".to_string(),
        };
        let names: Vec<String> = way.iter().map(name).collect();
        // The last steps say most.
        match names.len().checked_sub(MAX_STEPS_TOLD) {
            None | Some(0) => format!("the way {}", names.join(" ")),
            Some(more) => format!("a way of {more} steps and {}", names[more..].join(" ")),
        }
    }

    /// What can be refined.
    fn subject<'a>(&'a self, config: &'a Config) -> refinement::Subject<'a> {
        let Observed { program, cfg, predicates, .. } = &self.observed;
        refinement::Subject { program, cfg, config, predicates, abstraction: &self.abstraction }
    }
}

/// C files → the functions that one can choose among.
pub fn functions(config: &Config) -> Result<Vec<DefinedFunction>> {
    frontend::functions(config)
}

/// The settings → how each of the C files is compiled.
pub fn compiler_options(config: &Config) -> Result<Vec<CompilerOptions>> {
    frontend::compiler_options(config)
}

/// C file → points and predicates.
pub fn observe(config: &Config) -> Result<Observed> {
    let (program, function) = frontend::parse(config)?;
    let labels = cfg::uses_labels(program.function(function), config.points);
    let lengths = frontend::lengths(&program, function, config)?;
    let cfg = cfg::build(&program, function, config, &lengths)?;
    let predicates = predicates::observe(&program, &cfg, config)?;
    Ok(Observed { program, function, cfg, predicates, labels })
}

/// C file → bounds.
pub fn analyze(config: &Config, progress: Progress<'_>) -> Result<Analysis> {
    explore(observe(config)?, config, progress)
}

/// Points and predicates → bounds.
pub fn explore(observed: Observed, config: &Config, progress: Progress<'_>) -> Result<Analysis> {
    let Observed { program, cfg, predicates, .. } = &observed;
    let abstraction = abstraction::compute(program, cfg, predicates, config, progress)?;
    let bounds = bounds::bound(&abstraction, predicates.observed_count(), cfg.checks.len());
    Ok(Analysis { observed, abstraction, bounds })
}

/// So far goes the search for inputs that make a check fail.
const FAILURE_SEARCH: SearchBounds = SearchBounds { depth: 60, questions: 200 };

/// Bounds → inputs for checks that the bounds leave open; none of them is run.
pub fn failures(analysis: &Analysis, config: &Config) -> Result<BTreeMap<CheckId, Inputs>> {
    let Analysis { observed: Observed { program, cfg, predicates, .. }, abstraction, bounds } = analysis;
    let verdicts = (0..).map(CheckId).zip(&bounds.checks);
    let open: Vec<CheckId> =
        verdicts.filter(|(_, verdict)| **verdict == CheckVerdict::Open).map(|(id, _)| id).collect();
    let is_late = || config.limit.is_some_and(|limit| Instant::now() >= limit.end);
    if open.is_empty() || bounds.partial || is_late() {
        return Ok(BTreeMap::new());
    }
    let generator = Generator::new(program, cfg, predicates, abstraction, config)?;
    Ok(generator.map_or_else(BTreeMap::new, |mut generator| generator.failures(open, FAILURE_SEARCH, &is_late)))
}

/// A question for a certificate may take so long.
const OPINION_LIMIT: std::time::Duration = std::time::Duration::from_secs(20);

/// So many steps of a way are told.
const MAX_STEPS_TOLD: usize = 6;

/// CBMC may take so long for one path.
const CBMC_LIMIT: std::time::Duration = std::time::Duration::from_secs(60);

/// Abstraction → paths.
pub fn paths(analysis: &Analysis) -> Vec<Path> {
    paths::enumerate(&analysis.abstraction)
}

/// How tests are made and run.
pub struct Testing<'a> {
    /// Who solves the paths.
    pub engines: Vec<Engine>,
    /// How far the search for more tests goes.
    pub search: SearchBounds,
    /// The limits of one run; nothing runs without them.
    pub limits: Option<RunLimits>,
    /// Whether everything is over: then what runs is ended.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
    /// Told after each test: how many there are, and how many states are shown.
    pub progress: &'a dyn Fn(usize, usize),
}

/// Bounds → tests that ran.
pub fn test(analysis: &Analysis, config: &Config, testing: &Testing<'_>) -> Result<Campaign> {
    test_for(analysis, config, testing, &paths::enumerate(&analysis.abstraction), None)
}

/// Bounds → tests for these paths and for the wanted states.
fn test_for(
    analysis: &Analysis,
    config: &Config,
    testing: &Testing<'_>,
    paths: &[Path],
    wanted: Option<&BTreeSet<Observable>>,
) -> Result<Campaign> {
    let Analysis { observed, abstraction, bounds } = analysis;
    let Observed { program, cfg, predicates, .. } = observed;
    let probed = match testing.limits {
        Some(_) => match execution::compile(program, cfg, predicates, config) {
            // Ctrl-C ends the compiler, too.
            Err(_) if (testing.is_over)() => return Ok(Campaign { interrupted: true, ..Campaign::default() }),
            compiled => Some(compiled?),
        },
        None => None,
    };
    let Some(mut generator) = Generator::new(program, cfg, predicates, abstraction, config)? else {
        return Ok(Campaign { interrupted: true, ..Campaign::default() });
    };
    let judge = Judge {
        cfg,
        abstraction,
        bounds,
        probed: probed.as_ref(),
        limits: testing.limits.unwrap_or_default(),
        is_over: testing.is_over,
        progress: testing.progress,
        wanted,
    };
    let engines = Engines {
        chosen: testing.engines.clone(),
        cbmc: match testing.engines.contains(&Engine::Cbmc) {
            true => Some((Writer::new(cfg, predicates, abstraction, config), cbmc::Options::new(CBMC_LIMIT)?)),
            false => None,
        },
    };
    campaign(&judge, &mut generator, &engines, paths, testing.search)
}

/// How far a refinement goes.
pub struct Refining<'a> {
    /// How tests are made and run.
    pub testing: Testing<'a>,
    /// At most so many predicates are added.
    pub max_predicates: usize,
    /// What an earlier refinement of the same function has proved.
    pub known: Proved,
    /// Told whenever something is proved, so that it can be kept.
    pub keep: &'a dyn Fn(&Proved) -> Result<()>,
}

/// What a refinement found out.
pub struct Refinement {
    /// The bounds of the start, with what is known in the end.
    pub bounds: Bounds,
    /// The tests.
    pub campaign: Campaign,
    /// The predicates that were added.
    pub steps: Vec<refinement::Step>,
    /// For the states that are open, what was tried last, in words.
    pub attempts: BTreeMap<Observable, String>,
    /// Why the states that are called unreachable are so.
    pub proof: Option<Proof>,
}

/// Bounds → tests, predicates and proofs for the states that are open.
pub fn refine(analysis: &Analysis, config: &Config, refining: &Refining<'_>) -> Result<Refinement> {
    let Refining { testing, .. } = refining;
    let is_over = || (testing.is_over)();
    // What no run reaches keeps a search busy for nothing: it is short before the proofs, and long after them.
    let first = SearchBounds { questions: testing.search.questions / 3, ..testing.search };
    let mut campaign =
        test(analysis, config, &Testing { engines: testing.engines.clone(), search: first, ..*testing })?;
    let Proved { mut steps, unreachable } = refining.known.clone();
    let mut bounds = analysis.bounds.with_witnesses(shown(analysis, &campaign)).without(&unreachable);
    let (mut finer, mut found) = (None::<Analysis>, None::<Found>);
    if !steps.is_empty() {
        let subject = analysis.subject(config);
        let texts = steps.iter().map(|step| step.candidate.text.clone());
        let predicates = predicates::track(subject.program, subject.cfg, config, subject.predicates, texts);
        finer = Some(explore(analysis.observed.with(predicates), config, &|_, _| {})?);
    }
    let (mut attempts, mut is_thorough) = (BTreeMap::new(), false);
    while !bounds.open().is_empty() && !is_over() {
        let current = finer.as_ref().unwrap_or(analysis);
        let subject = current.subject(config);
        let limits = if is_thorough { Limits::THOROUGH } else { Limits::QUICK };
        let (excluded, ways) = refinement::unroll(subject, &bounds.open(), limits, &is_over)?;
        bounds = bounds.without(&excluded);
        if is_thorough && excluded.is_empty() {
            break;
        }
        let wanted = bounds.open();
        let pool = candidates(subject.cfg, subject.predicates);
        for state in &wanted {
            let way = ways.get(state).map_or(String::new(), |way| current.way(way));
            attempts.insert(state.clone(), format!("unrolling does not exclude {way}"));
        }
        let most = refining.max_predicates.saturating_sub(steps.len());
        found = refinement::prove(subject, &pool, &wanted, most, &is_over)?;
        let tried = match is_over() {
            true => "there was no time to find predicates".to_string(),
            false => format!("none of {} predicates excludes it", pool.len()),
        };
        attempts.values_mut().for_each(|attempt| *attempt = format!("{tried}, {attempt}"));
        let Some(found) = &found else {
            (refining.keep)(&Proved { steps: steps.clone(), unreachable: bounds.unreachable() })?;
            is_thorough = true;
            continue;
        };
        let mut open = wanted.len();
        for (candidate, excluded) in &found.chosen {
            let (open_before, open_after) = (open, open - excluded.len());
            steps.push(refinement::Step { candidate: candidate.clone(), open_before, open_after });
            open = open_after;
        }
        bounds = bounds.without(&found.excluded);
        (refining.keep)(&Proved { steps: steps.clone(), unreachable: bounds.unreachable() })?;
        let refined = explore(current.observed.with(found.proof.predicates.clone()), config, &|_, _| {})?;
        bounds = bounds.refined(&refined.bounds);
        finer = Some(refined);
    }
    let last = finer.as_ref().unwrap_or(analysis);
    let unshown: BTreeSet<Observable> = bounds.unshown();
    if !unshown.is_empty() && testing.limits.is_some() && !is_over() {
        let more = test_for(last, config, testing, &[], Some(&unshown))?;
        bounds = bounds.with_witnesses(shown(last, &more));
        campaign.add_others(more, &last.abstraction, &analysis.abstraction);
    }
    let claims = bounds.unreachable();
    let proof = refinement::proof_of(last.subject(config), &claims, &is_over)?.or(found.map(|found| found.proof));
    for state in bounds.contradicted() {
        campaign.defects.push(Defect::of_proof(&analysis.observed.cfg, state));
    }
    let open = bounds.open();
    attempts.retain(|state, _| open.contains(state));
    Ok(Refinement { bounds, campaign, steps, attempts, proof })
}

/// C file + certificate → whether it holds; in words, if it is not one of this function.
pub fn check_certificate(
    config: &Config,
    certificate: &Certificate,
) -> Result<(Observed, std::result::Result<Checked, String>)> {
    let observed = observe(config)?;
    let Observed { program, cfg, labels, .. } = &observed;
    if let Some(why) = certificate.mismatch(config, *labels, cfg) {
        return Ok((observed, Err(why)));
    }
    let checked = certificate.states(cfg).and_then(|[cubes, unrolled, claims]| {
        let predicates = predicates::exactly(program, cfg, config, &certificate.predicates());
        Ok((Proof { predicates: predicates.map_err(|error| error.to_string())?, cubes, unrolled }, claims))
    });
    let checked = match checked {
        Ok((proof, claims)) => {
            Ok(refinement::certificate::check(program, cfg, config, &proof, &claims, OPINION_LIMIT)?)
        }
        Err(why) => Err(why),
    };
    Ok((observed, checked))
}

/// The name of a state → the state; an error says what is wrong with it.
pub fn named(observed: &Observed, name: &str) -> Result<Observable> {
    refinement::explain::named(&observed.cfg, &observed.predicates, name)
}

/// Bounds + the name of a state → what it means, what is known of it and why, and predicates that would help.
pub fn explain(analysis: &Analysis, config: &Config, name: &str, explaining: &Explaining<'_>) -> Result<Explanation> {
    let Analysis { observed: Observed { program, cfg, predicates, .. }, abstraction, bounds } = analysis;
    let state = named(&analysis.observed, name)?;
    let subject = refinement::Subject { program, cfg, config, predicates, abstraction };
    refinement::explain::explain(subject, bounds, &state, explaining)
}

/// Bounds → refinement by hand.
pub fn session(analysis: Analysis, config: &Config, settings: SessionSettings) -> Session {
    let Analysis { observed: Observed { program, cfg, predicates, .. }, abstraction, bounds } = analysis;
    Session::new(program, cfg, config, settings, (predicates, abstraction, bounds))
}

/// The states that tests have shown.
fn shown<'a>(analysis: &'a Analysis, campaign: &'a Campaign) -> impl Iterator<Item = &'a State> {
    campaign.witnessed.iter().map(|id| &analysis.abstraction.states[id.index()])
}

/// Paths → C programs, in the order of the paths; or why there is none, in words.
pub fn path_programs(
    cfg: &Cfg,
    predicates: &PredicateSet,
    abstraction: &Abstraction,
    config: &Config,
) -> Vec<std::result::Result<String, String>> {
    let writer = Writer::new(cfg, predicates, abstraction, config);
    let written = |path: &Path| writer.write(&path.states).map(|program| program.text);
    paths::enumerate(abstraction).iter().map(|path| written(path).map_err(|reason| reason.to_string())).collect()
}

/// C file + inputs → runs, without any question to the solver. An error says why a test cannot be run.
pub fn rerun(
    config: &Config,
    limits: &execution::Limits,
    inputs: &dyn Fn(&Observed) -> Vec<std::result::Result<Inputs, String>>,
) -> Result<(Observed, Vec<std::result::Result<execution::Run, String>>)> {
    let observed = observe(config)?;
    let Observed { program, cfg, predicates, .. } = &observed;
    let probed = execution::compile(program, cfg, predicates, config)?;
    let mut runs = Vec::new();
    for inputs in inputs(&observed) {
        runs.push(match inputs {
            Ok(inputs) => Ok(probed.run(&inputs, limits)?),
            Err(why) => Err(why),
        });
    }
    Ok((observed, runs))
}

/// Tests of the user's.
pub struct OwnTests {
    /// Inputs, each with a name; an error says why there are none.
    pub inputs: Vec<(String, std::result::Result<Inputs, String>)>,
    /// C files: those with a `main` are programs.
    pub programs: Vec<PathBuf>,
    /// A command for the shell.
    pub command: Option<String>,
}

/// Bounds + tests of the user's → what they show.
pub fn measure(analysis: &Analysis, config: &Config, tests: OwnTests, limits: &RunLimits) -> Result<Measurement> {
    let Analysis { observed: Observed { program, cfg, predicates, .. }, abstraction, .. } = analysis;
    let count = predicates.observed_count();
    let mut measurement = Measurement::default();
    if !tests.inputs.is_empty() {
        let probed = execution::compile(program, cfg, predicates, config)?;
        measurement.note_probes(&probed.probed);
        for (name, inputs) in tests.inputs {
            let (given, end, seen) = match inputs {
                Ok(inputs) => {
                    let run = probed.run(&inputs, limits)?;
                    let seen = run.seen.clone();
                    measurement.is_partial |= run.is_partial;
                    (Some(inputs), Ended::Ran(Box::new(run)), seen)
                }
                Err(why) => (None, Ended::NotRun(format!("could not be run: {why}")), BTreeSet::new()),
            };
            measurement.add(cfg, abstraction, count, (name, given, end), &seen);
        }
    }
    let logged = |measurement: &mut Measurement, name: String, end: Ended, log: Logged| {
        measurement.is_partial |= log.is_partial;
        *measurement.calls.get_or_insert(0) += log.calls;
        measurement.add(cfg, abstraction, count, (name, None, end), &log.seen);
    };
    if !tests.programs.is_empty() {
        let copy = measure::instrument(program, cfg, predicates, config, Main::Gives)?;
        measurement.note_probes(&copy.probed);
        let mut done = |name: String, end: Ended, log: Logged| logged(&mut measurement, name, end, log);
        copy.run_programs(&tests.programs, limits, &mut done)?;
    }
    if let Some(command) = tests.command {
        let copy = measure::instrument(program, cfg, predicates, config, Main::Stays)?;
        measurement.note_probes(&copy.probed);
        let (end, log) = copy.run_command(&command)?;
        logged(&mut measurement, command, end, log);
    }
    Ok(measurement)
}

/// C file → Boolean program.
pub fn boolean_program(config: &Config) -> Result<BooleanProgram> {
    let Observed { program, cfg, predicates, .. } = &observe(config)?;
    boolean::compute(program, cfg, predicates, config)
}

/// The system → what pct uses of it, and what is missing.
pub fn doctor(compiler: &str) -> Vec<Diagnosis> {
    let purpose = "decides which states and transitions there are";
    let z3 = Diagnosis { name: "Z3".to_string(), purpose, necessary: true, outcome: Ok(logic::library()) };
    std::iter::once(z3).chain(tools::diagnose(compiler)).collect()
}
