//! Curves over time: the process, the roots, devices, pools, and what sources tell besides.

mod found;
mod gauges;
mod memory;
mod process;
mod roots;
mod thin;

use super::contents::Style;
use found::Told;
use memprof_session::Recording;
use memprof_session::document::Snapshot;
pub(super) use thin::Point;

/// Curves over one axis of amounts.
#[derive(Debug)]
pub(super) struct Chart<'s> {
    pub(super) title: String,
    pub(super) unit: String,
    pub(super) folded: bool,
    pub(super) curves: Vec<Curve<'s>>,
}

/// A curve. A value holds until the next point.
#[derive(Debug)]
pub(super) struct Curve<'s> {
    pub(super) name: String,
    pub(super) style: Style,
    pub(super) points: Vec<Point<'s>>,
}

/// How much something was, or why that is not known: in a word, which is empty where nobody tells.
pub(super) type Amount<'s> = Result<i64, &'s str>;

/// Nobody tells why.
const UNTOLD: &str = "";

/// All curves of a recording.
#[derive(Debug, Default)]
pub(super) struct Charts<'s> {
    pub(super) all: Vec<Chart<'s>>,
    /// Curves of which not all points are there.
    pub(super) thinned: usize,
    /// Curves that are not there, as there are too many.
    pub(super) left_out: usize,
}

/// Charts of a page, and curves of a chart: what anybody can tell apart.
const MOST_CHARTS: usize = 64;
const MOST_CURVES: usize = 16;

impl<'s> Charts<'s> {
    /// The curves of a recording, whose snapshots are given in the order of time.
    pub(super) fn new(recording: &Recording, snapshots: &[&'s Snapshot]) -> Self {
        let mut charts = Self::default();
        process::add(&mut charts, recording, snapshots);
        roots::add(&mut charts, snapshots);
        memory::add(&mut charts, snapshots);
        gauges::add(&mut charts, snapshots);
        charts
    }

    /// Adds a chart of those curves of which anything is known.
    fn add(
        &mut self,
        title: String,
        unit: String,
        folded: bool,
        curves: impl IntoIterator<Item = Curve<'s>>,
    ) {
        let known = |curve: &Curve<'_>| curve.points.iter().any(|point| point.1.is_ok());
        let mut all = curves.into_iter().filter(known);
        let room = if self.all.len() < MOST_CHARTS { MOST_CURVES } else { 0 };
        let mut curves: Vec<Curve<'_>> = all.by_ref().take(room).collect();
        self.left_out += all.count();
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
fn over<'s>(
    name: impl Into<String>,
    style: Style,
    snapshots: &[&'s Snapshot],
    amount: impl Fn(&'s Snapshot) -> Amount<'s>,
) -> Curve<'s> {
    let points = snapshots.iter().map(|snapshot| (snapshot.at_ns, amount(snapshot))).collect();
    Curve { name: name.into(), style, points }
}

/// A curve with a point for each snapshot, of what some of them told.
fn sparse<'s>(name: String, style: Style, snapshots: &[&'s Snapshot], told: Told<'s>) -> Curve<'s> {
    let mut told = told.into_iter().peekable();
    let amount = |(index, snapshot): (usize, &&Snapshot)| {
        let amount = told.next_if(|told| told.0 == index);
        (snapshot.at_ns, amount.map_or(Err(UNTOLD), |told| told.1))
    };
    let points = snapshots.iter().enumerate().map(amount).collect();
    Curve { name, style, points }
}

/// Bytes as an amount of a curve.
fn bytes(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
