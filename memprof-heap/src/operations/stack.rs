//! The stack of a thread's operations: in chunks, outside of the heap that is counted.
#![expect(unsafe_code, reason = "the stack lives outside the heap that is counted")]

use super::paths::ROOT;
use super::records::{Record, SLOW};
use super::switches;
use crate::base::level_word::LevelWord;
use crate::base::own_memory;
use core::cell::Cell;
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::{AtomicPtr, fence};
use std::alloc::Layout;

/// The stack of one thread: its own but for `limit`.
pub(crate) struct Activations {
    /// The place of the next one. Null until the first.
    pub(super) top: Cell<Place>,
    /// From here on, entering has more to do than counting: the end of the chunk, or null while
    /// calls are timed or kept as events, and while nothing counts. Others set it to null.
    pub(super) limit: AtomicPtr<Activation>,
    chunk: Cell<*mut Chunk>,
}

// SAFETY: all but `limit` is reached through `Mine`, which only the thread has whose shard it is.
unsafe impl Sync for Activations {}

/// So many run without another piece of memory: 5 KiB.
const CHUNK: usize = 64;

/// The first one stands for what runs around it: in the first chunk that is nothing.
struct Chunk {
    outer: *mut Chunk,
    inner: *mut Chunk,
    activations: [Activation; CHUNK],
}

/// An operation that runs. What it counted is what was counted since.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Activation {
    /// Where it counts; `SLOW` if that isn't all.
    pub(super) record: *const Record,
    /// Bytes allocated, less than nothing by that much: so what was allocated since is a sum.
    pub(super) unallocated_bytes: i64,
    pub(super) live: i64,
    pub(super) allocated_blocks: u64,
    pub(super) freed_blocks: u64,
    /// The ceiling around it.
    pub(super) outer_ceiling: i64,
    // From here on only if the record is `SLOW`.
    /// The most that was live before the ceiling was last lowered, while it was the innermost.
    pub(super) seen: i64,
    /// Where it counts; null for a measurement.
    pub(super) real: *const Record,
    /// Nanoseconds of the clock when it began; 0 if nobody asks.
    pub(super) began: u64,
    /// What its thread had reported of tensors when it began.
    pub(super) tensors: i64,
    pub(super) marks: u32,
}

/// It runs already, further out: only its calls are counted here.
pub(super) const WITHIN_ITSELF: u32 = 1;
/// Its guard is gone, and those within it still run.
pub(super) const ENDED: u32 = 1 << 1;
/// A part of a call, as the poll of a future is.
pub(super) const PART: u32 = 1 << 2;

/// What a guard has: the end of its activation.
pub(super) type Place = *mut Activation;

/// The place of a guard that counts nothing. No stack ends here.
pub(super) const INERT: Place = ptr::without_provenance_mut(1);

impl Activations {
    /// Makes the next call look at what has changed.
    pub(crate) fn look_again(&self) {
        self.limit.store(ptr::null_mut(), Relaxed);
    }

    /// Forgets what ran on a thread that ended.
    pub(crate) fn clear(&self) {
        while let Some(outer) = self.outer_chunk() {
            self.chunk.set(outer);
        }
        if !self.chunk.get().is_null() {
            self.top.set(self.first());
        }
        self.look_again();
    }

    /// Notes a peak of the innermost one; false if none runs.
    pub(crate) fn note_peak(&self, peak: i64) -> bool {
        let Some(last) = self.last() else { return false };
        let last = slow_down(last);
        last.seen = last.seen.max(peak);
        true
    }

    /// The path of the innermost operation.
    pub(crate) fn current(&self) -> u32 {
        self.iter().find_map(|activation| activation.record()).map_or(ROOT, |record| record.path)
    }

    pub(super) fn runs(&self, path: u32) -> bool {
        self.iter().any(|around| around.record().is_some_and(|record| record.path == path))
    }

    /// Those that run, the innermost first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &mut Activation> {
        let (mut chunk, mut top) = (self.chunk.get(), self.top.get());
        core::iter::from_fn(move || {
            loop {
                if chunk.is_null() {
                    return None;
                }
                if top != first_of(chunk) {
                    top = top.wrapping_sub(1);
                    // SAFETY: between the first place of a chunk and the top are activations.
                    return Some(unsafe { &mut *top });
                }
                // SAFETY: chunks are never freed.
                chunk = unsafe { (*chunk).outer };
                top = end_of(chunk);
            }
        })
    }

    pub(super) fn last(&self) -> Option<&mut Activation> {
        self.iter().next()
    }

    fn first(&self) -> Place {
        first_of(self.chunk.get())
    }

    fn outer_chunk(&self) -> Option<*mut Chunk> {
        let chunk = self.chunk.get();
        // SAFETY: null, or a chunk, which is never freed.
        let outer = unsafe { chunk.as_ref() }?.outer;
        (!outer.is_null()).then_some(outer)
    }

    /// Goes back to the outer chunk if the innermost is empty, so that the top ends an activation.
    pub(super) fn leave_empty_chunk(&self) {
        if let Some(outer) = self.outer_chunk()
            && self.top.get() == self.first()
        {
            self.chunk.set(outer);
            self.top.set(end_of(outer));
            self.look_again();
        }
    }

    /// The place for one more. `None` where the system has no memory, or `root` has no record: that of
    /// what runs around the first.
    pub(super) fn make_room(&self, root: impl FnOnce() -> Option<*const Record>) -> Option<Place> {
        let chunk = self.chunk.get();
        if chunk.is_null() || self.top.get() == end_of(chunk) {
            let inner = next_chunk(chunk)?;
            // What is entered from the first place of a chunk is entered from the last one before.
            let around = match self.last() {
                Some(last) => last.record,
                None => root()?,
            };
            // SAFETY: the chunk is this thread's.
            unsafe { (*inner).activations[0].record = around };
            self.chunk.set(inner);
            self.top.set(first_of(inner));
            // It is the outer chunk's.
            self.look_again();
        }
        Some(self.top.get())
    }

    /// Frees the chunks if nothing runs: those of a thread whose words end with it.
    pub(super) fn free_if_empty(&self) {
        if self.last().is_some() {
            return;
        }
        let mut chunk = self.chunk.replace(ptr::null_mut());
        self.top.set(ptr::null_mut());
        self.look_again();
        while let Some(memory) = NonNull::new(chunk) {
            // SAFETY: it is a chunk of this thread, and no guard is left that knows a place in it.
            chunk = unsafe { (*chunk).inner };
            // SAFETY: `next_chunk` had it from there, with this layout.
            unsafe { own_memory::free(memory.cast(), Layout::new::<Chunk>()) };
        }
    }

    /// Lets calls go the short way, unless they have to be looked at.
    pub(super) fn set_limit(&self) {
        self.limit.store(end_of(self.chunk.get()), Relaxed);
        // Whoever switches the level or the clock sets that first and then looks at the limits.
        fence(SeqCst);
        if LevelWord::now().is_off() || switches::is_any_on() {
            self.look_again();
        }
    }
}

/// Where the first activation of a chunk is, above the one that stands for what is around it.
fn first_of(chunk: *mut Chunk) -> Place {
    place_in(chunk, 1)
}

fn end_of(chunk: *mut Chunk) -> Place {
    place_in(chunk, CHUNK)
}

/// Null in no chunk.
fn place_in(chunk: *mut Chunk, index: usize) -> Place {
    if chunk.is_null() {
        return ptr::null_mut();
    }
    // SAFETY: chunks are never freed.
    let activations = unsafe { &raw mut (*chunk).activations };
    activations.cast::<Activation>().wrapping_add(index)
}

/// The chunk within this one, kept from an earlier time or new.
fn next_chunk(outer: *mut Chunk) -> Option<*mut Chunk> {
    // SAFETY: null, or a chunk of this thread.
    if let Some(outer) = unsafe { outer.as_ref() }
        && !outer.inner.is_null()
    {
        return Some(outer.inner);
    }
    let chunk = own_memory::allocate::<Chunk>()?.as_ptr();
    let nothing = Activation {
        record: &raw const SLOW,
        unallocated_bytes: 0,
        live: 0,
        allocated_blocks: 0,
        freed_blocks: 0,
        outer_ceiling: 0,
        seen: i64::MIN,
        real: ptr::null(),
        began: 0,
        tensors: 0,
        marks: 0,
    };
    let inner = ptr::null_mut();
    // SAFETY: the memory is a chunk's, and nobody else knows it.
    unsafe { chunk.write(Chunk { outer, inner, activations: [nothing; CHUNK] }) };
    // SAFETY: null, or a chunk of this thread.
    if let Some(outer) = unsafe { outer.as_mut() } {
        outer.inner = chunk;
    }
    Some(chunk)
}

impl Activation {
    pub(super) fn is_slow(&self) -> bool {
        ptr::eq(self.record, &raw const SLOW)
    }

    /// Where it counts; `None` for a measurement.
    pub(super) fn record(&self) -> Option<&'static Record> {
        let record = if self.is_slow() { self.real } else { self.record };
        // SAFETY: null, or a record, which is never freed.
        unsafe { record.as_ref() }
    }
}

/// Makes an activation one that has more to do.
pub(super) fn slow_down(activation: &mut Activation) -> &mut Activation {
    if !activation.is_slow() {
        activation.real = activation.record;
        activation.record = &raw const SLOW;
        activation.seen = i64::MIN;
        activation.began = 0;
        activation.marks = 0;
    }
    activation
}
