//! The driver's own memory pools, from which stream-ordered allocations come.

use super::functions::{DeviceHandle, Handle};
use super::{Cuda, CudaError};
use core::ffi::c_int;

/// What one of the driver's memory pools holds, of all who allocate from it in this process.
///
/// Each number is right for a moment, but not all for the same one if other threads allocate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolStatistics {
    /// Bytes that are allocated.
    pub allocated: u64,
    /// Bytes that the pool took from the device, allocated or not.
    pub reserved: u64,
    /// The most that was allocated since the pool was made or its peaks were reset.
    pub allocated_peak: u64,
    /// The most that was reserved since then.
    pub reserved_peak: u64,
    /// Bytes that the pool keeps when its stream, event or context is synchronised; 0 unless a
    /// program sets it, and then what is free goes back to the device.
    pub release_threshold: u64,
}

impl PoolStatistics {
    /// Bytes that are reserved and not allocated: kept for the next allocation.
    pub fn cached(&self) -> u64 {
        self.reserved.saturating_sub(self.allocated)
    }
}

/// What the driver calls the numbers of a pool.
#[derive(Clone, Copy)]
enum Attribute {
    ReleaseThreshold = 4,
    Reserved = 5,
    ReservedPeak = 6,
    Allocated = 7,
    AllocatedPeak = 8,
}

impl Cuda {
    /// What the device's current pool holds: the one that stream-ordered allocations come from which
    /// name no other. Makes no context.
    ///
    /// ```no_run
    /// let cuda = memprof_gpu::cuda::Cuda::attach()?;
    /// let pool = cuda.pool_statistics(0)?;
    /// println!("{} of {} bytes in use", pool.allocated, pool.reserved);
    /// # Ok::<(), memprof_gpu::cuda::CudaError>(())
    /// ```
    ///
    /// # Errors
    /// [`CudaError::NotInitialised`] if nobody has used CUDA yet; [`CudaError::NotSupported`] if the
    /// device has no pools; [`CudaError::MissingSymbol`] if the driver is older than they are.
    pub fn pool_statistics(&self, ordinal: u16) -> Result<PoolStatistics, CudaError> {
        self.statistics_of(self.current_pool(self.device_handle(ordinal)?)?)
    }

    /// What the device's default pool holds, if the program has made another one current; `None` if
    /// the default pool is the current one.
    ///
    /// # Errors
    /// As [`pool_statistics`](Self::pool_statistics).
    pub fn default_pool_statistics(
        &self,
        ordinal: u16,
    ) -> Result<Option<PoolStatistics>, CudaError> {
        let device = self.device_handle(ordinal)?;
        let default = self.default_pool(device)?;
        if default == self.current_pool(device)? {
            return Ok(None);
        }
        self.statistics_of(default).map(Some)
    }

    /// Begins both peaks of the device's current pool anew, for the whole process: whoever else reads
    /// them sees that.
    ///
    /// # Errors
    /// As [`pool_statistics`](Self::pool_statistics).
    pub fn reset_peaks(&self, ordinal: u16) -> Result<(), CudaError> {
        let pool = self.current_pool(self.device_handle(ordinal)?)?;
        self.set_attribute(pool, Attribute::AllocatedPeak, 0)?;
        self.set_attribute(pool, Attribute::ReservedPeak, 0)
    }

    /// Sets how many bytes the device's current pool keeps when the program synchronises;
    /// `u64::MAX` keeps all.
    ///
    /// # Errors
    /// As [`pool_statistics`](Self::pool_statistics).
    pub fn set_release_threshold(&self, ordinal: u16, bytes: u64) -> Result<(), CudaError> {
        let pool = self.current_pool(self.device_handle(ordinal)?)?;
        self.set_attribute(pool, Attribute::ReleaseThreshold, bytes)
    }

    /// Gives back to the device what its current pool has reserved beyond so many bytes, as far as it
    /// is not allocated.
    ///
    /// # Errors
    /// As [`pool_statistics`](Self::pool_statistics).
    pub fn trim_pool(&self, ordinal: u16, keep: u64) -> Result<(), CudaError> {
        let pool = self.current_pool(self.device_handle(ordinal)?)?;
        let trim = self.functions.cuMemPoolTrimTo()?;
        let keep = usize::try_from(keep).unwrap_or(usize::MAX);
        // SAFETY: the driver gave out the handle.
        self.check("cuMemPoolTrimTo", unsafe { trim(pool, keep) })
    }

    fn current_pool(&self, device: DeviceHandle) -> Result<Handle, CudaError> {
        let pool_of = self.functions.cuDeviceGetMemPool()?;
        let mut pool = 0;
        // SAFETY: the driver gave out the handle, and there is room for the pool's.
        self.check("cuDeviceGetMemPool", unsafe { pool_of(&raw mut pool, device) })?;
        Ok(pool)
    }

    fn default_pool(&self, device: DeviceHandle) -> Result<Handle, CudaError> {
        let pool_of = self.functions.cuDeviceGetDefaultMemPool()?;
        let mut pool = 0;
        // SAFETY: the driver gave out the handle, and there is room for the pool's.
        self.check("cuDeviceGetDefaultMemPool", unsafe { pool_of(&raw mut pool, device) })?;
        Ok(pool)
    }

    fn statistics_of(&self, pool: Handle) -> Result<PoolStatistics, CudaError> {
        Ok(PoolStatistics {
            allocated: self.attribute(pool, Attribute::Allocated)?,
            reserved: self.attribute(pool, Attribute::Reserved)?,
            allocated_peak: self.attribute(pool, Attribute::AllocatedPeak)?,
            reserved_peak: self.attribute(pool, Attribute::ReservedPeak)?,
            release_threshold: self.attribute(pool, Attribute::ReleaseThreshold)?,
        })
    }

    fn attribute(&self, pool: Handle, attribute: Attribute) -> Result<u64, CudaError> {
        let get = self.functions.cuMemPoolGetAttribute()?;
        let mut value = 0_u64;
        // SAFETY: the pool is the driver's, and there is room for the value, which is a `u64`.
        let code = unsafe { get(pool, attribute as c_int, (&raw mut value).cast()) };
        self.check("cuMemPoolGetAttribute", code)?;
        Ok(value)
    }

    fn set_attribute(
        &self,
        pool: Handle,
        attribute: Attribute,
        mut value: u64,
    ) -> Result<(), CudaError> {
        let set = self.functions.cuMemPoolSetAttribute()?;
        // SAFETY: the pool is the driver's, and reads the value, which is a `u64`, before returning.
        let code = unsafe { set(pool, attribute as c_int, (&raw mut value).cast()) };
        self.check("cuMemPoolSetAttribute", code)
    }
}
