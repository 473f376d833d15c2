//! The report: one JSON document.

use super::{Recording, RecordingError};
use crate::document::{
    Metadata, OperationEvent, OperationPath, OutOfMemory, Snapshot, Summary, ThreadName,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Report {
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
    summary: Summary,
}

#[derive(Default, Deserialize)]
struct Events {
    rows: Vec<OperationEvent>,
}

pub(super) fn read(text: &str) -> Result<Recording, RecordingError> {
    let report: Report = serde_json::from_str(text)?;
    let mut recording = Recording {
        metadata: report.metadata,
        snapshots: report.snapshots,
        operation_paths: report.operation_paths,
        operation_events: report.operation_events.rows,
        thread_names: report.thread_names,
        out_of_memory: report.out_of_memory,
        summary: report.summary,
        unreadable_lines: 0,
        has_summary: true,
    };
    recording.sort_thread_names();
    Ok(recording)
}
