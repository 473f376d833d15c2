//! The levels, and the level word: the atomic that each call of the allocator reads first.
//!
//! The level word is a plain static of this crate, so each copy of the crate in a process has its
//! own. It has more values than there are levels, and their order makes each question of the hook one
//! comparison, in memory on x86-64. That is two instructions less of a pair of calls at `Off`.

use crate::record::fork_lock::{FREE, ForkLock};
use crate::record::switching::{NO_EPOCH, Words};
use crate::record::sync::Ordering::{Acquire, Relaxed};
use crate::record::sync::{AtomicU32, AtomicU64, AtomicUsize};

memprof_profile::keywords! {
    /// The amount that the allocator records. Each level includes the one before.
    ///
    /// `docs/comparison.md` lists the cost of each level, in instructions and in time.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[expect(clippy::exhaustive_enums, reason = "callers match each level, and compare them in order")]
    pub enum Level {
        /// Nothing is recorded: the allocator forwards each call after one comparison.
        #[default]
        Off => "off",
        /// Exact bytes and blocks by thread and by operation, and the peaks.
        Counters => "counters",
        /// Counters, and samples of blocks with the call stacks that allocated them.
        Sampled => "sampled",
    }
}

/// The alignment of blocks from C's `malloc`.
pub(crate) const MALLOC_ALIGN: usize = 2 * size_of::<usize>();

pub(crate) static WORDS: Words =
    Words { level: AtomicUsize::new(LevelWord::UNDECIDED.0), epoch: AtomicU64::new(NO_EPOCH) };

/// Held to change the level or the sampling rate. The hook only tries to take it, and never waits.
pub(crate) static SWITCH: ForkLock = ForkLock { owner: AtomicU32::new(FREE) };

/// The work that a level requires of the hook when a block is freed or moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    PassOn,
    Count,
    LookForSample,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LevelWord(usize);

// `word >= align` means that counting is on and `align` is at most `MALLOC_ALIGN`. So `OFF` is below
// every alignment, and the other values are in `MALLOC_ALIGN..2 * MALLOC_ALIGN`.
impl LevelWord {
    pub(crate) const OFF: Self = Self(0);
    /// The value while each free searches the table for a sample.
    const SAMPLED: Self = Self(MALLOC_ALIGN);
    pub(crate) const COUNTERS: Self = Self(MALLOC_ALIGN + 1);
    /// The value from the start of the program until the first call of an allocator sets its level.
    pub(crate) const UNDECIDED: Self = Self(MALLOC_ALIGN + 2);

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
        self.0 == Self::OFF.0
    }

    #[inline(always)]
    pub(crate) fn is_sampled(self) -> bool {
        self.0 == Self::SAMPLED.0
    }

    /// Sets the word. The caller holds [`SWITCH`].
    pub(crate) fn set(self) {
        WORDS.set_level(self.0);
    }

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

/// Returns true if counting is on and `malloc` serves this alignment.
#[inline(always)]
pub(crate) fn counts_aligned(align: usize) -> bool {
    compare::is_at_least(&WORDS.level, align)
}

#[inline(always)]
pub(crate) fn work() -> Work {
    compare::work(&WORDS.level)
}

/// Sets the level and the first epoch; see [`Words::begin_sampling`]. The caller holds [`SWITCH`].
pub(crate) fn begin_sampling(epoch: u64) {
    WORDS.begin_sampling(LevelWord::SAMPLED.0, epoch);
}

/// Ends the epoch and sets the level; see [`Words::end_sampling`]. The caller holds [`SWITCH`].
pub(crate) fn end_sampling(level: LevelWord) {
    WORDS.end_sampling(level.0);
}

/// Comparisons that load the word first: one instruction more in each call.
#[cfg(any(test, not(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))))]
mod portable {
    use super::{AtomicUsize, LevelWord, Relaxed, Work};

    #[inline(always)]
    pub(super) fn is_at_least(word: &AtomicUsize, align: usize) -> bool {
        word.load(Relaxed) >= align
    }

    #[inline(always)]
    pub(super) fn work(word: &AtomicUsize) -> Work {
        match LevelWord(word.load(Relaxed)) {
            LevelWord::OFF => Work::PassOn,
            LevelWord::SAMPLED => Work::LookForSample,
            _ => Work::Count,
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", target_pointer_width = "64", not(miri))))]
use portable as compare;

/// Comparisons of the word in memory, which compilers don't emit for an atomic word.
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
mod compare {
    #![expect(unsafe_code, reason = "branches on the flags of an inline comparison")]

    use super::{AtomicUsize, LevelWord, Work};

    #[inline(always)]
    pub(super) fn is_at_least(word: &AtomicUsize, align: usize) -> bool {
        // SAFETY: a live, aligned word is read in one piece, and nothing is written.
        unsafe {
            core::arch::asm!(
                "cmp qword ptr [{word}], {align}",
                "jae {yes}",
                word = in(reg) word.as_ptr(),
                align = in(reg) align,
                yes = label { return true },
                options(readonly, nostack),
            );
        }
        false
    }

    #[inline(always)]
    pub(super) fn work(word: &AtomicUsize) -> Work {
        // SAFETY: as above.
        unsafe {
            core::arch::asm!(
                "cmp qword ptr [{word}], {sampled}",
                "ja {count}",
                "je {look}",
                word = in(reg) word.as_ptr(),
                sampled = const LevelWord::SAMPLED.0,
                count = label { return Work::Count },
                look = label { return Work::LookForSample },
                options(readonly, nostack),
            );
        }
        Work::PassOn
    }
}

#[cfg(test)]
mod tests {
    use super::Work::{Count, LookForSample, PassOn};
    use super::{LevelWord, counts_aligned, portable, work};
    use super::{MALLOC_ALIGN, WORDS};
    use crate::record::sync::Ordering::Relaxed;

    // No allocator is installed in this test, so no other thread reads the word.
    #[test]
    fn the_level_word_selects_the_path_of_a_call() {
        assert_eq!(LevelWord::now(), LevelWord::UNDECIDED);
        let values =
            [LevelWord::OFF, LevelWord::SAMPLED, LevelWord::COUNTERS, LevelWord::UNDECIDED];
        let works = [PassOn, LookForSample, Count, Count];
        for (word, wanted) in values.into_iter().zip(works) {
            WORDS.level.store(word.0, Relaxed);
            assert_eq!(work(), wanted, "{word:?}");
            assert_eq!(portable::work(&WORDS.level), wanted, "{word:?}");
            for align in (0..usize::BITS).map(|bits| 1 << bits) {
                let counts = word != LevelWord::OFF && align <= MALLOC_ALIGN;
                assert_eq!(counts_aligned(align), counts, "{word:?} {align}");
                assert_eq!(portable::is_at_least(&WORDS.level, align), counts, "{word:?} {align}");
            }
        }
    }
}
