//! The counts of a thread, which other threads read.

#[path = "../../src/thread/counters.rs"]
mod counters;
#[path = "../../src/thread/counting_start.rs"]
mod counting_start;

mod counting;
mod starts;
