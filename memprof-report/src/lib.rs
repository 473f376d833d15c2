//! What a session recorded, to be seen: an offline page, and files that other tools open.
//!
//! Users of memprof have it as `memprof::report`, with the feature `report`; the command `memprof`
//! has it as `memprof timeline`, `memprof flamegraph --before` and `memprof export`.

mod plain;

mod diff_flamegraph;
pub mod export;
mod lanes;
#[cfg(feature = "metrics")]
pub mod metrics;
mod nesting;

pub use diff_flamegraph::DiffFlamegraph;
pub use lanes::{Lane, end_ns, lanes};
