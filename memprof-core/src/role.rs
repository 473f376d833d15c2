//! What a field is for: data, metadata or auxiliary.

use core::fmt;

/// What the bytes below a field serve; a field without one inherits its parent's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Role {
    /// The payload that the program exists for.
    #[default]
    Data,
    /// What describes the payload: names, units, shapes.
    Metadata,
    /// What could be recomputed or dropped: caches, uncertainties, scratch space.
    Auxiliary,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::Data, Self::Metadata, Self::Auxiliary];

    /// The word that `#[profile(role = "…")]` and files use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Metadata => "metadata",
            Self::Auxiliary => "auxiliary",
        }
    }

    /// The role that `word` names, if any.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.word() == word)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}
