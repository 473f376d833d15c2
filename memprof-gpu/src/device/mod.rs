//! The identity of a device, and the frame that names it in paths.

mod ordinals;
mod visible;

use memprof_profile::tree::Device;
pub use ordinals::Ordinals;
pub use visible::{VisibleDevice, VisibleDevices};

/// The identity of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[expect(clippy::exhaustive_structs, reason = "samplers of other crates construct it")]
pub struct DeviceIdentity {
    /// The device's number in the driver's order, as `nvidia-smi` prints it. A part of a split
    /// device has the number of the whole device.
    pub index: u32,
    /// The globally unique ID: `GPU-…`, or `MIG-…` for a part.
    pub uuid: String,
    /// The product name. `None` if the driver does not report it.
    pub name: Option<String>,
    /// The number of the part, if the device is split into several parts (MIG).
    pub part: Option<u32>,
    /// The device's number in CUDA in this process. `None` if CUDA does not list the device, or if
    /// the number is unknown.
    pub ordinal: Option<u16>,
}

impl DeviceIdentity {
    /// Returns the frame that starts the device's paths: `cuda:0`, or `nvml:0` if CUDA's number is
    /// unknown.
    ///
    /// If CUDA's number of a part is unknown, the part's number comes last, as in `nvml:0/mig:3`.
    pub fn frame(&self) -> String {
        match (self.device(), self.part) {
            (device @ Device::Nvml(_), Some(part)) => format!("{device}/mig:{part}"),
            (device, _) => device.to_string(),
        }
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
