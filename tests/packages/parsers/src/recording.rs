//! Recordings of sessions: documents and timelines.

use crate::profile;
use memprof_export::Page;
use memprof_export::{
    Pprof, folded_live_stacks, folded_operations, folded_sites, perfetto, prometheus,
};
use memprof_recording::{OperationOrder, Recording};
use std::io::sink;

/// The maximum number of snapshots whose trees are checked; more take long and find nothing new.
const MAX_SNAPSHOTS: usize = 4;

/// Checks a recording in either form.
///
/// # Panics
/// Panics if a view panics.
pub fn recording(input: &[u8]) {
    match Recording::from_text(&String::from_utf8_lossy(input)) {
        Ok(recording) => check(&recording),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn check(recording: &Recording) {
    assert!(!recording.overview().to_string().is_empty());
    drop(recording.leak_list().to_string());
    for order in [OperationOrder::Total, OperationOrder::Calls, OperationOrder::Peak] {
        drop(recording.operation_table().order(order).to_string());
    }
    for snapshot in recording.snapshots.iter().take(MAX_SNAPSHOTS) {
        assert!(!recording.overview().at(snapshot).to_string().is_empty());
        drop(prometheus::of_recording(recording, snapshot));
        if let Ok(profile) = snapshot.profile("all") {
            profile::check(&profile);
        }
    }
    for moment in recording.live_stacks.iter().take(MAX_SNAPSHOTS).chain(recording.peak_stacks()) {
        drop((recording.live_sites(moment), recording.roots_at(moment)));
        drop(Pprof::of_live_stacks(recording, moment));
        drop(folded_live_stacks(recording, moment));
    }
    Page::new(recording).write(sink()).expect("there is room");
    // Data that the recording lacks, or that a format does not support, is an error and not a
    // panic.
    drop(Pprof::of_sites(recording));
    drop(Pprof::of_operations(recording));
    drop(folded_sites(recording));
    drop(folded_operations(recording));
    drop(perfetto::write(recording, sink()));
}
