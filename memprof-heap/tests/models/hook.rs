//! What the hook writes and others read.

#[path = "../../src/hook/counters.rs"]
mod counters;
#[path = "../../src/fork_lock.rs"]
pub(crate) mod fork_lock;
#[path = "../../src/hook/list.rs"]
mod list;
#[path = "../../src/hook/switching.rs"]
pub(crate) mod switching;

mod counting;
mod tenants;
