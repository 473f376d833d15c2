//! A session in a program that does nothing: the program's memory stays the same.

use crate::child::Child;
use crate::folder::Folder;
use crate::program::say;
use crate::{alone, beside};
use memprof::Session;
use memprof::heap::{Level, totals};
use memprof::session::Recording;
use memprof_test_support::rounds;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// The variable with the level of the child.
const LEVEL: &str = "SESSION_TEST_LEVEL";

/// The number of snapshots before the first one that counts. One-time allocations are made before
/// it.
const WARM_UP: usize = 50;

/// The largest allowed change of the live heap, in bytes.
const HEAP: i64 = 4 << 10;

/// The largest allowed growth of the resident memory, in bytes.
const RSS: u64 = 2 << 20;

/// Does nothing while a session records.
pub(crate) fn idle(folder: &Path) {
    let level = match std::env::var(LEVEL).as_deref() {
        Ok("off") => Level::Off,
        Ok("counters") => Level::Counters,
        _ => Level::Sampled,
    };
    let session = Session::builder()
        .enabled(true)
        .output_dir(folder)
        .level(level)
        .interval(Duration::from_millis(10));
    let _session = session.start().expect("the folder can be written");
    say("started");
    loop {
        // The parent kills this process.
        thread::sleep(Duration::from_secs(60));
    }
}

/// The memory of an idle program and its session.
#[derive(Debug)]
struct Held {
    snapshots: usize,
    /// The minimum and maximum; `None` at a level that doesn't count.
    heap: Option<[i64; 2]>,
    profiler: Option<[i64; 2]>,
    rss: [u64; 2],
    rss_growth: u64,
}

/// Lets an idle program run until its session has taken `snapshots` snapshots.
fn idle_for(snapshots: usize, level: &str) -> Held {
    let folder = Folder::new();
    let mut child = Child::start_with("idle", &folder, &[(LEVEL, level)]);
    child.wait_for("started");
    let until = Instant::now() + Duration::from_secs(1200);
    while lines(&folder) < snapshots + WARM_UP {
        assert!(child.is_running() && Instant::now() < until, "{} lines", lines(&folder));
        thread::sleep(Duration::from_millis(100));
    }
    drop(child);
    held(&folder.timeline())
}

/// Returns the number of snapshots in the timeline.
fn lines(folder: &Folder) -> usize {
    let Some(path) = folder.with_ending("jsonl").pop() else { return 0 };
    let mut text = Vec::new();
    let read = File::open(path).and_then(|mut file| file.read_to_end(&mut text));
    read.expect("it can be read");
    text.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"{\"snapshot\"")).count()
}

fn held(recording: &Recording) -> Held {
    let snapshots = &recording.snapshots[WARM_UP..];
    let range = |of: fn(&memprof::session::document::HeapTotals) -> i64| {
        let values = || snapshots.iter().filter_map(|snapshot| snapshot.heap.as_ref()).map(of);
        Some([values().min()?, values().max()?])
    };
    let rss: Vec<u64> =
        snapshots.iter().filter_map(|snapshot| snapshot.process.rss_bytes).collect();
    let [least, most] =
        [rss.iter().min(), rss.iter().max()].map(|bytes| *bytes.expect("it is known"));
    // The growth is the minimum of the last tenth of the snapshots minus the maximum of the second
    // tenth. In the first tenth, names of functions are looked up for the first time, and that data
    // stays in memory.
    let tenth = (rss.len() / 10).max(1);
    let begin = rss[tenth..2 * tenth].iter().max().expect("there is one");
    let end = rss[rss.len() - tenth..].iter().min().expect("there is one");
    Held {
        snapshots: snapshots.len(),
        heap: range(|heap| heap.live_bytes),
        profiler: range(|heap| heap.profiler_bytes),
        rss: [least, most],
        rss_growth: end.saturating_sub(*begin),
    }
}

fn is_flat(level: &str, held: &Held) {
    if level == "off" {
        assert!(held.heap.is_none(), "{held:?}");
    } else {
        let [least, most] = held.heap.expect("it counts");
        assert!(most - least <= HEAP, "{level}: {held:?}");
        let [least, _] = held.profiler.expect("it counts");
        assert!(least > 0, "{level}: {held:?}");
    }
    assert!(held.rss_growth <= RSS, "{level}: {held:?}");
}

#[test]
fn the_live_heap_of_an_idle_program_does_not_change() {
    let _beside = beside();
    for level in ["counters", "sampled"] {
        is_flat(level, &idle_for(rounds(60, 200), level));
    }
}

#[test]
fn threads_that_request_checkpoints_leave_no_memory() {
    let _alone = alone();
    let folder = Folder::new();
    let session = crate::program::seldom(folder.path()).level(Level::Counters);
    let session = session.start().expect("the folder can be written");
    let handle = session.handle();
    let ask = |number: usize| {
        let handle = handle.clone();
        let thread = thread::spawn(move || handle.checkpoint(&format!("checkpoint {number}")));
        thread.join().expect("it doesn't panic");
    };
    (0..10).for_each(ask);
    let before = totals().expect("it counts").program_bytes();
    (0..40).for_each(ask);
    let after = totals().expect("it counts").program_bytes();
    assert!((after - before).abs() < 1000, "{before} {after}");
    crate::program::end(session);
}

/// Prints the output of `cargo xtask idle`.
#[test]
#[ignore = "it takes minutes"]
fn ten_thousand_snapshots_do_not_grow_an_idle_program() {
    let _beside = beside();
    for level in ["off", "counters", "sampled"] {
        let held = idle_for(10_000, level);
        println!("{level}: {} snapshots", held.snapshots);
        match held.heap {
            Some([least, most]) => println!("{level}: live heap {least} to {most} bytes"),
            None => println!("{level}: live heap not counted at this level"),
        }
        if let Some([least, most]) = held.profiler {
            println!("{level}: profiler's bytes {least} to {most}");
        }
        let [least, most] = held.rss;
        println!("{level}: RSS {least} to {most} bytes, grown by {}", held.rss_growth);
        is_flat(level, &held);
    }
}
