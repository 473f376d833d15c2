//! The library's files that the models run, with loom's atomics.

#[path = "../../src/record/counters.rs"]
pub(crate) mod counters;
#[path = "../../src/record/fork_lock.rs"]
pub(crate) mod fork_lock;
#[path = "../../src/record/list.rs"]
pub(crate) mod list;
#[path = "../../src/record/live_table.rs"]
pub(crate) mod live_table;
#[path = "../../src/record/numbers.rs"]
pub(crate) mod numbers;
#[path = "../../src/record/ring.rs"]
pub(crate) mod ring;
#[path = "../../src/record/switching.rs"]
pub(crate) mod switching;
pub(crate) mod sync;

pub(crate) mod fork {
    //! The process is a child that has noticed its fork.

    pub(crate) fn generation() -> u32 {
        2
    }

    pub(crate) fn check() {}
}
