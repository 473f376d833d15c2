//! The operations that run on a thread, the innermost last, and what was counted when each began.
//!
//! What is done for every call is `enter` and `leave`, and counted in instructions. Whatever needs
//! more has `SLOW` for its record: it is timed, or runs within itself, or its guard went early.
#![expect(unsafe_code, reason = "the stack lives outside the heap that is counted")]

use super::flow::Flow;
use super::paths::{self, ROOT};
use super::records::{Record, SLOW};
use super::site::OperationSite;
use super::time;
use crate::hook::gate::Gate;
use crate::hook::shard::Mine;
use crate::hook::threads;
use core::cell::Cell;
use core::ptr;
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::{AtomicPtr, fence};
use std::alloc::{GlobalAlloc, Layout, System};

/// The stack of one thread: its own but for `limit`.
pub(crate) struct Activations {
    /// The place of the next one. Null until the first.
    top: Cell<*mut Activation>,
    /// From here on, entering has more to do than counting: the end of the chunk, or null while
    /// calls are timed and while nothing counts. Others set it to null.
    limit: AtomicPtr<Activation>,
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
    record: *const Record,
    pub(super) allocated_bytes: i64,
    pub(super) live: i64,
    pub(super) allocated_blocks: u64,
    pub(super) freed_blocks: u64,
    /// The ceiling around it.
    outer_ceiling: i64,
    // From here on only if the record is `SLOW`.
    /// The most that was live before the ceiling was last lowered, while it was the innermost.
    seen: i64,
    /// Where it counts; null for a measurement.
    real: *const Record,
    /// Nanoseconds of the clock when it began; 0 if it isn't timed.
    began: u64,
    marks: u32,
}

/// It runs already, further out: only its calls are counted here.
const WITHIN_ITSELF: u32 = 1;
/// Its guard is gone, and those within it still run.
const ENDED: u32 = 1 << 1;
/// A part of a call, as the poll of a future is.
const PART: u32 = 1 << 2;

/// What a guard has: the end of its activation.
pub(super) type Place = *mut Activation;

/// The place of a guard that counts nothing. No stack ends here.
pub(super) const INERT: Place = ptr::without_provenance_mut(1);

impl Activations {
    pub(crate) const fn new() -> Self {
        Self {
            top: Cell::new(ptr::null_mut()),
            limit: AtomicPtr::new(ptr::null_mut()),
            chunk: Cell::new(ptr::null_mut()),
        }
    }

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

    /// Ends all that run on a thread which ends.
    pub(crate) fn end_all(&self, mine: Mine) {
        while self.last().is_some() {
            let end = self.top.get();
            leave_slowly(mine, end);
        }
    }

    /// Notes a peak of the innermost one; false if none runs.
    pub(crate) fn note_peak(&self, peak: i64) -> bool {
        let Some(last) = self.last() else { return false };
        slow_down(last).seen = last.seen.max(peak);
        true
    }

    /// The path of the innermost operation.
    pub(crate) fn current(&self) -> u32 {
        self.iter().find_map(|activation| activation.record()).map_or(ROOT, |record| record.path)
    }

    /// Those that run, the innermost first.
    fn iter(&self) -> impl Iterator<Item = &mut Activation> {
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

    fn last(&self) -> Option<&mut Activation> {
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
    fn leave_empty_chunk(&self) {
        if let Some(outer) = self.outer_chunk()
            && self.top.get() == self.first()
        {
            self.chunk.set(outer);
            self.top.set(end_of(outer));
            self.look_again();
        }
    }

    /// The place for one more. `None` where the system has no memory.
    fn make_room(&self, mine: Mine) -> Option<Place> {
        let chunk = self.chunk.get();
        if chunk.is_null() || self.top.get() == end_of(chunk) {
            let inner = next_chunk(chunk)?;
            // What is entered from the first place of a chunk is entered from the last one before.
            let around = match self.last() {
                Some(last) => last.record,
                None => mine.shard().records.get_or_add(ROOT)?,
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

    /// Lets calls go the short way, unless they have to be looked at.
    fn set_limit(&self) {
        self.limit.store(end_of(self.chunk.get()), Relaxed);
        // Whoever switches the level or the clock sets that first and then looks at the limits.
        fence(SeqCst);
        if Gate::now().is_off() || time::is_on() {
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
    // SAFETY: the layout is not empty.
    let memory = unsafe { System.alloc(Layout::new::<Chunk>()) };
    #[expect(clippy::cast_ptr_alignment, reason = "the layout has the alignment")]
    let chunk = memory.cast::<Chunk>();
    if chunk.is_null() {
        return None;
    }
    let nothing = Activation {
        record: &raw const SLOW,
        allocated_bytes: 0,
        live: 0,
        allocated_blocks: 0,
        freed_blocks: 0,
        outer_ceiling: 0,
        seen: i64::MIN,
        real: ptr::null(),
        began: 0,
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
    fn is_slow(&self) -> bool {
        ptr::eq(self.record, &raw const SLOW)
    }

    /// Where it counts; `None` for a measurement.
    fn record(&self) -> Option<&'static Record> {
        let record = if self.is_slow() { self.real } else { self.record };
        // SAFETY: null, or a record, which is never freed.
        unsafe { record.as_ref() }
    }
}

/// Makes an activation one that has more to do.
fn slow_down(activation: &mut Activation) -> &mut Activation {
    if !activation.is_slow() {
        activation.real = activation.record;
        activation.record = &raw const SLOW;
        activation.seen = i64::MIN;
        activation.began = 0;
        activation.marks = 0;
    }
    activation
}

/// Begins an operation on the current thread.
#[inline]
pub(super) fn enter(site: &'static OperationSite) -> Place {
    let mine = threads::current();
    let all = mine.activations();
    let place = all.top.get();
    if place >= all.limit.load(Relaxed) {
        return enter_slowly(site);
    }
    // SAFETY: before each place of a chunk but the first, which is never the top, is another one.
    let outer = unsafe { (*place.wrapping_sub(1)).record };
    // SAFETY: an activation's record is never null, and never freed.
    let outer = unsafe { &*outer };
    let Some(record) = outer.child(site) else { return enter_slowly(site) };
    push(mine, place, record)
}

#[inline(always)]
fn push(mine: Mine, place: Place, record: *const Record) -> Place {
    let (live, outer_ceiling) = mine.lower_ceiling();
    // SAFETY: the place is below the end of the chunk, and the thread is alone with it.
    let activation = unsafe { &mut *place };
    activation.record = record;
    activation.allocated_bytes = mine.allocated_bytes();
    activation.live = live;
    activation.allocated_blocks = mine.allocated_blocks();
    activation.freed_blocks = mine.freed_blocks();
    activation.outer_ceiling = outer_ceiling;
    let end = place.wrapping_add(1);
    mine.activations().top.set(end);
    end
}

#[cold]
#[inline(never)]
fn enter_slowly(site: &'static OperationSite) -> Place {
    if Gate::now().is_off() {
        return INERT;
    }
    let Some(mine) = threads::mine() else { return INERT };
    let all = mine.activations();
    let Some(place) = all.make_room(mine) else { return INERT };
    let (path, is_within_itself) = paths::path_to(all.current(), site);
    let Some(record) = mine.shard().records.get_or_add(path) else { return INERT };
    if is_within_itself || time::is_on() || mine.is_late() {
        let marks = if is_within_itself { WITHIN_ITSELF } else { 0 };
        return push_slow(mine, place, record, marks);
    }
    // SAFETY: as in `enter`.
    let outer = unsafe { (*place.wrapping_sub(1)).record };
    if !ptr::eq(outer, &raw const SLOW) {
        // SAFETY: an activation's record is never null, and never freed.
        unsafe { (*outer).remember(site, record) };
    }
    let end = push(mine, place, record);
    all.set_limit();
    end
}

fn push_slow(mine: Mine, place: Place, real: *const Record, marks: u32) -> Place {
    let end = if mine.is_late() {
        let (live, allocated_bytes) = (mine.live(), mine.allocated_bytes());
        // SAFETY: as in `push`.
        let activation = unsafe { &mut *place };
        activation.allocated_bytes = allocated_bytes;
        activation.live = live;
        activation.allocated_blocks = mine.allocated_blocks();
        activation.freed_blocks = mine.freed_blocks();
        activation.outer_ceiling = i64::MIN;
        mine.activations().top.set(place.wrapping_add(1));
        place.wrapping_add(1)
    } else {
        push(mine, place, real)
    };
    // SAFETY: as in `push`.
    let activation = unsafe { &mut *place };
    activation.record = &raw const SLOW;
    activation.real = real;
    activation.seen = i64::MIN;
    activation.began = if time::is_on() { time::nanoseconds() } else { 0 };
    activation.marks = marks;
    end
}

/// Ends an operation of the current thread.
#[inline]
pub(super) fn leave(end: Place) {
    let mine = threads::current();
    let all = mine.activations();
    if all.top.get() != end {
        leave_slowly_here(end);
        return;
    }
    let place = end.wrapping_sub(1);
    // SAFETY: the top of the stack ends an activation, unless no guard was made for it.
    let activation = unsafe { &*place };
    // SAFETY: an activation's record is never null, and never freed.
    let record = unsafe { &*activation.record };
    if record.is_slow {
        leave_slowly_here(end);
        return;
    }
    let flow = Flow::since(mine, activation);
    all.top.set(place);
    mine.raise_ceiling(flow.live, activation.outer_ceiling);
    flow.add_to(record);
    flow.note_call(record);
}

#[cold]
#[inline(never)]
fn leave_slowly_here(end: Place) {
    if end == INERT {
        return;
    }
    if let Some(mine) = threads::mine() {
        leave_slowly(mine, end);
    }
}

fn leave_slowly(mine: Mine, end: Place) {
    let Some((ended, flow)) = take(mine, end) else { return };
    let Some(record) = ended.record() else { return };
    let slow = ended.is_slow();
    if !slow || ended.marks & WITHIN_ITSELF == 0 {
        flow.add_to(record);
    }
    flow.note_call(record);
    if slow && ended.began != 0 {
        time::note(record, time::nanoseconds().saturating_sub(ended.began));
    }
}

/// Ends an activation wherever it is in the stack: as it was, and what it counted. `None` if it
/// isn't in the stack: its guard counts nothing, or outlived its thread's stack.
fn take(mine: Mine, end: Place) -> Option<(Activation, Flow)> {
    let all = mine.activations();
    all.leave_empty_chunk();
    let mut flow = None;
    // What those within it found as their peaks is its own too.
    let mut peak = i64::MIN;
    for activation in all.iter() {
        if ptr::eq(ptr::from_mut(activation).wrapping_add(1), end) {
            let mut found = Flow::since(mine, activation);
            if activation.is_slow() {
                peak = peak.max(activation.seen);
            }
            found.peak = found.peak.max(peak.saturating_sub(activation.live));
            flow = Some(found);
            break;
        }
        peak = peak.max(activation.outer_ceiling);
        if activation.is_slow() {
            peak = peak.max(activation.seen);
        }
    }
    let flow = flow?;
    let place = end.wrapping_sub(1);
    // SAFETY: it was found in the stack.
    let was = unsafe { *place };
    if all.top.get() == end {
        pop_ended(mine, flow.live);
    } else {
        // SAFETY: as above.
        slow_down(unsafe { &mut *place }).marks |= ENDED;
        // The one above has to look below itself when it ends.
        let above = all.iter().take_while(|above| !ptr::eq(ptr::from_ref(*above), place)).last();
        if let Some(above) = above {
            slow_down(above);
        }
    }
    Some((was, flow))
}

/// Takes the innermost from the stack, and those around it whose guards went early.
fn pop_ended(mine: Mine, live: i64) {
    let all = mine.activations();
    loop {
        let Some(last) = all.last() else { return };
        let (outer_ceiling, seen) = (last.outer_ceiling, last.is_slow().then_some(last.seen));
        all.leave_empty_chunk();
        all.top.set(all.top.get().wrapping_sub(1));
        if !mine.is_late() {
            mine.raise_ceiling(live, outer_ceiling);
        }
        if let Some(seen) = seen.filter(|seen| *seen > mine.ceiling()) {
            mine.note_peak(seen);
        }
        all.leave_empty_chunk();
        let ended = all.last().is_some_and(|last| last.is_slow() && last.marks & ENDED != 0);
        if !ended {
            return;
        }
    }
}

/// Begins a part of a call, such as a poll of a future. It runs within itself if its path runs on
/// this thread already.
pub(super) fn enter_part(path: u32) -> Place {
    if Gate::now().is_off() || path == ROOT {
        return INERT;
    }
    let Some(mine) = threads::mine() else { return INERT };
    let all = mine.activations();
    let runs = all.iter().any(|around| around.record().is_some_and(|record| record.path == path));
    let Some(record) = mine.shard().records.get_or_add(path) else { return INERT };
    let Some(place) = all.make_room(mine) else { return INERT };
    push_slow(mine, place, record, if runs { PART | WITHIN_ITSELF } else { PART })
}

/// Ends a part of a call: what it counted is added to the path, but the call isn't over. `None` if
/// nothing was counted.
pub(super) fn leave_part(end: Place) -> Option<Flow> {
    let mine = threads::mine()?;
    let (ended, flow) = take(mine, end)?;
    if ended.marks & WITHIN_ITSELF == 0 {
        flow.add_to(ended.record()?);
    }
    Some(flow)
}

/// Notes a call that was counted in parts.
pub(super) fn end_parts(path: u32, whole: Flow, nanoseconds: Option<u64>) {
    let Some(mine) = threads::mine() else { return };
    let Some(record) = mine.shard().records.get_or_add(path) else { return };
    whole.note_call(record);
    if let Some(nanoseconds) = nanoseconds {
        time::note(record, nanoseconds);
    }
}

/// A piece of work that is measured, until this is dropped.
pub(crate) struct Measurement {
    mine: Mine,
    end: Place,
}

impl Measurement {
    /// `None` where the system has no memory.
    pub(crate) fn begin(mine: Mine) -> Option<Self> {
        let place = mine.activations().make_room(mine)?;
        Some(Self { mine, end: push_slow(mine, place, ptr::null(), 0) })
    }

    /// What was counted since.
    pub(crate) fn end(mut self) -> Flow {
        self.take()
    }

    fn take(&mut self) -> Flow {
        let end = core::mem::replace(&mut self.end, INERT);
        take(self.mine, end).map(|(_, flow)| flow).unwrap_or_default()
    }
}

impl Drop for Measurement {
    /// Also where the work panicked.
    fn drop(&mut self) {
        self.take();
    }
}
