//! The level at which an allocator starts, and values whose size is not measured. With the feature
//! `heap`, the module `heap` has the whole API of the allocator.

pub use crate::without_heap::measured::Measured;

/// The types and the trait with which code names operations.
pub mod operation {
    pub use crate::without_heap::future::{TrackFuture, Tracked};
    pub use crate::without_heap::operation::{OperationGuard, OperationSite};
}

/// The level of detail that the allocator records. Without the feature `heap`, it records nothing
/// at any level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the enum of memprof-heap is, too")]
pub enum Level {
    /// Nothing.
    #[default]
    Off,
    /// With the feature, the allocator counts bytes and blocks exactly.
    Counters,
    /// With the feature, the allocator also samples blocks.
    Sampled,
}

/// Defines names that need the feature, for the compiler alone: its error for a name that it does
/// not find points here, and states the feature.
macro_rules! with_the_feature {
    ($($name:ident)*) => {$(
        #[cfg(feature = "heap")]
        pub mod $name {}
    )*};
}
with_the_feature! {
    measure totals threads sites operations largest current_thread
    set_level set_rate level request_level request_rate reset_peak is_installed
    Measurement Totals Rate NotRecorded NotInstalled
    event exact hooks leak recorder site
}
