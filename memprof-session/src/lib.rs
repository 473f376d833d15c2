//! Snapshots of a process over time, and the files that hold them.
//!
//! | question | item |
//! |---|---|
//! | How does a program record itself? | `Session`, `SessionBuilder` and `SessionHandle`, with the feature `record` |
//! | What is the result of a program's own session? | `Document`, from `Session::finish` |
//! | How is a recording read from its file? | [`Recording`] |
//! | How do addresses get names? | `SymbolSearch`, with the feature `symbols` |
//! | How is it shown as text? | [`Overview`], [`OperationTable`], [`LeakList`], [`Suspect`] |
//! | What held memory at the peak? | [`Recording::peak_stacks`], [`LiveSite`] |
//! | What is in its files? | [`document`] |
//! | How does other code write snapshots to a timeline? | [`TimelineWriter`] |

// Badges of features, on docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod document;

#[cfg(feature = "record")]
mod record;
mod recording;
#[cfg(any(feature = "heap", feature = "symbols"))]
mod symbols;
mod timeline_writer;
mod views;

#[cfg(feature = "record")]
pub use record::{
    ConfigError, Document, DocumentError, Moment, Names, RootWalk, Session, SessionBuilder,
    SessionHandle, StartError,
};
pub use recording::{Recording, RecordingError};
#[cfg(feature = "symbols")]
pub use symbols::{MissingNames, SymbolSearch, Symbolized};
pub use timeline_writer::TimelineWriter;
pub use views::{LeakList, LiveSite, OperationOrder, OperationTable, Overview, Step, Suspect};
