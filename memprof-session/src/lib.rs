//! Snapshots of a process over time.
//!
//! | question | item |
//! |---|---|
//! | How does a program record itself? | [`Session`], [`SessionBuilder`] and [`SessionHandle`] |
//! | What is the result of a program's own session? | [`Document`], from [`Session::finish`] |
//! | How do I serve the session from my own HTTP server? | `serve`, with the feature `serve` |
//! | What did the operations of a framework allocate? | [`framework`] |
//! | How do I read and print a recording, and name its addresses? | [`Recording`] and the other items of `memprof-recording` |
//!
//! The program has a [`Session`], whose own thread does the work. `recorder` waits for the next
//! event and takes snapshots, and `files` writes them.

// Badges of features, on docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod command;
mod config;
mod exit;
mod files;
pub mod framework;
mod heap;
mod landmarks;
mod peaks;
mod pressure;
mod process_memory;
mod recorder;
mod result;
mod roots;
#[cfg(feature = "serve")]
mod serve;
mod session;
#[cfg(unix)]
mod signals;
mod sources;
mod threads;
mod time;
mod user_code;
mod wake;
mod warnings;

pub use config::{ConfigError, SessionBuilder};
#[cfg(feature = "serve")]
pub use memprof_export::{Request, Response};
pub use memprof_recording::*;
pub use result::{Document, DocumentError};
pub use roots::RootWalk;
#[cfg(feature = "serve")]
pub use serve::serve;
pub use session::{Session, SessionHandle, StartError};
