//! The operations that run on a thread: a stack, in chunks outside of the heap that is counted.
//!
//! The entries of a chunk never move, because a guard stores a pointer to its own. The stack, the
//! records and the events of a thread are in one [slot](super::shard) of its shard, so that counting
//! needs no look-up.
#![expect(unsafe_code, reason = "the stack lives outside the heap that is counted")]

use crate::record::counters::{add, add_unsigned};
use crate::record::events::Events;
use crate::record::level::LevelWord;
use crate::record::paths::{ROOT, Record, Records, SLOW};
use crate::record::shard::{LocalShard, Shard};
use crate::record::sync::{AtomicI64, own};
use crate::record::{operation, process, system};
use core::cell::Cell;
use core::ptr;
use core::ptr::NonNull;
use core::sync::atomic::Ordering::{Relaxed, Release, SeqCst};
use core::sync::atomic::{AtomicPtr, fence};
use std::alloc::Layout;

/// The stack of one thread. Only that thread uses the fields other than `limit`.
pub(crate) struct Activations {
    /// The end of the innermost activation, which is the entry for the next one. Null until the
    /// first activation.
    pub(crate) top: Cell<Place>,
    /// If `top` is at this limit or above, entering an operation takes the slow path. The limit is
    /// the end of the chunk, or null while calls are timed, kept as events or not counted. Other
    /// threads set it to null.
    pub(crate) limit: AtomicPtr<Activation>,
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
pub(crate) struct Activation {
    /// The record in which the activation counts; `SLOW` if more than counting is needed.
    pub(crate) record: *const Record,
    /// Bytes allocated at the start, negated, so that one addition gives the bytes allocated since.
    pub(crate) unallocated_bytes: i64,
    pub(crate) live: i64,
    pub(crate) allocated_blocks: u64,
    pub(crate) freed_blocks: u64,
    /// The high-water mark of the activation around this one.
    pub(crate) outer_high_water: i64,
    // The fields from here on are used only if the record is `SLOW`.
    /// The maximum of live bytes before the high-water mark was last reset, while this was the
    /// innermost activation.
    pub(crate) seen: i64,
    /// The record in which the activation counts; null for a measurement.
    pub(crate) real: *const Record,
    /// Nanoseconds of the clock when the activation began; 0 if times and events are off.
    pub(crate) began: u64,
    /// The bytes of tensors that the thread had reported when the activation began.
    pub(crate) tensors: i64,
    pub(crate) marks: u32,
}

/// The mark of an operation that already runs further out. Only the number of its calls is counted.
pub(crate) const WITHIN_ITSELF: u32 = 1;
/// The mark of an activation whose guard was dropped while inner activations still run.
pub(crate) const ENDED: u32 = 1 << 1;
/// The mark of a part of a call, such as one poll of a future.
pub(crate) const PART: u32 = 1 << 2;

/// A pointer to the entry after an activation. The activation's guard stores this pointer to
/// identify the activation.
pub(crate) type Place = *mut Activation;

/// The value of a guard that counts nothing. No activation ends here.
pub(crate) const INERT: Place = ptr::without_provenance_mut(1);

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

    pub(crate) fn runs(&self, path: u32) -> bool {
        self.iter().any(|around| around.record().is_some_and(|record| record.path == path))
    }

    /// Returns the activations that run, the innermost first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &mut Activation> {
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

    pub(crate) fn last(&self) -> Option<&mut Activation> {
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
    pub(crate) fn leave_empty_chunk(&self) {
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
    pub(crate) fn next_entry(&self, root: impl FnOnce() -> Option<*const Record>) -> Option<Place> {
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
    pub(crate) fn free_if_empty(&self) {
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
            unsafe { system::free(memory.cast(), Layout::new::<Chunk>()) };
        }
    }

    /// Sets the limit so that calls take the fast path, unless each call has to be checked.
    pub(crate) fn set_limit(&self) {
        self.limit.store(end_of(self.chunk.get()), Relaxed);
        // A thread that switches the level, the timing or the events first writes that switch, and
        // then clears the limits. So either this thread reads the switch, or that thread clears
        // this limit.
        fence(SeqCst);
        if LevelWord::now().is_off() || operation::is_any_on() {
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
    let chunk = system::allocate::<Chunk>()?.as_ptr();
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
    pub(crate) fn is_slow(&self) -> bool {
        ptr::eq(self.record, &raw const SLOW)
    }

    /// Returns the record in which the activation counts; `None` for a measurement.
    pub(crate) fn record(&self) -> Option<&'static Record> {
        let record = if self.is_slow() { self.real } else { self.record };
        // SAFETY: null, or a record, which is never freed.
        unsafe { record.as_ref() }
    }
}

/// Gives an activation the record `SLOW`, because it needs more than counting.
pub(crate) fn slow_down(activation: &mut Activation) -> &mut Activation {
    if !activation.is_slow() {
        activation.real = activation.record;
        activation.record = &raw const SLOW;
        activation.seen = i64::MIN;
        activation.began = 0;
        activation.marks = 0;
    }
    activation
}

/// The counts of one thread between two moments.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flow {
    pub(crate) allocated_bytes: i64,
    /// Bytes allocated less bytes freed.
    pub(crate) net_bytes: i64,
    pub(crate) allocated_blocks: u64,
    pub(crate) freed_blocks: u64,
    /// The maximum of live bytes, less the bytes live at the start. It may miss a peak at the very
    /// end; in that case, the peak is `net_bytes`.
    pub(crate) noted_peak: i64,
}

impl Flow {
    #[inline(always)]
    pub(crate) fn since(local: LocalShard, start: &Activation) -> Self {
        let noted_peak = local.high_water().wrapping_sub(start.live);
        let net_bytes = noted_peak.wrapping_sub(local.headroom());
        Self {
            allocated_bytes: local.allocated_since(start.unallocated_bytes),
            net_bytes,
            allocated_blocks: local.allocated_blocks().wrapping_sub(start.allocated_blocks),
            freed_blocks: local.freed_blocks().wrapping_sub(start.freed_blocks),
            noted_peak,
        }
    }

    pub(crate) fn freed_bytes(self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.net_bytes)
    }

    /// Returns the maximum of live bytes, less the bytes live at the start.
    pub(crate) fn peak(self) -> i64 {
        self.noted_peak.max(self.net_bytes)
    }

    #[inline(always)]
    pub(crate) fn add_to(self, record: &Record) {
        add(&record.allocated_bytes, self.allocated_bytes, Relaxed);
        add(&record.net_bytes, self.net_bytes, Release);
        add_unsigned(&record.allocated_blocks, self.allocated_blocks, Relaxed);
        add_unsigned(&record.freed_blocks, self.freed_blocks, Relaxed);
    }

    /// Returns true if a call increased live bytes more than any call before it, or had a higher
    /// peak. This is true for the first call and for all calls with the record `SLOW`.
    #[inline(always)]
    pub(crate) fn is_most_of(self, record: &Record) -> bool {
        // `noted_peak` may miss a peak at the very end. The first comparison finds such a peak,
        // because a record's peak is never below its largest change.
        self.net_bytes > own(&record.largest) || self.noted_peak > own(&record.peak)
    }

    /// Counts a call, and updates the largest change and the peak.
    pub(crate) fn note_call(self, record: &Record) {
        record.count_call();
        if self.net_bytes > record.largest.load(Relaxed) {
            note_largest(record, self.net_bytes);
        }
        if self.peak() > record.peak.load(Relaxed) {
            record.peak.store(self.peak(), Relaxed);
        }
    }

    /// Adds a later part of the call, perhaps from another thread.
    pub(crate) fn then(&mut self, part: Self) {
        // Bytes that earlier parts kept are live while this part runs.
        self.noted_peak = self.peak().max(self.net_bytes.wrapping_add(part.peak()));
        self.allocated_bytes = self.allocated_bytes.wrapping_add(part.allocated_bytes);
        self.net_bytes = self.net_bytes.wrapping_add(part.net_bytes);
        self.allocated_blocks = self.allocated_blocks.wrapping_add(part.allocated_blocks);
        self.freed_blocks = self.freed_blocks.wrapping_add(part.freed_blocks);
    }
}

#[cold]
#[inline(never)]
fn note_largest(record: &Record, net: i64) {
    let after = process::exact_live();
    record.largest.store(net, Relaxed);
    record.before.store(after.wrapping_sub(net), Relaxed);
    record.after.store(after, Relaxed);
}

/// The state of operations on one thread. All zero bytes mean that nothing runs and nothing was
/// counted.
#[repr(C)]
pub(crate) struct PerThread {
    pub(crate) activations: Activations,
    pub(crate) records: Records,
    pub(crate) events: Events,
    /// Bytes of tensors that the thread reported as created, less those dropped.
    tensors: AtomicI64,
}

impl PerThread {
    /// Returns the words of the thread that owns a shard.
    #[inline(always)]
    pub(crate) fn of(shard: &Shard) -> &Self {
        // SAFETY: no other code reads this slot as another type. Its fields are numbers, and
        // pointers that may be null.
        unsafe { shard.operations().as_ref() }
    }
}

impl LocalShard {
    #[inline(always)]
    pub(crate) fn activations(self) -> &'static Activations {
        &PerThread::of(self.shard()).activations
    }

    pub(crate) fn records(self) -> &'static Records {
        &PerThread::of(self.shard()).records
    }

    pub(crate) fn events(self) -> &'static Events {
        &PerThread::of(self.shard()).events
    }

    /// Returns the bytes of tensors that the thread reported as created, less those dropped.
    pub(crate) fn tensors(self) -> i64 {
        own(&PerThread::of(self.shard()).tensors)
    }

    pub(crate) fn add_tensors(self, bytes: i64) {
        add(&PerThread::of(self.shard()).tensors, bytes, Relaxed);
    }
}
