//! CUDA through its driver: devices, memory pools, memory, streams, events and an event timer.
//!
//! The driver is loaded at run time, and each of its functions is looked up separately. Without a
//! driver, or with an old one, the calls that need a missing function return a [`CudaError`].
//!
//! - [`Cuda`]: the driver. Its calls about devices and pools create no context.
//! - [`DeviceContext`]: a device's primary context, which costs device memory.
//! - [`CudaStream`], [`CudaEvent`]: the order of work, set by calls of the context.
//! - [`EventTimer`]: the time that a device takes for its work, by the device's clock. With the
//!   feature `criterion`, `EventTime` is a criterion measurement.
//!
//! ```no_run
//! use memprof::gpu::cuda::{Cuda, CudaError};
//!
//! fn pools() -> Result<(), CudaError> {
//!     let cuda = Cuda::load()?;
//!     cuda.initialise()?;
//!     for ordinal in 0..cuda.device_count()? {
//!         println!("{}: {:?}", cuda.device(ordinal)?.name, cuda.pool_statistics(ordinal)?);
//!     }
//!     Ok(())
//! }
//!
//! if let Err(error) = pools() {
//!     println!("skipped: {error}");
//! }
//! ```

#![expect(unsafe_code, reason = "the driver's functions are called")]

mod error;
mod functions;
mod load;
mod uuid;

mod device;
mod pool;

mod caches;
mod context;
#[cfg(feature = "criterion")]
mod event_time;
mod events;
mod memory;
mod timer;

pub use context::{CudaStream, DeviceContext};
use core::ffi::{CStr, c_int};
use core::fmt;
pub use device::{CudaDevice, CudaVersion, MemoryInfo};
pub use error::CudaError;
#[cfg(feature = "criterion")]
pub use event_time::EventTime;
pub use events::CudaEvent;
use functions::{Code, Functions};
pub use pool::PoolStatistics;
use std::sync::Arc;
pub use timer::{EventTimer, TimerEvent};
pub use uuid::DeviceUuid;

/// The CUDA driver, loaded but not necessarily initialised. All clones use the same driver.
#[derive(Clone)]
pub struct Cuda {
    functions: Arc<Functions>,
}

impl Cuda {
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
    /// The first call opens the devices, which may take a large part of a second.
    pub fn initialise(&self) -> Result<(), CudaError> {
        let initialise = self.functions.cuInit()?;
        // SAFETY: `cuInit` may be called at any time, and 0 is its only valid argument.
        self.check("cuInit", unsafe { initialise(0) })
    }

    /// Converts the return code of the function `call` to a result.
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

    fn error_name(&self, code: c_int) -> Option<String> {
        let name_of = self.functions.cuGetErrorName().ok()?;
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
