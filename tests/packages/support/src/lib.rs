//! Helpers for the tests of several crates: waits with a limit, skips that CI refuses, and Unix calls.
#![allow(clippy::missing_panics_doc, reason = "a panic fails the test")]

#[cfg(unix)]
pub mod unix;

use std::time::{Duration, Instant};

/// The limit of [`wait_until`]. It is far above what a loaded machine needs, so reaching it means
/// that the condition will never hold.
const LIMIT: Duration = Duration::from_mins(1);

/// The pause between two checks of a condition.
const PAUSE: Duration = Duration::from_millis(1);

/// Waits until `condition` holds, and panics with `what` after a minute.
#[track_caller]
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    wait_for(what, || condition().then_some(()));
}

/// Waits until `attempt` returns a value, and panics with `what` after a minute.
#[track_caller]
pub fn wait_for<T>(what: &str, mut attempt: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + LIMIT;
    loop {
        if let Some(value) = attempt() {
            return value;
        }
        assert!(Instant::now() < end, "waited {LIMIT:?} in vain until {what}");
        std::thread::sleep(PAUSE);
    }
}

/// Returns the number of rounds of a random or repeated test: `few`, or `many` if the variable
/// `MEMPROF_THOROUGH` is 1, as in the nightly run.
///
/// `few` must be enough to find the defect that the test is about on most runs.
pub fn rounds<N>(few: N, many: N) -> N {
    if std::env::var_os("MEMPROF_THOROUGH").is_some_and(|value| value == "1") { many } else { few }
}

/// Reports that a test does not run on this machine.
///
/// In CI, which sets the variable `CI`, a skip is a failure: CI installs what its tests need.
///
/// ```
/// # fn has_groff() -> bool { true }
/// if !has_groff() {
///     return memprof_test_support::skip("groff is not installed");
/// }
/// ```
#[track_caller]
pub fn skip(reason: &str) {
    assert!(std::env::var_os("CI").is_none_or(|ci| ci.is_empty()), "skipped in CI: {reason}");
    println!("skipped: {reason}");
}
