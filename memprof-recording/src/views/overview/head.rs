//! The head of the overview: the run, its end, the totals of memory, and warnings.

use super::super::words::joined;
use super::Page;
use crate::Recording;
use crate::document::{ProcessMemory, RootReading, Snapshot, Trigger};
use memprof_profile::text::{Shown, counted, signed, span, utc};
use memprof_profile::views::{Grouped, Units};
use std::collections::HashSet;

const DEVICES: usize = 10;
const NAMES: usize = 2;

pub(super) fn write(page: &mut Page, recording: &Recording, at: Option<&Snapshot>, is_whole: bool) {
    let metadata = &recording.metadata;
    let run = format!("{} · process {}", Shown(&metadata.program), metadata.pid);
    let by = format!("memprof {} · {}", Shown(&metadata.memprof), Shown(&metadata.platform));
    page.title(&format!("{run} · {by}"));
    let length = format!("recorded for {}", span(length(recording)));
    page.labelled("began", &[utc(metadata.started_unix_ns), length, metadata.ended.to_string()]);
    if let Some(advice) = ended_at_once(recording) {
        page.line(&advice);
    }
    page.labelled("snapshots", &snapshots(recording, is_whole));
    let missing = missing(recording);
    if !missing.is_empty() {
        page.labelled("missing", &missing);
    }
    if let Some(snapshot) = at {
        page.labelled("this one", &[snapshot.title()]);
    }
}

pub(super) fn write_totals(page: &mut Page, recording: &Recording, at: Option<&Snapshot>) {
    let snapshot = at.or(recording.snapshots.last());
    let units = page.units;
    page.labelled("heap", &heap(recording, snapshot, units));
    let process = snapshot.map(|snapshot| snapshot.process).unwrap_or_default();
    page.labelled("resident", &resident(&process, units));
    if let Some(limit) = recording.near_limit(units) {
        page.labelled("limit", &limit);
    }
    if let Some(devices) = snapshot.and_then(|snapshot| devices(snapshot, units)) {
        page.labelled("roots on", &[devices]);
    }
    let profiler = profiler(snapshot, units);
    if !profiler.is_empty() {
        page.labelled("profiler", &profiler);
    }
}

/// Returns what the timeline of a program that was killed, or that still runs, lacks.
fn missing(recording: &Recording) -> Vec<String> {
    if !recording.metadata.ended.is_early() {
        return Vec::new();
    }
    let mut parts = vec![format!("everything after {}", span(length(recording)))];
    parts.extend(recording.not_summed_up().or_else(|| recording.old_summary()));
    let lines = recording.unreadable_lines;
    parts.extend((lines > 0).then(|| format!("{} that could not be read", counted(lines, "line"))));
    parts
}

/// Returns advice if the program dropped its session at once, as `let _ = Session::start()?` does.
fn ended_at_once(recording: &Recording) -> Option<String> {
    const AT_ONCE_NS: u64 = 100_000_000;
    let length = length(recording);
    let at_once = recording.metadata.was_dropped && length < AT_ONCE_NS;
    at_once.then(|| {
        format!(
            "the program dropped the session after {}; if the program ran longer, keep the session \
             in a variable, as in `let _session = Session::start()?`",
            span(length)
        )
    })
}

/// Returns the time for which the session recorded, up to the last entry of the file.
fn length(recording: &Recording) -> u64 {
    let snapshot = recording.snapshots.last().map_or(0, |snapshot| snapshot.at_ns);
    let call = recording.operation_events.iter().map(|event| event.end_ns).max().unwrap_or(0);
    recording.metadata.generated_ns.max(snapshot).max(call)
}

fn snapshots(recording: &Recording, is_whole: bool) -> Vec<String> {
    let taken = recording.metadata.snapshots;
    let kept = if is_whole { recording.snapshots.len() as u64 } else { taken };
    let of = if taken > kept { format!(" kept of {}", Grouped(taken)) } else { String::new() };
    let every = every(recording, is_whole && taken == kept);
    let mut names: Vec<&str> = Vec::new();
    let mut seen = HashSet::new();
    // The name of a limit's snapshot is the share that was used.
    let is_named = |one: &&Snapshot| is_whole && one.trigger != Trigger::Limit;
    let all = recording.snapshots.iter().filter(is_named);
    for name in all.filter_map(|snapshot| snapshot.name.as_deref()) {
        if seen.insert(name) {
            names.push(name);
        }
    }
    let mut parts = vec![format!("{}{of}{every}", Grouped(kept))];
    if !names.is_empty() {
        let more = match names.len().saturating_sub(NAMES) {
            0 => String::new(),
            more => format!(", …{} more", Grouped(more as u64)),
        };
        let names = joined(names.into_iter().take(NAMES).map(Shown), ", ");
        parts.push(format!("checkpoints {names}{more}"));
    }
    parts
}

/// Formats the set times, or the range if `has_all_snapshots` and a snapshot came later than set.
fn every(recording: &Recording, has_all_snapshots: bool) -> String {
    let metadata = &recording.metadata;
    let interval = metadata.interval_ns;
    if interval == 0 {
        return String::new();
    }
    let first = metadata.first_interval_ns;
    let times = recording.snapshots.iter().map(|snapshot| snapshot.at_ns);
    let gaps = times.clone().zip(times.skip(1)).map(|(one, next)| next.saturating_sub(one));
    let longest = gaps.max().unwrap_or(0);
    // A snapshot that begins a few milliseconds late is not worth a range.
    let is_late = longest > interval + interval / 4;
    if has_all_snapshots && is_late {
        let cost = recording.snapshots.iter().map(|snapshot| snapshot.profiler.snapshot_ns).max();
        // The session begins the next snapshot later if this one was long.
        let why = if cost.unwrap_or(0).saturating_mul(100) > interval {
            ": snapshots take at most 1 % of the time"
        } else {
            ""
        };
        return format!(", every {} to {}{why}", span(first.unwrap_or(interval)), span(longest));
    }
    match first {
        Some(first) => format!(", every {} to {}", span(first), span(interval)),
        None => format!(", every {}", span(interval)),
    }
}

fn heap(recording: &Recording, snapshot: Option<&Snapshot>, units: Units) -> Vec<String> {
    let Some(heap) = snapshot.and_then(|snapshot| snapshot.heap) else {
        return vec!["unknown: memprof's allocator did not count".into()];
    };
    let live = signed(heap.live_bytes.into(), units);
    let blocks = signed_count(heap.live_blocks);
    let error = match heap.peak_error_bytes {
        0 => String::new(),
        bytes => format!(" (at most {} more)", units.show(bytes)),
    };
    let mut parts = vec![
        format!("{live} live in {blocks}"),
        format!("peak {}{error}", units.show(recording.peak_bytes().unwrap_or(heap.peak_bytes))),
        format!("{} allocated in total", units.show(heap.allocated_bytes)),
    ];
    parts.extend(heap.counted_ns.map(|before| match before {
        0 => "counted since the session began".to_owned(),
        before => format!("counting began {} before the session", span(before)),
    }));
    parts
}

fn signed_count(blocks: i64) -> String {
    let sign = if blocks < 0 { "−" } else { "" };
    format!("{sign}{}", counted(blocks.unsigned_abs(), "block"))
}

fn resident(process: &ProcessMemory, units: Units) -> Vec<String> {
    let show = |bytes: Option<u64>| {
        bytes.map_or_else(|| "unknown".to_owned(), |bytes| units.show(bytes).to_string())
    };
    let mut text = vec![show(process.rss_bytes)];
    if process.rss_bytes.is_some() || process.rss_peak_bytes.is_some() {
        text.push(format!("peak {}", show(process.rss_peak_bytes)));
    }
    let swap = process.swap_bytes.filter(|&swap| swap > 0);
    text.extend(swap.map(|swap| format!("{} swapped out", units.show(swap))));
    text.extend(group(process, units));
    text
}

/// Formats the memory that the control group uses, if the group has a limit.
fn group(process: &ProcessMemory, units: Units) -> Option<String> {
    let limit = units.show(process.cgroup_limit_bytes?);
    Some(match process.cgroup_usage_bytes {
        Some(used) => format!("{} of the container's {limit} used", units.show(used)),
        None => format!("the container's limit is {limit}"),
    })
}

/// Returns `None` if all bytes are in the host's memory.
fn devices(snapshot: &Snapshot, units: Units) -> Option<String> {
    let all = &snapshot.devices;
    all.iter().any(|device| device.device != "cpu").then(|| {
        let each = all.iter().take(DEVICES);
        let is_partial = snapshot.roots.iter().any(RootReading::lacks_values);
        let least = if is_partial { "≥ " } else { "" };
        let each = each.map(|on| format!("{} {least}{}", Shown(&on.device), units.show(on.bytes)));
        joined(each, ", ")
    })
}

fn profiler(snapshot: Option<&Snapshot>, units: Units) -> Vec<String> {
    let Some(cost) = snapshot.map(|snapshot| snapshot.profiler) else { return Vec::new() };
    let heap = cost.heap_bytes.map(|bytes| format!("{} of heap", signed(bytes.into(), units)));
    let tables = cost.table_bytes.map(|bytes| format!("{} of tables", units.show(bytes)));
    let memory: Vec<String> = heap.into_iter().chain(tables).collect();
    let mut text = Vec::new();
    text.extend((!memory.is_empty()).then(|| memory.join(" and ")));
    text.extend(cost.cpu_ns.map(|time| format!("{} of CPU time", span(time))));
    if cost.snapshot_ns > 0 {
        text.push(format!("{} per snapshot", span(cost.snapshot_ns)));
    }
    text
}

impl Snapshot {
    /// Returns a title for one line: `snapshot 7 (checkpoint after_load) at 35.0 s`.
    pub fn title(&self) -> String {
        let word = self.trigger.as_str();
        let why = match &self.name {
            Some(name) => format!("{word} {}", Shown(name)),
            None => word.into(),
        };
        format!("snapshot {} ({why}) at {}", self.number, span(self.at_ns))
    }
}

const MOMENTS: usize = 3;
const WARNINGS: usize = 8;

pub(super) fn write_warnings(page: &mut Page, recording: &Recording) {
    let units = page.units;
    let mut texts: Vec<String> = recording
        .out_of_memory
        .iter()
        .take(MOMENTS)
        .map(|moment| {
            let live = moment.heap.map(|heap| signed(heap.live_bytes.into(), units));
            let live = live.map_or_else(String::new, |live| format!(" while {live} were live"));
            let asked = units.show(moment.requested_bytes);
            format!("out of memory at {}: {asked} requested{live}", span(moment.at_ns))
        })
        .collect();
    let more = recording.out_of_memory.len().saturating_sub(MOMENTS);
    if more > 0 {
        texts.push(format!("out of memory {}", counted(more as u64, "more time")));
    }
    let warnings = &recording.summary.warnings;
    texts.extend(warnings.iter().take(WARNINGS).map(|warning| Shown(warning).to_string()));
    let more = warnings.len().saturating_sub(WARNINGS);
    if more > 0 {
        texts.push(counted(more as u64, "more warning"));
    }
    // The head has what an unfinished recording lacks.
    if !recording.metadata.ended.is_early() {
        texts.extend(recording.unreadable());
        texts.extend(recording.not_summed_up());
        texts.extend(recording.old_summary());
    }
    texts.extend(recording.lost());
    if !texts.is_empty() {
        page.heading("warnings");
        for text in &texts {
            page.line(text);
        }
    }
}

impl Recording {
    /// Returns a warning about lines that could not be read, or `None` if all lines were read.
    pub fn unreadable(&self) -> Option<String> {
        let lines = self.unreadable_lines;
        (lines > 0).then(|| {
            let lines = counted(lines, "line");
            format!(
                "{lines} could not be read, because the program was killed or the disk was full"
            )
        })
    }

    /// Returns the times of the summary and of the last snapshot: `as of 1.1 s of 25.0 s`.
    ///
    /// Returns `None` if the summary is at most a twentieth of the session older than the last
    /// snapshot. It is older, for example, after `kill -9`.
    pub fn summary_age(&self) -> Option<String> {
        let at_ns = self.summary.at_ns?;
        let end_ns = self.snapshots.last()?.at_ns;
        let is_old = at_ns < end_ns - end_ns / 20;
        is_old.then(|| format!("as of {} of {}", span(at_ns), span(end_ns)))
    }

    /// Returns a warning if the summary is older than the last snapshot, or `None` if it is not.
    pub fn old_summary(&self) -> Option<String> {
        let age = self.summary_age()?;
        Some(format!("operations, call sites and leaks are {age}: anything later is unknown"))
    }

    /// Returns a warning about what could not be written, or `None` if everything was written.
    pub fn lost(&self) -> Option<String> {
        let lost = self.summary.not_written;
        let counts = [
            (lost.snapshots, "snapshot"),
            (lost.events, "individual call"),
            (lost.operation_paths, "operation path"),
        ];
        let parts = counts.into_iter().filter(|(count, _)| *count > 0);
        let parts: Vec<_> = parts.map(|(count, what)| counted(count, what)).collect();
        (!parts.is_empty()).then(|| format!("lost, because writing failed: {}", parts.join(", ")))
    }

    /// Returns a warning if operations or the heap were counted but the recording has no summary.
    pub fn not_summed_up(&self) -> Option<String> {
        let counted = self.snapshots.iter().any(|snapshot| snapshot.heap.is_some());
        let why = self.summary_unknown_reason()?;
        (counted || self.metadata.operations_tracked)
            .then(|| format!("operations, places and leaks are unknown: {why}"))
    }
}

#[cfg(test)]
mod tests {
    use crate::Recording;

    fn text(generated_ns: u64, was_dropped: bool) -> String {
        let metadata = serde_json::json!({
            "program": "app", "pid": 7, "memprof": "0.1.0", "platform": "linux x86_64",
            "started_unix_ns": 5, "generated_at": "1970-01-01T00:00:00Z",
            "generated_ns": generated_ns, "interval_ns": 5_000_000_000_u64, "snapshots": 2,
            "operations_tracked": false, "was_dropped": was_dropped, "ended": "finished",
        });
        let head = format!(r#"{{"format":"memprof timeline","version":1,"metadata":{metadata}}}"#);
        Recording::from_text(&head).expect("it is complete").overview().to_string()
    }

    #[test]
    fn a_session_that_was_dropped_at_once_has_advice() {
        const MS: u64 = 1_000_000;
        assert!(text(5 * MS, true).contains("dropped the session after 5.0 ms; if"));
        for (generated_ns, was_dropped) in [(5 * MS, false), (500 * MS, true)] {
            assert!(!text(generated_ns, was_dropped).contains("dropped the session"));
        }
    }
}
