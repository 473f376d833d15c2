//! The recordings of sessions: the file format and its reader, names for addresses, and text views.
//!
//! | question | item |
//! |---|---|
//! | How do I read a recording? | [`Recording`] |
//! | How do I look up the names of addresses? | [`SymbolSearch`] |
//! | How do I print it? | [`Overview`], [`OperationTable`], [`LeakList`], [`Suspect`] |
//! | What held memory at the peak? | [`Recording::peak_stacks`], [`LiveSite`], [`LiveType`] |
//! | What keeps free memory resident? | [`Recording::pinned`], [`PinnedMemory`] |
//! | What is in its files? | [`document`] |
//! | How does other code write snapshots to a timeline? | [`TimelineWriter`] |
//! | Which modules does this process have? | [`loaded_modules`] |

// Badges of features, on docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod document;

#[cfg(any(target_os = "linux", target_os = "android"))]
mod modules;
mod recording;
mod symbols;
mod views;

pub use document::TimelineWriter;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub use modules::loaded_modules;
pub use recording::{Recording, RecordingError};
pub use symbols::{MissingNames, SymbolSearch, Symbolized};
pub use views::{
    LeakList, LiveSite, LiveType, OperationOrder, OperationTable, Overview, PinnedBytes,
    PinnedMemory, Step, Suspect,
};

/// Returns no modules: on this platform, frames are named in the process.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub fn loaded_modules<H>(_: impl Fn() -> Option<H>) -> Vec<document::Module> {
    Vec::new()
}
