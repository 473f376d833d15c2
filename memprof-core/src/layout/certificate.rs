//! Certificates, which state whether a part of std has the described layout. Each process checks a
//! part once.
//!
//! Std changes with each compiler, so a list of versions would not suffice. Instead, the first use
//! of a part observes it on values made for that purpose. The addresses that std exposes and the
//! words that its values contain must agree with the description. The first use takes microseconds
//! and a few small allocations.
//!
//! A process cannot observe a field after the last one with a known offset. To cover such a field,
//! [`check`] compares the bytes of values with the bytes requested from an
//! allocator.

use crate::layout::{counted, nodes, table};
use crate::{MemoryProfile, total_bytes};
use core::hint::black_box;
use core::sync::atomic::{AtomicU8, Ordering};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList};
use std::{rc, sync};

/// A part of std whose layouts are certified together.
pub(crate) struct Certificate {
    /// Observes the part on values made for that purpose.
    observe: fn() -> bool,
    state: AtomicU8,
}

const UNKNOWN: u8 = 0;
const CERTIFIED: u8 = 1;
const REFUTED: u8 = 2;

impl Certificate {
    pub(crate) const fn new(observe: fn() -> bool) -> Self {
        Self { observe, state: AtomicU8::new(UNKNOWN) }
    }

    /// Returns whether the part is as described. If not, the bytes that depend on it are estimates.
    #[inline]
    pub(crate) fn is_certified(&self) -> bool {
        match self.state.load(Ordering::Relaxed) {
            CERTIFIED => true,
            REFUTED => false,
            _ => self.certify(),
        }
    }

    /// Observes the part. If two threads do so at once, both get the same result, and neither
    /// blocks.
    #[cold]
    #[inline(never)]
    fn certify(&self) -> bool {
        let state = if (self.observe)() { CERTIFIED } else { REFUTED };
        let order = Ordering::Relaxed;
        match self.state.compare_exchange(UNKNOWN, state, order, order) {
            Ok(_) => state == CERTIFIED,
            // Another thread observed the part, or `check` compared it with an allocator.
            Err(known) => known == CERTIFIED,
        }
    }

    /// Replaces the result of the observation.
    pub(crate) fn set(&self, is_certified: bool) {
        self.state.store(if is_certified { CERTIFIED } else { REFUTED }, Ordering::Relaxed);
    }
}

/// A function that runs its argument. It returns the bytes that the argument requested from an
/// allocator, minus the bytes that it freed.
pub type Requested<'a> = &'a mut dyn FnMut(&mut dyn FnMut()) -> u64;

/// Compares the bytes of std's tables, trees, lists and shared values with the bytes requested from
/// an allocator.
///
/// After this call, the bytes of such a part are exact if its values agree, and estimates
/// otherwise.
///
/// # Errors
/// Returns an error with the name of the first type whose bytes differ.
// Inlined, so that only a crate that calls it compiles the collections.
#[inline]
pub fn check(requested: Requested<'_>) -> Result<(), &'static str> {
    let mut first = Ok(());
    let mut record = |part: &Certificate, result: Result<(), &'static str>| {
        part.set(result.is_ok());
        first = first.and(result);
    };
    record(&table::CERTIFICATE, check_tables(requested));
    record(&nodes::CERTIFICATE, check_trees(requested));
    record(&nodes::LIST_CERTIFICATE, check_lists(requested));
    record(&counted::COUNTS_CERTIFICATE, check_counts(requested));
    first
}

/// Compares one value's profile with the bytes requested for it.
#[inline]
fn compare<T: MemoryProfile>(
    requested: Requested<'_>,
    name: &'static str,
    mut make: impl FnMut() -> T,
) -> Result<(), &'static str> {
    let mut value = None;
    let bytes = requested(&mut || value = Some(black_box(make())));
    let profiled = value.as_ref().map(|value| total_bytes(value) - size_of::<T>() as u64);
    if profiled == Some(bytes) { Ok(()) } else { Err(name) }
}

#[inline]
fn check_tables(requested: Requested<'_>) -> Result<(), &'static str> {
    for len in [1_u16, 3, 7, 14, 100] {
        compare(requested, "HashMap", || {
            (0..len).map(|key| (key, u64::from(key))).collect::<HashMap<_, _>>()
        })?;
        compare(requested, "HashSet", || (0..len).collect::<HashSet<_>>())?;
    }
    Ok(())
}

#[inline]
fn check_trees(requested: Requested<'_>) -> Result<(), &'static str> {
    for len in [1_u16, 11, 12, 143, 1000] {
        compare(requested, "BTreeMap", || {
            (0..len).map(|key| (key, [0_u8; 3])).collect::<BTreeMap<_, _>>()
        })?;
        compare(requested, "BTreeMap", || {
            (0..len).map(|key| (u128::from(key), 0_u8)).collect::<BTreeMap<_, _>>()
        })?;
        compare(requested, "BTreeSet", || (0..len).map(u64::from).collect::<BTreeSet<_>>())?;
    }
    Ok(())
}

#[inline]
fn check_lists(requested: Requested<'_>) -> Result<(), &'static str> {
    compare(requested, "LinkedList", || LinkedList::from([0_u8; 3]))?;
    compare(requested, "LinkedList", || LinkedList::from([0_u64; 3]))?;
    compare(requested, "LinkedList", || LinkedList::from([0_u128; 3]))
}

#[inline]
fn check_counts(requested: Requested<'_>) -> Result<(), &'static str> {
    compare(requested, "Rc", || rc::Rc::new(0_u8))?;
    compare(requested, "Rc", || rc::Rc::new(0_u128))?;
    compare(requested, "Rc", || rc::Rc::<str>::from("seven b"))?;
    compare(requested, "Arc", || sync::Arc::new(0_u8))?;
    compare(requested, "Arc", || sync::Arc::new(0_u128))?;
    compare(requested, "Arc", || sync::Arc::<str>::from("seven b"))
}

#[cfg(test)]
mod tests;
