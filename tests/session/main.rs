//! Sessions of whole programs: however they end, what they wrote can be read.
//!
//! Some tests run this program again, as a child that does one thing: see `child`.
#![cfg(unix)]

mod books;
mod child;
mod descriptors;
mod ends;
mod files;
mod folder;
mod fork;
mod gpu;
mod guest;
mod idle;
mod load;
mod memory;
mod program;
mod roots;
#[cfg(target_os = "linux")]
mod signal_masks;
mod signals;
mod sources;
mod starts;
mod stuck;
mod tensors;
mod tokio_signals;

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

static SESSION: RwLock<()> = RwLock::new(());

/// For a test with a session of its own: a process has one, and some count each block there is.
fn alone() -> RwLockWriteGuard<'static, ()> {
    SESSION.write().unwrap_or_else(PoisonError::into_inner)
}

/// For a test whose sessions are in other processes.
fn beside() -> RwLockReadGuard<'static, ()> {
    SESSION.read().unwrap_or_else(PoisonError::into_inner)
}
