//! Exports of a recording: an offline HTML page, and files that other tools open.
//!
//! | question | item |
//! |---|---|
//! | How is a page made? | `Page`, with the feature `page` |
//! | How are call sites or operations drawn by other tools? | `Pprof`, `folded_sites`, `folded_live_stacks`, `folded_operations`, with the feature `exports` |
//! | How does a recording look on a time line? | `perfetto` |
//! | How does Prometheus read a session? | `prometheus` |
//! | How does a program's own HTTP server show all that? | `serve`, with both features |
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
