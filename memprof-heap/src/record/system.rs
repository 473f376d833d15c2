//! What memprof asks of the system: memory for its own tables, the time, the name of a thread, and
//! that the library with this code stays loaded.
//!
//! Tables are in memory of the system's allocator, not of the global one, and counted here.
//!
//! The system calls functions of memprof when a thread ends and when the process forks. A plugin
//! that records and is then unloaded would leave it with addresses of unmapped code, so it is pinned.
//!
//! `std::thread::current` is not used for names: it allocates on threads that Rust did not create.
//! Called too early or too late in a thread's life, it ends the program.
#![expect(unsafe_code, reason = "calls of the operating system and its allocator")]

use core::fmt;
use core::ptr::NonNull;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicU64};
use core::time::Duration;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::OnceLock;
use std::time::Instant;

/// The time at which recording began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "recording began with the program or after it")]
pub enum Since {
    /// Since the first allocation of the program, so nothing is missing.
    Start,
    /// For this duration. Earlier allocations are unknown, but frees of their blocks during this
    /// time are counted.
    Ago(Duration),
}

/// The value that replaces a time if recording began with the program.
pub(crate) const AT_START: u64 = 0;

impl Since {
    /// Converts a time of the clock. [`AT_START`] becomes `Start`.
    pub(crate) fn of(moment: u64) -> Self {
        match moment {
            AT_START => Self::Start,
            moment => Self::Ago(Duration::from_nanos(nanoseconds().saturating_sub(moment))),
        }
    }
}

impl fmt::Display for Since {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => out.write_str("since the program started"),
            Self::Ago(ago) => write!(out, "in the last {:.1} s", ago.as_secs_f64()),
        }
    }
}

/// Since the clock was first read, at least 1. Monotonic, and the same for all threads.
pub(crate) fn nanoseconds() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let since = FIRST.get_or_init(Instant::now).elapsed().as_nanos();
    u64::try_from(since).unwrap_or(u64::MAX).max(1)
}

/// Keeps the library that contains this code loaded until the process exits. It takes the loader's
/// lock, so the hook must not call it. Further calls do nothing.
pub(crate) fn pin() {
    static IS_PINNED: AtomicBool = AtomicBool::new(false);
    if !IS_PINNED.load(Relaxed) && !IS_PINNED.swap(true, Relaxed) {
        keep_loaded(pin as *const ());
    }
}

// These are the systems with the flags `RTLD_NOLOAD` and `RTLD_NODELETE`.
#[cfg(all(
    any(
        target_os = "linux",
        target_os = "android",
        target_os = "freebsd",
        target_vendor = "apple"
    ),
    not(miri)
))]
fn keep_loaded(function: *const ()) {
    use core::mem::MaybeUninit;

    let mut found = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: the call writes the description if it finds the function, and else returns 0.
    if unsafe { libc::dladdr(function.cast(), found.as_mut_ptr()) } == 0 {
        return;
    }
    // SAFETY: as above.
    let path = unsafe { found.assume_init() }.dli_fname;
    if !path.is_null() {
        let mode = libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE;
        // SAFETY: the path ends with a zero. Nothing is loaded, so no constructor runs. The program
        // itself may not be found by its path, but is never unloaded.
        unsafe { libc::dlopen(path, mode) };
    }
}

#[cfg(not(all(
    any(
        target_os = "linux",
        target_os = "android",
        target_os = "freebsd",
        target_vendor = "apple"
    ),
    not(miri)
)))]
fn keep_loaded(_: *const ()) {}

/// The maximum number of bytes of a name. Linux has at most 15.
pub(crate) const NAME_BYTES: usize = 40;

/// A name, with zeros after its last byte. If all bytes are zero, the thread has no name.
pub(crate) type Name = [u8; NAME_BYTES];

/// Returns the name of the current thread, cut to `NAME_BYTES`. Returns `None` if the system does not
/// report it. The main thread is called `main`. Takes no lock of the program.
pub(crate) fn current_thread_name() -> Option<Name> {
    if is_main() { Some(of_bytes(b"main")) } else { name_of_the_system() }
}

fn of_bytes(bytes: &[u8]) -> Name {
    let mut name = [0; NAME_BYTES];
    for (to, from) in name.iter_mut().zip(bytes) {
        *to = *from;
    }
    name
}

/// Returns true on the main thread. On Linux its name is the name of the program's file.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn is_main() -> bool {
    // SAFETY: the call has no arguments and reads a number.
    let thread = unsafe { libc::syscall(libc::SYS_gettid) };
    // SAFETY: as above.
    let process = unsafe { libc::getpid() };
    thread == libc::c_long::from(process)
}

#[cfg(target_vendor = "apple")]
fn is_main() -> bool {
    // SAFETY: the call has no arguments and reads a flag.
    unsafe { libc::pthread_main_np() != 0 }
}

/// Returns false. The standard library names the first thread `main` on Windows.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn is_main() -> bool {
    false
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn name_of_the_system() -> Option<Name> {
    // The kernel writes at most 16 bytes.
    const { assert!(NAME_BYTES >= 16) };
    let mut name = [0; NAME_BYTES];
    // SAFETY: the buffer has more than 16 bytes.
    let result = unsafe { libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr()) };
    (result == 0).then_some(name)
}

#[cfg(target_vendor = "apple")]
fn name_of_the_system() -> Option<Name> {
    // The system's names have at most 63 bytes, and a shorter buffer is an error.
    let mut name = [0_u8; 64];
    // SAFETY: the call has no arguments.
    let thread = unsafe { libc::pthread_self() };
    // SAFETY: the pointer and the length are those of the buffer, and the thread runs.
    let result = unsafe { libc::pthread_getname_np(thread, name.as_mut_ptr().cast(), name.len()) };
    (result == 0).then(|| of_bytes(&name))
}

#[cfg(windows)]
fn name_of_the_system() -> Option<Name> {
    use windows_sys::Win32::Foundation::LocalFree;
    use windows_sys::Win32::System::Threading::{GetCurrentThread, GetThreadDescription};

    let mut text = core::ptr::null_mut();
    // SAFETY: the call has no arguments.
    let thread = unsafe { GetCurrentThread() };
    // SAFETY: the handle is the current thread's, and the pointer is to a local variable.
    let result = unsafe { GetThreadDescription(thread, &raw mut text) };
    if result < 0 || text.is_null() {
        return None;
    }
    let mut utf16 = [0; NAME_BYTES];
    for (index, to) in utf16.iter_mut().enumerate() {
        // SAFETY: the text ends with a zero, and no index is beyond it.
        *to = unsafe { *text.wrapping_add(index) };
        if *to == 0 {
            break;
        }
    }
    // SAFETY: the system allocated the text for the caller, who frees it this way.
    unsafe { LocalFree(text.cast()) };
    let chars = char::decode_utf16(utf16.into_iter().take_while(|&unit| unit != 0));
    let (mut bytes, mut len) = ([0; NAME_BYTES], 0);
    for char in chars {
        let char = char.unwrap_or(char::REPLACEMENT_CHARACTER);
        let Some(room) = bytes.get_mut(len..len + char.len_utf8()) else { break };
        len += char.encode_utf8(room).len();
    }
    Some(of_bytes(&bytes))
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple", windows)))]
fn name_of_the_system() -> Option<Name> {
    None
}

static TABLE_BYTES: AtomicU64 = AtomicU64::new(0);

/// Returns the bytes of all tables but those that were [reserved](reserve).
pub(crate) fn table_bytes() -> u64 {
    TABLE_BYTES.load(Relaxed)
}

/// Moves a value to memory that is never freed. Returns `None` if the system has no memory.
pub(crate) fn keep<T>(value: T) -> Option<&'static T> {
    let place = allocate::<T>()?;
    // SAFETY: the memory has the layout of a `T`, and no other code has its address.
    unsafe { place.write(value) };
    // SAFETY: the value is initialised and never freed.
    Some(unsafe { place.as_ref() })
}

/// Allocates memory for a `T`. Returns `None` if the system has no memory.
pub(crate) fn allocate<T>() -> Option<NonNull<T>> {
    const { assert!(size_of::<T>() > 0, "an empty table") };
    // SAFETY: no table is empty.
    counted(NonNull::new(unsafe { System.alloc(Layout::new::<T>()) }.cast()))
}

/// Does the same as [`allocate`]. The memory is all zero.
pub(crate) fn allocate_zeroed<T>() -> Option<NonNull<T>> {
    counted(reserve())
}

/// Does the same as [`allocate_zeroed`], for a table that is counted only as far as it is in use. The
/// system provides the pages of a large table when they are first written.
pub(crate) fn reserve<T>() -> Option<NonNull<T>> {
    const { assert!(size_of::<T>() > 0, "an empty table") };
    // SAFETY: no table is empty.
    NonNull::new(unsafe { System.alloc_zeroed(Layout::new::<T>()) }.cast())
}

fn counted<T>(memory: Option<NonNull<T>>) -> Option<NonNull<T>> {
    memory.inspect(|_| {
        TABLE_BYTES.fetch_add(size_of::<T>() as u64, Relaxed);
    })
}

#[cfg(all(test, any(target_os = "linux", target_vendor = "apple")))]
mod tests {
    use super::current_thread_name;
    use super::of_bytes;
    use std::thread::Builder;

    #[test]
    fn a_thread_has_the_name_that_the_system_has() {
        let named = Builder::new().name("reader 7".to_owned());
        let name = named.spawn(current_thread_name).expect("it starts").join().expect("it ends");
        assert_eq!(name, Some(of_bytes(b"reader 7")));
    }
}
