//! Files that other tools open: a profile, or a whole session, in their formats.

mod known;
pub mod perfetto;
pub mod prometheus;
pub mod speedscope;
mod write_error;

pub use write_error::WriteError;
