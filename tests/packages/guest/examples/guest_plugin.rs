//! A dynamic library with its own copy of memprof, so that a program that loads it has two copies.
#![cfg(unix)]
#![expect(unsafe_code, reason = "the library exports a function by its name")]

use memprof::Allocator;
use memprof::heap::{self, Level};
use std::ffi::c_int;
use std::hint::black_box;

#[global_allocator]
static ALLOC: Allocator = Allocator::system();

/// Switches the library's copy to counters, counts one block, and switches the copy off.
///
/// Returns the live bytes that the library counts while it holds a block of 1,000 bytes, or -1 if
/// they are unknown.
// SAFETY: no other library that the programs load exports this name.
#[unsafe(no_mangle)]
pub extern "C" fn guest_plugin_counts() -> c_int {
    heap::set_level(Level::Off);
    heap::set_level(Level::Counters);
    let block = black_box(vec![1_u8; 1000]);
    let live = heap::totals().map_or(-1, |totals| totals.live_bytes());
    drop(block);
    heap::set_level(Level::Off);
    c_int::try_from(live).unwrap_or(c_int::MAX)
}
