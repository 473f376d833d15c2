//! NVIDIA's GPUs, through the management library that comes with their driver (NVML).

mod health;
mod list;
mod memory;
mod processes;
mod reason;

use crate::{
    DeviceIdentity, DeviceReading, DeviceSampler, Environment, Ordinals, SamplerError, Wanted,
};
use list::Listed;
use nvml_wrapper::error::NvmlError;
use nvml_wrapper::{Device, Nvml, cuda_driver_version_major, cuda_driver_version_minor};
use std::ffi::OsStr;
use std::time::Instant;

/// Reads NVIDIA's GPUs.
///
/// It creates no CUDA context and takes no device memory; the driver's library is found while the
/// program runs.
///
/// ```
/// use memprof_gpu::{DeviceSampler, NvmlSampler, Wanted};
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
/// # Ok::<(), memprof_gpu::SamplerError>(())
/// ```
#[derive(Debug)]
pub struct NvmlSampler {
    nvml: Nvml,
    listed: Vec<Listed>,
    identities: Vec<DeviceIdentity>,
    environment: Environment,
    opened: Instant,
}

impl NvmlSampler {
    /// Opens the driver's library and lists the devices.
    ///
    /// # Errors
    /// If there is no driver ([`Absent`](SamplerError::Absent)), or it does not work.
    ///
    /// # Cost
    /// Without a driver less than a millisecond; with one some 10 ms.
    pub fn open() -> Result<Self, SamplerError> {
        Self::with(Nvml::init())
    }

    /// The same with the library at that path, where it is not where the system looks for it.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_at(library: impl AsRef<OsStr>) -> Result<Self, SamplerError> {
        Self::with(Nvml::builder().lib_path(library.as_ref()).init())
    }

    fn with(nvml: Result<Nvml, NvmlError>) -> Result<Self, SamplerError> {
        let nvml = nvml.map_err(opening)?;
        let listed = list::devices(&nvml).map_err(|error| SamplerError::Driver(error.into()))?;
        let mut identities: Vec<_> = listed.iter().map(|one| one.identity.clone()).collect();
        Ordinals::from_environment().number(&mut identities);
        let environment = environment(&nvml);
        Ok(Self { nvml, listed, identities, environment, opened: Instant::now() })
    }
}

impl DeviceSampler for NvmlSampler {
    fn devices(&self) -> &[DeviceIdentity] {
        &self.identities
    }

    fn sample(&mut self, device: usize, wanted: Wanted) -> Result<DeviceReading, SamplerError> {
        let devices = self.listed.len();
        let listed =
            self.listed.get(device).ok_or(SamplerError::NoSuchDevice { device, devices })?;
        let at = self.opened.elapsed();
        let began = Instant::now();
        let mut reading = match listed.handle(&self.nvml) {
            Ok(handle) => read(&handle, listed, wanted, DeviceReading::unread(device, at)),
            // A device that is gone says so in each counter.
            Err(error) => DeviceReading::refused(device, at, wanted, &reason::of(&error)),
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
    listed: &Listed,
    wanted: Wanted,
    mut reading: DeviceReading,
) -> DeviceReading {
    if wanted.memory {
        reading.memory = memory::read(handle, listed.identity.name.as_deref());
    }
    if wanted.processes {
        reading.processes = processes::read(handle);
    }
    if wanted.health {
        reading.temperature_celsius = health::temperature(handle);
        reading.power_milliwatts = health::power(handle);
        reading.traffic = health::traffic(handle);
    }
    reading
}

/// Why the library could not be opened.
fn opening(error: NvmlError) -> SamplerError {
    match error {
        NvmlError::LibloadingError(_) | NvmlError::LibraryNotFound | NvmlError::DriverNotLoaded => {
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
