//! CUDA's own memory pools as gauges. The source makes no call to CUDA until the program uses it.

use crate::cuda::{Cuda, PoolStatistics};
use crate::{AllocatorCounters, DeviceIdentity, Ordinals};

/// The CUDA driver, if the program has loaded it.
#[derive(Debug, Default)]
pub(crate) struct Pools {
    cuda: Option<Cuda>,
    is_numbered: bool,
}

impl Pools {
    /// Attaches to CUDA if the program already uses it, and sets the devices' CUDA ordinals.
    ///
    /// The call does not initialise the driver, because children that the process forks later could
    /// not use CUDA.
    pub(crate) fn attach(&mut self, devices: &mut [DeviceIdentity]) {
        if self.is_numbered {
            return;
        }
        if self.cuda.is_none() {
            self.cuda = Cuda::attach().ok();
        }
        let Some(Ok(devices_of_cuda)) = self.cuda.as_ref().map(Cuda::devices) else { return };
        Ordinals::reported(devices_of_cuda.iter().map(|device| device.uuid.to_string()))
            .number(devices);
        self.is_numbered = true;
    }

    /// Returns the counters of the device's pool, or `None` if the program does not use CUDA or the
    /// device has no pools.
    pub(crate) fn of(&self, device: &DeviceIdentity) -> Option<AllocatorCounters> {
        let cuda = self.cuda.as_ref().filter(|_| self.is_numbered)?;
        cuda.pool_statistics(device.ordinal?).ok().map(Into::into)
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
