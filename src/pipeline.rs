//! All phases on one screen.

use crate::abstraction::boolean::{self, BooleanProgram};
use crate::abstraction::{self, Abstraction, Progress};
use crate::bounds;
pub use crate::bounds::Bounds;
use crate::cfg::{self, Cfg};
use crate::config::Config;
use crate::error::Result;
use crate::execution;
pub use crate::execution::Limits as RunLimits;
pub use crate::execution::campaign::Campaign;
use crate::execution::campaign::{Judge, campaign};
use crate::frontend::{self, CompilerOptions, DefinedFunction};
use crate::logic;
use crate::paths::{self, Path};
use crate::predicates::{self, PredicateSet};
use crate::program::{FunctionId, Program};
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
    let Analysis { observed, abstraction, bounds } = analysis;
    let Observed { program, cfg, predicates, .. } = observed;
    let paths = paths::enumerate(abstraction);
    let probed = match testing.limits {
        Some(_) => match execution::compile(program, cfg, predicates, config) {
            // Ctrl-C ends the compiler, too.
            Err(_) if (testing.is_over)() => return Ok(Campaign { interrupted: true, ..Campaign::default() }),
            compiled => Some(compiled?),
        },
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
    };
    let engines = Engines {
        chosen: testing.engines.clone(),
        cbmc: match testing.engines.contains(&Engine::Cbmc) {
            true => Some((Writer::new(cfg, predicates, abstraction, config), cbmc::Options::new(CBMC_LIMIT)?)),
            false => None,
        },
    };
    campaign(&judge, &mut generator, &engines, &paths, testing.search)
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
