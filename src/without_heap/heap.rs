//! The level at which an allocator starts. With the feature `heap`, all that the allocator knows.

/// How much the allocator records: without the feature `heap`, nothing at any level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Nothing.
    #[default]
    Off,
    /// With the feature, exact bytes and blocks.
    Counters,
    /// With the feature, samples of blocks besides.
    Sampled,
}
