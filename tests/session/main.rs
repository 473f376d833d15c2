//! Sessions of entire programs: however they end, their files can be read.
//!
//! Some tests run this program again, as a child that does one thing: see `child`.
#![cfg(unix)]

mod child;
mod descriptors;
mod ends;
mod files;
mod folder;
mod fork;
mod gpu;
mod guest;
mod holders;
mod idle;
mod kills;
mod lifetimes;
mod load;
mod memory;
mod names;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod pinned;
mod program;
mod reconciliation;
#[cfg(target_os = "linux")]
mod resident;
mod roots;
#[cfg(target_os = "linux")]
mod signal_masks;
mod signals;
mod sources;
mod starts;
mod stuck;
mod suspects;
mod tensors;
mod thread_names;
mod tokio_signals;
#[cfg(target_os = "linux")]
mod types;

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

static SESSION: RwLock<()> = RwLock::new(());

/// Locks for a test with its own session: a process has only one, and some tests count each block.
fn alone() -> RwLockWriteGuard<'static, ()> {
    SESSION.write().unwrap_or_else(PoisonError::into_inner)
}

/// Locks for a test whose sessions are in other processes.
fn beside() -> RwLockReadGuard<'static, ()> {
    SESSION.read().unwrap_or_else(PoisonError::into_inner)
}
