//! Layer 5: the API by which the program reads what was recorded. It has only safe code.
//!
//! | module | contents |
//! |---|---|
//! | `totals`, `measure`, `measured` | counts of the process, of threads, of a closure, of a value |
//! | `exact`, `layouts` | profiles of values compared with the allocations for them |
//! | `operations`, `operation_paths` | counts of operations, and their names |
//! | `frame`, `names`, `symbols`, `modules` | stacks with names or addresses |
//! | `sites`, `largest`, `live_samples` | live memory by place, by block, by address |
//! | `leaks`, `no_leak` | memory that keeps growing |
//! | `framework` | operations that a framework reports |
//! | `criterion` | benchmarks of memory |
//! | `table` | rows of printed tables |
// One test forks, which is unsafe.
#![cfg_attr(not(test), forbid(unsafe_code))]

#[cfg(feature = "criterion")]
pub mod criterion;
pub(crate) mod exact;
pub(crate) mod frame;
pub mod framework;
pub(crate) mod largest;
pub(crate) mod layouts;
pub(crate) mod leaks;
pub(crate) mod live_samples;
pub(crate) mod measure;
pub(crate) mod measured;
pub(crate) mod modules;
pub(crate) mod names;
pub(crate) mod no_leak;
pub(crate) mod operation_paths;
pub(crate) mod operations;
pub(crate) mod sites;
pub(crate) mod stack_id;
mod symbols;
pub(crate) mod totals;
