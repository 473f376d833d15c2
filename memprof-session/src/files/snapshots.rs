//! The snapshots that a timeline keeps when it is too large: evenly spread over time.

use memprof_recording::document::{Snapshot, Trigger};
use std::collections::BTreeMap;

/// The size of the timeline without events, and the snapshots that stay.
#[derive(Clone, Debug)]
pub(super) struct SnapshotCap {
    max_bytes: u64,
    bytes: u64,
    /// The kept snapshots by their numbers.
    kept: BTreeMap<u64, Kept>,
}

#[derive(Clone, Copy, Debug)]
struct Kept {
    at_ns: u64,
    bytes: u64,
    rank: Rank,
    live_bytes: Option<i64>,
}

/// The rank of a snapshot; snapshots of the lowest rank are removed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Interval,
    Growth,
    Named,
}

impl SnapshotCap {
    pub(super) fn new(max_bytes: u64) -> Self {
        Self { max_bytes, bytes: 0, kept: BTreeMap::new() }
    }

    pub(super) fn note(&mut self, snapshot: &Snapshot, bytes: u64) {
        let rank = match snapshot.trigger {
            Trigger::Peak | Trigger::Request | Trigger::Signal => Rank::Growth,
            Trigger::Start | Trigger::Checkpoint | Trigger::End => Rank::Named,
            _ => Rank::Interval,
        };
        self.bytes = self.bytes.saturating_add(bytes);
        // A snapshot of 0 bytes was not written.
        if bytes > 0 {
            let (at_ns, live_bytes) = (snapshot.at_ns, snapshot.heap.map(|heap| heap.live_bytes));
            self.kept.insert(snapshot.number, Kept { at_ns, bytes, rank, live_bytes });
        }
    }

    /// Counts a line that is not a snapshot.
    pub(super) fn note_other(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes);
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes > self.max_bytes
    }

    pub(super) fn keeps(&self, number: u64) -> bool {
        self.kept.contains_key(&number)
    }

    /// Resets the count of other lines, before they are counted again.
    pub(super) fn begin_again(&mut self) {
        self.bytes = self.snapshot_bytes();
    }

    /// Selects the snapshots to keep: at most half of the allowed bytes.
    pub(super) fn thin(&mut self) {
        for rank in [Rank::Interval, Rank::Growth, Rank::Named] {
            let enough = |cap: &Self| cap.snapshot_bytes() <= cap.max_bytes / 2;
            let mut number = self.kept.values().filter(|kept| kept.rank == rank).count();
            while !enough(self) && number > 1 {
                number /= 2;
                self.spread(rank, number);
            }
        }
    }

    fn snapshot_bytes(&self) -> u64 {
        self.kept.values().map(|kept| kept.bytes).sum()
    }

    /// Keeps about `number` snapshots of a rank, spread evenly over time, and the last and the
    /// highest of the rank.
    fn spread(&mut self, rank: Rank, number: usize) {
        let times = || self.kept.values().filter(|kept| kept.rank == rank).map(|kept| kept.at_ns);
        let (Some(first), Some(last)) = (times().next(), times().next_back()) else { return };
        let gap = (last - first) / number.max(1) as u64;
        let mut next = first;
        let last_number = self.kept.iter().rfind(|(_, kept)| kept.rank == rank);
        let last_number = last_number.map(|(number, _)| *number);
        let of_rank = self.kept.iter().filter(|(_, kept)| kept.rank == rank);
        let highest = of_rank.max_by_key(|(_, kept)| kept.live_bytes).map(|(number, _)| *number);
        let mut left = number;
        self.kept.retain(|number, kept| {
            if kept.rank != rank || [last_number, highest].contains(&Some(*number)) {
                return true;
            }
            // `left` limits the number of snapshots that stay, even if all have the same moment.
            let stays = kept.at_ns >= next && left > 1;
            if stays {
                left -= 1;
                next = kept.at_ns.saturating_add(gap);
            }
            stays
        });
    }
}
