use super::Recorder;
use crate::clock::Clock;
use crate::config::Config;
use std::sync::{Mutex, PoisonError};

/// The lock that each test with a recorder holds. The bytes of all recorders are counted in one
/// sum, and a recorder that ends switches the allocator's events off for all.
pub(crate) static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn after_a_panic_events_wait_for_a_rest() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let config = Config::default();
    let (heap, _) = crate::heap::begin(&config);
    let mut recorder = Recorder::new(config, Clock::start(), heap);
    drop(memprof_heap::operation!("work"));
    let now_ns = 60_000_000_000;
    recorder.rest_after_panic(now_ns);
    recorder.take_events_unless_resting(now_ns + 899_999_999);
    assert_eq!(recorder.not_written.events, 0);
    recorder.take_events_unless_resting(now_ns + 900_000_000);
    assert_eq!(recorder.not_written.events, 1);
}
