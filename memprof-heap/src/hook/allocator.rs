//! The global allocator: it forwards every call to the inner allocator and counts the result.
//!
//! `docs/internal/unsafe.md` lists the unsafe code here and the reasons why it is sound.
#![expect(unsafe_code, reason = "a global allocator is unsafe to write")]

mod pass_on;
mod registers;

use crate::base::level_word::Level;
use crate::base::level_word::{self, Work};
use crate::hook;
use crate::hook::refusal::refused;
use core::alloc::{GlobalAlloc, Layout};
use registers::{fresh_register, single_exit};
use std::alloc::System;

/// A global allocator that counts and samples the calls to the allocator inside it.
///
/// ```
/// use memprof::heap::{set_level, Level};
///
/// #[global_allocator]
/// static ALLOC: memprof::Allocator = memprof::Allocator::system();
///
/// # fn main() {
/// assert!(memprof::heap::is_installed());
/// set_level(Level::Counters);
/// # }
/// ```
///
/// It starts at [`Level::Off`]; [`starting_at`](Self::starting_at) selects another level. All four
/// functions of `GlobalAlloc` forward their calls unchanged. So zeroed pages stay untouched and
/// large reallocations stay in place if the inner allocator supports that.
///
/// # Panics
/// The allocator never panics. It may be called before and after `main`, from the destructors of
/// thread-local values, while a library is loaded, and in a child process that was forked while
/// other threads allocated.
///
/// # Locks and memory
/// An allocation waits for no lock of memprof, and takes no memory from the global allocator.
/// memprof's tables are in memory from the system's allocator.
///
/// With glibc 2.35 or later, it waits for no lock of the system's loader either. With older
/// versions and with musl, a sample waits while another thread loads a library. The first
/// allocation of an allocator that [starts at a level](Self::starting_at) registers functions for
/// forks, under a lock of the C library.
///
/// # Cost
/// A thread runs about one atomic addition for each 32 KiB by which its live bytes change.
/// `docs/performance.md` has the instructions at each [`Level`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocator<A = System> {
    inner: A,
    start: Level,
}

impl Allocator {
    /// Creates an allocator that counts the calls to the system's allocator.
    pub const fn system() -> Self {
        Self::new(System)
    }
}

impl<A> Allocator<A> {
    /// Creates an allocator that counts the calls to `inner`.
    ///
    /// ```
    /// use memprof::Allocator;
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

    /// Sets the level at which the allocator starts. It applies from the first allocation, which
    /// happens before `main`, so no allocation is missing.
    ///
    /// ```
    /// use memprof::heap::{totals, Level, Since};
    /// use memprof::Allocator;
    ///
    /// #[global_allocator]
    /// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
    ///
    /// # fn main() -> Result<(), memprof::heap::NotRecorded> {
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

// SAFETY: all calls go to the inner allocator unchanged, and so do its results to the caller.
// Counting neither allocates through the global allocator nor panics.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Allocator<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !level_word::counts_aligned(layout.align()) {
            // Counting is off, or the alignment is above `MALLOC_ALIGN`. `pass_on` checks which.
            // SAFETY: the caller's guarantees are passed on.
            return unsafe { self.pass_on(layout) };
        }
        let size = fresh_register(layout.size());
        // SAFETY: the caller's guarantees are passed on.
        let memory = unsafe { self.pass_on_aligned(layout) };
        single_exit(if memory.is_null() {
            refused(size)
        } else {
            hook::allocated(memory, size, self.start)
        })
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        let (size, align) = (layout.size(), layout.align());
        match level_word::work() {
            Work::PassOn => {}
            Work::Count => {
                if hook::freed(size) {
                    // SAFETY: the caller's guarantees are passed on.
                    return unsafe { Self::dealloc_slowly(memory, size, align, self) };
                }
            }
            // SAFETY: the caller's guarantees are passed on.
            Work::LookForSample => unsafe {
                return Self::dealloc_sampled(memory, size, align, self);
            },
        }
        // SAFETY: the caller's guarantees are passed on.
        unsafe { self.inner.dealloc(memory, layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if level_word::work() == Work::PassOn {
            // SAFETY: the caller's guarantees are passed on.
            return unsafe { self.inner.alloc_zeroed(layout) };
        }
        let size = fresh_register(layout.size());
        // SAFETY: the caller's guarantees are passed on.
        let memory = unsafe { self.inner.alloc_zeroed(layout) };
        single_exit(if memory.is_null() {
            refused(size)
        } else {
            hook::allocated(memory, size, self.start)
        })
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let (size, align) = (layout.size(), layout.align());
        match level_word::work() {
            // SAFETY: the caller's guarantees are passed on.
            Work::PassOn => unsafe { self.pass_on_again(memory, layout, new_size) },
            // SAFETY: as above.
            Work::Count => unsafe { Self::realloc_counted(memory, size, align, new_size, self) },
            Work::LookForSample => {
                // SAFETY: as above.
                unsafe { Self::realloc_sampled(memory, size, align, new_size, self) }
            }
        }
    }
}
