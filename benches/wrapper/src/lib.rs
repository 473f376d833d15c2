//! A tensor with a unit, compared with the buffer that it wraps.
//!
//! The wrapper checks units, converts scales, and creates a new wrapper. The cost is measured on
//! the host's vectors and on a GPU's buffers through `cudarc`. The feature `candle` adds candle's
//! tensors.

#![allow(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    reason = "this package is not published"
)]

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
pub mod verify;
