//! What the driver reports without a context: its version, its devices, and the counters of its
//! memory pools, from which stream-ordered allocations come.

use super::driver::{DeviceHandle, Handle, written};
use super::{Cuda, CudaError};
use core::ffi::{CStr, c_char, c_int};
use core::fmt::{self, Write};

/// A device and its number in CUDA. This data does not change while the process runs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CudaDevice {
    /// The device's number in CUDA. It can differ from NVML's number, because it depends on
    /// `CUDA_VISIBLE_DEVICES` and on CUDA's order of devices.
    pub ordinal: u16,
    /// The name, for example `NVIDIA H100 80GB HBM3`.
    pub name: String,
    /// The UUID, which NVML uses too. A MIG device has its own UUID.
    pub uuid: DeviceUuid,
    /// The bytes of memory, without the part that the driver keeps for itself.
    pub total_bytes: u64,
}

/// A version of CUDA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "a version of CUDA has two numbers")]
pub struct CudaVersion {
    /// The major version: 12 in 12.8.
    pub major: u32,
    /// The minor version: 8 in 12.8.
    pub minor: u32,
}

impl fmt::Display for CudaVersion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.major, self.minor)
    }
}

/// The memory of the device whose context is current.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the driver returns these two figures")]
pub struct MemoryInfo {
    /// Bytes that no process holds.
    pub free: u64,
    /// Bytes in total.
    pub total: u64,
}

/// The UUID of a device. Unlike a device's number, it never changes.
///
/// ```
/// use memprof::gpu::cuda::DeviceUuid;
///
/// let text = "GPU-2e9cb1a0-5a3c-9d07-61e4-8d7f5b1c3a90";
/// assert_eq!(DeviceUuid::parse(text).unwrap().to_string(), text);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "it wraps one value and never gains a field")]
pub struct DeviceUuid(pub [u8; 16]);

impl DeviceUuid {
    /// Parses a UUID as NVML and `nvidia-smi` write it, with or without the prefix `GPU-` or
    /// `MIG-`.
    ///
    /// Returns `None` if the text is not a UUID.
    pub fn parse(text: &str) -> Option<Self> {
        let digits =
            text.strip_prefix("GPU-").or_else(|| text.strip_prefix("MIG-")).unwrap_or(text);
        let mut bytes = [0; 16];
        let mut at = 0;
        for (group, length) in digits.split('-').zip([4, 2, 2, 2, 6]) {
            if group.len() != 2 * length || !group.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return None;
            }
            for pair in 0..length {
                bytes[at] = u8::from_str_radix(&group[2 * pair..2 * pair + 2], 16).ok()?;
                at += 1;
            }
        }
        (at == 16 && digits.len() == 36).then_some(Self(bytes))
    }
}

impl fmt::Display for DeviceUuid {
    /// Writes the UUID in NVML's format for a whole device.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::from("GPU");
        for (at, byte) in self.0.iter().enumerate() {
            if [0, 4, 6, 8, 10].contains(&at) {
                text.push('-');
            }
            write!(text, "{byte:02x}")?;
        }
        out.pad(&text)
    }
}

impl Cuda {
    /// Returns the newest CUDA version that the driver supports. The call works before
    /// initialisation too.
    ///
    /// # Errors
    /// Returns [`CudaError`] if the driver can't report the version.
    pub fn driver_version(&self) -> Result<CudaVersion, CudaError> {
        // SAFETY: the pointer is valid for writing the number.
        let version = written(|version| unsafe { self.cuDriverGetVersion(version) })?;
        // 12080 means 12.8.
        let version = version.unsigned_abs();
        Ok(CudaVersion { major: version / 1000, minor: version % 1000 / 10 })
    }

    /// Returns the number of devices that are visible to this process.
    ///
    /// # Errors
    /// Returns [`CudaError::NotInitialised`] before [`initialise`](Self::initialise),
    /// [`CudaError::MissingSymbol`] if the driver lacks a function, or the driver's error.
    pub fn device_count(&self) -> Result<u16, CudaError> {
        // SAFETY: the pointer is valid for writing the number.
        let count = written(|count| unsafe { self.cuDeviceGetCount(count) })?;
        Ok(u16::try_from(count).unwrap_or(u16::MAX))
    }

    /// Returns the device with this number.
    ///
    /// # Errors
    /// Returns [`CudaError::NoSuchDevice`] if no device has this number, or the errors of
    /// [`device_count`](Self::device_count).
    pub fn device(&self, ordinal: u16) -> Result<CudaDevice, CudaError> {
        let device = self.device_handle(ordinal)?;
        Ok(CudaDevice {
            ordinal,
            name: self.name(device)?,
            uuid: self.uuid(device)?,
            total_bytes: self.total_bytes(device)?,
        })
    }

    /// Returns all devices that are visible to this process.
    ///
    /// # Errors
    /// Returns the same errors as [`device_count`](Self::device_count).
    pub fn devices(&self) -> Result<Vec<CudaDevice>, CudaError> {
        (0..self.device_count()?).map(|ordinal| self.device(ordinal)).collect()
    }

    /// Returns `true` if the device's primary context exists in this process, whatever code created
    /// it. The call creates no context.
    ///
    /// A context takes hundreds of megabytes of a device, so a library can check first and leave
    /// devices alone that the program does not use:
    ///
    /// ```no_run
    /// use memprof::gpu::cuda::{Cuda, DeviceContext};
    ///
    /// let cuda = Cuda::attach()?;
    /// for ordinal in 0..cuda.device_count()? {
    ///     if cuda.is_context_active(ordinal)? {
    ///         let context = DeviceContext::retain(&cuda, ordinal)?;
    ///         println!("{} of {} bytes are free", context.memory_info()?.free, context.total_bytes());
    ///     }
    /// }
    /// # Ok::<(), memprof::gpu::cuda::CudaError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the same errors as [`device`](Self::device).
    pub fn is_context_active(&self, ordinal: u16) -> Result<bool, CudaError> {
        let device = self.device_handle(ordinal)?;
        let (mut flags, mut active) = (0, 0);
        // SAFETY: the driver returned the handle, and both pointers are valid for writes.
        unsafe { self.cuDevicePrimaryCtxGetState(device, &raw mut flags, &raw mut active) }?;
        Ok(active != 0)
    }

    /// Returns the memory of the device whose context is current on this thread.
    ///
    /// # Errors
    /// Returns [`CudaError::NoContext`] if no context is current, because the driver reports only
    /// the device of a current context.
    pub fn memory_info(&self) -> Result<MemoryInfo, CudaError> {
        // SAFETY: the pointer is valid for writing the handle.
        let context = written(|context| unsafe { self.cuCtxGetCurrent(context) })?;
        if context == 0 {
            return Err(CudaError::NoContext);
        }
        let (mut free, mut total) = (0, 0);
        // SAFETY: both pointers are valid for writes.
        unsafe { self.cuMemGetInfo_v2(&raw mut free, &raw mut total) }?;
        Ok(MemoryInfo { free: free as u64, total: total as u64 })
    }

    pub(super) fn device_handle(&self, ordinal: u16) -> Result<DeviceHandle, CudaError> {
        // SAFETY: the pointer is valid for writing the handle.
        let device = written(|device| unsafe { self.cuDeviceGet(device, c_int::from(ordinal)) });
        device.map_err(|error| match error.code() {
            CudaError::INVALID_DEVICE => CudaError::NoSuchDevice { ordinal },
            _ => error,
        })
    }

    pub(super) fn total_bytes(&self, device: DeviceHandle) -> Result<u64, CudaError> {
        // SAFETY: the driver returned the handle, and the pointer is valid for writing the number.
        let bytes = written(|bytes| unsafe { self.cuDeviceTotalMem_v2(bytes, device) })?;
        Ok(bytes as u64)
    }

    fn name(&self, device: DeviceHandle) -> Result<String, CudaError> {
        const LENGTH: c_int = 256;

        let mut name: [c_char; LENGTH as usize] = [0; LENGTH as usize];
        // SAFETY: the driver returned the handle, and it writes at most `LENGTH` bytes.
        unsafe { self.cuDeviceGetName(name.as_mut_ptr(), LENGTH, device) }?;
        // If a driver left out the final zero, `CStr::from_ptr` would read past the end.
        name[name.len() - 1] = 0;
        // SAFETY: the last byte is zero.
        let name = unsafe { CStr::from_ptr(name.as_ptr()) };
        Ok(name.to_string_lossy().into_owned())
    }

    fn uuid(&self, device: DeviceHandle) -> Result<DeviceUuid, CudaError> {
        // The v2 function, of CUDA 11.4, distinguishes a MIG device from the whole device.
        // SAFETY: the driver returned the handle, and the pointer is valid for writing 16 bytes.
        let newer = written(|uuid| unsafe { self.cuDeviceGetUuid_v2(uuid, device) });
        let uuid = match newer {
            Err(CudaError::MissingSymbol(_)) => {
                // SAFETY: as above.
                written(|uuid| unsafe { self.cuDeviceGetUuid(uuid, device) })
            }
            uuid => uuid,
        };
        uuid.map(DeviceUuid)
    }
}

/// The statistics of one of the driver's memory pools, for all allocations of this process.
///
/// The numbers are read one after the other. If other threads allocate between these reads, the
/// numbers are from slightly different times.
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
        let pool = self.current_pool(ordinal)?;
        Ok(PoolStatistics {
            allocated: self.attribute(pool, Attribute::Allocated)?,
            reserved: self.attribute(pool, Attribute::Reserved)?,
            allocated_peak: self.attribute(pool, Attribute::AllocatedPeak)?,
            reserved_peak: self.attribute(pool, Attribute::ReservedPeak)?,
            release_threshold: self.attribute(pool, Attribute::ReleaseThreshold)?,
        })
    }

    /// Resets both peaks of the device's current pool. The reset affects all code in the process
    /// that reads these peaks.
    ///
    /// # Errors
    /// Returns the same errors as [`pool_statistics`](Self::pool_statistics).
    pub fn reset_peaks(&self, ordinal: u16) -> Result<(), CudaError> {
        let pool = self.current_pool(ordinal)?;
        self.set_attribute(pool, Attribute::AllocatedPeak, 0)?;
        self.set_attribute(pool, Attribute::ReservedPeak, 0)
    }

    /// Sets the bytes that the device's current pool keeps when the program synchronises.
    /// `u64::MAX` keeps all bytes.
    ///
    /// # Errors
    /// Returns the same errors as [`pool_statistics`](Self::pool_statistics).
    pub fn set_release_threshold(&self, ordinal: u16, bytes: u64) -> Result<(), CudaError> {
        let pool = self.current_pool(ordinal)?;
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
        let pool = self.current_pool(ordinal)?;
        let keep = usize::try_from(keep).unwrap_or(usize::MAX);
        // SAFETY: the driver returned the handle.
        unsafe { self.cuMemPoolTrimTo(pool, keep) }
    }

    fn current_pool(&self, ordinal: u16) -> Result<Handle, CudaError> {
        let device = self.device_handle(ordinal)?;
        // SAFETY: the driver returned the handle, and the pointer is valid for writing the pool's
        // handle.
        written(|pool| unsafe { self.cuDeviceGetMemPool(pool, device) })
    }

    fn attribute(&self, pool: Handle, attribute: Attribute) -> Result<u64, CudaError> {
        written(|value: *mut u64| {
            // SAFETY: the driver returned the pool's handle, and the pointer is valid for writing
            // the value, which is a `u64`.
            unsafe { self.cuMemPoolGetAttribute(pool, attribute as c_int, value.cast()) }
        })
    }

    fn set_attribute(
        &self,
        pool: Handle,
        attribute: Attribute,
        mut value: u64,
    ) -> Result<(), CudaError> {
        // SAFETY: the driver returned the pool's handle and reads the value, a `u64`, before it
        // returns.
        unsafe { self.cuMemPoolSetAttribute(pool, attribute as c_int, (&raw mut value).cast()) }
    }
}

#[cfg(test)]
mod tests {
    use super::DeviceUuid;

    #[test]
    fn a_uuid_has_the_format_of_nvml_and_parses_back() {
        let uuid = DeviceUuid(core::array::from_fn(|at| 0x11 * at as u8));
        let text = "GPU-00112233-4455-6677-8899-aabbccddeeff";
        assert_eq!(uuid.to_string(), text);
        for spelled in [text, &text[4..], &text.replace("GPU", "MIG"), &text.replace('a', "A")] {
            assert_eq!(DeviceUuid::parse(spelled), Some(uuid), "{spelled}");
        }
    }

    #[test]
    fn invalid_uuids_are_none() {
        let cases = [
            "",
            "GPU-",
            "GPU-00112233",
            "00112233445566778899aabbccddeeff",
            "GPU-00112233-4455-6677-8899-aabbccddeeff-",
            "GPU-00112233-4455-6677-8899-aabbccddeef",
            "GPU-00112233-4455-6677-8899-aabbccddeegg",
            "GPU-+0112233-4455-6677-8899-aabbccddeeff",
            "GPU-0011223é-4455-6677-8899-aabbccddeef",
            "MIG-GPU-00112233-4455-6677-8899-aabbccddeeff/1/0",
        ];
        for text in cases {
            assert_eq!(DeviceUuid::parse(text), None, "{text}");
        }
    }
}
