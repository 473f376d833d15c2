//! Checks of std against the layouts described in this module, once per process.
//!
//! Std changes with each compiler, so no list of versions would do. Instead each part is observed on
//! values made for that: addresses that std gives in public and words that its values keep must
//! agree with the description. That takes microseconds and some small allocations, when the part is
//! first needed. A field behind the last one with a known place cannot be observed from inside a
//! process. [`check`] compares with what an allocator was asked for.

use super::{counted, list, table, tree};
use crate::{MemoryProfile, total_bytes};
use core::hint::black_box;
use core::sync::atomic::{AtomicU8, Ordering};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList};
use std::{rc, sync};

/// A part of std whose layouts stand or fall together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The tables of `HashMap` and `HashSet`.
    Tables,
    /// The nodes of `BTreeMap` and `BTreeSet`.
    Trees,
    /// The nodes of `LinkedList`.
    Lists,
    /// The header of an `Rc` or an `Arc`.
    Counts,
    /// Where a `Weak` points that never had a value, and one whose value is gone.
    WeakHandles,
}

impl Part {
    /// Observes the part on values made for that.
    fn observe(self) -> bool {
        match self {
            Self::Tables => table::observe(),
            Self::Trees => tree::observe(),
            Self::Lists => list::observe(),
            Self::Counts => counted::observe_counts(),
            Self::WeakHandles => counted::observe_weak_handles(),
        }
    }
}

const UNKNOWN: u8 = 0;
const CERTIFIED: u8 = 1;
const REFUTED: u8 = 2;

static STATES: [AtomicU8; 5] = [const { AtomicU8::new(UNKNOWN) }; 5];

/// Returns whether a part is as described; where not, what depends on it is an estimate.
#[inline]
pub(crate) fn is_certified(part: Part) -> bool {
    #[cfg(test)]
    if super::falsified::is_falsified() {
        return part.observe();
    }
    match STATES[part as usize].load(Ordering::Relaxed) {
        CERTIFIED => true,
        REFUTED => false,
        _ => certify(part),
    }
}

/// Two threads may both observe: they see the same, and neither waits for the other.
#[cold]
#[inline(never)]
fn certify(part: Part) -> bool {
    let state = if part.observe() { CERTIFIED } else { REFUTED };
    let known = &STATES[part as usize];
    match known.compare_exchange(UNKNOWN, state, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => state == CERTIFIED,
        // Another thread observed it, or an allocator said what it was asked for.
        Err(known) => known == CERTIFIED,
    }
}

/// A function that returns the bytes an allocator was asked for while its argument ran, less those
/// freed.
pub type Requested<'a> = &'a mut dyn FnMut(&mut dyn FnMut()) -> u64;

/// Compares what values of each part allocate with what an allocator was asked for.
///
/// From then on a part whose values agree is exact, and others are estimates.
///
/// # Errors
/// The name of the first type that differs.
pub fn check(requested: Requested<'_>) -> Result<(), &'static str> {
    let mut first = Ok(());
    let mut settle = |part: Part, verdict: Result<(), &'static str>| {
        let state = if verdict.is_ok() { CERTIFIED } else { REFUTED };
        STATES[part as usize].store(state, Ordering::Relaxed);
        first = first.and(verdict);
    };
    settle(Part::Tables, check_tables(requested));
    settle(Part::Trees, check_trees(requested));
    settle(Part::Lists, check_lists(requested));
    settle(Part::Counts, check_counts(requested));
    first
}

/// Compares one value's profile with what was requested for it.
fn agree<T: MemoryProfile>(
    requested: Requested<'_>,
    name: &'static str,
    mut make: impl FnMut() -> T,
) -> Result<(), &'static str> {
    let mut value = None;
    let bytes = requested(&mut || value = Some(black_box(make())));
    let profiled = value.as_ref().map(|value| total_bytes(value) - size_of::<T>() as u64);
    if profiled == Some(bytes) { Ok(()) } else { Err(name) }
}

fn check_tables(requested: Requested<'_>) -> Result<(), &'static str> {
    for len in [1_u16, 3, 7, 14, 100] {
        agree(requested, "HashMap", || {
            (0..len).map(|key| (key, u64::from(key))).collect::<HashMap<_, _>>()
        })?;
        agree(requested, "HashSet", || (0..len).collect::<HashSet<_>>())?;
    }
    Ok(())
}

fn check_trees(requested: Requested<'_>) -> Result<(), &'static str> {
    for len in [1_u16, 11, 12, 143, 1000] {
        agree(requested, "BTreeMap", || {
            (0..len).map(|key| (key, [0_u8; 3])).collect::<BTreeMap<_, _>>()
        })?;
        agree(requested, "BTreeMap", || {
            (0..len).map(|key| (u128::from(key), 0_u8)).collect::<BTreeMap<_, _>>()
        })?;
        agree(requested, "BTreeSet", || (0..len).map(u64::from).collect::<BTreeSet<_>>())?;
    }
    Ok(())
}

fn check_lists(requested: Requested<'_>) -> Result<(), &'static str> {
    agree(requested, "LinkedList", || LinkedList::from([0_u8; 3]))?;
    agree(requested, "LinkedList", || LinkedList::from([0_u64; 3]))?;
    agree(requested, "LinkedList", || LinkedList::from([0_u128; 3]))
}

fn check_counts(requested: Requested<'_>) -> Result<(), &'static str> {
    agree(requested, "Rc", || rc::Rc::new(0_u8))?;
    agree(requested, "Rc", || rc::Rc::new(0_u128))?;
    agree(requested, "Rc", || rc::Rc::<str>::from("seven b"))?;
    agree(requested, "Arc", || sync::Arc::new(0_u8))?;
    agree(requested, "Arc", || sync::Arc::new(0_u128))?;
    agree(requested, "Arc", || sync::Arc::<str>::from("seven b"))
}

#[cfg(test)]
mod tests;
