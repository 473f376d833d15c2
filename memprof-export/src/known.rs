//! The figures of a snapshot that are known completely.

use memprof_recording::Recording;
use memprof_recording::document::{RootReading, RootState, Snapshot};

/// Returns `true` if all bytes of a root are known: its walk was complete, or its value is gone. A
/// root that was locked, spared or cut off by the deadline may have more bytes than were counted.
pub(crate) fn is_complete(root: &RootReading) -> bool {
    matches!(root.state, RootState::Profiled | RootState::Dropped)
}

pub(crate) fn incomplete_reason(snapshot: &Snapshot) -> Option<&'static str> {
    let listed = snapshot.roots.iter().find(|root| !is_complete(root)).map(root_reason);
    let unlisted = snapshot.roots_not_listed.filter(|others| others.is_lower_bound);
    listed.or_else(|| unlisted.map(|_| "a root was not read completely"))
}

pub(crate) fn root_reason(root: &RootReading) -> &'static str {
    match root.state {
        RootState::Locked => "root locked",
        RootState::Spared => "root skipped",
        RootState::Partial => "root only partly read",
        RootState::Panicked => "root panicked",
        _ => "root not read completely",
    }
}

pub(crate) fn root_bytes(root: &RootReading) -> Option<u64> {
    root.total_bytes.filter(|_| is_complete(root))
}

/// `None` if no value was visited.
pub(crate) fn least_bytes(root: &RootReading) -> Option<u64> {
    root.low_bytes.filter(|_| !is_complete(root)).or(root.total_bytes)
}

/// Returns whether the bytes are those of the visited values, and no estimate of the whole root.
pub(crate) fn is_lower_end(root: &RootReading) -> bool {
    !is_complete(root) && root.total_bytes.is_some() && least_bytes(root) == root.total_bytes
}

/// Returns the bytes of all roots by device; `None` for each device if any root is incomplete.
pub(crate) fn device_bytes(snapshot: &Snapshot) -> impl Iterator<Item = (&str, Option<u64>)> {
    let whole = incomplete_reason(snapshot).is_none();
    snapshot.devices.iter().map(move |one| (&*one.device, whole.then_some(one.bytes)))
}

/// Returns the maximum of live bytes in a recording: of the allocator's own maximum, and of all
/// figures of live bytes. Threads add to the allocator's maximum in steps, so it may be below a
/// figure that was counted at one moment.
pub(crate) fn peak_bytes(recording: &Recording) -> Option<i64> {
    let counted = recording.peak_bytes().map(|bytes| i64::try_from(bytes).unwrap_or(i64::MAX));
    let snapshots = recording.snapshots.iter().filter_map(|snapshot| snapshot.heap);
    let stacks = recording.live_stacks.iter().map(|moment| moment.live_bytes);
    let calls = recording.operation_events.iter();
    let calls = calls.flat_map(|call| [call.before_bytes, call.after_bytes]);
    counted
        .into_iter()
        .chain(snapshots.map(|heap| heap.live_bytes))
        .chain(stacks)
        .chain(calls)
        .max()
}
