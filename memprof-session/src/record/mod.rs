//! A session that records.
//!
//! The program has a [`Session`], whose own thread does the work. `sampler` waits for the next
//! event, `recorder` takes snapshots, and `files` writes them.

mod clock;
mod command;
mod config;
mod deadline;
#[cfg(unix)]
mod descriptor;
mod document;
#[cfg(unix)]
mod errno;
mod exit;
mod files;
#[cfg(feature = "heap")]
mod heap;
#[cfg(not(feature = "heap"))]
#[path = "heap_absent.rs"]
mod heap;
mod heap_level;
mod history;
mod host_value;
mod peak_stacks;
mod peaks;
mod process_memory;
pub(crate) mod recorder;
mod reply;
mod roots;
mod sampler;
mod schedule;
mod self_cost;
mod session;
#[cfg(unix)]
mod signals;
#[cfg(windows)]
#[path = "signals_windows.rs"]
mod signals;
mod sources;
mod summariser;
mod threads;
mod user_code;
mod wake;
mod warnings;
#[cfg(unix)]
mod watchdog;
#[cfg(all(test, feature = "heap"))]
mod week;

pub use config::{ConfigError, Names, SessionBuilder};
pub use document::{Document, DocumentError};
pub use history::Moment;
pub use roots::RootWalk;
pub use session::{Session, SessionHandle, StartError};
