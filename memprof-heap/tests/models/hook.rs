//! What the hook writes and others read.

#[path = "../../src/hook/gate/copies.rs"]
mod copies;
#[path = "../../src/hook/counters.rs"]
mod counters;
#[path = "../../src/hook/list.rs"]
mod list;

mod copying;
mod counting;
mod tenants;
