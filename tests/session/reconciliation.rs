//! The figures of a recording add up: roots and samples, operations and their calls.

use crate::alone;
use crate::child::run;
use crate::folder::Folder;
use crate::program::{end, seldom};
use memprof::heap::{Level, Rate, set_rate};
use memprof::session::document::{Reconciliation, Snapshot};
use memprof::{MemoryProfile, Session};
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Default, MemoryProfile)]
struct Store {
    names: Vec<String>,
    places: HashMap<String, Vec<u32>>,
    order: BTreeMap<u64, Box<[u8]>>,
}

fn filled() -> Store {
    let mut store = Store::default();
    // The store has fewer than the 4,096 blocks at which samples are thinned out.
    for number in 0..500_u32 {
        store.names.push(format!("name {number}"));
        store.places.entry(format!("place {}", number % 100)).or_default().push(number);
        store.order.insert(u64::from(number), vec![1; 1 + number as usize % 50].into());
    }
    store
}

fn reconciliation(session: &Session) -> (Snapshot, Reconciliation) {
    let snapshot = session.snapshot().expect("it records");
    let reconciliation = snapshot.reconciliation.clone().expect("the allocator is memprof's");
    (snapshot, reconciliation)
}

fn sampled(folder: &Path) -> Session {
    // A busy machine must not stop a walk.
    let session = seldom(folder).level(Level::Sampled).walk_budget(Duration::from_secs(10));
    session.start().expect("the folder can be written")
}

/// Returns an estimate from samples of every block, which is a whole number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is one")]
fn exactly(estimate: Option<memprof::session::document::Estimate>) -> u64 {
    let estimate = estimate.expect("samples are taken");
    assert!(estimate.standard_error.abs() < 1e-9, "{estimate:?}");
    assert!(estimate.value.fract().abs() < 1e-9, "{estimate:?}");
    estimate.value as u64
}

/// Runs in a process that does nothing else, because live bytes belong to the entire process.
pub(crate) fn each_block(folder: &Path) {
    set_rate(Rate::EACH_BLOCK);
    let session = sampled(folder);
    let store = Arc::new(Mutex::new(filled()));
    let also = Arc::new(vec![String::from("alpha"), "beta".repeat(1000)]);
    session.root("store", store.clone());
    session.root("also", also);
    let (snapshot, before) = reconciliation(&session);
    assert!(before.roots_exact, "{:?}", snapshot.roots.iter().map(|root| root.state));
    assert_eq!(exactly(before.explained), before.roots_bytes);
    assert_eq!(exactly(before.claimed_twice), 0);
    // The growth is the same by both measurements and by the count of live bytes.
    let more = filled();
    store.lock().expect("nobody panics with it").names.extend(more.names);
    drop((more.places, more.order));
    let (_, after) = reconciliation(&session);
    assert!(after.roots_exact);
    assert_eq!(exactly(after.explained), after.roots_bytes);
    assert!(after.roots_bytes > before.roots_bytes);
    let rest = |reconciliation: &Reconciliation| {
        reconciliation.live_bytes - reconciliation.roots_bytes.cast_signed()
    };
    let sampled = |reconciliation: &Reconciliation| {
        exactly(reconciliation.unexplained).cast_signed()
            + reconciliation.profiler_bytes.expect("it is known")
    };
    // The names of commands and snapshots pass between threads, so the sums may differ by a few
    // bytes.
    let off = (rest(&after) - sampled(&after)) - (rest(&before) - sampled(&before));
    assert!(off.abs() < 1024, "{off}: {before:?} {after:?}");
    end(session);
}

#[test]
fn roots_and_samples_agree_to_the_byte_where_each_block_is_a_sample() {
    let ended = run("each block", &Folder::new());
    assert!(ended.status.success(), "{}", ended.error);
}

#[test]
fn memory_that_two_roots_share_is_claimed_twice() {
    let _alone = alone();
    let folder = Folder::new();
    set_rate(Rate::EACH_BLOCK);
    let session = sampled(folder.path());
    let shared = Arc::new("x".repeat(5000));
    session.root("one", Arc::new(vec![shared.clone()]));
    session.root("two", Arc::new(vec![shared.clone(), Arc::new("y".repeat(70))]));
    let (_, reconciliation) = reconciliation(&session);
    // The text, and its `Arc`: two counts and a `String`.
    let both = 5000 + 2 * 8 + 24;
    assert_eq!(exactly(reconciliation.claimed_twice), both);
    assert_eq!(
        reconciliation.roots_bytes - exactly(reconciliation.explained),
        both,
        "it counts twice"
    );
    end(session);
    let recording = folder.recording();
    let pairs = &recording.summary.claimed_twice;
    assert_eq!(pairs.len(), 1);
    assert_eq!(pairs[0].roots, ["one", "two"]);
    assert_eq!(exactly(Some(pairs[0].live)), both);
    set_rate(Rate::default());
}

#[test]
fn single_calls_add_up_to_the_totals_of_their_operation() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    let mut kept: Vec<Vec<u8>> = Vec::new();
    for round in 0..500_usize {
        let _outer = memprof::operation!("books_outer");
        drop(black_box(vec![1_u8; 10_000]));
        let _inner = memprof::operation!("books_inner");
        kept.push(vec![1; 100 + round % 7]);
        if round % 10 == 0 {
            kept.clear();
        }
    }
    end(session);
    let recording = folder.recording();
    for path in [&["books_outer"][..], &["books_outer", "books_inner"]] {
        let row = recording.summary.operations.iter().find(|row| row.path == path);
        let row = row.expect("it was called");
        let number = recording.operation_paths.iter().find(|known| known.names == path);
        let number = number.expect("events name it").path;
        let events = || recording.operation_events.iter().filter(|event| event.path == number);
        assert_eq!(row.calls, 500);
        assert_eq!(events().count() as u64, row.calls, "{path:?}");
        let delta: i64 = events().map(|event| event.net_bytes).sum();
        assert_eq!(delta, row.net_bytes, "{path:?}");
        assert_eq!(events().map(|event| event.net_bytes).max(), row.max_net_bytes);
        assert_eq!(delta, row.allocated_bytes.cast_signed() - row.freed_bytes.cast_signed());
        let times = row.wall_time.expect("calls are timed");
        let time =
            |event: &memprof::session::document::OperationEvent| event.end_ns - event.start_ns;
        assert_eq!(times.calls, row.calls);
        assert_eq!(events().map(time).sum::<u64>(), times.total_ns, "{path:?}");
        assert_eq!(events().map(time).max(), Some(times.longest_ns), "{path:?}");
    }
    assert_eq!(recording.summary.dropped_events.over_cap, 0);
    assert_eq!(recording.summary.dropped_events.not_recorded, 0);
}

#[test]
fn the_profilers_own_bytes_are_positive() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).level(Level::Counters);
    let session = session.start().expect("the folder can be written");
    for number in 0..20 {
        session.root(&format!("root {number}"), Arc::new(vec![number]));
        session.checkpoint(&format!("checkpoint {number}"));
    }
    end(session);
    let recording = folder.recording();
    let held = recording.snapshots.iter().map(|snapshot| snapshot.heap.expect("it counts"));
    let held: Vec<i64> = held.map(|heap| heap.profiler_bytes).collect();
    assert!(held.len() > 20 && held.iter().all(|&bytes| bytes > 0), "{held:?}");
}
