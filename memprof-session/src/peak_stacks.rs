//! The live stacks of the highest moment, in bounded memory. The text at the end of a session names
//! the call sites that held them, and does not read the file for it.

use super::heap::Heap;
use memprof_recording::Recording;
use memprof_recording::document::{LiveStacks, StackTable};
use std::collections::BTreeSet;

/// The number of rows that are kept of a moment, the largest first. Each takes 72 bytes.
const ROWS: usize = 1024;
/// The number of stacks whose addresses get names.
const NAMED: usize = 32;

/// The highest moment, with its stacks.
#[derive(Debug, Default)]
pub(crate) struct PeakStacks {
    /// The highest of the moments without roots, and the highest of those with roots.
    highest: [Option<Kept>; 2],
    /// The largest stacks of the moment, with names if they were found.
    table: StackTable,
}

/// A moment with its largest rows.
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
                ..*moment
            };
            *highest = Some(Kept { moment, bytes_of_roots });
        }
    }

    /// Returns the numbers of the stacks that held most at the peak.
    pub(crate) fn largest(&self) -> Vec<u32> {
        let mut seen = BTreeSet::new();
        let rows = self.peak().map_or(&[][..], |peak| &peak.rows);
        let stacks = rows.iter().map(|row| row.stack).filter(|stack| seen.insert(*stack));
        stacks.take(NAMED).collect()
    }

    /// Sets the addresses and names of the largest stacks.
    pub(crate) fn set_table(&mut self, table: StackTable) {
        self.table = table;
    }

    /// Adds the moment and its stacks to a recording.
    pub(crate) fn add_to(&self, recording: &mut Recording, heap: &Heap) {
        let Some(peak) = self.peak() else { return };
        recording.operation_paths = heap.paths_of(&peak.rows);
        recording.stacks = self.table.clone();
        // The other stacks have no names, and one address states that.
        let mut others = heap.stacks(peak.rows.iter().map(|row| row.stack));
        others.retain(|stack, _| !self.table.addresses.contains_key(stack));
        for addresses in others.values_mut() {
            addresses.truncate(1);
        }
        recording.stacks.addresses.append(&mut others);
        recording.live_stacks = vec![peak.clone()];
    }

    /// Returns the moment that [`Recording::peak_stacks`] prefers.
    fn peak(&self) -> Option<&LiveStacks> {
        let kept = self.highest.iter().flatten();
        let highest =
            Recording::highest(kept, |kept| kept.moment.live_bytes, |kept| kept.bytes_of_roots);
        highest.map(|kept| &kept.moment)
    }
}

#[cfg(test)]
mod tests {
    use super::{NAMED, PeakStacks, ROWS};
    use memprof_recording::document::LiveStacks;

    /// Returns a moment with rows of these stacks.
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
        assert!(peak.peak().is_none() && peak.largest().is_empty());
        for (at_ns, live_bytes, roots) in
            [(1, 1000, &[][..]), (2, 995, &["cache"]), (3, 900, &["cache"]), (4, 999, &[])]
        {
            peak.note(&moment(at_ns, live_bytes, roots, &[7]));
        }
        assert_eq!(peak.peak().map(|moment| moment.at_ns), Some(2));
        peak.note(&moment(5, 2000, &[], &[8]));
        assert_eq!(peak.peak().map(|moment| moment.at_ns), Some(5));
        assert_eq!(peak.largest(), [8]);
    }

    #[test]
    fn moments_are_compared_by_all_their_rows() {
        let mut peak = PeakStacks::default();
        for (at_ns, rows) in [(1, 3 * ROWS), (2, 2 * ROWS), (3, 4 * ROWS)] {
            let stacks: Vec<usize> = (0..rows).collect();
            peak.note(&moment(at_ns, 1000, &["cache"], &stacks));
            let expected = if at_ns == 3 { 3 } else { 1 };
            assert_eq!(peak.peak().map(|moment| moment.at_ns), Some(expected));
        }
    }

    #[test]
    fn few_rows_are_kept_and_few_stacks_get_names() {
        let mut peak = PeakStacks::default();
        let stacks: Vec<usize> = (0..10 * ROWS).map(|row| row / 2).collect();
        peak.note(&moment(1, 1000, &[], &stacks));
        assert_eq!(peak.peak().map(|moment| moment.rows.len()), Some(ROWS));
        assert_eq!(peak.peak().map(|moment| moment.rows.capacity()), Some(ROWS));
        assert!(peak.largest().into_iter().eq(0..NAMED as u32));
    }

    #[test]
    fn a_row_takes_few_bytes() {
        assert_eq!(size_of::<memprof_recording::document::StackRow>(), 72);
    }
}
