//! A pool, and how much it may hold.

use super::block::Kind;
use super::books::Books;
use super::classes::{Classes, PAGE};
use super::rules::Rules;
use super::{Age, CachingPool, Callback, Limit, Pressure, SizeClasses};
use crate::{AllocationError, Memory, MemoryResource, Request, Timeline};
use core::fmt;
use memprof_profile::{AmountError, Budget, Device};
use std::error::Error;
use std::sync::Mutex;

/// What a [`CachingPool`] is to hold, before there is one.
#[must_use = "a builder does nothing until it builds the pool"]
pub struct PoolBuilder<U> {
    upstream: U,
    name: String,
    limit: Option<Result<Limit, AmountError>>,
    cached: Option<Result<Budget, AmountError>>,
    preallocated: Option<Result<Budget, AmountError>>,
    age: Option<Age>,
    classes: SizeClasses,
    events: Option<usize>,
    pressure: Option<Callback>,
}

/// Of the capacity of CUDA's devices, what a pool may take unless told otherwise: others need some.
const CUDA_FRACTION: f64 = 0.8;

impl<U: MemoryResource> PoolBuilder<U> {
    pub(super) fn new(upstream: U) -> Self {
        Self {
            upstream,
            name: "pool".to_owned(),
            limit: None,
            cached: None,
            preallocated: None,
            age: None,
            classes: SizeClasses::default(),
            events: None,
            pressure: None,
        }
    }

    /// What the pool is called in snapshots and timelines; by default `pool`.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The most that the pool may take from its upstream: a text such as `2 GiB`, bytes, or a
    /// [`Fraction`](Limit::Fraction) of the upstream's capacity.
    ///
    /// By default 0.8 of the capacity of a CUDA device, if that is known; no limit elsewhere.
    pub fn limit<L>(mut self, limit: L) -> Self
    where
        L: TryInto<Limit>,
        L::Error: Into<AmountError>,
    {
        self.limit = Some(limit.try_into().map_err(Into::into));
        self
    }

    /// The most that the pool may keep unused, such as `2 GiB`; by default, no end.
    ///
    /// Beyond it, segments go back of which nothing is used, the longest idle first. Free parts of
    /// segments that are in use can't go back, and may be more than this.
    pub fn cached_at_most<A>(mut self, amount: A) -> Self
    where
        A: TryInto<Budget>,
        A::Error: Into<AmountError>,
    {
        self.cached = Some(amount.try_into().map_err(Into::into));
        self
    }

    /// Takes so much from the upstream at once, before anybody asks for it.
    ///
    /// It serves blocks of all sizes, and goes back when somebody [asks for that] or for memory that
    /// there is not; neither [`cached_at_most`](Self::cached_at_most) nor age releases it.
    ///
    /// [asks for that]: CachingPool::empty_cache
    pub fn preallocate<A>(mut self, amount: A) -> Self
    where
        A: TryInto<Budget>,
        A::Error: Into<AmountError>,
    {
        self.preallocated = Some(amount.try_into().map_err(Into::into));
        self
    }

    /// Segments of which nothing was used for so long go back; by default, they stay.
    pub fn release_after(mut self, age: Age) -> Self {
        self.age = Some(age);
        self
    }

    /// How the sizes of blocks and segments are chosen; by default as `PyTorch` does.
    pub fn size_classes(mut self, classes: SizeClasses) -> Self {
        self.classes = classes;
        self
    }

    /// Records what happens, and keeps so many events; by default nothing is recorded.
    pub fn record(mut self, events: usize) -> Self {
        self.events = Some(events);
        self
    }

    /// Called when there is not enough memory and nothing left that the pool could release: frees some
    /// and returns whether to try again.
    ///
    /// No lock is held meanwhile, so it may use the pool. For one request it is called 16 times at
    /// most.
    pub fn on_pressure(
        mut self,
        callback: impl Fn(&Pressure) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.pressure = Some(Box::new(callback));
        self
    }

    /// The pool.
    ///
    /// # Errors
    /// If an amount is none, a limit is a fraction of what isn't known or of none, or what is to be
    /// preallocated can't be.
    #[track_caller]
    pub fn build(self) -> Result<CachingPool<U>, PoolError> {
        let limit = match self.limit.transpose()? {
            Some(limit) => Some(resolve(limit, self.upstream.capacity())?),
            None => default_limit(&self.upstream),
        };
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
            books: Mutex::new(Books::new(Classes::new(self.classes))),
        };
        if preallocated > 0 {
            // What can't be rounded up can't be had either.
            let bytes = preallocated.checked_next_multiple_of(PAGE).unwrap_or(preallocated);
            let bytes = if limit.is_some_and(|limit| bytes > limit) { preallocated } else { bytes };
            let reserved = pool.supply(&mut pool.books()).reserve(
                Kind::Preallocated,
                bytes,
                Request::new(bytes),
            );
            reserved.map_err(PoolError::Preallocation)?;
        }
        Ok(pool)
    }
}

fn resolve(limit: Limit, capacity: Option<u64>) -> Result<u64, PoolError> {
    match limit {
        Limit::Bytes(bytes) => Ok(bytes),
        Limit::Fraction(part) if !(part > 0.0 && part <= 1.0) => Err(PoolError::Fraction(part)),
        Limit::Fraction(part) => capacity.map(|of| share(of, part)).ok_or(PoolError::NoCapacity),
    }
}

fn default_limit(upstream: &impl MemoryResource) -> Option<u64> {
    match upstream.memory() {
        Memory::Device(Device::Cuda(_)) => Some(share(upstream.capacity()?, CUDA_FRACTION)),
        _ => None,
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a fraction of a capacity need not be right to the byte, and neither is negative"
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
            .field("size_classes", &self.classes)
            .field("record", &self.events)
            .finish_non_exhaustive()
    }
}

/// Why there is no pool.
#[non_exhaustive]
pub enum PoolError {
    /// A text is no amount of memory.
    Amount(AmountError),
    /// The limit is no fraction above 0 and at most 1.
    Fraction(f64),
    /// The limit is a fraction, and the upstream does not know its capacity.
    NoCapacity,
    /// What was to be preallocated can't be.
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
            Self::Amount(_) => out.write_str("an amount of the pool is none"),
            Self::Fraction(part) => {
                write!(out, "a limit of {part} of the capacity: expected above 0 and at most 1")
            }
            Self::NoCapacity => out.write_str(
                "a limit is a fraction, and the upstream does not know its capacity: expected bytes, \
                 such as \"2 GiB\"",
            ),
            Self::Preallocation(_) => out.write_str("what the pool is to preallocate can't be had"),
        }
    }
}

/// The same text as `Display`, which is what `main` and `unwrap` print.
impl fmt::Debug for PoolError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
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
