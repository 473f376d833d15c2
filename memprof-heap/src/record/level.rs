//! The levels, and the level word: the atomic that each call of the allocator reads first.
//!
//! The level word is a plain static of this crate, so each copy of the crate in a process has its
//! own. It has more values than there are levels, and its two common questions are one comparison
//! each: "is everything off?" on allocations, "must this free look for a sample?" on frees.

use crate::record::fork_lock::{FREE, ForkLock};
use crate::record::switching::{NO_EPOCH, Words};
use crate::record::sync::Ordering::{Acquire, Relaxed};
use crate::record::sync::{AtomicU32, AtomicU64, AtomicUsize};

/// The amount that the allocator records. Each level includes the one before.
///
/// `docs/performance.md` has the cost of each level, in instructions and in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers match each level, and compare them in order")]
pub enum Level {
    /// Nothing is recorded: the allocator forwards each call after one comparison.
    #[default]
    Off,
    /// Exact bytes and blocks by thread and by operation, and the peaks.
    Counters,
    /// Counters, and samples of blocks with the call stacks that allocated them.
    Sampled,
}

/// The limit on the change of a thread's live bytes that the thread has not flushed to the process:
/// 64 KiB.
///
/// A thread that allocates flushes at half of this, by one atomic addition. With blocks of 100
/// bytes, that is one addition in about 330 blocks. The cost is that the flushed live bytes of the
/// process may be wrong by this amount for each thread.
pub(crate) const WINDOW: i64 = 64 * 1024;

const OFF: usize = 0;
/// The value while each free searches the table for a sample.
const SAMPLED: usize = 1;
const COUNTERS: usize = 2;
/// The value while counting is on only because `is_installed` tests whether a block is counted.
const PROBED: usize = 3;
/// The value from the start of the program until the first call of an allocator sets its level.
const UNDECIDED: usize = 4;

static WORDS: Words = Words { level: AtomicUsize::new(UNDECIDED), epoch: AtomicU64::new(NO_EPOCH) };

/// The lock that a thread holds while it changes the level or the sampling rate. The hook only
/// tries to take it, and never waits.
pub(crate) static SWITCH: ForkLock = ForkLock { owner: AtomicU32::new(FREE) };

/// A value of the level word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LevelWord(usize);

impl LevelWord {
    pub(crate) const OFF: Self = Self(OFF);
    pub(crate) const COUNTERS: Self = Self(COUNTERS);
    pub(crate) const SAMPLED: Self = Self(SAMPLED);
    pub(crate) const PROBED: Self = Self(PROBED);
    pub(crate) const UNDECIDED: Self = Self(UNDECIDED);

    #[inline(always)]
    pub(crate) fn now() -> Self {
        Self(WORDS.level.load(Relaxed))
    }

    /// Reads the level word, and makes visible what a switch wrote before it set the word.
    pub(crate) fn now_acquire() -> Self {
        Self(WORDS.level.load(Acquire))
    }

    #[inline(always)]
    pub(crate) fn is_off(self) -> bool {
        self.0 == OFF
    }

    #[inline(always)]
    pub(crate) fn is_sampled(self) -> bool {
        self.0 == SAMPLED
    }

    /// Sets the word. The caller holds [`SWITCH`].
    pub(crate) fn set(self) {
        WORDS.set_level(self.0);
    }

    /// Sets the word if it is still `was`.
    pub(crate) fn replace(self, was: Self) -> bool {
        WORDS.level.compare_exchange(was.0, self.0, Relaxed, Relaxed).is_ok()
    }

    /// Returns the level of this word; `Off` until a level is decided.
    pub(crate) fn level(self) -> Level {
        match self {
            Self::SAMPLED => Level::Sampled,
            Self::COUNTERS => Level::Counters,
            _ => Level::Off,
        }
    }
}

impl From<Level> for LevelWord {
    fn from(level: Level) -> Self {
        match level {
            Level::Off => Self::OFF,
            Level::Counters => Self::COUNTERS,
            Level::Sampled => Self::SAMPLED,
        }
    }
}

/// Returns the sampling epoch; see [`Words::epoch`].
pub(crate) fn epoch() -> u64 {
    WORDS.epoch()
}

/// Changes the sampling epoch. The caller holds [`SWITCH`].
pub(crate) fn set_epoch(epoch: u64) {
    WORDS.set_epoch(epoch);
}

/// Sets the level and the first epoch; see [`Words::begin_sampling`]. The caller holds [`SWITCH`].
pub(crate) fn begin_sampling(epoch: u64) {
    WORDS.begin_sampling(SAMPLED, epoch);
}

/// Ends the epoch and sets the level; see [`Words::end_sampling`]. The caller holds [`SWITCH`].
pub(crate) fn end_sampling(level: LevelWord) {
    WORDS.end_sampling(level.0);
}
