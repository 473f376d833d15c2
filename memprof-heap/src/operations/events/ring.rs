//! Entries from one thread to another: one writes, one reads, neither waits.
//!
//! What finds no room is counted and not kept; what was kept stays until it is read.

use crate::base::sync::AtomicU64;
use crate::base::sync::Ordering::{Acquire, Relaxed, Release};

/// Words of an entry.
pub(crate) const WORDS: usize = 6;
pub(crate) type Entry = [u64; WORDS];

/// A ring of `N` entries. Memory that is all zero is one without any.
#[repr(C)]
pub(crate) struct Ring<const N: usize> {
    /// Entries that were ever written. The writer's.
    pub(super) written: AtomicU64,
    /// Entries for which there was no room. The writer's.
    pub(super) dropped: AtomicU64,
    /// Entries that were ever read. The reader's.
    pub(super) read: AtomicU64,
    /// Of those dropped, how many the reader was told of. The reader's.
    pub(super) told: AtomicU64,
    pub(super) entries: [[AtomicU64; WORDS]; N],
}

impl<const N: usize> Ring<N> {
    /// Keeps an entry: how many there are then. `None` where there is no room. Only for the writer.
    pub(crate) fn push(&self, entry: Entry) -> Option<usize> {
        let written = self.written.load(Relaxed);
        // What was read from a place is read before something else is written there.
        let kept = written.wrapping_sub(self.read.load(Acquire)) as usize;
        if kept >= N {
            self.dropped.store(self.dropped.load(Relaxed).wrapping_add(1), Relaxed);
            return None;
        }
        for (word, value) in self.place(written).iter().zip(entry) {
            word.store(value, Relaxed);
        }
        self.written.store(written.wrapping_add(1), Release);
        Some(kept + 1)
    }

    /// How many entries were ever written: those before it can be read. Only for the reader.
    pub(crate) fn end(&self) -> u64 {
        self.written.load(Acquire)
    }

    /// Takes out the oldest entry, if it was written before `end`. Only for the reader.
    pub(crate) fn pop(&self, end: u64) -> Option<Entry> {
        let read = self.read.load(Relaxed);
        if read == end {
            return None;
        }
        let mut entry = [0; WORDS];
        for (value, word) in entry.iter_mut().zip(self.place(read)) {
            *value = word.load(Relaxed);
        }
        self.read.store(read.wrapping_add(1), Release);
        Some(entry)
    }

    /// Entries that were dropped since this was last asked. Only for the reader.
    pub(crate) fn newly_dropped(&self) -> u64 {
        let dropped = self.dropped.load(Relaxed);
        let told = self.told.load(Relaxed);
        self.told.store(dropped, Relaxed);
        dropped.wrapping_sub(told)
    }

    fn place(&self, number: u64) -> &[AtomicU64; WORDS] {
        &self.entries[number as usize % N]
    }
}
