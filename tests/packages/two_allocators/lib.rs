//! A library that uses memprof-heap, and has its own allocator that is not the program's.
#![expect(unsafe_code, reason = "an allocator is unsafe to call")]

pub use memprof_heap;

use memprof_heap::Allocator;
use std::alloc::{GlobalAlloc, Layout};

static OWN: Allocator = Allocator::system();

/// Allocates a block from the library's own allocator, and frees it.
///
/// # Panics
/// Panics if there is no memory.
pub fn allocate_and_free(layout: Layout) {
    assert_ne!(layout.size(), 0);
    // SAFETY: the layout isn't empty.
    let memory = unsafe { OWN.alloc(layout) };
    assert!(!memory.is_null());
    // SAFETY: it was just allocated, with this layout.
    unsafe { OWN.dealloc(memory, layout) };
}
