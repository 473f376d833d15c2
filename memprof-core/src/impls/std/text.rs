//! Text: `str`, `String` and the string types of the operating system and of C.

#![cfg_attr(
    memprof_since_1_91,
    expect(clippy::incompatible_msrv, reason = "only newer compilers compile this")
)]

use crate::MemoryProfile;
use crate::tally::Tally;
use crate::tree::LeafKind;
use crate::walk::{Position, Walk};
use std::ffi::{CStr, CString, OsStr, OsString};
use std::path::{Path, PathBuf};

/// Implements `MemoryProfile` for unsized text. Its bytes are payload, and it owns nothing.
macro_rules! borrowed_text {
    ($($text:ty)*) => {$(
        impl MemoryProfile for $text {
            fn owned<'a>(&'a self, _: &mut Walk<'a>, _: Position) {}

            fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                walk.leaf(at, LeafKind::Data, size_of_val(self));
            }
        }
    )*};
}

borrowed_text! { str OsStr Path CStr }

/// Returns an empty value with the lifetime `'static`.
#[cfg(memprof_since_1_91)]
macro_rules! empty {
    ($text:ty) => {
        Some(const { &<$text>::new() })
    };
}

/// Returns `None`, because before Rust 1.91 no constant can be an empty value.
#[cfg(not(memprof_since_1_91))]
macro_rules! empty {
    ($text:ty) => {
        None
    };
}

/// Implements `MemoryProfile` for growable text: one allocation, whose bytes past the length are
/// spare.
macro_rules! owned_text {
    ($($text:ty: $len:expr, $empty:expr;)*) => {$(
        impl MemoryProfile for $text {
            #[inline]
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                walk.text(at, start(self), $len(self), self.capacity());
            }

            #[inline]
            fn tally<'a>(&'a self, tally: &mut Tally, _: &mut Walk<'a>, _: Position) {
                tally.add($len(self), self.capacity());
            }

            #[inline]
            fn settle(tally: Tally, walk: &mut Walk<'_>, at: Position) {
                if tally.allocations != 0 {
                    walk.allocations(at, tally);
                }
            }

            #[inline]
            fn is_tallied() -> bool {
                true
            }

            #[inline]
            fn empty<'e>() -> Option<&'e Self> {
                $empty
            }
        }
    )*};
}

/// Returns the address of the first byte of a text.
#[inline]
fn start<T: AsRef<OsStr>>(text: &T) -> usize {
    text.as_ref().as_encoded_bytes().as_ptr().addr()
}

owned_text! {
    String: String::len, Some(const { &String::new() });
    OsString: |text: &OsString| text.len(), empty!(OsString);
    PathBuf: |path: &PathBuf| path.as_os_str().len(), empty!(PathBuf);
}

impl MemoryProfile for CString {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let len = self.as_bytes_with_nul().len();
        walk.allocation(at, len, len);
        walk.block(self.as_ptr().addr());
    }
}
