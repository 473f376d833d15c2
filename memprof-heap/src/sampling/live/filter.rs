//! Which addresses may have a sample: what a free looks at, and as a rule is done.
//!
//! Each address has one of many counters, of two bits: the samples whose addresses have it too. Is
//! it 0, the address has none. A counter that is 3 takes no more, so that none ever overflows.

use crate::base::sync::AtomicU64;
use crate::base::sync::Ordering::Relaxed;

/// So many words of 32 counters each.
pub(super) struct Filter<const WORDS: usize> {
    pub(super) words: [AtomicU64; WORDS],
}

const COUNTER: u64 = 3;

impl<const WORDS: usize> Filter<WORDS> {
    /// The word of a counter, and by how much it is shifted there.
    #[inline(always)]
    fn place(hash: u64) -> (usize, u32) {
        ((hash >> 54) as usize % WORDS, (hash >> 48) as u32 & 0x3E)
    }

    #[inline(always)]
    pub(super) fn may_have(&self, hash: u64) -> bool {
        let (word, shift) = Self::place(hash);
        (self.words[word].load(Relaxed) >> shift) & COUNTER != 0
    }

    /// Counts a sample; false if its counter takes no more.
    pub(super) fn add(&self, hash: u64) -> bool {
        let (word, shift) = Self::place(hash);
        let one_more = |word: u64| {
            let is_full = (word >> shift) & COUNTER == COUNTER;
            (!is_full).then(|| word.wrapping_add(1 << shift))
        };
        self.words[word].fetch_update(Relaxed, Relaxed, one_more).is_ok()
    }

    /// Takes back what `add` counted.
    pub(super) fn remove(&self, hash: u64) {
        let (word, shift) = Self::place(hash);
        self.words[word].fetch_sub(1 << shift, Relaxed);
    }
}
