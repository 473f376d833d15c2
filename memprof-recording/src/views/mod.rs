//! Text about a recording: an overview, the operations, the suspects; and profiles of snapshots.

mod leaks;
mod operations;
mod overview;
mod pinned;
mod profile;
mod sites;
mod types;
mod waterfall;
mod words;

pub use leaks::LeakList;
pub use operations::{OperationOrder, OperationTable};
pub use overview::Overview;
pub use pinned::{PinnedBytes, PinnedMemory};
pub use sites::{LiveSite, Suspect};
pub use types::LiveType;
pub use waterfall::Step;
