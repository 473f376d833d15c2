//! The operations that a framework reported of itself.

use serde::{Deserialize, Serialize};

/// The calls of a framework's operation, those with the same input shapes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FrameworkRow {
    /// Its name.
    pub name: String,
    /// How many calls.
    pub calls: u64,
    /// How long they kept the threads that called, in nanoseconds; `None` if no call knew.
    pub cpu_ns: Option<Known>,
    /// How long the device worked on them, in nanoseconds; `None` if no call knew.
    pub device_ns: Option<Known>,
    /// Bytes allocated in the host's memory less those freed; `None` if no call knew.
    pub cpu_bytes: Option<Known>,
    /// Bytes allocated in the device's memory less those freed; `None` if no call knew.
    pub device_bytes: Option<Known>,
    /// The shapes of the inputs; `None` where they are not known, or not the same.
    pub shapes: Option<Vec<Vec<u64>>>,
}

/// A figure of those calls that knew it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Known {
    /// How many knew it.
    pub calls: u64,
    /// Their sum.
    pub total: i64,
    /// The largest.
    pub max: i64,
}
