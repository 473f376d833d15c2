//! `memprof ops`: the operations of a session, each below the operation in which it ran.

use crate::arguments::OpsArguments;
use crate::failure::Failure;
use crate::{input, json, output, terminal};
use memprof_recording::document::OperationRow;
use memprof_recording::{OperationTable, Recording};
use serde::Serialize;

/// The width if the output is not a terminal. The whole table usually fits into this width.
const WIDTH: usize = 120;

#[derive(Serialize)]
struct OpsJson<'r> {
    format: &'static str,
    version: u32,
    tracked: bool,
    at_ns: Option<u64>,
    end_ns: Option<u64>,
    /// The operations; `null` if they were counted but the file does not contain them.
    operations: Option<Vec<&'r OperationRow>>,
    more: Option<usize>,
}

pub(crate) fn run(arguments: &OpsArguments) -> Result<(), Failure> {
    let recording = input::recording(&arguments.file.source)?;
    let width = arguments.width.or_else(terminal::columns).unwrap_or(WIDTH);
    let mut table = recording
        .operation_table()
        .count(arguments.count)
        .units(arguments.printing.units.into())
        .width(width);
    if let Some(sort) = arguments.sort {
        table = table.order(sort);
    }
    let text = if arguments.printing.json {
        json::text(&document(&recording, &table))
    } else {
        Ok(table.to_string())
    };
    Ok(output::print(|out| Ok(writeln!(out, "{}", text?)?))?)
}

fn document<'r>(recording: &'r Recording, table: &OperationTable<'r>) -> OpsJson<'r> {
    let tracked = recording.metadata.operations_tracked;
    let is_known = !tracked || recording.operations_unknown_reason().is_none();
    let operations: Option<Vec<_>> = is_known.then(|| table.rows().collect());
    OpsJson {
        format: "memprof ops",
        version: 1,
        tracked,
        at_ns: recording.summary.at_ns,
        end_ns: recording.snapshots.last().map(|last| last.at_ns),
        more: operations.as_ref().map(|rows| recording.summary.operations.len() - rows.len()),
        operations,
    }
}
