//! An operation with and without its wrapper, timed by criterion.

use crate::backend::Failure;
use crate::cuda::Clock;
use crate::run::Effort;
use core::hint::black_box;
use criterion::measurement::{Measurement, WallTime};
use criterion::{Bencher, BenchmarkId, Criterion, Throughput};
use memprof::gpu::cuda::EventTime;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Criterion for the host's time and, if a device does the work, for the time in its stream.
#[expect(missing_debug_implementations, reason = "criterion has none")]
pub struct Bench {
    host: Criterion,
    device: Option<(Criterion<EventTime>, Clock)>,
    folder: PathBuf,
    /// The time for which the phases of an operation are measured.
    split_time: Duration,
}

/// Times of an operation with and without its wrapper.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// The time that the host is busy. On a device, this is the time to submit the work.
    pub host: Timing,
    /// The time between two events in the stream; `None` if the host does the work. It includes the
    /// time in which the device waits for the host. For short kernels, it is mostly that time.
    pub stream: Option<Timing>,
}

/// Nanoseconds per call, estimated by criterion.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// The raw operation.
    pub raw: Estimate,
    /// The operation through the wrapper.
    pub wrapped: Estimate,
    /// The raw operation, measured again afterwards. The difference from `raw` is noise.
    pub repeated: Estimate,
}

/// A median and the bounds of its 95 % interval.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// The median.
    pub value: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Timing {
    /// Returns the raw operation's time, the mean of its two measurements.
    pub fn base(&self) -> f64 {
        f64::midpoint(self.raw.value, self.repeated.value)
    }

    /// Returns the time that the wrapper adds.
    pub fn extra(&self) -> f64 {
        self.wrapped.value - self.base()
    }

    /// Returns the error of [`extra`](Self::extra), which is the larger of two amounts. One is the
    /// difference between both measurements of the raw operation. The other is the sum of half the
    /// wider raw interval and half the wrapped interval.
    pub fn noise(&self) -> f64 {
        let half = |estimate: Estimate| (estimate.high - estimate.low) / 2.0;
        let own_noise = (self.raw.value - self.repeated.value).abs();
        own_noise.max(half(self.raw).max(half(self.repeated)) + half(self.wrapped))
    }

    /// Returns the difference between both measurements of the raw operation, over their mean.
    fn disturbance(&self) -> f64 {
        (self.raw.value - self.repeated.value).abs() / self.base()
    }

    /// Compares the wrapper with the raw operation.
    pub fn verdict(&self) -> &'static str {
        if self.extra() > self.noise() {
            "slower"
        } else if self.extra() < -self.noise() {
            "faster"
        } else {
            "same"
        }
    }
}

impl Bench {
    /// Returns a bench for operations of the host itself. Criterion's figures and plots are written
    /// to the folder.
    pub fn on_host(folder: &Path, effort: Effort) -> Self {
        let (split_time, folder) = (unit(effort), folder.to_owned());
        Self { host: criterion(&folder, effort), device: None, folder, split_time }
    }

    /// Returns a bench for operations that a device runs in the clock's stream.
    ///
    /// # Errors
    /// Returns an error if the driver cannot create events, or the device has no memory to displace
    /// its caches.
    pub fn on_device(folder: &Path, effort: Effort, clock: Clock) -> Result<Self, Failure> {
        let time = EventTime::new(clock.timer()?)?.displacing_caches()?;
        let device = criterion(folder, effort).with_measurement(time);
        Ok(Self { device: Some((device, clock)), ..Self::on_host(folder, effort) })
    }

    /// Times an operation with and without its wrapper, by each available clock.
    ///
    /// # Errors
    /// Returns an error if criterion wrote no estimates.
    ///
    /// # Panics
    /// Panics if an operation fails.
    pub fn compare<R, W>(
        &mut self,
        name: &str,
        elements: usize,
        mut raw: impl FnMut() -> Result<R, Failure>,
        mut wrapped: impl FnMut() -> Result<W, Failure>,
    ) -> Result<Comparison, Failure> {
        let mut id = Id { group: file_name(name), elements, folder: &self.folder };
        let Some((criterion, clock)) = &mut self.device else {
            let host = id.timing(&mut self.host, &Directly, &mut raw, &mut wrapped)?;
            return Ok(Comparison { host, stream: None });
        };
        let host = id.timing(&mut self.host, clock, &mut raw, &mut wrapped)?;
        id.group += ", stream time";
        let stream = id.timing(criterion, &Directly, &mut raw, &mut wrapped)?;
        Ok(Comparison { host, stream: Some(stream) })
    }

    /// Returns the time for which the phases of an operation are measured.
    pub fn split_time(&self) -> Duration {
        self.split_time
    }

    /// Waits for the device, if there is one.
    ///
    /// # Errors
    /// Returns an error if the device failed.
    pub fn wait(&self) -> Result<(), Failure> {
        self.device.as_ref().map_or(Ok(()), |(_, clock)| clock.synchronize())
    }

    /// Writes criterion's index of all plots.
    pub fn finish(&self) {
        self.host.final_summary();
    }
}

/// Returns the warm-up time of an operation, which is a fourth of its measuring time.
fn unit(effort: Effort) -> Duration {
    Duration::from_millis(match effort {
        Effort::Quick => 1,
        Effort::Short => 20,
        Effort::Full => 50,
    })
}

fn criterion(folder: &Path, effort: Effort) -> Criterion {
    let criterion = Criterion::default()
        .warm_up_time(unit(effort))
        .measurement_time(4 * unit(effort))
        .output_directory(folder);
    match effort {
        Effort::Quick => criterion.sample_size(10).nresamples(1000).without_plots(),
        Effort::Short => criterion.sample_size(10).nresamples(10_000).without_plots(),
        Effort::Full => criterion.sample_size(20).nresamples(10_000),
    }
}

/// The way in which a bencher calls an operation.
trait Calls<M: Measurement> {
    fn run<R>(&self, bencher: &mut Bencher<'_, M>, operation: impl FnMut() -> R);
}

/// The direct way: one call after the other.
struct Directly;

impl<M: Measurement> Calls<M> for Directly {
    fn run<R>(&self, bencher: &mut Bencher<'_, M>, operation: impl FnMut() -> R) {
        bencher.iter(operation);
    }
}

/// The number of calls that the host submits before it waits for the device. More calls might fill
/// the device's queue, and then submitting would wait.
const SUBMITTED: u64 = 256;

/// Measures the time to submit work, without the time to wait for it.
impl Calls<WallTime> for Clock {
    fn run<R>(&self, bencher: &mut Bencher<'_, WallTime>, mut operation: impl FnMut() -> R) {
        bencher.iter_custom(|calls| {
            let (mut left, mut busy) = (calls, Duration::ZERO);
            while left > 0 {
                let batch = left.min(SUBMITTED);
                let start = Instant::now();
                for _ in 0..batch {
                    drop(black_box(operation()));
                }
                busy += start.elapsed();
                left -= batch;
                self.synchronize().expect("the device does its work");
            }
            busy
        });
    }
}

/// The path at which criterion writes the figures of an operation.
struct Id<'f> {
    group: String,
    elements: usize,
    folder: &'f Path,
}

impl Id<'_> {
    /// Measures both sides. If the two measurements of the raw operation differ by a tenth or more,
    /// another program disturbed them. Then it measures again, and keeps the measurements that
    /// differ least.
    fn timing<M: Measurement, R, W>(
        &self,
        criterion: &mut Criterion<M>,
        calls: &impl Calls<M>,
        raw: &mut impl FnMut() -> Result<R, Failure>,
        wrapped: &mut impl FnMut() -> Result<W, Failure>,
    ) -> Result<Timing, Failure> {
        const TRIES: usize = 4;
        let id = |side| BenchmarkId::new(side, self.elements);
        let mut measure = || -> Result<Timing, Failure> {
            let mut group = criterion.benchmark_group(&self.group);
            group.throughput(Throughput::Elements(self.elements as u64));
            group.bench_function(id("raw"), |bencher| calls.run(bencher, || done(raw())));
            group.bench_function(id("wrapped"), |bencher| calls.run(bencher, || done(wrapped())));
            group.bench_function(id("raw again"), |bencher| calls.run(bencher, || done(raw())));
            group.finish();
            let [raw, wrapped, repeated] =
                ["raw", "wrapped", "raw again"].map(|side| self.estimate(side));
            Ok(Timing { raw: raw?, wrapped: wrapped?, repeated: repeated? })
        };
        let mut best = measure()?;
        for _ in 1..TRIES {
            if best.disturbance() < 0.1 {
                break;
            }
            let timing = measure()?;
            if timing.disturbance() < best.disturbance() {
                best = timing;
            }
        }
        Ok(best)
    }

    /// Returns the median that criterion has written.
    fn estimate(&self, side: &str) -> Result<Estimate, Failure> {
        let path = format!("{}/{side}/{}/new/estimates.json", self.group, self.elements);
        let text = fs::read_to_string(self.folder.join(&path));
        let json: serde_json::Value =
            serde_json::from_str(&text.map_err(|error| format!("{path}: {error}"))?)?;
        let median = &json["median"];
        let number = |value: &serde_json::Value| {
            value.as_f64().ok_or_else(|| Failure::from(format!("{path} has no median")))
        };
        let interval = &median["confidence_interval"];
        Ok(Estimate {
            value: number(&median["point_estimate"])?,
            low: number(&interval["lower_bound"])?,
            high: number(&interval["upper_bound"])?,
        })
    }
}

fn done<R>(result: Result<R, Failure>) -> R {
    result.unwrap_or_else(|error| panic!("the operation failed: {error}"))
}

/// Replaces the letters that criterion replaces in file names.
fn file_name(name: &str) -> String {
    name.replace([':', '/'], "_")
}

#[cfg(test)]
mod tests {
    use super::{Estimate, Timing};

    fn timing(raw: f64, wrapped: f64, repeated: f64) -> Timing {
        let around = |value| Estimate { value, low: value - 1.0, high: value + 1.0 };
        Timing { raw: around(raw), wrapped: around(wrapped), repeated: around(repeated) }
    }

    #[test]
    fn a_disturbance_is_the_difference_between_raw_measurements() {
        assert!((timing(90.0, 500.0, 110.0).disturbance() - 0.2).abs() < 1e-9);
        assert!(timing(100.0, 500.0, 100.0).disturbance() < 1e-9);
    }

    #[test]
    fn a_difference_within_the_noise_is_the_same() {
        for (raw, wrapped, repeated, expected) in [
            (100.0, 103.0, 100.0, "slower"),
            (100.0, 97.0, 100.0, "faster"),
            (100.0, 101.0, 100.0, "same"),
            (100.0, 105.0, 90.0, "same"),
            (90.0, 106.0, 100.0, "slower"),
        ] {
            let timing = timing(raw, wrapped, repeated);
            assert_eq!(timing.verdict(), expected, "{timing:?}");
        }
    }
}
