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

mod context;
mod device;
mod driver;
mod error;
mod event;
#[cfg(feature = "criterion")]
mod event_time;

pub use context::{CudaStream, DeviceContext};
pub use device::{CudaDevice, CudaVersion, DeviceUuid, MemoryInfo, PoolStatistics};
pub use driver::Cuda;
pub use error::CudaError;
pub use event::{CudaEvent, EventTimer, TimerEvent};
#[cfg(feature = "criterion")]
pub use event_time::EventTime;
