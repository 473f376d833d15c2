//! Snapshots of a process over time, and the files that hold them.
//!
//! - `Session`, with the feature `record`, records.
//! - [`Recording`] is a recording read from its file.
//! - [`TimelineWriter`] writes a timeline of snapshots that no session took.
//! - [`Overview`], [`OperationTable`] and [`LeakList`] are text about a recording.
//! - [`document`] has the parts of the files.

pub mod document;

#[cfg(feature = "record")]
mod record;
mod recording;
mod timeline_writer;
mod views;

#[cfg(feature = "record")]
pub use record::{
    ConfigError, Moment, Report, ReportError, RootWalk, Session, SessionBuilder, SessionHandle,
    StartError,
};
pub use recording::{Recording, RecordingError};
pub use timeline_writer::TimelineWriter;
pub use views::{LeakList, OperationOrder, OperationTable, Overview, Step};
