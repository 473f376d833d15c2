#![doc = include_str!("../README.md")]

#[cfg(feature = "flamegraph")]
pub use memprof_profile::FlamegraphError;
#[cfg(feature = "json")]
pub use memprof_profile::JsonError;
pub use memprof_profile::{
    ATTRIBUTED, Advisor, Amount, AmountError, At, Branch, Budget, BudgetExceeded, Children,
    Comparison, Counts, Device, Diff, DiffEntry, DiffKind, Field, Fields, FoldedError, Follow,
    Gauge, Grouped, KEYS, Keyed, KeywordError, Kind, Leaf, Leaves, MemoryProfile, OTHER, Observer,
    Opaque, Origin, Path, PathNotFound, Profile, Recommendation, Report, Role, Rule, SHARED,
    Severity, Shape, Shared, SharingAnalysis, Source, Statistics, Storage, Tally, Tensor,
    TensorRecord, Tensors, Thresholds, Tolerance, Top, TopPath, Tree, Units, Visitor, Walk,
    assert_budget, assert_profile, foreign, report, total_bytes,
};

#[cfg(feature = "derive")]
#[doc = include_str!("../docs/derive.md")]
pub use memprof_derive::MemoryProfile;

#[cfg(feature = "heap")]
#[doc(inline)]
pub use memprof_heap as heap;
#[cfg(feature = "heap")]
pub use memprof_heap::{
    Allocator, OperationGuard, OperationSite, TrackFuture, Tracked, assert_exact, assert_no_leak,
    operation,
};

// These have the same names and do nothing. Annotations stay in the code, and the feature makes
// them count.
#[cfg(not(feature = "heap"))]
mod without_heap;
#[cfg(not(feature = "heap"))]
pub use without_heap::{Allocator, OperationGuard, OperationSite, TrackFuture, Tracked, heap};

#[cfg(feature = "session")]
#[doc(inline)]
pub use memprof_session as session;
#[cfg(feature = "session")]
pub use memprof_session::Session;

#[cfg(feature = "gpu")]
#[doc(inline)]
pub use memprof_gpu as gpu;

#[cfg(feature = "pool")]
#[doc(inline)]
pub use memprof_pool as pool;

#[cfg(feature = "export")]
#[doc(inline)]
pub use memprof_export as export;

#[cfg(feature = "track")]
#[doc = include_str!("../docs/track.md")]
///
/// # In the reference
/// [`operation!`](crate::operation), [`TrackFuture`](crate::TrackFuture)
pub use memprof_derive::track;

// The guides' examples need the derive.
#[cfg(all(any(doc, doctest), feature = "derive"))]
pub mod guide;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
