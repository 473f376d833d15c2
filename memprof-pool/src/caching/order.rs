//! Which freed memory other streams may use: that whose stream has done all work before the free.

use super::free::LOOKED_AT;
use super::queue::Queue;
use crate::{AllocationError, Mark, Streams};
use std::collections::{BTreeMap, VecDeque};

/// The streams that freed memory, and how far their work is known to be.
///
/// Frees of a stream are numbered. Memory freed at a number may be used by other streams once a mark
/// that was put behind that free or a later one has passed; by its own stream always.
#[derive(Debug, Default)]
pub(super) struct Order {
    queues: BTreeMap<Queue, Progress>,
    /// Marks that have passed, to be put again: making and destroying one takes two calls.
    spare: Vec<Mark>,
    /// The streams that were left when those that no thread reaches were looked through.
    swept: usize,
}

#[derive(Debug, Default)]
struct Progress {
    /// The number of the last free.
    freed: u64,
    /// The last number before which all work is known to be done.
    passed: u64,
    /// Marks that have not passed, with the last free before each.
    marks: VecDeque<(u64, Mark)>,
    /// Frees to come that are marked at once, as another stream has wanted the memory.
    wanted: usize,
}

/// Marks of a stream that may wait to pass; later ones are put when another stream wants the memory.
const MARKS: usize = 64;

/// The next frees that are marked after another stream has wanted a stream's memory: one for each block
/// that a search looks at. A stream that serves itself from then on marks no more.
const WANTED: usize = LOOKED_AT;

/// So few streams are not looked through for those that no thread reaches.
const FEW: usize = 16;

impl Order {
    /// Notes that the stream is used.
    pub(super) fn meet(&mut self, queue: Queue) {
        self.queues.entry(queue).or_default();
    }

    /// The number of a free in the stream, which happens now. The current thread reaches the stream.
    ///
    /// A mark is put behind it if another stream may want the memory before a mark can be put, or is
    /// likely to want it.
    pub(super) fn free(&mut self, streams: &dyn Streams, queue: Queue) -> u64 {
        let progress = self.queues.entry(queue).or_default();
        progress.freed += 1;
        if queue.is_owned() {
            // Only this thread can mark its stream, and it may end.
            let is_marked = progress.mark(streams, &mut self.spare, queue).is_ok();
            if is_marked && progress.marks.len() > MARKS {
                // The new mark is behind these frees too.
                let before = progress.marks.remove(progress.marks.len() - 2);
                self.spare.extend(before.map(|(_, mark)| mark));
            }
        } else if progress.wanted > 0 && progress.marks.len() < MARKS {
            progress.wanted -= 1;
            // A mark that the device refuses is put later, when another stream wants the memory.
            let _ = progress.mark(streams, &mut self.spare, queue);
        }
        progress.freed
    }

    /// Whether all work before that free is known to be done; asks nobody.
    pub(super) fn is_known_passed(&self, queue: Queue, number: u64) -> bool {
        self.queues.get(&queue).is_none_or(|progress| number <= progress.passed)
    }

    /// Whether a mark waits to pass that covers the free.
    pub(super) fn is_pending(&self, queue: Queue, number: u64) -> bool {
        let covers = |progress: &Progress| progress.marks.back().is_some_and(|(m, _)| *m >= number);
        !self.is_known_passed(queue, number) && self.queues.get(&queue).is_some_and(covers)
    }

    /// Whether all work before that free is done. If nobody can tell yet, a mark is put that will.
    pub(super) fn has_passed(&mut self, streams: &dyn Streams, queue: Queue, number: u64) -> bool {
        let Some(progress) = self.queues.get_mut(&queue) else { return true };
        progress.wanted = WANTED;
        progress.poll(streams, &mut self.spare, number);
        if number > progress.passed
            && let Ok(true) = progress.cover(streams, &mut self.spare, queue, number)
        {
            // A stream without work has passed it already.
            progress.poll(streams, &mut self.spare, number);
        }
        number <= progress.passed
    }

    /// Lets later work in `waiting`, which the current thread reaches, wait for all work before that
    /// free, so that it may use the memory.
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

    /// Makes the stream one that no thread reaches, with a mark behind all its frees; `None` if all
    /// work before them is done, and the stream is forgotten.
    ///
    /// # Errors
    /// If the device refuses the mark; nothing changes then.
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

    /// Forgets streams that the current thread can't reach and all work of which is done. It looks
    /// only when there are twice as many streams as after the last look, so it costs little.
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

    /// The streams that are known.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.queues.len()
    }

    /// Gives all marks back.
    pub(super) fn close(&mut self, streams: &dyn Streams) {
        let queues = core::mem::take(&mut self.queues).into_values();
        let waiting = queues.flat_map(|progress| progress.marks).map(|(_, mark)| mark);
        let spare = core::mem::take(&mut self.spare);
        waiting.chain(spare).for_each(|mark| streams.release(mark));
    }
}

impl Progress {
    /// Puts a mark behind all work of the stream, which the current thread reaches.
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

    /// Puts a mark unless there is one behind that free, or the current thread can't put it; whether
    /// it did.
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

    /// Looks how far the work is, no further than asked. What the device can't tell has not passed.
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
