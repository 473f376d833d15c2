//! Files that other tools open: a profile, or a whole session, in their formats.

mod error;
mod shares;
mod stacks;

mod folded;
mod pprof;

pub use error::ExportError;
pub use folded::{folded_operations, folded_sites};
pub use pprof::{Moment, Pprof};
