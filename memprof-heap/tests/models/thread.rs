//! The counts of a thread that others read.

#[path = "../../src/thread/counters.rs"]
mod counters;
#[path = "../../src/thread/counting_start.rs"]
mod counting_start;

mod counting;
mod starts;
