//! The expected recording of a case: how the program ended, and what was lost.

use super::run::Run;
use crate::Failure;
use memprof_session::Recording;
use memprof_session::document::{Ended, RootState};
use std::fs;
use std::path::PathBuf;

/// Figures of the recording.
pub(super) type Checked = Result<String, Failure>;

/// Checks that the program finished its session and nothing was lost.
pub(super) fn finished(run: &Run) -> Checked {
    ended_by(run, &Ended::Finished)
}

/// Checks that the session recorded the program's exit.
pub(super) fn exited(run: &Run) -> Checked {
    ended_by(run, &Ended::Exited)
}

pub(super) fn terminated(run: &Run) -> Checked {
    ended_by(run, &Ended::Signal("SIGTERM".to_owned()))
}

fn ended_by(run: &Run, expected: &Ended) -> Checked {
    if !run.warnings.is_empty() {
        return Err(format!("expected no warning: {:#?}", run.warnings).into());
    }
    let recording = document(run)?;
    if recording.metadata.ended != *expected {
        return Err(format!("the document has {:?}", recording.metadata.ended).into());
    }
    readable(run)?;
    Ok(format!("a document of {}", snapshots(&recording)))
}

pub(super) fn terminated_with_stuck_root(run: &Run) -> Checked {
    let figures = terminated(run)?;
    let recording = document(run)?;
    let last = recording.snapshots.last().ok_or("there is no snapshot")?;
    let stuck = last.roots.iter().find(|root| root.name == "stuck");
    match stuck {
        Some(root) if root.state != RootState::Profiled && root.total_bytes.is_none() => {
            Ok(format!("{figures}; the root is {:?}", root.state))
        }
        other => Err(format!("the stuck root reads {other:?}").into()),
    }
}

/// Checks that each timeline is readable to its end.
pub(super) fn readable(run: &Run) -> Checked {
    let mut read = Vec::new();
    for path in files(run, "jsonl")? {
        let timeline = Recording::read_file(&path)?;
        if timeline.unreadable_lines > 0 {
            return Err(format!("{} has a torn line", path.display()).into());
        }
        read.push(snapshots(&timeline));
    }
    if read.is_empty() {
        return Err("there is no timeline".into());
    }
    Ok(format!("timelines of {}", read.join(" and ")))
}

/// Checks that the document is complete, or that the only warning has the reason why it is not.
pub(super) fn finished_or_warned(run: &Run) -> Checked {
    if run.warnings.is_empty() { finished(run) } else { one_warning(run) }
}

pub(super) fn one_warning(run: &Run) -> Checked {
    let [warning] = &run.warnings[..] else {
        return Err(format!("expected one warning: {:#?}", run.warnings).into());
    };
    Ok(warning.clone())
}

/// Checks that nothing was recorded, and that the only warning has the reason.
pub(super) fn nothing_but_one_warning(run: &Run) -> Checked {
    if !files(run, "jsonl")?.is_empty() || !files(run, "json")?.is_empty() {
        return Err("there is a recording".into());
    }
    one_warning(run)
}

/// Checks that there is no recording, because the case did not start one.
pub(super) fn nothing(run: &Run) -> Checked {
    let files = fs::read_dir(&run.recording)?.count();
    if files > 0 || !run.warnings.is_empty() {
        return Err(format!("{files} files; {:#?}", run.warnings).into());
    }
    Ok("nothing recorded".to_owned())
}

/// Checks that there is one warning about the part that did not fit, and that the rest is readable.
pub(super) fn lost_with_one_warning(run: &Run) -> Checked {
    let warning = one_warning(run)?;
    Ok(format!("{}; {warning}", readable(run)?))
}

/// Checks that each checkpoint has the same level, even after a second copy of memprof in the
/// process was switched off.
pub(super) fn counted_throughout(run: &Run) -> Checked {
    let figures = finished(run)?;
    let recording = document(run)?;
    let checkpoints = recording.snapshots.iter().filter(|snapshot| snapshot.name.is_some());
    let heaps: Option<Vec<_>> = checkpoints.map(|snapshot| snapshot.heap).collect();
    let heaps = heaps.ok_or("a checkpoint has no figures of the heap")?;
    let [before, after, end] = &heaps[..] else {
        return Err(format!("expected three checkpoints: {}", heaps.len()).into());
    };
    if before.level != after.level || before.level != end.level {
        return Err(format!("levels: {:?}", heaps.iter().map(|heap| heap.level)).into());
    }
    let loading = after.allocated_blocks.saturating_sub(before.allocated_blocks);
    let working = end.allocated_blocks.saturating_sub(after.allocated_blocks);
    // The work allocates 32 blocks in each of 600 operations.
    if working < 600 * 32 {
        return Err(format!("{working} blocks after the second copy was switched off").into());
    }
    Ok(format!("{figures}; {loading} blocks beside the second copy, then {working}"))
}

/// Checks that the first snapshots did not fit, that there is one warning, and that the document has
/// their number.
pub(super) fn late_with_one_warning(run: &Run) -> Checked {
    let warning = one_warning(run)?;
    let recording = document(run)?;
    let lost = recording.summary.not_written.snapshots;
    if lost < 50 {
        return Err(format!("the report states that only {lost} snapshots were lost").into());
    }
    Ok(format!("a document of {}, {lost} lost; {warning}", snapshots(&recording)))
}

pub(super) fn out_of_memory(run: &Run) -> Checked {
    readable(run)?;
    let [path] = &files(run, "jsonl")?[..] else { return Err("expected one timeline".into()) };
    let timeline = Recording::read_file(path)?;
    let [refused] = &timeline.out_of_memory[..] else {
        return Err(format!("expected one refusal: {:?}", timeline.out_of_memory).into());
    };
    Ok(format!("{} bytes were refused", refused.requested_bytes))
}

pub(super) fn frail_root(run: &Run) -> Checked {
    let figures = finished(run)?;
    let recording = document(run)?;
    let panicked = |state: RootState| state == RootState::Panicked;
    let last = recording.snapshots.last().ok_or("there is no snapshot")?;
    if !last.roots.iter().any(|root| root.name == "frail" && panicked(root.state)) {
        return Err(format!("the roots read {:?}", last.roots).into());
    }
    Ok(format!("{figures}; the root is marked"))
}

pub(super) fn frail_source(run: &Run) -> Checked {
    let figures = finished(run)?;
    let recording = document(run)?;
    let last = recording.snapshots.last().ok_or("there is no snapshot")?;
    let error = last.sources.iter().find_map(|source| source.error.clone());
    Ok(format!("{figures}; the source: {}", error.ok_or("the source has no error")?))
}

fn snapshots(recording: &Recording) -> String {
    let number = recording.snapshots.len();
    format!("{number} snapshot{}", if number == 1 { "" } else { "s" })
}

fn document(run: &Run) -> Result<Recording, Failure> {
    match &files(run, "json")?[..] {
        [path] => Ok(Recording::read_file(path)?),
        paths => Err(format!("expected one document: {paths:?}").into()),
    }
}

/// Returns the regular files with this ending. A planted link is not a file of the profiler.
fn files(run: &Run, ending: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for entry in fs::read_dir(&run.recording)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_file() && path.extension().is_some_and(|is| is == ending) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
