//! Truth values of the predicates at a point; `-` for those that are not observed there.

use bitvec::vec::BitVec;
use std::cmp::Reverse;
use std::fmt;

/// A valuation. Ordered like the columns of Figure 3 of the paper: T before F before -.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Valuation {
    values: BitVec,
    observed: BitVec,
}

impl Valuation {
    /// A valuation with the given values; `None` where the predicate is not observed.
    pub fn new(values: impl IntoIterator<Item = Option<bool>>) -> Valuation {
        let mut valuation = Valuation { values: BitVec::new(), observed: BitVec::new() };
        for value in values {
            valuation.values.push(value.unwrap_or(false));
            valuation.observed.push(value.is_some());
        }
        valuation
    }

    /// The value of the predicate at `position`, if it is observed.
    pub fn get(&self, position: usize) -> Option<bool> {
        self.observed[position].then(|| self.values[position])
    }

    /// The same, for any position: those behind the last one are not observed.
    pub fn get_at(&self, position: usize) -> Option<bool> {
        (position < self.values.len()).then(|| self.get(position)).flatten()
    }

    /// All values in order.
    pub fn iter(&self) -> impl Iterator<Item = Option<bool>> + '_ {
        (0..self.values.len()).map(|position| self.get(position))
    }

    /// The values of the first `count` predicates.
    pub fn prefix(&self, count: usize) -> Valuation {
        Valuation { values: self.values[..count].to_bitvec(), observed: self.observed[..count].to_bitvec() }
    }
}

impl PartialOrd for Valuation {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Valuation {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.iter().map(Reverse).cmp(other.iter().map(Reverse))
    }
}

impl fmt::Display for Valuation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for value in self.iter() {
            f.write_str(match value {
                Some(true) => "T",
                Some(false) => "F",
                None => "-",
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Valuation;

    #[test]
    fn true_comes_before_false_comes_before_unobserved() {
        let valuations = ["TT", "TF", "T-", "FT", "FF", "-F"].map(|text| {
            Valuation::new(text.chars().map(|c| match c {
                'T' => Some(true),
                'F' => Some(false),
                _ => None,
            }))
        });
        assert!(valuations.is_sorted());
        assert_eq!(valuations[2].to_string(), "T-");
        assert_eq!(valuations[2].prefix(1).to_string(), "T");
    }
}
