//! Rows for the calls of a thread. The calls in one row do not overlap.

use core::cmp::Reverse;
use memprof_recording::document::OperationEvent;
use std::collections::BinaryHeap;

/// Returns the end of a call. If the clock was set back during the call, returns its start.
pub(crate) const fn end_ns(call: &OperationEvent) -> u64 {
    if call.end_ns < call.start_ns { call.start_ns } else { call.end_ns }
}

/// A call as its sort key: by thread, then by start, with containing calls first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Call {
    pub(crate) thread: u32,
    pub(crate) start: u64,
    pub(crate) end: Reverse<u64>,
    /// Of two calls with equal times, the one that was recorded later contains the other.
    pub(crate) at: Reverse<usize>,
}

pub(crate) fn in_order(calls: &[OperationEvent]) -> Vec<Call> {
    let call = |(at, call): (usize, &OperationEvent)| Call {
        thread: call.thread,
        start: call.start_ns,
        end: Reverse(end_ns(call)),
        at: Reverse(at),
    };
    let mut calls: Vec<Call> = calls.iter().enumerate().map(call).collect();
    calls.sort_unstable();
    calls
}

pub(crate) fn packed(calls: &[Call]) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut busy: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    let mut free = BinaryHeap::new();
    for call in calls {
        while let Some(&Reverse((_, row))) = busy.peek().filter(|busy| busy.0.0 <= call.start) {
            busy.pop();
            free.push(Reverse(row));
        }
        let row = free.pop().map_or(rows.len(), |Reverse(row)| row);
        if row == rows.len() {
            rows.push(Vec::new());
        }
        rows[row].push(call.at.0);
        busy.push(Reverse((call.end.0, row)));
    }
    rows
}
