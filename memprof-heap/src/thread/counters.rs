//! What a thread counts: words written by it alone, read by all.
//!
//! Two counts are kept as distances, so that the instruction that counts also tells when to stop:
//! - `countdown`: bytes that may be allocated until the thread has something to do. Allocated are
//!   `armed - countdown`.
//! - `room`: bytes below the most that were live since that was last noted. Live are
//!   `ceiling - room`; a negative room is a new peak, noted before the next free.
//!
//! Each pair changes together where it is set anew, between two steps of `version`.

use crate::base::sync::Ordering::{Acquire, Relaxed, Release};
use crate::base::sync::{
    AtomicI64, AtomicU32, AtomicU64, Ordering, fence, overspend, own, rest, spin_loop,
};

#[repr(C)]
pub(crate) struct Counters {
    pub(super) countdown: AtomicI64,
    pub(super) room: AtomicI64,
    pub(super) allocated_blocks: AtomicU64,
    pub(super) freed_blocks: AtomicU64,
    pub(super) armed: AtomicI64,
    pub(super) ceiling: AtomicI64,
    /// Odd while a pair is set anew.
    pub(super) version: AtomicU32,
}

/// Bytes and blocks of a thread or of all, at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) allocated_bytes: u64,
    pub(crate) allocated_blocks: u64,
    pub(crate) freed_bytes: u64,
    pub(crate) freed_blocks: u64,
}

/// What everybody may read.
impl Counters {
    /// Bytes allocated and bytes live, of one moment as far as that can be had without waiting: where
    /// the thread was torn away in the middle, it is what it left.
    pub(super) fn pairs(&self) -> (i64, i64) {
        self.pairs_of_a_moment().unwrap_or_else(|torn| torn)
    }

    /// The same for who may wait some milliseconds until a thread goes on that was torn away. After a
    /// fork it never does, in the child.
    pub(super) fn pairs_in_time(&self) -> (i64, i64) {
        const RESTS: u32 = 20;
        for _ in 0..RESTS {
            if let Ok(pairs) = self.pairs_of_a_moment() {
                return pairs;
            }
            rest();
        }
        self.pairs()
    }

    /// As an error what was last seen of a thread that is in the middle for longer than it needs.
    fn pairs_of_a_moment(&self) -> Result<(i64, i64), (i64, i64)> {
        const TRIES: u32 = 1000;
        let mut pairs = (0, 0);
        for _ in 0..TRIES {
            let version = self.version.load(Acquire);
            let countdown = self.countdown.load(Acquire);
            // In this order, and so that what is seen as live is seen as allocated: or less than
            // nothing would have been freed.
            let live = self.ceiling.load(Relaxed).wrapping_sub(self.room.load(Acquire));
            let counted = self.countdown.load(Relaxed);
            let allocated = self.armed.load(Relaxed).wrapping_sub(counted);
            pairs = (allocated, live);
            fence(Acquire);
            let is_same_version =
                version.is_multiple_of(2) && self.version.load(Relaxed) == version;
            // What was allocated between the two looks would else be taken for freed; below zero, the
            // bytes were counted of a block that is not live yet.
            if is_same_version && counted == countdown && counted >= 0 {
                return Ok(pairs);
            }
            spin_loop();
        }
        Err(pairs)
    }

    /// What was counted. May wait some milliseconds.
    pub(crate) fn counts(&self) -> Counts {
        let freed_blocks = self.freed_blocks.load(Acquire);
        let (allocated, live) = self.pairs_in_time();
        Counts {
            allocated_bytes: allocated.cast_unsigned(),
            allocated_blocks: self.allocated_blocks.load(Relaxed),
            freed_bytes: allocated.wrapping_sub(live).cast_unsigned(),
            freed_blocks,
        }
    }
}

/// What only the thread may call whose counters they are.
impl Counters {
    /// Counts the bytes of an allocation as allocated; true if the thread has something to do before
    /// the rest is counted, be it by `count_live` or by `count_growth`.
    #[inline(always)]
    pub(super) fn count_bytes(&self, bytes: usize) -> bool {
        overspend(&self.countdown, bytes as i64)
    }

    /// Takes back what `count_bytes` counted.
    pub(super) fn forget_bytes(&self, bytes: usize) {
        add(&self.countdown, bytes as i64, Relaxed);
    }

    /// Counts the block as live whose bytes were counted.
    #[inline(always)]
    pub(super) fn count_live(&self, bytes: usize) {
        add(&self.room, (bytes as i64).wrapping_neg(), Release);
        add_unsigned(&self.allocated_blocks, 1, Relaxed);
    }

    #[inline(always)]
    pub(super) fn count_free(&self, bytes: usize) {
        add(&self.room, bytes as i64, Release);
        add_unsigned(&self.freed_blocks, 1, Release);
    }

    /// Counts a block as freed and as live, with no fewer bytes, which were counted: what is live
    /// goes up, so that a peak that was to be noted before the free is none.
    #[inline(always)]
    pub(super) fn count_growth(&self, old: usize, new: usize) {
        let growth = (new as i64).wrapping_sub(old as i64);
        add(&self.room, growth.wrapping_neg(), Release);
        add_unsigned(&self.allocated_blocks, 1, Relaxed);
        add_unsigned(&self.freed_blocks, 1, Release);
    }

    /// Bytes that were counted as allocated.
    #[inline(always)]
    pub(super) fn allocated(&self) -> i64 {
        own(&self.armed).wrapping_sub(own(&self.countdown))
    }

    #[inline(always)]
    pub(super) fn unallocated(&self) -> i64 {
        own(&self.countdown).wrapping_sub(own(&self.armed))
    }

    /// In an order in which each word is an operand of one instruction.
    #[inline(always)]
    pub(super) fn allocated_since(&self, unallocated: i64) -> i64 {
        own(&self.armed).wrapping_add(unallocated).wrapping_sub(own(&self.countdown))
    }

    #[inline(always)]
    pub(super) fn live(&self) -> i64 {
        own(&self.ceiling).wrapping_sub(own(&self.room))
    }

    /// So many bytes may be allocated until the thread stops again; 0 or more.
    pub(super) fn arm(&self, bytes: i64) {
        let allocated = self.allocated();
        self.between_versions(|| {
            self.armed.store(allocated.wrapping_add(bytes), Relaxed);
            self.countdown.store(bytes, Relaxed);
        });
    }

    /// Sets the ceiling to what is live: from here on any byte more is a peak. Returns both as they
    /// were: what is live, and the ceiling.
    #[inline(always)]
    pub(super) fn lower_ceiling(&self) -> (i64, i64) {
        let ceiling = own(&self.ceiling);
        let live = ceiling.wrapping_sub(own(&self.room));
        self.set_window(live, 0);
        (live, ceiling)
    }

    #[inline(always)]
    pub(super) fn raise_ceiling(&self, ceiling: i64) {
        let was = own(&self.ceiling);
        if ceiling > was {
            // Not what is at hand of the room, so that it needn't be.
            let room = self.room.load(Relaxed);
            self.set_window(ceiling, room.wrapping_add(ceiling).wrapping_sub(was));
        }
    }

    #[inline(always)]
    pub(super) fn set_window(&self, ceiling: i64, room: i64) {
        self.between_versions(|| {
            self.ceiling.store(ceiling, Relaxed);
            self.room.store(room, Relaxed);
        });
    }

    #[inline(always)]
    fn between_versions(&self, change: impl FnOnce()) {
        self.next_version(Relaxed);
        fence(Release);
        change();
        self.next_version(Release);
    }

    /// One instruction.
    #[inline(always)]
    fn next_version(&self, order: Ordering) {
        self.version.store(self.version.load(Relaxed).wrapping_add(1), order);
    }
}

impl Counts {
    /// Reads four words that hold counts.
    pub(super) fn load(words: &[AtomicU64; 4]) -> Self {
        let [allocated_bytes, allocated_blocks, freed_bytes, freed_blocks] =
            words.each_ref().map(|word| word.load(Relaxed));
        Self { allocated_bytes, allocated_blocks, freed_bytes, freed_blocks }
    }

    /// Writes the counts to four words.
    pub(super) fn store(self, words: &[AtomicU64; 4]) {
        let Self { allocated_bytes, allocated_blocks, freed_bytes, freed_blocks } = self;
        let counts = [allocated_bytes, allocated_blocks, freed_bytes, freed_blocks];
        for (word, count) in words.iter().zip(counts) {
            word.store(count, Relaxed);
        }
    }

    /// The sum of what threads counted that count on: what is seen as freed is seen as allocated,
    /// on whichever thread, as each is asked twice.
    pub(crate) fn of_all<T: Iterator<Item = Self>>(all: impl Fn() -> T) -> Self {
        let sum = || all().fold(Self::default(), Self::and);
        let Self { freed_bytes, freed_blocks, .. } = sum();
        Self { freed_bytes, freed_blocks, ..sum() }
    }

    /// Without what was seen as freed only because a thread was just counting it: such a block is
    /// allocated and not live yet, and another thread may free it before that one is asked. Seen so
    /// when counting began, it would be freed less often than never; seen so later, more would be
    /// freed than allocated, which it can be only if counting began late.
    pub(crate) fn settled(self, is_from_start: bool) -> Self {
        let freed_bytes = self.freed_bytes.cast_signed().max(0).cast_unsigned();
        let most = if is_from_start { self.allocated_bytes } else { u64::MAX };
        Self { freed_bytes: freed_bytes.min(most), ..self }
    }

    /// Bytes allocated and not freed: negative on a thread that frees what others allocated.
    pub(crate) fn live(self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.freed_bytes).cast_signed()
    }

    /// Blocks allocated and not freed.
    pub(crate) fn live_blocks(self) -> i64 {
        self.allocated_blocks.wrapping_sub(self.freed_blocks).cast_signed()
    }

    pub(crate) fn since(self, start: Self) -> Self {
        self.with(start, u64::wrapping_sub)
    }

    pub(crate) fn and(self, other: Self) -> Self {
        self.with(other, u64::wrapping_add)
    }

    fn with(self, other: Self, each: fn(u64, u64) -> u64) -> Self {
        Self {
            allocated_bytes: each(self.allocated_bytes, other.allocated_bytes),
            allocated_blocks: each(self.allocated_blocks, other.allocated_blocks),
            freed_bytes: each(self.freed_bytes, other.freed_bytes),
            freed_blocks: each(self.freed_blocks, other.freed_blocks),
        }
    }
}

/// Adds to a word that only the current thread writes: one instruction, without a lock.
#[inline(always)]
pub(crate) fn add(word: &AtomicI64, more: i64, order: Ordering) {
    word.store(word.load(Relaxed).wrapping_add(more), order);
}

#[inline(always)]
pub(crate) fn add_unsigned(word: &AtomicU64, more: u64, order: Ordering) {
    word.store(word.load(Relaxed).wrapping_add(more), order);
}
