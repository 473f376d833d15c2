//! The builder of a [`GpuSource`]: its intervals and its sampler.

use super::GpuSource;
use super::watcher::Watcher;
use crate::{DeviceSampler, SamplerError};
use core::time::Duration;

/// A builder of a [`GpuSource`], which sets the intervals between readings. [`GpuSource::builder`]
/// creates it.
///
/// ```no_run
/// use memprof::gpu::GpuSource;
/// use std::time::Duration;
///
/// let gpus = GpuSource::builder().memory_interval(Duration::from_millis(20)).start()?;
/// # Ok::<(), memprof::gpu::SamplerError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct GpuSourceBuilder {
    memory_interval: Duration,
    slow_interval: Duration,
}

/// The longest interval. A longer one could overflow an [`Instant`](std::time::Instant).
const MAX_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

impl Default for GpuSourceBuilder {
    fn default() -> Self {
        Self { memory_interval: Duration::from_millis(100), slow_interval: Duration::from_secs(1) }
    }
}

impl GpuSourceBuilder {
    /// The minimum interval between two readings. Some drivers stall if they are read more often.
    pub const MIN_INTERVAL: Duration = Duration::from_millis(10);

    /// Sets the interval between two readings of the memory, by default 100 ms.
    ///
    /// The interval is limited to the range from [10 ms](Self::MIN_INTERVAL) to one day.
    pub fn memory_interval(mut self, interval: Duration) -> Self {
        self.memory_interval = interval.clamp(Self::MIN_INTERVAL, MAX_INTERVAL);
        self
    }

    /// Sets the interval between two readings of processes, temperature, power and traffic, by
    /// default 1 s.
    ///
    /// The interval is limited to the range from [10 ms](Self::MIN_INTERVAL) to one day.
    pub fn slow_interval(mut self, interval: Duration) -> Self {
        self.slow_interval = interval.clamp(Self::MIN_INTERVAL, MAX_INTERVAL);
        self
    }

    /// Starts a thread that reads the GPUs that NVML lists.
    ///
    /// # Errors
    /// Returns [`SamplerError`] if there is no driver, if the driver fails, or if the operating
    /// system can't start a thread.
    #[cfg(feature = "nvml")]
    pub fn start(self) -> Result<GpuSource, SamplerError> {
        self.start_with(crate::NvmlSampler::open()?)
    }

    /// Starts a thread that reads the devices of a sampler.
    ///
    /// # Errors
    /// Returns [`SamplerError::Driver`] if the operating system can't start a thread.
    pub fn start_with(
        self,
        sampler: impl DeviceSampler + 'static,
    ) -> Result<GpuSource, SamplerError> {
        let Self { memory_interval, slow_interval } = self;
        let watcher = Watcher::start(Box::new(sampler), memory_interval, slow_interval)
            .map_err(|error| SamplerError::Driver(error.into()))?;
        Ok(GpuSource::from_watcher(Ok(watcher)))
    }
}
