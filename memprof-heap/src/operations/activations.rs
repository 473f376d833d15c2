//! The operations that run on a thread, the innermost last, and what was counted when each began.
#![expect(unsafe_code, reason = "the stack lives outside the heap that is counted")]

use super::paths::{self, ROOT, WITHIN_ITSELF};
use super::records::{Record, add, add_unsigned};
use super::site::OperationSite;
use crate::hook::gate::Gate;
use crate::hook::shard::Mine;
use crate::hook::{process, threads};
use core::cell::Cell;
use core::ptr;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::OnceLock;
use std::time::Instant;

/// The stack of one thread.
pub(crate) struct Activations {
    depth: Cell<u32>,
    /// The path of the innermost one.
    current: Cell<u32>,
    room: Cell<u32>,
    stack: Cell<*mut Activation>,
}

/// An operation that runs. What it counted is what was counted since.
#[derive(Clone, Copy)]
struct Activation {
    allocated_bytes: i64,
    live: i64,
    allocated_blocks: u64,
    freed_blocks: u64,
    /// The peak around it.
    peak_before: i64,
    /// Nanoseconds of the clock when it began; 0 if it isn't timed.
    began: u64,
    path: u32,
    /// Whether its guard is gone while operations within it still run.
    ended: bool,
}

/// Set beside a path's number: the call is timed. No record has such a number, so these calls end
/// in `leave_slowly`, as those do that run within themselves.
const TIMED: u32 = 1 << 30;
/// Set where the guard of the operation around it was dropped first.
const ORPHANED: u32 = 1 << 29;
const MARKS: u32 = WITHIN_ITSELF | TIMED | ORPHANED;

/// The depth of a guard that counts nothing.
pub(super) const INERT: u32 = 0;

static TIMES: AtomicBool = AtomicBool::new(false);

/// Whether calls of operations are timed as well, by the wall clock; off at the start.
///
/// Calls that run already are not. Guards cost some 50 ns more while it is on.
pub fn set_wall_time(on: bool) {
    TIMES.store(on, Relaxed);
    for shard in threads::all() {
        // The thread itself writes this only where it looks at `TIMES` as well.
        shard.fast_depth().store(0, Relaxed);
    }
}

impl Activations {
    pub(crate) const fn new() -> Self {
        Self {
            depth: Cell::new(0),
            current: Cell::new(ROOT),
            room: Cell::new(0),
            stack: Cell::new(ptr::null_mut()),
        }
    }

    #[inline(always)]
    pub(crate) fn current(&self) -> u32 {
        self.current.get()
    }

    /// Forgets what ran on a thread that ended.
    pub(crate) fn clear(&self) {
        self.depth.set(0);
        self.current.set(ROOT);
    }

    /// The activation at an index below `room`.
    #[inline(always)]
    fn at(&self, index: u32) -> *mut Activation {
        self.stack.get().wrapping_add(index as usize)
    }

    fn get(&self, index: u32) -> Activation {
        // SAFETY: callers ask for what is below the depth, which was written.
        unsafe { self.at(index).read() }
    }

    #[inline(always)]
    fn set(&self, index: u32, activation: Activation) {
        // SAFETY: the index is below the room of the stack, and the thread is alone with it.
        unsafe { self.at(index).write(activation) };
    }

    /// Makes room for one more; false where the system has no memory.
    fn make_room(&self) -> bool {
        const FIRST: u32 = 32;
        let room = self.room.get();
        if self.depth.get() < room {
            return true;
        }
        let more = room.saturating_mul(2).max(FIRST);
        let (Ok(old), Ok(new)) = (layout(room), layout(more)) else { return false };
        let memory = if room == 0 {
            // SAFETY: the layout is not empty.
            unsafe { System.alloc(new) }
        } else {
            // SAFETY: the stack was allocated with the old layout; the new size is not 0.
            unsafe { System.realloc(self.stack.get().cast(), old, new.size()) }
        };
        if memory.is_null() {
            return false;
        }
        self.stack.set(memory.cast());
        self.room.set(more);
        true
    }
}

fn layout(room: u32) -> Result<Layout, core::alloc::LayoutError> {
    Layout::array::<Activation>(room as usize)
}

/// Begins an operation on the current thread. Returns the depth that `leave` needs.
#[inline]
pub(super) fn enter(site: &'static OperationSite) -> u32 {
    if Gate::now().is_off() {
        return INERT;
    }
    let mine = threads::current();
    let all = mine.activations();
    let depth = all.depth.get();
    if depth >= mine.shard().fast_depth().load(Relaxed) {
        return enter_slowly(site);
    }
    let Some(path) = site.last_from(all.current.get()) else { return enter_slowly(site) };
    push(mine, path, 0)
}

#[inline(always)]
fn push(mine: Mine, path: u32, began: u64) -> u32 {
    let all = mine.activations();
    let depth = all.depth.get();
    let activation = Activation {
        allocated_bytes: mine.allocated_bytes(),
        live: mine.live(),
        allocated_blocks: mine.allocated_blocks(),
        freed_blocks: mine.freed_blocks(),
        peak_before: mine.watch_peak(),
        began,
        path,
        ended: false,
    };
    all.set(depth, activation);
    all.current.set(path & !MARKS);
    all.depth.set(depth + 1);
    depth + 1
}

#[cold]
#[inline(never)]
fn enter_slowly(site: &'static OperationSite) -> u32 {
    let Some(mine) = threads::mine() else { return INERT };
    let from = mine.activations().current();
    let path = site.last_from(from).unwrap_or_else(|| {
        let path = paths::path_to(from, site);
        site.remember(from, path);
        path
    });
    enter_path(mine, path)
}

/// Begins a part of an operation, such as a poll of a future. It runs within itself if its path
/// runs on this thread already.
pub(super) fn enter_part(path: u32) -> u32 {
    let Some(mine) = threads::mine() else { return INERT };
    if Gate::now().is_off() || path == ROOT {
        return INERT;
    }
    let all = mine.activations();
    let runs = (0..all.depth.get()).any(|index| all.get(index).path & !MARKS == path);
    enter_path(mine, if runs { path | WITHIN_ITSELF } else { path })
}

/// Begins an operation whose path is known, marks included.
fn enter_path(mine: Mine, path: u32) -> u32 {
    let all = mine.activations();
    if !all.make_room() {
        return INERT;
    }
    let times = TIMES.load(Relaxed);
    mine.shard().fast_depth().store(if times { 0 } else { all.room.get() }, Relaxed);
    if times { push(mine, path | TIMED, nanoseconds()) } else { push(mine, path, 0) }
}

/// Ends an operation of the current thread.
#[inline]
pub(super) fn leave(depth: u32) {
    let mine = threads::current();
    let all = mine.activations();
    if depth == INERT || all.depth.get() != depth {
        leave_slowly(depth);
        return;
    }
    let activation = all.get(depth - 1);
    let Some(record) = mine.shard().records().get(activation.path) else {
        leave_slowly(depth);
        return;
    };
    let flow = Flow::since(mine, activation);
    mine.unwatch_peak(activation.peak_before);
    flow.add_to(record);
    add_unsigned(&record.calls, 1);
    note_call(mine, record, flow);
    pop(all, depth);
}

#[inline(always)]
fn pop(all: &Activations, depth: u32) {
    let below = depth - 1;
    all.depth.set(below);
    let outer = if below == 0 { ROOT } else { all.get(below - 1).path & !MARKS };
    all.current.set(outer);
}

/// Bytes and blocks that an operation counted, or a part of it.
#[derive(Clone, Copy, Default)]
pub(super) struct Flow {
    pub(super) allocated_bytes: i64,
    pub(super) freed_bytes: i64,
    pub(super) allocated_blocks: u64,
    pub(super) freed_blocks: u64,
    /// Above what was live when it began.
    pub(super) peak: i64,
}

impl Flow {
    #[inline(always)]
    fn since(mine: Mine, start: Activation) -> Self {
        let allocated_bytes = mine.allocated_bytes().wrapping_sub(start.allocated_bytes);
        let net = mine.live().wrapping_sub(start.live);
        Self {
            allocated_bytes,
            freed_bytes: allocated_bytes.wrapping_sub(net),
            allocated_blocks: mine.allocated_blocks().wrapping_sub(start.allocated_blocks),
            freed_blocks: mine.freed_blocks().wrapping_sub(start.freed_blocks),
            peak: mine.peak().wrapping_sub(start.live),
        }
    }

    #[inline(always)]
    pub(super) fn net(self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.freed_bytes)
    }

    #[inline(always)]
    fn add_to(self, record: &Record) {
        add(&record.allocated_bytes, self.allocated_bytes);
        add(&record.freed_bytes, self.freed_bytes);
        add_unsigned(&record.allocated_blocks, self.allocated_blocks);
        add_unsigned(&record.freed_blocks, self.freed_blocks);
    }
}

/// Notes what a call was at most, and what the process held after it.
#[inline(always)]
fn note_call(mine: Mine, record: &Record, flow: Flow) {
    let after = process::live().wrapping_add(mine.untold());
    if flow.net() > record.largest.load(Relaxed) {
        if record.largest.load(Relaxed) == i64::MIN {
            record.before.store(after.wrapping_sub(flow.net()), Relaxed);
        }
        record.largest.store(flow.net(), Relaxed);
    }
    if flow.peak > record.peak.load(Relaxed) {
        record.peak.store(flow.peak, Relaxed);
    }
    record.after.store(after, Relaxed);
}

#[cold]
#[inline(never)]
fn leave_slowly(depth: u32) {
    let Some(mine) = threads::mine() else { return };
    let all = mine.activations();
    // A guard that counts nothing, or one that outlived its thread's shard.
    if depth == INERT || depth > all.depth.get() {
        return;
    }
    let flow = end(mine, depth);
    let activation = all.get(depth - 1);
    let path = activation.path & !MARKS;
    if let Some(record) = mine.shard().records().get_or_add(path) {
        // What runs within itself is counted further out.
        if activation.path & WITHIN_ITSELF == 0 {
            flow.add_to(record);
        }
        add_unsigned(&record.calls, 1);
        note_call(mine, record, flow);
        if activation.path & TIMED != 0 {
            note_time(record, nanoseconds().saturating_sub(activation.began));
        }
    }
}

/// Ends an activation wherever it is in the stack, and returns what it counted.
fn end(mine: Mine, depth: u32) -> Flow {
    let all = mine.activations();
    let mut ended = all.get(depth - 1);
    let mut flow = Flow::since(mine, ended);
    if depth == all.depth.get() {
        mine.unwatch_peak(ended.peak_before);
        let mut below = depth;
        pop(all, below);
        // Those around it whose guards were dropped first.
        while below > 1 && all.get(below - 2).ended {
            below -= 1;
            mine.unwatch_peak(all.get(below - 1).peak_before);
            pop(all, below);
        }
        return flow;
    }
    // The guard is dropped before those within it, which still watch their own peaks: its own is
    // also what each of them found when it began.
    for index in depth..all.depth.get() {
        let peak = all.get(index).peak_before.wrapping_sub(ended.live);
        flow.peak = flow.peak.max(peak);
    }
    ended.ended = true;
    all.set(depth - 1, ended);
    let mut within = all.get(depth);
    within.path |= ORPHANED;
    all.set(depth, within);
    flow
}

fn note_time(record: &Record, nanoseconds: u64) {
    add_unsigned(&record.timed_calls, 1);
    add_unsigned(&record.nanoseconds, nanoseconds);
    if nanoseconds > record.longest.load(Relaxed) {
        record.longest.store(nanoseconds, Relaxed);
    }
}

/// Ends a part of an operation, such as a poll of a future: what it counted is added to the path,
/// but the call isn't over. `None` if nothing was counted.
pub(super) fn leave_part(depth: u32) -> Option<Flow> {
    let mine = threads::mine()?;
    let all = mine.activations();
    if depth == INERT || depth > all.depth.get() {
        return None;
    }
    let path = all.get(depth - 1).path;
    let flow = end(mine, depth);
    if path & WITHIN_ITSELF == 0 {
        flow.add_to(mine.shard().records().get_or_add(path & !MARKS)?);
    }
    Some(flow)
}

/// Notes a call that was counted in parts.
pub(super) fn end_parts(path: u32, whole: Flow, nanoseconds: Option<u64>) {
    let Some(mine) = threads::mine() else { return };
    let Some(record) = mine.shard().records().get_or_add(path) else { return };
    add_unsigned(&record.calls, 1);
    note_call(mine, record, whole);
    if let Some(nanoseconds) = nanoseconds {
        note_time(record, nanoseconds);
    }
}

pub(super) fn times() -> bool {
    TIMES.load(Relaxed)
}

/// Nanoseconds since the first call was timed, at least 1.
pub(super) fn nanoseconds() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let since = FIRST.get_or_init(Instant::now).elapsed().as_nanos();
    u64::try_from(since).unwrap_or(u64::MAX).max(1)
}
