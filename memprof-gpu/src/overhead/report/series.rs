//! The same operation at several sizes.

use super::Report;
use crate::overhead::comparison::{Comparison, Timing};
use crate::overhead::fit::{Fit, FitError, Point};
use crate::overhead::split::Split;
use memprof_profile::Device;

/// Whose time it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Clock {
    /// The host's.
    Host,
    /// The device's.
    Device,
}

impl Clock {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Device => "device",
        }
    }

    /// The times by this clock; `None` if it took none.
    pub fn of(self, comparison: &Comparison) -> Option<&Timing> {
        match self {
            Self::Host => Some(&comparison.host),
            Self::Device => comparison.device.as_ref(),
        }
    }
}

/// An operation on one type and device by one clock, at every size it was measured at.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Series<'r> {
    /// The operation's name.
    pub operation: &'r str,
    /// The type of its elements.
    pub dtype: &'r str,
    /// Where they are.
    pub device: Device,
    /// Whose time it is.
    pub clock: Clock,
    /// Sizes and times, as the report has them.
    pub timings: Vec<(u64, &'r Timing)>,
    /// The phases at each size whose time was split.
    pub splits: Vec<(u64, &'r Split)>,
}

impl Series<'_> {
    /// What the wrapper costs per call and per element: the line through what it takes more.
    ///
    /// # Errors
    /// If there are fewer than two sizes whose noise is known.
    pub fn fit(&self) -> Result<Fit, FitError> {
        let point = |&(elements, timing): &(u64, &Timing)| {
            let extra = timing.extra_ns;
            // The difference may be less sure than the noise says.
            let unsure = extra.interval.map_or(0.0, |(low, high)| (high - low) / 2.0);
            let noise_ns = timing.noise_ns?.max(unsure);
            Some(Point { elements, time_ns: extra.value, noise_ns })
        };
        let points: Vec<Point> = self.timings.iter().filter_map(point).collect();
        Fit::through(&points)
    }

    /// Whether the wrapper costs so much per element that it shows at the largest size.
    pub(super) fn grows(&self, fit: &Fit) -> bool {
        let Some((elements, timing)) = self.timings.iter().max_by_key(|(elements, _)| elements)
        else {
            return false;
        };
        #[expect(
            clippy::cast_precision_loss,
            reason = "sizes up to 2 to the power of 53 are exact"
        )]
        let there = fit.per_element_ns.value.abs() * *elements as f64;
        fit.per_element_ns.is_significant() && timing.noise_ns.is_some_and(|noise| there > noise)
    }
}

impl Report {
    /// What was measured, by operation, type, device and clock, in the order of the rows.
    pub fn series(&self) -> Vec<Series<'_>> {
        let mut all: Vec<Series<'_>> = Vec::new();
        for row in &self.rows {
            let (Some(comparison), Some(dtype), Some(elements)) =
                (row.comparison(), row.dtype.as_deref(), row.elements)
            else {
                continue;
            };
            for clock in [Clock::Host, Clock::Device] {
                let Some(timing) = clock.of(comparison) else { continue };
                let is_same = |one: &&mut Series<'_>| {
                    one.operation == row.operation
                        && one.dtype == dtype
                        && one.device == row.device
                        && one.clock == clock
                };
                let timings = vec![(elements, timing)];
                let split = row.split.as_ref().filter(|_| clock == Clock::Host);
                let splits: Vec<_> = split.map(|split| (elements, split)).into_iter().collect();
                match all.iter_mut().find(is_same) {
                    Some(series) => {
                        series.timings.extend(timings);
                        series.splits.extend(splits);
                    }
                    None => all.push(Series {
                        operation: &row.operation,
                        dtype,
                        device: row.device,
                        clock,
                        timings,
                        splits,
                    }),
                }
            }
        }
        all
    }
}
