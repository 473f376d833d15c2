//! The global allocator: it forwards every call to the inner allocator and counts the result.
//!
//! An allocation reads three files: this one, [`level`](super::level) (is anything recorded?) and
//! [`counters`](super::counters) (the thread's words). Each call tests the level word first. At
//! `Off` it jumps to the inner allocator, with the caller's arguments where they are. All that
//! counts is in functions of its own, which save the registers that they need.
//!
//! Counting subtracts the bytes from a countdown of the thread, and adds them to its live bytes. The
//! same subtraction detects the rare cases, in which the thread stops: to acquire a shard, to flush
//! its counts to the process, or to take a sample. They are the functions whose names begin with
//! `stopped_at`. Nothing here waits for one of memprof's locks, panics, or allocates through the
//! global allocator.
//!
//! Hints in inline assembly used to select the registers that counting saves. They saved three
//! instructions of a pair of calls, and no measurable time.
//!
//! `docs/internal/unsafe.md` lists the unsafe code here and the reasons why it is sound.
#![expect(unsafe_code, reason = "a global allocator is unsafe to write")]
#![deny(clippy::arithmetic_side_effects)]

use crate::record::counters::WINDOW;
use crate::record::level::{self, Level, LevelWord, MALLOC_ALIGN, Work};
use crate::record::live_table::Sample;
use crate::record::running::current_operation;
use crate::record::switch::start_at;
use crate::record::threads::LocalShard;
use crate::record::{callbacks, process, sample, threads};
use core::alloc::{GlobalAlloc, Layout};
use core::ptr;
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
/// A thread runs about one atomic addition per 32 KiB of change in its live bytes.
/// `docs/comparison.md` lists the instructions at each [`Level`].
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
        let (size, align) = (layout.size(), layout.align());
        if level::counts_aligned(align) {
            // SAFETY: the caller's guarantees are passed on.
            return unsafe { Self::alloc_counted(size, align, self) };
        }
        // Counting is off, or `malloc` doesn't serve the alignment.
        if align > MALLOC_ALIGN || size < align {
            // SAFETY: as above.
            return unsafe { Self::alloc_aligned(size, align, self) };
        }
        // SAFETY: as above.
        unsafe { self.inner.alloc(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        let (size, align) = (layout.size(), layout.align());
        match level::work() {
            Work::PassOn => {}
            Work::Count => {
                let local = threads::current();
                if local.must_stop_before_freeing() {
                    // SAFETY: the caller's guarantees are passed on.
                    return unsafe { Self::dealloc_slowly(memory, size, align, self) };
                }
                local.count_free(size);
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
        // SAFETY: the caller's guarantees are passed on.
        let memory = unsafe { self.inner.alloc_zeroed(layout) };
        if LevelWord::now().is_off() { memory } else { self.allocated(memory, layout.size()) }
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if level::work() == Work::PassOn {
            // SAFETY: the caller's guarantees are passed on.
            return unsafe { self.inner.realloc(memory, layout, new_size) };
        }
        // SAFETY: as above.
        unsafe { self.realloc_counted(memory, layout, new_size) }
    }
}

/// Functions of their own, so that the functions above save no registers and need no stack at
/// `Level::Off`. Most get their arguments in the order in which the compiler's `__rust_alloc` and
/// `__rust_dealloc` get them, so that nothing is moved before the call. Each has the safety
/// conditions of the function of `GlobalAlloc` that calls it; size and alignment are a layout's.
impl<A: GlobalAlloc> Allocator<A> {
    /// The alignment is at most `MALLOC_ALIGN`.
    #[inline(never)]
    unsafe fn alloc_counted(size: usize, align: usize, this: &Self) -> *mut u8 {
        // SAFETY: the caller guarantees this alignment.
        unsafe { core::hint::assert_unchecked(align <= MALLOC_ALIGN) };
        if size < align {
            // SAFETY: the caller's guarantees are passed on.
            return unsafe { Self::alloc_aligned(size, align, this) };
        }
        // SAFETY: size and alignment are those of a layout.
        let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
        // SAFETY: the caller's guarantees are passed on.
        let memory = unsafe { this.inner.alloc(layout) };
        this.allocated(memory, size)
    }

    /// Allocates a layout that `malloc` doesn't serve, and counts it if counting is on.
    #[cold]
    #[inline(never)]
    unsafe fn alloc_aligned(size: usize, align: usize, this: &Self) -> *mut u8 {
        // SAFETY: size and alignment are those of a layout.
        let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
        // SAFETY: the caller's guarantees are passed on.
        let memory = unsafe { this.inner.alloc(layout) };
        if LevelWord::now().is_off() { memory } else { this.allocated(memory, size) }
    }

    #[inline(always)]
    fn allocated(&self, memory: *mut u8, bytes: usize) -> *mut u8 {
        if memory.is_null() {
            return refused(bytes);
        }
        let local = threads::current();
        if local.count_bytes(bytes) {
            return stopped_at_allocation(memory, bytes, self.start);
        }
        local.count_live(bytes);
        memory
    }

    /// Frees a block while samples are taken, if it has no sample and the thread need not stop.
    #[inline(never)]
    unsafe fn dealloc_sampled(memory: *mut u8, size: usize, align: usize, this: &Self) {
        let local = threads::current();
        if sample::may_have(memory.addr()) || local.must_stop_before_freeing() {
            // SAFETY: the caller's guarantees are passed on.
            return unsafe { Self::dealloc_slowly(memory, size, align, this) };
        }
        local.count_free(size);
        // SAFETY: size and alignment are those of a layout.
        let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
        // SAFETY: the caller's guarantees are passed on.
        unsafe { this.inner.dealloc(memory, layout) }
    }

    /// Frees a block that may have a sample, or whose thread has to do more than count.
    #[cold]
    #[inline(never)]
    unsafe fn dealloc_slowly(memory: *mut u8, size: usize, align: usize, this: &Self) {
        stopped_at_free(memory, size, this.start);
        // SAFETY: size and alignment are those of a layout.
        let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
        // SAFETY: the caller's guarantees are passed on.
        unsafe { this.inner.dealloc(memory, layout) }
    }

    /// Reallocates and counts, and ends the life of the old block's sample.
    #[inline(never)]
    unsafe fn realloc_counted(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // Take the sample first: once the block has moved, another thread may get its address.
        let is_sampled = LevelWord::now().is_sampled();
        let sample = if is_sampled { sample::take(memory.addr()) } else { None };
        // SAFETY: the caller's guarantees are passed on.
        let moved = unsafe { self.inner.realloc(memory, layout, new_size) };
        if moved.is_null() {
            // The old block is unchanged.
            return not_moved(sample, new_size);
        }
        if let Some(sample) = &sample {
            sample::count_freed(sample);
        }
        let old_size = layout.size();
        if new_size < old_size {
            return stopped_at_resize(moved, old_size, new_size, self.start);
        }
        let local = threads::current();
        if local.count_bytes(new_size) {
            return stopped_at_growth(moved, old_size, new_size, self.start);
        }
        local.count_growth(old_size, new_size);
        moved
    }
}

/// Finishes counting an allocation on the slow path. Its bytes are counted already.
#[cold]
#[inline(never)]
fn stopped_at_allocation(memory: *mut u8, bytes: usize, start: Level) -> *mut u8 {
    let counted_by = threads::current();
    if counts_nothing(start) {
        counted_by.forget_bytes(bytes);
    } else {
        count_live(counted_by, memory, bytes);
    }
    memory
}

/// Counts a block that was grown, on a thread that had to stop for it.
#[cold]
#[inline(never)]
fn stopped_at_growth(memory: *mut u8, old: usize, new: usize, start: Level) -> *mut u8 {
    // Take the bytes back first. Otherwise readers would see them as allocated and not live until
    // the free is counted, which may take long.
    threads::current().forget_bytes(new);
    stopped_at_resize(memory, old, new, start)
}

/// Counts a block as freed with its old size and allocated with its new one. Neither was counted
/// before this call, because a peak may have to be noted first.
#[cold]
#[inline(never)]
fn stopped_at_resize(memory: *mut u8, old: usize, new: usize, start: Level) -> *mut u8 {
    if !counts_nothing(start) {
        count_free(old);
        let local = threads::current();
        if local.count_bytes(new) {
            count_live(local, memory, new);
        } else {
            local.count_live(new);
        }
    }
    memory
}

/// Counts the rest of an allocation whose bytes are counted in `counted_by`. That is the thread's
/// shard, or `UNREGISTERED` if the thread acquires its shard only here.
fn count_live(counted_by: LocalShard, memory: *mut u8, bytes: usize) {
    let Some(local) = threads::local() else { return process::unsharded_allocated(bytes) };
    if !local.is(counted_by) {
        local.count_bytes(bytes);
    }
    if local.is_unlisted() {
        local.count_live_unlisted(bytes);
        local.note_peak(local.live());
        return process::unsharded_allocated(bytes);
    }
    local.count_live(bytes);
    // Arm before the flush: the flush may read the counters of this thread, and readers wait while
    // a countdown is below zero.
    local.arm(0);
    if local.unflushed().unsigned_abs() >= STEP.unsigned_abs() {
        local.flush();
    }
    let next = sample::allocated(local, memory, bytes, current_operation);
    local.arm(next.min(STEP));
}

/// The maximum number of bytes that a thread allocates before it stops. A thread that stops flushes
/// to the process if its live bytes have changed at least that much, so unflushed bytes never
/// exceed two steps.
const STEP: i64 = WINDOW / 2;

#[cold]
#[inline(never)]
fn stopped_at_free(memory: *mut u8, bytes: usize, start: Level) {
    if counts_nothing(start) {
        return;
    }
    if LevelWord::now().is_sampled() {
        sample::freed(memory);
    }
    count_free(bytes);
}

fn count_free(bytes: usize) {
    match threads::local() {
        Some(local) if local.is_unlisted() => {
            local.count_free_unlisted(bytes);
            process::unsharded_freed(bytes);
        }
        Some(local) => {
            // Note a peak before the free, and flush the freed bytes after it.
            local.settle();
            local.count_free(bytes);
            local.settle();
        }
        None => process::unsharded_freed(bytes),
    }
}

/// Puts back the sample of a block that was not moved after all, and reports the refusal.
#[cold]
#[inline(never)]
fn not_moved(sample: Option<Sample>, new_size: usize) -> *mut u8 {
    if let Some(sample) = sample {
        sample::insert(sample);
    }
    refused(new_size)
}

#[cold]
#[inline(never)]
fn refused(bytes: usize) -> *mut u8 {
    if !LevelWord::now().is_off() {
        callbacks::report_refusal(bytes);
    }
    ptr::null_mut()
}

/// The first call of an allocator sets the level with which the allocator starts.
fn counts_nothing(level: Level) -> bool {
    if LevelWord::now() == LevelWord::UNDECIDED {
        start_at(level);
    }
    LevelWord::now().is_off()
}
