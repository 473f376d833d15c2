//! Suggestions for misspelled words.

use crate::word::{self, Place, Word};

/// Returns the word for `place` that is most similar to `typed`, if one is similar enough.
pub(crate) fn nearest(typed: &str, place: Place) -> Option<&'static Word> {
    let synonym = word::SYNONYMS.into_iter().find(|(name, _)| *name == typed).map(|found| found.1);
    synonym.filter(|word| word.is_for(place)).or_else(|| {
        let candidates = word::ALL.into_iter().filter(|word| word.is_for(place));
        let (distance, word) =
            candidates.map(|word| (distance(typed, word.name), word)).min_by_key(|pair| pair.0)?;
        // One typo in a word of three letters, two in a word of four to six.
        (distance <= word.name.len().div_ceil(3)).then_some(word)
    })
}

/// Returns the number of letters to add, remove, change or swap with a neighbour.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=to.len()).collect()];
    for i in 1..=from.len() {
        let mut row = vec![i];
        for j in 1..=to.len() {
            let changed = rows[i - 1][j - 1] + usize::from(from[i - 1] != to[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};
    use crate::word::Place;

    #[test]
    fn a_slip_finds_its_word() {
        let word = |typed, place| nearest(typed, place).map(|word| word.name);
        assert_eq!(word("skp", Place::Field), Some("skip"));
        assert_eq!(word("laef", Place::Field), Some("leaf"));
        assert_eq!(word("renmae", Place::Type), Some("rename"));
        assert_eq!(word("ignore", Place::Field), Some("skip"));
        assert_eq!(word("skip_serializing", Place::Field), None);
        assert_eq!(word("skp", Place::Type), None);
    }

    #[test]
    fn a_swap_counts_once() {
        assert_eq!(distance("laef", "leaf"), 1);
        assert_eq!(distance("", "leaf"), 4);
        assert_eq!(distance("keyed", "keyed"), 0);
    }
}
