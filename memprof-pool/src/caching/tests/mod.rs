//! Tests of pools: random operations compared with a model, and faults that the tests must find.

mod device;
mod faults;
mod random;
mod streams;
