//! A device without memory. A test advances its streams, and the device detects memory that is used
//! out of order.

use crate::{
    Address, AddressSpace, AllocationError, DeallocationError, Memory, MemoryResource, Request,
    Stream, StreamEvent, Streams,
};
use core::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};

/// An upstream with streams. The work in each stream is numbered, and a test completes it.
#[derive(Debug, Default)]
pub(super) struct Device {
    pub(super) space: AddressSpace,
    broken_promise: Option<BrokenPromise>,
    work: Arc<Mutex<Work>>,
}

/// A guarantee of `MemoryResource` or `Streams` that the test device violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BrokenPromise {
    /// Each event counts as passed.
    AllPassed,
    /// Streams do not wait for events.
    NoWait,
    /// Each handle names one stream for all threads.
    OneStreamForAllThreads,
    /// A large segment begins before the end of the previous segment.
    Overlaps,
    /// The device keeps the segments that it takes back.
    KeepsSegments,
}

impl BrokenPromise {
    /// Returns the overlap of a segment of this size: a multiple of the requested alignments.
    fn overlap(self, bytes: u64) -> u64 {
        if self == Self::Overlaps && bytes > 2 << 20 { 1 << 14 } else { 0 }
    }
}

// The number of the thread that the test simulates.
thread_local!(static THREAD: Cell<u64> = const { Cell::new(0) });

/// Makes the current thread act as another one, so that a test has a fixed order without threads.
pub(super) fn simulate_thread(number: u64) {
    THREAD.set(number);
}

/// A handle that names a different stream in each thread.
pub(super) const PER_THREAD: Stream = Stream(77);

#[derive(Debug, Default)]
struct Work {
    submitted: BTreeMap<Stream, u64>,
    done: BTreeMap<Stream, u64>,
    events: HashMap<u64, Clock>,
    next_event: u64,
    events_recorded: u64,
    waits: u64,
    /// The work for which each stream waits, directly or through other streams.
    waits_for: BTreeMap<Stream, Clock>,
    freed: Vec<Freed>,
    is_broken: bool,
    violation: Option<String>,
}

/// The number of the last work in each stream.
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
        Self { space, broken_promise: None, work: Arc::default() }
    }

    /// Makes the device break a promise.
    pub(super) fn breaking(self, broken_promise: Option<BrokenPromise>) -> Self {
        Self { broken_promise, ..self }
    }

    /// Submits work to the stream that uses the memory.
    ///
    /// # Errors
    /// Returns an error if work in another stream may still use the memory.
    pub(super) fn use_memory(
        &self,
        address: Address,
        bytes: u64,
        stream: Stream,
    ) -> Result<(), String> {
        let stream = actual_stream(stream);
        let mut work = self.work();
        *work.submitted.entry(stream).or_default() += 1;
        work.check_order(address.0, bytes, stream)
    }

    /// Records that the stream frees the memory. All work submitted to the stream may still use the
    /// memory.
    pub(super) fn free_memory(&self, address: Address, bytes: u64, stream: Stream) {
        let stream = actual_stream(stream);
        let work = &mut *self.work();
        let number = work.submitted.get(&stream).copied().unwrap_or_default();
        let (begin, end) = (address.0, address.0 + bytes);
        work.freed.push(Freed { begin, end, stream, work: number });
    }

    /// Makes later work in a stream wait for all work in another one, as a program does.
    pub(super) fn wait_for_stream(&self, stream: Stream, other: Stream) {
        let work = &mut *self.work();
        let clock = work.clock(actual_stream(other));
        advance(work.waits_for.entry(actual_stream(stream)).or_default(), &clock);
    }

    /// Completes all submitted work of the stream, and the work for which it waits.
    pub(super) fn finish(&self, stream: Stream) {
        let stream = actual_stream(stream);
        let work = &mut *self.work();
        let submitted = work.submitted.get(&stream).copied().unwrap_or_default();
        work.done.insert(stream, submitted);
        let waited_for = work.waits_for.get(&stream).cloned().unwrap_or_default();
        advance(&mut work.done, &waited_for);
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

    /// Returns the numbers of recorded events, of unreleased events and of waits.
    pub(super) fn counts(&self) -> (u64, usize, u64) {
        let work = self.work();
        (work.events_recorded, work.events.len(), work.waits)
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
        lock(&self.work)
    }
}

fn lock(work: &Mutex<Work>) -> MutexGuard<'_, Work> {
    work.lock().expect("no test panics while it works")
}

impl Work {
    /// Returns the work that is done once all work in the stream is done.
    fn clock(&self, stream: Stream) -> Clock {
        let mut clock = self.waits_for.get(&stream).cloned().unwrap_or_default();
        clock.insert(stream, self.submitted.get(&stream).copied().unwrap_or_default());
        clock
    }

    fn check_order(&mut self, begin: u64, bytes: u64, stream: Stream) -> Result<(), String> {
        let end = begin + bytes;
        let mut remaining = Vec::new();
        for freed in core::mem::take(&mut self.freed) {
            if freed.end <= begin || end <= freed.begin {
                remaining.push(freed);
                continue;
            }
            let done = self.done.get(&freed.stream).copied().unwrap_or_default();
            let waits_for = self.waits_for.get(&stream).and_then(|clock| clock.get(&freed.stream));
            let waited_for = waits_for.copied().unwrap_or_default();
            if freed.stream != stream && done.max(waited_for) < freed.work {
                return Err(format!("{stream:?} uses {begin:#x} while {freed:?} may"));
            }
            // The parts of the freed memory outside the used range stay recorded.
            remaining.push(Freed { end: begin.max(freed.begin), ..freed });
            remaining.push(Freed { begin: end.min(freed.end), ..freed });
        }
        remaining.retain(|freed| freed.begin < freed.end);
        self.freed = remaining;
        Ok(())
    }
}

/// Returns the stream that a handle names in the thread that the test simulates.
pub(super) fn actual_stream(stream: Stream) -> Stream {
    if stream == PER_THREAD { Stream(1000 + THREAD.get()) } else { stream }
}

fn broken() -> AllocationError {
    AllocationError::Failed("the device is gone".into())
}

impl Streams for Device {
    fn record(&self, stream: Stream) -> Result<Box<dyn StreamEvent>, AllocationError> {
        let mut work = self.work();
        if work.is_broken {
            return Err(broken());
        }
        let number = work.next_event;
        work.next_event += 1;
        work.events_recorded += 1;
        let clock = work.clock(actual_stream(stream));
        work.events.insert(number, clock);
        let (broken_promise, work) = (self.broken_promise, Arc::clone(&self.work));
        Ok(Box::new(DeviceEvent { number, broken_promise, work }))
    }

    fn is_per_thread(&self, stream: Stream) -> bool {
        stream == PER_THREAD && self.broken_promise != Some(BrokenPromise::OneStreamForAllThreads)
    }
}

#[derive(Debug)]
struct DeviceEvent {
    number: u64,
    broken_promise: Option<BrokenPromise>,
    work: Arc<Mutex<Work>>,
}

impl DeviceEvent {
    fn work(&self) -> Result<MutexGuard<'_, Work>, AllocationError> {
        let work = lock(&self.work);
        if work.is_broken { Err(broken()) } else { Ok(work) }
    }
}

impl StreamEvent for DeviceEvent {
    fn has_passed(&self) -> Result<bool, AllocationError> {
        let work = self.work()?;
        let is_done = |(stream, number): (&Stream, &u64)| {
            work.done.get(stream).copied().unwrap_or_default() >= *number
        };
        Ok(self.broken_promise == Some(BrokenPromise::AllPassed)
            || work.events[&self.number].iter().all(is_done))
    }

    fn delay(&self, stream: Stream) -> Result<(), AllocationError> {
        let mut work = self.work()?;
        let clock = work.events[&self.number].clone();
        work.waits += 1;
        if self.broken_promise != Some(BrokenPromise::NoWait) {
            advance(work.waits_for.entry(actual_stream(stream)).or_default(), &clock);
        }
        Ok(())
    }

    fn record_again(&mut self, stream: Stream) -> Result<(), AllocationError> {
        let mut work = self.work()?;
        work.events_recorded += 1;
        let clock = work.clock(actual_stream(stream));
        work.events.insert(self.number, clock);
        Ok(())
    }
}

impl Drop for DeviceEvent {
    fn drop(&mut self) {
        lock(&self.work).events.remove(&self.number);
    }
}

// SAFETY: the device returns only addresses of the address space.
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
        address.0 -=
            self.broken_promise.map_or(0, |broken_promise| broken_promise.overlap(request.bytes));
        *self.work().submitted.entry(actual_stream(request.stream)).or_default() += 1;
        self.free_memory(address, request.bytes, request.stream);
        Ok(address)
    }

    #[track_caller]
    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        let mut work = self.work();
        if let Err(violation) =
            work.check_order(address.0, request.bytes, actual_stream(request.stream))
        {
            work.violation = Some(violation);
        }
        drop(work);
        if self.broken_promise == Some(BrokenPromise::KeepsSegments) {
            return Ok(());
        }
        let address = Address(
            address.0
                + self
                    .broken_promise
                    .map_or(0, |broken_promise| broken_promise.overlap(request.bytes)),
        );
        // SAFETY: the caller promises the same for the address that the space returned.
        unsafe { self.space.deallocate(address, request) }
    }
}
