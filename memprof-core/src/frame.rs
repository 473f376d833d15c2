//! The closed list of bracketed names: what a path says where no field has a name.

use core::fmt;

/// What the bytes of a leaf are for.
///
/// Fields and variants give a path its names; a kind is the bracketed leaf below them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Kind {
    /// The handles through which values own memory: pointers, lengths and capacities.
    Inline,
    /// Payload: scalars, text, enums, the elements of a buffer.
    Data,
    /// Capacity that no element uses.
    Spare,
    /// Control bytes and alignment of a hash table.
    Table,
    /// Links, lengths and edges of tree and list nodes.
    Nodes,
    /// Reference counts of `Rc` and `Arc`.
    Counts,
    /// Bytes that only align others.
    Padding,
    /// The inline bytes of a field marked `#[profile(skip)]`.
    Skipped,
    /// Contents that could not be seen; the bytes known of them.
    Opaque,
}

impl Kind {
    /// Every kind, in the order in which leaves of one branch are listed.
    pub const ALL: [Self; 9] = [
        Self::Inline,
        Self::Data,
        Self::Spare,
        Self::Table,
        Self::Nodes,
        Self::Counts,
        Self::Padding,
        Self::Skipped,
        Self::Opaque,
    ];

    /// The bracketed frame, as paths spell it.
    pub const fn frame(self) -> &'static str {
        match self {
            Self::Inline => "[inline]",
            Self::Data => "[data]",
            Self::Spare => "[spare]",
            Self::Table => "[table]",
            Self::Nodes => "[nodes]",
            Self::Counts => "[counts]",
            Self::Padding => "[padding]",
            Self::Skipped => "[skipped]",
            Self::Opaque => "[opaque]",
        }
    }

    /// The kind that `frame` spells, if any.
    pub fn from_frame(frame: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.frame() == frame)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.frame())
    }
}

/// The branch below a map that holds its keys.
pub const KEYS: &str = "[keys]";
/// The branch below a handle that holds what several handles share.
pub const SHARED: &str = "[shared]";
/// The branch that holds the entries past the cap of a keyed map.
pub const OTHER: &str = "[other]";
