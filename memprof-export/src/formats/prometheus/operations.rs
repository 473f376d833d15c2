//! Metrics of the outermost operations.

use super::text::Kind::{Counter, Gauge};
use super::text::{Decimal, Text, seconds, whole};
use super::{OPERATIONS, OTHER};
use core::cmp::Reverse;
use memprof_recording::Recording;
use memprof_recording::document::OperationRow;
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    calls: u64,
    allocated_bytes: u64,
    allocated_blocks: u64,
    freed_bytes: u64,
    freed_blocks: u64,
    peak_bytes: u64,
    wall_ns: Option<u64>,
}

/// Reads a figure, or returns `None` if it is not known.
type Read = fn(&Counted) -> Option<Decimal>;

const COUNTS: [(&str, &str, Read); 6] = [
    ("calls_total", "Number of calls that ended.", |one| Some(whole(one.calls))),
    ("allocated_bytes_total", "Bytes that calls allocated.", |one| {
        Some(whole(one.allocated_bytes))
    }),
    ("allocated_blocks_total", "Blocks that calls allocated.", |one| {
        Some(whole(one.allocated_blocks))
    }),
    ("freed_bytes_total", "Bytes that calls freed.", |one| Some(whole(one.freed_bytes))),
    ("freed_blocks_total", "Blocks that calls freed.", |one| Some(whole(one.freed_blocks))),
    ("seconds_total", "Total duration of timed calls.", |one| one.wall_ns.map(seconds)),
];

pub(super) fn write(text: &mut Text, recording: &Recording) {
    let operations = outermost(&recording.summary.operations);
    let each = |read: Read| {
        operations.iter().map(move |(name, one)| (vec![("operation", *name)], read(one)))
    };
    for (name, help, read) in COUNTS {
        text.each((&format!("memprof_operation_{name}"), Counter), help, each(read));
    }
    let name = "memprof_operation_peak_bytes";
    let help = "Most bytes live at once during a call, above those at its start.";
    text.each((name, Gauge), help, each(|one| Some(whole(one.peak_bytes))));
    if recording.operations_unknown_reason().is_none() {
        let dropped = recording.summary.dropped_events;
        let name = "memprof_calls_not_kept_total";
        let help = "Number of calls that are counted but not recorded individually.";
        let all = dropped.not_recorded.saturating_add(dropped.over_cap);
        text.one((name, Counter), help, Some(all));
    }
}

/// Returns the outermost operations that allocated most, and then one entry for all others.
fn outermost(rows: &[OperationRow]) -> Vec<(&str, Counted)> {
    let mut named: HashMap<&str, Counted> = HashMap::new();
    for row in rows {
        // The counts of an outermost operation include the counts of operations inside it.
        let [name] = &row.path[..] else { continue };
        named.entry(name).or_default().add(Counted {
            calls: row.calls,
            allocated_bytes: row.allocated_bytes,
            allocated_blocks: row.allocated_blocks,
            freed_bytes: row.freed_bytes,
            freed_blocks: row.freed_blocks,
            peak_bytes: row.peak_bytes,
            wall_ns: row.wall_time.map(|wall| wall.total_ns),
        });
    }
    let mut other = named.remove(OTHER);
    let mut named: Vec<_> = named.into_iter().collect();
    named.sort_by_key(|&(name, one)| (Reverse(one.allocated_bytes), name));
    for (_, rest) in named.drain(OPERATIONS.min(named.len())..) {
        other.get_or_insert_default().add(rest);
    }
    named.extend(other.map(|other| (OTHER, other)));
    named
}

impl Counted {
    fn add(&mut self, other: Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.allocated_bytes = self.allocated_bytes.saturating_add(other.allocated_bytes);
        self.allocated_blocks = self.allocated_blocks.saturating_add(other.allocated_blocks);
        self.freed_bytes = self.freed_bytes.saturating_add(other.freed_bytes);
        self.freed_blocks = self.freed_blocks.saturating_add(other.freed_blocks);
        self.peak_bytes = self.peak_bytes.max(other.peak_bytes);
        self.wall_ns = match (self.wall_ns, other.wall_ns) {
            (Some(one), Some(other)) => Some(one.saturating_add(other)),
            (one, other) => one.or(other),
        };
    }
}
