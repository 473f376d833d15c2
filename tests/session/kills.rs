//! Programs that are killed at a random time, or start with little memory: their files stay
//! readable.

use crate::beside;
use crate::child::Child;
use crate::folder::Folder;
use memprof::session::Recording;
use memprof_test_support::unix::{self as system, SIGKILL};
use std::thread;
use std::time::{Duration, Instant};
#[cfg(target_os = "linux")]
use {
    memprof::session::document::{MemoryLimit, PartKind, Snapshot, Trigger},
    memprof_test_support::skip,
    std::fs,
    std::os::unix::process::ExitStatusExt,
    std::path::{Path, PathBuf},
};

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

/// The variable with what a program allocates until its limit: `c` or `rust`.
#[cfg(target_os = "linux")]
const GROWING: &str = "SESSION_TEST_GROWING";
/// The variable with the control group that a program joins.
#[cfg(target_os = "linux")]
const GROUP: &str = "SESSION_TEST_GROUP";

#[cfg(target_os = "linux")]
pub(crate) fn grow_to_a_limit(folder: &Path) {
    if let Ok(group) = std::env::var(GROUP) {
        fs::write(Path::new(&group).join("cgroup.procs"), "0").expect("the group can be joined");
    }
    if let Ok(limit) = std::env::var(LIMIT) {
        system::limit_more_memory(limit.parse::<u64>().expect("a number") << 20);
    }
    let session = crate::program::often(folder).start().expect("the folder can be written");
    session.checkpoint("before");
    let mut all: Vec<Vec<u8>> = Vec::new();
    let in_c = std::env::var(GROWING).is_ok_and(|growing| growing == "c");
    loop {
        if in_c {
            system::allocate_in_c(1 << 20);
        } else {
            all.push(vec![1; 1 << 20]);
        }
        thread::sleep(Duration::from_millis(12));
    }
}

/// Checks that a timeline has a snapshot at each level of its limit, and returns the part that held
/// the most memory at the last one.
#[cfg(target_os = "linux")]
fn holder(timeline: &Recording, limit: MemoryLimit, error: &str) -> PartKind {
    let near = |one: &&Snapshot| one.trigger == Trigger::Limit;
    let near: Vec<&Snapshot> = timeline.snapshots.iter().filter(near).collect();
    let names: Vec<_> = near.iter().filter_map(|one| one.name.as_deref()).collect();
    assert_eq!(names, ["80 %", "90 %", "95 %"], "{error}");
    for (one, level) in near.iter().zip([80, 90, 95]) {
        let pressure = one.pressure.as_deref().expect("it is about a limit");
        assert_eq!(pressure.limit, limit);
        assert!((level..level + 5).contains(&pressure.percent()), "{pressure:?} at {level} %");
        assert!(timeline.live_stacks.iter().any(|moment| moment.snapshot == Some(one.number)));
    }
    let resident = near[2].resident.as_ref().expect("it has a full reading");
    let largest = resident.parts.iter().max_by_key(|part| part.bytes);
    largest.expect("there are parts").kind
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_at_its_limit_of_addresses_leaves_what_held_its_memory() {
    let _beside = beside();
    for (growing, expected) in [("c", PartKind::CLibraries), ("rust", PartKind::LiveHeap)] {
        let folder = Folder::new();
        let settings = [(GROWING, growing), (LIMIT, "700"), ("SESSION_TEST_LEVEL", "sampled")];
        let ended = Child::start_with("grow to a limit", &folder, &settings).end();
        assert!(!ended.status.success());
        let timeline = folder.with_ending("json").is_empty().then(|| folder.timeline());
        let recording = timeline.unwrap_or_else(|| folder.recording());
        let holder = holder(&recording, MemoryLimit::AddressSpace, &ended.error);
        assert_eq!(holder, expected, "{}", ended.error);
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs root and control groups: nightly runs it"]
fn a_program_that_the_kernel_kills_leaves_what_held_its_memory() {
    let _beside = beside();
    let cases = [
        ("c", "", PartKind::CLibraries),
        ("rust", "", PartKind::LiveHeap),
        ("rust", "without-a-limit", PartKind::LiveHeap),
    ];
    for (growing, within, expected) in cases {
        let Some(group) = Group::new(256 << 20) else {
            return skip("no control group with a limit of memory can be made");
        };
        let inner = Group::within(&group, within);
        let folder = Folder::new();
        let path = inner.0.to_str().expect("it is text");
        let settings = [(GROWING, growing), (GROUP, path), ("SESSION_TEST_LEVEL", "sampled")];
        let ended = Child::start_with("grow to a limit", &folder, &settings).end();
        assert_eq!(ended.status.signal(), Some(SIGKILL), "{}", ended.error);
        let timeline = timeline(&folder).expect("it was begun");
        assert_eq!(holder(&timeline, MemoryLimit::Group, &ended.error), expected);
    }
}

/// A control group below that of this process, with a limit of its memory.
#[cfg(target_os = "linux")]
struct Group(PathBuf);

#[cfg(target_os = "linux")]
impl Group {
    fn new(limit: u64) -> Option<Self> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let own = |prefix: &str| groups.lines().find_map(|line| line.split_once(prefix));
        let (own, root, file) = match own(":memory:") {
            Some((_, own)) => (own, "/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            None => (own("0::")?.1, "/sys/fs/cgroup", "memory.max"),
        };
        let name = format!("memprof-{}", std::process::id());
        let group = Self(Path::new(root).join(own.trim_start_matches('/')).join(name));
        fs::create_dir(&group.0).ok()?;
        fs::write(group.0.join(file), limit.to_string()).ok()?;
        Some(group)
    }

    /// Makes a group below another one, without a limit of its own.
    fn within(outer: &Self, name: &str) -> Self {
        let group = Self(outer.0.join(name));
        fs::create_dir_all(&group.0).expect("it is a group");
        group
    }
}

#[cfg(target_os = "linux")]
impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
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
