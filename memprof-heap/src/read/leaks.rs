//! The detection of leaks: call sites whose memory keeps growing from a moment that the program
//! chooses.
//!
//! - `trend`: the test that a series grows;
//! - `watch`: the observations that a program makes;
//! - `record`: the stored observations, in bounded memory;
//! - `places`: call sites by their place in the source;
//! - `ages`, `growth`: the ages of a place's blocks, and the growth of its bytes;
//! - `groups`: the observations of one place and operation, as a series;
//! - `suspects`: the series that grow and whose blocks stay;
//! - `report`, `table`: the result.

mod ages;
mod groups;
mod growth;
pub(crate) mod places;
mod record;
mod report;
mod suspects;
mod table;
mod trend;
mod watch;

pub use crate::read::leaks::ages::Ages;
pub use crate::read::leaks::growth::Growth;
pub use crate::read::leaks::report::{Leak, Leaks};
pub(crate) use crate::read::leaks::trend::{Observation, Trend};
pub use crate::read::leaks::watch::LeakWatch;
