//! The reasons why contents were not read.

crate::keywords! {
    /// The reason why a value's owned memory was not read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum OpaqueReason {
        /// Another thread or the current thread held a lock.
        Locked => "locked",
        /// A `RefCell` was mutably borrowed.
        Borrowed => "borrowed",
        /// The type does not expose its memory, for example a channel, a closure or `dyn Any`.
        Foreign => "foreign",
        /// The target of a followed reference. The root may own it too, and then its bytes count
        /// twice.
        Followed => "followed",
        /// A skipped field that can own memory.
        Skipped => "skipped",
        /// The walk did not visit the values, because an observer stopped it or because it visited
        /// only a random sample.
        Stopped => "stopped",
        /// A hand-written impl used the index of a field that its shape does not have.
        BadIndex => "bad index",
        /// The bytes were measured when the value was made, and may have changed since.
        Measured => "measured",
        /// The value is in a `Measured`, but no allocator counted while it was made.
        NotMeasured => "not measured",
    }
}
