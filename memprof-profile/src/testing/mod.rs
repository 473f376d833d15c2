//! Functions behind the macros for tests: budgets, reports, and stored profiles to compare with.

mod places;
mod profiled;
mod report;

#[cfg(feature = "json")]
mod stored;
#[cfg(feature = "json")]
mod write;

pub use profiled::{Profiled, assert_budget, budget, call, profiled};
pub use report::report;
#[cfg(feature = "json")]
pub use stored::assert_profile;

/// Prints a report on a value, and writes it to a file named after the test.
///
/// It is [`Profile::report`](crate::Profile::report), what the bytes serve and what to do, and below
/// it the tree, on a screen.
///
/// ```
/// let names: Vec<String> = (0..1000).map(|i| format!("row {i}")).collect();
/// # use memprof_profile as memprof;
/// memprof::report!(names);
/// ```
///
/// Output of tests that pass is not shown, so the report is also in the folder `target/memprof`:
/// that of the test `tree::grows` in the crate `model` is in `model.tree.grows.txt`, a second one of
/// the same test in `model.tree.grows-2.txt`, and that of `tree::grows` in `tests/all.rs` in
/// `model.all.tree.grows.txt`. Outside a test, in an example of a document and on a thread that a
/// test started, a report is named after its root. If the file cannot be written, the reason is
/// printed and nothing else happens.
///
/// The value is an expression of any type that implements [`MemoryProfile`](trait@crate::MemoryProfile),
/// which is borrowed, or a [`Profile`](crate::Profile).
///
/// # Panics
/// If the value is a reference to a reference or to something mutable, which owns nothing.
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
/// # use memprof_profile as memprof;
/// memprof::assert_profile!(matrix, "tests/golden/profiles/matrix.json");
/// memprof::assert_profile!(matrix, "tests/golden/profiles/matrix.json", within "5%");
/// ```
///
/// The path is relative to the folder of the crate's manifest. The file is JSON, as
/// [`Profile::to_json`](crate::Profile::to_json) writes it. `MEMPROF_UPDATE=1 cargo test` writes it
/// where the assertion would fail otherwise, also for the first time. Commit it: its difference is
/// what a reviewer wants to see.
///
/// Profiles are compared as [`Profile::diff`](crate::Profile::diff) does: path by path, whatever
/// the root is called. A [`Tolerance`](crate::Tolerance) is how much a path, and the whole, may grow
/// or shrink: so many percent of the whole stored profile, or an amount such as `"4 KiB"`.
///
/// # Panics
/// If a path is new, gone, grown or shrunk by more than is tolerated, with the differences, largest
/// first, within a screen of 40 lines and 100 columns; if there is no such file or it is no profile;
/// if the file cannot be written; and as [`assert_budget!`](crate::assert_budget) if the value is a
/// reference.
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

/// Compares with a stored profile; needs the feature `json`.
#[cfg(not(feature = "json"))]
#[macro_export]
macro_rules! assert_profile {
    ($($input:tt)*) => {
        ::core::compile_error!("`assert_profile!` needs the feature `json` of memprof")
    };
}

#[cfg(test)]
mod tests;
