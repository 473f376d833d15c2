//! The order of streams: when another stream may use freed memory.
//!
//! The frees of a stream are numbered. The stream itself may reuse the memory immediately. Another
//! stream may use it once an event has passed that was recorded after that free or a later one.
//!
//! CUDA's `CU_STREAM_PER_THREAD` names a different stream in each thread, and only that thread can
//! record an event in it. So a free in this stream records an event at once, and the memory belongs
//! to no stream: each stream, also that of the same thread, waits for the event. A pool per thread
//! would save the wait, but it took 110 lines, and a program that names its streams needs neither.

use super::free::MAX_EXAMINED;
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

/// The streams that freed memory, and their known progress.
#[derive(Debug, Default)]
pub(super) struct Order {
    queues: BTreeMap<Queue, Progress>,
    /// Passed events, kept for reuse, because creating and destroying an event takes two calls.
    reusable: Vec<StreamEvent>,
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
    events: VecDeque<(u64, StreamEvent)>,
    /// The number of further frees that record an event. It becomes [`EVENTS_ON_DEMAND`] when
    /// another stream needs the memory.
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
    /// Adds a stream to the known ones.
    pub(super) fn add(&mut self, queue: Queue) {
        self.queues.entry(queue).or_default();
    }

    /// Records a free that happens now in the stream. Returns the queue of the memory and the number
    /// of the free.
    ///
    /// The call records an event behind the free if another stream is likely to need the memory, or
    /// if no event could be recorded later.
    pub(super) fn free(&mut self, streams: &dyn Streams, stream: Stream) -> (Queue, u64) {
        if streams.is_per_thread(stream) {
            let mut progress = Progress { freed: 1, ..Progress::default() };
            // Without an event, it stays unknown when the work is done, so the memory is lost.
            let _ = progress.record_event(streams, &mut self.reusable, stream);
            return (self.insert_retired(stream, progress), 1);
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
        (queue, progress.freed)
    }

    fn insert_retired(&mut self, stream: Stream, progress: Progress) -> Queue {
        self.retired += 1;
        let queue = Queue { stream, retired: self.retired };
        self.queues.insert(queue, progress);
        queue
    }

    /// Returns `true` if all work before the free `number` is known to be done. The call does not
    /// query the device.
    pub(super) fn is_known_done(&self, queue: Queue, number: u64) -> bool {
        self.queues.get(&queue).is_none_or(|progress| number <= progress.passed)
    }

    /// Returns `true` if a pending event covers the free `number`.
    pub(super) fn is_pending(&self, queue: Queue, number: u64) -> bool {
        let covers =
            |progress: &Progress| progress.events.back().is_some_and(|(m, _)| *m >= number);
        !self.is_known_done(queue, number) && self.queues.get(&queue).is_some_and(covers)
    }

    /// Returns `true` if all work before the free `number` is done. Otherwise, records an event if
    /// no event covers the free yet.
    pub(super) fn has_passed(&mut self, streams: &dyn Streams, queue: Queue, number: u64) -> bool {
        let Some(progress) = self.queues.get_mut(&queue) else { return true };
        progress.events_due = EVENTS_ON_DEMAND;
        progress.poll(streams, &mut self.reusable, number);
        if number > progress.passed
            && let Ok(true) = progress.cover(streams, &mut self.reusable, queue, number)
        {
            // In a stream without work, the event has passed already.
            progress.poll(streams, &mut self.reusable, number);
        }
        number <= progress.passed
    }

    /// Makes later work in `waiting` wait for all work before the free `number` of `queue`, so that
    /// the later work may use the memory.
    ///
    /// Returns `false` if the device refuses, or if no event covers the free and none can be
    /// recorded.
    pub(super) fn wait(
        &mut self,
        streams: &dyn Streams,
        waiting: Queue,
        queue: Queue,
        number: u64,
    ) -> bool {
        if waiting == queue || self.is_known_done(queue, number) {
            return true;
        }
        let Some(progress) = self.queues.get_mut(&queue) else { return true };
        progress.events_due = EVENTS_ON_DEMAND;
        let _ = progress.cover(streams, &mut self.reusable, queue, number);
        let event = progress.events.iter().find(|(covered, _)| *covered >= number);
        event.is_some_and(|(_, event)| streams.wait(waiting.stream, event).is_ok())
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
        let last = progress.freed;
        progress.poll(streams, &mut self.reusable, last);
        if last > progress.passed && progress.cover(streams, &mut self.reusable, queue, last)? {
            progress.poll(streams, &mut self.reusable, last);
        }
        let is_done = last <= progress.passed;
        let progress = self.queues.remove(&queue).unwrap_or_default();
        if is_done {
            return Ok(None);
        }
        Ok(Some(self.insert_retired(queue.stream, progress)))
    }

    /// Forgets queues without a stream whose work is done, and returns them.
    ///
    /// The call does nothing until there are twice as many as after the last sweep, so its cost is
    /// low.
    pub(super) fn sweep(&mut self, streams: &dyn Streams) -> Vec<Queue> {
        if self.queues.len() < MIN_SWEEP.max(2 * self.swept) {
            return Vec::new();
        }
        let mut done = Vec::new();
        for (queue, progress) in &mut self.queues {
            if !queue.is_stream() {
                progress.poll(streams, &mut self.reusable, progress.freed);
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

    /// Returns the number of known streams.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.queues.len()
    }

    /// Releases all events.
    pub(super) fn close(&mut self, streams: &dyn Streams) {
        let queues = core::mem::take(&mut self.queues).into_values();
        let waiting = queues.flat_map(|progress| progress.events).map(|(_, event)| event);
        let reusable = core::mem::take(&mut self.reusable);
        waiting.chain(reusable).for_each(|event| streams.release(event));
    }
}

impl Progress {
    /// Records an event behind all work of the stream.
    fn record_event(
        &mut self,
        streams: &dyn Streams,
        reusable: &mut Vec<StreamEvent>,
        stream: Stream,
    ) -> Result<(), AllocationError> {
        let event = match reusable.pop() {
            Some(event) => streams.record_again(event, stream)?,
            None => streams.record(stream)?,
        };
        self.events.push_back((self.freed, event));
        Ok(())
    }

    /// Records an event, and returns `true`. If an event already covers the free `number`, or if
    /// the queue has no stream, records nothing and returns `false`.
    fn cover(
        &mut self,
        streams: &dyn Streams,
        reusable: &mut Vec<StreamEvent>,
        queue: Queue,
        number: u64,
    ) -> Result<bool, AllocationError> {
        let is_covered = self.events.back().is_some_and(|(covered, _)| *covered >= number);
        if is_covered || !queue.is_stream() {
            return Ok(false);
        }
        self.record_event(streams, reusable, queue.stream)?;
        Ok(true)
    }

    /// Polls events up to the one that covers the free `number`. An event that the device can't
    /// query counts as not passed.
    fn poll(&mut self, streams: &dyn Streams, reusable: &mut Vec<StreamEvent>, number: u64) {
        while self.passed < number
            && let Some((_, event)) = self.events.front()
            && matches!(streams.has_passed(event), Ok(true))
            && let Some((covered, event)) = self.events.pop_front()
        {
            self.passed = covered;
            reusable.push(event);
        }
    }
}
