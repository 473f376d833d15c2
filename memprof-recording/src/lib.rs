//! The recordings of sessions: the file format and its reader, names for addresses, and text views.
//!
//! | question | item |
//! |---|---|
//! | How is a recording read from its file? | [`Recording`] |
//! | How do addresses get names? | [`SymbolSearch`] |
//! | How is it shown as text? | [`Overview`], [`OperationTable`], [`LeakList`], [`Suspect`] |
//! | What held memory at the peak? | [`Recording::peak_stacks`], [`LiveSite`] |
//! | What is in its files? | [`document`] |
//! | How does other code write snapshots to a timeline? | [`TimelineWriter`] |

// Badges of features, on docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod document;

mod recording;
mod symbols;
mod views;

pub use document::TimelineWriter;
pub use recording::{Recording, RecordingError};
pub use symbols::{MissingNames, SymbolSearch, Symbolized};
pub use views::{LeakList, LiveSite, OperationOrder, OperationTable, Overview, Step, Suspect};
