//! The atomics of the data that threads share without a lock, under names that the models replace.
//!
//! `tests/models` compiles the files that use this module a second time, with loom's atomics.

pub(crate) use core::hint::spin_loop;
pub(crate) use core::sync::atomic::{
    AtomicI64, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
};

/// Sleeps, so that other threads can continue if they need this processor.
pub(crate) fn rest() {
    std::thread::sleep(std::time::Duration::from_micros(200));
}

/// The read is not atomic, because compilers don't use an atomic word as an operand of a
/// comparison. This saves one instruction on each free.
#[expect(unsafe_code, reason = "an atomic read without an atomic instruction")]
#[inline(always)]
pub(crate) fn own(word: &AtomicI64) -> i64 {
    // SAFETY: the address is that of a live word. Only the current thread writes it, and other
    // threads only read it, so this is not a race.
    unsafe { word.as_ptr().read() }
}

#[expect(unsafe_code, reason = "as above")]
#[inline(always)]
pub(crate) fn own_unsigned(word: &AtomicU64) -> u64 {
    // SAFETY: as in `own`.
    unsafe { word.as_ptr().read() }
}

/// Subtracts `amount` from a word that only the current thread writes. Returns true if the result
/// is negative.
///
/// The one exception is the countdown of `UNREGISTERED`, which several threads write. Some of their
/// subtractions are lost. The countdown is so far below zero that this doesn't matter.
///
/// One instruction both subtracts and sets the flag for the branch. Compilers don't emit that for
/// an atomic word.
#[inline(always)]
pub(crate) fn overspend(word: &AtomicI64, amount: i64) -> bool {
    #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
    {
        #[expect(unsafe_code, reason = "as above")]
        // SAFETY: a live, aligned word is read and written in one piece each, like an atomic load
        // and store. Only the thread that writes the word reads it as a plain word.
        unsafe {
            core::arch::asm!(
                "sub qword ptr [{word}], {amount}",
                "js {yes}",
                word = in(reg) word.as_ptr(),
                amount = in(reg) amount,
                yes = label { return true },
                options(nostack),
            );
        }
        false
    }
    #[cfg(not(all(target_arch = "x86_64", target_pointer_width = "64", not(miri))))]
    {
        let left = word.load(Ordering::Relaxed).wrapping_sub(amount);
        word.store(left, Ordering::Relaxed);
        left < 0
    }
}
