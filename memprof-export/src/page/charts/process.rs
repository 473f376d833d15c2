//! The process as a whole: the live heap, the bytes of the roots, the resident memory.

use super::{Amount, Charts, Curve, Style, UNKNOWN_REASON, bytes, over};
use crate::known::{
    device_bytes, incomplete_reason, is_complete, is_lower_end, root_bytes, root_reason,
};
use memprof_profile::views::Units;
use memprof_recording::Recording;
use memprof_recording::document::{PartKind, RootReading, Snapshot};

pub(super) fn add<'s>(charts: &mut Charts<'s>, recording: &Recording, snapshots: &[&'s Snapshot]) {
    let is_partial = snapshots.iter().any(|one| one.roots.iter().any(is_lower_end));
    let curves = [
        live(recording, snapshots),
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
    // One full reading has no curve.
    let read: Vec<_> = snapshots.iter().copied().filter(|one| one.resident.is_some()).collect();
    if read.len() > 1 {
        let folded = recording.resident_growth(Units::Iec).is_none();
        charts.add(PARTS.into(), "bytes".into(), folded, parts(&read));
    }
}

const PARTS: &str = "resident memory by part";

/// Returns the curves of the parts of the resident memory. All mapped files are one curve.
fn parts<'s>(snapshots: &[&'s Snapshot]) -> Vec<Curve<'s>> {
    let files = [PartKind::File, PartKind::OtherFiles];
    let single = PartKind::ALL.iter().filter(|kind| !files.contains(kind));
    let single = single.map(|&kind| (kind.label(), vec![kind]));
    let all = single.chain([("mapped files", files.to_vec())]);
    let has_part = |(_, kinds): &(_, Vec<PartKind>)| {
        let mut all = snapshots.iter().filter_map(|one| one.resident.as_deref());
        all.any(|resident| resident.parts.iter().any(|part| kinds.contains(&part.kind)))
    };
    let curve = |(name, kinds): (&str, Vec<PartKind>)| {
        over(name, Style::Line, snapshots, |one| {
            one.resident.as_deref().and_then(|one| one.bytes(&kinds)).ok_or(UNKNOWN_REASON)
        })
    };
    all.filter(has_part).map(curve).collect()
}

fn counted(amount: Option<u64>) -> Amount<'static> {
    amount.map(bytes).ok_or(UNKNOWN_REASON)
}

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

/// Calls add many points between snapshots: their starts and ends.
fn live<'s>(recording: &Recording, snapshots: &[&'s Snapshot]) -> Curve<'s> {
    let mut live = over("live heap", Style::Fill, snapshots, |one| {
        one.heap.map(|heap| heap.live_bytes).ok_or(UNKNOWN_REASON)
    });
    for call in &recording.operation_events {
        live.points.push((call.start_ns, Ok(call.before_bytes)));
        live.points.push((crate::lanes::end_ns(call), Ok(call.after_bytes)));
    }
    live.points.sort_by_key(|point| point.0);
    live
}
