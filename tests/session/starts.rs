//! Sessions that start, one after the other, or not at all.

use crate::child::run;
use crate::folder::Folder;
use crate::program::{end, seldom};
use crate::{alone, beside};
use memprof::Session;
use memprof::session::{Recording, StartError};
use std::fs;
use std::path::Path;

#[test]
fn an_unwritable_folder_is_a_warning_and_is_retried() {
    let _alone = alone();
    let folder = Folder::new();
    let file = folder.path().join("file");
    fs::write(&file, "mine").expect("the folder can be written");
    let below = file.join("below");
    let session = seldom(&below).start().expect("the program goes on");
    assert!(session.is_recording());
    session.checkpoint("in no file");
    // Once the folder can be written, the recording states the number of snapshots that were not
    // written.
    fs::remove_file(&file).expect("it is ours");
    session.checkpoint("in the file");
    let document = session.finish().expect("there is room");
    let recording =
        Recording::read_file(document.path().expect("it is written")).expect("it is whole");
    assert!(recording.snapshot("in the file").is_some());
    assert_eq!(recording.summary.not_written.snapshots, 2);
    let [warning] = &recording.summary.warnings[..] else {
        panic!("one warning, and not {:?}", recording.summary.warnings)
    };
    assert!(
        warning
            .starts_with(&format!("output_dir(): cannot write to the folder {}", below.display())),
        "{warning}"
    );
    // The failed session leaves nothing behind.
    drop(seldom(folder.path()).start().expect("there is no session"));
}

#[test]
fn a_process_has_one_session() {
    let _alone = alone();
    let folder = Folder::new();
    let first = seldom(folder.path()).start().expect("the folder can be written");
    let second = seldom(folder.path()).start().expect_err("there is one");
    assert!(matches!(second, StartError::AlreadyRunning));
    assert!(first.is_recording());
    first.checkpoint("not disturbed");
    end(first);
    assert!(folder.recording().snapshot("not disturbed").is_some());
}

#[test]
fn sessions_follow_each_other_and_each_has_files_of_its_own() {
    const SESSIONS: usize = 40;
    let _alone = alone();
    let folder = Folder::new();
    let mut over = Vec::new();
    let files = open_files();
    for number in 0..SESSIONS {
        let session = seldom(folder.path()).start().expect("the one before is over");
        session.checkpoint(&format!("number {number}"));
        over.push(session.handle());
        end(session);
    }
    let documents = folder.with_ending("json");
    assert_eq!(documents.len(), SESSIONS);
    for path in documents {
        let recording = Recording::read_file(path).expect("it is whole");
        let named = recording.snapshots.iter().filter(|snapshot| snapshot.name.is_some());
        assert_eq!(named.count(), 1, "each has its own");
    }
    // A handle to a finished session does nothing.
    for handle in over {
        assert!(!handle.is_recording() && handle.snapshot().is_none());
        handle.checkpoint("over");
        assert!(handle.recording().is_none());
    }
    assert!(open_files() <= files + 2, "{files} and then {}", open_files());
}

/// Returns the number of open files of this process, or 0 if the system does not report it.
fn open_files() -> usize {
    fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

pub(crate) fn off(folder: &Path) {
    let session = Session::builder().enabled(false).output_dir(folder).start();
    let session = session.expect("there is nothing to start");
    assert!(!session.is_recording());
    session.checkpoint("nothing");
    assert!(!session.finish().expect("there is nothing to write").is_recorded());
}

/// Runs in a child, because the environment of the tests may turn sessions on.
#[test]
fn a_session_that_is_off_does_nothing() {
    let _beside = beside();
    let folder = Folder::new();
    let ended = run("off", &folder);
    assert!(ended.status.success(), "{}", ended.error);
    assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 0);
}
