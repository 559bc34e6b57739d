//! Which predicates multiply the states: those that take both values whatever the others are.
//!
//! For each predicate the number of pairs of states that differ in it alone. A valuation is summed up by a number that is
//! the exclusive or of one number for each value, so that a changed value is a changed number; two valuations with the
//! same number are so unlikely that a ranking need not care.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::State;

/// At most so many pairs are looked for: a ranking is worth a second, no more.
const MAX_PAIRS: usize = 10_000_000;

/// The positions of the predicates with such pairs, those with the most first.
pub(super) fn rank(states: &[State], predicates: usize) -> Vec<usize> {
    let mut by_point: Vec<&[State]> = states.chunk_by(|a, b| a.point == b.point).collect();
    by_point.sort_by_key(|here| std::cmp::Reverse(here.len()));
    let mut pairs = vec![0usize; predicates];
    let mut looked_for = 0;
    for here in by_point {
        looked_for += here.len() * predicates;
        if looked_for > MAX_PAIRS && pairs.iter().any(|count| *count > 0) {
            break;
        }
        count(here, &mut pairs);
    }
    let mut ranking: Vec<usize> = (0..predicates).filter(|position| pairs[*position] > 0).collect();
    ranking.sort_by_key(|position| std::cmp::Reverse(pairs[*position]));
    ranking
}

/// Adds, for each predicate, the pairs of the states of one point that differ in it alone.
fn count(states: &[State], pairs: &mut [usize]) {
    let keys: Vec<u64> = states.iter().map(key).collect();
    let known: HashSet<u64> = keys.iter().copied().collect();
    let flips: Vec<u64> = (0..pairs.len()).map(|position| part(position, true) ^ part(position, false)).collect();
    for (state, key) in states.iter().zip(keys) {
        for (position, flip) in flips.iter().enumerate() {
            if state.valuation.get(position) == Some(true) && known.contains(&(key ^ flip)) {
                pairs[position] += 1;
            }
        }
    }
}

fn key(state: &State) -> u64 {
    let values = state.valuation.iter().enumerate();
    values.fold(0, |key, (position, value)| key ^ value.map_or(0, |value| part(position, value)))
}

fn part(position: usize, value: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    (position, value).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::rank;
    use crate::abstraction::{State, Valuation};
    use crate::cfg::PointId;

    #[test]
    fn what_depends_on_others_multiplies_nothing() {
        // The first is free, the second and the third are equal.
        let states: Vec<State> = ["TTT", "TFF", "FTT", "FFF"]
            .iter()
            .map(|text| State {
                point: PointId(0),
                valuation: Valuation::new(text.chars().map(|value| Some(value == 'T'))),
            })
            .collect();
        assert_eq!(rank(&states, 3), [0]);
    }
}
