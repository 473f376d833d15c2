//! The growth of memory over a recording.

use super::contents::Growth;
use memprof_recording::document::Snapshot;

/// Uses resident bytes if live bytes are unknown.
///
/// Returns `None` if fewer than two snapshots have the figure. The snapshots are in the order of
/// time. With `is_freed`, the last snapshot is left out, because the program freed the growing
/// memory before it.
pub(super) fn growth(snapshots: &[&Snapshot], is_freed: bool) -> Option<Growth> {
    let last = usize::from(is_freed).min(snapshots.len());
    let snapshots = &snapshots[..snapshots.len() - last];
    let live = |snapshot: &Snapshot| snapshot.heap.map(|heap| i128::from(heap.live_bytes));
    let resident = |snapshot: &Snapshot| snapshot.process.rss_bytes.map(i128::from);
    between(snapshots, "live heap", live)
        .or_else(|| between(snapshots, "resident memory", resident))
}

fn between(
    snapshots: &[&Snapshot],
    what: &str,
    bytes: impl Fn(&Snapshot) -> Option<i128>,
) -> Option<Growth> {
    let mut known =
        snapshots.iter().filter_map(|snapshot| Some((snapshot.at_ns, bytes(snapshot)?)));
    let (begin, before) = known.next()?;
    let (end, after) = known.next_back()?;
    Some(Growth { what: what.to_owned(), bytes: after - before, begin, end })
}
