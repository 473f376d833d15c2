//! The word that the hook reads first: whether anything counts, and what a free may pass by.
#![expect(unsafe_code, reason = "branches on what an instruction compared")]

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

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
/// As the program starts, until the first call of an allocator tells its level.
const UNDECIDED: usize = MALLOC_ALIGN + 3;

static GATE: AtomicUsize = AtomicUsize::new(UNDECIDED);

/// What a free has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Free {
    PassOn,
    Count,
    LookForSample,
}

/// Whether something counts, and an allocation of this alignment is one that `malloc` serves.
#[inline(always)]
pub(crate) fn counts_aligned(align: usize) -> bool {
    #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
    return by_flags::is_at_least(&GATE, align);
    #[cfg(not(all(target_arch = "x86_64", target_pointer_width = "64", not(miri))))]
    return is_at_least(&GATE, align);
}

/// What a free has to do at the level that is set.
#[inline(always)]
pub(crate) fn free() -> Free {
    #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
    return by_flags::free_at(&GATE);
    #[cfg(not(all(target_arch = "x86_64", target_pointer_width = "64", not(miri))))]
    return free_at(&GATE);
}

#[inline(always)]
#[cfg_attr(not(test), allow(dead_code, reason = "where there are flags to branch on"))]
fn is_at_least(gate: &AtomicUsize, align: usize) -> bool {
    gate.load(Relaxed) >= align
}

#[inline(always)]
#[cfg_attr(not(test), allow(dead_code, reason = "as above"))]
fn free_at(gate: &AtomicUsize) -> Free {
    match gate.load(Relaxed) {
        OFF => Free::PassOn,
        SAMPLED => Free::LookForSample,
        _ => Free::Count,
    }
}

/// The same in one instruction less each: compilers don't compare with an atomic word where it is.
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
mod by_flags {
    use super::{Free, SAMPLED};
    use core::arch::asm;
    use core::sync::atomic::AtomicUsize;

    #[inline(always)]
    pub(super) fn is_at_least(gate: &AtomicUsize, align: usize) -> bool {
        // SAFETY: a live word is read, in one piece as aligned words are, and nothing is written.
        unsafe {
            asm!(
                "cmp qword ptr [{gate}], {align}",
                "jae {yes}",
                gate = in(reg) gate.as_ptr(),
                align = in(reg) align,
                yes = label { return true },
                options(readonly, nostack),
            );
        }
        false
    }

    #[inline(always)]
    pub(super) fn free_at(gate: &AtomicUsize) -> Free {
        // SAFETY: as above.
        unsafe {
            asm!(
                "cmp qword ptr [{gate}], {sampled}",
                "ja {count}",
                "je {look}",
                gate = in(reg) gate.as_ptr(),
                sampled = const SAMPLED,
                count = label { return Free::Count },
                look = label { return Free::LookForSample },
                options(readonly, nostack),
            );
        }
        Free::PassOn
    }
}

/// What the hook saw of the level when it began.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gate(usize);

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
        self.0 == OFF
    }

    #[inline(always)]
    pub(crate) fn is_sampled(self) -> bool {
        self.0 == SAMPLED
    }

    pub(crate) fn set(self) {
        GATE.store(self.0, Relaxed);
    }

    /// Sets this if it is still as it was; what it is now if not.
    pub(crate) fn replace(self, was: Self) -> Result<(), Self> {
        GATE.compare_exchange(was.0, self.0, Relaxed, Relaxed).map(drop).map_err(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::{AtomicUsize, COUNTERS, Free, OFF, PROBED, SAMPLED, UNDECIDED};
    use super::{MALLOC_ALIGN, free_at, is_at_least};

    const GATES: [usize; 5] = [OFF, SAMPLED, COUNTERS, PROBED, UNDECIDED];

    #[test]
    fn an_alignment_is_served_where_something_counts_unless_it_is_above_mallocs() {
        for gate in GATES {
            for align in (0..usize::BITS).map(|bits| 1 << bits) {
                let wanted = gate != OFF && align <= MALLOC_ALIGN;
                assert_eq!(is_at_least(&AtomicUsize::new(gate), align), wanted, "{gate} {align}");
            }
        }
    }

    #[test]
    fn a_free_is_counted_unless_nothing_is_or_samples_are_looked_for() {
        let frees = GATES.map(|gate| free_at(&AtomicUsize::new(gate)));
        let [off, sampled, others @ ..] = frees;
        assert_eq!((off, sampled), (Free::PassOn, Free::LookForSample));
        assert_eq!(others, [Free::Count; 3]);
    }

    #[test]
    #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
    fn flags_tell_the_same_as_the_word() {
        for gate in GATES.map(AtomicUsize::new) {
            assert_eq!(super::by_flags::free_at(&gate), free_at(&gate));
            for align in (0..usize::BITS).map(|bits| 1 << bits) {
                let by_flags = super::by_flags::is_at_least(&gate, align);
                assert_eq!(by_flags, is_at_least(&gate, align), "{gate:?} {align}");
            }
        }
    }
}
