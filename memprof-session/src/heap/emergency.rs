//! The line that is written when the inner allocator has no memory, formatted without allocating.
#![cfg_attr(
    any(unix, windows),
    expect(unsafe_code, reason = "writes to a descriptor, because it may not allocate")
)]

use core::fmt::{self, Write};
#[cfg(any(unix, windows))]
use {core::sync::atomic::Ordering::Relaxed, memprof_heap::hooks::Refusal};

/// The maximum number of lines: a program that retries again and again must not fill the disk.
#[cfg(any(unix, windows))]
const MAX: u32 = 100;

/// The emergency writer. Until it is dropped, each refused allocation adds a line to the timeline,
/// up to 100 lines.
#[derive(Debug)]
pub(crate) struct Emergency(());

#[cfg(unix)]
mod unix {
    use super::{Emergency, MAX, line};
    use crate::descriptor::{Identity, SharedDescriptor, fstat, stat};
    use crate::errno;
    use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
    use memprof_heap::hooks::Refusal;
    use std::fs::File;
    use std::io;
    use std::os::fd::{AsRawFd, RawFd};

    /// The timeline, with a descriptor that stays open until the process ends.
    static TIMELINE: SharedDescriptor = SharedDescriptor::none();
    /// Set while a session records.
    static IN_USE: AtomicBool = AtomicBool::new(false);
    static WRITTEN: AtomicU32 = AtomicU32::new(0);

    impl Emergency {
        pub(crate) fn begin(timeline: &File) -> io::Result<Self> {
            WRITTEN.store(0, Relaxed);
            let emergency = Self(());
            emergency.move_to(timeline)?;
            IN_USE.store(true, Relaxed);
            memprof_heap::recorder::set_on_refusal(Some(refused));
            Ok(emergency)
        }

        /// Writes lines to this file from now on.
        ///
        /// The descriptor's number stays the same. So a thread that is about to write to it writes
        /// to the old or the new file, and to no other. If the program has closed the descriptor,
        /// its number may now belong to a file of the program. In that case, this method takes
        /// another number.
        #[expect(clippy::unused_self, reason = "a value proves that recording has begun")]
        pub(crate) fn move_to(&self, timeline: &File) -> io::Result<()> {
            let identity = Identity::of_file(timeline).ok_or_else(io::Error::last_os_error)?;
            let moved = match TIMELINE.checked() {
                // SAFETY: both descriptors are open, and the second was opened here.
                Some(now) => unsafe { libc::dup2(timeline.as_raw_fd(), now) },
                // SAFETY: the file is open.
                None => unsafe { libc::fcntl(timeline.as_raw_fd(), libc::F_DUPFD_CLOEXEC, 3) },
            };
            if moved < 0 {
                return Err(io::Error::last_os_error());
            }
            // SAFETY: the call sets a flag of an open descriptor.
            unsafe { libc::fcntl(moved, libc::F_SETFD, libc::FD_CLOEXEC) };
            TIMELINE.set(moved, identity);
            Ok(())
        }
    }

    impl Drop for Emergency {
        fn drop(&mut self) {
            memprof_heap::recorder::set_on_refusal(None);
            // A thread that has already loaded the callback then writes nothing.
            IN_USE.store(false, Relaxed);
        }
    }

    /// Writes the line of a refused allocation. This function runs inside the allocator, so it must
    /// not allocate or take a lock.
    ///
    /// The function may wait a few milliseconds if the system has preempted a thread that was
    /// updating its counters.
    fn refused(refusal: Refusal) {
        if IN_USE.load(Relaxed) {
            errno::kept(|| write_line(refusal));
        }
    }

    fn write_line(refusal: Refusal) {
        let Some(timeline) = TIMELINE.checked() else { return };
        if WRITTEN.fetch_add(1, Relaxed) >= MAX {
            return;
        }
        let Ok(text) = line(refusal) else { return };
        let bytes = text.bytes();
        if has_space(timeline, bytes.len()) {
            // SAFETY: the pointer and the length are those of the text, and the descriptor belongs
            // to the timeline. One write is one line.
            unsafe { libc::write(timeline, bytes.as_ptr().cast(), bytes.len()) };
        }
    }

    /// Returns `true` if a file may grow by `more` bytes.
    ///
    /// A write beyond `RLIMIT_FSIZE` would send a signal to the writing thread. Here the writing
    /// thread is a thread of the program.
    #[allow(
        clippy::useless_conversion,
        clippy::unnecessary_fallible_conversions,
        reason = "the type of limits differs between systems"
    )]
    fn has_space(file: RawFd, more: usize) -> bool {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the pointer is to a local `rlimit`.
        let is_known = unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit) } == 0;
        if !is_known || limit.rlim_cur == libc::RLIM_INFINITY {
            return is_known;
        }
        // SAFETY: `stat` consists of integers, for which zero bytes are valid.
        let mut status: stat = unsafe { core::mem::zeroed() };
        // SAFETY: the pointer is to a local `stat`.
        let is_known = unsafe { fstat(file, &raw mut status) } == 0;
        let size = u64::try_from(status.st_size).unwrap_or(u64::MAX);
        let most = u64::try_from(limit.rlim_cur).unwrap_or(0);
        is_known && size.saturating_add(more as u64) <= most
    }
}

#[cfg(windows)]
mod windows {
    use super::{Emergency, MAX, line};
    use core::ffi::c_void;
    use core::mem::ManuallyDrop;
    use core::ptr;
    use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering::Relaxed, Ordering::SeqCst};
    use memprof_heap::hooks::Refusal;
    use std::fs::File;
    use std::io::{self, Write};
    use std::os::windows::io::{FromRawHandle, IntoRawHandle};
    use std::time::Duration;

    /// A handle of the timeline that only this module uses; null while no session records.
    static TIMELINE: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
    /// The number of threads that may be using the handle.
    static USERS: AtomicU32 = AtomicU32::new(0);
    static WRITTEN: AtomicU32 = AtomicU32::new(0);

    impl Emergency {
        pub(crate) fn begin(timeline: &File) -> io::Result<Self> {
            WRITTEN.store(0, Relaxed);
            let emergency = Self(());
            emergency.move_to(timeline)?;
            memprof_heap::recorder::set_on_refusal(Some(refused));
            Ok(emergency)
        }

        /// Writes lines to this file from now on.
        #[expect(clippy::unused_self, reason = "a value proves that recording has begun")]
        pub(crate) fn move_to(&self, timeline: &File) -> io::Result<()> {
            replace(timeline.try_clone()?.into_raw_handle());
            Ok(())
        }
    }

    impl Drop for Emergency {
        fn drop(&mut self) {
            memprof_heap::recorder::set_on_refusal(None);
            replace(ptr::null_mut());
        }
    }

    /// Replaces the handle. The earlier handle is closed once no thread uses it.
    fn replace(handle: *mut c_void) {
        const POLL_INTERVAL: Duration = Duration::from_millis(1);
        const POLLS: u32 = 100;
        let before = TIMELINE.swap(handle, SeqCst);
        if before.is_null() {
            return;
        }
        for _ in 0..POLLS {
            if USERS.load(SeqCst) == 0 {
                // SAFETY: the handle was a file's, and from now on threads find the new one.
                drop(unsafe { File::from_raw_handle(before) });
                return;
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        // If a thread still uses the earlier handle, that handle stays open: a write that hangs
        // must not go to another file with the same number.
    }

    /// Writes the line of a refused allocation. This function runs inside the allocator, so it must
    /// not allocate or take a lock.
    ///
    /// The function may wait a few milliseconds if the system has preempted a thread that was
    /// updating its counters.
    fn refused(refusal: Refusal) {
        USERS.fetch_add(1, SeqCst);
        let timeline = TIMELINE.load(SeqCst);
        if !timeline.is_null()
            && WRITTEN.fetch_add(1, Relaxed) < MAX
            && let Ok(text) = line(refusal)
        {
            // SAFETY: the handle is a file's, and is not closed while it has users.
            let timeline = ManuallyDrop::new(unsafe { File::from_raw_handle(timeline) });
            // One write is one line. An error cannot be reported from here.
            let _ = (&*timeline).write(text.bytes());
        }
        USERS.fetch_sub(1, SeqCst);
    }
}

#[cfg(not(any(unix, windows)))]
impl Emergency {
    /// Does nothing, because no line is written on this system.
    pub(crate) fn begin(_: &std::fs::File) -> std::io::Result<Self> {
        Ok(Self(()))
    }

    pub(crate) fn move_to(&self, _: &std::fs::File) -> std::io::Result<()> {
        Ok(())
    }
}

/// Returns the line of a refused allocation.
#[cfg(any(unix, windows))]
fn line(refusal: Refusal) -> Result<Text, fmt::Error> {
    let at_ns = memprof_heap::event::event_clock().saturating_sub(super::BEGAN.load(Relaxed));
    let requested = refusal.requested_bytes;
    let mut text = Text::new();
    write!(
        text,
        "{{\"out_of_memory\":{{\"at_ns\":{at_ns},\"requested_bytes\":{requested},\"heap\":"
    )?;
    heap(&mut text, super::totals().as_ref().map(|(totals, _)| totals))?;
    text.write_str("}}\n")?;
    Ok(text)
}

/// Text in a buffer on the stack.
struct Text {
    bytes: [u8; 1024],
    len: usize,
}

impl Text {
    const fn new() -> Self {
        Self { bytes: [0; 1024], len: 0 }
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.bytes.get_mut(self.len..self.len + text.len()).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.len += text.len();
        Ok(())
    }
}

/// Writes the same JSON as serde, which would allocate.
fn heap(out: &mut Text, heap: Option<&memprof_recording::document::HeapTotals>) -> fmt::Result {
    let Some(heap) = heap else { return out.write_str("null") };
    write!(out, "{{\"level\":\"{}\",\"counted_ns\":", heap.level)?;
    match heap.counted_ns {
        Some(ns) => write!(out, "{ns}")?,
        None => out.write_str("null")?,
    }
    write!(out, ",\"live_bytes\":{},\"profiler_bytes\":{}", heap.live_bytes, heap.profiler_bytes)?;
    write!(
        out,
        ",\"profiler_peak_bytes\":{},\"live_blocks\":{},\"allocated_bytes\":{},\
         \"allocated_blocks\":{},\"freed_bytes\":{},\"freed_blocks\":{},\"peak_bytes\":{},\"peak_error_bytes\":{}}}",
        heap.profiler_peak_bytes,
        heap.live_blocks,
        heap.allocated_bytes,
        heap.allocated_blocks,
        heap.freed_bytes,
        heap.freed_blocks,
        heap.peak_bytes,
        heap.peak_error_bytes
    )
}

#[cfg(test)]
mod tests {
    use super::{Text, heap};
    use memprof_recording::document::{HeapLevel, HeapTotals};

    #[test]
    fn the_line_that_allocates_nothing_is_the_one_that_serde_writes() {
        for (level, counted_ns) in
            [(HeapLevel::Counters, None), (HeapLevel::Sampled, Some(u64::MAX))]
        {
            let totals = HeapTotals {
                level,
                counted_ns,
                live_bytes: i64::MIN,
                profiler_bytes: i64::MIN,
                profiler_peak_bytes: u64::MAX,
                live_blocks: -1,
                allocated_bytes: u64::MAX,
                allocated_blocks: u64::MAX,
                freed_bytes: u64::MAX,
                freed_blocks: u64::MAX,
                peak_bytes: u64::MAX,
                peak_error_bytes: u64::MAX,
            };
            let mut text = Text::new();
            heap(&mut text, Some(&totals)).expect("it has room for the longest numbers");
            let expected = serde_json::to_string(&totals).expect("it is plain");
            assert_eq!(text.bytes(), expected.as_bytes());
        }
        let mut text = Text::new();
        heap(&mut text, None).expect("there is room");
        assert_eq!(text.bytes(), b"null");
    }
}
