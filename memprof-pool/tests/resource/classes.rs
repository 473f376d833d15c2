//! Tests that observed size classes reserve less memory for the same trace.

use crate::workload::{SMALL, batches, lengths};
use memprof_pool::{AddressSpace, CachingPool, PoolStatistics, Replay, SizeClasses, Step};

const SEEDS: [u64; 4] = [1, 5, 9, 15];
const MIB: u64 = 1 << 20;

fn replayed(steps: &[Step], classes: SizeClasses) -> PoolStatistics {
    let pool = CachingPool::builder(AddressSpace::new()).size_classes(classes).build();
    let pool = pool.expect("it needs nothing");
    let mut replay = Replay::on(&pool);
    for &step in steps {
        replay.step(step).expect("the trace is sound");
    }
    pool.check().expect("the pool is consistent");
    pool.statistics()
}

/// Returns the peak of reserved bytes with observed classes, divided by the peak with fixed
/// classes.
///
/// Both peaks are sums over all seeds.
fn ratio(trace: impl Fn(u64) -> Vec<Step>) -> f64 {
    let mut sums = [0_u64; 2];
    for seed in SEEDS {
        let steps = trace(seed);
        for (sum, classes) in sums.iter_mut().zip([SizeClasses::Observed, SizeClasses::Fixed]) {
            *sum += replayed(&steps, classes).peak_reserved;
        }
    }
    let [observed, fixed] = sums.map(|sum| u32::try_from(sum / MIB).expect("some GiB"));
    f64::from(observed) / f64::from(fixed)
}

// The replays are deterministic, so their figures are exact.

#[test]
fn training_with_the_same_sizes_in_each_step_reserves_less() {
    let steps = SMALL.train(&[256; 20]);
    let [observed, fixed] = [SizeClasses::Observed, SizeClasses::Fixed].map(|classes| {
        let statistics = replayed(&steps, classes);
        assert!(statistics.hit_rate().expect("it allocates") > 0.98);
        (statistics.peak_reserved / MIB, statistics.internal_waste() / MIB)
    });
    assert_eq!((observed, fixed), ((484, 3), (496, 7)));
}

#[test]
fn training_with_sequences_of_varying_length_reserves_no_more() {
    let ratio = ratio(|seed| SMALL.train(&lengths(seed, 20)));
    assert!((0.95..1.0).contains(&ratio), "{ratio}");
}

#[test]
fn tensors_that_grow_with_each_token_reserve_no_more() {
    let ratio = ratio(|seed| SMALL.generate(&lengths(seed, 8), 50));
    assert!((0.9..1.0).contains(&ratio), "{ratio}");
}

#[test]
fn batches_of_similar_size_reserve_5_percent_less() {
    let ratio = ratio(|seed| batches(seed, 32, 6 * MIB, 6 * MIB + MIB * 4 / 10, 4000));
    assert!((0.9..0.95).contains(&ratio), "{ratio}");
}

#[test]
fn large_blocks_reserve_the_same() {
    let ratio = ratio(|seed| batches(seed, 16, 60 * MIB, 70 * MIB, 1000));
    assert!((1.0..1.0 + f64::EPSILON).contains(&ratio), "{ratio}");
}
