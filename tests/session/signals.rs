//! Signals while the program allocates, with and without other handlers.

use crate::child::Child;
use crate::folder::Folder;
use crate::program::{Work, often, say, seldom, wait};
use crate::{alone, beside};
use memprof::Profile;
use memprof::session::Recording;
use memprof::session::document::{Ended, RootState, Trigger};
use memprof::source::Source;
use memprof_test_support::unix::{self as system, SIGCONT, SIGINT, SIGTERM, SIGUSR1};
use memprof_test_support::wait_until;
use std::error::Error;
use std::ffi::c_int;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) fn slow_root(folder: &Path) {
    let session = seldom(folder).start().expect("the folder can be written");
    session.root("before", Arc::new(vec![1_u8; 1000]));
    session.root_with("slow", |_| {
        say("slow");
        thread::sleep(Duration::from_secs(50));
    });
    session.root("after", Arc::new(vec![1_u8; 1000]));
    say("ready");
    wait();
}

/// A source that answers after 50 s.
struct Slow;

impl Source for Slow {
    fn name(&self) -> &'static str {
        "slow"
    }

    fn read(&mut self) -> Result<Profile, Box<dyn Error + Send + Sync>> {
        say("slow");
        thread::sleep(Duration::from_secs(50));
        Err("it has slept".into())
    }
}

pub(crate) fn slow_source(folder: &Path) {
    let session = seldom(folder).start().expect("the folder can be written");
    session.source(Slow);
    say("ready");
    wait();
}

pub(crate) fn late_work(folder: &Path) {
    let session = seldom(folder).start().expect("the folder can be written");
    for _ in 0..600 {
        let _operation = memprof::operation!("late");
        drop(std::hint::black_box(vec![1_u8; 100]));
    }
    say("ready");
    wait();
    drop(session);
}

static CAME: AtomicBool = AtomicBool::new(false);

extern "C" fn note(_: c_int) {
    CAME.store(true, Relaxed);
}

pub(crate) fn handler_before(folder: &Path) {
    system::handle(SIGTERM, note);
    let session = often(folder).start().expect("the folder can be written");
    Work::begin(&session);
    say("ready");
    wait_until("the signal comes", || CAME.load(Relaxed));
    // Gives the session time to make the mistake under test.
    thread::sleep(Duration::from_millis(200));
    drop(session);
    std::process::exit(6);
}

pub(crate) fn ignored(folder: &Path) {
    system::ignore(SIGINT);
    let session = often(folder).start().expect("the folder can be written");
    Work::begin(&session);
    say("ready");
    wait();
}

#[test]
fn the_document_is_written_before_a_signal_ends_the_program() {
    let _beside = beside();
    for (signal, word) in [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM")] {
        let folder = Folder::new();
        let child = Child::ready("work", &folder);
        system::send(child.id(), signal);
        let ended = child.end();
        assert_eq!(ended.status.signal(), Some(signal), "{}", ended.error);
        assert_eq!(ended.warnings, [""; 0]);
        let recording = folder.recording();
        assert_eq!(recording.metadata.ended, Ended::Signal(word.to_owned()));
        assert_eq!(recording.snapshot(word).map(|found| found.trigger), Some(Trigger::Signal));
    }
}

#[test]
fn sigusr1_writes_a_document_and_the_program_continues() {
    let _beside = beside();
    let folder = Folder::new();
    let mut child = Child::ready("work", &folder);
    for times in 1..=2 {
        system::send(child.id(), SIGUSR1);
        wait_until("the document is written", || signals_in_document(&folder) == times);
        assert!(child.is_running());
        assert_eq!(folder.recording().metadata.ended, Ended::Running);
    }
    system::send(child.id(), SIGTERM);
    assert_eq!(child.end().status.signal(), Some(SIGTERM));
    assert_eq!(signals_in_document(&folder), 3);
}

fn signals_in_document(folder: &Folder) -> usize {
    let Some(path) = folder.with_ending("json").pop() else { return 0 };
    let recording = Recording::read_file(path).expect("a document is whole or not there");
    recording.snapshots.iter().filter(|snapshot| snapshot.trigger == Trigger::Signal).count()
}

#[test]
fn a_second_ctrl_c_does_not_wait_for_the_document() {
    let _beside = beside();
    let folder = Folder::new();
    let mut child = Child::ready("slow root", &folder);
    system::send(child.id(), SIGINT);
    child.wait_for("slow");
    assert!(child.is_running());
    // Signals that come at the same time count as one.
    thread::sleep(Duration::from_millis(150));
    system::send(child.id(), SIGINT);
    assert_eq!(child.end().status.signal(), Some(SIGINT));
    assert!(folder.with_ending("json").is_empty(), "nobody waited for it");
    assert_eq!(folder.timeline().unreadable_lines, 0);
}

/// A time longer than a signal takes on a busy machine, and shorter than the stuck part waits.
const SOON: Duration = Duration::from_secs(20);

#[test]
fn a_signal_ends_a_program_whose_root_or_source_never_returns() {
    let _beside = beside();
    for (role, signal) in [("slow root", SIGTERM), ("slow root", SIGINT), ("slow source", SIGTERM)]
    {
        let folder = Folder::new();
        let child = Child::ready(role, &folder);
        let sent = Instant::now();
        system::send(child.id(), signal);
        let ended = child.end();
        assert!(sent.elapsed() < SOON, "{role}: {:?}", sent.elapsed());
        assert_eq!(ended.status.signal(), Some(signal), "{role}: {}", ended.error);
        let recording = folder.recording();
        let last = recording.snapshots.last().expect("there is one");
        assert_eq!(last.trigger, Trigger::Signal);
        let states: Vec<_> = last.roots.iter().map(|root| (&*root.name, root.state)).collect();
        if role == "slow root" {
            let [before, slow, after] = &states[..] else { panic!("three roots: {states:?}") };
            assert_eq!(before, &("before", RootState::Profiled));
            // The slow root had less time than the limit for a root.
            assert_eq!(slow, &("slow", RootState::NotReached));
            assert_eq!(after, &("after", RootState::Profiled));
        } else {
            assert!(last.sources[0].error.is_some());
        }
    }
}

#[test]
fn a_second_signal_is_not_lost() {
    let _beside = beside();
    let folder = Folder::new();
    let mut child = Child::ready("slow root", &folder);
    system::send(child.id(), SIGINT);
    child.wait_for("slow");
    thread::sleep(Duration::from_millis(150));
    let sent = Instant::now();
    system::send(child.id(), SIGTERM);
    let ended = child.end();
    assert!(sent.elapsed() < SOON);
    assert_eq!(ended.status.signal(), Some(SIGTERM), "{}", ended.error);
}

#[test]
fn simultaneous_signals_are_one() {
    let _beside = beside();
    let folder = Folder::new();
    let child = Child::ready("work", &folder);
    // Both signals come while the child is stopped, so that the time between the two calls of
    // `send` has no effect.
    system::stop(child.id());
    system::send(child.id(), SIGINT);
    system::send(child.id(), SIGTERM);
    system::send(child.id(), SIGCONT);
    let ended = child.end();
    assert!(matches!(ended.status.signal(), Some(SIGINT | SIGTERM)), "{}", ended.error);
    assert!(matches!(folder.recording().metadata.ended, Ended::Signal(_)));
}

#[test]
fn the_summary_of_a_signal_is_current() {
    let _beside = beside();
    for signal in [SIGTERM, SIGINT, SIGUSR1] {
        let folder = Folder::new();
        let child = Child::ready("late work", &folder);
        system::send(child.id(), signal);
        if signal == SIGUSR1 {
            wait_until("the document is written", || !folder.with_ending("json").is_empty());
        } else {
            child.end();
        }
        let recording = folder.recording();
        let late = recording.summary.operations.iter().find(|row| row.path == ["late"]);
        assert_eq!(late.map(|row| row.calls), Some(600), "{signal}");
        let at_ns = recording.snapshots.last().map(|last| last.at_ns);
        assert_eq!(recording.summary.at_ns, at_ns, "{signal}");
    }
}

#[test]
fn a_handler_of_the_program_runs_as_before() {
    let _beside = beside();
    let folder = Folder::new();
    let child = Child::ready("handler before", &folder);
    system::send(child.id(), SIGTERM);
    let ended = child.end();
    assert_eq!(ended.status.code(), Some(6), "{}", ended.error);
    let recording = folder.recording();
    assert_eq!(recording.metadata.ended, Ended::Finished);
    assert!(recording.snapshot("SIGTERM").is_some(), "the session saw it too");
}

#[test]
fn an_ignored_signal_stays_ignored() {
    let _beside = beside();
    let folder = Folder::new();
    let mut child = Child::ready("ignored", &folder);
    for _ in 0..3 {
        system::send(child.id(), SIGINT);
        thread::sleep(Duration::from_millis(20));
    }
    assert!(child.is_running());
    system::send(child.id(), SIGTERM);
    assert_eq!(child.end().status.signal(), Some(SIGTERM));
    assert!(folder.recording().snapshot("SIGINT").is_none());
}

#[test]
fn a_finished_session_restores_signal_handling() {
    let _alone = alone();
    let folder = Folder::new();
    let all = || [SIGINT, SIGTERM, SIGUSR1].map(system::answered_by);
    let before = all();
    for _ in 0..2 {
        let session = seldom(folder.path()).start().expect("the folder can be written");
        assert_ne!(all(), before);
        drop(session);
        assert_eq!(all(), before);
    }
    drop(seldom(folder.path()).signals(false).start().expect("the folder can be written"));
    assert_eq!(all(), before);
}
