//! Which shard the current thread has.
#![expect(unsafe_code, reason = "shards live outside the heap that they count")]

use super::shard::{Mine, Shard};
use super::shards::{self, Apart};
use crate::base::sync::AtomicU32;
use crate::base::sync::Ordering::Relaxed;
use core::cell::Cell;
use core::ptr;

// Thread-local words have at most this alignment where the system's loader promises no more: macOS
// gives 16 bytes whatever is asked for.
const _: () = assert!(align_of::<Shard>() <= 16);

/// Where a thread begins. It stops everybody, so the first call goes to `slow`, which counts it anew:
/// what many threads take from its countdown is read by none.
static BEFORE: Apart = Apart(Shard::stopping());

thread_local! {
    // No destructor: it is there as long as the thread runs, thread-local destructors included.
    static SHARD: Cell<*const Shard> = const { Cell::new(&raw const BEFORE.0) };
    /// What a thread counts on while its thread-local values are dropped, and where there is no
    /// memory for a shard.
    static LATE: Shard = const { Shard::stopping() };
    /// Gives the shard back when the thread ends.
    static EXIT: Exit = const { Exit };
}

/// The shard of the current thread; one that stops everybody if it has none yet.
#[inline(always)]
pub(crate) fn current() -> Mine {
    let shard = SHARD.get();
    // SAFETY: it points to `BEFORE`, to this thread's `LATE`, or to a shard of the list, which
    // are never freed before the thread ends.
    let shard: &'static Shard = unsafe { &*shard };
    // SAFETY: `BEFORE` stops, and has no reader; the others are this thread's alone, see `mine` and
    // `take`.
    unsafe { Mine::new(shard) }
}

/// The current thread's own shard, which it gets now if it has none.
pub(crate) fn mine() -> Option<Mine> {
    let shard = SHARD.get();
    if !ptr::eq(shard, &raw const BEFORE.0) {
        return Some(current());
    }
    move_in()
}

/// The same if others read it too, as they read none of a thread that is ending.
pub(crate) fn listed() -> Option<Mine> {
    mine().filter(|mine| !mine.is_late())
}

#[cold]
fn move_in() -> Option<Mine> {
    // Fails where the destructor has run already: the thread ends.
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

/// Nothing on platforms whose thread-local words are gone before the thread is.
fn move_to_late() -> Option<()> {
    LATE.try_with(|late| SHARD.set(ptr::from_ref(late))).ok()
}

/// Numbers threads from 1 on, in the order in which they first count.
fn next_thread() -> u32 {
    static THREADS: AtomicU32 = AtomicU32::new(0);
    THREADS.fetch_add(1, Relaxed).wrapping_add(1)
}

struct Exit;

impl Drop for Exit {
    /// The thread-local destructors that run after this one count on `LATE`.
    fn drop(&mut self) {
        let Some(mine) = mine().filter(|mine| !mine.is_late()) else { return };
        move_out(mine);
        SHARD.set(&raw const BEFORE.0);
        shards::hand_back(mine.shard());
    }
}

/// Leaves a shard as the next thread finds it.
fn move_out(mine: Mine) {
    mine.end();
    mine.note_highest(mine.ceiling().max(mine.live()));
    mine.tell();
    // The thread is a profiler's; the next one may be the program's.
    if mine.shard().profiler_work().runs() {
        mine.set_profiler_work(false);
    }
}
