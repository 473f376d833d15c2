//! Counts of threads without a shard: they are ending, or there was no memory for a shard.

use super::counters::Counts;
use super::mark::Split;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bytes and blocks allocated, then bytes and blocks freed.
type Words = [AtomicU64; 4];

static ALL: Words = [const { AtomicU64::new(0) }; 4];
/// The part of `ALL` that the profilers' threads counted.
static PROFILERS: Words = [const { AtomicU64::new(0) }; 4];

/// Counts an allocation.
pub(super) fn count_allocated(bytes: usize, is_profiler: bool) {
    count(0, bytes, is_profiler);
}

/// Counts a free.
pub(super) fn count_freed(bytes: usize, is_profiler: bool) {
    count(2, bytes, is_profiler);
}

fn count(first: usize, bytes: usize, is_profiler: bool) {
    for words in [Some(&ALL), is_profiler.then_some(&PROFILERS)].into_iter().flatten() {
        words[first].fetch_add(bytes as u64, Relaxed);
        words[first + 1].fetch_add(1, Relaxed);
    }
}

/// Returns the counts, split between the program and profilers.
pub(super) fn split() -> Split {
    // Read frees first, so that they never exceed the allocations.
    let [freed_bytes, freed_blocks] = [&ALL[2], &ALL[3]].map(|word| word.load(Relaxed));
    let all = Counts { freed_bytes, freed_blocks, ..Counts::load(&ALL) };
    let profilers = Counts::load(&PROFILERS);
    Split { program: all.since(profilers), profilers }
}
