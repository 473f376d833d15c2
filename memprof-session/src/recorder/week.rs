//! A test of a week in seconds: with a fast clock, the recorder keeps bounded memory and files.

use super::Recorder;
use super::tests::ALONE;
use crate::config::Config;
use crate::heap::Heap;
use crate::roots::Root;
use crate::time::{Clock, Deadline};
use memprof_heap::hooks::unrecorded;
use memprof_heap::operation::OperationSite;
use memprof_heap::totals;
use memprof_recording::Recording;
use memprof_recording::document::{Ended, Trigger};
use memprof_test_support::rounds;
use std::collections::VecDeque;
use std::fs;
use std::hint::black_box;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

#[global_allocator]
static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();

const INTERVAL: u64 = 5;

#[derive(Debug, Default)]
struct Most {
    /// The most bytes that the recorder held: in the first tenth of the time, and in all of it.
    held: [i64; 2],
    timeline_bytes: u64,
    document_bytes: u64,
}

/// A program with a queue of about constant length, some growth, and calls of operations.
struct Program {
    queue: Arc<Mutex<VecDeque<String>>>,
    kept: Vec<Vec<u8>>,
}

impl Program {
    fn step(&mut self, number: u64) {
        static STEP: OperationSite = OperationSite::new("step", file!(), line!());
        static LEAK: OperationSite = OperationSite::new("leak", file!(), line!());
        for call in 0..20 {
            let _step = STEP.enter();
            let mut queue = self.queue.lock().expect("no thread panics while it holds the lock");
            queue.push_back(format!("entry {number} {call}"));
            if queue.len() > 500 {
                queue.pop_front();
            }
            drop(black_box(vec![1_u8; 1000]));
        }
        if number.is_multiple_of(100) {
            let _leak = LEAK.enter();
            self.kept.push(black_box(vec![1; 2000]));
        }
    }
}

fn long() -> Deadline {
    Deadline::after(Duration::from_mins(1))
}

fn held() -> i64 {
    totals().expect("the allocator counts").profiler_bytes
}

fn pass(snapshots: u64, config: Config) -> (Most, Recording) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = config.output_dir.clone();
    fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    // The program runs on another thread, so that this one holds only the recorder's memory.
    let heap = Heap::begin(&config).expect("the allocator is installed");
    let clock = Clock::start();
    let mut recorder = Recorder::new(config, clock, heap);
    recorder.open().expect("the folder can be written");
    let mut program = Program { queue: Arc::default(), kept: Vec::new() };
    recorder.roots.add(Root::shared("queue", program.queue.clone()));
    let mut most = Most::default();
    let (checkpoints, checks) = ((snapshots / 5).min(1000), (snapshots / 50).min(100));
    let (work, go) = std::sync::mpsc::sync_channel::<u64>(0);
    let (done, is_done) = std::sync::mpsc::sync_channel::<()>(0);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for number in go {
                program.step(number);
                done.send(()).expect("the receiver waits");
            }
        });
        unrecorded(|| {
            for number in 0..snapshots {
                work.send(number).expect("it runs");
                is_done.recv().expect("it runs");
                let at_ns = number * INTERVAL * 1_000_000_000;
                let trigger = match number {
                    0 => Trigger::Start,
                    number if number.is_multiple_of(checkpoints) => Trigger::Checkpoint,
                    // The session's thread takes none between those of the doubled interval.
                    number if !number.is_multiple_of(1 << recorder.doublings()) => continue,
                    _ => Trigger::Interval,
                };
                let name = (trigger == Trigger::Checkpoint).then(|| format!("checkpoint {number}"));
                drop(recorder.snapshot(at_ns, trigger, name, long()));
                recorder.summarise_if_due();
                if number.is_multiple_of(checks) {
                    let held = held();
                    if number < snapshots / 10 {
                        most.held[0] = most.held[0].max(held);
                    }
                    most.held[1] = most.held[1].max(held);
                    let (_, timeline) = recorder.paths().expect("it has files");
                    let bytes = fs::metadata(timeline).expect("it is there").len();
                    most.timeline_bytes = most.timeline_bytes.max(bytes);
                }
            }
            drop(work);
        });
    });
    let at_ns = snapshots * INTERVAL * 1_000_000_000;
    recorder.snapshot_for_document(at_ns, Trigger::End, None, long());
    recorder.write_document(at_ns, Ended::Finished).expect("there is room");
    let (document, timeline) = recorder.paths().expect("it has files");
    for path in [document, timeline] {
        let recording = Recording::read_file(path).expect("it is whole");
        assert_eq!(recording.unreadable_lines, 0);
    }
    most.document_bytes = fs::metadata(document).expect("it is there").len();
    let recording = Recording::read_file(document).expect("it is whole");
    drop(recorder);
    let _ = fs::remove_dir_all(folder);
    (most, recording)
}

fn config(name: &str) -> Config {
    let folder = std::env::temp_dir().join(format!("memprof-{}-{name}", std::process::id()));
    Config {
        enabled: true,
        output_dir: folder,
        interval: Duration::from_secs(INTERVAL),
        ..Config::default()
    }
}

fn holds(snapshots: u64, most: &Most, recording: &Recording, timeline_bytes: u64, events: u64) {
    assert!(recording.metadata.snapshots <= snapshots + 1);
    // The timeline's size is bounded by the caps on snapshots and on events.
    let event_bytes = 200 * events;
    assert!(most.timeline_bytes < timeline_bytes + event_bytes, "{most:?}");
    assert!(recording.snapshot("end").is_some_and(|end| end.trigger == Trigger::End));
    assert_eq!(recording.snapshots[0].trigger, Trigger::Start);
    let times: Vec<u64> = recording.snapshots.iter().map(|snapshot| snapshot.at_ns).collect();
    let span = snapshots * INTERVAL * 1_000_000_000;
    for quarter in 0..4 {
        let within = span / 4 * quarter..span / 4 * (quarter + 1);
        let found = times.iter().filter(|&&time| within.contains(&time)).count();
        assert!(found * 8 >= times.len() / 4, "{found} of {} in {quarter}", times.len());
    }
}

/// One hour, or seven with `MEMPROF_THOROUGH=1`.
#[test]
fn hours_keep_bounded_memory_and_files() {
    const EVENTS: u64 = 1000;
    let hours = rounds(1, 7);
    let snapshots = hours * 3600 / INTERVAL;
    let timeline_bytes = hours * (160 << 10);
    let config = Config { timeline_bytes, operation_events: EVENTS, ..config("hours") };
    let (most, recording) = pass(snapshots, config);
    holds(snapshots, &most, &recording, timeline_bytes, EVENTS);
    assert!((recording.snapshots.len() as u64) < snapshots / 2, "the limit was reached");
    let [begin, end] = most.held;
    assert!(end < begin + (384 << 10), "{most:?}");
    assert!(recording.operation_events.len() as u64 <= EVENTS);
}

/// Prints the output of `cargo xtask week`.
#[test]
#[ignore = "it takes minutes"]
fn a_week_keeps_bounded_memory_and_files() {
    const SNAPSHOTS: u64 = 7 * 24 * 3600 / INTERVAL;
    let config = config("week");
    let timeline_bytes = config.timeline_bytes;
    let (most, recording) = pass(SNAPSHOTS, config);
    holds(SNAPSHOTS, &most, &recording, timeline_bytes, 1_000_000);
    let [begin, end] = most.held;
    println!("snapshots taken: {SNAPSHOTS}");
    println!("snapshots kept: {}", recording.snapshots.len());
    println!("calls of operations kept: {}", recording.operation_events.len());
    println!("recorder's memory, most in the first tenth: {begin} bytes");
    println!("recorder's memory, most in the week: {end} bytes");
    println!("timeline, largest: {} bytes", most.timeline_bytes);
    println!("document: {} bytes", most.document_bytes);
    assert!(end < begin + (4 << 20), "{most:?}");
}
