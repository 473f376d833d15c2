//! What one thread has: its counters, what was counted before it came, what it alone reads.

pub(crate) use super::counters::Counts;
use super::counters::{Counters, add, add_unsigned};
use super::level_word::WINDOW;
use super::list::{Link, Linked, TAKEN};
use super::profilers::ProfilerWork;
use crate::operations::{self, Activations, Events, Records};
use crate::sampling::Sampler;
use crate::sync::Ordering::{Acquire, Relaxed, Release};
use crate::sync::{AtomicI64, AtomicPtr, AtomicU32, AtomicU64, fence, own, own_unsigned};
use core::cell::Cell;
use core::marker::PhantomData;
use core::ptr;

/// The counts of a thread. `threads` puts shards that other threads read on cache lines of their own.
#[repr(C)]
pub(crate) struct Shard {
    counters: Counters,
    /// The most bytes live before the ceiling was last lowered, of the thread that has the shard;
    /// that of operations which run is theirs until they end.
    highest: AtomicI64,
    /// The counts when the tenant came.
    pub(super) start: Start,
    pub(super) thread: AtomicU32,
    pub(super) link: Link<Shard>,
    pub(crate) activations: Activations,
    pub(crate) records: Records,
    pub(crate) events: Events,
    /// Bytes of tensors that threads reported, made less dropped.
    tensors: AtomicI64,
    profiler_work: ProfilerWork,
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

/// Before it reached zero from either side, 4 EiB would have been counted.
const SPENT: i64 = i64::MIN / 2;

// SAFETY: `own` is reached through `Mine` alone, of which only the thread that has the shard has
// one: `threads` hands it out to the current thread and `Mine` can't leave it.
#[expect(unsafe_code, reason = "see above")]
unsafe impl Sync for Shard {}

impl Linked for Shard {
    fn link(&self) -> &Link<Self> {
        &self.link
    }
}

impl Shard {
    /// One that sends whoever comes with it to `slow`, for its countdown is so far below zero that it
    /// stays there, and its room is beyond any limit.
    pub(super) const fn stopping() -> Self {
        Self {
            counters: Counters {
                countdown: AtomicI64::new(SPENT),
                room: AtomicI64::new(-1),
                allocated_blocks: AtomicU64::new(0),
                freed_blocks: AtomicU64::new(0),
                armed: AtomicI64::new(SPENT),
                ceiling: AtomicI64::new(-1),
                version: AtomicU32::new(0),
            },
            highest: AtomicI64::new(i64::MIN),
            start: Start {
                allocated_bytes: AtomicI64::new(0),
                live: AtomicI64::new(0),
                allocated_blocks: AtomicU64::new(0),
                freed_blocks: AtomicU64::new(0),
            },
            thread: AtomicU32::new(0),
            link: Link { state: AtomicU32::new(TAKEN), next: AtomicPtr::new(ptr::null_mut()) },
            activations: Activations::new(),
            records: Records::new(),
            events: Events::new(),
            tensors: AtomicI64::new(0),
            profiler_work: ProfilerWork::none(),
            own: Own { told: Cell::new(0), late: Cell::new(true), sampler: Sampler::new() },
        }
    }

    /// What all its threads counted.
    pub(crate) fn counts(&self) -> Counts {
        self.counters.counts()
    }

    /// Bytes live, of all its threads together.
    pub(super) fn live(&self) -> i64 {
        self.counters.pairs().1
    }

    pub(super) fn profiler_work(&self) -> &ProfilerWork {
        &self.profiler_work
    }

    /// What is read of the thread that has it or had it last, with its number; `None` while a thread
    /// moves in, which has counted nothing.
    pub(crate) fn of_tenant<T>(&self, read: impl Fn(&Self) -> T) -> Option<(u32, T)> {
        loop {
            let thread = self.thread.load(Acquire);
            let value = read(self);
            fence(Acquire);
            match thread {
                0 => return None,
                // Another time only if a thread has come since.
                _ if self.thread.load(Relaxed) == thread => return Some((thread, value)),
                _ => {}
            }
        }
    }

    /// What the thread counted that has it now.
    pub(crate) fn counts_of_tenant(&self) -> Counts {
        self.counts().since(self.start.counts())
    }

    /// The most bytes that were live at once on the thread that has it. While operations run it may
    /// be 64 KiB too low.
    pub(crate) fn peak_of_tenant(&self) -> i64 {
        let (_, live) = self.counters.pairs_in_time();
        let ceiling = self.counters.ceiling.load(Relaxed);
        let peak = self.highest.load(Relaxed).max(ceiling).max(live);
        peak.wrapping_sub(self.start.live.load(Relaxed))
    }
}

impl Start {
    pub(super) fn counts(&self) -> Counts {
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
    /// The current thread has the shard, and no other; or it is one that sends everybody to `slow`,
    /// of which only the countdown is written, by `overspend`, and that one isn't read by `own`.
    #[expect(unsafe_code, reason = "what may be written is for the caller to know")]
    #[inline(always)]
    pub(super) unsafe fn new(shard: &'static Shard) -> Self {
        Self { shard, stays: PhantomData }
    }

    pub(crate) fn shard(self) -> &'static Shard {
        self.shard
    }

    #[inline(always)]
    pub(super) fn must_stop_before_freeing(self) -> bool {
        // A thread without room has a new peak, and its room, read as a number without a sign, is
        // beyond the window.
        own(&self.shard.counters.room).cast_unsigned() >= WINDOW.cast_unsigned()
    }

    pub(super) fn is(self, other: Self) -> bool {
        ptr::eq(self.shard, other.shard)
    }

    /// See `Counters::count_bytes`.
    #[inline(always)]
    pub(super) fn count_bytes(self, bytes: usize) -> bool {
        self.shard.counters.count_bytes(bytes)
    }

    pub(super) fn forget_bytes(self, bytes: usize) {
        self.shard.counters.forget_bytes(bytes);
    }

    #[inline(always)]
    pub(super) fn count_live(self, bytes: usize) {
        self.shard.counters.count_live(bytes);
    }

    #[inline(always)]
    pub(super) fn count_free(self, bytes: usize) {
        self.shard.counters.count_free(bytes);
    }

    #[inline(always)]
    pub(super) fn count_growth(self, old: usize, new: usize) {
        self.shard.counters.count_growth(old, new);
    }

    /// Bytes that the shard counted as allocated, by whomever.
    #[inline(always)]
    pub(crate) fn allocated_bytes(self) -> i64 {
        self.shard.counters.allocated()
    }

    /// The same, less than nothing by that much.
    #[inline(always)]
    pub(crate) fn unallocated_bytes(self) -> i64 {
        self.shard.counters.unallocated()
    }

    /// Bytes allocated since `unallocated_bytes` was this.
    #[inline(always)]
    pub(crate) fn allocated_since(self, unallocated: i64) -> i64 {
        self.shard.counters.allocated_since(unallocated)
    }

    #[inline(always)]
    pub(crate) fn live(self) -> i64 {
        self.shard.counters.live()
    }

    #[inline(always)]
    pub(crate) fn allocated_blocks(self) -> u64 {
        own_unsigned(&self.shard.counters.allocated_blocks)
    }

    #[inline(always)]
    pub(crate) fn freed_blocks(self) -> u64 {
        own_unsigned(&self.shard.counters.freed_blocks)
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
        own(&self.shard.counters.ceiling)
    }

    /// Bytes live below the ceiling; above it if negative.
    #[inline(always)]
    pub(crate) fn room(self) -> i64 {
        own(&self.shard.counters.room)
    }

    /// Notes a peak of the thread that the ceiling doesn't tell any more.
    pub(crate) fn note_highest(self, peak: i64) {
        if peak > own(&self.shard.highest) {
            self.shard.highest.store(peak, Relaxed);
        }
    }

    /// Counts a block as live, also on a thread without a place in the list of shards.
    pub(super) fn count_live_slowly(self, bytes: usize) {
        if !self.is_late() {
            self.count_live(bytes);
            return;
        }
        add(&self.shard.counters.ceiling, bytes as i64, Relaxed);
        add_unsigned(&self.shard.counters.allocated_blocks, 1, Relaxed);
        self.note_peak(self.live());
    }

    pub(super) fn count_free_slowly(self, bytes: usize) {
        if !self.is_late() {
            self.count_free(bytes);
            return;
        }
        add(&self.shard.counters.ceiling, (bytes as i64).wrapping_neg(), Relaxed);
        add_unsigned(&self.shard.counters.freed_blocks, 1, Relaxed);
    }

    /// Takes back a block that was counted as allocated and as freed.
    pub(crate) fn forget_block(self, bytes: usize) {
        self.forget_bytes(bytes);
        add_unsigned(&self.shard.counters.allocated_blocks, u64::MAX, Relaxed);
        add_unsigned(&self.shard.counters.freed_blocks, u64::MAX, Relaxed);
    }

    /// Ceiling and room, to be set again by `set_window`.
    pub(crate) fn window(self) -> (i64, i64) {
        self.settle();
        (own(&self.shard.counters.ceiling), own(&self.shard.counters.room))
    }

    pub(crate) fn set_window(self, (ceiling, room): (i64, i64)) {
        self.shard.counters.set_window(ceiling, room);
    }

    /// Notes a peak if there is a new one, and tells the process if much was freed.
    pub(super) fn settle(self) {
        if self.is_late() {
            return;
        }
        let room = own(&self.shard.counters.room);
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

    /// Reports what the thread holds more than when it last reported: to the process, or while work
    /// of a profiler runs, to what profilers hold.
    pub(super) fn tell(self) {
        let live = self.live();
        let more = live.wrapping_sub(self.shard.own.told.replace(live));
        if self.shard.profiler_work.runs() {
            super::profilers::tell(more);
        } else {
            super::process::tell(more);
        }
    }

    /// Takes back what the thread reported to the process since it came.
    pub(super) fn take_back_told(self) {
        let start = self.shard.start.live.load(Relaxed);
        let told = self.shard.own.told.replace(start).wrapping_sub(start);
        if told != 0 {
            super::process::tell(told.wrapping_neg());
        }
    }

    /// Bytes that have not been reported.
    pub(super) fn untold(self) -> i64 {
        self.live().wrapping_sub(self.shard.own.told.get())
    }

    /// Bytes of the program that have not been reported.
    pub(super) fn untold_by_program(self) -> i64 {
        if self.shard.profiler_work.runs() { 0 } else { self.untold() }
    }

    /// So many bytes may be allocated until the thread stops again; 0 or more.
    pub(super) fn arm(self, bytes: i64) {
        self.shard.counters.arm(bytes);
    }

    /// The next allocation stops, whatever its size.
    pub(crate) fn stop_at_next_allocation(self) {
        if !self.is_late() {
            self.arm(0);
        }
    }

    /// See `Counters::lower_ceiling`.
    #[inline(always)]
    pub(crate) fn lower_ceiling(self) -> (i64, i64) {
        self.shard.counters.lower_ceiling()
    }

    /// Raises the ceiling to what it was, if it was higher.
    #[inline(always)]
    pub(crate) fn raise_ceiling(self, ceiling: i64) {
        self.shard.counters.raise_ceiling(ceiling);
    }

    #[inline(always)]
    pub(crate) fn activations(self) -> &'static Activations {
        &self.shard.activations
    }

    pub(crate) fn tensors(self) -> i64 {
        own(&self.shard.tensors)
    }

    pub(crate) fn add_tensors(self, bytes: i64) {
        add(&self.shard.tensors, bytes, Relaxed);
    }

    pub(crate) fn sampler(self) -> &'static Sampler {
        &self.shard.own.sampler
    }

    /// Makes it the shard of a thread that has just started: it begins at nothing.
    ///
    /// Whoever reads it meanwhile sees no number, and so takes none of the figures for this thread's
    /// or the last one's.
    pub(super) fn move_in(self, thread: u32) {
        self.shard.thread.store(0, Relaxed);
        fence(Release);
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
        self.shard.thread.store(thread, Release);
    }

    /// Leaves it as the next thread finds it.
    pub(super) fn move_out(self) {
        operations::end_all(self);
        self.note_highest(self.ceiling().max(self.live()));
        self.tell();
        // The thread is a profiler's; the next one may be the program's.
        if self.shard.profiler_work.runs() {
            self.end_profiler_work();
        }
    }
}
