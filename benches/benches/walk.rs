//! Criterion's figures: one group for each value, with the hand-written sum, memprof and every
//! peer.

use criterion::{BenchmarkGroup, Criterion, SamplingMode, measurement::WallTime};
use memprof_benches::{Side, values::WORKLOADS};
use std::time::Duration;

fn main() {
    // Under `cargo test`, small values are enough.
    let smaller = if std::env::args().any(|word| word == "--bench") { 1 } else { 1_000 };
    let mut criterion = Criterion::default().configure_from_args();
    for workload in WORKLOADS {
        let subject = (workload.build)(workload.size / smaller);
        let mut group = criterion.benchmark_group(workload.name);
        group.sampling_mode(SamplingMode::Flat).sample_size(10);
        group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
        for side in &subject.sides {
            measure(&mut group, side);
        }
        group.finish();
    }
    criterion.final_summary();
}

fn measure(group: &mut BenchmarkGroup<WallTime>, side: &Side) {
    if side.absent().is_none() {
        group.bench_function(side.name, |bencher| bencher.iter(|| side.measure()));
    }
}
