//! Windows of shared buffers: the bytes that at least one of them covers are used, the rest is not.
//!
//! Arrays of arrow and views of bytes show parts of a buffer that they share. The use of a
//! buffer follows from all its windows, so the walk takes their union when it ends.

#![cfg_attr(
    not(any(feature = "arrow60", feature = "bytes1")),
    allow(dead_code, reason = "only these crates have buffers with windows")
)]

use crate::paths::Paths;
use crate::walk::{At, Walk};
use crate::{Kind, Opaque};
use core::ops::Range;
use std::collections::HashMap;

/// Ranges kept for a buffer. Where there are more, the smallest gaps count as used.
const MOST_RANGES: usize = 4096;

/// Ranges that are kept before they are merged for the first time.
const FEW_RANGES: usize = 64;

/// One window of a buffer that others may share.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// The address that identifies the buffer.
    pub(crate) buffer: usize,
    /// The addresses that the window shows.
    pub(crate) range: Range<usize>,
    /// The bytes of the buffer, if they can be known.
    pub(crate) capacity: Option<usize>,
}

/// The shared buffers met in a walk.
#[derive(Debug, Default)]
pub(crate) struct Windows(HashMap<usize, Buffer>);

#[derive(Debug)]
struct Buffer {
    /// Where its bytes are added.
    node: u32,
    /// The shared memory that they are part of.
    context: u32,
    capacity: Option<usize>,
    covered: Ranges,
}

impl Walk<'_> {
    /// Follows a window of a buffer as [`shared`](Self::shared) follows a handle; `visit` adds all but
    /// the buffer's bytes, which are an estimate.
    pub(crate) fn window(
        &mut self,
        at: At,
        window: Window,
        strong: impl FnOnce() -> usize,
        visit: impl FnOnce(&mut Self, At),
    ) {
        if self.has_met(window.buffer) {
            self.add_window(at, window);
            return;
        }
        let strong = strong();
        let Some((inside, outer)) = self.enter_shared(at, window.buffer, strong) else {
            self.add_window(at, window);
            return;
        };
        visit(self, inside);
        if strong == 1 {
            self.add_buffer(inside, window.range.len(), window.capacity);
        } else {
            self.add_window(inside, window);
        }
        self.leave_shared(outer);
    }

    fn add_window(&mut self, at: At, window: Window) {
        let context = self.paths.sharing.context();
        let Window { buffer, range, capacity } = window;
        let new = || Buffer { node: at.node, context, capacity, covered: Ranges::default() };
        self.paths.windows.0.entry(buffer).or_insert_with(new).covered.add(range);
    }

    /// Adds the bytes of a buffer of which windows cover `used`.
    fn add_buffer(&mut self, at: At, used: usize, capacity: Option<usize>) {
        let used = used.min(capacity.unwrap_or(usize::MAX));
        self.estimated(at, Kind::Data, used);
        match capacity {
            Some(capacity) => self.estimated(at, Kind::Spare, capacity - used),
            // A zero-byte estimate leaves no mark.
            None if used == 0 => self.opaque(at, Opaque::Foreign),
            None => {}
        }
    }
}

impl Paths {
    /// Adds the bytes of the shared buffers, all of whose windows were met.
    pub(crate) fn add_shared_buffers(&mut self) {
        if self.windows.0.is_empty() {
            return;
        }
        let windows = core::mem::take(&mut self.windows);
        let mut walk = Walk::over(core::mem::take(self));
        for buffer in windows.0.into_values() {
            let Buffer { node, context, capacity, covered } = buffer;
            let outer = walk.paths.sharing.switch(context);
            walk.add_buffer(At::node(node), covered.bytes(), capacity);
            walk.paths.sharing.switch(outer);
        }
        *self = walk.paths;
    }
}

/// A set of addresses.
#[derive(Debug, Default)]
struct Ranges {
    /// Sorted and apart up to the last merge; those added since follow in any order.
    ranges: Vec<Range<usize>>,
    /// How many there were after the last merge.
    merged: usize,
}

impl Ranges {
    fn add(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        // Windows often come in order, each beginning where the last one ends.
        if let Some(last) = self.ranges.last_mut()
            && (last.start..=last.end).contains(&range.start)
        {
            last.end = last.end.max(range.end);
            return;
        }
        self.ranges.push(range);
        if self.ranges.len() >= FEW_RANGES.max(2 * self.merged) {
            self.merge(0);
            if self.ranges.len() > MOST_RANGES {
                self.merge(self.gap_to_close());
            }
        }
    }

    /// Joins ranges that overlap, touch, or leave a gap of at most `gap` bytes.
    fn merge(&mut self, gap: usize) {
        self.ranges.sort_unstable_by_key(|range| range.start);
        self.ranges.dedup_by(|next, kept| {
            let joins = next.start <= kept.end.saturating_add(gap);
            if joins {
                kept.end = kept.end.max(next.end);
            }
            joins
        });
        self.merged = self.ranges.len();
    }

    /// The gap up to which closing leaves about half of the ranges.
    fn gap_to_close(&self) -> usize {
        let mut gaps: Vec<usize> =
            self.ranges.windows(2).map(|pair| pair[1].start - pair[0].end).collect();
        let middle = gaps.len() / 2;
        *gaps.select_nth_unstable(middle).1
    }

    /// How many addresses there are.
    fn bytes(mut self) -> usize {
        self.merge(0);
        self.ranges.iter().map(Range::len).sum()
    }
}

#[cfg(test)]
mod tests;
