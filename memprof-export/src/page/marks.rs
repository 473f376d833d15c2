//! Marks on the time axis.

use super::contents::{Mark, MarkKind as Kind};
use super::texts;
use memprof_profile::views::Units;
use memprof_recording::Recording;
use memprof_recording::document::{Snapshot, Trigger};

const MAX_PER_KIND: usize = 200;

/// Returns the marks of a recording, and the number of marks left out. `listed` returns the
/// index of a snapshot in the page's list, given its index in `snapshots`.
pub(super) fn marks(
    recording: &Recording,
    snapshots: &[&Snapshot],
    peak: Option<usize>,
    units: Units,
    listed: impl Fn(usize) -> Option<usize> + Copy,
) -> (Vec<Mark>, usize) {
    // The table of the peak has the call stacks of this moment, so the page marks the same one.
    let stacks = recording.peak_stacks();
    let mut marks = Vec::new();
    let mut left_out = 0;
    let mut count = [0_usize; 4];
    let mut add = |mark: Mark| {
        let count = &mut count[mark.kind as usize];
        *count += 1;
        if *count <= MAX_PER_KIND { marks.push(mark) } else { left_out += 1 }
    };
    for (index, snapshot) in snapshots.iter().enumerate() {
        let mark = |kind, text| Mark { at: snapshot.at_ns, kind, text, snapshot: listed(index) };
        if let Some(name) = &snapshot.name {
            let of = if snapshot.trigger == Trigger::Limit { " of a memory limit" } else { "" };
            add(mark(Kind::Checkpoint, texts::name(name) + of));
        }
        if snapshot.trigger == Trigger::Signal {
            add(mark(Kind::Signal, "a signal".into()));
        }
        if peak == Some(index) && stacks.is_none() {
            add(mark(Kind::Peak, "the snapshot at the peak".into()));
        }
    }
    if let Some(moment) = stacks {
        let is_of = |one: &&Snapshot| Some(one.number) == moment.snapshot;
        let snapshot = snapshots.iter().position(is_of).and_then(listed);
        let text = "the call stacks at the peak".to_owned();
        add(Mark { at: moment.at_ns, kind: Kind::Peak, text, snapshot });
    }
    for moment in &recording.out_of_memory {
        let requested = units.show(moment.requested_bytes);
        let text = format!("out of memory: {requested} requested");
        add(Mark { at: moment.at_ns, kind: Kind::OutOfMemory, text, snapshot: None });
    }
    marks.sort_by_key(|mark| mark.at);
    (marks, left_out)
}
