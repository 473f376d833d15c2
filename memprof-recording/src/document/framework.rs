//! The operations of a tensor framework, as reported by the program's wrapper around it.

use serde::{Deserialize, Serialize};

/// The calls of one framework operation that had the same input shapes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameworkRow {
    /// The name of the operation.
    pub name: String,
    /// The number of calls.
    pub calls: u64,
    /// How long the calls occupied their threads, in nanoseconds; `None` if no call reported it.
    pub cpu_ns: Option<Known>,
    /// How long the device worked on the calls, in nanoseconds; `None` if no call reported it.
    pub device_ns: Option<Known>,
    /// Bytes allocated minus bytes freed in the host's memory; `None` if no call reported them.
    pub cpu_bytes: Option<Known>,
    /// Bytes allocated minus bytes freed in the device's memory; `None` if no call reported them.
    pub device_bytes: Option<Known>,
    /// The shapes of the inputs; `None` if they are unknown or differ.
    pub shapes: Option<Vec<Vec<u64>>>,
}

/// A measurement, over the calls that reported it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// The number of calls that reported it.
    pub calls: u64,
    /// The sum over these calls.
    pub total: i64,
    /// The largest value of one call.
    pub max: i64,
}
