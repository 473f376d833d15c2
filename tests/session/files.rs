//! Files that can't be written: the program continues, and prints one warning.

use crate::beside;
use crate::child::{Ended, run};
use crate::folder::Folder;
use crate::program::{Work, often};
use memprof::session::{Document, DocumentError};
use memprof_test_support::unix::limit_files;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// Prints the number of warnings in the document in memory.
fn kept(finished: Result<Document, DocumentError>) {
    let error = finished.expect_err("the document can't be written");
    let kept = error.document().landmarks().map(|kept| kept.summary.warnings.len());
    println!("\nkept {}; {error}", kept.unwrap_or_default());
}

pub(crate) fn full_disk(folder: &Path) {
    limit_files(128 << 10);
    let session = often(folder).start().expect("there is room for the first line");
    let work = Work::begin(&session);
    // Each checkpoint's line is longer than the space that is left on a nearly full disk.
    for _ in 0..100 {
        session.checkpoint("again");
        thread::sleep(Duration::from_millis(2));
    }
    work.end();
    // The document is longer than this limit, whatever the threads do.
    limit_files(32 << 10);
    kept(session.finish());
}

pub(crate) fn removed_folder(folder: &Path) {
    let session = often(folder).start().expect("the folder can be written");
    let work = Work::begin(&session);
    session.checkpoint("before");
    std::fs::remove_dir_all(folder).expect("it is ours");
    for _ in 0..20 {
        session.checkpoint("after");
        thread::sleep(Duration::from_millis(2));
    }
    work.end();
    kept(session.finish());
}

pub(crate) fn removed_folder_dropped(folder: &Path) {
    let session = often(folder).start().expect("the folder can be written");
    std::fs::remove_dir_all(folder).expect("it is ours");
    drop(session);
}

fn one_warning(ended: &Ended) {
    assert!(ended.status.success(), "{} {}", ended.status, ended.error);
    assert_eq!(ended.warnings.len(), 1, "{:#?}", ended.warnings);
    assert!(ended.warnings[0].contains("could not write"), "{}", ended.warnings[0]);
    assert!(ended.warnings[0].ends_with("MEMPROF_OUTPUT_DIR"), "{}", ended.warnings[0]);
}

#[test]
fn a_full_disk_loses_later_data_with_one_warning() {
    let _beside = beside();
    let folder = Folder::new();
    let ended = run("full disk", &folder);
    one_warning(&ended);
    assert!(ended.out.contains("\nkept 1; could not write "), "{}", ended.out);
    let timeline = folder.timeline();
    assert_eq!(timeline.unreadable_lines, 0, "what there was no room for is taken back");
    assert!(timeline.snapshot("again").is_some(), "what came before is there");
    assert!(folder.with_ending("json").is_empty(), "a document is whole or not there");
    assert!(folder.with_ending("tmp").is_empty());
}

#[test]
fn a_removed_folder_loses_the_files_with_one_warning() {
    let _beside = beside();
    let folder = Folder::new();
    let ended = run("removed folder", &folder);
    one_warning(&ended);
    assert!(ended.out.contains("\nkept 1; could not write "), "{}", ended.out);
    one_warning(&run("removed folder, dropped", &Folder::new()));
}
