//! Benchmarks of memory: [`Measurement`]s for criterion 0.8.
//!
//! [`AllocatedBytes`] and [`PeakBytes`] replace criterion's wall time. They measure what the
//! benchmark's thread allocates; [`measure`](crate::measure) describes what is counted.
//!
//! ```
//! use criterion::Criterion;
//! use memprof::heap::criterion::AllocatedBytes;
//! # use std::time::Duration;
//!
//! #[global_allocator]
//! static ALLOC: memprof::Allocator = memprof::Allocator::system();
//!
//! # fn main() -> Result<(), memprof::heap::NotInstalled> {
//! let mut criterion = Criterion::default().with_measurement(AllocatedBytes::new()?);
//! # let folder = std::env::temp_dir().join(format!("memprof-criterion-{}", std::process::id()));
//! # let short = Duration::from_millis(5);
//! # criterion = criterion.warm_up_time(short).measurement_time(short).sample_size(10);
//! # criterion = criterion.output_directory(&folder);
//! criterion.bench_function("repeat", |bencher| bencher.iter(|| "memory".repeat(1000)));
//! # let _ = std::fs::remove_dir_all(folder);
//! # Ok(())
//! # }
//! ```
//!
//! Criterion prints amounts in place of times: `repeat  time: [5.8594 KiB …]`. It can't compute
//! statistics of zeros: for a benchmark that allocates nothing it prints a message instead.

use crate::read::counts::{self, NotInstalled, switch_counting_on};
use crate::record::{running, threads};
use core::fmt;
use criterion::Throughput;
use criterion::measurement::{Measurement, ValueFormatter};

/// A measurement of bytes: [`AllocatedBytes`] or [`PeakBytes`].
#[derive(Clone, Copy, Debug)]
pub struct MeasuredBytes<const IS_PEAK: bool>(());

/// A measurement of the bytes that a benchmark allocates, per iteration. A reallocation adds its
/// new size.
pub type AllocatedBytes = MeasuredBytes<false>;

/// A measurement of the maximum of live bytes, minus the bytes live at the start.
///
/// Benchmarks must use `iter_batched` with `BatchSize::PerIteration`, which measures each iteration
/// by itself. `iter` measures many iterations at once and divides their one peak by their number, so
/// it panics. Larger batches have the same fault, but look the same as single iterations.
///
/// ```
/// use criterion::{BatchSize, Criterion};
/// use memprof::heap::criterion::PeakBytes;
/// # use std::time::Duration;
///
/// #[global_allocator]
/// static ALLOC: memprof::Allocator = memprof::Allocator::system();
///
/// # fn main() -> Result<(), memprof::heap::NotInstalled> {
/// let mut criterion = Criterion::default().with_measurement(PeakBytes::new()?);
/// # let folder = std::env::temp_dir().join(format!("memprof-peak-{}", std::process::id()));
/// # let short = Duration::from_millis(5);
/// # criterion = criterion.warm_up_time(short).measurement_time(short).sample_size(10);
/// # criterion = criterion.output_directory(&folder);
/// criterion.bench_function("sort", |bencher| {
///     let numbers = || (0..1000).rev().collect::<Vec<u64>>();
///     bencher.iter_batched(numbers, |mut all| all.sort(), BatchSize::PerIteration);
/// });
/// # let _ = std::fs::remove_dir_all(folder);
/// # Ok(())
/// # }
/// ```
pub type PeakBytes = MeasuredBytes<true>;

/// The bytes of one measurement or of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    bytes: u64,
    /// False for the result of a single measurement, which may have had many iterations.
    is_sum: bool,
}

impl From<u64> for Amount {
    /// The sum over iterations that were measured one by one, for `iter_custom`.
    fn from(bytes: u64) -> Self {
        Self { bytes, is_sum: true }
    }
}

/// A measurement in progress.
pub struct Running(running::RunningMeasurement);

impl fmt::Debug for Running {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Running").finish_non_exhaustive()
    }
}

impl<const IS_PEAK: bool> MeasuredBytes<IS_PEAK> {
    /// Sets the level to [`Counters`](crate::Level::Counters) if it is [`Off`](crate::Level::Off).
    ///
    /// # Errors
    /// Returns an error if [`Allocator`](crate::Allocator) isn't the global allocator.
    pub fn new() -> Result<Self, NotInstalled> {
        switch_counting_on().map(Self)
    }
}

impl<const IS_PEAK: bool> Measurement for MeasuredBytes<IS_PEAK> {
    type Intermediate = Running;
    type Value = Amount;

    /// # Panics
    /// Panics if the system has no memory for the measurement.
    fn start(&self) -> Running {
        let running = threads::local().and_then(running::RunningMeasurement::begin);
        Running(running.expect("the system has memory for a measurement"))
    }

    fn end(&self, running: Running) -> Amount {
        let measured = counts::Measurement::from(running.0.end());
        let bytes = if IS_PEAK { measured.peak_bytes } else { measured.allocated_bytes };
        Amount { bytes, is_sum: false }
    }

    /// Adds iterations that were measured separately; criterion computes their mean.
    fn add(&self, one: &Amount, other: &Amount) -> Amount {
        (one.bytes + other.bytes).into()
    }

    fn zero(&self) -> Amount {
        0.into()
    }

    /// # Panics
    /// Panics if `iter` measured a peak: see [`PeakBytes`].
    fn to_f64(&self, amount: &Amount) -> f64 {
        assert!(
            amount.is_sum || !IS_PEAK,
            "a peak of many iterations can't be divided by their number: use \
             `iter_batched(setup, routine, BatchSize::PerIteration)` in place of `iter`"
        );
        amount.bytes as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        &Bytes
    }
}

struct Bytes;

/// The bytes of each unit, and its names: alone, and per element, byte and bit of throughput.
const UNITS: [(f64, [&str; 4]); 4] = [
    (1_073_741_824.0, ["GiB", "GiB/elem", "GiB/B", "GiB/b"]),
    (1_048_576.0, ["MiB", "MiB/elem", "MiB/B", "MiB/b"]),
    (1024.0, ["KiB", "KiB/elem", "KiB/B", "KiB/b"]),
    (1.0, ["B", "B/elem", "B/B", "B/b"]),
];

/// Divides amounts by `count` and by the largest unit that the typical amount reaches.
fn scale(typical: f64, values: &mut [f64], count: f64, name: usize) -> &'static str {
    let is_reached = |unit: &&(f64, _)| typical / count >= unit.0;
    let (bytes, names) = UNITS.iter().find(is_reached).unwrap_or(&UNITS[UNITS.len() - 1]);
    for value in values {
        *value /= bytes * count;
    }
    names[name]
}

impl ValueFormatter for Bytes {
    fn scale_values(&self, typical: f64, values: &mut [f64]) -> &'static str {
        scale(typical, values, 1.0, 0)
    }

    fn scale_throughputs(
        &self,
        typical: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str {
        let (count, name) = match *throughput {
            Throughput::Elements(count) | Throughput::ElementsAndBytes { elements: count, .. } => {
                (count, 1)
            }
            Throughput::Bytes(count) | Throughput::BytesDecimal(count) => (count, 2),
            Throughput::Bits(count) => (count, 3),
        };
        scale(typical, values, count.max(1) as f64, name)
    }

    fn scale_for_machines(&self, _: &mut [f64]) -> &'static str {
        "B"
    }
}

#[cfg(test)]
mod tests {
    use super::Bytes;
    use criterion::Throughput;
    use criterion::measurement::ValueFormatter;

    #[test]
    fn amounts_are_shown_in_the_largest_unit_that_they_reach() {
        for (bytes, shown) in [(0.0, "B"), (1023.0, "B"), (1024.0, "KiB"), (3e9, "GiB")] {
            let value = Bytes.format_value(bytes);
            assert_eq!(value.trim_start().split_once(' ').map(|(_, unit)| unit), Some(shown));
        }
        assert_eq!(Bytes.format_value(6000.0).trim_start(), "5.8594 KiB");
    }

    #[test]
    fn a_throughput_is_bytes_of_memory_per_processed_unit() {
        let shown = |throughput| Bytes.format_throughput(&throughput, 8192.0);
        assert_eq!(shown(Throughput::Elements(4)).trim_start(), "2.0000 KiB/elem");
        assert_eq!(shown(Throughput::Bytes(8192)).trim_start(), "1.0000 B/B");
        assert_eq!(shown(Throughput::Bits(0)).trim_start(), "8.0000 KiB/b");
    }
}
