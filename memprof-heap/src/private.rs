//! What macros name. Not part of the interface: any release may change it.

pub use crate::no_leak::ROUNDS;

use crate::Estimate;
use crate::sampling::{self, Sample};
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
