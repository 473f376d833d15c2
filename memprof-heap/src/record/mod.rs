//! The layer that records: what runs on an allocation, and the words and tables that it fills.
//!
//! In reading order, from the ground up:
//!
//! | module | contents |
//! |---|---|
//! | `sync`, `list` | the atomics; a list without a lock |
//! | `fork`, `fork_lock` | what happens around a fork; a lock that a forked child can take |
//! | `system` | memory for memprof's own tables, the clock, names of threads, the loader |
//! | `switching`, `level` | the word that each call reads first, and the order of its changes |
//! | `counters`, `shard` | the counts of a thread; all its words |
//! | `threads` | which thread has which shard, and the notice of a thread's end |
//! | `counted`, `process` | the sums over all threads, live bytes, the peak |
//! | `profiler` | the profilers' part of all counts |
//! | `path_table`, `paths` | a number for each path of operations; the counts of each |
//! | `running`, `operation`, `parts`, `spans` | operations that run on a thread, and how they begin and end |
//! | `ring`, `events` | individual calls of operations |
//! | `estimate`, `rate` | amounts with their errors; when the mean distance of samples changes |
//! | `stack`, `stack_table`, `stacks` | call stacks, each stored once |
//! | `live_table`, `live`, `sample` | the samples of live blocks; how one is taken |
//! | `switch`, `callbacks`, `recorder` | settings and requests of the program and of a recorder |
//! | `alloc` | the global allocator, with all that runs on each call |

pub(crate) mod alloc;
pub(crate) mod callbacks;
pub(crate) mod counted;
pub(crate) mod counters;
pub(crate) mod estimate;
pub(crate) mod events;
pub(crate) mod fork;
pub(crate) mod fork_lock;
pub(crate) mod level;
pub(crate) mod list;
pub(crate) mod live;
pub(crate) mod live_table;
pub(crate) mod operation;
pub(crate) mod parts;
pub(crate) mod path_table;
pub(crate) mod paths;
pub(crate) mod process;
pub(crate) mod profiler;
pub(crate) mod rate;
pub mod recorder;
pub(crate) mod ring;
pub(crate) mod running;
pub(crate) mod sample;
pub(crate) mod shard;
#[cfg(feature = "tracing_subscriber03")]
pub(crate) mod spans;
pub(crate) mod stack;
pub(crate) mod stack_table;
pub(crate) mod stacks;
pub(crate) mod switch;
pub(crate) mod switching;
pub(crate) mod sync;
pub(crate) mod system;
pub(crate) mod threads;
