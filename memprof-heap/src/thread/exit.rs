//! The notice that a thread gets when it ends, so that it can release its shard.
//!
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
//! those of other keys may run later than ours, and may allocate. No round is known to
//! be the first, because a thread's first allocation may come in any. So each notice releases the shard. A thread
//! that counts again takes the same shard back, if it is still free, and sets the key again. After
//! the last notice, the thread counts without a shard.
//!
//! If the process has no key left, no notice comes. Then a shard is reclaimed once its thread no
//! longer exists, on Linux.

#![cfg_attr(unix, expect(unsafe_code, reason = "calls of the system"))]

pub(super) use system::{ROUNDS, misses_notices, watch};

/// Returns the number by which `has_ended` identifies the current thread.
#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
pub(super) fn owner() -> u32 {
    // SAFETY: the call has no arguments and cannot fail.
    unsafe { libc::syscall(libc::SYS_gettid) as u32 }
}

/// Returns true if no thread of this process has the number.
#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
pub(super) fn has_ended(owner: u32) -> bool {
    let process = std::process::id();
    // SAFETY: signal 0 is never sent; the call only looks for the thread.
    let result = unsafe { libc::syscall(libc::SYS_tgkill, process, owner, 0) };
    result != 0 && std::io::Error::last_os_error().raw_os_error() == Some(libc::ESRCH)
}

#[cfg(not(all(any(target_os = "linux", target_os = "android"), not(miri))))]
pub(super) fn owner() -> u32 {
    crate::base::list::OWNED
}

#[cfg(not(all(any(target_os = "linux", target_os = "android"), not(miri))))]
pub(super) fn has_ended(_: u32) -> bool {
    false
}

#[cfg(unix)]
mod system {
    use crate::thread::threads;
    use core::ffi::c_void;
    use core::ptr;
    use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
    use libc::pthread_key_t;

    /// The number of notices that a thread gets at most. POSIX guarantees that many.
    pub(in super::super) const ROUNDS: u32 = 4;

    /// The key plus one, or one of the constants below.
    static KEY: AtomicUsize = AtomicUsize::new(NOT_CREATED);
    const NOT_CREATED: usize = 0;
    const NONE_LEFT: usize = usize::MAX;

    /// True if some thread gets no notice.
    static MISSES_NOTICES: AtomicBool = AtomicBool::new(false);

    /// Lets the current thread get a notice: `threads::end` is called when the thread ends, once.
    pub(in super::super) fn watch() {
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
        threads::end();
    }

    /// Returns true if threads may have ended without a notice.
    pub(in super::super) fn misses_notices() -> bool {
        MISSES_NOTICES.load(Relaxed)
    }
}

#[cfg(not(unix))]
mod system {
    use crate::thread::threads;

    pub(in super::super) const ROUNDS: u32 = 1;

    struct Exit;

    impl Drop for Exit {
        fn drop(&mut self) {
            threads::end();
        }
    }

    pub(in super::super) fn watch() {
        thread_local! {
            static EXIT: Exit = const { Exit };
        }
        let _ = EXIT.try_with(|_| ());
    }

    pub(in super::super) fn misses_notices() -> bool {
        false
    }
}
