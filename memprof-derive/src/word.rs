//! The words of `#[profile(...)]`: the places where each is allowed, its value, and the words it
//! excludes.

use core::fmt;

/// One word. `ALL` is the only list of the words.
#[derive(Debug)]
pub(crate) struct Word {
    pub(crate) name: &'static str,
    pub(crate) places: &'static [Place],
    pub(crate) form: Form,
    /// An example of its use, for error messages.
    pub(crate) usage: &'static str,
    /// The words it cannot be combined with, each with the reason.
    pub(crate) excludes: &'static [(&'static str, &'static str)],
}

/// The items that an attribute can be on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Type,
    Variant,
    Field,
}

/// The value that a word takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Nothing.
    Alone,
    /// `= "text"`.
    Text,
    /// `= path`.
    Path,
    /// Nothing, or `(cap = N)`.
    Cap,
}

const NOT_VISITED: &str = "a skipped field is not visited";
const ONE_WAY: &str = "both choose how the field is visited";
const ONE_LEAF: &str = "`leaf` would add up the entries again";

pub(crate) const SKIP: Word = Word {
    name: "skip",
    places: &[Place::Field],
    form: Form::Alone,
    usage: "skip",
    excludes: &[
        ("leaf", NOT_VISITED),
        ("with", NOT_VISITED),
        ("keyed", NOT_VISITED),
        ("follow", NOT_VISITED),
    ],
};
pub(crate) const LEAF: Word = Word {
    name: "leaf",
    places: &[Place::Field],
    form: Form::Alone,
    usage: "leaf",
    excludes: &[("keyed", ONE_LEAF)],
};
pub(crate) const RENAME: Word = Word {
    name: "rename",
    places: &[Place::Type, Place::Variant, Place::Field],
    form: Form::Text,
    usage: "rename = \"name\"",
    excludes: &[],
};
pub(crate) const WITH: Word = Word {
    name: "with",
    places: &[Place::Field],
    form: Form::Path,
    usage: "with = path::to::function",
    excludes: &[("keyed", ONE_WAY), ("follow", ONE_WAY)],
};
pub(crate) const ROLE: Word = Word {
    name: "role",
    places: &[Place::Variant, Place::Field],
    form: Form::Text,
    usage: "role = \"metadata\"",
    excludes: &[],
};
pub(crate) const KEYED: Word = Word {
    name: "keyed",
    places: &[Place::Field],
    form: Form::Cap,
    usage: "keyed` or `keyed(cap = 20)",
    excludes: &[("follow", ONE_WAY)],
};
pub(crate) const FOLLOW: Word = Word {
    name: "follow",
    places: &[Place::Field],
    form: Form::Alone,
    usage: "follow",
    excludes: &[],
};
pub(crate) const SHAREABLE: Word = Word {
    name: "shareable",
    places: &[Place::Type],
    form: Form::Alone,
    usage: "shareable",
    excludes: &[],
};
pub(crate) const BOUND: Word = Word {
    name: "bound",
    places: &[Place::Type],
    form: Form::Text,
    usage: "bound = \"T: memprof::MemoryProfile\"",
    excludes: &[],
};
pub(crate) const CRATE: Word = Word {
    name: "crate",
    places: &[Place::Type],
    form: Form::Path,
    usage: "crate = path::to::memprof",
    excludes: &[],
};

pub(crate) const ALL: [&Word; 10] =
    [&SKIP, &LEAF, &RENAME, &WITH, &ROLE, &KEYED, &FOLLOW, &SHAREABLE, &BOUND, &CRATE];

/// Words of other derives for which one of ours is suggested.
pub(crate) const SYNONYMS: [(&str, &Word); 5] = [
    ("ignore", &SKIP),
    ("name", &RENAME),
    ("function", &WITH),
    ("flat", &LEAF),
    ("deref", &FOLLOW),
];

impl Word {
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        ALL.into_iter().find(|word| word.name == name)
    }

    pub(crate) fn is_for(&self, place: Place) -> bool {
        self.places.contains(&place)
    }
}

impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Type => "a type",
            Self::Variant => "a variant",
            Self::Field => "a field",
        })
    }
}
