//! The layer that reads: what the program asks of the recorded counts and samples. It has only safe
//! code, except for the list of loaded modules, which are read from memory.
//!
//! | module | contents |
//! |---|---|
//! | `recorded` | whether anything is recorded, and the errors if not |
//! | `totals`, `measure` | counts of the process, of threads, of a closure, of a value |
//! | `exact` | profiles of values compared with the allocations for them |
//! | `operations` | counts of operations, and their names |
//! | `frame`, `symbols`, `modules` | stacks with names or addresses |
//! | `sites`, `largest`, `live_samples` | live memory by place, by block, by address |
//! | `leaks`, `no_leak` | memory that keeps growing |
//! | `framework` | operations that a framework reports |
//! | `criterion` | benchmarks of memory |

#[cfg(feature = "criterion")]
pub mod criterion;
pub(crate) mod exact;
pub(crate) mod frame;
pub mod framework;
pub(crate) mod largest;
pub(crate) mod leaks;
pub(crate) mod live_samples;
pub(crate) mod measure;
pub(crate) mod modules;
pub(crate) mod no_leak;
pub(crate) mod operations;
pub(crate) mod recorded;
pub(crate) mod sites;
mod symbols;
pub(crate) mod totals;
