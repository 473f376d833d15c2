//! The calls of the inner allocator, one function for each kind of layout.
#![expect(unsafe_code, reason = "an allocator is unsafe to call")]

use super::Allocator;
use super::registers::single_exit;
use crate::base::level_word::{LevelWord, MALLOC_ALIGN};
use crate::hook;
use crate::hook::refusal::refused;
use core::alloc::{GlobalAlloc, Layout};

impl<A: GlobalAlloc> Allocator<A> {
    /// Calls the inner allocator when counting is off or the alignment is above `MALLOC_ALIGN`. For
    /// such an alignment, the caller has not compared the level, so this function checks it.
    ///
    /// Layouts that `malloc` doesn't serve take a path of their own. The system's allocator needs
    /// stack space for them. With a separate path, the common path needs no stack space.
    ///
    /// # Safety
    /// See `GlobalAlloc::alloc`.
    #[inline(always)]
    pub(super) unsafe fn pass_on(&self, layout: Layout) -> *mut u8 {
        if layout.align() > MALLOC_ALIGN {
            // SAFETY: the caller's guarantees are passed on.
            return unsafe { Self::alloc_aligned(layout.size(), layout.align(), self) };
        }
        if layout.size() < layout.align() {
            // SAFETY: the caller's guarantees are passed on.
            return unsafe { Self::aligned(layout.size(), layout.align(), self) };
        }
        // SAFETY: the caller's guarantees are passed on.
        unsafe { self.inner.alloc(layout) }
    }

    /// Calls the inner allocator for an alignment of at most `MALLOC_ALIGN`. `malloc` serves such a
    /// layout unless its size is below its alignment.
    ///
    /// # Safety
    /// See `GlobalAlloc::alloc`. The alignment is at most `MALLOC_ALIGN`.
    #[inline(always)]
    pub(super) unsafe fn pass_on_aligned(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller guarantees this alignment.
        unsafe { core::hint::assert_unchecked(layout.align() <= MALLOC_ALIGN) };
        if layout.size() < layout.align() {
            // SAFETY: the caller's guarantees are passed on.
            return unsafe { Self::aligned(layout.size(), layout.align(), self) };
        }
        // SAFETY: the caller's guarantees are passed on.
        unsafe { self.inner.alloc(layout) }
    }

    /// Allocates a layout that `malloc` doesn't serve, and counts it if counting is on.
    ///
    /// # Safety
    /// See `GlobalAlloc::alloc`. Size and alignment are those of the layout.
    #[cold]
    #[inline(never)]
    unsafe fn alloc_aligned(size: usize, align: usize, this: &Self) -> *mut u8 {
        // SAFETY: size and alignment are those of a layout, and the caller's guarantees are passed
        // on.
        let memory = unsafe { Self::aligned(size, align, this) };
        if LevelWord::now().is_off() {
            return memory;
        }
        if memory.is_null() {
            return refused(size);
        }
        hook::allocated(memory, size, this.start)
    }

    /// Calls the inner allocator for `GlobalAlloc::realloc`, with a separate path for layouts that
    /// `malloc` doesn't serve. Unlike `pass_on`, this function counts nothing.
    ///
    /// # Safety
    /// See `GlobalAlloc::realloc`.
    #[inline(always)]
    pub(super) unsafe fn pass_on_again(
        &self,
        memory: *mut u8,
        layout: Layout,
        new_size: usize,
    ) -> *mut u8 {
        if layout.align() > MALLOC_ALIGN {
            // SAFETY: the caller's guarantees are passed on.
            return unsafe { self.realloc_aligned(memory, layout, new_size) };
        }
        if new_size < layout.align() {
            // SAFETY: the caller's guarantees are passed on.
            return unsafe { self.realloc_aligned(memory, layout, new_size) };
        }
        // SAFETY: the caller's guarantees are passed on.
        unsafe { self.inner.realloc(memory, layout, new_size) }
    }

    /// Reallocates a layout that `malloc` doesn't serve.
    ///
    /// # Safety
    /// See `GlobalAlloc::realloc`.
    #[cold]
    #[inline(never)]
    unsafe fn realloc_aligned(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's guarantees are passed on.
        unsafe { self.inner.realloc(memory, layout, new_size) }
    }

    /// Reallocates and counts. It is a function of its own, so that `realloc` saves no registers at
    /// `Level::Off`. It takes its arguments in the registers in which `realloc` gets them.
    ///
    /// # Safety
    /// See `GlobalAlloc::realloc`. Size and alignment are those of the layout.
    #[inline(never)]
    pub(super) unsafe fn realloc_counted(
        memory: *mut u8,
        size: usize,
        align: usize,
        new_size: usize,
        this: &Self,
    ) -> *mut u8 {
        // SAFETY: size and alignment are those of a layout.
        let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
        // SAFETY: the caller's guarantees are passed on.
        let moved = unsafe { this.pass_on_again(memory, layout, new_size) };
        // If the result is null, the old memory is unchanged.
        single_exit(if moved.is_null() {
            refused(new_size)
        } else {
            hook::reallocated(moved, size, new_size, this.start)
        })
    }

    /// Does the same as `realloc_counted`, and removes the sample of the old block. If the inner
    /// allocator refuses the request, the sample is put back.
    ///
    /// # Safety
    /// See `realloc_counted`.
    #[inline(never)]
    pub(super) unsafe fn realloc_sampled(
        memory: *mut u8,
        size: usize,
        align: usize,
        new_size: usize,
        this: &Self,
    ) -> *mut u8 {
        // Take the sample before the call: once the block has moved, another thread may get its
        // address.
        let sample = hook::taken(memory);
        // SAFETY: size and alignment are those of a layout.
        let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
        // SAFETY: the caller's guarantees are passed on.
        let moved = unsafe { this.pass_on_again(memory, layout, new_size) };
        if moved.is_null() {
            hook::not_moved(sample);
            return refused(new_size);
        }
        hook::reallocated(moved, size, new_size, this.start)
    }

    /// Allocates a layout that `malloc` doesn't serve; the caller counts it. The arguments are in
    /// the registers in which `alloc` gets them.
    ///
    /// # Safety
    /// See `GlobalAlloc::alloc`. Size and alignment are those of the layout.
    #[cold]
    #[inline(never)]
    unsafe fn aligned(size: usize, align: usize, this: &Self) -> *mut u8 {
        // SAFETY: size and alignment are those of a layout.
        let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
        // SAFETY: the caller's guarantees are passed on.
        unsafe { this.inner.alloc(layout) }
    }

    /// Frees a block while samples are taken, after a search for its sample. The arguments are in
    /// the registers in which `dealloc` gets them, so nothing is moved before the call.
    ///
    /// # Safety
    /// See `GlobalAlloc::dealloc`. Size and alignment are those of the layout.
    #[inline(never)]
    pub(super) unsafe fn dealloc_sampled(memory: *mut u8, size: usize, align: usize, this: &Self) {
        if !hook::freed_unsampled(memory, size) {
            // SAFETY: the caller's guarantees are passed on.
            return unsafe { Self::dealloc_slowly(memory, size, align, this) };
        }
        // SAFETY: size and alignment are those of a layout.
        let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
        // SAFETY: the caller's guarantees are passed on.
        unsafe { this.inner.dealloc(memory, layout) }
    }

    /// Frees a block that may have a sample, or whose thread has to do more than count.
    ///
    /// # Safety
    /// See `dealloc_sampled`.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn dealloc_slowly(memory: *mut u8, size: usize, align: usize, this: &Self) {
        hook::freed_slowly(memory, size, this.start);
        // SAFETY: size and alignment are those of a layout.
        let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
        // SAFETY: the caller's guarantees are passed on.
        unsafe { this.inner.dealloc(memory, layout) }
    }
}
