//! The process as a whole: the live heap, the bytes of the roots, the resident memory.

use super::thin::Point;
use super::{Amount, Charts, Curve, Style, UNKNOWN_REASON, bytes, over};
use crate::known::{
    device_bytes, incomplete_reason, is_complete, is_lower_end, root_bytes, root_reason,
};
use memprof_recording::Recording;
use memprof_recording::document::{RootReading, Snapshot};

pub(super) fn add<'s>(charts: &mut Charts<'s>, recording: &Recording, snapshots: &[&'s Snapshot]) {
    let is_partial = snapshots.iter().any(|one| one.roots.iter().any(is_lower_end));
    let at_calls = at_calls(recording);
    let mut live = over("live heap", Style::Fill, snapshots, |one| {
        one.heap.map(|heap| heap.live_bytes).ok_or(UNKNOWN_REASON)
    });
    live.points = with_early_steps(&live.points, &at_calls.points);
    let curves = [
        live,
        at_calls,
        over("all roots", Style::Line, snapshots, roots),
        over("all roots, at least", Style::Least, snapshots, |one| {
            if is_partial { least_of_roots(one) } else { Err(UNKNOWN_REASON) }
        }),
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

/// Returns the bytes that the roots own at least in the host's memory.
fn least_of_roots(snapshot: &Snapshot) -> Amount<'_> {
    let is_known = |root: &&RootReading| is_complete(root) || is_lower_end(root);
    if let Some(unknown) = snapshot.roots.iter().find(|root| !is_known(root)) {
        return Err(root_reason(unknown));
    }
    let host = snapshot.devices.iter().find(|device| device.device == "cpu");
    host.map(|host| bytes(host.bytes)).ok_or(UNKNOWN_REASON)
}

/// Steps of at most the highest live bytes divided by this number stay where they are.
const LARGE_STEP: i64 = 10;

/// Returns the live bytes of the snapshots, with large steps at the calls that show them. Without
/// these points, a burst of 2 s would seem to last until the next snapshot, seconds later.
///
/// A step moves to the first call at which the live bytes differ from the next snapshot's by at most
/// a quarter of the step. So memory that a call allocates and frees again moves no step.
fn with_early_steps<'s>(snapshots: &[Point<'s>], calls: &[Point<'s>]) -> Vec<Point<'s>> {
    let highest = snapshots.iter().filter_map(|point| point.1.ok()).max().unwrap_or(0);
    let mut points = Vec::with_capacity(snapshots.len());
    let mut calls = calls.iter().filter_map(|point| Some((point.0, point.1.ok()?))).peekable();
    for (index, &point) in snapshots.iter().enumerate() {
        points.push(point);
        let Some(&(end, Ok(next))) = snapshots.get(index + 1) else { continue };
        let Ok(held) = point.1 else { continue };
        let step = next.saturating_sub(held).saturating_abs();
        if step <= highest / LARGE_STEP {
            continue;
        }
        while calls.next_if(|call| call.0 <= point.0).is_some() {}
        while let Some(call) = calls.next_if(|call| call.0 < end) {
            if call.1.saturating_sub(next).saturating_abs() <= step / 4 {
                points.push((call.0, Ok(call.1)));
                break;
            }
        }
    }
    points
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
