//! The summary of a session as JSON.

use super::at_peak::AtPeakJson;
use memprof_recording::Recording;
use memprof_recording::document::{
    DeviceReading, GaugeReading, HeapTotals, Metadata, OutOfMemory, ProcessMemory, Reconciliation,
    RootReading, SelfCost, Snapshot, SourceReading, Summary,
};
use serde::Serialize;

/// The JSON output; `docs/format.md` describes its keys. Unknown figures are `null`.
#[derive(Serialize)]
pub(super) struct SessionJson<'r> {
    format: &'static str,
    version: u32,
    metadata: &'r Metadata,
    unreadable_lines: u64,
    operation_events: usize,
    snapshots: Vec<MomentJson<'r>>,
    snapshot: Option<SnapshotJson<'r>>,
    out_of_memory: &'r [OutOfMemory],
    summary: Option<&'r Summary>,
    /// `None` if the file has no stacks of a peak.
    at_peak: Option<AtPeakJson>,
}

/// The figures of a snapshot that a curve over time needs.
#[derive(Serialize)]
struct MomentJson<'r> {
    number: u64,
    at_ns: u64,
    trigger: &'static str,
    name: Option<&'r str>,
    live_bytes: Option<i64>,
    rss_bytes: Option<u64>,
}

/// The named snapshot, or the last one, without its profiles.
#[derive(Serialize)]
struct SnapshotJson<'r> {
    number: u64,
    heap: Option<&'r HeapTotals>,
    process: &'r ProcessMemory,
    profiler: &'r SelfCost,
    roots: Vec<RootJson<'r>>,
    sources: Vec<SourceJson<'r>>,
    reconciliation: Option<&'r Reconciliation>,
    explained_share: Option<f64>,
    sampled_share: Option<f64>,
    tensor_count: u64,
    devices: &'r [DeviceReading],
}

#[derive(Serialize)]
struct RootJson<'r> {
    name: &'r str,
    state: &'static str,
    total_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    low_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high_bytes: Option<u64>,
    heap_bytes: Option<u64>,
    first_snapshot: Option<u64>,
    first_total_bytes: Option<u64>,
}

#[derive(Serialize)]
struct SourceJson<'r> {
    name: &'r str,
    total_bytes: Option<u64>,
    error: Option<&'r str>,
    gauges: &'r [GaugeReading],
}

impl<'r> SessionJson<'r> {
    pub(super) fn of(recording: &'r Recording, at: Option<&'r Snapshot>) -> Self {
        let snapshot = at.or(recording.snapshots.last());
        Self {
            format: "memprof session info",
            version: 1,
            metadata: &recording.metadata,
            unreadable_lines: recording.unreadable_lines,
            operation_events: recording.operation_events.len(),
            snapshots: recording.snapshots.iter().map(MomentJson::of).collect(),
            snapshot: snapshot.map(|snapshot| SnapshotJson::of(recording, snapshot)),
            out_of_memory: &recording.out_of_memory,
            summary: recording.summary_unknown_reason().is_none().then_some(&recording.summary),
            at_peak: AtPeakJson::of(recording),
        }
    }
}

impl<'r> MomentJson<'r> {
    fn of(snapshot: &'r Snapshot) -> Self {
        Self {
            number: snapshot.number,
            at_ns: snapshot.at_ns,
            trigger: snapshot.trigger.as_str(),
            name: snapshot.name.as_deref(),
            live_bytes: snapshot.heap.map(|heap| heap.live_bytes),
            rss_bytes: snapshot.process.rss_bytes,
        }
    }
}

impl<'r> SnapshotJson<'r> {
    fn of(recording: &'r Recording, snapshot: &'r Snapshot) -> Self {
        let reconciliation = snapshot.reconciliation.as_ref();
        let roots = snapshot.roots.iter().map(|root| RootJson::of(root, recording));
        Self {
            number: snapshot.number,
            heap: snapshot.heap.as_ref(),
            process: &snapshot.process,
            profiler: &snapshot.profiler,
            roots: roots.collect(),
            sources: snapshot.sources.iter().map(SourceJson::of).collect(),
            reconciliation,
            explained_share: reconciliation.and_then(Reconciliation::explained_share),
            sampled_share: reconciliation.and_then(Reconciliation::sampled_share),
            tensor_count: snapshot.tensor_count,
            devices: &snapshot.devices,
        }
    }
}

impl<'r> RootJson<'r> {
    fn of(root: &'r RootReading, recording: &Recording) -> Self {
        let first = recording.first_reading(&root.name);
        Self {
            name: &root.name,
            state: root.state.as_str(),
            total_bytes: root.total_bytes,
            low_bytes: root.low_bytes,
            high_bytes: root.high_bytes,
            heap_bytes: root.heap_bytes,
            first_snapshot: first.map(|(snapshot, _)| snapshot.number),
            first_total_bytes: first.map(|(_, bytes)| bytes),
        }
    }
}

impl<'r> SourceJson<'r> {
    fn of(source: &'r SourceReading) -> Self {
        let profile = source.profile().and_then(Result::ok);
        Self {
            name: &source.name,
            total_bytes: profile.map(|profile| profile.total_bytes()),
            error: source.error.as_deref(),
            gauges: &source.gauges,
        }
    }
}
