//! A ring of entries with one writing and one reading thread, neither of which waits.
//!
//! An entry for which there is no space is counted and dropped. Other entries stay until they are
//! read.

use crate::base::sync::AtomicU64;
use crate::base::sync::Ordering::{Acquire, Relaxed, Release};

/// Words of an entry.
pub(crate) const WORDS: usize = 6;
pub(crate) type Entry = [u64; WORDS];

/// A ring of `N` entries. Memory that is all zero is an empty ring.
#[repr(C)]
pub(crate) struct Ring<const N: usize> {
    /// Entries ever written. Only the writer changes it.
    pub(super) written: AtomicU64,
    /// Entries for which there was no space. Only the writer changes it.
    pub(super) dropped: AtomicU64,
    /// Entries ever read. Only the reader changes it.
    pub(super) read: AtomicU64,
    /// Dropped entries that the reader has already been given. Only the reader changes it.
    pub(super) reported_dropped: AtomicU64,
    pub(super) entries: [[AtomicU64; WORDS]; N],
}

impl<const N: usize> Ring<N> {
    /// Keeps an entry, and returns the number of kept entries. Returns `None` if there is no space.
    /// Only the writer may call this.
    pub(crate) fn push(&self, entry: Entry) -> Option<usize> {
        let written = self.written.load(Relaxed);
        // `Acquire` makes sure that the reader has read an entry before it is overwritten.
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

    /// Returns the number of entries ever written. Their contents are visible to the reader. Only
    /// the reader may call this.
    pub(crate) fn end(&self) -> u64 {
        self.written.load(Acquire)
    }

    /// Takes the oldest entry, if it was written before `end`. Only the reader may call this.
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

    /// Returns the number of entries dropped since the last call. Only the reader may call this.
    pub(crate) fn take_newly_dropped(&self) -> u64 {
        let dropped = self.dropped.load(Relaxed);
        let reported_dropped = self.reported_dropped.load(Relaxed);
        self.reported_dropped.store(dropped, Relaxed);
        dropped.wrapping_sub(reported_dropped)
    }

    fn place(&self, number: u64) -> &[AtomicU64; WORDS] {
        &self.entries[number as usize % N]
    }
}
