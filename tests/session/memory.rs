//! Programs that run out of memory: the timeline records this, and the programs end as they would
//! without a session.

use crate::beside;
use crate::child::run;
use crate::folder::Folder;
use crate::program::{end, seldom};
use std::path::Path;
#[cfg(target_os = "linux")]
use {
    crate::program::often, memprof_test_support::unix::SIGABRT,
    std::os::unix::process::ExitStatusExt,
};

/// A number of bytes that no system provides.
const TOO_MUCH: usize = usize::MAX / 4;

pub(crate) fn refused(folder: &Path) {
    let session = seldom(folder).start().expect("the folder can be written");
    for _ in 0..3 {
        let mut bytes: Vec<u8> = Vec::new();
        assert!(bytes.try_reserve_exact(TOO_MUCH).is_err());
    }
    session.checkpoint("after");
    end(session);
}

#[cfg(target_os = "linux")]
pub(crate) fn no_memory(folder: &Path) {
    let session = often(folder).start().expect("the folder can be written");
    session.checkpoint("before");
    memprof_test_support::unix::limit_more_memory(256 << 20);
    let mut all: Vec<Vec<u8>> = Vec::new();
    loop {
        all.push(vec![1; 16 << 20]);
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn no_memory(_: &Path) {}

#[test]
fn a_failed_allocation_is_reported_and_the_program_continues() {
    let _beside = beside();
    let folder = Folder::new();
    let ended = run("refused", &folder);
    assert!(ended.status.success(), "{} {}", ended.status, ended.error);
    let recording = folder.recording();
    assert_eq!(recording.out_of_memory.len(), 3);
    for moment in &recording.out_of_memory {
        assert_eq!(moment.requested_bytes, TOO_MUCH as u64);
        assert!(moment.heap.is_some_and(|heap| heap.live_bytes < 1 << 40));
    }
    assert!(recording.snapshot("after").is_some());
}

#[cfg(target_os = "linux")]
#[test]
fn the_timeline_of_a_program_without_memory_has_the_reason_of_its_abort() {
    let _beside = beside();
    let folder = Folder::new();
    let ended = run("no memory", &folder);
    assert_eq!(ended.status.signal(), Some(SIGABRT), "{}", ended.error);
    assert!(ended.error.contains("memory allocation of 16777216 bytes failed"), "{}", ended.error);
    let timeline = folder.timeline();
    assert_eq!(timeline.unreadable_lines, 0);
    // The allocations that report the failure may fail as well.
    let first = timeline.out_of_memory.first().expect("the timeline says so");
    assert_eq!(first.requested_bytes, 16 << 20);
    let live = first.heap.expect("it was counted").live_bytes;
    assert!(live > 32 << 20, "{live}");
    assert!(timeline.snapshot("before").is_some());
}
