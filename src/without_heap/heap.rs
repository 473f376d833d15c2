//! The level at which an allocator starts. With the feature `heap`, the module `heap` has the whole
//! API of the allocator.

pub use super::future::{TrackFuture, Tracked};
pub use super::operation::{OperationGuard, OperationSite};

/// The amount that the allocator records. Without the feature `heap`, it records nothing at any
/// level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Nothing.
    #[default]
    Off,
    /// With the feature, exact bytes and blocks.
    Counters,
    /// With the feature, also samples of blocks.
    Sampled,
}
