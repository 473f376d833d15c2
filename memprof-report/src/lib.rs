//! What a session recorded, to be seen: an offline page, and files that other tools open.
//!
//! Users of memprof have it as `memprof::report`, with the feature `report`; the command `memprof`
//! has it as `memprof timeline` and `memprof export`.

#[cfg(feature = "exports")]
pub mod export;
mod lanes;
#[cfg(feature = "page")]
mod page;

pub use lanes::{Lane, end_ns, lanes};
#[cfg(feature = "page")]
pub use page::{Page, PageError, Written};
