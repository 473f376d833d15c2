//! The series of call sites: the observations by place and operation, and the blocks that were live
//! at the last one.
//!
//! Call sites of one place in the source are one series. Names are looked up on demand, once.

use crate::read::frame::{Frame, Names, Place};
use crate::read::leaks::growth::{Block, Held, Point, Series};
use crate::read::leaks::watch::{Observed, Row};
use crate::read::symbols::Symbols;
use crate::record::estimate::Estimate;
use crate::record::live_table::Sample;
use core::time::Duration;
use std::collections::{HashMap, HashSet};

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
    pub(crate) place: Place,
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
        let place = self.places.place(site);
        self.found.entry((place.clone(), operation)).or_insert_with(|| {
            self.all.push(Group::new(place, operation));
            self.all.len() - 1
        });
    }

    fn of(&mut self, site: u32, operation: u32) -> Option<&mut Group> {
        let place = self.places.place(site);
        self.all.get_mut(*self.found.get(&(place, operation))?)
    }
}

impl Group {
    fn new(place: Place, operation: u32) -> Self {
        let (rows, blocks) = (Vec::new(), Vec::new());
        Self { place, operation, baseline: Held::default(), rows, blocks }
    }

    /// Splits a group of stacks without names into one group for each stack with live blocks. The
    /// stacks may have different lines of the user's code. The reader of a recording finds the
    /// names, and joins the stacks that have the same lines.
    pub(crate) fn by_stack(self, baseline: &[Row], observed: &[Observed]) -> Vec<Self> {
        if !matches!(self.place, Place::Unnamed(_)) {
            return vec![self];
        }
        let sites = self.sites().into_keys();
        let part = |site| (site, Self::new(self.place.clone(), self.operation));
        let mut parts: HashMap<u32, Self> = sites.map(part).collect();
        for row in baseline.iter().filter(|row| row.operation == self.operation) {
            if let Some(part) = parts.get_mut(&row.site) {
                part.baseline.add(&row.held());
            }
        }
        for &(index, row) in &self.rows {
            let site = observed[index as usize].rows[row as usize].site;
            if let Some(part) = parts.get_mut(&site) {
                part.rows.push((index, row));
            }
        }
        for block in self.blocks {
            if let Some(part) = parts.get_mut(&block.site) {
                part.blocks.push(block);
            }
        }
        parts.into_values().collect()
    }

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

/// The number of innermost frames that distinguish places without names. Stacks that are equal in
/// this many frames allocate in the same code; their outer callers may differ.
const UNNAMED_DEPTH: usize = 24;

/// The locations of call sites that were looked up. With all sites that the table of call sites can
/// have, they take 8 MiB.
#[derive(Default)]
pub(crate) struct Places {
    symbols: Symbols,
    located: HashMap<u32, Place>,
    /// For each call site, true if it grows the buffer of output that a test harness captures.
    captures: HashMap<u32, bool>,
}

impl Places {
    /// Returns places whose frames are named as `names` selects.
    pub(crate) fn new(names: Names) -> Self {
        Self { symbols: Symbols::new(names), ..Self::default() }
    }

    /// Returns the place of a call site. Stacks without names have one place if they are equal in
    /// their innermost frames.
    pub(crate) fn place(&mut self, site: u32) -> Place {
        if let Some(known) = self.located.get(&site) {
            return known.clone();
        }
        let frames = self.frames(site);
        let place = Place::of(&frames);
        if matches!(place, Place::Unnamed(_)) {
            // Without names there is nothing to look up, and each stack may have its own place.
            return Place::of(&frames[..frames.len().min(UNNAMED_DEPTH)]);
        }
        // Don't keep an empty result: a stack may be half written while it is first sampled.
        if !frames.is_empty() {
            self.located.insert(site, place.clone());
        }
        place
    }

    /// Returns true if a call site grows the buffer in which the test harness captures printed
    /// output.
    pub(crate) fn captures_output(&mut self, site: u32) -> bool {
        if let Some(known) = self.captures.get(&site) {
            return *known;
        }
        let frames = self.frames(site);
        let captures = captures_output(&frames);
        if !frames.is_empty() {
            self.captures.insert(site, captures);
        }
        captures
    }

    /// Discards all call sites but these.
    pub(crate) fn keep_only(&mut self, sites: &HashSet<u32>) {
        self.located.retain(|site, _| sites.contains(site));
        self.captures.retain(|site, _| sites.contains(site));
        self.located.shrink_to_fit();
        self.captures.shrink_to_fit();
    }

    /// Frees the data that was read to look up names.
    pub(crate) fn release_cache(&mut self) {
        self.symbols.release_cache();
    }

    /// Returns the stack of a call site, from the frame of its place outwards.
    pub(crate) fn stack(&mut self, site: u32) -> Vec<Frame> {
        let mut frames = self.frames(site);
        let own = frames.iter().position(Frame::is_yours).unwrap_or_default();
        frames.split_off(own)
    }

    fn frames(&mut self, site: u32) -> Vec<Frame> {
        self.symbols.of_site(site)
    }
}

/// Returns true if an allocation with this stack grew the buffer of captured output. `frames`
/// begins with the innermost frame.
///
/// The result is true if `print!` or the panic hook is on the stack, and `std::io` allocates, not a
/// function of the program.
///
/// A `Display` implementation of the program may be between the two: `print!` calls this
/// implementation, which calls the writer.
fn captures_output(frames: &[Frame]) -> bool {
    let is_named = |frame: &Frame, names: &[&str]| {
        let function = frame.function.as_deref().unwrap_or_default();
        names.iter().any(|name| function.contains(name))
    };
    let inner = frames.iter().position(Frame::is_yours).unwrap_or(frames.len());
    let prints = ["std::io::stdio::", "std::panicking::default_hook"];
    frames[..inner].iter().any(|frame| is_named(frame, &["std::io::"]))
        && frames.iter().any(|frame| is_named(frame, &prints))
}

#[cfg(test)]
mod tests {
    use super::Places;
    use crate::record::stacks::OTHER;
    use std::collections::HashSet;

    #[test]
    fn call_sites_that_no_observation_has_are_forgotten() {
        let mut places = Places::default();
        assert!(places.place(OTHER).allocates().is_some());
        places.keep_only(&HashSet::from([OTHER]));
        assert_eq!(places.located.len(), 1);
        places.keep_only(&HashSet::new());
        assert_eq!((places.located.len(), places.located.capacity()), (0, 0));
    }
}
