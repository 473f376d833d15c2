//! What a profile was made from, which decides what it can know.

use core::fmt;

/// What a profile was made from; those further down the list know less.
///
/// A profile of values knows everything there is to know. Counters tell names, bytes and the memory
/// these are in, folded stacks names and bytes only: counts, roles and sharing are unknown then, not
/// 0, and nobody can tell whether the bytes are exact.
///
/// ```
/// use memprof_core::Origin;
/// use memprof_profile::Profile;
///
/// assert_eq!(Profile::of(&7_u64).origin(), Origin::Values);
/// let folded = Profile::from_folded("main;parse 12\n")?;
/// assert_eq!(folded.origin(), Origin::Folded);
/// assert!(!folded.is_exact());
/// # Ok::<(), memprof_profile::FoldedError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// Values of a program, walked.
    #[default]
    Values,
    /// Counters of a device, an allocator or a library.
    Counters,
    /// Folded stacks, as any tool writes them.
    Folded,
}

impl Origin {
    /// Every origin.
    pub const ALL: [Self; 3] = [Self::Values, Self::Counters, Self::Folded];

    /// The word that files use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Values => "values",
            Self::Counters => "counters",
            Self::Folded => "folded",
        }
    }

    /// The origin that `word` names, if any.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|origin| origin.word() == word)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}
