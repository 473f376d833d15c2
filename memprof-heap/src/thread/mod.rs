//! Layer 1: the block of words in which each thread counts, and the sums over all threads.
//!
//! | module | contents |
//! |---|---|
//! | `counters`, `mark` | the counts of a thread, and the profilers' part of them |
//! | `slot` | words of a thread whose type a module of a higher layer defines |
//! | `shard`, `shards` | all words of a thread; the list of all shards |
//! | `unsharded` | counts of threads that have no shard |
//! | `profilers` | bytes that profilers hold |
//! | `counting_start`, `counted` | counts of the process since counting began |
//! | `wake`, `process` | the functions that wake a recorder; live bytes and the peak |
//! | `flush`, `threads` | flushes of a thread to the process; the current thread's shard |
//! | `exit` | the notice that a thread gets when it ends |
//! | `profiler_work` | work of profilers on a thread |

pub(crate) mod counted;
pub(crate) mod counters;
mod counting_start;
mod exit;
mod flush;
mod mark;
pub(crate) mod process;
pub(crate) mod profiler_work;
pub(crate) mod profilers;
mod unsharded;

pub(crate) mod shard;
pub(crate) mod shards;
pub(crate) mod slot;
pub(crate) mod threads;
pub(crate) mod wake;
