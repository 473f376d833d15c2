//! Exact counts of the memory that a program allocates, by operation, and samples by call site.
//!
//! A single static enables counting. It wraps any allocator, here the system's:
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
//! With the same static, one line tests a `MemoryProfile` written by hand. [`assert_exact!`]
//! creates a value and compares its profile with the allocator's counts, byte for byte.
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
//! one atomic addition per 32 KiB of change in its live bytes.

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

mod read;
mod record;

pub use read::counts::{
    Measured, Measurement, NotInstalled, NotRecorded, Peak, ProfilerTotals, ThreadTotals, Totals,
    current_thread, measure, reset_peak, threads, totals,
};
#[cfg(feature = "criterion")]
pub use read::criterion;
pub use read::operations::operations;
pub use read::sites::{largest, sites};
pub use record::alloc::Allocator;
pub use record::hooks::recorder;
pub use record::level::Level;
pub use record::sample::Rate;
pub use record::switch::{LevelRequest, is_installed, level, request_level, set_level, set_rate};
pub use record::system::Since;

pub mod event {
    //! Individual calls of operations, one event each.
    //!
    //! | question | item |
    //! |---|---|
    //! | How do I enable events? | [`set_operation_events`] |
    //! | How do I read them? | [`drain_operation_events`], [`DrainedEvents`] |
    //! | What are the threads called? | [`drain_with_thread_names`], [`ThreadName`] |
    //! | What is in an event? | [`OperationEvent`] |
    //! | How do I read the events' clock? | [`event_clock`] |
    //! | How do I read each new path exactly once? | [`PathReader`] |
    //! | How do I count tensors, on any device? | [`tensor_created`], [`tensor_dropped`] |

    pub use crate::read::operations::PathReader;
    pub use crate::record::events::{
        DrainedEvents, OperationEvent, ThreadName, drain_operation_events, drain_with_thread_names,
        event_clock, set_operation_events,
    };
    pub use crate::record::operation::{tensor_created, tensor_dropped};
}

pub mod exact {
    //! Comparisons of profiles with the allocator's counts, byte for byte.
    //!
    //! | question | item |
    //! |---|---|
    //! | Is the profile of a value exact? | [`assert_exact!`](crate::assert_exact), [`check_exact`] |
    //! | By how much does it differ? | [`Balance`], [`ExactError`] |
    //! | Are the layouts of std's collections as described? | [`check_layouts`], [`LayoutError`] |

    pub use crate::read::exact::{Balance, ExactError, LayoutError, check_exact, check_layouts};
}

pub mod hooks {
    //! Callbacks for profilers in the same process, and ways to leave their own memory out.
    //!
    //! | question | item |
    //! |---|---|
    //! | How do I wake a profiler? | [`set_wake`], [`Wake`] |
    //! | How does it learn of a new peak? | [`watch_peak`] |
    //! | How does it learn of a failed allocation? | [`set_on_refusal`], [`Refusal`] |
    //! | How does it exclude its own allocations from the samples? | [`unrecorded`], [`unrecorded_thread`] |
    //! | How does it call the program's code from within such work? | [`recorded`] |
    //!
    //! A [`recorder`](crate::recorder) has callbacks of its own, beside the callbacks of the program.

    pub use crate::record::callbacks::{Refusal, Wake};
    pub use crate::record::hooks::{
        recorded, set_on_refusal, set_wake, unrecorded, unrecorded_thread, watch_peak,
    };
}

pub mod leak {
    //! Memory that grows: in a running program, and over the rounds of a test.
    //!
    //! | question | item |
    //! |---|---|
    //! | Does repeated work leak? | [`assert_no_leak!`](crate::assert_no_leak), [`check_no_leak`] |
    //! | What did such a test find? | [`NoLeak`], [`LeakError`], [`LeakByRound`], [`LeakSite`], [`PastLimit`], [`CannotTell`] |
    //! | Which call sites grow while the program runs? | [`LeakWatch`], [`Leaks`], [`Leak`] |
    //! | How fast, and within which interval? | [`Growth`] |
    //! | What did the watch find, and why is a call site not a suspect? | [`Verdict`], [`Doubt`] |
    //! | How old are the live blocks? | [`Ages`] |

    pub use crate::read::leaks::{Ages, Doubt, Growth, Leak, LeakWatch, Leaks, Verdict};
    pub use crate::read::no_leak::{
        CannotTell, LeakByRound, LeakError, LeakSite, NoLeak, PastLimit, check_no_leak,
        check_no_leak_within,
    };
}

pub mod operation {
    //! Named operations: their names in the code, and what they allocated.
    //!
    //! | question | item |
    //! |---|---|
    //! | How do I name work? | [`operation!`](macro@crate::operation), [`OperationSite`], [`OperationGuard`] |
    //! | How do I name a future? | [`TrackFuture`], [`Tracked`] |
    //! | How do I name tasks after the line that spawns them? | [`TrackFuture::track_here`] |
    //! | How do I name the requests of a tower or axum server? | `RequestLayer`, with the feature `tower_layer03` |
    //! | How do I count `tracing` spans? | `MemoryLayer`, with the feature `tracing_subscriber03` |
    //! | What did operations allocate? | [`operations()`](crate::operations()), [`Operations`], [`Operation`] |
    //! | How long did their calls take? | [`set_wall_time`], [`WallTime`] |
    //! | In which operations did an operation run? | [`OperationPath`], [`operation_paths`], [`operation_path`], [`PathId`] |

    pub use crate::read::operations::{Operation, Operations, WallTime};
    pub use crate::read::operations::{OperationPath, operation_path, operation_paths};
    pub use crate::record::operation::{OperationGuard, OperationSite, TrackFuture, Tracked};
    pub use crate::record::paths::PathId;
    #[cfg(feature = "tower_layer03")]
    pub use crate::record::requests::{CountedService, RequestLayer};
    pub use crate::record::running::set_wall_time;
    #[cfg(feature = "tracing_subscriber03")]
    pub use crate::record::spans::MemoryLayer;
}

pub mod site {
    //! Call sites, from samples: which functions allocated, and what is live.
    //!
    //! | question | item |
    //! |---|---|
    //! | Which call sites hold the live memory? | [`sites()`](crate::sites()), [`Sites`], [`Site`] |
    //! | Through which callers? | [`SampledStack`], [`Frame`] |
    //! | Are frames named in this process? | [`Names`] |
    //! | How large is the error of an estimate? | [`Estimate`] |
    //! | How long did blocks live? | [`Lifetimes`] |
    //! | Which individual blocks are the largest? | [`largest()`](crate::largest()), [`LargestBlocks`],
    //! [`LiveBlock`] |
    //! | Which blocks belong to an address or an operation? | [`live_samples`], [`LiveSamples`], [`LiveSample`], [`OperationLive`] |
    //! | Which stack allocated a sample? | [`StackId`] |

    pub use crate::read::frame::{Frame, Names, StackId};
    pub use crate::read::sites::{
        LargestBlocks, LiveBlock, LiveSample, LiveSamples, OperationLive, SampledStack, Site,
        Sites, largest_with, live_samples,
    };
    pub use crate::record::estimate::{Estimate, Lifetimes};
}

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
