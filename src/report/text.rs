//! What a person reads: the matrix of Figure 3 (points × valuations, a mark for each verdict) and the summary.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::state_id;
use crate::abstraction::{Abstraction, Valuation};
use crate::bounds::{Bounds, Verdict};
use crate::cfg::{Cfg, PointId};
use crate::config::{Arithmetic, Config, Overflow};
use crate::predicates::PredicateSet;

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

/// At most this many open states are listed.
const MAX_LISTED: usize = 24;

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

/// The whole report.
pub fn render(
    config: &Config,
    cfg: &Cfg,
    predicates: &PredicateSet,
    abstraction: &Abstraction,
    bounds: &Bounds,
    style: Style,
) -> String {
    let page = Page { config, cfg, predicates, abstraction, bounds, style };
    let mut text = page.heading();
    text.push_str(&page.legend_of_predicates());
    text.push_str(&page.matrix());
    text.push_str(&page.summary());
    text
}

struct Page<'a> {
    config: &'a Config,
    cfg: &'a Cfg,
    predicates: &'a PredicateSet,
    abstraction: &'a Abstraction,
    bounds: &'a Bounds,
    style: Style,
}

impl Page<'_> {
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
            Some(Verdict::Open) => self.paint(YELLOW, "?"),
            None if self.bounds.partial => " ".to_string(),
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
            (Verdict::Open, "open"),
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

    fn summary(&self) -> String {
        let bounds = self.bounds;
        let (upper, lower) = (bounds.states.len(), bounds.count(|s| s.lower));
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
        self.assumptions(&mut text);
        let statistics = self.abstraction.statistics;
        let _ =
            writeln!(text, "  solver: {}, {} unanswered", counted(statistics.queries, "question"), statistics.unknown);
        for note in &self.cfg.notes {
            let _ = writeln!(text, "  note: {note}");
        }
        text
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
        let more = match open.len().saturating_sub(MAX_LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let listed = open.iter().take(MAX_LISTED).cloned().collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "  open ({}): {listed}{more}", open.len());
    }

    /// What L rests on, spelled out.
    fn assumptions(&self, text: &mut String) {
        let bounds = self.bounds;
        let names = |points: &[PointId]| {
            let names: Vec<&str> = points.iter().map(|point| self.cfg.points[point.index()].label.as_str()).collect();
            names.join(", ")
        };
        text.push_str("\n  L assumes\n");
        if bounds.initial_assumption_holds {
            text.push_str("    - nothing about the start: every state of an initial valuation is one (checked)\n");
        } else {
            let _ = writeln!(
                text,
                "    - that every state of an initial valuation is a start; here that is not so. Without it: {}",
                bounds.count(|s| s.lower_exact)
            );
        }
        if bounds.loops.is_empty() {
            text.push_str("    - nothing about termination: there are no loops\n");
        } else {
            let _ = writeln!(
                text,
                "    - that runs end: the loop through {} may diverge as far as is known",
                names(&bounds.loops)
            );
        }
        let overflow = match (self.config.arithmetic, self.config.overflow) {
            (Arithmetic::Ideal, _) => "no division by zero",
            (_, Overflow::Assume) => "no signed overflow, no division by zero, no shift by too much",
            (_, Overflow::Error | Overflow::Wrap) => "no division by zero, no shift by too much",
        };
        let _ = writeln!(text, "    - that runs do nothing undefined: {overflow}");
        if !bounds.diverges.is_empty() {
            let _ = writeln!(
                text,
                "  {} no run that comes to {} ends",
                self.paint(YELLOW, "diverges:"),
                names(&bounds.diverges)
            );
        }
        if bounds.partial {
            let _ = writeln!(
                text,
                "  {} the analysis stopped at a limit; states may be missing, and none is called impossible",
                self.paint(YELLOW, "partial:"),
            );
        }
        text.push('\n');
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

fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
