//! The word that the hook reads first: whether anything counts, and what a free may pass by.

use core::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// Bytes by which what a thread told the process may be wrong: 64 KiB.
///
/// What is told costs two atomic operations, so a thread that allocates blocks of 100 bytes pays
/// for them once in 325 blocks; and the process's peak is known to this much for each thread.
pub(crate) const WINDOW: i64 = 64 * 1024;
/// Bytes after which a thread stops that allocates, or frees from a peak on: two make a window. A
/// power of two, as `Mine::must_stop_before_freeing` wants its limits.
pub(crate) const STEP: i64 = WINDOW / 2;

const OFF: i64 = -1;
/// Any room of a thread is at least this: every free is looked at.
const SAMPLED: i64 = 0;
const COUNTERS: i64 = STEP;
/// Counts for the moment in which somebody looks whether the allocator is installed.
const PROBED: i64 = WINDOW + 1;
/// As the program starts, until the first call of an allocator tells its level.
const UNDECIDED: i64 = WINDOW + 2;

static GATE: AtomicI64 = AtomicI64::new(UNDECIDED);

/// What the hook saw of the level when it began.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gate(i64);

impl Gate {
    pub(crate) const OFF: Self = Self(OFF);
    pub(crate) const COUNTERS: Self = Self(COUNTERS);
    pub(crate) const SAMPLED: Self = Self(SAMPLED);
    pub(crate) const PROBED: Self = Self(PROBED);
    pub(crate) const UNDECIDED: Self = Self(UNDECIDED);

    #[inline(always)]
    pub(crate) fn now() -> Self {
        Self(GATE.load(Relaxed))
    }

    #[inline(always)]
    pub(crate) fn is_off(self) -> bool {
        self.0 < 0
    }

    #[inline(always)]
    pub(crate) fn is_sampled(self) -> bool {
        self.0 == SAMPLED
    }

    /// The room from which on a free has to stop. A thread without room has a new peak, and its
    /// room, read as a number without a sign, is beyond any limit.
    #[inline(always)]
    pub(crate) fn limit(self) -> u64 {
        self.0.cast_unsigned()
    }

    pub(crate) fn set(self) {
        GATE.store(self.0, Relaxed);
    }

    /// Sets this if it is still as it was; what it is now if not.
    pub(crate) fn replace(self, was: Self) -> Result<(), Self> {
        GATE.compare_exchange(was.0, self.0, Relaxed, Relaxed).map(drop).map_err(Self)
    }
}
