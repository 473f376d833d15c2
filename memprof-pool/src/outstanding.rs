//! Allocations that are not yet freed, and their listing.

use crate::{Address, Request};
use core::fmt;
use core::panic::Location;
use memprof_profile::text::counted;
use memprof_profile::views::Units;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// An allocation that is not yet freed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Allocation {
    /// The address of the memory.
    pub address: Address,
    /// The request.
    pub request: Request,
    /// The number of allocations before this one.
    pub number: u64,
    /// The call site that allocated the memory.
    pub site: &'static Location<'static>,
    pub(super) since: Instant,
}

impl Allocation {
    /// Returns the time since the allocation.
    pub fn age(&self) -> Duration {
        self.since.elapsed()
    }
}

/// Allocations that are not yet freed. `Display` lists their call sites, the ones with the most
/// bytes first.
///
/// At the end of a program, the list contains the leaks.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Outstanding {
    /// The allocations, in the order in which they were made.
    pub allocations: Vec<Allocation>,
}

/// The number of listed call sites. The others are only counted.
const MAX_LISTED: usize = 20;

impl Outstanding {
    /// Returns the number of allocations.
    pub fn len(&self) -> usize {
        self.allocations.len()
    }

    /// Returns `true` if there are no allocations.
    pub fn is_empty(&self) -> bool {
        self.allocations.is_empty()
    }

    /// Returns the sum of the allocations' bytes.
    pub fn bytes(&self) -> u64 {
        self.allocations.iter().fold(0, |sum, one| sum.saturating_add(one.request.bytes))
    }

    /// Returns each call site with the number of its allocations and their bytes, in descending
    /// order of bytes.
    pub fn by_site(&self) -> Vec<(&'static Location<'static>, u64, u64)> {
        let mut sites = BTreeMap::new();
        for one in &self.allocations {
            let key = (one.site.file(), one.site.line(), one.site.column());
            let entry = sites.entry(key).or_insert((one.site, 0, 0_u64));
            entry.1 += 1;
            entry.2 = entry.2.saturating_add(one.request.bytes);
        }
        let mut sites: Vec<_> = sites.into_values().collect();
        sites.sort_by_key(|&(_, _, bytes)| core::cmp::Reverse(bytes));
        sites
    }
}

impl fmt::Display for Outstanding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |bytes| Units::Iec.show(bytes);
        let allocations = counted(self.allocations.len() as u64, "allocation");
        write!(out, "{allocations} outstanding, {}", show(self.bytes()))?;
        let sites = self.by_site();
        for (site, number, bytes) in sites.iter().take(MAX_LISTED) {
            write!(out, "\n{:>12}  {number} at {site}", show(*bytes).to_string())?;
        }
        if sites.len() > MAX_LISTED {
            write!(out, "\n…{} more call sites", sites.len() - MAX_LISTED)?;
        }
        Ok(())
    }
}
