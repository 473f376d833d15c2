//! The closed list of bracketed names: what a path says where no field has a name.

crate::keywords! {
    /// The purpose of the bytes of a leaf, in the order in which leaves of one branch are listed.
    ///
    /// Fields and variants give a path its names; a kind is the bracketed leaf below them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    #[repr(u8)]
    pub enum LeafKind {
        /// The handles through which values own memory: pointers, lengths and capacities.
        Inline => "[inline]",
        /// Payload: scalars, text, enums, the elements of a buffer.
        Data => "[data]",
        /// Capacity that no element uses.
        Spare => "[spare]",
        /// Control bytes and alignment of a hash table.
        Table => "[table]",
        /// Links, lengths and edges of tree and list nodes.
        Nodes => "[nodes]",
        /// Reference counts of `Rc` and `Arc`.
        Counts => "[counts]",
        /// Bytes that only align others.
        Padding => "[padding]",
        /// The inline bytes of a field marked `#[profile(skip)]`.
        Skipped => "[skipped]",
        /// Contents that could not be seen; the bytes known of them.
        Opaque => "[opaque]",
    }
}

/// The branch below a map that holds its keys.
pub const KEYS: &str = "[keys]";
/// The branch below a handle that holds what several handles share.
pub const SHARED: &str = "[shared]";
/// The branch that holds the entries past the cap of a keyed map.
pub const OTHER: &str = "[other]";
