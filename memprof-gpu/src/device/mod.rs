//! Which device it is, and how its paths spell it.

mod ordinals;
mod visible;

use memprof_profile::Device;
pub use ordinals::Ordinals;
pub use visible::{VisibleDevice, VisibleDevices};

/// Which device it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct DeviceIdentity {
    /// Its number in the driver's order, that of `nvidia-smi`; that of the whole device for a part.
    pub index: u32,
    /// What tells it from every other in the world: `GPU-…`, of a part `MIG-…`.
    pub uuid: String,
    /// Its product's name; `None` where the driver does not tell.
    pub name: Option<String>,
    /// The number of the part, if the device is split into several (MIG).
    pub part: Option<u32>,
    /// What CUDA numbers it in this process; `None` if CUDA does not see it or that isn't known.
    pub ordinal: Option<u16>,
}

impl DeviceIdentity {
    /// The frame of its paths: `cuda:0`, or `nvml:0` where CUDA's number is not known; the part
    /// comes last, as in `nvml:0/mig:3`.
    pub fn frame(&self) -> String {
        match (self.device(), self.part) {
            (device @ Device::Nvml(_), Some(part)) => format!("{device}/mig:{part}"),
            (device, _) => device.to_string(),
        }
    }

    /// The memory that its bytes are in.
    pub fn device(&self) -> Device {
        match self.ordinal {
            Some(ordinal) => Device::Cuda(ordinal),
            None => Device::Nvml(u16::try_from(self.index).unwrap_or(u16::MAX)),
        }
    }
}
