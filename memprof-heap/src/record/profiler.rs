//! The memory of profilers, such as a session: it is not sampled, and it is counted apart.
//!
//! Each shard has a mark: four counts that change only when work of a profiler begins or ends on its
//! thread. While no such work runs, the mark is the part that profilers counted on the shard, and the
//! rest of the shard's counts belongs to the program. While such work runs, the mark is the part that
//! the program counted, and the rest belongs to the profilers. So one step switches between the two
//! meanings, the hook does not know of profilers at all, and no count is ever moved.
//!
//! A second shard for each thread was considered. It would make each reader simpler, but a thread
//! that turns out to be a profiler's would have to move its first counts.

use crate::record::counters::Counts;
use crate::record::shard::LocalShard;
use crate::record::{process, sample, threads};
use core::cell::Cell;
use core::hint;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, fence};

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

impl LocalShard {
    /// Flushes the change of the thread's live bytes since its last flush. The change goes to the
    /// process or, while work of a profiler runs, to the bytes of profilers.
    pub(crate) fn flush(self) {
        let live = self.live();
        let more = live.wrapping_sub(self.replace_flushed(live));
        if self.shard().profiler_work().is_running() {
            flush(more);
        } else {
            process::flush(more);
        }
    }

    /// Begins or ends work of a profiler. The counts since the last switch belong to the program if
    /// the work begins, and to the profiler if the work ends.
    pub(crate) fn set_profiler_work(self, is_running: bool) {
        self.flush();
        let work = self.shard().profiler_work();
        work.set(is_running, self.own_counts().since(work.mark()));
    }

    /// Assigns all that the thread has counted since it acquired the shard to a profiler.
    fn adopt(self) {
        let start = self.shard().start.counts();
        let flushed = self.replace_flushed(start.live()).wrapping_sub(start.live());
        if flushed != 0 {
            process::flush(flushed.wrapping_neg());
        }
        let work = self.shard().profiler_work();
        work.set(true, start.since(work.mark()));
        self.flush();
    }
}

impl LocalShard {
    /// Returns the bytes and blocks that work of profilers on this shard has kept.
    pub(crate) fn kept_by_profilers(self) -> (i64, i64) {
        let kept = self.shard().split().profilers;
        (kept.live(), kept.live_blocks())
    }
}

/// Runs work of the program within work of a profiler.
fn pause<T>(work: impl FnOnce() -> T) -> T {
    with_profiler_work(false, work)
}

/// Runs a profiler's own work. All that it allocates and keeps belongs to the profiler.
pub(crate) fn run<T>(work: impl FnOnce() -> T) -> T {
    with_profiler_work(true, work)
}

fn with_profiler_work<T>(is_running: bool, work: impl FnOnce() -> T) -> T {
    struct Until(LocalShard, bool);

    impl Drop for Until {
        fn drop(&mut self) {
            self.0.set_profiler_work(self.1);
        }
    }

    let Some(local) = listed_with_work(!is_running) else { return work() };
    local.set_profiler_work(is_running);
    let _until = Until(local, !is_running);
    work()
}

/// Makes the current thread a profiler's thread for all its life. All that the thread counted so
/// far belongs to the profiler, and so do its frees when it is about to end.
fn adopt_current_thread() {
    mark_current_thread();
    if let Some(local) = listed_with_work(false) {
        local.adopt();
    }
}

/// Returns the current thread's listed shard, if `is_running` is its state: true while work of a
/// profiler runs on the thread.
fn listed_with_work(is_running: bool) -> Option<LocalShard> {
    threads::listed().filter(|local| local.shard().profiler_work().is_running() == is_running)
}

/// Live bytes of profilers, as flushed by the threads that run their work.
static LIVE: AtomicI64 = AtomicI64::new(0);
/// The maximum of `LIVE` since `reset_peak`.
static PEAK: AtomicI64 = AtomicI64::new(0);

thread_local! {
    /// True on a profiler's thread. The word has no destructor, so it can be read as long as the
    /// thread exists.
    static IS_PROFILER_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// Returns the maximum of bytes that profilers held at once. It may miss bytes that threads have
/// not flushed.
pub(crate) fn peak() -> i64 {
    PEAK.load(Relaxed)
}

/// Restarts the peak from the live bytes of profilers, and returns these bytes.
pub(crate) fn reset_peak() -> i64 {
    let live = LIVE.load(Relaxed);
    PEAK.store(live, Relaxed);
    live
}

/// Adds the change of a profiler's live bytes on a thread since its last flush.
pub(crate) fn flush(more: i64) {
    let live = LIVE.fetch_add(more, Relaxed).wrapping_add(more);
    PEAK.fetch_max(live, Relaxed);
}

/// Returns true on a profiler's thread. Its counts without a shard belong to the profiler too.
pub(crate) fn is_current_thread() -> bool {
    IS_PROFILER_THREAD.try_with(Cell::get).unwrap_or(false)
}

/// Makes the current thread a profiler's thread.
fn mark_current_thread() {
    let _ = IS_PROFILER_THREAD.try_with(|is| is.set(true));
}

/// Runs a profiler's own work. Its allocations are not sampled, and they are counted separately.
///
/// So [`sites`](crate::sites()), [`largest`](crate::largest()), the retained bytes of operations
/// and the [`Peak`](crate::Peak) of the process do not include them. [`totals`](crate::totals())
/// includes them, because they are live memory too;
/// [`profiler_bytes`](crate::Totals::profiler_bytes) is their share.
///
/// ```
/// use memprof::heap::hooks::unrecorded;
/// use memprof::heap::{set_level, set_rate, sites, Level, Rate};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system();
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// set_rate(Rate::EACH_BLOCK);
/// set_level(Level::Sampled);
/// let snapshot = unrecorded(|| vec![0_u8; 1_000_000]);
/// assert!(sites()?.live.value < 1_000_000.0);
/// # drop(snapshot);
/// # Ok(())
/// # }
/// ```
///
/// # Cost
/// The call writes to one thread-local word twice.
pub fn unrecorded<T>(work: impl FnOnce() -> T) -> T {
    sample::unsampled(|| run(work))
}

/// Runs the work of a thread that belongs to a profiler from its start to its end.
///
/// This does the same as [`unrecorded`]. In addition, what the thread counted before this call
/// belongs to the profiler. So does what the thread frees after `work`, when its closure and its
/// handle are dropped. Call it first in a thread's closure, and start the thread within
/// [`unrecorded`] work, so that both the allocation and the free of the thread's own blocks count
/// for the profiler.
///
/// ```
/// use memprof::heap::hooks::{unrecorded, unrecorded_thread};
/// use memprof::heap::{totals, Level};
/// use memprof::Allocator;
/// use std::thread;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// let before = totals()?.program_bytes();
/// let work = || unrecorded_thread(|| drop(vec![0_u8; 1_000_000]));
/// unrecorded(|| thread::spawn(work).join()).expect("it doesn't panic");
/// assert_eq!(totals()?.program_bytes(), before);
/// # Ok(())
/// # }
/// ```
pub fn unrecorded_thread<T>(work: impl FnOnce() -> T) -> T {
    adopt_current_thread();
    sample::unsampled(work)
}

/// Runs work of the program within [`unrecorded`] work. The allocations of the inner work are
/// sampled, and its allocations and frees count for the program.
///
/// A profiler uses this to drop a value of the program or to call its code.
///
/// ```
/// use memprof::heap::hooks::{recorded, unrecorded};
/// use memprof::heap::{totals, Level};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// let value = vec![0_u8; 1_000_000];
/// unrecorded(|| recorded(|| drop(value)));
/// assert!(totals()?.profiler_bytes < 10_000);
/// # Ok(())
/// # }
/// ```
pub fn recorded<T>(work: impl FnOnce() -> T) -> T {
    pause(|| sample::sampled_again(work))
}

/// Runs memprof's own work and returns its result as memory of the caller.
///
/// The caller frees the result. So the caller gets a copy that was not allocated as a profiler's
/// memory.
pub(crate) fn for_caller<T: Clone>(work: impl FnOnce() -> T) -> T {
    sample::unsampled(|| {
        let result = run(work);
        let copy = result.clone();
        run(|| drop(result));
        copy
    })
}
