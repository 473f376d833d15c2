//! The ways to the inner allocator, one for each thing that the allocator may know of a call.
#![expect(unsafe_code, reason = "an allocator is unsafe to call")]

use super::Allocator;
use super::registers::one_way_out;
use crate::base::level_word::{LevelWord, MALLOC_ALIGN};
use crate::hook;
use crate::hook::refusal::refused;
use core::alloc::{GlobalAlloc, Layout};

impl<A: GlobalAlloc> Allocator<A> {
    /// Asks the inner allocator where nothing counts, or for an alignment above `MALLOC_ALIGN`, of
    /// which that isn't known. Layouts that `malloc` doesn't serve are told apart first: the
    /// system's allocator needs a place on the stack for them, and the rest then does without.
    ///
    /// # Safety
    /// As `GlobalAlloc::alloc`.
    #[inline(always)]
    pub(super) unsafe fn pass_on(&self, layout: Layout) -> *mut u8 {
        if layout.align() > MALLOC_ALIGN {
            // SAFETY: the caller's promises are passed on.
            return unsafe { Self::alloc_aligned(layout.size(), layout.align(), self) };
        }
        if layout.size() < layout.align() {
            // SAFETY: the caller's promises are passed on.
            return unsafe { Self::aligned(layout.size(), layout.align(), self) };
        }
        // SAFETY: the caller's promises are passed on.
        unsafe { self.inner.alloc(layout) }
    }

    /// Asks the inner allocator, for an alignment that `malloc` serves if the size isn't below it.
    ///
    /// # Safety
    /// As `GlobalAlloc::alloc`, with an alignment of at most `MALLOC_ALIGN`.
    #[inline(always)]
    pub(super) unsafe fn pass_on_aligned(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller says so.
        unsafe { core::hint::assert_unchecked(layout.align() <= MALLOC_ALIGN) };
        if layout.size() < layout.align() {
            // SAFETY: the caller's promises are passed on.
            return unsafe { Self::aligned(layout.size(), layout.align(), self) };
        }
        // SAFETY: the caller's promises are passed on.
        unsafe { self.inner.alloc(layout) }
    }

    /// Allocates what `malloc` doesn't serve, and counts it if something counts.
    ///
    /// # Safety
    /// As `GlobalAlloc::alloc`, with the layout of this size and alignment.
    #[cold]
    #[inline(never)]
    unsafe fn alloc_aligned(size: usize, align: usize, this: &Self) -> *mut u8 {
        // SAFETY: they are a layout's, and the caller's promises are passed on.
        let memory = unsafe { Self::aligned(size, align, this) };
        if LevelWord::now().is_off() {
            return memory;
        }
        if memory.is_null() {
            return refused(size);
        }
        hook::allocated(memory, size, this.start)
    }

    /// The same for `GlobalAlloc::realloc`.
    ///
    /// # Safety
    /// As `GlobalAlloc::realloc`.
    #[inline(always)]
    pub(super) unsafe fn pass_on_again(
        &self,
        memory: *mut u8,
        layout: Layout,
        new_size: usize,
    ) -> *mut u8 {
        if layout.align() > MALLOC_ALIGN {
            // SAFETY: the caller's promises are passed on.
            return unsafe { self.realloc_aligned(memory, layout, new_size) };
        }
        if new_size < layout.align() {
            // SAFETY: the caller's promises are passed on.
            return unsafe { self.realloc_aligned(memory, layout, new_size) };
        }
        // SAFETY: the caller's promises are passed on.
        unsafe { self.inner.realloc(memory, layout, new_size) }
    }

    /// What `malloc` doesn't serve.
    ///
    /// # Safety
    /// As `GlobalAlloc::realloc`.
    #[cold]
    #[inline(never)]
    unsafe fn realloc_aligned(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        unsafe { self.inner.realloc(memory, layout, new_size) }
    }

    /// Apart from `realloc`, so that `Level::Off` saves no registers. The arguments are where
    /// `realloc` was given them.
    ///
    /// # Safety
    /// As `GlobalAlloc::realloc`, with the layout of this size and alignment.
    #[inline(never)]
    pub(super) unsafe fn realloc_counted(
        memory: *mut u8,
        size: usize,
        align: usize,
        new_size: usize,
        this: &Self,
    ) -> *mut u8 {
        // SAFETY: they are a layout's.
        let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
        // SAFETY: the caller's promises are passed on.
        let moved = unsafe { this.pass_on_again(memory, layout, new_size) };
        // Null leaves the old memory as it was.
        one_way_out(if moved.is_null() {
            refused(new_size)
        } else {
            hook::reallocated(moved, size, new_size, this.start)
        })
    }

    /// The same, and the sample of the block goes where the block goes.
    ///
    /// # Safety
    /// As `realloc_counted`.
    #[inline(never)]
    pub(super) unsafe fn realloc_sampled(
        memory: *mut u8,
        size: usize,
        align: usize,
        new_size: usize,
        this: &Self,
    ) -> *mut u8 {
        // Before the call: once the block has moved, its place may be somebody else's.
        let sample = hook::taken(memory);
        // SAFETY: they are a layout's.
        let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
        // SAFETY: the caller's promises are passed on.
        let moved = unsafe { this.pass_on_again(memory, layout, new_size) };
        if moved.is_null() {
            hook::not_moved(sample);
            return refused(new_size);
        }
        hook::reallocated(moved, size, new_size, this.start)
    }

    /// What `malloc` doesn't serve, counted by whoever calls this. The arguments are where `alloc`
    /// was given them.
    ///
    /// # Safety
    /// As `GlobalAlloc::alloc`, with the layout of this size and alignment.
    #[cold]
    #[inline(never)]
    unsafe fn aligned(size: usize, align: usize, this: &Self) -> *mut u8 {
        // SAFETY: they are a layout's.
        let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
        // SAFETY: the caller's promises are passed on.
        unsafe { this.inner.alloc(layout) }
    }

    /// Where it has to be known first whether the block is a sample. The arguments are where
    /// `dealloc` was given them, so that nothing is moved before this is called.
    ///
    /// # Safety
    /// As `GlobalAlloc::dealloc`, with the layout of this size and alignment.
    #[inline(never)]
    pub(super) unsafe fn dealloc_sampled(memory: *mut u8, size: usize, align: usize, this: &Self) {
        if !hook::freed_unsampled(memory, size) {
            // SAFETY: the caller's promises are passed on.
            return unsafe { Self::dealloc_slowly(memory, size, align, this) };
        }
        // SAFETY: they are a layout's.
        let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
        // SAFETY: the caller's promises are passed on.
        unsafe { this.inner.dealloc(memory, layout) }
    }

    /// On a thread that has more to do than to count, or for a block that may be a sample.
    ///
    /// # Safety
    /// As `dealloc_sampled`.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn dealloc_slowly(memory: *mut u8, size: usize, align: usize, this: &Self) {
        hook::freed_slowly(memory, size, this.start);
        // SAFETY: they are a layout's.
        let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
        // SAFETY: the caller's promises are passed on.
        unsafe { this.inner.dealloc(memory, layout) }
    }
}
