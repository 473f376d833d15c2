//! The order of streams: when another stream may use freed memory.
//!
//! The frees of a stream are numbered. The stream itself may reuse the memory immediately. Another
//! stream may use it once an event has passed that was recorded after that free or a later one.
//!
//! CUDA's `CU_STREAM_PER_THREAD` names a different stream in each thread, and only that thread can
//! record an event in it. So a free in this stream records an event at once, and the memory belongs
//! to no stream: each stream, also that of the same thread, waits for the event. A pool per thread
//! would save the wait, but it took 110 lines, and a program that names its streams needs neither.

use super::state::MAX_EXAMINED;
use crate::{AllocationError, Stream, StreamEvent, Streams};
use std::collections::{BTreeMap, VecDeque};

/// The stream in whose order a free block is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Queue {
    pub(super) stream: Stream,
    /// 0 for a stream. Otherwise a number of its own, and no stream may use the block until an event
    /// has passed, or without waiting for that event. The stream may be destroyed, or belong to
    /// another thread.
    retired: u64,
}

impl Queue {
    pub(super) const DEFAULT: Self = Self::of(Stream::DEFAULT);
    pub(super) const FIRST: Self = Self { stream: Stream(0), retired: 0 };
    pub(super) const LAST: Self = Self { stream: Stream(u64::MAX), retired: u64::MAX };

    pub(super) const fn of(stream: Stream) -> Self {
        Self { stream, retired: 0 }
    }

    /// Returns `true` if the pool may pass the stream to the device.
    pub(super) const fn is_stream(self) -> bool {
        self.retired == 0
    }

    /// Returns a stream of the calling thread that can wait for the work of this one.
    pub(super) fn waiting(self, streams: &dyn Streams) -> Self {
        // The legacy default stream would wait for the streams of all threads.
        if self.is_stream() || streams.is_per_thread(self.stream) {
            Self::of(self.stream)
        } else {
            Self::DEFAULT
        }
    }
}

/// A free of memory, in the order of the stream that freed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Freed {
    pub(super) queue: Queue,
    /// Counted in its queue, from 1. Before the free 0, there was no work.
    pub(super) number: u64,
}

impl Freed {
    /// The free of memory that any stream may use at once.
    pub(super) const BY_NO_STREAM: Self = Self { queue: Queue::DEFAULT, number: 0 };
}

#[derive(Debug, Default)]
pub(super) struct Order {
    queues: BTreeMap<Queue, Progress>,
    /// Passed events, kept for reuse, because creating and destroying an event takes two calls.
    reusable: Vec<Box<dyn StreamEvent>>,
    /// The number of streams left after the last sweep.
    swept: usize,
    /// The number of queues without a stream so far.
    retired: u64,
}

#[derive(Debug, Default)]
struct Progress {
    /// The number of the last free.
    freed: u64,
    /// The number of the last free before which all work is known to be done.
    passed: u64,
    /// Events that have not passed, each with the number of the last free before it.
    events: VecDeque<(u64, Box<dyn StreamEvent>)>,
    /// The number of frees that still record an event, set when another stream needs the memory.
    events_due: usize,
}

/// The limit on pending events of a stream. At the limit, frees record no events, and an event is
/// recorded only when another stream needs the memory.
const MAX_PENDING: usize = 64;

/// After another stream has needed the memory of a stream, this number of further frees of that
/// stream record an event.
///
/// The number equals the maximum number of blocks that a search examines. If no other stream needs
/// the memory again, the recording of events stops.
const EVENTS_ON_DEMAND: usize = MAX_EXAMINED;

/// The minimum number of queues for a sweep. With fewer queues, `sweep` does nothing.
const MIN_SWEEP: usize = 16;

impl Order {
    pub(super) fn add(&mut self, queue: Queue) {
        self.queues.entry(queue).or_default();
    }

    /// Records an event behind the free if another stream is likely to need the memory, or if no
    /// event could be recorded later.
    pub(super) fn free(&mut self, streams: &dyn Streams, stream: Stream) -> Freed {
        if streams.is_per_thread(stream) {
            let mut progress = Progress { freed: 1, ..Progress::default() };
            // Without an event, it stays unknown when the work is done, so the memory is lost.
            let _ = progress.record_event(streams, &mut self.reusable, stream);
            return Freed { queue: self.insert_retired(stream, progress), number: 1 };
        }
        let queue = Queue::of(stream);
        let progress = self.queues.entry(queue).or_default();
        progress.freed += 1;
        if progress.events_due > 0 && progress.events.len() < MAX_PENDING {
            progress.events_due -= 1;
            // If the device refuses the event, one is recorded later, when another stream needs the
            // memory.
            let _ = progress.record_event(streams, &mut self.reusable, stream);
        }
        Freed { queue, number: progress.freed }
    }

    fn insert_retired(&mut self, stream: Stream, progress: Progress) -> Queue {
        self.retired += 1;
        let queue = Queue { stream, retired: self.retired };
        self.queues.insert(queue, progress);
        queue
    }

    /// Returns `true` if a pending event covers the free. The call does not query the device.
    pub(super) fn is_pending(&self, freed: Freed) -> bool {
        let progress = self.queues.get(&freed.queue);
        progress.is_some_and(|progress| freed.number > progress.passed && progress.covers(freed))
    }

    /// Records an event if the work before the free is not done and no event covers it yet.
    pub(super) fn has_passed(&mut self, streams: &dyn Streams, freed: Freed) -> bool {
        let Some(progress) = self.queues.get_mut(&freed.queue) else { return true };
        progress.events_due = EVENTS_ON_DEMAND;
        progress.settle(streams, &mut self.reusable, freed).unwrap_or(false)
    }

    /// Makes later work in `waiting` wait for all work before the free. Returns `false` if the
    /// device refuses, or if no event covers the free and none can be recorded.
    pub(super) fn wait(&mut self, streams: &dyn Streams, waiting: Queue, freed: Freed) -> bool {
        let Some(progress) = self.queues.get_mut(&freed.queue) else { return true };
        if waiting == freed.queue || freed.number <= progress.passed {
            return true;
        }
        progress.events_due = EVENTS_ON_DEMAND;
        let _ = progress.cover(streams, &mut self.reusable, freed);
        let event = progress.events.iter().find(|(covered, _)| *covered >= freed.number);
        event.is_some_and(|(_, event)| event.delay(waiting.stream).is_ok())
    }

    /// Forgets the stream. Returns the queue that replaces it, with an event behind all its frees, or
    /// `None` if all work before these frees is done.
    ///
    /// # Errors
    /// Returns an error if the device refuses the event. The stream then stays as it is, except that
    /// events found to have passed are removed.
    pub(super) fn retire(
        &mut self,
        streams: &dyn Streams,
        queue: Queue,
    ) -> Result<Option<Queue>, AllocationError> {
        let Some(progress) = self.queues.get_mut(&queue) else { return Ok(None) };
        let last = Freed { queue, number: progress.freed };
        let is_done = progress.settle(streams, &mut self.reusable, last)?;
        let progress = self.queues.remove(&queue).unwrap_or_default();
        if is_done {
            return Ok(None);
        }
        Ok(Some(self.insert_retired(queue.stream, progress)))
    }

    /// Forgets and returns queues without a stream whose work is done. Does nothing until there are
    /// twice as many as after the last sweep, so its cost is low.
    pub(super) fn sweep(&mut self) -> Vec<Queue> {
        if self.queues.len() < MIN_SWEEP.max(2 * self.swept) {
            return Vec::new();
        }
        let mut done = Vec::new();
        for (queue, progress) in &mut self.queues {
            if !queue.is_stream() {
                progress.poll(&mut self.reusable, progress.freed);
                if progress.passed == progress.freed {
                    done.push(*queue);
                }
            }
        }
        for queue in &done {
            self.queues.remove(queue);
        }
        self.swept = self.queues.len();
        done
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.queues.len()
    }
}

impl Progress {
    fn record_event(
        &mut self,
        streams: &dyn Streams,
        reusable: &mut Vec<Box<dyn StreamEvent>>,
        stream: Stream,
    ) -> Result<(), AllocationError> {
        let event = match reusable.pop() {
            Some(mut event) => {
                event.record_again(stream)?;
                event
            }
            None => streams.record(stream)?,
        };
        self.events.push_back((self.freed, event));
        Ok(())
    }

    /// Records an event if the work before the free is not done and no event covers it yet.
    fn settle(
        &mut self,
        streams: &dyn Streams,
        reusable: &mut Vec<Box<dyn StreamEvent>>,
        freed: Freed,
    ) -> Result<bool, AllocationError> {
        self.poll(reusable, freed.number);
        if freed.number > self.passed && self.cover(streams, reusable, freed)? {
            // In a stream without work, the event has passed already.
            self.poll(reusable, freed.number);
        }
        Ok(freed.number <= self.passed)
    }

    /// Returns `false` if an event already covers the free, or if the queue has no stream.
    fn cover(
        &mut self,
        streams: &dyn Streams,
        reusable: &mut Vec<Box<dyn StreamEvent>>,
        freed: Freed,
    ) -> Result<bool, AllocationError> {
        if self.covers(freed) || !freed.queue.is_stream() {
            return Ok(false);
        }
        self.record_event(streams, reusable, freed.queue.stream)?;
        Ok(true)
    }

    fn covers(&self, freed: Freed) -> bool {
        self.events.back().is_some_and(|(covered, _)| *covered >= freed.number)
    }

    /// Polls events up to the one that covers the free `number`. An event that the device can't
    /// query counts as not passed.
    fn poll(&mut self, reusable: &mut Vec<Box<dyn StreamEvent>>, number: u64) {
        while self.passed < number
            && let Some((_, event)) = self.events.front()
            && matches!(event.has_passed(), Ok(true))
            && let Some((covered, event)) = self.events.pop_front()
        {
            self.passed = covered;
            reusable.push(event);
        }
    }
}
