//! What people read of a recording: an overview, the operations, what leaks; and profiles of it.

mod moment;
mod table;
mod words;

mod leaks;
mod operations;
mod overview;
mod profile;
mod waterfall;

pub use moment::utc;
pub use overview::ended;
pub use waterfall::steps;
pub use words::{counted, place_as};

pub use leaks::LeakList;
pub use operations::{OperationOrder, OperationTable};
pub use overview::Overview;
