//! How the session's thread waits: for a moment, or until somebody wakes it, who may be a signal
//! handler or the allocator.
#![cfg_attr(unix, expect(unsafe_code, reason = "a pipe is the system's"))]

#[cfg(unix)]
pub(crate) use unix::{Pipe, wake};

#[cfg(not(unix))]
pub(crate) use other::{Pipe, wake};

#[cfg(unix)]
mod unix {
    use core::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering::Relaxed};
    use std::fs::File;
    use std::io::{self, Read};
    use std::mem::ManuallyDrop;
    use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd};
    use std::time::Duration;

    /// The ends of the pipe. Neither is ever closed: somebody may be about to write to one, and a
    /// write to what nobody reads is a signal. So all sessions of a process have the same pipe.
    static READ: AtomicI32 = AtomicI32::new(-1);
    static WRITE: AtomicI32 = AtomicI32::new(-1);
    /// The process whose pipe it is: a forked child has its parent's, and needs its own.
    static PROCESS: AtomicU32 = AtomicU32::new(0);
    /// Whether somebody waits at it.
    static IN_USE: AtomicBool = AtomicBool::new(false);

    /// What the session's thread waits at.
    #[derive(Debug)]
    pub(crate) struct Pipe {
        read: ManuallyDrop<File>,
    }

    /// Wakes the session's thread, if there is one.
    ///
    /// It takes no lock, allocates nothing and never waits: it may be called from a signal handler
    /// and from within the allocator.
    pub(crate) fn wake() {
        if !IN_USE.load(Relaxed) {
            return;
        }
        // The caller may be about to look at it.
        let errno = errno();
        // SAFETY: the byte is there to be read. The descriptor stays open for as long as the process
        // runs. A full pipe is awake already.
        unsafe { libc::write(WRITE.load(Relaxed), (&raw const BYTE).cast(), 1) };
        set_errno(errno);
    }

    static BYTE: u8 = 0;

    impl Pipe {
        /// The pipe that [`wake`] writes to, made if this process has none.
        pub(crate) fn open() -> io::Result<Self> {
            if PROCESS.load(Relaxed) != std::process::id() {
                let [read, write] = ends()?;
                READ.store(read.into_raw_fd(), Relaxed);
                WRITE.store(write.into_raw_fd(), Relaxed);
                PROCESS.store(std::process::id(), Relaxed);
            }
            IN_USE.store(true, Relaxed);
            // SAFETY: the descriptor is open, and isn't closed by this.
            Ok(Self { read: ManuallyDrop::new(unsafe { File::from_raw_fd(READ.load(Relaxed)) }) })
        }

        /// Waits until somebody wakes this thread, or until the time is over.
        pub(crate) fn wait(&mut self, most: Duration) {
            // Rounded up, as 0 would be no wait at all.
            let milliseconds = most.as_micros().div_ceil(1000);
            let milliseconds = i32::try_from(milliseconds).unwrap_or(i32::MAX);
            let mut poll =
                libc::pollfd { fd: self.read.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            // SAFETY: it is one descriptor to wait for.
            unsafe { libc::poll(&raw mut poll, 1, milliseconds) };
            let mut bytes = [0; 64];
            while self.read.read(&mut bytes).is_ok_and(|read| read == bytes.len()) {}
        }
    }

    impl Drop for Pipe {
        /// From now on nobody is woken.
        fn drop(&mut self) {
            IN_USE.store(false, Relaxed);
        }
    }

    /// A pipe neither of whose ends waits, and that programs started from this one don't have.
    fn ends() -> io::Result<[File; 2]> {
        let mut ends = [0; 2];
        // SAFETY: there is room for two descriptors.
        if unsafe { libc::pipe(ends.as_mut_ptr()) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor was just opened, and nobody else has it.
        let read = unsafe { File::from_raw_fd(ends[0]) };
        // SAFETY: as above.
        let write = unsafe { File::from_raw_fd(ends[1]) };
        for file in [&read, &write] {
            set(file, libc::F_SETFL, libc::O_NONBLOCK)?;
            set(file, libc::F_SETFD, libc::FD_CLOEXEC)?;
        }
        Ok([read, write])
    }

    fn set(file: &File, what: i32, flag: i32) -> io::Result<()> {
        // SAFETY: it sets a flag of an open descriptor.
        match unsafe { libc::fcntl(file.as_raw_fd(), what, flag) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }

    fn errno() -> i32 {
        // SAFETY: the thread's own word.
        unsafe { *location() }
    }

    fn set_errno(errno: i32) {
        // SAFETY: the thread's own word.
        unsafe { *location() = errno };
    }

    fn location() -> *mut i32 {
        #[cfg(target_os = "linux")]
        // SAFETY: it has no conditions.
        return unsafe { libc::__errno_location() };
        #[cfg(not(target_os = "linux"))]
        // SAFETY: it has no conditions.
        return unsafe { libc::__error() };
    }
}

#[cfg(not(unix))]
mod other {
    use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::io;
    use std::time::{Duration, Instant};

    static AWAKE: AtomicBool = AtomicBool::new(false);

    /// What the session's thread waits at.
    #[derive(Debug)]
    pub(crate) struct Pipe;

    /// Wakes the session's thread within some milliseconds.
    pub(crate) fn wake() {
        AWAKE.store(true, Relaxed);
    }

    impl Pipe {
        pub(crate) fn open() -> io::Result<Self> {
            Ok(Self)
        }

        /// Waits until somebody wakes this thread, or until the time is over.
        pub(crate) fn wait(&mut self, most: Duration) {
            const LOOK: Duration = Duration::from_millis(20);
            let ends = Instant::now() + most;
            while !AWAKE.swap(false, Relaxed) {
                let left = ends.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return;
                }
                std::thread::sleep(left.min(LOOK));
            }
        }
    }
}
