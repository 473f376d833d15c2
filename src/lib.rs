#![doc = include_str!("../README.md")]

#[doc(inline)]
pub use memprof_core::walk;
pub use memprof_profile::report::{
    Advisor, Recommendation, Report, Rule, Severity, SharingAnalysis, Statistics, Thresholds,
};
pub use memprof_profile::source::{ATTRIBUTED, Gauge, Source};
pub use memprof_profile::tensor::{Storage, Tensor, TensorRecord, Tensors};
pub use memprof_profile::testing::{AmountError, Budget, BudgetExceeded, Tolerance};
pub use memprof_profile::tree::{
    Branch, Children, Counts, Device, KEYS, KeywordError, Leaf, LeafKind, Leaves, OTHER,
    OpaqueReason, Origin, Path, PathNotFound, Role, SHARED, Visitor,
};
#[doc(inline)]
pub use memprof_profile::{
    MemoryProfile, Profile, assert_budget, assert_profile, report, source, tensor, testing,
    total_bytes, tree, views,
};

#[cfg(feature = "derive")]
#[doc = include_str!("../docs/derive.md")]
pub use memprof_derive::MemoryProfile;

#[cfg(feature = "heap")]
#[doc(inline)]
pub use memprof_heap as heap;
#[cfg(feature = "heap")]
pub use memprof_heap::{Allocator, assert_exact, assert_no_leak, operation};

// These have the same names and do nothing. Annotations stay in the code, and the feature makes
// them count.
#[cfg(not(feature = "heap"))]
mod without_heap;
#[cfg(not(feature = "heap"))]
pub use without_heap::{Allocator, heap};

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
/// [`operation!`](crate::operation), [`TrackFuture`](crate::heap::TrackFuture)
pub use memprof_derive::track;

// The guides' examples need the derive.
#[cfg(all(any(doc, doctest), feature = "derive"))]
pub mod guide;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
