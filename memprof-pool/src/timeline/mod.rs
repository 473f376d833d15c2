//! The timeline of a resource: its last events, and a curve of all events.

mod curve;
#[cfg(feature = "session")]
mod file;
mod recorded;

use super::{Address, Memory, Request, Stream};
use core::panic::Location;
use curve::Curve;
pub use recorded::Recorded;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

/// A timeline of a resource, with bounded size.
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
/// assert_eq!(events[1].held.reserved, Some(2 << 20));
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
    number: u64,
    last: VecDeque<Event>,
    curve: Curve,
    refusals: Vec<Event>,
}

/// The maximum number of failed requests that the timeline keeps. It keeps the first ones, in which
/// the shortage began.
const MAX_REFUSALS: usize = 64;

/// An action of a resource, with the bytes that the resource held after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// The number of events before this one.
    pub number: u64,
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
    /// The bytes that the resource held after the action.
    pub held: Held,
}

memprof_profile::keywords! {
    /// An event's kind, with the words of `PyTorch`'s memory snapshots.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Action {
        /// The resource allocated memory.
        Allocate => "alloc",
        /// The resource freed memory.
        Free => "free",
        /// A pool took a segment from its upstream.
        SegmentAllocate => "segment_alloc",
        /// A pool returned a segment to its upstream.
        SegmentFree => "segment_free",
        /// The resource had too little memory.
        OutOfMemory => "oom",
    }
}

/// The bytes that a resource held at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Held {
    /// Requested bytes of live allocations.
    pub requested: u64,
    /// `requested` plus the bytes that rounding added.
    pub allocated: u64,
    /// `allocated` plus cached bytes. `None` if the resource has no segments, or if its segments
    /// are unknown.
    pub reserved: Option<u64>,
    /// The cached bytes in segments that have no live block.
    pub releasable: u64,
}

impl Timeline {
    /// Creates an empty timeline of the named resource. The timeline keeps the last `events`
    /// events.
    pub fn new(name: impl Into<String>, memory: Memory, events: usize) -> Self {
        let max_events = events.max(2);
        let record = Record {
            max_events,
            number: 0,
            last: VecDeque::new(),
            curve: Curve::new(max_events / 2),
            refusals: Vec::new(),
        };
        let (began, began_at) = (Instant::now(), SystemTime::now());
        let record = Mutex::new(record);
        Self(Arc::new(Shared { name: name.into(), memory, began, began_at, record }))
    }

    /// Returns the name of the resource.
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
    pub fn number(&self) -> u64 {
        self.record().number
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

    pub(super) fn record_event(
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
        let number = record.number;
        let event = Event { number, at_ns, action, address, bytes, stream, site, held };
        record.add(event);
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.0.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Record {
    fn add(&mut self, event: Event) {
        self.number += 1;
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
