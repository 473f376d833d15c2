//! The driver: its library, which the process has already loaded or which this module loads; the
//! functions that this crate calls, and their errors.
//!
//! Each function is looked up separately, so an old driver only refuses the calls that it lacks. The
//! table [`functions!`] is the one place with a function's name and type. It defines a method of
//! [`Cuda`] for each function, which makes the call and converts the code that the driver returns.

use super::CudaError;
use core::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_void};
use core::fmt;
use libloading::Library;
use std::ffi::OsStr;
use std::mem::forget;
use std::path::Path;
use std::sync::Arc;

/// The CUDA driver, loaded but not necessarily initialised. All clones use the same driver.
#[derive(Clone)]
pub struct Cuda {
    pub(super) functions: Arc<Functions>,
}

/// The names of the driver's library, the most common first.
#[cfg(windows)]
const NAMES: [&str; 1] = ["nvcuda.dll"];
#[cfg(not(windows))]
const NAMES: [&str; 2] = ["libcuda.so.1", "libcuda.so"];

impl Cuda {
    /// Uses the driver that this process has already loaded. The call loads nothing.
    ///
    /// # Errors
    /// Returns [`CudaError::NotLoaded`] if the process has loaded no driver, and on systems other
    /// than Linux, Android and Windows, which can't report a loaded library.
    pub fn attach() -> Result<Self, CudaError> {
        let library = NAMES.iter().find_map(|name| already_loaded(OsStr::new(name)));
        // SAFETY: the library that is loaded under the driver's name is the driver.
        library.map(|library| unsafe { Self::from_library(library) }).ok_or(CudaError::NotLoaded)
    }

    /// Uses the driver in this file if the process has already loaded it. The call loads nothing.
    ///
    /// # Errors
    /// Returns the same errors as [`attach`](Self::attach).
    ///
    /// # Safety
    /// The conditions of [`load_from`](Self::load_from) hold.
    pub unsafe fn attach_to(path: impl AsRef<Path>) -> Result<Self, CudaError> {
        let library = already_loaded(path.as_ref().as_os_str()).ok_or(CudaError::NotLoaded)?;
        // SAFETY: the caller promises that the library is a CUDA driver.
        Ok(unsafe { Self::from_library(library) })
    }

    /// Loads the driver `libcuda.so.1`, or else `libcuda.so`. On Windows, loads `nvcuda.dll`.
    ///
    /// The call neither initialises the driver nor creates a context: see
    /// [`initialise`](Self::initialise). The library stays loaded until the process exits, because
    /// the driver runs threads of its own.
    ///
    /// ```
    /// use memprof::gpu::cuda::{Cuda, CudaError};
    ///
    /// match Cuda::load() {
    ///     Ok(cuda) => println!("a driver of CUDA {}", cuda.driver_version()?),
    ///     Err(error @ CudaError::Absent { .. }) => println!("{error}"),
    ///     Err(error) => return Err(error),
    /// }
    /// # Ok::<(), CudaError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`CudaError::Absent`] if there is no driver.
    ///
    /// # Cost
    /// Without a driver, the call takes a few file lookups and well below a millisecond.
    pub fn load() -> Result<Self, CudaError> {
        let mut first = None;
        for name in NAMES {
            // SAFETY: the library that the system finds under the driver's name is the driver.
            match unsafe { Self::load_from(name) } {
                Ok(cuda) => return Ok(cuda),
                Err(error) => first = first.or(Some(error)),
            }
        }
        Err(first.unwrap_or(CudaError::NotLoaded))
    }

    /// Loads the driver in this file.
    ///
    /// # Errors
    /// Returns [`CudaError::Absent`] if the file can't be loaded.
    ///
    /// # Safety
    /// The file is a CUDA driver: its functions have the types of CUDA's.
    pub unsafe fn load_from(path: impl AsRef<Path>) -> Result<Self, CudaError> {
        let path = path.as_ref();
        // SAFETY: any program may load a CUDA driver at any time, and this one is never unloaded.
        let library = unsafe { Library::new(path) }.map_err(|cause| CudaError::Absent {
            library: path.to_string_lossy().into_owned(),
            cause: Box::new(cause),
        })?;
        // SAFETY: the caller promises that the library is a CUDA driver.
        Ok(unsafe { Self::from_library(library) })
    }

    /// # Safety
    /// The library is a CUDA driver.
    unsafe fn from_library(library: Library) -> Self {
        // SAFETY: the caller promises that the library is a CUDA driver, and the library is never
        // unloaded.
        let functions = unsafe { Functions::look_up(&library) };
        // Unloading the library would remove the code that its threads run.
        forget(library);
        Self { functions: Arc::new(functions) }
    }

    /// Initialises CUDA in this process, unless it is already initialised. The call creates no
    /// context.
    ///
    /// A process forked from one with initialised CUDA can't use CUDA. So the program decides when
    /// to call this function, and no other function here initialises CUDA. Before initialisation,
    /// most other calls return [`CudaError::NotInitialised`].
    ///
    /// # Errors
    /// Returns [`CudaError::NoDevice`] if no device is visible, or the driver's error.
    ///
    /// # Cost
    /// The first call opens the devices, which may take a good part of a second.
    pub fn initialise(&self) -> Result<(), CudaError> {
        // SAFETY: `cuInit` may be called at any time, and 0 is its only valid argument.
        unsafe { self.cuInit(0) }
    }

    fn check(&self, call: &'static str, code: Code) -> Result<(), CudaError> {
        Err(match code {
            0 => return Ok(()),
            CudaError::NOT_INITIALISED => CudaError::NotInitialised,
            CudaError::NO_DEVICE => CudaError::NoDevice,
            CudaError::NOT_READY => CudaError::NotReady,
            CudaError::NOT_SUPPORTED => CudaError::NotSupported { call },
            code => CudaError::Driver { call, code, name: self.error_name(code) },
        })
    }

    fn error_name(&self, code: Code) -> Option<String> {
        let name_of = self.functions.cuGetErrorName.required().ok()?;
        let mut name = core::ptr::null();
        // SAFETY: the pointer is valid for writing the pointer.
        let result = unsafe { name_of(code, &raw mut name) };
        if result != 0 || name.is_null() {
            return None;
        }
        // SAFETY: the driver's names end with a zero and are never freed.
        let name = unsafe { CStr::from_ptr(name) };
        Some(name.to_string_lossy().into_owned())
    }
}

impl fmt::Debug for Cuda {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Cuda").finish_non_exhaustive()
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn already_loaded(name: &OsStr) -> Option<Library> {
    use core::ffi::c_int;
    use libloading::os::unix;

    /// The flag that makes `dlopen` load nothing. The flag is 4 in glibc, musl and bionic on every
    /// processor except MIPS, for which there is no driver.
    const RTLD_NOLOAD: c_int = 4;

    // SAFETY: the flag loads nothing, so no code of the library runs.
    let library = unsafe { unix::Library::open(Some(name), unix::RTLD_LAZY | RTLD_NOLOAD) };
    library.ok().map(Library::from)
}

#[cfg(windows)]
fn already_loaded(name: &OsStr) -> Option<Library> {
    libloading::os::windows::Library::open_already_loaded(name).ok().map(Library::from)
}

#[cfg(not(any(target_os = "linux", target_os = "android", windows)))]
fn already_loaded(_name: &OsStr) -> Option<Library> {
    None
}

/// The return value of a driver function: 0, or an error code.
type Code = c_int;
/// The driver's `CUdevice`: a number, which may differ from the ordinal.
pub(super) type DeviceHandle = c_int;
/// A context, stream, event or pool: a pointer that only the driver dereferences.
pub(super) type Handle = usize;
/// A device address, as wide as a host address.
type DeviceAddress = usize;

pub(super) struct Function<F> {
    name: &'static str,
    address: Option<F>,
}

impl<F: Copy> Function<F> {
    /// Returns the function, or an error if the driver lacks it.
    pub(super) fn required(&self) -> Result<F, CudaError> {
        self.address.ok_or(CudaError::MissingSymbol(self.name))
    }
}

/// Calls a function that writes its result, and returns the result.
pub(super) fn written<T: Default>(
    call: impl FnOnce(*mut T) -> Result<(), CudaError>,
) -> Result<T, CudaError> {
    let mut value = T::default();
    call(&raw mut value)?;
    Ok(value)
}

/// Defines the functions of the driver, each with its name, arguments and types.
macro_rules! functions {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {
        #[expect(non_snake_case, reason = "the names of the driver's API")]
        pub(super) struct Functions {
            $(pub(super) $name: Function<unsafe extern "system" fn($($type),*) -> Code>,)*
        }

        impl Functions {
            /// Looks up each function.
            ///
            /// # Safety
            /// The library is a CUDA driver, or has no functions with these names. The library
            /// stays loaded as long as the functions are called.
            unsafe fn look_up(library: &Library) -> Self {
                Self {
                    $($name: {
                        let symbol = concat!(stringify!($name), "\0").as_bytes();
                        // SAFETY: a driver's function with this name has this type.
                        let address = unsafe { library.get(symbol) }.ok().map(|symbol| *symbol);
                        Function { name: stringify!($name), address }
                    },)*
                }
            }
        }

        /// Without the driver's function, a call returns [`CudaError::MissingSymbol`].
        #[expect(non_snake_case, reason = "the names of the driver's API")]
        #[allow(dead_code, reason = "`error_name` calls its function itself")]
        impl Cuda {
            $(
                /// # Safety
                /// The arguments are valid for the driver's function.
                pub(super) unsafe fn $name(&self, $($argument: $type),*) -> Result<(), CudaError> {
                    let call = self.functions.$name.required()?;
                    // SAFETY: the caller promises that the arguments are valid.
                    self.check(stringify!($name), unsafe { call($($argument),*) })
                }
            )*
        }
    };
}

functions! {
    cuInit(flags: c_uint);
    cuDriverGetVersion(version: *mut c_int);
    cuGetErrorName(code: Code, name: *mut *const c_char);

    cuDeviceGetCount(count: *mut c_int);
    cuDeviceGet(device: *mut DeviceHandle, ordinal: c_int);
    cuDeviceGetName(name: *mut c_char, length: c_int, device: DeviceHandle);
    cuDeviceGetUuid_v2(uuid: *mut [u8; 16], device: DeviceHandle);
    cuDeviceGetUuid(uuid: *mut [u8; 16], device: DeviceHandle);
    cuDeviceTotalMem_v2(bytes: *mut usize, device: DeviceHandle);

    cuDevicePrimaryCtxGetState(device: DeviceHandle, flags: *mut c_uint, active: *mut c_int);
    cuDevicePrimaryCtxRetain(context: *mut Handle, device: DeviceHandle);
    cuDevicePrimaryCtxRelease_v2(device: DeviceHandle);
    cuCtxPushCurrent_v2(context: Handle);
    cuCtxPopCurrent_v2(context: *mut Handle);
    cuCtxGetCurrent(context: *mut Handle);

    cuDeviceGetMemPool(pool: *mut Handle, device: DeviceHandle);
    cuMemPoolGetAttribute(pool: Handle, attribute: c_int, value: *mut c_void);
    cuMemPoolSetAttribute(pool: Handle, attribute: c_int, value: *mut c_void);
    cuMemPoolTrimTo(pool: Handle, keep: usize);

    cuMemGetInfo_v2(free: *mut usize, total: *mut usize);
    cuMemAlloc_v2(address: *mut DeviceAddress, bytes: usize);
    cuMemFree_v2(address: DeviceAddress);
    cuMemAllocAsync(address: *mut DeviceAddress, bytes: usize, stream: Handle);
    cuMemFreeAsync(address: DeviceAddress, stream: Handle);
    cuMemsetD8Async(address: DeviceAddress, byte: c_uchar, bytes: usize, stream: Handle);
    cuMemHostAlloc(address: *mut *mut c_void, bytes: usize, flags: c_uint);
    cuMemFreeHost(address: *mut c_void);

    cuEventCreate(event: *mut Handle, flags: c_uint);
    cuEventRecord(event: Handle, stream: Handle);
    cuEventQuery(event: Handle);
    cuEventElapsedTime_v2(milliseconds: *mut f32, from: Handle, to: Handle);
    cuEventElapsedTime(milliseconds: *mut f32, from: Handle, to: Handle);
    cuEventDestroy_v2(event: Handle);
    cuStreamWaitEvent(stream: Handle, event: Handle, flags: c_uint);
    cuStreamCreate(stream: *mut Handle, flags: c_uint);
    cuStreamDestroy_v2(stream: Handle);
    cuStreamSynchronize(stream: Handle);
    cuStreamIsCapturing(stream: Handle, status: *mut c_int);
    cuThreadExchangeStreamCaptureMode(mode: *mut c_int);
}
