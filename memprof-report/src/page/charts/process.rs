//! The process as a whole: what is live, what the roots own, what is resident.

use super::thin::Point;
use super::{Charts, Curve, Style, bytes, over};
use crate::known::{device_bytes, root_bytes};
use memprof_session::Recording;
use memprof_session::document::Snapshot;

pub(super) fn add(charts: &mut Charts, recording: &Recording, snapshots: &[&Snapshot]) {
    let curves = vec![
        over("live heap", Style::Fill, snapshots, |one| Some(one.heap?.live_bytes)),
        at_calls(recording),
        over("all roots", Style::Line, snapshots, roots),
        over("resident", Style::Dashed, snapshots, |one| one.process.rss_bytes.map(bytes)),
        over("swapped out", Style::Dashed, snapshots, swapped),
        over("the container's limit", Style::Limit, snapshots, |one| {
            one.process.cgroup_limit_bytes.map(bytes)
        }),
    ];
    charts.add("process".into(), "bytes".into(), false, curves);
}

/// What the roots hold in the host's memory.
fn roots(snapshot: &Snapshot) -> Option<i64> {
    match device_bytes(snapshot).find(|device| device.0 == "cpu") {
        Some((_, known)) => known.map(bytes),
        // All that is known of them is elsewhere.
        None => snapshot.roots.iter().any(|root| root_bytes(root).is_some()).then_some(0),
    }
}

/// Nothing is not worth a curve.
fn swapped(snapshot: &Snapshot) -> Option<i64> {
    snapshot.process.swap_bytes.filter(|&swapped| swapped > 0).map(bytes)
}

/// What was live whenever a call began or ended: between snapshots, too.
fn at_calls(recording: &Recording) -> Curve {
    let mut points: Vec<Point> = Vec::with_capacity(2 * recording.operation_events.len());
    for call in &recording.operation_events {
        points.push((call.start_ns, Some(call.before_bytes)));
        points.push((crate::end_ns(call), Some(call.after_bytes)));
    }
    points.sort_by_key(|point| point.0);
    Curve { name: "live heap at each call".into(), style: Style::Fine, points }
}
