//! What a user reads if an item is wrong: all errors at once, suggestions for misspelled words, and
//! what is wrong with a name.

use crate::attribute::{ALL, SYNONYMS, Target, Word};
use core::fmt::Display;
use proc_macro2::Span;
use quote::ToTokens;

/// A collection of errors. Dropping it without a call of [`check`](Self::check) panics, because the
/// errors would be lost.
pub(crate) struct Errors {
    found: Vec<syn::Error>,
    checked: bool,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Self { found: Vec::new(), checked: false }
    }

    pub(crate) fn at(&mut self, span: Span, message: impl Display) {
        self.add(syn::Error::new(span, message));
    }

    pub(crate) fn on(&mut self, tokens: &impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(tokens, message));
    }

    pub(crate) fn add(&mut self, error: syn::Error) {
        self.found.push(error);
    }

    /// Returns all errors as one, if there are any.
    pub(crate) fn check(mut self) -> syn::Result<()> {
        self.checked = true;
        let mut all = core::mem::take(&mut self.found).into_iter();
        match all.next() {
            None => Ok(()),
            Some(mut first) => {
                first.extend(all);
                Err(first)
            }
        }
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        assert!(self.checked || std::thread::panicking(), "the errors were never checked");
    }
}

/// Returns what is wrong with a frame's name and what to write instead, or `None` if the name is
/// valid.
pub(crate) fn name_problem(name: &str, target: Target) -> Option<&'static str> {
    if name.is_empty() {
        return Some(
            "a name cannot be empty: write one, or remove `rename` to keep the name in the code",
        );
    }
    if name.contains(['[', ']']) {
        return Some(
            "a name cannot contain brackets, which mark memprof's own frames such as `[padding]`: write it without",
        );
    }
    if name.contains(';') {
        return Some(
            "a name cannot contain `;`, which separates the frames of a path: write it without",
        );
    }
    if name.contains(char::is_control) {
        return Some("a name cannot contain control characters: write it on one line");
    }
    if name.trim() != name {
        return Some("a name cannot begin or end with a space: write it without");
    }
    // The root is named after the last segment of the type's name, without its generic arguments.
    if target == Target::Type && name.contains(['<', ' ', ':']) {
        return Some(
            "the name of a type cannot contain `:`, `<` or a space: write one word, or name the root with `Profile::named`",
        );
    }
    None
}

/// Returns the word for `target` that is most similar to `typed`, if one is similar enough.
pub(crate) fn nearest(typed: &str, target: Target) -> Option<&'static Word> {
    let synonym = SYNONYMS.into_iter().find(|(name, _)| *name == typed).map(|found| found.1);
    synonym.filter(|word| word.is_allowed_on(target)).or_else(|| {
        let candidates = ALL.into_iter().filter(|word| word.is_allowed_on(target));
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
    use crate::attribute::Target;

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
