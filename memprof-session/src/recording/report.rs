//! The report: one JSON document.

use super::{Recording, RecordingError};
use crate::document::{Metadata, OperationEvent, OperationPath, OutOfMemory, Snapshot, Summary};
use serde::Deserialize;

#[derive(Deserialize)]
struct Report {
    metadata: Metadata,
    snapshots: Vec<Snapshot>,
    #[serde(default)]
    operation_paths: Vec<OperationPath>,
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
    Ok(Recording {
        metadata: report.metadata,
        snapshots: report.snapshots,
        operation_paths: report.operation_paths,
        operation_events: report.operation_events.rows,
        out_of_memory: report.out_of_memory,
        summary: report.summary,
        unreadable_lines: 0,
        has_summary: true,
    })
}
