//! Code of the program that the session calls and that never returns, ends the program, or panics.

use crate::child::run;
use crate::folder::Folder;
use crate::program::{end, often, seldom};
use crate::{alone, beside};
use memprof::session::document::{Ended, RootState, Snapshot};
use memprof::source::Source;
use memprof::walk::{Position, Walk};
use memprof::{MemoryProfile, Profile};
use memprof_test_support::wait_until;
use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, RwLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

fn state(snapshot: &Snapshot, name: &str) -> RootState {
    snapshot.roots.iter().find(|root| root.name == name).expect("it is registered").state
}

/// A time longer than a busy machine takes for a snapshot, and shorter than the stuck code waits.
const SOON: Duration = Duration::from_secs(20);

#[test]
fn a_root_that_does_not_return_is_skipped_until_it_does() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    let (let_go, may_go) = mpsc::channel::<()>();
    session.root_with("stuck", move |walk| {
        let _ = may_go.recv();
        walk.value(&1_u64);
    });
    session.root("fine", Arc::new(String::from("alpha")));
    let began = Instant::now();
    for _ in 0..3 {
        let snapshot = session.snapshot().expect("it records");
        assert_eq!(state(&snapshot, "stuck"), RootState::Stuck);
        assert_eq!(state(&snapshot, "fine"), RootState::Profiled);
        session.checkpoint("beside it");
    }
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    drop(let_go);
    wait_until("the root that returned is profiled", || {
        let snapshot = session.snapshot().expect("it records");
        state(&snapshot, "stuck") == RootState::Profiled
    });
    end(session);
    assert!(folder.recording().snapshot("beside it").is_some());
}

/// A value whose destructor waits for a lock.
struct Waits(Arc<Mutex<()>>, Arc<AtomicBool>);

impl MemoryProfile for Waits {
    fn owned<'a>(&'a self, _: &mut Walk<'a>, _: Position) {}
}

impl Drop for Waits {
    fn drop(&mut self) {
        drop(self.0.lock());
        self.1.store(true, Relaxed);
    }
}

impl Source for Waits {
    fn name(&self) -> &'static str {
        "waits"
    }

    fn read(&mut self) -> Result<Profile, Box<dyn Error + Send + Sync>> {
        Ok(Profile::of(&1_u64))
    }
}

#[test]
fn finish_does_not_deadlock_with_destructors() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    let lock = Arc::new(Mutex::new(()));
    let dropped: [Arc<AtomicBool>; 2] = Default::default();
    session.root("root", Arc::new(Waits(lock.clone(), dropped[0].clone())));
    session.source(Waits(lock.clone(), dropped[1].clone()));
    session.checkpoint("registered");
    let held = lock.lock().expect("nobody panics with it");
    let began = Instant::now();
    end(session);
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    drop(held);
    // Another session may begin before those destructors have run.
    end(seldom(folder.path()).start().expect("the one before is over"));
    wait_until("the destructors have run", || dropped.iter().all(|dropped| dropped.load(Relaxed)));
}

#[test]
fn a_removed_root_is_freed_without_a_snapshot() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    let value = Arc::new(vec![1_u8; 1000]);
    session.root("value", value.clone());
    session.remove_root("value");
    // Nothing else wakes the session.
    wait_until("the root is freed", || Arc::strong_count(&value) == 1);
    end(session);
}

/// A value whose walk panics.
struct Panics;

impl MemoryProfile for Panics {
    fn owned<'a>(&'a self, _: &mut Walk<'a>, _: Position) {
        panic!("as it was told");
    }
}

#[test]
fn a_panic_in_a_walk_poisons_no_lock() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    let mutex = Arc::new(Mutex::new(vec![Panics]));
    let lock = Arc::new(RwLock::new(Box::new(Panics)));
    let shown = Arc::new(Mutex::new(vec![Panics]));
    session.root("mutex", mutex.clone());
    session.root("lock", lock.clone());
    let inside = shown.clone();
    session.root_with("shown", move |walk| {
        let guard = inside.lock().expect("nobody panics with it");
        walk.value(&*guard);
        walk.part("part", &*guard);
    });
    let snapshot = session.snapshot().expect("it records");
    for name in ["mutex", "lock", "shown"] {
        assert_eq!(state(&snapshot, name), RootState::Panicked, "{name}");
    }
    assert!(!mutex.is_poisoned() && !lock.is_poisoned() && !shown.is_poisoned());
    end(session);
}

pub(crate) fn root_exits(folder: &Path) {
    let session = seldom(folder).start().expect("the folder can be written");
    session.root_with("exits", |_| std::process::exit(7));
    session.checkpoint("never");
    thread::sleep(Duration::from_secs(60));
}

pub(crate) fn hook_exits(folder: &Path) {
    let session = seldom(folder).start().expect("the folder can be written");
    std::panic::set_hook(Box::new(|_| std::process::exit(7)));
    session.root("panics", Arc::new(Mutex::new(vec![Panics])));
    session.checkpoint("never");
    thread::sleep(Duration::from_secs(60));
}

pub(crate) fn thread_exits(folder: &Path) {
    let session = often(folder).start().expect("the folder can be written");
    thread::spawn(|| std::process::exit(7));
    for _ in 0..10_000 {
        session.checkpoint("meanwhile");
        thread::sleep(Duration::from_millis(10));
    }
}

pub(crate) fn exits_beside_stuck_root(folder: &Path) {
    let session = seldom(folder).start().expect("the folder can be written");
    session.root_with("stuck", |_| thread::sleep(Duration::from_secs(60)));
    std::process::exit(7);
}

pub(crate) fn replaces_root_and_exits(folder: &Path) {
    let session = seldom(folder).start().expect("the folder can be written");
    session.root("value", Arc::new(1_u8));
    let (begun, is_begun) = mpsc::channel();
    session.root_with("slow", move |walk| {
        let _ = begun.send(());
        thread::sleep(Duration::from_millis(300));
        walk.value(&1_u8);
    });
    let handle = session.handle();
    thread::spawn(move || handle.checkpoint("slow"));
    is_begun.recv().expect("it is walked");
    // The session's thread waits for the root now.
    session.remove_root("value");
    session.root("value", Arc::new(2_u8));
    std::process::exit(7);
}

#[test]
fn a_root_replaced_before_the_exit_keeps_its_name() {
    let _beside = beside();
    let folder = Folder::new();
    let ended = run("replaced root", &folder);
    assert_eq!(ended.status.code(), Some(7), "{}", ended.error);
    let recording = folder.recording();
    let last = recording.snapshots.last().expect("there is one");
    let names: Vec<_> = last.roots.iter().map(|root| &*root.name).collect();
    assert_eq!(names, ["slow", "value"]);
}

/// A value that sends the name of the thread that drops it.
struct SendsThread(mpsc::Sender<Option<String>>);

impl MemoryProfile for SendsThread {
    fn owned<'a>(&'a self, _: &mut Walk<'a>, _: Position) {}
}

impl Drop for SendsThread {
    fn drop(&mut self) {
        let _ = self.0.send(thread::current().name().map(str::to_owned));
    }
}

#[test]
fn a_root_registered_too_late_is_not_dropped_by_the_recorder() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    let handle = session.handle();
    let (begun, is_begun) = mpsc::channel();
    let (let_go, may_go) = mpsc::channel::<()>();
    session.root_with("slow", move |_| {
        let _ = begun.send(());
        let _ = may_go.recv();
    });
    let ends = thread::spawn(move || end(session));
    is_begun.recv().expect("it is walked for the last time");
    let (dropped, is_dropped) = mpsc::channel();
    handle.root("late", Arc::new(SendsThread(dropped)));
    drop(let_go);
    let thread = is_dropped.recv_timeout(SOON).expect("it is dropped");
    assert_eq!(thread.as_deref(), Some("memprof-roots"));
    ends.join().expect("it does not panic");
}

#[test]
fn a_program_that_exits_in_a_root_hook_or_thread_has_a_document() {
    let _beside = beside();
    for role in ["root exits", "hook exits", "thread exits", "exits beside stuck root"] {
        let folder = Folder::new();
        let began = Instant::now();
        let ended = run(role, &folder);
        assert!(began.elapsed() < SOON, "{role}: {:?}", began.elapsed());
        assert_eq!(ended.status.code(), Some(7), "{role}: {}", ended.error);
        assert_eq!(folder.recording().metadata.ended, Ended::Exited, "{role}");
    }
}
