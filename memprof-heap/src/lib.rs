//! What the program asks of its allocator: counted to the byte, by operation, and sampled by place.
//!
//! One static turns it on. Any allocator can be inside, here the system's:
//!
//! ```
//! #[global_allocator]
//! static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();
//!
//! # fn main() -> Result<(), memprof_heap::NotInstalled> {
//! let (names, measured) = memprof_heap::measure(|| {
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
//! With the same static, a test of a `MemoryProfile` written by hand is one line:
//! [`assert_exact!`] makes a value and compares its profile with the allocator, byte for byte.
//!
//! # Questions and answers
//! | question | answer |
//! |---|---|
//! | what did this work allocate? | [`measure`] |
//! | what did the process, or a thread? | [`totals()`], [`threads()`] at [`Level::Counters`] |
//! | what do pieces of work allocate? | [`operation!`], [`operations()`] |
//! | what did each single call do? | [`set_operation_events`], [`drain_operation_events`] |
//! | who holds what is live? | [`sites()`], [`largest()`] at [`Level::Sampled`] |
//! | who allocated this value's blocks? | [`live_samples()`] |
//! | what did a framework's operations take? | [`framework`] |
//!
//! # What is counted
//! Bytes are those requested (`Layout::size`), not what the allocator rounds them up to. Each
//! thread counts for itself what it allocates and what it frees, whoever allocated it; so tests
//! that run side by side don't disturb each other, and a thread that frees the memory of others
//! has freed more than it allocated. A reallocation counts as freeing the old size and allocating
//! the new one. What the inner allocator refuses (null) isn't counted.
//!
//! # Cost
//! A few additions to words of the thread per call: no lock, no allocation, and an atomic operation
//! for every 32 KiB.

#![expect(
    clippy::inline_always,
    reason = "what runs on each allocation is counted in instructions"
)]
#![expect(clippy::cast_possible_wrap, reason = "no block is half of the address space")]
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "estimates are numbers with fractions, of amounts that are not negative"
)]

mod allocator;
mod callback;
mod fork_lock;
mod hook;
mod level;
mod not_installed;
mod not_recorded;
mod own_memory;
mod party;
mod refusal;
mod sync;
mod totals;
mod wake;

mod measure;

mod exact;
mod layouts;

mod operations;

mod frames;
mod largest;
mod live_samples;
mod place;
mod sampling;
mod sites;
mod unrecorded;

pub mod framework;
pub mod recorder;

mod leaks;
mod no_leak;

pub use allocator::Allocator;
pub use exact::{Balance, ExactError, check_exact};
pub use frames::Frame;
pub use largest::{LargestBlocks, LiveBlock, largest};
pub use layouts::{LayoutError, check_layouts};
pub use leaks::{Ages, Growth, Leak, LeakWatch, Leaks};
pub use level::{Level, LevelRequest, Since, level, request_level, set_level};
pub use live_samples::{LiveSample, LiveSamples, OperationLive, live_samples};
pub use measure::{Measured, is_installed, measure};
pub use no_leak::{
    LeakByRound, LeakError, LeakSite, NoLeak, PastLimit, check_no_leak, check_no_leak_within,
};
pub use not_installed::NotInstalled;
pub use not_recorded::NotRecorded;
#[cfg(feature = "tracing_subscriber03")]
pub use operations::MemoryLayer;
pub use operations::{
    DrainedEvents, Operation, OperationEvent, OperationGuard, OperationPath, OperationSite,
    Operations, PathId, PathReader, TrackFuture, Tracked, WallTime, drain_operation_events,
    event_clock, operation_path, operation_paths, operations, set_operation_events, set_wall_time,
};
pub use refusal::{Refusal, set_on_refusal};
pub use sampling::{Estimate, Rate, RateRequest, request_rate, set_rate};
pub use sites::{SampledStack, Site, Sites, sites};
pub use totals::{
    Peak, ProfilerTotals, ThreadTotals, Totals, current_thread, reset_peak, threads, totals,
};
pub use unrecorded::{recorded, unrecorded, unrecorded_thread};
pub use wake::{Wake, set_wake, watch_peak};

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
