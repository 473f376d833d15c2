//! A fact about a crate that the process observes once.
//!
//! A `OnceLock` would block: if a program forks while another thread observes the fact, that thread
//! does not exist in the child, and each walk in the child would wait for it forever. Here two
//! threads may observe at once, and the first result is kept.

use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

/// A fact, from its first observation on.
pub(super) struct Observed<T: 'static>(AtomicPtr<T>);

impl<T: Send + Sync> Observed<T> {
    pub(super) const fn new() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    /// Returns the fact. Calls `observe` unless a thread has observed it.
    #[inline]
    pub(super) fn get_or_init(&self, observe: impl FnOnce() -> T) -> &'static T {
        // SAFETY: the pointer is null or from `Box::into_raw`, and the box is never freed.
        let known = unsafe { self.0.load(Ordering::Acquire).as_ref() };
        known.unwrap_or_else(|| self.observe(observe))
    }

    #[cold]
    fn observe(&self, observe: impl FnOnce() -> T) -> &'static T {
        let new = Box::into_raw(Box::new(observe()));
        let order = (Ordering::AcqRel, Ordering::Acquire);
        match self.0.compare_exchange(ptr::null_mut(), new, order.0, order.1) {
            // SAFETY: the box was made above, and is never freed.
            Ok(_) => unsafe { &*new },
            Err(known) => {
                // SAFETY: no other thread has this box.
                drop(unsafe { Box::from_raw(new) });
                // SAFETY: the pointer is from another thread's box, which is never freed.
                unsafe { &*known }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Observed;
    use std::thread;

    #[test]
    fn all_threads_get_the_first_observation() {
        static FACT: Observed<usize> = Observed::new();
        let mut facts = thread::scope(|scope| {
            let threads: Vec<_> =
                (0..8).map(|number| scope.spawn(move || *FACT.get_or_init(|| number))).collect();
            threads
                .into_iter()
                .map(|one| one.join().expect("it does not panic"))
                .collect::<Vec<_>>()
        });
        facts.push(*FACT.get_or_init(|| 9));
        assert!(facts[0] < 8 && facts.iter().all(|fact| *fact == facts[0]), "{facts:?}");
    }
}
