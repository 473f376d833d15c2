//! Where the host's time goes within a wrapper.

use super::bench::Bench;
use super::error::{OverheadError, Side};
use super::phases::{Phase, Phases, Recorder};
use super::statistics::median;
use super::timer::Timer;
use core::error::Error;
use core::hint::black_box;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Marks in a row that show what one costs.
const CALIBRATION: u32 = 64;
/// The most samples of a split.
const MOST_SAMPLES: usize = 2000;
/// Calls in a sample, unless a call takes so long that it shows alone.
const CALLS: u32 = 16;
const LONG: Duration = Duration::from_micros(200);
/// A clock that counts nanoseconds tells no less.
const LEAST_RESOLUTION: f64 = 1.0;

/// Nanoseconds of the host per call, by phase. What the clock itself costs is taken off.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Split {
    /// In checks; `None` if the wrapper entered none.
    pub check_ns: Option<f64>,
    /// In conversions, likewise.
    pub conversion_ns: Option<f64>,
    /// In making the result, likewise.
    pub construction_ns: Option<f64>,
    /// In the raw operation, likewise.
    pub dispatch_ns: Option<f64>,
    /// What is less than this is not told from nothing.
    pub resolution_ns: f64,
    /// Calls that it is the median or the mean of.
    pub calls: u64,
}

impl Split {
    /// The time of a phase; `None` if the wrapper never entered it.
    pub fn of(&self, phase: Phase) -> Option<f64> {
        match phase {
            Phase::Check => self.check_ns,
            Phase::Conversion => self.conversion_ns,
            Phase::Construction => self.construction_ns,
            Phase::Dispatch => self.dispatch_ns,
        }
    }

    /// Of the time that is not dispatch, the phase that takes the most, and its share. `None` if
    /// nothing takes a time that can be told from none.
    pub fn largest_share(&self) -> Option<(Phase, f64)> {
        let of = |phase| Some((phase, self.of(phase).filter(|&time| time >= self.resolution_ns)?));
        let own = Phase::ALL.into_iter().filter(|&phase| phase != Phase::Dispatch).filter_map(of);
        let own: Vec<(Phase, f64)> = own.collect();
        let sum: f64 = own.iter().map(|(_, time)| time).sum();
        let largest = own.into_iter().max_by(|one, other| one.1.total_cmp(&other.1))?;
        Some((largest.0, largest.1 / sum))
    }
}

impl<H: Timer, D: Timer> Bench<H, D> {
    /// Times the phases of a wrapped operation, by the host's clock.
    ///
    /// The wrapper tells its phases to the recorder that it is given. It is a pass of its own, as
    /// reading the clock between phases takes longer than many a phase: what that costs is measured
    /// and taken off.
    ///
    /// # Errors
    /// If the operation fails or the timer can't be read.
    ///
    /// # Cost
    /// The plan's `measure`, and longer if that gives too few samples.
    pub fn split<W, E>(
        &mut self,
        mut wrapped: impl FnMut(&mut Phases<'_, H>) -> Result<W, E>,
    ) -> Result<Split, OverheadError>
    where
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        let start = self.mark()?;
        // The first call only tells how many are a sample.
        self.phases(1, &mut wrapped)?;
        let calls = if self.since(&start)? < LONG { CALLS } else { 1 };
        let least = (self.plan.min_samples.max(1) as usize).min(MOST_SAMPLES);
        let (mut costs, mut samples) = (Vec::new(), Vec::new());
        for done in 1..=MOST_SAMPLES {
            costs.push(cost_of_a_mark(&mut self.host)?);
            samples.push(self.phases(calls, &mut wrapped)?);
            let passed = self.since(&start)?;
            if (done >= least && passed >= self.plan.measure) || passed >= self.plan.longest {
                break;
            }
        }
        let cost = median(costs.iter().copied()).unwrap_or(0.0);
        let of = |phase: Phase| {
            let per_call = samples.iter().filter_map(|(sums, closed)| {
                let taken_off = cost * f64::from(closed[phase as usize]);
                Some((sums[phase as usize]? - taken_off) / f64::from(calls))
            });
            median(per_call).map(|time| time.max(0.0))
        };
        let off = median(costs.iter().map(|one| (one - cost).abs())).unwrap_or(0.0);
        Ok(Split {
            check_ns: of(Phase::Check),
            conversion_ns: of(Phase::Conversion),
            construction_ns: of(Phase::Construction),
            dispatch_ns: of(Phase::Dispatch),
            resolution_ns: off.max(LEAST_RESOLUTION),
            calls: samples.len() as u64 * u64::from(calls),
        })
    }

    /// The sums of so many calls, by phase, and how often each was closed.
    fn phases<W, E>(
        &mut self,
        calls: u32,
        wrapped: &mut impl FnMut(&mut Phases<'_, H>) -> Result<W, E>,
    ) -> Result<([Option<f64>; 4], [u32; 4]), OverheadError>
    where
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        let mut phases = Phases::new(&mut self.host);
        for _ in 0..calls {
            let result = wrapped(&mut phases)
                .map_err(|cause| OverheadError::operation(Side::Wrapped, cause))?;
            drop(black_box(result));
            phases.open = None;
        }
        let Phases { sums, closed, failure, .. } = phases;
        match failure {
            Some(error) => Err(OverheadError::timer(error)),
            None => self.wait().map(|()| (sums, closed)),
        }
    }
}

/// Nanoseconds from one mark to the next with nothing between them.
fn cost_of_a_mark<T: Timer>(timer: &mut T) -> Result<f64, OverheadError> {
    let mut phases = Phases::new(timer);
    for _ in 0..CALIBRATION {
        phases.enter(Phase::Check);
        phases.leave();
    }
    match phases.failure {
        Some(error) => Err(OverheadError::timer(error)),
        None => Ok(phases.sums[Phase::Check as usize].unwrap_or(0.0) / f64::from(CALIBRATION)),
    }
}
