//! The temperature, the power draw and the traffic of a device.

use super::reason;
use crate::{Counter, Traffic, Unavailable};
use nvml_wrapper::Device;
use nvml_wrapper::enum_wrappers::device::TemperatureSensor;
use nvml_wrapper::enums::device::SampleValue;
use nvml_wrapper::structs::device::FieldId;
use nvml_wrapper::sys_exports::field_id::{
    NVML_FI_DEV_PCIE_COUNT_RX_BYTES, NVML_FI_DEV_PCIE_COUNT_TX_BYTES,
};

pub(super) fn temperature(device: &Device<'_>) -> Counter<u32> {
    device.temperature(TemperatureSensor::Gpu).map_err(|error| reason::of(&error))
}

pub(super) fn power(device: &Device<'_>) -> Counter<u32> {
    device.power_usage().map_err(|error| reason::of(&error))
}

/// Returns the bytes that the device counted. `pcie_throughput` would take 20 ms to measure a rate.
pub(super) fn traffic(device: &Device<'_>) -> Counter<Traffic> {
    let fields = [NVML_FI_DEV_PCIE_COUNT_TX_BYTES, NVML_FI_DEV_PCIE_COUNT_RX_BYTES].map(FieldId);
    let values = device.field_values_for(&fields).map_err(|error| reason::of(&error))?;
    let mut values = values.into_iter().map(|sample| {
        let value = sample.and_then(|sample| sample.value).map_err(|error| reason::of(&error))?;
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
