//! Who reads devices: NVML, or a trace that was recorded from it.

use crate::{DeviceIdentity, DeviceReading, Wanted};
use core::fmt;
use std::error::Error;

/// Something that reads the counters of devices.
///
/// A device that fails costs its own counters only.
pub trait DeviceSampler: Send {
    /// The devices, in the driver's order; it stays the same.
    fn devices(&self) -> &[DeviceIdentity];

    /// Reads what is wanted of a device; the rest is [`NotAsked`](crate::Unavailable::NotAsked).
    ///
    /// # Errors
    /// If there is no such device, or nothing left to read in a trace.
    fn sample(&mut self, device: usize, wanted: Wanted) -> Result<DeviceReading, SamplerError>;

    /// What it reads with.
    fn environment(&self) -> Environment;
}

/// The versions of what devices are read with; `None` where it does not tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct Environment {
    /// The driver's, as it spells it: `580.159.03`.
    pub driver: Option<String>,
    /// The highest CUDA that the driver knows: `13.0`.
    pub cuda: Option<String>,
}

/// Why devices can't be read.
#[non_exhaustive]
pub enum SamplerError {
    /// There is no driver here, and so no device.
    Absent(Box<dyn Error + Send + Sync>),
    /// There is a driver, which failed.
    Driver(Box<dyn Error + Send + Sync>),
    /// The sampler has no device of that number.
    NoSuchDevice {
        /// The number asked for.
        device: usize,
        /// How many there are.
        devices: usize,
    },
    /// The trace has no more readings of that device.
    TraceEnded {
        /// The number asked for.
        device: usize,
    },
}

impl SamplerError {
    /// Whether there is just no GPU here, which is no failure.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent(_))
    }
}

impl fmt::Display for SamplerError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent(_) => out.write_str(
                "no NVIDIA driver on this machine that works: its library (libnvidia-ml.so.1 or \
                 nvml.dll) is missing or finds no driver; in a container, give it the GPUs",
            ),
            Self::Driver(_) => {
                out.write_str("the NVIDIA driver failed: see whether `nvidia-smi` works")
            }
            Self::NoSuchDevice { device, devices } => {
                write!(out, "no device {device}: there are {devices}, counted from 0")
            }
            Self::TraceEnded { device } => {
                write!(out, "the trace has no more readings of device {device}")
            }
        }
    }
}

/// The same text as `Display`, which is what `main` and `unwrap` print.
impl fmt::Debug for SamplerError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
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
