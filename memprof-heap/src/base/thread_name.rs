//! The name that the operating system has for the current thread.
//!
//! `std::thread::current` is not used: it allocates on threads that Rust did not create. Called too
//! early or too late in a thread's life, it ends the program.
#![cfg_attr(
    any(target_os = "linux", target_os = "android", target_vendor = "apple", windows),
    expect(unsafe_code, reason = "calls of the operating system")
)]

/// The maximum number of bytes of a name. Linux has at most 15.
pub(crate) const BYTES: usize = 40;

/// A name, with zeros after its last byte. If all bytes are zero, the thread has no name.
pub(crate) type Name = [u8; BYTES];

/// Returns the name of the current thread, cut to `BYTES`. Returns `None` if the system does not
/// report it. The main thread is called `main`. Takes no lock of the program.
pub(crate) fn current() -> Option<Name> {
    if system::is_main() { Some(of_bytes(b"main")) } else { system::name() }
}

fn of_bytes(bytes: &[u8]) -> Name {
    let mut name = [0; BYTES];
    for (to, from) in name.iter_mut().zip(bytes) {
        *to = *from;
    }
    name
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod system {
    use super::{BYTES, Name};

    /// On Linux the first thread's name is the name of the program's file.
    pub(super) fn is_main() -> bool {
        // SAFETY: the call has no arguments and reads a number.
        let thread = unsafe { libc::syscall(libc::SYS_gettid) };
        // SAFETY: as above.
        let process = unsafe { libc::getpid() };
        thread == libc::c_long::from(process)
    }

    pub(super) fn name() -> Option<Name> {
        // The kernel writes at most 16 bytes.
        const { assert!(BYTES >= 16) };
        let mut name = [0; BYTES];
        // SAFETY: the buffer has more than 16 bytes.
        let result = unsafe { libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr()) };
        (result == 0).then_some(name)
    }
}

#[cfg(target_vendor = "apple")]
mod system {
    use super::{Name, of_bytes};

    pub(super) fn is_main() -> bool {
        // SAFETY: the call has no arguments and reads a flag.
        unsafe { libc::pthread_main_np() != 0 }
    }

    pub(super) fn name() -> Option<Name> {
        // The system's names have at most 63 bytes, and a shorter buffer is an error.
        let mut name = [0_u8; 64];
        // SAFETY: the call has no arguments.
        let thread = unsafe { libc::pthread_self() };
        // SAFETY: the pointer and the length are those of the buffer, and the thread runs.
        let result =
            unsafe { libc::pthread_getname_np(thread, name.as_mut_ptr().cast(), name.len()) };
        (result == 0).then(|| of_bytes(&name))
    }
}

#[cfg(windows)]
mod system {
    use super::{Name, of_bytes};
    use core::ptr;
    use windows_sys::Win32::Foundation::LocalFree;
    use windows_sys::Win32::System::Threading::{GetCurrentThread, GetThreadDescription};

    /// The standard library names the first thread `main` on Windows.
    pub(super) fn is_main() -> bool {
        false
    }

    pub(super) fn name() -> Option<Name> {
        let mut text = ptr::null_mut();
        // SAFETY: the call has no arguments.
        let thread = unsafe { GetCurrentThread() };
        // SAFETY: the handle is the current thread's, and the pointer is to a local variable.
        let result = unsafe { GetThreadDescription(thread, &raw mut text) };
        if result < 0 || text.is_null() {
            return None;
        }
        let mut utf16 = [0; super::BYTES];
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
        let (mut bytes, mut len) = ([0; super::BYTES], 0);
        for char in chars {
            let char = char.unwrap_or(char::REPLACEMENT_CHARACTER);
            let Some(room) = bytes.get_mut(len..len + char.len_utf8()) else { break };
            len += char.encode_utf8(room).len();
        }
        Some(of_bytes(&bytes))
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple", windows)))]
mod system {
    use super::Name;

    pub(super) fn is_main() -> bool {
        false
    }

    pub(super) fn name() -> Option<Name> {
        None
    }
}

#[cfg(all(test, any(target_os = "linux", target_vendor = "apple")))]
mod tests {
    use super::{current, of_bytes};
    use std::thread::Builder;

    #[test]
    fn a_thread_has_the_name_that_the_system_has() {
        let named = Builder::new().name("reader 7".to_owned());
        let name = named.spawn(current).expect("it starts").join().expect("it ends");
        assert_eq!(name, Some(of_bytes(b"reader 7")));
    }
}
