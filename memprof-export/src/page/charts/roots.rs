//! A curve for each root.

use super::found::{Found, added};
use super::{Amount, Charts, Style, UNTOLD, bytes, over, sparse};
use crate::known::{is_whole, root_bytes};
use crate::page::texts;
use core::cmp::Reverse;
use memprof_session::document::{RootReading, Snapshot};
use std::collections::HashSet;

/// The number of roots that have their own curve.
const LARGEST: usize = 8;

pub(super) fn add<'s>(charts: &mut Charts<'s>, snapshots: &[&'s Snapshot]) {
    let mut found = Found::default();
    for (index, snapshot) in snapshots.iter().enumerate() {
        for root in &snapshot.roots {
            found.note(&*root.name, index, amount(root));
        }
    }
    let most = |told: &[(usize, Amount<'_>)]| told.iter().filter_map(|told| told.1.ok()).max();
    let mut roots: Vec<_> = found.in_order().filter(|(_, told)| most(told).is_some()).collect();
    roots.sort_by_key(|(_, told)| Reverse(most(told)));
    let others = roots.split_off(roots.len().min(LARGEST));
    let mut curves: Vec<_> = roots
        .into_iter()
        .map(|(name, told)| sparse(texts::name(name), Style::Line, snapshots, told))
        .collect();
    let others: HashSet<&str> = others.into_iter().map(|(name, _)| name).collect();
    if !others.is_empty() {
        let name = format!("{} others", others.len());
        curves.push(over(name, Style::Line, snapshots, |snapshot| {
            let others = snapshot.roots.iter().filter(|root| others.contains(&*root.name));
            others.map(amount).reduce(added).unwrap_or(Err(UNTOLD))
        }));
    }
    charts.add("roots".into(), "bytes".into(), false, curves);
}

fn amount(root: &RootReading) -> Amount<'static> {
    let why = if is_whole(root) { UNTOLD } else { root.state.as_str() };
    root_bytes(root).map(bytes).ok_or(why)
}
