//! What snapshots tell of things by name.

use super::Amount;
use core::hash::Hash;
use std::collections::HashMap;

/// What snapshots told of one thing: their indices, which rise, and how much it was.
pub(super) type Told<'s> = Vec<(usize, Amount<'s>)>;

/// What snapshots told of things, each by its name.
#[derive(Debug)]
pub(super) struct Found<'s, Name> {
    /// As the how many-th each was first seen, so that files of one session give one page.
    told: HashMap<Name, (usize, Told<'s>)>,
}

impl<Name> Default for Found<'_, Name> {
    fn default() -> Self {
        Self { told: HashMap::new() }
    }
}

impl<'s, Name: Eq + Hash> Found<'s, Name> {
    /// Notes what the snapshot of that index tells, after those before it. Of two things of one name
    /// it is the sum.
    pub(super) fn note(&mut self, name: Name, index: usize, amount: Amount<'s>) {
        let next = self.told.len();
        let (_, told) = self.told.entry(name).or_insert_with(|| (next, Vec::new()));
        match told.last_mut() {
            Some((last, sum)) if *last == index => *sum = added(*sum, amount),
            _ => told.push((index, amount)),
        }
    }

    /// All of it, in the order in which each was first seen.
    pub(super) fn in_order(self) -> impl Iterator<Item = (Name, Told<'s>)> {
        let mut all: Vec<_> = self.told.into_iter().collect();
        all.sort_unstable_by_key(|(_, (order, _))| *order);
        all.into_iter().map(|(name, (_, told))| (name, told))
    }
}

/// The sum of two amounts; of what is not known none is.
pub(super) fn added<'s>(one: Amount<'s>, other: Amount<'s>) -> Amount<'s> {
    Ok(one?.saturating_add(other?))
}
