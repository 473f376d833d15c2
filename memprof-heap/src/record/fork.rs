//! Forks: what happens around one, and how a child notices that it is one.
//!
//! A fork copies the memory of the process, but only the thread that forks. If another thread is
//! changing data at that moment, they stay half changed in the child: a lock stays locked, and a pair
//! of counters torn. Before glibc 2.35, a thread that walks its stack holds a lock of the loader that
//! `fork` does not release, so the child would wait for ever at its first sample.
//!
//! So `pthread_atfork` registers functions when recording is first switched on. Before a fork, new
//! samples stop, and the forking thread waits at most 1 ms until no thread takes one. If a thread
//! still does, the child takes no samples. The child begins a new *generation*, and repairs
//! the counters of the threads that it lacks. A lock contains the generation of its holder: if that
//! is an earlier one, the holder does not exist, and the lock is free.
//!
//! A child that was created by the system call `clone` runs none of these functions. It notices by
//! a page that the kernel clears in children (`MADV_WIPEONFORK`), and then repairs itself. The
//! functions that may wait check that page; the hook reads it only before it takes a sample.
//!
//! Locks used to contain the process id instead. But a parent and its child may both be process 1,
//! each in a PID namespace of its own, and a child may share its parent's memory. And nothing
//! repaired the counters, so each reader waited for threads that no longer existed.
#![expect(unsafe_code, reason = "calls of the system, and a word in memory that it mapped")]

use crate::record::callbacks::Callback;
use crate::record::sync::rest;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32};

/// The number of forks that lead to this process, plus one.
static GENERATION: AtomicU32 = AtomicU32::new(1);
static FORKING: AtomicU32 = AtomicU32::new(0);
static SAMPLING: AtomicU32 = AtomicU32::new(0);
/// True if a thread of the parent was taking a sample when it forked.
static SAMPLES_ARE_LOST: AtomicBool = AtomicBool::new(false);
static REPAIR: Callback<Child> = Callback::none();

/// A child process that has to be repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Child {
    /// The child is just being forked, so it has one thread.
    New,
    /// The child ran before it noticed, and may have started threads.
    Late,
}

/// Returns the process's number among its ancestors; in an unnoticed child, its parent's.
pub(crate) fn generation() -> u32 {
    GENERATION.load(Relaxed)
}

/// Returns true in a child that has not noticed yet that it is one.
pub(crate) fn is_unnoticed() -> bool {
    page().is_some_and(|word| word.load(Acquire) != SET)
}

pub(crate) fn samples_are_lost() -> bool {
    SAMPLES_ARE_LOST.load(Relaxed)
}

/// A sample that a thread takes, or another use of the loader's lock. A fork waits for its end.
#[derive(Debug)]
pub struct TakingSample(());

impl TakingSample {
    /// Returns `None` if no sample may be taken now.
    pub(crate) fn begin() -> Option<Self> {
        if is_unnoticed() {
            return None;
        }
        // Either this thread reads the other's increment of `FORKING`, or that thread reads this
        // one's increment of `SAMPLING`.
        SAMPLING.fetch_add(1, SeqCst);
        let sample = Self(());
        (FORKING.load(SeqCst) == 0).then_some(sample)
    }
}

impl Drop for TakingSample {
    fn drop(&mut self) {
        SAMPLING.fetch_sub(1, Release);
    }
}

/// Delays forks until the value is dropped, for work under the loader's lock, which `fork` does not
/// release. Returns `None` if a thread of the parent may have held the lock when it forked this
/// process.
pub fn delay_forks() -> Option<TakingSample> {
    const ATTEMPTS: usize = 1000;
    check();
    (0..ATTEMPTS).take_while(|_| !samples_are_lost()).find_map(|_| {
        let hold = TakingSample::begin();
        if hold.is_none() {
            rest();
        }
        hold
    })
}

/// Registers the functions that run around a fork; `repair` runs in children. When a call returns,
/// they are registered: by this call, by an earlier one, or by one of another thread. Must not be
/// called by the hook, because it may wait for that thread.
pub(crate) fn register(repair: fn(Child)) {
    // The wait has a limit: in a child that was forked meanwhile, the other thread doesn't exist.
    (0..1000).take_while(|_| !try_register(repair)).for_each(|_| rest());
}

/// Like `register`, but never waits. Returns false while another thread registers the functions.
pub(crate) fn try_register(repair: fn(Child)) -> bool {
    const NO: u32 = 0;
    const BEING_REGISTERED: u32 = 1;
    const YES: u32 = 2;
    static IS_REGISTERED: AtomicU32 = AtomicU32::new(NO);

    let Err(state) = IS_REGISTERED.compare_exchange(NO, BEING_REGISTERED, Relaxed, Acquire) else {
        REPAIR.set(Some(repair));
        create_page();
        at_fork();
        IS_REGISTERED.store(YES, Release);
        return true;
    };
    state == YES
}

/// Repairs a child whose fork ran no functions. Must not be called by the hook.
pub(crate) fn check() {
    let replace = |word: &AtomicU32| word.compare_exchange(CLEARED, REPAIRING, Acquire, Relaxed);
    if is_unnoticed() && page().is_some_and(|word| replace(word).is_ok()) {
        repair(Child::Late);
    }
    while is_unnoticed() {
        rest();
    }
}

fn repair(child: Child) {
    if SAMPLING.swap(0, Acquire) > 0 {
        SAMPLES_ARE_LOST.store(true, Relaxed);
    }
    FORKING.store(0, Relaxed);
    GENERATION.fetch_add(1, Relaxed);
    REPAIR.call(child);
    if let Some(word) = page() {
        word.store(SET, Release);
    }
}

#[cfg(all(unix, not(miri)))]
fn at_fork() {
    use core::time::Duration;
    use std::time::Instant;

    /// The longest time that a fork is delayed.
    const MAX_WAIT: Duration = Duration::from_millis(1);

    extern "C" fn before() {
        FORKING.fetch_add(1, SeqCst);
        let start = Instant::now();
        while SAMPLING.load(SeqCst) > 0 && start.elapsed() < MAX_WAIT {
            std::thread::sleep(MAX_WAIT / 20);
        }
    }

    extern "C" fn in_parent() {
        FORKING.fetch_sub(1, SeqCst);
    }

    extern "C" fn in_child() {
        repair(Child::New);
    }

    // SAFETY: the functions may run on any thread, and do not unwind. They are never unloaded: see
    // `pin`. If the system has no memory for them, a child notices by the page.
    unsafe {
        libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child));
    }
}

#[cfg(not(all(unix, not(miri))))]
fn at_fork() {}

/// The first word of a page that the kernel clears in children. Null until recording is first switched
/// on, with a kernel before Linux 4.14, and on other systems.
static PAGE: AtomicPtr<AtomicU32> = AtomicPtr::new(ptr::null_mut());

const CLEARED: u32 = 0;
const SET: u32 = 1;
const REPAIRING: u32 = 2;

fn page() -> Option<&'static AtomicU32> {
    // SAFETY: null, or the start of a page that stays mapped. The kernel clears it only before a child
    // runs.
    unsafe { PAGE.load(Acquire).as_ref() }
}

#[cfg(not(all(any(target_os = "linux", target_os = "android"), not(miri))))]
fn create_page() {}

#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
fn create_page() {
    /// The system rounds it up to a whole page.
    const LEN: usize = size_of::<AtomicU32>();

    let (access, kind) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: new memory is mapped, at an address that the system chooses.
    let page = unsafe { libc::mmap(ptr::null_mut(), LEN, access, kind, -1, 0) };
    if page == libc::MAP_FAILED {
        return;
    }
    // SAFETY: the page was mapped above, and nothing is in it yet.
    if unsafe { libc::madvise(page, LEN, libc::MADV_WIPEONFORK) } == 0 {
        // SAFETY: the page is longer than the word, and all zero.
        unsafe { &*page.cast::<AtomicU32>() }.store(SET, Relaxed);
        PAGE.store(page.cast(), Release);
    }
}

#[cfg(all(test, unix, not(miri)))]
mod tests {
    use super::TakingSample;
    use super::generation;
    use super::samples_are_lost;
    use memprof_test_support::unix;
    use memprof_test_support::unix::exit_at_once;
    use memprof_test_support::unix::fork;
    use memprof_test_support::wait_for;

    fn in_child(check: impl FnOnce() -> bool) -> bool {
        let child = fork();
        if child == 0 {
            exit_at_once(i32::from(!check()));
        }
        unix::wait_for(child).success()
    }

    #[test]
    fn a_child_forked_during_a_sample_takes_none() {
        super::register(drop);
        let parent = generation();
        let begin = || wait_for("no thread forks", TakingSample::begin);
        let sample = begin();
        assert!(in_child(|| samples_are_lost() && generation() == parent + 1));
        drop(sample);
        assert!(in_child(|| !samples_are_lost() && TakingSample::begin().is_some()));
        drop(begin());
        assert_eq!((generation(), samples_are_lost()), (parent, false));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_child_that_shares_memory_takes_no_lock_of_its_parent() {
        use crate::record::fork_lock::FREE;
        use crate::record::fork_lock::ForkLock;
        use crate::record::sync::AtomicU32;
        use core::ffi::c_int;
        use core::ffi::c_void;

        static LOCK: ForkLock = ForkLock { owner: AtomicU32::new(FREE) };

        extern "C" fn child(_: *mut c_void) -> c_int {
            c_int::from(LOCK.try_lock().is_some())
        }

        super::register(drop);
        let held = LOCK.lock();
        let mut stack = vec![0_u128; 4096];
        let end = stack.as_mut_ptr_range().end.cast();
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        // SAFETY: the child has a stack of its own, and this thread waits until the child ends.
        let pid = unsafe { libc::clone(child, end, flags, core::ptr::null_mut()) };
        assert!(pid > 0, "the child is created");
        assert!(unix::wait_for(pid).success(), "the child took the lock");
        drop(held);
    }
}
