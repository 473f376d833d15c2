//! Curves over time: the process, the roots, devices, pools and gauges.

mod gauges;
mod memory;
mod process;
mod roots;
mod series;
mod thin;

use super::contents::Style;
use memprof_recording::Recording;
use memprof_recording::document::Snapshot;
use series::Series;
pub(super) use thin::Point;

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
        memory::add(&mut charts, snapshots);
        gauges::add(&mut charts, snapshots);
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
            let (points, thinned) = thin::thin(core::mem::take(&mut curve.points));
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
