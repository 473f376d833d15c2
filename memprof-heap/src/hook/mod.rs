//! What runs on every allocation and every free, and the words it writes.
//!
//! The hook is the three functions of this file. What they can't do in a few instructions is in
//! `slow`, which they leave to by comparing one word of the thread.

pub(crate) mod counters;
pub(crate) mod gate;
mod list;
pub(crate) mod process;
pub(crate) mod profilers;
pub(crate) mod shard;
mod slow;
pub(crate) mod threads;

use crate::Level;
use threads::current;

/// Counts a block that was handed out, and returns it.
#[inline(always)]
pub(crate) fn allocated(memory: *mut u8, bytes: usize, start: Level) -> *mut u8 {
    let mine = current();
    if mine.must_stop_before_allocating(bytes) {
        return slow::allocated(memory, bytes, start);
    }
    mine.count_allocation(bytes);
    memory
}

/// Counts a block that is about to be given back; true if it has to be done by [`freed_slowly`].
#[inline(always)]
pub(crate) fn freed(bytes: usize) -> bool {
    let mine = current();
    if mine.must_stop_before_freeing() {
        return true;
    }
    mine.count_free(bytes);
    false
}

pub(crate) use slow::{freed as freed_slowly, freed_unsampled, not_moved, reallocated, taken};
