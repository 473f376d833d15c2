//! What the hook writes and others read.

#[path = "../../src/hook/counters.rs"]
mod counters;
#[path = "../../src/hook/list.rs"]
mod list;

mod counting;
mod tenants;
