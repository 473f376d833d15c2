//! The trait, the walk and the tree of memprof. Use the crate `memprof`, which adds the derive.

mod device;
mod frame;
mod memory_profile;
mod opaque;
mod origin;
mod role;
mod shape;

mod layout;

mod excess;
mod observer;
mod paths;
mod position;
mod sharing;
mod tally;
mod tensor;
mod walk;
mod watch;
mod windows;

mod follow;
mod foreign;
mod keyed;

mod assert;
mod budget;
mod gauge;
mod impls;
mod profile;
mod source;
mod statistics;
mod tree;
mod views;

mod advice;
mod report;
mod sharing_analysis;

pub use advice::{Advisor, Recommendation, Rule, Severity, Thresholds};
pub use budget::{AmountError, Budget, BudgetExceeded};
pub use device::Device;
pub use follow::Follow;
pub use frame::{KEYS, Kind, OTHER, SHARED};
pub use gauge::Gauge;
pub use keyed::Keyed;
pub use memory_profile::MemoryProfile;
pub use observer::Observer;
pub use opaque::Opaque;
pub use origin::Origin;
pub use position::{At, Fields};
pub use profile::{Profile, total_bytes};
pub use report::Report;
pub use role::Role;
pub use shape::{Field, Shape};
pub use sharing::Shared;
pub use sharing_analysis::SharingAnalysis;
pub use source::{ATTRIBUTED, Source};
pub use statistics::Statistics;
pub use tally::Tally;
pub use tensor::{Storage, Tensor, TensorRecord, Tensors};
pub use tree::{Branch, Children, Counts, Leaf};
#[cfg(feature = "flamegraph")]
pub use views::FlamegraphError;
#[cfg(feature = "json")]
pub use views::JsonError;
pub use views::{
    Amount, Comparison, Diff, DiffEntry, DiffKind, FoldedError, Grouped, Leaves, Path,
    PathNotFound, Tolerance, Top, TopPath, Tree, Units, Visitor,
};
pub use walk::Walk;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
