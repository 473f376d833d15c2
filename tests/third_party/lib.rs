//! Nothing: the crate is its tests.
