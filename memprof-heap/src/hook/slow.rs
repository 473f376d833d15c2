//! The hook's rare cases, in which a thread stops to acquire a shard, flush to the process or take
//! a sample.
//!
//! Nothing here waits for one of memprof's locks, panics, or allocates through the global
//! allocator.
#![deny(clippy::arithmetic_side_effects)]

use super::start;
use crate::base::level_word::{Level, LevelWord, WINDOW};
use crate::operations::current_operation;
use crate::sampling::{self, Sample};
use crate::thread::shard::LocalShard;
use crate::thread::{process, threads};

/// Counts the rest of an allocation on a thread that had to stop for it. The allocation's bytes are
/// counted already.
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

/// Counts a block that was grown, on a thread that had to stop for it.
#[cold]
#[inline(never)]
pub(crate) fn grown(memory: *mut u8, old: usize, new: usize, start: Level) -> *mut u8 {
    // Take the bytes back first. Otherwise readers would see them as allocated and not live until
    // the free is counted, which may take long.
    threads::current().forget_bytes(new);
    resized(memory, old, new, start)
}

/// Counts a block as freed with its old size and allocated with its new one. Neither was counted
/// before this call, because a peak may have to be noted first.
#[cold]
#[inline(never)]
pub(crate) fn resized(memory: *mut u8, old: usize, new: usize, start: Level) -> *mut u8 {
    if !counts_nothing(start) {
        count_free(old);
        let local = threads::current();
        if local.count_bytes(new) {
            count_live(local, memory, new);
        } else {
            local.count_live(new);
        }
    }
    memory
}

/// Counts the rest of an allocation whose bytes are counted in `counted_by`. That is the thread's
/// shard, or `UNREGISTERED` if the thread acquires its shard only here.
fn count_live(counted_by: LocalShard, memory: *mut u8, bytes: usize) {
    let Some(local) = threads::local() else { return process::unsharded_allocated(bytes) };
    if !local.is(counted_by) {
        local.count_bytes(bytes);
    }
    if local.is_unlisted() {
        local.count_live_unlisted(bytes);
        local.note_peak(local.live());
        return process::unsharded_allocated(bytes);
    }
    local.count_live(bytes);
    // Arm before the flush: the flush may read the counters of this thread, and readers wait while
    // a countdown is below zero.
    local.arm(0);
    local.flush_if_large();
    let next = sampling::allocated(local, memory, bytes, current_operation);
    local.arm(next.min(STEP));
}

/// The maximum number of bytes that a thread allocates before it stops. A thread that stops flushes
/// to the process if its live bytes have changed at least that much, so unflushed bytes never
/// exceed two steps.
const STEP: i64 = WINDOW / 2;

/// Counts the free of a block without a sample. Most frees take this path while samples are taken.
/// Returns false, without counting, if the block may have a sample or the thread must stop.
#[inline(always)]
pub(crate) fn freed_unsampled(memory: *mut u8, bytes: usize) -> bool {
    let local = threads::current();
    if sampling::may_have(memory) || local.must_stop_before_freeing() {
        return false;
    }
    local.count_free(bytes);
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
    match threads::local() {
        Some(local) if local.is_unlisted() => {
            local.count_free_unlisted(bytes);
            process::unsharded_freed(bytes);
        }
        Some(local) => {
            // Note a peak before the free, and flush the freed bytes after it.
            local.settle();
            local.count_free(bytes);
            local.settle();
        }
        None => process::unsharded_freed(bytes),
    }
}

/// Takes the sample of a block that is about to be moved, if it has one.
#[inline]
pub(crate) fn taken(memory: *mut u8) -> Option<Sample> {
    sampling::take(memory)
}

/// Puts back the sample of a block that was not moved after all.
#[cold]
pub(crate) fn not_moved(sample: Option<Sample>) {
    if let Some(sample) = sample {
        sampling::put_back(sample);
    }
}

/// Returns true if nothing is counted. The first call of an allocator decides that: it sets the
/// level with which the allocator starts.
fn counts_nothing(level: Level) -> bool {
    if LevelWord::now() == LevelWord::UNDECIDED {
        start::at(level);
    }
    LevelWord::now().is_off()
}

impl LocalShard {
    fn flush_if_large(self) {
        if self.unflushed().unsigned_abs() >= STEP.unsigned_abs() {
            self.flush();
        }
    }
}
