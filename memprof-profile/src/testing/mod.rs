//! Budgets and tolerances for tests, and the functions that the macros call.
//!
//! | question | item |
//! |---|---|
//! | How does a test print a report? | [`report!`](macro@crate::report) |
//! | How does a test limit a value or a path? | [`assert_budget!`](crate::assert_budget), [`Budget`], [`BudgetExceeded`] |
//! | How does a test compare with a stored profile? | [`assert_profile!`](macro@crate::testing::assert_profile), [`Tolerance`] |
//! | Why was an amount such as `64 MB` refused? | [`AmountError`] |

mod locations;
mod profiled;
mod report;

#[cfg(feature = "json")]
mod stored;
#[cfg(feature = "json")]
mod write;

pub use crate::assert_profile;
pub use crate::budget::{AmountError, Budget, BudgetExceeded, Tolerance};
#[doc(hidden)]
pub use profiled::{Profiled, assert_budget, budget, profiled};
#[doc(hidden)]
pub use report::report;
#[cfg(feature = "json")]
#[doc(hidden)]
pub use stored::assert_profile;

/// Prints a report on a value and writes it to a file named after the test.
///
/// The text is [`Profile::report`](crate::Profile::report) with the tree below it, within one
/// screen.
///
/// ```
/// let names: Vec<String> = (0..1000).map(|i| format!("row {i}")).collect();
/// memprof::report!(names);
/// ```
///
/// The test harness hides the output of tests that pass, so the report is also written to the
/// folder `target/memprof`:
///
/// - The test `tree::grows` of the crate `model` writes `model.tree.grows.txt`.
/// - A second report of the same test is in `model.tree.grows-2.txt`.
/// - The test `tree::grows` in `tests/all.rs` of that crate writes `model.all.tree.grows.txt`.
///
/// A report made outside a test, in a documentation example, or on a thread that a test started is
/// named after its root. If the file cannot be written, the macro only prints the reason.
///
/// The argument is an expression. Its value is a [`Profile`](crate::Profile) or has a type that
/// implements [`MemoryProfile`](trait@crate::MemoryProfile). The macro borrows the value.
///
/// # Panics
/// Panics if the value is a mutable reference, or a reference to a reference, because a reference
/// owns nothing.
#[macro_export]
macro_rules! report {
    ($value:expr $(,)?) => {{
        use $crate::testing::Profiled as _;
        $crate::testing::report(
            ::core::stringify!($value),
            ($value).__memprof_profile(),
            ::core::module_path!(),
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_MANIFEST_DIR"),
        )
    }};
}

/// Panics if the profile of a value differs from a stored one.
///
/// ```no_run
/// let matrix = (vec![0.0_f64; 4096], vec![0_u32; 4096]);
/// memprof::testing::assert_profile!(matrix, "tests/data/profiles/matrix.json");
/// memprof::testing::assert_profile!(matrix, "tests/data/profiles/matrix.json", within "5%");
/// ```
///
/// The path is relative to the folder of the crate's manifest. The file is JSON, as
/// [`Profile::to_json`](crate::Profile::to_json) writes it. `MEMPROF_UPDATE=1 cargo test` writes
/// the file wherever the assertion would fail, and also if there is no file yet. Commit the file,
/// so that a reviewer sees each change of the file.
///
/// Profiles are compared path by path, as [`Profile::diff`](crate::Profile::diff) does. The name of
/// the root is ignored. A [`Tolerance`](crate::testing::Tolerance) limits how much each path, and
/// the total, may grow or shrink. It is a percentage of the total of the stored profile, or an
/// amount such as `"4 KiB"`.
///
/// # Panics
/// - Panics if a path is new, is gone, or changed by more than the tolerance.
/// - Panics if the file does not exist, is not a profile, or cannot be written.
/// - Panics if the value is a mutable reference, or a reference to a reference, as in
///   [`assert_budget!`](crate::assert_budget).
///
/// The message lists the differences, largest first, within a screen of 40 lines and 100 columns.
#[cfg(feature = "json")]
#[macro_export]
macro_rules! assert_profile {
    ($value:expr, $path:expr $(, within $tolerance:expr)? $(,)?) => {{
        use $crate::testing::Profiled as _;
        $crate::testing::assert_profile(
            ::core::stringify!($value),
            ($value).__memprof_profile(),
            ::core::option_env!("CARGO_MANIFEST_DIR"),
            $path,
            &[$($tolerance)?],
        )
    }};
}

/// Fails to compile, because comparing with a stored profile needs the feature `json`.
#[cfg(not(feature = "json"))]
#[macro_export]
macro_rules! assert_profile {
    ($($input:tt)*) => {
        ::core::compile_error!("`assert_profile!` needs the feature `json` of memprof")
    };
}

#[cfg(test)]
mod tests;
