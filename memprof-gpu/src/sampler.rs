//! The trait of device samplers. NVML's sampler implements it, and so can a test.

use crate::{DeviceIdentity, DeviceReading, Wanted};
use core::fmt;
use memprof_profile::text::WithCauses;
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
