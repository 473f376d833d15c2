//! Samples are discarded below the level `Sampled`.

use super::{now, sampling};
use crate::block;
use memprof_heap::{Level, NotRecorded, Rate, Since, largest, set_level, sites};

#[test]
fn below_level_sampled_there_are_no_samples() {
    let _sampling = sampling(Rate::EACH_BLOCK);
    set_level(Level::Counters);
    assert_eq!(sites().unwrap_err(), NotRecorded::Samples);
    assert_eq!(largest(1).unwrap_err(), NotRecorded::Samples);
}

#[test]
fn earlier_samples_are_dropped_and_the_start_is_reported() {
    let _sampling = sampling(Rate::EACH_BLOCK);
    let first = block(30_000_000);
    assert!(now().live.value >= 30_000_000.0);
    set_level(Level::Counters);
    let second = block(20_000_000);
    set_level(Level::Sampled);
    let fresh = now();
    assert!(matches!(fresh.since, Since::Ago(_)));
    assert!(fresh.live.value < 100_000.0, "{fresh}");
    assert!(fresh.iter().all(|site| site.allocated.value < 100_000.0), "{fresh}");
    // These frees have no samples.
    drop((first, second));
    let kept = block(777);
    assert!((777.0..100_000.0).contains(&now().live.value));
    drop(kept);
}
