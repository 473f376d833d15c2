//! The layer that records: what runs on an allocation, and the words and tables that it fills.
//!
//! In reading order, from the ground up. A module imports from the modules of its row and of the rows
//! above it.
//!
//! | module | contents |
//! |---|---|
//! | `sync`, `list` | the atomics; a list without a lock |
//! | `callbacks` | functions of the program and of a recorder that the allocator calls |
//! | `fork`, `fork_lock` | what happens around a fork; a lock that a forked child can take |
//! | `system` | memory for memprof's own tables, the clock, names of threads, the loader |
//! | `switching`, `level` | the word that each call reads first, and the order of its changes |
//! | `counters`, `threads` | the counts of a thread; all its words, which thread has which, and the notice of a thread's end |
//! | `process` | the sums over all threads, live bytes, the peak; which work is a profiler's |
//! | `estimate` | amounts with their errors |
//! | `numbers` | a table that numbers values |
//! | `stacks` | call stacks, each stored once |
//! | `live_table`, `sample` | the samples of live blocks, how they are taken, and their mean distance |
//! | `paths`, `running`, `operation`, `named`, `requests`, `spans`, `ring`, `events` | operations: a number for each path and its counts; those that run on a thread; the events of their calls |
//! | `switch` | levels and rates that are set and requested |
//! | `hooks` | settings of the program and of a recorder |
//! | `alloc` | the global allocator, with all that runs on each call |

pub(crate) mod alloc;
pub(crate) mod callbacks;
pub(crate) mod counters;
pub(crate) mod estimate;
pub(crate) mod events;
pub(crate) mod fork;
pub(crate) mod fork_lock;
pub(crate) mod hooks;
pub(crate) mod level;
pub(crate) mod list;
pub(crate) mod live_table;
pub(crate) mod named;
pub(crate) mod numbers;
pub(crate) mod operation;
pub(crate) mod paths;
pub(crate) mod process;
#[cfg(feature = "tower_layer03")]
pub(crate) mod requests;
pub(crate) mod ring;
pub(crate) mod running;
pub(crate) mod sample;
#[cfg(feature = "tracing_subscriber03")]
pub(crate) mod spans;
pub(crate) mod stacks;
pub(crate) mod switch;
pub(crate) mod switching;
pub(crate) mod sync;
pub(crate) mod system;
pub(crate) mod threads;
