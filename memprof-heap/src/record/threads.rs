//! Shards: the words of a thread, and which thread counts in which shard.
//!
//! A shard has the counters of a thread, the counts of the shard's earlier owners, and words that
//! only the thread reads. Operations and sampling need words on each thread too. They are in the
//! shard, so that a count needs no lookup, but only the modules above this one know their types. So
//! the shard has untyped words, a [`Slot`] for each, and a cast that costs no instruction.
//!
//! A thread acquires a shard when it first allocates or frees, and releases it for the next thread
//! when it ends. So the number of shards is at most the maximum number of threads that existed at
//! once. A shard's counts continue from thread to thread, and their sum over all shards is what the
//! process counted. No count is ever moved, so none can be missed or read twice.
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
#![expect(unsafe_code, reason = "shards have untyped words, outside the heap that they count")]

use crate::record::counters::{Counters, Counts};
use crate::record::fork::Child;
use crate::record::list::{FREE, LEFT_BEHIND, Link, Linked, List, OWNED};
use crate::record::sync::Ordering::{Acquire, Relaxed, Release};
use crate::record::sync::{AtomicI64, AtomicPtr, AtomicU32, AtomicU64, fence, own};
use crate::record::{fork, system};
use core::cell::{Cell, UnsafeCell};
#[cfg(unix)]
use core::ffi::c_void;
use core::marker::PhantomData;
use core::ops::Deref;
use core::sync::atomic::AtomicBool;
#[cfg(unix)]
use core::sync::atomic::AtomicUsize;
use core::{hint, ptr};

/// The counts of a thread. `CachePadded` puts shards that other threads read on cache lines of their
/// own.
#[repr(C)]
pub(crate) struct Shard {
    counters: Counters,
    /// The maximum of live bytes on the owning thread before the high-water mark was last reset.
    /// Peaks of running operations are added when the operations end.
    highest: AtomicI64,
    /// The counts of earlier owners. A thread's own counts are the counts of the shard minus these.
    start: [AtomicU64; 4],
    thread: AtomicU32,
    /// True if a sample passed between the shard's owner and the thread of a
    /// [`HandoverWatch`](crate::record::sample::HandoverWatch).
    pub hands_over: AtomicBool,
    /// True if the shard is not in the list of shards. Its thread counts each block in the shard,
    /// and adds it to the counts of the process at once. No other thread reads this field. It is
    /// here because it fits into the padding after `thread`.
    unlisted: Cell<bool>,
    link: Link<Shard>,
    operations: Slot<OPERATIONS>,
    profiler_work: ProfilerWork,
    own: Own,
}

/// The number of words that operations need on each thread: 36 pointers and a number. The slot
/// checks the size.
const OPERATIONS: usize = (36 * size_of::<usize>()).div_ceil(8) + 1;
const SAMPLING: usize = 5;

/// The words that only the owning thread reads.
struct Own {
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
// the shard has one. `current` gives it to the current thread, and `LocalShard` can't leave that
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
    const fn stopping(owner: u32) -> Self {
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
            start: [const { AtomicU64::new(0) }; 4],
            thread: AtomicU32::new(0),
            hands_over: AtomicBool::new(false),
            unlisted: Cell::new(true),
            link: Link { owner: AtomicU32::new(owner), next: AtomicPtr::new(ptr::null_mut()) },
            operations: Slot::new(),
            profiler_work: ProfilerWork::none(),
            own: Own { flushed: Cell::new(0), at_exit: Cell::new(None), sampling: Slot::new() },
        }
    }

    fn counts(&self) -> Counts {
        self.counters.counts()
    }

    fn live(&self) -> i64 {
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

    pub(crate) fn program_live(&self) -> i64 {
        let work = self.profiler_work();
        work.read(|is_running| {
            let mark = work.mark().live();
            if is_running { mark } else { self.live().wrapping_sub(mark) }
        })
    }

    /// Completes the changes in whose middle a fork stopped the owner. Otherwise readers would wait
    /// for it.
    fn complete_changes(&self) {
        self.counters.complete_change();
        self.profiler_work.complete_change();
    }

    pub(crate) fn is_owned(&self) -> bool {
        self.link.is_owned()
    }

    /// Returns the number of the last owner; 0 while a thread acquires the shard.
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

    pub(crate) fn start(&self) -> Counts {
        Counts::load(&self.start)
    }

    pub(crate) fn owner_counts(&self) -> Counts {
        self.counts().since(self.start())
    }

    /// Returns the maximum of live bytes on the thread that owns the shard, or owned it last. While
    /// operations run, the result may be 64 KiB too low.
    pub(crate) fn owner_peak(&self) -> i64 {
        let (_, live) = self.counters.pairs_in_time();
        let high_water = self.counters.high_water.load(Relaxed);
        let peak = self.highest.load(Relaxed).max(high_water).max(live);
        peak.wrapping_sub(self.start().live())
    }
}

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
    pub program: Counts,
    pub profilers: Counts,
}

impl ProfilerWork {
    const fn none() -> Self {
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

    /// Replaces the mark. Only the thread that owns the shard may call this.
    pub(crate) fn set(&self, is_running: bool, mark: Counts) {
        self.version.store(self.version.load(Relaxed).wrapping_add(1), Relaxed);
        fence(Release);
        self.is_running.store(is_running, Relaxed);
        mark.store(&self.mark);
        self.version.store(self.version.load(Relaxed).wrapping_add(1), Release);
    }

    /// Completes a change that a fork interrupted.
    fn complete_change(&self) {
        let version = self.version.load(Relaxed);
        self.version.store(version.wrapping_add(version % 2), Release);
    }

    /// Reads a value that depends on the mark. The argument of `read` is true if work of a profiler
    /// runs. The last attempt is used even if the mark changes, so that the call ends if the system
    /// interrupted the writing thread.
    fn read<T>(&self, read: impl Fn(bool) -> T) -> T {
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
    unsafe fn new(shard: &'static Shard) -> Self {
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

    pub(crate) fn replace_flushed(self, live: i64) -> i64 {
        self.shard.own.flushed.replace(live)
    }

    pub(crate) fn unflushed(self) -> i64 {
        self.live().wrapping_sub(self.shard.own.flushed.get())
    }

    pub(crate) fn unflushed_by_program(self) -> i64 {
        if self.shard.profiler_work.is_running() { 0 } else { self.unflushed() }
    }

    /// Makes the thread stop at its next allocation, whatever its size.
    pub(crate) fn stop_at_next_allocation(self) {
        if !self.is_unlisted() {
            self.arm(0);
        }
    }

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
    fn init_owner(self, thread: u32) {
        self.shard.thread.store(0, Relaxed);
        fence(Release);
        self.shard.unlisted.set(false);
        self.reset_high_water();
        self.arm(0);
        self.shard.own.flushed.set(self.live());
        self.shard.highest.store(self.live(), Relaxed);
        self.own_counts().store(&self.shard.start);
        self.shard.thread.store(thread, Release);
    }

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
    const fn new() -> Self {
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
    static RELEASED: Cell<Option<Released>> = const { Cell::new(None) };
}

/// The shard that a thread released at a notice of its end.
#[derive(Clone, Copy)]
struct Released {
    shard: &'static Shard,
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

/// `None` for a thread that is ending: it has no listed shard.
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
    if let Some(shard) = SHARDS.acquire(owner) {
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

/// Threads are numbered from 1, in the order in which the allocator first counts for them.
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
    OWNERS.fetch_sub(1, Relaxed);
    shard.link.release();
}

fn release_local(local: LocalShard) {
    local.end();
    local.note_thread_peak(own(&local.high_water).max(local.live()));
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
static OWNERS: AtomicI64 = AtomicI64::new(0);
/// The maximum number of threads that owned a shard at once, since the peak was reset.
static MAX_OWNERS: AtomicI64 = AtomicI64::new(0);

/// Acquires the shard of a thread that ended without a notice.
fn reclaim(owner: u32) -> Option<&'static Shard> {
    // In a child that has not noticed yet, the ids of threads are those of the parent.
    if !MISSES_NOTICES.load(Relaxed) || fork::is_unnoticed() {
        return None;
    }
    let is_orphaned = |owner| ![FREE, LEFT_BEHIND].contains(&owner) && has_ended(owner);
    let shard = SHARDS.all().find(|shard| shard.link.replace_owner(is_orphaned, owner))?;
    OWNERS.fetch_sub(1, Relaxed);
    Some(shard)
}

fn add_shard(owner: u32) -> Option<&'static Shard> {
    let CachePadded(shard) = system::keep(CachePadded(Shard::stopping(owner)))?;
    SHARDS.add(shard);
    Some(shard)
}

/// Repairs the shards of threads that a fork left behind. Only this thread's own shard and, in a
/// late child, threads of this process keep counting.
pub(crate) fn leave_behind(child: Child) {
    let own = SHARD.get();
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

fn count_owner() {
    let owners = OWNERS.fetch_add(1, Relaxed).wrapping_add(1);
    MAX_OWNERS.fetch_max(owners, Relaxed);
}

pub(crate) fn all() -> impl Iterator<Item = &'static Shard> {
    SHARDS.all()
}

pub(crate) fn owners() -> i64 {
    OWNERS.load(Relaxed)
}

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

/// The number of notices that a thread gets at most. POSIX guarantees four.
const ROUNDS: u32 = if cfg!(unix) { 4 } else { 1 };

/// True if some thread gets no notice.
static MISSES_NOTICES: AtomicBool = AtomicBool::new(false);

/// Lets the current thread get a notice: `end` is called when the thread ends, once.
#[cfg(unix)]
fn watch() {
    let value = ptr::from_ref(&MISSES_NOTICES).cast::<c_void>();
    // SAFETY: `create_key` created the key, which is never deleted. The value only has to differ from
    // null.
    let set = |key| unsafe { libc::pthread_setspecific(key, value) } == 0;
    if !notice_key().is_some_and(set) {
        MISSES_NOTICES.store(true, Relaxed);
    }
}

#[cfg(not(unix))]
fn watch() {
    struct Exit;

    impl Drop for Exit {
        fn drop(&mut self) {
            end();
        }
    }

    thread_local! {
        static EXIT: Exit = const { Exit };
    }
    let _ = EXIT.try_with(|_| ());
}

/// Returns the key whose destructor is the notice. Returns `None` if the process has no key left.
#[cfg(unix)]
fn notice_key() -> Option<libc::pthread_key_t> {
    /// The key plus one, or one of the constants below.
    static KEY: AtomicUsize = AtomicUsize::new(NOT_CREATED);
    const NOT_CREATED: usize = 0;
    const NONE_LEFT: usize = usize::MAX;

    extern "C" fn notice(_: *mut c_void) {
        end();
    }

    #[cold]
    fn create_key() -> usize {
        let mut key = 0;
        // SAFETY: the pointer is to a local variable, and the destructor is a function that may be
        // called on any thread.
        let is_created = unsafe { libc::pthread_key_create(&raw mut key, Some(notice)) } == 0;
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

    let key = match KEY.load(Relaxed) {
        NOT_CREATED => create_key(),
        key => key,
    };
    (key != NONE_LEFT).then(|| (key - 1) as libc::pthread_key_t)
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
