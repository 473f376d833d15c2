//! The list of the driver's devices, and of the parts of split devices.

use super::reason;
use crate::{DeviceIdentity, Unavailable};
use nvml_wrapper::error::NvmlError;
use nvml_wrapper::{Device, Nvml};

/// A device, with the numbers by which each reading obtains its handle. The handle is not stored,
/// because it borrows the library.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) identity: DeviceIdentity,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Whole,
    /// The part's index among the parts of its device. This is not the ID of its GPU instance.
    Part(u32),
}

impl Listed {
    pub(super) fn handle<'n>(&self, nvml: &'n Nvml) -> Result<Device<'n>, NvmlError> {
        let device = nvml.device_by_index(self.identity.index)?;
        match self.kind {
            Kind::Whole => Ok(device),
            Kind::Part(number) => device.mig_device_by_index(number),
        }
    }
}

/// Lists all devices. A device that can't be reached is listed with its number only.
pub(super) fn devices(nvml: &Nvml) -> Result<Vec<Listed>, NvmlError> {
    let mut listed = Vec::new();
    for index in 0..nvml.device_count()? {
        let device = nvml.device_by_index(index).ok();
        let parts = device.as_ref().map(|device| parts(device, index)).unwrap_or_default();
        if parts.is_empty() {
            listed.push(Listed { identity: identity(device.as_ref(), index), kind: Kind::Whole });
        }
        listed.extend(parts);
    }
    Ok(listed)
}

/// Lists the parts of a split device. Their memory is the memory of the device.
fn parts(device: &Device<'_>, index: u32) -> Vec<Listed> {
    /// NVML's value for a device that is split now.
    const ENABLED: u32 = 1;
    if device.mig_mode().map_or(0, |mode| mode.current) != ENABLED {
        return Vec::new();
    }
    let max_parts = device.mig_device_count().unwrap_or(0);
    let part = |number| {
        let handle = device.mig_device_by_index(number).ok()?;
        let identity = DeviceIdentity { part: Some(number), ..identity(Some(&handle), index) };
        Some(Listed { identity, kind: Kind::Part(number) })
    };
    // A number that no part has is not an error.
    (0..max_parts).filter_map(part).collect()
}

fn identity(device: Option<&Device<'_>>, index: u32) -> DeviceIdentity {
    let uuid = device
        .map_or(Err(Unavailable::Lost), |device| device.uuid().map_err(|error| reason::of(&error)));
    DeviceIdentity {
        index,
        uuid: uuid.unwrap_or_else(|reason| format!("unknown: {reason}")),
        name: device.and_then(|device| device.name().ok()),
        part: None,
        ordinal: None,
    }
}
