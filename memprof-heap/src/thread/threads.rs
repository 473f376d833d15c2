//! The shard of the current thread.
#![expect(unsafe_code, reason = "shards live outside the heap that they count")]

use super::shard::{LocalShard, Shard};
use super::shards::{self, CachePadded};
use crate::base::sync::AtomicU32;
use crate::base::sync::Ordering::Relaxed;
use core::cell::Cell;
use core::ptr;

// A thread-local word must not need a larger alignment than the system's loader guarantees: macOS
// gives 16 bytes for any request.
const _: () = assert!(align_of::<Shard>() <= 16);

/// The shard with which each thread begins. It sends each call to `slow`, where the thread acquires
/// a shard and counts the call again. Nothing reads what threads subtract from its countdown.
static UNREGISTERED: CachePadded = CachePadded(Shard::stopping());

thread_local! {
    // The word has no destructor, so it exists as long as the thread runs, even during thread-local
    // destructors.
    static SHARD: Cell<*const Shard> = const { Cell::new(&raw const UNREGISTERED.0) };
    /// The shard of a thread that is dropping its thread-local values, or for which there is no
    /// memory for a listed shard.
    static UNLISTED: Shard = const { Shard::stopping() };
    /// The value whose destructor releases the shard when the thread ends.
    static EXIT: Exit = const { Exit };
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
    // This fails if the destructor has already run: the thread is ending.
    let is_ending = EXIT.try_with(|_| ()).is_err();
    match if is_ending { None } else { shards::acquire() } {
        Some(shard) => {
            SHARD.set(shard);
            let local = current();
            local.init_owner(next_thread());
            shards::count_owner();
        }
        None => use_unlisted()?,
    }
    Some(current())
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

struct Exit;

impl Drop for Exit {
    /// Releases the shard. Thread-local destructors that run after this one count in `UNLISTED`.
    fn drop(&mut self) {
        let Some(local) = local().filter(|local| !local.is_unlisted()) else { return };
        release(local);
        SHARD.set(&raw const UNREGISTERED.0);
        shards::release(local.shard());
    }
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
