//! Device memory for memprof: what GPUs hold, who holds it, and memory resources with books of
//! their own. Use the crate `memprof`, whose module `gpu` this is.
//!
//! Nothing here needs a GPU, a driver or a toolkit to be built; what is missing while a program runs
//! is an error that says what.

#[cfg(feature = "cuda")]
pub mod cuda;
pub mod resource;

#[cfg(feature = "overhead")]
pub mod overhead;
