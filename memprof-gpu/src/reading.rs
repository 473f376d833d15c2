//! What a device says at a moment: each counter, or why it is not known.

use crate::{Counter, Unavailable};
use core::time::Duration;

/// What a device said at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct DeviceReading {
    /// The device, by its place in the sampler's list.
    pub device: usize,
    /// When it was read: time since the sampler was opened.
    pub at: Duration,
    /// How long reading it took.
    pub cost: Duration,
    /// Its memory.
    pub memory: Counter<MemoryCounters>,
    /// The processes that hold memory of it, by their numbers.
    pub processes: Counter<Vec<ProcessMemory>>,
    /// How hot it is, in degrees Celsius.
    pub temperature_celsius: Counter<u32>,
    /// What it takes now, in milliwatts.
    pub power_milliwatts: Counter<u32>,
    /// Bytes over `PCIe` since the driver was loaded.
    pub traffic: Counter<Traffic>,
}

/// The memory of a device, in bytes; the parts add up to the total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct MemoryCounters {
    /// All there is.
    pub total: u64,
    /// What processes hold.
    pub used: u64,
    /// What nobody holds.
    pub free: u64,
    /// What the driver keeps for itself; `None` where it is not told apart from what is used.
    pub driver_reserved: Option<u64>,
    /// Who said so.
    pub source: MemorySource,
}

/// Who told what memory a device has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum MemorySource {
    /// NVML, which tells the driver's part apart.
    NvmlV2,
    /// NVML of old drivers and of Windows' Linux: the driver's part is in what is used.
    NvmlV1,
    /// The host: the device has no memory of its own.
    HostUnified,
}

/// What a process holds of a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct ProcessMemory {
    /// Its number on the host, which is another one than in a container.
    pub pid: u32,
    /// Bytes; `None` where the driver does not tell.
    pub used: Option<u64>,
    /// The instance it runs on, if the device is split into several.
    pub gpu_instance: Option<u32>,
}

/// Bytes that went over `PCIe`, counted by the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct Traffic {
    /// From the device.
    pub sent: u64,
    /// To the device.
    pub received: u64,
}

/// What is read of a device, as it costs time: memory microseconds, processes milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wanted {
    /// Its memory.
    pub memory: bool,
    /// The processes that hold it.
    pub processes: bool,
    /// Temperature, power and traffic.
    pub health: bool,
}

impl Wanted {
    /// Everything.
    pub const ALL: Self = Self { memory: true, processes: true, health: true };
    /// The memory alone.
    pub const MEMORY: Self = Self { memory: true, processes: false, health: false };
    /// What is read less often.
    pub const SLOW: Self = Self { memory: false, processes: true, health: true };
}

impl DeviceReading {
    /// A reading of nothing, for samplers to fill in.
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

    /// A reading of which all that was wanted is not known, for that reason.
    pub(crate) fn refused(device: usize, at: Duration, wanted: Wanted, why: &Unavailable) -> Self {
        let mut reading = Self::unread(device, at);
        if wanted.memory {
            reading.memory = Err(why.clone());
        }
        if wanted.processes {
            reading.processes = Err(why.clone());
        }
        if wanted.health {
            reading.temperature_celsius = Err(why.clone());
            reading.power_milliwatts = Err(why.clone());
            reading.traffic = Err(why.clone());
        }
        reading
    }

    /// Without what is not wanted.
    #[cfg(feature = "json")]
    pub(crate) fn only(mut self, wanted: Wanted) -> Self {
        let none = Unavailable::NotAsked;
        if !wanted.memory {
            self.memory = Err(none.clone());
        }
        if !wanted.processes {
            self.processes = Err(none.clone());
        }
        if !wanted.health {
            self.temperature_celsius = Err(none.clone());
            self.power_milliwatts = Err(none.clone());
            self.traffic = Err(none);
        }
        self
    }

    /// Takes over what `newer` was asked for.
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
    /// The counters, if they are possible: what is used is what is neither free nor the driver's.
    ///
    /// NVML reads its counters one after the other, so that they may be off by what was allocated
    /// meanwhile; the total stays what it is.
    ///
    /// # Errors
    /// If the parts are more than the whole, or there is no whole: a driver that says 0 says nothing.
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
            let what = format!("{free} bytes free and {reserved} reserved of {total} in all");
            Unavailable::Inconsistent(what)
        })?;
        Ok(Self { total, used, free, driver_reserved, source })
    }

    /// These, if their parts add up to the total: a file, or whoever fills the fields, can say anything.
    ///
    /// # Errors
    /// If they don't.
    pub fn checked(self) -> Counter<Self> {
        let Self { total, used, free, driver_reserved, source } = self;
        let balanced = Self::balanced(total, free, driver_reserved, source)?;
        if balanced.used == used {
            return Ok(self);
        }
        let what = format!("{used} bytes used where {} of {total} are left for it", balanced.used);
        Err(Unavailable::Inconsistent(what))
    }
}
