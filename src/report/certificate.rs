//! Certificates: a proof that no run reaches some states, as a file that can be checked without knowing how it was found.
//!
//! It holds the predicates, a set of states that no run leaves, and the states that are claimed to be unreachable. What
//! decides the meaning of the C (`options`) is kept too: a certificate is about one reading of the function.

use serde::{Deserialize, Serialize};

use crate::abstraction::Valuation;
use crate::cfg::{Cfg, PointId};
use crate::config::{Config, Globals};
use crate::error::{Error, Result};
use crate::refinement::certificate::Checked;
use crate::refinement::{Observable, Proof};

/// The word by which a certificate is known.
const SCHEMA: &str = "pct-certificate/1";

/// A certificate as it is kept.
#[derive(Serialize, Deserialize, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    schema: String,
    function: String,
    options: Options,
    predicates: Vec<Predicate>,
    /// The points, in order.
    points: Vec<String>,
    /// States that no run leaves, by all predicates.
    set: Vec<String>,
    /// States that a step may lead to from the set, but that no run gets to within it.
    unrolled: Vec<String>,
    /// The states that are claimed to be unreachable, by the observed predicates.
    unreachable: Vec<String>,
}

#[derive(Serialize, Deserialize, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
struct Predicate {
    text: String,
    observed: bool,
}

/// What decides the meaning of the C.
#[derive(Serialize, Deserialize, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Options {
    points: String,
    arith: String,
    overflow: String,
    depth: usize,
    globals: String,
    havoc: Vec<String>,
    may_alias: bool,
    checks: Vec<String>,
    length: Vec<(String, String)>,
}

impl Options {
    pub(super) fn of(config: &Config, labels: bool) -> Options {
        Options {
            points: if labels { "labels" } else { "statements" }.to_string(),
            arith: config.arithmetic.name().to_string(),
            overflow: config.overflow.name().to_string(),
            depth: config.depth,
            globals: if config.globals == Globals::Initial { "initial" } else { "arbitrary" }.to_string(),
            havoc: config.havocked.clone(),
            may_alias: config.may_alias,
            checks: config.checks.iter().map(|check| check.name().to_string()).collect(),
            length: config.lengths.clone(),
        }
    }
}

impl Certificate {
    /// The certificate of a proof, for those of the claims that it covers.
    pub fn of<'a>(
        config: &Config,
        labels: bool,
        cfg: &Cfg,
        proof: &Proof,
        claims: impl IntoIterator<Item = &'a Observable>,
    ) -> Certificate {
        let names = |states: &mut dyn Iterator<Item = &Observable>| -> Vec<String> {
            states.map(|(point, values)| format!("{}:{values}", cfg.points[point.index()].label)).collect()
        };
        let predicates = proof.predicates.predicates.iter();
        Certificate {
            schema: SCHEMA.to_string(),
            function: cfg.function.clone(),
            options: Options::of(config, labels),
            predicates: predicates.map(|p| Predicate { text: p.text.clone(), observed: p.observed }).collect(),
            points: cfg.points.iter().map(|point| point.label.clone()).collect(),
            set: names(&mut proof.cubes.iter()),
            unrolled: names(&mut proof.unrolled.iter()),
            unreachable: names(&mut claims.into_iter().filter(|claim| proof.excludes(claim))),
        }
    }

    /// How many states it proves to be unreachable.
    pub fn claims(&self) -> usize {
        self.unreachable.len()
    }

    /// The file.
    pub fn render(&self) -> String {
        serde_json::to_string_pretty(self).expect("a certificate is plain data") + "\n"
    }

    /// Reads a certificate.
    pub fn read(text: &str, file: &str) -> Result<Certificate> {
        let wrong = |what: String| {
            Error::usage_with_help(
                format!("{file} is no certificate: {what}"),
                "`pct refine FILE.c --auto --certificate FILE` writes one",
            )
        };
        let certificate: Certificate = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        match certificate.schema.as_str() {
            SCHEMA => Ok(certificate),
            other => Err(wrong(format!("its schema is {other}, not {SCHEMA}"))),
        }
    }

    /// The predicates, each with whether it is observed.
    pub fn predicates(&self) -> Vec<(String, bool)> {
        self.predicates.iter().map(|predicate| (predicate.text.clone(), predicate.observed)).collect()
    }

    /// Why the certificate is not one of this function, read in this way; in words.
    pub fn mismatch(&self, config: &Config, labels: bool, cfg: &Cfg) -> Option<String> {
        let points: Vec<&str> = cfg.points.iter().map(|point| point.label.as_str()).collect();
        if self.function != cfg.function {
            return Some(format!("it is about the function `{}`, not `{}`", self.function, cfg.function));
        }
        let (own, given) = (&self.options, Options::of(config, labels));
        if *own != given {
            return Some(format!("it was made with other options: {own:?}, not {given:?}"));
        }
        (self.points != points).then(|| "the function has other points now".to_string())
    }

    /// The set, what is unrolled, and the claims; an error names a state that is none.
    pub fn states(&self, cfg: &Cfg) -> std::result::Result<[Vec<Observable>; 3], String> {
        let all = self.predicates.len();
        let observed = self.predicates.iter().filter(|predicate| predicate.observed).count();
        let parsed = |names: &[String], count: usize| -> std::result::Result<Vec<Observable>, String> {
            let state = |name: &String| state(cfg, name, count).ok_or(format!("`{name}` is no state"));
            names.iter().map(state).collect()
        };
        Ok([parsed(&self.set, all)?, parsed(&self.unrolled, all)?, parsed(&self.unreachable, observed)?])
    }
}

/// The state of a name such as `L7:FF-T`.
pub(super) fn state(cfg: &Cfg, name: &str, count: usize) -> Option<Observable> {
    let (label, letters) = name.rsplit_once(':')?;
    let point = cfg.points.iter().position(|point| point.label == label)?;
    let value = |letter: char| match letter {
        'T' => Some(Some(true)),
        'F' => Some(Some(false)),
        '-' => Some(None),
        _ => None,
    };
    let values: Vec<Option<bool>> = letters.chars().map(value).collect::<Option<_>>()?;
    (values.len() == count).then(|| (PointId(point as u32), Valuation::new(values)))
}

/// What came of a check, as people read it.
pub fn text(certificate: &Certificate, cfg: &Cfg, checked: &Checked) -> String {
    let mut text = String::new();
    for (point, values) in &checked.contradicted {
        let label = &cfg.points[point.index()].label;
        text += &format!("  {label}:{values} is said to be unreachable, but lies in the set\n");
    }
    let (total, mut open) = (checked.obligations.len(), 0);
    for obligation in checked.obligations.iter().filter(|one| !one.is_met()) {
        open += 1;
        if open <= 5 {
            text += &format!("  not proved: never {}\n", obligation.what);
        }
    }
    match checked.holds() {
        true => format!("the certificate holds: {total} questions, {} states unreachable\n", certificate.claims()),
        false => format!("{text}the certificate is rejected: {open} of {total} questions are not proved\n"),
    }
}
