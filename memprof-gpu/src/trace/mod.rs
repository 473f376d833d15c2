//! Traces: files of device readings, and a sampler that plays them back.
//!
//! Each line is one JSON document: first the head, then the readings in the order of recording.

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
/// The format's version, raised when a key changes its meaning.
const VERSION: u64 = 1;

/// The first line of a trace.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    format: String,
    version: u64,
    /// The start of the recording, in nanoseconds since 1970-01-01 00:00 UTC.
    started_unix_ns: u64,
    environment: Environment,
    devices: Vec<DeviceIdentity>,
}

/// A line after the first.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    reading: DeviceReading,
}
