//! GPUs as a source of a session: each snapshot records the owners of the GPUs' memory.

#[cfg(feature = "cuda")]
mod pools;
mod watcher;

#[cfg(test)]
mod tests;

use crate::{
    Counter, DeviceIdentity, DeviceSampler, DeviceStatistics, SamplerError, Traffic, Unavailable,
};
use core::time::Duration;
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
    /// The error occurred at the start, and each reading returns it.
    watcher: Result<Watcher, Arc<SamplerError>>,
    /// The bytes that values hold on each device.
    held: Vec<(Device, u64)>,
    #[cfg(feature = "cuda")]
    pools: pools::Pools,
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
            Err(error) => Err(Box::new(error.clone())),
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
            self.gauges.extend(gauges_of(&snapshot, statistics.as_ref()));
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

fn gauges_of(
    snapshot: &DeviceSnapshot,
    statistics: Result<&DeviceStatistics, &Unavailable>,
) -> Vec<Gauge> {
    let frame = snapshot.identity.frame();
    let reading = &snapshot.reading;
    let gauge = |name: &str, unit, value: Counter<u64>| {
        Gauge::new(format!("{frame} {name}"), unit, value.map_err(|reason| reason.to_string()))
    };
    let traffic = |direction: fn(&Traffic) -> u64| {
        reading.traffic.as_ref().map(direction).map_err(Unavailable::clone)
    };
    let number = |counter: &Counter<u32>| counter.clone().map(u64::from);
    let peak = match snapshot.peak.readings {
        0 => Err(Unavailable::NotReported),
        _ => Ok(snapshot.peak.used),
    };
    let mut gauges = vec![
        // The peak since the last snapshot is sampled, so it is a lower bound.
        gauge("peak used, sampled", "bytes", peak),
        gauge("memory read interval", "ns", Ok(snapshot.interval.as_nanos() as u64)),
        gauge("temperature", "celsius", number(&reading.temperature_celsius)),
        gauge("power", "milliwatts", number(&reading.power_milliwatts)),
        gauge("sent", "bytes", traffic(|traffic| traffic.sent)),
        gauge("received", "bytes", traffic(|traffic| traffic.received)),
    ];
    if let Some(pool) = statistics.ok().and_then(|statistics| statistics.allocator) {
        gauges.push(gauge("pool allocated", "bytes", Ok(pool.allocated)));
        gauges.push(gauge("pool reserved", "bytes", Ok(pool.reserved)));
        let peak = |peak: Option<u64>| peak.ok_or(Unavailable::NotReported);
        gauges.push(gauge("pool peak allocated", "bytes", peak(pool.peak_allocated)));
        gauges.push(gauge("pool peak reserved", "bytes", peak(pool.peak_reserved)));
    }
    if let Some(age) = snapshot.age {
        gauges.push(gauge("age of this reading", "ns", Ok(age.as_nanos() as u64)));
    }
    if let Ok(statistics) = statistics
        && let Err(reason) = &statistics.process
    {
        gauges.push(gauge("memory of this process", "bytes", Err(reason.clone())));
    }
    match statistics {
        Err(reason) => gauges.push(gauge("memory", "bytes", Err(reason.clone()))),
        Ok(statistics) if statistics.attributed_excess() > 0 => {
            let excess = statistics.attributed_excess();
            gauges.push(gauge("attributed excess", "bytes", Ok(excess)));
        }
        Ok(_) => {}
    }
    gauges
}
