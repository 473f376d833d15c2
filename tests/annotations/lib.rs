//! Nothing: the crate is its test.
