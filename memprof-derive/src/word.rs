//! The words of `#[profile(...)]`: the items that each is allowed on, its value, and the words it
//! excludes.

use core::fmt;

/// One word. `ALL` is the only list of the words.
#[derive(Debug)]
pub(crate) struct Word {
    pub(crate) name: &'static str,
    pub(crate) targets: &'static [Target],
    pub(crate) form: Form,
    /// An example of its use, for error messages.
    pub(crate) usage: &'static str,
    /// The words that this word cannot be combined with, each with the reason.
    pub(crate) excludes: &'static [(&'static str, &'static str)],
}

/// The items that an attribute can be on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
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
const SAME_CHOICE: &str = "both choose how the field is visited";
const ADDED_TWICE: &str = "`leaf` would add up the entries again";

pub(crate) const SKIP: Word = Word {
    name: "skip",
    targets: &[Target::Field],
    form: Form::Alone,
    usage: "skip",
    excludes: &[
        ("leaf", NOT_VISITED),
        ("with", NOT_VISITED),
        ("each", NOT_VISITED),
        ("keyed", NOT_VISITED),
        ("follow", NOT_VISITED),
    ],
};
pub(crate) const LEAF: Word = Word {
    name: "leaf",
    targets: &[Target::Field],
    form: Form::Alone,
    usage: "leaf",
    excludes: &[("keyed", ADDED_TWICE)],
};
pub(crate) const RENAME: Word = Word {
    name: "rename",
    targets: &[Target::Type, Target::Variant, Target::Field],
    form: Form::Text,
    usage: "rename = \"name\"",
    excludes: &[],
};
pub(crate) const WITH: Word = Word {
    name: "with",
    targets: &[Target::Field],
    form: Form::Path,
    usage: "with = path::to::function",
    excludes: &[("each", SAME_CHOICE), ("keyed", SAME_CHOICE), ("follow", SAME_CHOICE)],
};
pub(crate) const EACH: Word = Word {
    name: "each",
    targets: &[Target::Field],
    form: Form::Path,
    usage: "each = path::to::function",
    excludes: &[("keyed", SAME_CHOICE), ("follow", SAME_CHOICE)],
};
pub(crate) const ROLE: Word = Word {
    name: "role",
    targets: &[Target::Variant, Target::Field],
    form: Form::Text,
    usage: "role = \"metadata\"",
    excludes: &[],
};
pub(crate) const KEYED: Word = Word {
    name: "keyed",
    targets: &[Target::Field],
    form: Form::Cap,
    usage: "keyed` or `keyed(cap = 20)",
    excludes: &[("follow", SAME_CHOICE)],
};
pub(crate) const FOLLOW: Word = Word {
    name: "follow",
    targets: &[Target::Field],
    form: Form::Alone,
    usage: "follow",
    excludes: &[],
};
pub(crate) const SHAREABLE: Word = Word {
    name: "shareable",
    targets: &[Target::Type],
    form: Form::Alone,
    usage: "shareable",
    excludes: &[],
};
pub(crate) const BOUND: Word = Word {
    name: "bound",
    targets: &[Target::Type],
    form: Form::Text,
    usage: "bound = \"T: memprof::MemoryProfile\"",
    excludes: &[],
};
pub(crate) const CRATE: Word = Word {
    name: "crate",
    targets: &[Target::Type],
    form: Form::Path,
    usage: "crate = path::to::memprof",
    excludes: &[],
};

pub(crate) const ALL: [&Word; 11] =
    [&SKIP, &LEAF, &RENAME, &WITH, &EACH, &ROLE, &KEYED, &FOLLOW, &SHAREABLE, &BOUND, &CRATE];

/// Words of other derives, each with the word of this derive that is suggested for it.
pub(crate) const SYNONYMS: [(&str, &Word); 6] = [
    ("ignore", &SKIP),
    ("name", &RENAME),
    ("function", &WITH),
    ("elements", &EACH),
    ("flat", &LEAF),
    ("deref", &FOLLOW),
];

impl Word {
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        ALL.into_iter().find(|word| word.name == name)
    }

    pub(crate) fn is_allowed_on(&self, target: Target) -> bool {
        self.targets.contains(&target)
    }
}

impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Display for Target {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Type => "a type",
            Self::Variant => "a variant",
            Self::Field => "a field",
        })
    }
}
