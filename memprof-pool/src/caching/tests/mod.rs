//! Tests of pools: random operations compared with a model, with faults that the tests must find.

mod device;
mod random;
mod streams;
