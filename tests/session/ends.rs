//! Every way in which a program ends.

use crate::beside;
use crate::child::{Child, run};
use crate::folder::Folder;
use crate::program::{Work, often, say, wait};
use memprof::session::document::{Ended, Trigger};
use memprof::{Session, heap};
use memprof_test_support::unix::{self as system, SIGABRT, SIGKILL};
use memprof_test_support::wait_until;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

fn begin(folder: &Path) -> Session {
    let session = often(folder).start().expect("the folder can be written");
    Work::begin(&session);
    thread::sleep(Duration::from_millis(30));
    // On a loaded machine, the thread of the work may begin later.
    wait_until("a call of the work has ended", || {
        heap::operations().is_ok_and(|all| all.find("step;keep").is_some_and(|one| one.calls > 0))
    });
    session.checkpoint("begun");
    session
}

pub(crate) fn finish(folder: &Path) {
    let document = begin(folder).finish().expect("there is room");
    println!("\n{}", document.path().expect("it is recorded").display());
}

pub(crate) fn drop_it(folder: &Path) {
    drop(begin(folder));
}

pub(crate) fn exit(folder: &Path) {
    let _session = begin(folder);
    std::process::exit(3);
}

pub(crate) fn keep_in_static(folder: &Path) {
    static SESSION: OnceLock<Session> = OnceLock::new();
    SESSION.set(begin(folder)).expect("it is the first");
}

pub(crate) fn panic(folder: &Path) {
    let _session = begin(folder);
    panic!("as it was told");
}

pub(crate) fn abort(folder: &Path) {
    let _session = begin(folder);
    std::process::abort();
}

pub(crate) fn work(folder: &Path) {
    let _session = begin(folder);
    say("ready");
    wait();
}

#[test]
fn a_program_that_exits_normally_has_a_document() {
    let _beside = beside();
    let ways = [
        ("finish", 0, Ended::Finished),
        ("drop", 0, Ended::Finished),
        ("exit", 3, Ended::Exited),
        ("static", 0, Ended::Exited),
        ("panic", 101, Ended::Finished),
    ];
    for (role, code, way) in ways {
        let folder = Folder::new();
        let ended = run(role, &folder);
        assert_eq!(ended.status.code(), Some(code), "{role}: {}", ended.error);
        assert_eq!(ended.warnings, [""; 0], "{role}");
        let recording = folder.recording();
        assert_eq!(recording.metadata.ended, way, "{role}");
        assert_eq!(recording.snapshots.first().map(|first| first.trigger), Some(Trigger::Start));
        assert_eq!(recording.snapshots.last().map(|last| last.trigger), Some(Trigger::End));
        assert!(recording.snapshot("begun").is_some(), "{role}");
        assert_eq!(recording.metadata.was_dropped, ["drop", "panic"].contains(&role), "{role}");
        assert!(folder.with_ending("jsonl").is_empty(), "{role}: the document replaces it");
        assert!(recording.summary.operations.iter().any(|row| row.path == ["step", "keep"]));
    }
}

#[test]
fn a_finished_session_names_its_document() {
    let _beside = beside();
    let folder = Folder::new();
    let ended = run("finish", &folder);
    let paths = folder.with_ending("json");
    assert!(ended.out.contains(&paths[0].display().to_string()), "{}", ended.out);
}

#[test]
fn a_program_that_aborts_leaves_its_timeline() {
    let _beside = beside();
    let folder = Folder::new();
    let ended = run("abort", &folder);
    assert_eq!(ended.status.signal(), Some(SIGABRT), "{}", ended.error);
    assert!(folder.with_ending("json").is_empty());
    let timeline = folder.timeline();
    assert_eq!(timeline.unreadable_lines, 0);
    assert_eq!(timeline.metadata.ended, Ended::Running);
    assert!(timeline.snapshot("begun").is_some());
}

#[test]
fn a_killed_program_leaves_a_readable_timeline() {
    let _beside = beside();
    for moment in 0..10 {
        let folder = Folder::new();
        let child = Child::ready("work", &folder);
        thread::sleep(Duration::from_micros(moment * 7919));
        system::send(child.id(), SIGKILL);
        assert_eq!(child.end().status.signal(), Some(SIGKILL));
        let timeline = folder.timeline();
        assert!(timeline.unreadable_lines <= 1);
        assert!(timeline.snapshot("begun").is_some(), "what came before is not lost");
        assert!(folder.with_ending("json").is_empty());
    }
}
