//! The shard of the current thread.
#![expect(unsafe_code, reason = "shards live outside the heap that they count")]

use super::shard::{Mine, Shard};
use super::shards::{self, Apart};
use crate::base::sync::AtomicU32;
use crate::base::sync::Ordering::Relaxed;
use core::cell::Cell;
use core::ptr;

// Thread-local words have at most this alignment if the system's loader guarantees no more: macOS
// gives 16 bytes for any request.
const _: () = assert!(align_of::<Shard>() <= 16);

/// The shard with which each thread begins. It sends each call to `slow`, where the thread acquires
/// a shard and counts the call again. Nothing reads what threads subtract from its countdown.
static BEFORE: Apart = Apart(Shard::stopping());

thread_local! {
    // It has no destructor, so it exists as long as the thread runs, also during thread-local
    // destructors.
    static SHARD: Cell<*const Shard> = const { Cell::new(&raw const BEFORE.0) };
    /// The shard of a thread that is dropping its thread-local values, or for which there is no
    /// memory for a listed shard.
    static LATE: Shard = const { Shard::stopping() };
    /// Hands the shard back when the thread ends.
    static EXIT: Exit = const { Exit };
}

/// Returns the shard of the current thread, or `BEFORE` if it has none yet.
#[inline(always)]
pub(crate) fn current() -> Mine {
    let shard = SHARD.get();
    // SAFETY: it points to `BEFORE`, to this thread's `LATE`, or to a shard of the list. None of
    // them is freed before the thread ends.
    let shard: &'static Shard = unsafe { &*shard };
    // SAFETY: `BEFORE` sends each call to `slow` and has no reader. The others belong to this
    // thread only, see `mine` and `shards::take`.
    unsafe { Mine::new(shard) }
}

/// Returns the current thread's own shard, and acquires one if it has none.
pub(crate) fn mine() -> Option<Mine> {
    let shard = SHARD.get();
    if !ptr::eq(shard, &raw const BEFORE.0) {
        return Some(current());
    }
    move_in()
}

/// Returns the same, but only if the shard is listed. A thread that is ending has no listed shard.
pub(crate) fn listed() -> Option<Mine> {
    mine().filter(|mine| !mine.is_late())
}

#[cold]
fn move_in() -> Option<Mine> {
    // This fails if the destructor has already run: the thread is ending.
    let ends = EXIT.try_with(|_| ()).is_err();
    match if ends { None } else { shards::take() } {
        Some(shard) => {
            SHARD.set(shard);
            let mine = current();
            mine.move_in(next_thread());
            shards::moved_in();
        }
        None => move_to_late()?,
    }
    Some(current())
}

/// Returns `None` on platforms whose thread-local words are destroyed before the thread ends.
fn move_to_late() -> Option<()> {
    LATE.try_with(|late| SHARD.set(ptr::from_ref(late))).ok()
}

/// Numbers threads from 1, in the order in which they first count.
fn next_thread() -> u32 {
    static THREADS: AtomicU32 = AtomicU32::new(0);
    THREADS.fetch_add(1, Relaxed).wrapping_add(1)
}

struct Exit;

impl Drop for Exit {
    /// Releases the shard. Thread-local destructors that run after this one count in `LATE`.
    fn drop(&mut self) {
        let Some(mine) = mine().filter(|mine| !mine.is_late()) else { return };
        move_out(mine);
        SHARD.set(&raw const BEFORE.0);
        shards::hand_back(mine.shard());
    }
}

/// Prepares a shard for the next thread.
fn move_out(mine: Mine) {
    mine.end();
    mine.note_highest(mine.ceiling().max(mine.live()));
    mine.tell();
    // The work of this thread's profiler must not continue in the next thread, which may be the
    // program's.
    if mine.shard().profiler_work().runs() {
        mine.set_profiler_work(false);
    }
}
