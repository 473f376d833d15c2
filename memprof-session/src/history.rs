//! The few snapshots that a session keeps in memory.

use memprof_recording::document::Snapshot;
use std::sync::Arc;

/// The snapshots of a session.
#[derive(Debug, Default)]
pub(crate) struct History {
    first: Option<Arc<Snapshot>>,
    /// The first snapshot that profiled a root; the growth of roots is computed from it.
    first_of_roots: Option<Arc<Snapshot>>,
    last: Option<Arc<Snapshot>>,
    peak: Option<Arc<Snapshot>>,
}

impl History {
    pub(crate) fn add(&mut self, snapshot: &Arc<Snapshot>) {
        self.first.get_or_insert_with(|| snapshot.clone());
        if !snapshot.roots.is_empty() {
            self.first_of_roots.get_or_insert_with(|| snapshot.clone());
        }
        if self.peak.as_ref().is_none_or(|peak| height(peak) < height(snapshot)) {
            self.peak = Some(snapshot.clone());
        }
        self.last = Some(snapshot.clone());
    }

    pub(crate) fn last(&self) -> Option<&Arc<Snapshot>> {
        self.last.as_ref()
    }

    /// Returns the first snapshot, the first with a root, the one with the most live bytes, and the
    /// last.
    ///
    /// Each snapshot is returned once, in chronological order.
    pub(crate) fn landmarks(&self) -> Vec<Snapshot> {
        let landmarks = [&self.first, &self.first_of_roots, &self.peak, &self.last];
        let mut landmarks: Vec<&Arc<Snapshot>> = landmarks.into_iter().flatten().collect();
        landmarks.sort_by_key(|snapshot| snapshot.number);
        landmarks.dedup_by_key(|snapshot| snapshot.number);
        landmarks.into_iter().map(|snapshot| Snapshot::clone(snapshot)).collect()
    }
}

fn height(snapshot: &Snapshot) -> (Option<i64>, Option<u64>) {
    (snapshot.heap.map(|heap| heap.live_bytes), snapshot.process.rss_bytes)
}
