//! A tensor that carries a unit, beside the buffer it wraps.
//!
//! The wrapper checks units, converts what differs in scale, and makes a new wrapper: what that costs
//! is measured on the host's vectors, on a GPU's buffers through `cudarc`, and, with the feature
//! `candle`, on candle's tensors.

pub mod backend;
pub mod bench;
#[cfg(feature = "candle")]
pub mod candle;
pub mod cuda;
pub mod element;
pub mod environment;
pub mod fit;
pub mod host;
pub mod measure;
pub mod phases;
pub mod program;
pub mod report;
pub mod run;
pub mod tensor;
pub mod unit;
