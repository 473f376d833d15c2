//! The shard of the current thread.
#![expect(unsafe_code, reason = "shards live outside the heap that they count")]

use super::exit;
use super::shard::{LocalShard, Shard};
use super::shards::{self, CachePadded};
use crate::base::fork::Child;
use crate::base::list::OWNED;
use crate::base::sync::AtomicU32;
use crate::base::sync::Ordering::Relaxed;
use core::cell::Cell;
use core::ptr;

// A thread-local word must not need a larger alignment than the system's loader guarantees: macOS
// gives 16 bytes for any request.
const _: () = assert!(align_of::<Shard>() <= 16);

/// The shard with which each thread begins. It sends each call to `slow`, where the thread acquires
/// a shard and counts the call again. Nothing reads what threads subtract from its countdown.
static UNREGISTERED: CachePadded = CachePadded(Shard::stopping(OWNED));

thread_local! {
    // The words have no destructors, so they exist as long as the thread runs, even during the
    // destructors of other values.
    static SHARD: Cell<*const Shard> = const { Cell::new(&raw const UNREGISTERED.0) };
    /// The shard of a thread that is about to end, or for which there is no memory for a listed
    /// shard.
    static UNLISTED: Shard = const { Shard::stopping(OWNED) };
    /// The shard that the thread released, if it is ending.
    static RELEASED: Cell<Option<Released>> = const { Cell::new(None) };
}

/// The shard that a thread released at a notice of its end.
#[derive(Clone, Copy)]
struct Released {
    shard: &'static Shard,
    /// The number of the thread.
    thread: u32,
    /// The number of notices up to now.
    rounds: u32,
}

/// Returns the shard of the current thread, or `UNREGISTERED` if it has none yet.
#[inline(always)]
pub(crate) fn current() -> LocalShard {
    let shard = SHARD.get();
    // SAFETY: it points to `UNREGISTERED`, to this thread's `UNLISTED`, or to a shard of the list.
    // None of them is freed before the thread ends.
    let shard: &'static Shard = unsafe { &*shard };
    // SAFETY: `UNREGISTERED` sends each call to `slow` and has no reader. The others belong to this
    // thread only, see `local` and `shards::acquire`.
    unsafe { LocalShard::new(shard) }
}

/// Returns the current thread's own shard, and acquires one if it has none.
pub(crate) fn local() -> Option<LocalShard> {
    let shard = SHARD.get();
    if !ptr::eq(shard, &raw const UNREGISTERED.0) {
        return Some(current());
    }
    acquire()
}

/// Returns the same as `local`, but only if the shard is listed. A thread that is ending has no
/// listed shard.
pub(crate) fn listed() -> Option<LocalShard> {
    local().filter(|local| !local.is_unlisted())
}

#[cold]
fn acquire() -> Option<LocalShard> {
    let released = RELEASED.get();
    let shard = match released {
        None => acquire_any(exit::owner()),
        Some(released) => released.retake(),
    };
    if let Some(shard) = shard {
        exit::watch();
        SHARD.set(shard);
        if released.is_none() {
            current().init_owner(next_thread());
        }
        shards::count_owner();
    } else {
        use_unlisted()?;
    }
    Some(current())
}

fn acquire_any(owner: u32) -> Option<&'static Shard> {
    if let Some(shard) = shards::acquire(owner) {
        return Some(shard);
    }
    if let Some(shard) = shards::reclaim(owner) {
        // SAFETY: the thread that owned the shard has ended, and now this thread owns it.
        release(unsafe { LocalShard::new(shard) });
        return Some(shard);
    }
    shards::add(owner)
}

impl Released {
    /// Acquires the shard again. Returns `None` if another thread has acquired it since, or after
    /// the last notice: nothing would release the shard then.
    fn retake(self) -> Option<&'static Shard> {
        if self.rounds >= exit::ROUNDS || !self.shard.link.acquire(exit::owner()) {
            return None;
        }
        if self.shard.thread() != self.thread {
            self.shard.link.release();
            return None;
        }
        Some(self.shard)
    }
}

/// Makes the current thread count in `UNLISTED`. Returns `None` on platforms whose thread-local
/// words are destroyed before the thread ends.
fn use_unlisted() -> Option<()> {
    UNLISTED.try_with(|shard| SHARD.set(ptr::from_ref(shard))).ok()
}

/// Returns the number of the next thread. Threads are numbered from 1, in the order in which the
/// allocator first counts for them.
fn next_thread() -> u32 {
    static THREADS: AtomicU32 = AtomicU32::new(0);
    THREADS.fetch_add(1, Relaxed).wrapping_add(1)
}

/// Releases the shard of the current thread, which is ending.
pub(super) fn end() {
    let Some(local) = listed() else { return };
    let shard = local.shard();
    let rounds = RELEASED.get().map_or(1, |released| released.rounds + 1);
    release(local);
    RELEASED.set(Some(Released { shard, thread: shard.thread(), rounds }));
    SHARD.set(&raw const UNREGISTERED.0);
    shards::release(shard);
}

/// Repairs the shards of threads that a fork left behind.
pub(crate) fn leave_behind(child: Child) {
    shards::leave_behind(child, SHARD.get());
}

/// Prepares a shard for the next thread.
fn release(local: LocalShard) {
    local.end();
    local.note_thread_peak(local.high_water().max(local.live()));
    local.flush();
    // The work of this thread's profiler must not continue in the next thread, which may be the
    // program's.
    if local.shard().profiler_work().is_running() {
        local.set_profiler_work(false);
    }
}
