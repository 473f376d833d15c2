//! A block of memory, allocated by the four calls of an allocator.
#![expect(unsafe_code, reason = "allocators are unsafe to call")]

use crate::random::Random;
use core::hint::black_box;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};
use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, realloc};

pub(crate) struct Block {
    memory: *mut u8,
    layout: Layout,
}

// SAFETY: only the block refers to its memory.
unsafe impl Send for Block {}

impl Block {
    pub(crate) fn new(size: usize) -> Self {
        Self::aligned(size, 1)
    }

    pub(crate) fn aligned(size: usize, align: usize) -> Self {
        let layout = layout(size, align);
        // SAFETY: the layout is not empty.
        let memory = unsafe { alloc(layout) };
        Self { memory, layout }.marked()
    }

    pub(crate) fn zeroed(size: usize) -> Self {
        let layout = layout(size, 1);
        // SAFETY: the layout is not empty.
        let memory = unsafe { alloc_zeroed(layout) };
        // SAFETY: the last byte is inside the block.
        let last = unsafe { memory.add(size - 1) };
        // SAFETY: the byte is initialised.
        assert_eq!(unsafe { last.read() }, 0);
        Self { memory, layout }.marked()
    }

    pub(crate) fn resized(mut self, size: usize) -> Self {
        // SAFETY: the block has this layout; the new size is neither 0 nor huge.
        self.memory = unsafe { realloc(self.memory, self.layout, size) };
        self.layout = layout(size, self.layout.align());
        self.marked()
    }

    /// Keeps the block until the process exits, where leak checkers find it.
    pub(crate) fn leave(self) {
        static LAST: AtomicPtr<u8> = AtomicPtr::new(core::ptr::null_mut());
        assert!(self.layout.size() >= size_of::<*mut u8>());
        let before = LAST.swap(self.memory, Relaxed);
        // SAFETY: the block has space for a pointer, and no other code reads it.
        unsafe { self.memory.cast::<*mut u8>().write_unaligned(before) };
        std::mem::forget(self);
    }

    /// Writes to the first and the last byte.
    fn marked(self) -> Self {
        assert!(!self.memory.is_null());
        for place in [0, self.layout.size() - 1] {
            // SAFETY: the offset is inside the block.
            let byte = unsafe { self.memory.add(place) };
            // SAFETY: only the block refers to its memory.
            unsafe { byte.write(1) };
        }
        // Otherwise compilers may remove a block that is only allocated and freed.
        black_box(self.memory);
        self
    }
}

fn layout(size: usize, align: usize) -> Layout {
    Layout::from_size_align(size, align).expect("it is small")
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: the block has this layout, and is freed once.
        unsafe { dealloc(self.memory, self.layout) };
    }
}

/// Returns a size from 1 byte to 200 KiB. All powers of two are equally likely.
pub(crate) fn random_size(random: &mut Random) -> usize {
    const LARGEST: u64 = 200 * 1024;
    let power = random.below(19);
    let size = (1 << power) + random.below(1 << power);
    size.min(LARGEST) as usize
}
