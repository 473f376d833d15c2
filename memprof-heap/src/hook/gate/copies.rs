//! The gate and its copies, of which each program or library has one that allocators are linked into.
//!
//! A copy is where one instruction reads it. Nobody writes into it what he knows of the gate: it is
//! told to look, and looks again after that. So whoever comes last, it is what the gate is.

use crate::hook::list::{Link, Linked, List};
use crate::sync::Ordering::{Relaxed, SeqCst};
use crate::sync::{AtomicUsize, fence};

/// The process's word, and the copies that follow it.
pub(crate) struct Original {
    pub(super) word: AtomicUsize,
    pub(super) copies: List<GateCopy>,
}

/// A copy. The hook reads its first word, and `here` has assembly that makes one.
#[repr(C)]
pub(crate) struct GateCopy {
    pub(super) word: AtomicUsize,
    /// Free until somebody puts it into the list.
    pub(super) link: Link<GateCopy>,
}

impl Linked for GateCopy {
    fn link(&self) -> &Link<Self> {
        &self.link
    }
}

impl Original {
    #[inline]
    pub(super) fn now(&self) -> usize {
        self.word.load(Relaxed)
    }

    pub(super) fn set(&self, gate: usize) {
        self.word.store(gate, Relaxed);
        self.tell();
    }

    /// Sets it if it is still as it was; what it is now if not.
    pub(super) fn replace(&self, was: usize, gate: usize) -> Result<(), usize> {
        self.word.compare_exchange(was, gate, Relaxed, Relaxed)?;
        self.tell();
        Ok(())
    }

    /// From here on the copy is what the gate is; if another thread is about to see to that, soon.
    pub(super) fn is_followed_by(&self, copy: &'static GateCopy) {
        if !copy.link.take() {
            return;
        }
        self.copies.add(copy);
        copy.look(self);
    }

    fn tell(&self) {
        // Either this sees a copy that is new in the list, or its second look sees what was set.
        fence(SeqCst);
        self.copies.all().for_each(|copy| copy.look(self));
    }
}

impl GateCopy {
    pub(super) fn now(&self) -> usize {
        self.word.load(Relaxed)
    }

    fn look(&self, original: &Original) {
        loop {
            let gate = original.now();
            self.word.store(gate, Relaxed);
            // Who sets the gate after this look is the next one to write here.
            fence(SeqCst);
            if original.now() == gate {
                return;
            }
        }
    }
}
