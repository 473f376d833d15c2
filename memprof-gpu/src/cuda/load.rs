//! The driver's library: the one that the process has loaded, or one that is loaded for it.

use super::functions::Functions;
use super::{Cuda, CudaError};
use libloading::Library;
use std::ffi::OsStr;
use std::mem::forget;
use std::path::Path;
use std::sync::Arc;

/// What the driver's library is called, the likeliest first.
#[cfg(windows)]
const NAMES: [&str; 1] = ["nvcuda.dll"];
#[cfg(not(windows))]
const NAMES: [&str; 2] = ["libcuda.so.1", "libcuda.so"];

impl Cuda {
    /// The driver that this process has loaded already; loads nothing.
    ///
    /// # Errors
    /// [`CudaError::NotLoaded`] if it has none, and on systems that can't tell: others than Linux,
    /// Android and Windows.
    pub fn attach() -> Result<Self, CudaError> {
        let library = NAMES.iter().find_map(|name| already_loaded(OsStr::new(name)));
        // SAFETY: what is loaded under the driver's name is the driver.
        library.map(|library| unsafe { Self::of(library) }).ok_or(CudaError::NotLoaded)
    }

    /// The driver of this file, if the process has loaded it already; loads nothing.
    ///
    /// # Errors
    /// As [`attach`](Self::attach).
    ///
    /// # Safety
    /// As for [`load_from`](Self::load_from).
    pub unsafe fn attach_to(path: impl AsRef<Path>) -> Result<Self, CudaError> {
        let library = already_loaded(path.as_ref().as_os_str()).ok_or(CudaError::NotLoaded)?;
        // SAFETY: the caller says that it is CUDA's driver.
        Ok(unsafe { Self::of(library) })
    }

    /// Loads the driver: `libcuda.so.1`, then `libcuda.so`; `nvcuda.dll` on Windows.
    ///
    /// The driver is not initialised by that, and no context is made: see
    /// [`initialise`](Self::initialise). What was loaded stays loaded until the process ends, as
    /// drivers have threads of their own.
    ///
    /// ```
    /// use memprof_gpu::cuda::{Cuda, CudaError};
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
    /// [`CudaError::Absent`] if there is none.
    ///
    /// # Cost
    /// Without a driver a few look-ups of files, well below a millisecond.
    pub fn load() -> Result<Self, CudaError> {
        let mut first = None;
        for name in NAMES {
            // SAFETY: what the system finds under the driver's name is the driver.
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
    /// [`CudaError::Absent`] if it can't be loaded.
    ///
    /// # Safety
    /// The file is a driver of CUDA: its functions have the types that CUDA's have.
    pub unsafe fn load_from(path: impl AsRef<Path>) -> Result<Self, CudaError> {
        let path = path.as_ref();
        // SAFETY: CUDA's driver may be loaded by any program at any time, and it is not unloaded.
        let library = unsafe { Library::new(path) }.map_err(|cause| CudaError::Absent {
            library: path.to_string_lossy().into_owned(),
            cause: Box::new(cause),
        })?;
        // SAFETY: the caller says that it is CUDA's driver.
        Ok(unsafe { Self::of(library) })
    }

    /// # Safety
    /// The library is a driver of CUDA.
    unsafe fn of(library: Library) -> Self {
        // SAFETY: as the caller says, and it is not unloaded.
        let functions = unsafe { Functions::of(&library) };
        // Unloading it would take its code away from its own threads.
        forget(library);
        Self { functions: Arc::new(functions) }
    }
}

/// The library of that name, if it is loaded.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn already_loaded(name: &OsStr) -> Option<Library> {
    use core::ffi::c_int;
    use libloading::os::unix;

    /// "Only if it is loaded": 4 in glibc, musl and bionic on every processor but MIPS, where there
    /// is no driver.
    const RTLD_NOLOAD: c_int = 4;

    // SAFETY: nothing is loaded, so nothing of the library runs.
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
