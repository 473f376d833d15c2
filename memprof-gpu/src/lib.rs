//! Device memory for memprof: the memory of GPUs and the processes that use it.
//!
//! | question | item |
//! |---|---|
//! | How does a session record GPUs? | [`GpuSource`], [`GpuSourceBuilder`] |
//! | How do I read counters? | `NvmlSampler`, [`DeviceSampler`], [`DeviceReading`] |
//! | Which device is `nvml:0`? | [`DeviceIdentity`] |
//! | Why is a counter missing? | [`Counter`], [`Unavailable`], [`SamplerError`] |
//! | How much is used, free and attributed? | [`DeviceStatistics`], [`AllocatorCounters`] |
//! | What should change? | [`DeviceStatistics::advice`], [`GpuRule`] |
//! | How do I call the CUDA driver? | `cuda` |
//!
//! This crate builds without a GPU, a driver or a toolkit. If one of them is missing at run time,
//! the call returns an error that names it.

// With this, docs.rs marks each item with the features that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod reading;
mod source;
mod statistics;

#[cfg(feature = "nvml")]
mod nvml;

#[cfg(feature = "cuda")]
pub mod cuda;

#[cfg(feature = "nvml")]
pub use nvml::NvmlSampler;
pub use reading::{
    Counter, DeviceIdentity, DeviceReading, DeviceSampler, Environment, MemoryCounters,
    MemorySource, ProcessMemory, SamplerError, Traffic, Unavailable, Wanted,
};
pub use source::{GpuSource, GpuSourceBuilder};
pub use statistics::{AllocatorCounters, DeviceStatistics, GpuRule, driver_pid};
