//! Exports of a recording: an offline HTML page, and files that other tools open.
//!
//! Users of memprof have this crate as `memprof::export`, with the feature `export`. The commands
//! `memprof html`, `memprof flamegraph --before` and `memprof export` use it.

#[cfg(any(feature = "page", feature = "exports"))]
mod escape;
mod known;
mod lanes;

#[cfg(feature = "page")]
mod page;

#[cfg(feature = "exports")]
mod diff_flamegraph;
#[cfg(feature = "exports")]
mod formats;
#[cfg(feature = "metrics")]
pub mod metrics;
#[cfg(feature = "exports")]
mod nesting;
#[cfg(feature = "exports")]
mod plain;

#[cfg(feature = "exports")]
pub use diff_flamegraph::DiffFlamegraph;
#[cfg(feature = "exports")]
pub use formats::{
    ExportError, Moment, Pprof, folded_operations, folded_sites, perfetto, prometheus, speedscope,
};
pub use lanes::{Lane, end_ns, lanes};
#[cfg(feature = "metrics")]
pub use metrics::MetricsServer;
#[cfg(feature = "page")]
pub use page::{Page, PageError, Written};
