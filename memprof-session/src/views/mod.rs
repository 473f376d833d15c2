//! What people read of a recording: an overview, the operations, what leaks; and profiles of it.

mod words;

mod leaks;
mod operations;
mod overview;
mod profile;
mod waterfall;

pub use leaks::LeakList;
pub use operations::{OperationOrder, OperationTable};
pub use overview::Overview;
pub use waterfall::Step;
