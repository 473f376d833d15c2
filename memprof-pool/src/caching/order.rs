//! The order of streams: when another stream may use freed memory.

use super::free::LOOKED_AT;
use super::queue::Queue;
use crate::{AllocationError, Mark, Streams};
use std::collections::{BTreeMap, VecDeque};

/// The streams that freed memory, and their known progress.
///
/// The frees of a stream are numbered. The stream itself may reuse the memory immediately. Another
/// stream may use it once an event has passed that was recorded after that free or a later one.
#[derive(Debug, Default)]
pub(super) struct Order {
    queues: BTreeMap<Queue, Progress>,
    /// Passed events for reuse, because creating and destroying one takes two calls.
    spare: Vec<Mark>,
    /// The number of streams left after the last sweep.
    swept: usize,
}

#[derive(Debug, Default)]
struct Progress {
    /// The number of the last free.
    freed: u64,
    /// The last number before which all work is known to be done.
    passed: u64,
    /// Events that have not passed, each with the number of the last free before it.
    marks: VecDeque<(u64, Mark)>,
    /// The number of coming frees that record an event, because another stream has wanted the
    /// memory.
    wanted: usize,
}

/// The limit on pending events of a stream. At the limit, an event is recorded only when another
/// stream wants the memory.
const MARKS: usize = 64;

/// The number of coming frees that record an event, once another stream has wanted a stream's
/// memory.
///
/// It is one for each block that a search examines. If the stream then serves only itself, it stops
/// recording events.
const WANTED: usize = LOOKED_AT;

/// With fewer streams, `sweep` does nothing.
const FEW: usize = 16;

impl Order {
    /// Adds a stream that is used.
    pub(super) fn meet(&mut self, queue: Queue) {
        self.queues.entry(queue).or_default();
    }

    /// Numbers a free in the stream, which happens now. The current thread reaches the stream.
    ///
    /// It records an event behind the free if another stream is likely to want the memory, or if no
    /// event could be recorded later.
    pub(super) fn free(&mut self, streams: &dyn Streams, queue: Queue) -> u64 {
        let progress = self.queues.entry(queue).or_default();
        progress.freed += 1;
        if queue.is_owned() {
            // Only this thread can record an event in its stream, and the thread may end.
            let is_marked = progress.mark(streams, &mut self.spare, queue).is_ok();
            if is_marked && progress.marks.len() > MARKS {
                // The new event is behind these frees too.
                let before = progress.marks.remove(progress.marks.len() - 2);
                self.spare.extend(before.map(|(_, mark)| mark));
            }
        } else if progress.wanted > 0 && progress.marks.len() < MARKS {
            progress.wanted -= 1;
            // If the device refuses the event, it is recorded later, when another stream wants the
            // memory.
            let _ = progress.mark(streams, &mut self.spare, queue);
        }
        progress.freed
    }

    /// Returns `true` if all work before that free is known to be done. Does not query the device.
    pub(super) fn is_known_passed(&self, queue: Queue, number: u64) -> bool {
        self.queues.get(&queue).is_none_or(|progress| number <= progress.passed)
    }

    /// Returns `true` if a pending event covers the free.
    pub(super) fn is_pending(&self, queue: Queue, number: u64) -> bool {
        let covers = |progress: &Progress| progress.marks.back().is_some_and(|(m, _)| *m >= number);
        !self.is_known_passed(queue, number) && self.queues.get(&queue).is_some_and(covers)
    }

    /// Returns `true` if all work before that free is done. Otherwise it records an event, unless
    /// one covers the free already.
    pub(super) fn has_passed(&mut self, streams: &dyn Streams, queue: Queue, number: u64) -> bool {
        let Some(progress) = self.queues.get_mut(&queue) else { return true };
        progress.wanted = WANTED;
        progress.poll(streams, &mut self.spare, number);
        if number > progress.passed
            && let Ok(true) = progress.cover(streams, &mut self.spare, queue, number)
        {
            // In a stream without work, the event has passed already.
            progress.poll(streams, &mut self.spare, number);
        }
        number <= progress.passed
    }

    /// Makes later work in `waiting` wait for all work before that free, so that it may use the
    /// memory.
    ///
    /// The current thread reaches `waiting`. Returns `false` if the device refuses.
    pub(super) fn wait(
        &mut self,
        streams: &dyn Streams,
        waiting: Queue,
        queue: Queue,
        number: u64,
    ) -> bool {
        if waiting == queue || self.is_known_passed(queue, number) {
            return true;
        }
        let Some(progress) = self.queues.get_mut(&queue) else { return true };
        progress.wanted = WANTED;
        let _ = progress.cover(streams, &mut self.spare, queue, number);
        let mark = progress.marks.iter().find(|(marked, _)| *marked >= number);
        mark.is_some_and(|(_, mark)| streams.wait(waiting.stream, mark).is_ok())
    }

    /// Replaces the stream by one that no thread reaches, with an event behind all its frees.
    ///
    /// Returns `None` if all work before them is done. The stream is then forgotten.
    ///
    /// # Errors
    /// Returns an error if the device refuses the event. Nothing changes then.
    pub(super) fn retire(
        &mut self,
        streams: &dyn Streams,
        queue: Queue,
    ) -> Result<Option<Queue>, AllocationError> {
        let Some(progress) = self.queues.get_mut(&queue) else { return Ok(None) };
        let last = progress.freed;
        progress.poll(streams, &mut self.spare, last);
        if last > progress.passed && progress.cover(streams, &mut self.spare, queue, last)? {
            progress.poll(streams, &mut self.spare, last);
        }
        let is_done = last <= progress.passed;
        let progress = self.queues.remove(&queue).unwrap_or_default();
        if is_done {
            return Ok(None);
        }
        let retired = queue.retired();
        self.queues.insert(retired, progress);
        Ok(Some(retired))
    }

    /// Forgets streams that the current thread can't reach and whose work is done, and returns
    /// them.
    ///
    /// It does something only if there are twice as many streams as after the last sweep, so its
    /// cost is low.
    pub(super) fn sweep(&mut self, streams: &dyn Streams) -> Vec<Queue> {
        if self.queues.len() < FEW.max(2 * self.swept) {
            return Vec::new();
        }
        let mut done = Vec::new();
        for (queue, progress) in &mut self.queues {
            if !queue.is_reachable() {
                progress.poll(streams, &mut self.spare, progress.freed);
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
        let waiting = queues.flat_map(|progress| progress.marks).map(|(_, mark)| mark);
        let spare = core::mem::take(&mut self.spare);
        waiting.chain(spare).for_each(|mark| streams.release(mark));
    }
}

impl Progress {
    /// Records an event behind all work of the stream, which the current thread reaches.
    fn mark(
        &mut self,
        streams: &dyn Streams,
        spare: &mut Vec<Mark>,
        queue: Queue,
    ) -> Result<(), AllocationError> {
        let mark = match spare.pop() {
            Some(mark) => streams.mark_again(mark, queue.stream)?,
            None => streams.mark(queue.stream)?,
        };
        self.marks.push_back((self.freed, mark));
        Ok(())
    }

    /// Records an event unless one covers that free, or the current thread can't reach the stream.
    /// Returns `true` if it recorded one.
    fn cover(
        &mut self,
        streams: &dyn Streams,
        spare: &mut Vec<Mark>,
        queue: Queue,
        number: u64,
    ) -> Result<bool, AllocationError> {
        let is_covered = self.marks.back().is_some_and(|(marked, _)| *marked >= number);
        if is_covered || !queue.is_reachable() {
            return Ok(false);
        }
        self.mark(streams, spare, queue)?;
        Ok(true)
    }

    /// Polls events up to that free. An event that the device can't query counts as not passed.
    fn poll(&mut self, streams: &dyn Streams, spare: &mut Vec<Mark>, number: u64) {
        while self.passed < number
            && let Some((_, mark)) = self.marks.front()
            && matches!(streams.has_passed(mark), Ok(true))
            && let Some((marked, mark)) = self.marks.pop_front()
        {
            self.passed = marked;
            spare.push(mark);
        }
    }
}
