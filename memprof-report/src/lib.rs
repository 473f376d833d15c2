//! What a session recorded, to be seen: an offline page, and files that other tools open.
//!
//! Users of memprof have it as `memprof::report`, with the feature `report`; the command `memprof`
//! has it as `memprof timeline` and `memprof export`.

pub mod export;
mod lanes;

pub use lanes::{Lane, end_ns, lanes};
