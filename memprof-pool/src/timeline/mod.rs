//! The timeline of a pool: its last events, and a curve of all events.

#[cfg(feature = "session")]
mod file;

use super::{Address, Memory, Request, Stream};
use core::panic::Location;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

/// A timeline of a pool, with bounded size.
///
/// The timeline keeps the last events, and a curve of all events with about the same number of
/// points. Each point is the event with the most allocated or reserved bytes in a stretch of time,
/// so the curve includes the highest peak of all events. Clones are handles of the same timeline.
///
/// ```
/// use memprof::pool::{Action, AddressSpace, CachingPool, MemoryResource, Request};
///
/// let pool = CachingPool::builder(AddressSpace::new()).record(1000).build()?;
/// pool.allocate(Request::new(4096))?;
/// let timeline = pool.timeline().expect("it records");
/// let events = timeline.events();
/// assert_eq!(events[0].action, Action::SegmentAllocate);
/// assert_eq!((events[1].action, events[1].bytes), (Action::Allocate, 4096));
/// assert_eq!(events[1].site.file(), file!());
/// assert_eq!(events[1].held.reserved, 2 << 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
/// Each event takes a clock reading and a lock. Each kept event takes 250 bytes.
#[derive(Clone, Debug)]
pub struct Timeline(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    name: String,
    memory: Memory,
    began: Instant,
    began_at: SystemTime,
    record: Mutex<Record>,
}

#[derive(Debug)]
struct Record {
    max_events: usize,
    event_count: u64,
    last: VecDeque<Event>,
    curve: Curve,
    refusals: Vec<Event>,
}

/// The timeline keeps the first ones, because the shortage began in them.
const MAX_REFUSALS: usize = 64;

/// An action of a pool, with the bytes that the pool held after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// The number of events before this one.
    pub index: u64,
    /// The time in nanoseconds since recording began.
    pub at_ns: u64,
    /// The action.
    pub action: Action,
    /// The address of the memory. `None` if the action had no address.
    pub address: Option<Address>,
    /// The requested bytes, or the reserved bytes of a segment.
    pub bytes: u64,
    /// The stream of the request.
    pub stream: Stream,
    /// The call site in the program.
    pub site: &'static Location<'static>,
    /// The bytes that the pool held after the action.
    pub held: Held,
}

memprof_profile::keywords! {
    /// An event's kind, with the words of `PyTorch`'s memory snapshots.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Action {
        /// The pool allocated memory.
        Allocate => "alloc",
        /// The pool freed memory.
        Free => "free",
        /// The pool took a segment from its upstream.
        SegmentAllocate => "segment_alloc",
        /// The pool returned a segment to its upstream.
        SegmentFree => "segment_free",
        /// The pool had too little memory.
        OutOfMemory => "oom",
    }
}

/// The bytes that a pool held at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Held {
    /// Requested bytes of live allocations.
    pub requested: u64,
    /// `requested` plus the bytes that rounding added.
    pub allocated: u64,
    /// `allocated` plus cached bytes.
    pub reserved: u64,
    /// The cached bytes in segments that have no live block.
    pub releasable: u64,
}

impl Timeline {
    /// Creates an empty timeline of the named pool. The timeline keeps the last `events` events.
    pub(super) fn new(name: impl Into<String>, memory: Memory, events: usize) -> Self {
        let max_events = events.max(2);
        let record = Record {
            max_events,
            event_count: 0,
            last: VecDeque::new(),
            curve: Curve::new(max_events / 2),
            refusals: Vec::new(),
        };
        let (began, began_at) = (Instant::now(), SystemTime::now());
        let record = Mutex::new(record);
        Self(Arc::new(Shared { name: name.into(), memory, began, began_at, record }))
    }

    /// Returns the name of the pool.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns the kind of memory.
    pub fn memory(&self) -> Memory {
        self.0.memory
    }

    /// Returns the time when recording began. The times of events count from it.
    pub fn began_at(&self) -> SystemTime {
        self.0.began_at
    }

    /// Returns the last events.
    pub fn events(&self) -> Vec<Event> {
        self.record().last.iter().copied().collect()
    }

    /// Returns the number of all events so far.
    pub fn event_count(&self) -> u64 {
        self.record().event_count
    }

    /// Returns the curve of all events, and the last event.
    ///
    /// Each other point is the event with the most allocated or reserved bytes in its stretch of
    /// time.
    pub fn points(&self) -> Vec<Event> {
        self.record().curve.points()
    }

    /// Returns the first 64 requests that failed because there was too little memory.
    pub fn out_of_memory(&self) -> Vec<Event> {
        self.record().refusals.clone()
    }

    pub(super) fn add(
        &self,
        action: Action,
        address: Option<Address>,
        request: Request,
        site: &'static Location<'static>,
        held: Held,
    ) {
        let mut record = self.record();
        // The time is read under the lock, so that events are in chronological order.
        let at_ns = u64::try_from(self.0.began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let (bytes, stream) = (request.bytes, request.stream);
        let index = record.event_count;
        let event = Event { index, at_ns, action, address, bytes, stream, site, held };
        record.add(event);
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.0.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Record {
    fn add(&mut self, event: Event) {
        self.event_count += 1;
        if self.last.len() == self.max_events {
            self.last.pop_front();
        }
        self.last.push_back(event);
        self.curve.add(event);
        if event.action == Action::OutOfMemory && self.refusals.len() < MAX_REFUSALS {
            self.refusals.push(event);
        }
    }
}

/// If there are too many buckets, pairs are merged, and each bucket gets twice as many events.
#[derive(Debug)]
struct Curve {
    max_buckets: usize,
    buckets: Vec<Bucket>,
    events_per_bucket: u64,
    events_in_last: u64,
    last: Option<Event>,
}

/// The event with the most allocated bytes of a bucket, and the event with the most reserved bytes.
/// If several events have equal bytes, the first one is kept.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    allocated: Event,
    reserved: Event,
}

impl Curve {
    fn new(max_buckets: usize) -> Self {
        // A single bucket can't be merged with another one.
        let max_buckets = max_buckets.max(2);
        Self {
            max_buckets,
            buckets: Vec::new(),
            events_per_bucket: 1,
            events_in_last: 0,
            last: None,
        }
    }

    fn add(&mut self, event: Event) {
        self.last = Some(event);
        let single = Bucket { allocated: event, reserved: event };
        if self.events_in_last < self.events_per_bucket
            && let Some(last) = self.buckets.last_mut()
        {
            *last = last.with(single);
            self.events_in_last += 1;
            return;
        }
        if self.buckets.len() == self.max_buckets {
            self.merge_pairs();
        }
        self.buckets.push(single);
        self.events_in_last = 1;
    }

    fn merge_pairs(&mut self) {
        let pairs = self.buckets.chunks(2);
        let merged = pairs.map(|pair| pair[0].with(pair[pair.len() - 1]));
        self.buckets = merged.collect();
        self.events_per_bucket *= 2;
    }

    fn points(&self) -> Vec<Event> {
        let peaks = self.buckets.iter().flat_map(|one| [one.allocated, one.reserved]);
        let mut points: Vec<Event> = peaks.chain(self.last).collect();
        points.sort_unstable_by_key(|event| event.index);
        points.dedup_by_key(|event| event.index);
        points
    }
}

impl Bucket {
    fn with(self, later: Self) -> Self {
        let larger = |one: Event, other: Event, bytes: fn(&Event) -> u64| {
            if bytes(&other) > bytes(&one) { other } else { one }
        };
        Self {
            allocated: larger(self.allocated, later.allocated, |event| event.held.allocated),
            reserved: larger(self.reserved, later.reserved, |event| event.held.reserved),
        }
    }
}
