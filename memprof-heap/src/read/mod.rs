//! The layer that reads: what the program asks of the recorded counts and samples. It contains only
//! safe code.
//!
//! | module | contents |
//! |---|---|
//! | `counts` | counts of the process, of threads, of a closure, of a value; the errors if nothing is recorded |
//! | `exact` | profiles of values compared with the allocations for them |
//! | `operations` | counts of operations, and their names |
//! | `frame` | stacks with names or addresses |
//! | `sites` | live memory by place, by block, by address |
//! | `leaks`, `no_leak` | memory that keeps growing |
//! | `criterion` | benchmarks of memory |

/// Implements `Error`, and `Debug` with the text of `Display`: `main` and `unwrap` print it.
macro_rules! error_shown_by_unwrap {
    ($error:ty) => {
        impl core::fmt::Debug for $error {
            fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, out)
            }
        }

        impl core::error::Error for $error {}
    };
}

pub(crate) mod counts;
#[cfg(feature = "criterion")]
pub mod criterion;
pub(crate) mod exact;
pub(crate) mod frame;
pub(crate) mod leaks;
pub(crate) mod no_leak;
pub(crate) mod operations;
pub(crate) mod sites;
