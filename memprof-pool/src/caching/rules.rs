//! The limits of a pool.

use crate::Timeline;
use memprof_profile::testing::{AmountError, Budget};
use std::time::Duration;

/// The maximum amount of memory that a pool may take from its upstream.
///
/// ```
/// use memprof::pool::Limit;
///
/// assert_eq!(Limit::try_from("2 GiB")?, Limit::Bytes(2 << 30));
/// assert_eq!(Limit::try_from(64 << 20)?, Limit::Bytes(64 << 20));
/// # Ok::<(), memprof::testing::AmountError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Limit {
    /// A number of bytes.
    Bytes(u64),
    /// A fraction of the upstream's capacity, above 0 and at most 1.
    Fraction(f64),
}

impl From<Budget> for Limit {
    fn from(amount: Budget) -> Self {
        Self::Bytes(amount.bytes())
    }
}

impl From<u64> for Limit {
    fn from(bytes: u64) -> Self {
        Self::Bytes(bytes)
    }
}

impl From<u32> for Limit {
    fn from(bytes: u32) -> Self {
        Self::Bytes(bytes.into())
    }
}

impl From<usize> for Limit {
    fn from(bytes: usize) -> Self {
        Self::Bytes(bytes as u64)
    }
}

/// Converts integer literals without a suffix.
impl TryFrom<i32> for Limit {
    type Error = AmountError;

    fn try_from(bytes: i32) -> Result<Self, AmountError> {
        Budget::try_from(bytes).map(Self::from)
    }
}

impl TryFrom<&str> for Limit {
    type Error = AmountError;

    fn try_from(text: &str) -> Result<Self, AmountError> {
        text.parse().map(Budget::into)
    }
}

/// The length of the idle period after which the pool releases a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Age {
    /// A number of allocations and frees of the pool.
    Operations(u64),
    /// A duration. The pool checks the age of segments when it allocates or frees, and in
    /// [`trim`](super::CachingPool::trim).
    Time(Duration),
}

/// The settings of a pool.
#[derive(Debug, Default)]
pub(super) struct Rules {
    pub(super) limit: Option<u64>,
    /// The maximum number of bytes that the pool may cache.
    pub(super) cached: Option<u64>,
    /// The length of the idle period after which the pool releases a segment; `None` if it releases
    /// none for that reason.
    pub(super) age: Option<Age>,
    pub(super) timeline: Option<Timeline>,
}
