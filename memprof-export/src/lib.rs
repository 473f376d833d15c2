//! Exports of a recording: an offline HTML page, and files that other tools open.
//!
//! | question | item |
//! |---|---|
//! | How do I create a page? | `Page`, with the feature `page` |
//! | How do I view call sites or operations in other tools? | `Pprof`, `folded_sites`, `folded_live_stacks`, `folded_operations`, with the feature `exports` |
//! | How do I view a recording over time in Perfetto? | `perfetto` |
//! | How does Prometheus scrape a session? | `prometheus` |
//! | How do I serve all this from my own HTTP server? | `serve`, with both features |
//!
//! The commands `memprof html` and `memprof export` use this crate.

// Badges of features, on docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "page")]
mod escape;
mod known;
mod lanes;

#[cfg(feature = "page")]
mod page;

#[cfg(feature = "exports")]
mod formats;
#[cfg(all(feature = "page", feature = "exports"))]
mod serve;

#[cfg(feature = "exports")]
pub use formats::{
    ExportError, Moment, Pprof, folded_live_stacks, folded_operations, folded_sites, perfetto,
    prometheus,
};
#[cfg(feature = "page")]
pub use page::{Page, PageError, Written};
#[cfg(all(feature = "page", feature = "exports"))]
pub use serve::{Request, Response, serve};
