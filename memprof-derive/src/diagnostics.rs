//! What a user reads if an item is wrong: all errors at once, suggestions for misspelled words, and
//! what is wrong with a name.

use crate::attribute::{SYNONYMS, Target, Word};
use core::fmt::Display;
use proc_macro2::Span;
use quote::ToTokens;

/// The errors found so far, as one.
#[derive(Default)]
#[must_use]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    pub(crate) fn at(&mut self, span: Span, message: impl Display) {
        self.add(syn::Error::new(span, message));
    }

    pub(crate) fn on(&mut self, tokens: &impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(tokens, message));
    }

    pub(crate) fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// Returns all errors as one, if there are any.
    pub(crate) fn check(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}

/// Returns what is wrong with a frame's name and what to write instead, or `None` if the name is
/// valid.
pub(crate) fn name_problem(name: &str, target: Target) -> Option<&'static str> {
    if name.is_empty() {
        return Some("a name cannot be empty; remove `rename` to keep the name in the code");
    }
    if name.contains(['[', ']']) {
        return Some(
            "a name cannot contain brackets, which mark memprof's own frames such as `[padding]`",
        );
    }
    if name.contains(';') {
        return Some("a name cannot contain `;`, which separates the frames of a path");
    }
    if name.contains(char::is_control) {
        return Some("a name cannot contain control characters");
    }
    if name.trim() != name {
        return Some("a name cannot begin or end with a space");
    }
    // The root is named after the last segment of the type's name, without its generic arguments.
    if target == Target::Type && name.contains(['<', ' ', ':']) {
        return Some(
            "the name of a type cannot contain `:`, `<` or a space; use one word, or name the root with `Profile::named`",
        );
    }
    None
}

/// Returns the word for `target` that is most similar to `typed`, if one is similar enough.
pub(crate) fn nearest(typed: &str, target: Target) -> Option<&'static Word> {
    let allowed = |word: &&Word| word.is_allowed_on(target);
    let synonym = SYNONYMS.into_iter().filter(|(name, _)| *name == typed).map(|found| found.1);
    synonym.into_iter().find(allowed).or_else(|| {
        let candidates = target.words().iter().copied().filter(allowed);
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
