//! NVIDIA GPUs, read through the management library of their driver (NVML).

use crate::{
    Counter, DeviceIdentity, DeviceReading, DeviceSampler, Environment, MemoryCounters,
    MemorySource, ProcessMemory, SamplerError, Traffic, Unavailable, Wanted,
};
use nvml_wrapper::enum_wrappers::device::TemperatureSensor;
use nvml_wrapper::enums::device::{SampleValue, UsedGpuMemory};
use nvml_wrapper::error::{NvmlError, nvml_try};
use nvml_wrapper::struct_wrappers::device::ProcessInfo;
use nvml_wrapper::structs::device::FieldId;
use nvml_wrapper::sys_exports::field_id::{
    NVML_FI_DEV_PCIE_COUNT_RX_BYTES, NVML_FI_DEV_PCIE_COUNT_TX_BYTES,
};
use nvml_wrapper::{Device, Nvml, cuda_driver_version_major, cuda_driver_version_minor};
use nvml_wrapper_sys::bindings::nvmlMemory_t;
use std::ffi::OsStr;
use std::time::Instant;

/// A sampler that reads NVIDIA GPUs.
///
/// The sampler creates no CUDA context and takes no device memory. It loads the driver's library at
/// run time.
///
/// ```
/// use memprof::gpu::{DeviceSampler, NvmlSampler, Wanted};
///
/// match NvmlSampler::open() {
///     Ok(mut sampler) => {
///         for device in 0..sampler.devices().len() {
///             println!("{:?}", sampler.sample(device, Wanted::ALL)?.memory);
///         }
///     }
///     Err(error) if error.is_absent() => println!("{error}"),
///     Err(error) => return Err(error),
/// }
/// # Ok::<(), memprof::gpu::SamplerError>(())
/// ```
#[derive(Debug)]
pub struct NvmlSampler {
    nvml: Nvml,
    devices: Vec<DeviceIdentity>,
    environment: Environment,
    opened: Instant,
}

impl NvmlSampler {
    /// Opens the driver's library and lists the devices.
    ///
    /// # Errors
    /// Returns [`SamplerError::Absent`] if there is no driver, and [`SamplerError::Driver`] if the
    /// driver fails.
    ///
    /// # Cost
    /// The call takes less than a millisecond without a driver, and about 10 ms with one.
    pub fn open() -> Result<Self, SamplerError> {
        Self::with(Nvml::init())
    }

    /// Opens the driver's library at this path, for a library outside the system's search path.
    ///
    /// # Errors
    /// Returns the same errors as [`open`](Self::open).
    pub fn open_at(library: impl AsRef<OsStr>) -> Result<Self, SamplerError> {
        Self::with(Nvml::builder().lib_path(library.as_ref()).init())
    }

    fn with(nvml: Result<Nvml, NvmlError>) -> Result<Self, SamplerError> {
        let nvml = nvml.map_err(open_error)?;
        let devices = devices(&nvml).map_err(|error| SamplerError::Driver(error.into()))?;
        let environment = environment(&nvml);
        Ok(Self { nvml, devices, environment, opened: Instant::now() })
    }
}

impl DeviceSampler for NvmlSampler {
    fn devices(&self) -> &[DeviceIdentity] {
        &self.devices
    }

    fn sample(&mut self, device: usize, wanted: Wanted) -> Result<DeviceReading, SamplerError> {
        let devices = self.devices.len();
        let identity =
            self.devices.get(device).ok_or(SamplerError::NoSuchDevice { device, devices })?;
        let at = self.opened.elapsed();
        let began = Instant::now();
        let mut reading = match handle(&self.nvml, identity) {
            Ok(handle) => read(&handle, identity, wanted, DeviceReading::unread(device, at)),
            // If a device is gone, each of its counters reports the reason.
            Err(error) => DeviceReading::refused(device, at, wanted, &reason(&error)),
        };
        reading.cost = began.elapsed();
        Ok(reading)
    }

    fn environment(&self) -> Environment {
        self.environment.clone()
    }
}

fn read(
    handle: &Device<'_>,
    identity: &DeviceIdentity,
    wanted: Wanted,
    mut reading: DeviceReading,
) -> DeviceReading {
    if wanted.memory {
        reading.memory = memory(handle, identity.name.as_deref());
    }
    if wanted.processes {
        reading.processes = processes(handle);
    }
    if wanted.health {
        let sensor = TemperatureSensor::Gpu;
        reading.temperature_celsius = handle.temperature(sensor).map_err(|error| reason(&error));
        reading.power_milliwatts = handle.power_usage().map_err(|error| reason(&error));
        reading.traffic = traffic(handle);
    }
    reading
}

fn open_error(error: NvmlError) -> SamplerError {
    match error {
        // The wrapper's text and its source repeat the loader's text.
        NvmlError::LibloadingError(error) => SamplerError::Absent(error.to_string().into()),
        NvmlError::UnexpectedVariant(GPU_NOT_FOUND) => {
            SamplerError::Absent("the driver found no GPU".into())
        }
        NvmlError::LibraryNotFound | NvmlError::DriverNotLoaded => {
            SamplerError::Absent(error.into())
        }
        _ => SamplerError::Driver(error.into()),
    }
}

fn environment(nvml: &Nvml) -> Environment {
    let cuda = nvml.sys_cuda_driver_version().ok();
    let cuda = cuda.map(|version| {
        let (major, minor) =
            (cuda_driver_version_major(version), cuda_driver_version_minor(version));
        format!("{major}.{minor}")
    });
    Environment { driver: nvml.sys_driver_version().ok(), cuda }
}

/// Returns the handle of a device. It is not stored, because it borrows the library.
fn handle<'n>(nvml: &'n Nvml, identity: &DeviceIdentity) -> Result<Device<'n>, NvmlError> {
    let device = nvml.device_by_index(identity.index)?;
    match identity.part {
        None => Ok(device),
        Some(number) => device.mig_device_by_index(number),
    }
}

/// Lists all devices. A device that can't be reached is listed with its number only.
fn devices(nvml: &Nvml) -> Result<Vec<DeviceIdentity>, NvmlError> {
    let mut listed = Vec::new();
    for index in 0..nvml.device_count()? {
        let device = nvml.device_by_index(index).ok();
        let parts = device.as_ref().map(|device| parts(device, index)).unwrap_or_default();
        if parts.is_empty() {
            listed.push(identity(device.as_ref(), index));
        }
        listed.extend(parts);
    }
    Ok(listed)
}

/// Lists the parts of a split device. Their memory is the memory of the device.
fn parts(device: &Device<'_>, index: u32) -> Vec<DeviceIdentity> {
    /// NVML's value for a device that is split now.
    const ENABLED: u32 = 1;
    if device.mig_mode().map_or(0, |mode| mode.current) != ENABLED {
        return Vec::new();
    }
    let max_parts = device.mig_device_count().unwrap_or(0);
    let part = |number| {
        let handle = device.mig_device_by_index(number).ok()?;
        Some(DeviceIdentity { part: Some(number), ..identity(Some(&handle), index) })
    };
    // A number that no part has is not an error.
    (0..max_parts).filter_map(part).collect()
}

fn identity(device: Option<&Device<'_>>, index: u32) -> DeviceIdentity {
    let uuid = device
        .map_or(Err(Unavailable::Lost), |device| device.uuid().map_err(|error| reason(&error)));
    DeviceIdentity {
        index,
        uuid: uuid.unwrap_or_else(|reason| format!("unknown: {reason}")),
        name: device.and_then(|device| device.name().ok()),
        part: None,
        ordinal: None,
    }
}

/// Products that share the host's memory.
const UNIFIED: &[&str] = &["GB10", "Orin", "Thor", "Xavier"];

/// Returns a device's memory counters, from the first of three interfaces that reports them.
fn memory(device: &Device<'_>, name: Option<&str>) -> Counter<MemoryCounters> {
    let second = match device.memory_info() {
        Ok(info) => {
            let (total, free, reserved) = (info.total, info.free, Some(info.reserved));
            return MemoryCounters::balanced(total, free, reserved, MemorySource::NvmlV2);
        }
        Err(error) => reason(&error),
    };
    if matches!(second, Unavailable::Lost | Unavailable::NoPermission) {
        return Err(second);
    }
    match first(device) {
        Ok(memory) => {
            MemoryCounters::balanced(memory.total, memory.free, None, MemorySource::NvmlV1)
        }
        Err(Unavailable::NotSupported) if is_unified(name) => host(),
        // The newer counter's error explains more than the older counter's error.
        Err(Unavailable::MissingSymbol) => Err(second),
        Err(error) => Err(error),
    }
}

/// Reads the v1 counters, for drivers before R510 and for WSL.
#[expect(unsafe_code, reason = "the old form of the counters has no safe wrapper")]
fn first(device: &Device<'_>) -> Counter<nvmlMemory_t> {
    let function = device.nvml().lib().nvmlDeviceGetMemoryInfo.as_ref();
    let function = function.map_err(|_| Unavailable::MissingSymbol)?;
    let mut memory = nvmlMemory_t { total: 0, free: 0, used: 0 };
    // SAFETY: the handle is only passed on to the library that created it.
    let handle = unsafe { device.handle() };
    // SAFETY: the handle belongs to a device of this library, which stays open while `device`
    // borrows it. The struct has the type that the function fills.
    let code = unsafe { function(handle, &raw mut memory) };
    nvml_try(code).map_err(|error| reason(&error)).map(|()| memory)
}

fn is_unified(name: Option<&str>) -> bool {
    // The comparison uses whole words, because a GB102 is not a GB10.
    name.is_some_and(|name| name.split([' ', '-']).any(|word| UNIFIED.contains(&word)))
}

fn host() -> Counter<MemoryCounters> {
    let text = std::fs::read_to_string("/proc/meminfo").map_err(|_| Unavailable::NotSupported)?;
    parse_meminfo(&text).ok_or(Unavailable::NotSupported)?
}

fn parse_meminfo(text: &str) -> Option<Counter<MemoryCounters>> {
    let value = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    };
    let (total, free) = (value("MemTotal:")?, value("MemAvailable:")?);
    Some(MemoryCounters::balanced(total, free, None, MemorySource::HostUnified))
}

/// Ordered by process ID. A process that both computes and draws has one row.
fn processes(device: &Device<'_>) -> Counter<Vec<ProcessMemory>> {
    let computing = list_with_retry(|| device.running_compute_processes());
    let computing = computing.map_err(|error| reason(&error))?;
    // A device that can't draw has no list of drawing processes.
    let drawing = list_with_retry(|| device.running_graphics_processes()).unwrap_or_default();
    let mut rows: Vec<_> = computing.into_iter().chain(drawing).collect();
    let used = |info: &ProcessInfo| row(info).used;
    rows.sort_by_key(|info| (instance_key(info), core::cmp::Reverse(used(info))));
    // A process on two compute instances has two amounts. A process that computes and draws is in
    // both lists with one amount.
    rows.dedup_by_key(|info| instance_key(info));
    Ok(rows.iter().map(row).collect())
}

/// Returns the process ID and the part of a split device on which the process runs.
fn instance_key(info: &ProcessInfo) -> (u32, Option<u32>, Option<u32>) {
    (info.pid, info.gpu_instance_id, info.compute_instance_id)
}

/// Lists the processes. Tries once more if processes were added between counting and listing.
fn list_with_retry(
    list: impl Fn() -> Result<Vec<ProcessInfo>, NvmlError>,
) -> Result<Vec<ProcessInfo>, NvmlError> {
    match list() {
        Err(NvmlError::InsufficientSize(_)) => list(),
        listed => listed,
    }
}

fn row(info: &ProcessInfo) -> ProcessMemory {
    let used = match info.used_gpu_memory {
        UsedGpuMemory::Used(bytes) => Some(bytes),
        UsedGpuMemory::Unavailable => None,
    };
    ProcessMemory { pid: info.pid, used, gpu_instance: info.gpu_instance_id }
}

/// Returns the bytes that the device counted. `pcie_throughput` would take 20 ms to measure a rate.
fn traffic(device: &Device<'_>) -> Counter<Traffic> {
    let fields = [NVML_FI_DEV_PCIE_COUNT_TX_BYTES, NVML_FI_DEV_PCIE_COUNT_RX_BYTES].map(FieldId);
    let values = device.field_values_for(&fields).map_err(|error| reason(&error))?;
    let mut values = values.into_iter().map(|sample| {
        let value = sample.and_then(|sample| sample.value).map_err(|error| reason(&error))?;
        match value {
            SampleValue::U64(bytes) => Ok(bytes),
            SampleValue::U32(bytes) => Ok(u64::from(bytes)),
            other => Err(Unavailable::Inconsistent(format!(
                "expected a count of bytes, found {other:?}"
            ))),
        }
    });
    let mut next = || values.next().unwrap_or(Err(Unavailable::NotReported));
    Ok(Traffic { sent: next()?, received: next()? })
}

fn reason(error: &NvmlError) -> Unavailable {
    match error {
        NvmlError::NotSupported => Unavailable::NotSupported,
        NvmlError::NoPermission => Unavailable::NoPermission,
        NvmlError::FailedToLoadSymbol(_) | NvmlError::FunctionNotFound => {
            Unavailable::MissingSymbol
        }
        NvmlError::NotFound | NvmlError::NoData => Unavailable::NotReported,
        NvmlError::GpuLost | NvmlError::ResetRequired => Unavailable::Lost,
        NvmlError::UnexpectedVariant(code) => of_number(*code),
        error => Unavailable::Failed(error.to_string()),
    }
}

// Error codes that are newer than the wrapper.
const ARGUMENT_VERSION_MISMATCH: u32 = 25;
const NOT_READY: u32 = 27;
const GPU_NOT_FOUND: u32 = 28;

fn of_number(code: u32) -> Unavailable {
    match code {
        ARGUMENT_VERSION_MISMATCH => {
            Unavailable::Failed("it has another version of this counter".into())
        }
        NOT_READY => Unavailable::Failed("not ready yet".into()),
        code => Unavailable::Failed(format!("NVML error {code}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_unified, parse_meminfo};
    use crate::MemorySource;

    #[test]
    fn the_counters_of_unified_memory_are_the_hosts() {
        let text = "MemTotal:       1000 kB\nMemFree: 100 kB\nMemAvailable:    400 kB\n";
        let memory = parse_meminfo(text).expect("both are there").expect("they are possible");
        assert_eq!((memory.total, memory.free, memory.used), (1_024_000, 409_600, 614_400));
        assert_eq!(memory.source, MemorySource::HostUnified);
        assert!(parse_meminfo("MemTotal: 1 kB\n").is_none());
        for (name, expected) in [
            (Some("NVIDIA GB10"), true),
            (Some("Orin (nvgpu)"), true),
            (Some("NVIDIA H100"), false),
            (Some("NVIDIA GB102"), false),
            (None, false),
        ] {
            assert_eq!(is_unified(name), expected, "{name:?}");
        }
    }
}
