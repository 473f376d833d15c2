//! Tests of a pool's timeline, written as a session file and read back.

use crate::workload::{SMALL, Step};
use crate::{GIB, MIB, allocate, free};
use memprof_pool::{Address, AddressSpace, CachingPool, MemoryResource, Request, Timeline};
use memprof_recording::Recording;
use memprof_recording::document::Trigger;
use std::collections::HashMap;

fn read_back(timeline: &Timeline) -> Recording {
    let mut file = Vec::new();
    timeline.write_session(&mut file).expect("memory can be written");
    let recording = Recording::from_text(&String::from_utf8(file).expect("JSON is UTF-8"));
    recording.expect("it is a session's timeline")
}

#[test]
fn a_training_run_reads_back_with_its_peaks_and_last_event() {
    let pool = CachingPool::builder(AddressSpace::new()).name("training").record(200).build();
    let pool = pool.expect("it needs nothing");
    let mut live: HashMap<u64, (Address, u64)> = HashMap::new();
    for step in SMALL.train(&[128, 512, 256]) {
        match step {
            Step::Allocate { name, bytes } => {
                live.insert(name, (allocate(&pool, bytes), bytes));
            }
            Step::Free { name } => {
                let (address, bytes) = live.remove(&name).expect("the trace is sound");
                free(&pool, address, Request::new(bytes)).expect("it is allocated");
            }
        }
    }
    let timeline = pool.timeline().expect("it records");
    let recording = read_back(timeline);
    assert_eq!(recording.unreadable_lines, 0);
    let points = timeline.points();
    assert_eq!(recording.snapshots.len(), points.len());
    assert!(points.len() <= 201);
    assert_eq!(recording.metadata.snapshots, timeline.event_count());
    assert_eq!(recording.metadata.pid, std::process::id());
    let (mut reserved, mut allocated) = (0, 0);
    for (snapshot, event) in recording.snapshots.iter().zip(&points) {
        let [source] = &snapshot.sources[..] else { panic!("a snapshot has one source") };
        assert_eq!((snapshot.number, snapshot.at_ns), (event.index, event.at_ns));
        assert_eq!((source.name.as_str(), snapshot.trigger), ("training", Trigger::Interval));
        assert!(snapshot.heap.is_none() && snapshot.process.rss_bytes.is_none());
        let profile = source.profile().expect("it has one").expect("it is one");
        assert_eq!(profile.total_bytes(), event.held.reserved);
        assert_eq!(profile.bytes_at("allocated"), Some(event.held.allocated));
        assert_eq!(profile.bytes_at("allocated;requested"), Some(event.held.requested));
        assert_eq!(profile.bytes_at("cached;releasable"), Some(event.held.releasable));
        reserved = reserved.max(profile.total_bytes());
        allocated = allocated.max(event.held.allocated);
    }
    let statistics = pool.statistics();
    assert_eq!((reserved, allocated), (statistics.peak_reserved, statistics.peak_allocated));
    let last = recording.snapshots.last().expect("there are snapshots");
    assert_eq!(last.number + 1, timeline.event_count());
}

#[test]
fn out_of_memory_is_a_checkpoint_with_the_requested_bytes() {
    let pool = CachingPool::builder(AddressSpace::new()).limit(GIB).record(10).build();
    let pool = pool.expect("it needs nothing");
    allocate(&pool, 100 * MIB);
    assert!(pool.allocate(Request::new(2 * GIB)).is_err());
    for _ in 0..50 {
        allocate(&pool, MIB);
    }
    let recording = read_back(pool.timeline().expect("it records"));
    let snapshot = recording.snapshot("out of memory: 2147483648 bytes").expect("it is there");
    assert_eq!((snapshot.trigger, snapshot.number), (Trigger::Checkpoint, 2));
    let profile = snapshot.sources[0].profile().expect("it has one").expect("it is one");
    assert_eq!(profile.total_bytes(), 100 * MIB);
}

#[test]
fn a_session_file_is_written_to_the_path() {
    let pool = CachingPool::builder(AddressSpace::new()).record(10).build();
    let pool = pool.expect("it needs nothing");
    allocate(&pool, 8);
    let timeline = pool.timeline().expect("it records");
    let path = std::env::temp_dir().join(format!("pool-timeline-{}.jsonl", std::process::id()));
    timeline.write_session_file(&path).expect("the folder is there");
    let recording = Recording::read_file(&path).expect("it is a session's timeline");
    std::fs::remove_file(&path).expect("it is there");
    assert_eq!(recording.snapshots.len(), 2);
    let nowhere = path.join("below a file that is not there");
    assert!(timeline.write_session_file(nowhere).is_err());
}
