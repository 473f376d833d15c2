//! What the hook does when a thread stops: it gets a shard, tells the process, takes a sample.
//!
//! Nothing here takes a lock, panics, or allocates through the global allocator.
#![deny(clippy::arithmetic_side_effects)]

use super::gate::{Gate, WINDOW};
use super::shard::Mine;
use super::{process, threads};
use crate::Level;
use crate::sampling::{self, Sample};

/// Counts an allocation on a thread that had to stop for it.
#[cold]
#[inline(never)]
pub(crate) fn allocated(memory: *mut u8, bytes: usize, start: Level) -> *mut u8 {
    if Gate::now() == Gate::UNDECIDED && decide(start).is_off() {
        return memory;
    }
    match threads::mine() {
        Some(mine) if mine.is_late() => {
            mine.count_slowly(bytes);
            process::late_allocated(bytes);
        }
        Some(mine) => {
            mine.count_slowly(bytes);
            mine.tell_if_much();
            let next = sampling::allocated(mine, memory, bytes);
            mine.arm(next.min(STEP));
        }
        None => process::late_allocated(bytes),
    }
    memory
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
pub(crate) fn freed(gate: Gate, memory: *mut u8, bytes: usize, start: Level) {
    if gate == Gate::UNDECIDED && decide(start).is_off() {
        return;
    }
    if gate.is_sampled() {
        sampling::take(memory);
    }
    count_free(bytes);
}

fn count_free(bytes: usize) {
    match threads::mine() {
        Some(mine) if mine.is_late() => {
            mine.count_free_slowly(bytes);
            process::late_freed(bytes);
        }
        Some(mine) => {
            // A peak is noted before the free, and what was freed is told after it.
            mine.settle();
            mine.count_free_slowly(bytes);
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

/// Counts a block that was grown or shrunk, in place or not: freed as it was, allocated as it is.
#[inline]
pub(crate) fn reallocated(memory: *mut u8, old: usize, new: usize, start: Level) -> *mut u8 {
    let mine = threads::current();
    if mine.must_stop_before_allocating(new) || new < old {
        return reallocated_slowly(memory, old, new, start);
    }
    mine.count_growth(old, new);
    memory
}

/// The same on a thread that has to stop for it, or for a block that was shrunk, before which there
/// may be a peak to note.
#[cold]
#[inline(never)]
fn reallocated_slowly(memory: *mut u8, old: usize, new: usize, start: Level) -> *mut u8 {
    let mine = threads::current();
    if mine.must_stop_before_freeing() {
        if Gate::now() == Gate::UNDECIDED && decide(start).is_off() {
            return memory;
        }
        count_free(old);
    } else {
        mine.count_free(old);
    }
    super::allocated(memory, new, start)
}

/// Ends the time in which nobody has said what to count.
#[cold]
fn decide(start: Level) -> Gate {
    let gate = start.gate();
    match gate.replace(Gate::UNDECIDED) {
        Ok(()) => {
            crate::level::started(start);
            gate
        }
        Err(now) => now,
    }
}

impl Mine {
    fn tell_if_much(self) {
        if self.untold().unsigned_abs() >= STEP.unsigned_abs() {
            self.tell();
        }
    }
}
