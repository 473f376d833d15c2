//! The words of one thread: its counters, the counts of the shard's earlier owners, and the words
//! that only the thread reads.
//!
//! Operations and sampling need words on each thread too. They are in the shard, so that a count needs
//! no look-up, but only the modules above this one know their types. So the shard has untyped words, a
//! [`Slot`] for each, and a cast that costs no instruction.
//!
//! # Profilers
//! The memory of profilers, such as a session, is not sampled, and it is counted apart.
//!
//! Each shard has a mark: four counts that change only when work of a profiler begins or ends on its
//! thread. While no such work runs, the mark is the part that profilers counted on the shard, and the
//! rest of the shard's counts belongs to the program. While such work runs, the mark is the part that
//! the program counted, and the rest belongs to the profilers. So one step switches between the two
//! meanings, the hook does not know of profilers at all, and no count is ever moved.
//!
//! A second shard for each thread was considered. It would make each reader simpler, but a thread
//! that turns out to be a profiler's would have to move its first counts.
#![expect(unsafe_code, reason = "only a higher layer has the type of the words")]

use crate::record::counters::{Counters, Counts};
use crate::record::list::{Link, Linked};
use crate::record::sync::Ordering::{Acquire, Relaxed, Release};
use crate::record::sync::{AtomicI64, AtomicPtr, AtomicU32, AtomicU64, fence, own};
use core::cell::{Cell, UnsafeCell};
use core::hint;
use core::marker::PhantomData;
use core::ops::Deref;
use core::ptr;
use core::sync::atomic::AtomicBool;

/// The counts of a thread. `shards` puts shards that other threads read on cache lines of their
/// own.
#[repr(C)]
pub(crate) struct Shard {
    counters: Counters,
    /// The maximum of live bytes on the owning thread before the high-water mark was last reset.
    /// Peaks of running operations are added when the operations end.
    highest: AtomicI64,
    /// The counts when the owner acquired the shard.
    pub(crate) start: Start,
    pub(crate) thread: AtomicU32,
    /// True if a sample passed between the shard's owner and the thread of a
    /// [`HandoverWatch`](crate::record::sample::HandoverWatch).
    pub(crate) hands_over: AtomicBool,
    /// True if the shard is not in the list of shards. Its thread counts each block in the shard,
    /// and adds it to the counts of the process at once. No other thread reads this field. It is
    /// here because it fits into the padding after `thread`.
    unlisted: Cell<bool>,
    pub(crate) link: Link<Shard>,
    operations: Slot<OPERATIONS>,
    profiler_work: ProfilerWork,
    own: Own,
}

/// The number of words that operations need on each thread: 36 pointers and a number. The slot
/// checks the size.
pub(crate) const OPERATIONS: usize = (36 * size_of::<usize>()).div_ceil(8) + 1;
/// The number of words that sampling needs on each thread.
pub(crate) const SAMPLING: usize = 5;

/// The counts of earlier owners of the shard. A thread's own counts are the counts of the shard
/// less these.
pub(crate) struct Start {
    pub(crate) allocated_bytes: AtomicI64,
    pub(crate) live: AtomicI64,
    pub(crate) allocated_blocks: AtomicU64,
    pub(crate) freed_blocks: AtomicU64,
}

/// The words that only the owning thread reads.
struct Own {
    /// Live bytes at the last flush.
    flushed: Cell<i64>,
    /// The function that is called when the thread ends, before its shard is released.
    at_exit: Cell<Option<fn(LocalShard)>>,
    sampling: Slot<SAMPLING>,
}

// A shard fits into four pairs of cache lines.
const _: () = assert!(size_of::<Shard>() <= 512);

/// A countdown so far below zero that it becomes positive only after 4 EiB were counted, in either
/// direction.
const SPENT: i64 = i64::MIN / 2;

// SAFETY: `own` and `unlisted` are reached only through `LocalShard`, and only the thread that owns
// the shard has one. `threads` gives it to the current thread, and `LocalShard` can't leave that
// thread.
#[expect(unsafe_code, reason = "see above")]
unsafe impl Sync for Shard {}

impl Linked for Shard {
    fn link(&self) -> &Link<Self> {
        &self.link
    }
}

impl Shard {
    /// Creates a shard that sends each call to `slow`. Its countdown is so far below zero that it
    /// stays negative. Read as an unsigned number, its headroom of -1 is beyond any limit.
    pub(crate) const fn stopping(owner: u32) -> Self {
        Self {
            counters: Counters {
                countdown: AtomicI64::new(SPENT),
                headroom: AtomicI64::new(-1),
                allocated_blocks: AtomicU64::new(0),
                freed_blocks: AtomicU64::new(0),
                armed: AtomicI64::new(SPENT),
                high_water: AtomicI64::new(-1),
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
            hands_over: AtomicBool::new(false),
            unlisted: Cell::new(true),
            link: Link { owner: AtomicU32::new(owner), next: AtomicPtr::new(ptr::null_mut()) },
            operations: Slot::new(),
            profiler_work: ProfilerWork::none(),
            own: Own { flushed: Cell::new(0), at_exit: Cell::new(None), sampling: Slot::new() },
        }
    }

    /// Returns the counts of all threads that have owned the shard.
    pub(crate) fn counts(&self) -> Counts {
        self.counters.counts()
    }

    /// Returns the sum of the live bytes of all threads that have owned the shard.
    pub(crate) fn live(&self) -> i64 {
        self.counters.pairs().1
    }

    pub(crate) fn profiler_work(&self) -> &ProfilerWork {
        &self.profiler_work
    }

    /// Returns the words of operations, which other threads read too.
    #[inline(always)]
    pub(crate) fn operations(&self) -> &Slot<OPERATIONS> {
        &self.operations
    }

    /// Returns the counts of the shard, split between the program and profilers.
    pub(crate) fn split(&self) -> Split {
        let work = self.profiler_work();
        work.read(|is_running| {
            let mark = work.mark();
            let rest = self.counts().since(mark);
            if is_running {
                Split { program: mark, profilers: rest }
            } else {
                Split { program: rest, profilers: mark }
            }
        })
    }

    /// Returns the live bytes of the program.
    pub(crate) fn program_live(&self) -> i64 {
        let work = self.profiler_work();
        work.read(|is_running| {
            let mark = work.mark_live();
            if is_running { mark } else { self.live().wrapping_sub(mark) }
        })
    }

    /// Completes the changes in whose middle a fork stopped the owner. Otherwise readers would wait
    /// for it.
    pub(crate) fn complete_changes(&self) {
        self.counters.complete_change();
        self.profiler_work.complete_change();
    }

    /// Returns true while a thread owns the shard.
    pub(crate) fn is_owned(&self) -> bool {
        self.link.is_owned()
    }

    /// Returns the number of the thread that owns the shard, or owned it last; 0 while a thread
    /// acquires the shard.
    pub(crate) fn thread(&self) -> u32 {
        self.thread.load(Relaxed)
    }

    /// Reads a value of the thread that owns the shard, or owned it last. Returns the value with
    /// the thread's number. Returns `None` while a thread acquires the shard; that thread has
    /// counted nothing yet.
    pub(crate) fn read_owner<T>(&self, read: impl Fn(&Self) -> T) -> Option<(u32, T)> {
        loop {
            let thread = self.thread.load(Acquire);
            let value = read(self);
            fence(Acquire);
            match thread {
                0 => return None,
                // The loop reads again only if another thread has acquired the shard since.
                _ if self.thread.load(Relaxed) == thread => return Some((thread, value)),
                _ => {}
            }
        }
    }

    /// Returns the counts of the thread that owns the shard, or owned it last.
    pub(crate) fn owner_counts(&self) -> Counts {
        self.counts().since(self.start.counts())
    }

    /// Returns the maximum of live bytes on the thread that owns the shard, or owned it last. While
    /// operations run, the result may be 64 KiB too low.
    pub(crate) fn owner_peak(&self) -> i64 {
        let (_, live) = self.counters.pairs_in_time();
        let high_water = self.counters.high_water.load(Relaxed);
        let peak = self.highest.load(Relaxed).max(high_water).max(live);
        peak.wrapping_sub(self.start.live.load(Relaxed))
    }
}

/// The state of the split of one shard.
pub(crate) struct ProfilerWork {
    /// Odd while the mark changes.
    version: AtomicU32,
    is_running: AtomicBool,
    /// The mark: bytes and blocks allocated, then bytes and blocks freed.
    mark: [AtomicU64; 4],
}

/// The counts of a shard, split between the program and profilers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Split {
    pub(crate) program: Counts,
    pub(crate) profilers: Counts,
}

impl ProfilerWork {
    pub(crate) const fn none() -> Self {
        Self {
            version: AtomicU32::new(0),
            is_running: AtomicBool::new(false),
            mark: [const { AtomicU64::new(0) }; 4],
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        self.is_running.load(Relaxed)
    }

    pub(crate) fn mark(&self) -> Counts {
        Counts::load(&self.mark)
    }

    pub(crate) fn mark_live(&self) -> i64 {
        let [allocated, _, freed, _] = &self.mark;
        allocated.load(Relaxed).wrapping_sub(freed.load(Relaxed)).cast_signed()
    }

    /// Replaces the mark. Only the thread that owns the shard may call this.
    pub(crate) fn set(&self, is_running: bool, mark: Counts) {
        self.version.store(self.version.load(Relaxed).wrapping_add(1), Relaxed);
        fence(Release);
        self.is_running.store(is_running, Relaxed);
        mark.store(&self.mark);
        self.version.store(self.version.load(Relaxed).wrapping_add(1), Release);
    }

    /// Completes a change that a fork interrupted.
    pub(crate) fn complete_change(&self) {
        let version = self.version.load(Relaxed);
        self.version.store(version.wrapping_add(version % 2), Release);
    }

    /// Reads a value that depends on the mark. The argument of `read` is true if work of a profiler
    /// runs. The last attempt is used even if the mark changes, so that the call ends if the system
    /// interrupted the writing thread.
    pub(crate) fn read<T>(&self, read: impl Fn(bool) -> T) -> T {
        const TRIES: u32 = 1000;
        for _ in 0..TRIES {
            let version = self.version.load(Acquire);
            let value = read(self.is_running());
            fence(Acquire);
            if version.is_multiple_of(2) && self.version.load(Relaxed) == version {
                return value;
            }
            hint::spin_loop();
        }
        read(self.is_running())
    }
}

impl Start {
    pub(crate) fn counts(&self) -> Counts {
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

/// The shard of the current thread, which only that thread may write. It has the functions of
/// [`Counters`] for that thread.
#[derive(Clone, Copy)]
pub(crate) struct LocalShard {
    shard: &'static Shard,
    stays: PhantomData<*const ()>,
}

impl Deref for LocalShard {
    type Target = Counters;

    #[inline(always)]
    fn deref(&self) -> &Counters {
        &self.shard.counters
    }
}

impl LocalShard {
    /// Creates a `LocalShard`. The caller guarantees that only the current thread owns the shard,
    /// or that the shard is the one that sends each call to `slow`. In that shard, only `overspend`
    /// and `forget_bytes` write, and only the countdown, which `own` never reads.
    #[expect(unsafe_code, reason = "the caller guarantees exclusive writes")]
    #[inline(always)]
    pub(crate) unsafe fn new(shard: &'static Shard) -> Self {
        Self { shard, stays: PhantomData }
    }

    pub(crate) fn shard(self) -> &'static Shard {
        self.shard
    }

    pub(crate) fn is(self, other: Self) -> bool {
        ptr::eq(self.shard, other.shard)
    }

    pub(crate) fn is_unlisted(self) -> bool {
        self.shard.unlisted.get()
    }

    /// Notes a peak of the thread that the high-water mark no longer includes.
    pub(crate) fn note_thread_peak(self, peak: i64) {
        if peak > own(&self.shard.highest) {
            self.shard.highest.store(peak, Relaxed);
        }
    }

    /// Sets the live bytes at the last flush, and returns the previous value.
    pub(crate) fn replace_flushed(self, live: i64) -> i64 {
        self.shard.own.flushed.replace(live)
    }

    /// Returns the bytes that have not been flushed.
    pub(crate) fn unflushed(self) -> i64 {
        self.live().wrapping_sub(self.shard.own.flushed.get())
    }

    /// Returns the bytes of the program that have not been flushed.
    pub(crate) fn unflushed_by_program(self) -> i64 {
        if self.shard.profiler_work.is_running() { 0 } else { self.unflushed() }
    }

    /// Makes the thread stop at its next allocation, whatever its size.
    pub(crate) fn stop_at_next_allocation(self) {
        if !self.is_unlisted() {
            self.arm(0);
        }
    }

    /// Returns the words of sampling, which no other thread reads.
    #[inline(always)]
    pub(crate) fn sampling(self) -> &'static Slot<SAMPLING> {
        &self.shard.own.sampling
    }

    /// Sets the function that is called when the thread ends, and when later owners of the shard
    /// end.
    pub(crate) fn at_exit(self, function: fn(Self)) {
        self.shard.own.at_exit.set(Some(function));
    }

    /// Initialises the shard for a thread that has just acquired it: the thread's counts begin at
    /// zero.
    ///
    /// Until it is initialised, readers read 0 as the number of the thread. So they assign none of
    /// the values to this thread or to the last owner.
    pub(crate) fn init_owner(self, thread: u32) {
        self.shard.thread.store(0, Relaxed);
        fence(Release);
        self.shard.unlisted.set(false);
        self.reset_high_water();
        self.arm(0);
        self.shard.own.flushed.set(self.live());
        self.shard.highest.store(self.live(), Relaxed);
        let start = &self.shard.start;
        start.allocated_bytes.store(self.allocated(), Relaxed);
        start.live.store(self.live(), Relaxed);
        start.allocated_blocks.store(self.allocated_blocks(), Relaxed);
        start.freed_blocks.store(self.freed_blocks(), Relaxed);
        self.shard.thread.store(thread, Release);
    }

    /// Calls the function for the end of the thread, if one is set.
    pub(crate) fn end(self) {
        if let Some(function) = self.shard.own.at_exit.get() {
            function(self);
        }
    }
}

/// `WORDS` words of a shard, all zero at the start. The words stay for the next thread when the
/// thread ends.
#[repr(C, align(8))]
pub(crate) struct Slot<const WORDS: usize>(UnsafeCell<[u64; WORDS]>);

impl<const WORDS: usize> Slot<WORDS> {
    pub(crate) const fn new() -> Self {
        Self(UnsafeCell::new([0; WORDS]))
    }

    /// Returns the value in the slot, by a cast that costs no instruction.
    ///
    /// # Safety
    /// The slot is read as a `T` and as no other type. A `T` may be all zero bytes.
    #[inline(always)]
    pub(crate) unsafe fn as_ref<T>(&self) -> &T {
        const { assert!(size_of::<T>() <= size_of::<Self>() && align_of::<T>() <= 8) };
        // SAFETY: size and alignment suffice. The caller guarantees the rest.
        unsafe { &*self.0.get().cast::<T>() }
    }
}

#[cfg(test)]
mod tests {
    use super::Relaxed;
    use super::Shard;

    #[test]
    fn completed_changes_stop_no_reader() {
        let shard = Shard::stopping(1);
        let counters = &shard.counters;
        // The thread stopped while it set a pair of words, and while it counted 5 bytes.
        counters.version.store(7, Relaxed);
        counters.armed.store(100, Relaxed);
        counters.countdown.store(-5, Relaxed);
        shard.complete_changes();
        assert_eq!(counters.version.load(Relaxed), 10);
        assert_eq!(counters.countdown.load(Relaxed), 0);
        assert_eq!(counters.counts().allocated_bytes, 105);
    }
}
