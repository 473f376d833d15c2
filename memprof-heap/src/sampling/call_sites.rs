//! Call stacks of samples, each stored once, with the amounts that each stack allocated.
//!
//! A stack is found by its hash of 48 bits. With 61,440 stacks, the probability that any two have
//! the same hash is one in 149,000.

mod segments;
mod stacks;

use super::estimate::{Estimate, probability};
use super::stack::Stack;
use crate::base::sync::AtomicU64;
use crate::base::sync::Ordering::Relaxed;
pub(crate) use segments::OTHER;
use segments::Segments;

/// The number of stacks in the first segment. A stack takes 440 bytes on a 64-bit platform, 244 on
/// a 32-bit one.
const FIRST_PLACES: usize = 4096;

static TABLE: Segments<FIRST_PLACES> = Segments::new();

/// The amounts allocated at a stack's call site. All zero bytes mean that nothing was allocated.
#[repr(C)]
struct CallSite {
    samples: AtomicU64,
    bytes: AtomicU64,
    /// The variance of the bytes, in units of 16 bytes squared.
    bytes_variance: AtomicU64,
    /// The blocks, in units of 1/65,536 of a block.
    blocks: AtomicU64,
    blocks_variance: AtomicU64,
}

/// The unit of bytes whose square is the unit of the variance. With it, the sum fits into 64 bits.
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

/// The amounts allocated at a call site since sampling began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiteCounts {
    pub(crate) bytes: Estimate,
    pub(crate) blocks: Estimate,
}

/// Returns the number of a stack, and assigns one to a new stack.
pub(super) fn site_of(stack: &Stack) -> u32 {
    TABLE.number_of(stack.frames())
}

/// Adds a sample to the amounts of a call site.
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

/// Returns the amounts allocated at a call site since sampling began.
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

/// Returns the call sites that have samples.
pub(crate) fn used() -> impl Iterator<Item = u32> {
    TABLE.sites().filter(|(_, site)| site.samples.load(Relaxed) > 0).map(|(number, _)| number)
}

/// Returns the stack of a call site; empty for `OTHER`.
pub(crate) fn frames_of(site: u32) -> Vec<usize> {
    TABLE.frames_of(site)
}

/// Sets the amounts of all call sites to zero; the stacks stay.
pub(super) fn clear() {
    for (_, site) in TABLE.sites() {
        for word in
            [&site.samples, &site.bytes, &site.bytes_variance, &site.blocks, &site.blocks_variance]
        {
            // Words that are zero are not written, so that untouched pages of the table stay
            // untouched.
            if word.load(Relaxed) != 0 {
                word.store(0, Relaxed);
            }
        }
    }
}
