//! What a global allocator costs: one program per allocator, all running the same workloads.
//!
//! A process has one global allocator, so each stands in a program of its own in `src/bin`.
//! `cargo xtask overhead` counts their instructions, `cargo xtask measure overhead-time` their time.

pub mod program;
pub mod workload;

pub mod forwarding;
pub mod memprof;

pub mod bootstrap;
