//! The parts of a page as one compressed stream: a document, and the columns that it tells of.

use super::calls::{Calls, PathJson};
use super::charts::{Charts, Curve, Point, Style};
use super::columns::Columns;
use super::marks::Mark;
use super::snapshots::SnapshotJson;
use super::tables::Tables;
use super::texts;
use super::trees::Trees;
use serde::Serialize;
use std::io;

/// What is in the stream.
#[derive(Debug)]
pub(super) struct Body<'p> {
    pub(super) charts: &'p Charts<'p>,
    pub(super) marks: &'p [Mark],
    pub(super) snapshots: &'p [SnapshotJson],
    pub(super) calls: Option<&'p Calls<'p>>,
    pub(super) tables: &'p Tables,
    pub(super) trees: &'p Trees,
}

/// The document; `data.js` reads it, and the columns in the order in which they are written here.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'p> {
    charts: Vec<ChartJson<'p>>,
    /// How many moments each column of them has.
    times: Vec<usize>,
    marks: &'p [Mark],
    snapshots: &'p [SnapshotJson],
    paths: &'p [PathJson],
    lanes: Vec<LaneJson>,
    calls: usize,
    #[serde(flatten)]
    tables: &'p Tables,
    nodes: usize,
    names: &'p [String],
    devices: Vec<String>,
    trees: Vec<TreeJson<'p>>,
}

#[derive(Serialize)]
struct ChartJson<'p> {
    title: &'p str,
    unit: &'p str,
    folded: bool,
    curves: Vec<CurveJson<'p>>,
}

#[derive(Serialize)]
struct CurveJson<'p> {
    name: &'p str,
    style: Style,
    /// The column of its moments.
    times: usize,
    /// Where it is not known from a point on, and why: empty where nobody tells of any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gaps: Vec<(usize, String)>,
}

#[derive(Serialize)]
struct LaneJson {
    thread: u32,
    count: usize,
}

#[derive(Serialize)]
struct TreeJson<'p> {
    leaves: usize,
    allocations: usize,
    uncounted: &'p [u32],
    verdict: &'p str,
}

impl Body<'_> {
    /// The stream, and whether amounts in it are smaller than they were.
    pub(super) fn compressed(&self) -> io::Result<(Vec<u8>, bool)> {
        let mut columns = Columns::new();
        let times = self.times();
        columns.text(&serde_json::to_vec(&self.document(&times))?)?;
        for (curve, _) in &times {
            columns.times(curve.points.iter().map(|point| point.0))?;
        }
        for curve in self.curves() {
            columns.changes(curve.points.iter().map(|point| point.1.ok()))?;
        }
        self.write_calls(&mut columns)?;
        self.write_trees(&mut columns)?;
        let rounded = columns.rounded();
        Ok((columns.finish()?, rounded))
    }

    fn curves(&self) -> impl Iterator<Item = &Curve<'_>> {
        self.charts.all.iter().flat_map(|chart| &chart.curves)
    }

    /// The columns of moments: the curves whose they are, and how many more curves share each.
    fn times(&self) -> Vec<(&Curve<'_>, usize)> {
        let mut times: Vec<(&Curve<'_>, usize)> = Vec::new();
        for curve in self.curves() {
            match times.last_mut() {
                Some((last, more)) if same_times(last, curve) => *more += 1,
                _ => times.push((curve, 0)),
            }
        }
        times
    }

    fn document(&self, times: &[(&Curve<'_>, usize)]) -> Document<'_> {
        let shared = |(index, (_, more)): (usize, (&Curve<'_>, usize))| vec![index; more + 1];
        let mut column = times.iter().copied().enumerate().flat_map(shared);
        let charts = self.charts.all.iter().map(|chart| ChartJson {
            title: &chart.title,
            unit: &chart.unit,
            folded: chart.folded,
            curves: chart
                .curves
                .iter()
                .zip(&mut column)
                .map(|(curve, times)| CurveJson {
                    name: &curve.name,
                    style: curve.style,
                    times,
                    gaps: gaps(&curve.points),
                })
                .collect(),
        });
        let charts = charts.collect();
        let lanes = self.calls.iter().flat_map(|calls| &calls.lanes);
        Document {
            charts,
            times: times.iter().map(|(curve, _)| curve.points.len()).collect(),
            marks: self.marks,
            snapshots: self.snapshots,
            paths: self.calls.map_or(&[], |calls| &calls.paths),
            lanes: lanes
                .map(|lane| LaneJson { thread: lane.thread, count: lane.calls.len() })
                .collect(),
            calls: self.calls.map_or(0, |calls| calls.kept.len()),
            tables: self.tables,
            nodes: self.trees.nodes.all.len(),
            names: &self.trees.nodes.names,
            devices: self.trees.nodes.devices().iter().map(ToString::to_string).collect(),
            trees: self
                .trees
                .all
                .iter()
                .map(|tree| TreeJson {
                    leaves: tree.leaves.len(),
                    allocations: tree.allocations.len(),
                    uncounted: &tree.uncounted,
                    verdict: &tree.verdict,
                })
                .collect(),
        }
    }

    fn write_calls(&self, columns: &mut Columns) -> io::Result<()> {
        let rows = || self.calls.into_iter().flat_map(Calls::in_rows);
        let path = |call| self.calls.map_or(0, |calls| calls.path(call));
        columns.numbers(rows().map(path))?;
        columns.times(rows().map(|call| call.start_ns))?;
        columns.spans(rows().map(|call| crate::end_ns(call) - call.start_ns))?;
        columns.numbers(rows().map(|call| call.delta_bytes))?;
        columns.changes(rows().map(|call| Some(call.before_bytes)))?;
        // What other threads changed meanwhile: nothing, as a rule, or little.
        let others = |call: &memprof_session::document::OperationEvent| {
            i128::from(call.after_bytes)
                - i128::from(call.before_bytes)
                - i128::from(call.delta_bytes)
        };
        columns.numbers(rows().map(others))?;
        columns.known(rows().map(|call| call.tensor_delta_bytes))
    }

    fn write_trees(&self, columns: &mut Columns) -> io::Result<()> {
        let nodes = &self.trees.nodes;
        let devices = nodes.devices();
        let all = || nodes.all.iter().enumerate();
        columns.numbers(all().map(|(index, node)| index as u32 - node.parent))?;
        columns.numbers(all().map(|(_, node)| node.kind as u8))?;
        columns.numbers(all().map(|(_, node)| node.name))?;
        columns.numbers(all().map(|(_, node)| {
            // They are sorted, and there may be as many as nodes.
            devices.binary_search(&node.device).unwrap_or_default() as u32
        }))?;
        for tree in &self.trees.all {
            for list in [&tree.leaves, &tree.allocations] {
                columns.times(list.iter().map(|&(node, _)| u64::from(node)))?;
                columns.numbers(list.iter().map(|&(_, amount)| amount))?;
            }
        }
        Ok(())
    }
}

/// The points at which something stops being known, or why not changes.
fn gaps(points: &[Point<'_>]) -> Vec<(usize, String)> {
    let mut before = None;
    let mut gaps = Vec::new();
    for (index, (_, amount)) in points.iter().enumerate() {
        let why = amount.err();
        if let Some(why) = why.filter(|_| why != before) {
            // A name that is empty would be shown as quotes.
            gaps.push((index, if why.is_empty() { String::new() } else { texts::name(why) }));
        }
        before = why;
    }
    if gaps.iter().any(|(_, why)| !why.is_empty()) { gaps } else { Vec::new() }
}

fn same_times(one: &Curve<'_>, other: &Curve<'_>) -> bool {
    let (one, other) = (&one.points, &other.points);
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.0 == other.0)
}
