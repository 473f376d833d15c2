//! The filter of addresses that may have a sample. Most frees read only the filter, not the table.
//!
//! Each address maps to one of many counters of two bits. A counter is the number of samples whose
//! addresses map to it. If it is 0, the address has no sample. A counter at 3 accepts no further
//! sample, so none ever overflows.

use crate::base::sync::AtomicU64;
use crate::base::sync::Ordering::Relaxed;

/// A filter of `WORDS` words with 32 counters each.
pub(super) struct Filter<const WORDS: usize> {
    pub(super) words: [AtomicU64; WORDS],
}

const COUNTER: u64 = 3;

impl<const WORDS: usize> Filter<WORDS> {
    /// Returns the word of a counter, and the counter's shift in it.
    #[inline(always)]
    fn place(hash: u64) -> (usize, u32) {
        ((hash >> 54) as usize % WORDS, (hash >> 48) as u32 & 0x3E)
    }

    #[inline(always)]
    pub(super) fn may_have(&self, hash: u64) -> bool {
        let (word, shift) = Self::place(hash);
        (self.words[word].load(Relaxed) >> shift) & COUNTER != 0
    }

    /// Counts a sample. Returns false if the counter for this hash is full.
    pub(super) fn add(&self, hash: u64) -> bool {
        let (word, shift) = Self::place(hash);
        let one_more = |word: u64| {
            let is_full = (word >> shift) & COUNTER == COUNTER;
            (!is_full).then(|| word.wrapping_add(1 << shift))
        };
        self.words[word].fetch_update(Relaxed, Relaxed, one_more).is_ok()
    }

    /// Reverses `add`.
    pub(super) fn remove(&self, hash: u64) {
        let (word, shift) = Self::place(hash);
        self.words[word].fetch_sub(1 << shift, Relaxed);
    }
}
