//! Comparisons of the level word. On x86-64 one instruction compares it in memory; compilers don't
//! emit that for an atomic word.

#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
pub(super) use in_memory::{is_at_least, work};
#[cfg(not(all(target_arch = "x86_64", target_pointer_width = "64", not(miri))))]
pub(super) use portable::{is_at_least, work};

/// Comparisons that load the word first: one instruction more in each call.
#[cfg(any(test, not(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))))]
pub(super) mod portable {
    use super::super::{OFF, SAMPLED, Work};
    use crate::base::sync::AtomicUsize;
    use crate::base::sync::Ordering::Relaxed;

    #[inline(always)]
    pub(in super::super) fn is_at_least(word: &AtomicUsize, align: usize) -> bool {
        word.load(Relaxed) >= align
    }

    #[inline(always)]
    pub(in super::super) fn work(word: &AtomicUsize) -> Work {
        match word.load(Relaxed) {
            OFF => Work::PassOn,
            SAMPLED => Work::LookForSample,
            _ => Work::Count,
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
mod in_memory {
    #![expect(unsafe_code, reason = "branches on the flags of an inline comparison")]

    use super::super::{SAMPLED, Work};
    use crate::base::sync::AtomicUsize;

    #[inline(always)]
    pub(in super::super) fn is_at_least(word: &AtomicUsize, align: usize) -> bool {
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
    pub(in super::super) fn work(word: &AtomicUsize) -> Work {
        // SAFETY: as above.
        unsafe {
            core::arch::asm!(
                "cmp qword ptr [{word}], {sampled}",
                "ja {count}",
                "je {look}",
                word = in(reg) word.as_ptr(),
                sampled = const SAMPLED,
                count = label { return Work::Count },
                look = label { return Work::LookForSample },
                options(readonly, nostack),
            );
        }
        Work::PassOn
    }
}
