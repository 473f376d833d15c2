//! The cost of global allocators: one program for each allocator, all with the same workloads.
//!
//! A process has one global allocator, so each allocator has its own program in `src/bin`.
//! `cargo xtask overhead` counts their instructions, and `cargo bench` measures their time.

#![allow(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    reason = "this package is not published"
)]

pub mod program;
pub mod workload;

pub mod forwarding;
#[cfg(feature = "service")]
pub mod latency;
pub mod memprof;
pub mod opentelemetry;

pub mod bootstrap;
pub mod wall;
