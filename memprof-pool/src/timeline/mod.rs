//! What happened in a resource, in time: the last events, and a curve of all of them.

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

/// What happened in a resource: a bounded record, however long it runs.
///
/// It keeps the last events whole, and of all events a curve: as many points as events, each the one
/// of a stretch of time at which most was allocated or reserved, so that no peak is lost. Clones are
/// handles of the same record.
///
/// ```
/// use memprof_pool::{Action, AddressSpace, CachingPool, MemoryResource, Request};
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
/// A reading of the clock and a lock for each event; 250 bytes for each event that is kept.
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
    most: usize,
    number: u64,
    last: VecDeque<Event>,
    curve: Curve,
    refusals: Vec<Event>,
}

/// Moments without memory that are kept; the first ones say why it began.
const REFUSALS: usize = 64;

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// How many happened before.
    pub number: u64,
    /// When, in nanoseconds since recording began.
    pub at_ns: u64,
    /// What.
    pub action: Action,
    /// Where the memory begins; `None` if there was none.
    pub address: Option<Address>,
    /// Bytes, as requested; of segments, as reserved.
    pub bytes: u64,
    /// In the order of which stream.
    pub stream: Stream,
    /// Where in the program it was asked for.
    pub site: &'static Location<'static>,
    /// What the resource held after it.
    pub held: Held,
}

/// What may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// Memory was given out.
    Allocate,
    /// It was taken back.
    Free,
    /// A pool took a segment from its upstream.
    SegmentAllocate,
    /// It gave one back.
    SegmentFree,
    /// There was not enough.
    OutOfMemory,
}

impl Action {
    /// The word that `PyTorch`'s memory snapshots use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Allocate => "alloc",
            Self::Free => "free",
            Self::SegmentAllocate => "segment_alloc",
            Self::SegmentFree => "segment_free",
            Self::OutOfMemory => "oom",
        }
    }
}

/// What a resource held at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Held {
    /// Bytes that were asked for.
    pub requested: u64,
    /// The same with what rounding added.
    pub allocated: u64,
    /// The same with what is cached; `None` if the resource has no segments that it knows of.
    pub reserved: Option<u64>,
    /// Of what is cached, what is in segments of which nothing is used.
    pub releasable: u64,
}

impl Timeline {
    /// An empty one that keeps so many events, of a resource of that name over that memory.
    pub fn new(name: impl Into<String>, memory: Memory, events: usize) -> Self {
        let most = events.max(2);
        let record = Record {
            most,
            number: 0,
            last: VecDeque::new(),
            curve: Curve::new(most / 2),
            refusals: Vec::new(),
        };
        let (began, began_at) = (Instant::now(), SystemTime::now());
        let record = Mutex::new(record);
        Self(Arc::new(Shared { name: name.into(), memory, began, began_at, record }))
    }

    /// The name of the resource.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Where its memory is.
    pub fn memory(&self) -> Memory {
        self.0.memory
    }

    /// When recording began, from which the times of events count.
    pub fn began_at(&self) -> SystemTime {
        self.0.began_at
    }

    /// The last events.
    pub fn events(&self) -> Vec<Event> {
        self.record().last.iter().copied().collect()
    }

    /// How many events there were.
    pub fn number(&self) -> u64 {
        self.record().number
    }

    /// The curve of all events: those at which most was allocated or reserved in their stretch of
    /// time, and the last one.
    pub fn points(&self) -> Vec<Event> {
        self.record().curve.points()
    }

    /// Moments at which there was not enough: the first 64.
    pub fn out_of_memory(&self) -> Vec<Event> {
        self.record().refusals.clone()
    }

    pub(super) fn note(
        &self,
        action: Action,
        address: Option<Address>,
        request: Request,
        site: &'static Location<'static>,
        held: Held,
    ) {
        let mut record = self.record();
        // Under the lock, so that events are in the order of time.
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
        if self.last.len() == self.most {
            self.last.pop_front();
        }
        self.last.push_back(event);
        self.curve.add(event);
        if event.action == Action::OutOfMemory && self.refusals.len() < REFUSALS {
            self.refusals.push(event);
        }
    }
}
