//! The functions of the driver that this crate calls, each looked up separately.

use super::CudaError;
use core::ffi::{c_char, c_int, c_uchar, c_uint, c_void};
use libloading::Library;

/// The return value of a driver function: 0, or an error code.
pub(super) type Code = c_int;
/// The driver's `CUdevice`: a number, which may differ from the ordinal.
pub(super) type DeviceHandle = c_int;
/// A context, stream, event or pool: a pointer that only the driver dereferences.
pub(super) type Handle = usize;
/// A device address, as wide as a host address.
pub(super) type DeviceAddress = usize;

/// Defines a table of functions, each with its name in the driver and its type.
macro_rules! functions {
    ($($name:ident($($argument:ty),*);)*) => {
        /// The functions of a loaded driver. A missing function is an error only when it is called.
        #[expect(non_snake_case, reason = "the names of the driver's API")]
        pub(super) struct Functions {
            $($name: Option<unsafe extern "system" fn($($argument),*) -> Code>,)*
        }

        impl Functions {
            /// Looks up each function.
            ///
            /// # Safety
            /// The library is a CUDA driver, or has no functions with these names. The library
            /// stays loaded as long as the functions are called.
            pub(super) unsafe fn look_up(library: &Library) -> Self {
                Self {
                    $($name: {
                        let name = concat!(stringify!($name), "\0").as_bytes();
                        // SAFETY: a driver's function with this name has this type.
                        unsafe { library.get(name) }.ok().map(|function| *function)
                    },)*
                }
            }

            $(#[expect(non_snake_case, reason = "the driver's own name")]
            pub(super) fn $name(
                &self,
            ) -> Result<unsafe extern "system" fn($($argument),*) -> Code, CudaError> {
                self.$name.ok_or(CudaError::MissingSymbol(stringify!($name)))
            })*
        }
    };
}

functions! {
    cuInit(c_uint);
    cuDriverGetVersion(*mut c_int);
    cuGetErrorName(Code, *mut *const c_char);

    cuDeviceGetCount(*mut c_int);
    cuDeviceGet(*mut DeviceHandle, c_int);
    cuDeviceGetName(*mut c_char, c_int, DeviceHandle);
    cuDeviceGetUuid_v2(*mut [u8; 16], DeviceHandle);
    cuDeviceGetUuid(*mut [u8; 16], DeviceHandle);
    cuDeviceTotalMem_v2(*mut usize, DeviceHandle);

    cuDevicePrimaryCtxGetState(DeviceHandle, *mut c_uint, *mut c_int);
    cuDevicePrimaryCtxRetain(*mut Handle, DeviceHandle);
    cuDevicePrimaryCtxRelease_v2(DeviceHandle);
    cuCtxPushCurrent_v2(Handle);
    cuCtxPopCurrent_v2(*mut Handle);
    cuCtxGetCurrent(*mut Handle);

    cuDeviceGetMemPool(*mut Handle, DeviceHandle);
    cuMemPoolGetAttribute(Handle, c_int, *mut c_void);
    cuMemPoolSetAttribute(Handle, c_int, *mut c_void);
    cuMemPoolTrimTo(Handle, usize);

    cuMemGetInfo_v2(*mut usize, *mut usize);
    cuMemAlloc_v2(*mut DeviceAddress, usize);
    cuMemFree_v2(DeviceAddress);
    cuMemAllocAsync(*mut DeviceAddress, usize, Handle);
    cuMemFreeAsync(DeviceAddress, Handle);
    cuMemsetD8Async(DeviceAddress, c_uchar, usize, Handle);
    cuMemHostAlloc(*mut *mut c_void, usize, c_uint);
    cuMemFreeHost(*mut c_void);

    cuEventCreate(*mut Handle, c_uint);
    cuEventRecord(Handle, Handle);
    cuEventQuery(Handle);
    cuEventElapsedTime_v2(*mut f32, Handle, Handle);
    cuEventElapsedTime(*mut f32, Handle, Handle);
    cuEventDestroy_v2(Handle);
    cuStreamWaitEvent(Handle, Handle, c_uint);
    cuStreamCreate(*mut Handle, c_uint);
    cuStreamDestroy_v2(Handle);
    cuStreamSynchronize(Handle);
    cuStreamIsCapturing(Handle, *mut c_int);
    cuThreadExchangeStreamCaptureMode(*mut c_int);
}
