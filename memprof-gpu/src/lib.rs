//! Device memory for memprof: the memory of GPUs and the processes that use it.
//!
//! | question | item |
//! |---|---|
//! | How does a session record GPUs? | [`GpuSource`], [`GpuSourceBuilder`] |
//! | How are counters read? | `NvmlSampler`, [`DeviceSampler`], [`DeviceReading`] |
//! | Which device is `cuda:0`? | [`VisibleDevices`], [`Ordinals`], [`DeviceIdentity`] |
//! | Why is a counter missing? | [`Counter`], [`Unavailable`], [`SamplerError`] |
//! | How much is used, free and attributed? | [`DeviceStatistics`], [`DeviceDelta`], [`TwoDevices`] |
//! | What should change? | [`DeviceRule`], [`GpuRule`] |
//! | How are readings recorded and replayed? | `TraceWriter`, `TraceSampler` |
//! | How is CUDA's driver called? | `cuda` |
//!
//! This crate builds without a GPU, a driver or a toolkit. If one of them is missing at run time,
//! the call returns an error that names it.

// With this, docs.rs marks each item with the features that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

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
