//! The split of a shard's counts between the program and profilers.
//!
//! Each shard has a mark: four counts that change only when work of a profiler begins or ends.
//! While no such work runs, the mark is the part that profilers counted on the shard. The rest of
//! the shard's counts belongs to the program. While such work runs, the mark is the part that the
//! program counted, and the rest belongs to the profilers. So one step switches between the two
//! meanings, and no count is ever moved.

use super::counters::Counts;
use core::hint;
use core::sync::atomic::{
    AtomicBool, AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
    fence,
};

/// The state of the split of one shard.
pub(super) struct ProfilerWork {
    /// Odd while the mark changes.
    version: AtomicU32,
    is_running: AtomicBool,
    /// The mark: bytes and blocks allocated, then bytes and blocks freed.
    mark: [AtomicU64; 4],
}

/// The counts of a shard, split between the program and profilers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Split {
    pub(crate) program: Counts,
    pub(crate) profilers: Counts,
}

impl ProfilerWork {
    pub(super) const fn none() -> Self {
        Self {
            version: AtomicU32::new(0),
            is_running: AtomicBool::new(false),
            mark: [const { AtomicU64::new(0) }; 4],
        }
    }

    pub(super) fn is_running(&self) -> bool {
        self.is_running.load(Relaxed)
    }

    pub(super) fn mark(&self) -> Counts {
        Counts::load(&self.mark)
    }

    pub(super) fn mark_live(&self) -> i64 {
        let [allocated, _, freed, _] = &self.mark;
        allocated.load(Relaxed).wrapping_sub(freed.load(Relaxed)).cast_signed()
    }

    /// Replaces the mark. Only the thread that owns the shard may call this.
    pub(super) fn set(&self, is_running: bool, mark: Counts) {
        self.version.store(self.version.load(Relaxed).wrapping_add(1), Relaxed);
        fence(Release);
        self.is_running.store(is_running, Relaxed);
        mark.store(&self.mark);
        self.version.store(self.version.load(Relaxed).wrapping_add(1), Release);
    }

    /// Completes a change that a fork interrupted.
    pub(super) fn complete_change(&self) {
        let version = self.version.load(Relaxed);
        self.version.store(version.wrapping_add(version % 2), Release);
    }

    /// Reads a value that depends on the mark. The argument of `read` is true if work of a profiler
    /// runs. The last attempt is used even if the mark changes, so that the call ends if the system
    /// interrupted the writing thread.
    pub(super) fn read<T>(&self, read: impl Fn(bool) -> T) -> T {
        const TRIES: u32 = 1000;
        for _ in 0..TRIES {
            let version = self.version.load(Acquire);
            let value = read(self.is_running());
            fence(Acquire);
            if version.is_multiple_of(2) && self.version.load(Relaxed) == version {
                return value;
            }
            hint::spin_loop();
        }
        read(self.is_running())
    }
}
