//! Notes for the reader: sentences about the parts that a page leaves out, and about problems of
//! the recording.

use super::calls::Calls;
use super::charts::Charts;
use super::texts;
use super::trees::Trees;
use memprof_profile::text::counted;
use memprof_recording::Recording;

const MAX_WARNINGS: usize = 20;

#[derive(Debug)]
pub(super) struct PageParts<'p> {
    pub(super) calls: &'p Calls<'p>,
    pub(super) charts: &'p Charts<'p>,
    pub(super) trees: &'p Trees,
    pub(super) marks_left_out: usize,
    pub(super) names_left_out: usize,
    /// `true` if snapshots were not in chronological order.
    pub(super) clock_was_set_back: bool,
    pub(super) clamped: bool,
}

pub(super) fn notes(recording: &Recording, parts: &PageParts<'_>) -> Vec<String> {
    let mut notes = recorded(recording);
    notes.extend(of_trees(parts.trees));
    let PageParts { calls, charts, .. } = parts;
    notes.extend(counts([
        (
            calls.left_out,
            "call",
            "left out of the page, which keeps the longest calls and those with the largest \
             changes; the operations table counts all calls",
        ),
        (calls.unnamed, "call", "the file does not name the operation"),
        (
            calls.backwards,
            "call",
            "with an end before the start, because the clock was set back; drawn without a length",
        ),
        (
            charts.thinned as u64,
            "curve",
            "drawn with fewer points than were recorded; peaks and valleys are kept",
        ),
        (charts.left_out as u64, "curve", "left out to keep the charts readable"),
        (parts.marks_left_out as u64, "mark", "left out of the time axis"),
        (parts.names_left_out as u64, "checkpoint", "left out of the list of snapshots"),
    ]));
    if parts.clock_was_set_back {
        notes.push("The clock was set back. Snapshots are sorted by time.".into());
    }
    notes.extend(parts.clamped.then(clamped));
    notes
}

/// Returns a note for each count that is not 0: of what, and a text.
fn counts<const N: usize>(all: [(u64, &str, &str); N]) -> impl Iterator<Item = String> {
    let all = all.into_iter().filter(|(count, ..)| *count > 0);
    all.map(|(count, thing, text)| format!("{}: {text}.", counted(count, thing)))
}

pub(super) fn clamped() -> String {
    "Amounts above 4 PiB are shown as 4 PiB.".into()
}

pub(super) fn of_trees(trees: &Trees) -> Vec<String> {
    let all = [
        (
            trees.left_out as u64,
            "snapshot",
            "without a tree, to keep the page small; the page has the trees of the first, the \
             last, the peak, checkpoints, and others evenly spread over time",
        ),
        (
            trees.folded as u64,
            "name",
            "too small in every tree, and added up as `others`; the sums are exact",
        ),
        (
            trees.broken.len() as u64,
            "snapshot",
            "with a root or source that could not be read, which the page lists as missing",
        ),
    ];
    counts(all).collect()
}

fn recorded(recording: &Recording) -> Vec<String> {
    let unreadable = recording.unreadable().map(|text| texts::sentence(&text));
    let not_summed_up = recording.not_summed_up().map(|text| texts::sentence(&text));
    let old = [recording.old_summary(), recording.lost()].into_iter().flatten();
    let old = old.map(|text| texts::sentence(&text));
    let mut notes: Vec<String> = unreadable.into_iter().chain(not_summed_up).chain(old).collect();
    let dropped = recording.summary.dropped_events;
    let thinned = recording.metadata.snapshots.saturating_sub(recording.snapshots.len() as u64);
    notes.extend(counts([
        (dropped.not_recorded, "call", "not recorded, because the buffer of calls was full"),
        (dropped.over_cap, "call", "not in the file, because it had reached its limit of calls"),
        (thinned, "snapshot", "left out of the file to limit its size"),
    ]));
    if !recording.metadata.operations_tracked {
        notes.push("Operations were not counted.".into());
    }
    let warnings = &recording.summary.warnings;
    notes.extend(warnings.iter().take(MAX_WARNINGS).map(|warning| texts::sentence(warning)));
    let more = warnings.len().saturating_sub(MAX_WARNINGS);
    if more > 0 {
        notes.push(format!("{}.", counted(more as u64, "more warning")));
    }
    notes
}
