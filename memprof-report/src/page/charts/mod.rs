//! Curves over time: the process, the roots, devices, pools, and what sources tell besides.

mod gauges;
mod memory;
mod process;
mod roots;
mod thin;

use memprof_session::Recording;
use memprof_session::document::Snapshot;
use serde::Serialize;
pub(super) use thin::Point;

/// Curves over one axis of amounts.
#[derive(Debug)]
pub(super) struct Chart {
    pub(super) title: String,
    pub(super) unit: String,
    pub(super) folded: bool,
    pub(super) curves: Vec<Curve>,
}

/// How a curve is drawn; `report.d.ts` says what these are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Style {
    Fill,
    Line,
    Dashed,
    Limit,
    Fine,
}

/// A curve. A value holds until the next point.
#[derive(Debug)]
pub(super) struct Curve {
    pub(super) name: String,
    pub(super) style: Style,
    pub(super) points: Vec<Point>,
}

/// All curves of a recording.
#[derive(Debug, Default)]
pub(super) struct Charts {
    pub(super) all: Vec<Chart>,
    /// Curves of which not all points are there.
    pub(super) thinned: usize,
    /// Curves that are not there, as there are too many.
    pub(super) left_out: usize,
}

/// Charts of a page, and curves of a chart: what anybody can tell apart.
const MOST_CHARTS: usize = 64;
const MOST_CURVES: usize = 16;

impl Charts {
    /// The curves of a recording, whose snapshots are given in the order of time.
    pub(super) fn new(recording: &Recording, snapshots: &[&Snapshot]) -> Self {
        let mut charts = Self::default();
        process::add(&mut charts, recording, snapshots);
        roots::add(&mut charts, snapshots);
        memory::add(&mut charts, snapshots);
        gauges::add(&mut charts, snapshots);
        charts
    }

    /// Adds a chart of those curves of which anything is known.
    fn add(&mut self, title: String, unit: String, folded: bool, curves: Vec<Curve>) {
        let known = |curve: &Curve| curve.points.iter().any(|point| point.1.is_some());
        let mut curves: Vec<Curve> = curves.into_iter().filter(known).collect();
        let room = if self.all.len() < MOST_CHARTS { MOST_CURVES } else { 0 };
        self.left_out += curves.len().saturating_sub(room);
        curves.truncate(room);
        for curve in &mut curves {
            let (points, thinned) = thin::thin(core::mem::take(&mut curve.points));
            curve.points = points;
            self.thinned += usize::from(thinned);
        }
        if !curves.is_empty() {
            self.all.push(Chart { title, unit, folded, curves });
        }
    }
}

/// A curve with a point for each snapshot.
fn over(
    name: impl Into<String>,
    style: Style,
    snapshots: &[&Snapshot],
    amount: impl Fn(&Snapshot) -> Option<i64>,
) -> Curve {
    let points = snapshots.iter().map(|snapshot| (snapshot.at_ns, amount(snapshot))).collect();
    Curve { name: name.into(), style, points }
}

/// A curve with a point for each snapshot, of what is known of some of them, which rise.
fn sparse(name: String, style: Style, snapshots: &[&Snapshot], known: &[(usize, u64)]) -> Curve {
    let mut known = known.iter().peekable();
    let amount = |(index, snapshot): (usize, &&Snapshot)| {
        let amount = known.next_if(|known| known.0 == index).map(|known| bytes(known.1));
        (snapshot.at_ns, amount)
    };
    let points = snapshots.iter().enumerate().map(amount).collect();
    Curve { name, style, points }
}

/// Bytes as an amount of a curve.
fn bytes(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
