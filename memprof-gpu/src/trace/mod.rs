//! Readings of devices as a file, and a sampler that plays them again.
//!
//! A document on each line: the head, then the readings in the order in which they were made.

mod error;
mod play;
mod record;

#[cfg(test)]
mod tests;

use crate::{DeviceIdentity, DeviceReading, Environment};
pub use error::TraceError;
pub use play::TraceSampler;
pub use record::TraceWriter;
use serde::{Deserialize, Serialize};

/// The value of the key `format` of a trace's first line.
const FORMAT: &str = "memprof gpu trace";
/// Raised when a key changes its meaning.
const VERSION: u64 = 1;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    format: String,
    version: u64,
    /// When it was begun: nanoseconds since 1970 began, UTC.
    started_unix_ns: u64,
    environment: Environment,
    devices: Vec<DeviceIdentity>,
}

/// A line after the first.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    reading: DeviceReading,
}
