//! Device memory for memprof: what GPUs hold, and which processes hold it. Use the crate `memprof`,
//! whose module `gpu` this is.
//!
//! Nothing here needs a GPU, a driver or a toolkit to be built; what is missing while a program runs
//! is an error that says what.

mod advice;
mod counter;
mod device;
mod reading;
mod sampler;
mod source;
mod statistics;
#[cfg(feature = "json")]
mod trace;

#[cfg(feature = "nvml")]
mod nvml;

#[cfg(feature = "cuda")]
pub mod cuda;

pub use advice::{DeviceRule, GpuRule};
pub use counter::{Counter, Unavailable};
pub use device::{DeviceIdentity, Ordinals, VisibleDevice, VisibleDevices};
#[cfg(feature = "nvml")]
pub use nvml::NvmlSampler;
pub use reading::{DeviceReading, MemoryCounters, MemorySource, ProcessMemory, Traffic, Wanted};
pub use sampler::{DeviceSampler, Environment, SamplerError};
pub use source::{GpuSource, GpuSourceBuilder};
pub use statistics::{AllocatorCounters, DeviceDelta, DeviceStatistics, TwoDevices};
#[cfg(feature = "json")]
pub use trace::{TraceError, TraceSampler, TraceWriter};
