//! What is put around a resource: limits and books.

mod limiting;
mod outstanding;
mod statistics;
mod tracking;

pub use limiting::Limiting;
pub use outstanding::{Allocation, Outstanding};
pub use statistics::{Counts, Figure, Statistics};
pub use tracking::Tracking;
