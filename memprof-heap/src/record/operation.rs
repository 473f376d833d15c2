//! Operations: names for the program's work, and their beginning and end on a thread.
//!
//! All that the thread counts in between belongs to the operation. `enter` and `leave` run for every
//! call, so each of their instructions matters. They only copy the thread's counts to a
//! [stack](super::running) and add the differences to a [record](super::paths) at the end. An
//! activation whose end needs more than counting has `SLOW` as its record: for example, if it is timed
//! or recurses, or if its guard was dropped early.
#![expect(unsafe_code, reason = "positions on the stack are pointers")]

use crate::record::callbacks::{Party, Switch};
use crate::record::counters::{WINDOW, add_unsigned};
use crate::record::level::LevelWord;
use crate::record::paths::{self, ROOT, Record, SLOW};
use crate::record::running::{
    Activation, ENDED, Flow, INERT, PART, PerThread, Place, WITHIN_ITSELF, slow_down,
};
use crate::record::shard::LocalShard;
use crate::record::system::nanoseconds;
use crate::record::{events, threads};
use core::marker::PhantomData;
use core::ptr;
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::fence;

/// The number of entries of the cache of inner operations in each record.
pub(crate) const CHILDREN: usize = 4;

/// An operation in the source of the program: its name and location.
///
/// `operation!` creates one for each location. Create one by hand for names that come from
/// elsewhere, such as the spans of another crate.
///
/// ```
/// use memprof::heap::operation::OperationSite;
///
/// static PARSE: OperationSite = OperationSite::new("parse", file!(), line!());
///
/// let guard = PARSE.enter();
/// assert_eq!(PARSE.name(), "parse");
/// # drop(guard);
/// ```
#[derive(Debug)]
pub struct OperationSite {
    name: &'static str,
    file: &'static str,
    line: u32,
}

impl OperationSite {
    /// Creates an operation with this name at a location in the source.
    pub const fn new(name: &'static str, file: &'static str, line: u32) -> Self {
        Self { name, file, line }
    }

    /// Returns the name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the file that names the operation.
    pub fn file(&self) -> &'static str {
        self.file
    }

    /// Returns the line that names the operation.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Returns the entry for this operation in the caches of records. It is known at compile time.
    /// Operations on adjacent lines have different entries, so they don't replace each other.
    #[inline(always)]
    pub(crate) const fn child(&self) -> usize {
        self.line as usize % CHILDREN
    }
}

/// Names the work from here to the end of the scope. The macro returns a guard, which counts what
/// the work allocates.
///
/// The counts of an operation within another one are part of the outer operation's counts too. Each
/// path of names is counted by itself. An operation within itself, at any depth, has the path of
/// the outer call. The cost is low enough for functions that are called a million times a second.
///
/// ```
/// use memprof::heap::{operations, Level};
/// use memprof::{operation, Allocator};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// fn load() -> Vec<String> {
///     let _operation = operation!("load");
///     (0..1000).map(|row| format!("row {row}")).collect()
/// }
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// let rows = load();
/// let operations = operations()?;
/// let load = operations.find("load").expect("it ran");
/// assert_eq!(load.calls, 1);
/// assert!(load.allocated_blocks >= 1001);
/// assert!(load.net_bytes() >= 24 * 1000);
/// # drop(rows);
/// # Ok(())
/// # }
/// ```
///
/// Keep the guard in a variable: `let _ = operation!("load")` ends the operation at once. The guard
/// belongs to its thread. For work that awaits, use [`TrackFuture`](crate::operation::TrackFuture).
///
/// # Cost
/// `docs/performance.md` has the instructions. No lock is taken, and only the first call on a
/// thread allocates.
#[macro_export]
macro_rules! operation {
    ($name:expr $(,)?) => {{
        static OPERATION: $crate::operation::OperationSite =
            $crate::operation::OperationSite::new($name, ::core::file!(), ::core::line!());
        OPERATION.enter()
    }};
}

/// An operation that runs until this is dropped. [`operation!`](macro@crate::operation) creates it.
///
/// The guard belongs to the thread that made it. Guards may be dropped in any order. Until the
/// outer one is dropped, it also counts everything that the inner one counts. An operation whose
/// guard is forgotten runs until its thread ends.
#[derive(Debug)]
#[must_use = "the operation ends when the guard is dropped: `let _operation = …`"]
pub struct OperationGuard {
    end: OnOneThread,
}

/// A pointer to the end of the operation's entry on its thread's stack. It is not `Send`, because
/// the entry stays on its thread. If code sends the guard, the compiler's message states what to do
/// instead.
#[derive(Debug)]
struct OnOneThread<T = ()>(Place, PhantomData<*const T>);

// SAFETY: no type implements the bound, and no type outside this module can. So nothing becomes
// `Send`.
unsafe impl<T: OperationAcrossAwait> Send for OnOneThread<T> {}

/// A bound that no type meets. It exists only for the compiler's message.
#[diagnostic::on_unimplemented(
    message = "the guard of `operation!` cannot be held over an `.await` or sent to another thread",
    label = "a guard counts what its own thread allocates",
    note = "to count an `async fn`, put `#[memprof::track]` on it; to count another future, call `.track(…)` of `memprof::heap::operation::TrackFuture` on it"
)]
trait OperationAcrossAwait {}

impl OperationSite {
    /// Begins the operation on the current thread. It does the same as
    /// [`operation!`](macro@crate::operation), but for this site.
    #[inline]
    pub fn enter(&'static self) -> OperationGuard {
        OperationGuard { end: OnOneThread(enter(self), PhantomData) }
    }
}

impl Drop for OperationGuard {
    #[inline]
    fn drop(&mut self) {
        leave(self.end.0);
    }
}

/// Begins an operation on the current thread.
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
    let unallocated_bytes = local.unallocated();
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
        let (live, unallocated_bytes) = (local.live(), local.unallocated());
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
    let (began, switches) = read_switches();
    activation.began = began;
    activation.tensors = local.tensors();
    activation.marks = marks | switches;
    end
}

/// Ends an operation of the current thread.
#[inline]
pub(crate) fn leave(end: Place) {
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
        let now = nanoseconds();
        note_time_ended(record, &ended, now);
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

/// The counts of a part of a call.
pub(crate) struct Part {
    pub(crate) flow: Flow,
    /// Bytes of tensors that the thread of the part reported.
    pub(crate) tensors: i64,
    /// True if the part ran within a call of the same path. That call counts the part too.
    pub(crate) is_within_itself: bool,
}

/// Ends a part of a call, but not the call. Adds the counts to the path, unless the part ran within
/// a call of the same path. Returns `None` if nothing was counted.
pub(crate) fn leave_part(end: Place) -> Option<Part> {
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
pub(crate) fn end_parts(path: u32, whole: Flow) -> Option<(LocalShard, &'static Record)> {
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

impl LocalShard {
    /// Notes a peak if there is a new one, and flushes to the process if much was freed.
    pub(crate) fn settle(self) {
        if self.is_unlisted() {
            return;
        }
        let headroom = self.headroom();
        if headroom < 0 {
            self.reset_high_water();
        } else if headroom >= WINDOW {
            self.note_peak(self.high_water());
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

/// The switch for timing calls.
static TIMES: Switch = Switch::off();
/// The switch for keeping events of calls.
pub(crate) static EVENTS: Switch = Switch::off();

/// The mark of a call whose time is recorded when it ends. Smaller marks belong to `stack`.
pub(crate) const TIMED: u32 = 1 << 3;
/// The mark of a call whose event is kept when it ends.
pub(crate) const EVENT: u32 = 1 << 4;

/// Returns true if a switch is on, so that each call reads the clock.
pub(crate) fn is_any_on() -> bool {
    TIMES.is_on() || EVENTS.is_on()
}

/// Returns the time at which a call begins and the marks of the switches that are on; 0 and no mark
/// if both are off.
pub(crate) fn read_switches() -> (u64, u32) {
    let timed = if TIMES.is_on() { TIMED } else { 0 };
    let kept = if EVENTS.is_on() { EVENT } else { 0 };
    let marks = timed | kept;
    (if marks == 0 { 0 } else { nanoseconds() }, marks)
}

/// Sets whether calls of operations are timed by the wall clock. Timing is off at the start.
///
/// Calls that already run are not timed. While timing is on, a call costs about 100 ns more.
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

/// Records the time of an activation that ended, if it is timed.
fn note_time_ended(record: &Record, was: &Activation, ended: u64) {
    if was.marks & TIMED != 0 {
        note_time(record, ended.saturating_sub(was.began));
    }
}

/// Records the time of a call.
pub(crate) fn note_time(record: &Record, nanoseconds: u64) {
    add_unsigned(&record.timed_calls, 1, Relaxed);
    add_unsigned(&record.nanoseconds, nanoseconds, Relaxed);
    if nanoseconds > record.longest.load(Relaxed) {
        record.longest.store(nanoseconds, Relaxed);
    }
}

/// Returns the number of the path that runs on the thread.
pub(crate) fn current_operation(local: LocalShard) -> u32 {
    local.activations().current()
}
