//! The counters of a thread, which only that thread writes and all threads read.
//!
//! Two counts are stored as distances to a limit. So the instruction that counts also detects when
//! the thread must stop:
//! - `countdown`: the bytes that the thread may allocate before it must stop. Allocated bytes are
//!   `armed - countdown`.
//! - `headroom`: the headroom of live bytes below the high-water mark `high_water`. Live bytes are
//!   `high_water - headroom`. A negative headroom is a new peak, which is noted before the next
//!   free.
//!
//! Both words of a pair are set together, between two steps of `version`.
//!
//! When counting begins, all counts up to then are kept in one of two records. A switch writes the
//! unused record, and then publishes it. A reader that was overtaken by a switch reads again. So no
//! thread waits, and no reader sees half of a record.

use crate::record::sync::Ordering::{Acquire, Relaxed, Release};
use crate::record::sync::{
    AtomicI64, AtomicU32, AtomicU64, Ordering, fence, overspend, own, own_unsigned, rest, spin_loop,
};

/// The limit on the change of a thread's live bytes that the thread has not flushed to the process:
/// 64 KiB.
///
/// A thread that allocates flushes at half of this, by one atomic addition. With blocks of 100
/// bytes, that is one addition in about 330 blocks. The cost is that the flushed live bytes of the
/// process may be wrong by this amount for each thread.
pub(crate) const WINDOW: i64 = 64 * 1024;

#[repr(C)]
pub(crate) struct Counters {
    pub countdown: AtomicI64,
    pub headroom: AtomicI64,
    pub allocated_blocks: AtomicU64,
    pub freed_blocks: AtomicU64,
    pub armed: AtomicI64,
    pub high_water: AtomicI64,
    /// Odd while a pair is being set.
    pub version: AtomicU32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub allocated_bytes: u64,
    pub allocated_blocks: u64,
    pub freed_bytes: u64,
    pub freed_blocks: u64,
}

/// Functions that any thread may call.
impl Counters {
    /// Returns the bytes allocated and the bytes live, at the same moment if that is possible
    /// without waiting. If the thread was interrupted in the middle of a change, the call returns
    /// the half-changed values.
    pub(crate) fn pairs(&self) -> (i64, i64) {
        self.pairs_of_a_moment().unwrap_or_else(|torn| torn)
    }

    /// Does the same as `pairs`, but may wait a millisecond for a thread that was interrupted.
    pub(crate) fn pairs_in_time(&self) -> (i64, i64) {
        const RESTS: u32 = 5;
        for _ in 0..RESTS {
            if let Ok(pairs) = self.pairs_of_a_moment() {
                return pairs;
            }
            rest();
        }
        self.pairs()
    }

    /// Returns the bytes allocated and the bytes live at one moment. Returns the last values read
    /// as an error, if the thread is in the middle of a change for longer than a change takes.
    fn pairs_of_a_moment(&self) -> Result<(i64, i64), (i64, i64)> {
        const TRIES: u32 = 1000;
        let mut pairs = (0, 0);
        for _ in 0..TRIES {
            let version = self.version.load(Acquire);
            let countdown = self.countdown.load(Acquire);
            // Read in this order, so that bytes that are counted as live are also counted as
            // allocated. Otherwise freed bytes would be negative.
            let live = self.high_water.load(Relaxed).wrapping_sub(self.headroom.load(Acquire));
            let counted = self.countdown.load(Relaxed);
            let allocated = self.armed.load(Relaxed).wrapping_sub(counted);
            pairs = (allocated, live);
            fence(Acquire);
            let is_same_version =
                version.is_multiple_of(2) && self.version.load(Relaxed) == version;
            // If the countdown changed between its two reads, the bytes allocated between them
            // would count as freed. A negative countdown means that a block's bytes were counted,
            // but the block is not live yet.
            if is_same_version && counted == countdown && counted >= 0 {
                return Ok(pairs);
            }
            spin_loop();
        }
        Err(pairs)
    }

    /// Completes a change that a fork interrupted, so that readers don't wait for its end.
    pub(crate) fn complete_change(&self) {
        let version = self.version.load(Relaxed);
        self.version.store(version.wrapping_add(version % 2), Release);
        if self.countdown.load(Relaxed) < 0 {
            self.arm(0);
        }
    }

    /// Returns the counts. May wait a millisecond.
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

/// Functions that only the thread that owns the counters may call.
impl Counters {
    /// Returns true if the thread must stop before `count_live` or `count_growth` counts the rest.
    #[inline(always)]
    pub(crate) fn count_bytes(&self, bytes: usize) -> bool {
        overspend(&self.countdown, bytes as i64)
    }

    pub(crate) fn forget_bytes(&self, bytes: usize) {
        add(&self.countdown, bytes as i64, Relaxed);
    }

    /// Counts a block as live whose bytes were counted as allocated.
    #[inline(always)]
    pub(crate) fn count_live(&self, bytes: usize) {
        add(&self.headroom, (bytes as i64).wrapping_neg(), Release);
        add_unsigned(&self.allocated_blocks, 1, Relaxed);
    }

    #[inline(always)]
    pub(crate) fn count_free(&self, bytes: usize) {
        add(&self.headroom, bytes as i64, Release);
        add_unsigned(&self.freed_blocks, 1, Release);
    }

    /// Counts a reallocation that makes a block larger or leaves its size: the old size as freed,
    /// the new size as live. The caller has counted the new size as allocated. Live bytes only
    /// rise, so a peak before the free need not be noted.
    #[inline(always)]
    pub(crate) fn count_growth(&self, old: usize, new: usize) {
        let growth = (new as i64).wrapping_sub(old as i64);
        add(&self.headroom, growth.wrapping_neg(), Release);
        add_unsigned(&self.allocated_blocks, 1, Relaxed);
        add_unsigned(&self.freed_blocks, 1, Release);
    }

    #[inline(always)]
    pub(crate) fn allocated(&self) -> i64 {
        own(&self.armed).wrapping_sub(own(&self.countdown))
    }

    #[inline(always)]
    pub(crate) fn unallocated(&self) -> i64 {
        own(&self.countdown).wrapping_sub(own(&self.armed))
    }

    /// Returns the bytes allocated since `unallocated` returned this value. The order of the
    /// operations makes each word an operand of one instruction.
    #[inline(always)]
    pub(crate) fn allocated_since(&self, unallocated: i64) -> i64 {
        own(&self.armed).wrapping_add(unallocated).wrapping_sub(own(&self.countdown))
    }

    #[inline(always)]
    pub(crate) fn live(&self) -> i64 {
        own(&self.high_water).wrapping_sub(own(&self.headroom))
    }

    /// Lets the thread allocate `bytes` (0 or more) before it stops again.
    pub(crate) fn arm(&self, bytes: i64) {
        let allocated = self.allocated();
        self.between_versions(|| {
            self.armed.store(allocated.wrapping_add(bytes), Relaxed);
            self.countdown.store(bytes, Relaxed);
        });
    }

    /// Any further byte is then a new peak. Returns the live bytes and the previous mark.
    #[inline(always)]
    pub(crate) fn reset_high_water(&self) -> (i64, i64) {
        let high_water = own(&self.high_water);
        let live = high_water.wrapping_sub(own(&self.headroom));
        self.set_window(live, 0);
        (live, high_water)
    }

    #[inline(always)]
    pub(crate) fn raise_high_water(&self, high_water: i64) {
        let was = own(&self.high_water);
        if high_water > was {
            // Load the headroom again, so that no register has to keep it.
            let headroom = self.headroom.load(Relaxed);
            self.set_window(high_water, headroom.wrapping_add(high_water).wrapping_sub(was));
        }
    }

    #[inline(always)]
    pub(crate) fn set_window(&self, high_water: i64, headroom: i64) {
        self.between_versions(|| {
            self.high_water.store(high_water, Relaxed);
            self.headroom.store(headroom, Relaxed);
        });
    }

    #[inline(always)]
    fn between_versions(&self, change: impl FnOnce()) {
        self.next_version(Relaxed);
        fence(Release);
        change();
        self.next_version(Release);
    }

    /// Adds one to the version, in one instruction.
    #[inline(always)]
    fn next_version(&self, order: Ordering) {
        self.version.store(self.version.load(Relaxed).wrapping_add(1), order);
    }

    #[inline(always)]
    pub(crate) fn must_stop_before_freeing(&self) -> bool {
        // A negative headroom means a new peak. As an unsigned number, it is beyond the window.
        own(&self.headroom).cast_unsigned() >= WINDOW.cast_unsigned()
    }

    pub(crate) fn own_counts(&self) -> Counts {
        let allocated = self.allocated();
        Counts {
            allocated_bytes: allocated.cast_unsigned(),
            allocated_blocks: own_unsigned(&self.allocated_blocks),
            freed_bytes: allocated.wrapping_sub(self.live()).cast_unsigned(),
            freed_blocks: own_unsigned(&self.freed_blocks),
        }
    }

    /// Counts a block as live on a thread without a listed shard. The caller notes the peak.
    pub(crate) fn count_live_unlisted(&self, bytes: usize) {
        add(&self.high_water, bytes as i64, Relaxed);
        add_unsigned(&self.allocated_blocks, 1, Relaxed);
    }

    pub(crate) fn count_free_unlisted(&self, bytes: usize) {
        add(&self.high_water, (bytes as i64).wrapping_neg(), Relaxed);
        add_unsigned(&self.freed_blocks, 1, Relaxed);
    }
}

impl Counts {
    pub(crate) fn load(words: &[AtomicU64; 4]) -> Self {
        let [allocated_bytes, allocated_blocks, freed_bytes, freed_blocks] =
            words.each_ref().map(|word| word.load(Relaxed));
        Self { allocated_bytes, allocated_blocks, freed_bytes, freed_blocks }
    }

    pub(crate) fn store(self, words: &[AtomicU64; 4]) {
        let Self { allocated_bytes, allocated_blocks, freed_bytes, freed_blocks } = self;
        let counts = [allocated_bytes, allocated_blocks, freed_bytes, freed_blocks];
        for (word, count) in words.iter().zip(counts) {
            word.store(count, Relaxed);
        }
    }

    /// Returns the sum of counts that threads may change during the call. All counts are read
    /// twice, the first time for the freed ones. So bytes counted as freed are also counted as
    /// allocated, on any thread.
    pub(crate) fn of_all<T: Iterator<Item = Self>>(all: impl Fn() -> T) -> Self {
        let sum = || all().fold(Self::default(), Self::and);
        let Self { freed_bytes, freed_blocks, .. } = sum();
        Self { freed_bytes, freed_blocks, ..sum() }
    }

    /// Corrects freed bytes that include a block by mistake. While a thread counts a block, the
    /// block's bytes are allocated but not live yet, so readers take them for freed bytes. If
    /// another thread frees the block before the reader reads that other thread, the bytes count as
    /// freed twice.
    ///
    /// Such a block makes freed bytes negative if it was read when counting began. If it is read
    /// later, freed bytes may exceed allocated bytes, which is possible otherwise only if counting
    /// began late.
    pub(crate) fn settled(self, is_from_start: bool) -> Self {
        let freed_bytes = self.freed_bytes.cast_signed().max(0).cast_unsigned();
        let most = if is_from_start { self.allocated_bytes } else { u64::MAX };
        Self { freed_bytes: freed_bytes.min(most), ..self }
    }

    pub(crate) fn live(self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.freed_bytes).cast_signed()
    }

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

/// Adds to a word that only the current thread writes, in one instruction without a lock.
#[inline(always)]
pub(crate) fn add(word: &AtomicI64, more: i64, order: Ordering) {
    word.store(word.load(Relaxed).wrapping_add(more), order);
}

#[inline(always)]
pub(crate) fn add_unsigned(word: &AtomicU64, more: u64, order: Ordering) {
    word.store(word.load(Relaxed).wrapping_add(more), order);
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CountingStart {
    /// Nanoseconds of the clock, or `AT_START` if counting began with the program.
    pub moment: u64,
    pub program: Counts,
    pub profilers: Counts,
    /// Live bytes of profilers at that moment, as flushed by their threads.
    pub profilers_live: i64,
}

pub(crate) struct Records {
    /// The number of times that counting began. Its last bit selects the record.
    pub version: AtomicU64,
    pub records: [Record; 2],
}

pub(crate) struct Record {
    pub moment: AtomicU64,
    pub program: [AtomicU64; 4],
    pub profilers: [AtomicU64; 4],
    pub profilers_live: AtomicI64,
}

impl Records {
    pub(crate) fn read(&self) -> (CountingStart, u64) {
        loop {
            let version = self.version.load(Acquire);
            let start = self.records[(version & 1) as usize].read();
            fence(Acquire);
            if self.version.load(Relaxed) == version {
                return (start, version);
            }
        }
    }

    /// Publishes a new record. Only one thread at a time may call this.
    pub(crate) fn replace(&self, start: CountingStart) {
        let version = self.version.load(Relaxed);
        let next = &self.records[(version.wrapping_add(1) & 1) as usize];
        // A reader that sees a word written below also sees the version that made its record
        // unused.
        fence(Release);
        next.write(start);
        self.version.store(version.wrapping_add(1), Release);
    }
}

impl Record {
    fn read(&self) -> CountingStart {
        CountingStart {
            moment: self.moment.load(Relaxed),
            program: Counts::load(&self.program),
            profilers: Counts::load(&self.profilers),
            profilers_live: self.profilers_live.load(Relaxed),
        }
    }

    fn write(&self, start: CountingStart) {
        self.moment.store(start.moment, Relaxed);
        start.program.store(&self.program);
        start.profilers.store(&self.profilers);
        self.profilers_live.store(start.profilers_live, Relaxed);
    }
}
