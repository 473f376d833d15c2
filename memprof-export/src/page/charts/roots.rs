//! A curve for each root.

use super::series::{SeriesByName, added};
use super::{Amount, Charts, Style, UNKNOWN_REASON, bytes, over, sparse};
use crate::known::{is_complete, root_bytes};
use crate::page::texts;
use core::cmp::Reverse;
use memprof_session::document::{RootReading, Snapshot};
use std::collections::HashSet;

/// The number of roots that have their own curve.
const MAX_CURVES: usize = 8;

pub(super) fn add<'s>(charts: &mut Charts<'s>, snapshots: &[&'s Snapshot]) {
    let mut series_by_name = SeriesByName::default();
    for (index, snapshot) in snapshots.iter().enumerate() {
        for root in &snapshot.roots {
            series_by_name.record(&*root.name, index, amount(root));
        }
    }
    let peak =
        |series: &[(usize, Amount<'_>)]| series.iter().filter_map(|series| series.1.ok()).max();
    let mut roots: Vec<_> =
        series_by_name.in_order().filter(|(_, series)| peak(series).is_some()).collect();
    roots.sort_by_key(|(_, series)| Reverse(peak(series)));
    let others = roots.split_off(roots.len().min(MAX_CURVES));
    let mut curves: Vec<_> = roots
        .into_iter()
        .map(|(name, series)| sparse(texts::name(name), Style::Line, snapshots, series))
        .collect();
    let others: HashSet<&str> = others.into_iter().map(|(name, _)| name).collect();
    if !others.is_empty() {
        let name = format!("{} others", others.len());
        curves.push(over(name, Style::Line, snapshots, |snapshot| {
            let others = snapshot.roots.iter().filter(|root| others.contains(&*root.name));
            others.map(amount).reduce(added).unwrap_or(Err(UNKNOWN_REASON))
        }));
    }
    charts.add("roots".into(), "bytes".into(), false, curves);
}

fn amount(root: &RootReading) -> Amount<'static> {
    let reason = if is_complete(root) { UNKNOWN_REASON } else { root.state.as_str() };
    root_bytes(root).map(bytes).ok_or(reason)
}
