//! What one thread counted for each path of operations.
#![expect(unsafe_code, reason = "records live outside the heap that they count")]

use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicI64, AtomicPtr, AtomicU64};
use std::alloc::{GlobalAlloc, Layout, System};

use super::paths::PATHS;

/// Records are allocated by so many, which are 6 KiB: a thread that runs few operations has one.
const CHUNK: usize = 64;

/// The records of a thread, by the number of the path.
pub(crate) struct Records {
    chunks: [AtomicPtr<[Record; CHUNK]>; PATHS / CHUNK],
}

/// What a thread counted for a path. It alone writes it; others read.
pub(crate) struct Record {
    pub(super) calls: AtomicU64,
    pub(super) allocated_bytes: AtomicI64,
    pub(super) allocated_blocks: AtomicU64,
    pub(super) freed_bytes: AtomicI64,
    pub(super) freed_blocks: AtomicU64,
    /// The largest change of live bytes by a call.
    pub(super) largest: AtomicI64,
    /// The most bytes live during a call, above those live when it began.
    pub(super) peak: AtomicI64,
    /// Bytes live in the process when the first call began, and when the last one ended.
    pub(super) before: AtomicI64,
    pub(super) after: AtomicI64,
    pub(super) timed_calls: AtomicU64,
    pub(super) nanoseconds: AtomicU64,
    pub(super) longest: AtomicU64,
}

impl Records {
    pub(crate) const fn new() -> Self {
        Self { chunks: [const { AtomicPtr::new(ptr::null_mut()) }; PATHS / CHUNK] }
    }

    /// The record of a path, if the thread has one.
    #[inline(always)]
    pub(super) fn get(&self, path: u32) -> Option<&Record> {
        let chunk = self.chunks.get(path as usize / CHUNK)?.load(Acquire);
        // SAFETY: null, or a chunk that is initialised and never freed.
        let chunk = unsafe { chunk.as_ref() }?;
        Some(&chunk[path as usize % CHUNK])
    }

    /// The record of a path, made if the thread has none. `None` for a path of no number, and
    /// where the system has no memory.
    pub(super) fn get_or_add(&self, path: u32) -> Option<&Record> {
        if let Some(record) = self.get(path) {
            return Some(record);
        }
        let place = self.chunks.get(path as usize / CHUNK)?;
        // SAFETY: the layout is not empty.
        let memory = unsafe { System.alloc(Layout::new::<[Record; CHUNK]>()) };
        #[expect(clippy::cast_ptr_alignment, reason = "the layout has the alignment")]
        let memory = memory.cast::<[Record; CHUNK]>();
        if memory.is_null() {
            return None;
        }
        // SAFETY: the memory is a chunk's, and nobody else knows it.
        unsafe { memory.write([const { Record::new() }; CHUNK]) };
        // Only the thread itself adds to its records, so nobody else did meanwhile.
        place.store(memory, Release);
        self.get(path)
    }
}

impl Record {
    const fn new() -> Self {
        Self {
            calls: AtomicU64::new(0),
            allocated_bytes: AtomicI64::new(0),
            allocated_blocks: AtomicU64::new(0),
            freed_bytes: AtomicI64::new(0),
            freed_blocks: AtomicU64::new(0),
            // Below any change, so that the first call is seen to be the first.
            largest: AtomicI64::new(i64::MIN),
            peak: AtomicI64::new(0),
            before: AtomicI64::new(0),
            after: AtomicI64::new(0),
            timed_calls: AtomicU64::new(0),
            nanoseconds: AtomicU64::new(0),
            longest: AtomicU64::new(0),
        }
    }
}

/// Adds to a word that only the current thread writes: one instruction, without a lock.
#[inline(always)]
pub(super) fn add(word: &AtomicI64, more: i64) {
    word.store(word.load(Relaxed).wrapping_add(more), Relaxed);
}

#[inline(always)]
pub(super) fn add_unsigned(word: &AtomicU64, more: u64) {
    word.store(word.load(Relaxed).wrapping_add(more), Relaxed);
}
