//! The atomics of what threads share without a lock, by the one name that its models know too.
//!
//! `tests/models` compiles the files that name this module a second time, with loom's atomics.

pub(crate) use core::hint::spin_loop;
pub(crate) use core::sync::atomic::{
    AtomicI64, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
};

/// Lets other threads go on, which may need the processor for that.
pub(crate) fn rest() {
    std::thread::sleep(std::time::Duration::from_micros(200));
}

/// The number of the process, which a forked child has its own of; never 0.
pub(crate) fn process() -> u32 {
    std::process::id()
}

/// A word that only the current thread writes, read by it.
///
/// Not as an atomic, which compilers don't make an operand of a comparison: a free is one
/// instruction shorter.
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

/// Takes so much from a word that only the current thread writes; true if less than nothing is left.
/// Of what others take from it at the same time, some is lost: it may be `BEFORE`'s countdown, which
/// is so far below zero that it doesn't matter.
///
/// The instruction that subtracts is also the one that tells, which compilers don't make of an
/// atomic word.
#[inline(always)]
pub(crate) fn overspend(word: &AtomicI64, amount: i64) -> bool {
    #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
    {
        #[expect(unsafe_code, reason = "as above")]
        // SAFETY: a live word is read and written, each in one piece as aligned words are, as if it
        // was loaded and stored as an atomic. Nobody reads it as a plain word but who alone writes it.
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
