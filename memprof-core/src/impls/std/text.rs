//! Text: `str`, `String`, and their kin of the operating system and of C.

use crate::{At, Kind, MemoryProfile, Tally, Walk};
use std::ffi::{CStr, CString, OsStr, OsString};
use std::path::{Path, PathBuf};

/// Unsized text: its bytes are payload and own nothing.
macro_rules! borrowed_text {
    ($($text:ty)*) => {$(
        impl MemoryProfile for $text {
            fn owned<'a>(&'a self, _: &mut Walk<'a>, _: At) {}

            fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
                walk.leaf(at, Kind::Data, size_of_val(self));
            }
        }
    )*};
}

borrowed_text! { str OsStr Path CStr }

/// Growable text: one allocation of the capacity, the rest past the length spare.
macro_rules! owned_text {
    ($($text:ty: $len:expr, $empty:expr;)*) => {$(
        impl MemoryProfile for $text {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
                Self::settle(Tally::of($len(self), self.capacity()), walk, at);
                walk.block_of(start(self), self.capacity());
            }

            #[inline]
            fn tally<'a>(&'a self, tally: &mut Tally, _: &mut Walk<'a>, _: At) {
                tally.add($len(self), self.capacity());
            }

            #[inline]
            fn settle(tally: Tally, walk: &mut Walk<'_>, at: At) {
                if tally.allocations != 0 {
                    walk.allocations(at, tally);
                }
            }

            #[inline]
            fn empty<'e>() -> Option<&'e Self> {
                $empty
            }
        }
    )*};
}

/// Where text starts.
fn start<T: AsRef<OsStr>>(text: &T) -> usize {
    text.as_ref().as_encoded_bytes().as_ptr().addr()
}

owned_text! {
    String: String::len, Some(const { &String::new() });
    OsString: |text: &OsString| text.len(), empty_os_text();
    PathBuf: |path: &PathBuf| path.as_os_str().len(), empty_path();
}

#[cfg(memprof_since_1_91)]
#[expect(
    clippy::incompatible_msrv,
    clippy::unnecessary_wraps,
    reason = "older compilers have none"
)]
fn empty_os_text() -> Option<&'static OsString> {
    Some(const { &OsString::new() })
}

#[cfg(memprof_since_1_91)]
#[expect(
    clippy::incompatible_msrv,
    clippy::unnecessary_wraps,
    reason = "older compilers have none"
)]
fn empty_path() -> Option<&'static PathBuf> {
    Some(const { &PathBuf::new() })
}

/// No constant can be one before Rust 1.91.
#[cfg(not(memprof_since_1_91))]
fn empty_os_text() -> Option<&'static OsString> {
    None
}

/// No constant can be one before Rust 1.91.
#[cfg(not(memprof_since_1_91))]
fn empty_path() -> Option<&'static PathBuf> {
    None
}

impl MemoryProfile for CString {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        let len = self.as_bytes_with_nul().len();
        walk.allocation(at, len, len);
        walk.block(self.as_ptr().addr());
    }
}
