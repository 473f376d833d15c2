//! The document: one JSON value.

use super::{Recording, RecordingError};
use crate::document::{
    LiveStacks, Metadata, OperationEvent, OperationPath, OutOfMemory, Snapshot, StackTable,
    Summary, ThreadName,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Document {
    metadata: Metadata,
    snapshots: Vec<Snapshot>,
    #[serde(default)]
    operation_paths: Vec<OperationPath>,
    #[serde(default)]
    thread_names: Vec<ThreadName>,
    #[serde(default)]
    operation_events: Events,
    #[serde(default)]
    out_of_memory: Vec<OutOfMemory>,
    #[serde(default)]
    live_stacks: Vec<LiveStacks>,
    /// The parts of the table, in the order in which they were written.
    #[serde(default)]
    stacks: Vec<StackTable>,
    summary: Summary,
}

#[derive(Default, Deserialize)]
struct Events {
    rows: Vec<OperationEvent>,
}

pub(super) fn read(text: &str) -> Result<Recording, RecordingError> {
    let document: Document = serde_json::from_str(text)?;
    let mut recording = Recording {
        snapshots: document.snapshots,
        operation_paths: document.operation_paths,
        operation_events: document.operation_events.rows,
        thread_names: document.thread_names,
        out_of_memory: document.out_of_memory,
        ..Recording::with_summary(document.metadata, document.summary)
    };
    recording.sort_thread_names();
    for part in document.stacks {
        recording.stacks.extend(part);
    }
    recording.stacks.remove_repeated_modules();
    for moment in document.live_stacks {
        recording.add_live_stacks(moment);
    }
    recording.summary.fill_stacks(&recording.stacks);
    Ok(recording)
}
