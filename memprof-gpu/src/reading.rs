//! A reading of a device at one moment: each counter, or the reason why it is unavailable.

use crate::{Counter, Unavailable};
use core::time::Duration;

/// The counters of a device at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[expect(clippy::exhaustive_structs, reason = "samplers of other crates construct it")]
pub struct DeviceReading {
    /// The index of the device in the sampler's list.
    pub device: usize,
    /// The time of the reading, since the sampler was opened.
    pub at: Duration,
    /// The time that the reading took.
    pub cost: Duration,
    /// The device's memory.
    pub memory: Counter<MemoryCounters>,
    /// The processes that hold memory of the device, ordered by process ID.
    pub processes: Counter<Vec<ProcessMemory>>,
    /// The temperature in degrees Celsius.
    pub temperature_celsius: Counter<u32>,
    /// The present power draw in milliwatts.
    pub power_milliwatts: Counter<u32>,
    /// Bytes transferred over `PCIe`. The device's counters may wrap.
    pub traffic: Counter<Traffic>,
}

/// The memory of a device in bytes. The parts add up to the total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[expect(clippy::exhaustive_structs, reason = "samplers of other crates construct it")]
pub struct MemoryCounters {
    /// All memory of the device.
    pub total: u64,
    /// The bytes that processes hold.
    pub used: u64,
    /// The bytes that no process holds.
    pub free: u64,
    /// The bytes that the driver keeps for itself. `None` if `used` includes them.
    pub driver_reserved: Option<u64>,
    /// The interface that reported these counters.
    pub source: MemorySource,
}

/// The interface that reported a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum MemorySource {
    /// NVML's counters v2, which report the driver's part separately.
    NvmlV2,
    /// NVML's counters v1, of old drivers and of WSL. The driver's part is included in `used`.
    NvmlV1,
    /// The host's counters, because the device has no memory of its own.
    HostUnified,
}

/// The device memory that one process holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[expect(clippy::exhaustive_structs, reason = "samplers of other crates construct it")]
pub struct ProcessMemory {
    /// The process ID as the driver reports it: usually the ID on the host, also in a container.
    pub pid: u32,
    /// The bytes that the process holds. `None` if the driver does not report them.
    pub used: Option<u64>,
    /// The GPU instance on which the process runs, if the device is split (MIG).
    pub gpu_instance: Option<u32>,
}

/// Bytes transferred over `PCIe`, as counted by the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[expect(clippy::exhaustive_structs, reason = "samplers of other crates construct it")]
pub struct Traffic {
    /// Bytes from the device.
    pub sent: u64,
    /// Bytes to the device.
    pub received: u64,
}

/// The counters to read. Reading the memory takes microseconds, and reading the processes takes
/// milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "samplers of other crates construct it")]
pub struct Wanted {
    /// The device's memory.
    pub memory: bool,
    /// The processes that hold device memory.
    pub processes: bool,
    /// Temperature, power and traffic.
    pub health: bool,
}

impl Wanted {
    /// All counters.
    pub const ALL: Self = Self { memory: true, processes: true, health: true };
    /// Only the memory.
    pub const MEMORY: Self = Self { memory: true, processes: false, health: false };
    /// The counters that [`GpuSource`](crate::GpuSource) reads less often: all except the memory.
    pub const SLOW: Self = Self { memory: false, processes: true, health: true };
}

impl DeviceReading {
    /// Returns a reading without values, which a sampler fills in.
    pub fn unread(device: usize, at: Duration) -> Self {
        let none = Unavailable::NotAsked;
        Self {
            device,
            at,
            cost: Duration::ZERO,
            memory: Err(none.clone()),
            processes: Err(none.clone()),
            temperature_celsius: Err(none.clone()),
            power_milliwatts: Err(none.clone()),
            traffic: Err(none),
        }
    }

    /// Returns a reading in which each wanted counter is unavailable for the given reason.
    pub(crate) fn refused(
        device: usize,
        at: Duration,
        wanted: Wanted,
        reason: &Unavailable,
    ) -> Self {
        let mut reading = Self::unread(device, at);
        if wanted.memory {
            reading.memory = Err(reason.clone());
        }
        if wanted.processes {
            reading.processes = Err(reason.clone());
        }
        if wanted.health {
            reading.temperature_celsius = Err(reason.clone());
            reading.power_milliwatts = Err(reason.clone());
            reading.traffic = Err(reason.clone());
        }
        reading
    }

    /// Replaces each counter that `newer` includes.
    pub(crate) fn update(&mut self, newer: Self) {
        fn take<T>(known: &mut Counter<T>, newer: Counter<T>) {
            if !matches!(newer, Err(Unavailable::NotAsked)) {
                *known = newer;
            }
        }
        (self.at, self.cost) = (newer.at, newer.cost);
        take(&mut self.memory, newer.memory);
        take(&mut self.processes, newer.processes);
        take(&mut self.temperature_celsius, newer.temperature_celsius);
        take(&mut self.power_milliwatts, newer.power_milliwatts);
        take(&mut self.traffic, newer.traffic);
    }
}

impl MemoryCounters {
    /// Returns the counters, with `used` computed as the total less the free and the reserved
    /// bytes.
    ///
    /// NVML reads its counters one after the other. If a process allocates between these reads,
    /// `free` and `driver_reserved` may be off by the allocated bytes, but the total is always
    /// right.
    ///
    /// # Errors
    /// Returns [`Unavailable::Inconsistent`] if the parts exceed the total, and
    /// [`Unavailable::NotReported`] if the total is 0.
    pub fn balanced(
        total: u64,
        free: u64,
        driver_reserved: Option<u64>,
        source: MemorySource,
    ) -> Counter<Self> {
        if total == 0 {
            return Err(Unavailable::NotReported);
        }
        let rest = total.checked_sub(free);
        let used = rest.and_then(|rest| rest.checked_sub(driver_reserved.unwrap_or(0)));
        let used = used.ok_or_else(|| {
            let reserved = driver_reserved.unwrap_or(0);
            let text = format!("{free} bytes free and {reserved} reserved of a total of {total}");
            Unavailable::Inconsistent(text)
        })?;
        Ok(Self { total, used, free, driver_reserved, source })
    }

    /// Returns these counters if their parts add up to the total.
    ///
    /// Call this method for counters from a file, or from code that sets the public fields.
    ///
    /// # Errors
    /// Returns [`Unavailable`] if the parts do not add up.
    pub fn checked(self) -> Counter<Self> {
        let Self { total, used, free, driver_reserved, source } = self;
        let balanced = Self::balanced(total, free, driver_reserved, source)?;
        if balanced.used == used {
            return Ok(self);
        }
        let text = format!("{used} bytes used: expected {} of {total}", balanced.used);
        Err(Unavailable::Inconsistent(text))
    }
}
