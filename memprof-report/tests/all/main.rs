//! What is shown of a recording, and written of it for other tools.

mod lanes;
#[cfg(feature = "metrics")]
mod metrics;
mod perfetto;
mod prometheus;
mod protobuf;
mod recordings;
mod speedscope;
