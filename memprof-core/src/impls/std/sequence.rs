//! Sequences: vectors, queues and heaps, and arrays and slices, whose elements add no frame.
//! Text is a sequence of bytes.
#![cfg_attr(
    memprof_since_1_91,
    expect(clippy::incompatible_msrv, reason = "only newer compilers compile this")
)]

use crate::MemoryProfile;
use crate::layout::read_ahead;
use crate::shape::{Position, Shape};
use crate::state::Tally;
use crate::walk::Walk;
use crate::words::LeafKind;
use std::collections::{BinaryHeap, VecDeque};
use std::ffi::{CStr, CString, OsStr, OsString};
use std::path::{Path, PathBuf};

impl<T: MemoryProfile> MemoryProfile for Vec<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if !T::is_flat() {
            read_ahead(self.as_ptr().addr());
        }
        walk.buffer(at, self.as_ptr(), self.len(), self.capacity());
        walk.slice(self, at);
    }

    #[inline]
    fn tally<'a>(&'a self, tally: &mut Tally, walk: &mut Walk<'a>, at: Position) {
        add_buffer(self, tally);
        walk.slice(self, at);
    }

    #[inline]
    fn settle(tally: Tally, walk: &mut Walk<'_>, at: Position) {
        walk.buffers::<T>(at, tally);
    }

    #[inline]
    fn is_tallied() -> bool {
        T::is_flat()
    }

    #[inline]
    fn empty<'e>() -> Option<&'e Self> {
        T::is_flat().then_some(const { &Self::new() })
    }
}

/// A vector of zero-sized elements never allocates, whatever its capacity. The number of its
/// elements may be close to `usize::MAX`, so the sum saturates.
#[inline]
fn add_buffer<T>(values: &Vec<T>, tally: &mut Tally) {
    if size_of::<T>() == 0 {
        tally.merge(Tally::of(values.len(), 0));
    } else {
        tally.add(values.len(), values.capacity());
    }
}

impl<T: MemoryProfile> MemoryProfile for VecDeque<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let (front, back) = self.as_slices();
        walk.buffer(at, front.as_ptr(), self.len(), self.capacity());
        walk.slice(front, at);
        walk.slice(back, at);
    }
}

impl<T: MemoryProfile> MemoryProfile for BinaryHeap<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let values = self.as_slice();
        walk.buffer(at, values.as_ptr(), self.len(), self.capacity());
        walk.slice(values, at);
    }
}

impl<T: MemoryProfile, const N: usize> MemoryProfile for [T; N] {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.slice(self, at);
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.as_slice().pointee(walk, at);
    }

    fn shape() -> &'static Shape {
        const { &Shape::values::<Self>(T::shape, N) }
    }

    #[inline]
    fn is_flat() -> bool {
        N == 0 || T::is_flat()
    }
}

impl<T: MemoryProfile> MemoryProfile for [T] {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.slice(self, at);
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.count_values(at, self.len());
        walk.inline(at, T::shape(), self.len());
        self.owned(walk, at);
    }
}

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
