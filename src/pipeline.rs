//! All phases on one screen.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

use crate::abstraction::boolean::{self, BooleanProgram};
use crate::abstraction::{self, Abstraction, Progress, State};
pub use crate::bounds::Bounds;
use crate::bounds::{self, CheckVerdict, Verdict};
use crate::cfg::{self, Cfg, CheckId};
use crate::config::Config;
use crate::error::Result;
use crate::execution;
pub use crate::execution::Limits as RunLimits;
pub use crate::execution::campaign::Campaign;
use crate::execution::campaign::{Judge, campaign};
pub use crate::execution::measure::Measurement;
use crate::execution::measure::{self, Ended, Logged, Main};
use crate::frontend::{self, CompilerOptions, DefinedFunction};
use crate::logic;
use crate::paths::{self, Path};
use crate::predicates::{self, PredicateSet};
use crate::program::{FunctionId, Program};
use crate::refinement::candidates::candidates;
pub use crate::refinement::explain::{Explaining, Explanation};
pub use crate::refinement::session::{Outcome as SessionOutcome, Session, Settings as SessionSettings, parse as order};
pub use crate::refinement::suggestions::within;
use crate::refinement::{self, Observable, Proof};
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
    let mut generator = Generator::new(program, cfg, predicates, abstraction, config)?;
    Ok(generator.failures(open, FAILURE_SEARCH, &is_late))
}

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
    /// Asked between tests: whether to stop.
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
        Some(_) => Some(execution::compile(program, cfg, predicates, config)?),
        None => None,
    };
    let mut generator = Generator::new(program, cfg, predicates, abstraction, config)?;
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
}

/// What a refinement found out.
pub struct Refinement {
    /// The function as it was observed at the start, with its abstraction. The bounds are those of the start, with what is
    /// known in the end.
    pub analysis: Analysis,
    /// The tests.
    pub campaign: Campaign,
    /// The predicates that were added.
    pub steps: Vec<refinement::Step>,
    /// Why the states that are called unreachable are so.
    pub proof: Option<Proof>,
}

/// Bounds → tests, predicates and proofs for the states that are open.
pub fn refine(analysis: Analysis, config: &Config, refining: &Refining<'_>) -> Result<Refinement> {
    let is_over = || (refining.testing.is_over)();
    let mut campaign = test(&analysis, config, &refining.testing)?;
    let mut bounds = analysis.bounds.with_witnesses(shown(&analysis, &campaign));
    let (mut finer, mut steps, mut proof) = (None::<Analysis>, Vec::new(), None);
    while bounds.count(|state| state.verdict == Verdict::Open) > 0 && !is_over() {
        let current = finer.as_ref().unwrap_or(&analysis);
        let Observed { program, cfg, predicates, .. } = &current.observed;
        let subject = refinement::Subject { program, cfg, config, predicates, abstraction: &current.abstraction };
        let wanted = bounds.open();
        let pool = candidates(cfg, predicates);
        let most = refining.max_predicates.saturating_sub(steps.len());
        let Some(found) = refinement::prove(subject, &pool, &wanted, most, &is_over)? else {
            break;
        };
        let mut open = wanted.len();
        for (candidate, excluded) in found.chosen {
            let before = open;
            open -= excluded.len();
            steps.push(refinement::Step { candidate, open_before: before, open_after: open });
        }
        bounds = bounds.without(&found.excluded);
        let observed = Observed {
            program: program.clone(),
            function: current.observed.function,
            cfg: cfg.clone(),
            predicates: found.proof.predicates.clone(),
            labels: current.observed.labels,
        };
        let refined = explore(observed, config, &|_, _| {})?;
        proof = refinement::proof_of(&refined.observed.predicates, &refined.abstraction).or(Some(found.proof));
        bounds = bounds.refined(&refined.bounds);
        let open = bounds.open();
        if !open.is_empty() && refining.testing.limits.is_some() {
            let more = test_for(&refined, config, &refining.testing, &[], Some(&open))?;
            bounds = bounds.with_witnesses(shown(&refined, &more));
            campaign.add_others(more, &refined.abstraction, &analysis.abstraction);
        }
        finer = Some(refined);
    }
    let analysis = Analysis { bounds, ..analysis };
    Ok(Refinement { analysis, campaign, steps, proof })
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
