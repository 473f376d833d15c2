//! The atomics of what threads share without a lock, by the one name that its models know too.
//!
//! `tests/models` compiles the files that name this module a second time, with loom's atomics.

pub(crate) use core::hint::spin_loop;
pub(crate) use core::sync::atomic::{
    AtomicI64, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
};

/// A word that only the current thread writes, read by it.
///
/// Not as an atomic, which compilers don't make an operand of a comparison: a free is one
/// instruction shorter, an allocation too.
#[expect(unsafe_code, reason = "an atomic read without an atomic instruction")]
#[inline(always)]
pub(crate) fn own(word: &AtomicI64) -> i64 {
    // SAFETY: the address is that of a live word. Nobody else writes it, and what others do at the
    // same time are reads, so this is no race.
    unsafe { word.as_ptr().read() }
}

#[expect(unsafe_code, reason = "as above")]
#[inline(always)]
pub(crate) fn own_unsigned(word: &AtomicU64) -> u64 {
    // SAFETY: as above.
    unsafe { word.as_ptr().read() }
}
