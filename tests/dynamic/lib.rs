//! A library that has memprof-heap, and an allocator of its own that is not the program's.
#![expect(unsafe_code, reason = "an allocator is unsafe to call")]

pub use memprof_heap;

use memprof_heap::Allocator;
use std::alloc::{GlobalAlloc, Layout};

static OWN: Allocator = Allocator::system();

/// Takes a block from the library's own allocator, and gives it back.
///
/// # Panics
/// Where there is no memory.
pub fn allocate_and_free(layout: Layout) {
    assert_ne!(layout.size(), 0);
    // SAFETY: the layout isn't empty.
    let memory = unsafe { OWN.alloc(layout) };
    assert!(!memory.is_null());
    // SAFETY: it was just allocated, with this layout.
    unsafe { OWN.dealloc(memory, layout) };
}
