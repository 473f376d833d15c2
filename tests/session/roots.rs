//! Roots that are locked, that panic, that are gone, and that call the session.

use crate::alone;
use crate::folder::Folder;
use crate::program::{Names, end, seldom};
use memprof::session::document::{RootReading, RootState, Snapshot};
use memprof::walk::{Position, Walk};
use memprof::{MemoryProfile, Session};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

fn look(session: &Session) -> Snapshot {
    session.snapshot().expect("it records")
}

fn root<'s>(snapshot: &'s Snapshot, name: &str) -> &'s RootReading {
    snapshot.roots.iter().find(|root| root.name == name).expect("it is registered")
}

#[test]
fn a_locked_root_is_marked_without_waiting() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    let locked = Arc::new(Mutex::new(vec![String::from("alpha")]));
    session.root("locked", locked.clone());
    session.root("free", Arc::new(vec![1_u64; 1000]));
    let (held, is_held) = mpsc::channel();
    let (let_go, may_go) = mpsc::channel::<()>();
    let holder = thread::spawn(move || {
        let _guard = locked.lock();
        held.send(()).expect("somebody waits");
        let _ = may_go.recv();
    });
    is_held.recv().expect("it is held");
    // Another thread holds the lock until this one continues: waiting for it would never end.
    let snapshot = look(&session);
    assert_eq!(root(&snapshot, "locked").state, RootState::Locked);
    assert_eq!(root(&snapshot, "free").state, RootState::Profiled);
    assert!(snapshot.reconciliation.is_none(), "what it holds is unknown, and not unexplained");
    let_go.send(()).expect("it waits");
    holder.join().expect("it does not panic");
    assert_eq!(root(&look(&session), "locked").state, RootState::Profiled);
    end(session);
}

/// A value that delays the first visit after its flag is set.
struct Slow<'f>(&'f AtomicBool, Vec<u8>);

/// The budget of a walk. The part that is left after the delay is long for a busy machine too.
const BUDGET: Duration = Duration::from_secs(2);

impl MemoryProfile for Slow<'_> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if self.0.swap(false, Relaxed) {
            thread::sleep(BUDGET * 45 / 100);
        }
        self.1.owned(walk, at);
    }
}

#[test]
fn a_root_that_exceeds_its_budget_is_estimated() {
    static DELAYS: AtomicBool = AtomicBool::new(false);
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).walk_budget(BUDGET);
    let session = session.start().expect("the folder can be written");
    // The walk over all elements ends after 40 % of the budget, which the delay exceeds. The sample
    // ends after 70 %.
    let values: Vec<Slow<'_>> = (0..100_000).map(|n| Slow(&DELAYS, vec![1; 100 + n % 8])).collect();
    let inline = size_of_val(&values[..]) as u64;
    let heap: usize = values.iter().map(|value| value.1.len()).sum();
    let total = size_of_val(&values) as u64 + inline + heap as u64;
    session.root_with("names", move |walk| {
        DELAYS.store(true, Relaxed);
        walk.value(&values);
    });
    session.root("small", Arc::new(vec![String::from("alpha"); 10]));
    let snapshot = look(&session);
    let names = root(&snapshot, "names");
    assert_eq!(names.state, RootState::Partial);
    let interval = names.interval().expect("it is an estimate");
    assert!(interval.low > inline, "inline bytes are exact: {interval}");
    // The sample is random. Tests of estimates check how close they are.
    let estimated = names.total_bytes.expect("it was visited");
    assert!(interval.contains(estimated), "{interval} does not contain {estimated}");
    assert!((total / 2..total * 2).contains(&estimated), "{estimated} is not about {total}");
    let small = root(&snapshot, "small");
    assert_eq!((small.state, small.interval()), (RootState::Profiled, None));
    // If the heap was counted since the start of the program, its live bytes are an upper limit.
    let counted = snapshot.heap.is_some_and(|heap| heap.counted_ns.is_none());
    assert_eq!(interval.high.is_some(), counted);
    end(session);
}

#[test]
fn a_root_that_panics_affects_no_other() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    session.root_with("panics", |_| panic!("as it was told"));
    session.root("fine", Arc::new(String::from("alpha")));
    for _ in 0..2 {
        let snapshot = look(&session);
        assert_eq!(root(&snapshot, "panics").state, RootState::Panicked);
        assert_eq!(root(&snapshot, "fine").state, RootState::Profiled);
    }
    end(session);
    // The session continued to its end.
    assert!(folder.recording().snapshots.len() >= 4);
}

#[test]
fn a_weak_root_is_not_kept_alive() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    let value = Arc::new(vec![1_u8; 1000]);
    session.weak_root("weak", Arc::downgrade(&value));
    let there = look(&session);
    assert_eq!(root(&there, "weak").state, RootState::Profiled);
    assert_eq!(Arc::strong_count(&value), 1);
    drop(value);
    let gone = look(&session);
    assert_eq!(root(&gone, "weak").state, RootState::Dropped);
    assert_eq!(root(&gone, "weak").total_bytes, None);
    assert!(look(&session).roots.is_empty(), "that it is gone is said once");
    end(session);
}

/// A value whose walk waits until its last other handle is gone.
struct Outlived {
    walked: mpsc::Sender<()>,
    gone: Mutex<mpsc::Receiver<()>>,
    bytes: Vec<u8>,
}

impl MemoryProfile for Outlived {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if self.walked.send(()).is_ok() {
            let _ = self.gone.lock().expect("nobody panics with it").recv();
        }
        self.bytes.owned(walk, at);
    }
}

#[test]
fn a_weak_root_freed_last_counts_as_the_programs() {
    const BYTES: usize = 32 << 20;
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    let ((walked, is_walked), (gone, is_gone)) = (mpsc::channel(), mpsc::channel());
    let live = || memprof::heap::totals().expect("it counts").program_bytes();
    let before = live();
    let value = Arc::new(Outlived { walked, gone: Mutex::new(is_gone), bytes: vec![1; BYTES] });
    session.weak_root("outlived", Arc::downgrade(&value));
    thread::scope(|scope| {
        scope.spawn(|| look(&session));
        is_walked.recv().expect("it is walked");
        drop(value);
        gone.send(()).expect("it waits");
    });
    look(&session);
    let kept = live() - before;
    assert!(kept.unsigned_abs() < BYTES as u64 / 2, "{kept} bytes more are live than before");
    end(session);
}

#[test]
fn a_removed_root_is_dropped() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    let value = Arc::new(vec![1_u8; 1000]);
    session.root("twice", value.clone());
    session.root("twice", value.clone());
    let names: Vec<_> = look(&session).roots.iter().map(|root| root.name.clone()).collect();
    assert_eq!(names, ["twice", "twice (2)"]);
    session.remove_root("twice");
    session.remove_root("twice (2)");
    assert!(look(&session).roots.is_empty());
    assert_eq!(Arc::strong_count(&value), 1);
    end(session);
}

#[test]
fn calls_of_the_session_from_a_root_return_at_once() {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    let handle = session.handle();
    session.root_with("asks", move |walk| {
        handle.checkpoint("from within");
        assert!(handle.snapshot().is_none());
        assert!(handle.write_document().is_err());
        assert!(handle.recording().is_none());
        handle.root("more", Arc::new(1_u8));
        handle.remove_root("more");
        ASKED.fetch_add(1, Relaxed);
        walk.value(&1_u64);
    });
    assert_eq!(root(&look(&session), "asks").state, RootState::Profiled);
    assert_eq!(ASKED.load(Relaxed), 1);
    end(session);
    assert!(folder.recording().snapshot("from within").is_none());
}

#[test]
fn the_lock_of_a_root_is_released_before_the_program_continues() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    let names = Names::default();
    session.root("names", names.clone());
    for number in 0..200 {
        session.checkpoint("again");
        names.try_write().expect("nobody holds it").push(number.to_string());
    }
    end(session);
    assert_eq!(Arc::strong_count(&names), 1, "the session has let go of it");
}

/// Callers that read snapshots in a loop hold a root no longer than the session does without them.
#[test]
fn readers_of_the_latest_snapshot_hold_no_root() {
    const HELD: Duration = Duration::from_millis(20);
    let _alone = alone();
    let folder = Folder::new();
    let interval = Duration::from_millis(100);
    let session = seldom(folder.path()).interval(interval).start().expect("it can be written");
    let calls = Arc::new(AtomicU32::new(0));
    let of_root = calls.clone();
    session.root_with("slow", move |walk| {
        of_root.fetch_add(1, Relaxed);
        thread::sleep(HELD);
        walk.value(&vec![1_u8; 100]);
    });
    let ends = Instant::now() + Duration::from_secs(1);
    let reads = thread::scope(|scope| {
        let read = || {
            let handle = session.handle();
            let mut numbers = Vec::new();
            while Instant::now() < ends {
                numbers.push(handle.latest_snapshot().expect("it records").number);
            }
            assert!(numbers.is_sorted());
            numbers.len()
        };
        let readers: Vec<_> = (0..4).map(|_| scope.spawn(read)).collect();
        readers.into_iter().map(|reader| reader.join().expect("it does not panic")).sum::<usize>()
    });
    // The walk at the first interval; the next one is due after 99 times its duration, at a peak of
    // the heap after 9 times. Without a rest, there would be 50.
    assert!((1..=6).contains(&calls.load(Relaxed)), "{calls:?}");
    assert!(reads > 100, "{reads}");
    let all = session.snapshot().expect("it records");
    assert_eq!(root(&all, "slow").state, RootState::Profiled, "a new snapshot walks all roots");
    end(session);
}

/// In a debug build, walks take about 30 times as long as in an optimized one.
#[test]
fn a_root_of_18_mib_is_whole() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    let cache: HashMap<u64, Vec<String>> = (0..18_100_u64)
        .map(|key| (key, (0..16).map(|word| format!("{key} {word} {}", "x".repeat(30))).collect()))
        .collect();
    session.root("cache", Arc::new(cache));
    let snapshot = look(&session);
    let cache = root(&snapshot, "cache");
    assert!(cache.total_bytes > Some(18 << 20), "{:?}", cache.total_bytes);
    assert_eq!(cache.state, RootState::Profiled, "held for {} ns", cache.held_ns);
    end(session);
}
