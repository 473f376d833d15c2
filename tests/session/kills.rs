//! Programs that are killed at a random time, or start with little memory: their files stay
//! readable.

use crate::beside;
use crate::child::Child;
use crate::folder::Folder;
use memprof::session::Recording;
use memprof_test_support::unix::{self as system, SIGKILL};
#[cfg(target_os = "linux")]
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

#[test]
#[ignore = "takes a minute: nightly runs it"]
fn two_hundred_killed_programs_leave_readable_files() {
    const TIMES: u32 = 200;
    let _beside = beside();
    let started = Instant::now();
    drop(Child::ready("work", &Folder::new()));
    // One half of the programs is killed before the work has begun, and the other one after it.
    let latest = started.elapsed() * 2;
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut timelines, mut documents, mut snapshots) = (0, 0, 0);
    for number in 0..TIMES {
        let folder = Folder::new();
        let child = Child::start(if number % 2 == 0 { "work" } else { "finish" }, &folder);
        thread::sleep(random.below(latest));
        system::send(child.id(), SIGKILL);
        child.end();
        if let Some(timeline) = timeline(&folder) {
            timelines += 1;
            snapshots += timeline.snapshots.len();
        }
        for path in folder.with_ending("json") {
            Recording::read_file(&path).expect("a document is complete or missing");
            documents += 1;
        }
    }
    println!("{timelines} timelines with {snapshots} snapshots, and {documents} documents");
    assert!(timelines >= TIMES / 4, "only {timelines} timelines of {TIMES} programs");
}

/// Reads the only timeline, if there is one. At most its last line is torn.
fn timeline(folder: &Folder) -> Option<Recording> {
    if folder.with_ending("jsonl").is_empty() {
        return None;
    }
    let timeline = folder.timeline();
    assert!(timeline.unreadable_lines <= 1, "{} lines are torn", timeline.unreadable_lines);
    Some(timeline)
}

/// The variable with the memory that a program may allocate, in MiB.
#[cfg(target_os = "linux")]
const LIMIT: &str = "SESSION_TEST_LIMIT";

#[cfg(target_os = "linux")]
pub(crate) fn little_memory(folder: &Path) {
    let limit: u64 = std::env::var(LIMIT).expect("set").parse().expect("a number");
    system::limit_more_memory(limit << 20);
    // With too little memory for a session, the program ends here.
    let Ok(session) = crate::program::often(folder).start() else { return };
    session.checkpoint("before");
    let mut all: Vec<Vec<u8>> = Vec::new();
    loop {
        all.push(vec![1; 1 << 20]);
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes a minute: nightly runs it"]
fn timelines_record_a_refusal_under_each_limit_of_memory() {
    let _beside = beside();
    let mut refusals = 0;
    for limit in (10..310).step_by(15) {
        let folder = Folder::new();
        let child = Child::start_with("little memory", &folder, &[(LIMIT, &limit.to_string())]);
        let ended = child.end();
        let Some(timeline) = timeline(&folder) else { continue };
        // The system allocates the stack of a thread, so the allocator refuses nothing if no thread
        // can be started.
        if ended.error.contains("memory allocation of") {
            assert!(!timeline.out_of_memory.is_empty(), "{limit} MiB: {}", ended.error);
            refusals += 1;
        }
    }
    println!("{refusals} timelines record a refusal");
    assert!(refusals >= 10, "only {refusals} refusals");
}

struct Random(u64);

impl Random {
    fn below(&mut self, max: Duration) -> Duration {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Duration::from_nanos(self.0 % u64::try_from(max.as_nanos()).unwrap_or(u64::MAX))
    }
}
