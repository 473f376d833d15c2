//! The free memory that live blocks pin: which call sites keep it, and what freeing their blocks would
//! return.

use super::LiveSite;
use crate::Recording;
use crate::document::{Estimate, LiveStacks, PartKind, PinnedRow, Snapshot};

/// The allocator's free memory at a given moment. The allocator cannot return free memory on pages
/// that have a live block. [`Recording::pinned`] returns it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PinnedMemory<'r> {
    /// The moment.
    pub moment: &'r LiveStacks,
    /// Free bytes on pages that have a live block.
    pub free: Estimate,
    /// The most bytes that trimming the allocator returns: its other free memory.
    pub trimmable_bytes: u64,
    /// The call sites of the blocks that pin the memory, largest first. Each has its
    /// [part](LiveSite::pinned).
    pub sites: Vec<LiveSite>,
    /// The resident memory of the process at the moment.
    resident_bytes: u64,
}

impl PinnedMemory<'_> {
    /// Returns `true` if the free memory is at least 4 MiB and a sixteenth of the resident memory.
    #[expect(clippy::cast_precision_loss, reason = "compared with an estimate")]
    pub fn is_large(&self) -> bool {
        self.free.value >= self.resident_bytes.max(64 << 20) as f64 / 16.0
    }
}

/// The free memory that the blocks of a call site pin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PinnedBytes {
    /// Free bytes on the pages of the blocks. The free bytes of a page are split evenly among its
    /// blocks.
    pub free: Estimate,
    alone: Estimate,
    shared: Estimate,
}

impl PinnedBytes {
    /// Returns the bytes that the system gets back if the blocks are freed and the allocator is then
    /// trimmed: at least and at most.
    ///
    /// Pages with blocks of other call sites may stay resident. The range also allows for the error
    /// of the samples.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    pub fn returned(&self) -> [u64; 2] {
        let (low, high) = (self.alone, self.shared);
        let bytes =
            [low.value - 1.96 * low.standard_error, high.value + 1.96 * high.standard_error];
        bytes.map(|bytes| bytes.round() as u64)
    }

    pub(super) fn add(&mut self, row: &PinnedRow) {
        let Self { free, alone, shared } = self;
        for (sum, bytes) in [(free, row.free), (alone, row.alone), (shared, row.shared)] {
            *sum = sum.plus(&bytes);
        }
    }
}

impl Recording {
    /// Returns the free memory of the allocator at the last moment up to a snapshot at which it was
    /// read.
    ///
    /// Returns `None` if it was not read, which needs glibc and samples. It is then unknown what pins
    /// the memory.
    pub fn pinned(&self, until: &Snapshot) -> Option<PinnedMemory<'_>> {
        let is_read = |moment: &&LiveStacks| {
            !moment.pinned.is_empty() && moment.snapshot.is_some_and(|of| of <= until.number)
        };
        let moment = self.live_stacks.iter().rev().find(is_read)?;
        let number = moment.snapshot?;
        let snapshot = self.snapshots.iter().find(|one| one.number == number)?;
        let resident = snapshot.resident.as_ref()?;
        let part = resident.parts.iter().find(|part| part.kind == PartKind::AllocatorFree)?;
        let most = part.range.map_or(part.bytes?, |[_, high]| high).max(0).unsigned_abs();
        let none = Estimate::default();
        let free = moment.pinned.iter().fold(none, |sum, row| sum.plus(&row.free));
        let mut sites = self.live_sites(moment);
        sites.retain(|site| free_of(site) > 0.0);
        sites.sort_by(|a, b| free_of(b).total_cmp(&free_of(a)));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let least = (free.value - 1.96 * free.standard_error).round() as u64;
        let trimmable_bytes = most.saturating_sub(least);
        let resident_bytes = resident.resident_bytes;
        Some(PinnedMemory { moment, free, trimmable_bytes, sites, resident_bytes })
    }
}

fn free_of(site: &LiveSite) -> f64 {
    site.pinned.map_or(0.0, |pinned| pinned.free.value)
}

#[cfg(test)]
#[expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]
mod tests {
    use crate::Recording;
    use crate::document::{
        LiveStacks, Metadata, PartKind, ResidentMemory, ResidentPart, Snapshot, Summary, Trigger,
    };
    use expect_test::expect;

    /// Returns a recording in which 40 MiB of 48 MiB of free memory are pinned: 30 MiB by a stack that
    /// is alone on most of its pages, and 10 MiB by one that never is.
    fn recording() -> Recording {
        const MIB: i64 = 1 << 20;
        let estimate = |mib: f64| {
            let value = mib * f64::from(1 << 20);
            format!(r#"{{"value":{value},"standard_error":1048576,"samples":900}}"#)
        };
        let [thirty, more, most, ten, twelve] = [30.0, 28.0, 32.0, 10.0, 12.0].map(estimate);
        let none = estimate(0.0);
        let text = format!(
            r#"{{"at_ns":5,"trigger":"checkpoint","snapshot":0,"live_bytes":2000,"root_names":["cache"],
            "rows":[[7,null,0,1500,0,3,0,900],[8,null,null,500,0,1,0,300]],
            "pinned":[{{"stack":7,"root":0,"free":{thirty},"alone":{more},"shared":{most}}},
                      {{"stack":8,"free":{ten},"alone":{none},"shared":{twelve}}}]}}"#
        );
        let moment: LiveStacks = serde_json::from_str(&text).expect("it is complete");
        let mut recording =
            Recording::with_summary(Metadata::of_this_process(0), Summary::default());
        let mut snapshot = Snapshot::new(0, 5, Trigger::Checkpoint);
        let (kind, range) = (PartKind::AllocatorFree, Some([48 * MIB, 49 * MIB]));
        let parts = vec![ResidentPart { kind, file: None, bytes: Some(48 * MIB), range }];
        let resident_bytes = 64 << 20;
        let resident = ResidentMemory { resident_bytes, parts, ..ResidentMemory::default() };
        snapshot.resident = Some(Box::new(resident));
        recording.snapshots = vec![snapshot, Snapshot::new(1, 9_000_000_000, Trigger::End)];
        recording.live_stacks = vec![moment];
        recording.stacks.addresses = [(7, vec![70]), (8, vec![80])].into();
        recording
    }

    #[test]
    fn pages_that_others_may_keep_are_promised_as_at_most() {
        let recording = recording();
        let pinned = recording.pinned(&recording.snapshots[1]).expect("it was read");
        let returned = |site: usize| pinned.sites[site].pinned.expect("it pins").returned();
        let mib = |bytes: u64| bytes >> 20;
        assert_eq!(returned(0).map(mib), [26, 33]);
        assert_eq!(returned(1).map(mib), [0, 13]);
        assert_eq!(mib(pinned.trimmable_bytes), 11, "49 MiB minus 37 MiB that are surely pinned");
        assert!(recording.pinned(&Snapshot::new(0, 0, Trigger::Start)).is_some());
        assert!(pinned.is_large());
    }

    #[test]
    fn without_a_reading_it_is_unknown_what_pins_memory() {
        let mut recording = recording();
        recording.live_stacks[0].pinned.clear();
        assert!(recording.pinned(&recording.snapshots[1]).is_none());
        assert!(!recording.overview().to_string().contains("pinned"));
    }

    #[test]
    fn the_overview_names_what_pins_free_memory() {
        let text = recording().overview().at(&recording().snapshots[0]).to_string();
        let from = text.find("40.0 MiB").expect("it is shown");
        expect![[r#"
            40.0 MiB ± 2.8 MiB is free but pinned by live blocks; trimming returns at most 11.8 MiB
               share       freeing returns  root   blocks of
              75.0 %  26.0 MiB to 34.0 MiB  cache  unnamed
              25.0 %       0 B to 14.0 MiB         unnamed"#]]
        .assert_eq(&text[from..]);
    }

    #[test]
    fn a_brief_overview_has_one_line_about_much_pinned_memory() {
        let mut recording = recording();
        let line = "pinned      40.0 MiB ± 2.8 MiB is free but pinned by live blocks, at 5 ns; trimming \
                    returns at most 11.8 MiB";
        let brief = |recording: &Recording| recording.overview().brief().width(120).to_string();
        let text = brief(&recording);
        assert!(text.lines().any(|one| one == line), "{text}");
        assert!(!text.contains("freeing returns"), "{text}");
        let resident = recording.snapshots[0].resident.as_mut().expect("it was read");
        resident.resident_bytes = 1 << 30;
        assert!(!brief(&recording).contains("pinned"), "it is less than a sixteenth");
    }
}
