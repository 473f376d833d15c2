//! Call stacks that samples came from, each stored once, with what was allocated there in all.
//!
//! A stack is found by its hash, of 63 bits: of 61,440 stacks two are mistaken for one with a
//! probability of one in 5 · 10⁹.

mod segments;
mod stacks;

use super::estimate::{Estimate, probability};
use super::stack::Stack;
use crate::base::sync::AtomicU64;
use crate::base::sync::Ordering::Relaxed;
pub(crate) use segments::OTHER;
use segments::Segments;

/// A place takes 440 bytes on a 64-bit platform, 244 on a 32-bit one.
const FIRST_PLACES: usize = 4096;

static TABLE: Segments<FIRST_PLACES> = Segments::new();

/// The amounts allocated at a stack's site. All bytes zero: nothing.
#[repr(C)]
struct CallSite {
    samples: AtomicU64,
    bytes: AtomicU64,
    /// In squares of 16 bytes.
    bytes_variance: AtomicU64,
    /// In parts of a block, 65,536 of them.
    blocks: AtomicU64,
    blocks_variance: AtomicU64,
}

/// Bytes of the unit whose square the variance is counted in: the sum fits 64 bits then.
const VARIANCE_UNIT: f64 = 16.0;
const BLOCK_PARTS: f64 = 65_536.0;

impl CallSite {
    const fn new() -> Self {
        Self {
            samples: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            bytes_variance: AtomicU64::new(0),
            blocks: AtomicU64::new(0),
            blocks_variance: AtomicU64::new(0),
        }
    }
}

/// What was allocated at a site in all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiteCounts {
    pub(crate) bytes: Estimate,
    pub(crate) blocks: Estimate,
}

/// The number of a stack: that it had, or the next place.
pub(super) fn site_of(stack: &Stack) -> u32 {
    TABLE.number_of(stack.frames())
}

/// Adds a sample to what was allocated at a site.
pub(super) fn count(site: u32, block: u64, mean: u64) {
    let site = TABLE.site(site);
    let bytes = Estimate::of_bytes(block, mean);
    let blocks = Estimate::of_blocks(block, mean);
    site.samples.fetch_add(1, Relaxed);
    site.bytes.fetch_add(bytes.value.round() as u64, Relaxed);
    let variance = bytes.variance / (VARIANCE_UNIT * VARIANCE_UNIT);
    site.bytes_variance.fetch_add(variance.round() as u64, Relaxed);
    site.blocks.fetch_add((BLOCK_PARTS / probability(block, mean)).round() as u64, Relaxed);
    site.blocks_variance.fetch_add(blocks.variance.round() as u64, Relaxed);
}

/// What was allocated at a site since sampling began.
pub(crate) fn call_site_counts(site: u32) -> SiteCounts {
    let site = TABLE.site(site);
    let samples = site.samples.load(Relaxed);
    let estimate =
        |value: f64, variance: f64, unseen: f64| Estimate { value, variance, samples, unseen };
    SiteCounts {
        bytes: estimate(
            site.bytes.load(Relaxed) as f64,
            site.bytes_variance.load(Relaxed) as f64 * VARIANCE_UNIT * VARIANCE_UNIT,
            super::mean() as f64,
        ),
        blocks: estimate(
            site.blocks.load(Relaxed) as f64 / BLOCK_PARTS,
            site.blocks_variance.load(Relaxed) as f64,
            0.0,
        ),
    }
}

/// The sites that samples came from.
pub(crate) fn used() -> impl Iterator<Item = u32> {
    TABLE.sites().filter(|(_, site)| site.samples.load(Relaxed) > 0).map(|(number, _)| number)
}

/// The stack of a site; empty for `OTHER`.
pub(crate) fn frames_of(site: u32) -> Vec<usize> {
    TABLE.frames_of(site)
}

/// Sets what was allocated at each site to nothing; the stacks stay.
pub(super) fn clear() {
    for (_, site) in TABLE.sites() {
        for word in
            [&site.samples, &site.bytes, &site.bytes_variance, &site.blocks, &site.blocks_variance]
        {
            // Not touched where it never was, so that the table's memory stays untouched too.
            if word.load(Relaxed) != 0 {
                word.store(0, Relaxed);
            }
        }
    }
}
