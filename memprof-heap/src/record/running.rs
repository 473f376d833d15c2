//! The operations that run on a thread: a stack, in chunks outside of the heap that is counted.
//!
//! All that the thread counts between the beginning and the end of an operation belongs to it. `enter`
//! and `leave` run for every call, so each of their instructions matters. They only copy the thread's
//! counts to the stack and add the differences to a [record](super::paths) at the end. An activation
//! whose end needs more than counting has `SLOW` as its record: for example, if it is timed or
//! recurses, or if its guard was dropped early.
//!
//! The entries of a chunk never move, because a guard stores a pointer to its own. The stack, the
//! records and the events of a thread are in one [slot](super::threads) of its shard, so that
//! counting needs no lookup.
#![expect(unsafe_code, reason = "the stack lives outside the heap that is counted")]

use crate::record::callbacks::{Party, Switch};
use crate::record::counters::{WINDOW, add, add_unsigned};
use crate::record::events::{self, Events};
use crate::record::level::LevelWord;
use crate::record::operation::OperationSite;
use crate::record::paths::{self, ROOT, Record, Records, SLOW};
use crate::record::process;
use crate::record::sync::{own, own_unsigned};
use crate::record::system::{self, nanoseconds};
use crate::record::threads::{self, LocalShard, Shard};
use core::cell::Cell;
use core::ptr;
use core::sync::atomic::Ordering::{Relaxed, Release, SeqCst};
use core::sync::atomic::{AtomicI64, AtomicPtr, fence};

/// The stack of one thread. Only that thread uses the fields other than `limit`.
struct Activations {
    /// The entry for the next activation, after the innermost one. Null until the first activation.
    top: Cell<Place>,
    /// If `top` is at this limit or above, entering an operation takes the slow path. The limit is
    /// the end of the chunk, or null while calls are timed, kept as events or not counted. Other
    /// threads set it to null.
    limit: AtomicPtr<Activation>,
    chunk: Cell<*mut Chunk>,
}

// SAFETY: everything but `limit` is reached through `LocalShard`, which only the thread that owns
// the shard has.
unsafe impl Sync for Activations {}

/// A chunk takes 5 KiB. All entries but the first are for operations that run.
const CHUNK: usize = 64;

/// A part of a stack. Its first entry represents the outer operation. In the first chunk, that
/// entry represents no operation.
struct Chunk {
    outer: *mut Chunk,
    inner: *mut Chunk,
    activations: [Activation; CHUNK],
}

#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Activation {
    /// The record in which the activation counts; `SLOW` if more than counting is needed.
    record: *const Record,
    /// Bytes allocated at the start, negated, so that one addition gives the bytes allocated since.
    unallocated_bytes: i64,
    live: i64,
    allocated_blocks: u64,
    freed_blocks: u64,
    /// The high-water mark of the activation around this one.
    outer_high_water: i64,
    // The fields from here on are used only if the record is `SLOW`.
    /// The maximum of live bytes before the high-water mark was last reset, while this was the
    /// innermost activation.
    seen: i64,
    /// The record in which the activation counts; null for a measurement.
    real: *const Record,
    /// Nanoseconds of the clock when the activation began; 0 if times and events are off.
    pub began: u64,
    /// The bytes of tensors that the thread had reported when the activation began.
    pub tensors: i64,
    pub marks: u32,
}

/// The mark of an operation that already runs further out. Only the number of its calls is counted.
pub(crate) const WITHIN_ITSELF: u32 = 1;
/// The mark of an activation whose guard was dropped while inner activations still run.
const ENDED: u32 = 1 << 1;
/// The mark of a part of a call, such as one poll of a future.
const PART: u32 = 1 << 2;

/// A pointer to the entry after an activation. The activation's guard stores this pointer to
/// identify the activation.
pub(crate) type Place = *mut Activation;

/// The value of a guard that counts nothing. No activation ends here.
const INERT: Place = ptr::without_provenance_mut(1);

impl Activations {
    /// Makes the thread's next call check the level and the switches.
    fn clear_limit(&self) {
        self.limit.store(ptr::null_mut(), Relaxed);
    }

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
    fn note_peak(&self, peak: i64) -> bool {
        let Some(last) = self.last() else { return false };
        let last = slow_down(last);
        last.seen = last.seen.max(peak);
        true
    }

    pub(crate) fn current(&self) -> u32 {
        self.iter().find_map(|activation| activation.record()).map_or(ROOT, |record| record.path)
    }

    fn runs(&self, path: u32) -> bool {
        self.iter().any(|around| around.record().is_some_and(|record| record.path == path))
    }

    /// Returns the activations that run, innermost first.
    fn iter(&self) -> impl Iterator<Item = &mut Activation> {
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

    fn last(&self) -> Option<&mut Activation> {
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

    /// Goes back to the outer chunk if the innermost is empty: the top ends an activation.
    fn leave_empty_chunk(&self) {
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
    fn next_entry(&self, root: impl FnOnce() -> Option<*const Record>) -> Option<Place> {
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

    /// Sets the limit so that calls take the fast path, unless each call has to be checked.
    pub(crate) fn set_limit(&self) {
        self.limit.store(end_of(self.chunk.get()), Relaxed);
        // A thread that switches the level, the timing or the events first writes that switch, and
        // then clears the limits. So either this thread reads the switch, or that thread clears
        // this limit.
        fence(SeqCst);
        if LevelWord::now().is_off() || is_any_on() {
            self.clear_limit();
        }
    }
}

/// The chunk's first entry represents the outer operation.
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
    let chunk = system::allocate_zeroed::<Chunk>()?.as_ptr();
    // SAFETY: the memory has the layout of a chunk, of which zero bytes are a value, and no other code
    // has its address.
    unsafe { (*chunk).outer = outer };
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

    pub(crate) fn record(&self) -> Option<&'static Record> {
        let record = if self.is_slow() { self.real } else { self.record };
        // SAFETY: null, or a record, which is never freed.
        unsafe { record.as_ref() }
    }
}

/// Gives an activation the record `SLOW`, because it needs more than counting.
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

/// The counts of one thread between two moments.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flow {
    pub allocated_bytes: i64,
    pub net_bytes: i64,
    pub allocated_blocks: u64,
    pub freed_blocks: u64,
    /// The maximum of live bytes, minus the bytes live at the start. It may miss a peak at the very
    /// end; in that case, the peak is `net_bytes`.
    noted_peak: i64,
}

impl Flow {
    #[inline(always)]
    fn since(local: LocalShard, start: &Activation) -> Self {
        let noted_peak = own(&local.high_water).wrapping_sub(start.live);
        let net_bytes = noted_peak.wrapping_sub(own(&local.headroom));
        Self {
            allocated_bytes: local.allocated_since(start.unallocated_bytes),
            net_bytes,
            allocated_blocks: own_unsigned(&local.allocated_blocks)
                .wrapping_sub(start.allocated_blocks),
            freed_blocks: own_unsigned(&local.freed_blocks).wrapping_sub(start.freed_blocks),
            noted_peak,
        }
    }

    pub(crate) fn freed_bytes(self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.net_bytes)
    }

    pub(crate) fn peak(self) -> i64 {
        self.noted_peak.max(self.net_bytes)
    }

    #[inline(always)]
    fn add_to(self, record: &Record) {
        add(&record.allocated_bytes, self.allocated_bytes, Relaxed);
        add(&record.net_bytes, self.net_bytes, Release);
        add_unsigned(&record.allocated_blocks, self.allocated_blocks, Relaxed);
        add_unsigned(&record.freed_blocks, self.freed_blocks, Relaxed);
    }

    /// Returns true if a call increased live bytes more than any call before it, or had a higher
    /// peak. This is true for the first call and for all calls with the record `SLOW`.
    #[inline(always)]
    fn is_most_of(self, record: &Record) -> bool {
        // `noted_peak` may miss a peak at the very end. The first comparison finds such a peak,
        // because a record's peak is never below its largest change.
        self.net_bytes > own(&record.largest) || self.noted_peak > own(&record.peak)
    }

    fn note_call(self, record: &Record) {
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

/// All zero bytes mean that nothing runs and nothing was counted.
#[repr(C)]
pub(crate) struct PerThread {
    activations: Activations,
    pub records: Records,
    pub events: Events,
    /// Bytes of tensors that the thread reported as created, minus those dropped.
    tensors: AtomicI64,
}

impl PerThread {
    #[inline(always)]
    pub(crate) fn of(shard: &Shard) -> &Self {
        // SAFETY: no other code reads this slot as another type. Its fields are numbers, and
        // pointers that may be null.
        unsafe { shard.operations().as_ref() }
    }
}

impl LocalShard {
    #[inline(always)]
    fn activations(self) -> &'static Activations {
        &PerThread::of(self.shard()).activations
    }

    fn records(self) -> &'static Records {
        &PerThread::of(self.shard()).records
    }

    pub(crate) fn events(self) -> &'static Events {
        &PerThread::of(self.shard()).events
    }

    pub(crate) fn tensors(self) -> i64 {
        own(&PerThread::of(self.shard()).tensors)
    }

    pub(crate) fn add_tensors(self, bytes: i64) {
        add(&PerThread::of(self.shard()).tensors, bytes, Relaxed);
    }
}

#[inline]
pub(crate) fn enter(site: &'static OperationSite) -> Place {
    let local = threads::current();
    let all = local.activations();
    let place = all.top.get();
    if place >= all.limit.load(Relaxed) {
        return enter_slowly(site);
    }
    // SAFETY: the entry before each entry of a chunk exists, except for the first one, which is
    // never the top.
    let outer = unsafe { (*place.wrapping_sub(1)).record };
    // SAFETY: an activation's record is never null and never freed.
    let outer = unsafe { &*outer };
    let Some(record) = outer.child(site) else { return enter_slowly(site) };
    push(local, place, record)
}

#[inline(always)]
fn push(local: LocalShard, place: Place, record: *const Record) -> Place {
    let (live, outer_high_water) = local.reset_high_water();
    push_from(local, place, record, live, outer_high_water)
}

#[inline(always)]
fn push_from(
    local: LocalShard,
    place: Place,
    record: *const Record,
    live: i64,
    outer_high_water: i64,
) -> Place {
    let unallocated_bytes = local.unallocated();
    // Read both before writing either, so that the compiler copies the two at once.
    let allocated_blocks = own_unsigned(&local.allocated_blocks);
    let freed_blocks = own_unsigned(&local.freed_blocks);
    // SAFETY: the entry is below the end of the chunk, and only this thread uses it.
    let activation = unsafe { &mut *place };
    activation.record = record;
    activation.unallocated_bytes = unallocated_bytes;
    activation.live = live;
    activation.allocated_blocks = allocated_blocks;
    activation.freed_blocks = freed_blocks;
    activation.outer_high_water = outer_high_water;
    let end = place.wrapping_add(1);
    local.activations().top.set(end);
    end
}

#[cold]
#[inline(never)]
fn enter_slowly(site: &'static OperationSite) -> Place {
    if LevelWord::now().is_off() {
        return INERT;
    }
    let Some(local) = threads::listed() else { return INERT };
    let all = local.activations();
    let Some(place) = next_entry(local) else { return INERT };
    let (path, is_around) = paths::path_to(all.current(), site);
    let Some(record) = local.records().get_or_add(path) else { return INERT };
    // `path_to` searches only the current path. Recursion shortens that path, so `path` may
    // still run further out. For example, the second `value` in `parse;value;parse;value` has the
    // path of the first.
    let is_within_itself = is_around || all.runs(record.path);
    if is_within_itself || is_any_on() {
        let marks = if is_within_itself { WITHIN_ITSELF } else { 0 };
        return push_slow(local, place, record, marks);
    }
    // SAFETY: as in `enter`.
    let outer = unsafe { (*place.wrapping_sub(1)).record };
    if !ptr::eq(outer, &raw const SLOW) {
        // SAFETY: an activation's record is never null and never freed.
        unsafe { (*outer).remember(site, record) };
    }
    let end = push(local, place, record);
    all.set_limit();
    end
}

fn next_entry(local: LocalShard) -> Option<Place> {
    local.activations().next_entry(|| {
        if local.is_unlisted() {
            // Only measurements run on a thread without a listed shard.
            return Some(&raw const SLOW);
        }
        local.at_exit(end_all);
        local.records().get_or_add(ROOT).map(ptr::from_ref)
    })
}

fn push_slow(local: LocalShard, place: Place, real: *const Record, marks: u32) -> Place {
    let end = if local.is_unlisted() {
        push_from(local, place, real, local.live(), i64::MIN)
    } else {
        push(local, place, real)
    };
    // SAFETY: as in `push_from`.
    let activation = unsafe { &mut *place };
    activation.record = &raw const SLOW;
    activation.real = real;
    activation.seen = i64::MIN;
    let (began, switches) = read_switches();
    activation.began = began;
    activation.tensors = local.tensors();
    activation.marks = marks | switches;
    end
}

#[inline]
pub(crate) fn leave(end: Place) {
    let local = threads::current();
    let all = local.activations();
    if all.top.get() != end {
        leave_slowly_here(end);
        return;
    }
    let place = end.wrapping_sub(1);
    // SAFETY: the top of the stack is the end of an activation, because a guard was created for it.
    let activation = unsafe { &*place };
    // SAFETY: an activation's record is never null and never freed.
    let record = unsafe { &*activation.record };
    let flow = Flow::since(local, activation);
    if flow.is_most_of(record) {
        leave_slowly_here(end);
        return;
    }
    all.top.set(place);
    local.raise_high_water(activation.outer_high_water);
    flow.add_to(record);
    record.count_call();
}

#[cold]
#[inline(never)]
fn leave_slowly_here(end: Place) {
    if end == INERT {
        return;
    }
    if let Some(local) = threads::local() {
        leave_slowly(local, end);
    }
}

fn leave_slowly(local: LocalShard, end: Place) {
    let Some((ended, flow)) = take(local, end) else { return };
    let Some(record) = ended.record() else { return };
    let slow = ended.is_slow();
    flow.note_call(record);
    if slow && ended.marks & WITHIN_ITSELF != 0 {
        add(&record.net_outside_calls, flow.net_bytes.wrapping_neg(), Release);
    } else {
        flow.add_to(record);
    }
    if slow && ended.began != 0 {
        let now = nanoseconds();
        if ended.marks & TIMED != 0 {
            note_time(record, now.saturating_sub(ended.began));
        }
        events::note_ended(local, record, &ended, flow.net_bytes, now);
    }
}

/// Ends an activation wherever it is in the stack. Returns the activation and what it counted.
/// Returns `None` if it isn't in the stack: its guard counts nothing, or the guard outlived the
/// stack of its thread.
fn take(local: LocalShard, end: Place) -> Option<(Activation, Flow)> {
    let all = local.activations();
    all.leave_empty_chunk();
    let mut flow = None;
    // The peaks of inner activations count for this one too.
    let mut peak = i64::MIN;
    for activation in all.iter() {
        if ptr::eq(ptr::from_mut(activation).wrapping_add(1), end) {
            let mut found = Flow::since(local, activation);
            if activation.is_slow() {
                peak = peak.max(activation.seen);
            }
            found.noted_peak = found.noted_peak.max(peak.saturating_sub(activation.live));
            flow = Some(found);
            break;
        }
        peak = peak.max(activation.outer_high_water);
        if activation.is_slow() {
            peak = peak.max(activation.seen);
        }
    }
    let flow = flow?;
    let place = end.wrapping_sub(1);
    // SAFETY: the entry was found in the stack.
    let was = unsafe { *place };
    if all.top.get() == end {
        pop_ended(local);
    } else {
        // SAFETY: as above.
        slow_down(unsafe { &mut *place }).marks |= ENDED;
        // When the activation above this one ends, it must take the slow path, which pops this one
        // too.
        let above = all.iter().take_while(|above| !ptr::eq(ptr::from_ref(*above), place)).last();
        if let Some(above) = above {
            slow_down(above);
        }
    }
    Some((was, flow))
}

/// Ends all operations of a thread that ends.
fn end_all(local: LocalShard) {
    let all = local.activations();
    while all.last().is_some() {
        leave_slowly(local, all.top.get());
    }
    all.clear();
}

/// Pops the innermost activation, and the ones around it whose guards were dropped early.
fn pop_ended(local: LocalShard) {
    let all = local.activations();
    loop {
        let Some(last) = all.last() else { return };
        let (outer_high_water, seen) = (last.outer_high_water, last.is_slow().then_some(last.seen));
        all.leave_empty_chunk();
        all.top.set(all.top.get().wrapping_sub(1));
        if !local.is_unlisted() {
            local.raise_high_water(outer_high_water);
        }
        if let Some(seen) = seen.filter(|seen| *seen > own(&local.high_water)) {
            local.note_peak(seen);
        }
        all.leave_empty_chunk();
        let ended = all.last().is_some_and(|last| last.is_slow() && last.marks & ENDED != 0);
        if !ended {
            return;
        }
    }
}

/// Begins a part of a call, such as a poll of a future. The part is marked as within itself if a
/// call of the same path already runs on this thread.
pub(crate) fn enter_part(path: u32) -> Place {
    if LevelWord::now().is_off() || path == ROOT {
        return INERT;
    }
    let Some(local) = threads::listed() else { return INERT };
    let all = local.activations();
    let Some(record) = local.records().get_or_add(path) else { return INERT };
    let runs = all.runs(record.path);
    let Some(place) = next_entry(local) else { return INERT };
    push_slow(local, place, record, if runs { PART | WITHIN_ITSELF } else { PART })
}

pub(crate) struct Part {
    pub flow: Flow,
    /// Bytes of tensors that the thread of the part reported.
    pub tensors: i64,
    /// True if the part ran within a call of the same path. That call counts the part too.
    pub is_within_itself: bool,
}

/// Ends a part of a call, but not the call. Adds the counts to the path, unless the part ran within
/// a call of the same path. Returns `None` if nothing was counted.
pub(crate) fn leave_part(end: Place) -> Option<Part> {
    let local = threads::local()?;
    let (ended, flow) = take(local, end)?;
    let is_within_itself = ended.marks & WITHIN_ITSELF != 0;
    if !is_within_itself {
        let record = ended.record()?;
        add(&record.net_outside_calls, flow.net_bytes, Release);
        flow.add_to(record);
    }
    let tensors = local.tensors().wrapping_sub(ended.tensors);
    Some(Part { flow, tensors, is_within_itself })
}

pub(crate) fn end_parts(path: u32, whole: Flow) -> Option<(LocalShard, &'static Record)> {
    let local = threads::listed()?;
    let record = local.records().get_or_add(path)?;
    whole.note_call(record);
    add(&record.net_outside_calls, whole.net_bytes.wrapping_neg(), Release);
    Some((local, record))
}

/// A piece of work that is measured until this is dropped.
pub(crate) struct RunningMeasurement {
    local: LocalShard,
    end: Place,
}

impl RunningMeasurement {
    /// Begins a measurement. Returns `None` if the system has no memory.
    pub(crate) fn begin(local: LocalShard) -> Option<Self> {
        let place = next_entry(local)?;
        Some(Self { local, end: push_slow(local, place, ptr::null(), 0) })
    }

    pub(crate) fn end(mut self) -> Flow {
        self.take()
    }

    fn take(&mut self) -> Flow {
        let end = core::mem::replace(&mut self.end, INERT);
        take(self.local, end).map(|(_, flow)| flow).unwrap_or_default()
    }
}

impl Drop for RunningMeasurement {
    fn drop(&mut self) {
        self.take();
    }
}

impl LocalShard {
    /// Notes a peak if there is a new one, and flushes to the process if much was freed.
    pub(crate) fn settle(self) {
        if self.is_unlisted() {
            return;
        }
        let headroom = own(&self.headroom);
        if headroom < 0 {
            self.reset_high_water();
        } else if headroom >= WINDOW {
            self.note_peak(own(&self.high_water));
            self.reset_high_water();
            self.flush();
        }
    }

    /// Notes a peak of the innermost operation that runs, or of the thread if none does.
    pub(crate) fn note_peak(self, peak: i64) {
        if !self.activations().note_peak(peak) {
            self.note_thread_peak(peak);
        }
    }
}

static TIMES: Switch = Switch::off();
pub(crate) static EVENTS: Switch = Switch::off();

/// The mark of a call whose time is recorded when it ends. Smaller marks are above.
pub(crate) const TIMED: u32 = 1 << 3;
/// The mark of a call whose event is kept when it ends.
pub(crate) const EVENT: u32 = 1 << 4;

/// Returns true if a switch is on, so that each call reads the clock.
fn is_any_on() -> bool {
    TIMES.is_on() || EVENTS.is_on()
}

/// Returns the time and the marks of the switches that are on; 0 and no mark if both are off.
pub(crate) fn read_switches() -> (u64, u32) {
    let timed = if TIMES.is_on() { TIMED } else { 0 };
    let kept = if EVENTS.is_on() { EVENT } else { 0 };
    let marks = timed | kept;
    (if marks == 0 { 0 } else { nanoseconds() }, marks)
}

/// Sets whether calls of operations are timed by the wall clock. Timing is off at the start.
///
/// Calls that are already running are not timed. While timing is on, a call costs about 100 ns
/// more.
pub fn set_wall_time(on: bool) {
    time_calls(Party::Program, on);
}

pub(crate) fn time_calls(party: Party, on: bool) {
    TIMES.set(party, on);
    clear_limits();
}

/// Makes every thread check the switches and the level when it next enters an operation.
pub(crate) fn clear_limits() {
    fence(SeqCst);
    for shard in threads::all() {
        PerThread::of(shard).activations.clear_limit();
    }
}

pub(crate) fn note_time(record: &Record, nanoseconds: u64) {
    add_unsigned(&record.timed_calls, 1, Relaxed);
    add_unsigned(&record.nanoseconds, nanoseconds, Relaxed);
    if nanoseconds > record.longest.load(Relaxed) {
        record.longest.store(nanoseconds, Relaxed);
    }
}

pub(crate) fn current_path() -> u32 {
    threads::local().map_or(ROOT, current_operation)
}

pub(crate) fn current_operation(local: LocalShard) -> u32 {
    local.activations().current()
}
