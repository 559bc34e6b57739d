//! Observing: [`Cfg`] + the user's wishes → [`PredicateSet`].
//!
//! By default the predicates are the atomic conditions of the decisions and assertions, in order of appearance, each
//! once: a condition, its negation and its mirror image are one predicate. A predicate is a C expression; at each
//! point it means what it would mean if it stood there, and it is observed there if all its variables are in scope
//! and set.

mod canonical;
pub mod estimate;
mod file;
mod selection;
mod visibility;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::cfg::{Cfg, Site};
use crate::config::{Config, PredicateSource};
use crate::error::{Error, Result};
use crate::frontend::{Macros, Origin, PredicateText};
use crate::program::{Expr, Program, Scope};
use visibility::Visibility;

/// At so many points together predicates can be observed; more would fill the memory.
const MAX_MEANINGS: usize = 1 << 25;

/// The predicates of an analysis.
#[derive(Clone, Debug)]
pub struct PredicateSet {
    /// In the order of the valuations: first the observed ones, then the tracked ones.
    pub predicates: Vec<Predicate>,
    /// What has a value where.
    visibility: Visibility,
}

/// One predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// A short name: the user's, or a letter.
    pub name: String,
    /// The expression as C.
    pub text: String,
    /// Observed, or only tracked.
    pub observed: bool,
    /// What it means at each point; `None` where it cannot be observed. It means the same at most points, and is shared.
    pub at: Vec<Option<Arc<Expr>>>,
    /// Its canonical form: the same for all that observe the same thing.
    form: String,
    source: PredicateText,
}

impl PredicateSet {
    /// What a predicate means at any site of the graph; `None` where it cannot be observed.
    pub fn at_site(&self, program: &Program, position: usize, site: &Site) -> Option<Expr> {
        let expr = self.predicates[position].source.resolve(program, &site.scope).ok()?;
        self.visibility.is_set(&expr, site.location).then_some(expr)
    }

    /// Everything that the predicates mean somewhere; what is shared by neighbours, once.
    pub fn meanings(&self) -> Vec<&Expr> {
        let mut meanings: Vec<&Arc<Expr>> =
            self.predicates.iter().flat_map(|predicate| predicate.at.iter().flatten()).collect();
        meanings.dedup_by(|a, b| Arc::ptr_eq(a, b));
        meanings.into_iter().map(Arc::as_ref).collect()
    }

    /// How many of the predicates are observed; they come first.
    pub fn observed_count(&self) -> usize {
        self.predicates.iter().filter(|predicate| predicate.observed).count()
    }
}

/// Exactly these predicates, observed or tracked. What is no predicate is an error.
pub fn exactly(program: &Program, cfg: &Cfg, config: &Config, texts: &[(String, bool)]) -> Result<PredicateSet> {
    let mut collection = Collection::new(program, cfg, config, Visibility::new(cfg));
    for (text, observed) in texts {
        // A repeated predicate is a wish, here too.
        collection.seen.clear();
        collection.add(&file::line_of("the certificate", text), *observed)?;
    }
    give_letters(&mut collection.predicates);
    Ok(PredicateSet { predicates: collection.predicates, visibility: collection.visibility })
}

/// The same predicates, and behind them others that are tracked. What is no predicate anywhere, or observes what another
/// one does, is left out.
pub fn track(
    program: &Program,
    cfg: &Cfg,
    config: &Config,
    predicates: &PredicateSet,
    texts: impl IntoIterator<Item = String>,
) -> PredicateSet {
    let mut collection = Collection::new(program, cfg, config, predicates.visibility.clone());
    collection.seen = predicates.predicates.iter().map(|predicate| predicate.form.clone()).collect();
    collection.predicates = predicates.predicates.clone();
    for text in texts {
        // What does not make sense is no loss.
        let _ = collection.add(&file::line_of("a predicate that was found", &text), false);
    }
    give_letters(&mut collection.predicates);
    PredicateSet { predicates: collection.predicates, visibility: collection.visibility }
}

/// Collects the predicates that `config` asks for and resolves them at every point of `cfg`.
pub fn observe(program: &Program, cfg: &Cfg, config: &Config) -> Result<PredicateSet> {
    let mut collection = Collection::new(program, cfg, config, Visibility::new(cfg));
    let mut marked = Vec::new();
    match &config.predicates {
        PredicateSource::Conditions => {
            collection.conditions()?;
            collection.select(&config.observe)?;
        }
        PredicateSource::File(_) if !config.observe.is_empty() => {
            return Err(Error::usage_with_help(
                "--observe selects among the conditions of the function, but the predicates come from a file",
                "give one of --observe and --predicates=FILE",
            ));
        }
        PredicateSource::File(path) => {
            for line in file::read(path)? {
                match line.is_tracked {
                    true => marked.push(line),
                    false => collection.add_line(&line)?,
                }
            }
        }
    }
    collection.seen = collection.predicates.iter().map(|predicate| predicate.form.clone()).collect();
    for (option, texts) in [("-p", &config.extra_predicates), ("--track", &config.tracked)] {
        for text in texts {
            let line =
                file::split(&Origin { name: option.to_string(), text: Arc::from(text.as_str()), line: 1 }, text)?;
            collection.add_user(&line, option == "-p")?;
        }
    }
    for path in &config.track_files {
        marked.extend(file::read_tracked(path)?);
    }
    for line in marked {
        collection.add_user(&line, false)?;
    }
    let mut predicates = collection.predicates;
    predicates.sort_by_key(|predicate| !predicate.observed);
    give_letters(&mut predicates);
    Ok(PredicateSet { predicates, visibility: collection.visibility })
}

struct Collection<'a> {
    program: &'a Program,
    cfg: &'a Cfg,
    config: &'a Config,
    /// The macros of the program, once a predicate of the user needs them.
    macros: Option<Macros>,
    /// Every name of the function, for checking that a predicate makes sense anywhere at all.
    everywhere: Scope,
    /// The scopes of the points, each once.
    scopes: Vec<&'a Scope>,
    /// For each point, the position of its scope among them.
    scope_of: Vec<usize>,
    /// What has a value where.
    visibility: Visibility,
    /// Canonical forms of the predicates so far.
    seen: BTreeSet<String>,
    predicates: Vec<Predicate>,
}

impl<'a> Collection<'a> {
    fn new(program: &'a Program, cfg: &'a Cfg, config: &'a Config, visibility: Visibility) -> Collection<'a> {
        let (scopes, scope_of) = distinct_scopes(cfg);
        Collection {
            program,
            cfg,
            config,
            macros: None,
            everywhere: everything_in_scope(cfg),
            scopes,
            scope_of,
            visibility,
            seen: BTreeSet::new(),
            predicates: Vec::new(),
        }
    }

    /// The atomic conditions of the function.
    fn conditions(&mut self) -> Result<()> {
        for condition in &self.cfg.conditions {
            let text = condition.to_c(self.cfg.naming());
            let line = file::line_of("the conditions of the function", &text);
            // A condition over variables that are in scope at no point cannot be observed.
            match self.add(&line, true) {
                Ok(()) | Err(Error::Predicate(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Exactly what the file says: a repeated predicate is the user's wish.
    fn add_line(&mut self, line: &file::PredicateLine) -> Result<()> {
        self.seen.clear();
        self.add_user(line, true)
    }

    /// A predicate that the user wrote: it may use the macros of the program.
    fn add_user(&mut self, line: &file::PredicateLine, observed: bool) -> Result<()> {
        let macros = match self.macros.take() {
            Some(macros) => macros,
            None => Macros::of(self.config)?,
        };
        let parsed = PredicateText::parse(self.program, Some(&macros), &line.origin, line.column, &line.text);
        self.macros = Some(macros);
        self.add_parsed(line, parsed?, observed)
    }

    fn add(&mut self, line: &file::PredicateLine, observed: bool) -> Result<()> {
        let parsed = PredicateText::parse(self.program, None, &line.origin, line.column, &line.text)?;
        self.add_parsed(line, parsed, observed)
    }

    fn add_parsed(&mut self, line: &file::PredicateLine, parsed: PredicateText, observed: bool) -> Result<()> {
        let anywhere = parsed.resolve(self.program, &self.everywhere)?;
        let form = canonical::form(&anywhere, self.cfg.naming());
        if !self.seen.insert(form.clone()) {
            return Ok(());
        }
        if let Some(name) = &line.name
            && self.predicates.iter().any(|known| known.name == *name)
        {
            return Err(Error::usage_with_help(
                format!("two predicates are called `{name}`"),
                format!("see {}, line {}", line.origin.name, line.origin.line),
            ));
        }
        if (self.predicates.len() + 1).saturating_mul(self.cfg.points.len()) > MAX_MEANINGS {
            return Err(Error::source(
                &self.program.sources,
                self.cfg.spans[self.cfg.entry.index()],
                format!(
                    "{} points with more than {} predicates are too many",
                    self.cfg.points.len(),
                    self.predicates.len()
                ),
                "the function",
                "observe at fewer points with --points labels, or choose the predicates with --predicates=FILE",
            ));
        }
        // The same names mean the same at most points.
        let mut meanings: BTreeMap<Scope, Option<Arc<Expr>>> = BTreeMap::new();
        let mut in_scope: Vec<Option<Arc<Expr>>> = Vec::with_capacity(self.scopes.len());
        for scope in &self.scopes {
            let scope = parsed.relevant(scope);
            let meaning = match meanings.get(&scope) {
                Some(known) => known.clone(),
                None => {
                    // It makes sense somewhere, so what fails here is a name that is not in scope.
                    let meaning = parsed.resolve(self.program, &scope).ok().map(Arc::new);
                    meanings.insert(scope, meaning.clone());
                    meaning
                }
            };
            in_scope.push(meaning);
        }
        let points = self.cfg.points.iter().zip(&self.scope_of);
        let at = points
            .map(|(point, scope)| in_scope[*scope].clone().filter(|expr| self.visibility.is_set(expr, point.location)));
        let at = at.collect();
        self.predicates.push(Predicate {
            name: line.name.clone().unwrap_or_default(),
            text: parsed.text.clone(),
            observed,
            at,
            form,
            source: parsed,
        });
        Ok(())
    }
}

/// The scopes of the points, each once, and for each point the position of its scope among them.
fn distinct_scopes(cfg: &Cfg) -> (Vec<&Scope>, Vec<usize>) {
    let mut positions: BTreeMap<&Scope, usize> = BTreeMap::new();
    let mut scopes = Vec::new();
    let scope_of = cfg.points.iter().map(|point| {
        *positions.entry(&point.scope).or_insert_with(|| {
            scopes.push(&point.scope);
            scopes.len() - 1
        })
    });
    let scope_of = scope_of.collect();
    (scopes, scope_of)
}

/// Every name that is in scope at some point; the innermost meaning wins.
fn everything_in_scope(cfg: &Cfg) -> Scope {
    let mut everything = Scope::new();
    for point in &cfg.points {
        for (name, variable) in &point.scope {
            everything.insert(name.clone(), *variable);
        }
    }
    everything
}

/// Predicates without a name are called A, B, C, …
fn give_letters(predicates: &mut [Predicate]) {
    let used: BTreeSet<String> = predicates.iter().map(|p| p.name.clone()).collect();
    let mut letters = ('A'..='Z')
        .map(String::from)
        .chain((1..).map(|number| format!("P{number}")))
        .filter(|letter| !used.contains(letter));
    for predicate in predicates.iter_mut().filter(|predicate| predicate.name.is_empty()) {
        predicate.name = letters.next().expect("there are enough numbers");
    }
}
