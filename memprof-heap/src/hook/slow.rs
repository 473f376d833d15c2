//! What the hook does when a thread stops: it gets a shard, tells the process, takes a sample.
//!
//! Nothing here waits for a lock of memprof's, panics, or allocates through the global allocator.
#![deny(clippy::arithmetic_side_effects)]

use super::start;
use crate::base::level_word::{Level, LevelWord, WINDOW};
use crate::operations::current_operation;
use crate::sampling::{self, Sample};
use crate::thread::shard::Mine;
use crate::thread::{process, threads};

/// Counts an allocation on a thread that had to stop for it, once its bytes were counted.
#[cold]
#[inline(never)]
pub(crate) fn allocated(memory: *mut u8, bytes: usize, start: Level) -> *mut u8 {
    let counted_by = threads::current();
    if counts_nothing(start) {
        counted_by.forget_bytes(bytes);
    } else {
        count_live(counted_by, memory, bytes);
    }
    memory
}

/// The same for a block that was grown.
#[cold]
#[inline(never)]
pub(crate) fn grown(memory: *mut u8, old: usize, new: usize, start: Level) -> *mut u8 {
    // Until the free is counted, which may take long, it would be seen as allocated and not live.
    threads::current().forget_bytes(new);
    resized(memory, old, new, start)
}

/// Counts a block as freed as it was and allocated as it is, of which nothing was counted: a peak may
/// have to be noted before.
#[cold]
#[inline(never)]
pub(crate) fn resized(memory: *mut u8, old: usize, new: usize, start: Level) -> *mut u8 {
    if !counts_nothing(start) {
        count_free(old);
        let mine = threads::current();
        if mine.count_bytes(new) {
            count_live(mine, memory, new);
        } else {
            mine.count_live(new);
        }
    }
    memory
}

/// Counts the rest of an allocation, whose bytes somebody counted: this thread, unless it has a shard
/// only since.
fn count_live(counted_by: Mine, memory: *mut u8, bytes: usize) {
    let Some(mine) = threads::mine() else { return process::late_allocated(bytes) };
    if !mine.is(counted_by) {
        mine.count_bytes(bytes);
    }
    if mine.is_late() {
        mine.count_live_late(bytes);
        mine.note_peak(mine.live());
        return process::late_allocated(bytes);
    }
    mine.count_live(bytes);
    // Readers wait while a countdown is below zero; and telling may read.
    mine.arm(0);
    mine.tell_if_much();
    let next = sampling::allocated(mine, memory, bytes, current_operation);
    mine.arm(next.min(STEP));
}

/// Bytes after which a thread stops that allocates, at the latest. It tells the process if it holds
/// as much more or less than it told, so what it didn't tell is never more than two steps.
const STEP: i64 = WINDOW / 2;

/// Counts the free of a block that was not sampled; false if that doesn't suffice. What most frees
/// do while samples are taken.
#[inline(always)]
pub(crate) fn freed_unsampled(memory: *mut u8, bytes: usize) -> bool {
    let mine = threads::current();
    if sampling::may_have(memory) || mine.must_stop_before_freeing() {
        return false;
    }
    mine.count_free(bytes);
    true
}

/// Counts a free on a thread that had to stop for it.
#[cold]
#[inline(never)]
pub(crate) fn freed(memory: *mut u8, bytes: usize, start: Level) {
    if counts_nothing(start) {
        return;
    }
    if LevelWord::now().is_sampled() {
        sampling::take(memory);
    }
    count_free(bytes);
}

fn count_free(bytes: usize) {
    match threads::mine() {
        Some(mine) if mine.is_late() => {
            mine.count_free_late(bytes);
            process::late_freed(bytes);
        }
        Some(mine) => {
            // A peak is noted before the free, and what was freed is told after it.
            mine.settle();
            mine.count_free(bytes);
            mine.settle();
        }
        None => process::late_freed(bytes),
    }
}

/// The sample of a block that is about to be moved, if it has one.
#[inline]
pub(crate) fn taken(memory: *mut u8) -> Option<Sample> {
    sampling::take(memory)
}

/// A block was not moved after all: its sample is its own again.
#[cold]
pub(crate) fn not_moved(sample: Option<Sample>) {
    if let Some(sample) = sample {
        sampling::put_back(sample);
    }
}

/// Returns true if nothing is counted. The first call of an allocator decides that, by its level.
fn counts_nothing(level: Level) -> bool {
    if LevelWord::now() == LevelWord::UNDECIDED {
        start::at(level);
    }
    LevelWord::now().is_off()
}

impl Mine {
    fn tell_if_much(self) {
        if self.untold().unsigned_abs() >= STEP.unsigned_abs() {
            self.tell();
        }
    }
}
