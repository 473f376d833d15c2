//! What the driver tells of a device, and of itself.

use super::functions::DeviceHandle;
use super::{Cuda, CudaError, DeviceUuid};
use core::ffi::{CStr, c_char, c_int};
use core::fmt;

/// A device, as CUDA numbers it; none of this changes while the process runs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CudaDevice {
    /// CUDA's number of it, which is not NVML's: `CUDA_VISIBLE_DEVICES` and the order of devices
    /// change it.
    pub ordinal: u16,
    /// Its name: `NVIDIA H100 80GB HBM3`.
    pub name: String,
    /// Its UUID, by which NVML knows it too; that of its part where it is a part of a MIG device.
    pub uuid: DeviceUuid,
    /// The bytes of memory that it has, but those that the driver keeps for itself.
    pub total_bytes: u64,
}

/// A version of CUDA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CudaVersion {
    /// The 12 of 12.8.
    pub major: u32,
    /// The 8 of 12.8.
    pub minor: u32,
}

impl fmt::Display for CudaVersion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.major, self.minor)
    }
}

/// The memory of the device whose context is current.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryInfo {
    /// Bytes that nobody has, also no other process.
    pub free: u64,
    /// Bytes in all.
    pub total: u64,
}

impl Cuda {
    /// The newest version of CUDA that the driver knows; before initialisation as well.
    ///
    /// # Errors
    /// If the driver can't say.
    pub fn driver_version(&self) -> Result<CudaVersion, CudaError> {
        let version_of = self.functions.cuDriverGetVersion()?;
        let mut version: c_int = 0;
        // SAFETY: there is room for the number.
        self.check("cuDriverGetVersion", unsafe { version_of(&raw mut version) })?;
        // 12080 is 12.8.
        let version = version.unsigned_abs();
        Ok(CudaVersion { major: version / 1000, minor: version % 1000 / 10 })
    }

    /// How many devices this process may see.
    ///
    /// # Errors
    /// [`CudaError::NotInitialised`] before [`initialise`](Self::initialise); what the driver says.
    pub fn device_count(&self) -> Result<u16, CudaError> {
        let count_of = self.functions.cuDeviceGetCount()?;
        let mut count: c_int = 0;
        // SAFETY: there is room for the number.
        self.check("cuDeviceGetCount", unsafe { count_of(&raw mut count) })?;
        Ok(u16::try_from(count).unwrap_or(u16::MAX))
    }

    /// The device of that number.
    ///
    /// # Errors
    /// [`CudaError::NoSuchDevice`] if there are not so many; as [`device_count`](Self::device_count).
    pub fn device(&self, ordinal: u16) -> Result<CudaDevice, CudaError> {
        let device = self.device_handle(ordinal)?;
        Ok(CudaDevice {
            ordinal,
            name: self.name(device)?,
            uuid: self.uuid(device)?,
            total_bytes: self.total_bytes(device)?,
        })
    }

    /// All devices that this process may see.
    ///
    /// # Errors
    /// As [`device_count`](Self::device_count).
    pub fn devices(&self) -> Result<Vec<CudaDevice>, CudaError> {
        (0..self.device_count()?).map(|ordinal| self.device(ordinal)).collect()
    }

    /// Whether the device's primary context is there, made by whomever in this process.
    ///
    /// # Errors
    /// As [`device`](Self::device).
    pub fn is_context_active(&self, ordinal: u16) -> Result<bool, CudaError> {
        let device = self.device_handle(ordinal)?;
        let state_of = self.functions.cuDevicePrimaryCtxGetState()?;
        let (mut flags, mut active) = (0, 0);
        // SAFETY: the driver gave out the handle, and there is room for both numbers.
        let code = unsafe { state_of(device, &raw mut flags, &raw mut active) };
        self.check("cuDevicePrimaryCtxGetState", code)?;
        Ok(active != 0)
    }

    /// The memory of the device whose context is current on this thread.
    ///
    /// # Errors
    /// [`CudaError::NoContext`] if none is, as asking would otherwise need one.
    pub fn memory_info(&self) -> Result<MemoryInfo, CudaError> {
        let current = self.functions.cuCtxGetCurrent()?;
        let mut context = 0;
        // SAFETY: there is room for the handle.
        self.check("cuCtxGetCurrent", unsafe { current(&raw mut context) })?;
        if context == 0 {
            return Err(CudaError::NoContext);
        }
        let info = self.functions.cuMemGetInfo_v2()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: there is room for both numbers.
        let code = unsafe { info(&raw mut free, &raw mut total) };
        self.check("cuMemGetInfo_v2", code)?;
        Ok(MemoryInfo { free: free as u64, total: total as u64 })
    }

    /// What the driver calls the device.
    pub(super) fn device_handle(&self, ordinal: u16) -> Result<DeviceHandle, CudaError> {
        let get = self.functions.cuDeviceGet()?;
        let mut device = 0;
        // SAFETY: there is room for the handle.
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
        // SAFETY: the driver gave out the handle, and there is room for the number.
        self.check("cuDeviceTotalMem_v2", unsafe { total(&raw mut bytes, device) })?;
        Ok(bytes as u64)
    }

    fn name(&self, device: DeviceHandle) -> Result<String, CudaError> {
        const LENGTH: c_int = 256;

        let name_of = self.functions.cuDeviceGetName()?;
        let mut name: [c_char; LENGTH as usize] = [0; LENGTH as usize];
        // SAFETY: the driver gave out the handle, and writes as much as there is room for.
        let code = unsafe { name_of(name.as_mut_ptr(), LENGTH, device) };
        self.check("cuDeviceGetName", code)?;
        // A driver that left no room for the zero would not be followed past the end.
        name[name.len() - 1] = 0;
        // SAFETY: there is a zero at the end, if not before.
        let name = unsafe { CStr::from_ptr(name.as_ptr()) };
        Ok(name.to_string_lossy().into_owned())
    }

    fn uuid(&self, device: DeviceHandle) -> Result<DeviceUuid, CudaError> {
        let mut uuid = [0; 16];
        // The second form, of CUDA 11.4, tells a part of a MIG device from the whole.
        if let Ok(uuid_of) = self.functions.cuDeviceGetUuid_v2() {
            // SAFETY: the driver gave out the handle, and there is room for 16 bytes.
            self.check("cuDeviceGetUuid_v2", unsafe { uuid_of(&raw mut uuid, device) })?;
        } else {
            let uuid_of = self.functions.cuDeviceGetUuid()?;
            // SAFETY: as above.
            self.check("cuDeviceGetUuid", unsafe { uuid_of(&raw mut uuid, device) })?;
        }
        Ok(DeviceUuid(uuid))
    }
}
