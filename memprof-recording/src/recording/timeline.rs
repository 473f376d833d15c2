//! The timeline: one line for each thing that happened.

use super::{Recording, RecordingError};
use crate::document::{FirstLine, Line, LiveStacks};

pub(super) fn read(text: &str) -> Result<Recording, RecordingError> {
    let mut lines = text.lines();
    let first: FirstLine<'_> = serde_json::from_str(lines.next().unwrap_or_default())
        .map_err(RecordingError::first_line)?;
    let mut recording = Recording::of(first.metadata.into_owned());
    for line in lines.filter(|line| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(line) => recording.add(line),
            // The program was killed or the disk was full within this line; the lines after it are
            // still read.
            Err(_) => recording.unreadable_lines += 1,
        }
    }
    recording.sort_thread_names();
    recording.stacks.remove_repeated_modules();
    recording.summary.fill_stacks(&recording.stacks);
    Ok(recording)
}

impl Recording {
    fn add(&mut self, line: Line<'_>) {
        match line {
            Line::Metadata(metadata) => self.metadata = metadata.into_owned(),
            Line::Snapshot(snapshot) => self.snapshots.push(snapshot.into_owned()),
            Line::OperationPaths(paths) => self.operation_paths.extend(paths.into_owned()),
            Line::OperationEvents(events) => self.operation_events.extend(events.into_owned()),
            Line::ThreadNames(names) => self.thread_names.extend(names.into_owned()),
            Line::OutOfMemory(moment) => self.out_of_memory.push(moment),
            Line::Stacks(part) => self.stacks.extend(part.into_owned()),
            Line::LiveStacks(moment) => self.add_live_stacks(moment.into_owned()),
            Line::Summary(summary) => {
                self.summary = summary.into_owned();
                self.has_summary = true;
            }
        }
    }

    /// Adds live bytes by stack. If a moment has several entries, the last one has the roots.
    pub(super) fn add_live_stacks(&mut self, moment: LiveStacks) {
        match self.live_stacks.last_mut().filter(|known| known.at_ns == moment.at_ns) {
            Some(known) => *known = moment,
            None => self.live_stacks.push(moment),
        }
    }
}
