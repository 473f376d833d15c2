//! The builder of a pool, its settings, and the error of a failed build.

use super::CachingPool;
use super::state::{Kind, PAGE, PoolState};
use crate::{AllocationError, MemoryResource, Request, Timeline};
use core::fmt;
use memprof_profile::testing::{AmountError, Budget};
use memprof_profile::text::WithCauses;
use std::error::Error;
use std::sync::Mutex;
use std::time::Duration;

/// The settings of a [`CachingPool`] before it is built.
#[must_use = "a builder does nothing until it builds the pool"]
pub struct PoolBuilder<U> {
    upstream: U,
    name: String,
    limit: Option<Limit>,
    cached: Option<Result<Budget, AmountError>>,
    preallocated: Option<Result<Budget, AmountError>>,
    age: Option<Age>,
    events: Option<usize>,
    pressure: Option<Callback>,
}

impl<U: MemoryResource> PoolBuilder<U> {
    pub(super) fn new(upstream: U) -> Self {
        Self {
            upstream,
            name: "pool".to_owned(),
            limit: None,
            cached: None,
            preallocated: None,
            age: None,
            events: None,
            pressure: None,
        }
    }

    /// Sets the name of the pool in snapshots and timelines, by default `pool`.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets the maximum number of bytes that the pool may take from its upstream.
    ///
    /// The limit is a number of bytes, or a string such as `2 GiB`. By default, there is no limit.
    pub fn limit<A>(mut self, amount: A) -> Self
    where
        A: TryInto<Budget>,
        A::Error: Into<AmountError>,
    {
        self.limit = Some(Limit::Amount(amount.try_into().map_err(Into::into)));
        self
    }

    /// Sets the maximum number of bytes that the pool may take from its upstream, as a fraction of the
    /// upstream's capacity, above 0 and at most 1. Replaces a [`limit`](Self::limit) in bytes.
    pub fn limit_to_fraction(mut self, fraction: f64) -> Self {
        self.limit = Some(Limit::Fraction(fraction));
        self
    }

    /// Sets the maximum number of bytes that the pool may cache, such as `2 GiB`. By default, there
    /// is no limit.
    ///
    /// Above the limit, the pool releases segments that have no allocated block, starting with the
    /// one idle for longest. Free blocks in other segments can't be released, so the cache may
    /// exceed the limit.
    pub fn cached_at_most<A>(mut self, amount: A) -> Self
    where
        A: TryInto<Budget>,
        A::Error: Into<AmountError>,
    {
        self.cached = Some(amount.try_into().map_err(Into::into));
        self
    }

    /// Reserves this amount from the upstream when the pool is built.
    ///
    /// The reserved memory serves blocks of all sizes. [`empty_cache`](CachingPool::empty_cache)
    /// releases it, and so does a shortage of memory. [`cached_at_most`](Self::cached_at_most) and
    /// [`release_after`](Self::release_after) do not.
    pub fn preallocate<A>(mut self, amount: A) -> Self
    where
        A: TryInto<Budget>,
        A::Error: Into<AmountError>,
    {
        self.preallocated = Some(amount.try_into().map_err(Into::into));
        self
    }

    /// Releases segments that have had no allocated block for this `age`. By default, such segments
    /// stay reserved.
    pub fn release_after(mut self, age: Age) -> Self {
        self.age = Some(age);
        self
    }

    /// Records a timeline that keeps the last `events` events. By default, the pool records
    /// nothing.
    pub fn record(mut self, events: usize) -> Self {
        self.events = Some(events);
        self
    }

    /// Sets a callback for when memory is short and releasing segments is not enough.
    ///
    /// The callback frees memory and returns whether the pool should try again. The pool holds no
    /// lock during the callback, so the callback may use the pool. The pool calls it at most 16
    /// times for one request.
    pub fn on_pressure(
        mut self,
        callback: impl Fn(&Pressure) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.pressure = Some(Box::new(callback));
        self
    }

    /// Builds the pool.
    ///
    /// # Errors
    /// Returns [`PoolError`] if an amount is invalid, if the limit is an invalid fraction or a
    /// fraction of an unknown capacity, or if the preallocation fails.
    #[track_caller]
    pub fn build(self) -> Result<CachingPool<U>, PoolError> {
        let limit = self.limit.map(|limit| limit.bytes(self.upstream.capacity())).transpose()?;
        let preallocated = self.preallocated.transpose()?.map_or(0, Budget::bytes);
        let timeline = |events| Timeline::new(&*self.name, self.upstream.memory(), events);
        let rules = Rules {
            limit,
            cached: self.cached.transpose()?.map(Budget::bytes),
            age: self.age,
            timeline: self.events.map(timeline),
        };
        let pool = CachingPool {
            name: self.name,
            upstream: self.upstream,
            rules,
            pressure: self.pressure,
            state: Mutex::new(PoolState::default()),
        };
        if preallocated > 0 {
            // If rounding up overflows, the upstream can't supply the amount either.
            let bytes = preallocated.checked_next_multiple_of(PAGE).unwrap_or(preallocated);
            let bytes = if limit.is_some_and(|limit| bytes > limit) { preallocated } else { bytes };
            let request = Request::new(bytes);
            let reserved =
                pool.supply(&mut pool.state()).reserve(Kind::Preallocated, 0, bytes, request);
            reserved.map_err(PoolError::Preallocation)?;
        }
        Ok(pool)
    }
}

/// The maximum amount of memory that a pool may take from its upstream.
#[derive(Debug)]
enum Limit {
    Amount(Result<Budget, AmountError>),
    /// A fraction of the upstream's capacity.
    Fraction(f64),
}

impl Limit {
    fn bytes(self, capacity: Option<u64>) -> Result<u64, PoolError> {
        match self {
            Self::Amount(amount) => Ok(amount?.bytes()),
            Self::Fraction(part) if !(part > 0.0 && part <= 1.0) => Err(PoolError::Fraction(part)),
            Self::Fraction(part) => capacity.map(|of| share(of, part)).ok_or(PoolError::NoCapacity),
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a fraction of a capacity need not be exact to the byte, and both are positive"
)]
fn share(of: u64, part: f64) -> u64 {
    ((of as f64 * part) as u64).min(of)
}

impl<U: fmt::Debug> fmt::Debug for PoolBuilder<U> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("PoolBuilder")
            .field("name", &self.name)
            .field("upstream", &self.upstream)
            .field("limit", &self.limit)
            .field("cached_at_most", &self.cached)
            .field("preallocate", &self.preallocated)
            .field("release_after", &self.age)
            .field("record", &self.events)
            .finish_non_exhaustive()
    }
}

/// The reason why a pool can't be built.
#[non_exhaustive]
pub enum PoolError {
    /// A string is not an amount of memory.
    Amount(AmountError),
    /// The limit is a fraction that is 0, negative or above 1.
    Fraction(f64),
    /// The limit is a fraction, and the upstream reports no capacity.
    NoCapacity,
    /// The preallocation failed.
    Preallocation(AllocationError),
}

impl From<AmountError> for PoolError {
    fn from(error: AmountError) -> Self {
        Self::Amount(error)
    }
}

impl fmt::Display for PoolError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Amount(_) => out.write_str("invalid amount of memory"),
            Self::Fraction(part) => {
                write!(out, "the limit is {part} of the capacity; it must be above 0 and at most 1")
            }
            Self::NoCapacity => out.write_str(
                "the limit is a fraction, but the upstream reports no capacity: expected bytes, \
                 such as \"2 GiB\"",
            ),
            Self::Preallocation(_) => out.write_str("the pool's preallocation failed"),
        }
    }
}

/// Prints the text of `Display` and the causes, because `main` and `unwrap` print this form.
impl fmt::Debug for PoolError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&WithCauses(self), out)
    }
}

impl Error for PoolError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Amount(error) => Some(error),
            Self::Preallocation(error) => Some(error),
            Self::Fraction(_) | Self::NoCapacity => None,
        }
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

#[derive(Debug, Default)]
pub(super) struct Rules {
    pub(super) limit: Option<u64>,
    /// The maximum number of bytes that the pool may cache.
    pub(super) cached: Option<u64>,
    /// `None` if the pool keeps idle segments for any time.
    pub(super) age: Option<Age>,
    pub(super) timeline: Option<Timeline>,
}

pub(super) type Callback = Box<dyn Fn(&Pressure) -> bool + Send + Sync>;

/// The argument of the callback: the request that failed, and the bytes that the pool holds.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Pressure {
    /// The request that failed.
    pub request: Request,
    /// The number of times that the callback has been called for this request, including this time.
    pub attempt: u32,
    /// Bytes taken from the upstream.
    pub reserved: u64,
    /// Reserved bytes that are not in use.
    pub cached: u64,
    /// The limit on reserved bytes. `None` without a limit.
    pub limit: Option<u64>,
}

/// Without this limit, a callback that always returns `true` would make the pool retry forever.
const MAX_ATTEMPTS: u32 = 16;

impl<U: MemoryResource> CachingPool<U> {
    /// Calls the callback, and returns whether the pool should try again.
    pub(super) fn should_retry(&self, request: Request, attempt: u32) -> bool {
        let Some(callback) = self.pressure.as_ref().filter(|_| attempt <= MAX_ATTEMPTS) else {
            return false;
        };
        let counts = self.state().counts;
        let (reserved, cached) = (counts.reserved, counts.cached);
        callback(&Pressure { request, attempt, reserved, cached, limit: self.rules.limit })
    }
}
