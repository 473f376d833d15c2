//! Wakeups of the session's threads. A thread waits for its wakeup, which any thread, a signal
//! handler or the allocator may send.
#![cfg_attr(any(unix, windows), expect(unsafe_code, reason = "waits with system calls"))]

#[cfg(any(target_os = "linux", target_os = "android", windows))]
pub(crate) use word::Wakeup;

#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
pub(crate) use pipe::Wakeup;

#[cfg(not(any(unix, windows)))]
pub(crate) use poll::Wakeup;

/// The wakeup of the session's thread.
pub(crate) static SESSION: Wakeup = Wakeup::new();

/// Wakes the session's thread, if there is one.
pub(crate) fn wake() {
    SESSION.wake();
}

/// An atomic word of this process. It is not a descriptor that the program could close, and a
/// forked child does not share it with its parent.
#[cfg(any(target_os = "linux", target_os = "android", windows))]
mod word {
    use core::sync::atomic::{AtomicU32, Ordering};
    use std::io;
    use std::time::Duration;
    #[cfg(windows)]
    use windows_sys::Win32::System::Threading::{WaitOnAddress, WakeByAddressSingle};

    /// A word that is 1 from the call of `wake` until the wait ends.
    #[derive(Debug)]
    pub(crate) struct Wakeup(AtomicU32);

    impl Wakeup {
        pub(crate) const fn new() -> Self {
            Self(AtomicU32::new(0))
        }

        #[expect(
            clippy::unused_self,
            clippy::unnecessary_wraps,
            reason = "needed on other systems"
        )]
        pub(crate) fn open(&self) -> io::Result<()> {
            Ok(())
        }

        /// Ends the wait of the thread, now or when the wait begins. Takes no lock, allocates nothing and never waits.
        pub(crate) fn wake(&self) {
            if self.0.swap(1, Ordering::AcqRel) == 0 {
                wake_waiting(&self.0);
            }
        }

        /// Waits until [`wake`](Self::wake) is called, but at most for `max`.
        pub(crate) fn wait(&self, max: Duration) {
            if self.0.swap(0, Ordering::AcqRel) == 1 {
                return;
            }
            wait_while_zero(&self.0, max);
            // A swap, not a store: after a store, later reads could miss what the caller of `wake`
            // has written.
            self.0.swap(0, Ordering::AcqRel);
        }
    }

    /// Wakes the threads that wait for a change of the word.
    #[cfg(not(windows))]
    fn wake_waiting(word: &AtomicU32) {
        let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
        // SAFETY: only the address of the word is used. Waking fails only for an invalid address, so
        // `errno` stays.
        unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, i32::MAX) };
    }

    /// Waits until the word is not 0, at most for `max`.
    #[cfg(not(windows))]
    fn wait_while_zero(word: &AtomicU32, max: Duration) {
        /// The longest wait that all systems accept.
        const LONGEST: Duration = Duration::from_hours(24);
        let max = max.min(LONGEST);
        #[allow(
            clippy::unnecessary_fallible_conversions,
            reason = "the type differs between systems"
        )]
        let time = libc::timespec {
            tv_sec: max.as_secs().try_into().unwrap_or(0),
            tv_nsec: max.subsec_nanos().try_into().unwrap_or(0),
        };
        let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
        // SAFETY: the word and the time outlive the call. The kernel compares the word with 0 before
        // it waits, so no wakeup is lost.
        unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, 0, &raw const time) };
    }

    /// Wakes the threads that wait for a change of the word.
    #[cfg(windows)]
    fn wake_waiting(word: &AtomicU32) {
        // SAFETY: only the address of the word is used.
        unsafe { WakeByAddressSingle(word.as_ptr().cast()) };
    }

    /// Waits until the word is not 0, at most for `max`.
    #[cfg(windows)]
    fn wait_while_zero(word: &AtomicU32, max: Duration) {
        // Rounded up, because 0 would not wait. The largest number waits forever.
        let milliseconds = max.as_micros().div_ceil(1000);
        let milliseconds = u32::try_from(milliseconds).unwrap_or(u32::MAX);
        let silent = 0_u32;
        // SAFETY: both pointers are to words of the given size that outlive the call. The system
        // compares them before it waits, so no wakeup is lost.
        unsafe {
            WaitOnAddress(
                word.as_ptr().cast(),
                (&raw const silent).cast(),
                size_of::<u32>(),
                milliseconds,
            )
        };
    }
}

/// A pipe, whose ends are checked before each use.
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
mod pipe {
    use crate::descriptor::{Identity, SharedDescriptor};
    use crate::errno;
    use core::sync::atomic::{AtomicBool, Ordering};
    use std::io;
    use std::time::Duration;

    /// The interval at which the wakeup is polled if the pipe is gone.
    const POLL: Duration = Duration::from_millis(20);

    pub(crate) struct Wakeup {
        is_woken: AtomicBool,
        read: SharedDescriptor,
        write: SharedDescriptor,
    }

    static BYTE: u8 = 0;

    impl Wakeup {
        pub(crate) const fn new() -> Self {
            Self {
                is_woken: AtomicBool::new(false),
                read: SharedDescriptor::none(),
                write: SharedDescriptor::none(),
            }
        }

        /// Creates the pipe, if this process has none.
        ///
        /// Neither end is ever closed: a late writer must not write to a file of the program.
        pub(crate) fn open(&self) -> io::Result<()> {
            if self.read.checked().is_some() && self.write.checked().is_some() {
                return Ok(());
            }
            let mut ends = [0; 2];
            // SAFETY: the array has room for two descriptors.
            if unsafe { libc::pipe(ends.as_mut_ptr()) } != 0 {
                return Err(io::Error::last_os_error());
            }
            for (end, shared) in ends.into_iter().zip([&self.read, &self.write]) {
                // SAFETY: it sets a flag of an open descriptor.
                unsafe { libc::fcntl(end, libc::F_SETFL, libc::O_NONBLOCK) };
                // SAFETY: as above.
                unsafe { libc::fcntl(end, libc::F_SETFD, libc::FD_CLOEXEC) };
                let identity = Identity::of(end).ok_or_else(io::Error::last_os_error)?;
                shared.set(end, identity);
            }
            Ok(())
        }

        /// Ends the wait of the thread, now or when the wait begins. Takes no lock, allocates nothing and never waits.
        pub(crate) fn wake(&self) {
            if self.is_woken.swap(true, Ordering::AcqRel) {
                return;
            }
            errno::kept(|| {
                if let Some(write) = self.write.checked() {
                    // SAFETY: the pointer is to a static byte.
                    unsafe { libc::write(write, (&raw const BYTE).cast(), 1) };
                }
            });
        }

        /// Waits until [`wake`](Self::wake) is called, but at most for `max`.
        pub(crate) fn wait(&self, max: Duration) {
            if self.is_woken.load(Ordering::Acquire) {
                self.take();
                return;
            }
            match self.read.checked() {
                Some(read) => {
                    // Rounded up, because 0 would not wait.
                    let milliseconds = max.as_micros().div_ceil(1000);
                    let milliseconds = i32::try_from(milliseconds).unwrap_or(i32::MAX);
                    let mut poll = libc::pollfd { fd: read, events: libc::POLLIN, revents: 0 };
                    // SAFETY: the pointer is to one local `pollfd`, and the count is 1.
                    unsafe { libc::poll(&raw mut poll, 1, milliseconds) };
                }
                None => std::thread::sleep(max.min(POLL)),
            }
            self.take();
        }

        fn take(&self) {
            // The byte is read first. If the wait has timed out, a wakeup between the read and the
            // swap writes another byte, which ends the next wait.
            if let Some(read) = self.read.checked() {
                let mut bytes = [0_u8; 64];
                // SAFETY: the buffer has room for the bytes, and the descriptor doesn't block.
                unsafe { libc::read(read, bytes.as_mut_ptr().cast(), bytes.len()) };
            }
            // A swap, not a store: after a store, later reads could miss what the caller of `wake`
            // has written.
            self.is_woken.swap(false, Ordering::AcqRel);
        }
    }
}

#[cfg(not(any(unix, windows)))]
mod poll {
    use core::sync::atomic::{AtomicBool, Ordering};
    use std::io;
    use std::time::{Duration, Instant};

    /// A wakeup that is polled every 20 ms.
    #[derive(Debug)]
    pub(crate) struct Wakeup(AtomicBool);

    impl Wakeup {
        pub(crate) const fn new() -> Self {
            Self(AtomicBool::new(false))
        }

        pub(crate) fn open(&self) -> io::Result<()> {
            Ok(())
        }

        pub(crate) fn wake(&self) {
            self.0.store(true, Ordering::Release);
        }

        /// Waits until [`wake`](Self::wake) is called, but at most for `max`.
        pub(crate) fn wait(&self, max: Duration) {
            const POLL_INTERVAL: Duration = Duration::from_millis(20);
            let ends = Instant::now() + max.min(Duration::from_hours(24));
            while !self.0.swap(false, Ordering::AcqRel) {
                let left = ends.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return;
                }
                std::thread::sleep(left.min(POLL_INTERVAL));
            }
        }
    }
}
