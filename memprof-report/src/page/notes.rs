//! What a page leaves out, and what went wrong with the recording: sentences for people.

use super::calls::Calls;
use super::charts::Charts;
use super::texts;
use super::trees::Trees;
use memprof_core::Grouped;
use memprof_session::__private::counted;
use memprof_session::Recording;

/// Warnings of a session that are shown.
const WARNINGS: usize = 20;

/// What was found out while the parts of the page were made.
#[derive(Debug)]
pub(super) struct Found<'p> {
    pub(super) calls: &'p Calls<'p>,
    pub(super) charts: &'p Charts,
    pub(super) trees: &'p Trees,
    pub(super) marks_left_out: usize,
    pub(super) names_left_out: usize,
    /// Whether snapshots were not in the order of time.
    pub(super) clock_was_set_back: bool,
    /// Whether amounts were too large.
    pub(super) rounded: bool,
}

/// The notes of a page of a recording.
pub(super) fn notes(recording: &Recording, found: &Found<'_>) -> Vec<String> {
    let mut notes = recorded(recording);
    notes.extend(of_trees(found.trees));
    let Found { calls, charts, .. } = found;
    if calls.left_out > 0 {
        let kept = calls.kept.len() as u64;
        notes.push(format!(
            "Of the calls in the file, this page has {}, the longest and those that changed most; \
             {} are left out. The table of operations counts all of them.",
            Grouped(kept),
            Grouped(calls.left_out)
        ));
    }
    if calls.unnamed > 0 {
        let calls = counted(calls.unnamed, "call");
        notes.push(format!("The file does not tell the operation of {calls}."));
    }
    if calls.backwards > 0 {
        notes.push(format!(
            "{} ended before they began, as the clock was set back; they are shown without a length.",
            counted(calls.backwards, "call")
        ));
    }
    if found.clock_was_set_back {
        notes.push(
            "Snapshots were not in the order of time, as the clock was set back; here they are."
                .into(),
        );
    }
    if charts.thinned > 0 {
        let curves = counted(charts.thinned as u64, "curve");
        notes.push(format!(
            "{curves} have fewer points than were recorded; peaks and valleys are kept."
        ));
    }
    if charts.left_out > 0 {
        let curves = counted(charts.left_out as u64, "curve");
        notes.push(format!("{curves} are left out, as there are too many to tell apart."));
    }
    let marks = found.marks_left_out as u64;
    if marks > 0 {
        notes.push(format!("{} are left out of the axis of time.", counted(marks, "mark")));
    }
    let names = found.names_left_out as u64;
    if names > 0 {
        notes.push(format!("{} with a name are left out of the list.", counted(names, "snapshot")));
    }
    notes.extend(found.rounded.then(rounded));
    notes
}

/// That amounts were too large.
pub(super) fn rounded() -> String {
    "Amounts above 4 PiB are shown as 4 PiB.".into()
}

/// What a page of a profile alone leaves out.
pub(super) fn of_trees(trees: &Trees) -> Vec<String> {
    let mut notes = Vec::new();
    if trees.left_out > 0 {
        notes.push(format!(
            "{} have no tree in this page; their curves are whole. Those that are here: the first, \
             the last, the peak, checkpoints, and others evenly in time.",
            counted(trees.left_out as u64, "snapshot")
        ));
    }
    if trees.folded > 0 {
        notes.push(format!(
            "The {} that hold least in every tree are added up as `others`, with their exact bytes.",
            counted(trees.folded as u64, "name")
        ));
    }
    if !trees.broken.is_empty() {
        let snapshots = counted(trees.broken.len() as u64, "snapshot");
        notes.push(format!(
            "{snapshots} have roots or sources that could not be read; each says which."
        ));
    }
    notes
}

/// What the recording itself does not have.
fn recorded(recording: &Recording) -> Vec<String> {
    let mut notes: Vec<String> = recording.unreadable().into_iter().collect();
    let dropped = recording.summary.dropped_events;
    if dropped.not_recorded > 0 {
        let calls = counted(dropped.not_recorded, "call");
        notes.push(format!(
            "{calls} were not recorded, as there was no room for them when they ended."
        ));
    }
    if dropped.over_cap > 0 {
        let calls = counted(dropped.over_cap, "call");
        notes.push(format!(
            "{calls} are not in the file, which keeps the longest and those that changed most."
        ));
    }
    let taken = recording.metadata.snapshots;
    let kept = recording.snapshots.len() as u64;
    if taken > kept {
        notes.push(format!(
            "Of {} that were taken, the file has {}; the others were thinned out.",
            counted(taken, "snapshot"),
            Grouped(kept)
        ));
    }
    if !recording.metadata.operations_tracked {
        notes.push("Operations were not counted.".into());
    }
    let warnings = &recording.summary.warnings;
    notes.extend(warnings.iter().take(WARNINGS).map(|warning| texts::name(warning)));
    let more = warnings.len().saturating_sub(WARNINGS) as u64;
    if more > 0 {
        notes.push(format!("{} more.", counted(more, "warning")));
    }
    notes
}
