//! Annotations of allocations for builds without the feature `heap`, in which they have no effect.
//!
//! The names, the methods and the auto traits are those of `memprof-heap`, so annotated code
//! compiles with and without the feature. Programs keep their annotations, and a build that should
//! count turns on the feature.

mod allocator;
mod future;
pub mod heap;
mod measured;
mod operation;

pub use allocator::Allocator;

/// Compares a profile with the bytes that the allocator counted. It needs the feature `heap`.
#[macro_export]
macro_rules! assert_exact {
    ($($input:tt)*) => {
        ::core::compile_error!("`assert_exact!` needs the feature `heap` of memprof")
    };
}

/// Finds memory that a repeated piece of work keeps. It needs the feature `heap`.
#[macro_export]
macro_rules! assert_no_leak {
    ($($input:tt)*) => {
        ::core::compile_error!("`assert_no_leak!` needs the feature `heap` of memprof")
    };
}
