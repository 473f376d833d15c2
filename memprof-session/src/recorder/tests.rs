use super::Recorder;
use crate::clock::Clock;
use crate::config::Config;
use crate::deadline::Deadline;
use memprof_test_support::wait_until;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The lock that each test with a recorder holds. The bytes of all recorders are counted in one
/// sum, and a recorder that ends switches the allocator's events off for all.
pub(crate) static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn a_summary_without_names_is_not_replaced_by_an_older_one() {
    const SECOND: u64 = 1_000_000_000;
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let config = Config::default();
    let (heap, warning) = crate::heap::begin(&config);
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
    let (heap, _) = crate::heap::begin(&config);
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
