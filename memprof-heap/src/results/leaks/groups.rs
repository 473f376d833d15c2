//! The observations as series, one for each pair of place and operation.

use super::ages::Aged;
use super::places::Places;
use super::record::{Observed, Row};
use crate::results::frame::Frame;
use crate::results::frame::Place;
use crate::sampling::Estimate;
use std::collections::HashMap;

/// The series of one place in the source, for blocks that one operation allocated there.
pub(super) struct Group {
    pub(super) location: Option<Frame>,
    pub(super) operation: u32,
    /// The bytes that the group held at the baseline.
    baseline: Estimate,
    /// One point for each observation.
    pub(super) points: Vec<Point>,
    /// The blocks that the group held at the last observation.
    pub(super) ages: Vec<Aged>,
}

/// The amounts of a group at one observation; see [`Row`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    pub(super) seconds: f64,
    pub(super) number: u64,
    /// 0 if the group held nothing, because calls are not read then.
    pub(super) calls: u64,
    pub(super) younger: Estimate,
    pub(super) younger_blocks: Estimate,
    pub(super) lasting: f64,
    pub(super) older: Estimate,
    pub(super) baseline: Estimate,
    /// Bytes of the largest block.
    pub(super) largest: u64,
}

impl Point {
    /// Returns by how many bytes the group has grown since the baseline.
    ///
    /// The growth is the live bytes allocated since the baseline, less the freed bytes of earlier
    /// blocks. So a cache that replaces old entries by new ones does not grow.
    pub(super) fn growth(&self) -> f64 {
        self.younger.value - (self.baseline.value - self.older.value)
    }

    /// Returns the standard error of the growth. Older blocks that are still live add nothing to
    /// the error, because they are the same as at the baseline.
    pub(super) fn standard_error(&self) -> f64 {
        let freed = (self.baseline.variance - self.older.variance).max(0.0);
        (self.younger.variance + freed).sqrt()
    }
}

/// Returns all series that held any bytes.
pub(super) fn groups(
    baseline: &[Row],
    observed: &[Observed],
    ages: &[Aged],
    places: &mut Places,
) -> Vec<Group> {
    let mut groups = Groups { found: HashMap::new(), all: Vec::new(), observed, places };
    for row in baseline {
        groups.of(row.site, row.operation).baseline.add(row.older);
    }
    for (index, one) in observed.iter().enumerate() {
        for row in &one.rows {
            groups.of(row.site, row.operation).points[index].add(row);
        }
    }
    for aged in ages {
        groups.of(aged.site, aged.operation).ages.push(*aged);
    }
    let mut all = groups.all;
    for group in &mut all {
        group.points.iter_mut().for_each(|point| point.baseline = group.baseline);
    }
    all
}

struct Groups<'a> {
    found: HashMap<(Place, u32), usize>,
    all: Vec<Group>,
    observed: &'a [Observed],
    places: &'a mut Places,
}

impl Groups<'_> {
    fn of(&mut self, site: u32, operation: u32) -> &mut Group {
        let (place, location) = self.places.place(site);
        let index = *self.found.entry((place, operation)).or_insert_with(|| {
            let empty = |one: &Observed| Point {
                seconds: one.seconds,
                number: one.number,
                ..Point::default()
            };
            self.all.push(Group {
                location,
                operation,
                baseline: Estimate::default(),
                points: self.observed.iter().map(empty).collect(),
                ages: Vec::new(),
            });
            self.all.len() - 1
        });
        &mut self.all[index]
    }
}

impl Point {
    fn add(&mut self, row: &Row) {
        // Calls are the same for all rows of an operation.
        self.calls = row.calls;
        self.younger.add(row.younger);
        self.younger_blocks.add(row.younger_blocks);
        self.lasting += row.lasting;
        self.older.add(row.older);
        self.largest = self.largest.max(row.largest);
    }
}
