//! Exports of a profile or a whole session to the formats of other tools.

mod error;
mod stacks;

mod folded;
pub mod perfetto;
mod pprof;
pub mod prometheus;

pub use error::ExportError;
pub use folded::{folded_live_stacks, folded_operations, folded_sites};
pub use pprof::{Moment, Pprof};
