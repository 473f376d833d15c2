//! Advice rules for the statistics of a pool.

use super::PoolStatistics;
use memprof_profile::Profile;
use memprof_profile::report::{Advisor, Recommendation, Rule, Severity, Thresholds};
use memprof_profile::views::Units;

/// The rule `fragmentation`: reports fragmentation above 30 % if at least 64 MiB are free.
#[derive(Clone, Copy, Debug)]
pub struct Fragmentation(PoolStatistics);

/// The rule `unused cache`: reports a cache of more than 20 % of the reserved bytes.
#[derive(Clone, Copy, Debug)]
pub struct UnusedCache(PoolStatistics);

const MUCH_FRAGMENTATION: f64 = 0.3;
const MUCH_FREE: u64 = 64 << 20;
const MUCH_UNUSED: f64 = 0.2;

impl Fragmentation {
    /// Creates the rule for these statistics.
    pub const fn of(statistics: PoolStatistics) -> Self {
        Self(statistics)
    }
}

impl UnusedCache {
    /// Creates the rule for these statistics.
    pub const fn of(statistics: PoolStatistics) -> Self {
        Self(statistics)
    }
}

impl PoolStatistics {
    /// Returns the advice of the rules [`Fragmentation`] and [`UnusedCache`].
    ///
    /// ```
    /// use memprof::pool::{AddressSpace, CachingPool, MemoryResource, Request};
    ///
    /// let pool = CachingPool::builder(AddressSpace::new()).preallocate("1 GiB").build()?;
    /// pool.allocate(Request::new(4096))?;
    /// let advice = pool.statistics().advice();
    /// assert_eq!(advice[0].rule(), "unused cache");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advice(&self) -> Vec<Recommendation> {
        let advisor = Advisor::without_rules();
        let advisor = advisor.rule(Fragmentation::of(*self)).rule(UnusedCache::of(*self));
        // The rules read only the statistics, so the profile is empty.
        advisor.advise(&Profile::of(&()))
    }
}

impl Rule for Fragmentation {
    fn name(&self) -> &'static str {
        "fragmentation"
    }

    fn check(&self, _: &Profile, _: &Thresholds) -> Vec<Recommendation> {
        let PoolStatistics { cached, largest_free, releasable, .. } = self.0;
        let is_much = |share: &f64| *share > MUCH_FRAGMENTATION && cached >= MUCH_FREE;
        let Some(share) = self.0.fragmentation().filter(is_much) else { return Vec::new() };
        let evidence = format!(
            "the largest free block is {} of {} free ({:.1} % fragmentation)",
            show(largest_free),
            show(cached),
            share * 100.0,
        );
        let found = Recommendation::new(Severity::Warning, evidence);
        vec![if releasable > 0 {
            found.with_action("call `compact`, which merges free memory and gives segments back")
        } else {
            found.with_action(
                "allocate long-lived memory first or in its own pool: it separates the free blocks",
            )
        }]
    }
}

impl Rule for UnusedCache {
    fn name(&self) -> &'static str {
        "unused cache"
    }

    fn check(&self, _: &Profile, thresholds: &Thresholds) -> Vec<Recommendation> {
        let PoolStatistics { cached, reserved, releasable, .. } = self.0;
        let is_much = |share: &f64| *share > MUCH_UNUSED && cached >= thresholds.min_bytes;
        let Some(share) = self.0.cached_share().filter(is_much) else { return Vec::new() };
        let evidence = format!(
            "{} of {} reserved are unused ({:.1} %)",
            show(cached),
            show(reserved),
            share * 100.0,
        );
        let found = Recommendation::new(Severity::Info, evidence);
        vec![if releasable > 0 {
            found
                .with_action("call `empty_cache` if other code needs it, or set `cached_at_most`")
                .with_savings(releasable)
        } else {
            found.with_action("`empty_cache` can't free it now: each segment is partly in use")
        }]
    }
}

fn show(bytes: u64) -> String {
    Units::Iec.show(bytes).to_string()
}
