//! All bracketed names of paths. They name bytes that belong to no field or variant.

crate::keywords! {
    /// The kind of the bytes of a leaf. The leaves of one branch are listed in this order.
    ///
    /// Fields and variants name the branches of a path. A kind names a leaf below them, in
    /// brackets.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    #[repr(u8)]
    pub enum LeafKind {
        /// A value's own bytes that are not payload: pointers, lengths and capacities.
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
        /// Bytes that only align other bytes.
        Padding => "[padding]",
        /// The inline bytes of a field marked `#[profile(skip)]`.
        Skipped => "[skipped]",
        /// The known bytes of contents that could not be read.
        Opaque => "[opaque]",
    }
}

/// Below a map, the branch that contains the map's keys.
pub const KEYS: &str = "[keys]";
/// Below a handle, the branch that contains the shared allocation.
pub const SHARED: &str = "[shared]";
/// The branch that contains the entries past the limit of a keyed map.
pub const OTHER: &str = "[other]";
