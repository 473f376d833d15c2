//! The statistics of a pool: ratios, text, a profile for sessions, and advice.

use super::CachingPool;
use super::state::PoolState;
use crate::{Held, Memory, MemoryResource};
use core::fmt;
use memprof_profile::Profile;
use memprof_profile::report::{Advisor, Recommendation, Rule, Severity, Thresholds};
use memprof_profile::source::{Gauge, Source};
use memprof_profile::text::{counted, percent};
use memprof_profile::views::Units;
use std::error::Error;
use std::sync::Arc;

/// The statistics of a pool at one moment.
///
/// `reserved` is `allocated` plus `cached`. `cached` is `releasable` plus the free bytes in
/// segments that have an allocated block. [`CachingPool`](super::CachingPool) has an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolStatistics {
    /// Bytes taken from the upstream.
    pub reserved: u64,
    /// Bytes of allocated blocks.
    pub allocated: u64,
    /// Bytes that were requested for these blocks.
    pub requested: u64,
    /// Bytes that are reserved and not allocated.
    pub cached: u64,
    /// Cached bytes in segments without an allocated block, which can go back to the upstream.
    pub releasable: u64,
    /// Bytes in use: allocated bytes, and freed bytes with a pending event. The pool recorded the
    /// event after the free, and has not yet found that the event has passed.
    pub active: u64,
    /// Bytes that can be reused: `reserved` minus `active`.
    pub inactive: u64,
    /// The size of the largest free block. 0 if no block is free.
    pub largest_free: u64,
    /// The peak of `reserved` since the pool was built or its peaks were reset.
    pub peak_reserved: u64,
    /// The peak of `allocated` in the same period.
    pub peak_allocated: u64,
    /// The number of allocations so far.
    pub allocations: u64,
    /// The number of frees so far.
    pub frees: u64,
    /// The number of allocations served without the upstream.
    pub hits: u64,
    /// The number of segments that are reserved now.
    pub segments: u64,
    /// The number of segments taken from the upstream so far.
    pub segments_reserved: u64,
    /// The number of requests that failed because there was too little memory.
    pub out_of_memory: u64,
    /// The number of times that the upstream refused to take a segment back.
    pub refused: u64,
}

impl PoolStatistics {
    pub(super) fn of(state: &PoolState) -> Self {
        let frees = state.blocks.values().filter_map(|block| Some((block.freed()?, block.bytes)));
        let pending = frees.filter(|(freed, _)| state.order.is_pending(*freed));
        let active = state.counts.allocated + pending.map(|(_, bytes)| bytes).sum::<u64>();
        let (inactive, largest_free) = (state.counts.reserved - active, state.free.largest());
        Self { active, inactive, largest_free, ..state.counts }
    }

    /// Returns the bytes for a profile or an event of a timeline.
    pub(super) const fn held(&self) -> Held {
        let Self { requested, allocated, reserved, releasable, .. } = *self;
        Held { requested, allocated, reserved, releasable }
    }

    /// Returns the share of allocations served without the upstream, or `None` before the first
    /// allocation.
    pub fn hit_rate(&self) -> Option<f64> {
        ratio(self.hits, self.allocations)
    }

    /// Returns the share of reserved bytes that are cached, or `None` if no bytes are reserved.
    pub fn cached_share(&self) -> Option<f64> {
        ratio(self.cached, self.reserved)
    }

    /// Returns the share of the bytes in segments with an allocated block that is free, or `None` if
    /// no block is allocated.
    ///
    /// Free bytes in other segments are no fragmentation, because the pool can release them. `PyTorch`
    /// calls the free bytes `inactive_split`.
    pub fn fragmentation(&self) -> Option<f64> {
        ratio(self.unreleasable(), self.reserved - self.releasable)
    }

    /// Returns the free bytes in segments with an allocated block.
    fn unreleasable(&self) -> u64 {
        self.cached - self.releasable
    }

    /// Returns the bytes that rounding added to the requested ones.
    pub fn internal_waste(&self) -> u64 {
        self.allocated - self.requested
    }

    /// Returns the share of allocated bytes that rounding added, or `None` if no bytes are
    /// allocated.
    pub fn internal_waste_share(&self) -> Option<f64> {
        ratio(self.internal_waste(), self.allocated)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a ratio is rounded")]
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

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
        self.held().profile(name, memory)
    }
}

impl Held {
    /// Returns a profile of these bytes.
    pub fn profile(&self, name: &str, memory: Memory) -> Profile {
        let device = memory.device();
        let rounding = self.allocated.saturating_sub(self.requested);
        let cached = self.reserved.saturating_sub(self.allocated);
        let in_used_segments = cached.saturating_sub(self.releasable);
        let leaves = [
            (["allocated", "requested"], device, self.requested),
            (["allocated", "rounding"], device, rounding),
            (["cached", "releasable"], device, self.releasable),
            (["cached", "used_segments"], device, in_used_segments),
        ];
        Profile::of_counters(name, leaves)
    }
}

/// The advice begins at this fragmentation, with at least this number of free bytes.
const MIN_FRAGMENTATION: (f64, u64) = (0.3, 64 << 20);
/// The advice begins at this share of cached bytes.
const MIN_UNUSED: f64 = 0.2;

/// A rule that reads the statistics of a pool instead of a profile.
struct PoolRule<'s> {
    name: &'static str,
    statistics: &'s PoolStatistics,
    check: fn(&PoolStatistics, &Thresholds) -> Option<Recommendation>,
}

impl Rule for PoolRule<'_> {
    fn name(&self) -> &str {
        self.name
    }

    fn check(&self, _: &Profile, thresholds: &Thresholds) -> Vec<Recommendation> {
        (self.check)(self.statistics, thresholds).into_iter().collect()
    }
}

impl PoolStatistics {
    /// Returns the advice of the rules `fragmentation` (more than 30 % and at least 64 MiB) and
    /// `unused cache` (more than 20 % of the reserved bytes).
    ///
    /// ```
    /// use memprof::pool::{AddressSpace, CachingPool, MemoryResource, Request};
    ///
    /// let pool = CachingPool::builder(AddressSpace::new()).preallocate("1 GiB").build()?;
    /// pool.allocate(Request::new(4096))?;
    /// let advice = pool.statistics().advice();
    /// assert!(advice.iter().any(|one| one.rule() == "unused cache"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advice(&self) -> Vec<Recommendation> {
        let rule = |name, check| PoolRule { name, statistics: self, check };
        let advisor = Advisor::without_rules()
            .rule(rule("fragmentation", |read, _| read.fragmentation_advice()))
            .rule(rule("unused cache", Self::cache_advice));
        // The rules read only the statistics, so the profile is empty.
        advisor.advise(&Profile::of(&()))
    }

    fn fragmentation_advice(&self) -> Option<Recommendation> {
        let (min_share, min_bytes) = MIN_FRAGMENTATION;
        let free = self.unreleasable();
        let share = self.fragmentation().filter(|share| *share > min_share && free >= min_bytes)?;
        let evidence = format!(
            "{} of {} in segments with allocated blocks are free ({})",
            UNITS.show(free),
            UNITS.show(self.reserved - self.releasable),
            percent(share),
        );
        let action = "allocate long-lived memory first or in its own pool: it separates the free \
                      blocks";
        Some(Recommendation::new(Severity::Warning, evidence).with_action(action))
    }

    fn cache_advice(&self, thresholds: &Thresholds) -> Option<Recommendation> {
        let is_much = |share: &f64| *share > MIN_UNUSED && self.cached >= thresholds.min_bytes;
        let share = self.cached_share().filter(is_much)?;
        let evidence = format!(
            "{} of {} reserved are unused ({})",
            UNITS.show(self.cached),
            UNITS.show(self.reserved),
            percent(share),
        );
        let found = Recommendation::new(Severity::Info, evidence);
        Some(if self.releasable > 0 {
            found
                .with_action("call `empty_cache` if other code needs it, or set `cached_at_most`")
                .with_savings(self.releasable)
        } else {
            found.with_action("`empty_cache` can't free it now: each segment is partly in use")
        })
    }
}

const UNITS: Units = Units::Iec;

/// ```text
/// reserved      2.0 MiB  in 1 segment, peak 22.0 MiB
/// allocated   977.0 KiB  peak 3.0 MiB; 2 allocations, 1 free, 0.0 % from the cache
/// cached        1.0 MiB  0 B of it can be released, 52.3 % of the reserved bytes
/// largest       1.0 MiB  the largest free block, 52.3 % of the segments in use are free
/// rounding        448 B  added to the requested bytes, 0.0 % of the allocated bytes
/// ```
impl fmt::Display for PoolStatistics {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |out: &mut fmt::Formatter<'_>, name, bytes: u64, note: &str| {
            writeln!(out, "{name:10} {:>10}  {note}", UNITS.show(bytes).to_string())
        };
        let [peak_reserved, peak_allocated, releasable] =
            [self.peak_reserved, self.peak_allocated, self.releasable].map(|it| UNITS.show(it));
        let segments = counted(self.segments, "segment");
        line(out, "reserved", self.reserved, &format!("in {segments}, peak {peak_reserved}"))?;
        let (allocations, frees) =
            (counted(self.allocations, "allocation"), counted(self.frees, "free"));
        let hits = share(self.hit_rate(), " from the cache");
        let refused = match self.out_of_memory {
            0 => String::new(),
            some => format!(", {some} refused: out of memory"),
        };
        let note = format!("peak {peak_allocated}; {allocations}, {frees}{hits}{refused}");
        line(out, "allocated", self.allocated, &note)?;
        let cached = share(self.cached_share(), " of the reserved bytes");
        let note = format!("{releasable} of it can be released{cached}");
        line(out, "cached", self.cached, &note)?;
        let fragmented = share(self.fragmentation(), " of the segments in use are free");
        let note = format!("the largest free block{fragmented}");
        line(out, "largest", self.largest_free, &note)?;
        let rounding = share(self.internal_waste_share(), " of the allocated bytes");
        let note = format!("added to the requested bytes{rounding}");
        write!(
            out,
            "{:10} {:>10}  {note}",
            "rounding",
            UNITS.show(self.internal_waste()).to_string()
        )
    }
}

/// Returns the share with a comma before it, or an empty text if the share is undefined.
fn share(share: Option<f64>, of: &str) -> String {
    share.map_or_else(String::new, |share| format!(", {}{of}", percent(share)))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]

    use crate::{AddressSpace, CachingPool, MemoryResource, PoolStatistics, Request};
    use expect_test::expect;

    #[test]
    fn figures_are_aligned_and_undefined_shares_are_left_out() {
        let pool = CachingPool::builder(AddressSpace::new()).limit(64 << 20_u64).build();
        let pool = pool.expect("it is an amount");
        let request = Request::new(3 << 20);
        let address = pool.allocate(request).expect("there is room");
        // SAFETY: the memory was just allocated for this request.
        #[expect(unsafe_code, reason = "it is freed")]
        unsafe { pool.deallocate(address, request) }.expect("it is the pool's");
        pool.allocate(Request::new(1_000_000)).expect("there is room");
        drop(pool.allocate(Request::new(1 << 30)));
        expect![[r#"
            reserved      2.0 MiB  in 1 segment, peak 22.0 MiB
            allocated   977.0 KiB  peak 3.0 MiB; 2 allocations, 1 free, 0.0 % from the cache, 1 refused: out of memory
            cached        1.0 MiB  0 B of it can be released, 52.3 % of the reserved bytes
            largest       1.0 MiB  the largest free block, 52.3 % of the segments in use are free
            rounding        448 B  added to the requested bytes, 0.0 % of the allocated bytes"#]].assert_eq(&pool.statistics().to_string());
        expect![[r#"
            reserved          0 B  in 0 segments, peak 0 B
            allocated         0 B  peak 0 B; 0 allocations, 0 frees
            cached            0 B  0 B of it can be released
            largest           0 B  the largest free block
            rounding          0 B  added to the requested bytes"#]]
        .assert_eq(&PoolStatistics::default().to_string());
    }
}
