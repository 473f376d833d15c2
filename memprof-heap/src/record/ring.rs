//! A ring of entries with one writing and one reading thread, neither of which waits.
//!
//! An entry for which there is no space is counted and dropped. Other entries stay until they are
//! read.

use crate::record::sync::AtomicU64;
use crate::record::sync::Ordering::{Acquire, Relaxed, Release};

pub(crate) const WORDS: usize = 6;
pub(crate) type Entry = [u64; WORDS];
pub(crate) type Place = [AtomicU64; WORDS];

pub(crate) trait Space {
    const ENTRIES: usize;

    /// Returns `None` if the system has no memory for the slot. Only the writer may call this.
    fn reserve(&self, index: usize) -> Option<&Place>;

    /// Returns a slot that was reserved.
    fn place(&self, index: usize) -> Option<&Place>;
}

#[repr(C)]
pub(crate) struct Ring<S> {
    /// The number of entries ever written. Only the writer changes it.
    pub written: AtomicU64,
    /// The number of an entry that is in the first slot. Only the writer changes it, and only
    /// while the ring is empty. So a ring touches only the slots that its largest backlog needed.
    pub first: AtomicU64,
    /// The number of entries for which there was no space. Only the writer changes it.
    pub dropped: AtomicU64,
    /// The number of entries ever read. Only the reader changes it.
    pub read: AtomicU64,
    /// The number of dropped entries that were already reported to the reader. Only the reader
    /// changes it.
    pub reported_dropped: AtomicU64,
    pub space: S,
}

impl<S: Space> Ring<S> {
    /// Returns the number of kept entries, or `None` without space. Only the writer may call this.
    pub(crate) fn push(&self, entry: Entry) -> Option<usize> {
        let kept = self.try_push(entry);
        if kept.is_none() {
            self.dropped.store(self.dropped.load(Relaxed).wrapping_add(1), Relaxed);
        }
        kept
    }

    /// Like [`push`](Self::push), but does not count an entry for which there is no space.
    pub(crate) fn try_push(&self, entry: Entry) -> Option<usize> {
        let written = self.written.load(Relaxed);
        let kept = self.kept();
        if kept == 0 {
            self.first.store(written, Relaxed);
        }
        if kept >= S::ENTRIES {
            return None;
        }
        let place = self.space.reserve(self.index(written))?;
        for (word, value) in place.iter().zip(entry) {
            word.store(value, Relaxed);
        }
        self.written.store(written.wrapping_add(1), Release);
        Some(kept + 1)
    }

    /// Returns `true` if there is space for an entry. Only the writer may call this.
    pub(crate) fn has_space(&self) -> bool {
        self.kept() < S::ENTRIES
    }

    /// Returns the number of entries that are not read yet. Only the writer may call this.
    fn kept(&self) -> usize {
        // `Acquire` makes sure that the reader has read an entry before it is overwritten.
        self.written.load(Relaxed).wrapping_sub(self.read.load(Acquire)) as usize
    }

    /// The contents of these entries are visible to the reader. Only the reader may call this.
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
        // The writer doesn't change `first` before this entry counts as read.
        for (value, word) in entry.iter_mut().zip(self.space.place(self.index(read))?) {
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

    fn index(&self, number: u64) -> usize {
        number.wrapping_sub(self.first.load(Relaxed)) as usize % S::ENTRIES
    }
}
