//! The series of call sites: the observations by place and operation, and the blocks that were live
//! at the last one.

use crate::read::frame::{Frame, Place};
use crate::read::leaks::growth::{Block, Held, Point, Series};
use crate::read::leaks::places::Places;
use crate::read::leaks::record::{Observed, Row};
use crate::record::estimate::Estimate;
use crate::record::live_table::Sample;
use core::time::Duration;
use std::collections::HashMap;

/// The ages of live blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Ages {
    /// The age of the oldest block.
    pub oldest: Duration,
    /// The median age of the bytes: half of them are at least this old.
    pub median: Duration,
}

/// A block that was live at the last observation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aged {
    pub(crate) site: u32,
    pub(crate) operation: u32,
    bytes: f64,
    /// The age in milliseconds.
    milliseconds: u64,
    is_younger: bool,
}

impl Aged {
    /// Returns the age of a sampled block. `watched` is the time since the baseline, in
    /// milliseconds.
    pub(crate) fn of(sample: &Sample, now: u64, watched: u64) -> Self {
        let milliseconds = now.saturating_sub(sample.allocated_at);
        let (site, operation, bytes) = (sample.site, sample.operation, sample.bytes().value);
        Self { site, operation, bytes, milliseconds, is_younger: milliseconds < watched }
    }
}

/// The blocks and observations of one place in the source, for blocks that one operation allocated
/// there.
pub(crate) struct Group {
    pub(crate) location: Option<Frame>,
    pub(crate) operation: u32,
    baseline: Held,
    /// The rows of the group, as indices of an observation and of a row in it. A copy of the rows
    /// would take 16 times the memory.
    rows: Vec<(u32, u32)>,
    blocks: Vec<Aged>,
}

/// Returns the groups whose last observation has bytes that were allocated since the baseline.
/// Others do not grow.
///
/// They are not collected, because a program with many call sites has far more of them.
pub(crate) fn groups(
    baseline: &[Row],
    observed: &[Observed],
    blocks: &[Aged],
    places: &mut Places,
) -> Vec<Group> {
    let mut groups = Groups { found: HashMap::new(), all: Vec::new(), places };
    let last = observed.last().map_or(&[][..], |last| &last.rows);
    for row in last.iter().filter(|row| row.held().younger.value > 0.0) {
        groups.add(row.site, row.operation);
    }
    for row in baseline {
        if let Some(group) = groups.of(row.site, row.operation) {
            group.baseline.add(&row.held());
        }
    }
    for (index, one) in (0..).zip(observed) {
        for (number, row) in (0..).zip(one.rows.iter()) {
            if let Some(group) = groups.of(row.site, row.operation) {
                group.rows.push((index, number));
            }
        }
    }
    for block in blocks {
        if let Some(group) = groups.of(block.site, block.operation) {
            group.blocks.push(*block);
        }
    }
    groups.all
}

struct Groups<'a> {
    found: HashMap<(Place, u32), usize>,
    all: Vec<Group>,
    places: &'a mut Places,
}

impl Groups<'_> {
    fn add(&mut self, site: u32, operation: u32) {
        let (place, location) = self.places.place(site);
        self.found.entry((place, operation)).or_insert_with(|| {
            let (rows, blocks) = (Vec::new(), Vec::new());
            self.all.push(Group { location, operation, baseline: Held::default(), rows, blocks });
            self.all.len() - 1
        });
    }

    fn of(&mut self, site: u32, operation: u32) -> Option<&mut Group> {
        let (place, _) = self.places.place(site);
        self.all.get_mut(*self.found.get(&(place, operation))?)
    }
}

impl Group {
    /// Returns one point for each observation. `observed` must be the observations from which the
    /// group was made.
    pub(crate) fn series(&self, observed: &[Observed]) -> Series {
        let point =
            |one: &Observed| Point { seconds: one.seconds, number: one.number, ..Point::default() };
        let mut points: Vec<Point> = observed.iter().map(point).collect();
        for &(index, row) in &self.rows {
            let row = &observed[index as usize].rows[row as usize];
            let point = &mut points[index as usize];
            // Calls are the same for all rows of an operation.
            point.calls = row.calls;
            point.held.add(&row.held());
        }
        let end = points.last().map_or(0.0, |last| last.seconds);
        let block = |block: &Aged| {
            let born = end - block.milliseconds as f64 / 1000.0;
            Block { born: if block.is_younger { born } else { born.min(0.0) }, bytes: block.bytes }
        };
        let blocks = self.blocks.iter().map(block).collect();
        Series { baseline: self.baseline, points, blocks }
    }

    /// Returns the live blocks that were allocated since the baseline.
    pub(crate) fn live_blocks(&self, observed: &[Observed]) -> Estimate {
        let last = observed.len().saturating_sub(1);
        let rows = self.rows.iter().filter(|(index, _)| *index as usize == last);
        rows.map(|(index, row)| observed[*index as usize].rows[*row as usize].younger_blocks())
            .sum()
    }

    /// Returns the ages of the blocks that were allocated since the baseline.
    pub(crate) fn ages(&self) -> Ages {
        let mut sorted: Vec<_> = self.younger().collect();
        sorted.sort_by_key(|block| core::cmp::Reverse(block.milliseconds));
        let half = sorted.iter().map(|block| block.bytes).sum::<f64>() / 2.0;
        let mut older = 0.0;
        let middle = sorted.iter().find(|block| {
            older += block.bytes;
            older >= half
        });
        let age = |block: Option<&&Aged>| {
            Duration::from_millis(block.map_or(0, |block| block.milliseconds))
        };
        Ages { oldest: age(sorted.first()), median: age(middle) }
    }

    /// Returns the call sites of the blocks that were allocated since the baseline, and the bytes
    /// of each.
    pub(crate) fn sites(&self) -> HashMap<u32, f64> {
        let mut sites = HashMap::new();
        for block in self.younger() {
            *sites.entry(block.site).or_default() += block.bytes;
        }
        sites
    }

    fn younger(&self) -> impl Iterator<Item = &Aged> {
        self.blocks.iter().filter(|block| block.is_younger)
    }
}
