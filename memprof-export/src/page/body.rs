//! The compressed stream of a page: columns of numbers, and the document that refers to them.

use super::calls::{Calls, Row};
use super::charts::{Charts, Curve, Point};
use super::columns::Columns;
use super::contents::{self, Column, Document, Mark, Snapshot, Tables};
use super::texts;
use super::trees::{Nodes, Tree, Trees};
use memprof_recording::document::OperationEvent;
use std::io;

#[derive(Debug)]
pub(super) struct Body<'p> {
    pub(super) charts: &'p Charts<'p>,
    pub(super) marks: Vec<Mark>,
    pub(super) snapshots: Vec<Snapshot>,
    pub(super) calls: Option<&'p Calls<'p>>,
    pub(super) tables: Tables,
    pub(super) trees: &'p Trees,
}

impl Body<'_> {
    /// Returns the stream, and `true` if large amounts were clamped.
    pub(super) fn compressed(self) -> io::Result<(Vec<u8>, bool)> {
        let mut columns = Columns::new();
        let lanes = self.calls.iter().flat_map(|calls| &calls.lanes);
        let lane = |row: &Row| contents::Lane {
            thread: row.thread,
            operation: row.operation,
            count: row.calls.len(),
        };
        let trees = self.trees.all.iter();
        let document = Document {
            charts: charts(self.charts, &mut columns)?,
            marks: self.marks,
            snapshots: self.snapshots,
            paths: self.calls.map(|calls| calls.paths.clone()).unwrap_or_default(),
            threads: self.calls.map(|calls| calls.threads.clone()).unwrap_or_default(),
            lanes: lanes.map(lane).collect(),
            calls: calls(self.calls, &mut columns)?,
            tables: self.tables,
            nodes: nodes(&self.trees.nodes, &mut columns)?,
            trees: trees.map(|one| tree(one, &mut columns)).collect::<io::Result<_>>()?,
        };
        let clamped = columns.clamped();
        Ok((columns.finish(&document)?, clamped))
    }
}

/// Converts charts. Successive curves with equal times share one column of times.
fn charts(charts: &Charts<'_>, columns: &mut Columns) -> io::Result<Vec<contents::Chart>> {
    let mut last: Option<(&Curve<'_>, Column)> = None;
    let mut converted = Vec::with_capacity(charts.all.len());
    for chart in &charts.all {
        let mut curves = Vec::with_capacity(chart.curves.len());
        for curve in &chart.curves {
            let times = match last {
                Some((last, times)) if has_same_times(last, curve) => times,
                _ => columns.times(curve.points.iter().map(|point| point.0))?,
            };
            last = Some((curve, times));
            curves.push(contents::Curve {
                name: curve.name.clone(),
                style: curve.style,
                times,
                values: columns.changes(curve.points.iter().map(|point| point.1.ok()))?,
                gaps: gaps(&curve.points),
            });
        }
        converted.push(contents::Chart {
            title: chart.title.clone(),
            unit: chart.unit.clone(),
            folded: chart.folded,
            curves,
            unknown: chart
                .unknown
                .iter()
                .map(|(name, reason)| (name.clone(), texts::name(reason)))
                .collect(),
        });
    }
    Ok(converted)
}

fn calls(calls: Option<&Calls<'_>>, columns: &mut Columns) -> io::Result<contents::Calls> {
    let rows = || calls.into_iter().flat_map(Calls::in_rows);
    let path = |call| calls.map_or(0, |calls| calls.path(call));
    // The net bytes of other threads during the call, usually 0 or small.
    let others = |call: &OperationEvent| {
        i128::from(call.after_bytes) - i128::from(call.before_bytes) - i128::from(call.net_bytes)
    };
    Ok(contents::Calls {
        path: columns.numbers(rows().map(path))?,
        start: columns.times(rows().map(|call| call.start_ns))?,
        duration: columns.spans(rows().map(|call| crate::lanes::end_ns(call) - call.start_ns))?,
        delta: columns.numbers(rows().map(|call| call.net_bytes))?,
        before: columns.changes(rows().map(|call| Some(call.before_bytes)))?,
        others: columns.numbers(rows().map(others))?,
        tensors: columns.optional_numbers(rows().map(|call| call.tensor_net_bytes))?,
    })
}

fn nodes(nodes: &Nodes, columns: &mut Columns) -> io::Result<contents::Nodes> {
    let devices = nodes.devices();
    let all = || nodes.all.iter().enumerate();
    // Devices are sorted. Each node may have its own device, so a search must be fast.
    let device = |device| devices.binary_search(&device).unwrap_or_default() as u32;
    Ok(contents::Nodes {
        parent: columns.numbers(all().map(|(index, node)| index as u32 - node.parent))?,
        kind: columns.numbers(all().map(|(_, node)| node.kind as u8))?,
        name: columns.numbers(all().map(|(_, node)| node.name))?,
        device: columns.numbers(all().map(|(_, node)| device(node.device)))?,
        names: nodes.names.clone(),
        devices: devices.iter().map(ToString::to_string).collect(),
    })
}

fn tree(tree: &Tree, columns: &mut Columns) -> io::Result<contents::Tree> {
    let mut pair = |list: &[(u32, u64)]| -> io::Result<[Column; 2]> {
        let nodes = columns.times(list.iter().map(|&(node, _)| u64::from(node)))?;
        Ok([nodes, columns.numbers(list.iter().map(|&(_, amount)| amount))?])
    };
    let [leaves, bytes] = pair(&tree.leaves)?;
    let [branches, allocations] = pair(&tree.allocations)?;
    Ok(contents::Tree {
        leaves,
        bytes,
        branches,
        allocations,
        uncounted: tree.uncounted.clone(),
        unread: tree.unread.clone(),
        missed: tree.missed.clone(),
        unexplained_at_most: tree.unexplained_at_most,
        verdict: tree.verdict.clone(),
        holders: tree.holders.clone(),
    })
}

/// The points at which values become unknown or the reason changes; empty if no reason is known.
fn gaps(points: &[Point<'_>]) -> Vec<(usize, String)> {
    let mut before = None;
    let mut gaps = Vec::new();
    for (index, (_, amount)) in points.iter().enumerate() {
        let reason = amount.err();
        if let Some(reason) = reason.filter(|_| reason != before) {
            // An empty reason stays empty, because `texts::name` would return a pair of quotes.
            gaps.push((index, if reason.is_empty() { String::new() } else { texts::name(reason) }));
        }
        before = reason;
    }
    if gaps.iter().any(|(_, reason)| !reason.is_empty()) { gaps } else { Vec::new() }
}

fn has_same_times(one: &Curve<'_>, other: &Curve<'_>) -> bool {
    let (one, other) = (&one.points, &other.points);
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.0 == other.0)
}
