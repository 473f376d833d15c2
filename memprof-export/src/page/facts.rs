//! The figures in a page's head.

use super::contents::Fact;
use crate::known::{is_complete, is_lower_end, peak_bytes};
use memprof_profile::text::counted;
use memprof_profile::views::Grouped;
use memprof_recording::Recording;
use memprof_recording::document::Snapshot;

impl Fact {
    pub(super) fn bytes(label: impl Into<String>, bytes: impl Into<i128>) -> Self {
        Self { label: label.into(), bytes: Some(bytes.into()), at_least: false, text: None }
    }

    fn text(label: &str, text: String) -> Self {
        Self { label: label.into(), bytes: None, at_least: false, text: Some(text) }
    }
}

const MAX_DEVICES: usize = 4;

pub(super) fn facts(recording: &Recording, snapshots: &[&Snapshot]) -> Vec<Fact> {
    let mut facts = Vec::new();
    let last = snapshots.last();
    if let Some(heap) = last.and_then(|last| last.heap) {
        facts.extend(peak_bytes(recording).map(|peak| Fact::bytes("peak live heap", peak)));
        facts.push(Fact::bytes("live heap at the end", heap.live_bytes));
        facts.push(Fact::bytes("allocated in total", heap.allocated_bytes));
    }
    let process = last.map(|last| last.process).unwrap_or_default();
    facts.extend(process.rss_peak_bytes.map(|peak| Fact::bytes("peak resident", peak)));
    facts.extend(process.rss_bytes.map(|bytes| Fact::bytes("resident at the end", bytes)));
    let roots = last.map(|last| &last.roots[..]).unwrap_or_default();
    // An estimate is no lower bound, so it is left out.
    let is_known = roots.iter().all(|root| is_complete(root) || is_lower_end(root));
    let at_least = !roots.iter().all(is_complete);
    let devices = last.into_iter().flat_map(|last| &last.devices).filter(|_| is_known);
    let mut devices = devices.map(|one| (&*one.device, one.bytes));
    for (device, bytes) in devices.by_ref().take(MAX_DEVICES) {
        let label = match device {
            "cpu" => "roots at the end".to_owned(),
            device => format!("roots on {}", super::texts::name(device)),
        };
        facts.push(Fact { at_least, ..Fact::bytes(label, bytes) });
    }
    let (more, bytes) =
        devices.fold((0_u64, 0), |(count, sum), (_, bytes)| (count + 1, sum + i128::from(bytes)));
    if more > 0 {
        let label = format!("roots on {}", counted(more, "more device"));
        facts.push(Fact { at_least, ..Fact::bytes(label, bytes) });
    }
    let snapshots = recording.metadata.snapshots.max(snapshots.len() as u64);
    facts.push(Fact::text("snapshots", Grouped(snapshots).to_string()));
    if recording.metadata.operations_tracked {
        let calls = recording.summary.operations.iter().map(|row| row.calls);
        let calls = calls.fold(0_u64, u64::saturating_add);
        let calls = calls.max(recording.operation_events.len() as u64);
        // Only the summary has the number of all calls.
        let at_least = recording.summary_unknown_reason().map_or("", |_| "at least ");
        if calls > 0 || at_least.is_empty() {
            facts.push(Fact::text("calls", format!("{at_least}{}", Grouped(calls))));
        }
    }
    facts
}
