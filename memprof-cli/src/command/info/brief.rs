//! `memprof info --json --limit N`: a recording in a few kilobytes, for scripts and agents.
//!
//! The whole recording as JSON is as large as its file, which is more than an agent should read to
//! learn whether memory grew, and where. So this has the figures of three moments, and only the
//! largest rows of each list, with the number of the others.

use memprof_recording::document::{
    Ended, Estimate, LeakWatch, OperationRow, Place, ResidentMemory, RootState, Snapshot,
};
use memprof_recording::{LiveSite, PinnedMemory, Recording};
use serde::Serialize;

/// The JSON output; `docs/format.md` describes its keys.
#[derive(Serialize)]
pub(super) struct BriefJson<'r> {
    program: &'r str,
    pid: u32,
    ended: &'r Ended,
    duration_ns: u64,
    snapshots: usize,
    /// The first snapshot, the one with the most live bytes, and the last one.
    start: Option<MomentJson>,
    peak: Option<MomentJson>,
    end: Option<MomentJson>,
    /// The maximum of live bytes, which may be between two snapshots.
    peak_bytes: Option<u64>,
    /// The last full reading of the resident memory.
    resident: Option<&'r ResidentMemory>,
    /// What pins the allocator's free memory; `null` if that was not read.
    pinned: Option<PinnedJson>,
    roots: Vec<RootJson<'r>>,
    /// Those with the most retained bytes; `null` if they are unknown.
    operations: Option<Vec<OperationJson<'r>>>,
    sites: Vec<SiteJson<'r>>,
    /// The number of suspects, which `memprof leaks` lists; `null` if they are unknown.
    leaks: Option<usize>,
    watch: Option<LeakWatch>,
    warnings: &'r [String],
    left_out: LeftOutJson,
}

#[derive(Serialize)]
struct MomentJson {
    number: u64,
    at_ns: u64,
    live_bytes: Option<i64>,
    rss_bytes: Option<u64>,
}

#[derive(Serialize)]
struct PinnedJson {
    snapshot: Option<u64>,
    free: Estimate,
    trimmable_bytes: u64,
    sites: Vec<PinnedSiteJson>,
}

#[derive(Serialize)]
struct PinnedSiteJson {
    place: Place,
    operations: Vec<Vec<String>>,
    roots: Vec<String>,
    free: Estimate,
    /// At least and at most.
    returned_bytes: [u64; 2],
}

#[derive(Serialize)]
struct RootJson<'r> {
    name: &'r str,
    state: &'r RootState,
    start_bytes: Option<u64>,
    end_bytes: Option<u64>,
}

#[derive(Serialize)]
struct OperationJson<'r> {
    path: &'r [String],
    calls: u64,
    allocated_bytes: u64,
    net_bytes: i64,
    retained: Option<Estimate>,
}

#[derive(Serialize)]
struct SiteJson<'r> {
    place: &'r Place,
    live: Estimate,
    live_blocks: Estimate,
}

#[derive(Serialize)]
struct LeftOutJson {
    roots: usize,
    operations: usize,
    sites: usize,
    warnings: usize,
}

impl<'r> BriefJson<'r> {
    pub(super) fn of(recording: &'r Recording, limit: usize) -> Self {
        let snapshots = &recording.snapshots;
        let (first, last) = (recording.snapshot("start"), snapshots.last());
        let summary = &recording.summary;
        let mut roots: Vec<_> =
            last.map(|last| &last.roots[..]).unwrap_or_default().iter().collect();
        roots.sort_by_key(|root| core::cmp::Reverse(root.total_bytes));
        let start_bytes = |name: &str| {
            first?.roots.iter().find(|root| root.name == name).and_then(|root| root.total_bytes)
        };
        let is_known = recording.operations_unknown_reason().is_none();
        let table = recording.operation_table().count(limit);
        let operation = |row: &'r OperationRow| OperationJson {
            path: &row.path,
            calls: row.calls,
            allocated_bytes: row.allocated_bytes,
            net_bytes: row.net_bytes,
            retained: row.retained,
        };
        let suspects = recording.suspects();
        let over = |count: usize| count.saturating_sub(limit);
        Self {
            program: &recording.metadata.program,
            pid: recording.metadata.pid,
            ended: &recording.metadata.ended,
            duration_ns: last.map_or(0, |last| last.at_ns),
            snapshots: snapshots.len(),
            start: first.map(MomentJson::of),
            peak: recording.peak().map(MomentJson::of),
            end: last.map(MomentJson::of),
            peak_bytes: recording.peak_bytes(),
            resident: snapshots.iter().rev().find_map(|one| one.resident.as_deref()),
            pinned: last
                .and_then(|last| recording.pinned(last))
                .map(|pinned| PinnedJson::of(pinned, limit)),
            left_out: LeftOutJson {
                roots: over(roots.len()),
                operations: over(summary.operations.len()),
                sites: over(summary.sites.len()),
                warnings: over(summary.warnings.len()),
            },
            roots: roots
                .into_iter()
                .take(limit)
                .map(|root| RootJson {
                    name: &root.name,
                    state: &root.state,
                    start_bytes: start_bytes(&root.name),
                    end_bytes: root.total_bytes,
                })
                .collect(),
            operations: is_known.then(|| table.rows().take(limit).map(operation).collect()),
            sites: summary
                .sites
                .iter()
                .take(limit)
                .map(|site| SiteJson {
                    place: &site.place,
                    live: site.live,
                    live_blocks: site.live_blocks,
                })
                .collect(),
            leaks: recording.leaks_unknown_reason().is_none().then_some(suspects.len()),
            watch: summary.leak_watch,
            warnings: &summary.warnings[..summary.warnings.len().min(limit)],
        }
    }
}

impl PinnedJson {
    fn of(pinned: PinnedMemory<'_>, limit: usize) -> Self {
        let site = |site: LiveSite| {
            let bytes = site.pinned?;
            Some(PinnedSiteJson {
                place: site.your_code.unwrap_or(site.allocates),
                operations: site.operations,
                roots: site.roots.into_iter().map(|(name, _)| name).collect(),
                free: bytes.free,
                returned_bytes: bytes.returned(),
            })
        };
        Self {
            snapshot: pinned.moment.snapshot,
            free: pinned.free,
            trimmable_bytes: pinned.trimmable_bytes,
            sites: pinned.sites.into_iter().filter_map(site).take(limit).collect(),
        }
    }
}

impl MomentJson {
    fn of(snapshot: &Snapshot) -> Self {
        Self {
            number: snapshot.number,
            at_ns: snapshot.at_ns,
            live_bytes: snapshot.heap.map(|heap| heap.live_bytes),
            rss_bytes: snapshot.process.rss_bytes,
        }
    }
}
