//! Allocations that nobody freed yet, and how they are listed.

use crate::{Address, Request};
use core::fmt;
use core::panic::Location;
use memprof_profile::Units;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// An allocation that is outstanding.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Allocation {
    /// Where it begins.
    pub address: Address,
    /// What was asked for.
    pub request: Request,
    /// Its number: how many were made before it.
    pub number: u64,
    /// Where in the program it was asked for.
    pub site: &'static Location<'static>,
    pub(super) since: Instant,
}

impl Allocation {
    /// How long ago it was made.
    pub fn age(&self) -> Duration {
        self.since.elapsed()
    }
}

/// Allocations that are outstanding; printed, the places that made them, those of most bytes first.
///
/// A program that lists them at its end lists what leaked.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Outstanding {
    /// The allocations, in the order in which they were made.
    pub allocations: Vec<Allocation>,
}

/// Places that are listed; the rest is counted.
const LISTED: usize = 20;

impl Outstanding {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.allocations.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.allocations.is_empty()
    }

    /// Their bytes.
    pub fn bytes(&self) -> u64 {
        self.allocations.iter().fold(0, |sum, one| sum.saturating_add(one.request.bytes))
    }

    /// Each place that made some, with how many and their bytes; those of most bytes first.
    pub fn by_site(&self) -> Vec<(&'static Location<'static>, u64, u64)> {
        let mut sites = BTreeMap::new();
        for one in &self.allocations {
            let place = (one.site.file(), one.site.line(), one.site.column());
            let entry = sites.entry(place).or_insert((one.site, 0, 0_u64));
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
        let number = self.allocations.len();
        let plural = if number == 1 { "" } else { "s" };
        write!(out, "{number} allocation{plural} outstanding, {}", show(self.bytes()))?;
        let sites = self.by_site();
        for (site, number, bytes) in sites.iter().take(LISTED) {
            write!(out, "\n{:>12}  {number} at {site}", show(*bytes).to_string())?;
        }
        if sites.len() > LISTED {
            write!(out, "\n…{} places more", sites.len() - LISTED)?;
        }
        Ok(())
    }
}
