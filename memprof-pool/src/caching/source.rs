//! A pool as a source of a session.

use super::{CachingPool, PoolStatistics};
use crate::{Held, Memory, MemoryResource};
use memprof_profile::Profile;
use memprof_profile::source::{Gauge, Source};
use std::error::Error;
use std::sync::Arc;

/// A pool that a session reads for each snapshot.
///
/// The source's profile divides the reserved bytes into four leaves. For allocated blocks,
/// `requested` contains the requested bytes, and `rounding` the bytes that rounding added. For
/// cached bytes, `releasable` contains the bytes in segments without an allocated block, and
/// `used_segments` the other bytes. The source's gauges are the active and inactive bytes, the
/// largest free block, and the pool's peaks, counts and ratios.
///
/// ```
/// use memprof::pool::{AddressSpace, CachingPool, MemoryResource, PoolSource, Request};
/// use memprof::source::Source;
/// use std::sync::Arc;
///
/// let pool = CachingPool::builder(AddressSpace::new()).name("activations").build()?;
/// let pool = Arc::new(pool);
/// pool.allocate(Request::new(1000))?;
/// let profile = PoolSource::new(pool.clone()).read()?;
/// assert_eq!(profile.bytes_at("allocated;requested"), Some(1000));
/// assert_eq!(profile.bytes_at("allocated;rounding"), Some(24));
/// assert_eq!(profile.total_bytes(), pool.statistics().reserved);
/// # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
/// ```
#[derive(Debug)]
pub struct PoolSource<U: MemoryResource> {
    pool: Arc<CachingPool<U>>,
    read: PoolStatistics,
}

impl<U: MemoryResource> PoolSource<U> {
    /// Creates a source that reads this pool.
    pub fn new(pool: Arc<CachingPool<U>>) -> Self {
        Self { pool, read: PoolStatistics::default() }
    }
}

impl<U: MemoryResource> Source for PoolSource<U> {
    fn name(&self) -> &str {
        self.pool.name()
    }

    fn read(&mut self) -> Result<Profile, Box<dyn Error + Send + Sync>> {
        self.read = self.pool.statistics();
        Ok(self.read.profile(self.pool.name(), self.pool.memory()))
    }

    fn gauges(&self) -> Vec<Gauge> {
        let read = &self.read;
        let millionths = |share: Option<f64>| {
            // The share is from 0 to 1, so the product fits.
            #[expect(clippy::cast_sign_loss, reason = "a ratio is at least 0")]
            share.map(|share| (share * 1e6).round() as u64).ok_or_else(|| "nothing yet".to_owned())
        };
        vec![
            Gauge::new("active", "bytes", Ok(read.active)),
            Gauge::new("inactive", "bytes", Ok(read.inactive)),
            Gauge::new("largest free block", "bytes", Ok(read.largest_free)),
            Gauge::new("peak allocated", "bytes", Ok(read.peak_allocated)),
            Gauge::new("peak reserved", "bytes", Ok(read.peak_reserved)),
            Gauge::new("allocations", "count", Ok(read.allocations)),
            Gauge::new("frees", "count", Ok(read.frees)),
            Gauge::new("out of memory", "count", Ok(read.out_of_memory)),
            Gauge::new("cache hit rate", "ppm", millionths(read.hit_rate())),
            Gauge::new("cached share", "ppm", millionths(read.cached_share())),
            Gauge::new("fragmentation", "ppm", millionths(read.fragmentation())),
        ]
    }
}

impl PoolStatistics {
    /// Returns a profile of the reserved bytes, for a pool with this name and this kind of memory.
    pub fn profile(&self, name: &str, memory: Memory) -> Profile {
        let Self { requested, allocated, releasable, .. } = *self;
        let held = Held { requested, allocated, reserved: Some(self.reserved), releasable };
        held.profile(name, memory)
    }
}

impl Held {
    /// Returns a profile of these bytes. If `reserved` is `None`, the profile has no cached bytes.
    pub fn profile(&self, name: &str, memory: Memory) -> Profile {
        let device = memory.device();
        let rounding = self.allocated.saturating_sub(self.requested);
        let mut leaves = vec![
            (["allocated", "requested"], device, self.requested),
            (["allocated", "rounding"], device, rounding),
        ];
        if let Some(reserved) = self.reserved {
            let cached = reserved.saturating_sub(self.allocated);
            let in_used_segments = cached.saturating_sub(self.releasable);
            leaves.push((["cached", "releasable"], device, self.releasable));
            leaves.push((["cached", "used_segments"], device, in_used_segments));
        }
        Profile::of_counters(name, leaves)
    }
}
