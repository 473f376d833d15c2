//! The functions of the driver that are used here, each looked for by itself.

use super::CudaError;
use core::ffi::{c_char, c_int, c_uchar, c_uint, c_void};
use libloading::Library;

/// What the driver returns: 0, or the number of an error.
pub(super) type Code = c_int;
/// What the driver calls `CUdevice`: a number, which need not be the ordinal.
pub(super) type DeviceHandle = c_int;
/// A context, stream, event or pool: a pointer of the driver's that nobody else follows.
pub(super) type Handle = usize;
/// An address of a device, as wide as the host's.
pub(super) type DeviceAddress = usize;

/// A table of functions: the name under which the driver has each, and its type.
macro_rules! functions {
    ($($name:ident($($argument:ty),*);)*) => {
        /// The functions of a driver that is loaded; one that it lacks is an error once it is needed.
        #[expect(non_snake_case, reason = "the driver's own names")]
        pub(super) struct Functions {
            $($name: Option<unsafe extern "system" fn($($argument),*) -> Code>,)*
        }

        impl Functions {
            /// Looks for each of them.
            ///
            /// # Safety
            /// The library is a driver of CUDA, or has no functions of these names; and it stays
            /// loaded as long as they are called.
            pub(super) unsafe fn of(library: &Library) -> Self {
                Self {
                    $($name: {
                        let name = concat!(stringify!($name), "\0").as_bytes();
                        // SAFETY: a driver's function of that name has that type.
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
    cuDeviceGetDefaultMemPool(*mut Handle, DeviceHandle);
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
    cuStreamSynchronize(Handle);
}
