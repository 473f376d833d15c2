//! The library's `sync`, with loom's atomics.
#![expect(unsafe_code, reason = "an atomic read without an atomic instruction")]

pub(crate) use loom::hint::spin_loop;
pub(crate) use loom::sync::atomic::{
    AtomicI64, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
};

/// Lets other threads go on.
pub(crate) fn rest() {
    loom::thread::yield_now();
}

/// Reads a word that only the current thread writes. Loom fails if another thread writes it.
pub(crate) fn own(word: &AtomicI64) -> i64 {
    // SAFETY: loom checks that no other thread writes at the same time.
    unsafe { word.unsync_load() }
}

pub(crate) fn own_unsigned(word: &AtomicU64) -> u64 {
    // SAFETY: as above.
    unsafe { word.unsync_load() }
}

/// Subtracts `amount` from a word that only the current thread writes. Returns true if the result
/// is negative.
pub(crate) fn overspend(word: &AtomicI64, amount: i64) -> bool {
    let left = own(word).wrapping_sub(amount);
    word.store(left, Ordering::Relaxed);
    left < 0
}
