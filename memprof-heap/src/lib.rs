//! Exact counts of the memory that a program allocates, by operation, and samples by call site.
//!
//! One static turns the counts on. It wraps any allocator, here the system's:
//!
//! ```
//! #[global_allocator]
//! static ALLOC: memprof::Allocator = memprof::Allocator::system();
//!
//! # fn main() -> Result<(), memprof::heap::NotInstalled> {
//! let (names, measured) = memprof::heap::measure(|| {
//!     let mut names = Vec::with_capacity(4);
//!     names.push(String::from("alpha"));
//!     names
//! })?;
//! assert_eq!(names[0], "alpha");
//! assert_eq!(measured.allocated_bytes, 4 * 24 + 5);
//! assert_eq!(measured.allocated_blocks, 2);
//! assert_eq!(measured.net_bytes(), 4 * 24 + 5);
//! # Ok(())
//! # }
//! ```
//!
//! With the same static, one line tests a `MemoryProfile` written by hand. [`assert_exact!`] makes
//! a value and compares its profile with the allocator's counts, byte for byte.
//!
//! # Questions and answers
//! | question | answer |
//! |---|---|
//! | what did this work allocate? | [`measure()`] |
//! | what does a value hold whose type hides its memory? | [`Measured`] |
//! | what did a thread or process allocate? | [`totals()`], [`threads()`] at [`Level::Counters`] |
//! | what do named operations allocate? | [`operation!`], [`operations()`]; module [`operation`](mod@operation) |
//! | what did each individual call do? | module [`event`] |
//! | which call sites hold the live memory? | [`sites()`], [`largest()`] at [`Level::Sampled`]; module [`site`] |
//! | which call sites allocated the blocks of a value? | [`site::live_samples`] |
//! | which memory grows? | [`assert_no_leak!`]; module [`leak`] |
//! | is the profile of a value exact? | [`assert_exact!`]; module [`exact`] |
//! | what did the operations of a framework allocate? | [`framework`] |
//! | how much is recorded? | [`set_level`], [`request_level`], [`set_rate`] |
//! | how does another profiler run in the same process? | modules [`hooks`], [`recorder`] |
//!
//! # What is counted
//! Bytes are those requested (`Layout::size`), not what the allocator rounds them up to. Each
//! thread counts the blocks that it allocates and the blocks that it frees, including blocks that
//! another thread allocated. So tests that run in parallel don't disturb each other. A thread that
//! frees the memory of other threads may free more than it allocates. A reallocation counts as a
//! free of the old size and an allocation of the new size. A request that the inner allocator
//! refuses (null) isn't counted.
//!
//! # Cost
//! Each call adds to a few thread-local words, without locks or allocations. A thread runs about
//! one atomic addition for each 32 KiB by which its live bytes change.

// Badges of features, on docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![expect(
    clippy::inline_always,
    reason = "each instruction counts in code that runs on every allocation"
)]
#![expect(clippy::cast_possible_wrap, reason = "no block is half of the address space")]
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "estimates are fractional, and the amounts are not negative"
)]

mod base;
mod thread;

mod operations;
mod sampling;

mod hook;

mod control;

mod results;

mod api;

pub use api::{event, exact, hooks, leak, operation, site};
pub use base::clock::Since;
pub use base::level_word::Level;
pub use control::installed::is_installed;
pub use control::level::{LevelRequest, level, request_level, set_level};
pub use control::not_installed::NotInstalled;
pub use control::not_recorded::NotRecorded;
pub use control::rate::{RateRequest, request_rate, set_rate};
pub use control::recorder;
pub use hook::allocator::Allocator;
#[cfg(feature = "criterion")]
pub use results::criterion;
pub use results::framework;
pub use results::largest::largest;
pub use results::measure::{Measurement, measure};
pub use results::measured::Measured;
pub use results::operations::operations;
pub use results::sites::sites;
pub use results::totals::{
    Peak, ProfilerTotals, ThreadTotals, Totals, current_thread, reset_peak, threads, totals,
};
pub use sampling::Rate;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
