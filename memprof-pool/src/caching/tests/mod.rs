//! Random operations on pools, beside a model of what must hold, and faults that these must find.

/// What can be wrong with a pool: each is planted in turn, and must be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// What is left over of a block is lost.
    RestNotListed,
    /// It begins before the block that was given out ends.
    RestOverlaps,
    /// Blocks stay in their lists when they are taken.
    StaysListed,
    /// Free neighbours stay apart.
    NeverMerges,
    /// Neighbours are merged whatever streams freed them.
    MergesStreams,
    /// Bytes that went back to the upstream count as reserved.
    ReleaseNotCounted,
    /// Another stream's memory is used at once.
    IgnoresMarks,
    /// More is reserved than may be.
    IgnoresLimit,
    /// The streams that a handle names in different threads are taken for one.
    MixesThreads,
    /// Other streams use at once the memory that a retired stream freed.
    RetiresEarly,
}

mod device;
mod random;
mod streams;
