//! The global allocator: passes every call on, and counts what came of it.
//!
//! `docs/unsafe.md` has the list of what is unsafe here and why it is sound.
#![expect(unsafe_code, reason = "a global allocator is unsafe to write")]

use crate::Level;
use crate::hook;
use crate::hook::gate::Gate;
use crate::refusal::refused;
use core::alloc::{GlobalAlloc, Layout};
use std::alloc::System;

/// A global allocator that counts what is asked of the allocator inside it, and samples it.
///
/// ```
/// use memprof_heap::{Level, set_level};
///
/// #[global_allocator]
/// static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();
///
/// # fn main() {
/// assert!(memprof_heap::is_installed());
/// set_level(Level::Counters);
/// # }
/// ```
///
/// It begins at [`Level::Off`], unless [`starting_at`](Self::starting_at) says otherwise. All four
/// calls are passed on as they are, so that zeroed pages stay untouched and large reallocations
/// stay in place where the inner allocator can do that.
///
/// # Panics
/// Never; nor does it wait. It may be called before and after `main`, from the destructors of
/// thread-local values, and in a child process that was forked off while other threads allocate.
///
/// # Cost
/// Without a lock, and without an atomic operation but for one in 32 KiB; `docs/performance.md` has
/// the instructions at each [`Level`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocator<A = System> {
    inner: A,
    start: Level,
}

impl Allocator {
    /// Counts what is asked of the system's allocator.
    pub const fn system() -> Self {
        Self::new(System)
    }
}

impl<A> Allocator<A> {
    /// Counts what is asked of `inner`.
    ///
    /// ```
    /// use memprof_heap::Allocator;
    /// use std::alloc::System;
    ///
    /// // In place of `System`: jemalloc's, mimalloc's or an allocator of your own.
    /// #[global_allocator]
    /// static ALLOC: Allocator<System> = Allocator::new(System);
    /// # fn main() {}
    /// ```
    pub const fn new(inner: A) -> Self {
        Self { inner, start: Level::Off }
    }

    /// At this level from the first allocation on, which is before `main`: nothing is missing.
    ///
    /// ```
    /// use memprof_heap::{Allocator, Level, Since, totals};
    ///
    /// #[global_allocator]
    /// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
    ///
    /// # fn main() -> Result<(), memprof_heap::NotRecorded> {
    /// assert_eq!(totals()?.since, Since::Start);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn starting_at(mut self, level: Level) -> Self {
        self.start = level;
        self
    }
}

/// What C's `malloc` aligns to.
const MALLOC_ALIGN: usize = 2 * size_of::<usize>();

/// The same number, as one that has nothing to do with the argument: what is needed after a call
/// is then kept in a register from here on. Else it is from where it came, and at `Level::Off`,
/// where nothing is needed, four instructions are spent on that.
#[inline(always)]
fn apart(size: usize) -> usize {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    {
        let same: usize;
        // SAFETY: there is no instruction, and the register has the number before and after.
        unsafe {
            core::arch::asm!("/* {} */", inlateout(reg) size => same, options(nomem, nostack, preserves_flags));
        }
        same
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    size
}

impl<A: GlobalAlloc> Allocator<A> {
    /// Asks the inner allocator. Layouts that `malloc` doesn't serve are told apart first: the
    /// system's allocator needs a place on the stack for them, and the rest then does without.
    ///
    /// # Safety
    /// As `GlobalAlloc::alloc`.
    #[inline(always)]
    unsafe fn pass_on(&self, layout: Layout) -> *mut u8 {
        if layout.align() > MALLOC_ALIGN {
            // SAFETY: the caller's promises are passed on.
            return unsafe { self.aligned(layout) };
        }
        if layout.size() < layout.align() {
            // SAFETY: the caller's promises are passed on.
            return unsafe { self.aligned(layout) };
        }
        // SAFETY: the caller's promises are passed on.
        unsafe { self.inner.alloc(layout) }
    }

    /// # Safety
    /// As `GlobalAlloc::alloc`.
    #[cold]
    #[inline(never)]
    unsafe fn aligned(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        unsafe { self.inner.alloc(layout) }
    }

    /// The arguments are where `dealloc` was given them, so that nothing is moved before it is
    /// known whether this has to be called.
    ///
    /// # Safety
    /// As `GlobalAlloc::dealloc`, with the layout of this size and alignment.
    #[cold]
    #[inline(never)]
    unsafe fn dealloc_slowly(memory: *mut u8, size: usize, align: usize, gate: Gate, this: &Self) {
        if !gate.is_sampled() || !hook::freed_unsampled(memory, size) {
            hook::freed_slowly(gate, memory, size, this.start);
        }
        // SAFETY: they are a layout's.
        let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
        // SAFETY: the caller's promises are passed on.
        unsafe { this.inner.dealloc(memory, layout) }
    }
}

// SAFETY: all calls go to the inner allocator as they are, and so do its answers. Counting neither
// allocates through the global allocator nor panics.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Allocator<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if Gate::now().is_off() {
            // SAFETY: the caller's promises are passed on.
            return unsafe { self.pass_on(layout) };
        }
        let size = apart(layout.size());
        // SAFETY: the caller's promises are passed on.
        let memory = unsafe { self.pass_on(layout) };
        if memory.is_null() {
            return refused(size);
        }
        hook::allocated(memory, size, self.start)
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        let gate = Gate::now();
        let (size, align) = (layout.size(), layout.align());
        if !gate.is_off() && hook::freed(gate, size) {
            // SAFETY: the caller's promises are passed on.
            return unsafe { Self::dealloc_slowly(memory, size, align, gate, self) };
        }
        // SAFETY: the caller's promises are passed on.
        unsafe { self.inner.dealloc(memory, layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        let memory = unsafe { self.inner.alloc_zeroed(layout) };
        if memory.is_null() {
            return refused(layout.size());
        }
        if Gate::now().is_off() {
            return memory;
        }
        hook::allocated(memory, layout.size(), self.start)
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let gate = Gate::now();
        if gate.is_off() {
            // SAFETY: the caller's promises are passed on.
            return unsafe { self.inner.realloc(memory, layout, new_size) };
        }
        // Before the call: once the block has moved, its place may be somebody else's.
        let sample = hook::taken(gate, memory);
        // SAFETY: the caller's promises are passed on.
        let moved = unsafe { self.inner.realloc(memory, layout, new_size) };
        // Null leaves the old memory as it was.
        if moved.is_null() {
            hook::not_moved(sample);
            return refused(new_size);
        }
        hook::reallocated(moved, layout.size(), new_size, self.start)
    }
}
