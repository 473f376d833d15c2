//! A block of the global allocator alone, without a vector's length and growth.
#![expect(unsafe_code, reason = "the allocator is unsafe to call directly")]

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::hint::black_box;
use std::ptr::NonNull;

/// A block that is freed when it is dropped.
#[derive(Debug)]
pub(super) struct Block {
    memory: NonNull<u8>,
    layout: Layout,
}

impl Block {
    /// Allocates a block. The compiler can assume neither its size nor its use.
    pub(super) fn new(layout: Layout) -> Self {
        let layout = black_box(layout);
        assert_ne!(layout.size(), 0, "an empty block is not a block");
        // SAFETY: the layout is not empty.
        let memory = unsafe { alloc(layout) };
        let Some(memory) = NonNull::new(black_box(memory)) else { handle_alloc_error(layout) };
        Self { memory, layout }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: the block was allocated with this layout, and is dropped once.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) }
    }
}
