//! What a person reads: the matrix of Figure 3 (points × valuations, a mark for each verdict) and the summary.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::{CheckResult, Failures, Results, inputs, state_id};
use crate::abstraction::{Abstraction, Limit, Valuation};
use crate::bounds::{Bounds, CheckVerdict, Verdict};
use crate::cfg::{Cfg, Check, PointId};
use crate::config::{Arithmetic, Config};
use crate::frontend::DefinedFunction;
use crate::predicates::PredicateSet;
use crate::predicates::estimate::estimate;

/// How the text is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether to use colours.
    pub colour: bool,
    /// How many characters fit a line.
    pub width: usize,
}

/// More columns than this are not drawn; a table of numbers takes their place.
const MAX_COLUMNS: usize = 400;

/// At most this many states are listed in a line.
const MAX_LISTED: usize = 24;

/// The functions, one a line: name and place.
pub fn functions(functions: &[DefinedFunction]) -> String {
    let width = functions.iter().map(|function| function.name.chars().count()).max().unwrap_or(0);
    let line = |DefinedFunction { name, file, line }: &DefinedFunction| format!("{name:width$}  {file}:{line}\n");
    functions.iter().map(line).collect()
}

/// The predicates, one a line, as a predicate file has them.
pub fn predicates(predicates: &PredicateSet) -> String {
    let width = predicates.predicates.iter().map(|p| p.name.len()).max().unwrap_or(0) + 1;
    let mut text = String::new();
    for predicate in predicates.predicates.iter().filter(|p| p.observed) {
        let name = format!("{}:", predicate.name);
        let _ = writeln!(text, "{name:width$} {}", predicate.text);
    }
    text
}

/// At most this many predicates are named as those that multiply the states.
const MAX_NAMED: usize = 6;

/// The warning that there may be more states than the limit allows; `None` if that is not to be feared.
pub fn explosion(config: &Config, cfg: &Cfg, predicates: &PredicateSet) -> Option<String> {
    let estimate = estimate(cfg, predicates);
    let limit = config.max_states;
    (estimate.states > limit as f64).then(|| {
        let count = match estimate.states {
            states if states < 1e15 => format!("{states:.0}"),
            states => format!("{states:.0e}"),
        };
        format!(
            "warning: {} predicates at {} may have about {count} states, more than the limit of {limit} \
             (--max-states).\n{}",
            predicates.predicates.len(),
            counted(cfg.points.len(), "point"),
            advice(predicates, &estimate.multiplying, "  ")
        )
    })
}

/// Which predicates multiply the states, and what to do about it.
fn advice(predicates: &PredicateSet, multiplying: &[usize], indent: &str) -> String {
    let mut text = String::new();
    let named: Vec<String> = multiplying
        .iter()
        .take(MAX_NAMED)
        .map(|position| &predicates.predicates[*position])
        .map(|predicate| format!("{} ({})", predicate.name, predicate.text))
        .collect();
    if !named.is_empty() {
        let more = match multiplying.len() - named.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let _ = writeln!(text, "{indent}What multiplies the states: {}{more}.", named.join(", "));
    }
    let _ = write!(
        text,
        "{indent}Observe less with --observe EXPR or --observe PATTERN, or at fewer points with --points labels."
    );
    text
}

/// The whole report.
pub fn render(results: Results<'_>, style: Style) -> String {
    matrix(results, style) + &Page::new(results, style).summary(results.failures)
}

/// Heading, predicates and the matrix of the verdicts.
pub fn matrix(results: Results<'_>, style: Style) -> String {
    let page = Page::new(results, style);
    page.heading() + &page.legend_of_predicates() + &page.matrix()
}

struct Page<'a> {
    config: &'a Config,
    cfg: &'a Cfg,
    predicates: &'a PredicateSet,
    abstraction: &'a Abstraction,
    bounds: &'a Bounds,
    style: Style,
}

impl<'a> Page<'a> {
    fn new(Results { config, cfg, predicates, abstraction, bounds, .. }: Results<'a>, style: Style) -> Page<'a> {
        Page { config, cfg, predicates, abstraction, bounds, style }
    }

    fn heading(&self) -> String {
        let arithmetic = match self.config.arithmetic {
            Arithmetic::Machine => "machine integers",
            Arithmetic::Ideal => "mathematical integers",
        };
        format!(
            "{} in {}: {}, {}, {arithmetic}\n\n",
            self.paint(BOLD, &self.cfg.function),
            self.config.file_name(),
            counted(self.cfg.points.len(), "point"),
            counted(self.predicates.predicates.len(), "predicate"),
        )
    }

    fn legend_of_predicates(&self) -> String {
        let width = self.predicates.predicates.iter().map(|p| p.name.len()).max().unwrap_or(0);
        let mut text = String::new();
        for predicate in &self.predicates.predicates {
            let tracked = if predicate.observed { "" } else { "   (tracked, not observed)" };
            let _ = writeln!(text, "  {:width$}  {}{tracked}", predicate.name, predicate.text);
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }

    /// The columns: every feasible valuation if they are few, and in any case those that occur in U.
    fn columns(&self) -> Vec<Valuation> {
        let mut columns: BTreeSet<Valuation> = self.bounds.states.iter().map(|state| state.valuation.clone()).collect();
        columns.extend(self.abstraction.feasible.iter().flatten().cloned());
        columns.into_iter().collect()
    }

    fn matrix(&self) -> String {
        if self.bounds.states.is_empty() {
            let why = match self.bounds.partial {
                true => "no state was found before the limit",
                false => "nothing is observed: the function has no reachable point",
            };
            return format!("  {why}\n\n");
        }
        let columns = self.columns();
        if columns.len() > MAX_COLUMNS {
            return self.numbers();
        }
        let verdicts: BTreeMap<(PointId, &Valuation), Verdict> =
            self.bounds.states.iter().map(|state| ((state.point, &state.valuation), state.verdict)).collect();
        let names = self.predicates.predicates.iter().filter(|p| p.observed).map(|p| &p.name);
        let labels = self.cfg.points.iter().map(|point| &point.label);
        let margin = names.chain(labels).map(|name| name.chars().count()).max().unwrap_or(0);
        let fitting = (self.style.width.saturating_sub(margin + 4) / 2).max(8);
        let mut text = String::new();
        for part in columns.chunks(fitting) {
            let observed = self.predicates.predicates.iter().filter(|p| p.observed);
            for (position, predicate) in observed.enumerate() {
                let _ = write!(text, "  {:margin$} ", predicate.name);
                for valuation in part {
                    let value = match valuation.get(position) {
                        Some(true) => "T",
                        Some(false) => "F",
                        None => "-",
                    };
                    let _ = write!(text, " {value}");
                }
                text.push('\n');
            }
            let _ = writeln!(text, "  {}", "─".repeat(margin + 1 + 2 * part.len()));
            for (index, point) in self.cfg.points.iter().enumerate() {
                let mut line = format!("  {:margin$} ", point.label);
                for valuation in part {
                    let verdict = verdicts.get(&(PointId(index as u32), valuation)).copied();
                    let _ = write!(line, " {}", self.mark(verdict));
                }
                text.push_str(line.trim_end());
                text.push('\n');
            }
            text.push('\n');
        }
        text.push_str(&self.legend_of_marks());
        text
    }

    /// For very many valuations: how many states each point has.
    fn numbers(&self) -> String {
        let mut text = String::from("  point        |U|      |L|     open\n");
        for (index, point) in self.cfg.points.iter().enumerate() {
            let here = |condition: fn(&crate::bounds::BoundedState) -> bool| {
                self.bounds.count(|s| s.point.index() == index && condition(s))
            };
            let _ = writeln!(
                text,
                "  {:8} {:7}  {:7}  {:7}",
                point.label,
                here(|_| true),
                here(|s| s.lower),
                here(|s| !s.lower),
            );
        }
        text.push('\n');
        text
    }

    fn mark(&self, verdict: Option<Verdict>) -> String {
        match verdict {
            Some(Verdict::Initial) => self.paint(BOLD, "I"),
            Some(Verdict::Must) => "#".to_string(),
            Some(Verdict::Weak) => self.paint(GREEN, "+"),
            Some(Verdict::Optimistic) => self.paint(RED, "o"),
            Some(Verdict::Witnessed) => self.paint(CYAN, "w"),
            Some(Verdict::Open) => self.paint(YELLOW, "?"),
            None if self.bounds.partial => " ".to_string(),
            Some(Verdict::Unreachable) => self.paint(DIM, "x"),
            None => self.paint(DIM, "·"),
        }
    }

    fn legend_of_marks(&self) -> String {
        let present: BTreeSet<Verdict> = self.bounds.states.iter().map(|s| s.verdict).collect();
        let mut parts = Vec::new();
        for (verdict, words) in [
            (Verdict::Initial, "initial"),
            (Verdict::Must, "must be reached"),
            (Verdict::Weak, "reached through one may step"),
            (Verdict::Optimistic, "reached if runs end"),
            (Verdict::Witnessed, "shown by a test"),
            (Verdict::Open, "open"),
            (Verdict::Unreachable, "proved impossible by refinement"),
        ] {
            if present.contains(&verdict) {
                parts.push(format!("{} {words}", self.mark(Some(verdict))));
            }
        }
        if !self.bounds.partial {
            parts.push(format!("{} impossible", self.mark(None)));
        }
        format!("  {}\n\n", parts.join("   "))
    }

    fn summary(&self, failures: &Failures) -> String {
        let bounds = self.bounds;
        let (upper, lower) = (bounds.upper(), bounds.count(|s| s.lower));
        let mut text = String::new();
        let headline = format!("|U| = {upper}, |L| = {lower}, |L|/|U| = {:.3}", bounds.ratio());
        let _ = writeln!(
            text,
            "  {}   (|Lp| = {}, lower_exact = {}, initial = {})",
            self.paint(BOLD, &headline),
            bounds.count(|s| s.lower_pessimistic),
            bounds.count(|s| s.lower_exact),
            super::initial_count(bounds),
        );
        let kinds = |plus: bool, minus: bool| {
            bounds.between_states().filter(|t| t.must_plus == plus && t.must_minus == minus).count()
        };
        let _ = writeln!(
            text,
            "  {}: {} must#, {} only must+, {} only must-",
            counted(bounds.between_states().count(), "may transition"),
            kinds(true, true),
            kinds(true, false),
            kinds(false, true),
        );
        self.open_states(&mut text);
        self.checks(failures, &mut text);
        self.assumptions(&mut text);
        let statistics = self.abstraction.statistics;
        let _ =
            writeln!(text, "  solver: {}, {} unanswered", counted(statistics.queries, "question"), statistics.unknown);
        for note in &self.cfg.notes {
            let _ = writeln!(text, "  note: {note}");
        }
        text
    }

    /// What is known of the assertions and run-time checks: those that are proved safe are counted.
    fn checks(&self, failures: &Failures, text: &mut String) {
        let all: Vec<_> = super::checks(self.cfg, self.bounds, failures).collect();
        if all.is_empty() {
            return;
        }
        let count = |wanted: CheckVerdict| all.iter().filter(|result| result.verdict == wanted).count();
        let _ = writeln!(
            text,
            "  checks: {} proved safe, {} fail for some input, {} open",
            count(CheckVerdict::Safe),
            count(CheckVerdict::Fails),
            count(CheckVerdict::Open),
        );
        let mut listed: Vec<_> = all.into_iter().filter(|result| result.verdict != CheckVerdict::Safe).collect();
        listed.sort_by_key(|CheckResult { check: Check { span, .. }, verdict, .. }| {
            (*verdict, span.file, span.line, span.order)
        });
        for CheckResult { check, verdict, inputs } in listed.iter().take(MAX_LISTED) {
            let word = match verdict {
                CheckVerdict::Fails => self.paint(RED, "fails"),
                _ => self.paint(YELLOW, "open "),
            };
            let example = match inputs {
                Some(inputs) => format!(", for example with {}", inputs::line(self.cfg, inputs)),
                None => String::new(),
            };
            let (line, kind) = (check.span.line, check.kind.name());
            let _ = writeln!(text, "    {word}  line {line:<5} {kind:9}  {}{example}", check.condition());
        }
        if listed.len() > MAX_LISTED {
            let _ = writeln!(text, "    and {} more", listed.len() - MAX_LISTED);
        }
    }

    fn open_states(&self, text: &mut String) {
        let open: Vec<String> = self
            .bounds
            .states
            .iter()
            .filter(|state| state.verdict == Verdict::Open)
            .map(|state| state_id(self.cfg, state))
            .collect();
        if open.is_empty() {
            return;
        }
        let _ = writeln!(text, "  open ({}): {}", open.len(), listed(open));
    }

    /// What the bounds rest on, spelled out.
    fn assumptions(&self, text: &mut String) {
        let bounds = self.bounds;
        text.push_str("\n  U assumes\n");
        for assumption in super::assumptions::upper(self.config, self.cfg, self.abstraction) {
            let _ = writeln!(text, "    - that {assumption}");
        }
        text.push_str("  L assumes\n");
        for assumption in super::assumptions::lower(self.config, self.cfg, bounds) {
            let _ = writeln!(text, "    - that {assumption}");
        }
        if bounds.initial_assumption_holds {
            text.push_str("    - nothing about the start: every state of an initial valuation is one (checked)\n");
        }
        if bounds.partial {
            text.push_str("    - nothing about termination: it is only what is proven\n");
        } else if bounds.loops.is_empty() {
            text.push_str("    - nothing about termination: there are no loops\n");
        }
        if !bounds.diverges.is_empty() {
            let states = bounds.diverges.iter().map(|id| state_id(self.cfg, &bounds.states[id.index()])).collect();
            let _ = writeln!(
                text,
                "  {} no run that comes to one of these ({}) ends: {}",
                self.paint(YELLOW, "diverges:"),
                bounds.diverges.len(),
                listed(states)
            );
        }
        self.partial(text);
        text.push('\n');
    }

    /// Why the result is not complete, and what to do about it.
    fn partial(&self, text: &mut String) {
        let Some(limit) = self.abstraction.limit else {
            return;
        };
        let which = match limit {
            Limit::Time => {
                let seconds = self.config.limit.map_or(0.0, |limit| limit.length.as_secs_f64());
                format!("after the limit of {seconds} s (--limit)")
            }
            Limit::States => format!("at the limit of {} states (--max-states)", self.config.max_states),
            Limit::Memory => "at its limit of memory".to_string(),
            Limit::Unknown => "where the solver gave up (--timeout) and left too many states possible".to_string(),
        };
        let _ = writeln!(
            text,
            "  {} the analysis stopped {which}; states may be missing, and none is called impossible.",
            self.paint(YELLOW, "partial:"),
        );
        let _ = writeln!(text, "{}", advice(self.predicates, &self.abstraction.multiplying, "    "));
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.style.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }
}

const BOLD: &str = "1";
const DIM: &str = "2";
const RED: &str = "31";
const GREEN: &str = "32";
const YELLOW: &str = "33";
const CYAN: &str = "36";

/// The first of the states.
pub(super) fn listed(mut states: Vec<String>) -> String {
    let more = match states.len().saturating_sub(MAX_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    states.truncate(MAX_LISTED);
    format!("{}{more}", states.join(" "))
}

pub(super) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
