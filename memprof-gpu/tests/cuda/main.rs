//! CUDA through its driver, which here is one that the tests wrote.

#[path = "../fake/mod.rs"]
mod fake;

mod own_fakes;
