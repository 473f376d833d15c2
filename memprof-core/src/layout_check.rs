//! The check of core's layouts of std against an allocator.
//!
//! A process cannot observe a field after the last one with a known offset. To cover such a field,
//! [`check`] compares the bytes of values with the bytes requested from an allocator.

use crate::impls::std::{btree, list, shared, table};
use crate::layout::certificate::Certificate;
use crate::{MemoryProfile, total_bytes};
use core::hint::black_box;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList};
use std::{rc, sync};

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
    record(&btree::CERTIFICATE, check_trees(requested));
    record(&list::CERTIFICATE, check_lists(requested));
    record(&shared::COUNTS_CERTIFICATE, check_counts(requested));
    first
}

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
mod tests {
    use crate::impls::std::{btree, list, shared, table};

    #[test]
    fn every_part_of_this_std_is_certified() {
        let parts = [
            ("tables", &table::CERTIFICATE),
            ("trees", &btree::CERTIFICATE),
            ("lists", &list::CERTIFICATE),
            ("counts", &shared::COUNTS_CERTIFICATE),
            ("weak handles", &shared::WEAK_HANDLES_CERTIFICATE),
        ];
        for (name, part) in parts {
            assert!(part.is_certified(), "{name}");
            assert!(part.is_certified(), "{name}, from memory");
        }
    }
}
