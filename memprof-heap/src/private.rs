//! Items that the macros name, two for sessions, and three that only the tests of this crate call. They are not public
//! API: any release may change them.

pub use crate::read::no_leak::{LIMIT, ROUNDS};
pub use crate::record::fork::{TakingSample, delay_forks};

use crate::record::live_table::Sample;
use crate::record::sync::AtomicU32;
use crate::record::{fork_lock, sample, stacks};
use crate::site::Estimate;
use core::time::Duration;
use memprof_profile::MemoryProfile;
use memprof_profile::testing::{AmountError, Budget};
use memprof_profile::text::macro_call;

#[track_caller]
pub fn assert_exact<T: MemoryProfile>(expression: &str, make: impl FnOnce() -> T) {
    if let Err(error) = crate::exact::check_exact(make) {
        panic!("{}: {error}", macro_call("assert_exact", expression));
    }
}

#[track_caller]
pub fn assert_no_leak<T>(expression: &str, rounds: u32, limit: u64, work: impl FnMut() -> T) {
    if let Err(error) = crate::leak::check_no_leak_within(rounds, limit, work) {
        panic!("{}: {error}", macro_call("assert_no_leak", expression));
    }
}

/// Returns the memory limit of `assert_no_leak!` in bytes, from any accepted form.
///
/// # Panics
/// Panics if the limit is not a valid amount of memory.
#[track_caller]
pub fn limit<B: TryInto<Budget, Error: Into<AmountError>>>(limit: B) -> u64 {
    match limit.try_into().map_err(Into::<AmountError>::into) {
        Ok(limit) => limit.bytes(),
        Err(error) => panic!("the limit of assert_no_leak!: {error}"),
    }
}

/// A lock for data that a fork may leave half changed.
#[derive(Debug)]
pub struct ForkLock(fork_lock::ForkLock);

impl ForkLock {
    /// Creates a lock.
    #[expect(clippy::new_without_default, reason = "locks are statics")]
    pub const fn new() -> Self {
        Self(fork_lock::ForkLock { owner: AtomicU32::new(fork_lock::FREE) })
    }

    /// Runs work under the lock. Does not run it, and returns `None`, if a thread of the parent held
    /// the lock when it forked this process.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        self.0.run_unless_orphaned(work)
    }
}

/// Seeds the sampling of this thread from now on.
pub fn seed(seed: u64) {
    sample::seed(seed);
}

/// Makes the adaptive rate act as if this time had passed.
pub fn judge_rate_earlier(time: Duration) {
    sample::judge_earlier(i64::try_from(time.as_nanos()).unwrap_or(i64::MAX));
}

/// The estimates of the sums over all call sites, computed without reading the stacks.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "tests of this workspace read it")]
pub struct Estimates {
    /// Live bytes.
    pub live: Estimate,
    /// Live blocks.
    pub live_blocks: Estimate,
    /// Bytes allocated since sampling began.
    pub allocated: Estimate,
}

/// Returns the estimates of the samples taken so far.
pub fn estimates() -> Estimates {
    sample::unsampled(|| {
        let samples = sample::live_samples();
        Estimates {
            live: samples.iter().map(Sample::bytes).sum(),
            live_blocks: samples.iter().map(Sample::blocks).sum(),
            allocated: stacks::used().map(|site| stacks::call_site_counts(site).bytes).sum(),
        }
    })
}
