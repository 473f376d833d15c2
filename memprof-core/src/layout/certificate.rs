//! A certificate says if a part of std has the described layout. Each process checks it once.
//!
//! Std changes with each compiler, so no list of versions would do. Instead each part is observed on
//! values made for that: addresses that std gives in public and words that its values keep must
//! agree with the description. That takes microseconds and some small allocations, when the part is
//! first needed. A field behind the last one with a known place cannot be observed from inside a
//! process. [`check`](super::check::check) compares with what an allocator was asked for.

use core::sync::atomic::{AtomicU8, Ordering};

/// A part of std whose layouts stand or fall together.
pub(super) struct Certificate {
    /// Observes the part on values made for that.
    observe: fn() -> bool,
    state: AtomicU8,
}

const UNKNOWN: u8 = 0;
const CERTIFIED: u8 = 1;
const REFUTED: u8 = 2;

impl Certificate {
    pub(super) const fn new(observe: fn() -> bool) -> Self {
        Self { observe, state: AtomicU8::new(UNKNOWN) }
    }

    /// Returns whether the part is as described; where not, what depends on it is an estimate.
    #[inline]
    pub(super) fn holds(&self) -> bool {
        #[cfg(test)]
        if super::falsified::is_falsified() {
            return (self.observe)();
        }
        match self.state.load(Ordering::Relaxed) {
            CERTIFIED => true,
            REFUTED => false,
            _ => self.certify(),
        }
    }

    /// Two threads may both observe: they see the same, and neither waits for the other.
    #[cold]
    #[inline(never)]
    fn certify(&self) -> bool {
        let state = if (self.observe)() { CERTIFIED } else { REFUTED };
        let order = Ordering::Relaxed;
        match self.state.compare_exchange(UNKNOWN, state, order, order) {
            Ok(_) => state == CERTIFIED,
            // Another thread observed it, or an allocator said what it was asked for.
            Err(known) => known == CERTIFIED,
        }
    }

    /// Decides from now on, whatever was observed.
    pub(super) fn settle(&self, holds: bool) {
        self.state.store(if holds { CERTIFIED } else { REFUTED }, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
