//! What macros name. Not part of the interface: any release may change it.

pub use crate::no_leak::ROUNDS;

use memprof_core::__private::call;
use memprof_core::MemoryProfile;

/// What `assert_exact!` calls.
#[track_caller]
pub fn assert_exact<T: MemoryProfile>(expression: &str, make: impl FnOnce() -> T) {
    if let Err(error) = crate::check_exact(make) {
        panic!("{}: {error}", call("assert_exact", expression));
    }
}

/// What `assert_no_leak!` calls.
#[track_caller]
pub fn assert_no_leak<T>(expression: &str, rounds: u32, work: impl FnMut() -> T) {
    if let Err(error) = crate::check_no_leak(rounds, work) {
        panic!("{}: {error}", call("assert_no_leak", expression));
    }
}

/// Makes the samples that this thread takes from here on those of a seed.
pub fn seed(seed: u64) {
    crate::sampling::seed(seed);
}
