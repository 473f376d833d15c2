//! What a session keeps in memory, in bounded size: a few snapshots, and the live stacks of the
//! highest moment. The text at the end of a session shows them without reading the file.

use memprof_recording::Recording;
use memprof_recording::document::{LiveStacks, Snapshot};
use std::sync::Arc;

#[derive(Debug, Default)]
pub(crate) struct History {
    first: Option<Arc<Snapshot>>,
    /// The first snapshot that profiled a root; the growth of roots is computed from it.
    first_of_roots: Option<Arc<Snapshot>>,
    /// The first and the last snapshot with the parts of the resident memory.
    with_parts: [Option<Arc<Snapshot>>; 2],
    last: Option<Arc<Snapshot>>,
    peak: Option<Arc<Snapshot>>,
}

impl History {
    pub(crate) fn add(&mut self, snapshot: &Arc<Snapshot>) {
        self.first.get_or_insert_with(|| snapshot.clone());
        if !snapshot.roots.is_empty() {
            self.first_of_roots.get_or_insert_with(|| snapshot.clone());
        }
        if snapshot.resident.is_some() {
            self.with_parts[0].get_or_insert_with(|| snapshot.clone());
            self.with_parts[1] = Some(snapshot.clone());
        }
        if self.peak.as_ref().is_none_or(|peak| height(peak) < height(snapshot)) {
            self.peak = Some(snapshot.clone());
        }
        self.last = Some(snapshot.clone());
    }

    pub(crate) fn last(&self) -> Option<&Arc<Snapshot>> {
        self.last.as_ref()
    }

    /// Returns the first snapshot, the first with a root, the one with the most live bytes, the
    /// first and the last with the parts of the resident memory, and the last, in chronological
    /// order.
    pub(crate) fn landmarks(&self) -> Vec<Snapshot> {
        let landmarks = [&self.first, &self.first_of_roots, &self.peak, &self.last];
        let landmarks = landmarks.into_iter().chain(&self.with_parts).flatten();
        let mut landmarks: Vec<&Arc<Snapshot>> = landmarks.collect();
        landmarks.sort_by_key(|snapshot| snapshot.number);
        landmarks.dedup_by_key(|snapshot| snapshot.number);
        landmarks.into_iter().map(|snapshot| Snapshot::clone(snapshot)).collect()
    }
}

fn height(snapshot: &Snapshot) -> (Option<i64>, Option<u64>) {
    (snapshot.heap.map(|heap| heap.live_bytes), snapshot.process.rss_bytes)
}

/// The number of rows that are kept of a moment, largest first. Each takes 72 bytes.
const ROWS: usize = 1024;

#[derive(Debug, Default)]
pub(crate) struct PeakStacks {
    /// The highest of the moments without roots, and the highest of those with roots.
    highest: [Option<Kept>; 2],
}

#[derive(Debug)]
struct Kept {
    moment: LiveStacks,
    /// The bytes that roots reached at the moment, in all its rows.
    bytes_of_roots: f64,
}

impl PeakStacks {
    /// Keeps the moment if [`Recording::peak_stacks`] prefers it to all earlier ones.
    pub(crate) fn note(&mut self, moment: &LiveStacks) {
        let highest = &mut self.highest[usize::from(!moment.root_names.is_empty())];
        let bytes_of_roots = moment.bytes_of_roots();
        let before = highest.iter().map(|kept| (kept.moment.live_bytes, kept.bytes_of_roots, true));
        let all = before.chain([(moment.live_bytes, bytes_of_roots, false)]);
        let preferred = Recording::highest(all, |(live, ..)| *live, |(_, of_roots, _)| *of_roots);
        if let Some((.., false)) = preferred {
            let moment = LiveStacks {
                name: moment.name.clone(),
                root_names: moment.root_names.clone(),
                rows: moment.rows[..moment.rows.len().min(ROWS)].to_vec(),
                pinned: Vec::new(),
                ..*moment
            };
            *highest = Some(Kept { moment, bytes_of_roots });
        }
    }

    pub(crate) fn highest(&self) -> Option<&LiveStacks> {
        let kept = self.highest.iter().flatten();
        let highest =
            Recording::highest(kept, |kept| kept.moment.live_bytes, |kept| kept.bytes_of_roots);
        highest.map(|kept| &kept.moment)
    }
}

#[cfg(test)]
mod tests {
    use super::{PeakStacks, ROWS};
    use memprof_recording::document::LiveStacks;

    fn moment(at_ns: u64, live_bytes: i64, roots: &[&str], stacks: &[usize]) -> LiveStacks {
        let root = (!roots.is_empty()).then_some(0);
        let row = |stack: &usize| serde_json::json!([stack, null, root, 9.0, 0.0, 1.0, 0.0, 1]);
        let rows: Vec<_> = stacks.iter().map(row).collect();
        let moment = serde_json::json!({
            "at_ns": at_ns, "trigger": "peak", "live_bytes": live_bytes, "root_names": roots,
            "rows": rows,
        });
        serde_json::from_value(moment).expect("it is complete")
    }

    #[test]
    fn the_highest_moment_is_kept_and_a_slightly_lower_one_with_roots_is_preferred() {
        let mut peak = PeakStacks::default();
        assert!(peak.highest().is_none());
        for (at_ns, live_bytes, roots) in
            [(1, 1000, &[][..]), (2, 995, &["cache"]), (3, 900, &["cache"]), (4, 999, &[])]
        {
            peak.note(&moment(at_ns, live_bytes, roots, &[7]));
        }
        assert_eq!(peak.highest().map(|moment| moment.at_ns), Some(2));
        peak.note(&moment(5, 2000, &[], &[8]));
        assert_eq!(peak.highest().map(|moment| moment.at_ns), Some(5));
    }

    #[test]
    fn moments_are_compared_by_all_their_rows() {
        let mut peak = PeakStacks::default();
        for (at_ns, rows) in [(1, 3 * ROWS), (2, 2 * ROWS), (3, 4 * ROWS)] {
            let stacks: Vec<usize> = (0..rows).collect();
            peak.note(&moment(at_ns, 1000, &["cache"], &stacks));
            let expected = if at_ns == 3 { 3 } else { 1 };
            assert_eq!(peak.highest().map(|moment| moment.at_ns), Some(expected));
        }
    }

    #[test]
    fn few_rows_are_kept() {
        let mut peak = PeakStacks::default();
        let stacks: Vec<usize> = (0..10 * ROWS).map(|row| row / 2).collect();
        peak.note(&moment(1, 1000, &[], &stacks));
        assert_eq!(peak.highest().map(|moment| moment.rows.len()), Some(ROWS));
        assert_eq!(peak.highest().map(|moment| moment.rows.capacity()), Some(ROWS));
    }

    #[test]
    fn a_row_takes_few_bytes() {
        assert_eq!(size_of::<memprof_recording::document::StackRow>(), 72);
    }
}
