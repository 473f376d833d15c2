//! Layer 4: what the program and a recorder set and request.
//!
//! - `level`, `rate`: levels and sampling rates;
//! - `wake`, `refusal`: functions that are called; `recorder`: those of a recorder;
//! - `unrecorded`: work of a profiler's own;
//! - `installed`, `not_installed`, `not_recorded`: whether something is recorded, and the errors.

pub(crate) mod installed;
pub(crate) mod level;
pub(crate) mod not_installed;
pub(crate) mod not_recorded;
pub(crate) mod rate;
pub mod recorder;
pub(crate) mod refusal;
pub(crate) mod unrecorded;
pub(crate) mod wake;
