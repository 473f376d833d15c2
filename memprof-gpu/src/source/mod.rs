//! GPUs as a source of a session: each snapshot has who holds how much of their memory.

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
use memprof_profile::{Device, Gauge, Profile, Source};
use std::error::Error;
use std::sync::Arc;
use watcher::{Seen, Watcher};

/// The GPUs of this machine, for `Session::source`.
///
/// Its profile has a branch for each device, whose leaves add up to the device's memory:
/// `gpu;cuda:0;free`, `;driver_reserved`, `;used;process;attributed` (what profiled values hold),
/// `;used;process;unattributed` and `;used;other_processes`. Where the driver does not list this
/// process, as in a container, the last two are one: `;used;unknown_owner`. A device is called
/// `nvml:0` where its number in CUDA is not known ([`Ordinals`](crate::Ordinals)).
///
/// Between snapshots a thread reads the memory each 100 ms, for the peak, and processes,
/// temperature, power and traffic each second; less often where reading takes more than a hundredth
/// of the time. A peak that was sampled is a lower bound. With the feature `cuda`, the driver's own
/// memory pools are gauges too, from when the program uses CUDA; their peaks are exact.
///
/// ```no_run
/// use memprof_gpu::GpuSource;
/// # fn session() -> Session { unimplemented!() }
/// # struct Session;
/// # impl Session { fn source(&self, source: GpuSource) {} }
///
/// let session = session(); // memprof::Session
/// session.source(GpuSource::new()); // where there is no GPU, snapshots say so
/// ```
#[derive(Debug)]
pub struct GpuSource {
    watcher: Result<Watcher, Arc<SamplerError>>,
    /// What values hold on each device.
    held: Vec<(Device, u64)>,
    #[cfg(feature = "cuda")]
    pools: pools::Pools,
    /// Of the last reading.
    statistics: Vec<DeviceStatistics>,
    gauges: Vec<Gauge>,
}

impl GpuSource {
    /// The GPUs that NVML lists; each reading is the error if there is no driver.
    ///
    /// # Cost
    /// Without a driver less than a millisecond.
    #[cfg(feature = "nvml")]
    pub fn new() -> Self {
        Self::builder().start().unwrap_or_else(Self::failed)
    }

    /// The GPUs that NVML lists.
    ///
    /// # Errors
    /// If there is no driver, or it does not work, or the system has no thread.
    #[cfg(feature = "nvml")]
    pub fn open() -> Result<Self, SamplerError> {
        Self::builder().start()
    }

    /// How often devices are read, and by what.
    pub fn builder() -> GpuSourceBuilder {
        GpuSourceBuilder::default()
    }

    #[cfg(feature = "nvml")]
    fn failed(error: SamplerError) -> Self {
        Self::of(Err(Arc::new(error)))
    }

    fn of(watcher: Result<Watcher, Arc<SamplerError>>) -> Self {
        Self {
            watcher,
            held: Vec::new(),
            #[cfg(feature = "cuda")]
            pools: pools::Pools::default(),
            statistics: Vec::new(),
            gauges: Vec::new(),
        }
    }

    /// The devices; none where there is no driver.
    pub fn devices(&self) -> &[DeviceIdentity] {
        self.watcher.as_ref().map_or(&[], |watcher| &watcher.identities)
    }

    /// What the last reading found of each device that told.
    pub fn statistics(&self) -> &[DeviceStatistics] {
        &self.statistics
    }

    /// What values hold on a device.
    fn held_on(&self, device: Device) -> u64 {
        self.held.iter().find(|(held, _)| *held == device).map_or(0, |&(_, bytes)| bytes)
    }

    fn look(&mut self) -> Result<Vec<Seen>, Box<dyn Error + Send + Sync>> {
        match &mut self.watcher {
            Ok(watcher) => {
                #[cfg(feature = "cuda")]
                self.pools.look(&mut watcher.identities);
                Ok(watcher.look()?)
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

    fn beside_roots(&mut self, held: &[(Device, u64)]) {
        self.held = held.to_vec();
    }

    /// # Cost
    /// What the driver takes for it, milliseconds for the list of processes. A driver that is busy is
    /// waited for 100 ms, one that was asked and does not answer 250 ms more; the reading is then the
    /// last one, and its age is told.
    fn read(&mut self) -> Result<Profile, Box<dyn Error + Send + Sync>> {
        self.statistics.clear();
        self.gauges.clear();
        let mut leaves = Vec::new();
        let mut why = None;
        for seen in self.look()? {
            let held = self.held_on(seen.identity.device());
            let statistics = DeviceStatistics::new(&seen.identity, &seen.reading, held);
            #[cfg(feature = "cuda")]
            let statistics = statistics.map(|statistics| DeviceStatistics {
                allocator: self.pools.of(&seen.identity),
                ..statistics
            });
            self.gauges.extend(gauges::of(&seen, statistics.as_ref()));
            match statistics {
                Ok(statistics) => {
                    leaves.extend(statistics.leaves());
                    self.statistics.push(statistics);
                }
                Err(reason) => why = Some(reason),
            }
        }
        match why {
            Some(reason) if self.statistics.is_empty() => Err(reason.into()),
            _ => Ok(Profile::of_counters("gpu", leaves)),
        }
    }

    fn gauges(&self) -> Vec<Gauge> {
        self.gauges.clone()
    }
}

/// An error that is told again at each reading.
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

/// The largest that a device's counter was between two readings.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Peak {
    pub(crate) used: u64,
    pub(crate) readings: u64,
}

impl Peak {
    pub(crate) fn see(&mut self, reading: &DeviceReading) {
        if let Ok(memory) = &reading.memory {
            self.used = self.used.max(memory.used);
            self.readings += 1;
        }
    }
}
