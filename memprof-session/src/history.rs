//! The snapshots that a session keeps in bounded memory: a few numbers of each.

use memprof_recording::document::Snapshot;
use std::sync::Arc;

/// A moment of a session, in a few numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Moment {
    /// The moment, in nanoseconds since the session began.
    pub at_ns: u64,
    /// Live bytes on the heap; `None` if they are not counted.
    pub live_bytes: Option<i64>,
    /// Resident bytes; `None` if the system does not report them.
    pub rss_bytes: Option<u64>,
    /// Visited bytes of all roots, in any memory.
    pub roots_bytes: u64,
}

/// The snapshots of a session.
#[derive(Debug, Default)]
pub(crate) struct History {
    moments: Vec<Moment>,
    /// One in `stride` moments is kept.
    stride: u64,
    seen: u64,
    first: Option<Arc<Snapshot>>,
    /// The first snapshot that profiled a root; the growth of roots is computed from it.
    first_of_roots: Option<Arc<Snapshot>>,
    last: Option<Arc<Snapshot>>,
    peak: Option<Arc<Snapshot>>,
}

/// At this number of moments, every second one is dropped. 4,096 moments take 200 KiB.
const MAX: usize = 4096;

impl History {
    pub(crate) fn add(&mut self, snapshot: &Arc<Snapshot>) {
        self.stride = self.stride.max(1);
        if self.seen.is_multiple_of(self.stride) {
            self.moments.push(moment(snapshot));
        }
        self.seen += 1;
        if self.moments.len() == MAX {
            let mut even = false;
            self.moments.retain(|_| {
                even = !even;
                even
            });
            self.stride *= 2;
        }
        self.first.get_or_insert_with(|| snapshot.clone());
        if !snapshot.roots.is_empty() {
            self.first_of_roots.get_or_insert_with(|| snapshot.clone());
        }
        if self.peak.as_ref().is_none_or(|peak| height(peak) < height(snapshot)) {
            self.peak = Some(snapshot.clone());
        }
        self.last = Some(snapshot.clone());
    }

    pub(crate) fn moments(&self) -> &[Moment] {
        &self.moments
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

fn moment(snapshot: &Snapshot) -> Moment {
    Moment {
        at_ns: snapshot.at_ns,
        live_bytes: snapshot.heap.map(|heap| heap.live_bytes),
        rss_bytes: snapshot.process.rss_bytes,
        roots_bytes: snapshot.roots.iter().filter_map(|root| root.total_bytes).sum::<u64>()
            + snapshot.roots_not_listed.map_or(0, |others| others.total_bytes),
    }
}

fn height(snapshot: &Snapshot) -> (Option<i64>, Option<u64>) {
    (snapshot.heap.map(|heap| heap.live_bytes), snapshot.process.rss_bytes)
}
