//! The identity of a device, and the frame that names it in paths.
//!
//! NVML numbers devices by their position on the bus. CUDA's numbers depend on
//! `CUDA_VISIBLE_DEVICES`, on `CUDA_DEVICE_ORDER` and on the speed of the devices. Only CUDA itself
//! reports them, and a query initialises CUDA, after which the children of a fork can't use it. So
//! paths name a device by NVML's number, which never changes. CUDA's number, by which values name
//! their device, is looked up by UUID once the program uses CUDA. Until then, no value can hold
//! memory of a CUDA device.

use memprof_profile::tree::Device;

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
    /// The number of the part, if the device is split into several parts (MIG).
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
