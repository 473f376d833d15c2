//! Files that other tools open: a profile, or a whole session, in their formats.

mod error;
pub mod perfetto;

pub use error::ExportError;
