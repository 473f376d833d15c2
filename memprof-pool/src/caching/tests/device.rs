//! A device without memory. A test advances its streams, and it detects memory that is used out of
//! order.

use crate::caching::queue::acting_thread;
use crate::{
    Address, AddressSpace, AllocationError, DeallocationError, Mark, Memory, MemoryResource,
    Request, Stream, Streams,
};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard};

/// An upstream with streams. The work in each stream is numbered, and a test sets how far it is
/// done.
#[derive(Debug, Default)]
pub(super) struct Device {
    pub(super) space: AddressSpace,
    lie: Option<Lie>,
    work: Mutex<Work>,
}

/// A promise of resources or streams that the device breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lie {
    /// Each event counts as passed.
    AllPassed,
    /// Streams do not wait for events.
    NoWait,
    /// Each handle names one stream for all threads.
    OneStreamForAllThreads,
    /// A large segment begins before the segment before it ends.
    Overlaps,
    /// The device keeps the segments that it takes back.
    KeepsSegments,
}

impl Lie {
    /// Returns the overlap of a segment of this size: a multiple of the requested alignments.
    fn overlap(self, bytes: u64) -> u64 {
        if self == Self::Overlaps && bytes > 2 << 20 { 1 << 14 } else { 0 }
    }
}

/// A handle that names a different stream in each thread.
pub(super) const PER_THREAD: Stream = Stream(77);

#[derive(Debug, Default)]
struct Work {
    submitted: BTreeMap<Stream, u64>,
    done: BTreeMap<Stream, u64>,
    marks: HashMap<u64, Clock>,
    next_mark: u64,
    marks_put: u64,
    waits: u64,
    /// The work for which each stream waits, directly or through other streams.
    waits_for: BTreeMap<Stream, Clock>,
    freed: Vec<Freed>,
    is_broken: bool,
    violation: Option<String>,
}

/// For each stream, the number of the last piece of work.
type Clock = BTreeMap<Stream, u64>;

fn advance(clock: &mut Clock, to: &Clock) {
    for (&stream, &number) in to {
        let reached = clock.entry(stream).or_default();
        *reached = number.max(*reached);
    }
}

/// Memory that work in a stream may still use.
#[derive(Clone, Copy, Debug)]
struct Freed {
    begin: u64,
    end: u64,
    stream: Stream,
    work: u64,
}

impl Device {
    pub(super) fn new(space: AddressSpace) -> Self {
        Self { space, lie: None, work: Mutex::default() }
    }

    /// Makes the device break a promise.
    pub(super) fn lying(self, lie: Option<Lie>) -> Self {
        Self { lie, ..self }
    }

    /// Submits work to the stream that uses the memory.
    ///
    /// # Errors
    /// Returns an error if work in another stream may still use it.
    pub(super) fn uses(&self, address: Address, bytes: u64, stream: Stream) -> Result<(), String> {
        let stream = actual(stream);
        let mut work = self.work();
        *work.submitted.entry(stream).or_default() += 1;
        work.is_in_order(address.0, bytes, stream)
    }

    /// Records that the stream frees the memory. All work that it has submitted may still use it.
    pub(super) fn frees(&self, address: Address, bytes: u64, stream: Stream) {
        let stream = actual(stream);
        let work = &mut *self.work();
        let number = work.submitted.get(&stream).copied().unwrap_or_default();
        let (begin, end) = (address.0, address.0 + bytes);
        work.freed.push(Freed { begin, end, stream, work: number });
    }

    /// Makes later work in a stream wait for all work in another one, as a program does.
    pub(super) fn follow(&self, stream: Stream, other: Stream) {
        let work = &mut *self.work();
        let clock = work.clock(actual(other));
        advance(work.waits_for.entry(actual(stream)).or_default(), &clock);
    }

    /// Completes all submitted work of the stream, and the work for which it waits.
    pub(super) fn finish(&self, stream: Stream) {
        let stream = actual(stream);
        let work = &mut *self.work();
        let submitted = work.submitted.get(&stream).copied().unwrap_or_default();
        work.done.insert(stream, submitted);
        let waited = work.waits_for.get(&stream).cloned().unwrap_or_default();
        advance(&mut work.done, &waited);
        let done = &work.done;
        work.freed.retain(|freed| done.get(&freed.stream).is_none_or(|done| *done < freed.work));
    }

    /// Completes all submitted work.
    pub(super) fn finish_all(&self) {
        let streams: Vec<Stream> = self.work().submitted.keys().copied().collect();
        for stream in streams {
            self.finish(stream);
        }
    }

    /// Returns the number of recorded events, of events not yet released, and of waits.
    pub(super) fn counts(&self) -> (u64, usize, u64) {
        let work = self.work();
        (work.marks_put, work.marks.len(), work.waits)
    }

    /// Makes the device refuse all calls about streams from now on.
    pub(super) fn fail(&self) {
        self.work().is_broken = true;
    }

    /// Returns the description of a segment that was freed while work could still use it, if any.
    pub(super) fn violation(&self) -> Option<String> {
        self.work().violation.clone()
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().expect("no test panics while it works")
    }
}

impl Work {
    /// Returns the work that is done once all work in the stream is done.
    fn clock(&self, stream: Stream) -> Clock {
        let mut clock = self.waits_for.get(&stream).cloned().unwrap_or_default();
        clock.insert(stream, self.submitted.get(&stream).copied().unwrap_or_default());
        clock
    }

    fn is_in_order(&mut self, begin: u64, bytes: u64, stream: Stream) -> Result<(), String> {
        let end = begin + bytes;
        let mut left = Vec::new();
        for freed in core::mem::take(&mut self.freed) {
            if freed.end <= begin || end <= freed.begin {
                left.push(freed);
                continue;
            }
            let done = self.done.get(&freed.stream).copied().unwrap_or_default();
            let waits_for = self.waits_for.get(&stream).and_then(|clock| clock.get(&freed.stream));
            let waited = waits_for.copied().unwrap_or_default();
            if freed.stream != stream && done.max(waited) < freed.work {
                return Err(format!("{stream:?} uses {begin:#x} while {freed:?} may"));
            }
            // The rest of the freed memory may be used later.
            left.push(Freed { end: begin.max(freed.begin), ..freed });
            left.push(Freed { begin: end.min(freed.end), ..freed });
        }
        left.retain(|freed| freed.begin < freed.end);
        self.freed = left;
        Ok(())
    }
}

/// Returns the stream that a handle names in the thread as which the test acts.
pub(super) fn actual(stream: Stream) -> Stream {
    if stream == PER_THREAD { Stream(1000 + acting_thread()) } else { stream }
}

fn broken() -> AllocationError {
    AllocationError::Failed("the device is gone".into())
}

impl Streams for Device {
    fn mark(&self, stream: Stream) -> Result<Mark, AllocationError> {
        let mut work = self.work();
        if work.is_broken {
            return Err(broken());
        }
        let number = work.next_mark;
        work.next_mark += 1;
        work.marks_put += 1;
        let clock = work.clock(actual(stream));
        work.marks.insert(number, clock);
        Ok(Mark(number))
    }

    fn has_passed(&self, mark: &Mark) -> Result<bool, AllocationError> {
        let work = self.work();
        if work.is_broken {
            return Err(broken());
        }
        let is_done = |(stream, number): (&Stream, &u64)| {
            work.done.get(stream).copied().unwrap_or_default() >= *number
        };
        Ok(self.lie == Some(Lie::AllPassed) || work.marks[&mark.0].iter().all(is_done))
    }

    fn wait(&self, stream: Stream, mark: &Mark) -> Result<(), AllocationError> {
        let mut work = self.work();
        if work.is_broken {
            return Err(broken());
        }
        let clock = work.marks[&mark.0].clone();
        work.waits += 1;
        if self.lie == Some(Lie::NoWait) {
            return Ok(());
        }
        advance(work.waits_for.entry(actual(stream)).or_default(), &clock);
        Ok(())
    }

    fn release(&self, mark: Mark) {
        assert!(self.work().marks.remove(&mark.0).is_some(), "a mark is given back twice");
    }

    fn mark_again(&self, mark: Mark, stream: Stream) -> Result<Mark, AllocationError> {
        let mut work = self.work();
        if work.is_broken {
            work.marks.remove(&mark.0);
            return Err(broken());
        }
        work.marks_put += 1;
        let clock = work.clock(actual(stream));
        assert!(work.marks.insert(mark.0, clock).is_some(), "the mark was given back");
        Ok(mark)
    }

    fn is_per_thread(&self, stream: Stream) -> bool {
        stream == PER_THREAD && self.lie != Some(Lie::OneStreamForAllThreads)
    }
}

// SAFETY: it returns only memory of the address space.
unsafe impl MemoryResource for Device {
    fn memory(&self) -> Memory {
        self.space.memory()
    }

    fn capacity(&self) -> Option<u64> {
        self.space.capacity()
    }

    fn streams(&self) -> Option<&dyn Streams> {
        Some(self)
    }

    /// Allocates in stream order, like CUDA's own pools: other streams must wait for the memory.
    #[track_caller]
    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        let mut address = self.space.allocate(request)?;
        address.0 -= self.lie.map_or(0, |lie| lie.overlap(request.bytes));
        *self.work().submitted.entry(actual(request.stream)).or_default() += 1;
        self.frees(address, request.bytes, request.stream);
        Ok(address)
    }

    #[track_caller]
    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        let mut work = self.work();
        if let Err(violation) = work.is_in_order(address.0, request.bytes, actual(request.stream)) {
            work.violation = Some(violation);
        }
        drop(work);
        if self.lie == Some(Lie::KeepsSegments) {
            return Ok(());
        }
        let address = Address(address.0 + self.lie.map_or(0, |lie| lie.overlap(request.bytes)));
        // SAFETY: the caller promises the same for the address that the space returned.
        unsafe { self.space.deallocate(address, request) }
    }
}
