//! Unix calls that tests make: processes, signals, limits, libraries.
#![expect(unsafe_code, reason = "these are calls of the C library")]
#![allow(clippy::missing_panics_doc, reason = "a refused call fails the test")]

mod libraries;
mod limits;
mod memory;
mod processes;
mod signals;

pub use libraries::call;
#[cfg(target_os = "linux")]
pub use limits::limit_more_memory;
pub use limits::{limit_files, limit_memory, limit_threads};
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub use memory::trim_malloc;
pub use memory::{allocate_in_c, map_anonymous, map_file};
pub use processes::{
    close_from, drop_privileges, exit_at_once, fork, forked, make_fifo, new_session, on_exit, stop,
    wait_for,
};
pub use signals::{
    SIGABRT, SIGCHLD, SIGCONT, SIGINT, SIGKILL, SIGSEGV, SIGTERM, SIGUSR1, SIGUSR2, SIGXFSZ,
    answered_by, block, handle, handle_and_interrupt, ignore, is_default, is_pending,
    read_until_interrupted, reset, send, send_to_self, unblock, wait_for_signal,
};
