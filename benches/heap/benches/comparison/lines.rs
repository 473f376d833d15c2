//! Criterion's lines: one group for each value, with the hand-written sum, memprof and the peers.

use crate::options::{Length, Options};
use crate::walk::rounds::Row;
use criterion::{Criterion, SamplingMode};
use memprof_benches::Subject;
use std::time::Duration;

/// The maximum duration of a call in seconds. Without `--long`, slower sides are left out.
const LONGEST: f64 = 0.04;

/// Measures each side of a value and prints criterion's lines. The row has the sides' times.
pub(crate) fn print(row: &Row, subject: &Subject, options: &Options) {
    let (warm_up, time, resamples) = match options.length {
        Length::Test => return,
        Length::Usual => (20, 80, 1_000),
        Length::Long => (200, 1_000, 100_000),
    };
    let mut criterion = Criterion::default().without_plots().nresamples(resamples);
    let mut group = criterion.benchmark_group(row.name());
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    group.warm_up_time(Duration::from_millis(warm_up));
    group.measurement_time(Duration::from_millis(time));
    for side in &subject.sides {
        let is_short = |seconds| options.length == Length::Long || seconds <= LONGEST;
        if row.measured(side.name).is_some_and(|measured| is_short(measured.seconds)) {
            group.bench_function(side.name, |bencher| bencher.iter(|| side.measure()));
        }
    }
    group.finish();
}
