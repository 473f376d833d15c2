//! The release of segments to the upstream.

use super::block::{Block, Idle};
use super::rules::Age;
use super::state::PoolState;
use super::supply::Supply;
use crate::{Action, Address, MemoryResource, Request, Stream};
use core::panic::Location;
use std::time::Instant;

/// The result of [`CachingPool::compact`](super::CachingPool::compact).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compaction {
    /// Bytes that went back to the upstream.
    pub released: u64,
    /// The number of released segments.
    pub released_segments: u64,
    /// Free bytes that stay. Their segment has an allocated block, which can't be moved, or work in
    /// a stream may still use them.
    pub unmovable: u64,
    /// The number of segments that contain the unmovable bytes.
    pub unmovable_segments: u64,
}

impl<U: MemoryResource> Supply<'_, U> {
    /// Releases idle segments, the longest idle first, until `is_enough` returns `true`. Returns
    /// the released bytes.
    #[track_caller]
    pub(super) fn release_idle(&mut self, is_enough: impl Fn(&PoolState) -> bool) -> u64 {
        // Copy the list, because segments that the upstream refuses to take back stay in it.
        let idle: Vec<u32> = self.state.idle.iter().map(|(_, _, segment)| *segment).collect();
        let mut released = 0;
        for segment in idle {
            if is_enough(self.state) {
                break;
            }
            released += self.release(segment);
        }
        released
    }

    /// Releases idle segments while the cache exceeds its limit, and segments that were idle for
    /// too long.
    #[track_caller]
    pub(super) fn trim(&mut self) {
        let limit = self.rules.cached.unwrap_or(u64::MAX);
        while self.state.counts.cached() > limit || self.is_oldest_stale() {
            // Preallocated segments come last in the list, and stay reserved.
            let Some(&(false, _, segment)) = self.state.idle.first() else { return };
            if self.release(segment) == 0 {
                return;
            }
        }
    }

    fn is_oldest_stale(&self) -> bool {
        let Some(age) = self.rules.age else { return false };
        let Some(&(false, _, segment)) = self.state.idle.first() else { return false };
        let idle = self.state.segments[segment].idle;
        match age {
            Age::Operations(limit) => self.state.operations - idle.operation >= limit,
            Age::Time(limit) => idle.at.is_some_and(|at| at.elapsed() >= limit),
        }
    }

    /// Releases an idle segment and returns its bytes. Returns 0 if work in a stream may still use
    /// the segment, or if the upstream refuses to free it.
    #[track_caller]
    fn release(&mut self, number: u32) -> u64 {
        if !self.merge_segment(number) {
            self.requeue_idle(number);
            return 0;
        }
        let segment = self.state.segments[number].clone();
        let Some(stream) = self.last_stream(segment.first) else {
            self.requeue_idle(number);
            return 0;
        };
        let request = Request { bytes: segment.bytes, alignment: segment.alignment, stream };
        // SAFETY: the upstream allocated the segment for this request, it has been in the state
        // since, and no block of it is allocated. Work that used it is done, or comes earlier in
        // this stream.
        let freed = unsafe { self.upstream.deallocate(Address(segment.address), request) };
        if freed.is_err() {
            // Nothing was freed, so the segment stays in the state.
            self.state.counts.refused += 1;
            self.requeue_idle(number);
            return 0;
        }
        self.state.remove_segment(number);
        self.record(Action::SegmentFree, Address(segment.address), request, Location::caller());
        segment.bytes
    }

    /// Returns a stream in whose order a free block may be released.
    ///
    /// All work that used the block is done, or comes earlier in that stream. Returns `None` if the
    /// current thread reaches no such stream.
    fn last_stream(&mut self, block: u32) -> Option<Stream> {
        let Block { queue, freed, .. } = self.state.blocks[block];
        let Some(streams) = self.upstream.streams().filter(|_| !queue.is_reachable()) else {
            return Some(queue.stream);
        };
        let last = queue.reachable(streams);
        let order = &mut self.state.order;
        let is_ordered = order.has_passed(streams, queue, freed)
            || self.waits && order.wait(streams, last, queue, freed);
        is_ordered.then_some(last.stream)
    }

    /// Moves an idle segment to the end of the idle list, because the segment can't be released
    /// yet.
    fn requeue_idle(&mut self, number: u32) {
        self.state.idle.remove(&self.state.idle_key(number));
        self.state.segments[number].idle = self.idle_now();
        self.state.idle.insert(self.state.idle_key(number));
    }

    pub(super) fn idle_now(&self) -> Idle {
        let is_timed = matches!(self.rules.age, Some(Age::Time(_)));
        Idle { operation: self.state.operations, at: is_timed.then(Instant::now) }
    }

    /// Merges the blocks of an idle segment. Returns `true` if one block remains.
    fn merge_segment(&mut self, number: u32) -> bool {
        self.merge_done_of(number, self.waits);
        self.state.blocks[self.state.segments[number].first].next.is_none()
    }

    /// Merges neighbouring free blocks of different streams if all work of one stream is done.
    pub(super) fn merge_done(&mut self) {
        let segments: Vec<u32> = self.state.segments.iter().map(|(number, _)| number).collect();
        for segment in segments {
            self.merge_done_of(segment, false);
        }
    }

    /// Merges neighbouring free blocks of different streams in one segment. If `waits` is `true`,
    /// one stream may wait for the work of another.
    fn merge_done_of(&mut self, segment: u32, waits: bool) {
        let Some(streams) = self.upstream.streams() else { return };
        let mut left = self.state.segments[segment].first;
        while let Some(right) = self.state.blocks[left].next {
            let [one, other] = [left, right].map(|block| &self.state.blocks[block]);
            if !(one.is_free() && other.is_free()) {
                left = right;
                continue;
            }
            let [one, other] = [one, other].map(|block| (block.queue, block.freed));
            // Only a stream that the current thread reaches can wait.
            let last = if other.0.is_reachable() { other.0 } else { one.0.reachable(streams) };
            let order = &mut self.state.order;
            let owner = if order.has_passed(streams, other.0, other.1) {
                one
            } else if order.has_passed(streams, one.0, one.1) {
                other
            } else if waits && [one, other].iter().all(|of| order.wait(streams, last, of.0, of.1)) {
                // The merged block counts as freed now, after the waits. So an event behind this
                // free also covers the work of both streams.
                (last, order.free(streams, last))
            } else {
                left = right;
                continue;
            };
            self.state.join(left, right, owner.0, owner.1);
            left = self.state.coalesce(left);
        }
    }

    /// Merges and releases as much as possible.
    #[track_caller]
    pub(super) fn compact(&mut self) -> Compaction {
        self.merge_done();
        let before = self.state.counts.segments_released;
        let released = self.release_idle(|_| false);
        let released_segments = self.state.counts.segments_released - before;
        let mut compaction = Compaction { released, released_segments, ..Compaction::default() };
        let mut segments: Vec<u32> = Vec::new();
        for (_, _, entry) in self.state.free.iter() {
            compaction.unmovable += entry.bytes;
            segments.push(self.state.blocks[entry.block].segment);
        }
        segments.sort_unstable();
        segments.dedup();
        compaction.unmovable_segments = segments.len() as u64;
        compaction
    }
}
