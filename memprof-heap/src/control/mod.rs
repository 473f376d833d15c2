//! Layer 4: the settings and requests of the program and of a recorder.
//!
//! - `level`, `rate`: levels and sampling rates;
//! - `wake`, `refusal`: callbacks; `recorder`: the settings of a recorder;
//! - `unrecorded`: a profiler's own work;
//! - `installed`, `not_installed`, `not_recorded`: checks that something is recorded, and their
//!   errors.

pub(crate) mod installed;
pub(crate) mod level;
pub(crate) mod not_installed;
pub(crate) mod not_recorded;
pub(crate) mod rate;
pub mod recorder;
pub(crate) mod refusal;
pub(crate) mod unrecorded;
pub(crate) mod wake;
