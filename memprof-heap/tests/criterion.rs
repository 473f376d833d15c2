//! Benchmarks of memory: criterion's estimates for known work.
#![cfg(feature = "criterion")]
#![expect(clippy::float_cmp, reason = "these are exact")]

use criterion::{BatchSize, Bencher, Criterion, measurement::Measurement};
use memprof_heap::criterion::{AllocatedBytes, PeakBytes};
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

#[global_allocator]
static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();

/// Runs a benchmark and returns criterion's estimate of the mean.
fn mean<M: Measurement + 'static>(
    measurement: M,
    name: &str,
    work: impl FnMut(&mut Bencher<'_, M>),
) -> f64 {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("criterion");
    // Criterion would compare with an earlier run, but can't compare samples that are all equal.
    let _ = fs::remove_dir_all(folder.join(name));
    let short = Duration::from_millis(20);
    Criterion::default()
        .with_measurement(measurement)
        .warm_up_time(short)
        .measurement_time(short)
        .sample_size(10)
        .nresamples(100)
        .output_directory(&folder)
        .bench_function(name, work);
    let path = folder.join(name).join("new").join("estimates.json");
    let estimates = fs::read_to_string(path).expect("criterion writes its estimates");
    let (_, mean) = estimates.split_once(r#""mean":"#).expect("there is a mean");
    let (_, point) = mean.split_once(r#""point_estimate":"#).expect("it has a point");
    let (point, _) = point.split_once(',').expect("more follows");
    point.parse().expect("it is a number")
}

#[test]
fn bytes_allocated_are_those_of_one_iteration() {
    let allocated = AllocatedBytes::new().expect("the allocator is installed");
    let bytes = mean(allocated, "allocated", |bencher| {
        bencher.iter(|| drop((vec![0_u8; 1000], black_box(vec![0_u8; 500]))));
    });
    assert_eq!(bytes, 1500.0);
}

#[test]
fn the_peak_is_that_of_one_iteration() {
    let peak = PeakBytes::new().expect("the allocator is installed");
    let bytes = mean(peak, "peak", |bencher| {
        let work = |()| {
            drop(black_box(vec![0_u8; 3000]));
            drop(black_box(vec![0_u8; 2000]));
        };
        bencher.iter_batched(|| (), work, BatchSize::PerIteration);
    });
    assert_eq!(bytes, 3000.0);
}

#[test]
#[should_panic(
    expected = "use `iter_batched(setup, routine, BatchSize::PerIteration)` in place of"
)]
fn a_peak_of_many_iterations_is_not_divided() {
    let peak = PeakBytes::new().expect("the allocator is installed");
    mean(peak, "many", |bencher| bencher.iter(|| drop(black_box(vec![0_u8; 3000]))));
}
