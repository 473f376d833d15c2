//! Exact counts of the memory that a program allocates, by operation, and samples by call site.
//!
//! The crate [`memprof_heap`] describes what is counted, and what it costs. With the feature `session`,
//! the module `framework` records the operations of a framework, such as one for tensors.
//!
//! # Questions and answers
//! | question | answer |
//! |---|---|
//! | what did this work allocate? | [`measure()`] |
//! | what does a value hold whose type hides its memory? | [`Measured`] |
//! | what did a thread or process allocate? | [`totals()`], [`threads()`] at [`Level::Counters`] |
//! | what do named operations allocate? | [`operation!`](macro@crate::operation), [`operations()`]; module [`operation`](mod@operation) |
//! | what did each individual call do? | module [`event`] |
//! | which call sites hold the live memory? | [`sites()`], [`largest()`] at [`Level::Sampled`]; module [`site`] |
//! | which call sites allocated the blocks of a value? | [`site::live_samples`] |
//! | which memory grows? | [`assert_no_leak!`](crate::assert_no_leak); module [`leak`] |
//! | is the profile of a value exact? | [`assert_exact!`](crate::assert_exact); module [`exact`] |
//! | how much is recorded? | [`set_level`], [`request_level`], [`set_rate`] |
//! | how does another profiler run in the same process? | modules [`hooks`], [`recorder`] |

#[doc(inline)]
pub use memprof_heap::*;
#[cfg(feature = "session")]
#[doc(inline)]
pub use memprof_session::framework;
