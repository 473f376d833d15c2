//! The list of nodes, the lock and the order of switches, with loom's atomics.

#[path = "../../src/base/fork_lock.rs"]
pub(crate) mod fork_lock;
#[path = "../../src/base/list.rs"]
mod list;
#[path = "../../src/base/switching.rs"]
pub(crate) mod switching;

mod owners;
pub(crate) mod sync;
