//! The detection of leaks: call sites whose memory keeps growing from a moment that the program
//! chooses.
//!
//! - `watch`: the observations that a program makes, and their record;
//! - `series`: the observations and blocks of one place and operation;
//! - `growth`: the growth of a series, and whether it goes on;
//! - `trend`: the test that exact values grow, for the process;
//! - `report`: the result.

mod growth;
mod report;
mod series;
mod trend;
mod watch;

pub use crate::read::leaks::growth::{Doubt, Growth};
pub use crate::read::leaks::report::{Leak, Leaks, Verdict};
pub use crate::read::leaks::series::Ages;
pub(crate) use crate::read::leaks::series::Places;
pub(crate) use crate::read::leaks::trend::Trend;
pub use crate::read::leaks::watch::LeakWatch;
