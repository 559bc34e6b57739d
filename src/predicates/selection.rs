//! `--observe`: which of the conditions are kept.
//!
//! A wish selects the predicates whose text it matches as a pattern, and, if it is a C expression, the predicate with
//! the same canonical form. `a * b` can be read both ways, and then selects what either reading does.

use std::sync::Arc;

use wildmatch::WildMatch;

use super::{Collection, Predicate, canonical};
use crate::error::{Error, Result};
use crate::frontend::{Origin, PredicateText};

impl Collection<'_> {
    /// Keeps the predicates that at least one of the wishes selects; all, if there are no wishes.
    pub(super) fn select(&mut self, wishes: &[String]) -> Result<()> {
        if wishes.is_empty() {
            return Ok(());
        }
        let mut kept = vec![false; self.predicates.len()];
        for wish in wishes {
            let form = self.form(wish);
            let pattern = WildMatch::new(wish.trim());
            let mut selects = false;
            for (predicate, kept) in self.predicates.iter().zip(&mut kept) {
                if form.as_ref() == Some(&predicate.form) || pattern.matches(&predicate.text) {
                    (selects, *kept) = (true, true);
                }
            }
            if !selects {
                return Err(nothing_selected(wish, &self.predicates));
            }
        }
        let mut kept = kept.into_iter();
        self.predicates.retain(|_| kept.next().unwrap_or(false));
        // What was dropped can be added again by -p or --track.
        self.seen = self.predicates.iter().map(|predicate| predicate.form.clone()).collect();
        Ok(())
    }

    /// The canonical form of a wish, if it is a C expression over names of the function.
    fn form(&self, wish: &str) -> Option<String> {
        let origin = Origin { name: "--observe".to_string(), text: Arc::from(wish), line: 1 };
        let parsed = PredicateText::parse(self.program, self.macros.as_ref(), &origin, 0, wish).ok()?;
        let expr = parsed.resolve(self.program, &self.everywhere).ok()?;
        Some(canonical::form(&expr, self.cfg.naming()))
    }
}

fn nothing_selected(wish: &str, predicates: &[Predicate]) -> Error {
    let texts: Vec<&str> = predicates.iter().map(|predicate| predicate.text.as_str()).collect();
    let help = match texts.is_empty() {
        true => "the function has no conditions; -p observes any C expression".to_string(),
        false => format!("the conditions of the function are: {}", texts.join(", ")),
    };
    Error::usage_with_help(format!("--observe '{wish}' selects no predicate"), help)
}
