//! A complete run: the leak with its place and operation, and sums that add up.

use super::Checked;
use super::program::{Folder, Program, Running};
use memprof_session::Recording;
use memprof_session::document::{OperationRow, Trigger};
use std::collections::HashMap;

/// The leak of the example: its file, and the operations around it.
const FILE: &str = "long_lines.rs";
const OPERATION: [&str; 3] = ["index", "index_one", "remember"];

pub(super) fn finds_the_leak(program: &Program) -> Checked {
    let folder = Folder::new()?;
    let mut command = program.command(&folder.0, &["--rounds", "40"]);
    // The sums below need every call, and a file keeps 20,000 by default.
    command.env("MEMPROF_OPERATION_EVENTS", "1000000");
    let ended = Running::start(command)?.end()?;
    if !ended.status.success() || ended.warnings() > 0 {
        return Err(ended.error.into());
    }
    let recording = folder.recording()?;
    let leak = recording.summary.leaks.iter().find(|leak| {
        leak.operation == OPERATION && leak.place.file.as_ref().is_some_and(|f| f.ends_with(FILE))
    });
    let Some(leak) = leak else {
        let places: Vec<_> = recording.summary.leaks.iter().map(|leak| &leak.place).collect();
        return Err(format!("the leak is not among {places:?}").into());
    };
    let sums = operations_add_up(&recording)?;
    totals_add_up(&recording)?;
    let share = explained_share(&recording)?;
    let function = leak.place.function.as_deref().unwrap_or("?");
    let line = leak.place.line.unwrap_or_default();
    Ok(format!(
        "the leak: {function} ({FILE}:{line}) in {}, confidence {:.3}; {sums} operations add up, \
         roots explain {:.0} % of the heap",
        OPERATION.join(";"),
        leak.confidence,
        share * 100.0
    ))
}

/// Compares each operation's row with the sums of its calls, if the recording has all calls.
fn operations_add_up(recording: &Recording) -> Result<usize, crate::Failure> {
    let dropped = recording.summary.dropped_events;
    if dropped.over_cap + dropped.not_recorded > 0 {
        return Err(format!("calls are missing: {dropped:?}").into());
    }
    let mut calls: HashMap<u32, (u64, i64)> = HashMap::new();
    for event in &recording.operation_events {
        let (count, delta) = calls.entry(event.path).or_default();
        *count += 1;
        *delta += event.net_bytes;
    }
    let row = |names: &[String]| {
        recording.summary.operations.iter().find(|row: &&OperationRow| row.path == names)
    };
    for path in &recording.operation_paths {
        let Some(&(count, delta)) = calls.get(&path.path) else { continue };
        let row = row(&path.names).ok_or_else(|| format!("no row for {:?}", path.names))?;
        if (row.calls, row.net_bytes) != (count, delta) {
            return Err(format!("{count} calls change {delta} bytes, and not {row:?}").into());
        }
    }
    Ok(calls.len())
}

/// Checks in each snapshot that allocated bytes less freed bytes are the live bytes.
fn totals_add_up(recording: &Recording) -> Result<(), crate::Failure> {
    for snapshot in &recording.snapshots {
        let heap = snapshot.heap.ok_or("a snapshot without the heap")?;
        let live = heap.allocated_bytes.cast_signed() - heap.freed_bytes.cast_signed();
        if live != heap.live_bytes {
            return Err(format!("{live} bytes live, and not {heap:?}").into());
        }
    }
    let first = recording.snapshots.first().map(|snapshot| snapshot.trigger);
    let last = recording.snapshots.last().map(|snapshot| snapshot.trigger);
    if (first, last) != (Some(Trigger::Start), Some(Trigger::End)) {
        return Err(format!("from {first:?} to {last:?}").into());
    }
    Ok(())
}

/// Returns the share that the index explains. Fails if the bytes of the roots and the estimate from
/// samples differ by more than chance explains.
fn explained_share(recording: &Recording) -> Result<f64, crate::Failure> {
    let last = recording.snapshots.last().and_then(|last| last.reconciliation.as_ref());
    let last = last.ok_or("the last snapshot has no reconciliation")?;
    let share = last.explained_share().ok_or("nothing is live")?;
    let sampled = last.explained.ok_or("no samples are taken")?;
    let bytes = f64::from(u32::try_from(last.roots_bytes)?);
    if (sampled.value - bytes).abs() > 5.0 * sampled.standard_error {
        return Err(format!("{bytes} bytes, and {sampled:?} from samples").into());
    }
    if !(0.0..=1.0).contains(&share) {
        return Err(format!("a share of {share}").into());
    }
    Ok(share)
}
