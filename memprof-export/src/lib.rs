//! Exports of a recording: an offline HTML page, and files that other tools open.
//!
//! | question | item |
//! |---|---|
//! | How is a page made? | `Page`, with the feature `page` |
//! | How are call sites or operations drawn by other tools? | `Pprof`, `folded_sites`, `folded_live_stacks`, `folded_operations`, `speedscope`, with the feature `exports` |
//! | How does a recording look on a time line? | `perfetto` |
//! | How does Prometheus read a session? | `prometheus`; `MetricsServer`, with the feature `metrics` |
//! | How do two profiles differ, as a picture? | `DiffFlamegraph` |
//! | In which lanes are individual calls drawn? | [`lanes`], [`Lane`] |
//!
//! The commands `memprof html`, `memprof flamegraph --before` and `memprof export` use this crate.

// Badges of features, on docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]

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
    ExportError, Moment, Pprof, folded_live_stacks, folded_operations, folded_sites, perfetto,
    prometheus, speedscope,
};
pub use lanes::{Lane, end_ns, lanes};
#[cfg(feature = "metrics")]
pub use metrics::MetricsServer;
#[cfg(feature = "page")]
pub use page::{Page, PageError, Written};
