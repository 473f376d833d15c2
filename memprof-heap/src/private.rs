//! What macros name. Not part of the interface: any release may change it.

pub use crate::results::no_leak::{LIMIT, ROUNDS};

use crate::Estimate;
use crate::sampling::{self, Sample};
use memprof_profile::testing::call;
use memprof_profile::{AmountError, Budget, MemoryProfile};

/// What `assert_exact!` calls.
#[track_caller]
pub fn assert_exact<T: MemoryProfile>(expression: &str, make: impl FnOnce() -> T) {
    if let Err(error) = crate::check_exact(make) {
        panic!("{}: {error}", call("assert_exact", expression));
    }
}

/// What `assert_no_leak!` calls.
#[track_caller]
pub fn assert_no_leak<T>(expression: &str, rounds: u32, limit: u64, work: impl FnMut() -> T) {
    if let Err(error) = crate::check_no_leak_within(rounds, limit, work) {
        panic!("{}: {error}", call("assert_no_leak", expression));
    }
}

/// The memory limit of `assert_no_leak!`, in whatever form it is written.
///
/// # Panics
/// Panics if it is no amount of memory.
#[track_caller]
pub fn limit<B: TryInto<Budget, Error: Into<AmountError>>>(limit: B) -> u64 {
    match limit.try_into().map_err(Into::<AmountError>::into) {
        Ok(limit) => limit.bytes(),
        Err(error) => panic!("the limit of assert_no_leak!: {error}"),
    }
}

/// Makes the samples that this thread takes from here on those of a seed.
pub fn seed(seed: u64) {
    sampling::seed(seed);
}

/// Estimates of all places together, without a look at who they are.
#[derive(Clone, Copy, Debug)]
pub struct Estimates {
    /// Bytes that are live.
    pub live: Estimate,
    /// Blocks that are live.
    pub live_blocks: Estimate,
    /// Bytes allocated in all.
    pub allocated: Estimate,
}

/// What samples say up to now.
pub fn estimates() -> Estimates {
    sampling::unsampled(|| {
        let samples = sampling::live_samples();
        Estimates {
            live: samples.iter().map(Sample::bytes).sum(),
            live_blocks: samples.iter().map(Sample::blocks).sum(),
            allocated: sampling::used_sites()
                .map(|site| sampling::call_site_counts(site).bytes)
                .sum(),
        }
    })
}
