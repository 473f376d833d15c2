//! Which freed memory other streams may use: that whose stream has done all work before the free.

use crate::resource::{Mark, Stream, Streams};
use std::collections::{BTreeMap, VecDeque};

/// The streams that freed memory, and how far their work is known to be.
///
/// Frees of a stream are numbered. Memory freed at a number may be used by other streams once a mark
/// that was put behind that free or a later one has passed; by its own stream always.
#[derive(Debug, Default)]
pub(super) struct Order {
    streams: BTreeMap<Stream, Progress>,
}

#[derive(Debug, Default)]
struct Progress {
    /// The number of the last free.
    freed: u64,
    /// The last number before which all work is known to be done.
    passed: u64,
    /// Marks that have not passed, with the last free before each.
    marks: VecDeque<(u64, Mark)>,
}

/// Marks of a stream that may wait to pass; later ones are put when somebody wants the memory.
const MARKS: usize = 64;

impl Order {
    /// Notes that the stream is used.
    pub(super) fn meet(&mut self, stream: Stream) {
        self.streams.entry(stream).or_default();
    }

    /// The number of a free in the stream, which happens now.
    ///
    /// Behind it a mark is put, if there is another stream that may want the memory.
    pub(super) fn free(&mut self, streams: &dyn Streams, stream: Stream) -> u64 {
        self.meet(stream);
        let is_alone = self.streams.len() == 1;
        let progress = self.streams.entry(stream).or_default();
        progress.freed += 1;
        if !is_alone && progress.marks.len() < MARKS {
            progress.mark(streams, stream);
        }
        progress.freed
    }

    /// Whether all work before that free is known to be done; asks nobody.
    pub(super) fn is_known_passed(&self, stream: Stream, number: u64) -> bool {
        self.streams.get(&stream).is_none_or(|progress| number <= progress.passed)
    }

    /// Whether a mark waits to pass that covers the free.
    pub(super) fn is_pending(&self, stream: Stream, number: u64) -> bool {
        let covers = |progress: &Progress| progress.marks.back().is_some_and(|(m, _)| *m >= number);
        !self.is_known_passed(stream, number) && self.streams.get(&stream).is_some_and(covers)
    }

    /// Whether all work before that free is done. If nobody can tell yet, a mark is put that will.
    pub(super) fn has_passed(
        &mut self,
        streams: &dyn Streams,
        stream: Stream,
        number: u64,
    ) -> bool {
        let Some(progress) = self.streams.get_mut(&stream) else { return true };
        progress.poll(streams, number);
        if number > progress.passed {
            progress.cover(streams, stream, number);
            // A stream without work has passed it already.
            progress.poll(streams, number);
        }
        number <= progress.passed
    }

    /// Lets later work in `waiting` wait for all work before that free, so that it may use the memory.
    pub(super) fn wait(
        &mut self,
        streams: &dyn Streams,
        waiting: Stream,
        stream: Stream,
        number: u64,
    ) -> bool {
        let Some(progress) = self.streams.get_mut(&stream) else { return true };
        progress.cover(streams, stream, number);
        let mark = progress.marks.iter().find(|(marked, _)| *marked >= number);
        mark.is_some_and(|(_, mark)| streams.wait(waiting, mark).is_ok())
    }

    /// Forgets a stream, all work of which is done.
    pub(super) fn forget(&mut self, streams: &dyn Streams, stream: Stream) {
        if let Some(progress) = self.streams.remove(&stream) {
            progress.marks.into_iter().for_each(|(_, mark)| streams.release(mark));
        }
    }

    /// Gives all marks back.
    pub(super) fn close(&mut self, streams: &dyn Streams) {
        for (_, progress) in core::mem::take(&mut self.streams) {
            progress.marks.into_iter().for_each(|(_, mark)| streams.release(mark));
        }
    }
}

impl Progress {
    /// A mark that the device refuses is put later, when somebody wants the memory.
    fn mark(&mut self, streams: &dyn Streams, stream: Stream) {
        if let Ok(mark) = streams.mark(stream) {
            self.marks.push_back((self.freed, mark));
        }
    }

    /// Puts a mark unless there is one behind that free.
    fn cover(&mut self, streams: &dyn Streams, stream: Stream, number: u64) {
        if self.marks.back().is_none_or(|(marked, _)| *marked < number) {
            self.mark(streams, stream);
        }
    }

    /// Looks how far the work is, no further than asked. What the device can't tell has not passed.
    fn poll(&mut self, streams: &dyn Streams, number: u64) {
        while self.passed < number
            && let Some((_, mark)) = self.marks.front()
            && matches!(streams.has_passed(mark), Ok(true))
            && let Some((marked, mark)) = self.marks.pop_front()
        {
            self.passed = marked;
            streams.release(mark);
        }
    }
}
