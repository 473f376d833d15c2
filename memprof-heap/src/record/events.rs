//! Events of individual calls of operations. While events are on, each call that ends is kept until
//! a caller drains it.
//!
//! Each thread keeps its events in a ring of its own. When the thread ends, a later thread takes
//! over the ring. So there are at most as many rings as threads with events that ran at the same
//! time. The name of a thread is an entry before the thread's first event. So it is read on its own
//! thread, and a drain returns it even if the thread has ended by then.
#![expect(unsafe_code, reason = "rings live outside the heap that is counted")]

use crate::record::callbacks::{self, Party};
use crate::record::fork_lock::{FREE, ForkLock};
use crate::record::operation::tensors_were_reported;
use crate::record::paths::{PathId, ROOT, Record};
use crate::record::ring::{Entry, Place, Ring, Space, WORDS};
use crate::record::running::{self, Activation, EVENT, EVENTS, PerThread, WITHIN_ITSELF};
use crate::record::sync::Ordering::{Acquire, Relaxed, Release};
use crate::record::sync::{AtomicPtr, AtomicU32, AtomicU64};
use crate::record::system::{self, NAME_BYTES, Name};
use crate::record::threads::LocalShard;
use crate::record::{fork, process, threads};

/// A finished call of an operation.
///
/// `net_bytes` is what the thread allocated minus what it freed during the call, including nested
/// operations. For a future, it is what the polls allocated minus what they freed, on any thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperationEvent {
    /// The path of the operation; [`operation_path`](crate::operation::operation_path) returns its
    /// names.
    pub path: PathId,
    /// The thread on which the call ended, numbered as in [`ThreadTotals`](crate::ThreadTotals).
    pub thread: u32,
    /// The time at which the call began, by [`event_clock`]. For a future, the time at which it was
    /// first polled.
    pub start_ns: u64,
    /// The time at which the call ended, by the same clock.
    pub end_ns: u64,
    /// Bytes that the call allocated minus bytes that it freed.
    pub net_bytes: i64,
    /// Bytes live in the process before the call: `live_after` minus `net_bytes`. Like
    /// `live_after`, it is relative to what was live when counting began.
    pub live_before: i64,
    /// Bytes live in the process after the call, minus those that were live when counting began.
    /// With more than 16 threads it may be off by 64 KiB per thread, and by a larger block that
    /// another thread has just freed.
    pub live_after: i64,
    /// Bytes of tensors created minus bytes of tensors dropped during the call. A framework's
    /// wrapper reports them by [`tensor_created`](crate::event::tensor_created). `None` if no
    /// wrapper has ever reported one.
    pub tensor_net_bytes: Option<i64>,
    /// True if the operation was already running when this call began. The outer call of the
    /// operation counts the changes of this call too. So if you add up the events of a path, leave
    /// out those for which this is true. The sum is what [`operations`](crate::operations())
    /// reports for that path.
    pub is_within_itself: bool,
}

/// The result of [`drain_operation_events`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DrainedEvents {
    /// The number of events with which `take` was called.
    pub taken: u64,
    /// The number of events that were lost since the last drain, because there was no space for
    /// them.
    pub dropped: u64,
}

/// Events lost because a thread was ending, or because there was no memory for its ring.
static LOST: AtomicU64 = AtomicU64::new(0);
static DRAIN: ForkLock = ForkLock { owner: AtomicU32::new(FREE) };

/// Sets whether calls of operations are kept as [`OperationEvent`]s from now on.
///
/// Calls that are already running get no event. Each thread keeps at most 8,191 events that were
/// not yet [drained](drain_operation_events). Later ones are counted as dropped.
///
/// ```
/// use memprof::heap::event::{drain_operation_events, set_operation_events};
/// use memprof::heap::operation::operation_path;
/// use memprof::heap::Level;
/// use memprof::{operation, Allocator};
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
/// assert_eq!((path.names.as_slice(), events[0].net_bytes), (["load"].as_slice(), 1000));
/// assert!(events[0].start_ns <= events[0].end_ns);
/// # drop(rows);
/// # }
/// ```
///
/// # Cost
/// While events are off, calls cost nothing extra. While events are on, a call reads the clock
/// twice and reads the live bytes of the threads. The first call on a thread takes 48 KiB from the
/// system, which later threads reuse. Every 1,024 events that wait to be drained take as much
/// again.
pub fn set_operation_events(on: bool) {
    keep_events(Party::Program, on);
}

pub(crate) fn keep_events(party: Party, on: bool) {
    // Start the clock now, not at the end of some call.
    system::nanoseconds();
    if on {
        begin();
    }
    EVENTS.set(party, on);
    running::clear_limits();
}

/// Calls `take` once with each event that was kept, one thread after the other. The events of a
/// thread are in the order in which their calls ended.
///
/// Any thread may call this. While another thread runs this function, the call takes no events and
/// counts none as dropped. Allocations of `take` count as usual;
/// [`unrecorded`](crate::hooks::unrecorded) work is not sampled. A call that ends during the drain
/// may be left for the next drain.
///
/// # Panics
/// Panics if `take` panics. The event that `take` got is lost; the others stay.
pub fn drain_operation_events(take: impl FnMut(OperationEvent)) -> DrainedEvents {
    drain_with_thread_names(take, drop)
}

/// Drains like [`drain_operation_events`], and calls `name` with the name of each thread before
/// `take` gets the first event of that thread.
///
/// After each call of [`set_operation_events`]`(true)`, each name is returned once. Like an event,
/// it is returned to the first caller that drains it.
///
/// ```
/// use memprof::heap::event::{drain_with_thread_names, set_operation_events};
/// use memprof::heap::Level;
/// use memprof::{operation, Allocator};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() {
/// set_operation_events(true);
/// let thread = std::thread::Builder::new().name("loader".to_owned());
/// let work = thread.spawn(|| drop(operation!("load"))).expect("it starts");
/// work.join().expect("it ends");
///
/// let mut names = Vec::new();
/// drain_with_thread_names(drop, |thread| names.push(thread.name));
/// # if cfg!(any(target_os = "linux", target_vendor = "apple", windows)) {
/// assert_eq!(names, ["loader"]);
/// # }
/// # }
/// ```
///
/// # Panics
/// Panics if `take` or `name` panics. The event or name that it got is lost; the others stay.
pub fn drain_with_thread_names(
    mut take: impl FnMut(OperationEvent),
    mut name: impl FnMut(ThreadName),
) -> DrainedEvents {
    // A forked child may take a lock that its parent held. That is sound, because a ring's reader
    // advances by a single store.
    fork::check();
    let Some(_held) = DRAIN.try_lock() else { return DrainedEvents::default() };
    let mut drained = DrainedEvents { taken: 0, dropped: LOST.swap(0, Relaxed) };
    for kept in threads::all().filter_map(|shard| PerThread::of(shard).events.kept()) {
        let end = kept.ring.end();
        while let Some(entry) = kept.ring.pop(end) {
            if let Some(thread) = read_name(&entry) {
                name(thread);
                continue;
            }
            drained.taken += 1;
            take(read(entry));
        }
        drained.dropped += kept.ring.take_newly_dropped();
    }
    drained
}

/// Returns the current time on the clock of [`OperationEvent`]s, in nanoseconds. It is monotonic
/// and the same for all threads.
///
/// ```
/// use memprof::heap::event::event_clock;
///
/// let before = event_clock();
/// assert!(before <= event_clock());
/// ```
pub fn event_clock() -> u64 {
    system::nanoseconds()
}

pub(crate) fn note(local: LocalShard, path: u32, call: Call) {
    let live = process::fast_live(local).wrapping_sub(process::live_at_begin());
    let kept = (!local.is_unlisted()).then(|| local.events().kept_or_new()).flatten().map(|kept| {
        note_thread_name(local, kept);
        let mark = if call.is_within_itself { IS_WITHIN_ITSELF } else { 0 };
        let tensors = if tensors_were_reported() { call.tensors } else { UNKNOWN };
        kept.ring.push([
            u64::from(path) | u64::from(local.shard().thread()) << 32 | mark,
            call.began,
            call.ended,
            call.delta.cast_unsigned(),
            live.cast_unsigned(),
            tensors.cast_unsigned(),
        ])
    });
    match kept {
        Some(Some(kept)) if kept >= WAKE && kept.is_power_of_two() => callbacks::notify_events(),
        Some(_) => {}
        None => {
            LOST.fetch_add(1, Relaxed);
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Call {
    pub began: u64,
    pub ended: u64,
    pub delta: i64,
    pub tensors: i64,
    pub is_within_itself: bool,
}

/// The sum of tensors if no wrapper has ever reported one.
const UNKNOWN: i64 = i64::MIN;
/// A bit above the number of any path.
const IS_WITHIN_ITSELF: u64 = 1 << 31;

fn read([what, began, ended, delta, live, tensors]: Entry) -> OperationEvent {
    let (delta, live_after) = (delta.cast_signed(), live.cast_signed());
    OperationEvent {
        path: PathId((what & (IS_WITHIN_ITSELF - 1)) as u32),
        thread: (what >> 32) as u32,
        start_ns: began,
        end_ns: ended,
        net_bytes: delta,
        live_before: live_after.wrapping_sub(delta),
        live_after,
        tensor_net_bytes: Some(tensors.cast_signed()).filter(|tensors| *tensors != UNKNOWN),
        is_within_itself: what & IS_WITHIN_ITSELF != 0,
    }
}

/// Keeps the event of an activation that ended, if the call was marked for an event.
pub(crate) fn note_ended(
    local: LocalShard,
    record: &Record,
    was: &Activation,
    net: i64,
    ended: u64,
) {
    if was.marks & EVENT != 0 {
        let tensors = local.tensors().wrapping_sub(was.tensors);
        let is_within_itself = was.marks & WITHIN_ITSELF != 0;
        let call = Call { began: was.began, ended, delta: net, tensors, is_within_itself };
        note(local, record.path, call);
    }
}

/// The number of parts of a ring's memory. A part is taken from the system when it is needed.
const PARTS: usize = 8;
/// The number of events in a part, which takes 48 KiB.
const PART: usize = 1024;

/// A reader is woken at this number of events, and at each doubling: it may have missed a wake.
pub(crate) const WAKE: usize = PART / 2;

pub(crate) struct Events {
    /// Null until the thread's first event.
    kept: AtomicPtr<Kept>,
}

struct Kept {
    ring: Ring<Parts>,
    /// The mark of the thread whose name was kept last. Only the writer uses it.
    named: AtomicU64,
}

impl Events {
    fn kept(&self) -> Option<&'static Kept> {
        // SAFETY: null, or a ring that was complete before it was published and is never freed.
        unsafe { self.kept.load(Acquire).as_ref() }
    }

    /// Returns the ring, and creates it on the first call. Returns `None` if the system has no
    /// memory. Only the thread that owns the ring may call this.
    fn kept_or_new(&self) -> Option<&'static Kept> {
        if let Some(kept) = self.kept() {
            return Some(kept);
        }
        // Only this thread creates its ring, so the pointer is still null.
        self.kept.store(system::allocate_zeroed()?.as_ptr(), Release);
        self.kept()
    }
}

/// The memory of a ring: parts that are never freed. A part that does not exist yet is null.
pub(crate) struct Parts([AtomicPtr<[Place; PART]>; PARTS]);

impl Space for Parts {
    const ENTRIES: usize = PARTS * PART;

    fn reserve(&self, index: usize) -> Option<&Place> {
        if let Some(place) = self.place(index) {
            return Some(place);
        }
        // Only the writer creates parts, so the pointer is still null.
        self.0.get(index / PART)?.store(system::allocate_zeroed()?.as_ptr(), Release);
        self.place(index)
    }

    fn place(&self, index: usize) -> Option<&Place> {
        // SAFETY: null, or a part that was complete before it was published and is never freed.
        let part = unsafe { self.0.get(index / PART)?.load(Acquire).as_ref() };
        part?.get(index % PART)
    }
}

/// The name of a thread in [`OperationEvent`]s.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThreadName {
    /// The number of the thread.
    pub thread: u32,
    /// The name that the operating system has for the thread, cut to 40 bytes. Linux cuts names to
    /// 15 bytes, and gives a thread without a name that of the thread that started it. The main
    /// thread is called `main`. The text is empty if the thread has no name.
    ///
    /// The program chooses the name, so it may contain any characters.
    pub name: String,
}

/// Names are kept again after each switch, so that each recorder gets those of all threads.
static SWITCHED_ON: AtomicU32 = AtomicU32::new(0);

// The first word of an entry is the number of the thread. No event has the path `ROOT`.
const _: () = assert!(ROOT == 0 && NAME_BYTES == (WORDS - 1) * size_of::<u64>());

pub(crate) fn begin() {
    SWITCHED_ON.fetch_add(1, Relaxed);
}

/// Keeps the name of the current thread, if that was not done since events were switched on. If the
/// ring is full, the next event tries again.
#[inline]
fn note_thread_name(local: LocalShard, kept: &Kept) {
    let mark = u64::from(SWITCHED_ON.load(Relaxed)) << 32 | u64::from(local.shard().thread());
    if kept.named.load(Relaxed) != mark {
        note_new_name(kept, mark);
    }
}

#[cold]
fn note_new_name(kept: &Kept, mark: u64) {
    // Reading the name takes system calls. While a full ring is not drained, each call of an
    // operation runs this function.
    if !kept.ring.has_space() {
        return;
    }
    let is_kept = system::current_thread_name().is_none_or(|name| {
        let thread = mark & u64::from(u32::MAX);
        kept.ring.try_push(name_entry(thread, &name)).is_some()
    });
    if is_kept {
        kept.named.store(mark, Relaxed);
    }
}

fn name_entry(thread: u64, name: &Name) -> Entry {
    let mut entry = [0; WORDS];
    entry[0] = thread << 32;
    let (words, _) = name.as_chunks();
    for (word, bytes) in entry.iter_mut().skip(1).zip(words) {
        *word = u64::from_le_bytes(*bytes);
    }
    entry
}

/// Returns the name in an entry; `None` if the entry is an event.
fn read_name([first, words @ ..]: &Entry) -> Option<ThreadName> {
    if *first as u32 != ROOT {
        return None;
    }
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let len = bytes.iter().position(|&byte| byte == 0).unwrap_or(NAME_BYTES);
    let name = String::from_utf8_lossy(&bytes[..len]);
    // A character that was cut is left out.
    let name = name.trim_end_matches(char::REPLACEMENT_CHARACTER).to_owned();
    Some(ThreadName { thread: (*first >> 32) as u32, name })
}

#[cfg(test)]
mod tests {
    use super::{NAME_BYTES, name_entry, read_name};

    #[test]
    fn a_name_fills_an_entry_and_a_cut_character_is_left_out() {
        for (text, expected) in [
            ("", ""),
            ("worker-1", "worker-1"),
            (
                "0123456789012345678901234567890123456789",
                "0123456789012345678901234567890123456789",
            ),
            ("012345678901234567890123456789012345678é", "012345678901234567890123456789012345678"),
            ("a\u{1b}]b", "a\u{1b}]b"),
        ] {
            let mut name = [0; NAME_BYTES];
            let len = text.len().min(NAME_BYTES);
            name[..len].copy_from_slice(&text.as_bytes()[..len]);
            let read = read_name(&name_entry(7, &name)).expect("it is a name");
            assert_eq!((read.thread, read.name.as_str()), (7, expected));
        }
        assert_eq!(read_name(&[7 << 32 | 2, 0, 0, 0, 0, 0]), None);
    }
}
