//! GPUs as a source of a session: each snapshot records the owners of the GPUs' memory.

mod builder;
mod gauges;
mod pace;
#[cfg(feature = "cuda")]
mod pools;
mod watcher;

#[cfg(test)]
mod tests;

use crate::{DeviceIdentity, DeviceReading, DeviceStatistics, SamplerError};
pub use builder::GpuSourceBuilder;
use memprof_profile::Profile;
use memprof_profile::source::{Gauge, Source};
use memprof_profile::tree::Device;
use std::error::Error;
use std::sync::Arc;
use watcher::{DeviceSnapshot, Watcher};

/// The GPUs of this machine, for `Session::source`.
///
/// The source's profile has one branch for each device. The leaves of a branch add up to the
/// device's memory:
///
/// - `gpu;nvml:0;free`
/// - `gpu;nvml:0;driver_reserved`
/// - `gpu;nvml:0;used;process;attributed`: the bytes that profiled values hold
/// - `gpu;nvml:0;used;process;unattributed`
/// - `gpu;nvml:0;used;other_processes`
///
/// If the driver does not list this process, as in a container, `gpu;nvml:0;used;unknown_owner`
/// replaces the last two leaves. The number is that of NVML, which may differ from CUDA's.
///
/// Between snapshots, a thread reads the memory every 100 ms, to record the peak. Every second, it
/// reads processes, temperature, power and traffic. If readings take more than 1 % of an interval,
/// the interval doubles. The peak is sampled, so it is a lower bound. With the feature `cuda`, the
/// driver's own memory pools are gauges too, once the program uses CUDA. Their peaks are exact.
///
/// ```no_run
/// use memprof::gpu::GpuSource;
/// # fn session() -> Session { unimplemented!() }
/// # struct Session;
/// # impl Session { fn source(&self, source: GpuSource) {} }
///
/// let session = session(); // memprof::Session
/// session.source(GpuSource::new()); // without a GPU, each snapshot records the reason
/// ```
#[derive(Debug)]
pub struct GpuSource {
    watcher: Result<Watcher, Arc<SamplerError>>,
    /// The bytes that values hold on each device.
    held: Vec<(Device, u64)>,
    #[cfg(feature = "cuda")]
    pools: pools::Pools,
    /// The statistics of the last reading.
    statistics: Vec<DeviceStatistics>,
    gauges: Vec<Gauge>,
}

impl GpuSource {
    /// Creates a source of the GPUs that NVML lists. Without a driver, each reading returns an
    /// error.
    ///
    /// # Cost
    /// The call takes less than a millisecond without a driver.
    #[cfg(feature = "nvml")]
    pub fn new() -> Self {
        Self::builder().start().unwrap_or_else(Self::failed)
    }

    /// Creates a source of the GPUs that NVML lists.
    ///
    /// # Errors
    /// Returns [`SamplerError`] if there is no driver, if the driver fails, or if the operating
    /// system can't start a thread.
    #[cfg(feature = "nvml")]
    pub fn open() -> Result<Self, SamplerError> {
        Self::builder().start()
    }

    /// Returns a builder that sets the intervals and the sampler.
    pub fn builder() -> GpuSourceBuilder {
        GpuSourceBuilder::default()
    }

    #[cfg(feature = "nvml")]
    fn failed(error: SamplerError) -> Self {
        Self::from_watcher(Err(Arc::new(error)))
    }

    fn from_watcher(watcher: Result<Watcher, Arc<SamplerError>>) -> Self {
        Self {
            watcher,
            held: Vec::new(),
            #[cfg(feature = "cuda")]
            pools: pools::Pools::default(),
            statistics: Vec::new(),
            gauges: Vec::new(),
        }
    }

    /// Returns the devices. The list is empty without a driver.
    pub fn devices(&self) -> &[DeviceIdentity] {
        self.watcher.as_ref().map_or(&[], |watcher| &watcher.identities)
    }

    /// Returns the statistics of the last reading, for each device that reported its memory.
    pub fn statistics(&self) -> &[DeviceStatistics] {
        &self.statistics
    }

    /// Returns the bytes that values hold on a device.
    fn bytes_on(&self, device: Device) -> u64 {
        self.held.iter().find(|(held, _)| *held == device).map_or(0, |&(_, bytes)| bytes)
    }

    fn snapshots(&mut self) -> Result<Vec<DeviceSnapshot>, Box<dyn Error + Send + Sync>> {
        match &mut self.watcher {
            Ok(watcher) => {
                #[cfg(feature = "cuda")]
                self.pools.attach(&mut watcher.identities);
                Ok(watcher.snapshots()?)
            }
            Err(error) => Err(Box::new(Shared(error.clone()))),
        }
    }
}

#[cfg(feature = "nvml")]
impl Default for GpuSource {
    fn default() -> Self {
        Self::new()
    }
}

impl Source for GpuSource {
    fn name(&self) -> &'static str {
        "gpu"
    }

    fn set_attributed(&mut self, held: &[(Device, u64)]) {
        self.held = held.to_vec();
    }

    /// # Cost
    /// The call takes the time of the driver's calls: milliseconds for the list of processes.
    ///
    /// The call waits at most 100 ms for a busy driver to begin, and then at most 250 ms for the
    /// reading. If either time passes, it returns the last reading, with its age as a gauge.
    fn read(&mut self) -> Result<Profile, Box<dyn Error + Send + Sync>> {
        self.statistics.clear();
        self.gauges.clear();
        let mut leaves = Vec::new();
        let mut unavailable = None;
        for snapshot in self.snapshots()? {
            let held = self.bytes_on(snapshot.identity.device());
            let statistics = DeviceStatistics::new(&snapshot.identity, &snapshot.reading, held);
            #[cfg(feature = "cuda")]
            let statistics = statistics.map(|statistics| DeviceStatistics {
                allocator: self.pools.of(&snapshot.identity),
                ..statistics
            });
            self.gauges.extend(gauges::of(&snapshot, statistics.as_ref()));
            match statistics {
                Ok(statistics) => {
                    leaves.extend(statistics.leaves());
                    self.statistics.push(statistics);
                }
                Err(reason) => unavailable = Some(reason),
            }
        }
        match unavailable {
            Some(reason) if self.statistics.is_empty() => Err(reason.into()),
            _ => Ok(Profile::of_counters("gpu", leaves)),
        }
    }

    fn gauges(&self) -> Vec<Gauge> {
        self.gauges.clone()
    }
}

/// The error that occurred at the start. Each reading returns it.
#[derive(Debug)]
struct Shared(Arc<SamplerError>);

impl core::fmt::Display for Shared {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(out)
    }
}

impl Error for Shared {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// The peak of a device's used bytes between two snapshots, and the number of readings.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Peak {
    pub(crate) used: u64,
    pub(crate) readings: u64,
}

impl Peak {
    pub(crate) fn update(&mut self, reading: &DeviceReading) {
        if let Ok(memory) = &reading.memory {
            self.used = self.used.max(memory.used);
            self.readings += 1;
        }
    }
}
