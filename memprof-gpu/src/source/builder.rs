//! How often devices are read, and by what.

use super::GpuSource;
use super::watcher::Watcher;
use crate::{DeviceSampler, SamplerError};
use core::time::Duration;

/// How often devices are read; [`GpuSource::builder`] makes it.
///
/// ```no_run
/// use memprof_gpu::GpuSource;
/// use std::time::Duration;
///
/// let gpus = GpuSource::builder().memory_interval(Duration::from_millis(20)).start()?;
/// # Ok::<(), memprof_gpu::SamplerError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct GpuSourceBuilder {
    memory_interval: Duration,
    slow_interval: Duration,
}

/// Longer than it, time may end before.
const CEILING: Duration = Duration::from_hours(24);

impl Default for GpuSourceBuilder {
    fn default() -> Self {
        Self { memory_interval: Duration::from_millis(100), slow_interval: Duration::from_secs(1) }
    }
}

impl GpuSourceBuilder {
    /// The least time between two readings: some drivers are held up by being asked more often.
    pub const LEAST_INTERVAL: Duration = Duration::from_millis(10);

    /// Time between two readings of the memory: 100 ms unless said otherwise, at least
    /// [10 ms](Self::LEAST_INTERVAL) and at most a day.
    pub fn memory_interval(mut self, interval: Duration) -> Self {
        self.memory_interval = interval.clamp(Self::LEAST_INTERVAL, CEILING);
        self
    }

    /// Time between two readings of processes, temperature, power and traffic: 1 s unless said
    /// otherwise, at least [10 ms](Self::LEAST_INTERVAL) and at most a day.
    pub fn slow_interval(mut self, interval: Duration) -> Self {
        self.slow_interval = interval.clamp(Self::LEAST_INTERVAL, CEILING);
        self
    }

    /// Starts reading the GPUs that NVML lists.
    ///
    /// # Errors
    /// If there is no driver, or it does not work, or the system has no thread.
    #[cfg(feature = "nvml")]
    pub fn start(self) -> Result<GpuSource, SamplerError> {
        self.start_with(crate::NvmlSampler::open()?)
    }

    /// Starts reading the devices of a sampler.
    ///
    /// # Errors
    /// If the system has no thread.
    pub fn start_with(
        self,
        sampler: impl DeviceSampler + 'static,
    ) -> Result<GpuSource, SamplerError> {
        let Self { memory_interval, slow_interval } = self;
        let watcher = Watcher::start(Box::new(sampler), memory_interval, slow_interval)
            .map_err(|error| SamplerError::Driver(error.into()))?;
        Ok(GpuSource::of(Ok(watcher)))
    }
}
