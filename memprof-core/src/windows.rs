//! Windows of shared buffers. Bytes that at least one window covers are used, and all other bytes
//! are not.
//!
//! Arrays of `arrow` and views of `bytes` cover parts of a buffer that they share. All windows of a
//! buffer determine its used bytes, so their union is computed when the walk ends.

#![cfg_attr(
    not(any(feature = "arrow60", feature = "bytes1")),
    allow(dead_code, reason = "only these crates have buffers with windows")
)]

use core::ops::Range;
use std::collections::HashMap;

/// The maximum number of ranges of a buffer after a merge. If there are more, the smaller half of
/// the gaps between them counts as used.
const MAX_RANGES: usize = 4096;

/// The minimum number of ranges that are merged.
const MIN_MERGE_LEN: usize = 64;

/// One window of a buffer that other windows may share.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// The address that identifies the buffer.
    pub(crate) buffer: usize,
    /// The addresses that the window covers.
    pub(crate) range: Range<usize>,
    /// The bytes of the buffer, if known.
    pub(crate) capacity: Option<usize>,
}

/// The shared buffers met in a walk.
#[derive(Debug, Default)]
pub(crate) struct Windows(HashMap<usize, Buffer>);

#[derive(Debug)]
struct Buffer {
    /// The node to which the buffer's bytes are added.
    node: u32,
    /// The shared allocation that contains the bytes.
    context: u32,
    capacity: Option<usize>,
    covered: Ranges,
}

/// A shared buffer after the walk met all its windows.
pub(crate) struct CoveredBuffer {
    pub(crate) node: u32,
    pub(crate) context: u32,
    pub(crate) capacity: Option<usize>,
    /// The bytes that at least one window covers.
    pub(crate) used: usize,
}

impl Windows {
    /// Adds a window. The first window of a buffer determines where the buffer's bytes are added.
    pub(crate) fn add(&mut self, node: u32, context: u32, window: Window) {
        let Window { buffer, range, capacity } = window;
        let new = || Buffer { node, context, capacity, covered: Ranges::default() };
        self.0.entry(buffer).or_insert_with(new).covered.add(range);
    }

    /// Returns all buffers.
    pub(crate) fn into_buffers(self) -> impl Iterator<Item = CoveredBuffer> {
        self.0.into_values().map(|buffer| {
            let Buffer { node, context, capacity, covered } = buffer;
            CoveredBuffer { node, context, capacity, used: covered.bytes() }
        })
    }
}

/// A set of addresses.
#[derive(Debug, Default)]
struct Ranges {
    /// The ranges. The first `merged` of them are sorted and do not overlap, and the others are in
    /// any order.
    ranges: Vec<Range<usize>>,
    /// The number of ranges after the last merge.
    merged: usize,
}

impl Ranges {
    fn add(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        // Windows often come in order, each starting at the end of the previous one.
        let last = self.ranges.last_mut();
        if let Some(last) = last.filter(|last| (last.start..=last.end).contains(&range.start)) {
            last.end = last.end.max(range.end);
            return;
        }
        self.ranges.push(range);
        if self.ranges.len() >= MIN_MERGE_LEN.max(2 * self.merged) {
            self.merge(0);
            if self.ranges.len() > MAX_RANGES {
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

    /// Returns the median gap. Closing all gaps of at most this size leaves at most half of the
    /// ranges.
    fn gap_to_close(&self) -> usize {
        let mut gaps: Vec<usize> =
            self.ranges.windows(2).map(|pair| pair[1].start - pair[0].end).collect();
        let middle = gaps.len() / 2;
        *gaps.select_nth_unstable(middle).1
    }

    /// Returns the number of addresses.
    fn bytes(mut self) -> usize {
        self.merge(0);
        self.ranges.iter().map(Range::len).sum()
    }
}

#[cfg(test)]
mod tests;
