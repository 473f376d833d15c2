//! Snapshots of a process over time.
//!
//! | question | item |
//! |---|---|
//! | How does a program record itself? | [`Session`], [`SessionBuilder`] and [`SessionHandle`] |
//! | What is the result of a program's own session? | [`Document`], from [`Session::finish`] |
//! | How does a program's own HTTP server show the session? | `serve`, with the feature `serve` |
//! | What did the operations of a framework allocate? | [`framework`] |
//! | How is a recording read, named and shown as text? | [`Recording`] and the other items of `memprof-recording` |
//!
//! The program has a [`Session`], whose own thread does the work. `session_thread` waits for the next
//! event, `recorder` takes snapshots, and `files` writes them.

// Badges of features, on docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod clock;
mod command;
mod config;
mod deadline;
#[cfg(unix)]
mod descriptor;
#[cfg(unix)]
mod errno;
mod exit;
mod files;
pub mod framework;
mod heap;
mod history;
mod host_value;
mod peak_stacks;
mod peaks;
mod process_memory;
mod recorder;
mod reply;
mod result;
mod roots;
mod schedule;
mod self_cost;
#[cfg(feature = "serve")]
mod serve;
mod session;
mod session_thread;
#[cfg(unix)]
mod signals;
#[cfg(windows)]
#[path = "signals_windows.rs"]
mod signals;
mod sources;
mod threads;
mod user_code;
mod wake;
mod warnings;
#[cfg(unix)]
mod watchdog;
#[cfg(test)]
mod week;

pub use config::{ConfigError, SessionBuilder};
#[cfg(feature = "serve")]
pub use memprof_export::{Request, Response};
pub use memprof_recording::*;
pub use result::{Document, DocumentError};
pub use roots::RootWalk;
#[cfg(feature = "serve")]
pub use serve::serve;
pub use session::{Session, SessionHandle, StartError};
