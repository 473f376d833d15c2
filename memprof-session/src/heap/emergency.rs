//! The line that is written when the inner allocator has no memory, formatted without allocating.
//!
//! On systems other than Unix, no line is written.
#![expect(unsafe_code, reason = "writes to a descriptor, because it may not allocate")]

use crate::files::Identity;
use core::ffi::c_int;
use core::mem::ManuallyDrop;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64};
use memprof_heap::hooks::Refusal;
use memprof_recording::document::{Line, OutOfMemory};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd, RawFd};

/// The maximum number of lines: a program that retries again and again must not fill the disk.
const MAX: u32 = 100;

/// Until this is dropped, each refused allocation adds a line to the timeline, up to 100 lines.
#[derive(Debug)]
pub(crate) struct Emergency(());

/// Stays open to the end, so that a late writer doesn't write to a file of the program.
static NUMBER: AtomicI32 = AtomicI32::new(-1);
/// The device and the inode of the timeline.
static IDENTITY: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];
/// The process that opened the descriptor; a forked child must not write to it.
static PROCESS: AtomicU32 = AtomicU32::new(0);
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

    /// The descriptor's number stays the same, so a thread that is about to write to it writes to
    /// the old or the new file, and to no other. If the program has closed the descriptor, its
    /// number may now belong to a file of the program; this method then takes another number.
    #[expect(clippy::unused_self, reason = "a value proves that recording has begun")]
    pub(crate) fn move_to(&self, timeline: &File) -> io::Result<()> {
        let identity = Identity::of(timeline.as_raw_fd()).ok_or_else(io::Error::last_os_error)?;
        let moved = match self::timeline() {
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
        NUMBER.store(moved, Release);
        IDENTITY[0].store(identity.device, Release);
        IDENTITY[1].store(identity.inode, Release);
        PROCESS.store(std::process::id(), Release);
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

/// Returns the descriptor of the timeline, if this process opened it and it still belongs to the same
/// file.
///
/// Between this check and the use of the number, another thread may still close the descriptor and
/// open a file. No system has a call that checks and writes in one step.
fn timeline() -> Option<RawFd> {
    if PROCESS.load(Acquire) != std::process::id() {
        return None;
    }
    let number = NUMBER.load(Acquire);
    let [device, inode] = [0, 1].map(|part| IDENTITY[part].load(Acquire));
    (Identity::of(number) == Some(Identity { device, inode })).then_some(number)
}

/// Runs inside the allocator, so it must not allocate or take a lock.
///
/// May wait a few milliseconds if the system has preempted a thread that was updating its counters.
fn refused(refusal: Refusal) {
    if !IN_USE.load(Relaxed) {
        return;
    }
    let errno = errno();
    // SAFETY: the pointer is null, or points to the `errno` of this thread.
    let before = unsafe { errno.as_ref() }.copied();
    write_line(refusal);
    if let Some(before) = before {
        // SAFETY: the pointer is not null.
        unsafe { *errno = before };
    }
}

/// Returns the address of the thread's `errno`, which code inside the allocator must not change, or
/// null on systems whose function for it is not listed here.
fn errno() -> *mut c_int {
    #[cfg(target_os = "linux")]
    // SAFETY: the call has no preconditions.
    return unsafe { libc::__errno_location() };
    #[cfg(target_os = "android")]
    // SAFETY: the call has no preconditions.
    return unsafe { libc::__errno() };
    #[cfg(any(target_vendor = "apple", target_os = "freebsd"))]
    // SAFETY: the call has no preconditions.
    return unsafe { libc::__error() };
    #[allow(unreachable_code, reason = "on the systems above")]
    core::ptr::null_mut()
}

fn write_line(refusal: Refusal) {
    let Some(timeline) = timeline() else { return };
    if WRITTEN.fetch_add(1, Relaxed) >= MAX {
        return;
    }
    let moment = OutOfMemory {
        at_ns: memprof_heap::event::event_clock().saturating_sub(super::BEGAN.load(Relaxed)),
        requested_bytes: refusal.requested_bytes,
        heap: super::totals().map(|(totals, _)| totals),
    };
    let mut buffer = [0; LINE_BYTES];
    let Some(bytes) = line(moment, &mut buffer) else { return };
    // SAFETY: the descriptor belongs to the timeline, and is not closed here.
    let timeline = ManuallyDrop::new(unsafe { File::from_raw_fd(timeline) });
    if has_space(&timeline, bytes.len()) {
        // One write is one line. An error cannot be reported from here.
        let _ = (&*timeline).write(bytes);
    }
}

/// A write beyond `RLIMIT_FSIZE` would send a signal to this thread of the program.
#[allow(
    clippy::useless_conversion,
    clippy::unnecessary_fallible_conversions,
    reason = "the type of limits differs between systems"
)]
fn has_space(file: &File, more: usize) -> bool {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is to a local `rlimit`.
    let is_known = unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit) } == 0;
    if !is_known || limit.rlim_cur == libc::RLIM_INFINITY {
        return is_known;
    }
    let most = u64::try_from(limit.rlim_cur).unwrap_or(0);
    file.metadata().is_ok_and(|file| file.len().saturating_add(more as u64) <= most)
}

/// The size of a buffer in which each line of a refused allocation fits.
const LINE_BYTES: usize = 1024;

fn line(moment: OutOfMemory, buffer: &mut [u8; LINE_BYTES]) -> Option<&[u8]> {
    let mut rest = &mut buffer[..];
    // Only an error would allocate. The longest line fits, so there is no error.
    serde_json::to_writer(&mut rest, &Line::OutOfMemory(moment)).ok()?;
    rest.write_all(b"\n").ok()?;
    let len = LINE_BYTES - rest.len();
    Some(&buffer[..len])
}

#[cfg(test)]
mod tests {
    use super::{LINE_BYTES, line};
    use memprof_recording::document::{HeapLevel, HeapTotals, OutOfMemory};

    #[test]
    fn the_longest_line_fits_into_the_buffer() {
        let heap = HeapTotals {
            level: HeapLevel::Counters,
            counted_ns: Some(u64::MAX),
            live_bytes: i64::MIN,
            profiler_bytes: i64::MIN,
            profiler_peak_bytes: u64::MAX,
            live_blocks: i64::MIN,
            allocated_bytes: u64::MAX,
            allocated_blocks: u64::MAX,
            freed_bytes: u64::MAX,
            freed_blocks: u64::MAX,
            peak_bytes: u64::MAX,
            peak_error_bytes: u64::MAX,
        };
        let moment = OutOfMemory { at_ns: u64::MAX, requested_bytes: u64::MAX, heap: Some(heap) };
        let mut buffer = [0; LINE_BYTES];
        let line = line(moment, &mut buffer).expect("it fits");
        assert!(line.ends_with(b"}}}\n"));
    }
}
