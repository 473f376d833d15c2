//! The beginning and the end of operations. All that the thread counts in between belongs to the
//! operation.
//!
//! `enter` and `leave` run for every call, so each of their instructions matters. An activation
//! whose end needs more than counting has `SLOW` as its record: for example, if it is timed or
//! recurses, or if its guard was dropped early.
#![expect(unsafe_code, reason = "positions on the stack are pointers")]

use super::events;
use super::flow::Flow;
use super::paths::{self, ROOT};
use super::records::{Record, SLOW};
use super::site::OperationSite;
use super::stack::{Activation, ENDED, INERT, PART, Place, WITHIN_ITSELF, slow_down};
use super::{switches, time};
use crate::base::clock;
use crate::base::level_word::LevelWord;
use crate::thread::shard::LocalShard;
use crate::thread::threads;
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;

/// Begins an operation on the current thread.
#[inline]
pub(super) fn enter(site: &'static OperationSite) -> Place {
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
    let unallocated_bytes = local.unallocated_bytes();
    // Read both before writing either, so that the compiler copies the two at once.
    let (allocated_blocks, freed_blocks) = (local.allocated_blocks(), local.freed_blocks());
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
    if is_within_itself || switches::is_any_on() {
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

/// Returns the entry for one more activation. Returns `None` if the system has no memory.
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
        let (live, unallocated_bytes) = (local.live(), local.unallocated_bytes());
        // SAFETY: as in `push`.
        let activation = unsafe { &mut *place };
        activation.unallocated_bytes = unallocated_bytes;
        activation.live = live;
        activation.allocated_blocks = local.allocated_blocks();
        activation.freed_blocks = local.freed_blocks();
        activation.outer_high_water = i64::MIN;
        local.activations().top.set(place.wrapping_add(1));
        place.wrapping_add(1)
    } else {
        push(local, place, real)
    };
    // SAFETY: as in `push`.
    let activation = unsafe { &mut *place };
    activation.record = &raw const SLOW;
    activation.real = real;
    activation.seen = i64::MIN;
    let (began, switches) = switches::begin();
    activation.began = began;
    activation.tensors = local.tensors();
    activation.marks = marks | switches;
    end
}

/// Ends an operation of the current thread.
#[inline]
pub(super) fn leave(end: Place) {
    let local = threads::current();
    let all = local.activations();
    if all.top.get() != end {
        leave_slowly_here(end);
        return;
    }
    let place = end.wrapping_sub(1);
    // SAFETY: the top of the stack is the end of an activation, because a guard was made for it.
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
    if !slow || ended.marks & WITHIN_ITSELF == 0 {
        flow.add_to(record);
    }
    flow.note_call(record);
    if slow && ended.began != 0 {
        let now = clock::nanoseconds();
        time::note_ended(record, &ended, now);
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
        if local.is_unlisted() {
            all.free_if_empty();
        }
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
        if let Some(seen) = seen.filter(|seen| *seen > local.high_water()) {
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
pub(super) fn enter_part(path: u32) -> Place {
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

/// The counts of a part of a call.
pub(super) struct Part {
    pub(super) flow: Flow,
    /// Bytes of tensors that the thread of the part reported.
    pub(super) tensors: i64,
    /// True if the part ran within a call of the same path. That call counts the part too.
    pub(super) is_within_itself: bool,
}

/// Ends a part of a call, but not the call. Adds the counts to the path, unless the part ran within
/// a call of the same path. Returns `None` if nothing was counted.
pub(super) fn leave_part(end: Place) -> Option<Part> {
    let local = threads::local()?;
    let (ended, flow) = take(local, end)?;
    let is_within_itself = ended.marks & WITHIN_ITSELF != 0;
    if !is_within_itself {
        flow.add_to(ended.record()?);
    }
    let tensors = local.tensors().wrapping_sub(ended.tensors);
    Some(Part { flow, tensors, is_within_itself })
}

/// Records a call that was counted in parts.
pub(super) fn end_parts(path: u32, whole: Flow) -> Option<(LocalShard, &'static Record)> {
    let local = threads::listed()?;
    let record = local.records().get_or_add(path)?;
    whole.note_call(record);
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

    /// Returns what was counted since the measurement began.
    pub(crate) fn end(mut self) -> Flow {
        self.take()
    }

    fn take(&mut self) -> Flow {
        let end = core::mem::replace(&mut self.end, INERT);
        take(self.local, end).map(|(_, flow)| flow).unwrap_or_default()
    }
}

impl Drop for RunningMeasurement {
    /// Ends the measurement, even if the work panicked.
    fn drop(&mut self) {
        self.take();
    }
}
