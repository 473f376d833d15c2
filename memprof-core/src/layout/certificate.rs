//! Certificates, which state whether a part of std has the described layout. Each process checks a
//! part once.
//!
//! Std changes with each compiler, so a list of versions would not suffice. Instead, the first use
//! of a part observes it on values made for that purpose. The addresses that std exposes and the
//! words that its values contain must agree with the description. The first use takes microseconds
//! and a few small allocations.
//!
//! `layout_check` compares the bytes of values with an allocator, because a process cannot observe a
//! field after the last one with a known offset.

use core::sync::atomic::{AtomicU8, Ordering};

/// A part of std whose layouts are certified together.
pub(crate) struct Certificate {
    /// Observes the part on values created for that purpose.
    observe: fn() -> bool,
    state: AtomicU8,
}

const UNKNOWN: u8 = 0;
const CERTIFIED: u8 = 1;
const REFUTED: u8 = 2;

impl Certificate {
    pub(crate) const fn new(observe: fn() -> bool) -> Self {
        Self { observe, state: AtomicU8::new(UNKNOWN) }
    }

    /// If the part is not as described, the bytes that depend on it are estimates.
    #[inline]
    pub(crate) fn is_certified(&self) -> bool {
        match self.state.load(Ordering::Relaxed) {
            CERTIFIED => true,
            REFUTED => false,
            _ => self.certify(),
        }
    }

    /// If two threads certify at once, both get the same result, and neither blocks.
    #[cold]
    #[inline(never)]
    fn certify(&self) -> bool {
        let state = if (self.observe)() { CERTIFIED } else { REFUTED };
        let order = Ordering::Relaxed;
        match self.state.compare_exchange(UNKNOWN, state, order, order) {
            Ok(_) => state == CERTIFIED,
            // Another thread observed the part, or `check` compared it with an allocator.
            Err(known) => known == CERTIFIED,
        }
    }

    pub(crate) fn set(&self, is_certified: bool) {
        self.state.store(if is_certified { CERTIFIED } else { REFUTED }, Ordering::Relaxed);
    }
}
