//! The stack of a thread's operations. It is in chunks outside of the heap that is counted.
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

/// The stack of one thread. Only that thread uses the fields other than `limit`.
pub(crate) struct Activations {
    /// The end of the innermost activation, which is the entry for the next one. Null until the
    /// first activation.
    pub(super) top: Cell<Place>,
    /// If `top` is at this limit or above, entering an operation takes the slow path. The limit is
    /// the end of the chunk, or null while calls are timed, kept as events or not counted. Other
    /// threads set it to null.
    pub(super) limit: AtomicPtr<Activation>,
    chunk: Cell<*mut Chunk>,
}

// SAFETY: everything but `limit` is reached through `LocalShard`, which only the thread that owns
// the shard has.
unsafe impl Sync for Activations {}

/// The number of entries of a chunk, which takes 5 KiB. All but the first are for operations that
/// run.
const CHUNK: usize = 64;

/// A part of a stack. Its first entry represents the outer operation. In the first chunk, that
/// entry represents no operation.
struct Chunk {
    outer: *mut Chunk,
    inner: *mut Chunk,
    activations: [Activation; CHUNK],
}

/// An operation that runs. Its counts are the differences to the values stored here.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Activation {
    /// The record in which the activation counts; `SLOW` if more than counting is needed.
    pub(super) record: *const Record,
    /// Bytes allocated at the start, negated, so that one addition gives the bytes allocated since.
    pub(super) unallocated_bytes: i64,
    pub(super) live: i64,
    pub(super) allocated_blocks: u64,
    pub(super) freed_blocks: u64,
    /// The high-water mark of the activation around this one.
    pub(super) outer_high_water: i64,
    // The fields from here on are used only if the record is `SLOW`.
    /// The maximum of live bytes before the high-water mark was last reset, while this was the
    /// innermost activation.
    pub(super) seen: i64,
    /// The record in which the activation counts; null for a measurement.
    pub(super) real: *const Record,
    /// Nanoseconds of the clock when the activation began; 0 if times and events are off.
    pub(super) began: u64,
    /// The bytes of tensors that the thread had reported when the activation began.
    pub(super) tensors: i64,
    pub(super) marks: u32,
}

/// The mark of an operation that already runs further out. Only the number of its calls is counted.
pub(super) const WITHIN_ITSELF: u32 = 1;
/// The mark of an activation whose guard was dropped while inner activations still run.
pub(super) const ENDED: u32 = 1 << 1;
/// The mark of a part of a call, such as one poll of a future.
pub(super) const PART: u32 = 1 << 2;

/// A pointer to the entry after an activation. The activation's guard stores this pointer to
/// identify the activation.
pub(super) type Place = *mut Activation;

/// The value of a guard that counts nothing. No activation ends here.
pub(super) const INERT: Place = ptr::without_provenance_mut(1);

impl Activations {
    /// Makes the thread's next call check the level and the switches.
    pub(crate) fn clear_limit(&self) {
        self.limit.store(ptr::null_mut(), Relaxed);
    }

    /// Forgets the activations of a thread that ended.
    pub(crate) fn clear(&self) {
        while let Some(outer) = self.outer_chunk() {
            self.chunk.set(outer);
        }
        if !self.chunk.get().is_null() {
            self.top.set(self.first());
        }
        self.clear_limit();
    }

    /// Notes a peak of the innermost activation. Returns false if none runs.
    pub(crate) fn note_peak(&self, peak: i64) -> bool {
        let Some(last) = self.last() else { return false };
        let last = slow_down(last);
        last.seen = last.seen.max(peak);
        true
    }

    /// Returns the path of the innermost operation.
    pub(crate) fn current(&self) -> u32 {
        self.iter().find_map(|activation| activation.record()).map_or(ROOT, |record| record.path)
    }

    pub(super) fn runs(&self, path: u32) -> bool {
        self.iter().any(|around| around.record().is_some_and(|record| record.path == path))
    }

    /// Returns the activations that run, the innermost first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &mut Activation> {
        let (mut chunk, mut top) = (self.chunk.get(), self.top.get());
        core::iter::from_fn(move || {
            loop {
                if chunk.is_null() {
                    return None;
                }
                if top != first_of(chunk) {
                    top = top.wrapping_sub(1);
                    // SAFETY: all entries between the first one of a chunk and the top are
                    // activations.
                    return Some(unsafe { &mut *top });
                }
                // SAFETY: all chunks that the stack refers to are allocated.
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
        // SAFETY: null, or a chunk that the stack refers to, which is allocated.
        let outer = unsafe { chunk.as_ref() }?.outer;
        (!outer.is_null()).then_some(outer)
    }

    /// Goes back to the outer chunk if the innermost is empty, so that the top is the end of an
    /// activation.
    pub(super) fn leave_empty_chunk(&self) {
        if let Some(outer) = self.outer_chunk()
            && self.top.get() == self.first()
        {
            self.chunk.set(outer);
            self.top.set(end_of(outer));
            self.clear_limit();
        }
    }

    /// Returns the entry for one more activation. Returns `None` if the system has no memory.
    /// `root` returns the record around the first activation. If `root` returns `None`, so does
    /// this function.
    pub(super) fn next_entry(&self, root: impl FnOnce() -> Option<*const Record>) -> Option<Place> {
        let chunk = self.chunk.get();
        if chunk.is_null() || self.top.get() == end_of(chunk) {
            let inner = next_chunk(chunk)?;
            // The first entry of a chunk represents the last activation of the chunk before, so
            // that `enter` finds the record of the outer operation there.
            let around = match self.last() {
                Some(last) => last.record,
                None => root()?,
            };
            // SAFETY: the chunk belongs to this thread.
            unsafe { (*inner).activations[0].record = around };
            self.chunk.set(inner);
            self.top.set(first_of(inner));
            // The limit still refers to the outer chunk.
            self.clear_limit();
        }
        Some(self.top.get())
    }

    /// Frees the chunks if nothing runs. It is for a thread whose shard is not listed, because the
    /// pointer to the chunks is destroyed with such a thread.
    pub(super) fn free_if_empty(&self) {
        if self.last().is_some() {
            return;
        }
        let mut chunk = self.chunk.replace(ptr::null_mut());
        self.top.set(ptr::null_mut());
        self.clear_limit();
        while let Some(memory) = NonNull::new(chunk) {
            // SAFETY: it is a chunk of this thread, and no guard is left that refers to it.
            chunk = unsafe { (*chunk).inner };
            // SAFETY: `next_chunk` allocated it there, with this layout.
            unsafe { own_memory::free(memory.cast(), Layout::new::<Chunk>()) };
        }
    }

    /// Sets the limit so that calls take the fast path, unless each call has to be checked.
    pub(super) fn set_limit(&self) {
        self.limit.store(end_of(self.chunk.get()), Relaxed);
        // A thread that switches the level, the timing or the events first writes that switch, and
        // then clears the limits. So either this thread reads the switch, or that thread clears
        // this limit.
        fence(SeqCst);
        if LevelWord::now().is_off() || switches::is_any_on() {
            self.clear_limit();
        }
    }
}

/// Returns the entry of a chunk's first activation. It follows the entry that represents the outer
/// operation.
fn first_of(chunk: *mut Chunk) -> Place {
    place_in(chunk, 1)
}

fn end_of(chunk: *mut Chunk) -> Place {
    place_in(chunk, CHUNK)
}

/// Returns an entry of a chunk; null if `chunk` is null.
fn place_in(chunk: *mut Chunk, index: usize) -> Place {
    if chunk.is_null() {
        return ptr::null_mut();
    }
    // SAFETY: the chunk is not null, and all chunks that the stack refers to are allocated.
    let activations = unsafe { &raw mut (*chunk).activations };
    activations.cast::<Activation>().wrapping_add(index)
}

/// Returns the chunk within this one, kept from an earlier use or new.
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
        outer_high_water: 0,
        seen: i64::MIN,
        real: ptr::null(),
        began: 0,
        tensors: 0,
        marks: 0,
    };
    let inner = ptr::null_mut();
    // SAFETY: the memory has the layout of a chunk, and no other code has its address.
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

    /// Returns the record in which the activation counts; `None` for a measurement.
    pub(super) fn record(&self) -> Option<&'static Record> {
        let record = if self.is_slow() { self.real } else { self.record };
        // SAFETY: null, or a record, which is never freed.
        unsafe { record.as_ref() }
    }
}

/// Gives an activation the record `SLOW`, because it needs more than counting.
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
