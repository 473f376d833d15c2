//! Curves over time: the process, the roots, devices, pools and gauges.

mod devices;
mod process;
mod roots;

use super::contents::Style;
use core::hash::Hash;
use memprof_recording::Recording;
use memprof_recording::document::Snapshot;
use std::collections::HashMap;

#[derive(Debug)]
pub(super) struct Chart<'s> {
    pub(super) title: String,
    pub(super) unit: String,
    pub(super) folded: bool,
    pub(super) curves: Vec<Curve<'s>>,
    /// The names of curves without a known value, each with the first reason.
    pub(super) unknown: Vec<(String, &'s str)>,
}

#[derive(Debug)]
pub(super) struct Curve<'s> {
    pub(super) name: String,
    pub(super) style: Style,
    pub(super) points: Vec<Point<'s>>,
}

/// An amount, or the reason why it is unknown; empty if the recording has no reason.
pub(super) type Amount<'s> = Result<i64, &'s str>;

pub(super) type Point<'s> = (u64, Amount<'s>);

/// The reason of an unknown amount for which the recording has no reason.
const UNKNOWN_REASON: &str = "";

#[derive(Debug, Default)]
pub(super) struct Charts<'s> {
    pub(super) all: Vec<Chart<'s>>,
    /// The number of curves with points left out.
    pub(super) thinned: usize,
    /// The number of curves left out because there are too many.
    pub(super) left_out: usize,
}

/// Readers could not distinguish more charts in a page, or curves in a chart.
const MAX_CHARTS: usize = 64;
const MAX_CURVES: usize = 16;

impl<'s> Charts<'s> {
    /// The snapshots must be in chronological order.
    pub(super) fn new(recording: &Recording, snapshots: &[&'s Snapshot]) -> Self {
        let mut charts = Self::default();
        process::add(&mut charts, recording, snapshots);
        roots::add(&mut charts, snapshots);
        devices::add(&mut charts, snapshots);
        devices::add_gauges(&mut charts, snapshots);
        charts
    }

    /// Curves without a known value are only listed, if the recording has a reason.
    fn add(
        &mut self,
        title: String,
        unit: String,
        folded: bool,
        curves: impl IntoIterator<Item = Curve<'s>>,
    ) {
        let is_known = |curve: &Curve<'_>| curve.points.iter().any(|point| point.1.is_ok());
        let (all, others): (Vec<_>, Vec<_>) = curves.into_iter().partition(is_known);
        let mut all = all.into_iter();
        let remaining = if self.all.len() < MAX_CHARTS { MAX_CURVES } else { 0 };
        let mut curves: Vec<Curve<'_>> = all.by_ref().take(remaining).collect();
        self.left_out += all.count();
        for curve in &mut curves {
            let (points, thinned) = thin(core::mem::take(&mut curve.points));
            curve.points = points;
            self.thinned += usize::from(thinned);
        }
        let reason = |curve: &Curve<'s>| {
            curve.points.iter().filter_map(|point| point.1.err()).find(|reason| !reason.is_empty())
        };
        // A lower end is listed with the curve to which it belongs.
        let others = others.into_iter().filter(|curve| curve.style != Style::Least);
        let unknown = others.filter_map(|curve| Some((reason(&curve)?, curve.name)));
        let unknown: Vec<_> =
            unknown.take(remaining).map(|(reason, name)| (name, reason)).collect();
        // Drivers lack many gauges, and a chart for each would hide the others.
        if !curves.is_empty() || !(folded || unknown.is_empty()) {
            self.all.push(Chart { title, unit, folded, curves, unknown });
        }
    }
}

fn over<'s>(
    name: impl Into<String>,
    style: Style,
    snapshots: &[&'s Snapshot],
    amount: impl Fn(&'s Snapshot) -> Amount<'s>,
) -> Curve<'s> {
    let points = snapshots.iter().map(|snapshot| (snapshot.at_ns, amount(snapshot))).collect();
    Curve { name: name.into(), style, points }
}

fn sparse<'s>(
    name: String,
    style: Style,
    snapshots: &[&'s Snapshot],
    series: Series<'s>,
) -> Curve<'s> {
    let mut series = series.into_iter().peekable();
    let amount = |(index, snapshot): (usize, &&Snapshot)| {
        let amount = series.next_if(|series| series.0 == index);
        (snapshot.at_ns, amount.map_or(Err(UNKNOWN_REASON), |series| series.1))
    };
    let points = snapshots.iter().enumerate().map(amount).collect();
    Curve { name, style, points }
}

fn bytes(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

type Series<'s> = Vec<(usize, Amount<'s>)>;

#[derive(Debug)]
struct SeriesByName<'s, Name> {
    /// The rank is the order of the first values, so that a session always gives the same page.
    series: HashMap<Name, (usize, Series<'s>)>,
}

impl<Name> Default for SeriesByName<'_, Name> {
    fn default() -> Self {
        Self { series: HashMap::new() }
    }
}

impl<'s, Name: Eq + Hash> SeriesByName<'s, Name> {
    /// Indices must not decrease. Two values of one name in the same snapshot are added up.
    fn record(&mut self, name: Name, index: usize, amount: Amount<'s>) {
        let next = self.series.len();
        let (_, series) = self.series.entry(name).or_insert_with(|| (next, Vec::new()));
        match series.last_mut() {
            Some((last, sum)) if *last == index => *sum = added(*sum, amount),
            _ => series.push((index, amount)),
        }
    }

    fn in_order(self) -> impl Iterator<Item = (Name, Series<'s>)> {
        let mut all: Vec<_> = self.series.into_iter().collect();
        all.sort_unstable_by_key(|(_, (order, _))| *order);
        all.into_iter().map(|(name, (_, series))| (name, series))
    }
}

/// Returns the sum of two amounts; unknown if one of them is.
fn added<'s>(one: Amount<'s>, other: Amount<'s>) -> Amount<'s> {
    Ok(one?.saturating_add(other?))
}

/// More than the pixels of a screen, even after zooming in.
const MAX_POINTS: usize = 65_536;
/// The first, the last, the smallest, the largest and one unknown.
const POINTS_PER_BUCKET: usize = 5;

/// The points are in chronological order. Returns `true` if some were left out.
fn thin(points: Vec<Point<'_>>) -> (Vec<Point<'_>>, bool) {
    if points.len() <= MAX_POINTS {
        return (points, false);
    }
    let buckets = MAX_POINTS / POINTS_PER_BUCKET;
    let mut kept = Vec::with_capacity(MAX_POINTS);
    for bucket in points.chunks(points.len().div_ceil(buckets)) {
        let amount = |index: &usize| bucket[*index].1;
        let known_indices = || (0..bucket.len()).filter(|index| amount(index).is_ok());
        let unknown_index = (0..bucket.len()).find(|index| amount(index).is_err());
        let mut indices: Vec<usize> = [Some(0), Some(bucket.len() - 1), unknown_index]
            .into_iter()
            .chain([known_indices().min_by_key(amount), known_indices().max_by_key(amount)])
            .flatten()
            .collect();
        indices.sort_unstable();
        indices.dedup();
        kept.extend(indices.into_iter().map(|index| bucket[index]));
    }
    (kept, true)
}

#[cfg(test)]
mod tests {
    use super::{MAX_POINTS, Point, thin};

    #[test]
    fn a_curve_of_a_million_points_keeps_its_ends_peaks_valleys_and_gaps() {
        let mut points: Vec<Point<'_>> = (0..1_000_000).map(|at| (at, Ok(500))).collect();
        points[123_456].1 = Ok(9_999);
        points[654_321].1 = Ok(-1);
        points[777_777].1 = Err("locked");
        let (kept, thinned) = thin(points.clone());
        assert!(thinned && kept.len() <= MAX_POINTS, "{}", kept.len());
        for index in [0, 123_456, 654_321, 777_777, 999_999] {
            assert!(kept.contains(&points[index]), "{index}");
        }
        assert!(kept.is_sorted_by_key(|point| point.0));
    }

    #[test]
    fn a_curve_of_few_points_stays_as_it_is() {
        let points: Vec<Point<'_>> = (0..MAX_POINTS as u64).map(|at| (at, Err("locked"))).collect();
        assert_eq!(thin(points.clone()), (points, false));
    }
}
