//! Suggestions for misspelled words.

use crate::word::{self, Target, Word};

/// Returns the word for `target` that is most similar to `typed`, if one is similar enough.
pub(crate) fn nearest(typed: &str, target: Target) -> Option<&'static Word> {
    let synonym = word::SYNONYMS.into_iter().find(|(name, _)| *name == typed).map(|found| found.1);
    synonym.filter(|word| word.is_allowed_on(target)).or_else(|| {
        let candidates = word::ALL.into_iter().filter(|word| word.is_allowed_on(target));
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
    use crate::word::Target;

    #[test]
    fn a_misspelled_word_has_a_suggestion() {
        let word = |typed, target| nearest(typed, target).map(|word| word.name);
        assert_eq!(word("skp", Target::Field), Some("skip"));
        assert_eq!(word("laef", Target::Field), Some("leaf"));
        assert_eq!(word("renmae", Target::Type), Some("rename"));
        assert_eq!(word("ignore", Target::Field), Some("skip"));
        assert_eq!(word("skip_serializing", Target::Field), None);
        assert_eq!(word("skp", Target::Type), None);
    }

    #[test]
    fn a_swap_is_one_edit() {
        assert_eq!(distance("laef", "leaf"), 1);
        assert_eq!(distance("", "leaf"), 4);
        assert_eq!(distance("keyed", "keyed"), 0);
    }
}
