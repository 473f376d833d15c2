//! What runs on every allocation and every free, and the words it writes.
//!
//! The hook is the functions of this file. What they can't do in a few instructions is in `slow`,
//! which one word of the thread tells them to leave to.

pub(crate) mod counters;
pub(crate) mod gate;
mod list;
pub(crate) mod process;
pub(crate) mod profilers;
pub(crate) mod shard;
mod slow;
pub(crate) mod threads;

use crate::Level;
use gate::GateCopy;
use threads::current;

/// An allocator that somebody installed.
#[derive(Clone, Copy)]
pub(crate) struct Installed {
    /// The level that it begins with.
    start: Level,
    /// Where the calls look that are made of it.
    gate: &'static GateCopy,
}

impl Installed {
    /// The one whose function this is inlined into.
    #[inline(always)]
    pub(crate) fn here(start: Level) -> Self {
        Self { start, gate: gate::copy() }
    }
}

/// Counts a block that was handed out, and returns it.
#[inline(always)]
pub(crate) fn allocated(memory: *mut u8, bytes: usize, start: Level) -> *mut u8 {
    let mine = current();
    if mine.count_bytes(bytes) {
        return slow::allocated(memory, bytes, Installed::here(start));
    }
    mine.count_live(bytes);
    memory
}

/// Counts a block that was moved, or grown or shrunk in place, and returns it.
#[inline(always)]
pub(crate) fn reallocated(memory: *mut u8, old: usize, new: usize, start: Level) -> *mut u8 {
    if new < old {
        return slow::resized(memory, old, new, Installed::here(start));
    }
    let mine = current();
    if mine.count_bytes(new) {
        return slow::grown(memory, old, new, Installed::here(start));
    }
    mine.count_growth(old, new);
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

pub(crate) use slow::{freed as freed_slowly, freed_unsampled, not_moved, taken};
