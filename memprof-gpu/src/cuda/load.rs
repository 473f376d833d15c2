//! The driver's library, which the process has already loaded or which this module loads.

use super::functions::Functions;
use super::{Cuda, CudaError};
use libloading::Library;
use std::ffi::OsStr;
use std::mem::forget;
use std::path::Path;
use std::sync::Arc;

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
    /// [`initialise`](Self::initialise). The library stays loaded until the process ends, because
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
    /// Without a driver, the call takes a few file look-ups and well below a millisecond.
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
}

/// Returns the library with this name if the process has loaded it.
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
