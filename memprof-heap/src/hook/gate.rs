//! The word of which the hook reads a copy first: whether anything counts, and what a free may pass
//! by.

mod copies;
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", target_os = "linux", not(miri)))]
#[path = "gate/elf_x86_64.rs"]
mod here;
#[cfg(not(all(
    target_arch = "x86_64",
    target_pointer_width = "64",
    target_os = "linux",
    not(miri)
)))]
#[path = "gate/portable.rs"]
mod here;
#[cfg(test)]
mod tests;

pub(crate) use copies::GateCopy;
pub(crate) use here::{copy, counts_aligned, work};

use super::list::List;
use crate::sync::{AtomicPtr, AtomicUsize};
use copies::Original;
use core::ptr;

/// Bytes that a thread allocates, or net frees, before it tells the process: 64 KiB.
///
/// What is told costs two atomic operations, so a thread that allocates blocks of 100 bytes pays
/// for them once in 650 blocks; and the process's peak is known to this much for each thread.
pub(crate) const WINDOW: i64 = 64 * 1024;

/// What C's `malloc` aligns to.
pub(crate) const MALLOC_ALIGN: usize = 2 * size_of::<usize>();

// Of anything that is allocated while something counts, the alignment is compared with this word,
// which tells at once that it counts and that `malloc` serves it: so `OFF` is less than any
// alignment, and the others are `MALLOC_ALIGN` or more, and less than the next alignment.
const OFF: usize = 0;
/// Every free is looked at.
const SAMPLED: usize = MALLOC_ALIGN;
const COUNTERS: usize = MALLOC_ALIGN + 1;
/// Counts for the moment in which somebody looks whether the allocator is installed.
const PROBED: usize = MALLOC_ALIGN + 2;
/// As the program starts, until the first call of an allocator tells its level; and a copy until it
/// follows.
const UNDECIDED: usize = MALLOC_ALIGN + 3;

static GATE: Original = Original {
    word: AtomicUsize::new(UNDECIDED),
    copies: List { first: AtomicPtr::new(ptr::null_mut()) },
};

/// What a level asks of the hook when a block is freed or moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    PassOn,
    Count,
    LookForSample,
}

/// What the gate is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gate(usize);

impl Gate {
    pub(crate) const OFF: Self = Self(OFF);
    pub(crate) const COUNTERS: Self = Self(COUNTERS);
    pub(crate) const SAMPLED: Self = Self(SAMPLED);
    pub(crate) const PROBED: Self = Self(PROBED);
    pub(crate) const UNDECIDED: Self = Self(UNDECIDED);

    #[inline]
    pub(crate) fn now() -> Self {
        Self(GATE.now())
    }

    #[inline(always)]
    pub(crate) fn is_off(self) -> bool {
        self.0 == OFF
    }

    #[inline(always)]
    pub(crate) fn is_sampled(self) -> bool {
        self.0 == SAMPLED
    }

    pub(crate) fn set(self) {
        GATE.set(self.0);
    }

    /// Sets this if it is still as it was; what it is now if not.
    pub(crate) fn replace(self, was: Self) -> Result<(), Self> {
        GATE.replace(was.0, self.0).map_err(Self)
    }
}

impl GateCopy {
    /// Whether it has never been told what the gate is.
    pub(crate) fn is_undecided(&self) -> bool {
        self.now() == UNDECIDED
    }

    /// Soon it is what the gate is, and from then on.
    pub(crate) fn follow(&'static self) {
        GATE.is_followed_by(self);
    }
}
