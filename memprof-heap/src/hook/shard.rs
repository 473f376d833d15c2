//! The words of one thread: written by it alone, read by all.
//!
//! Two counts are kept as distances, so that the instruction that counts also tells when to stop:
//! - `countdown`: bytes that may be allocated until the thread has something to do. Allocated are
//!   `armed - countdown`.
//! - `room`: bytes below the most that were live since that was last noted. Live are
//!   `ceiling - room`; a negative room is a new peak, noted before the next free.
//!
//! Each pair is set anew together: the first between two steps of `version`, the second while the
//! ceiling says `BUSY`, which is less to do where an operation begins.

use super::gate::{Gate, WINDOW};
use crate::operations::{Activations, Records};
use crate::sampling::Sampler;
use core::cell::Cell;
use core::marker::PhantomData;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicI64, AtomicPtr, AtomicU32, AtomicU64, fence};

/// What a thread counts. Aligned to two lines, as processors fetch two at a time.
#[repr(C, align(128))]
pub(crate) struct Shard {
    countdown: AtomicI64,
    room: AtomicI64,
    allocated_blocks: AtomicU64,
    freed_blocks: AtomicU64,
    armed: AtomicI64,
    ceiling: AtomicI64,
    /// Odd while `armed` and `countdown` are set anew.
    version: AtomicU32,
    /// The most bytes live before the ceiling was last lowered, of the thread that has the shard;
    /// that of operations which run is theirs until they end.
    highest: AtomicI64,
    /// The counts when the tenant came.
    pub(super) start: Start,
    pub(super) state: AtomicU32,
    pub(super) thread: AtomicU32,
    pub(super) next: AtomicPtr<Shard>,
    pub(crate) activations: Activations,
    pub(crate) records: Records,
    own: Own,
}

/// Counts of those who had the shard before: what a thread counted is what came on top.
pub(super) struct Start {
    pub(super) allocated_bytes: AtomicI64,
    pub(super) live: AtomicI64,
    pub(super) allocated_blocks: AtomicU64,
    pub(super) freed_blocks: AtomicU64,
}

/// What nobody else reads.
struct Own {
    /// Bytes live as the process was last told.
    told: Cell<i64>,
    /// Without a place in the list of shards: it counts itself, and for the process right away.
    late: Cell<bool>,
    sampler: Sampler,
}

// SAFETY: `own` is reached through `Mine` alone, of which only the thread that has the shard has
// one: `threads` hands it out to the current thread and `Mine` can't leave it.
#[expect(unsafe_code, reason = "see above")]
unsafe impl Sync for Shard {}

/// What the ceiling says while it and the room are set anew. No thread has freed so many bytes more
/// than it allocated.
const BUSY: i64 = i64::MIN;

/// Bytes and blocks of a thread or of all, at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) allocated_bytes: u64,
    pub(crate) allocated_blocks: u64,
    pub(crate) freed_bytes: u64,
    pub(crate) freed_blocks: u64,
}

impl Counts {
    /// Bytes allocated and not freed: negative on a thread that frees what others allocated.
    pub(crate) fn live(self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.freed_bytes).cast_signed()
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

impl Shard {
    /// One that sends whoever comes with it to `slow`, for nothing is below its countdown and its
    /// room is beyond any limit.
    pub(super) const fn stopping() -> Self {
        Self {
            countdown: AtomicI64::new(-1),
            room: AtomicI64::new(-1),
            allocated_blocks: AtomicU64::new(0),
            freed_blocks: AtomicU64::new(0),
            armed: AtomicI64::new(-1),
            ceiling: AtomicI64::new(-1),
            version: AtomicU32::new(0),
            highest: AtomicI64::new(i64::MIN),
            start: Start {
                allocated_bytes: AtomicI64::new(0),
                live: AtomicI64::new(0),
                allocated_blocks: AtomicU64::new(0),
                freed_blocks: AtomicU64::new(0),
            },
            state: AtomicU32::new(0),
            thread: AtomicU32::new(0),
            next: AtomicPtr::new(ptr::null_mut()),
            activations: Activations::new(),
            records: Records::new(),
            own: Own { told: Cell::new(0), late: Cell::new(true), sampler: Sampler::new() },
        }
    }

    /// Bytes allocated and bytes live, each as at some moment; where the thread was torn away in
    /// the middle of setting them anew, as others are by a fork, it is what they left.
    fn allocated_and_live(&self) -> (i64, i64) {
        const TRIES: u32 = 1000;
        // In this order, so that what is allocated meanwhile isn't taken for freed.
        let live = (0..TRIES).find_map(|_| self.try_live()).unwrap_or_default();
        let mut allocated = 0;
        for _ in 0..TRIES {
            let version = self.version.load(Acquire);
            allocated = self.armed.load(Relaxed).wrapping_sub(self.countdown.load(Relaxed));
            fence(Acquire);
            if version.is_multiple_of(2) && self.version.load(Relaxed) == version {
                break;
            }
            core::hint::spin_loop();
        }
        (allocated, live)
    }

    /// Bytes live, of all its threads together.
    pub(super) fn live(&self) -> i64 {
        self.allocated_and_live().1
    }

    fn try_live(&self) -> Option<i64> {
        let ceiling = self.ceiling.load(Acquire);
        let room = self.room.load(Relaxed);
        fence(Acquire);
        if ceiling == BUSY || self.ceiling.load(Relaxed) != ceiling {
            core::hint::spin_loop();
            return None;
        }
        Some(ceiling.wrapping_sub(room))
    }

    /// What all its threads counted.
    pub(crate) fn counts(&self) -> Counts {
        let freed_blocks = self.freed_blocks.load(Relaxed);
        let (allocated, live) = self.allocated_and_live();
        Counts {
            allocated_bytes: allocated.cast_unsigned(),
            allocated_blocks: self.allocated_blocks.load(Relaxed),
            freed_bytes: allocated.wrapping_sub(live).cast_unsigned(),
            freed_blocks,
        }
    }

    /// What the thread counted that has it now.
    pub(crate) fn counts_of_tenant(&self) -> Counts {
        self.counts().since(self.start.counts())
    }

    /// The most bytes that were live at once on the thread that has it. While operations run it may
    /// be 64 KiB too low.
    pub(crate) fn peak_of_tenant(&self) -> i64 {
        let (_, live) = self.allocated_and_live();
        let ceiling = self.ceiling.load(Relaxed);
        let peak = self.highest.load(Relaxed).max(ceiling).max(live);
        peak.wrapping_sub(self.start.live.load(Relaxed))
    }
}

impl Start {
    fn counts(&self) -> Counts {
        let allocated = self.allocated_bytes.load(Relaxed);
        let live = self.live.load(Relaxed);
        Counts {
            allocated_bytes: allocated.cast_unsigned(),
            allocated_blocks: self.allocated_blocks.load(Relaxed),
            freed_bytes: allocated.wrapping_sub(live).cast_unsigned(),
            freed_blocks: self.freed_blocks.load(Relaxed),
        }
    }
}

/// The shard of the current thread, which it alone may write.
#[derive(Clone, Copy)]
pub(crate) struct Mine {
    shard: &'static Shard,
    stays: PhantomData<*const ()>,
}

impl Mine {
    /// # Safety
    /// The current thread has the shard, and no other; or it is one that is never written,
    /// as it sends everybody to `slow`.
    #[expect(unsafe_code, reason = "what may be written is for the caller to know")]
    #[inline(always)]
    pub(super) unsafe fn new(shard: &'static Shard) -> Self {
        Self { shard, stays: PhantomData }
    }

    pub(crate) fn shard(self) -> &'static Shard {
        self.shard
    }

    #[inline(always)]
    pub(super) fn must_stop_before_allocating(self, bytes: usize) -> bool {
        bytes.cast_signed() as i64 > own(&self.shard.countdown)
    }

    #[inline(always)]
    pub(super) fn must_stop_before_freeing(self, gate: Gate) -> bool {
        own(&self.shard.room).cast_unsigned() >= gate.limit()
    }

    #[inline(always)]
    pub(super) fn count_allocation(self, bytes: usize) {
        add(&self.shard.countdown, (bytes as i64).wrapping_neg());
        add(&self.shard.room, (bytes as i64).wrapping_neg());
        increment(&self.shard.allocated_blocks);
    }

    #[inline(always)]
    pub(super) fn count_free(self, bytes: usize) {
        add(&self.shard.room, bytes as i64);
        increment(&self.shard.freed_blocks);
    }

    /// Bytes that the shard counted as allocated, by whomever.
    #[inline(always)]
    pub(crate) fn allocated_bytes(self) -> i64 {
        own(&self.shard.armed).wrapping_sub(own(&self.shard.countdown))
    }

    #[inline(always)]
    pub(crate) fn live(self) -> i64 {
        own(&self.shard.ceiling).wrapping_sub(own(&self.shard.room))
    }

    #[inline(always)]
    pub(crate) fn allocated_blocks(self) -> u64 {
        own_unsigned(&self.shard.allocated_blocks)
    }

    #[inline(always)]
    pub(crate) fn freed_blocks(self) -> u64 {
        own_unsigned(&self.shard.freed_blocks)
    }

    pub(crate) fn counts(self) -> Counts {
        let allocated = self.allocated_bytes();
        Counts {
            allocated_bytes: allocated.cast_unsigned(),
            allocated_blocks: self.allocated_blocks(),
            freed_bytes: allocated.wrapping_sub(self.live()).cast_unsigned(),
            freed_blocks: self.freed_blocks(),
        }
    }

    pub(crate) fn is_late(self) -> bool {
        self.shard.own.late.get()
    }

    #[inline(always)]
    pub(crate) fn ceiling(self) -> i64 {
        own(&self.shard.ceiling)
    }

    /// Notes a peak of the thread that the ceiling doesn't tell any more.
    pub(crate) fn note_highest(self, peak: i64) {
        if peak > own(&self.shard.highest) {
            self.shard.highest.store(peak, Relaxed);
        }
    }

    /// Counts an allocation and says how many bytes were allocated before it.
    pub(super) fn count_slowly(self, bytes: usize) {
        if !self.is_late() {
            self.count_allocation(bytes);
            return;
        }
        add(&self.shard.armed, bytes as i64);
        add(&self.shard.ceiling, bytes as i64);
        increment(&self.shard.allocated_blocks);
        self.note_peak(self.live());
    }

    pub(super) fn count_free_slowly(self, bytes: usize) {
        if !self.is_late() {
            self.count_free(bytes);
            return;
        }
        add(&self.shard.ceiling, (bytes as i64).wrapping_neg());
        increment(&self.shard.freed_blocks);
    }

    /// Takes back a block that was counted as allocated and as freed.
    pub(crate) fn forget_block(self, bytes: usize) {
        let back = if self.is_late() { &self.shard.armed } else { &self.shard.countdown };
        let sign = if self.is_late() { -1 } else { 1 };
        add(back, (bytes as i64).wrapping_mul(sign));
        add_unsigned(&self.shard.allocated_blocks, u64::MAX);
        add_unsigned(&self.shard.freed_blocks, u64::MAX);
    }

    /// Ceiling and room, to be set again by `set_window`.
    pub(crate) fn window(self) -> (i64, i64) {
        self.settle();
        (own(&self.shard.ceiling), own(&self.shard.room))
    }

    #[inline(always)]
    pub(crate) fn set_window(self, (ceiling, room): (i64, i64)) {
        self.shard.ceiling.store(BUSY, Relaxed);
        fence(Release);
        self.shard.room.store(room, Relaxed);
        self.shard.ceiling.store(ceiling, Release);
    }

    /// Notes a peak if there is a new one, and tells the process if much was freed.
    pub(super) fn settle(self) {
        if self.is_late() {
            return;
        }
        let room = own(&self.shard.room);
        if room < 0 {
            self.lower_ceiling();
        } else if room >= WINDOW {
            self.note_peak(self.ceiling());
            self.lower_ceiling();
            self.tell();
        }
    }

    /// Notes a peak of the innermost operation that runs, or of the thread if none does.
    pub(crate) fn note_peak(self, peak: i64) {
        if !self.activations().note_peak(peak) {
            self.note_highest(peak);
        }
    }

    /// Tells the process what the thread holds more than when it last told.
    pub(super) fn tell(self) {
        let live = self.live();
        let more = live.wrapping_sub(self.shard.own.told.replace(live));
        super::process::tell(more);
    }

    /// Bytes that the process has not been told of.
    pub(crate) fn untold(self) -> i64 {
        self.live().wrapping_sub(self.shard.own.told.get())
    }

    /// So many bytes may be allocated until the thread stops again; 0 or more.
    pub(super) fn arm(self, bytes: i64) {
        let allocated = self.allocated_bytes();
        self.between_versions(|| {
            self.shard.armed.store(allocated.wrapping_add(bytes), Relaxed);
            self.shard.countdown.store(bytes, Relaxed);
        });
    }

    /// The next allocation stops, whatever its size.
    pub(crate) fn stop_at_next_allocation(self) {
        if !self.is_late() {
            self.arm(0);
        }
    }

    /// Sets the ceiling to what is live: from here on any byte more is a peak. Returns both as they
    /// were: what is live, and the ceiling.
    #[inline(always)]
    pub(crate) fn lower_ceiling(self) -> (i64, i64) {
        let ceiling = own(&self.shard.ceiling);
        let live = ceiling.wrapping_sub(own(&self.shard.room));
        self.set_window((live, 0));
        (live, ceiling)
    }

    /// Raises the ceiling to what it was, if it was higher.
    #[inline(always)]
    pub(crate) fn raise_ceiling(self, live: i64, ceiling: i64) {
        if ceiling > own(&self.shard.ceiling) {
            self.set_window((ceiling, ceiling.wrapping_sub(live)));
        }
    }

    #[inline(always)]
    fn between_versions(self, change: impl FnOnce()) {
        let version = &self.shard.version;
        let odd = version.load(Relaxed).wrapping_add(1);
        version.store(odd, Relaxed);
        fence(Release);
        change();
        version.store(odd.wrapping_add(1), Release);
    }

    #[inline(always)]
    pub(crate) fn activations(self) -> &'static Activations {
        &self.shard.activations
    }

    pub(crate) fn sampler(self) -> &'static Sampler {
        &self.shard.own.sampler
    }

    /// Makes it the shard of a thread that has just started: it begins at nothing.
    pub(super) fn move_in(self) {
        self.shard.own.late.set(false);
        self.lower_ceiling();
        self.arm(0);
        self.shard.own.told.set(self.live());
        self.shard.highest.store(self.live(), Relaxed);
        self.activations().clear();
        let start = &self.shard.start;
        start.allocated_bytes.store(self.allocated_bytes(), Relaxed);
        start.live.store(self.live(), Relaxed);
        start.allocated_blocks.store(self.allocated_blocks(), Relaxed);
        start.freed_blocks.store(self.freed_blocks(), Relaxed);
    }

    /// Leaves it as the next thread finds it.
    pub(super) fn move_out(self) {
        self.activations().end_all(self);
        self.note_highest(self.ceiling().max(self.live()));
        self.tell();
    }
}

/// A word that only the current thread writes, read by it.
///
/// Not as an atomic, which compilers don't make an operand of a comparison: a free is one
/// instruction shorter, an allocation too.
#[expect(unsafe_code, reason = "an atomic read without an atomic instruction")]
#[inline(always)]
fn own(word: &AtomicI64) -> i64 {
    // SAFETY: the address is that of a live word. Nobody else writes it, and what others do at the
    // same time are reads, so this is no race.
    unsafe { word.as_ptr().read() }
}

#[expect(unsafe_code, reason = "as above")]
#[inline(always)]
fn own_unsigned(word: &AtomicU64) -> u64 {
    // SAFETY: as above.
    unsafe { word.as_ptr().read() }
}

/// Adds to a word that only the current thread writes: one instruction, without a lock.
#[inline(always)]
fn add(word: &AtomicI64, more: i64) {
    word.store(word.load(Relaxed).wrapping_add(more), Relaxed);
}

#[inline(always)]
fn add_unsigned(word: &AtomicU64, more: u64) {
    word.store(word.load(Relaxed).wrapping_add(more), Relaxed);
}

#[inline(always)]
fn increment(word: &AtomicU64) {
    add_unsigned(word, 1);
}
