//! The individual calls of a page, with their rows and paths.

use super::contents;
use super::texts;
use crate::lanes::{Call, end_ns, in_order, packed};
use memprof_recording::Recording;
use memprof_recording::document::{OperationEvent, OperationPath};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// The maximum number of rows into which the calls of a thread are packed. A thread that needs more
/// rows ran many futures at once, and has separate rows for each operation.
const MAX_PACKED_ROWS: usize = 8;

#[derive(Debug)]
pub(super) struct Row {
    pub(super) thread: u32,
    /// The path of all calls of the row, if the thread has separate rows for each operation.
    pub(super) operation: Option<u32>,
    pub(super) calls: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct Calls<'r> {
    pub(super) selected: Cow<'r, [OperationEvent]>,
    pub(super) lanes: Vec<Row>,
    pub(super) paths: Vec<contents::OperationPath>,
    pub(super) threads: Vec<contents::Thread>,
    indices: HashMap<u32, u32>,
    /// The number of recorded calls that the page leaves out.
    pub(super) left_out: u64,
    /// The number of calls that ended before they began because the clock was set back.
    pub(super) backwards: u64,
    /// The number of calls whose path is not in the recording.
    pub(super) unnamed: u64,
}

impl<'r> Calls<'r> {
    pub(super) fn new(recording: &'r Recording, recorded: &[OperationPath], limit: usize) -> Self {
        let all = &recording.operation_events;
        let calls = largest(all, limit);
        let (paths, indices) = paths(recorded, &calls);
        let has_path = |call: &&OperationEvent| (indices[&call.path] as usize) < recorded.len();
        let lanes = rows(&calls, |call| indices[&call.path]);
        Self {
            left_out: (all.len() - calls.len()) as u64,
            backwards: calls.iter().filter(|call| call.end_ns < call.start_ns).count() as u64,
            unnamed: calls.iter().filter(|call| !has_path(call)).count() as u64,
            threads: threads(&lanes, recording),
            lanes,
            selected: calls,
            paths,
            indices,
        }
    }

    pub(super) fn in_rows(&self) -> impl Iterator<Item = &OperationEvent> {
        self.lanes.iter().flat_map(|lane| &lane.calls).map(|&index| &self.selected[index])
    }

    pub(super) fn path(&self, call: &OperationEvent) -> u32 {
        self.indices[&call.path]
    }
}

/// If the calls of a thread do not fit in a few rows, it has separate rows for each operation.
fn rows(calls: &[OperationEvent], path: impl Fn(&OperationEvent) -> u32) -> Vec<Row> {
    let mut rows = Vec::new();
    for of_thread in in_order(calls).chunk_by(|one, next| one.thread == next.thread) {
        let thread = of_thread[0].thread;
        let lanes = packed(of_thread);
        if lanes.len() <= MAX_PACKED_ROWS {
            rows.extend(lanes.into_iter().map(|calls| Row { thread, operation: None, calls }));
            continue;
        }
        let mut operations: BTreeMap<u32, Vec<Call>> = BTreeMap::new();
        for call in of_thread {
            operations.entry(path(&calls[call.at.0])).or_default().push(*call);
        }
        for (operation, calls) in operations {
            let operation = Some(operation);
            rows.extend(packed(&calls).into_iter().map(|calls| Row { thread, operation, calls }));
        }
    }
    rows
}

fn threads(lanes: &[Row], recording: &Recording) -> Vec<contents::Thread> {
    let lanes = lanes.chunk_by(|one, next| one.thread == next.thread);
    let threads = lanes.map(|lanes| lanes[0].thread);
    let thread = |thread| contents::Thread {
        number: thread,
        name: recording.thread_name(thread).filter(|name| !name.is_empty()).map(texts::name),
        whole: texts::name(&recording.thread_label(thread)),
    };
    threads.map(thread).collect()
}

fn paths(
    recorded: &[OperationPath],
    calls: &[OperationEvent],
) -> (Vec<contents::OperationPath>, HashMap<u32, u32>) {
    let mut indices: HashMap<u32, u32> =
        recorded.iter().enumerate().map(|(index, path)| (path.path, index as u32)).collect();
    let mut paths = Vec::with_capacity(recorded.len());
    for (index, path) in recorded.iter().enumerate() {
        let parent = path.parent.and_then(|parent| indices.get(&parent).copied());
        paths.push(contents::OperationPath {
            name: path.names.last().map_or_else(|| "unnamed".to_owned(), |name| texts::name(name)),
            whole: texts::operation(&path.names),
            // A parent must come before its children, so that no path contains itself.
            parent: parent.filter(|&parent| (parent as usize) < index),
            place: texts::location(&path.file, Some(path.line)),
        });
    }
    for call in calls {
        indices.entry(call.path).or_insert_with(|| {
            let name = format!("unknown operation {}", call.path);
            let place = "unknown".to_owned();
            paths.push(contents::OperationPath { whole: name.clone(), name, parent: None, place });
            paths.len() as u32 - 1
        });
    }
    (paths, indices)
}

/// Keeps the longest calls as one half, and those with the largest changes as the other.
fn largest(all: &[OperationEvent], limit: usize) -> Cow<'_, [OperationEvent]> {
    if all.len() <= limit {
        return Cow::Borrowed(all);
    }
    let mut calls = all.to_vec();
    let longest = limit / 2;
    let change = limit - longest;
    let by_time = |call: &OperationEvent| call.start_ns.abs_diff(end_ns(call));
    if longest > 0 {
        calls.select_nth_unstable_by_key(longest - 1, |call| u64::MAX - by_time(call));
    }
    if change > 0 {
        let rest = &mut calls[longest..];
        rest.select_nth_unstable_by_key(change - 1, |call| {
            u64::MAX - call.net_bytes.unsigned_abs()
        });
    }
    calls.truncate(limit);
    Cow::Owned(calls)
}
