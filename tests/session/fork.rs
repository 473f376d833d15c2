//! Processes that fork while a session records.

use crate::beside;
use crate::child::run;
use crate::folder::Folder;
use crate::program::{Work, end, often, seldom};
use memprof::heap::Level;
use memprof::session::Recording;
use memprof::session::document::Ended;
use memprof_test_support::unix::forked;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// The number of children of each kind.
const TIMES: usize = 10;

pub(crate) fn fork_often(folder: &Path) {
    let session = often(folder).start().expect("the folder can be written");
    Work::begin(&session);
    let handle = session.handle();
    for _ in 0..TIMES {
        let status = forked(|| {
            // The session is the parent's, so all of these do nothing.
            assert!(!handle.is_recording());
            handle.checkpoint("not mine");
            handle.root("not mine", std::sync::Arc::new(vec![1_u8]));
            assert!(!handle.write_document().expect("there is nothing to write").is_recorded());
        });
        assert!(status.success(), "{status}");
    }
    for _ in 0..TIMES {
        let status = forked(|| {
            let own = seldom(folder).start().expect("the parent's session is not this process's");
            own.checkpoint("child's own");
            end(own);
        });
        assert!(status.success(), "{status}");
    }
    session.checkpoint("still there");
    end(session);
}

/// Forks while the session writes documents. A child has the locks that the session's thread holds
/// at that moment, but not the thread.
///
/// `SESSION_TEST_FORKS` sets the number of children.
pub(crate) fn fork_while_writing(folder: &Path) {
    static OVER: AtomicBool = AtomicBool::new(false);
    let number = std::env::var("SESSION_TEST_FORKS").ok().and_then(|number| number.parse().ok());
    let session = seldom(folder).start().expect("the folder can be written");
    let handle = session.handle();
    let writer = thread::spawn(move || {
        while !OVER.load(Relaxed) {
            drop(handle.write_document().expect("there is room"));
        }
    });
    let own_folder = folder.join("children");
    for _ in 0..number.unwrap_or(300) {
        let status = forked(|| {
            let own =
                seldom(&own_folder).start().expect("the parent's session is not this process's");
            end(own);
        });
        assert!(status.success(), "{status}");
    }
    OVER.store(true, Relaxed);
    writer.join().expect("it does not panic");
    end(session);
}

#[test]
fn sessions_of_children_forked_during_a_write_end() {
    let _beside = beside();
    let folder = Folder::new();
    let ended = run("fork while writing", &folder);
    assert!(ended.status.success(), "{} {}", ended.status, ended.error);
    assert!(folder.with_ending("tmp").is_empty(), "no child leaves a temporary file");
}

/// Forks while another thread looks up names. A child has the locks that the thread holds, but not
/// the thread.
pub(crate) fn sites_in_a_fork(_: &Path) {
    static OVER: AtomicBool = AtomicBool::new(false);
    memprof::heap::set_rate(memprof::heap::Rate::EACH_BLOCK);
    memprof::heap::set_level(Level::Sampled);
    let kept: Vec<Vec<u8>> = (1..100).map(|size| vec![1; size * 100]).collect();
    let looks = thread::spawn(|| {
        while !OVER.load(Relaxed) {
            drop(memprof::heap::sites());
        }
    });
    for _ in 0..TIMES {
        thread::sleep(Duration::from_millis(30));
        let status = forked(|| {
            let more: Vec<Vec<u8>> = (1..100).map(|size| vec![1; size * 100]).collect();
            assert!(memprof::heap::sites().expect("it samples").live.value > 0.0);
            drop(more);
        });
        assert!(status.success(), "{status}");
    }
    OVER.store(true, Relaxed);
    looks.join().expect("it does not panic");
    drop(kept);
}

#[test]
fn a_child_forked_during_symbol_lookup_has_call_sites() {
    let _beside = beside();
    let ended = run("sites in a fork", &Folder::new());
    assert!(ended.status.success(), "{} {}", ended.status, ended.error);
}

#[test]
fn a_forked_child_does_not_write_its_parents_files_and_may_have_its_own() {
    let _beside = beside();
    let folder = Folder::new();
    let ended = run("fork", &folder);
    assert!(ended.status.success(), "{} {}", ended.status, ended.error);
    assert_eq!(ended.warnings, [""; 0]);
    let documents = folder.with_ending("json");
    assert_eq!(documents.len(), 1 + TIMES);
    let mut parents = 0;
    for path in documents {
        let recording = Recording::read_file(path).expect("it is whole");
        assert_eq!(recording.metadata.ended, Ended::Finished);
        assert!(recording.snapshot("not mine").is_none());
        let is_parents = recording.snapshot("still there").is_some();
        assert_eq!(recording.snapshot("child's own").is_some(), !is_parents);
        parents += usize::from(is_parents);
    }
    assert_eq!(parents, 1);
    for path in folder.with_ending("jsonl") {
        assert_eq!(Recording::read_file(path).expect("it can be read").unreadable_lines, 0);
    }
}
