//! The limits for stacks in a timeline, and the moments of live stacks that stay when a limit is
//! reached.

use memprof_recording::document::{LiveStacks, Trigger};
use std::collections::BTreeMap;

/// The bytes of stacks and of live stacks in the timeline.
#[derive(Clone, Debug)]
pub(super) struct StackCap {
    /// The maximum number of bytes of all stacks. Live stacks have the same maximum.
    max_bytes: u64,
    stack_bytes: u64,
    /// The moments in the file by their time.
    kept: BTreeMap<u64, Kept>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    bytes: u64,
    live_bytes: i64,
    is_peak: bool,
}

impl StackCap {
    /// Returns the cap of a timeline. Stacks and live stacks may each take a quarter of it.
    pub(super) fn new(timeline_bytes: u64) -> Self {
        Self { max_bytes: timeline_bytes / 4, stack_bytes: 0, kept: BTreeMap::new() }
    }

    /// Returns `true` if there is space for more stacks. Without space, a new stack has no frames
    /// in the file.
    pub(super) fn has_space(&self) -> bool {
        self.stack_bytes < self.max_bytes
    }

    pub(super) fn note_stacks(&mut self, bytes: u64) {
        self.stack_bytes = self.stack_bytes.saturating_add(bytes);
    }

    /// Counts a line of a moment. A moment may have two lines.
    pub(super) fn note(&mut self, moment: &LiveStacks, bytes: u64) {
        let kept = self.kept.entry(moment.at_ns).or_default();
        kept.bytes = kept.bytes.saturating_add(bytes);
        kept.live_bytes = moment.live_bytes;
        kept.is_peak = moment.trigger == Trigger::Peak;
    }

    pub(super) fn is_full(&self) -> bool {
        // The highest and the last moment always stay.
        self.bytes() > self.max_bytes && self.kept.len() > 2
    }

    pub(super) fn keeps(&self, at_ns: u64) -> bool {
        self.kept.contains_key(&at_ns)
    }

    fn bytes(&self) -> u64 {
        self.kept.values().map(|kept| kept.bytes).sum()
    }

    /// Selects the moments to keep: at most half of the allowed bytes. The highest moment and the
    /// last one always stay. All other peaks are dropped first, then every second of the other
    /// moments.
    pub(super) fn thin(&mut self) {
        let highest = self.kept.iter().max_by_key(|(_, kept)| kept.live_bytes).map(|(at, _)| *at);
        let last = self.kept.last_key_value().map(|(at, _)| *at);
        let stays = |at: u64| Some(at) == highest || Some(at) == last;
        self.kept.retain(|at, kept| !kept.is_peak || stays(*at));
        while self.bytes() > self.max_bytes / 2 && self.kept.len() > 2 {
            let mut is_even = true;
            self.kept.retain(|at, _| {
                stays(*at) || {
                    is_even = !is_even;
                    is_even
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StackCap;
    use memprof_recording::document::{LiveStacks, Trigger};

    fn moment(at_ns: u64, live_bytes: i64, trigger: Trigger) -> LiveStacks {
        let (name, snapshot) = (None, None);
        let (root_names, rows) = (Vec::new(), Vec::new());
        LiveStacks { at_ns, trigger, name, snapshot, live_bytes, root_names, rows }
    }

    #[test]
    fn the_highest_moment_stays_and_lower_peaks_go_first() {
        let mut cap = StackCap::new(4000);
        for at in 0..10 {
            cap.note(&moment(at, 100 * at.cast_signed(), Trigger::Peak), 60);
        }
        for at in 10..20 {
            cap.note(&moment(at, 5, Trigger::Checkpoint), 30);
            cap.note(&moment(at, 5, Trigger::Checkpoint), 30);
        }
        assert!(cap.is_full());
        cap.thin();
        assert!(!cap.is_full() && cap.bytes() <= 500, "{cap:?}");
        assert!(cap.keeps(9) && cap.keeps(19), "the highest and the last");
        assert!((0..9).all(|at| !cap.keeps(at)));
        assert!((10..19).any(|at| cap.keeps(at)), "some checkpoints stay");
    }

    #[test]
    fn moments_that_are_too_large_end_with_the_highest_and_the_last() {
        let mut cap = StackCap::new(40);
        for at in 0..5 {
            cap.note(&moment(at, 9 - at.cast_signed(), Trigger::Checkpoint), 100);
        }
        cap.thin();
        assert_eq!((0..5).filter(|at| cap.keeps(*at)).collect::<Vec<_>>(), [0, 4]);
    }
}
