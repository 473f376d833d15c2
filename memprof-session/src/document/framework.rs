//! The operations that a framework reported about itself.

use serde::{Deserialize, Serialize};

/// The calls of one framework operation that had the same input shapes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FrameworkRow {
    /// Its name.
    pub name: String,
    /// The number of calls.
    pub calls: u64,
    /// The time for which they occupied the calling threads, in nanoseconds; `None` if no call
    /// reported it.
    pub cpu_ns: Option<Known>,
    /// The time for which the device worked on them, in nanoseconds; `None` if no call reported it.
    pub device_ns: Option<Known>,
    /// Bytes allocated in the host's memory less those freed; `None` if no call reported them.
    pub cpu_bytes: Option<Known>,
    /// Bytes allocated in the device's memory less those freed; `None` if no call reported them.
    pub device_bytes: Option<Known>,
    /// The shapes of the inputs; `None` if they are unknown or differ.
    pub shapes: Option<Vec<Vec<u64>>>,
}

/// A figure of the calls that reported it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Known {
    /// The number of calls that reported it.
    pub calls: u64,
    /// Their sum.
    pub total: i64,
    /// The largest.
    pub max: i64,
}
