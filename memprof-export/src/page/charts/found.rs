//! Values from snapshots, collected by name.

use super::Amount;
use core::hash::Hash;
use std::collections::HashMap;

/// The values of one name: the rising indices of the snapshots, and the amounts.
pub(super) type Told<'s> = Vec<(usize, Amount<'s>)>;

/// The values from snapshots, by name.
#[derive(Debug)]
pub(super) struct Found<'s, Name> {
    /// Each name with the order of its first value, so that the page is the same for every file of
    /// one session.
    told: HashMap<Name, (usize, Told<'s>)>,
}

impl<Name> Default for Found<'_, Name> {
    fn default() -> Self {
        Self { told: HashMap::new() }
    }
}

impl<'s, Name: Eq + Hash> Found<'s, Name> {
    /// Adds the value of the snapshot with this index. Indices must not fall. Two values of one
    /// name in the same snapshot are added up.
    pub(super) fn note(&mut self, name: Name, index: usize, amount: Amount<'s>) {
        let next = self.told.len();
        let (_, told) = self.told.entry(name).or_insert_with(|| (next, Vec::new()));
        match told.last_mut() {
            Some((last, sum)) if *last == index => *sum = added(*sum, amount),
            _ => told.push((index, amount)),
        }
    }

    /// Returns all values, in the order of the first value of each name.
    pub(super) fn in_order(self) -> impl Iterator<Item = (Name, Told<'s>)> {
        let mut all: Vec<_> = self.told.into_iter().collect();
        all.sort_unstable_by_key(|(_, (order, _))| *order);
        all.into_iter().map(|(name, (_, told))| (name, told))
    }
}

/// Returns the sum of two amounts; unknown if one of them is.
pub(super) fn added<'s>(one: Amount<'s>, other: Amount<'s>) -> Amount<'s> {
    Ok(one?.saturating_add(other?))
}
