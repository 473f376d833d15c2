//! The list of nodes, the lock and the order of switches, with loom's atomics.

#[path = "../../src/base/fork_lock.rs"]
pub(crate) mod fork_lock;
#[path = "../../src/base/list.rs"]
mod list;
#[path = "../../src/base/switching.rs"]
pub(crate) mod switching;

pub(crate) mod fork {
    //! The process is a child that has noticed its fork.

    pub(crate) fn generation() -> u32 {
        2
    }

    pub(crate) fn check() {}
}

mod locks;
mod owners;
pub(crate) mod sync;
