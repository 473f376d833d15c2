//! The driver's own memory pools, from which stream-ordered allocations come.

use super::functions::{DeviceHandle, Handle};
use super::{Cuda, CudaError};
use core::ffi::c_int;

/// The statistics of one of the driver's memory pools, for all allocations of this process.
///
/// The numbers are read one after the other. If other threads allocate between these reads, the
/// numbers are from slightly different moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolStatistics {
    /// Bytes that are allocated.
    pub allocated: u64,
    /// Bytes that the pool has taken from the device, allocated or not.
    pub reserved: u64,
    /// The peak of `allocated` since the pool was created or its peaks were reset.
    pub allocated_peak: u64,
    /// The peak of `reserved` in the same period.
    pub reserved_peak: u64,
    /// Bytes that the pool keeps when a stream, event or context is synchronised.
    ///
    /// The default is 0: then all free bytes go back to the device.
    pub release_threshold: u64,
}

impl PoolStatistics {
    /// Returns the bytes that are reserved and not allocated.
    pub fn cached(&self) -> u64 {
        self.reserved.saturating_sub(self.allocated)
    }
}

/// The driver's numbers of a pool's attributes.
#[derive(Clone, Copy)]
enum Attribute {
    ReleaseThreshold = 4,
    Reserved = 5,
    ReservedPeak = 6,
    Allocated = 7,
    AllocatedPeak = 8,
}

impl Cuda {
    /// Returns the statistics of the device's current pool. The call creates no context.
    ///
    /// Stream-ordered allocations that name no pool come from the current pool.
    ///
    /// ```no_run
    /// let cuda = memprof::gpu::cuda::Cuda::attach()?;
    /// let pool = cuda.pool_statistics(0)?;
    /// println!("{} of {} bytes in use", pool.allocated, pool.reserved);
    /// # Ok::<(), memprof::gpu::cuda::CudaError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`CudaError::NotInitialised`] before CUDA is initialised,
    /// [`CudaError::NoSuchDevice`] if no device has this number, [`CudaError::NotSupported`] if the
    /// device has no pools, [`CudaError::MissingSymbol`] if the driver is too old to have pools, or
    /// the driver's error.
    pub fn pool_statistics(&self, ordinal: u16) -> Result<PoolStatistics, CudaError> {
        self.statistics_of(self.current_pool(self.device_handle(ordinal)?)?)
    }

    /// Resets both peaks of the device's current pool. The reset affects all code in the process
    /// that reads these peaks.
    ///
    /// # Errors
    /// Returns the same errors as [`pool_statistics`](Self::pool_statistics).
    pub fn reset_peaks(&self, ordinal: u16) -> Result<(), CudaError> {
        let pool = self.current_pool(self.device_handle(ordinal)?)?;
        self.set_attribute(pool, Attribute::AllocatedPeak, 0)?;
        self.set_attribute(pool, Attribute::ReservedPeak, 0)
    }

    /// Sets the bytes that the device's current pool keeps when the program synchronises.
    /// `u64::MAX` keeps all bytes.
    ///
    /// # Errors
    /// Returns the same errors as [`pool_statistics`](Self::pool_statistics).
    pub fn set_release_threshold(&self, ordinal: u16, bytes: u64) -> Result<(), CudaError> {
        let pool = self.current_pool(self.device_handle(ordinal)?)?;
        self.set_attribute(pool, Attribute::ReleaseThreshold, bytes)
    }

    /// Releases free bytes of the device's current pool to the device, down to `keep` reserved
    /// bytes.
    ///
    /// Allocated bytes stay reserved.
    ///
    /// # Errors
    /// Returns the same errors as [`pool_statistics`](Self::pool_statistics).
    pub fn trim_pool(&self, ordinal: u16, keep: u64) -> Result<(), CudaError> {
        let pool = self.current_pool(self.device_handle(ordinal)?)?;
        let trim = self.functions.cuMemPoolTrimTo()?;
        let keep = usize::try_from(keep).unwrap_or(usize::MAX);
        // SAFETY: the driver returned the handle.
        self.check("cuMemPoolTrimTo", unsafe { trim(pool, keep) })
    }

    fn current_pool(&self, device: DeviceHandle) -> Result<Handle, CudaError> {
        let pool_of = self.functions.cuDeviceGetMemPool()?;
        let mut pool = 0;
        // SAFETY: the driver returned the handle, and the pointer is valid for writing the pool's
        // handle.
        self.check("cuDeviceGetMemPool", unsafe { pool_of(&raw mut pool, device) })?;
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
        // SAFETY: the driver returned the pool's handle, and the pointer is valid for writing the
        // value, which is a `u64`.
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
        // SAFETY: the driver returned the pool's handle and reads the value, a `u64`, before it
        // returns.
        let code = unsafe { set(pool, attribute as c_int, (&raw mut value).cast()) };
        self.check("cuMemPoolSetAttribute", code)
    }
}
