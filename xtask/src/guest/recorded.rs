//! The expected recording of a case: how the program ended, and what was lost.

use super::run::Run;
use crate::Failure;
use crate::tools::output;
use serde_json::{Value, from_str, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) type Checked = Result<String, Failure>;

/// Checks that the program finished its session and nothing was lost.
pub(super) fn finished(run: &Run) -> Checked {
    ended_by(run, &json!("finished"))
}

pub(super) fn exited(run: &Run) -> Checked {
    ended_by(run, &json!("exited"))
}

pub(super) fn terminated(run: &Run) -> Checked {
    ended_by(run, &json!({ "signal": "SIGTERM" }))
}

fn ended_by(run: &Run, expected: &Value) -> Checked {
    expect(run.warnings.is_empty(), || format!("expected no warning: {:#?}", run.warnings))?;
    let document = document(run)?;
    let ended = &document["metadata"]["ended"];
    expect(ended == expected, || format!("the document has {ended}"))?;
    expect(files(run, "jsonl")?.is_empty(), || "the timeline is left".to_owned())?;
    Ok(format!("a document with {}", snapshots(&document)))
}

pub(super) fn terminated_with_stuck_root(run: &Run) -> Checked {
    let figures = terminated(run)?;
    let stuck = last_root(run, "stuck")?;
    let is_marked = stuck["state"] != "profiled" && stuck["total_bytes"].is_null();
    expect(is_marked, || format!("the stuck root reads {stuck}"))?;
    Ok(format!("{figures}; the root is {}", stuck["state"]))
}

/// Checks that each timeline is readable to its end, and so is the document that replaced one.
pub(super) fn readable(run: &Run) -> Checked {
    let mut read = Vec::new();
    for path in files(run, "jsonl")?.into_iter().chain(files(run, "json")?) {
        let timeline = info(run, &path)?;
        let is_whole = timeline["unreadable_lines"] == 0;
        expect(is_whole, || format!("{} has a torn line", path.display()))?;
        read.push(snapshots(&timeline));
    }
    expect(!read.is_empty(), || "there is no recording".to_owned())?;
    Ok(format!("recordings with {}", read.join(" and ")))
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
    let is_empty = files(run, "jsonl")?.is_empty() && files(run, "json")?.is_empty();
    expect(is_empty, || "there is a recording".to_owned())?;
    one_warning(run)
}

pub(super) fn nothing(run: &Run) -> Checked {
    let files = fs::read_dir(&run.recording)?.count();
    expect(files == 0 && run.warnings.is_empty(), || {
        format!("{files} files; {:#?}", run.warnings)
    })?;
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
    let document = document(run)?;
    let checkpoints = document["snapshots"].as_array().into_iter().flatten();
    let heaps = checkpoints.filter(|snapshot| snapshot["name"].is_string()).map(|one| &one["heap"]);
    let heaps: Vec<_> = heaps.collect();
    let [before, after, end] = heaps[..] else {
        return Err(format!("expected three checkpoints: {}", heaps.len()).into());
    };
    let is_level =
        before["level"].is_string() && heaps.iter().all(|h| h["level"] == before["level"]);
    expect(is_level, || format!("the levels differ: {heaps:?}"))?;
    let blocks = |heap: &Value| heap["allocated_blocks"].as_u64().ok_or("no allocated blocks");
    let loading = blocks(after)?.saturating_sub(blocks(before)?);
    let working = blocks(end)?.saturating_sub(blocks(after)?);
    // The work allocates 32 blocks in each of 600 operations.
    let is_counted = working >= 600 * 32;
    expect(is_counted, || format!("{working} blocks after the second copy was switched off"))?;
    Ok(format!("{figures}; {loading} blocks beside the second copy, then {working}"))
}

pub(super) fn late_with_one_warning(run: &Run) -> Checked {
    let warning = one_warning(run)?;
    let document = document(run)?;
    let lost = document["summary"]["not_written"]["snapshots"].as_u64().unwrap_or(0);
    expect(lost >= 50, || format!("the document states that only {lost} snapshots were lost"))?;
    Ok(format!("a document with {}, {lost} lost; {warning}", snapshots(&document)))
}

pub(super) fn out_of_memory(run: &Run) -> Checked {
    readable(run)?;
    let [path] = &files(run, "jsonl")?[..] else { return Err("expected one timeline".into()) };
    let timeline = info(run, path)?;
    let refusals = timeline["out_of_memory"].as_array().ok_or("no refusals")?;
    expect(refusals.len() == 1, || format!("expected one refusal: {refusals:?}"))?;
    Ok(format!("{} bytes were refused", refusals[0]["requested_bytes"]))
}

pub(super) fn frail_root(run: &Run) -> Checked {
    let figures = finished(run)?;
    let frail = last_root(run, "frail")?;
    expect(frail["state"] == "panicked", || format!("the frail root reads {frail}"))?;
    Ok(format!("{figures}; the root is marked"))
}

pub(super) fn frail_source(run: &Run) -> Checked {
    let figures = finished(run)?;
    let document = document(run)?;
    let mut sources = last_snapshot(&document)?["sources"].as_array().into_iter().flatten();
    let error = sources.find_map(|source| source["error"].as_str());
    Ok(format!("{figures}; the source: {}", error.ok_or("the source has no error")?))
}

fn expect(holds: bool, error: impl FnOnce() -> String) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(error().into()) }
}

fn snapshots(recording: &Value) -> String {
    let number = recording["snapshots"].as_array().map_or(0, Vec::len);
    format!("{number} snapshot{}", if number == 1 { "" } else { "s" })
}

fn last_snapshot(document: &Value) -> Result<&Value, Failure> {
    Ok(document["snapshots"].as_array().and_then(|all| all.last()).ok_or("there is no snapshot")?)
}

fn last_root(run: &Run, name: &str) -> Result<Value, Failure> {
    let document = document(run)?;
    let mut roots = last_snapshot(&document)?["roots"].as_array().into_iter().flatten();
    Ok(roots.find(|root| root["name"] == name).cloned().unwrap_or_default())
}

/// Returns the only document, which `memprof info` must be able to read too.
fn document(run: &Run) -> Result<Value, Failure> {
    let paths = files(run, "json")?;
    let [path] = &paths[..] else { return Err(format!("expected one document: {paths:?}").into()) };
    info(run, path)?;
    Ok(from_str(&fs::read_to_string(path)?)?)
}

fn info(run: &Run, path: &Path) -> Result<Value, Failure> {
    Ok(from_str(&output(Command::new(&run.memprof).args(["info", "--json"]).arg(path))?)?)
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
