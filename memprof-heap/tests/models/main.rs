//! Models of the data that threads share without a lock. Loom runs every order of their steps, with
//! every value that a processor with weak ordering may read. Each model states its bounds.
//!
//! The modelled files are the library's own, compiled a second time with loom's atomics.
//! `cargo xtask models` runs them.
#![cfg(loom)]
#![allow(dead_code, reason = "the library uses all of the files; the models, what they model")]
#![allow(clippy::inline_always, clippy::cast_possible_wrap, reason = "as in the library")]
#![allow(unreachable_pub, reason = "as in the library, where these are modules of modules")]

mod counting;
mod events;
mod explore;
mod live;
mod locks;
mod numbers;
mod owners;
mod record;
mod starts;
mod switches;
