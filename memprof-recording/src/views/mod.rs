//! Text about a recording: an overview, the operations, the suspects; and profiles of snapshots.

mod suspects;
mod words;

mod holders;
mod leaks;
mod live_sites;
mod operations;
mod overview;
mod profile;
mod waterfall;

pub use leaks::LeakList;
pub use live_sites::LiveSite;
pub use operations::{OperationOrder, OperationTable};
pub use overview::Overview;
pub use suspects::Suspect;
pub use waterfall::Step;
