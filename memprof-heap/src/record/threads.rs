//! Which thread counts in which shard, from its first allocation to its end.
//!
//! A thread acquires a shard when it first allocates or frees, and releases it for the next thread
//! when it ends. So the number of shards is at most the maximum number of threads that existed at
//! once. A shard's counts continue from thread to thread, and their sum over all shards is what the
//! process counted. No count is ever moved, so none can be missed or read twice.
//!
//! # The notice of a thread's end
//! A thread-local value with a destructor would be the simplest notice. But glibc registers the
//! destructor under the loader's lock, which `dlopen` holds while it runs the constructors of a
//! library. A thread whose first allocation comes during a `dlopen` would wait for it. If a
//! constructor waits for that thread in turn, the program hangs.
//!
//! So on Unix the notice is the destructor of a key of `pthread_key_create`, as in jemalloc and
//! tcmalloc. No lock of glibc's is taken, neither to create a key nor to set its value. Windows
//! registers destructors without a lock, and keeps the thread-local value.
//!
//! Destructors of keys run after those of thread-local values, in up to four rounds. In each round,
//! those of other keys may run later than ours, and may allocate. No round is known to be the first,
//! because a thread's first allocation may come in any. So each notice releases the shard. A thread
//! that counts again takes the same shard back, if it is still free, and sets the key again. After
//! the last notice, the thread counts without a shard.
//!
//! If the process has no key left, no notice comes. Then a shard is reclaimed once its thread no
//! longer exists, on Linux.
#![expect(unsafe_code, reason = "shards live outside the heap that they count")]

use crate::record::fork::{self, Child};
use crate::record::list::{FREE, LEFT_BEHIND, List, OWNED};
use crate::record::shard::{LocalShard, Shard};
use crate::record::sync::Ordering::Relaxed;
use crate::record::sync::{AtomicI64, AtomicPtr, AtomicU32};
use crate::record::system;
use core::cell::Cell;
use core::ptr;
use notice::{ROUNDS, misses_notices, watch};

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
    // thread only, see `local` and `acquire`.
    unsafe { LocalShard::new(shard) }
}

/// Returns the current thread's own shard, and acquires one if it has none.
pub(crate) fn local() -> Option<LocalShard> {
    let shard = SHARD.get();
    if !ptr::eq(shard, &raw const UNREGISTERED.0) {
        return Some(current());
    }
    acquire_shard()
}

/// Returns the same as `local`, but only if the shard is listed. A thread that is ending has no
/// listed shard.
pub(crate) fn listed() -> Option<LocalShard> {
    local().filter(|local| !local.is_unlisted())
}

#[cold]
fn acquire_shard() -> Option<LocalShard> {
    let released = RELEASED.get();
    let shard = match released {
        None => acquire_any(thread_id()),
        Some(released) => released.retake(),
    };
    if let Some(shard) = shard {
        watch();
        SHARD.set(shard);
        if released.is_none() {
            current().init_owner(next_thread());
        }
        count_owner();
    } else {
        use_unlisted()?;
    }
    Some(current())
}

fn acquire_any(owner: u32) -> Option<&'static Shard> {
    if let Some(shard) = acquire(owner) {
        return Some(shard);
    }
    if let Some(shard) = reclaim(owner) {
        // SAFETY: the thread that owned the shard has ended, and now this thread owns it.
        release_local(unsafe { LocalShard::new(shard) });
        return Some(shard);
    }
    add_shard(owner)
}

impl Released {
    /// Acquires the shard again. Returns `None` if another thread has acquired it since, or after
    /// the last notice: nothing would release the shard then.
    fn retake(self) -> Option<&'static Shard> {
        if self.rounds >= ROUNDS || !self.shard.link.acquire(thread_id()) {
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
pub(crate) fn end() {
    let Some(local) = listed() else { return };
    let shard = local.shard();
    let rounds = RELEASED.get().map_or(1, |released| released.rounds + 1);
    release_local(local);
    RELEASED.set(Some(Released { shard, thread: shard.thread(), rounds }));
    SHARD.set(&raw const UNREGISTERED.0);
    release(shard);
}

/// Repairs the shards of threads that a fork left behind.
pub(crate) fn leave_behind(child: Child) {
    leave_shards_behind(child, SHARD.get());
}

/// Prepares a shard for the next thread.
fn release_local(local: LocalShard) {
    local.end();
    local.note_thread_peak(local.high_water().max(local.live()));
    local.flush();
    // The work of this thread's profiler must not continue in the next thread, which may be the
    // program's.
    if local.shard().profiler_work().is_running() {
        local.set_profiler_work(false);
    }
}

/// A shard that other threads read, on cache lines of its own. It is aligned to two lines, because
/// processors fetch two lines at a time.
#[repr(align(128))]
struct CachePadded(pub(crate) Shard);

static SHARDS: List<Shard> = List { first: AtomicPtr::new(ptr::null_mut()) };
/// The number of threads that own a shard.
static OWNERS: AtomicI64 = AtomicI64::new(0);
/// The maximum number of threads that owned a shard at once, since the peak was reset.
static MAX_OWNERS: AtomicI64 = AtomicI64::new(0);

/// Acquires a shard that no thread owns.
pub(crate) fn acquire(owner: u32) -> Option<&'static Shard> {
    SHARDS.acquire(owner)
}

/// Acquires the shard of a thread that ended without a notice.
fn reclaim(owner: u32) -> Option<&'static Shard> {
    // In a child that has not noticed yet, the ids of threads are those of the parent.
    if !misses_notices() || fork::is_unnoticed() {
        return None;
    }
    let is_orphaned = |owner| ![FREE, LEFT_BEHIND].contains(&owner) && has_ended(owner);
    let shard = SHARDS.all().find(|shard| shard.link.replace_owner(is_orphaned, owner))?;
    OWNERS.fetch_sub(1, Relaxed);
    Some(shard)
}

/// Creates a shard. Returns `None` if the system has no memory.
fn add_shard(owner: u32) -> Option<&'static Shard> {
    let CachePadded(shard) = system::keep(CachePadded(Shard::stopping(owner)))?;
    SHARDS.add(shard);
    Some(shard)
}

/// Repairs the shards of threads that a fork left behind. Only `own` and, in a late child, threads
/// of this process go on counting.
fn leave_shards_behind(child: Child, own: *const Shard) {
    let mut owners = 0;
    for shard in SHARDS.all().filter(|shard| shard.is_owned()) {
        let is_left_behind = |owner| child == Child::New || has_ended(owner);
        if ptr::eq(shard, own) {
            // The thread has another id in the child.
            shard.link.replace_owner(|_| true, thread_id());
        } else if shard.link.replace_owner(is_left_behind, LEFT_BEHIND) {
            shard.complete_changes();
            continue;
        }
        owners += 1;
    }
    OWNERS.store(owners, Relaxed);
}

/// Counts a thread that has just acquired a shard.
fn count_owner() {
    let owners = OWNERS.fetch_add(1, Relaxed).wrapping_add(1);
    MAX_OWNERS.fetch_max(owners, Relaxed);
}

/// Releases the shard of a thread that ends.
pub(crate) fn release(shard: &Shard) {
    OWNERS.fetch_sub(1, Relaxed);
    shard.link.release();
}

/// Returns all shards, of threads that run and of threads that ended.
pub(crate) fn all() -> impl Iterator<Item = &'static Shard> {
    SHARDS.all()
}

/// Returns the number of threads that own a shard now.
pub(crate) fn owners() -> i64 {
    OWNERS.load(Relaxed)
}

/// Returns the maximum number of threads that owned a shard at once, since `reset_max_owners`.
pub(crate) fn max_owners() -> i64 {
    MAX_OWNERS.load(Relaxed)
}

pub(crate) fn reset_max_owners() {
    MAX_OWNERS.store(owners(), Relaxed);
}

/// Returns the number by which `has_ended` identifies the current thread.
#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
fn thread_id() -> u32 {
    // SAFETY: the call has no arguments and cannot fail.
    unsafe { libc::syscall(libc::SYS_gettid) as u32 }
}

/// Returns true if no thread of this process has the number.
#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
fn has_ended(owner: u32) -> bool {
    let process = std::process::id();
    // SAFETY: signal 0 is never sent; the call only looks for the thread.
    let result = unsafe { libc::syscall(libc::SYS_tgkill, process, owner, 0) };
    result != 0 && std::io::Error::last_os_error().raw_os_error() == Some(libc::ESRCH)
}

#[cfg(not(all(any(target_os = "linux", target_os = "android"), not(miri))))]
fn thread_id() -> u32 {
    OWNED
}

#[cfg(not(all(any(target_os = "linux", target_os = "android"), not(miri))))]
fn has_ended(_: u32) -> bool {
    false
}

#[cfg(unix)]
mod notice {
    use core::ffi::c_void;
    use core::ptr;
    use core::sync::atomic::AtomicBool;
    use core::sync::atomic::AtomicUsize;
    use core::sync::atomic::Ordering::Relaxed;
    use libc::pthread_key_t;

    /// The number of notices that a thread gets at most. POSIX guarantees that many.
    pub(super) const ROUNDS: u32 = 4;

    /// The key plus one, or one of the constants below.
    static KEY: AtomicUsize = AtomicUsize::new(NOT_CREATED);
    const NOT_CREATED: usize = 0;
    const NONE_LEFT: usize = usize::MAX;

    /// True if some thread gets no notice.
    static MISSES_NOTICES: AtomicBool = AtomicBool::new(false);

    /// Lets the current thread get a notice: `threads::end` is called when the thread ends, once.
    pub(super) fn watch() {
        // The value only has to differ from null.
        let value = ptr::from_ref(&KEY).cast::<c_void>();
        // SAFETY: `create` created the key, which is never deleted.
        let is_set = key().is_some_and(|key| unsafe { libc::pthread_setspecific(key, value) } == 0);
        if !is_set {
            MISSES_NOTICES.store(true, Relaxed);
        }
    }

    fn key() -> Option<pthread_key_t> {
        let key = match KEY.load(Relaxed) {
            NOT_CREATED => create(),
            key => key,
        };
        (key != NONE_LEFT).then(|| (key - 1) as pthread_key_t)
    }

    #[cold]
    fn create() -> usize {
        let mut key = 0;
        // SAFETY: the pointer is to a local variable, and the destructor is a function that may be
        // called on any thread.
        let is_created = unsafe { libc::pthread_key_create(&raw mut key, Some(end)) } == 0;
        let created = if is_created { key as usize + 1 } else { NONE_LEFT };
        let Err(other) = KEY.compare_exchange(NOT_CREATED, created, Relaxed, Relaxed) else {
            return created;
        };
        // Another thread was first.
        if is_created {
            // SAFETY: the key was created above, and no thread has used it.
            unsafe { libc::pthread_key_delete(key) };
        }
        other
    }

    extern "C" fn end(_: *mut c_void) {
        super::end();
    }

    /// Returns true if threads may have ended without a notice.
    pub(super) fn misses_notices() -> bool {
        MISSES_NOTICES.load(Relaxed)
    }
}

#[cfg(not(unix))]
mod notice {

    pub(super) const ROUNDS: u32 = 1;

    struct Exit;

    impl Drop for Exit {
        fn drop(&mut self) {
            super::end();
        }
    }

    pub(super) fn watch() {
        thread_local! {
            static EXIT: Exit = const { Exit };
        }
        let _ = EXIT.try_with(|_| ());
    }

    pub(super) fn misses_notices() -> bool {
        false
    }
}
