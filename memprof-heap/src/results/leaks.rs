//! What keeps growing since a moment that the program chose, and where it was allocated.
//!
//! - `trend`: whether a series grows, or only looks as if it did;
//! - `watch`: the observations that a program makes;
//! - `record`: what is kept of them, in memory that is bounded;
//! - `places`: call sites by their place in the source;
//! - `ages`, `growth`: how old the blocks of a place are, and how fast its bytes grow;
//! - `groups`: the observations of one place and operation, as a series;
//! - `suspects`: the series that grow and age;
//! - `report`, `table`: what is told of them.

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

pub use ages::Ages;
pub use growth::Growth;
pub use report::{Leak, Leaks};
pub(crate) use trend::{Observation, Trend};
pub use watch::LeakWatch;
