//! Single calls of operations: each that ends while events are on is kept until somebody takes it.
//!
//! A thread keeps its events in a ring of its own, which is there for the next thread when it ends;
//! so there are as many rings as ever were threads at once that had events.

pub(super) mod kept;
mod ring;

use super::paths::PathId;
use super::per_thread::PerThread;
use super::records::Record;
use super::stack::{Activation, WITHIN_ITSELF};
use super::switches::{EVENT, EVENTS};
use super::tensors::tensors_were_reported;
use super::time;
use crate::base::clock;
use crate::base::fork_lock::{FREE, ForkLock};
use crate::base::party::Party;
use crate::base::sync::Ordering::Relaxed;
use crate::base::sync::{AtomicU32, AtomicU64};
use crate::thread::shard::Mine;
use crate::thread::{counted, process, shards, wake};
use kept::KEPT;
use ring::Entry;

/// A call of an operation that has ended.
///
/// What it changed is what its thread allocated less what it freed meanwhile, operations within it
/// included; of a future, what its polls did, on whatever threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperationEvent {
    /// Which operation; [`operation_path`](crate::operation_path) has its names.
    pub path: PathId,
    /// The thread on which it ended, numbered as in [`ThreadTotals`](crate::ThreadTotals).
    pub thread: u32,
    /// When it began, by [`event_clock`]: of a future, when it was first polled.
    pub start_ns: u64,
    /// When it ended, by the same clock.
    pub end_ns: u64,
    /// Bytes that it allocated less bytes that it freed.
    pub delta_bytes: i64,
    /// Bytes live in the process before it: those after it less what it changed, above those that
    /// were live when counting began.
    pub live_before: i64,
    /// Bytes live in the process when it had ended, above those that were live when counting began.
    /// With more than 16 threads it may be off by 64 KiB for each.
    pub live_after: i64,
    /// Bytes of tensors that were made less those dropped meanwhile, as a framework's wrapper
    /// reports by [`tensor_created`](crate::framework::tensor_created). `None` where no wrapper has
    /// ever reported one.
    pub tensor_delta_bytes: Option<i64>,
    /// Whether its operation ran around it already: what it changed is part of what that call did.
    /// The others of a path add up to what [`operations`](crate::operations()) has of it.
    pub is_within_itself: bool,
}

/// What [`drain_operation_events`] found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DrainedEvents {
    /// Events that were handed over.
    pub taken: u64,
    /// Events that found no room since the last time, and are missing.
    pub dropped: u64,
}

/// Events of threads that have no ring: they end, or there was no memory for one.
static LOST: AtomicU64 = AtomicU64::new(0);
/// Held by the thread that takes events.
static DRAIN: ForkLock = ForkLock { owner: AtomicU32::new(FREE) };

/// Keeps each call of an operation as an [`OperationEvent`], from here on, or no longer.
///
/// Of calls that run already there is no event. Each thread keeps 1,024 that nobody has
/// [taken](drain_operation_events); what comes then is counted as dropped.
///
/// ```
/// use memprof_heap::{
///     Allocator, Level, drain_operation_events, operation, operation_path, set_operation_events,
/// };
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() {
/// set_operation_events(true);
/// let rows = {
///     let _operation = operation!("load");
///     vec![0_u8; 1000]
/// };
/// set_operation_events(false);
///
/// let mut events = Vec::new();
/// let drained = drain_operation_events(|event| events.push(event));
/// assert_eq!((drained.taken, drained.dropped), (1, 0));
/// let path = operation_path(events[0].path).expect("it has a path");
/// assert_eq!((path.names.as_slice(), events[0].delta_bytes), (["load"].as_slice(), 1000));
/// assert!(events[0].start_ns <= events[0].end_ns);
/// # drop(rows);
/// # }
/// ```
///
/// # Cost
/// Off, nothing. On, a call reads the clock twice and asks each thread what it holds; the first on a
/// thread takes 48 KiB from the system, which the thread's place keeps.
pub fn set_operation_events(on: bool) {
    keep_events(Party::Program, on);
}

pub(crate) fn keep_events(party: Party, on: bool) {
    // It begins now, not in whoever ends a call.
    clock::nanoseconds();
    EVENTS.set(party, on);
    time::all_look_again();
}

/// Takes all events that were kept, each once: those of one thread in the order in which they
/// ended, one thread after the other.
///
/// Any thread may, one at a time: while another is here, nothing is taken and nothing is counted as
/// dropped. What `take` allocates counts as usual; [`unrecorded`](crate::unrecorded) work is left out
/// of samples. A call that ends meanwhile is for the next time.
///
/// # Panics
/// If `take` does; the event it was given is gone, the others stay.
pub fn drain_operation_events(mut take: impl FnMut(OperationEvent)) -> DrainedEvents {
    // A child may take a lock that a fork left behind: a ring's reader goes on by a single store.
    let Some(_held) = DRAIN.try_lock() else { return DrainedEvents::default() };
    let mut drained = DrainedEvents { taken: 0, dropped: LOST.swap(0, Relaxed) };
    for ring in shards::all().filter_map(|shard| PerThread::of(shard).events.ring()) {
        let end = ring.end();
        while let Some(entry) = ring.pop(end) {
            drained.taken += 1;
            take(read(entry));
        }
        drained.dropped += ring.newly_dropped();
    }
    drained
}

/// Nanoseconds of the clock that events have their moments from: monotonic, one for the process.
///
/// ```
/// use memprof_heap::event_clock;
///
/// let before = event_clock();
/// assert!(before <= event_clock());
/// ```
pub fn event_clock() -> u64 {
    clock::nanoseconds()
}

/// Keeps the event of a call that ended on this thread.
pub(super) fn note(mine: Mine, path: u32, call: Call) {
    let live = process::live_at(mine).wrapping_sub(counted::live_at_begin());
    let kept = (!mine.is_late()).then(|| mine.events().ring_or_new()).flatten().map(|ring| {
        let tensors = if tensors_were_reported() { call.tensors } else { UNKNOWN };
        ring.push([
            u64::from(path) | u64::from(mine.shard().thread()) << 32 | call.mark(),
            call.began,
            call.ended,
            call.delta.cast_unsigned(),
            live.cast_unsigned(),
            tensors.cast_unsigned(),
        ])
    });
    match kept {
        // Full, and nobody has come at half: once more.
        Some(Some(kept)) if kept == KEPT / 2 || kept == KEPT => wake::events_wait(),
        Some(_) => {}
        None => {
            LOST.fetch_add(1, Relaxed);
        }
    }
}

/// A call that ended, for its event.
#[derive(Clone, Copy)]
pub(super) struct Call {
    pub(super) began: u64,
    pub(super) ended: u64,
    pub(super) delta: i64,
    pub(super) tensors: i64,
    pub(super) is_within_itself: bool,
}

/// A sum of tensors that nobody has reported.
const UNKNOWN: i64 = i64::MIN;
/// Above any path's number.
const IS_WITHIN_ITSELF: u64 = 1 << 31;

impl Call {
    fn mark(self) -> u64 {
        if self.is_within_itself { IS_WITHIN_ITSELF } else { 0 }
    }
}

fn read([what, began, ended, delta, live, tensors]: Entry) -> OperationEvent {
    let (delta, live_after) = (delta.cast_signed(), live.cast_signed());
    OperationEvent {
        path: PathId((what & (IS_WITHIN_ITSELF - 1)) as u32),
        thread: (what >> 32) as u32,
        start_ns: began,
        end_ns: ended,
        delta_bytes: delta,
        live_before: live_after.wrapping_sub(delta),
        live_after,
        tensor_delta_bytes: Some(tensors.cast_signed()).filter(|tensors| *tensors != UNKNOWN),
        is_within_itself: what & IS_WITHIN_ITSELF != 0,
    }
}

/// Keeps the event of an activation that ended, if it is to have one.
pub(super) fn note_ended(mine: Mine, record: &Record, was: &Activation, net: i64, ended: u64) {
    if was.marks & EVENT != 0 {
        let tensors = mine.tensors().wrapping_sub(was.tensors);
        let is_within_itself = was.marks & WITHIN_ITSELF != 0;
        let call = Call { began: was.began, ended, delta: net, tensors, is_within_itself };
        note(mine, record.path, call);
    }
}
