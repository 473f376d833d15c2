//! Values from snapshots, collected by name.

use super::Amount;
use core::hash::Hash;
use std::collections::HashMap;

pub(super) type Series<'s> = Vec<(usize, Amount<'s>)>;

#[derive(Debug)]
pub(super) struct SeriesByName<'s, Name> {
    /// Each with a rank: the order of the first values. It replaces the order of the `HashMap`, so
    /// that every file of one session gives the same page.
    series: HashMap<Name, (usize, Series<'s>)>,
}

impl<Name> Default for SeriesByName<'_, Name> {
    fn default() -> Self {
        Self { series: HashMap::new() }
    }
}

impl<'s, Name: Eq + Hash> SeriesByName<'s, Name> {
    /// Indices must not decrease. Two values of one name in the same snapshot are added up.
    pub(super) fn record(&mut self, name: Name, index: usize, amount: Amount<'s>) {
        let next = self.series.len();
        let (_, series) = self.series.entry(name).or_insert_with(|| (next, Vec::new()));
        match series.last_mut() {
            Some((last, sum)) if *last == index => *sum = added(*sum, amount),
            _ => series.push((index, amount)),
        }
    }

    pub(super) fn in_order(self) -> impl Iterator<Item = (Name, Series<'s>)> {
        let mut all: Vec<_> = self.series.into_iter().collect();
        all.sort_unstable_by_key(|(_, (order, _))| *order);
        all.into_iter().map(|(name, (_, series))| (name, series))
    }
}

/// Returns the sum of two amounts; unknown if one of them is.
pub(super) fn added<'s>(one: Amount<'s>, other: Amount<'s>) -> Amount<'s> {
    Ok(one?.saturating_add(other?))
}
