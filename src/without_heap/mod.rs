//! What programs say about their allocations, where the feature `heap` is off: nothing comes of it.
//!
//! The names, the methods and the auto traits are those of `memprof-heap`, so that what compiles here
//! compiles there: code keeps its annotations, and a build that is to count turns the feature on.

mod allocator;
mod future;
pub mod heap;
mod operation;

pub use allocator::Allocator;
pub use future::{TrackFuture, Tracked};
pub use operation::{OperationGuard, OperationSite};

/// Compares with the allocator; needs the feature `heap`.
#[macro_export]
macro_rules! assert_exact {
    ($($input:tt)*) => {
        ::core::compile_error!("`assert_exact!` needs the feature `heap` of memprof")
    };
}
