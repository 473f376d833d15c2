use super::Recorder;
use crate::document::Trigger;
use crate::record::clock::Clock;
use crate::record::config::Config;
use crate::record::deadline::Deadline;
use crate::record::heap_level;
use crate::record::roots::Root;
use memprof_heap::hooks::unrecorded;
use memprof_test_support::wait_until;
use std::fs;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The lock that each test with a recorder holds. The bytes of all recorders are counted in one
/// sum, and a recorder that ends switches the allocator's events off for all.
pub(crate) static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn a_summary_without_names_is_not_replaced_by_an_older_one() {
    const SECOND: u64 = 1_000_000_000;
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let config = Config::default();
    let (heap, warning) = heap_level::begin(&config);
    assert_eq!(warning, None);
    let mut recorder = Recorder::new(config, Clock::start(), heap);
    assert_eq!(recorder.first_summary_in(), None);
    let heap = recorder.heap.as_ref().expect("the allocator is memprof's");
    recorder.summariser.begin(heap.summary_job(None, Vec::new(), false), 0);
    let left = recorder.first_summary_in();
    assert!(left.is_some_and(|left| left <= Duration::from_secs(10)), "{left:?}");
    recorder.update_without_names(10 * SECOND);
    assert_eq!(recorder.first_summary_in(), None);
    let patience = Deadline::after(Duration::from_mins(5));
    assert!(recorder.wait_for_summary(40 * SECOND, patience));
    assert_eq!(recorder.summary().at_ns, Some(40 * SECOND));
    assert_eq!(recorder.summary().names_at_ns, Some(0));
}

#[test]
fn after_a_panic_events_and_summaries_wait_for_a_rest() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let config = Config::default();
    let (heap, _) = heap_level::begin(&config);
    let mut recorder = Recorder::new(config, Clock::start(), heap);
    let heap = recorder.heap.as_ref().expect("the allocator is memprof's");
    recorder.summariser.begin(heap.summary_job(None, Vec::new(), false), 0);
    let now_ns = 60_000_000_000;
    recorder.rest_after_panic(now_ns);
    // A first summary counts as late after ten seconds.
    assert_eq!(recorder.next_summary_in(0), Some(Duration::from_millis(60_900)));
    // The summary is done by then, or later: the result is the same.
    std::thread::sleep(Duration::from_millis(500));
    recorder.take_results(now_ns + 899_999_999);
    assert_eq!(recorder.summary().at_ns, None);
    wait_until("the rest is over and the summary is taken", || {
        recorder.take_results(now_ns + 900_000_000);
        recorder.summary().at_ns.is_some()
    });
}

/// The sizes of a session with many roots.
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
    let (heap, _) = heap_level::begin(&config);
    let mut recorder = Recorder::new(config, Clock::start(), heap);
    recorder.open().expect("the folder can be written");
    let values: Vec<Arc<Vec<u8>>> = (0..number).map(|_| Arc::new(vec![0; 100])).collect();
    let began = Instant::now();
    for (index, value) in values.iter().enumerate() {
        recorder.add_root(Root::shared(&format!("connection {index}"), value.clone()));
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
