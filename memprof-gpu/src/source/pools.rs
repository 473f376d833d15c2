//! What CUDA's own pools hold, once the program uses CUDA; until then it is left alone.

use crate::cuda::{Cuda, PoolStatistics};
use crate::{AllocatorCounters, DeviceIdentity, Ordinals};

/// CUDA's driver, if the program has loaded it.
#[derive(Debug, Default)]
pub(crate) struct Pools {
    cuda: Option<Cuda>,
    is_numbered: bool,
}

impl Pools {
    /// Looks whether the program uses CUDA by now, and has it number the devices.
    ///
    /// The driver is not initialised for it: children that are forked later could not use it.
    pub(crate) fn look(&mut self, devices: &mut [DeviceIdentity]) {
        if self.is_numbered {
            return;
        }
        if self.cuda.is_none() {
            self.cuda = Cuda::attach().ok();
        }
        let Some(Ok(known)) = self.cuda.as_ref().map(Cuda::devices) else { return };
        Ordinals::told(known.iter().map(|device| device.uuid.to_string())).number(devices);
        self.is_numbered = true;
    }

    /// What the pool of that device holds; `None` where the program does not use CUDA, or the device
    /// has no pools.
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
