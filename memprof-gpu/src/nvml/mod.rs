//! NVIDIA GPUs, read through the management library of their driver (NVML).

mod health;
mod list;
mod memory;
mod processes;
mod reason;

use crate::{DeviceIdentity, DeviceReading, DeviceSampler, Environment, SamplerError, Wanted};
use list::Listed;
use nvml_wrapper::error::NvmlError;
use nvml_wrapper::{Device, Nvml, cuda_driver_version_major, cuda_driver_version_minor};
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
    listed: Vec<Listed>,
    identities: Vec<DeviceIdentity>,
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
        let listed = list::devices(&nvml).map_err(|error| SamplerError::Driver(error.into()))?;
        let identities: Vec<_> = listed.iter().map(|one| one.identity.clone()).collect();
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
            // If a device is gone, each of its counters reports the reason.
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

/// Converts the error of opening the library.
fn open_error(error: NvmlError) -> SamplerError {
    match error {
        // The wrapper's text and its source repeat the loader's text.
        NvmlError::LibloadingError(error) => SamplerError::Absent(error.to_string().into()),
        NvmlError::UnexpectedVariant(reason::GPU_NOT_FOUND) => {
            SamplerError::Absent("the driver finds no GPU".into())
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
