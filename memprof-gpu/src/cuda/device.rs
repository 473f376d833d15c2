//! The driver's data about its devices, and its version.

use super::functions::DeviceHandle;
use super::{Cuda, CudaError, DeviceUuid};
use core::ffi::{CStr, c_char, c_int};
use core::fmt;

/// A device with its number in CUDA. These data do not change while the process runs.
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

impl Cuda {
    /// Returns the newest CUDA version that the driver supports. The call works before
    /// initialisation too.
    ///
    /// # Errors
    /// Returns [`CudaError`] if the driver can't report the version.
    pub fn driver_version(&self) -> Result<CudaVersion, CudaError> {
        let version_of = self.functions.cuDriverGetVersion()?;
        let mut version: c_int = 0;
        // SAFETY: the pointer is valid for writing the number.
        self.check("cuDriverGetVersion", unsafe { version_of(&raw mut version) })?;
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
        let count_of = self.functions.cuDeviceGetCount()?;
        let mut count: c_int = 0;
        // SAFETY: the pointer is valid for writing the number.
        self.check("cuDeviceGetCount", unsafe { count_of(&raw mut count) })?;
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
    /// A context takes hundreds of megabytes of a device, so a library can leave devices alone that
    /// the program does not use:
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
        let state_of = self.functions.cuDevicePrimaryCtxGetState()?;
        let (mut flags, mut active) = (0, 0);
        // SAFETY: the driver returned the handle, and both pointers are valid for writes.
        let code = unsafe { state_of(device, &raw mut flags, &raw mut active) };
        self.check("cuDevicePrimaryCtxGetState", code)?;
        Ok(active != 0)
    }

    /// Returns the memory of the device whose context is current on this thread.
    ///
    /// # Errors
    /// Returns [`CudaError::NoContext`] if no context is current, because the driver reports only
    /// the device of a current context.
    pub fn memory_info(&self) -> Result<MemoryInfo, CudaError> {
        let current = self.functions.cuCtxGetCurrent()?;
        let mut context = 0;
        // SAFETY: the pointer is valid for writing the handle.
        self.check("cuCtxGetCurrent", unsafe { current(&raw mut context) })?;
        if context == 0 {
            return Err(CudaError::NoContext);
        }
        let info = self.functions.cuMemGetInfo_v2()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: both pointers are valid for writes.
        let code = unsafe { info(&raw mut free, &raw mut total) };
        self.check("cuMemGetInfo_v2", code)?;
        Ok(MemoryInfo { free: free as u64, total: total as u64 })
    }

    /// Returns the driver's handle of the device.
    pub(super) fn device_handle(&self, ordinal: u16) -> Result<DeviceHandle, CudaError> {
        let get = self.functions.cuDeviceGet()?;
        let mut device = 0;
        // SAFETY: the pointer is valid for writing the handle.
        let code = unsafe { get(&raw mut device, c_int::from(ordinal)) };
        if code == CudaError::INVALID_DEVICE {
            return Err(CudaError::NoSuchDevice { ordinal });
        }
        self.check("cuDeviceGet", code)?;
        Ok(device)
    }

    pub(super) fn total_bytes(&self, device: DeviceHandle) -> Result<u64, CudaError> {
        let total = self.functions.cuDeviceTotalMem_v2()?;
        let mut bytes = 0;
        // SAFETY: the driver returned the handle, and the pointer is valid for writing the number.
        self.check("cuDeviceTotalMem_v2", unsafe { total(&raw mut bytes, device) })?;
        Ok(bytes as u64)
    }

    fn name(&self, device: DeviceHandle) -> Result<String, CudaError> {
        const LENGTH: c_int = 256;

        let name_of = self.functions.cuDeviceGetName()?;
        let mut name: [c_char; LENGTH as usize] = [0; LENGTH as usize];
        // SAFETY: the driver returned the handle, and it writes at most `LENGTH` bytes.
        let code = unsafe { name_of(name.as_mut_ptr(), LENGTH, device) };
        self.check("cuDeviceGetName", code)?;
        // If a driver left out the final zero, `CStr::from_ptr` would read past the end.
        name[name.len() - 1] = 0;
        // SAFETY: the last byte is zero.
        let name = unsafe { CStr::from_ptr(name.as_ptr()) };
        Ok(name.to_string_lossy().into_owned())
    }

    fn uuid(&self, device: DeviceHandle) -> Result<DeviceUuid, CudaError> {
        let mut uuid = [0; 16];
        // The v2 function, of CUDA 11.4, distinguishes a MIG device from the whole device.
        if let Ok(uuid_of) = self.functions.cuDeviceGetUuid_v2() {
            // SAFETY: the driver returned the handle, and the pointer is valid for writing 16
            // bytes.
            self.check("cuDeviceGetUuid_v2", unsafe { uuid_of(&raw mut uuid, device) })?;
        } else {
            let uuid_of = self.functions.cuDeviceGetUuid()?;
            // SAFETY: as above.
            self.check("cuDeviceGetUuid", unsafe { uuid_of(&raw mut uuid, device) })?;
        }
        Ok(DeviceUuid(uuid))
    }
}
