//! The process as a whole: the live heap, the bytes of the roots, the resident memory.

use super::thin::Point;
use super::{Amount, Charts, Curve, Style, UNKNOWN_REASON, bytes, over};
use crate::known::{device_bytes, incomplete_reason, root_bytes};
use memprof_session::Recording;
use memprof_session::document::Snapshot;

pub(super) fn add<'s>(charts: &mut Charts<'s>, recording: &Recording, snapshots: &[&'s Snapshot]) {
    let curves = [
        over("live heap", Style::Fill, snapshots, |one| {
            one.heap.map(|heap| heap.live_bytes).ok_or(UNKNOWN_REASON)
        }),
        at_calls(recording),
        over("all roots", Style::Line, snapshots, roots),
        over("resident", Style::Dashed, snapshots, |one| counted(one.process.rss_bytes)),
        // A process that has swapped nothing out needs no curve.
        over("swapped out", Style::Dashed, snapshots, |one| {
            counted(one.process.swap_bytes.filter(|&swapped| swapped > 0))
        }),
        over("the container's limit", Style::Limit, snapshots, |one| {
            counted(one.process.cgroup_limit_bytes)
        }),
    ];
    charts.add("process".into(), "bytes".into(), false, curves);
}

fn counted(amount: Option<u64>) -> Amount<'static> {
    amount.map(bytes).ok_or(UNKNOWN_REASON)
}

/// Returns the bytes of the roots in the host's memory.
fn roots(snapshot: &Snapshot) -> Amount<'_> {
    let reason = incomplete_reason(snapshot).unwrap_or(UNKNOWN_REASON);
    match device_bytes(snapshot).find(|device| device.0 == "cpu") {
        Some((_, amount)) => amount.map(bytes).ok_or(reason),
        // All known bytes of the roots are in the memory of other devices.
        None if snapshot.roots.iter().any(|root| root_bytes(root).is_some()) => Ok(0),
        None => Err(reason),
    }
}

/// Returns the live bytes at the start and end of each call, which are points between snapshots.
fn at_calls<'s>(recording: &Recording) -> Curve<'s> {
    let mut points: Vec<Point<'_>> = Vec::with_capacity(2 * recording.operation_events.len());
    for call in &recording.operation_events {
        points.push((call.start_ns, Ok(call.before_bytes)));
        points.push((crate::end_ns(call), Ok(call.after_bytes)));
    }
    points.sort_by_key(|point| point.0);
    Curve { name: "live heap at each call".into(), style: Style::Fine, points }
}
