//! Refinement by hand: orders, one after the other, on a stack of stages.
//!
//! A stage is a set of predicates with its abstraction and bounds. To track a predicate adds a stage that observes the same
//! states; what was proved of them stays proved ([`Bounds::refined`]). To observe one makes new states, so its stage begins
//! anew. Undoing takes the last stage away; what tests have shown of the states stays. An order that is wrong changes
//! nothing.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::candidates::candidates;
use super::explain::{self, Explaining, Explanation, Trying, Witness};
use super::suggestions::{self, Sizes, Suggestion, suggestions, within};
use super::{Observable, Subject};
use crate::abstraction::{self, Abstraction, State};
use crate::bounds::{self, Bounds};
use crate::cfg::Cfg;
use crate::config::{Config, TimeLimit};
use crate::error::{Error, Result};
use crate::execution;
use crate::paths;
use crate::predicates::{self, PredicateSet};
use crate::program::Program;
use crate::testgen::search;

/// What the user wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// List the open states.
    Open,
    /// List the predicates.
    Predicates,
    /// Tell the size of the bounds.
    Ratio,
    /// Explain a state.
    Explain(String),
    /// Look for predicates that help, with a state or with all open ones.
    Suggest(Option<String>),
    /// Make tests and run them.
    Test,
    /// Track a predicate.
    Track(String),
    /// Observe a predicate.
    Observe(String),
    /// Take the last predicate away.
    Undo,
    /// Write the predicates to a file.
    Write(PathBuf),
    /// Tell what there is to order.
    Help,
    /// End.
    Quit,
}

/// The orders with what they do.
pub const ORDERS: [(&str, &str); 12] = [
    ("open", "lists the open states"),
    ("explain STATE", "what a state means, what is known of it and why"),
    ("suggest [STATE]", "predicates that would decide the open states, or this one, by gain"),
    ("track EXPR", "tracks a predicate: the states stay the same, and what is proved of them stays proved"),
    ("observe EXPR", "observes a predicate: the states are new ones"),
    ("undo", "takes the last predicate away"),
    ("test", "makes tests, runs them, and notes which states they show"),
    ("ratio", "|U|, |L| and how many states are open"),
    ("predicates", "lists the predicates"),
    ("write FILE", "writes the predicates, for --predicates=FILE; a line with @track is one to track"),
    ("help", "this list"),
    ("quit", "ends; so does the end of the input"),
];

/// Reads an order; `None` for an empty line or a comment.
pub fn parse(line: &str) -> Result<Option<Order>> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let needed = |what: &str| match rest {
        "" => Err(Error::usage_with_help(format!("`{word}` needs {what}"), "`help` lists what there is to order")),
        rest => Ok(rest.to_string()),
    };
    let alone = |order: Order| match rest {
        "" => Ok(order),
        rest => Err(Error::usage_with_help(
            format!("`{word}` stands alone, without `{rest}`"),
            "`help` lists what there is to order",
        )),
    };
    let order = match word {
        "open" => alone(Order::Open)?,
        "predicates" => alone(Order::Predicates)?,
        "ratio" => alone(Order::Ratio)?,
        "test" => alone(Order::Test)?,
        "undo" => alone(Order::Undo)?,
        "help" => alone(Order::Help)?,
        "quit" | "exit" => alone(Order::Quit)?,
        "explain" => Order::Explain(needed("a state, such as L7:FFFT")?),
        "suggest" => Order::Suggest((!rest.is_empty()).then(|| rest.to_string())),
        "track" => Order::Track(needed("a C expression")?),
        "observe" => Order::Observe(needed("a C expression")?),
        "write" => Order::Write(PathBuf::from(needed("the name of a file")?)),
        _ => {
            let words: Vec<&str> = ORDERS.iter().filter_map(|(order, _)| order.split_whitespace().next()).collect();
            return Err(Error::usage_with_help(
                format!("`{word}` is no order"),
                format!("there are {}; `help` tells what they do", words.join(", ")),
            ));
        }
    };
    Ok(Some(order))
}

/// How orders are carried out.
#[derive(Clone, Copy)]
pub struct Settings {
    /// The limits of one run; nothing runs without them.
    pub limits: Option<execution::Limits>,
    /// How far searches for inputs go.
    pub search: search::Bounds,
    /// So many predicates are suggested together at most.
    pub max_predicates: usize,
    /// How long one order may look for proofs, inputs and predicates.
    pub budget: Duration,
}

/// A predicate that was added, and what it brought.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Added {
    /// The predicate as it was given.
    pub text: String,
    /// Observed, or only tracked.
    pub observed: bool,
    /// The bounds before.
    pub before: Sizes,
    /// The bounds with it.
    pub after: Sizes,
}

/// A set of predicates with its bounds.
pub struct Stage {
    /// The settings that ask for the predicates.
    config: Config,
    /// The predicates.
    pub predicates: PredicateSet,
    /// Their abstraction.
    pub abstraction: Abstraction,
    /// The bounds, with all that is known.
    pub bounds: Bounds,
    /// What was added to the stage before.
    pub added: Option<Added>,
}

/// The answer to an order.
pub enum Outcome {
    /// The open states.
    Open(BTreeSet<Observable>),
    /// The list of predicates is asked for.
    Predicates,
    /// The size of the bounds.
    Ratio(Sizes),
    /// A state is explained.
    Explained(Box<Explanation>),
    /// Predicates that would help.
    Suggested {
        /// The bounds as they are.
        before: Sizes,
        /// The suggestions.
        suggestions: Vec<Suggestion>,
    },
    /// Tests ran.
    Tested {
        /// How many were kept.
        tests: usize,
        /// How many states some test has shown.
        shown: usize,
        /// The bounds afterwards.
        sizes: Sizes,
        /// Where pct contradicts itself.
        defects: Vec<String>,
    },
    /// A predicate was added.
    Added(Added),
    /// A predicate was taken away.
    Undone {
        /// The predicate.
        text: String,
        /// The bounds without it.
        sizes: Sizes,
    },
    /// The predicates are to be written.
    Write(PathBuf),
    /// The list of orders is asked for.
    Help,
    /// The end is asked for.
    Quit,
}

/// Refinement by hand.
pub struct Session {
    program: Program,
    /// The graph of the function.
    pub cfg: Cfg,
    settings: Settings,
    stages: Vec<Stage>,
}

impl Session {
    /// Begins with an analysis.
    pub fn new(
        program: Program,
        cfg: Cfg,
        config: &Config,
        settings: Settings,
        (predicates, abstraction, bounds): (PredicateSet, Abstraction, Bounds),
    ) -> Session {
        let stage = Stage { config: config.clone(), predicates, abstraction, bounds, added: None };
        Session { program, cfg, settings, stages: vec![stage] }
    }

    /// The stage that is worked on.
    pub fn stage(&self) -> &Stage {
        self.stages.last().expect("there is always a stage")
    }

    /// What was added, the oldest first.
    pub fn added(&self) -> impl Iterator<Item = &Added> {
        self.stages.iter().filter_map(|stage| stage.added.as_ref())
    }

    /// Carries out an order; an error changes nothing.
    pub fn carry_out(&mut self, order: Order) -> Result<Outcome> {
        Ok(match order {
            Order::Open => Outcome::Open(self.stage().bounds.open()),
            Order::Predicates => Outcome::Predicates,
            Order::Ratio => Outcome::Ratio(Sizes::of(&self.stage().bounds)),
            Order::Explain(name) => {
                let explanation = self.explain(&name)?;
                if let Some(Witness::Ran(ran)) = &explanation.witness {
                    let states = &self.stage().abstraction.states;
                    let shown: Vec<State> = ran.shown.iter().map(|id| states[id.index()].clone()).collect();
                    self.note(&shown);
                }
                Outcome::Explained(Box::new(explanation))
            }
            Order::Suggest(name) => self.suggest(name.as_deref())?,
            Order::Test => self.test()?,
            Order::Track(text) => Outcome::Added(self.add(text, false)?),
            Order::Observe(text) => Outcome::Added(self.add(text, true)?),
            Order::Undo => self.undo()?,
            Order::Write(file) => Outcome::Write(file),
            Order::Help => Outcome::Help,
            Order::Quit => Outcome::Quit,
        })
    }

    /// Takes in what tests have shown.
    fn note(&mut self, shown: &[State]) {
        let stage = self.stages.last_mut().expect("there is always a stage");
        stage.bounds = stage.bounds.with_witnesses(shown);
    }

    fn explain(&self, name: &str) -> Result<Explanation> {
        let stage = self.stage();
        let state = explain::named(&self.cfg, &stage.predicates, name)?;
        let config = within(&renewed(&stage.config), self.settings.budget);
        let is_over = || is_late(&config);
        explain::explain(self.subject(&config), &stage.bounds, &state, &self.explaining(&is_over))
    }

    fn suggest(&self, name: Option<&str>) -> Result<Outcome> {
        let stage = self.stage();
        let wanted = match name {
            Some(name) => BTreeSet::from([explain::named(&self.cfg, &stage.predicates, name)?]),
            None => suggestions::undecided(&stage.bounds),
        };
        let before = Sizes::of(&stage.bounds);
        let open: BTreeSet<Observable> = wanted.intersection(&stage.bounds.open()).cloned().collect();
        let config = within(&renewed(&stage.config), self.settings.budget);
        let subject = self.subject(&config);
        let mut found = None;
        if !open.is_empty() {
            let half = within(&config, self.settings.budget / 2);
            let pool = candidates(&self.cfg, &stage.predicates);
            let subject = Subject { config: &half, ..subject };
            found = super::prove(subject, &pool, &open, self.settings.max_predicates, &|| is_late(&half))?;
        }
        let suggestions = match wanted.is_empty() {
            true => Vec::new(),
            false => suggestions(subject, &stage.bounds, &wanted, found.as_ref(), &|| is_late(&config))?,
        };
        Ok(Outcome::Suggested { before, suggestions })
    }

    fn test(&mut self) -> Result<Outcome> {
        if self.settings.limits.is_none() {
            return Err(Error::usage_with_help("`test` runs the code, which --no-run forbids", "leave --no-run out"));
        }
        let stage = self.stage();
        let config = within(&renewed(&stage.config), self.settings.budget);
        let is_over = || is_late(&config);
        let explaining = self.explaining(&is_over);
        let mut trying = Trying::new(self.subject(&config), &stage.bounds, &explaining)?;
        let campaign = trying.campaign(&paths::enumerate(&stage.abstraction), None, self.settings.search)?;
        let shown = campaign.witnessed.iter().map(|id| stage.abstraction.states[id.index()].clone());
        let shown: Vec<State> = shown.collect();
        let defects = campaign.defects.iter().map(|defect| defect.what.clone()).collect();
        let tests = campaign.tests.len();
        drop(trying);
        self.note(&shown);
        let bounds = &self.stage().bounds;
        let shown = bounds.count(|state| state.witnessed);
        Ok(Outcome::Tested { tests, shown, sizes: Sizes::of(bounds), defects })
    }

    fn add(&mut self, text: String, observed: bool) -> Result<Added> {
        let stage = self.stage();
        let mut config = renewed(&stage.config);
        match observed {
            true => config.extra_predicates.push(text.clone()),
            false => config.tracked.push(text.clone()),
        }
        let predicates = predicates::observe(&self.program, &self.cfg, &config)?;
        let counts = |set: &PredicateSet| (set.predicates.len(), set.observed_count());
        if counts(&predicates) == counts(&stage.predicates) {
            return Err(Error::usage_with_help(
                format!("`{text}` says the same as a predicate that is there already"),
                "`predicates` lists them",
            ));
        }
        let abstraction = abstraction::compute(&self.program, &self.cfg, &predicates, &config, &|_, _| {})?;
        let finer = bounds::bound(&abstraction, predicates.observed_count(), self.cfg.checks.len());
        let bounds = if observed { finer } else { stage.bounds.clone().refined(&finer) };
        let added = Added { text, observed, before: Sizes::of(&stage.bounds), after: Sizes::of(&bounds) };
        self.stages.push(Stage { config, predicates, abstraction, bounds, added: Some(added.clone()) });
        Ok(added)
    }

    fn undo(&mut self) -> Result<Outcome> {
        let Some(Added { text, observed, .. }) = self.stage().added.clone() else {
            return Err(Error::usage("there is nothing to undo"));
        };
        let undone = self.stages.pop();
        if let Some(undone) = undone.filter(|_| !observed) {
            let shown = undone.bounds.states.into_iter().filter(|state| state.witnessed);
            let shown: Vec<State> =
                shown.map(|state| State { point: state.point, valuation: state.valuation }).collect();
            self.note(&shown);
        }
        Ok(Outcome::Undone { text, sizes: Sizes::of(&self.stage().bounds) })
    }

    fn subject<'a>(&'a self, config: &'a Config) -> Subject<'a> {
        let Stage { predicates, abstraction, .. } = self.stage();
        Subject { program: &self.program, cfg: &self.cfg, config, predicates, abstraction }
    }

    fn explaining<'a>(&self, is_over: &'a (dyn Fn() -> bool + Sync)) -> Explaining<'a> {
        let Settings { limits, search, max_predicates, .. } = self.settings;
        Explaining { limits, search, max_predicates, is_over }
    }
}

/// The settings with their limit of time counted from now on: each order has its own.
fn renewed(config: &Config) -> Config {
    Config { limit: config.limit.map(|limit| TimeLimit::from_now(limit.length)), ..config.clone() }
}

fn is_late(config: &Config) -> bool {
    config.limit.is_some_and(|limit| Instant::now() >= limit.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read_and_wrong_ones_told() {
        let read = |line: &str| parse(line).unwrap();
        assert_eq!(read("  track a[lo - 1] <= pivot "), Some(Order::Track("a[lo - 1] <= pivot".to_string())));
        assert_eq!(read("suggest"), Some(Order::Suggest(None)));
        assert_eq!(read("suggest L7:FFFT"), Some(Order::Suggest(Some("L7:FFFT".to_string()))));
        assert_eq!(read(""), None);
        assert_eq!(read("# a comment"), None);
        for (wrong, words) in [
            ("trak x", "`trak` is no order"),
            ("track", "`track` needs a C expression"),
            ("explain ", "`explain` needs a state, such as L7:FFFT"),
            ("undo it", "`undo` stands alone, without `it`"),
        ] {
            assert_eq!(parse(wrong).unwrap_err().to_string(), words);
        }
    }

    #[test]
    fn every_order_of_the_list_is_one() {
        for (order, _) in ORDERS {
            assert!(parse(order).unwrap().is_some(), "{order}");
        }
    }
}
