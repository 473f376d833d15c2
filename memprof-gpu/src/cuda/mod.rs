//! CUDA through its driver: devices and their memory pools, memory, streams and events, and a timer of
//! events.
//!
//! The driver is looked for while the program runs, and each function of it on its own: without a
//! driver, or with an old one, what needs it is a [`CudaError`] that says so.
//!
//! - [`Cuda`]: the driver; nothing that it tells of devices and pools makes a context;
//! - [`DeviceContext`]: a device's primary context, which costs memory of the device;
//! - [`CudaStream`], [`CudaEvent`]: the order of work, by calls of the context;
//! - [`EventTimer`]: how long the device's work takes, by the device's clock; with the feature
//!   `criterion`, `EventTime` is a measurement of criterion.
//!
//! ```no_run
//! use memprof_gpu::cuda::{Cuda, CudaError};
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

pub use context::DeviceContext;
use core::ffi::{CStr, c_int};
use core::fmt;
pub use device::{CudaDevice, CudaVersion, MemoryInfo};
pub use error::CudaError;
#[cfg(feature = "criterion")]
pub use event_time::EventTime;
pub use events::{CudaEvent, CudaStream};
use functions::{Code, Functions};
pub use pool::PoolStatistics;
use std::sync::Arc;
pub use timer::{EventMark, EventTimer};
pub use uuid::DeviceUuid;

/// CUDA's driver, loaded but not yet initialised by that; a clone is the same.
#[derive(Clone)]
pub struct Cuda {
    functions: Arc<Functions>,
}

impl Cuda {
    /// Initialises CUDA in this process, unless that is done; makes no context.
    ///
    /// A process that was forked from one where CUDA is initialised can't use it. So this is for the
    /// program to decide: nothing else here does it, and before it most of the rest is
    /// [`CudaError::NotInitialised`].
    ///
    /// # Errors
    /// [`CudaError::NoDevice`] if there is no device to be seen, or what else the driver says.
    ///
    /// # Cost
    /// The first time the driver opens the devices, which may take a good part of a second.
    pub fn initialise(&self) -> Result<(), CudaError> {
        let initialise = self.functions.cuInit()?;
        // SAFETY: any time is right for it, and 0 is the only argument there is.
        self.check("cuInit", unsafe { initialise(0) })
    }

    /// The error that a function's return value stands for.
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
        // SAFETY: there is room for the pointer.
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
