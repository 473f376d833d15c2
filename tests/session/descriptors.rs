//! Tests of programs that close all descriptors at once. The session must not use the descriptors
//! that the program opens afterwards.

use crate::beside;
use crate::child::run;
use crate::folder::Folder;
use crate::program::{end, often};
use memprof::session::Recording;
use memprof_test_support::unix::{close_from, forked};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::Duration;

const MINE: &str = "the program's own\n";

/// Runs more operations than it takes to wake the session once.
fn work() {
    for _ in 0..600 {
        let _operation = memprof::operation!("work");
        drop(std::hint::black_box(vec![1_u8; 1000]));
    }
}

/// Opens files that get all low descriptor numbers, and writes to them while the session works.
fn take_numbers(folder: &Path, files: &str) {
    close_from(3);
    let open = |number: usize| {
        File::create(folder.join(format!("{files}{number}.mine")))
            .expect("the folder can be written")
    };
    let mut files: Vec<File> = (0..32).map(open).collect();
    work();
    // Gives the session time to make the mistake under test.
    thread::sleep(Duration::from_millis(100));
    for file in &mut files {
        file.write_all(MINE.as_bytes()).expect("there is room");
    }
    work();
    thread::sleep(Duration::from_millis(100));
}

pub(crate) fn in_a_fork(folder: &Path) {
    let session = often(folder).start().expect("the folder can be written");
    work();
    let status = forked(|| take_numbers(folder, "child"));
    assert!(status.success(), "{status}");
    end(session);
}

pub(crate) fn in_the_program(folder: &Path) {
    let session = often(folder).start().expect("the folder can be written");
    work();
    take_numbers(folder, "program");
    session.checkpoint("after");
    end(session);
}

fn are_untouched(folder: &Folder) {
    let files = folder.with_ending("mine");
    assert_eq!(files.len(), 32);
    for file in files {
        assert_eq!(fs::read_to_string(&file).expect("it is text"), MINE, "{}", file.display());
    }
}

#[test]
fn a_forked_child_that_closes_all_descriptors_keeps_its_own_files() {
    let _beside = beside();
    let folder = Folder::new();
    let ended = run("close in a fork", &folder);
    assert!(ended.status.success(), "{} {}", ended.status, ended.error);
    are_untouched(&folder);
    assert_eq!(folder.recording().unreadable_lines, 0);
}

#[test]
fn a_program_that_closes_all_descriptors_keeps_its_files_and_recording_continues() {
    let _beside = beside();
    let folder = Folder::new();
    let ended = run("close", &folder);
    assert!(ended.status.success(), "{} {}", ended.status, ended.error);
    are_untouched(&folder);
    let recording: Recording = folder.recording();
    assert!(recording.snapshot("after").is_some(), "the timeline was opened again");
}
