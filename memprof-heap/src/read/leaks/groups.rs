//! The observations as series, one for each pair of place and operation.

use crate::read::frame::{Frame, Place};
use crate::read::leaks::ages::Aged;
use crate::read::leaks::places::Places;
use crate::read::leaks::record::{Observed, Row};
use crate::record::estimate::Estimate;
use std::collections::HashMap;

/// The series of one place in the source, for blocks that one operation allocated there.
pub(crate) struct Group {
    pub(crate) location: Option<Frame>,
    pub(crate) operation: u32,
    /// The bytes that the group held at the baseline.
    baseline: Estimate,
    /// The rows of the group, as indices of an observation and of a row in it. A copy of the rows
    /// would take 16 times the memory.
    rows: Vec<(u32, u32)>,
    /// The blocks that the group held at the last observation.
    pub(crate) ages: Vec<Aged>,
}

/// The amounts of a group at one observation; see [`Row`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Point {
    pub(crate) seconds: f64,
    pub(crate) number: u64,
    /// The number of calls that had ended; 0 if the group held nothing, because calls are not read
    /// then.
    pub(crate) calls: u64,
    pub(crate) younger: Estimate,
    pub(crate) younger_blocks: Estimate,
    pub(crate) lasting: f64,
    pub(crate) older: Estimate,
    pub(crate) baseline: Estimate,
    /// Bytes of the largest block.
    pub(crate) largest: u64,
}

impl Point {
    /// Returns by how many bytes the group has grown since the baseline.
    ///
    /// The growth is the live bytes allocated since the baseline, less the freed bytes of earlier
    /// blocks. So a cache that replaces old entries by new ones does not grow.
    pub(crate) fn growth(&self) -> f64 {
        self.younger.value - (self.baseline.value - self.older.value)
    }

    /// Returns the standard error of the growth. Older blocks that are still live add nothing to
    /// the error, because they are the same as at the baseline.
    pub(crate) fn standard_error(&self) -> f64 {
        let freed = (self.baseline.variance - self.older.variance).max(0.0);
        (self.younger.variance + freed).sqrt()
    }
}

/// Returns the series whose last observation has bytes that were allocated since the baseline. Other
/// series do not grow.
///
/// They are not collected, because a program with many call sites has far more of them.
pub(crate) fn groups(
    baseline: &[Row],
    observed: &[Observed],
    ages: &[Aged],
    places: &mut Places,
) -> Vec<Group> {
    let mut groups = Groups { found: HashMap::new(), all: Vec::new(), places };
    let last = observed.last().map_or(&[][..], |last| &last.rows);
    for row in last.iter().filter(|row| row.younger().value > 0.0) {
        groups.add(row.site, row.operation);
    }
    for row in baseline {
        if let Some(group) = groups.of(row.site, row.operation) {
            group.baseline.add(row.older());
        }
    }
    for (index, one) in (0..).zip(observed) {
        for (number, row) in (0..).zip(one.rows.iter()) {
            if let Some(group) = groups.of(row.site, row.operation) {
                group.rows.push((index, number));
            }
        }
    }
    for aged in ages {
        if let Some(group) = groups.of(aged.site, aged.operation) {
            group.ages.push(*aged);
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
            let (rows, ages) = (Vec::new(), Vec::new());
            self.all.push(Group { location, operation, baseline: Estimate::default(), rows, ages });
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
    pub(crate) fn points(&self, observed: &[Observed]) -> Vec<Point> {
        let point = |one: &Observed| {
            let (seconds, number, baseline) = (one.seconds, one.number, self.baseline);
            Point { seconds, number, baseline, ..Point::default() }
        };
        let mut points: Vec<Point> = observed.iter().map(point).collect();
        for &(index, row) in &self.rows {
            let index = index as usize;
            points[index].add(&observed[index].rows[row as usize]);
        }
        points
    }
}

impl Point {
    fn add(&mut self, row: &Row) {
        // Calls are the same for all rows of an operation.
        self.calls = row.calls;
        self.younger.add(row.younger());
        self.younger_blocks.add(row.younger_blocks());
        self.lasting += row.lasting();
        self.older.add(row.older());
        self.largest = self.largest.max(row.largest);
    }
}
