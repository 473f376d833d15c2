//! What a sampler reads: devices, and their counters at one moment. A counter that can't be read is
//! the reason, not 0.
//!
//! NVML numbers devices by their position on the bus. CUDA's numbers depend on
//! `CUDA_VISIBLE_DEVICES`, on `CUDA_DEVICE_ORDER` and on the speed of the devices. Only CUDA itself
//! reports them, and a query initialises CUDA, after which the children of a fork can't use it. So
//! paths name a device by NVML's number, which never changes. CUDA's number, by which values name
//! their device, is looked up by UUID once the program uses CUDA. Until then, no value can hold
//! memory of a CUDA device.

use core::fmt;
use core::time::Duration;
use memprof_profile::text::WithCauses;
use memprof_profile::tree::Device;
use std::error::Error;

/// A reader of device counters.
///
/// If one device fails, the counters of the other devices can still be read.
pub trait DeviceSampler: Send {
    /// Returns the devices in the driver's order. The list never changes.
    fn devices(&self) -> &[DeviceIdentity];

    /// Reads the wanted counters of a device. The other counters are
    /// [`NotAsked`](crate::Unavailable::NotAsked).
    ///
    /// # Errors
    /// Returns [`SamplerError`] if there is no such device, or if the driver fails.
    fn sample(&mut self, device: usize, wanted: Wanted) -> Result<DeviceReading, SamplerError>;

    /// Returns the versions of the driver and of CUDA.
    fn environment(&self) -> Environment;
}

/// The versions of the driver and of CUDA. A version is `None` if the driver does not report it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[expect(clippy::exhaustive_structs, reason = "samplers of other crates construct it")]
pub struct Environment {
    /// The driver's version, as the driver formats it: `580.159.03`.
    pub driver: Option<String>,
    /// The newest CUDA version that the driver supports: `13.0`.
    pub cuda: Option<String>,
}

/// The identity of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[expect(clippy::exhaustive_structs, reason = "samplers of other crates construct it")]
pub struct DeviceIdentity {
    /// The device's number in the driver's order, as `nvidia-smi` prints it. A part of a split
    /// device has the number of the whole device.
    pub index: u32,
    /// The globally unique ID: `GPU-…`, or `MIG-…` for a part.
    pub uuid: String,
    /// The product name. `None` if the driver does not report it.
    pub name: Option<String>,
    /// The number of the MIG instance, if the device is split.
    pub part: Option<u32>,
    /// The device's number in CUDA in this process. `None` until the program uses CUDA, or if CUDA
    /// does not list the device.
    pub ordinal: Option<u16>,
}

impl DeviceIdentity {
    /// Returns the frame that starts the device's paths: `nvml:0`, or `nvml:0/mig:3` for a part of
    /// a split device.
    pub fn frame(&self) -> String {
        let whole = format!("nvml:{}", self.index);
        self.part.map_or(whole.clone(), |part| format!("{whole}/mig:{part}"))
    }

    /// Returns the device that profiles name for this GPU's memory: `cuda:N` if its number in CUDA
    /// is known, otherwise `nvml:N`.
    pub fn device(&self) -> Device {
        match self.ordinal {
            Some(ordinal) => Device::Cuda(ordinal),
            None => Device::Nvml(u16::try_from(self.index).unwrap_or(u16::MAX)),
        }
    }
}

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
    /// The current power draw in milliwatts.
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
        Self::refused(device, at, Wanted::ALL, &Unavailable::NotAsked)
    }

    /// Returns a reading in which each wanted counter is unavailable for the given reason.
    pub(crate) fn refused(
        device: usize,
        at: Duration,
        wanted: Wanted,
        reason: &Unavailable,
    ) -> Self {
        let because = |is_wanted| if is_wanted { reason.clone() } else { Unavailable::NotAsked };
        Self {
            device,
            at,
            cost: Duration::ZERO,
            memory: Err(because(wanted.memory)),
            processes: Err(because(wanted.processes)),
            temperature_celsius: Err(because(wanted.health)),
            power_milliwatts: Err(because(wanted.health)),
            traffic: Err(because(wanted.health)),
        }
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
    /// Returns the counters, with `used` computed as the total minus the free and the reserved
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

/// The value of a counter, or the reason why it is unavailable. An unavailable counter is an error,
/// not 0.
pub type Counter<T> = Result<T, Unavailable>;

/// The reason why a counter is unavailable.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Unavailable {
    /// The reading did not include the counter.
    NotAsked,
    /// The device or its driver does not have the counter.
    NotSupported,
    /// The user that runs this process has no permission to read the counter.
    NoPermission,
    /// The driver is too old to have the counter's function.
    MissingSymbol,
    /// The driver supports the counter and reports no value for it.
    NotReported,
    /// The first reading is not complete.
    Pending,
    /// This process runs in a PID namespace of its own, for example in a container, and the driver
    /// lists the process IDs of another one.
    OtherPidNamespace,
    /// The device is lost: it has fallen off the bus, or must be reset.
    Lost,
    /// The value contradicts another one.
    Inconsistent(String),
    /// The driver failed for another reason.
    Failed(String),
}

impl fmt::Display for Unavailable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAsked => out.write_str("not requested"),
            Self::NotSupported => out.write_str("not supported by this device"),
            Self::NoPermission => out.write_str("no permission to read it"),
            Self::MissingSymbol => out.write_str("the driver is too old to report it"),
            Self::NotReported => out.write_str("the driver reports no value"),
            Self::Pending => out.write_str("not read yet"),
            Self::OtherPidNamespace => {
                out.write_str("in a container, the driver's process IDs belong to other processes")
            }
            Self::Lost => out.write_str("the device is lost: reset it or restart the machine"),
            Self::Inconsistent(contradiction) => {
                write!(out, "the driver contradicts itself: {contradiction}")
            }
            Self::Failed(reason) => write!(out, "the driver failed: {reason}"),
        }
    }
}

/// Prints the text of `Display`, because `main` and `unwrap` print this form.
impl fmt::Debug for Unavailable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for Unavailable {}

/// The reason why devices can't be read.
#[non_exhaustive]
pub enum SamplerError {
    /// This machine has no driver, and so no device.
    Absent(Box<dyn Error + Send + Sync>),
    /// The driver failed.
    Driver(Box<dyn Error + Send + Sync>),
    /// The sampler has no device with this number.
    NoSuchDevice {
        /// The requested number.
        device: usize,
        /// The number of devices.
        devices: usize,
    },
}

impl SamplerError {
    /// Returns `true` if this machine has no NVIDIA driver, so the program can continue without
    /// devices.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent(_))
    }
}

impl fmt::Display for SamplerError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent(_) => out.write_str(
                "no working NVIDIA driver on this machine: its library (libnvidia-ml.so.1 or \
                 nvml.dll) is missing or finds no driver; in a container, enable GPU access",
            ),
            Self::Driver(_) => {
                out.write_str("the NVIDIA driver failed: check whether `nvidia-smi` works")
            }
            Self::NoSuchDevice { device, devices } => {
                write!(out, "no device {device}; there are {devices}, numbered from 0")
            }
        }
    }
}

/// Prints the text of `Display` and the causes, because `main` and `unwrap` print this form.
impl fmt::Debug for SamplerError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&WithCauses(self), out)
    }
}

impl Error for SamplerError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Absent(cause) | Self::Driver(cause) => Some(cause.as_ref()),
            _ => None,
        }
    }
}
