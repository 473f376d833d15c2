//! Two operations timed in turn.

use super::comparison::{Comparison, Pair, Repeat, Timing};
use super::error::{OverheadError, Side};
use super::plan::{Batch, Plan};
use super::timer::{HostTimer, NoDevice, Timer};
use core::error::Error;
use core::hint::black_box;
use std::time::Duration;

/// The most samples of an operation in one repeat, and the most rounds to warm up: a clock that stands
/// still ends nothing.
const MOST_SAMPLES: u32 = 2000;
/// The most calls in a sample on the host.
const MOST_CALLS: u32 = 1 << 16;
/// The same on a device: work that waits must fit into its queue, or submitting waits for it.
const MOST_SUBMITTED: u32 = 256;

/// What times operations: a clock of the host, perhaps one of a device, and a plan.
#[derive(Clone, Debug)]
pub struct Bench<H = HostTimer, D = NoDevice> {
    pub(super) host: H,
    device: Option<D>,
    pub(super) plan: Plan,
}

/// Times a raw operation and the same through a wrapper, in turn, by the host's clock.
///
/// What an operation returns is dropped within its time. See [`Bench::compare`].
///
/// ```
/// use memprof_gpu::overhead::{Plan, Verdict, compare};
/// use std::convert::Infallible;
/// use std::hint::black_box;
/// use std::time::Duration;
///
/// let values: Vec<f64> = (0..1000).map(f64::from).collect();
/// let sum = |values: &[f64]| Ok::<f64, Infallible>(values.iter().sum());
/// // As if something were checked before.
/// let checked_sum = |values: &[f64]| {
///     assert!(black_box(values).iter().all(|value| value.is_finite()));
///     sum(values)
/// };
/// let plan = Plan::default().warmup(Duration::ZERO).measure(Duration::from_millis(3));
/// let comparison = compare(|| sum(black_box(&values)), || checked_sum(&values), &plan)?;
/// println!("{:?}: {:?}", comparison.host.verdict, comparison.host.ratio);
/// # Ok::<(), memprof_gpu::overhead::OverheadError>(())
/// ```
///
/// # Errors
/// If an operation fails.
pub fn compare<R, W, E, F>(
    raw: impl FnMut() -> Result<R, E>,
    wrapped: impl FnMut() -> Result<W, F>,
    plan: &Plan,
) -> Result<Comparison, OverheadError>
where
    E: Into<Box<dyn Error + Send + Sync>>,
    F: Into<Box<dyn Error + Send + Sync>>,
{
    Bench::on_host(*plan).compare(raw, wrapped)
}

impl Bench {
    /// Operations that the host does itself.
    pub fn on_host(plan: Plan) -> Self {
        Self { host: HostTimer::new(), device: None, plan }
    }
}

impl<H: Timer, D: Timer> Bench<H, D> {
    /// Operations that the host submits and a device does, or that another clock of the host is to
    /// time.
    pub fn with_timers(host: H, device: Option<D>, plan: Plan) -> Self {
        Self { host, device, plan }
    }

    /// Times a raw operation and the same through a wrapper.
    ///
    /// After warming up both, each repeat times the raw operation in turn with itself, which shows the
    /// noise, and then in turn with the wrapped one; who goes first alternates. What an operation
    /// returns is dropped within its time. On a device, what was submitted is waited for after each
    /// sample, out of the host's time, so that a full queue never makes the host wait.
    ///
    /// Where buffers happen to lie in memory, which may differ for both, is not part of that noise: a
    /// difference at one size alone may be no more than that.
    ///
    /// # Errors
    /// If an operation fails or a timer can't be read.
    ///
    /// # Cost
    /// The plan's `warmup` and twice its `measure`, and longer if that gives too few samples.
    pub fn compare<R, W, E, F>(
        &mut self,
        mut raw: impl FnMut() -> Result<R, E>,
        mut wrapped: impl FnMut() -> Result<W, F>,
    ) -> Result<Comparison, OverheadError>
    where
        E: Into<Box<dyn Error + Send + Sync>>,
        F: Into<Box<dyn Error + Send + Sync>>,
    {
        let mut raw = || raw().map(|result| drop(black_box(result))).map_err(in_raw);
        let mut wrapped = || wrapped().map(|result| drop(black_box(result))).map_err(in_wrapped);
        let batch = self.warm_up(&mut raw, &mut wrapped)?;
        let mut repeats = Vec::new();
        for _ in 0..self.plan.repeats.max(1) {
            let same = self.in_turn(|bench| {
                Ok((bench.sample(batch, &mut raw)?, bench.sample(batch, &mut raw)?))
            })?;
            let mut swapped = false;
            let pairs = self.in_turn(|bench| {
                swapped = !swapped;
                if swapped {
                    Ok((bench.sample(batch, &mut raw)?, bench.sample(batch, &mut wrapped)?))
                } else {
                    let wrapped = bench.sample(batch, &mut wrapped)?;
                    Ok((bench.sample(batch, &mut raw)?, wrapped))
                }
            })?;
            repeats.push((same, pairs));
        }
        Ok(summary(batch, &repeats))
    }

    /// Calls both until they are warm, and finds how many calls are a sample.
    fn warm_up(
        &mut self,
        raw: &mut impl FnMut() -> Result<(), OverheadError>,
        wrapped: &mut impl FnMut() -> Result<(), OverheadError>,
    ) -> Result<u32, OverheadError> {
        let most = if self.device.is_some() { MOST_SUBMITTED } else { MOST_CALLS };
        let (mut batch, lasting) = match self.plan.batch {
            Batch::Calls(calls) => (calls.max(1), None),
            Batch::Lasting(time) => (1, Some(nanoseconds(time))),
        };
        let start = self.mark()?;
        for _ in 0..MOST_SAMPLES {
            let shorter = self.sample(batch, raw)?.host.min(self.sample(batch, wrapped)?.host);
            let is_short = match lasting {
                // As many calls in no time at all are no longer for being more.
                Some(_) if shorter <= 0.0 && batch == most => {
                    batch = 1;
                    break;
                }
                Some(least) if batch < most && shorter * f64::from(batch) < least => {
                    batch = longer(batch, least / shorter).min(most);
                    true
                }
                _ => false,
            };
            if !is_short && self.since(&start)? >= self.plan.warmup {
                break;
            }
        }
        Ok(batch)
    }

    /// Pairs of samples, for the time that is one repeat's share of the plan.
    fn in_turn(
        &mut self,
        mut pair: impl FnMut(&mut Self) -> Result<(Sample, Sample), OverheadError>,
    ) -> Result<Clocks, OverheadError> {
        let repeats = self.plan.repeats.max(1);
        let (measure, longest) =
            (self.plan.measure / repeats, self.plan.longest / repeats.saturating_mul(2));
        let least = self.plan.min_samples.div_ceil(repeats).clamp(1, MOST_SAMPLES);
        let start = self.mark()?;
        let mut clocks = Clocks::default();
        for done in 1..=MOST_SAMPLES {
            let (one, other) = pair(self)?;
            clocks.host.push(Pair { one: one.host, other: other.host });
            if let (Some(one), Some(other)) = (one.device, other.device) {
                clocks.device.push(Pair { one, other });
            }
            let passed = self.since(&start)?;
            if (done >= least && passed >= measure) || passed >= longest {
                break;
            }
        }
        Ok(clocks)
    }

    /// Times so many calls, by both clocks. The host's marks are within the device's, so that marking
    /// a stream is no part of the host's time.
    fn sample(
        &mut self,
        batch: u32,
        operation: &mut impl FnMut() -> Result<(), OverheadError>,
    ) -> Result<Sample, OverheadError> {
        if self.plan.flush {
            self.host.flush().map_err(OverheadError::timer)?;
            self.device.as_mut().map(D::flush).transpose().map_err(OverheadError::timer)?;
        }
        let submitted = self.device.as_mut().map(D::mark).transpose();
        let submitted = submitted.map_err(OverheadError::timer)?;
        let start = self.mark()?;
        for _ in 0..batch {
            operation()?;
        }
        let host = self.since(&start)?;
        let host = nanoseconds(host) / f64::from(batch);
        let Some((device, submitted)) = self.device.as_mut().zip(submitted) else {
            return Ok(Sample { host, device: None });
        };
        let done = device.mark().map_err(OverheadError::timer)?;
        device.sync().map_err(OverheadError::timer)?;
        let passed = device.elapsed(&submitted, &done).map_err(OverheadError::timer)?;
        Ok(Sample { host, device: Some(nanoseconds(passed) / f64::from(batch)) })
    }

    /// Waits for what was submitted.
    pub(super) fn wait(&mut self) -> Result<(), OverheadError> {
        self.device.as_mut().map_or(Ok(()), D::sync).map_err(OverheadError::timer)
    }

    pub(super) fn mark(&mut self) -> Result<H::Mark, OverheadError> {
        self.host.mark().map_err(OverheadError::timer)
    }

    pub(super) fn since(&mut self, start: &H::Mark) -> Result<Duration, OverheadError> {
        let now = self.mark()?;
        self.host.elapsed(start, &now).map_err(OverheadError::timer)
    }
}

/// Nanoseconds per call.
struct Sample {
    host: f64,
    device: Option<f64>,
}

/// The same pairs of samples by both clocks.
#[derive(Default)]
struct Clocks {
    host: Vec<Pair>,
    device: Vec<Pair>,
}

fn summary(batch: u32, repeats: &[(Clocks, Clocks)]) -> Comparison {
    let by = |clock: fn(&Clocks) -> &Vec<Pair>| -> Vec<Repeat> {
        let repeat =
            |(same, pairs)| Repeat { same: clock(same).clone(), pairs: clock(pairs).clone() };
        repeats.iter().map(|(same, pairs)| repeat((same, pairs))).collect()
    };
    let samples: usize = repeats.iter().map(|(_, pairs)| pairs.host.len()).sum();
    Comparison {
        host: Timing::of(&by(|clocks| &clocks.host)).expect("each repeat has a sample"),
        device: Timing::of(&by(|clocks| &clocks.device)),
        batch,
        samples: samples as u32,
        repeats: repeats.len() as u32,
    }
}

/// So many calls, with some to spare, but not all at once: the first ones are slow.
#[expect(clippy::cast_sign_loss, reason = "times are not negative")]
fn longer(batch: u32, calls: f64) -> u32 {
    let most = f64::from(batch) * 10.0;
    // Of no time at all, the quotient is infinite.
    (calls * 1.1).min(most).max(f64::from(batch) + 1.0) as u32
}

#[expect(clippy::cast_precision_loss, reason = "exact up to 100 days")]
pub(super) fn nanoseconds(time: Duration) -> f64 {
    time.as_nanos() as f64
}

fn in_raw(cause: impl Into<Box<dyn Error + Send + Sync>>) -> OverheadError {
    OverheadError::operation(Side::Raw, cause)
}

fn in_wrapped(cause: impl Into<Box<dyn Error + Send + Sync>>) -> OverheadError {
    OverheadError::operation(Side::Wrapped, cause)
}
