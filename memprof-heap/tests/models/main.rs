//! Models of what threads share without a lock: loom runs every order of their steps, and every
//! value that a weaker processor may read, within the bounds that each model names.
//!
//! The files modelled are the library's own, compiled a second time with loom's atomics. Run by
//! `cargo xtask models`.
#![cfg(loom)]
#![allow(dead_code, reason = "the library uses all of the files; the models, what they model")]
#![allow(clippy::inline_always, clippy::cast_possible_wrap, reason = "as in the library")]
#![allow(unreachable_pub, reason = "as in the library, where these are modules of modules")]

mod base;
mod explore;
mod operations;
mod sampling;
mod thread;
