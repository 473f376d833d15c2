//! Which shard a thread has, and the list of all shards.
//!
//! A thread gets its shard when it first allocates or frees, and leaves it for the next thread
//! when it ends, so there are as many shards as ever were threads at once. A shard's counts go on
//! from thread to thread: the sum over all shards is what the process counted, and no count is
//! ever moved, so none can be missed or read twice.
#![expect(unsafe_code, reason = "shards live outside the heap that they count")]

use super::list::List;
use super::process;
use super::shard::{Mine, Shard};
use crate::own_memory;
use crate::sync::Ordering::Relaxed;
use crate::sync::{AtomicI64, AtomicPtr, AtomicU32};
use core::cell::Cell;
use core::ptr;

// Thread-local words have at most this alignment where the system's loader promises no more: macOS
// gives 16 bytes whatever is asked for.
const _: () = assert!(align_of::<Shard>() <= 16);

/// Where a thread begins. It stops everybody, so the first call goes to `slow`, which counts it anew:
/// what many threads take from its countdown is read by none.
static BEFORE: Apart = Apart(Shard::stopping());

/// A shard that others read, on cache lines of its own. Processors fetch two lines at a time.
#[repr(align(128))]
struct Apart(Shard);

static SHARDS: List<Shard> = List { first: AtomicPtr::new(ptr::null_mut()) };
static TENANTS: AtomicI64 = AtomicI64::new(0);

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
    match if ends { None } else { SHARDS.take().or_else(add) } {
        Some(shard) => {
            SHARD.set(shard);
            let mine = current();
            mine.move_in(next_thread());
            process::threads_are(TENANTS.fetch_add(1, Relaxed).wrapping_add(1));
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

/// Appends a shard to the list, taken. `None` where the system has no memory.
fn add() -> Option<&'static Shard> {
    let Apart(shard) = own_memory::keep(Apart(Shard::stopping()))?;
    SHARDS.add(shard);
    Some(shard)
}

/// All shards, of threads that run and of those that ended.
pub(crate) fn all() -> impl Iterator<Item = &'static Shard> {
    SHARDS.all()
}

/// How many threads have a shard now.
pub(crate) fn tenants() -> i64 {
    TENANTS.load(Relaxed)
}

impl Shard {
    /// Whether a thread has it now.
    pub(crate) fn is_taken(&self) -> bool {
        self.link.is_taken()
    }

    /// The number of the thread that has it or had it last; 0 while one moves in.
    pub(crate) fn thread(&self) -> u32 {
        self.thread.load(Relaxed)
    }
}

struct Exit;

impl Drop for Exit {
    /// The thread-local destructors that run after this one count on `LATE`.
    fn drop(&mut self) {
        let Some(mine) = mine().filter(|mine| !mine.is_late()) else { return };
        mine.move_out();
        SHARD.set(&raw const BEFORE.0);
        TENANTS.fetch_sub(1, Relaxed);
        mine.shard().link.hand_back();
    }
}
