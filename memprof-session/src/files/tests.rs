//! Tests of names, caps and documents in a temporary folder.

use super::{Caps, Files, addresses};
use crate::recorder::tests::ALONE;
use memprof_heap::Level;
use memprof_recording::Recording;
use memprof_recording::document::{
    Ended, LiveStacks, Metadata, OperationEvent, OperationPath, Place, Snapshot, StackTable,
    Summary, ThreadName, Trigger,
};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("memprof-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
        Self(folder)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("it is there");
        let name = |entry: std::io::Result<fs::DirEntry>| {
            entry.expect("it can be read").file_name().into_string().expect("names are ours")
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const CAPS: Caps = Caps { timeline_bytes: 64 << 20, events: 1_000_000 };

fn metadata() -> Metadata {
    Metadata {
        program: "app".to_owned(),
        pid: 77,
        run: None,
        memprof: "0.1.0".to_owned(),
        platform: "linux x86_64".to_owned(),
        started_unix_ns: 1_795_249_800_000_000_000,
        generated_at: "2026-11-21T08:30:00Z".to_owned(),
        generated_ns: 0,
        interval_ns: 5_000_000_000,
        first_interval_ns: None,
        snapshots: 0,
        operations_tracked: true,
        ended: Ended::Running,
        was_dropped: false,
    }
}

fn files(folder: &Path, caps: Caps) -> Files {
    Files::create(folder, &metadata(), caps).expect("the folder can be written")
}

fn snapshot(number: u64, trigger: Trigger) -> Snapshot {
    let mut snapshot = Snapshot::new(number, number * 5_000_000_000, trigger);
    snapshot.name = (trigger == Trigger::Checkpoint).then(|| format!("checkpoint {number}"));
    snapshot
}

fn event(start_ns: u64, time: u64, net_bytes: i64) -> OperationEvent {
    OperationEvent {
        path: 1,
        thread: 1,
        start_ns,
        end_ns: start_ns + time,
        net_bytes,
        before_bytes: 0,
        after_bytes: net_bytes,
        tensor_net_bytes: None,
    }
}

fn read(path: &Path) -> Recording {
    let recording = Recording::read_file(path).expect("it was written whole");
    assert_eq!(recording.unreadable_lines, 0);
    recording
}

#[test]
fn file_names_have_the_time_in_utc() {
    for (unix, expected) in [
        (0, "19700101_000000"),
        (951_782_400, "20000229_000000"),
        (1_795_249_800, "20261121_083000"),
    ] {
        assert_eq!(super::stamp(unix), expected);
    }
}

#[test]
fn sessions_of_one_second_have_files_of_their_own() {
    let folder = Folder::new("names");
    fs::write(folder.0.join("memory_profile_20261121_083000.json"), "mine").expect("it is ours");
    let _first = files(&folder.0, CAPS);
    let _second = files(&folder.0, CAPS);
    assert_eq!(
        folder.names(),
        [
            "memory_profile_20261121_083000.json",
            "memory_profile_20261121_083000_77.jsonl",
            "memory_profile_20261121_083000_77_2.jsonl",
        ]
    );
    let kept = fs::read(folder.0.join("memory_profile_20261121_083000.json"));
    assert_eq!(kept.expect("it is still there"), b"mine");
}

#[test]
fn a_file_has_the_names_of_the_threads_whose_calls_it_has() {
    let folder = Folder::new("threads");
    let mut files = files(&folder.0, Caps { events: 4, ..CAPS });
    let name = |thread: u32| ThreadName { thread, name: format!("worker \"{thread}\"\n") };
    files.add_thread_names([1, 2, 3].map(name).to_vec());
    let call = |thread, time| OperationEvent { thread, ..event(0, time, 0) };
    let mut after = |calls: &[OperationEvent]| {
        files.add_events(calls.to_vec()).expect("there is room");
        files.write_document(&metadata(), &Summary::default()).expect("there is room");
        let [timeline, document] = [files.timeline_path(), files.document_path()].map(read);
        assert_eq!(timeline.thread_names, document.thread_names);
        timeline.thread_names
    };
    assert_eq!(after(&[call(1, 10), call(4, 10)]), [name(1)], "one name is unknown");
    assert_eq!(after(&[call(2, 1 << 30)]), [name(1), name(2)]);
    assert_eq!(
        after(&[call(3, 10), call(3, 10)]),
        [1, 2, 3].map(name),
        "the fourth call is the last"
    );
}

#[test]
fn a_document_equals_its_timeline() {
    let folder = Folder::new("document");
    let mut files = files(&folder.0, CAPS);
    for number in 0..3 {
        files.add_snapshot(&snapshot(number, Trigger::Interval)).expect("there is room");
    }
    let path = |path, names: &[&str], parent| OperationPath {
        path,
        names: names.iter().map(|&name| name.to_owned()).collect(),
        parent,
        file: "a.rs".to_owned(),
        line: 7,
    };
    files.add_paths(&[path(1, &["load"], None)]).expect("there is room");
    files.add_paths(&[path(2, &["load", "parse"], Some(1))]).expect("there is room");
    let events: Vec<_> =
        (0..1500).map(|index| event(index, index, -(index.cast_signed()))).collect();
    let thread_names = vec![ThreadName { thread: 1, name: "main".to_owned() }];
    files.add_thread_names(thread_names.clone());
    files.add_events(events.clone()).expect("there is room");
    let mut stacks = StackTable::default();
    stacks.addresses.insert(3, vec![0x10, 0x20]);
    files.add_stacks(&stacks).expect("there is room");
    let moment = LiveStacks {
        at_ns: 7,
        trigger: Trigger::Peak,
        name: None,
        snapshot: None,
        live_bytes: 9,
        root_names: Vec::new(),
        rows: Vec::new(),
        pinned: Vec::new(),
    };
    files.add_live_stacks(&moment).expect("there is room");
    let mut summary = Summary::default();
    summary.warnings.push("a \"warning\"\n".to_owned());
    for _ in 0..2 {
        files.add_last_lines(&metadata(), &summary).expect("there is room");
        files.write_document(&metadata(), &summary).expect("there is room");
        for path in [files.document_path(), files.timeline_path()] {
            let recording = read(path);
            assert_eq!(recording.metadata, metadata());
            assert_eq!(recording.snapshots.len(), 3);
            assert_eq!(recording.operation_paths.len(), 2);
            assert_eq!(recording.operation_events, events);
            assert_eq!(recording.thread_names, thread_names);
            assert_eq!(recording.stacks, stacks);
            let moments: Vec<u64> =
                recording.live_stacks.iter().map(|moment| moment.at_ns).collect();
            assert_eq!(moments, [moment.at_ns]);
            assert_eq!(recording.summary, summary);
        }
    }
    let stem = "memory_profile_20261121_083000";
    assert_eq!(folder.names(), [format!("{stem}.json"), format!("{stem}.jsonl")]);
}

#[test]
fn a_long_timeline_stays_small_and_even_in_time() {
    let folder = Folder::new("thinned");
    let most = 64 << 10;
    let mut files = files(&folder.0, Caps { timeline_bytes: most, ..CAPS });
    for number in 0..20_000_u64 {
        let trigger = match number {
            0 => Trigger::Start,
            777 => Trigger::Checkpoint,
            number if number % 1000 == 0 => Trigger::Peak,
            // The session takes no snapshots between those of the doubled interval.
            number if !number.is_multiple_of(1 << files.doublings()) => continue,
            _ => Trigger::Interval,
        };
        files.add_snapshot(&snapshot(number, trigger)).expect("there is room");
        if number % 10 == 0 {
            files.add_summary(&Summary::default()).expect("there is room");
        }
        let bytes = fs::metadata(files.timeline_path()).expect("it is there").len();
        assert!(bytes < most + 4096, "{bytes} at {number}");
    }
    assert!((4..10).contains(&files.doublings()), "{}", files.doublings());
    files.write_document(&metadata(), &Summary::default()).expect("there is room");
    let recording = read(files.document_path());
    let times: Vec<u64> = recording.snapshots.iter().map(|snapshot| snapshot.at_ns).collect();
    assert!(times.is_sorted() && times.len() > 50, "{}", times.len());
    assert_eq!(recording.snapshots[0].number, 0);
    let last = recording.snapshots.last().expect("there are some").number;
    assert!(last > 19_000, "{last}");
    assert!(recording.snapshot("checkpoint 777").is_some());
    let span: u64 = 20_000 * 5_000_000_000;
    for quarter in 0..4 {
        let within = span / 4 * quarter..span / 4 * (quarter + 1);
        let found = times.iter().filter(|&&time| within.contains(&time)).count();
        assert!(found * 8 >= times.len() / 4, "{found} of {} in {quarter}", times.len());
    }
}

#[test]
fn calls_beyond_the_maximum_are_counted() {
    let folder = Folder::new("events");
    let mut files = files(&folder.0, Caps { events: 1000, ..CAPS });
    for _ in 0..50 {
        files.add_events(vec![event(5, 10, 0); 400]).expect("there is room");
    }
    let events = read(files.timeline_path()).operation_events.len() as u64;
    assert_eq!((events, files.dropped_events().over_cap), (1000, 50 * 400 - 1000));
}

#[test]
fn the_timeline_is_removed_only_with_a_folder_on_the_disk() {
    let folder = Folder::new("remove");
    let mut files = files(&folder.0, CAPS);
    files.write_document(&metadata(), &Summary::default()).expect("there is room");
    files.remove_timeline().expect("it is ours");
    assert_eq!(folder.names(), ["memory_profile_20261121_083000.json"]);
    assert_eq!(read(files.timeline_path()).metadata, metadata());
}

/// Uses the device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_the_next_line_is_tried_again() {
    use super::timeline::Timeline;

    let full = fs::OpenOptions::new().read(true).append(true).open("/dev/full");
    let mut timeline = Timeline::new(full.expect("Linux has it"), "/dev/full".into());
    let error = timeline.begin(&metadata()).expect_err("it is full");
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}

#[cfg(unix)]
#[test]
fn a_removed_folder_loses_the_files_and_not_the_program() {
    let folder = Folder::new("removed");
    let mut files = files(&folder.0, Caps { timeline_bytes: 4096, events: 100 });
    fs::remove_dir_all(&folder.0).expect("it is ours");
    let mut errors = 0;
    for number in 0..1000 {
        errors += u64::from(files.add_snapshot(&snapshot(number, Trigger::Interval)).is_err());
    }
    assert!(errors > 1, "a timeline that cannot be thinned out does not grow");
    let lost = files.not_written();
    assert!(lost.snapshots + 1 >= errors && lost.snapshots <= errors, "{lost:?} {errors}");
    assert!(files.write_document(&metadata(), &Summary::default()).is_err());
}

#[cfg(unix)]
#[test]
fn a_timeline_that_could_not_be_thinned_out_goes_on_when_it_can() {
    let folder = Folder::new("restored");
    let mut files = files(&folder.0, Caps { timeline_bytes: 4096, events: 100 });
    let (here, away) = (&folder.0, folder.0.with_extension("away"));
    fs::rename(here, &away).expect("it is ours");
    for number in 0..100 {
        let _ = files.add_snapshot(&snapshot(number, Trigger::Interval));
        let _ = files.add_events(vec![event(number, 1, 0); 3]);
    }
    let lost = files.not_written();
    assert!(lost.snapshots > 10 && lost.events > 30, "{lost:?}");
    fs::rename(&away, here).expect("it is ours");
    for number in 100..300 {
        let _ = files.add_snapshot(&snapshot(number, Trigger::Interval));
    }
    assert!(files.not_written().snapshots - lost.snapshots <= 64, "it is tried again");
    let newest = read(files.timeline_path()).snapshots.last().map(|snapshot| snapshot.number);
    assert_eq!(newest, Some(299));
    assert!(fs::metadata(files.timeline_path()).expect("it is there").len() < 16 << 10);
}

#[cfg(target_os = "linux")]
#[test]
fn snapshots_and_events_refused_by_a_full_disk_are_counted() {
    let folder = Folder::new("lost");
    let mut files = files(&folder.0, CAPS);
    files.add_snapshot(&snapshot(0, Trigger::Start)).expect("there is room");
    let full = fs::OpenOptions::new().read(true).append(true).open("/dev/full");
    files.timeline =
        super::timeline::Timeline::new(full.expect("Linux has it"), "/dev/full".into());
    for number in 1..=5 {
        assert!(files.add_snapshot(&snapshot(number, Trigger::Interval)).is_err());
        assert!(files.add_events(vec![event(1, 1, 1); 600]).is_err());
    }
    let lost = files.not_written();
    assert_eq!((lost.snapshots, lost.events), (5, 3000));
}

#[cfg(unix)]
#[test]
fn a_planted_link_is_neither_followed_nor_in_the_way() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new("planted");
    let files = files(&folder.0, CAPS);
    let mine = folder.0.join("mine");
    fs::write(&mine, "mine").expect("it is ours");
    for ending in ["json.tmp", "jsonl.tmp", "json"] {
        symlink(&mine, files.timeline_path().with_extension(ending)).expect("it is ours");
    }
    files.write_document(&metadata(), &Summary::default()).expect("there is room");
    assert_eq!(fs::read(&mine).expect("it is still there"), b"mine");
    let document = fs::symlink_metadata(files.document_path()).expect("it is written");
    assert!(document.is_file(), "the link is replaced");
}

#[test]
fn passing_summaries_grow_the_timeline_by_800_bytes_a_second() {
    let folder = Folder::new("summaries");
    let mut files = files(&folder.0, CAPS);
    let summary = Summary { warnings: vec!["x".repeat(10_000)], ..Summary::default() };
    for second in 1..=300 {
        files.add_passing_summary(&summary, second * 1_000_000_000).expect("there is room");
    }
    let size = || fs::metadata(files.timeline_path()).expect("it is there").len();
    assert!((256_000..272_000).contains(&size()), "{}", size());
}

#[test]
fn only_the_last_summary_lists_the_largest_blocks() {
    let folder = Folder::new("passing");
    let mut files = files(&folder.0, CAPS);
    let block = json!({ "bytes": 5, "age_ns": 1, "operation": [], "place": {} });
    let summary = json!({ "largest_blocks": [block] });
    let summary: Summary = serde_json::from_value(summary).expect("it is complete");
    let blocks = |files: &Files| read(files.timeline_path()).summary.largest_blocks.len();
    files.add_passing_summary(&summary, 0).expect("there is room");
    assert_eq!(blocks(&files), 0);
    files.add_last_lines(&metadata(), &summary).expect("there is room");
    assert_eq!(blocks(&files), 1);
}

#[test]
fn the_stacks_of_summaries_are_written_once() {
    let folder = Folder::new("summary-stacks");
    let mut files = files(&folder.0, CAPS);
    let place = |function: &str, address: u64| {
        let file = "/src/main.rs";
        json!({ "function": function, "file": file, "line": 7, "address": address })
    };
    let hook = json!({ "function": "__rustc::__rust_alloc" });
    assert!(memprof_profile::text::is_allocation_hook(hook["function"].as_str(), None));
    let stack: Vec<_> = (0..50).map(|at| place(&format!("function {at}"), at / 2 + 1000)).collect();
    let mut cut = stack.clone();
    cut.push(json!({ "function": memprof_profile::text::CUT_FRAMES }));
    let estimate = json!({ "value": 1.0, "standard_error": 0.0, "samples": 1 });
    let block = |stack: &[serde_json::Value]| json!({ "bytes": 5, "age_ns": 1, "operation": [], "place": stack[0], "stack": stack });
    let leak = json!({
        "place": stack[1], "operation": [], "bytes_per_second": 1.0, "bytes_per_call": null,
        "bytes_per_second_interval": [0.0, 2.0], "live": estimate, "live_blocks": estimate,
        "stack": stack[1..],
    });
    let summary: Summary = serde_json::from_value(json!({
        "largest_blocks": [block(&stack), block(&stack), block(&cut), block(&[hook])],
        "leaks": [leak],
    }))
    .expect("it is complete");
    let mut sizes = Vec::new();
    for _ in 0..3 {
        files.add_summary(&summary).expect("there is room");
        files.write_document(&metadata(), &summary).expect("there is room");
        for path in [files.document_path(), files.timeline_path()] {
            assert_eq!(read(path).summary, summary);
        }
        sizes.push(fs::metadata(files.timeline_path()).expect("it is there").len());
    }
    assert!(sizes[1] - sizes[0] < 1500 && sizes[2] - sizes[1] == sizes[1] - sizes[0], "{sizes:?}");
}

#[derive(Debug)]
#[expect(dead_code, reason = "some figures are only printed")]
struct LongLife {
    /// The largest size of the timeline, and its size at the end.
    timeline_bytes: [u64; 2],
    document_bytes: u64,
    /// The most memory that was held, in the first tenth of the time and in all of it.
    held_bytes: [i64; 2],
    snapshots_kept: usize,
    doublings: u32,
}

/// Writes the snapshots of a session with a hundred calls of operations and ten new call sites for
/// each of them.
fn long_life(snapshots: u64, timeline_bytes: u64) -> LongLife {
    let folder = Folder::new("long-life");
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let _level = memprof_heap::request_level(Level::Counters);
    let held = || memprof_heap::totals().expect("the allocator counts").profiler_bytes;
    let before = held();
    let mut files = files(&folder.0, Caps { timeline_bytes, events: 10_000 });
    let (mut largest, mut first_held, mut most_held) = (0, 0, 0);
    for number in 0..snapshots {
        let base = number * 1_000_000_000;
        files.add_events((0..100).map(|call| event(base + call, 50, 8)).collect()).expect("room");
        let mut stacks = StackTable::default();
        for site in number * 10..(number + 1) * 10 {
            let addresses = (0..40).map(|at| 0x5555_0000_0000 + site * 64 + at).collect();
            stacks.addresses.insert(site as u32, addresses);
        }
        if files.has_space_for_stacks() {
            files.add_stacks(&stacks).expect("there is room");
        }
        if number % 10 == 0 {
            let row = |row: u64| json!([row, null, null, 9e6, 1e5, 30.0, 0.5, 30]);
            let rows: Vec<_> = (number..number + 500).map(row).collect();
            let moment = json!({
                "at_ns": base, "trigger": "peak", "live_bytes": number, "rows": rows,
            });
            let moment = serde_json::from_value(moment).expect("it is complete");
            files.add_live_stacks(&moment).expect("there is room");
        }
        let place = |address: u64| json!({ "function": null, "address": address });
        let blocks: Vec<_> = (number * 10..number * 10 + 10)
            .map(|site| {
                let stack: Vec<_> =
                    (0..40).map(|at| place(0x5555_0000_0000 + site * 64 + at)).collect();
                json!({
                    "bytes": 5, "age_ns": 1, "operation": [], "place": stack[0], "stack": stack,
                })
            })
            .collect();
        let summary = json!({ "largest_blocks": blocks });
        let summary: Summary = serde_json::from_value(summary).expect("it is complete");
        files.add_passing_summary(&summary, base).expect("there is room");
        if number.is_multiple_of(1 << files.doublings()) {
            let mut snapshot = Snapshot::new(number, base, Trigger::Interval);
            snapshot.name = Some("x".repeat(2000));
            files.add_snapshot(&snapshot).expect("there is room");
        }
        let size = fs::metadata(files.timeline_path()).expect("it is there").len();
        largest = largest.max(size);
        most_held = most_held.max(held() - before);
        if number < snapshots / 10 {
            first_held = most_held;
        }
    }
    files.write_document(&metadata(), &Summary::default()).expect("there is room");
    let size = |path: &Path| fs::metadata(path).expect("it is there").len();
    LongLife {
        timeline_bytes: [largest, size(files.timeline_path())],
        document_bytes: size(files.document_path()),
        held_bytes: [first_held, most_held],
        snapshots_kept: read(files.document_path()).snapshots.len(),
        doublings: files.doublings(),
    }
}

#[test]
fn a_long_session_has_bounded_files_and_memory() {
    const CAP: u64 = 1 << 20;
    let life = memprof_heap::hooks::unrecorded(|| long_life(1000, CAP));
    // In addition to the cap, each of stacks and live stacks takes a quarter; calls have a cap too.
    let calls = 10_000 * 60;
    assert!(life.timeline_bytes[0] < CAP + CAP / 2 + calls + (64 << 10), "{life:?}");
    assert!(life.doublings > 0 && life.held_bytes[1] < 4 << 20, "{life:?}");
}

/// Prints the sizes of a session with a million calls, 100,000 call sites and 10,000 snapshots.
#[test]
#[ignore = "it measures; run it with --release"]
fn a_long_life() {
    println!("{:#?}", memprof_heap::hooks::unrecorded(|| long_life(10_000, CAPS.timeline_bytes)));
    println!("{:#?}", memprof_heap::hooks::unrecorded(|| long_life(10_000, 4 << 20)));
}

#[test]
fn each_call_of_a_recursive_function_keeps_its_frame() {
    let frame = |address| Place { address: Some(address), ..Place::default() };
    let inlined = |address| Place { function: Some("run".to_owned()), ..frame(address) };
    let stack = [frame(5), frame(7), frame(7), inlined(8), inlined(8), frame(9)];
    assert_eq!(addresses(&stack), Some(vec![5, 7, 7, 8, 9]));
}
