//! A memory profiler that reports by the names in your code: what its values own, what the
//! allocator returned, and what GPUs hold.
//!
//! ```
//! use memprof::{MemoryProfile, Profile};
//!
//! #[derive(MemoryProfile)]
//! struct Table {
//!     names: Vec<String>,
//!     weights: Vec<f64>,
//! }
//!
//! let names = (0..100).map(|row| format!("row {row}")).collect();
//! let table = Table { names, weights: Vec::with_capacity(512) };
//! let profile = Profile::of(&table);
//! println!("{profile}");
//! assert!(profile.is_exact());
//! assert_eq!(profile.bytes_at("weights"), Some(24 + 512 * 8));
//! ```
//!
//! | question | item |
//! |---|---|
//! | What does a value hold? | [`MemoryProfile`](derive@MemoryProfile) on its types, then [`Profile::of`]; [`total_bytes`] for the sum alone |
//! | What is the purpose of the bytes, and what should change? | [`Profile::report`]; module [`report`](mod@report) |
//! | What changed between two moments? | [`Profile::diff`]; module [`views`] |
//! | How do I profile a large value in limited time? | [`Profile::estimate`]; module [`large`] |
//! | Does a value stay within a limit in a test? | [`assert_budget!`], [`report!`](macro@report); module [`testing`] |
//! | Who allocates memory? | [`Allocator`], [`operation!`], `#[track]`; module [`heap`] |
//! | Does repeated work leak? | [`assert_no_leak!`] |
//! | What grows while the program runs? | `Session`; module `session` |
//! | What can I do with a recording? | the command `memprof`; module `export` |
//! | What do GPUs and pools hold? | modules `gpu` and `pool` |
//! | What do a framework's arrays hold? | [`Profile::tensors`]; [`walk::Tensor`] |
//! | How do I bound a cache by its bytes? | module [`weigh`] |
//! | How do I write and test an impl by hand? | module [`walk`]; [`assert_exact!`] |
//! | How does a program read the tree? | module [`tree`] |
//! | How does a session read other measurements? | module [`source`] |
//!
//! The [guides](guide) begin with a tutorial.
//!
//! # Features
//! | feature | adds |
//! |---|---|
//! | `derive` (default) | `#[derive(MemoryProfile)]` |
//! | `json`, `yaml`, `flamegraph` | these formats of a [`Profile`] |
//! | `heap` | counts and samples of the [`Allocator`]; without it, annotations compile and do nothing |
//! | `track` | `#[track]` on functions |
//! | `session` | `heap`, and `Session`: snapshots over time, and their files |
//! | `export` | the page and other formats of a recording; answers for a program's own HTTP server |
//! | `gpu`, `pool` | memory of GPUs; memory resources |
//! | `criterion` | `heap`, and its measurements of bytes for criterion 0.8; with `gpu`, of event time |
//! | `jemalloc` | `session`, whose recordings have the free memory of jemalloc, for tikv-jemallocator 0.7 |
//! | `full` | all of these but `flamegraph`, whose crate inferno is under CDDL-1.0, `criterion` and `jemalloc` |
//! | `indexmap2`, `smallvec1`, … | the types of another crate, by its name and version |
//! | `get_size2_011` | `walk::reported::GetSize2`, for types whose bytes get-size2 0.11 reports |
//!
//! memprof requires Rust 1.88, and 1.93 with the feature `heap`. A library implements the trait with
//! `memprof-core` alone, which builds with Rust 1.85.

// With this, docs.rs marks each item with the features that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(inline)]
pub use memprof_core::{walk, weigh};
#[doc(inline)]
pub use memprof_profile::{
    MemoryProfile, Profile, assert_budget, large, report, source, testing, total_bytes, tree, views,
};

#[cfg(feature = "derive")]
#[doc = include_str!("../docs/derive.md")]
pub use memprof_derive::MemoryProfile;

#[cfg(feature = "heap")]
pub mod heap;
#[cfg(feature = "heap")]
pub use memprof_heap::{Allocator, assert_exact, assert_no_leak, operation};

// These items have the names of those in `memprof-heap` and do nothing. So annotated programs also
// compile without the feature.
#[cfg(not(feature = "heap"))]
mod without_heap;
#[cfg(not(feature = "heap"))]
pub use without_heap::{Allocator, heap, heap::operation};

#[cfg(feature = "session")]
#[doc(inline)]
pub use memprof_session as session;
#[cfg(feature = "session")]
pub use memprof_session::Session;

#[cfg(feature = "gpu")]
#[doc(inline)]
pub use memprof_gpu as gpu;

#[cfg(feature = "pool")]
#[doc(inline)]
pub use memprof_pool as pool;

#[cfg(feature = "export")]
#[doc(inline)]
pub use memprof_export as export;

/// Makes a function's body an operation, named after the function.
///
/// The attribute puts [`operation!`](macro@crate::operation) on the first line of the body.
///
/// ```
/// use memprof::heap::{Level, operations};
///
/// #[global_allocator]
/// static ALLOC: memprof::Allocator =
///     memprof::Allocator::system().starting_at(Level::Counters);
///
/// #[memprof::track]
/// fn load() -> Vec<String> {
///     (0..1000).map(|row| format!("row {row}")).collect()
/// }
///
/// struct Index(Vec<usize>);
///
/// impl Index {
///     #[memprof::track(name = "index")]
///     fn of(rows: &[String]) -> Self {
///         Self(rows.iter().map(String::len).collect())
///     }
/// }
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// let index = Index::of(&load());
/// # assert_eq!(index.0.len(), 1000);
/// let operations = operations()?;
/// assert_eq!(operations.find("load").expect("it ran").calls, 1);
/// assert_eq!(operations.find("index").expect("it ran").net_bytes(), 8000);
/// # Ok(())
/// # }
/// ```
///
/// | option | effect |
/// |---|---|
/// | `name = "…"` | sets the operation's name |
/// | `crate = path` | sets the path of memprof, if it isn't `::memprof` |
///
/// # Futures
/// The body of an `async fn` is one call, from its first poll until it is ready or dropped. Every
/// poll counts, on any thread, as with [`TrackFuture`](crate::heap::operation::TrackFuture). The
/// attribute does not change whether the future is `Send`, or what it borrows. The same holds for a
/// function that ends in `async move { … }` or `Box::pin(async move { … })`, as the crate
/// `async-trait` generates.
///
/// ```
/// # use std::{pin::pin, task::{Context, Poll, Waker}};
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system()
/// #     .starting_at(memprof::heap::Level::Counters);
/// #[memprof::track]
/// async fn answer(times: usize) -> String {
///     let text = std::future::ready("forty-two").await;
///     text.repeat(times)
/// }
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// # let mut answer = pin!(answer(100));
/// # assert!(answer.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready());
/// # assert!(memprof::heap::operations()?.find("answer").expect("it ran").allocated_bytes >= 900);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The attribute refuses a `const fn`, because the compiler may evaluate it, and then nothing is
/// counted. It also refuses functions without a body, and items that are not functions.
///
/// # Cost
/// A tracked function costs as much as a guard, and a tracked `async fn` as much as a tracked
/// future. Without the feature `heap` there is no cost, because the body stays unchanged.
#[cfg(feature = "track")]
pub use memprof_derive::track;

// The guides' examples need the derive.
#[cfg(all(any(doc, doctest), feature = "derive"))]
pub mod guide;

// The README's examples are tests.
#[cfg(all(doctest, feature = "session", feature = "derive"))]
#[doc = include_str!("../README.md")]
mod readme {}

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
