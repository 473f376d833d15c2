//! A fact about a crate that the process observes once.
//!
//! A `OnceLock` would block: if a program forks while another thread observes the fact, that thread
//! does not exist in the child, and each walk in the child would wait for it forever. Here two
//! threads may observe at once, and one of their results is kept.

//!
//! The fact is stored in place. A box would be the program's memory, and a check that a value and
//! its profile leak nothing would find it.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::sync::atomic::AtomicU8;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// A fact, from its first observation on.
pub(crate) struct Observed<T> {
    state: AtomicU8,
    fact: UnsafeCell<MaybeUninit<T>>,
}

const UNKNOWN: u8 = 0;
/// A thread stores the fact. In a forked child, the state may stay so.
const STORING: u8 = 1;
const KNOWN: u8 = 2;

// SAFETY: the fact is written once, by the thread that changed the state from `UNKNOWN`, and only
// read, as a copy, once the state is `KNOWN`.
unsafe impl<T: Copy + Send + Sync> Sync for Observed<T> {}

impl<T: Copy + Send + Sync> Observed<T> {
    pub(crate) const fn new() -> Self {
        Self { state: AtomicU8::new(UNKNOWN), fact: UnsafeCell::new(MaybeUninit::uninit()) }
    }

    #[inline]
    pub(crate) fn get_or_init(&self, observe: impl FnOnce() -> T) -> T {
        if self.state.load(Acquire) == KNOWN {
            // SAFETY: the fact was stored before the state, and is never written again.
            return unsafe { self.fact.get().cast::<T>().read() };
        }
        self.observe(observe)
    }

    #[cold]
    fn observe(&self, observe: impl FnOnce() -> T) -> T {
        let fact = observe();
        if self.state.compare_exchange(UNKNOWN, STORING, Acquire, Relaxed).is_ok() {
            // SAFETY: only the thread that changed the state writes, and no thread reads yet.
            unsafe { self.fact.get().cast::<T>().write(fact) };
            self.state.store(KNOWN, Release);
        }
        fact
    }
}

#[cfg(test)]
mod tests {
    use super::Observed;
    use std::thread;

    #[test]
    fn one_observation_is_kept() {
        static FACT: Observed<usize> = Observed::new();
        thread::scope(|scope| {
            for number in 0..8 {
                scope.spawn(move || assert!(FACT.get_or_init(|| number) < 8));
            }
        });
        let kept = FACT.get_or_init(|| 9);
        assert!(kept < 8 && FACT.get_or_init(|| 10) == kept, "{kept}");
    }
}
