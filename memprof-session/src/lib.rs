//! What a process holds over time: snapshots, and the files that hold them.
//!
//! - `Session`, with the feature `record`: records;
//! - [`Recording`]: what a session wrote, read back;
//! - [`TimelineWriter`]: the same form of snapshots that no session took;
//! - [`Overview`], [`OperationTable`], [`LeakList`]: what people read of it;
//! - [`document`]: the parts that files are made of.

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
