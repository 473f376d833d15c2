use super::Recorder;
use crate::config::Config;
use crate::heap::Heap;
use crate::roots::Root;
use crate::time::{Clock, Deadline};
use memprof_heap::hooks::unrecorded;
use memprof_recording::Recording;
use memprof_recording::document::Trigger;
use memprof_test_support::wait_until;
use std::fs;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The lock that each test with a recorder holds. The bytes of all recorders are counted in one
/// sum, and a recorder that ends switches the allocator's events off for all.
pub(crate) static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn after_a_panic_events_wait_for_a_rest() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let config = Config::default();
    let heap = Heap::begin(&config).unwrap_or_default();
    let mut recorder = Recorder::new(config, Clock::start(), heap);
    drop(memprof_heap::operation!("work"));
    let now_ns = 60_000_000_000;
    recorder.rest_after_panic(now_ns);
    recorder.take_events_unless_resting(now_ns + 899_999_999);
    assert_eq!(recorder.not_written.events, 0);
    recorder.take_events_unless_resting(now_ns + 900_000_000);
    assert_eq!(recorder.not_written.events, 1);
}

#[test]
fn a_snapshot_is_answered_before_its_summary_is_computed() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = std::env::temp_dir().join(format!("memprof-{}-answer", std::process::id()));
    let config = Config { output_dir: folder.clone(), ..Config::default() };
    let heap = Heap::begin(&config).unwrap_or_default();
    let mut recorder = Recorder::new(config, Clock::start(), heap);
    recorder.open().expect("the folder can be written");
    let deadline = Deadline::after(recorder.snapshot_budget());
    drop(recorder.snapshot(7, Trigger::Checkpoint, None, deadline));
    let summarised_ns = |recorder: &Recorder| {
        let (_, timeline) = recorder.paths().expect("it has files");
        Recording::read_file(timeline).expect("it is whole").summary.at_ns
    };
    assert_eq!(summarised_ns(&recorder), None);
    recorder.summarise_if_due();
    assert_eq!(summarised_ns(&recorder), Some(7));
    drop(recorder);
    let _ = fs::remove_dir_all(folder);
}

#[derive(Debug)]
#[expect(dead_code, reason = "the times are printed")]
struct ManyRoots {
    added: Duration,
    checkpoint: Duration,
    removed: Duration,
    /// The bytes that the recorder holds, without the roots themselves.
    held_bytes: i64,
    file_bytes: u64,
}

fn many_roots(number: usize) -> ManyRoots {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = std::env::temp_dir().join(format!("memprof-{}-many", std::process::id()));
    let config = Config { output_dir: folder.clone(), ..Config::default() };
    let heap = Heap::begin(&config).unwrap_or_default();
    let mut recorder = Recorder::new(config, Clock::start(), heap);
    recorder.open().expect("the folder can be written");
    let values: Vec<Arc<Vec<u8>>> = (0..number).map(|_| Arc::new(vec![0; 100])).collect();
    let began = Instant::now();
    for (index, value) in values.iter().enumerate() {
        recorder.roots.add(Root::shared(&format!("connection {index}"), value.clone()));
    }
    let added = began.elapsed();
    let held = || memprof_heap::totals().expect("the allocator counts").profiler_bytes;
    let before = held();
    let began = Instant::now();
    let deadline = Deadline::after(recorder.snapshot_budget());
    let name = Some("many".to_owned());
    let snapshot = unrecorded(|| recorder.snapshot(0, Trigger::Checkpoint, name, deadline));
    let checkpoint = began.elapsed();
    let unlisted = snapshot.roots_not_listed.expect("there are more than 1,000 roots");
    assert_eq!(unlisted.count as usize + snapshot.roots.len(), number);
    assert_eq!(unlisted.total_bytes as usize, (number - 1000) * (100 + size_of::<Vec<u8>>()));
    assert!(!unlisted.is_lower_bound, "each root is walked");
    let held_bytes = held() - before;
    let (_, timeline) = recorder.paths().expect("it has files");
    let file_bytes = fs::metadata(timeline).expect("it is there").len();
    let began = Instant::now();
    for index in 0..number {
        recorder.remove_root(&format!("connection {index}"));
    }
    recorder.drop_removed_roots();
    let removed = began.elapsed();
    drop(recorder);
    wait_until("the roots are dropped", || values.iter().all(|one| Arc::strong_count(one) == 1));
    let _ = fs::remove_dir_all(folder);
    ManyRoots { added, checkpoint, removed, held_bytes, file_bytes }
}

#[test]
fn a_snapshot_of_many_roots_is_bounded() {
    let [few, many] = [5_000, 20_000].map(many_roots);
    for roots in [&few, &many] {
        assert!(roots.file_bytes < 1 << 20 && roots.held_bytes < 4 << 20, "{roots:?}");
    }
    assert!(many.file_bytes < few.file_bytes + few.file_bytes / 10, "{few:?} {many:?}");
}

/// Prints the times and sizes of a session with 100,000 roots.
#[test]
#[ignore = "it measures; run it with --release"]
fn a_hundred_thousand_roots() {
    println!("{:#?}", many_roots(100_000));
}
