//! CUDA's own memory pools as gauges. The source makes no call to CUDA until the program uses it.

use crate::cuda::{Cuda, CudaDevice, DeviceUuid, PoolStatistics};
use crate::{AllocatorCounters, DeviceIdentity};

/// The CUDA driver, if the program has loaded it.
#[derive(Debug, Default)]
pub(crate) struct Pools {
    cuda: Option<Cuda>,
    is_numbered: bool,
}

impl Pools {
    /// Sets the devices' CUDA ordinals, but does not initialise the driver, because children that
    /// the process forks later could not use CUDA.
    pub(crate) fn attach(&mut self, devices: &mut [DeviceIdentity]) {
        if self.is_numbered {
            return;
        }
        if self.cuda.is_none() {
            self.cuda = Cuda::attach().ok();
        }
        let Some(Ok(listed)) = self.cuda.as_ref().map(Cuda::devices) else { return };
        set_ordinals(devices, &listed);
        self.is_numbered = true;
    }

    /// `None` if the program does not use CUDA or the device has no pools.
    pub(crate) fn of(&self, device: &DeviceIdentity) -> Option<AllocatorCounters> {
        let cuda = self.cuda.as_ref()?;
        cuda.pool_statistics(device.ordinal?).ok().map(Into::into)
    }
}

/// UUIDs are compared as values, because NVML writes `MIG-…` for a part of a split device, and CUDA
/// reports only the bytes.
fn set_ordinals(devices: &mut [DeviceIdentity], listed: &[CudaDevice]) {
    for device in devices {
        let uuid = DeviceUuid::parse(&device.uuid);
        let same = listed.iter().find(|cuda| uuid == Some(cuda.uuid));
        device.ordinal = same.map(|cuda| cuda.ordinal);
    }
}

impl From<PoolStatistics> for AllocatorCounters {
    fn from(pool: PoolStatistics) -> Self {
        Self {
            peak_allocated: Some(pool.allocated_peak),
            peak_reserved: Some(pool.reserved_peak),
            ..Self::new(pool.allocated, pool.reserved)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::set_ordinals;
    use crate::DeviceIdentity;
    use crate::cuda::{CudaDevice, DeviceUuid};

    fn uuid(number: u8) -> DeviceUuid {
        DeviceUuid([number; 16])
    }

    #[test]
    fn cudas_devices_are_found_by_uuid_also_if_they_are_parts() {
        let gpu = |number| uuid(number).to_string();
        let part = gpu(7).replace("GPU-", "MIG-");
        let device = |index, uuid: &str, part| DeviceIdentity {
            index,
            uuid: uuid.to_owned(),
            name: None,
            part,
            ordinal: None,
        };
        let mut devices = [
            device(0, &part, Some(1)),
            device(1, &gpu(8), None),
            device(2, &gpu(9), None),
            device(3, "unknown: the device is lost", None),
        ];
        let listed = [9, 7].map(|number| CudaDevice {
            ordinal: u16::from(number == 7),
            name: String::new(),
            uuid: uuid(number),
            total_bytes: 0,
        });
        set_ordinals(&mut devices, &listed);
        let ordinals = devices.clone().map(|device| device.ordinal);
        assert_eq!(ordinals, [Some(1), None, Some(0), None]);
        let frames = devices.map(|device| device.frame());
        assert_eq!(frames[..2], ["nvml:0/mig:1", "nvml:1"], "paths keep NVML's number");
    }
}
