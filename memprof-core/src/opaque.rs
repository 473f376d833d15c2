//! Why contents could not be seen.

use core::fmt;

/// Why a value's owned memory could not be visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Opaque {
    /// A lock was held by somebody, perhaps by this very thread.
    Locked,
    /// A `RefCell` was mutably borrowed.
    Borrowed,
    /// The type hides its memory: a channel, a closure, `dyn Any`.
    Foreign,
    /// More guards were nested than a walk may hold at a time.
    TooDeep,
    /// A skipped field that can own memory.
    Skipped,
    /// Whoever observed the walk ended it before its end.
    OutOfTime,
    /// A hand-written impl used the index of a field that its shape does not have.
    BadIndex,
}

impl Opaque {
    /// Every reason.
    pub const ALL: [Self; 7] = [
        Self::Locked,
        Self::Borrowed,
        Self::Foreign,
        Self::TooDeep,
        Self::Skipped,
        Self::OutOfTime,
        Self::BadIndex,
    ];

    /// The word that trees and files use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Locked => "locked",
            Self::Borrowed => "borrowed",
            Self::Foreign => "foreign",
            Self::TooDeep => "too deep",
            Self::Skipped => "skipped",
            Self::OutOfTime => "out of time",
            Self::BadIndex => "bad index",
        }
    }

    /// The reason that `word` names, if any.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|why| why.word() == word)
    }
}

impl fmt::Display for Opaque {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}
